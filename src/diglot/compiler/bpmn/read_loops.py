"""Activities that run several times, and what is laid out around an activity.

An activity T that is repeated is a scope around one run of it: `T` is entered once, its body
holds the run `T#each`. A sub-process has a body already and is repeated itself.

Source: BPMN 2.0.2 10.3.8, 13.3.6, 13.3.7.
"""

from __future__ import annotations

import json
from typing import Final

from .. import codes
from ..graph import (
    Constant,
    DataRules,
    End,
    Expression,
    Guard,
    Inclusive,
    Loop,
    MultiInstance,
    Pass,
    Scope,
    ScopeNode,
    Start,
    Value,
    Variable,
)
from .associations import collection_variable
from .document import Element
from .paths import quoted, variable
from .profiles.contract import VendorScript, VendorTask, Written, WrittenMap
from .read_ad_hoc import collects, lay_collected
from .read_data import mapped_value, needs_of
from .read_flows import leave, quantity_of
from .read_scripts import add_script_beside, runnable
from .read_throws import add_throw
from .reading import Place, Reading, Rule, moved, written_at, written_in
from .rules.kinds import SUB_PROCESSES

#: How a run's own completion shows in what the standard counts: it is counted only afterwards.
_COUNTED: Final = (
    ". + {numberOfCompletedInstances: (.numberOfCompletedInstances + 1), "
    "numberOfActiveInstances: (.numberOfActiveInstances - 1)}"
)
_FIRST: Final = Expression(
    text=".numberOfCompletedInstances == 0", of="variables", yields="boolean"
)


def lay_activity(reading: Reading, at: Place, rule: Rule) -> None:
    """An activity by its rule, with what repeats it, the scripts around it, what it gives."""
    quantity = quantity_of(at.element, "startQuantity")
    if quantity != at.start_quantity:
        at = moved(at, start_quantity=quantity)

    def run(at: Place, reading: Reading) -> None:
        _lay_run(reading, at, rule)

    if collects(reading, at):
        lay_collected(reading, at, run)
    else:
        run(at, reading)


def _lay_run(reading: Reading, at: Place, rule: Rule) -> None:
    element = at.element
    vendor = reading.profile.task(element)
    scripts = (
        runnable(reading, element, vendor.before),
        runnable(reading, element, vendor.after),
    )
    standard, multiple = repeats(element)
    is_repeated = standard is not None or multiple is not None
    has_events = multiple is not None and multiple.get("behavior", "All") not in ("All", "")
    if element.name in SUB_PROCESSES:
        # What a vendor maps is mapped in each run.
        is_mapped = is_repeated and bool(
            vendor.inputs or vendor.outputs or at.leads_to
            or reading.profile.ad_hoc(element).output_collection
        )  # fmt: skip
        is_wrapped = has_events or any(scripts) or is_mapped
    else:
        is_wrapped = is_repeated or any(scripts)
    if is_wrapped:
        _wrap(reading, at, rule, scripts)
    else:
        rule(at, reading)
    if vendor.skip is not None:
        _guard(reading, at, vendor)


def repeats(element: Element) -> tuple[Element | None, Element | None]:
    """The characteristics of a standard loop and of multiple instances, if it has them."""
    return (
        element.child("standardLoopCharacteristics"),
        element.child("multiInstanceLoopCharacteristics"),
    )


def _guard(reading: Reading, at: Place, vendor: VendorTask) -> None:
    assert vendor.skip is not None
    skip = reading.condition(vendor.skip)
    if skip is not None:
        condition = Expression(
            text=f"({skip.text}) | not",
            source=skip.source,
            source_language=skip.source_language,
            of="variables",
            yields="boolean",
        )
        reading.into.guard(at.id, Guard(condition=condition))


# -- around an activity


