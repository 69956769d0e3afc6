"""What each vendor's extensions say."""

from __future__ import annotations

from pathlib import Path

import pytest

from diglot.compiler.bpmn.document import Document, Element
from diglot.compiler.bpmn.profiles import profile_of
from diglot.compiler.bpmn.profiles.contract import Profile, Written, WrittenList, WrittenMap
from diglot.compiler.bpmn.xml import read_xml
from diglot.compiler.diagnostics import Report

NAMESPACES = """
  xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"
  xmlns:camunda="http://camunda.org/schema/1.0/bpmn"
  xmlns:operaton="http://operaton.org/schema/1.0/bpmn"
  xmlns:flowable="http://flowable.org/bpmn"
  xmlns:activiti="http://activiti.org/bpmn"
  xmlns:spiff="http://spiffworkflow.org/bpmn/schema/1.0/core"
  xmlns:drools="http://www.jboss.org/drools"
  xmlns:modeler="http://camunda.org/schema/modeler/1.0"
  targetNamespace="https://diglot.example/profiles"
"""


def read(body: str, attributes: str = "") -> tuple[Document, Profile]:
    text = f"<definitions {NAMESPACES} {attributes}><process id='p'>{body}</process></definitions>"
    document = read_xml(text, "profiles.bpmn", Report())
    assert document is not None
    return document, profile_of(document)


def found(document: Document, id: str) -> Element:
    element = document.find(id)
    assert element is not None
    return element


def text(value: object) -> str:
    assert isinstance(value, Written)
    return value.text


@pytest.mark.parametrize(
    ("platform", "expected"),
    [("Camunda Cloud", "zeebe"), ("Camunda Platform", "camunda"), ("Operaton", "camunda")],
)
def test_the_declared_platform_decides(platform: str, expected: str) -> None:
    body = "<userTask id='a' flowable:assignee='x' flowable:formKey='y'/>"

    _, profile = read(body, f"modeler:executionPlatform='{platform}'")

    assert profile.name == expected


def test_a_platform_that_only_the_drawing_tool_declares_does_not() -> None:
    body = (
        "<userTask id='a' camunda:formKey='x'><extensionElements>"
        "<spiff:properties><spiff:property/></spiff:properties>"
        "</extensionElements></userTask>"
    )

    _, profile = read(body, "modeler:executionPlatform='Camunda Platform'")

    assert profile.name == "spiffworkflow"


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("camunda:assignee", "camunda"),
        ("operaton:assignee", "camunda"),
        ("flowable:assignee", "flowable"),
        ("activiti:assignee", "flowable"),
        ("drools:taskName", "drools"),
    ],
)
def test_without_a_platform_the_extensions_used_decide(attribute: str, expected: str) -> None:
    _, profile = read(f"<userTask id='a' {attribute}='x'/>")

    assert profile.name == expected


def test_a_declared_prefix_that_nobody_uses_decides_nothing() -> None:
    _, profile = read("<userTask id='a'/>")

    assert profile.name == "standard"


def test_of_two_vendors_the_one_used_more_decides() -> None:
    body = "<userTask id='a' camunda:assignee='x' flowable:assignee='y' flowable:formKey='z'/>"

    _, profile = read(body)

    assert profile.name == "flowable"


def test_a_zeebe_task_is_a_job_with_headers_and_mappings() -> None:
    document, profile = read("""
      <serviceTask id='charge'><extensionElements>
        <zeebe:taskDefinition type='payment' retries='5'/>
        <zeebe:taskHeaders><zeebe:header key='method' value='card'/></zeebe:taskHeaders>
        <zeebe:ioMapping>
          <zeebe:input source='= order.total' target='amount'/>
          <zeebe:output source='=receipt' target='order.receipt'/>
        </zeebe:ioMapping>
      </extensionElements></serviceTask>""")

    task = profile.task(found(document, "charge"))

    assert (task.job_type, task.retries, dict(task.headers)) == ("payment", 5, {"method": "card"})
    assert [(target, text(source)) for target, source in task.inputs] == [
        ("amount", "= order.total")
    ]
    assert [(target, text(source)) for target, source in task.outputs] == [
        ("order.receipt", "=receipt")
    ]
    assert task.is_external


