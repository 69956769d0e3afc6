"""A document against the standard's schemas: unknown names, places, values, ids, references.

The table of `diglot.specs.bpmn.metamodel` is the only thing that is known here about elements.
Real files break the schemas in many ways that do no harm (a wrong order of children, a missing
`targetNamespace`, diagrams that draw what is not there): these are warnings. What leaves a meaning
open is an error.
Source: BPMN 2.0.2, 15.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from diglot.specs.bpmn import metamodel
from diglot.specs.bpmn.metamodel import Attribute, Child

from .. import codes
from ..diagnostics import Code, Report, Severity
from ..hints import Hints
from .document import BPMN, STANDARD, XSI, Document, Element
from .names import XML
from .references import check_reference, is_ambiguous, referable
from .values import corrected, expectation, is_id

#: Without these an element means nothing; what else the schemas require can be done without.
_VITAL: Final = frozenset(
    {
        ("sequenceFlow", "sourceRef"),
        ("sequenceFlow", "targetRef"),
        ("boundaryEvent", "attachedToRef"),
    }
)
#: What runs, and may not be left out because it stands in a wrong place.
_RUN: Final = ("flowElement", "callableElement", "eventDefinition", "loopCharacteristics")
#: So many errors, and so many warnings, of one code are told about one file.
_MOST_OF_A_CODE: Final = 100
#: Of so many broken references it is said what may have been meant.
_FEW: Final = 10
_TYPE: Final = f"{{{XSI}}}type"


def check_shape(document: Document, report: Report, *, strict: bool = False) -> None:
    """Report what the schemas of BPMN do not allow; `strict` makes each of it an error.

    A value that differs from one of the standard's in its case only is put right in the element,
    and an empty one is left out, with a warning, so that nobody after this has to know of it.
    """
    _Shape(document, report, is_strict=strict).check()


class _Shape:
    """One check of one document."""

    def __init__(self, document: Document, report: Report, *, is_strict: bool) -> None:
        self._document = document
        self._report = report
        self._is_strict = is_strict
        self._hints = Hints()
        self._told: Counter[tuple[str, Severity]] = Counter()

    def check(self) -> None:
        if not self._document.root.get("targetNamespace").strip():
            self._warn(codes.TARGET_NAMESPACE_MISSING, self._document.root)
        todo = [(self._document.root, "definitions")]
        while todo:
            element, kind = todo.pop()
            kind = self._attributes(element, kind)
            inner = self._children(element, kind)
            inner.reverse()
            todo.extend(inner)
        for element in self._document.duplicates:
            self._twice(element)

    def _attributes(self, element: Element, kind: str) -> str:
        """Check an element's attributes; its kind, which `xsi:type` may have narrowed."""
        if element.foreign or kind == "expression":
            kind = self._narrowed(element, kind)
        known, required = _attributes_of(kind)
        for name in list(element.attributes):
            attribute = known.get(name)
            if attribute is None:
                self._warn(
                    codes.UNKNOWN_ATTRIBUTE,
                    element,
                    name,
                    hint=self._hints.did_you_mean(name, known),
                    owner=element.name,
                    attribute=_short(name),
                )
            elif attribute.type == "ID":
                if not is_id(element.id):
                    self._warn(codes.ID_MALFORMED, element, "id", id=_short(element.id))
            elif attribute.to:
                reference = element.attributes[name]
                is_missing = attribute.required and not reference.strip()
                # Nearly all name something, and that is known at once.
                if self._document.find(reference) is None and not is_missing:
                    self._reference(element, name, reference)
            elif attribute.type not in ("string", "anyURI", "QName", "IDREF"):
                self._value(element, attribute)
        if element.foreign and not metamodel.takes_foreign_attributes(kind):
            self._foreign(element)
        for attribute in required:
            # An empty text is a text; an empty reference refers to nothing.
            value = element.attributes.get(attribute.name)
            if value is None or (attribute.to and not value.strip()):
                self._missing(element, kind, attribute.name)
        return kind

    def _foreign(self, element: Element) -> None:
        for name in element.foreign:
            # Those of the schemas' own language and of XML itself may stand everywhere.
            if not name.startswith((f"{{{XSI}}}", f"{{{XML}}}")):
                local = _short(name.rpartition("}")[2])
                self._warn(
                    codes.UNKNOWN_ATTRIBUTE, element, name, owner=element.name, attribute=local
                )

    def _narrowed(self, element: Element, kind: str) -> str:
        written = element.foreign.get(_TYPE)
        if written is None:
            # Many tools name the language of an expression and forget that only a formal one has
            # one; nobody misunderstands it.
            if kind == "expression" and "language" in element.attributes:
                return "formalExpression"
            return kind
        prefix, _, local = written.strip().rpartition(":")
        if prefix not in element.namespaces:
            taken = "it is read as if it were of BPMN"
            self._warn(codes.PREFIX_UNDECLARED, element, _TYPE, prefix=_short(prefix), taken=taken)
        vocabulary = metamodel.qualified(element.namespaces.get(prefix, BPMN), "")
        # The types of the model have the names of elements, with a `t` in front.
        narrowed = vocabulary + local if vocabulary else local[1:2].lower() + local[2:]
        if metamodel.is_a(narrowed, kind):
            return narrowed
        self._warn(
            codes.ATTRIBUTE_VALUE,
            element,
            _TYPE,
            attribute="xsi:type",
            owner=element.name,
            value=_short(written),
            expected=f"`{_type_of(kind)}` or a type derived from it",
        )
        return kind

    def _missing(self, element: Element, kind: str, name: str) -> None:
        if name == "targetNamespace":
            return
        is_vital = (kind, name) in _VITAL
        tell = self._fail if is_vital else self._warn
        hint = "" if is_vital else "The schemas want it, though the element can be read without."
        tell(codes.ATTRIBUTE_MISSING, element, hint=hint, owner=element.name, attribute=name)

    def _value(self, element: Element, attribute: Attribute) -> None:
        value = element.attributes[attribute.name]
        right = corrected(attribute, value)
        if right == value.strip() and right:
            return
        is_clear = right is not None or not value.strip() or element.namespace != BPMN
        tell = self._warn if is_clear else self._fail
        tell(
            codes.ATTRIBUTE_VALUE,
            element,
            attribute.name,
            attribute=attribute.name,
            owner=element.name,
            value=_short(value),
            expected=expectation(attribute),
        )
        if right:
            element.attributes[attribute.name] = right
        elif is_clear:
            del element.attributes[attribute.name]

    def _reference(self, element: Element, name: str, reference: str) -> None:
        """Tell of a reference in an attribute, or in the element's text where `name` is empty."""
        if check_reference(self._document, element, name, reference):
            return
        owner = element if name else element.parent or element
        is_vital = (owner.name, name) in _VITAL
        tell = self._fail if is_vital else self._warn
        # Comparing ids is dear: a file that is in pieces is told less of each piece.
        is_worth_it = is_vital or self._said(codes.REFERENCE_UNRESOLVED) < _FEW
        known = self._nameable(owner.name, name or element.name) if is_worth_it else iter(())
        hint = self._hints.did_you_mean(reference.strip().rpartition(":")[2], known)
        tell(
            codes.REFERENCE_UNRESOLVED,
            element,
            name,
            hint=hint,
            attribute=name or element.name,
            owner=owner.name,
            reference=_short(reference.strip()),
        )

    def _said(self, code: Code) -> int:
        """How often a finding has been told."""
        return sum(self._told[code.id, severity] for severity in Severity)

    def _nameable(self, owner: str, slot: str) -> Iterator[str]:
        """The ids of the elements that a reference of an element may name."""
        kinds = referable(owner, slot)
        return (id for id, one in self._document.by_id.items() if one.name in kinds)

    def _children(self, element: Element, kind: str) -> list[tuple[Element, str]]:
        """Check where an element's children stand; those that are to be checked in their turn."""
        if element.text and not element.text.isspace() and not metamodel.has_text(kind):
            text = _short(" ".join(element.text.split()))
            self._warn(codes.STRAY_TEXT, element, owner=element.name, text=text)
        places, required = _children_of(kind)
        if not element.children and not required:
            return []
        inner: list[tuple[Element, str]] = []
        counts: dict[int, int] = {}
        last, last_name, is_told = -1, "", False
        for child in element.children:
            place = places.get((child.namespace, child.name))
            if place is None:
                name = metamodel.qualified(child.namespace, child.name)
                inner.extend(self._displaced(child, name, element, kind))
                continue
            index, slot, name = place
            counts[index] = found = counts.get(index, 0) + 1
            if index >= last:
                last, last_name = index, child.name
            elif not is_told:
                is_told = True
                self._warn(
                    codes.ELEMENT_ORDER,
                    child,
                    element=child.name,
                    before=last_name,
                    owner=element.name,
                )
            # That an activity has two kinds of loops is a rule of its own.
            if found - 1 == slot.maximum and name == slot.name:
                self._too_many(child, slot, element)
            if slot.value is not None:
                self._text_value(child, slot)
            else:
                inner.append((child, name if slot.type == slot.name else slot.type))
        for index, slot in required:
            if counts.get(index, 0) < slot.minimum:
                self._warn(
                    codes.CHILD_MISSING,
                    element,
                    owner=element.name,
                    element=metamodel.written(slot.name),
                )
        return inner

    def _too_many(self, child: Element, slot: Child, owner: Element) -> None:
        self._warn(
            codes.TOO_MANY_CHILDREN,
            child,
            owner=owner.name,
            found=sum(1 for one in owner.children if one.name == child.name),
            element=child.name,
            most=slot.maximum,
        )

    def _text_value(self, child: Element, slot: Child) -> None:
        # Nearly all name something: these are the flows of nodes, half of all elements.
        if slot.to and self._document.find(child.text) is None:
            self._reference(child, "", child.text)
        for name in child.attributes:
            self._warn(
                codes.UNKNOWN_ATTRIBUTE,
                child,
                name,
                owner=child.name,
                attribute=_short(name),
            )

    def _displaced(
        self, child: Element, name: str, owner: Element, kind: str
    ) -> list[tuple[Element, str]]:
        """Tell of an element that has no place here; itself where it is known all the same."""
        allowed = metamodel.open_to(kind)
        if allowed == "any" or (allowed == "other" and child.namespace not in STANDARD):
            return []
        if child.namespace not in STANDARD:
            self._warn(codes.FOREIGN_ELEMENT_MISPLACED, child, element=_short(child.name))
            return []
        # A diagram is never worth an error: nothing runs by it.
        tell = self._fail if child.namespace == BPMN else self._warn
        if name not in metamodel.names():
            tell(
                codes.UNKNOWN_ELEMENT,
                child,
                hint=self._hints.did_you_mean(child.name, _candidates(kind)),
                element=_short(child.name),
            )
            return []
        if child.namespace == BPMN and not any(metamodel.is_a(name, one) for one in _RUN):
            tell = self._warn
        tell(codes.MISPLACED_ELEMENT, child, element=child.name, owner=owner.name)
        return [(child, name)] if metamodel.element_type(name) is not None else []

    def _twice(self, element: Element) -> None:
        other = self._document.by_id[element.id]
        tell = self._fail if is_ambiguous(element, other) else self._warn
        tell(
            codes.ID_TWICE,
            element,
            "id",
            id=_short(element.id),
            other=other.name,
            line=other.span.start.line,
        )

    def _fail(
        self, code: Code, at: Element, name: str = "", /, *, hint: str = "", **parameters: Any
    ) -> None:
        self._tell(code, Severity.ERROR, at, name, hint, parameters, is_judged=False)

    def _warn(
        self, code: Code, at: Element, name: str = "", /, *, hint: str = "", **parameters: Any
    ) -> None:
        severity = Severity.ERROR if self._is_strict else Severity.WARNING
        # What strictness alone makes an error is as clear as before.
        self._tell(code, severity, at, name, hint, parameters, is_judged=True)

    def _tell(
        self,
        code: Code,
        severity: Severity,
        at: Element,
        name: str,
        hint: str,
        parameters: dict[str, Any],
        *,
        is_judged: bool,
    ) -> None:
        """Record a finding at an attribute of an element, or at its start tag."""
        self._told[code.id, severity] += 1
        if self._told[code.id, severity] <= _MOST_OF_A_CODE:
            span = at.attribute_span(name) if name else at.span
            pointer = _nearest_id(at)
            self._report.add(
                code,
                span,
                pointer,
                hint=hint,
                severity=severity,
                is_judged=is_judged,
                **parameters,
            )


