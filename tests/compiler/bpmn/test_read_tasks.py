from __future__ import annotations

import pytest

from diglot.compiler.graph import Assign, Constant, Expression, Pass, Record, ScopeNode, Task, Value
from support.bpmn_graphs import find, graph_of, kinds, node, path, ways


def _task(element: str, around: str = "", finds: tuple[str, ...] = ()):
    return graph_of(f"<startEvent id='begin'/>{element}" + path("begin work"), around, finds=finds)


def _job(
    element: str, around: str = "", finds: tuple[str, ...] = ()
) -> tuple[str, dict[str, Value]]:
    action = node(_task(element, around, finds), "work", Task).action
    assert isinstance(action.arguments, Record)
    assert isinstance(action.type, str)
    return action.type, dict(action.arguments.members)


@pytest.mark.parametrize(
    ("element", "type"),
    [
        ("<serviceTask id='work'/>", "service-task"),
        ("<serviceTask id='work' implementation='##WebService'/>", "service-task"),
        ("<serviceTask id='work' implementation='##unspecified'/>", "service-task"),
        ("<serviceTask id='work' implementation='pay'/>", "pay"),
        ("<serviceTask id='work' operationRef='op'/>", "charge"),
        ("<userTask id='work'/>", "user-task"),
        ("<manualTask id='work'/>", "manual-task"),
        ("<businessRuleTask id='work'/>", "business-rule-task"),
        ("<sendTask id='work'/>", "send-task"),
        ("<serviceTask id='work' camunda:type='external' camunda:topic='mail'/>", "mail"),
    ],
)
def test_a_task_is_a_job_of_its_type(element: str, type: str):
    interface = (
        "<interface id='i' name='bank'><operation id='op' name='charge'>"
        "<inMessageRef>m</inMessageRef></operation></interface><message id='m'/>"
    )

    assert _job(element, interface)[0] == type


def test_a_job_says_which_element_it_is_for():
    _, arguments = _job("<serviceTask id='work' name='Ship it' implementation='ship'/>")

    assert arguments == {
        "element": Constant("work"),
        "name": Constant("Ship it"),
        "variables": Expression(text=".", of="variables"),
        "headers": Constant({}),
        "implementation": Constant("ship"),
    }


def test_a_vendor_adds_headers_and_retries():
    type, arguments = _job(
        "<serviceTask id='work'><extensionElements><zeebe:taskDefinition type='ship' retries='5'/>"
        "<zeebe:taskHeaders><zeebe:header key='to' value='Oslo'/></zeebe:taskHeaders>"
        "</extensionElements></serviceTask>"
    )

    assert type == "ship"
    assert (arguments["headers"], arguments["retries"]) == (Constant({"to": "Oslo"}), Constant(5))


def test_a_user_task_has_the_people_of_a_vendor():
    _, arguments = _job(
        "<userTask id='work' camunda:assignee='kim' camunda:formKey='order-form' "
        "camunda:dueDate='${due}'/>"
    )
    due = arguments["dueDate"]

    assert (arguments["assignee"], arguments["formKey"]) == (
        Constant("kim"), Constant("order-form"),
    )  # fmt: skip
    assert isinstance(due, Expression)
    assert due.source == "${due}"


def test_a_user_task_has_the_people_of_the_standard():
    _, arguments = _job(
        "<userTask id='work'><humanPerformer><resourceAssignmentExpression>"
        "<formalExpression>user(kim)</formalExpression></resourceAssignmentExpression>"
        "</humanPerformer><potentialOwner><resourceAssignmentExpression>"
        "<formalExpression>user(ann), group(sales), staff</formalExpression>"
        "</resourceAssignmentExpression></potentialOwner>"
        "<potentialOwner><resourceRef>clerks</resourceRef></potentialOwner></userTask>",
        "<resource id='clerks' name='Clerks'/>",
    )

    assert arguments["assignee"] == Constant("kim")
    assert arguments["candidateUsers"] == Constant(["ann"])
    assert arguments["candidateGroups"] == Constant(["sales", "staff", "Clerks"])


def test_a_business_rule_task_names_its_decision():
    _, arguments = _job(
        "<businessRuleTask id='work' camunda:decisionRef='rating' camunda:resultVariable='r'/>"
    )

    assert arguments["decision"] == Constant("rating")


def test_a_task_of_no_kind_does_nothing():
    graph = _task("<task id='work'/>")

    assert node(graph, "work", Pass).data is None


