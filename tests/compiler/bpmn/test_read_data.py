from __future__ import annotations

from diglot.compiler.graph import (
    Call,
    Constant,
    DataRules,
    Emit,
    Expression,
    Listing,
    Pass,
    Receive,
    Record,
    ScopeNode,
    Task,
    Value,
    Variable,
)
from support.bpmn_graphs import graph_of, graphs_of, node, path, scope, ways

_RESULT = Expression(text='if type == "object" then . else null end')


def _task(content: str, more: str = "", finds: tuple[str, ...] = ()) -> Task:
    graph = graph_of(
        f"<startEvent id='begin'/><serviceTask id='work'>{content}</serviceTask>{more}"
        + path("begin work"),
        finds=finds,
    )
    return node(graph, "work", Task)


def _rules(task: Task) -> DataRules:
    assert task.data is not None
    return task.data


def _members(value: Value | None) -> dict[str, Value]:
    assert isinstance(value, Record)
    return dict(value.members)


def _in(content: str) -> str:
    return f"<dataInputAssociation>{content}</dataInputAssociation>"


def _out(content: str) -> str:
    return f"<dataOutputAssociation>{content}</dataOutputAssociation>"


_IO = (
    "<ioSpecification><dataInput id='need' name='order'/><dataOutput id='gift' name='price'/>"
    "<inputSet><dataInputRefs>need</dataInputRefs></inputSet><outputSet/></ioSpecification>"
)
_ORDER = "<dataObject id='order-data' name='orders'/><dataObject id='price-data' name='prices'/>"


def test_properties_and_data_objects_are_variables_of_their_scope():
    graph = graph_of(
        "<property id='note'/><dataObject id='d1' name='order'/><dataObject id='d2'/>"
        "<dataObjectReference id='r1' name='Order [paid]' dataObjectRef='d1'/>"
        "<subProcess id='pack'><property id='p' name='box'/><task id='wrap'/></subProcess>"
    )

    def null(name: str) -> Variable:
        return Variable(name=name, value=Constant(None))

    assert scope(graph, "/").variables == (null("note"), null("order"), null("d2"))
    assert scope(graph, "pack#body").variables == (null("box"),)


def test_the_output_of_a_process_is_all_its_variables():
    graph = graph_of("<task id='a'/>")

    assert graph.data == DataRules(write=Expression(text=".", of="variables"))


def test_every_member_of_a_result_is_a_variable_by_default():
    assert _rules(_task("")) == DataRules(export=_RESULT, export_mode="variables")


def test_data_associations_copy_in_and_out():
    task = _task(
        _IO
        + _in("<sourceRef>order-data</sourceRef><targetRef>need</targetRef>")
        + _out("<sourceRef>gift</sourceRef><targetRef>price-data</targetRef>"),
        _ORDER,
    )
    rules = _rules(task)

    assert _members(rules.read) == {"order": Expression(text=".orders", of="variables")}
    assert _members(rules.export) == {
        "prices": Expression(text='if type == "object" then .["price"] else . end')
    }
    assert _members(task.action.arguments)["variables"] == Expression(text=".")


def test_an_activity_waits_for_the_data_objects_of_an_input_set():
    both = _task(_IO + _in("<sourceRef>order-data</sourceRef><targetRef>need</targetRef>"), _ORDER)
    either = _task(
        "<ioSpecification><dataInput id='a'/><dataInput id='b'/>"
        "<inputSet><dataInputRefs>a</dataInputRefs></inputSet>"
        "<inputSet><dataInputRefs>b</dataInputRefs></inputSet><outputSet/></ioSpecification>"
        + _in("<sourceRef>order-data</sourceRef><targetRef>a</targetRef>")
        + _in("<sourceRef>price-data</sourceRef><targetRef>b</targetRef>"),
        _ORDER,
    )
    optional = _task(
        "<ioSpecification><dataInput id='a'/><inputSet><dataInputRefs>a</dataInputRefs>"
        "<optionalInputRefs>a</optionalInputRefs></inputSet><outputSet/></ioSpecification>"
        + _in("<sourceRef>order-data</sourceRef><targetRef>a</targetRef>"),
        _ORDER,
    )

    assert _rules(both).needs == Expression(
        text=".orders != null", of="variables", yields="boolean"
    )
    assert _rules(either).needs == Expression(
        text="(.orders != null) or (.prices != null)", of="variables", yields="boolean"
    )
    assert _rules(optional).needs is None


