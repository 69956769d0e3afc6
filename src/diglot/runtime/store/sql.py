"""Every statement with its name and what it does."""

from __future__ import annotations

from typing import Final

#: The version of the tables' layout; a database of another version is refused by name.
LAYOUT: Final = "1"

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
    "jobs": (
        "INSERT INTO jobs (instance, id, visit, node, type, arguments, began_ms, state, ready_ms,"
        " attempt) VALUES (?,?,?,?,?,?,?,'ready',?,0) ON CONFLICT (instance, id) DO NOTHING"
    ),
    "timers": (
        "INSERT INTO timers (instance, id, purpose, due_ms, visit, scope, handler)"
        " VALUES (?,?,?,?,?,?,?) ON CONFLICT (instance, id) DO NOTHING"
    ),
    "subscriptions": (
        "INSERT INTO subscriptions (instance, id, visit, number, is_until, type, after)"
        " VALUES (?,?,?,?,?,?,?)"
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
    )
}
#: Put a CloudEvent into the inbox once; a second time takes no number either.
RECEIVE: Final = (
    "INSERT INTO inbox (source, event_id, envelope, received_ms, is_done) SELECT ?1,?2,?3,?4,0"
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
    " UNION ALL SELECT min(due_ms) FROM schedules WHERE ?1 IS NULL) AS all_due"
)
#: What is to be sent now, in order.
DUE_OUTBOX: Final = (
    f"SELECT id, kind, instance, payload, tries FROM outbox WHERE {_OF_RUN} AND due_ms<=?"
    " ORDER BY id LIMIT ?"
)
#: Subscriptions that may take an event, oldest first.
LISTENERS: Final = (
    "SELECT instance, id FROM subscriptions WHERE after<? AND (type=? OR type IS NULL)"
    " ORDER BY instance, id"
)
