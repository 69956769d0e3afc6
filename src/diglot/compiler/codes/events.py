"""DG08xx: events, those a workflow waits for and those it emits."""

from .declare import ERROR, WARNING, code

LISTEN_EMPTY_ALL = code(
    "DG0801",
    "listen-empty-all",
    ERROR,
    "`all` lists no event",
    why="All of nothing has come before the task starts, so it would wait for nothing.",
    remedy="List the events, or use `any: []` to take the next event of any kind.",
    bad="serverless-workflow/listen/invalid-empty-all.yaml",
    good="serverless-workflow/listen/all.yaml",
)
EMIT_WITHOUT_TYPE = code(
    "DG0802",
    "emit-without-type",
    ERROR,
    "the emitted event has no `type`",
    why="A CloudEvent has a type; id, source and time can be filled in, a type cannot.",
    remedy="Add `type`, such as `com.example.order.placed.v1`.",
    bad="serverless-workflow/emit/invalid-without-type.yaml",
    good="serverless-workflow/emit/event.yaml",
)
SCHEDULE_READ_ENVELOPE = code(
    "DG0803",
    "schedule-read-envelope",
    WARNING,
    "`{expression}` reads the event's envelope, the input holds only its data",
    why="By default a workflow that events start gets an array of their data.",
    remedy="Add `read: envelope` to the schedule, or drop `.data`.",
    bad="serverless-workflow/schedule/on-reads-data-of-data.yaml",
    good="serverless-workflow/schedule/on-read-envelope.yaml",
)
