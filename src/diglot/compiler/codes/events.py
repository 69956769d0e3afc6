"""DG08xx: events, those a workflow waits for and those it emits."""

from .declare import ERROR, INFO, WARNING, code

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
MESSAGE_WITHOUT_KEY = code(
    "DG0810",
    "message-without-key",
    INFO,
    "`{event}` waits for the message `{message}` without a correlation key, and {situation}",
    why="A message goes to one receiver. Without a key nobody can tell whose it is, and whoever "
    "has waited longest gets it.",
    remedy="Give the message a correlation key, such as an order number that is in the message and "
    "in the data of the process.",
    bad="bpmn/intermediate-catch-event-message/in-multi-instance.bpmn",
    good="bpmn/correlation/key.bpmn",
)
KEY_CONSTANT = code(
    "DG0811",
    "key-constant",
    WARNING,
    "the correlation key `{key}` of `{event}` {problem}",
    why="A key tells apart who waits by a value that is in the event and in the data of each "
    "instance; one that is always the same tells nobody apart.",
    remedy="Read the key from the event, and compare it with data of the instance.",
    bad="serverless-workflow/correlation/constant-key.yaml",
    good="serverless-workflow/correlation/expect-expression.yaml",
)
MESSAGE_STARTS_TWICE = code(
    "DG0812",
    "message-starts-twice",
    WARNING,
    "the message `{message}` is to start both `{one}` and `{other}`",
    why="A message goes to one receiver: the first of the two starts takes every one of them, and "
    "the other never begins.",
    remedy="Use two messages, one start with a decision behind it, or a signal, which starts both.",
    bad="bpmn/start-event-message/one-process-of-two.bpmn",
    good="bpmn/message-event/start.bpmn",
)
MESSAGE_AWAITED_TWICE = code(
    "DG0813",
    "message-awaited-twice",
    WARNING,
    "`{one}` and `{other}` wait for the message `{message}` at the same time, with the same key",
    why="A message goes to one receiver, the one that has waited longest. Here that is always the "
    "same one, and the other gets nothing.",
    remedy="Use two messages or two keys, or a signal, which reaches both.",
    bad="bpmn/boundary-event-message/absorbed-inside.bpmn",
    good="bpmn/message-event/start.bpmn",
)
NAME_NOT_COMPUTED = code(
    "DG0814",
    "name-not-computed",
    WARNING,
    "the name of the {kind} `{name}` looks like an expression and is taken as it stands",
    why="Messages and signals are delivered by their names, which are known before anything runs.",
    remedy="Give it a fixed name, and put what differs into a correlation key or into its data.",
    bad="bpmn/message-event/computed-name.bpmn",
    good="bpmn/message-event/start.bpmn",
)
START_READS_DATA = code(
    "DG0815",
    "start-reads-data",
    WARNING,
    "`{start}` reads {what} before an instance begins, when there is no data",
    why="What starts instances is looked at before there is one: data that it compares with is "
    "always null.",
    remedy="Compare with what is known beforehand, or decide behind the start.",
    bad="bpmn/start-event-conditional/without-variables.bpmn",
    good="bpmn/start-event-conditional/true-when-published.bpmn",
)
NOBODY_CATCHES = code(
    "DG0816",
    "nobody-catches",
    INFO,
    "nobody here waits for the {kind} `{name}` that `{event}` sends",
    why="The definitions of this document exchange events with each other, and this one is awaited "
    "by none of them. It may be meant for somebody else.",
    remedy="Correct the name, or let something wait for it.",
    bad="bpmn/message-event/nobody-waits.bpmn",
    good="bpmn/message-event/start.bpmn",
)
NOBODY_SENDS = code(
    "DG0817",
    "nobody-sends",
    INFO,
    "nobody here sends the {kind} `{name}` that `{event}` waits for",
    why="The definitions of this document exchange events with each other, and this one is sent by "
    "none of them. It may come from somebody else.",
    remedy="Correct the name, or let something send it.",
    bad="bpmn/message-event/nobody-sends.bpmn",
    good="bpmn/message-event/start.bpmn",
)
ATTRIBUTE_NAME = code(
    "DG0818",
    "attribute-name",
    WARNING,
    "`{name}` is no attribute that an event may have: {problem}",
    why="CloudEvents names attributes by lower-case letters and digits; brokers and other engines "
    "drop or refuse what is named otherwise.",
    remedy="Put it into the event's `data`, or rename it.",
    bad="serverless-workflow/event-properties/attribute-name.yaml",
    good="serverless-workflow/emit/event.yaml",
)