def _wrap(
    reading: Reading,
    at: Place,
    rule: Rule,
    scripts: tuple[VendorScript | None, VendorScript | None],
) -> None:
    standard, multiple = repeats(at.element)
    body = at.inside("body")
    multi: MultiInstance | None = None
    locals: tuple[Variable, ...] = ()
    construct = at.construct
    if multiple is not None:
        multi, locals = multi_of(reading, at, multiple)
        construct = "multi-instance"
    loop = None if standard is None or multi is not None else loop_of(reading, at, standard)
    if loop is not None:
        construct = "standard-loop"
    needs = None if multi is None else needs_of(reading, at.element)
    reading.into.add(
        ScopeNode(
            **reading.common(moved(at, construct=construct)),
            data=None if needs is None else DataRules(needs=needs),
            body=body,
            multi=multi,
            loop=loop,
        )
    )
    start, end = f"{body}#start", f"{body}#end"
    span = at.element.span
    reading.into.add_scope(
        Scope(
            id=body,
            parent=at.scope,
            form="loop" if multi is not None or loop is not None else "sub-process",
            start=start,
            variables=locals,
            pointer=at.pointer,
            span=at.element.span,
        )
    )
    reading.into.add(Start(id=start, scope=body, pointer=at.pointer, span=span))
    inner = moved(at, id=at.inside("each"), scope=body, start_quantity=1)
    before, after = scripts
    last = start
    if before is not None:
        last = add_script_beside(reading, inner, "before", before, last)
    reading.into.add_flow(last, inner.id)
    behind = [end]
    if multiple is not None and multiple.get("behavior", "All") not in ("All", ""):
        behind.insert(0, inner.inside("behavior"))
    if after is not None:
        behind.insert(0, inner.inside("after"))
    rule(moved(inner, leads_to=behind[0]), reading)
    if after is not None:
        add_script_beside(reading, inner, "after", after)
        reading.into.add_flow(inner.inside("after"), behind[1])
    if multiple is not None and len(behind) > 1 + (after is not None):
        _add_behavior(reading, inner, multiple, end)
    reading.into.add(End(id=end, scope=body, pointer=at.pointer, span=span))
    leave(reading, at)
    if multi is not None or loop is not None:
        reading.undone[at.id] = (inner.id, body)


# -- multiple instances


def multi_of(
    reading: Reading, at: Place, element: Element
) -> tuple[MultiInstance, tuple[Variable, ...]]:
    """How often and on what an activity runs, and the variables that each run has to itself."""
    vendor = reading.profile.loop(element)
    activity = at.element
    collection: Value | None = None
    cardinality: Value | None = None
    if vendor.collection is not None:
        collection = reading.value(vendor.collection)
        if isinstance(collection, Constant) and isinstance(collection.document, str):
            # The bare name of a variable, as some vendors write it.
            collection = variable(collection.document)
    elif (reference := element.child("loopDataInputRef")) is not None:
        collection = variable(_data_variable(reading, activity, reference))
    counted = element.child("loopCardinality")
    if collection is None and counted is not None and written_in(counted).text:
        cardinality = _whole(reading.value(written_in(counted)))
    if collection is None and cardinality is None:
        cardinality = Constant(1)
    item = vendor.item or _item_name(element.child("inputDataItem"))
    completion = element.child("completionCondition")
    output, output_to, locals = _output(reading, activity, element)
    multi = MultiInstance(
        collection=collection,
        cardinality=cardinality,
        item=item,
        index="loopCounter",
        first=vendor.first,
        is_sequential=element.flag("isSequential"),
        counts=True,
        completion=(
            reading.condition(written_in(completion))
            if completion is not None and written_in(completion).text
            else None
        ),
        output=output,
        output_to=output_to,
    )
    return multi, locals


def _whole(value: Value | None) -> Value | None:
    """A number that is written as a text is a number."""
    if isinstance(value, Constant) and isinstance(value.document, str):
        text = value.document.strip()
        return Constant(int(text)) if text.isascii() and text.isdigit() else value
    return value


def _data_variable(reading: Reading, activity: Element, reference: Element) -> str:
    found = reading.document.find(reference.text)
    if found is None:
        return reference.text.strip()
    return collection_variable(reading, activity, found)


def _item_name(element: Element | None) -> str:
    return "" if element is None else element.get("name").strip() or element.id


def _output(
    reading: Reading, activity: Element, element: Element
) -> tuple[Expression | None, str, tuple[Variable, ...]]:
    vendor = reading.profile.loop(element)
    if vendor.output_element is not None and vendor.output_collection:
        for target in vendor.also_collected:
            reading.find(
                codes.COLLECTION_LEFT_OUT, target.element, span=target.span_of(),
                collection=target.text, activity=reading.index.id_of(activity),
            )  # fmt: skip
        if isinstance(vendor.output_element, WrittenMap):
            return _aggregated(reading, vendor.output_element, vendor.output_collection)
        value = mapped_value(reading, vendor.output_element)
        output = value if isinstance(value, Expression) else None
        if isinstance(value, Constant) and isinstance(value.document, str):
            output = variable(value.document)
        text = vendor.output_element.text if isinstance(vendor.output_element, Written) else ""
        name = text.strip().removeprefix("=").strip()
        locals = (Variable(name=name, value=Constant(None)),) if name.isidentifier() else ()
        return output, vendor.output_collection, locals
    reference = element.child("loopDataOutputRef")
    if reference is None:
        return None, "", ()
    name = _item_name(element.child("outputDataItem"))
    to = _data_variable(reading, activity, reference)
    if not name:
        reading.find(codes.OUTPUT_WITHOUT_ITEM, element, activity=reading.index.id_of(activity))
        return None, "", ()
    item = _item_name(element.child("inputDataItem"))
    locals = () if name == item else (Variable(name=name, value=Constant(None)),)
    return variable(name), to, locals


