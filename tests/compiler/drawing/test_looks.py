"""What each element of the standard looks like."""

from __future__ import annotations

import pytest

from diglot.compiler.drawing.parts import Shape
from support.diagrams import only_shape, picture, pictures, plane, shape


@pytest.mark.parametrize(
    ("element", "symbol"),
    [
        ("task", ""),
        ("userTask", "user"),
        ("manualTask", "manual"),
        ("serviceTask", "service"),
        ("sendTask", "send"),
        ("receiveTask", "receive"),
        ("scriptTask", "script"),
        ("businessRuleTask", "business-rule"),
    ],
)
def test_a_task_has_the_symbol_of_its_type(element: str, symbol: str) -> None:
    one = only_shape(f"<{element} id='a' name='Pay'/>")
    assert (one.form, one.symbol, one.name, one.border) == ("activity", symbol, "Pay", "single")


def test_a_receiving_task_that_starts_a_process_has_a_symbol_of_its_own() -> None:
    assert only_shape("<receiveTask id='a' instantiate='true'/>").symbol == "receive-start"


@pytest.mark.parametrize(
    ("inside", "markers"),
    [
        ("<standardLoopCharacteristics/>", ("loop",)),
        ("<multiInstanceLoopCharacteristics/>", ("parallel",)),
        ("<multiInstanceLoopCharacteristics isSequential='true'/>", ("sequential",)),
    ],
)
def test_an_activity_that_runs_several_times_is_marked(
    inside: str, markers: tuple[str, ...]
) -> None:
    assert only_shape(f"<task id='a'>{inside}</task>").markers == markers


def test_markers_stand_side_by_side() -> None:
    one = only_shape(
        "<adHocSubProcess id='a' isForCompensation='true'>"
        "<standardLoopCharacteristics/></adHocSubProcess>"
    )
    assert one.markers == ("loop", "compensation", "collapsed", "ad-hoc")


@pytest.mark.parametrize(
    ("element", "more", "border", "is_open"),
    [
        ("<subProcess id='a'/>", "", "single", False),
        ("<subProcess id='a'/>", "isExpanded='true'", "single", True),
        ("<subProcess id='a' triggeredByEvent='true'/>", "isExpanded='true'", "dotted", True),
        ("<transaction id='a'/>", "isExpanded='true'", "double", True),
        ("<callActivity id='a'/>", "", "thick", False),
        ("<callActivity id='a' calledElement='p'/>", "isExpanded='true'", "thick", True),
    ],
)
def test_a_border_says_which_sort_of_activity_it_is(
    element: str, more: str, border: str, is_open: bool
) -> None:
    one = only_shape(element, more)
    assert (one.border, one.is_open) == (border, is_open)
    assert ("collapsed" in one.markers) == (not is_open)


def test_a_sub_process_that_does_not_say_is_open_if_its_content_is_drawn() -> None:
    outer, inner = picture(
        "<subProcess id='a'><task id='b'/></subProcess>",
        shape("a", 0, 0, 300, 200),
        shape("b", 50, 50, 100, 80),
    ).shapes
    assert outer.is_open
    assert inner.depth > outer.depth


def test_a_collapsed_event_sub_process_shows_its_start() -> None:
    one = only_shape(
        "<subProcess id='a' triggeredByEvent='true'>"
        "<startEvent id='s' isInterrupting='false'><timerEventDefinition/></startEvent>"
        "</subProcess>"
    )
    assert (one.symbol, one.is_interrupting) == ("start-timer", False)


def test_a_call_of_a_global_task_looks_like_that_task() -> None:
    (one,) = pictures(
        "<globalUserTask id='g'/><process id='p'>"
        "<callActivity id='a' calledElement='me:g'/></process>",
        plane("p", shape("a", 0, 0, 100, 80)),
    )
    assert (one.shapes[0].symbol, one.shapes[0].markers) == ("user", ())