def test_python_and_javascript_run_here_on_the_variables():
    graph = _task(
        "<scriptTask id='work' scriptFormat='text/javascript'><script>total = 1</script>"
        "</scriptTask>"
    )
    found = node(graph, "work", Task)

    assert found.action.type == "script"
    assert found.action.arguments == Record(
        (
            ("language", Constant("javascript")),
            ("code", Constant("total = 1")),
            ("variables", Expression(text=".", of="variables")),
        )
    )
    assert found.data is not None
    assert isinstance(found.data.export, Expression)
    assert ".variables" in found.data.export.text


def test_a_script_that_is_an_expression_is_evaluated_here():
    graph = _task(
        "<scriptTask id='work'><extensionElements><zeebe:script expression='=a + b' "
        "resultVariable='total'/></extensionElements></scriptTask>"
    )
    found = node(graph, "work", Assign)

    assert isinstance(found.value, Expression)
    assert found.value.source == "=a + b"
    assert found.data is not None
    assert found.data.export == Record((("total", Expression(text=".")),))


def test_any_other_script_is_a_job_for_a_worker():
    type, arguments = _job(
        "<scriptTask id='work' scriptFormat='groovy'><script>x = 1</script></scriptTask>"
    )

    assert type == "script-task"
    assert (arguments["language"], arguments["code"]) == (Constant("groovy"), Constant("x = 1"))


def test_a_script_task_without_a_script_is_told():
    graph = _task("<scriptTask id='work'/>", finds=("script-missing",))

    assert kinds(graph)["work"] == "Pass"


def test_scripts_around_a_task_run_before_and_after_it():
    graph = _task(
        "<userTask id='work'><extensionElements><camunda:executionListener event='start'>"
        "<camunda:script scriptFormat='javascript'>a = 1</camunda:script>"
        "</camunda:executionListener><camunda:executionListener event='end'>"
        "<camunda:script scriptFormat='javascript'>b = 1</camunda:script>"
        "</camunda:executionListener></extensionElements></userTask>"
    )

    assert node(graph, "work", ScopeNode).body == "work#body"
    assert ways(graph, "work#body#start") == ["work#each#before"]
    assert ways(graph, "work#each#before") == ["work#each"]
    assert ways(graph, "work#each") == ["work#each#after"]
    assert ways(graph, "work#each#after") == ["work#body#end"]
    assert node(graph, "work#each#before", Task).action.type == "script"


def test_a_script_in_a_foreign_language_around_a_task_is_told():
    graph = _task(
        "<userTask id='work'><extensionElements><camunda:executionListener event='start'>"
        "<camunda:script scriptFormat='groovy'>a = 1</camunda:script>"
        "</camunda:executionListener></extensionElements></userTask>",
        finds=("script-not-run",),
    )

    assert find(graph, "work#each") is None


def test_a_global_script_says_its_language_in_its_own_attribute():
    graph = graph_of(
        "<startEvent id='begin'/><callActivity id='work' calledElement='sum'/>"
        + path("begin work"),
        "<globalScriptTask id='sum' scriptLanguage='jq'><script>{total: .a}</script>"
        "</globalScriptTask>",
    )

    assert isinstance(find(graph, "work"), Assign)


@pytest.mark.parametrize(
    "element",
    [
        "<serviceTask id='work'><extensionElements><zeebe:taskDefinition type='=kind'/>"
        "</extensionElements></serviceTask>",
        "<serviceTask id='work' camunda:type='external' camunda:topic='${kind}'/>",
        "<serviceTask id='work' flowable:type='external-worker' flowable:topic='${kind}'/>",
    ],
)
def test_a_type_that_a_vendor_computes_is_an_expression(element: str):
    type = node(_task(element), "work", Task).action.type

    assert isinstance(type, Expression)
    assert type.of == "variables"


@pytest.mark.parametrize(
    ("element", "type"),
    [
        ("<serviceTask id='work' camunda:expression='${bank.pay(sum)}'/>", "${bank.pay(sum)}"),
        ("<serviceTask id='work' camunda:delegateExpression='${bank}'/>", "bank"),
        (
            "<serviceTask id='work'><extensionElements>"
            "<zeebe:taskDefinition type='=&quot;pay&quot;'/></extensionElements></serviceTask>",
            "pay",
        ),
    ],
)
def test_a_type_that_is_known_beforehand_is_a_text(element: str, type: str):
    assert _job(element)[0] == type
