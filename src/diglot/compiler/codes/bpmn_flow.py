"""DG15xx: what a BPMN model means as a flow, where the rules of the standard say nothing of it."""

from .declare import ERROR, INFO, WARNING, code

NOTHING_TO_RUN = code(
    "DG1501",
    "nothing-to-run",
    WARNING,
    "the file has no process with anything in it",
    why="Only processes run; pools without one, choreographies and conversations are pictures.",
    remedy="Add a process, or check the file only for what it shows.",
    bad="bpmn/participant/invalid-no-process.bpmn",
    good="bpmn/participant/multiplicity.bpmn",
)
NOTHING_BEGINS = code(
    "DG1502",
    "nothing-begins",
    WARNING,
    "nothing in `{scope}` gets the first token",
    why="There is no start event, and every element has incoming flows, so that no token ever "
    "comes to any of them and the scope completes at once.",
    remedy="Add a start event that leads to the first element.",
    bad="bpmn/process/invalid-nothing-begins.bpmn",
    good="bpmn/exclusive-gateway/default.bpmn",
)
FLOW_WITHOUT_CONDITION = code(
    "DG1503",
    "flow-without-condition",
    WARNING,
    "the flow `{flow}` of an exclusive gateway has no condition and is not the default",
    why="The flows are tried in the order of the file, and one without a condition is always "
    "taken: none behind it ever is.",
    remedy="Give the flow a condition, or make it the gateway's default.",
    bad="bpmn/exclusive-gateway/invalid-no-condition.bpmn",
    good="bpmn/exclusive-gateway/default.bpmn",
)
COMPLEX_WITHOUT_ACTIVATION = code(
    "DG1504",
    "complex-without-activation",
    WARNING,
    "the complex gateway `{gateway}` does not say when it goes on",
    why="Without an activation condition it works like an inclusive gateway, which waits for "
    "everything that can still come.",
    remedy="Give it an `activationCondition`, such as `activationCount >= 2`.",
    bad="bpmn/complex-gateway/invalid-no-activation.bpmn",
    good="bpmn/complex-gateway/first-answer.bpmn",
)
AWAITED_BY_ID = code(
    "DG1505",
    "awaited-by-id",
    INFO,
    "`{event}` does not say what it waits for, it waits for a message called `{event}`",
    why="An event without a time, a condition or a trigger could never happen; a message of its "
    "own id lets somebody say from outside that it did.",
    remedy="Write down what the event waits for.",
    bad="bpmn/timer-event/no-time.bpmn",
    good="bpmn/timer-event/duration.bpmn",
)
MESSAGE_WITHOUT_NAME = code(
    "DG1506",
    "message-without-name",
    INFO,
    "nothing says which message `{name}` sends or waits for, it is called `{name}`",
    why="A message is delivered by its name: that of the `message` it refers to, or of the message "
    "flow it stands at.",
    remedy="Let it refer to a `message`.",
    bad="bpmn/receive-task/unnamed.bpmn",
    good="bpmn/message-event/start.bpmn",
)
CORRELATION_KEY_INCOMPLETE = code(
    "DG1507",
    "correlation-key-incomplete",
    WARNING,
    "the message `{message}` carries only a part of the correlation key `{key}`",
    why="A key is compared as a whole. A message that does not have all its properties takes no "
    "part in the conversation.",
    remedy="Add a retrieval expression for this message to every property of the key.",
    bad="bpmn/correlation/invalid-part-of-a-key.bpmn",
    good="bpmn/correlation/key.bpmn",
)
TIME_UNREADABLE = code(
    "DG1508",
    "time-unreadable",
    ERROR,
    "the timer cannot be read: {problem}",
    why="A time is a date, a duration or a repeating interval of ISO 8601, a list of cron fields, "
    "or an expression that gives one of them.",
    remedy="Write it like `2030-01-31T09:00:00Z`, `PT15M` or `R3/PT10S`.",
    bad="bpmn/timer-event/invalid-unreadable.bpmn",
    good="bpmn/timer-event/duration.bpmn",
)
PARALLEL_START_OF_OTHER = code(
    "DG1509",
    "parallel-start-of-other",
    ERROR,
    "the start event `{event}` needs all of its triggers, and one is no message or signal",
    why="Until the last of them has come there is no instance that could keep a time or a "
    "condition.",
    remedy="Start with messages and signals, and wait for the rest inside the process.",
    bad="bpmn/start-event/invalid-parallel-timer.bpmn",
    good="bpmn/start-event/parallel-signals.bpmn",
)
RACE_OF_PARALLEL = code(
    "DG1510",
    "race-of-parallel",
    ERROR,
    "`{event}` waits for several things at once and takes part in the race of `{gateway}`",
    why="A race is decided by the first thing to happen, and here none of them decides alone.",
    remedy="Lead the flow to one of the events, and wait for the others behind it.",
    bad="bpmn/event-based-gateway/invalid-parallel-multiple.bpmn",
    good="bpmn/event-based-gateway/race.bpmn",
)
LINK_WITHOUT_CATCH = code(
    "DG1511",
    "link-without-catch",
    WARNING,
    "the link `{link}` leads nowhere",
    why="There is no catching link of that name on this level, so that its tokens end here.",
    remedy="Give a catching link event the same name.",
)
BOUNDARY_ELSEWHERE = code(
    "DG1512",
    "boundary-elsewhere",
    ERROR,
    "the boundary event `{event}` is attached to an activity of another scope",
    why="What it catches would have to leave one scope and go on in another.",
    remedy="Move the event to the scope of its activity.",
    bad="bpmn/boundary-event/invalid-other-scope.bpmn",
    good="bpmn/boundary-event/timer.bpmn",
)
COMPENSATION_ELSEWHERE = code(
    "DG1513",
    "compensation-elsewhere",
    ERROR,
    "`{event}` is compensated by `{activity}`, which stands in another scope",
    why="An activity is undone with the data it saw, which only its own scope has.",
    remedy="Move the compensating activity to the scope of what it undoes.",
)
COMPENSATION_SHARED = code(
    "DG1514",
    "compensation-shared",
    ERROR,
    "`{activity}` compensates more than `{event}`, and one of them runs several times",
    why="What runs several times is undone run by run, inside of each run, where an activity that "
    "also undoes something else cannot stand.",
    remedy="Give each of them a compensating activity of its own.",
    bad="bpmn/compensation/invalid-shared.bpmn",
    good="bpmn/compensation/handler.bpmn",
)
LOOP_MAXIMUM_BELOW_ONE = code(
    "DG1515",
    "loop-maximum-below-one",
    ERROR,
    "the loop runs at most {maximum} times",
    why="A maximum limits how often the activity runs, and below one it never does.",
    remedy="Make it 1 or more, or remove the attribute.",
    bad="bpmn/standard-loop/invalid-maximum.bpmn",
    good="bpmn/standard-loop/at-most-three-times.bpmn",
)
SCRIPT_MISSING = code(
    "DG1516",
    "script-missing",
    WARNING,
    "the script task `{task}` has no script and does nothing",
    why="There is nothing to run.",
    remedy="Add a `script`, or make it a task of another kind.",
    bad="bpmn/script-task/invalid-no-script.bpmn",
    good="bpmn/script-task/for-a-worker.bpmn",
)
SCRIPT_FOR_WORKER = code(
    "DG1517",
    "script-for-worker",
    INFO,
    "the script in `{language}` cannot be evaluated here, a worker has to run it",
    why="Only expressions whose every part has a counterpart in jq are evaluated by the machine.",
    remedy="Rewrite the script, or let a worker take jobs of the type `script-task`.",
    bad="bpmn/script-task/for-a-worker.bpmn",
    good="bpmn/script-task/listener.bpmn",
)
SCRIPT_NOT_RUN = code(
    "DG1518",
    "script-not-run",
    WARNING,
    "a script around `{owner}` is not run: it is in {language}",
    why="Scripts around an element have no worker; those in Python, JavaScript, FEEL and jq run "
    "here.",
    remedy="Rewrite it in one of these, or make it a task of its own.",
    bad="bpmn/script-task/invalid-listener.bpmn",
    good="bpmn/script-task/listener.bpmn",
)
OUTPUT_WITHOUT_ITEM = code(
    "DG1519",
    "output-without-item",
    WARNING,
    "`{activity}` collects outputs and does not say what one run gives",
    why="The collection is filled with the `outputDataItem` of each run.",
    remedy="Add an `outputDataItem`.",
    bad="bpmn/multi-instance/invalid-output-without-item.bpmn",
    good="bpmn/multi-instance/cardinality.bpmn",
)
BEHAVIOR_WITHOUT_EVENT = code(
    "DG1520",
    "behavior-without-event",
    WARNING,
    'the behavior "{behavior}" throws nothing',
    why="The runs of the activity throw the event that the behavior refers to, and it names none.",
    remedy="Name the event, or leave the behavior out.",
    bad="bpmn/multi-instance-behavior/invalid-no-event.bpmn",
    good="bpmn/multi-instance-behavior/each-run-throws.bpmn",
)
LOOP_WITHOUT_END = code(
    "DG1521",
    "loop-without-end",
    ERROR,
    "the loop of `{activity}` has no condition and no maximum",
    why="It would go on for ever.",
    remedy="Add a `loopCondition`, which is true as long as the loop goes on, or a `loopMaximum`.",
    bad="bpmn/standard-loop/invalid-no-end.bpmn",
    good="bpmn/standard-loop/at-most-three-times.bpmn",
)
SCRIPT_OUT_OF_PLACE = code(
    "DG1522",
    "script-out-of-place",
    WARNING,
    "a script around `{owner}` is not run: scripts run around activities and events",
    why="A process, a flow, a gateway, a compensation event and what starts instances by itself "
    "have no moment of their own before or after them.",
    remedy="Make it a script task in the flow.",
    bad="bpmn/script-task/invalid-listener-of-flow.bpmn",
    good="bpmn/script-task/listener.bpmn",
)
CALL_OF_NOTHING = code(
    "DG1523",
    "call-of-nothing",
    ERROR,
    "the call activity `{activity}` names nothing to call",
    why="It has no `calledElement`.",
    remedy="Name the process or the global task that it calls.",
    bad="bpmn/call-activity/invalid-nothing-called.bpmn",
    good="bpmn/call-activity/process.bpmn",
)
CALL_COMPUTED = code(
    "DG1524",
    "call-computed",
    ERROR,
    "the called process is computed: {called}",
    why="Which definition is called has to be known when the process is published.",
    remedy="Name the process, or decide between several call activities by a gateway.",
    bad="bpmn/call-activity/invalid-computed.bpmn",
    good="bpmn/call-activity/process.bpmn",
)
ASSIGNMENT_TARGET_UNREADABLE = code(
    "DG1525",
    "assignment-target-unreadable",
    ERROR,
    "the target of the assignment cannot be read: `{target}`",
    why="A target is a data element by its name or id, and steps into it.",
    remedy="Write it like `order` or `order/address/city`.",
    bad="bpmn/data-association/invalid-assignment-target.bpmn",
    good="bpmn/data-association/assignment.bpmn",
)
ASSOCIATION_WITHOUT_SOURCE = code(
    "DG1526",
    "association-without-source",
    WARNING,
    "the data association moves nothing",
    why="It has no source, no transformation and no assignment.",
    remedy="Name its source, or remove it.",
    bad="bpmn/data-association/invalid-moves-nothing.bpmn",
    good="bpmn/data-association/assignment.bpmn",
)
DATA_STORE_PER_INSTANCE = code(
    "DG1527",
    "data-store-per-instance",
    WARNING,
    "the data store `{store}` is kept with the instance and not shared",
    why="It is a variable of the process: other instances have their own, and it ends with them.",
    remedy="Read and write shared data in a service task.",
    bad="bpmn/data-store/invalid-shared.bpmn",
    good="bpmn/data-store/drawn-only.bpmn",
)
COLLECTION_LEFT_OUT = code(
    "DG1528",
    "collection-left-out",
    WARNING,
    "`{activity}` collects its outputs once, and not in `{collection}` as well",
    why="A multi-instance activity has one collection of outputs.",
    remedy="Collect everything in the first one, and divide it in a script behind the activity.",
    bad="bpmn/multi-instance/invalid-two-collections.bpmn",
    good="bpmn/multi-instance/flowable-aggregation.bpmn",
)