@pytest.mark.parametrize(
    ("element", "position"),
    [
        ("startEvent", "start"),
        ("intermediateCatchEvent", "catch"),
        ("intermediateThrowEvent", "throw"),
        ("boundaryEvent", "boundary"),
        ("endEvent", "end"),
    ],
)
def test_an_event_has_its_position(element: str, position: str) -> None:
    one = only_shape(f"<{element} id='a'/>", size=(36, 36))
    assert (one.form, one.position, one.symbol) == ("event", position, "")


@pytest.mark.parametrize(
    ("definitions", "symbol"),
    [
        ("<messageEventDefinition/>", "message"),
        ("<timerEventDefinition/>", "timer"),
        ("<errorEventDefinition/>", "error"),
        ("<escalationEventDefinition/>", "escalation"),
        ("<cancelEventDefinition/>", "cancel"),
        ("<compensateEventDefinition/>", "compensation"),
        ("<conditionalEventDefinition/>", "conditional"),
        ("<linkEventDefinition/>", "link"),
        ("<signalEventDefinition/>", "signal"),
        ("<terminateEventDefinition/>", "terminate"),
        ("<messageEventDefinition/><timerEventDefinition/>", "multiple"),
    ],
)
def test_an_event_has_the_symbol_of_its_definition(definitions: str, symbol: str) -> None:
    one = only_shape(f"<endEvent id='a'>{definitions}</endEvent>", size=(36, 36))
    assert one.symbol == symbol


def test_an_event_may_refer_to_its_definition() -> None:
    (one,) = pictures(
        "<signalEventDefinition id='d'/><process id='p'>"
        "<startEvent id='a'><eventDefinitionRef>me:d</eventDefinitionRef></startEvent></process>",
        plane("p", shape("a", 0, 0, 36, 36)),
    )
    assert one.shapes[0].symbol == "signal"


def test_several_definitions_may_all_be_awaited() -> None:
    one = only_shape(
        "<startEvent id='a' parallelMultiple='true'>"
        "<messageEventDefinition/><signalEventDefinition/></startEvent>",
        size=(36, 36),
    )
    assert one.symbol == "parallel-multiple"


@pytest.mark.parametrize(
    ("element", "is_interrupting"),
    [
        ("<boundaryEvent id='a'/>", True),
        ("<boundaryEvent id='a' cancelActivity='false'/>", False),
        ("<startEvent id='a' isInterrupting='false'/>", False),
    ],
)
def test_an_event_that_does_not_interrupt_is_known(element: str, is_interrupting: bool) -> None:
    assert only_shape(element, size=(36, 36)).is_interrupting == is_interrupting


@pytest.mark.parametrize(
    ("element", "more", "symbol"),
    [
        ("<exclusiveGateway id='a'/>", "", ""),
        ("<exclusiveGateway id='a'/>", "isMarkerVisible='true'", "exclusive"),
        ("<parallelGateway id='a'/>", "", "parallel"),
        ("<inclusiveGateway id='a'/>", "", "inclusive"),
        ("<complexGateway id='a'/>", "", "complex"),
        ("<eventBasedGateway id='a'/>", "", "event-based"),
        ("<eventBasedGateway id='a' instantiate='true'/>", "", "event-based-start"),
        (
            "<eventBasedGateway id='a' instantiate='true' eventGatewayType='Parallel'/>",
            "",
            "event-based-parallel",
        ),
    ],
)
def test_a_gateway_has_the_symbol_of_what_it_does(element: str, more: str, symbol: str) -> None:
    one = only_shape(element, more, size=(50, 50))
    assert (one.form, one.symbol) == ("gateway", symbol)


@pytest.mark.parametrize(
    ("elements", "symbol", "markers", "name"),
    [
        ("<dataObjectReference id='a' name='Bill'/>", "", (), "Bill"),
        (
            "<dataObject id='d' name='Bills' isCollection='true'/>"
            "<dataObjectReference id='a' dataObjectRef='d'/>",
            "",
            ("collection",),
            "Bills",
        ),
        (
            "<dataObjectReference id='a' name='Bill'><dataState name='paid'/>"
            "</dataObjectReference>",
            "",
            (),
            "Bill\n[paid]",
        ),
        (
            "<dataObjectReference id='a' name='Bill [paid]'><dataState name='paid'/>"
            "</dataObjectReference>",
            "",
            (),
            "Bill [paid]",
        ),
        ("<ioSpecification><dataInput id='a' name='in'/></ioSpecification>", "input", (), "in"),
        ("<ioSpecification><dataOutput id='a'/></ioSpecification>", "output", (), ""),
    ],
)
def test_data_says_what_it_is(
    elements: str, symbol: str, markers: tuple[str, ...], name: str
) -> None:
    one = only_shape(elements, size=(36, 50))
    assert (one.form, one.symbol, one.markers, one.name) == ("data", symbol, markers, name)