def test_a_zeebe_loop_counts_from_one() -> None:
    document, profile = read("""
      <task id='each'><multiInstanceLoopCharacteristics id='loop'><extensionElements>
        <zeebe:loopCharacteristics inputCollection='=items' inputElement='item'
          outputCollection='results' outputElement='=result'/>
      </extensionElements></multiInstanceLoopCharacteristics></task>""")

    loop = profile.loop(found(document, "loop"))

    assert (text(loop.collection), loop.item, loop.first) == ("=items", "item", 1)
    assert (loop.output_collection, text(loop.output_element)) == ("results", "=result")


@pytest.mark.parametrize(
    ("attributes", "all_in", "all_out"),
    [
        ("processId='child'", True, True),
        ("processId='child' propagateAllChildVariables='false'", True, False),
        ("processId='child' propagateAllParentVariables='false'", False, True),
    ],
)
def test_a_zeebe_call_hands_everything_over_unless_told(
    attributes: str, all_in: bool, all_out: bool
) -> None:
    document, profile = read(f"""
      <callActivity id='call'><extensionElements>
        <zeebe:calledElement {attributes}/>
      </extensionElements></callActivity>""")

    call = profile.called(found(document, "call"))

    assert (text(call.process), call.all_in, call.all_out) == ("child", all_in, all_out)


def test_a_camunda_external_task_is_asked_for_by_its_topic() -> None:
    document, profile = read("<serviceTask id='a' camunda:type='external' camunda:topic='ship'/>")

    assert profile.task(found(document, "a")).job_type == "ship"


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("camunda:class='org.example.Ship'", "org.example.Ship"),
        ("camunda:delegateExpression='${shipDelegate}'", "shipDelegate"),
        ("camunda:expression='${ship.now(order)}'", "${ship.now(order)}"),
    ],
)
def test_a_camunda_delegate_is_asked_for_by_its_name(attribute: str, expected: str) -> None:
    document, profile = read(f"<serviceTask id='a' {attribute}/>")

    assert profile.task(found(document, "a")).job_type == expected


def test_a_camunda_parameter_may_be_a_text_a_list_a_map_or_a_script() -> None:
    document, profile = read("""
      <serviceTask id='a'><extensionElements><camunda:inputOutput>
        <camunda:inputParameter name='text'>${x}</camunda:inputParameter>
        <camunda:inputParameter name='list'><camunda:list>
          <camunda:value>one</camunda:value><camunda:value>${two}</camunda:value>
        </camunda:list></camunda:inputParameter>
        <camunda:inputParameter name='map'><camunda:map>
          <camunda:entry key='k'>v</camunda:entry>
        </camunda:map></camunda:inputParameter>
        <camunda:inputParameter name='script'>
          <camunda:script scriptFormat='groovy'>1 + 1</camunda:script>
        </camunda:inputParameter>
      </camunda:inputOutput></extensionElements></serviceTask>""")

    inputs = dict(profile.task(found(document, "a")).inputs)

    assert text(inputs["text"]) == "${x}"
    assert isinstance(inputs["list"], WrittenList)
    assert [text(item) for item in inputs["list"].items] == ["one", "${two}"]
    assert isinstance(inputs["map"], WrittenMap)
    assert [(key, text(value)) for key, value in inputs["map"].entries] == [("k", "v")]
    assert isinstance(inputs["script"], Written)
    assert inputs["script"].language == "groovy"


def test_a_camunda_retry_cycle_is_a_count_and_a_pause() -> None:
    document, profile = read("""
      <serviceTask id='a' camunda:class='A'><extensionElements>
        <camunda:failedJobRetryTimeCycle>R3/PT10M</camunda:failedJobRetryTimeCycle>
      </extensionElements></serviceTask>""")

    task = profile.task(found(document, "a"))

    assert (task.retries, task.retry_delay) == (3, "PT10M")


def test_a_camunda_call_moves_the_variables_it_names() -> None:
    document, profile = read("""
      <callActivity id='a' calledElement='b'><extensionElements>
        <camunda:in source='order' target='theirs'/>
        <camunda:in sourceExpression='${total + 1}' target='next'/>
        <camunda:out variables='all'/>
      </extensionElements></callActivity>""")

    call = profile.called(found(document, "a"))

    moved = [(target, text(source)) for target, source in call.inputs]
    assert moved == [("theirs", "order"), ("next", "${total + 1}")]
    assert [source.language for _, source in call.inputs if isinstance(source, Written)] == [
        "variable",
        "",
    ]
    assert (call.all_in, call.all_out) == (False, True)