def test_a_transformation_computes_what_is_moved():
    task = _task(
        _IO
        + _in(
            "<sourceRef>order-data</sourceRef><targetRef>need</targetRef>"
            "<transformation>${orders.total}</transformation>"
        ),
        _ORDER,
    )
    value = _members(_rules(task).read)["order"]

    assert isinstance(value, Expression)
    assert (value.source, value.of) == ("${orders.total}", "variables")


def test_assignments_fill_parts_of_a_target():
    task = _task(
        _IO
        + _in(
            "<targetRef>need</targetRef>"
            "<assignment><from>${orders.id}</from><to>need/number</to></assignment>"
            "<assignment><from>'new'</from><to>bpmn:getDataInput('order')/state/name</to>"
            "</assignment>"
        ),
        _ORDER,
    )
    value = _members(_rules(task).read)["order"]

    assert isinstance(value, Expression)
    assert ".number = $__put" in value.text
    assert '.state["name"] = $__put' in value.text


def test_an_assignment_may_give_the_whole_target():
    task = _task(
        _IO + _in("<targetRef>need</targetRef><assignment><from>7</from><to>need</to></assignment>")
    )

    assert _members(_rules(task).read) == {"order": Constant(7)}


def test_a_target_that_cannot_be_read_is_refused():
    _task(
        _IO
        + _in("<targetRef>need</targetRef><assignment><from>7</from><to>a + b</to></assignment>"),
        finds=("assignment-target-unreadable",),
    )


def test_a_vendor_maps_variables_and_nested_ones():
    task = _task(
        "<extensionElements><zeebe:taskDefinition type='ship'/><zeebe:ioMapping>"
        "<zeebe:input source='=order.id' target='number'/>"
        "<zeebe:output source='=code' target='parcel.code'/>"
        "<zeebe:output source='=weight' target='parcel.weight'/></zeebe:ioMapping>"
        "</extensionElements>"
    )
    rules = _rules(task)
    read = _members(rules.read)["number"]
    parcel = _members(rules.export)["parcel"]

    assert isinstance(read, Expression)
    assert read.source == "=order.id"
    assert isinstance(parcel, Expression)
    assert ".code = $__put" in parcel.text
    assert ".weight = $__put" in parcel.text
    assert _members(task.action.arguments)["variables"] == Expression(text=".", of="variables")


def test_a_vendor_puts_a_whole_result_into_a_variable():
    task = _task("<extensionElements/>").action
    named = graph_of(
        "<startEvent id='begin'/><serviceTask id='work' camunda:type='external' "
        "camunda:topic='ship' camunda:resultVariable='answer'/>" + path("begin work")
    )

    assert task.type == "service-task"
    assert _members(_rules(node(named, "work", Task)).export) == {"answer": Expression(text=".")}


def test_lists_and_maps_of_a_vendor_are_arrays_and_objects():
    task = _task(
        "<extensionElements><camunda:inputOutput><camunda:inputParameter name='people'>"
        "<camunda:list><camunda:value>kim</camunda:value><camunda:value>${boss}</camunda:value>"
        "</camunda:list></camunda:inputParameter><camunda:inputParameter name='place'>"
        "<camunda:map><camunda:entry key='city'>Oslo</camunda:entry></camunda:map>"
        "</camunda:inputParameter></camunda:inputOutput></extensionElements>"
    )
    read = _members(_rules(task).read)

    assert isinstance(read["people"], Listing)
    assert read["people"].items[0] == Constant("kim")
    assert read["place"] == Record((("city", Constant("Oslo")),))


def test_locals_of_a_sub_process_come_from_its_input():
    graph = graph_of(
        "<startEvent id='begin'/><subProcess id='pack'><extensionElements><zeebe:ioMapping>"
        "<zeebe:input source='=order' target='parcel'/></zeebe:ioMapping></extensionElements>"
        "<task id='wrap'/></subProcess>" + path("begin pack")
    )
    rules = node(graph, "pack", ScopeNode).data

    assert rules is not None
    assert list(_members(rules.read)) == ["parcel"]
    assert scope(graph, "pack#body").binds_input


