"""Loops and several instances of an activity.

Source: BPMN 2.0.2 10.3.8.
"""

from __future__ import annotations

from typing import Final

from ... import codes
from ...diagnostics import Severity
from ..document import Element
from .facts import Facts
from .kinds import ACTIVITIES, SUB_PROCESSES
from .rule import Findings, called, found, rule
from .services import interface

_LOOPS: Final = ("standardLoopCharacteristics", "multiInstanceLoopCharacteristics")
_ITEMS: Final = (("loopDataInputRef", "inputDataItem"), ("loopDataOutputRef", "outputDataItem"))


@rule(*ACTIVITIES, about=_LOOPS)
def an_activity_repeats_in_one_way(activity: Element, facts: Facts) -> Findings:
    """An activity is a loop or has several instances."""
    if sum(1 for _ in activity.each(*_LOOPS)) > 1:
        yield found(codes.LOOPS_TWICE, activity, activity=called(activity))


@rule("multiInstanceLoopCharacteristics")
def the_number_of_instances_is_known(loop: Element, facts: Facts) -> Findings:
    """In a process that is run a number or a collection says how many instances there are."""
    activity = loop.parent
    if activity is None or not facts.is_executable(loop):
        return
    if loop.child("loopCardinality") is None and loop.child("loopDataInputRef") is None:
        # Several engines keep the collection in attributes or elements of their own.
        foreign = loop.foreign or next(loop.extensions(), None) is not None
        weight = Severity.INFO if foreign else None
        yield found(codes.INSTANCES_UNKNOWN, loop, weight, activity=called(activity))


@rule("multiInstanceLoopCharacteristics")
def the_collection_is_an_input(loop: Element, facts: Facts) -> Findings:
    """In a process that is run the collection of a task is one of its data inputs."""
    activity, reference = loop.parent, loop.child("loopDataInputRef")
    if activity is None or reference is None or activity.name in SUB_PROCESSES:
        return
    if not facts.is_executable(loop):
        return
    collection = facts.find(reference.text, reference)
    if collection not in interface(activity, "dataInput"):
        yield found(
            codes.LOOP_DATA_UNKNOWN,
            loop,
            activity=called(activity),
            data=reference.text.strip(),
        )


@rule("multiInstanceLoopCharacteristics")
def an_item_is_one_of_the_collection(loop: Element, facts: Facts) -> Findings:
    """The item of an instance has the kind of the collection's items."""
    activity = loop.parent
    if activity is None or not facts.is_executable(loop):
        return
    for name, item_name in _ITEMS:
        reference, item = loop.child(name), loop.child(item_name)
        if reference is None or item is None:
            continue
        collection = facts.find(reference.text, reference)
        if collection is None:
            continue
        definition = facts.attribute(item, "itemSubjectRef")
        several = any(one is not None and one.flag("isCollection") for one in (item, definition))
        if several or facts.data_item_of(collection) != facts.item_of(item):
            yield found(
                codes.LOOP_ITEM_TYPE,
                loop,
                item=item_name,
                activity=called(activity),
                data=called(collection),
            )
