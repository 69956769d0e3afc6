"""Data: variables of scopes, and what goes into an activity or event and comes out of it.

Properties, data objects and the data inputs and outputs of a process are variables of their scope.
An activity's own data inputs and outputs are the members of what its job gets and gives.

Source: BPMN 2.0.2 10.4, 13.3.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..graph import Constant, DataRules, Expression, Record, Value, Variable
from .associations import Association, associations_of, moves_data_in
from .document import Element
from .paths import Members, member, nested, quoted
from .profiles.contract import Mappings, VendorValue, Written, WrittenMap
from .reading import RESULT, Reading

_OBJECT: Final = 'if type == "object" then . else {} end'
#: What came with an event: the data of the first of the events, or the input of an instance that
#: nothing but a caller started.
PAYLOAD_TEXT: Final = 'if type == "array" then .[0] else . end'
PAYLOAD: Final = Expression(text=f'{PAYLOAD_TEXT} | if type == "object" then . else null end')
#: What came with all the events that an event waits for.
_PAYLOADS: Final = Expression(
    text='if type == "array" then map(select(type == "object")) | add '
    'elif type == "object" then . else null end'
)


# -- what a scope declares


def learn(reading: Reading, container: Element) -> None:
    """Find the variables that the data elements of a container stand for."""
    for element in _data_of(container):
        reading.data[element.id] = _variable_name(reading, element)
    for inner in reading.index.nodes_of(container):
        if reading.index.has_nodes(inner):
            learn(reading, inner)


def _data_of(container: Element) -> Iterable[Element]:
    # In the order of the schema, which a file that breaks it has when it is written again.
    yield from container.each("property")
    yield from container.each("dataObject", "dataObjectReference", "dataStoreReference")
    for specification in container.each("ioSpecification"):
        yield from specification.each("dataInput")
        yield from specification.each("dataOutput")


def _variable_name(reading: Reading, element: Element) -> str:
    behind = {"dataObjectReference": "dataObjectRef", "dataStoreReference": "dataStoreRef"}
    if element.name in behind:
        target = reading.reference(element, behind[element.name])
        if target is not None:
            return called(target)
    return called(element)


def called(element: Element) -> str:
    """What a data element is called in expressions: its name where it is one word, else its id."""
    name = element.get("name").strip()
    return name if name.isidentifier() or not element.id else element.id


def declared(reading: Reading, container: Element) -> tuple[Variable, ...]:
    """The variables that a container declares; they are null until something writes them."""
    names: dict[str, None] = {}
    for element in _data_of(container):
        if element.name == "dataStoreReference" and container is not reading.process:
            continue
        if element.name != "dataObjectReference" or reading.reference(element, "dataObjectRef"):
            names[reading.data.get(element.id) or called(element)] = None
    if container is reading.process:
        # A data store outlives every sub-process that names it.
        for element in reading.index.stores:
            names[reading.data[element.id]] = None
    return tuple(Variable(name=name, value=Constant(None)) for name in names if name)


# -- what goes in and out


def activity_rules(
    reading: Reading,
    element: Element,
    *,
    inputs: Mappings = (),
    outputs: Mappings = (),
    result_variable: str = "",
    gives: Expression | None = RESULT,
) -> DataRules | None:
    """The rules of an activity: a vendor's mappings, else the standard's data associations.

    `gives` is what becomes variables where nothing says what does.
    """
    read = _read(reading, element, inputs)
    needs = needs_of(reading, element)
    export: Value | None
    checked: Expression | None = None
    if outputs or result_variable:
        members = Members(reading)
        if result_variable:
            members.put(result_variable, Expression(text="."))
        export = _mapped(reading, outputs, members)
    else:
        written = _written(reading, element)
        export = written or gives
        checked = None if written is None else _checked(reading, element)
    if read is None and needs is None and export is None:
        return None
    return DataRules(
        needs=needs,
        read=read,
        write=checked,
        export=export,
        export_mode="replace" if export is None else "variables",
    )


def reads_own(reading: Reading, element: Element, inputs: Mappings) -> bool:
    """Whether an activity has data of its own that goes in."""
    return bool(inputs) or moves_data_in(element)


def _read(reading: Reading, element: Element, inputs: Mappings) -> Value | None:
    if inputs:
        return _mapped(reading, inputs, Members(reading))
    found = list(associations_of(reading, element, "dataInputAssociation"))
    if not found:
        return None
    members = Members(reading)
    for association in found:
        association.into(members)
    return members.record()


def _written(reading: Reading, element: Element) -> Record | None:
    """What data output associations make of a result, which holds the outputs by name."""
    found = list(associations_of(reading, element, "dataOutputAssociation"))
    if not found:
        return None
    members = Members(reading)
    is_only = len(found) == 1
    for association in found:
        name = association.source_name
        if association.is_copy and association.is_local:
            taken = f'if type == "object" then .[{quoted(name)}] else '
            members.put(
                association.target, Expression(text=f"{taken}{'.' if is_only else 'null'} end")
            )
        else:
            association.into(members)
    return members.record()


def mapped_value(reading: Reading, value: VendorValue) -> Value | None:
    """What a vendor's value says."""
    if isinstance(value, Written):
        return reading.value(value)
    if isinstance(value, WrittenMap):
        members = [(key, mapped_value(reading, one)) for key, one in value.entries]
        return Record(tuple((key, one) for key, one in members if one is not None))
    items = [mapped_value(reading, one) for one in value.items]
    return nested([one for one in items if one is not None])


