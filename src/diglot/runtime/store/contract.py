"""What the engine asks of a store; both stores keep the same promises and pass the same tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from diglot.runtime.events import Event
from diglot.runtime.state import State


@dataclass(slots=True)
class Done:
    """What commands did, as it goes into the history; of a job's result it is one command.

    `attempt` must hold `job`, if one is given.
    """

    events: list[Event]
    #: `events` as they are written: a JSON array.
    payload: bytes
    job: int | None = None
    attempt: int = 0
    #: It is the whole state: what came before the one before this is forgotten.
    is_whole: bool = False


@dataclass(slots=True)
class Save:
    """What commands changed in one instance, in their order: all of it is written, or none.

    `base` is the sequence that the first was decided on, `base_counter` the last id given out then:
    rows with greater ids have never been stored. All were decided at `at_ms`.
    """

    state: State
    base: int
    base_counter: int
    at_ms: int
    done: list[Done] = field(default_factory=list[Done])
    outbox: list[tuple[str, dict[str, Any]]] = field(
        default_factory=list[tuple[str, dict[str, Any]]]
    )
    inbox: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    #: Subscriptions opened after the n-th event of `inbox`, by id.
    behind: dict[int, int] = field(default_factory=dict[int, int])
    #: The message of the inbox that this takes, and nobody else may.
    takes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionVersion:
    """One published version; `graph` is its interchange form."""

    digest: str
    namespace: str
    name: str
    version: str
    graph: bytes
    source: str
    resources: dict[str, Any]
    diagnostics: list[Any]
    published_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceRow:
    """An instance as people see it, without what is alive in it."""

    id: str
    definition: str
    status: str
    sequence: int
    input: Any
    output: Any
    error: dict[str, Any] | None
    parent: str | None
    started_ms: int
    ended_ms: int | None
    tenant: str = ""
    #: Why the engine cannot move it on before something is mended.
    stalled: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lease:
    """A job given to a worker; results count only with this `attempt` (the fencing token).

    `progress` is what an attempt before it reported last.
    """

    instance: str
    job: int
    node: str
    type: str
    arguments: Any
    attempt: int
    worker: str
    until_ms: int
    tenant: str = ""
    progress: Any = None

    @property
    def idempotency_key(self) -> str:
        """The same for every attempt of the job."""
        return f"{self.instance}.{self.job}"


@dataclass(frozen=True, slots=True)
class Ended:
    """An attempt whose lease has ended; with `is_unknown` somebody has to find out what it did."""

    instance: str
    job: int
    attempt: int
    is_unknown: bool = False


#: What is said to a result that is not of the current attempt.
Judgement = Literal["repeated", "late", "unheard"]


@dataclass(frozen=True, slots=True)
class InboxRow:
    """A CloudEvent to be offered; `taken_by` is who took it as a message."""

    id: int
    envelope: dict[str, Any]
    taken_by: str | None
    received_ms: int


@dataclass(frozen=True, slots=True)
class Receiver:
    """A subscription that takes messages, of one type or of any.

    `news` counts what made it worth while to offer kept messages to it, since that was done last.
    """

    instance: str
    subscription: int
    type: str | None
    news: int


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """Something to be sent."""

    id: int
    kind: str
    instance: str
    payload: dict[str, Any]
    tries: int


@dataclass(slots=True)
class Schedule:
    """A trigger that starts instances by itself."""

    digest: str
    number: int
    form: str
    due_ms: int | None = None
    after: int = 0
    #: The run whose end is awaited before the next one.
    run: str | None = None
    #: Events gathered so far, what is left of a cycle, what a condition was.
    payload: dict[str, Any] = field(default_factory=dict[str, Any])
    #: When it was published.
    begun_ms: int = 0


#: Called as `hook("before")` and `hook("after")` around every commit: where faults are injected.
CommitHook = Callable[[str], None]


class Store(Protocol):
    """A database under the engine. Every method is one transaction, and safe in any thread.

    Where there is a `run`, only rows of this instance and of those it called are meant.
    """

    on_commit: CommitHook | None

    def close(self) -> None:
        """Let go of the database."""
        ...

    def wakes(self, call: Callable[[], None]) -> None:
        """Call this whenever another process may have made something due, as far as it is heard."""
        ...

    def sole(self, what: str) -> AbstractContextManager[bool]:
        """Do something that one engine does at a time; false: another one is at it.

        Whose connection breaks is not the only one any more, so that doing it twice must not harm.
        """
        ...

    def seal_key(self) -> bytes:
        """The key that seals of secrets are made with; made once a database."""
        ...

    def publish(
        self,
        version: DefinitionVersion,
        schedules: list[Schedule] | None,
        messages: frozenset[str | None] = frozenset(),
    ) -> bool:
        """Add a version; false if this digest is there already.

        `schedules` take the place of those of the definition's other versions; nothing leaves
        those as they are. `messages` are the types of messages that its instances wait for.

        Raises:
            CallerError: another document has this namespace, name and version.
        """
        ...

    def definition(self, digest: str) -> DefinitionVersion | None:
        """A version by its digest."""
        ...

    def versions(self, namespace: str, name: str) -> list[tuple[str, str]]:
        """(version, digest) of every version of a definition."""
        ...

    def save(self, saves: list[Save]) -> list[Exception | None]:
        """Write many commands' changes in one transaction.

        For each: nothing if it is on disk, `Conflict`, `StaleAttempt` or `MessageGone` if none of
        it was written.
        """
        ...

    def load(self, instance: str) -> State | None:
        """The state of an instance out of its rows."""
        ...

    def load_all(self, instances: Sequence[str]) -> dict[str, State]:
        """The states of those of these instances that there are, by id."""
        ...

    def instance(self, instance: str) -> InstanceRow | None:
        """An instance without what is alive in it."""
        ...

    def instances(
        self, *, status: str | None = None, definition: str | None = None, limit: int = 100
    ) -> list[InstanceRow]:
        """The latest instances, newest first."""
        ...

    def ids(self, after: str, limit: int) -> list[str]:
        """Ids of instances, in their order, behind one; the empty one is before all."""
        ...

    def history(
        self, instance: str, after: int = 0, limit: int = 2**62
    ) -> list[tuple[int, int, list[Event]]]:
        """(first sequence, `at_ms`, events) of each command behind event `after`, oldest first."""
        ...

    def attempts(self, instance: str, job: int) -> list[dict[str, Any]]:
        """Every time the job was given out, oldest first."""
        ...

    def claim(
        self,
        types: tuple[str, ...],
        limit: int,
        worker: str,
        now_ms: int,
        lease_ms: int,
        run: str | None = None,
    ) -> list[Lease]:
        """Lease up to `limit` ready jobs of these types.

        The highest priority goes first, then the oldest. Tenants take turns and have equal shares,
        as far as they have jobs; limits and keys of mutual exclusion hold. Of a `run` it is only
        what is ready. A lease is as long as is asked for, unless the job says less.
        """
        ...

    def claim_job(
        self, instance: str, job: int, worker: str, now_ms: int, lease_ms: int
    ) -> Lease | None:
        """Lease one job; nothing if it is not ready."""
        ...

    def leases(self) -> list[Lease]:
        """Every job that is leased now."""
        ...

    def doubted(self) -> list[Lease]:
        """Every job of which nobody knows what its last attempt did."""
        ...

    def set_limit(self, kind: str, name: str, most: int | None) -> None:
        """So many jobs may be out at most; nothing lifts the limit.

        `kind` is tenant, type or instance, `name` which of them, empty for each not named.
        """
        ...

    def extend(self, lease: Lease, until_ms: int, progress: Any = None) -> int | None:
        """Lengthen a lease and note progress; nothing if it is not the current attempt's.

        The moment (`_ms`) at which it ends: none outlasts the time that the job gives an attempt.
        """
        ...

    def give_back(
        self, lease: Lease, now_ms: int, ready_ms: int, outcome: str, error: Any = None
    ) -> bool:
        """Make a leased job ready again; false if it is not the current attempt's."""
        ...

    def doubt(self, lease: Lease, now_ms: int, error: Any = None) -> bool:
        """Note that nobody knows what an attempt did; false if it is not the current one."""
        ...

    def do_again(self, instance: str, job: int, now_ms: int) -> bool:
        """A doubted job is to be done again; false if nobody doubts it."""
        ...

    def expire(self, now_ms: int) -> list[Ended]:
        """End every lease whose time is over.

        The job is ready again, unless it is to be done once: then it is not known what was done.
        """
        ...

    def unstarted(self, now_ms: int, limit: int) -> list[tuple[str, int]]:
        """(instance, job) of jobs that nobody has had in time."""
        ...

    def judge(self, instance: str, job: int, attempt: int, outcome: str, now_ms: int) -> Judgement:
        """What is to be said to a result that is not of the current attempt.

        It is what this attempt said before; it is late, which is noted; or there never was such
        an attempt.
        """
        ...

    def stall(self, instance: str, reason: str, now_ms: int, pauses_ms: tuple[int, int]) -> None:
        """Note that an instance cannot go on, if it has begun and is not over.

        None of its jobs is given out meanwhile and none of its timers is due. It is to be looked
        at again after the first pause, each time twice as long, up to the longest.
        """
        ...

    def stalls(self, due_ms: int | None = None, limit: int = 2**31) -> dict[str, str]:
        """Why instances cannot go on, by their ids; those to be looked at again by then."""
        ...

    def end_stall(self, instance: str) -> None:
        """The instance can go on: with its jobs, and with messages kept meanwhile."""
        ...

    def put_off(
        self, instance: str, subscription: int, number: int, envelope: dict[str, Any]
    ) -> None:
        """Keep an event for a subscription of an instance that cannot go on."""
        ...

    def undelivered(self, instance: str, limit: int) -> list[tuple[int, int, dict[str, Any]]]:
        """(number, subscription, envelope) of what was kept for an instance, the oldest first."""
        ...

    def delivered(self, instance: str, subscription: int, number: int) -> None:
        """The event has been offered after all."""
        ...

    def due_timers(self, now_ms: int, limit: int, run: str | None = None) -> list[tuple[str, int]]:
        """(instance, timer) of timers that are due, the longest due first."""
        ...

    def next_due(self, run: str | None = None) -> int | None:
        """The moment (`_ms`) at which the next timer, lease, message or schedule is due."""
        ...

    def receive(self, envelope: dict[str, Any], now_ms: int) -> bool:
        """Put a CloudEvent into the inbox; false if its source and id were there already."""
        ...

    def open_inbox(self, limit: int) -> list[InboxRow]:
        """Events not yet offered to everyone, in order of arrival."""
        ...

    def listeners(
        self, inbox_id: int, type: str, *, signals: bool = True, but: str | None = None
    ) -> list[tuple[str, int]]:
        """(instance, subscription) that may take an event of this type, by their age.

        Those of messages are not among them, those of signals with `signals` alone, and then
        without those of the instance `but`.
        """
        ...

    def close_inbox(self, inbox_id: int) -> None:
        """The event has been offered to everyone; one that is kept stays so."""
        ...

    def receivers(self, type: str) -> list[Receiver]:
        """Subscriptions that may take a message of this type, oldest first."""
        ...

    def renewed_receivers(self, limit: int) -> list[Receiver]:
        """Subscriptions to which kept messages may be news, oldest first.

        One that opens is among them if there is a message for it that is kept or not yet offered,
        and likewise one of an instance whose variables or keys change.
        """
        ...

    def settle_receivers(self, receivers: list[Receiver]) -> None:
        """What is kept has been offered to these, unless there is more news by now."""
        ...

    def taker(self, inbox_id: int) -> str | None:
        """Who took a message."""
        ...

    def receives(self, type: str) -> bool:
        """Whether instances of some definition wait for messages of this type."""
        ...

    def keep(self, inbox_id: int, until_ms: int) -> bool:
        """Nobody took the message: keep it; false if it is not to be offered any more."""
        ...

    def kept(self, receiver: Receiver, after: int, now_ms: int, limit: int) -> list[InboxRow]:
        """Kept messages a subscription may take, behind number `after`, in order of arrival.

        None, once the subscription is closed.
        """
        ...

    def expire_kept(self, now_ms: int) -> int:
        """Let go of messages that have been kept long enough; how many there were."""
        ...

    def due_outbox(self, now_ms: int, limit: int, run: str | None = None) -> list[OutboxRow]:
        """What is to be sent now, in order."""
        ...

    def sent(self, outbox_ids: list[int]) -> None:
        """These have arrived."""
        ...

    def send_again(self, outbox_id: int, due_ms: int) -> None:
        """It has not; try again then."""
        ...

    def event_schedules(self, inbox_id: int) -> list[Schedule]:
        """Schedules that wait for events and are older than this one, the oldest first."""
        ...

    def due_schedules(self, now_ms: int) -> list[Schedule]:
        """Schedules by the clock that are due."""
        ...

    def awaiting_schedules(self) -> list[Schedule]:
        """Schedules that wait for the end of the run they started."""
        ...

    def converse(self, digest: str, key: str, instance: str) -> str:
        """The running instance that has a conversation; `instance` gets it where none has."""
        ...

    def save_schedule(self, schedule: Schedule, *, takes: tuple[int, str] | None = None) -> bool:
        """Remember where a schedule stands.

        With `takes` it takes the message with this number in this name; false, and nothing
        changed, if somebody else has it.
        """
        ...
