"""DG120x and DG121x: sequence flows and gateways."""

from ..declare import ERROR, WARNING, code

SEQUENCE_FLOW_END = code(
    "DG1201",
    "sequence-flow-end",
    ERROR,
    "the `{end}` of the sequence flow `{flow}` is `{target}`, a {kind}",
    why="A token goes from one activity, gateway or event to another; artifacts and data hold none "
    "(7.6.1, 8.4.13).",
    remedy="Lead the flow to a flow node; connect an artifact with an association.",
    bad="bpmn/sequence-flow/invalid-end-at-annotation.bpmn",
    good="bpmn/sequence-flow/plain.bpmn",
)
SEQUENCE_FLOW_LEAVES_SCOPE = code(
    "DG1202",
    "sequence-flow-leaves-scope",
    ERROR,
    "the sequence flow `{flow}` leads from `{source}` to `{target}`, across a border of {border}",
    why="A pool and a sub-process are entered and left as a whole: no sequence flow crosses their "
    "border (7.6.1, 9.3).",
    remedy="Use a message flow between pools; lead the flow to the sub-process itself.",
    bad="bpmn/sequence-flow/invalid-into-sub-process.bpmn",
    good="bpmn/sequence-flow/plain.bpmn",
)
SEQUENCE_FLOW_NOT_LISTED = code(
    "DG1203",
    "sequence-flow-not-listed",
    WARNING,
    "the sequence flow `{flow}` is not listed by {nodes}",
    why="A flow node lists each of its flows in an `incoming` or `outgoing` child; some tools draw "
    "only what is listed (8.4.13).",
    remedy="Add the `outgoing` child to the source and the `incoming` child to the target.",
    bad="bpmn/sequence-flow/invalid-not-listed.bpmn",
    good="bpmn/sequence-flow/plain.bpmn",
)
SEQUENCE_FLOW_LISTED_ELSEWHERE = code(
    "DG1204",
    "sequence-flow-listed-elsewhere",
    WARNING,
    "`{node}` lists `{flow}` as {side}, and the flow's `{end}` is `{actual}`",
    why="The ends of a flow are what its `sourceRef` and `targetRef` say; the list of the node has "
    "to agree with them (8.4.13).",
    remedy="Remove the child, or correct the end of the flow.",
    bad="bpmn/sequence-flow/invalid-listed-elsewhere.bpmn",
    good="bpmn/sequence-flow/plain.bpmn",
)
CONDITION_ON_ONLY_FLOW = code(
    "DG1205",
    "condition-on-only-flow",
    WARNING,
    "the sequence flow `{flow}` has a condition and is the only one that leaves `{node}`",
    why="A conditional flow out of an activity stands beside another one, because the "
    "token has to go somewhere if the condition is false (10.3).",
    remedy="Remove the condition, or add a flow for the other case.",
    bad="bpmn/sequence-flow/invalid-condition-on-only-flow.bpmn",
    good="bpmn/sequence-flow/conditional.bpmn",
)
DEFAULT_FLOW_LEAVES_ELSEWHERE = code(
    "DG1206",
    "default-flow-leaves-elsewhere",
    ERROR,
    "the default flow `{flow}` of `{node}` does not leave it",
    why="A default is taken when no condition is true; one that starts elsewhere can never be "
    "taken here (10.6.2).",
    remedy="Point `default` at a sequence flow whose source is this element.",
    bad="bpmn/exclusive-gateway/invalid-default-elsewhere.bpmn",
    good="bpmn/exclusive-gateway/default.bpmn",
)
SEQUENCE_FLOW_NOT_IMMEDIATE = code(
    "DG1207",
    "sequence-flow-not-immediate",
    WARNING,
    'the sequence flow `{flow}` of an executable process says `isImmediate="false"`',
    why="Nothing that is not in the model happens between two steps of a process that is run "
    "(8.4.13).",
    remedy="Remove the attribute, or mark the process as not executable.",
    bad="bpmn/sequence-flow/invalid-not-immediate.bpmn",
    good="bpmn/sequence-flow/plain.bpmn",
)
NODE_WITHOUT_INCOMING = code(
    "DG1208",
    "node-without-incoming",
    WARNING,
    "no sequence flow leads to `{node}`",
    why="Where a start event begins the process, everything else is begun by a flow that leads to "
    "it (10.3, 10.5.4, 10.6.1).",
    remedy="Lead a sequence flow to it, or remove it.",
    bad="bpmn/sequence-flow/invalid-nothing-leads-here.bpmn",
    good="bpmn/sequence-flow/plain.bpmn",
)
NODE_WITHOUT_OUTGOING = code(
    "DG1209",
    "node-without-outgoing",
    WARNING,
    "no sequence flow leaves `{node}`",
    why="Where an end event ends the process, every path leads to one (10.3, 10.5.4, 10.6.1).",
    remedy="Lead a sequence flow on to an end event.",
    bad="bpmn/sequence-flow/invalid-nothing-leaves-here.bpmn",
    good="bpmn/sequence-flow/plain.bpmn",
)
GATEWAY_DIRECTION_DISAGREES = code(
    "DG1210",
    "gateway-direction-disagrees",
    WARNING,
    "the gateway `{gateway}` says it is {direction}, and has {incoming} incoming and {outgoing} "
    "outgoing flows",
    why="A converging gateway has one outgoing flow, a diverging one one incoming flow, a mixed "
    "one several of both (10.6.1).",
    remedy="Correct `gatewayDirection`, or the flows; the attribute may be left out.",
    bad="bpmn/parallel-gateway/invalid-direction.bpmn",
    good="bpmn/parallel-gateway/direction.bpmn",
)
GATEWAY_DECIDES_NOTHING = code(
    "DG1211",
    "gateway-decides-nothing",
    WARNING,
    "the gateway `{gateway}` neither splits nor merges: {incoming} incoming and {outgoing} "
    "outgoing flows",
    why="A gateway controls how flows diverge or converge, so it has several of one kind (10.6.1).",
    remedy="Add the missing flow, or remove the gateway.",
    bad="bpmn/exclusive-gateway/invalid-decides-nothing.bpmn",
    good="bpmn/exclusive-gateway/default.bpmn",
)
RACE_WITHOUT_CHOICE = code(
    "DG1212",
    "race-without-choice",
    WARNING,
    "the event-based gateway `{gateway}` has {count} outgoing flow(s), it needs two",
    why="The first of several events decides which path is taken, so there are at least two "
    "(10.6.6).",
    remedy="Add the other event, or wait for the one event without a gateway.",
    bad="bpmn/event-based-gateway/invalid-one-event.bpmn",
    good="bpmn/event-based-gateway/race.bpmn",
)
RACE_WITH_CONDITION = code(
    "DG1213",
    "race-with-condition",
    WARNING,
    "the flow `{flow}` leaves the event-based gateway `{gateway}` and has a condition",
    why="Which path is taken is decided by the event that happens first, never by data (10.6.6).",
    remedy="Remove the condition; put it behind the event.",
    bad="bpmn/event-based-gateway/invalid-condition.bpmn",
    good="bpmn/event-based-gateway/race.bpmn",
)
RACE_TARGET = code(
    "DG1214",
    "race-target",
    ERROR,
    "the flow `{flow}` of the event-based gateway `{gateway}` leads to `{target}`, a {kind}",
    why="Only something that waits can be first: a receive task, or an intermediate event that "
    "catches a message, a signal, a timer or a condition (10.6.6).",
    remedy="Lead the flow to such an event, and from it to this element.",
    bad="bpmn/event-based-gateway/invalid-target-task.bpmn",
    good="bpmn/event-based-gateway/race.bpmn",
)
RACE_MIXES_RECEIVERS = code(
    "DG1215",
    "race-mixes-receivers",
    WARNING,
    "the event-based gateway `{gateway}` waits for messages by events and by receive tasks",
    why="The two are not mixed in one configuration (10.6.6).",
    remedy="Use message events only, or receive tasks only.",
    bad="bpmn/event-based-gateway/invalid-mixed-receivers.bpmn",
    good="bpmn/event-based-gateway/race.bpmn",
)
RACE_TASK_WITH_BOUNDARY = code(
    "DG1216",
    "race-task-with-boundary",
    WARNING,
    "the receive task `{task}` of an event-based gateway has the boundary event `{event}`",
    why="The task is one of the events that are waited for, and nothing is attached to such an "
    "event (10.6.6).",
    remedy="Make the boundary event another branch of the gateway.",
    bad="bpmn/event-based-gateway/invalid-boundary-on-receive-task.bpmn",
    good="bpmn/event-based-gateway/race.bpmn",
)
RACE_TARGET_SHARED = code(
    "DG1217",
    "race-target-shared",
    WARNING,
    "`{target}` is waited for by an event-based gateway and has other incoming flows",
    why="What an event-based gateway waits for has no incoming flow but that of the gateway "
    "(10.6.6).",
    remedy="Lead the other flow to an event of its own.",
    bad="bpmn/event-based-gateway/invalid-target-shared.bpmn",
    good="bpmn/event-based-gateway/race.bpmn",
)
RACE_STARTS_WITH_INCOMING = code(
    "DG1218",
    "race-starts-with-incoming",
    ERROR,
    "the event-based gateway `{gateway}` starts the process and has incoming flows",
    why="A gateway with `instantiate` is where an instance begins, so nothing comes before it "
    "(10.6.6).",
    remedy="Remove the incoming flow, or `instantiate`.",
    bad="bpmn/event-based-gateway/invalid-instantiate-with-incoming.bpmn",
    good="bpmn/event-based-gateway/race.bpmn",
)
