"""Data: collections, states, inputs, outputs and their sets.

Source: BPMN 2.0.2 10.4.1.
"""

from __future__ import annotations

from typing import Final

from ... import codes
from ..document import Element
from .facts import Facts, names_own
from .rule import Findings, called, found, rule

#: The lists of a set that are part of another list of the same set.
_PARTS: Final = {
    "inputSet": ("dataInputRefs", "optionalInputRefs", "whileExecutingInputRefs"),
    "outputSet": ("dataOutputRefs", "optionalOutputRefs", "whileExecutingOutputRefs"),
}
#: How the two kinds of sets name each other.
_PAIRS: Final = {
    "inputSet": ("outputSetRefs", "inputSetRefs"),
    "outputSet": ("inputSetRefs", "outputSetRefs"),
}


@rule("dataObject", "dataInput", "dataOutput")
def a_collection_is_one_in_both_places(data: Element, facts: Facts) -> Findings:
    """Data is a collection if its item definition is."""
    item = facts.attribute(data, "itemSubjectRef")
    if item is None or item.name != "itemDefinition":
        return
    if data.flag("isCollection") != item.flag("isCollection"):
        words = {True: "a collection", False: "none"}
        yield found(
            codes.COLLECTION_DISAGREES,
            data,
            data=called(data),
            data_is=words[data.flag("isCollection")],
            item=called(item),
            item_is=words[item.flag("isCollection")],
        )


@rule("dataObjectReference")
def a_reference_is_named_after_its_state(reference: Element, facts: Facts) -> Findings:
    """A reference is called `Object [state]`."""
    name, data = reference.get("name"), facts.attribute(reference, "dataObjectRef")
    if not name or data is None or data.name != "dataObject" or not data.get("name"):
        return
    state = reference.child("dataState")
    state_name = "" if state is None else state.get("name")
    expected = f"{data.get('name')} [{state_name}]"
    if name != expected and not (state is None and name == data.get("name")):
        yield found(
            codes.DATA_STATE_NAME,
            reference,
            reference=called(reference),
            name=name,
            expected=expected,
        )


@rule("dataInput", "dataOutput")
def data_is_in_a_set(data: Element, facts: Facts) -> Findings:
    """Each input and output is in a set."""
    holder = data.parent
    name = "inputSet" if data.name == "dataInput" else "outputSet"
    if holder is None or not data.id:
        return
    if data not in facts.in_sets:
        yield found(codes.DATA_IN_NO_SET, data, kind=data.name, data=called(data), set=name)


@rule("inputSet", "outputSet")
def a_set_lists_its_members(one: Element, facts: Facts) -> Findings:
    """What is optional or used while executing is a member of the set."""
    members, *parts = _PARTS[one.name]
    listed = set(names_own(one, members))
    for part in parts:
        for data in names_own(one, part):
            if data not in listed:
                yield found(codes.SET_MEMBER_UNLISTED, one, data=data, list=part, members=members)


@rule("inputSet", "outputSet")
def sets_name_each_other(one: Element, facts: Facts) -> Findings:
    """A set that names another one is named by it."""
    names, back = _PAIRS[one.name]
    for child in one.each(names):
        other = facts.find(child.text, child)
        if other is None or other.name == one.name:
            continue
        if one not in facts.named_in(other, back):
            yield found(codes.SETS_DISAGREE, one, set=called(one), other=child.text.strip())
