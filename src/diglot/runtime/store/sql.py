"""Every statement with its name and what it does."""

from __future__ import annotations

from typing import Final

#: Its layout, what engines have to know to live with it, and which version made it so.
STAMP: Final = "SELECT key, value FROM meta WHERE key IN ('layout', 'engines', 'version')"

#: The number of the instance with an id.
_NUMBER: Final = "(SELECT number FROM instances WHERE id=?)"
#: Ids of one run (`?1`): its instance and those below it, whose ids begin with its own and a dot
#: (the character behind the dot is the slash).
_IDS: Final = "({0}=?1 OR ({0}>?1||'.' AND {0}<?1||'/'))"
#: Rows of one run, or of every one if there is none.
_OF_RUN: Final = (
    f"(CAST(?1 AS TEXT) IS NULL OR run IN (SELECT number FROM instances WHERE {_IDS.format('id')}))"
)
_SENT_BY_RUN: Final = f"(CAST(?1 AS TEXT) IS NULL OR {_IDS.format('instance')})"

#: Insert an instance with its first events.
INSERT_INSTANCE: Final = (
    "INSERT INTO instances (id, definition, status, sequence, counter, input, output, error,"
    " parent, parent_visit, tenant, started_ms, ended_ms) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"
    " ON CONFLICT (id) DO NOTHING"
)
#: Move an instance on, if its last event is still the one the command was decided on.
UPDATE_INSTANCE: Final = (
    "UPDATE instances SET status=?, sequence=?, counter=?, output=?, error=?, ended_ms=?"
    " WHERE number=? AND sequence=?"
)
#: The same, of one that goes on as it was: what it is found by does not change.
UPDATE_RUNNING: Final = "UPDATE instances SET sequence=?, counter=? WHERE number=? AND sequence=?"
#: The number that an instance has in its history.
NUMBER: Final = "SELECT number FROM instances WHERE id=?"
#: Append the events of one command.
INSERT_EVENTS: Final = (
    "INSERT INTO events (run, sequence, count, at_ms, payload, is_whole, job, attempt, worker,"
    " leased_ms, progress) VALUES (?,?,?,?,?,?,?,?,?,?,?)"
)
#: Forget the history before the whole state that was written down before another one.
FORGET: Final = (
    "DELETE FROM events WHERE run=?1 AND sequence<(SELECT max(sequence) FROM events"
    " WHERE run=?1 AND sequence<?2 AND is_whole IS NOT NULL)"
)
#: The events of one instance behind some event, in their order.
HISTORY: Final = (
    "SELECT sequence, at_ms, payload FROM events"
    f" WHERE run={_NUMBER} AND sequence>? ORDER BY sequence"
)
#: Who holds a job.
JOB_HOLDER: Final = (
    "SELECT state, attempt, worker, leased_ms, progress, mutex FROM jobs WHERE run=? AND id=?"
)
#: Write down an attempt that ends without a result, while the job is still here.
END_ATTEMPT: Final = (
    "INSERT INTO attempts (run, job, attempt, worker, leased_ms, ended_ms, outcome, error,"
    " progress) SELECT run, id, attempt, worker, leased_ms, ?, ?, ?, progress FROM jobs"
    " WHERE run=? AND id=? AND state='leased'"
)
#: Every attempt of a job that has ended.
ATTEMPTS: Final = (
    "SELECT attempt, worker, leased_ms, ended_ms, outcome, progress, error, late_ms, late, NULL"
    " FROM attempts"
    " WHERE run=(SELECT number FROM instances WHERE id=?1) AND job=?2 UNION ALL"
    " SELECT attempt, worker, leased_ms, at_ms, NULL, progress, NULL, NULL, NULL, payload"
    " FROM events"
    " WHERE run=(SELECT number FROM instances WHERE id=?1) AND job=?2 UNION ALL"
    " SELECT attempt, worker, leased_ms, NULL, NULL, progress, NULL, NULL, NULL, NULL FROM jobs"
    " WHERE run=(SELECT number FROM instances WHERE id=?1) AND id=?2 AND state='leased' ORDER BY 1"
)

