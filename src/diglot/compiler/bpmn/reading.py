"""What the rules of the reader share: the file, its findings, and where an element stands.

A rule turns one kind of element into nodes: `@reads("user-task")` above a function of the element,
its `Place` and the `Reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict

import msgspec

from ..diagnostics import Code, Report, Severity
from ..graph import Constant, Expression
from ..source import Span
from .constructs import construct_of
from .document import BPMN, Document, Element
from .index import Index
from .laying import Laying
from .messages import Messages
from .paths import variable
from .profiles.contract import Profile, Written
from .rules.kinds import EVENT_DEFINITIONS, EVENTS, TRIGGERS

ROOT: Final = "/"

#: An object of the variables in sight, as one expression.
ALL_VARIABLES: Final = Expression(text=".", of="variables")
#: The members of a result that is an object become variables; another result is dropped.
RESULT: Final = Expression(text='if type == "object" then . else null end')


class Common(TypedDict):
    """The members that every node of an element has, ready for its constructor."""

    id: str
    scope: str
    pointer: str
    name: str
    construct: str
    documentation: str
    span: Span | None
    start_quantity: int


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where one element is laid out.

    `id` is the node's and `pointer` the element's; they differ where the element runs inside
    something that was made around it. `leads_to` is the node behind it then; the flows of the
    author leave what was made around it.
    """

    element: Element
    id: str
    pointer: str
    scope: str
    construct: str
    leads_to: str = ""
    start_quantity: int = 1

    def inside(self, suffix: str) -> str:
        """The id of something made beside the node."""
        return f"{self.id}#{suffix}"


@dataclass(slots=True)
class Reading:
    """One process while it is read."""

    document: Document
    process: Element
    profile: Profile
    report: Report
    into: Laying
    index: Index
    messages: Messages
    #: The variable of each data element, by the id of the element.
    data: dict[str, str] = field(default_factory=dict[str, str])
    #: The names of messages that something sends or waits for, in order of their use.
    spoken: dict[str, None] = field(default_factory=dict[str, None])
    #: The scopes of activities that undo others, by their ids.
    placed: dict[str, str] = field(default_factory=dict[str, str])
    #: Activities whose runs are undone one by one: the node and the scope of a run.
    undone: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    #: The conditions of flows, by the identity of their elements.
    conditions: dict[int, Expression | None] = field(default_factory=dict[int, "Expression | None"])
    _triggers: dict[int, list[Element]] = field(default_factory=dict[int, list[Element]])
    _told: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])

    @property
    def is_executable(self) -> bool:
        """Whether the file says that this process is meant to be run, and not only looked at."""
        return self.process.flag("isExecutable")

    def find(
        self,
        code: Code,
        element: Element,
        *,
        span: Span | None = None,
        hint: str = "",
        **parameters: Any,
    ) -> None:
        """Report a finding at an element, once.

        What is only to be looked at is never refused: an error there is a warning.
        """
        if (code.id, id(element)) in self._told:
            return
        self._told.add((code.id, id(element)))
        severity = None
        if code.severity is Severity.ERROR and not self.is_executable:
            severity = Severity.WARNING
        self.report.add(
            code,
            span or element.span,
            self.index.id_of(element),
            hint=hint,
            severity=severity,
            **parameters,
        )

    def take(self, found: Report) -> None:
        """Findings of somebody else, by the same rule."""
        for one in found:
            if one.severity is Severity.ERROR and not self.is_executable:
                one = msgspec.structs.replace(one, severity=Severity.WARNING)
            self.report.diagnostics.append(one)

    # -- elements

    def definitions_of(self, event: Element) -> list[Element]:
        """The event definitions of an event: its own and those it refers to."""
        key = id(event)
        if key not in self._triggers:
            self._triggers[key] = list(self._find_definitions(event))
        return self._triggers[key]

    def _find_definitions(self, event: Element) -> Iterator[Element]:
        for child in event.each():
            if child.name in EVENT_DEFINITIONS:
                yield child
            elif child.name == "eventDefinitionRef":
                target = self.document.find(child.text)
                if target is not None and target.name in EVENT_DEFINITIONS:
                    yield target

    def triggers_of(self, event: Element) -> list[str]:
        """What an event reacts to or brings about: `message`, `timer`, ..."""
        return [TRIGGERS[definition.name] for definition in self.definitions_of(event)]

    def reference(self, element: Element, attribute: str) -> Element | None:
        """What the reference in an attribute names."""
        written = element.attributes.get(attribute)
        return self.document.find(written) if written else None

    def construct(self, element: Element) -> str:
        """What the catalogue calls an element."""
        triggers = self.triggers_of(element) if element.name in EVENTS else ()
        return construct_of(element, triggers)

    def place(self, element: Element, scope: str) -> Place:
        """The place of an author's element in its scope."""
        found = self.index.id_of(element)
        return Place(
            element=element, id=found, pointer=found, scope=scope, construct=self.construct(element)
        )

    def common(self, at: Place) -> Common:
        """The members of the node of an element."""
        return {
            "id": at.id,
            "scope": at.scope,
            "pointer": at.pointer,
            "name": name_of(at.element) or at.pointer,
            "construct": at.construct,
            "documentation": documentation_of(at.element),
            "span": at.element.span,
            "start_quantity": at.start_quantity,
        }

    def beside(self, at: Place, suffix: str) -> Common:
        """The members of a node that was made beside that of an element."""
        return {
            "id": at.inside(suffix),
            "scope": at.scope,
            "pointer": at.pointer,
            "name": "",
            "construct": "",
            "documentation": "",
            "span": at.element.span,
            "start_quantity": 1,
        }

    # -- expressions

    def value(
        self, written: Written, *, is_condition: bool = False
    ) -> Expression | Constant | None:
        """What a text says: an expression over the variables in sight, or a constant.

        None where it cannot be carried, which is reported.
        """
        if written.language == "text":
            return Constant(written.text)
        if written.language == "variable":
            return variable(written.text.strip())
        # Late: a process without expressions needs none of it.
        from .languages.report import compile_expression

        found = Report()
        pointer = self.index.id_of(written.element)
        value = compile_expression(
            written.text,
            written.span_of,
            found,
            pointer or self.index.id_of(_owner(written.element)),
            declared="" if written.language == "worker" else written.language,
            document_language=self.document.root.get("expressionLanguage"),
            profile=self.profile.expression_profile,
            is_condition=is_condition,
        )
        if value is None and written.language == "worker":
            self.report.diagnostics.extend(
                msgspec.structs.replace(one, severity=Severity.WARNING) for one in found
            )
            return Constant(written.text)
        self.take(found)
        if value is None and not self.is_executable:
            return _unspoken(written)
        if isinstance(value, Expression):
            yields = "boolean" if is_condition else "any"
            value = msgspec.structs.replace(value, of="variables", yields=yields)
        return value

    def condition(self, written: Written) -> Expression | None:
        """A condition, which yields true or false; None where it cannot be carried."""
        found = self.value(written, is_condition=True)
        if isinstance(found, Constant):
            text = {True: "true", False: "false"}.get(found.document)
            if text is None:
                return None
            return Expression(
                text=text, source=written.text, of="variables", yields="boolean",
                span=written.span_of(),
            )  # fmt: skip
        return found


