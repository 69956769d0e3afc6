"""The tables, each column with its sentence. Times are milliseconds since 1970 in UTC (`_ms`)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

#: SQLite gives a row its number only where the column is exactly INTEGER.
_Id = BigInteger().with_variant(Integer, "sqlite")

#: Texts are compared by their characters' numbers, as ids of runs below others have to be.
_Text = Text().with_variant(Text(collation="C"), "postgresql")


def _text(name: str, comment: str, *, optional: bool = False, key: bool = False) -> Column[str]:
    return Column(name, _Text, nullable=optional, primary_key=key, comment=comment)


def _int(name: str, comment: str, *, optional: bool = False, key: bool = False) -> Column[int]:
    return Column(
        name, BigInteger, nullable=optional, primary_key=key, autoincrement=False, comment=comment
    )


def _json(name: str, comment: str, *, optional: bool = False) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=optional, comment=comment)


def _where(condition: ColumnElement[bool]) -> dict[str, Any]:
    """The rows an index is of, where that is not all of them."""
    return {"sqlite_where": condition, "postgresql_where": condition}


meta = Table(
    "meta",
    metadata,
    _text("key", "what is said: layout, engines, version, seal", key=True),
    _text("value", "its layout; the last step that engines have to know; the version"
          " of Diglot that did it; the key that seals of secrets are made with, in hex"),
    comment="Facts about this database itself.",
)  # fmt: skip

definition_versions = Table(
    "definition_versions",
    metadata,
    _text("digest", "sha256 of the graph's meaning; an instance names its version by it", key=True),
    _text("namespace", "the namespace of the document"),
    _text("name", "the name, which versions share"),
    _text("version", "the semantic version, unique within namespace and name"),
    _json("graph", "the graph in its interchange form"),
    _text("source", "the author's document as it came"),
    _json("resources", "documents behind addresses, fetched at publication, by address"),
    _json("diagnostics", "what was found in the document at publication, as its JSON tells it"),
    _int("published_ms", "when it was published"),
    UniqueConstraint("namespace", "name", "version"),
    comment="Immutable once published.",
)

instances = Table(
    "instances",
    metadata,
    Column("number", _Id, primary_key=True, autoincrement=True, comment="names it in other tables"),
    _text("id", "sorts by the time of the start (UUIDv7), or names parent and visit"),
    _text("definition", "digest of the definition version it runs"),
    _text("status", "pending, running, suspended, completed, faulted or cancelled"),
    _int("sequence", "number of its last event; a save names the one it was decided on"),
    _int("counter", "last id given out inside the instance"),
    _json("input", "raw input"),
    _json("output", "output once completed", optional=True),
    _json("error", "problem document once faulted", optional=True),
    _text("parent", "instance that called this one", optional=True),
    _int("parent_visit", "visit of the parent that waits for it", optional=True),
    _text("tenant", "whose it is; empty where there is but one"),
    _int("started_ms", "when it began"),
    _int("ended_ms", "when it ended", optional=True),
    UniqueConstraint("id"),
    Index("instances_by_status", "status", "started_ms"),
    comment="One row a run; all its parts follow from its events.",
    sqlite_autoincrement=True,
)

events = Table(
    "events",
    metadata,
    _int("run", "number of the instance whose history this is", key=True),
    _int("sequence", "number of the first event in this row", key=True),
    _int("count", "how many events stand in this row: those of one command"),
    _int("at_ms", "when they were recorded"),
    _json("payload", "the events, a JSON array of arrays, deflated with our dictionary"),
    _int("is_whole", "1 if it is the whole state, with which the history may begin",
         optional=True),
    _int("job", "the job whose result they are", optional=True),
    _int("attempt", "the attempt that gave it", optional=True),
    _text("worker", "who had that attempt", optional=True),
    _int("leased_ms", "when it was given out", optional=True),
    _json("progress", "what it last reported before", optional=True),
    comment="History. Append only; folding it gives every other row of the instance.",
)  # fmt: skip


def _alive(name: str, comment: str, *columns: Column[str] | Column[int] | Column[bytes]) -> Table:
    return Table(
        name,
        metadata,
        _int("run", "number of the instance it belongs to", key=True),
        _int("id", "number inside the instance, never used again", key=True),
        *columns,
        comment=comment,
        sqlite_with_rowid=False,
    )


scope_visits = _alive(
    "scope_visits",
    "Instantiated scopes that are alive.",
    _text("scope", "the scope of the graph"),
    _json("payload", "input, tokens and the rest of the scope visit, without its variables"),
)
variables = Table(
    "variables",
    metadata,
    _int("run", "number of the instance it belongs to", key=True),
    _int("scope", "the scope visit that has it", key=True),
    _text("name", "its name as JSON, which has no character that a database refuses", key=True),
    _json("payload", "its value"),
    comment="Variables of scope visits that are alive.",
    sqlite_with_rowid=False,
)
node_visits = _alive(
    "node_visits",
    "Nodes being executed.",
    _text("node", "the node of the graph"),
    _json("payload", "raw and read input, position of a loop, events taken"),
)
arrivals = _alive(
    "arrivals",
    "Flows taken and not yet consumed: what waits before a join or in a suspended instance.",
    _text("node", "the node the token stands before"),
    _json("payload", "scope visit, flow and data"),
)
item_results = _alive(
    "item_results",
    "Runs that are over of activities that run several times; gone with the activity.",
    _int("visit", "the activity's visit"),
    _int("position", "which run it was, from 0"),
    _json("payload", "its result"),
)
compensations = _alive(
    "compensations",
    "What is done and can be undone.",
    _int("holder", "the scope visit or visit it was a part of, which may be gone"),
    _text("node", "the activity; empty for one run of a scope"),
    _json("payload", "the scope and its variables at its end, and where its parts are kept"),
)
jobs = _alive(
    "jobs",
    "Work that waits for a worker or runs at one; gone once it is done.",
    _int("visit", "visit that waits for the result", optional=True),
    _text("node", "the node of the graph"),
    _text("type", "names the workers that may take it"),
    _json("arguments", "what the worker gets"),
    _json(
        "sees",
        "scope visits, outermost first, whose variables the arguments show as well",
        optional=True,
    ),
    _int("began_ms", "when it was opened"),
    _text("tenant", "whose it is, as its instance is"),
    _int("rank", "its priority with the sign turned: the lowest goes first"),
    _text("mutex", "of the tenant's jobs with the same key one is out at a time", optional=True),
    _int("is_once", "1 if a lost attempt is not made again"),
    _int("start_by_ms", "it fails if nobody has had it before", optional=True),
    _int("most_lease_ms", "how long a lease lasts at most", optional=True),
    _int("run_ms", "how long one attempt lasts at most", optional=True),
    _text(
        "state",
        "ready, leased, stalled as its instance is, or unknown: what the last attempt"
        " did is to be found out",
    ),
    _int("ready_ms", "not to be given out before"),
    _int("attempt", "number of the attempt that holds it: its fencing token; 0 before the first"),
    _text("worker", "who holds the lease", optional=True),
    _int("leased_ms", "when it was given out", optional=True),
    _int("lease_until_ms", "when the lease ends", optional=True),
    _json("progress", "what the attempt, or one before it, last reported", optional=True),
)

Index("jobs_ready", jobs.c.type, jobs.c.tenant, jobs.c.rank, jobs.c.ready_ms,
      **_where(jobs.c.state == "ready"))  # fmt: skip
Index("jobs_unstarted", jobs.c.start_by_ms,
      **_where((jobs.c.start_by_ms.is_not(None)) & (jobs.c.state == "ready")))  # fmt: skip
Index("jobs_leased", jobs.c.lease_until_ms, **_where(jobs.c.state == "leased"))

mutexes = Table(
    "mutexes",
    metadata,
    _text("tenant", "whose key it is", key=True),
    _text("name", "the key", key=True),
    _int("run", "number of the instance of the job that holds it"),
    _int("job", "that job"),
    Index("mutexes_by_job", "run", "job"),
    comment="Keys of jobs that are out; nobody else with the same key gets out meanwhile.",
    sqlite_with_rowid=False,
)
limits = Table(
    "limits",
    metadata,
    _text("kind", "tenant, type or instance", key=True),
    _text("name", "which tenant or type; empty for each that is not named", key=True),
    _int("most", "so many jobs of it are out at most"),
    comment="How many jobs may be out at a time.",
    sqlite_with_rowid=False,
)
attempts = Table(
    "attempts",
    metadata,
    _int("run", "number of the instance of the job", key=True),
    _int("job", "the job", key=True),
    _int("attempt", "number of the attempt, from 1", key=True),
    _text("worker", "who had it"),
    _int("leased_ms", "when it was given out"),
    _int("ended_ms", "when its lease ended"),
    _text("outcome", "expired, released, retried, unknown or cancelled"),
    _json("progress", "what it last reported", optional=True),
    _json("error", "why it did not do it, as the worker said", optional=True),
    _int("late_ms", "when it gave a result after all", optional=True),
    _text("late", "which: completed or failed", optional=True),
    comment="Attempts that ended without a result; one that gave it stands with its events.",
    sqlite_with_rowid=False,
)
stalls = Table(
    "stalls",
    metadata,
    _int("run", "number of the instance that cannot go on", key=True),
    _text("reason", "what has to be mended"),
    _int("since_ms", "when it was found out"),
    _int("due_ms", "when it is looked at again"),
    _int("tries", "how often it was found like this"),
    Index("stalls_due", "due_ms"),
    comment="Instances that the engine cannot move on before something is mended.",
    sqlite_with_rowid=False,
)
undelivered = Table(
    "undelivered",
    metadata,
    _int("run", "number of the instance that cannot go on", key=True),
    _int("number", "the event's number in the inbox", key=True),
    _int("subscription", "which of its subscriptions the event is for", key=True),
    _json("envelope", "the CloudEvent"),
    comment="Events for instances that cannot go on, until they can.",
    sqlite_with_rowid=False,
)
timers = _alive(
    "timers",
    "Timers that have not fired.",
    _text("purpose", "wait, retry, attempt or handler"),
    _int("due_ms", "when it fires"),
    _int("visit", "visit it belongs to", optional=True),
    _int("scope", "scope visit it belongs to", optional=True),
    _text("handler", "handler it triggers", optional=True),
    _int("part", "which of the handler's triggers it is"),
    _text("repeat", "what is left of a cycle after this time", optional=True),
)
Index("timers_due", timers.c.due_ms)

subscriptions = _alive(
    "subscriptions",
    "Filters of receiving visits, and of handlers, that still take events.",
    _int("visit", "the receiving or guarded visit", optional=True),
    _int("number", "which filter of it, or which trigger of the handler"),
    _int("is_until", "1 if the filter ends the wait instead of feeding it"),
    _int("scope", "the guarded scope visit", optional=True),
    _text("handler", "the handler that listens", optional=True),
    _text("kind", "event, message or signal"),
    _text("type", "the one event type it can match, where that is known", optional=True),
    _int("after", "number of the last inbox row before it: it takes later ones only"),
    _int("opened_ms", "when it began; the oldest gets a message first"),
    _int("news", "how often something made it worth while to offer kept messages to it, since"
         " they were offered last"),
)  # fmt: skip
Index("subscriptions_by_type", subscriptions.c.type)
Index("subscriptions_news", subscriptions.c.opened_ms, **_where(subscriptions.c.news > 0))

inbox = Table(
    "inbox",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True, comment="order of arrival"),
    _text("source", "the event's source"),
    _text("event_id", "the event's id; with its source it is taken once"),
    _json("envelope", "the CloudEvent, as long as somebody may want it", optional=True),
    _int("received_ms", "when it came"),
    _text("type", "the event's type"),
    _int("is_done", "1 once it has been offered to everyone"),
    _text("taken_by", "the instance that took it as a message, and has it alone", optional=True),
    _int("kept_until_ms", "until when it is kept for who may wait for it as a message",
         optional=True),
    UniqueConstraint("source", "event_id"),
    Index("inbox_open", "is_done", "id"),
    comment="Every CloudEvent that came in or was emitted, once.",
    sqlite_autoincrement=True,
)  # fmt: skip
Index("inbox_kept", inbox.c.kept_until_ms, **_where(inbox.c.kept_until_ms.is_not(None)))
Index("inbox_kept_by_type", inbox.c.type, inbox.c.id,
      **_where(inbox.c.kept_until_ms.is_not(None)))  # fmt: skip
message_types = Table(
    "message_types",
    metadata,
    _text("type", "the type of a message; empty where any may match", key=True),
    _text("digest", "the definition version whose instances wait for it", key=True),
    comment="What instances wait for as messages, by what is published.",
    sqlite_with_rowid=False,
)
outbox = Table(
    "outbox",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True, comment="order of sending"),
    _text("kind", "child, child-ended, child-escalated, child-cancelled or event"),
    _text("instance", "the instance that sent it"),
    _json("payload", "what is sent"),
    _int("due_ms", "not to be sent before"),
    _int("tries", "how often it was tried"),
    Index("outbox_due", "due_ms", "id"),
    comment="What has to reach somebody else; gone once it has.",
    sqlite_autoincrement=True,
)
conversations = Table(
    "conversations",
    metadata,
    _text("digest", "the definition version whose starts take part in it", key=True),
    _text("key", "the values of its correlation keys, as JSON", key=True),
    _text("instance", "the instance that has it, as long as that runs"),
    comment="Which instance a message that could start another one belongs to.",
    sqlite_with_rowid=False,
)
schedules = Table(
    "schedules",
    metadata,
    _text("digest", "the definition version that starts", key=True),
    _int("number", "which trigger of it", key=True),
    _text("form", "every, after, cron, duration, instant, cycle, condition or event"),
    _int("due_ms", "when it starts next; none for events and while a run is awaited",
         optional=True),
    _int("after", "number of the last inbox row before it"),
    _text("run", "the run whose end is awaited before the next one", optional=True),
    _json("payload", "events gathered so far, what is left of a cycle, what a condition was"),
    _int("begun_ms", "when it was published; the oldest gets a message first"),
    Index("schedules_due", "due_ms"),
    comment="What starts instances by itself.",
    sqlite_with_rowid=False,
)  # fmt: skip
