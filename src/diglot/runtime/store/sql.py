"""Every statement with its name and what it does."""

from __future__ import annotations

from typing import Final

#: The version of the tables' layout; a database of another version is refused by name.
LAYOUT: Final = "2"

#: Rows of one run (`?1`): its instance and those below it, whose ids begin with its own and a dot
#: (the character behind the dot is the slash); of every run if there is none.
_OF_RUN: Final = "(?1 IS NULL OR instance=?1 OR (instance>?1||'.' AND instance<?1||'/'))"

#: Insert an instance with its first events.
INSERT_INSTANCE: Final = (
    "INSERT INTO instances (id, definition, status, sequence, counter, input, output, error,"
    " parent, parent_visit, started_ms, ended_ms) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"
    " ON CONFLICT (id) DO NOTHING"
)
#: Move an instance on, if its last event is still the one the command was decided on.
UPDATE_INSTANCE: Final = (
    "UPDATE instances SET status=?, sequence=?, counter=?, output=?, error=?, ended_ms=?"
    " WHERE id=? AND sequence=?"
)
#: Append the events of one command.
INSERT_EVENTS: Final = (
    "INSERT INTO events (instance, sequence, count, at_ms, payload) VALUES (?,?,?,?,?)"
)
#: Who holds a job.
JOB_HOLDER: Final = "SELECT state, attempt FROM jobs WHERE instance=? AND id=?"
#: Write down what became of an attempt.
END_ATTEMPT: Final = (
    "UPDATE attempts SET ended_ms=?, outcome=?"
    " WHERE instance=? AND job=? AND attempt=? AND ended_ms IS NULL"
)