def test_artifacts_show_their_texts() -> None:
    (one,) = pictures(
        "<category id='c'><categoryValue id='v' value='Billing'/></category><process id='p'>"
        "<textAnnotation id='t'><text>Ask first</text></textAnnotation>"
        "<group id='g' categoryValueRef='me:v'/>"
        "<dataStoreReference id='s' name='Books'/></process>",
        plane(
            "p",
            shape("t", 0, 0, 100, 30),
            shape("g", 0, 100, 200, 100),
            shape("s", 300, 0, 50, 50),
        ),
    )
    assert [(each.form, each.name) for each in one.shapes] == [
        ("annotation", "Ask first"),
        ("group", "Billing"),
        ("data-store", "Books"),
    ]


def _pools() -> tuple[Shape, ...]:
    (one,) = pictures(
        "<collaboration id='c'><participant id='a' name='Buyer' processRef='p'/>"
        "<participant id='b' name='Seller'><participantMultiplicity minimum='2' maximum='5'/>"
        "</participant></collaboration>"
        "<process id='p'><laneSet id='x'><lane id='l' name='Clerk'/></laneSet></process>",
        plane(
            "c",
            shape("a", 0, 0, 600, 200, "isHorizontal='true'"),
            shape("b", 0, 250, 600, 60, "isHorizontal='false'"),
            shape("l", 30, 0, 570, 200, "isHorizontal='true'"),
        ),
    )
    return one.shapes


def test_a_pool_with_a_process_is_open() -> None:
    buyer, seller, _ = _pools()
    assert (buyer.is_open, buyer.is_upright, buyer.markers) == (True, False, ())
    assert (seller.is_open, seller.is_upright, seller.markers) == (False, True, ("parallel",))


def test_a_lane_has_its_name() -> None:
    *_, lane = _pools()
    assert (lane.form, lane.name, lane.is_upright) == ("lane", "Clerk", False)


def test_the_bands_of_a_choreography_say_who_begins() -> None:
    (one,) = pictures(
        "<choreography id='c'><participant id='a' name='Buyer'/><participant id='b'/>"
        "<choreographyTask id='t' name='Order' loopType='Standard'/></choreography>",
        plane(
            "c",
            shape("t", 0, 0, 100, 100),
            shape("a", 0, 0, 100, 20, "participantBandKind='top_initiating'"),
            shape(
                "b",
                0,
                80,
                100,
                20,
                "participantBandKind='bottom_non_initiating' isMessageVisible='true'",
            ),
        ),
    )
    task, buyer, seller = one.shapes
    assert (task.form, task.markers) == ("choreography", ("loop",))
    assert (buyer.form, buyer.side, buyer.is_shaded, buyer.has_message) == (
        "band",
        "top",
        False,
        False,
    )
    assert (seller.side, seller.is_shaded, seller.has_message) == ("bottom", True, True)


@pytest.mark.parametrize(
    ("element", "border", "markers"),
    [
        ("conversation", "single", ()),
        ("subConversation", "single", ("collapsed",)),
        ("callConversation", "thick", ()),
    ],
)
def test_conversations_are_hexagons(element: str, border: str, markers: tuple[str, ...]) -> None:
    (one,) = pictures(
        f"<collaboration id='c'><{element} id='a'/></collaboration>",
        plane("c", shape("a", 0, 0, 40, 35)),
    )
    only = one.shapes[0]
    assert (only.form, only.border, only.markers) == ("conversation", border, markers)
