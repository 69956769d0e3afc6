"""The state of one instance: what is alive now. History is not in it."""

from __future__ import annotations

from typing import Any

import msgspec

from .events import Problem, Terms


class Arrival(msgspec.Struct, gc=False):
    """A flow taken and not yet consumed, with the data it carries."""

    id: int
    node: str
    scope: int
    flow: str | None
    data: Any


class ScopeVisit(msgspec.Struct, omit_defaults=True, gc=False):
    """One instantiation of a scope.

    `tokens` counts its visits, arrivals and running handler scopes; at zero the scope is done.
    `runs` counts how often it began (retries); `is_closed`: a handler took over, so no handler of
    this scope listens. `retry_timer`: it waits to run again.
    """

    id: int
    scope: str
    parent: int | None
    owner: int | None
    input: Any
    began_ms: int
    #: Rows of their own.
    variables: dict[str, Any] = {}
    handler: str | None = None
    tokens: int = 0
    result: Any = None
    runs: int = 1
    is_closed: bool = False
    leave_by: str | None = None
    retry_timer: int | None = None
    #: Values of shared correlation keys; on the root scope visit alone.
    keys: dict[str, Any] = {}
    #: By handler: what its conditions last were, which of all its triggers have come, and the
    #: place in the inbox of the last event it took.
    truths: dict[str, bool] = {}
    met: dict[str, dict[str, Any]] = {}
    seen: dict[str, int] = {}
    #: Only handlers run any more, and no further one may begin.
    is_completing: bool = False
    #: Which run it is of an activity that runs several times; whether it was stopped from inside.
    position: int | None = None
    is_terminated: bool = False
    #: The scope visit, gone long since, whose run is undone in this one; whether that run was
    #: stopped on its way, so that no handler of its own undoes it.
    revives: int | None = None
    is_partial: bool = False
    #: What gateways keep in mind, by node and incoming flow; see the event `GateTurned`.
    gates: dict[str, dict[str, int]] = {}
    #: Of an ad-hoc body: nothing begins any more.
    is_satisfied: bool = False


class Visit(msgspec.Struct, omit_defaults=True, gc=False):
    """A node being executed in a scope visit.

    `data` is the raw input, `input` what `read` made of it. `position` and `items` belong to a
    loop; `taken` (filter numbers), `results`, `pending` and `keys` to a receive.
    """

    id: int
    node: str
    scope: int
    data: Any
    input: Any
    began_ms: int
    position: int = 0
    items: tuple[Any, ...] | None = None
    results: list[Any] = []
    pending: list[Any] = []
    taken: list[int] = []
    until_taken: list[int] = []
    keys: dict[str, Any] = {}
    #: Place in the inbox of the last event taken; earlier ones have been offered before.
    last_event: int = 0
    child: str | None = None
    #: Number of the last escalation of the child that has come.
    escalated: int = 0
    #: The race it takes part in; the compensation it is done for (ids of visits).
    race: int | None = None
    compensates: int | None = None
    #: It waits for the data it needs.
    is_held: bool = False
    #: As in a scope visit, for the handlers that guard this node and for a condition it waits for.
    truths: dict[str, bool] = {}
    met: dict[str, dict[str, Any]] = {}
    seen: dict[str, int] = {}
    #: How often an activity is to run, and how often a loop may.
    total: int | None = None
    maximum: int | None = None
    #: What a compensation is at, from the outside in.
    undoing: list[Undoing] = []
    #: Flows of its boundary events that it has put a token on, each with the first arrival; noted
    #: where it can be undone.
    branches: dict[str, int] = {}


class Undoing(msgspec.Struct, omit_defaults=True, gc=False):
    """What a compensation is at: the activity `node` that was done in `scope`, or that scope.

    Of an activity first the runs kept under `body` are undone, then its own handler runs (`visit`),
    unless it `is_partial`: stopped on its way.
    """

    scope: int
    node: str = ""
    body: int | None = None
    visit: int | None = None
    is_partial: bool = False


class Item(msgspec.Struct, omit_defaults=True, gc=False):
    """What one run of an activity gave."""

    id: int
    visit: int
    position: int
    result: Any = None
    is_terminated: bool = False


class Kept(msgspec.Struct, omit_defaults=True, gc=False):
    """Something done that can be undone; see the event `CompensationKept`."""

    id: int
    holder: int
    node: str
    scope: str
    body: int | None = None
    variables: dict[str, Any] | None = None
    began: int = 0
    branches: dict[str, int] = {}
    stopped_after: int = 0

    @property
    def place(self) -> int:
        """Its place in the order of what was done."""
        return self.stopped_after or self.id


class Tally(msgspec.Struct, gc=False):
    """How many runs of an activity began, completed and were terminated."""

    begun: int = 0
    completed: int = 0
    terminated: int = 0


class Job(msgspec.Struct, gc=False):
    """Work that waits for a worker or runs at one. Leases are the store's, not the state's.

    `sees`: scope visits, outermost first, whose variables are still those that its arguments show.
    """

    id: int
    visit: int | None
    node: str
    type: str
    arguments: Any
    began_ms: int
    sees: tuple[int, ...] = ()
    terms: Terms | None = None