#: Whether there is a message of the type `?6` (of any, if it is null) that a subscription which
#: opens now may find kept: it is kept, or may be before the subscription is looked at.
_IS_NEWS: Final = (
    "EXISTS(SELECT 1 FROM inbox WHERE is_done=0 AND (?6 IS NULL OR type=?6)) OR"
    " CASE WHEN ?6 IS NULL THEN EXISTS(SELECT 1 FROM inbox WHERE kept_until_ms IS NOT NULL)"
    " ELSE EXISTS(SELECT 1 FROM inbox WHERE kept_until_ms IS NOT NULL AND type=?6) END"
)
#: Write a row that is alive, by table.
PUT: Final = {
    "scopes": (
        "INSERT INTO scope_visits (instance, id, scope, payload) VALUES (?,?,?,?)"
        " ON CONFLICT (instance, id) DO UPDATE SET payload=excluded.payload"
    ),
    "visits": (
        "INSERT INTO node_visits (instance, id, node, payload) VALUES (?,?,?,?)"
        " ON CONFLICT (instance, id) DO UPDATE SET payload=excluded.payload"
    ),
    "arrivals": (
        "INSERT INTO arrivals (instance, id, node, payload) VALUES (?,?,?,?)"
        " ON CONFLICT (instance, id) DO NOTHING"
    ),
    "items": (
        "INSERT INTO item_results (instance, id, visit, position, payload) VALUES (?,?,?,?,?)"
        " ON CONFLICT (instance, id) DO NOTHING"
    ),
    "kept": (
        "INSERT INTO compensations (instance, id, holder, node, payload) VALUES (?,?,?,?,?)"
        " ON CONFLICT (instance, id) DO NOTHING"
    ),
    "jobs": (
        "INSERT INTO jobs (instance, id, visit, node, type, arguments, began_ms, state, ready_ms,"
        " attempt) VALUES (?,?,?,?,?,?,?,'ready',?,0) ON CONFLICT (instance, id) DO NOTHING"
    ),
    "timers": (
        "INSERT INTO timers (instance, id, purpose, due_ms, visit, scope, handler, part, repeat)"
        " VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT (instance, id) DO NOTHING"
    ),
    "subscriptions": (
        "INSERT INTO subscriptions (instance, id, visit, number, is_until, type, scope, handler,"
        " kind, after, opened_ms, news) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,"
        f" CASE WHEN ?9='message' THEN {_IS_NEWS} ELSE 0 END)"
        " ON CONFLICT (instance, id) DO NOTHING"
    ),
}
#: Take a row away that is no longer alive, by table.
TAKE: Final = {
    name: f"DELETE FROM {table} WHERE instance=? AND id=?"
    for name, table in (
        ("scopes", "scope_visits"),
        ("visits", "node_visits"),
        ("arrivals", "arrivals"),
        ("jobs", "jobs"),
        ("timers", "timers"),
        ("subscriptions", "subscriptions"),
        ("items", "item_results"),
        ("kept", "compensations"),
    )
}
#: Put a CloudEvent into the inbox once; a second time takes no number either.
RECEIVE: Final = (
    "INSERT INTO inbox (source, event_id, envelope, received_ms, type, is_done)"
    " SELECT ?1,?2,?3,?4,?5,0"
    " WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE source=?1 AND event_id=?2)"
    " ON CONFLICT (source, event_id) DO NOTHING"
)
#: The number of the last event in the inbox.
LAST_RECEIVED: Final = "SELECT coalesce(max(id),0) FROM inbox"
#: Put something into the outbox.
SEND: Final = "INSERT INTO outbox (kind, instance, payload, due_ms, tries) VALUES (?,?,?,?,0)"
#: The jobs a worker may have now, oldest first.
READY_JOBS: Final = (
    f"SELECT instance, id, node, type, arguments, attempt FROM jobs WHERE {_OF_RUN}"
    " AND state='ready' AND type IN ({types}) AND ready_ms<=?"
    " ORDER BY ready_ms, instance, id LIMIT ?"
)
#: One job, if a worker may have it now.
READY_JOB: Final = (
    "SELECT instance, id, node, type, arguments, attempt FROM jobs"
    " WHERE instance=? AND id=? AND state='ready' AND ready_ms<=?"
)
#: Give a ready job to a worker.
LEASE: Final = (
    "UPDATE jobs SET state='leased', attempt=?, worker=?, lease_until_ms=?"
    " WHERE instance=? AND id=? AND state='ready'"
)
#: Write down that a job was given out.
BEGIN_ATTEMPT: Final = (
    "INSERT INTO attempts (instance, job, attempt, worker, leased_ms) VALUES (?,?,?,?,?)"
)
#: Lengthen the lease of the current attempt.
EXTEND: Final = (
    "UPDATE jobs SET lease_until_ms=? WHERE instance=? AND id=? AND state='leased' AND attempt=?"
)
#: Note how far an attempt has come.
PROGRESS: Final = "UPDATE attempts SET detail=? WHERE instance=? AND job=? AND attempt=?"
#: Make a leased job ready again.
GIVE_BACK: Final = (
    "UPDATE jobs SET state='ready', ready_ms=?, worker=NULL, lease_until_ms=NULL"
    " WHERE instance=? AND id=? AND state='leased' AND attempt=?"
)
#: Jobs whose lease has ended.
EXPIRED: Final = "SELECT instance, id, attempt FROM jobs WHERE state='leased' AND lease_until_ms<=?"
#: Timers that are due.
DUE_TIMERS: Final = (
    f"SELECT instance, id FROM timers WHERE {_OF_RUN} AND due_ms<=?"
    " ORDER BY due_ms, instance, id LIMIT ?"
)
#: The next moment at which anything is due.
NEXT_DUE: Final = (
    f"SELECT min(due) FROM (SELECT min(due_ms) AS due FROM timers WHERE {_OF_RUN}"
    f" UNION ALL SELECT min(lease_until_ms) FROM jobs WHERE {_OF_RUN} AND state='leased'"
    f" UNION ALL SELECT min(due_ms) FROM outbox WHERE {_OF_RUN}"
    " UNION ALL SELECT min(due_ms) FROM schedules WHERE ?1 IS NULL"
    " UNION ALL SELECT min(kept_until_ms) FROM inbox WHERE ?1 IS NULL"
    " AND kept_until_ms IS NOT NULL) AS all_due"
)
#: What is to be sent now, in order.
DUE_OUTBOX: Final = (
    f"SELECT id, kind, instance, payload, tries FROM outbox WHERE {_OF_RUN} AND due_ms<=?"
    " ORDER BY id LIMIT ?"
)
#: Subscriptions that may take an event, by their age; those of messages are not among them.
LISTENERS: Final = (
    "SELECT instance, id FROM subscriptions WHERE after<?1 AND (type=?2 OR type IS NULL)"
    " AND (kind='event' OR (kind='signal' AND ?3 AND instance IS NOT ?4))"
    # Event sub-processes before boundary events: they may absorb what comes.
    " ORDER BY instance, scope IS NULL, id"
)
#: The running instance that has a conversation.
CONVERSATION: Final = (
    "SELECT c.instance FROM conversations c JOIN instances i ON i.id=c.instance"
    " WHERE c.digest=? AND c.key=? AND i.ended_ms IS NULL"
)
#: Give a conversation to an instance.
CONVERSE: Final = (
    "INSERT INTO conversations (digest, key, instance) VALUES (?,?,?)"
    " ON CONFLICT (digest, key) DO UPDATE SET instance=excluded.instance"
)

