"""What the rules of the reader share: the document, its findings, and where a task stands.

A rule turns one kind of task into nodes: `@reads("set")` above a function of the task, its `Place`
and the `Reading`. The list around the task has laid the flow to the next task by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, TypeVar

from .. import codes
from ..diagnostics import Code, Report, Severity
from ..graph import DataRules, Guard
from ..graph.builder import Builder
from ..hints import Hints
from ..pointers import split_pointer
from ..source import Span
from .jumps import task_places
from .names import KINDS, Names
from .variables import bound_names

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model.tasks import Task, TaskBase
    from diglot.specs.serverless_workflow.model.workflow import Extension, Workflow

    from .located import Json, Located


class Common(TypedDict):
    """The members that every node of a task has, ready for its constructor."""

    id: str
    scope: str
    pointer: str
    name: str
    construct: str
    span: Span | None
    guard: Guard | None
    data: DataRules | None
    subject: str


class Ways(Protocol):
    """Where flow directives lead from one task."""

    def to(self, directive: str, pointer: str) -> str:
        """The node id a directive means; one that means nothing is reported at `pointer`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where one task stands while it is laid out.

    `prefix` goes before the pointers of everything inside the task to make ids of them: it is
    empty except where the document's text is laid out at another place than it stands.
    """

    common: Common
    prefix: str
    ways: Ways
    #: The task that this one extends, by its id; nothing extends it then.
    extended: str
    is_in_branch: bool
    depth: int

    @property
    def id(self) -> str:
        """The id of the task's node."""
        return self.common["id"]

    @property
    def pointer(self) -> str:
        """The task's place in the document."""
        return self.common["pointer"]

    @property
    def scope(self) -> str:
        """The scope of the task's node."""
        return self.common["scope"]

    def inside(self, *suffixes: str) -> str:
        """The id of what stands at these suffixes of the task's pointer."""
        return self.prefix + self.pointer + "".join(suffixes)


@dataclass(frozen=True, slots=True)
class Entry:
    """One task of a list, and its pointer."""

    name: str
    task: Task
    pointer: str


@dataclass(frozen=True, slots=True)
class NamedExtension:
    """An entry of `use.extensions` and its pointer."""

    extension: Extension
    pointer: str
    name: str


@dataclass(slots=True)
class Reading:
    """One document while it is read."""

    document: Located
    model: Workflow
    report: Report
    into: Builder
    names: Names
    extensions: tuple[NamedExtension, ...] = ()
    is_loose: bool = False
    hints: Hints = field(default_factory=Hints)
    #: The functions that are being laid out, the outermost first.
    calling: list[str] = field(default_factory=list[str])
    #: Pointers of the extensions that stand around some task.
    extending: set[str] = field(default_factory=set[str])
    #: Whether something had to be left out because the graph would be too large.
    is_cut: bool = False
    _bound: frozenset[str] | None = None
    _places: dict[str, str] | None = None
    _told: set[tuple[str, Span | None]] = field(default_factory=set[tuple[str, "Span | None"]])

    def find(
        self,
        code: Code,
        pointer: str,
        *,
        span: Span | None = None,
        hint: str = "",
        severity: Severity | None = None,
        **parameters: Any,
    ) -> None:
        """Report a finding at `pointer` or `span`, once however often the place is laid out."""
        span = span or self.document.span_of(pointer)
        if (code.id, span) not in self._told:
            self._told.add((code.id, span))
            self.report.add(code, span, pointer, hint=hint, severity=severity, **parameters)

    def unknown(self, section: str, name: str, pointer: str) -> None:
        """Report a name that `use` does not declare."""
        hint = self.hints.did_you_mean(name, self.names.known(section))
        self.find(codes.UNKNOWN_REFERENCE, pointer, hint=hint, kind=KINDS[section], name=name)

    def may_bind(self, names: Iterable[str]) -> bool:
        """Whether each name is an argument, or bound by something somewhere in the document."""
        if self._bound is None:
            self._bound = bound_names(self.document.value)
        return self._bound.issuperset(names)

    def task_places(self) -> Mapping[str, str]:
        """The pointer of a task by its name, wherever in the document it stands."""
        if self._places is None:
            self._places = dict(task_places(self.document.value))
        return self._places

    def cut(self, pointer: str, **limit: int) -> None:
        """Report that what stands at `pointer` makes the graph too large, and is left out."""
        if not self.is_cut:
            self.is_cut = True
            ((what, most),) = limit.items()
            self.find(codes.GRAPH_TOO_LARGE, pointer, limit=most, what=what)

    def span(self, pointer: str) -> Span:
        """From the key of an entry to the end of its value."""
        value = self.document.span_of(pointer)
        return Span(value.file, self.document.key_span_of(pointer).start, value.end)

    def raw(self, pointer: str) -> dict[str, Json]:
        """The plain object at `pointer`, its members in the author's order."""
        value = self.document.value
        for part in split_pointer(pointer):
            if isinstance(value, dict):
                value = value[part]
            elif isinstance(value, list):
                value = value[int(part)]
        return value if isinstance(value, dict) else {}


T = TypeVar("T", bound="TaskBase")

_rules: dict[str, Callable[[Any, Place, Reading], None]] = {}


def reads(
    *constructs: str,
) -> Callable[[Callable[[T, Place, Reading], None]], Callable[[T, Place, Reading], None]]:
    """Make a function the rule of these constructs, which are folders of the catalogue.

    Raises:
        ValueError: a construct has a rule already.
    """

    def register(rule: Callable[[T, Place, Reading], None]) -> Callable[[T, Place, Reading], None]:
        for construct in constructs:
            if construct in _rules:
                raise ValueError(f"two rules read {construct}")
            _rules[construct] = rule
        return rule

    return register


def rules() -> Mapping[str, Callable[[Any, Place, Reading], None]]:
    """Every rule by its construct."""
    return _rules