@cache
def _attributes_of(kind: str) -> tuple[dict[str, Attribute], tuple[Attribute, ...]]:
    """The attributes of an element by name, and those that it has to have."""
    known = dict(metamodel.attributes(kind))
    return known, tuple(one for one in known.values() if one.required)


@cache
def _children_of(
    kind: str,
) -> tuple[dict[tuple[str, str], tuple[int, Child, str]], tuple[tuple[int, Child], ...]]:
    """The places for the children of an element, and those that may not stay empty.

    By the namespace and the name of a child: the number of its place, the place, and the name that
    the metamodel has for it.
    """
    places = {
        (namespace, name.removeprefix(prefix)): (*place, name)
        for name, place in metamodel.places(kind).items()
        for namespace, prefix in metamodel.VOCABULARIES.items()
        if metamodel.qualified(namespace, name.removeprefix(prefix)) == name
    }
    slots = enumerate(metamodel.children(kind))
    return places, tuple((index, slot) for index, slot in slots if slot.minimum)


def _candidates(kind: str) -> list[str]:
    return [metamodel.written(name) for name in metamodel.places(kind)]


def _type_of(kind: str) -> str:
    """The name of the type of an element in the schemas."""
    return kind if ":" in kind else f"t{kind[:1].upper()}{kind[1:]}"


def _nearest_id(element: Element) -> str:
    """The id of an element, or of the nearest one around it that has one."""
    if element.id:
        return element.id
    return next((outer.id for outer in element.ancestors() if outer.id), "")


def _short(text: str) -> str:
    """The text, shortened for a message."""
    return text if len(text) <= 60 else text[:59] + "…"
