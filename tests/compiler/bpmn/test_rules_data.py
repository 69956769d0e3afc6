"""Data keeps the constraints of the standard."""

from __future__ import annotations

import pytest

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code
from support.bpmn_rules import breaks, process

ITEMS = (
    "<itemDefinition id='amount' structureRef='Integer'/>"
    "<itemDefinition id='total' structureRef='Integer'/>"
    "<itemDefinition id='rating' structureRef='String'/>"
    "<itemDefinition id='many' structureRef='Integer' isCollection='true'/>"
    "<message id='asked' itemRef='amount'/><signal id='sold' structureRef='amount'/>"
    "<error id='lost' structureRef='rating'/><dataStore id='books' itemSubjectRef='amount'/>"
)
OBJECTS = (
    "<dataObject id='paid' name='Paid' itemSubjectRef='amount'/>"
    "<dataObject id='owed' name='Owed' itemSubjectRef='total'/>"
    "<dataObject id='mark' name='Mark' itemSubjectRef='rating'/>"
    "<dataObjectReference id='also-paid' dataObjectRef='paid'/>"
    "<dataStoreReference id='kept' dataStoreRef='books'/>"
    "<dataObject id='open'/>"
)


def reference(name: str, state: str = "") -> str:
    inside = f"<dataState name='{state}'/>" if state else ""
    return (
        OBJECTS
        + f"<dataObjectReference id='r' dataObjectRef='paid' name='{name}'>{inside}"
        + "</dataObjectReference>"
    )


def copy(*ends: str, inside: str = "") -> str:
    *sources, target = ends
    written = "".join(f"<sourceRef>{source}</sourceRef>" for source in sources)
    return (
        f"{OBJECTS}<task id='do'><dataInputAssociation>{written}"
        f"<targetRef>{target}</targetRef>{inside}</dataInputAssociation></task>"
    )


def data(*sets: str) -> str:
    return (
        "<task id='do'><ioSpecification><dataInput id='a'/><dataInput id='b'/><dataOutput id='c'/>"
        + "".join(sets)
        + "</ioSpecification></task>"
    )


def inputs(*members: str, more: str = "", id: str = "i") -> str:
    listed = "".join(f"<dataInputRefs>{one}</dataInputRefs>" for one in members)
    return f"<inputSet id='{id}'>{listed}{more}</inputSet>"


def outputs(*members: str, more: str = "", id: str = "o") -> str:
    listed = "".join(f"<dataOutputRefs>{one}</dataOutputRefs>" for one in members)
    return f"<outputSet id='{id}'>{listed}{more}</outputSet>"


def event(name: str, kind: str, *items: str, definitions: str) -> str:
    held = "".join(f"<{kind} id='{one}-data' itemSubjectRef='{one}'/>" for one in items)
    return f"<{name} id='e'>{held}{definitions}</{name}>"


SOLD = "<signalEventDefinition signalRef='sold'/>"
ASKED = "<messageEventDefinition messageRef='asked'/>"
LOST = "<errorEventDefinition errorRef='lost'/>"