def test_what_an_event_brings_goes_to_the_target_of_its_association():
    graph = graph_of(
        _ORDER + "<startEvent id='begin'/><intermediateCatchEvent id='wait'>"
        "<dataOutput id='got' name='message'/>"
        + _out("<sourceRef>got</sourceRef><targetRef>order-data</targetRef>")
        + "<outputSet/><signalEventDefinition signalRef='s'/></intermediateCatchEvent>"
        + path("begin wait"),
        "<signal id='s' name='one'/>",
    )
    rules = node(graph, "wait", Receive).data

    assert rules is not None
    assert _members(rules.export) == {
        "orders": Expression(text='if type == "array" then .[0] else . end')
    }


def test_a_thrown_event_carries_its_data_input():
    graph = graph_of(
        _ORDER + "<startEvent id='begin'/><intermediateThrowEvent id='tell'>"
        "<dataInput id='told'/>"
        + _in("<sourceRef>order-data</sourceRef><targetRef>told</targetRef>")
        + "<inputSet/><signalEventDefinition signalRef='s'/></intermediateThrowEvent>"
        + path("begin tell"),
        "<signal id='s' name='one'/>",
    )

    assert _members(node(graph, "tell", Emit).event) == {
        "type": Constant("one"),
        "data": Expression(text=".orders", of="variables"),
    }


def test_mappings_of_a_caught_event_see_all_variables():
    graph = graph_of(
        "<startEvent id='begin'/><intermediateCatchEvent id='wait'><extensionElements>"
        "<zeebe:ioMapping><zeebe:output source='=code' target='tracking'/></zeebe:ioMapping>"
        "</extensionElements><signalEventDefinition signalRef='s'/></intermediateCatchEvent>"
        "<endEvent id='done'/>" + path("begin wait done"),
        "<signal id='s' name='one'/>",
    )
    mapping = node(graph, "wait#map", Pass).data

    assert node(graph, "wait", Receive).data == DataRules(write=Expression(text=".[0]"))
    assert mapping is not None
    assert mapping.read == Expression(text=".")
    assert list(_members(mapping.export)) == ["tracking"]
    assert (ways(graph, "wait"), ways(graph, "wait#map")) == (["wait#map"], ["done"])


def test_a_data_store_is_a_variable_of_the_process_and_that_is_told():
    graph = graph_of(
        "<startEvent id='begin'/><subProcess id='pack'><dataStoreReference id='r' name='Stock' "
        "dataStoreRef='store'/><serviceTask id='work'>"
        + _IO
        + _in("<sourceRef>r</sourceRef><targetRef>need</targetRef>")
        + "</serviceTask></subProcess>"
        + path("begin pack"),
        "<dataStore id='store' name='stock'/>",
        finds=("data-store-per-instance",),
    )

    assert scope(graph, "/").variables == (Variable(name="stock", value=Constant(None)),)
    assert scope(graph, "pack#body").variables == ()


def test_vendors_engines_do_not_wait_for_data():
    graphs, _ = graphs_of(
        f"<process id='order' camunda:versionTag='1.0.0'>{_ORDER}<serviceTask id='work'>{_IO}"
        + _in("<sourceRef>order-data</sourceRef><targetRef>need</targetRef>")
        + "</serviceTask></process>"
    )

    assert _rules(node(graphs[0], "work", Task)).needs is None


def test_a_name_of_several_words_is_no_variable_and_the_id_is():
    graph = graph_of("<dataObject id='order' name='The order'/><startEvent id='begin'/>")

    assert scope(graph, "/").variables == (Variable(name="order", value=Constant(None)),)


def test_what_a_call_hands_over_by_name_is_a_variable():
    graph = graph_of(
        "<startEvent id='begin'/><callActivity id='work' calledElement='check'><extensionElements>"
        "<camunda:in source='amount' target='sum'/></extensionElements></callActivity>"
        + path("begin work")
    )
    rules = node(graph, "work", Call).data

    assert rules is not None
    assert _members(rules.read) == {"sum": Expression(text=".amount", of="variables")}
