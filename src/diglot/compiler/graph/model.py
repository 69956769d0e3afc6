"""The graph: one immutable value that every importer makes and everything after it reads."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from ..source import Span
from .data import DataRules, Expression, Value
from .nodes import Node
from .triggers import ErrorTemplate, RetryPolicy, Trigger

#: The version of the interchange form; a reader refuses what it does not know.
FORMAT = "1"

#: Members that say where something stood or how it was drawn, not what it means.
PLACES = frozenset({"span", "origin", "presentation", "foreign"})


class Flow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A way from one node to another inside one scope.

    `role`: `sequence` flows are taken when the source is done; `skip` when its guard is false;
    `handler` when a handler of the source says so. It carries `quantity` tokens at a time.
    """

    id: str
    source: str
    target: str
    role: Literal["sequence", "skip", "handler"] = "sequence"
    condition: Expression | None = None
    name: str = ""
    documentation: str = ""
    quantity: int = 1


class Handler(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happens when a trigger comes while a node or a scope is active.

    It guards a `node` (boundary event, time-out) or a `scope` (event sub-process, `catch`).
    Then exactly one of: a token on `flow`, with the error as its data; the scope `run` inside the
    guarded scope, whose result becomes the guarded scope's; the error `raises` at the guarded
    node. With none of them the guarded scope completes with its input as its result.
    `leave_by`: the guarded scope's node leaves by this flow once the handler is done.
    A compensation of a node runs its `activity`, a node without flows in the same scope. What came
    with the trigger is put into variables by the export rules of `data`: `.` is the error, the
    escalation's payload, or the array of the events' data.
    A `retry` policy is asked first; the handler's own way is taken when it gives up.

    Source: BPMN 2.0.2 13.5.3, 13.5.4; DSL reference, Catch, Timeout.
    """

    id: str
    trigger: Trigger
    node: str | None = None
    scope: str | None = None
    is_interrupting: bool = True
    retry: RetryPolicy | None = None
    flow: str | None = None
    run: str | None = None
    raises: ErrorTemplate | None = None
    leave_by: str | None = None
    activity: str | None = None
    data: DataRules | None = None
    pointer: str = ""
    name: str = ""
    construct: str = ""
    span: Span | None = None


class Variable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A variable a scope declares; `copies` takes the value of the enclosing scope's namesake."""

    name: str
    value: Value | None = None
    copies: bool = False


class Scope(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A region with its own tokens and variables; instantiated each time it is entered.

    `start` is the node that gets the first token; an event that starts an instance puts it on the
    `Start` that names the event instead. With `binds_input` each member of the input, where it is
    an object, is a variable.
    """

    id: str
    parent: str | None = None
    form: Literal[
        "process",
        "sequence",
        "branches",
        "branch",
        "loop",
        "try",
        "handler",
        "each",
        "function",
        "extension",
        "sub-process",
        "event-sub-process",
        "transaction",
        "ad-hoc",
    ] = "sequence"
    start: str = ""
    variables: tuple[Variable, ...] = ()
    binds_input: bool = False
    pointer: str = ""
    span: Span | None = None


class Origin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the graph came from; no part of its meaning."""

    dialect: str
    dialect_version: str = ""
    file: str = ""
    sha256: str = ""


class Declarations(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the document names for use elsewhere: secrets by name only, and messages."""

    secrets: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()


_NO_DECLARATIONS = Declarations()


class Graph(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A whole definition. `nodes`, `flows`, `scopes` and `handlers` are in order of the document.

    `document` is the author's document as data, kept only where an expression looks at it.
    """

    namespace: str
    name: str
    version: str
    # A factory, so that the encoder does not leave it out: a reader must see it.
    format: str = msgspec.field(default_factory=lambda: FORMAT)
    title: str = ""
    documentation: str = ""
    tags: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    root: str = "/"
    scopes: tuple[Scope, ...] = ()
    nodes: tuple[Node, ...] = ()
    flows: tuple[Flow, ...] = ()
    handlers: tuple[Handler, ...] = ()
    data: DataRules | None = None
    declarations: Declarations = _NO_DECLARATIONS
    document: Any = None
    #: Foreign data of the source, kept for export.
    foreign: Any = None
    #: Diagram shapes of the source, kept for export.
    presentation: Any = None
    origin: Origin | None = None

    def __post_init__(self) -> None:
        # The encoder leaves out the default itself and not what equals it, and what is written
        # must not depend on who made the graph.
        if self.declarations == _NO_DECLARATIONS:
            msgspec.structs.force_setattr(self, "declarations", _NO_DECLARATIONS)

    @property
    def key(self) -> str:
        """Namespace and name, which versions share."""
        return f"{self.namespace}/{self.name}"