def _mapped(reading: Reading, mappings: Mappings, members: Members) -> Record | None:
    for target, value in mappings:
        found = mapped_value(reading, value)
        if found is None:
            continue
        path = target.split(".") if reading.profile.nests_targets else [target]
        members.put_path(path, found)
    return members.record()


# -- held activities


def needs_of(reading: Reading, element: Element) -> Expression | None:
    """The first input set whose required inputs are all there lets the activity begin.

    Source: BPMN 2.0.2 13.3.2. Engines of vendors do not wait for data.
    """
    specification = element.child("ioSpecification")
    if specification is None or reading.profile.expression_profile != "standard":
        return None
    sources: dict[str, list[str]] = {}
    for association in element.each("dataInputAssociation"):
        target = association.child("targetRef")
        if target is not None:
            found = [
                reading.data[source.id]
                for reference in association.each("sourceRef")
                if (source := reading.document.find(reference.text)) is not None
                and source.name in ("dataObject", "dataObjectReference")
                and source.id in reading.data
            ]
            sources.setdefault(target.text.strip(), []).extend(found)
    sets: list[str] = []
    for one in specification.each("inputSet"):
        late = {
            child.text.strip() for child in one.each("optionalInputRefs", "whileExecutingInputRefs")
        }
        names = [
            name
            for child in one.each("dataInputRefs")
            if child.text.strip() not in late
            for name in sources.get(child.text.strip(), ())
        ]
        if not names:
            return None
        sets.append(" and ".join(f"{member(name)} != null" for name in names))
    if not sets:
        return None
    text = sets[0] if len(sets) == 1 else " or ".join(f"({one})" for one in sets)
    return Expression(text=text, of="variables", yields="boolean")


# -- what has to be there in the end


def _checked(reading: Reading, element: Element) -> Expression | None:
    """A result as it is, and an error where it makes no output set whole.

    Source: BPMN 2.0.2 10.4.3, 13.3.2. A task that does nothing makes no data, and engines of
    vendors do not ask for it.
    """
    specification = element.child("ioSpecification")
    is_vendors = reading.profile.expression_profile != "standard"
    if specification is None or is_vendors or element.name == "task":
        return None
    loop = element.child("multiInstanceLoopCharacteristics")
    collected = None if loop is None else loop.child("loopDataOutputRef")
    late: set[str] = set() if collected is None else {collected.text.strip()}
    names = {one.id: one.get("name").strip() or one.id for one in specification.each("dataOutput")}
    sets: list[str] = []
    for one in specification.each("outputSet"):
        free: set[str] = late | {
            child.text.strip()
            for child in one.each("optionalOutputRefs", "whileExecutingOutputRefs")
        }
        wanted = [child.text.strip() for child in one.each("dataOutputRefs")]
        required = [names[id] for id in wanted if id in names and id not in free]
        if not required:
            return None
        sets.append(" and ".join(f"{member(name)} != null" for name in required))
    if not sets:
        return None
    # A result that is no object is the one data output as a whole.
    other = f"{{{quoted(next(iter(names.values())))}: .}}" if len(names) == 1 else "{}"
    seen = f'if type == "object" then . else {other} end'
    whole = " or ".join(f"({one})" for one in sets)
    return Expression(
        text=f"if ({seen} | {whole}) then . else "
        'error("the result does not have all data outputs of any output set") end'
    )


