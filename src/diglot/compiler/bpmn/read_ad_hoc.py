"""Ad-hoc sub-processes: what begins in them, and what a vendor collects of their activities.

Source: BPMN 2.0.2 10.3.5, 13.3.5.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import msgspec

from ..graph import (
    AdHoc,
    Constant,
    DataRules,
    End,
    Expression,
    Inclusive,
    Pass,
    Record,
    Scope,
    ScopeNode,
    Start,
    Variable,
)
from .document import Element
from .paths import member, variable
from .read_flows import leave, ways
from .reading import Place, Reading, Rule, moved, written_in

_AD_HOC: Final = "adHocSubProcess"


def ad_hoc_of(reading: Reading, element: Element) -> AdHoc:
    """In which order its activities run, and when it is enough."""
    completion: Expression | None = None
    found = element.child("completionCondition")
    if found is not None and written_in(found).text:
        completion = reading.condition(written_in(found))
    return AdHoc(
        is_sequential=element.get("ordering").strip().lower() == "sequential",
        completion=completion,
        cancels_remaining=element.flag("cancelRemainingInstances", default=True),
    )


# -- what begins


def lay_first(
    reading: Reading, element: Element, start: str, scope: str, activities: Sequence[str]
) -> None:
    """Lead from the start of a body to its activities: to all, or to those a vendor chooses.

    Where none is chosen the body is done; an id that is none of an activity is an error.
    """
    chosen = _chosen(reading, element)
    if chosen is None:
        for activity in activities:
            reading.into.add_flow(start, activity)
        return
    split, nothing = f"{scope}#chosen", f"{scope}#nothing"
    pointer = reading.index.id_of(element)
    branches = tuple(
        reading.into.add_flow(
            split, activity, condition=_is_chosen(chosen, activity, list(activities))
        )
        for activity in activities
    )
    reading.into.add_flow(start, split)
    default = reading.into.add_flow(split, nothing)
    reading.into.add(
        Inclusive(
            id=split,
            scope=scope,
            pointer=pointer,
            span=element.span,
            branches=branches,
            default=default,
        )
    )
    reading.into.add(End(id=nothing, scope=scope, pointer=pointer, span=element.span))


def _chosen(reading: Reading, element: Element) -> Expression | None:
    written = reading.profile.ad_hoc(element).active_elements
    value = None if written is None else reading.value(written)
    if isinstance(value, Constant):
        text = json.dumps(value.document, ensure_ascii=False)
        return Expression(text=text, source=written.text if written else None)
    return value


def _is_chosen(chosen: Expression, activity: str, known: list[str]) -> Expression:
    ids = json.dumps(known, ensure_ascii=False)
    return Expression(
        text=f"({chosen.text}) as $__chosen"
        ' | if ($__chosen | type) != "array" then error("the active elements are no list")'
        f' elif ($__chosen - {ids}) != [] then error("the active elements are none of " + '
        f"({ids} | tostring))"
        f" else any($__chosen[]; . == {json.dumps(activity, ensure_ascii=False)}) end",
        source=chosen.source,
        source_language=chosen.source_language,
        of="variables",
        yields="boolean",
    )


# -- what is collected


def collection_of(reading: Reading, element: Element) -> tuple[Variable, ...]:
    """The variable of a body that collects what its activities give."""
    name = reading.profile.ad_hoc(element).output_collection
    return (Variable(name=name, value=Constant([])),) if name else ()


def with_collection(
    reading: Reading, element: Element, rules: DataRules | None
) -> DataRules | None:
    """The rules of an ad-hoc sub-process, which hand over what was collected."""
    name = reading.profile.ad_hoc(element).output_collection
    if not name:
        return rules
    rules = rules or DataRules()
    before = rules.export.members if isinstance(rules.export, Record) else ()
    export = Record((*before, (name, variable(name))))
    return msgspec.structs.replace(rules, export=export, export_mode="variables")


def collects(reading: Reading, at: Place) -> bool:
    """Whether something is collected when an activity is done: one that nothing follows."""
    around = at.element.parent
    if around is None or around.name != _AD_HOC or reading.index.undoes(at.element):
        return False
    facts = reading.profile.ad_hoc(around)
    has_output = bool(facts.output_collection) and facts.output_element is not None
    return has_output and not ways(reading, at.element)


def lay_collected(reading: Reading, at: Place, rule: Rule) -> None:
    """An activity inside a scope of its own, in which what it gives is collected afterwards."""
    around = at.element.parent
    assert around is not None
    facts = reading.profile.ad_hoc(around)
    assert facts.output_element is not None
    body, span = at.inside("collected"), at.element.span
    start, run, output, end = (f"{body}#start", at.inside("run"), f"{body}#out", f"{body}#end")
    reading.into.add(ScopeNode(**reading.common(at), body=body))
    name = facts.output_element.text.strip().removeprefix("=").strip()
    reading.into.add_scope(
        Scope(
            id=body,
            parent=at.scope,
            form="sub-process",
            start=start,
            # What is collected is the activity's own, where it is one variable.
            variables=(Variable(name=name, value=Constant(None)),) if name.isidentifier() else (),
            pointer=at.pointer,
            span=span,
        )
    )
    reading.into.add(Start(id=start, scope=body, pointer=at.pointer, span=span))
    reading.into.add_flow(start, run)
    rule(moved(at, id=run, scope=body, leads_to=output, start_quantity=1), reading)
    reading.into.add(
        Pass(
            id=output,
            scope=body,
            pointer=at.pointer,
            span=span,
            data=_appended(reading, facts.output_collection, reading.value(facts.output_element)),
        )
    )
    reading.into.add_flow(output, end)
    reading.into.add(End(id=end, scope=body, pointer=at.pointer, span=span))
    leave(reading, at)
    place = reading.undone.pop(run, None)
    if place is not None:
        reading.undone[at.id] = place


def _appended(reading: Reading, collection: str, value: object) -> DataRules | None:
    if isinstance(value, Constant):
        value = Expression(text=json.dumps(value.document, ensure_ascii=False))
    if not isinstance(value, Expression):
        return None
    longer = Expression(
        text=f"({member(collection)} // []) + [{value.text}]",
        source=value.source,
        source_language=value.source_language,
        of="variables",
    )
    return DataRules(export=Record(((collection, longer),)), export_mode="variables")