#: Whether there is a message of the type `?6` (of any, if it is null) that a subscription which
#: opens now may find kept: it is kept, or may be before the subscription is looked at.
_IS_NEWS: Final = (
    "EXISTS(SELECT 1 FROM inbox WHERE is_done=0 AND (CAST(?6 AS TEXT) IS NULL OR type=?6)) OR"
    " CASE WHEN CAST(?6 AS TEXT) IS NULL"
    " THEN EXISTS(SELECT 1 FROM inbox WHERE kept_until_ms IS NOT NULL)"
    " ELSE EXISTS(SELECT 1 FROM inbox WHERE kept_until_ms IS NOT NULL AND type=?6) END"
)
#: Write a row that is alive, by table.
PUT: Final = {
    "scopes": (
        "INSERT INTO scope_visits (run, id, scope, payload) VALUES (?,?,?,?)"
        " ON CONFLICT (run, id) DO UPDATE SET payload=excluded.payload"
    ),
    "visits": (
        "INSERT INTO node_visits (run, id, node, payload) VALUES (?,?,?,?)"
        " ON CONFLICT (run, id) DO UPDATE SET payload=excluded.payload"
    ),
    "arrivals": (
        "INSERT INTO arrivals (run, id, node, payload) VALUES (?,?,?,?)"
        " ON CONFLICT (run, id) DO NOTHING"
    ),
    "items": (
        "INSERT INTO item_results (run, id, visit, position, payload) VALUES (?,?,?,?,?)"
        " ON CONFLICT (run, id) DO NOTHING"
    ),
    "kept": (
        "INSERT INTO compensations (run, id, holder, node, payload) VALUES (?,?,?,?,?)"
        " ON CONFLICT (run, id) DO NOTHING"
    ),
    "jobs": (
        "INSERT INTO jobs (run, id, visit, node, type, arguments, sees, began_ms, tenant, rank,"
        " mutex, is_once, start_by_ms, most_lease_ms, run_ms, state, ready_ms, attempt)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,'ready',?,0) ON CONFLICT (run, id)"
        " DO UPDATE SET arguments=excluded.arguments, sees=excluded.sees"
    ),
    "timers": (
        "INSERT INTO timers (run, id, purpose, due_ms, visit, scope, handler, part, repeat)"
        " VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT (run, id) DO NOTHING"
    ),
    "subscriptions": (
        "INSERT INTO subscriptions (run, id, visit, number, is_until, type, scope, handler,"
        " kind, after, opened_ms, news) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,"
        f" CASE WHEN ?9='message' AND ({_IS_NEWS}) THEN 1 ELSE 0 END)"
        " ON CONFLICT (run, id) DO NOTHING"
    ),
}
#: Give a variable a value.
ASSIGN: Final = (
    "INSERT INTO variables (run, scope, name, payload) VALUES (?,?,?,?)"
    " ON CONFLICT (run, scope, name) DO UPDATE SET payload=excluded.payload"
)
#: Take the variables of a scope visit away.
UNASSIGN: Final = "DELETE FROM variables WHERE run=? AND scope=?"
#: The variables of a scope visit.
SHOWN: Final = "SELECT name, payload FROM variables WHERE run=? AND scope=?"
#: Take a row away that is no longer alive, by table.
TAKE: Final = {
    name: f"DELETE FROM {table} WHERE run=? AND id=?"
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
_JOB: Final = (
    "SELECT run, id, node, type, arguments, sees, attempt, tenant, mutex, most_lease_ms, run_ms,"
    " progress, (SELECT i.id FROM instances AS i WHERE i.number=run) AS instance"
)
#: The jobs of a run that a worker may have now.
READY_JOBS: Final = (
    f"{_JOB} FROM jobs WHERE {_OF_RUN}"
    " AND state='ready' AND type IN ({types}) AND ready_ms<=?"
    " ORDER BY rank, ready_ms, run, id LIMIT ?"
)
#: One job, if a worker may have it now.
READY_JOB: Final = (
    f"{_JOB} FROM jobs WHERE run={_NUMBER} AND id=? AND state='ready' AND ready_ms<=?"
)
#: The tenants that have ready jobs of a type (`?1`), each found behind the one before.
TENANTS: Final = (
    "WITH RECURSIVE found(tenant) AS ("
    "SELECT min(tenant) FROM jobs WHERE state='ready' AND type=?1 UNION ALL"
    " SELECT (SELECT min(tenant) FROM jobs WHERE state='ready' AND type=?1 AND tenant>f.tenant)"
    " FROM found AS f WHERE f.tenant IS NOT NULL)"
    " SELECT tenant FROM found WHERE tenant IS NOT NULL"
)
#: The jobs of one type and tenant that a worker may have now, as far as their keys are free.
_READY_OF: Final = (
    f"{_JOB} FROM jobs WHERE state='ready' AND type=?1 AND tenant=?2 AND ready_ms<=?3"
    " AND (mutex IS NULL OR NOT EXISTS (SELECT 1 FROM mutexes AS m"
    " WHERE m.tenant=jobs.tenant AND m.name=jobs.mutex))"
)
_IN_TURN: Final = " ORDER BY rank, ready_ms, run, id LIMIT ?4"
READY_OF: Final = _READY_OF + _IN_TURN
#: The same, but none of instances that have so many out already.
READY_OF_OTHERS: Final = (
    f"{_READY_OF} AND run NOT IN (SELECT o.run FROM jobs AS o WHERE o.state='leased'"
    f" GROUP BY o.run HAVING count(*)>=?5){_IN_TURN}"
)
#: Take a key, if it is free.
HOLD_MUTEX: Final = (
    "INSERT INTO mutexes (tenant, name, run, job) VALUES (?,?,?,?)"
    " ON CONFLICT (tenant, name) DO NOTHING"
)
#: Let go of the key of a job, if it holds one.
FREE_MUTEX: Final = "DELETE FROM mutexes WHERE run=? AND job=?"
#: How many jobs may be out.
LIMITS: Final = "SELECT kind, name, most FROM limits"
#: How many are out: of a tenant, of a type, of an instance.
OUT: Final = {
    "tenant": "SELECT count(*) FROM jobs WHERE state='leased' AND tenant=?",
    "type": "SELECT count(*) FROM jobs WHERE state='leased' AND type=?",
    "instance": "SELECT count(*) FROM jobs WHERE run=? AND state='leased'",
}
#: Say how many jobs may be out.
LIMIT: Final = (
    "INSERT INTO limits (kind, name, most) VALUES (?,?,?)"
    " ON CONFLICT (kind, name) DO UPDATE SET most=excluded.most"
)
#: Jobs nobody has had in time.
UNSTARTED: Final = (
    "SELECT i.id, j.id FROM jobs AS j JOIN instances AS i ON i.number=j.run"
    " WHERE start_by_ms IS NOT NULL AND start_by_ms<=? AND state='ready' AND attempt=0"
    " ORDER BY start_by_ms, run, j.id LIMIT ?"
)
#: Every job that a worker has now.
LEASED: Final = f"{_JOB}, worker, lease_until_ms FROM jobs WHERE state='leased' ORDER BY run, id"
#: Give a ready job to a worker.
LEASE: Final = (
    "UPDATE jobs SET state='leased', attempt=?, worker=?, leased_ms=?, lease_until_ms=?"
    " WHERE run=? AND id=? AND state='ready'"
)
#: Lengthen the lease of the current attempt.
EXTEND: Final = "UPDATE jobs SET lease_until_ms=? WHERE run=? AND id=?"
#: Note how far an attempt has come.
PROGRESS: Final = "UPDATE jobs SET progress=? WHERE run=? AND id=?"
#: The instance, by its number, if an attempt is the current one; and its limits.
HOLDS: Final = (
    "SELECT run, leased_ms, most_lease_ms, run_ms FROM jobs"
    f" WHERE run={_NUMBER} AND id=? AND state='leased' AND attempt=?"
)
#: Make a job ready again that is out.
GIVE_BACK: Final = (
    "UPDATE jobs SET state='ready', ready_ms=?, worker=NULL, leased_ms=NULL, lease_until_ms=NULL"
    " WHERE run=? AND id=?"
)
#: Let a job wait until somebody has found out what its last attempt did.
DOUBT: Final = "UPDATE jobs SET state='unknown', lease_until_ms=NULL WHERE run=? AND id=?"
#: The instance, by its number, if nobody knows what was done of a job.
DOUBTS: Final = f"SELECT run FROM jobs WHERE run={_NUMBER} AND id=? AND state='unknown'"
#: Jobs of which nobody knows what was done.
DOUBTED: Final = f"{_JOB}, worker, leased_ms FROM jobs WHERE state='unknown' ORDER BY run, id"
#: Jobs whose lease has ended.
EXPIRED: Final = (
    "SELECT run, id, attempt, is_once,"
    " (SELECT i.id FROM instances AS i WHERE i.number=run) AS instance"
    " FROM jobs WHERE state='leased' AND lease_until_ms<=?"
)
#: Whether an attempt gave the result of its job, and the events that this caused.
RESULT: Final = f"SELECT payload FROM events WHERE run={_NUMBER} AND job=? AND attempt=?"
#: Note what came too late, the first time.
LATE: Final = (
    f"UPDATE attempts SET late_ms=?, late=? WHERE run={_NUMBER} AND job=? AND attempt=?"
    " AND late_ms IS NULL"
)
#: Whether an attempt ended without a result.
ENDED: Final = f"SELECT 1 FROM attempts WHERE run={_NUMBER} AND job=? AND attempt=?"
#: Instances that can go on.
_CAN_GO_ON: Final = "run NOT IN (SELECT s.run FROM stalls AS s)"
#: Timers that are due.
DUE_TIMERS: Final = (
    "SELECT i.id, t.id FROM timers AS t JOIN instances AS i ON i.number=t.run"
    f" WHERE {_OF_RUN} AND due_ms<=? AND {_CAN_GO_ON} ORDER BY due_ms, run, t.id LIMIT ?"
)
#: The next moment at which anything is due.
NEXT_DUE: Final = (
    f"SELECT min(due) FROM (SELECT min(due_ms) AS due FROM timers WHERE {_OF_RUN} AND {_CAN_GO_ON}"
    f" UNION ALL SELECT min(lease_until_ms) FROM jobs WHERE {_OF_RUN} AND state='leased'"
    f" UNION ALL SELECT min(start_by_ms) FROM jobs WHERE {_OF_RUN} AND state='ready'"
    " AND start_by_ms IS NOT NULL AND attempt=0"
    f" UNION ALL SELECT min(due_ms) FROM outbox WHERE {_SENT_BY_RUN}"
    " UNION ALL SELECT min(due_ms) FROM stalls"
    " UNION ALL SELECT min(due_ms) FROM schedules WHERE CAST(?1 AS TEXT) IS NULL"
    " UNION ALL SELECT min(kept_until_ms) FROM inbox WHERE CAST(?1 AS TEXT) IS NULL"
    " AND kept_until_ms IS NOT NULL) AS all_due"
)
#: What is to be sent now, in order.
DUE_OUTBOX: Final = (
    f"SELECT id, kind, instance, payload, tries FROM outbox WHERE {_SENT_BY_RUN} AND due_ms<=?"
    " ORDER BY id LIMIT ?"
)
#: Subscriptions that may take an event, by their age; those of messages are not among them.
LISTENERS: Final = (
    "SELECT i.id, s.id FROM subscriptions AS s JOIN instances AS i ON i.number=s.run"
    " WHERE after<?1 AND (type=?2 OR type IS NULL)"
    " AND (kind='event' OR (kind='signal' AND ?3=1 AND (CAST(?4 AS TEXT) IS NULL OR i.id<>?4)))"
    # Event sub-processes before boundary events: they may absorb what comes.
    " ORDER BY run, scope IS NULL, s.id"
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

_RECEIVER: Final = (
    "SELECT i.id, s.id, type, news FROM subscriptions AS s JOIN instances AS i ON i.number=s.run"
)
#: Subscriptions that may take a message, oldest first, whether it came before them or after.
RECEIVERS: Final = (
    f"{_RECEIVER} WHERE kind='message' AND (type=? OR type IS NULL) ORDER BY opened_ms, run, s.id"
)
#: Subscriptions to which kept messages may be news.
RENEWED_RECEIVERS: Final = f"{_RECEIVER} WHERE news>0 ORDER BY opened_ms, run, s.id LIMIT ?"
#: What is kept was offered to a subscription, unless there is more news by now.
SETTLE_RECEIVER: Final = f"UPDATE subscriptions SET news=0 WHERE run={_NUMBER} AND id=? AND news=?"
#: Data has changed in an instance: what is kept may match its subscriptions now.
RENEW: Final = (
    "UPDATE subscriptions AS s SET news=news+1 WHERE run=? AND kind='message' AND"
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
    f"SELECT 1 FROM subscriptions AS s WHERE s.run={_NUMBER} AND s.id=?) ORDER BY id LIMIT ?"
)
#: Whether there are messages that were kept long enough.
EXPIRED_KEPT: Final = "SELECT 1 FROM inbox WHERE kept_until_ms<=? LIMIT 1"
#: Let go of messages that were kept long enough.
EXPIRE_KEPT: Final = "UPDATE inbox SET kept_until_ms=NULL, envelope=NULL WHERE kept_until_ms<=?"
#: Whether instances of some definition wait for messages of a type.
RECEIVES: Final = "SELECT 1 FROM message_types WHERE type IN (?,'') LIMIT 1"

#: Note that an instance cannot go on: why, since when, and when it is looked at again.
STALL: Final = (
    "INSERT INTO stalls (run, reason, since_ms, due_ms, tries)"
    " SELECT number,?2,?3,?3+?4,1 FROM instances WHERE id=?1 AND ended_ms IS NULL"
    " ON CONFLICT (run) DO UPDATE SET reason=excluded.reason, tries=stalls.tries+1,"
    " due_ms=excluded.due_ms"
)
#: How often an instance was found like this.
STALLED: Final = f"SELECT tries FROM stalls WHERE run={_NUMBER}"
#: Give none of its jobs out; give them out again.
HOLD_JOBS: Final = (
    f"UPDATE jobs SET state='stalled' WHERE run={_NUMBER} AND state='ready'"
    " AND run IN (SELECT s.run FROM stalls AS s)"
)
FREE_JOBS: Final = f"UPDATE jobs SET state='ready' WHERE run={_NUMBER} AND state='stalled'"
#: What cannot go on, with the reason.
STALLS: Final = (
    "SELECT i.id, s.reason FROM stalls AS s JOIN instances AS i ON i.number=s.run"
    " WHERE CAST(?1 AS BIGINT) IS NULL OR s.due_ms<=?1 ORDER BY s.due_ms, s.run LIMIT ?2"
)
#: It can go on.
END_STALL: Final = f"DELETE FROM stalls WHERE run={_NUMBER}"
#: Kept messages may be news to it.
RENEW_ALL: Final = f"UPDATE subscriptions SET news=news+1 WHERE run={_NUMBER} AND kind='message'"
#: Keep an event for it.
PUT_OFF: Final = (
    "INSERT INTO undelivered (run, number, subscription, envelope)"
    " SELECT number,?2,?3,?4 FROM instances WHERE id=?1"
    " ON CONFLICT (run, number, subscription) DO NOTHING"
)
#: The events that were kept for it, in order of arrival; and let go of one.
UNDELIVERED: Final = (
    f"SELECT number, subscription, envelope FROM undelivered WHERE run={_NUMBER}"
    " ORDER BY number, subscription LIMIT ?"
)
DELIVERED: Final = f"DELETE FROM undelivered WHERE run={_NUMBER} AND number=? AND subscription=?"