# -- events


def caught_rules(
    reading: Reading,
    event: Element,
    outputs: Mappings,
    variable: str = "",
    definition: Element | None = None,
) -> DataRules:
    """Which variables what came with an event goes to; its members are variables by default.

    `.` is the array of the events' data. Expressions see what came and nothing else. With a
    `definition` only what came by this one of several is meant.
    """
    members = Members(reading)
    if variable:
        members.put(variable, Expression(text=PAYLOAD_TEXT))
    for target, value in outputs:
        found = mapped_value(reading, value)
        if isinstance(found, Expression):
            found = Expression(
                text=f"({PAYLOAD_TEXT} | {_OBJECT}) | ({found.text})",
                source=found.source,
                source_language=found.source_language,
            )
        if found is not None:
            path = target.split(".") if reading.profile.nests_targets else [target]
            members.put_path(path, found)
    needs_all = event.flag("parallelMultiple")
    if not outputs:
        for association in associations_of(reading, event, "dataOutputAssociation"):
            own = _definition_of(reading, event, association, "dataOutput", "sourceRef")
            if definition is None or own is None:
                place = 0 if own is None or not needs_all else _place(reading, event, own)
                _catch(association, members, PAYLOAD_TEXT.replace(".[0]", f".[{place}]"))
            elif own is definition:
                _catch(association, members, PAYLOAD_TEXT)
    came = _PAYLOADS if needs_all else PAYLOAD
    return DataRules(export=members.record() or came, export_mode="variables")


def _catch(association: Association, members: Members, came: str) -> None:
    """A data output of an event is what came as a whole; its members are in sight, too."""
    if association.is_copy:
        members.put(association.target, Expression(text=came))
        return
    named = f"{{{quoted(association.source_name)}: .}}"
    association.into(members, seen=f"({came}) | (({_OBJECT}) + {named})")


def _definition_of(
    reading: Reading, event: Element, association: Association, data: str, end: str
) -> Element | None:
    """Which of several definitions an event's data are of: both stand in the same order.

    None where there are not as many of the one as of the other, or only one.

    Source: BPMN 2.0.2 10.5.1.
    """
    definitions = reading.definitions_of(event)
    items = [item.id for item in event.each(data)]
    if len(definitions) < 2 or len(items) != len(definitions):
        return None
    ends = {reference.text.strip() for reference in association.element.each(end)}
    found = (one for item, one in zip(items, definitions, strict=True) if item in ends)
    return next(found, None)


def _place(reading: Reading, event: Element, definition: Element) -> int:
    """Where what came by a definition stands among what came by all of them."""
    heard = [
        one
        for one in reading.definitions_of(event)
        if one.name in ("messageEventDefinition", "signalEventDefinition")
    ]
    return heard.index(definition) if definition in heard else 0


def payload_of(
    reading: Reading, event: Element, mappings: Mappings, definition: Element | None = None
) -> Value | None:
    """What a thrown event carries: a vendor's mappings, else the one data input of the event.

    With a `definition` the data input is that of this one of several.
    """
    if mappings:
        if len(mappings) == 1 and not mappings[0][0]:
            return mapped_value(reading, mappings[0][1])
        return _mapped(reading, mappings, Members(reading))
    members = Members(reading)
    for association in associations_of(reading, event, "dataInputAssociation"):
        own = _definition_of(reading, event, association, "dataInput", "targetRef")
        if definition is None or own is None or own is definition:
            association.into(members)
    found = members.record()
    if found is not None and len(found.members) == 1:
        return found.members[0][1]
    return found