_RECEIVER: Final = "SELECT instance, id, type, news FROM subscriptions"
#: Subscriptions that may take a message, oldest first, whether it came before them or after.
RECEIVERS: Final = (
    f"{_RECEIVER} WHERE kind='message' AND (type=? OR type IS NULL)"
    " ORDER BY opened_ms, instance, id"
)
#: Subscriptions to which kept messages may be news.
RENEWED_RECEIVERS: Final = f"{_RECEIVER} WHERE news>0 ORDER BY opened_ms, instance, id LIMIT ?"
#: What is kept was offered to a subscription, unless there is more news by now.
SETTLE_RECEIVER: Final = "UPDATE subscriptions SET news=0 WHERE instance=? AND id=? AND news=?"
#: Data has changed in an instance: what is kept may match its subscriptions now.
RENEW: Final = (
    "UPDATE subscriptions AS s SET news=news+1 WHERE instance=? AND kind='message' AND"
    " (EXISTS(SELECT 1 FROM inbox AS i WHERE is_done=0 AND (s.type IS NULL OR i.type=s.type)) OR"
    " CASE WHEN s.type IS NULL THEN EXISTS(SELECT 1 FROM inbox WHERE kept_until_ms IS NOT NULL)"
    " ELSE EXISTS(SELECT 1 FROM inbox AS i WHERE kept_until_ms IS NOT NULL AND i.type=s.type) END)"
)
_INBOX: Final = "SELECT id, envelope, taken_by, received_ms FROM inbox"
#: Events not yet offered to everyone, in order of arrival.
OPEN_INBOX: Final = f"{_INBOX} WHERE is_done=0 ORDER BY id LIMIT ?"
#: Who took a message, and whether it is still here.
TAKER: Final = "SELECT taken_by, envelope IS NOT NULL FROM inbox WHERE id=?"
#: Give a message to its one taker. One that is still offered to listeners goes when that is done.
TAKE_MESSAGE: Final = (
    "UPDATE inbox SET taken_by=?, envelope=CASE WHEN is_done=0 THEN envelope END,"
    " kept_until_ms=NULL WHERE id=?"
)
#: Keep a message that nobody took.
KEEP: Final = (
    "UPDATE inbox SET is_done=1, kept_until_ms=? WHERE id=? AND is_done=0 AND taken_by IS NULL"
)
#: Kept messages a subscription that is still open may take, in order of arrival.
KEPT: Final = (
    f"{_INBOX} WHERE id>? AND kept_until_ms>? AND {{}} AND EXISTS("
    "SELECT 1 FROM subscriptions AS s WHERE s.instance=? AND s.id=?) ORDER BY id LIMIT ?"
)
#: Whether there are messages that were kept long enough.
EXPIRED_KEPT: Final = "SELECT 1 FROM inbox WHERE kept_until_ms<=? LIMIT 1"
#: Let go of messages that were kept long enough.
EXPIRE_KEPT: Final = "UPDATE inbox SET kept_until_ms=NULL, envelope=NULL WHERE kept_until_ms<=?"
#: Whether instances of some definition wait for messages of a type.
RECEIVES: Final = "SELECT 1 FROM message_types WHERE type IN (?,'') LIMIT 1"