def _aggregated(
    reading: Reading, outputs: WrittenMap, to: str
) -> tuple[Expression | None, str, tuple[Variable, ...]]:
    """An object of some of a run's variables, which it has to itself."""
    members: list[str] = []
    locals: dict[str, Variable] = {}
    for name, written in outputs.entries:
        value = mapped_value(reading, written)
        if isinstance(value, Constant):
            value = Expression(text=json.dumps(value.document, ensure_ascii=False))
        if isinstance(value, Expression):
            members.append(f"{quoted(name)}: ({value.text})")
        if isinstance(written, Written) and written.language == "variable":
            source = written.text.strip()
            locals[source] = Variable(name=source, value=Constant(None))
    text = f"{{{', '.join(members)}}}"
    return Expression(text=text, of="variables"), to, tuple(locals.values())


# -- events of runs


def _add_behavior(reading: Reading, at: Place, element: Element, end: str) -> None:
    """What the runs of a multi-instance activity throw when they are done.

    Source: BPMN 2.0.2 Table 10.29, Table 10.31.
    """
    first = at.inside("behavior")
    behavior = element.get("behavior")
    branches: list[tuple[Expression | None, Element, list[Element]]] = []
    if behavior in ("None", "One"):
        name = "noneBehaviorEventRef" if behavior == "None" else "oneBehaviorEventRef"
        found = reading.reference(element, name)
        if found is None:
            reading.find(codes.BEHAVIOR_WITHOUT_EVENT, element, behavior=behavior)
        else:
            branches.append((_FIRST if behavior == "One" else None, found, [found]))
    else:
        for definition in element.each("complexBehaviorDefinition"):
            branches.extend(_complex(reading, definition))
    if not branches:
        reading.into.add(Pass(**reading.beside(at, "behavior")))
        reading.into.add_flow(first, end)
        return
    flows: list[str] = []
    number = 0
    for condition, event, definitions in branches:
        last = first
        for definition in definitions:
            number += 1
            part = at.inside(f"behavior{number}")
            is_first = last == first
            flow = reading.into.add_flow(last, part, condition=condition if is_first else None)
            if is_first:
                flows.append(flow)
            thrown = moved(at, element=event)
            add_throw(reading, thrown, reading.beside(at, f"behavior{number}"), definition)
            last = part
        reading.into.add_flow(last, end)
    if behavior == "None":
        reading.into.add(Pass(**reading.beside(at, "behavior")))
        return
    default = reading.into.add_flow(first, end)
    reading.into.add(
        Inclusive(**reading.beside(at, "behavior"), branches=tuple(flows), default=default)
    )


def _complex(
    reading: Reading, element: Element
) -> list[tuple[Expression | None, Element, list[Element]]]:
    condition, event = element.child("condition"), element.child("event")
    definitions = [] if event is None else reading.definitions_of(event)
    if event is None or not definitions or condition is None or not written_in(condition).text:
        reading.find(codes.BEHAVIOR_WITHOUT_EVENT, element, behavior="Complex")
        return []
    found = reading.condition(written_in(condition))
    if found is None:
        return []
    counted = Expression(
        text=f"({_COUNTED}) | ({found.text})",
        source=found.source,
        source_language=found.source_language,
        of="variables",
        yields="boolean",
    )
    return [(counted, event, definitions)]


# -- the standard loop


def loop_of(reading: Reading, at: Place, element: Element) -> Loop:
    """A loop that goes on while its condition is true.

    Source: BPMN 2.0.2 Table 10.28.
    """
    condition = element.child("loopCondition")
    found = None
    has_condition = condition is not None and bool(written_in(condition).text)
    if condition is not None and has_condition:
        found = reading.condition(written_in(condition))
    maximum: Value | None = None
    written = written_at(element, "loopMaximum")
    if written.text.strip():
        text = written.text.strip()
        if text.isascii() and text.isdigit() and int(text) > 0:
            maximum = Constant(int(text))
        else:
            reading.find(
                codes.LOOP_MAXIMUM_BELOW_ONE, element, span=written.span_of(), maximum=text
            )
    elif not has_condition:
        reading.find(codes.LOOP_WITHOUT_END, element, activity=at.pointer)
    return Loop(
        condition=found, is_tested_before=element.flag("testBefore"), maximum=maximum, first=1
    )
