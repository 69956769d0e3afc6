"""The tables, each column with its sentence. Times are milliseconds since 1970 in UTC (`_ms`)."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
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


def _text(name: str, comment: str, *, optional: bool = False, key: bool = False) -> Column[str]:
    return Column(name, Text, nullable=optional, primary_key=key, comment=comment)


def _int(name: str, comment: str, *, optional: bool = False, key: bool = False) -> Column[int]:
    return Column(
        name, BigInteger, nullable=optional, primary_key=key, autoincrement=False, comment=comment
    )


def _json(name: str, comment: str, *, optional: bool = False) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=optional, comment=comment)


meta = Table(
    "meta",
    metadata,
    _text("key", "what is said: layout, seal", key=True),
    _text("value", "the layout's version; the key that seals of secrets are made with, in hex"),
    comment="Facts about this database itself.",
)

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
    _json("diagnostics", "warnings found at publication"),
    _int("published_ms", "when it was published"),
    UniqueConstraint("namespace", "name", "version"),
    comment="Immutable once published.",
)

instances = Table(
    "instances",
    metadata,
    _text("id", "sorts by the time of the start (UUIDv7), or names parent and visit", key=True),
    _text("definition", "digest of the definition version it runs"),
    _text("status", "pending, running, suspended, completed, faulted or cancelled"),
    _int("sequence", "number of its last event; a save names the one it was decided on"),
    _int("counter", "last id given out inside the instance"),
    _json("input", "raw input"),
    _json("output", "output once completed", optional=True),
    _json("error", "problem document once faulted", optional=True),
    _text("parent", "instance that called this one", optional=True),
    _int("parent_visit", "visit of the parent that waits for it", optional=True),
    _int("started_ms", "when it began"),
    _int("ended_ms", "when it ended", optional=True),
    Index("instances_by_status", "status", "started_ms"),
    comment="One row a run; all its parts follow from its events.",
)

events = Table(
    "events",
    metadata,
    Column("row", _Id, primary_key=True, autoincrement=True, comment="order of the commits"),
    _text("instance", "whose history this is"),
    _int("sequence", "number of the first event in this row"),
    _int("count", "how many events stand in this row: those of one command"),
    _int("at_ms", "when they were recorded"),
    _json("payload", "the events, a JSON array of arrays"),
    UniqueConstraint("instance", "sequence"),
    comment="History. Append only; folding it gives every other row of the instance.",
)


def _alive(name: str, comment: str, *columns: Column[str] | Column[int] | Column[bytes]) -> Table:
    return Table(
        name,
        metadata,
        _text("instance", "the instance it belongs to", key=True),
        _int("id", "number inside the instance, never used again", key=True),
        *columns,
        comment=comment,
        sqlite_with_rowid=False,
    )


scope_visits = _alive(
    "scope_visits",
    "Instantiated scopes that are alive.",
    _text("scope", "the scope of the graph"),
    _json("payload", "input, variables, tokens and the rest of the scope visit"),
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
    _int("began_ms", "when it was opened"),
    _text("state", "ready or leased"),
    _int("ready_ms", "not to be given out before"),
    _int("attempt", "number of the attempt that holds it: its fencing token; 0 before the first"),
    _text("worker", "who holds the lease", optional=True),
    _int("lease_until_ms", "when the lease ends", optional=True),
)
Index("jobs_ready", jobs.c.type, jobs.c.ready_ms, sqlite_where=jobs.c.state == "ready")
Index("jobs_leased", jobs.c.lease_until_ms, sqlite_where=jobs.c.state == "leased")

attempts = Table(
    "attempts",
    metadata,
    _text("instance", "the instance of the job", key=True),
    _int("job", "the job", key=True),
    _int("attempt", "number of the attempt, from 1", key=True),
    _text("worker", "who had it"),
    _int("leased_ms", "when it was given out"),
    _int("ended_ms", "when its result came or its lease ended", optional=True),
    _text("outcome", "completed, failed, expired or released", optional=True),
    _json("detail", "progress it last reported", optional=True),
    comment="Every time a job was given out, and what became of it.",
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
Index("subscriptions_news", subscriptions.c.opened_ms, sqlite_where=subscriptions.c.news > 0)

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
Index("inbox_kept", inbox.c.kept_until_ms, sqlite_where=inbox.c.kept_until_ms.is_not(None))
Index("inbox_kept_by_type", inbox.c.type, inbox.c.id,
      sqlite_where=inbox.c.kept_until_ms.is_not(None))  # fmt: skip
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
