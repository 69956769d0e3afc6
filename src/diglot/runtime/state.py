"""The state of one instance: what is alive now. History is not in it."""

from __future__ import annotations

from typing import Any

import msgspec

from .events import Problem


class Arrival(msgspec.Struct):
    """A flow taken and not yet consumed, with the data it carries."""

    id: int
    node: str
    scope: int
    flow: str | None
    data: Any


class ScopeVisit(msgspec.Struct):
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
    variables: dict[str, Any]
    began_ms: int
    handler: str | None = None
    tokens: int = 0
    result: Any = None
    runs: int = 1
    is_closed: bool = False
    leave_by: str | None = None
    retry_timer: int | None = None


class Visit(msgspec.Struct):
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


class Job(msgspec.Struct):
    """Work that waits for a worker or runs at one. Leases are the store's, not the state's."""

    id: int
    visit: int | None
    node: str
    type: str
    arguments: Any
    began_ms: int


class Timer(msgspec.Struct):
    """A timer that has not fired yet."""

    id: int
    purpose: str
    due_ms: int
    visit: int | None = None
    scope: int | None = None
    handler: str | None = None


class Subscription(msgspec.Struct):
    """A filter of a receiving visit that still takes events."""

    id: int
    visit: int
    index: int
    is_until: bool
    type: str | None


class State:
    """Everything alive in one instance, with the indexes the machine steps by.

    `touched` names the rows that changed since the last save, as (table, id): the store writes
    those and no others.
    """

    __slots__ = (
        "arrivals",
        "at",
        "bodies",
        "counter",
        "definition",
        "ended_ms",
        "error",
        "handling",
        "id",
        "input",
        "jobs",
        "open",
        "output",
        "parent",
        "parent_visit",
        "scopes",
        "sequence",
        "started_ms",
        "status",
        "subscriptions",
        "timers",
        "touched",
        "visits",
        "visits_in",
    )

    def __init__(self, id: str) -> None:
        self.id = id
        self.definition = ""
        self.status = "pending"
        self.input: Any = None
        self.output: Any = None
        self.error: Problem | None = None
        self.parent: str | None = None
        self.parent_visit: int | None = None
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
        #: Arrivals that stand before a node, by (scope visit, node), oldest first.
        self.at: dict[tuple[int, str], list[int]] = {}
        #: Visits of a scope visit; scope visits owned by a visit; handler scopes of a scope visit.
        self.visits_in: dict[int, dict[int, None]] = {}
        self.bodies: dict[int, dict[int, None]] = {}
        self.handling: dict[int, dict[int, None]] = {}
        #: Jobs, timers and subscriptions that end with a visit or scope visit, as (table, id).
        self.open: dict[int, dict[tuple[str, int], None]] = {}
        self.touched: set[tuple[str, int]] = set()

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
                )
            },
        }