def test_an_operaton_user_task_says_who_does_it_and_with_which_form() -> None:
    document, profile = read("""
      <userTask id='a' operaton:assignee='${boss}' operaton:candidateGroups='sales, it'>
        <extensionElements><operaton:formData>
          <operaton:formField id='amount' label='Amount' type='long' defaultValue='1'/>
        </operaton:formData></extensionElements></userTask>""")

    task = profile.task(found(document, "a"))

    assert {name: value.text for name, value in task.assignment.items()} == {
        "assignee": "${boss}",
        "candidateGroups": "sales, it",
    }
    field = {"id": "amount", "label": "Amount", "type": "long", "defaultValue": "1"}
    assert task.form == {"form": {"fields": [field]}}


def test_a_flowable_field_is_a_text_or_an_expression() -> None:
    document, profile = read("""
      <serviceTask id='a' flowable:type='mail'><extensionElements>
        <flowable:field name='to' stringValue='a@example.com'/>
        <flowable:field name='subject'><flowable:expression>${s}</flowable:expression>
        </flowable:field>
      </extensionElements></serviceTask>""")

    task = profile.task(found(document, "a"))

    assert task.job_type == "mail"
    assert [
        (name, value.text, value.language)
        for name, value in task.inputs
        if isinstance(value, Written)
    ] == [("to", "a@example.com", "text"), ("subject", "${s}", "worker")]


def test_an_activiti_signal_may_stay_in_its_instance() -> None:
    text = f"""<definitions {NAMESPACES}>
      <signal id='s' name='s' activiti:scope='processInstance'/><process id='p'/></definitions>"""
    document = read_xml(text, "signal.bpmn", Report())
    assert document is not None

    assert profile_of(document).event(found(document, "s")).is_local


def test_a_spiff_operator_gets_its_parameters_and_nothing_else() -> None:
    document, profile = read("""
      <serviceTask id='a'><extensionElements>
        <spiff:preScript>x = 1</spiff:preScript>
        <spiff:serviceTaskOperator id='http/Get' resultVariable='answer'>
          <spiff:parameters><spiff:parameter id='url' type='str' value='"https://x"'/>
          </spiff:parameters>
        </spiff:serviceTaskOperator>
      </extensionElements></serviceTask>""")

    task = profile.task(found(document, "a"))

    assert (task.job_type, task.result_variable, task.hides_variables) == (
        "http/Get",
        "answer",
        True,
    )
    assert [(name, text(value)) for name, value in task.inputs] == [("url", '"https://x"')]
    assert task.before is not None
    assert (task.before.code.text, task.before.language) == ("x = 1", "python")


def test_a_drools_work_item_is_asked_for_by_its_name() -> None:
    document, profile = read("""
      <task id='a' drools:taskName='Email'><extensionElements>
        <drools:metaData name='elementname'><drools:metaValue>Send</drools:metaValue>
        </drools:metaData>
        <drools:onExit-script scriptFormat='http://www.java.com/java'>
          <drools:script>done();</drools:script></drools:onExit-script>
      </extensionElements></task>""")

    task = profile.task(found(document, "a"))

    assert (task.job_type, dict(task.headers)) == ("Email", {"elementname": "Send"})
    assert task.after is not None
    assert (task.after.code.text, task.after.language) == ("done();", "http://www.java.com/java")


def test_every_file_of_others_gets_facts_and_no_crash(bpmn_suites: Path) -> None:
    counts: dict[str, int] = {}
    for file in sorted(bpmn_suites.rglob("*.bpmn")):
        document = read_xml(file.read_bytes(), file.name, Report())
        if document is None:
            continue
        profile = profile_of(document)
        counts[profile.name] = counts.get(profile.name, 0) + 1
        for element in document.root.walk():
            if element.is_bpmn:
                profile.task(element)
                profile.loop(element)
                profile.called(element)
                profile.message(element)
                profile.error(element)
                profile.process(element)
                profile.event(element)
                profile.ad_hoc(element)

    assert set(counts) == {
        "zeebe", "camunda", "flowable", "spiffworkflow", "drools", "standard",
    }  # fmt: skip
