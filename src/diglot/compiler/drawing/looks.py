"""What the elements of a file look like: which form, which symbol, which markers.

Source: BPMN 2.0.2, 7.3, 7.4, 10.3 to 10.6, and the figures of each element.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..bpmn.writing.tag import Tag
from .model import Model, flag, text_of
from .parts import Border, Form, Marker, Position

#: The fields of a shape that depend on its element alone.
Look = dict[str, Any]

#: What stands in the upper left corner of a task; of a global task, in that of its callers.
_TASKS: Final[Mapping[str, str]] = {
    "task": "",
    "userTask": "user",
    "manualTask": "manual",
    "serviceTask": "service",
    "sendTask": "send",
    "receiveTask": "receive",
    "scriptTask": "script",
    "businessRuleTask": "business-rule",
    "globalTask": "",
    "globalUserTask": "user",
    "globalManualTask": "manual",
    "globalScriptTask": "script",
    "globalBusinessRuleTask": "business-rule",
}

_GATEWAYS: Final[Mapping[str, str]] = {
    "gateway": "",
    "exclusiveGateway": "",
    "parallelGateway": "parallel",
    "inclusiveGateway": "inclusive",
    "complexGateway": "complex",
    "eventBasedGateway": "event-based",
}

_EVENTS: Final[Mapping[str, Position]] = {
    "startEvent": "start",
    "intermediateCatchEvent": "catch",
    "intermediateThrowEvent": "throw",
    "implicitThrowEvent": "throw",
    "boundaryEvent": "boundary",
    "endEvent": "end",
}

_DATA: Final[Mapping[str, str]] = {
    "dataObjectReference": "",
    "dataObject": "",
    "dataInput": "input",
    "dataOutput": "output",
}

_DEFINITION: Final = "EventDefinition"


def look_of(tag: Tag, drawn: Tag, model: Model, *, has_content: bool) -> Look | None:
    """How an element is drawn by its `BPMNShape`; None for what has no shape.

    `has_content`: something that it holds is drawn in the same diagram.
    """
    if "participantBandKind" in drawn.attributes and tag.name == "participant":
        return _band(tag, drawn)
    look = _LOOKS.get(tag.name)
    return None if look is None else look(tag, drawn, model, has_content)


def _look(form: Form, **fields: Any) -> Look:
    return {"form": form, **fields}


def _task(tag: Tag, drawn: Tag, model: Model, has_content: bool) -> Look:
    symbol = _TASKS[tag.name]
    if tag.name == "receiveTask" and flag(tag, "instantiate"):
        symbol = "receive-start"
    return _look("activity", symbol=symbol, markers=_markers(tag))


def _call(tag: Tag, drawn: Tag, model: Model, has_content: bool) -> Look:
    called = model.find(tag.attributes.get("calledElement", ""))
    # What calls a task looks like it; what calls a process can be opened, or is open.
    is_task = called is not None and called.name in _TASKS
    is_open = not is_task and flag(drawn, "isExpanded")
    markers = _markers(tag) if is_task or is_open else (*_markers(tag), "collapsed")
    symbol = _TASKS[called.name] if called is not None and is_task else ""
    return _look("activity", symbol=symbol, markers=markers, border="thick", is_open=is_open)


def _sub_process(tag: Tag, drawn: Tag, model: Model, has_content: bool) -> Look:
    is_open = _is_open(drawn, has_content)
    is_event = flag(tag, "triggeredByEvent")
    border: Border = "single"
    if tag.name == "transaction":
        border = "double"
    elif is_event:
        border = "dotted"
    markers = list(_markers(tag))
    if not is_open:
        markers.append("collapsed")
    if tag.name == "adHocSubProcess":
        markers.append("ad-hoc")
    start = tag.child("startEvent") if is_event and not is_open else None
    return _look(
        "activity",
        symbol="" if start is None else f"start-{trigger_of(start, model)}",
        is_interrupting=start is None or flag(start, "isInterrupting", True),
        markers=tuple(markers),
        border=border,
        is_open=is_open,
    )


def _is_open(drawn: Tag, has_content: bool) -> bool:
    if "isExpanded" in drawn.attributes:
        return flag(drawn, "isExpanded")
    return has_content


def _markers(tag: Tag) -> tuple[Marker, ...]:
    """The markers at the lower edge, from left to right."""
    markers: list[Marker] = []
    if tag.child("standardLoopCharacteristics") is not None:
        markers.append("loop")
    several = tag.child("multiInstanceLoopCharacteristics")
    if several is not None:
        markers.append("sequential" if flag(several, "isSequential") else "parallel")
    if flag(tag, "isForCompensation"):
        markers.append("compensation")
    return tuple(markers)


def _event(tag: Tag, drawn: Tag, model: Model, has_content: bool) -> Look:
    stops = "cancelActivity" if tag.name == "boundaryEvent" else "isInterrupting"
    return _look(
        "event",
        symbol=trigger_of(tag, model),
        position=_EVENTS[tag.name],
        is_interrupting=flag(tag, stops, True),
    )


def trigger_of(event: Tag, model: Model) -> str:
    """The symbol of an event: its one definition's, or that of several."""
    referred = (model.find(ref.text.strip()) for ref in event.each("eventDefinitionRef"))
    found = [
        one.name.removesuffix(_DEFINITION)
        for one in (*event.children, *referred)
        if one is not None and one.name.endswith(_DEFINITION)
    ]
    if len(found) > 1:
        return "parallel-multiple" if flag(event, "parallelMultiple") else "multiple"
    return {"compensate": "compensation"}.get(found[0], found[0]) if found else ""


