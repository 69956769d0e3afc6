"""Data associations: one target that gets a copy, what a transformation makes, or assigned parts.

Source: BPMN 2.0.2 10.4.2, Table 10.64 to 10.66.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .. import codes
from ..graph import Constant, Expression, Value
from .document import Element
from .paths import Members, variable
from .profiles.contract import Written
from .reading import Reading, written_in

#: The forms in which tools write the target of an assignment: a data element by its name, as a
#: function of XPath or in an expression's brackets, and steps into it.
_TARGET: Final = re.compile(
    r"""(?:(?:bpmn\w*:)?getData(?:Object|Input|Output)\(\s*['"](?P<called>[^'"]+)['"]\s*\)
        |[$#]\{\s*(?P<braced>[\w.-]+)\s*\}|=?\s*\$?(?P<plain>[\w-]+))
        (?P<steps>(?:[/.][\w-]+)*)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Association:
    """One data association: from what, to which name, and how.

    `is_local`: the source is an output of the activity itself, so a member of its result.
    """

    reading: Reading
    element: Element
    target: str
    target_element: Element | None
    sources: tuple[tuple[str, bool], ...]

    @property
    def source_name(self) -> str:
        """The name of the first source."""
        return self.sources[0][0] if self.sources else ""

    @property
    def is_local(self) -> bool:
        """Whether the first source is the activity's own."""
        return bool(self.sources) and self.sources[0][1]

    @property
    def is_copy(self) -> bool:
        """Whether nothing is computed on the way."""
        return not any(True for _ in self.element.each("transformation", "assignment"))

    def into(self, members: Members, *, seen: str = "") -> None:
        """Put what arrives into an object; `seen` makes what expressions see out of `.`."""
        transformation = self.element.child("transformation")
        if transformation is not None and written_in(transformation).text:
            found = _under(self.reading.value(written_in(transformation)), seen)
            if found is not None:
                members.put(self.target, found)
            return
        assignments = list(self.element.each("assignment"))
        for assignment in assignments:
            self._assign(assignment, members, seen)
        if not assignments and self.sources:
            members.put(self.target, _under(variable(self.source_name), seen) or Constant(None))

    def _assign(self, assignment: Element, members: Members, seen: str) -> None:
        from_, to = assignment.child("from"), assignment.child("to")
        if from_ is None or not written_in(from_).text:
            value: Value | None = None
        else:
            value = _under(_assigned(self.reading, written_in(from_)), seen)
        if value is None:
            return
        path = self._path("" if to is None else to.text.strip())
        if path is None:
            self.reading.find(
                codes.ASSIGNMENT_TARGET_UNREADABLE,
                assignment,
                target="" if to is None else to.text.strip(),
            )
            return
        members.put_path((self.target, *path), value)

    def _path(self, text: str) -> Sequence[str] | None:
        """The steps into the target; None where the text cannot be read so."""
        if not text:
            return ()
        found = _TARGET.fullmatch(text)
        if found is None:
            return None
        name = found["called"] or found["braced"] or found["plain"]
        steps = [step for step in re.split(r"[/.]", found["steps"]) if step]
        own = {self.target}
        if self.target_element is not None:
            own |= {self.target_element.id, self.target_element.get("name").strip()}
        if name in own:
            return steps
        if "." in name and name.partition(".")[0] in own:
            return [*name.split(".")[1:], *steps]
        # A name that is not the target's is a member of it.
        return [name, *steps]


def associations_of(reading: Reading, owner: Element, name: str) -> Iterator[Association]:
    """The associations of an activity or event, as far as they have ends.

    What moves the whole collection of a multi-instance activity is not the business of its runs.
    """
    for element in owner.each(name):
        if _is_of_all_runs(owner, element):
            continue
        target = element.child("targetRef")
        target_element = None if target is None else reading.document.find(target.text)
        if target is None or not target.text.strip():
            continue
        if target_element is None:
            continue
        sources: list[tuple[str, bool]] = []
        for reference in element.each("sourceRef"):
            source = reading.document.find(reference.text)
            if source is not None:
                sources.append(_named(reading, source))
        if not sources and not any(True for _ in element.each("transformation", "assignment")):
            reading.find(codes.ASSOCIATION_WITHOUT_SOURCE, element)
            continue
        yield Association(
            reading, element, _named(reading, target_element)[0], target_element, tuple(sources)
        )


def _is_of_all_runs(activity: Element, association: Element) -> bool:
    """Whether an association fills or empties the collection that an activity runs over."""
    loop = activity.child("multiInstanceLoopCharacteristics")
    if loop is None:
        return False
    is_input = association.name == "dataInputAssociation"
    collection = loop.child("loopDataInputRef" if is_input else "loopDataOutputRef")
    ends = association.each("targetRef" if is_input else "sourceRef")
    return collection is not None and any(
        end.text.strip() == collection.text.strip() for end in ends
    )


def moves_data_in(activity: Element) -> bool:
    """Whether a run of an activity has data of its own that goes in."""
    return any(
        not _is_of_all_runs(activity, element) for element in activity.each("dataInputAssociation")
    )


def _named(reading: Reading, element: Element) -> tuple[str, bool]:
    """The variable of a data element, and whether it is an activity's own input or output."""
    if element.name == "dataStoreReference" and reading.is_executable:
        reading.find(
            codes.DATA_STORE_PER_INSTANCE, element, store=element.get("name") or element.id
        )
    found = reading.data.get(element.id)
    if found is not None:
        return found, False
    return element.get("name").strip() or element.id, element.name in ("dataInput", "dataOutput")


def _assigned(reading: Reading, written: Written) -> Value | None:
    """What is assigned; jBPM writes plain texts there, and expressions in `#{..}`."""
    is_plain = reading.profile.expression_profile == "drools" and "#{" not in written.text
    return Constant(written.text) if is_plain else reading.value(written)


def _under(value: Value | None, seen: str) -> Value | None:
    """The value where expressions see what `seen` makes of the data."""
    if not seen or not isinstance(value, Expression):
        return value
    return Expression(
        text=f"({seen}) | ({value.text})",
        source=value.source,
        source_language=value.source_language,
    )


def collection_variable(reading: Reading, activity: Element, data: Element) -> str:
    """The variable that an activity's data input or output is copied from or to."""
    found = reading.data.get(data.id)
    if found is not None:
        return found
    for name, near, far in (
        ("dataInputAssociation", "targetRef", "sourceRef"),
        ("dataOutputAssociation", "sourceRef", "targetRef"),
    ):
        for association in activity.each(name):
            ends = {reference.text.strip() for reference in association.each(near)}
            if data.id in ends:
                other = association.child(far)
                partner = None if other is None else reading.document.find(other.text)
                if partner is not None:
                    return _named(reading, partner)[0]
    return data.get("name").strip() or data.id