Rule = Callable[[Place, Reading], None]

_rules: dict[str, Rule] = {}


def reads(*constructs: str) -> Callable[[Rule], Rule]:
    """Make a function the rule of these elements, by their names in the catalogue.

    Raises:
        ValueError: an element has a rule already.
    """

    def register(rule: Rule) -> Rule:
        for construct in constructs:
            if construct in _rules:
                raise ValueError(f"two rules read {construct}")
            _rules[construct] = rule
        return rule

    return register


def rules() -> Mapping[str, Rule]:
    """Every rule by its construct."""
    return _rules


def written_in(element: Element) -> Written:
    """The text of an element that is an expression, with the language it names."""
    text = element.text
    kept = text.strip()
    start = text.find(kept) if kept else 0
    return Written(kept, element, language=element.get("language").strip(), start=start)


def written_at(element: Element, attribute: str) -> Written:
    """The value of an attribute."""
    return Written(element.attributes.get(attribute, ""), element, attribute)


def name_of(element: Element) -> str:
    """The name of an element, on one line."""
    name = element.attributes.get("name")
    return " ".join(name.split()) if name else ""


def documentation_of(element: Element) -> str:
    """What the `documentation` of an element says, a blank line between several."""
    if not element.children:
        return ""
    texts = [
        child.text.strip()
        for child in element.children
        if child.name == "documentation" and child.namespace == BPMN
    ]
    return "\n\n".join(text for text in texts if text) if texts else ""


def moved(at: Place, **changes: Any) -> Place:
    """The place with other members."""
    return msgspec.structs.replace(at, **changes)


def _owner(element: Element) -> Element:
    """The nearest element around that has an id."""
    return next((one for one in element.ancestors() if one.id), element)


def _unspoken(written: Written) -> Expression:
    """Stands for what cannot be carried, in a process that is only to be looked at."""
    reason = msgspec.json.encode(f"this cannot be evaluated: {written.text}").decode()
    return Expression(
        text=f"error({reason})",
        source=written.text,
        source_language=written.language or "text",
        of="variables",
    )