class Timer(msgspec.Struct, gc=False):
    """A timer that has not fired yet."""

    id: int
    purpose: str
    due_ms: int
    visit: int | None = None
    scope: int | None = None
    handler: str | None = None
    part: int = 0
    repeat: str | None = None


class Subscription(msgspec.Struct, gc=False):
    """A filter of a receiving visit, or of a handler, that still takes events."""

    id: int
    visit: int | None
    index: int
    is_until: bool
    type: str | None
    scope: int | None = None
    handler: str | None = None
    kind: str = "event"


class State:
    """Everything alive in one instance, with the indexes the machine steps by.

    `touched` names the rows that changed since the last save, as (table, id), and `assigned` the
    variables, as (scope visit, name): the store writes those and no others.
    """

    __slots__ = (
        "adopted",
        "arrivals",
        "assigned",
        "at",
        "board",
        "bodies",
        "counter",
        "definition",
        "ended_ms",
        "error",
        "handling",
        "id",
        "input",
        "items",
        "items_of",
        "jobs",
        "kept",
        "kept_by",
        "moves",
        "number",
        "open",
        "output",
        "parent",
        "parent_visit",
        "races",
        "scopes",
        "sequence",
        "shown",
        "signals",
        "started_ms",
        "status",
        "subscriptions",
        "tallies",
        "tenant",
        "timers",
        "touched",
        "visits",
        "visits_in",
        "watching",
    )

    def __init__(self, id: str) -> None:
        self.id = id
        #: What the store calls it in its history; 0 before it is there.
        self.number = 0
        self.definition = ""
        self.status = "pending"
        self.input: Any = None
        self.output: Any = None
        self.error: Problem | None = None
        self.parent: str | None = None
        self.parent_visit: int | None = None
        self.tenant = ""
        self.started_ms = 0
        self.ended_ms: int | None = None
        #: The last id given out, and the number of the last event.
        self.counter = 0
        self.sequence = 0
        self.scopes: dict[int, ScopeVisit] = {}
        self.visits: dict[int, Visit] = {}
        self.arrivals: dict[int, Arrival] = {}
        self.jobs: dict[int, Job] = {}
        self.timers: dict[int, Timer] = {}
        self.subscriptions: dict[int, Subscription] = {}
        self.items: dict[int, Item] = {}
        self.kept: dict[int, Kept] = {}
        #: Arrivals that stand before a node, by (scope visit, node), oldest first.
        self.at: dict[tuple[int, str], list[int]] = {}
        #: Visits of a scope visit; scope visits owned by a visit; handler scopes of a scope visit.
        self.visits_in: dict[int, dict[int, None]] = {}
        self.bodies: dict[int, dict[int, None]] = {}
        self.handling: dict[int, dict[int, None]] = {}
        #: Jobs, timers and subscriptions that end with a visit or scope visit, as (table, id).
        self.open: dict[int, dict[tuple[str, int], None]] = {}
        #: Of a visit that runs several times: its items by position, and their tally.
        self.items_of: dict[int, dict[int, int]] = {}
        self.tallies: dict[int, Tally] = {}
        #: What was kept, by holder and node, oldest first; what was kept of a body, by the body.
        self.kept_by: dict[int, dict[str, dict[int, None]]] = {}
        self.adopted: dict[int, int] = {}
        #: Visits that take part in a race that is not decided yet, by race.
        self.races: dict[int, dict[int, None]] = {}
        #: Where tokens stand, as merges look at it (`semantics.board`); made from the rest at need.
        #: Once it is there each token that comes (1) or goes (-1) is noted for it, as (scope visit,
        #: node, change, what): an arrival's flow, a visit's race, or nothing.
        self.board: Any = None
        self.moves: list[tuple[int, str, int, str | int | None]] | None = None
        #: Subscriptions for signals, by the one type they can match (or nothing).
        self.signals: dict[str | None, dict[int, None]] = {}
        #: Visits and scope visits that wait for a condition.
        self.watching: dict[int, None] = {}
        #: Jobs by scope visits whose variables they still see.
        self.shown: dict[int, dict[int, None]] = {}
        self.touched: set[tuple[str, int]] = set()
        self.assigned: set[tuple[int, str]] = set()

    @property
    def is_over(self) -> bool:
        """Whether the instance has ended, in whatever way."""
        return self.status in ("completed", "faulted", "cancelled")

    def snapshot(self) -> dict[str, Any]:
        """The state as plain data, equal for equal states."""
        return {
            "id": self.id,
            "definition": self.definition,
            "status": self.status,
            "input": self.input,
            "output": self.output,
            "error": self.error,
            "parent": self.parent,
            "parent_visit": self.parent_visit,
            "tenant": self.tenant,
            "started_ms": self.started_ms,
            "ended_ms": self.ended_ms,
            "counter": self.counter,
            "sequence": self.sequence,
            **{
                name: {key: msgspec.to_builtins(row) for key, row in sorted(rows.items())}
                for name, rows in (
                    ("scopes", self.scopes),
                    ("visits", self.visits),
                    ("arrivals", self.arrivals),
                    ("jobs", self.jobs),
                    ("timers", self.timers),
                    ("subscriptions", self.subscriptions),
                    ("items", self.items),
                    ("kept", self.kept),
                )
            },
        }
