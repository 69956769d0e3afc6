"""Call activities and what they call.

Both rules go by what is called, so that what many call is looked at once.

Source: BPMN 2.0.2 10.3.6, 10.5.2.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ... import codes
from ..document import Element
from .facts import Facts
from .kinds import GLOBAL_TASKS
from .rule import Finding, Findings, called, found, rule
from .services import interface

#: What both sides of a call have as often, with the words for it.
_PARTS: Final = (
    ("dataInput", "data inputs"),
    ("dataOutput", "data outputs"),
    ("inputSet", "input sets"),
    ("outputSet", "output sets"),
)
_MEMBERS: Final = (("inputSet", "dataInputRefs"), ("outputSet", "dataOutputRefs"))
_DATA: Final = ("dataInput", "dataOutput")


class _Interface(NamedTuple):
    """The inputs and outputs of one side of a call: their numbers, and how many are in sets."""

    numbers: tuple[int, ...]
    members: tuple[int, ...]


@rule("definitions")
def a_called_process_can_be_begun(_: Element, facts: Facts) -> Findings:
    """A called process has a start event without a trigger, if it has start events at all."""
    for target, callers in facts.calls.items():
        if target.name != "process":
            continue
        starts = list(target.each("startEvent"))
        if starts and all(_has_trigger(start) for start in starts):
            yield found(
                codes.CALL_WITHOUT_NONE_START,
                target,
                caller=called(callers[0]),
                process=called(target),
            )


def _has_trigger(start: Element) -> bool:
    return any(
        child.name == "eventDefinitionRef" or child.name.endswith("EventDefinition")
        for child in start.each()
    )


@rule("definitions")
def a_call_has_the_data_of_what_it_calls(_: Element, facts: Facts) -> Findings:
    """A call has as many inputs, outputs and sets as what it calls, of the same kinds."""
    for target, callers in facts.calls.items():
        if target.name not in GLOBAL_TASKS and target.name != "process":
            continue
        there = _interface_of(target)
        kinds = {name: {facts.item_of(data) for data in interface(target, name)} for name in _DATA}
        for call in callers:
            problem = _difference(_interface_of(call), there)
            if problem:
                yield _disagreement(call, call, target, problem)
                continue
            for data in interface(call, *_DATA):
                kind = facts.item_of(data)
                if kind and kind not in kinds[data.name]:
                    problem = f"`{called(data)}` is of another kind"
                    yield _disagreement(data, call, target, problem)


def _disagreement(at: Element, call: Element, target: Element, problem: str) -> Finding:
    return found(
        codes.CALL_DATA_DISAGREES, at, call=called(call), called=called(target), problem=problem
    )


def _interface_of(element: Element) -> _Interface:
    return _Interface(
        tuple(len(interface(element, part)) for part, _ in _PARTS),
        tuple(
            sum(sum(1 for _ in one.each(members)) for one in interface(element, part))
            for part, members in _MEMBERS
        ),
    )


def _difference(here: _Interface, there: _Interface) -> str:
    """How the numbers of both sides differ; `""` if they are the same."""
    for (_, words), own, other in zip(_PARTS, here.numbers, there.numbers, strict=True):
        if own != other:
            return f"it has {own} {words}, the called one {other}"
    for (_, members), own, other in zip(_MEMBERS, here.members, there.members, strict=True):
        if own != other:
            return f"its sets hold {own} `{members}`, those of the called one {other}"
    return ""