def _gateway(tag: Tag, drawn: Tag, model: Model, has_content: bool) -> Look:
    symbol = _GATEWAYS[tag.name]
    if tag.name == "exclusiveGateway" and flag(drawn, "isMarkerVisible"):
        symbol = "exclusive"
    if tag.name == "eventBasedGateway" and flag(tag, "instantiate"):
        is_parallel = tag.attributes.get("eventGatewayType") == "Parallel"
        symbol = "event-based-parallel" if is_parallel else "event-based-start"
    return _look("gateway", symbol=symbol)


def _pool(tag: Tag, drawn: Tag, model: Model, has_content: bool) -> Look:
    several = tag.child("participantMultiplicity")
    is_many = several is not None and several.attributes.get("maximum") not in ("0", "1")
    return _look(
        "pool",
        is_open=model.find(tag.attributes.get("processRef", "")) is not None,
        is_upright=not flag(drawn, "isHorizontal", True),
        markers=("parallel",) if is_many else (),
    )


def _lane(tag: Tag, drawn: Tag, model: Model, has_content: bool) -> Look:
    return _look("lane", is_upright=not flag(drawn, "isHorizontal", True))


def _data(tag: Tag, drawn: Tag, model: Model, has_content: bool) -> Look:
    whole = model.find(tag.attributes.get("dataObjectRef", "")) or tag
    markers = ("collection",) if flag(whole, "isCollection") else ()
    symbol = _DATA[tag.name]
    return _look("data", symbol=symbol, is_shaded=symbol == "output", markers=markers)


def _choreography(tag: Tag, drawn: Tag, model: Model, has_content: bool) -> Look:
    kind = tag.attributes.get("loopType", "None")
    kinds: dict[str, Marker] = {
        "Standard": "loop",
        "MultiInstanceSequential": "sequential",
        "MultiInstanceParallel": "parallel",
    }
    markers: list[Marker] = [kinds[kind]] if kind in kinds else []
    is_open = tag.name == "subChoreography" and _is_open(drawn, has_content)
    if tag.name == "subChoreography" and not is_open:
        markers.append("collapsed")
    border = "thick" if tag.name == "callChoreography" else "single"
    return _look("choreography", markers=tuple(markers), border=border, is_open=is_open)


def _band(tag: Tag, drawn: Tag) -> Look:
    """A participant of a choreography's activity; who begins is drawn bright."""
    kind = drawn.attributes["participantBandKind"]
    several = tag.child("participantMultiplicity")
    return _look(
        "band",
        is_shaded=kind.endswith("non_initiating"),
        side=kind.partition("_")[0] if kind.startswith(("top", "bottom")) else "middle",
        has_message=flag(drawn, "isMessageVisible"),
        markers=("parallel",) if several is not None else (),
    )


def _conversation(tag: Tag, drawn: Tag, model: Model, has_content: bool) -> Look:
    border = "thick" if tag.name == "callConversation" else "single"
    markers = ("collapsed",) if tag.name == "subConversation" else ()
    return _look("conversation", markers=markers, border=border)


def _plain(form: Form, **fields: Any) -> Callable[[Tag, Tag, Model, bool], Look]:
    return lambda tag, drawn, model, has_content: _look(form, **fields)


_LOOKS: Final[Mapping[str, Callable[[Tag, Tag, Model, bool], Look]]] = {
    **dict.fromkeys([name for name in _TASKS if not name.startswith("global")], _task),
    **dict.fromkeys(("subProcess", "transaction", "adHocSubProcess"), _sub_process),
    "callActivity": _call,
    **dict.fromkeys(_EVENTS, _event),
    **dict.fromkeys(_GATEWAYS, _gateway),
    **dict.fromkeys(_DATA, _data),
    "dataStoreReference": _plain("data-store"),
    "dataStore": _plain("data-store"),
    "participant": _pool,
    "lane": _lane,
    "group": _plain("group", border="dashed"),
    "textAnnotation": _plain("annotation"),
    "message": _plain("message"),
    **dict.fromkeys(("choreographyTask", "subChoreography", "callChoreography"), _choreography),
    **dict.fromkeys(("conversation", "subConversation", "callConversation"), _conversation),
}


def name_of(tag: Tag, model: Model) -> str:
    """The text that an element shows."""
    if tag.name == "textAnnotation":
        text = tag.child("text")
        return "" if text is None else text_of(text)
    if tag.name == "group":
        value = model.find(tag.attributes.get("categoryValueRef", ""))
        return "" if value is None else value.attributes.get("value", "")
    name = tag.attributes.get("name", "")
    if not name and tag.name in ("dataObjectReference", "dataStoreReference"):
        whole = model.find(tag.attributes.get(tag.name.removesuffix("erence"), ""))
        name = "" if whole is None else whole.attributes.get("name", "")
    state = tag.child("dataState")
    if state is not None and (said := state.attributes.get("name", "").strip("[] ")):
        # Some tools write it into the name as well.
        name = name if f"[{said}]" in name else f"{name}\n[{said}]".strip()
    return name
