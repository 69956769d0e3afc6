"""DG122x to DG124x: events, what starts them and what they bring about."""

from ..declare import ERROR, INFO, WARNING, code

START_WITH_INCOMING = code(
    "DG1220",
    "start-with-incoming",
    ERROR,
    "a sequence flow leads to the start event `{event}`",
    why="A start event is where tokens come from, so none arrives there (10.5.2).",
    remedy="Lead the flow to the element behind the start event.",
    bad="bpmn/start-event/invalid-incoming.bpmn",
    good="bpmn/start-event/none.bpmn",
)
START_WITHOUT_OUTGOING = code(
    "DG1221",
    "start-without-outgoing",
    WARNING,
    "no sequence flow leaves the start event `{event}`",
    why="A start event is the source of a sequence flow; without one nothing is started (10.5.2).",
    remedy="Lead a sequence flow to the first element.",
    bad="bpmn/start-event/invalid-no-outgoing.bpmn",
    good="bpmn/start-event/none.bpmn",
)
START_TRIGGER = code(
    "DG1222",
    "start-trigger",
    ERROR,
    "the start event `{event}` of a process is started by {trigger}",
    why="A process is started by nothing, a message, a timer, a condition or a signal; the others "
    "only happen inside something that runs (10.5.2).",
    remedy="Use one of these, or put the event into an event sub-process.",
    bad="bpmn/start-event/invalid-error-trigger.bpmn",
    good="bpmn/start-event/none.bpmn",
)
START_OF_SUB_PROCESS_TRIGGER = code(
    "DG1223",
    "start-of-sub-process-trigger",
    ERROR,
    "the start event `{event}` of a sub-process is started by {trigger}",
    why="A sub-process starts when a token reaches it, so its start event waits for nothing "
    "(10.5.2).",
    remedy="Put a catch event behind the start, or make it an event sub-process.",
    bad="bpmn/sub-process/invalid-start-trigger.bpmn",
    good="bpmn/sub-process/embedded.bpmn",
)
START_WITHOUT_END = code(
    "DG1224",
    "start-without-end",
    WARNING,
    "there is a start event, `{event}`, and no end event beside it",
    why="Who marks where a process begins also marks where it ends (10.5.3).",
    remedy="Add an end event, or remove the start event.",
    bad="bpmn/start-event/invalid-without-end.bpmn",
    good="bpmn/start-event/none.bpmn",
)
END_WITHOUT_START = code(
    "DG1225",
    "end-without-start",
    WARNING,
    "there is an end event, `{event}`, and no start event beside it",
    why="Who marks where a process ends also marks where it begins (10.5.2, 10.5.3).",
    remedy="Add a start event, or remove the end event.",
    bad="bpmn/end-event/invalid-without-start.bpmn",
    good="bpmn/end-event/none.bpmn",
)
END_WITH_OUTGOING = code(
    "DG1226",
    "end-with-outgoing",
    ERROR,
    "a sequence flow leaves the end event `{event}`",
    why="An end event consumes the token, so nothing is left to go on (10.5.3).",
    remedy="Use an intermediate event, or remove the flow.",
    bad="bpmn/end-event/invalid-outgoing.bpmn",
    good="bpmn/end-event/none.bpmn",
)
END_WITHOUT_INCOMING = code(
    "DG1227",
    "end-without-incoming",
    WARNING,
    "no sequence flow leads to the end event `{event}`",
    why="An end event is the target of a sequence flow; without one it is never reached (10.5.3).",
    remedy="Lead a sequence flow to it, or remove it.",
    bad="bpmn/end-event/invalid-no-incoming.bpmn",
    good="bpmn/end-event/none.bpmn",
)
END_RESULT = code(
    "DG1228",
    "end-result",
    ERROR,
    "the end event `{event}` ends with {trigger}",
    why="An end event can send a message or signal, raise an error or escalation, cancel, "
    "compensate or terminate; it waits for nothing (10.5.3).",
    remedy="Put an intermediate event before the end.",
    bad="bpmn/end-event/invalid-timer.bpmn",
    good="bpmn/end-event/none.bpmn",
)
CANCEL_END_OUTSIDE_TRANSACTION = code(
    "DG1229",
    "cancel-end-outside-transaction",
    ERROR,
    "the end event `{event}` cancels, and no transaction is around it",
    why="What is cancelled is the transaction around the event (10.5.3).",
    remedy="Put the event into a transaction, or end with an error.",
    bad="bpmn/transaction/invalid-cancel-outside.bpmn",
    good="bpmn/transaction/cancelled.bpmn",
)
CATCH_TRIGGER = code(
    "DG1230",
    "catch-trigger",
    ERROR,
    "the intermediate event `{event}` waits for {trigger}",
    why="In the normal flow an event catches a message, a timer, a condition, a link or a signal "
    "(10.5.4).",
    remedy="Use one of these; errors, escalations and compensation are caught at a boundary.",
    bad="bpmn/intermediate-catch-event/invalid-error.bpmn",
    good="bpmn/intermediate-catch-event/timer.bpmn",
)
THROW_RESULT = code(
    "DG1231",
    "throw-result",
    ERROR,
    "the intermediate event `{event}` throws {trigger}",
    why="In the normal flow an event throws a message, an escalation, a compensation, a link or a "
    "signal, or nothing (10.5.4).",
    remedy="Use one of these, or an end event.",
    bad="bpmn/intermediate-throw-event/invalid-error.bpmn",
    good="bpmn/intermediate-throw-event/none.bpmn",
)
BOUNDARY_TRIGGER = code(
    "DG1232",
    "boundary-trigger",
    ERROR,
    "the boundary event `{event}` waits for {trigger}",
    why="At a boundary an event catches a message, a timer, an escalation, an error, a cancel, a "
    "compensation, a condition or a signal (10.5.4).",
    remedy="Add an event definition of this kind.",
    bad="bpmn/boundary-event/invalid-terminate.bpmn",
    good="bpmn/boundary-event/timer.bpmn",
)
NON_INTERRUPTING_TRIGGER = code(
    "DG1233",
    "non-interrupting-trigger",
    ERROR,
    "`{event}` catches {trigger} and does not interrupt",
    why="After an error or a cancel nothing is left that could go on beside it, and a compensation "
    "begins when the activity is over (10.5.2; 10.5.4).",
    remedy="Let the event interrupt; for something that goes on beside it use an escalation.",
    bad="bpmn/boundary-event/invalid-error-not-interrupting.bpmn",
    good="bpmn/boundary-event/timer.bpmn",
)
CANCEL_BOUNDARY_OUTSIDE_TRANSACTION = code(
    "DG1234",
    "cancel-boundary-outside-transaction",
    ERROR,
    "the boundary event `{event}` catches a cancel, and `{host}` is no transaction",
    why="Only a transaction can be cancelled (10.5.4).",
    remedy="Make the activity a transaction, or catch an error.",
    bad="bpmn/transaction/invalid-cancel-boundary-elsewhere.bpmn",
    good="bpmn/transaction/cancelled.bpmn",
)
BOUNDARY_WITH_INCOMING = code(
    "DG1235",
    "boundary-with-incoming",
    ERROR,
    "a sequence flow leads to the boundary event `{event}`",
    why="A boundary event waits while its activity runs; a token never arrives there (10.5.4).",
    remedy="Lead the flow to the activity, or use an event in the normal flow.",
    bad="bpmn/boundary-event/invalid-incoming.bpmn",
    good="bpmn/boundary-event/timer.bpmn",
)
BOUNDARY_WITHOUT_OUTGOING = code(
    "DG1236",
    "boundary-without-outgoing",
    WARNING,
    "no sequence flow leaves the boundary event `{event}`",
    why="What has been caught is handled on the path that leaves the event (10.5.4).",
    remedy="Lead a sequence flow to what handles it, if only to an end event.",
    bad="bpmn/boundary-event/invalid-no-outgoing.bpmn",
    good="bpmn/boundary-event/timer.bpmn",
)
COMPENSATION_BOUNDARY_WITH_FLOW = code(
    "DG1237",
    "compensation-boundary-with-flow",
    ERROR,
    "a sequence flow leaves the compensation event `{event}`",
    why="Compensation happens outside the normal flow: an association leads to its handler "
    "(10.5.4, 10.7.1).",
    remedy="Replace the sequence flow by an association.",
    bad="bpmn/compensation/invalid-sequence-flow.bpmn",
    good="bpmn/compensation/handler.bpmn",
)
COMPENSATION_WITHOUT_HANDLER = code(
    "DG1238",
    "compensation-without-handler",
    WARNING,
    "no association leads from the compensation event `{event}` to an activity",
    why="The activity that undoes the work is the one an association leads to (10.5.4, 10.7.1).",
    remedy="Add the compensating activity and an association to it.",
    bad="bpmn/compensation/invalid-no-handler.bpmn",
    good="bpmn/compensation/handler.bpmn",
)
COMPENSATION_HANDLER_UNMARKED = code(
    "DG1239",
    "compensation-handler-unmarked",
    WARNING,
    "`{activity}` compensates by the event `{event}` and is not marked `isForCompensation`",
    why="The mark keeps an activity out of the normal flow (10.3, 10.7.1).",
    remedy='Add `isForCompensation="true"` to the activity.',
    bad="bpmn/compensation/invalid-handler-unmarked.bpmn",
    good="bpmn/compensation/handler.bpmn",
)
LINK_WITH_FLOW = code(
    "DG1240",
    "link-with-flow",
    ERROR,
    "the link event `{event}` has {side} sequence flows",
    why="A link replaces a sequence flow: a flow leads to the throwing event, and one leaves the "
    "catching one (10.5.4).",
    remedy="Remove the flow on the side of the link.",
    bad="bpmn/link-event/invalid-outgoing.bpmn",
    good="bpmn/link-event/pair.bpmn",
)
LINK_NOT_ANSWERED = code(
    "DG1241",
    "link-not-answered",
    WARNING,
    "the link `{link}` leads to `{target}`, which does not name it as a source",
    why="The two ends of a link name each other (10.5.5).",
    remedy="Add a `source` child to the target, or correct the `target`.",
    bad="bpmn/link-event/invalid-not-answered.bpmn",
    good="bpmn/link-event/pair.bpmn",
)
LINK_END_MISSING = code(
    "DG1242",
    "link-end-missing",
    INFO,
    "the link of `{event}` names {count} `{end}`",
    why="A throwing link names the one link it leads to, a catching link those it comes from "
    "(10.5.5).",
    remedy="Add the reference; most tools pair links by their names alone.",
    bad="bpmn/link-event/invalid-no-target.bpmn",
    good="bpmn/link-event/pair.bpmn",
)
LINK_LEAVES_SCOPE = code(
    "DG1243",
    "link-leaves-scope",
    ERROR,
    "the link `{link}` leads to `{target}` on another level of the process",
    why="A link connects two places of one level, as a sequence flow does (10.5.4).",
    remedy="Move one of the two, or end the sub-process first.",
    bad="bpmn/link-event/invalid-into-sub-process.bpmn",
    good="bpmn/link-event/pair.bpmn",
)
EVENT_DEFINITION_SHARED = code(
    "DG1244",
    "event-definition-shared",
    WARNING,
    "the event definition `{definition}` of `{event}` is used by `{other}`, too",
    why="A definition inside a throwing event belongs to this event; only those of `definitions` "
    "are shared (10.5.1).",
    remedy="Move the definition to the top of the file and refer to it in both places.",
    bad="bpmn/event-definition/invalid-shared.bpmn",
    good="bpmn/event-definition/shared.bpmn",
)
MESSAGE_EVENT_WITHOUT_MESSAGE = code(
    "DG1245",
    "message-event-without-message",
    WARNING,
    "the message event `{event}` of an executable process names no message",
    why="To run it one has to know which message is sent or waited for (10.5.5).",
    remedy="Declare a `message` and name it in `messageRef`.",
    bad="bpmn/message-event/invalid-no-message.bpmn",
    good="bpmn/message-event/start.bpmn",
)
MESSAGE_EVENT_WITHOUT_OPERATION = code(
    "DG1246",
    "message-event-without-operation",
    INFO,
    "the message event `{event}` of an executable process names no operation",
    why="The standard sends and receives messages through the operations of interfaces (10.5.5); "
    "no engine of today needs them.",
    remedy="Add an `operationRef` where the file has to keep every rule of the standard.",
    bad="bpmn/message-event/invalid-no-operation.bpmn",
    good="bpmn/message-event/start.bpmn",
)
ESCALATION_WITHOUT_CODE = code(
    "DG1247",
    "escalation-without-code",
    WARNING,
    "the event `{event}` of an executable process raises an escalation without a code",
    why="By its code an escalation is caught (8.4.4).",
    remedy="Declare an `escalation` with an `escalationCode` and name it in `escalationRef`.",
    bad="bpmn/escalation-event/invalid-no-code.bpmn",
    good="bpmn/escalation-event/end.bpmn",
)
TIMER_AMBIGUOUS = code(
    "DG1248",
    "timer-ambiguous",
    ERROR,
    "the timer of `{event}` has {found}",
    why="A timer is a date, a duration or a cycle; of these exactly one is written (10.5.5).",
    remedy="Keep one of them.",
    bad="bpmn/timer-event/invalid-two-times.bpmn",
    good="bpmn/timer-event/duration.bpmn",
)
TIMER_MALFORMED = code(
    "DG1249",
    "timer-malformed",
    WARNING,
    "`{text}` is no {kind} of ISO 8601",
    why="A time that is written down and not computed follows ISO 8601 (10.5.5).",
    remedy="Write for instance `2026-07-01T12:00:00Z`, `PT15M` or `R3/PT1H`.",
    bad="bpmn/timer-event/invalid-duration.bpmn",
    good="bpmn/timer-event/duration.bpmn",
)