@pytest.mark.parametrize(
    ("code", "broken", "kept"),
    [
        pytest.param(
            codes.COLLECTION_DISAGREES,
            "<dataObject id='d' itemSubjectRef='many'/>",
            "<dataObject id='d' itemSubjectRef='many' isCollection='true'/>",
            id="an object is a collection like its item",
        ),
        pytest.param(
            codes.COLLECTION_DISAGREES,
            "<dataOutput id='d' itemSubjectRef='amount' isCollection='true'/>",
            "<dataOutput id='d' itemSubjectRef='amount' isCollection='false'/>",
            id="an output is no collection like its item",
        ),
        pytest.param(
            codes.DATA_STATE_NAME,
            reference("Paid", "late"),
            reference("Paid [late]", "late"),
            id="a reference is named after its state",
        ),
        pytest.param(
            codes.DATA_STATE_NAME,
            reference("Payment"),
            reference("Paid"),
            id="a reference is named after its object",
        ),
        pytest.param(
            codes.DATA_IN_NO_SET,
            data(inputs("a"), outputs("c")),
            data(inputs("a", "b"), outputs("c")),
            id="an input is in a set",
        ),
        pytest.param(
            codes.DATA_IN_NO_SET,
            data(inputs("a", "b"), outputs()),
            data(inputs("a"), inputs("b", id="j"), outputs("c")),
            id="an output is in a set",
        ),
        pytest.param(
            codes.SET_MEMBER_UNLISTED,
            data(inputs("a", more="<optionalInputRefs>b</optionalInputRefs>")),
            data(inputs("a", "b", more="<optionalInputRefs>b</optionalInputRefs>")),
            id="an optional input is a member",
        ),
        pytest.param(
            codes.SET_MEMBER_UNLISTED,
            data(outputs(more="<whileExecutingOutputRefs>c</whileExecutingOutputRefs>")),
            data(outputs("c", more="<whileExecutingOutputRefs>c</whileExecutingOutputRefs>")),
            id="an output while executing is a member",
        ),
        pytest.param(
            codes.SETS_DISAGREE,
            data(inputs(more="<outputSetRefs>o</outputSetRefs>"), outputs()),
            data(
                inputs(more="<outputSetRefs>o</outputSetRefs>"),
                outputs(more="<inputSetRefs>i</inputSetRefs>"),
            ),
            id="sets name each other",
        ),
        pytest.param(
            codes.DATA_ASSOCIATION_ITEM,
            copy("paid", "mark"),
            copy("paid", "owed"),
            id="data is copied to its kind",
        ),
        pytest.param(
            codes.DATA_ASSOCIATION_ITEM,
            copy("also-paid", "mark"),
            copy("mark", "paid", inside="<transformation>length</transformation>"),
            id="data of another kind is transformed",
        ),
        pytest.param(
            codes.DATA_ASSOCIATION_ITEM,
            copy("mark", "kept"),
            copy("open", "kept"),
            id="data without a kind is copied anywhere",
        ),
        pytest.param(
            codes.DATA_ASSOCIATION_SOURCES,
            copy("paid", "owed", "open"),
            copy("paid", "owed", "open", inside="<transformation>add</transformation>"),
            id="several sources are transformed",
        ),
        pytest.param(
            codes.EVENT_DATA_COUNT,
            event("startEvent", "dataOutput", "amount", definitions=SOLD + ASKED),
            event("startEvent", "dataOutput", "amount", "total", definitions=SOLD + ASKED),
            id="an event has data for each definition",
        ),
        pytest.param(
            codes.EVENT_DATA_ITEM,
            event("endEvent", "dataInput", "amount", definitions=LOST),
            event("endEvent", "dataInput", "rating", definitions=LOST),
            id="an error carries its data",
        ),
        pytest.param(
            codes.EVENT_DATA_ITEM,
            event("boundaryEvent", "dataOutput", "amount", "rating", definitions=SOLD + ASKED),
            event("boundaryEvent", "dataOutput", "amount", "total", definitions=SOLD + ASKED),
            id="definitions and data go by their order",
        ),
        pytest.param(
            codes.PROCESS_DATA_REVERSED,
            "<ioSpecification><dataInput id='given'/></ioSpecification>" + copy("paid", "given"),
            "<ioSpecification><dataInput id='given'/></ioSpecification>" + copy("given", "open"),
            id="the input of a process is only read",
        ),
        pytest.param(
            codes.PROCESS_DATA_REVERSED,
            "<ioSpecification><dataOutput id='got'/></ioSpecification>" + copy("got", "open"),
            "<ioSpecification><dataOutput id='got'/></ioSpecification>" + copy("open", "got"),
            id="the output of a process is only written",
        ),
    ],
)  # fmt: skip
def test_a_constraint_on_data(code: Code, broken: str, kept: str) -> None:
    assert breaks(ITEMS + process(broken), code)
    assert not breaks(ITEMS + process(kept), code)
