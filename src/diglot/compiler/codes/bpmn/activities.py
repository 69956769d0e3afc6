"""DG125x to DG127x: sub-processes, tasks, calls, loops, services and expressions."""

from ..declare import ERROR, INFO, WARNING, code

EVENT_SUB_PROCESS_WITH_FLOW = code(
    "DG1250",
    "event-sub-process-with-flow",
    ERROR,
    "a sequence flow leads to or leaves the event sub-process `{scope}`",
    why="An event sub-process is started by its event and by nothing else (10.3.5).",
    remedy="Remove the flow, or make it a plain sub-process.",
    bad="bpmn/event-sub-process/invalid-incoming.bpmn",
    good="bpmn/event-sub-process/message.bpmn",
)
EVENT_SUB_PROCESS_START = code(
    "DG1251",
    "event-sub-process-start",
    ERROR,
    "the event sub-process `{scope}` has {count} start events",
    why="Its one start event says what starts it (10.3.5).",
    remedy="Keep one start event; make an event sub-process for each other one.",
    bad="bpmn/event-sub-process/invalid-two-starts.bpmn",
    good="bpmn/event-sub-process/message.bpmn",
)
EVENT_SUB_PROCESS_TRIGGER = code(
    "DG1252",
    "event-sub-process-trigger",
    ERROR,
    "the start event `{event}` of an event sub-process is started by {trigger}",
    why="It waits for a message, a timer, an escalation, an error, a compensation, a condition or "
    "a signal (10.5.2).",
    remedy="Add an event definition of this kind.",
    bad="bpmn/event-sub-process/invalid-link.bpmn",
    good="bpmn/event-sub-process/message.bpmn",
)
AD_HOC_EMPTY = code(
    "DG1253",
    "ad-hoc-empty",
    WARNING,
    "there is no activity in the ad-hoc sub-process `{scope}`",
    why="An ad-hoc sub-process is a set of activities to choose from (10.3.5).",
    remedy="Add an activity.",
    bad="bpmn/ad-hoc-sub-process/invalid-empty.bpmn",
    good="bpmn/ad-hoc-sub-process/two-tasks.bpmn",
)
AD_HOC_CONTENT = code(
    "DG1254",
    "ad-hoc-content",
    WARNING,
    "the ad-hoc sub-process `{scope}` holds `{content}`, a {kind}",
    why="Nothing begins or ends an ad-hoc sub-process but the choice of its activities (10.3.5).",
    remedy="Remove it, or make the sub-process a plain one.",
    bad="bpmn/ad-hoc-sub-process/invalid-start-event.bpmn",
    good="bpmn/ad-hoc-sub-process/two-tasks.bpmn",
)
SUB_PROCESS_WITH_DATA_INTERFACE = code(
    "DG1255",
    "sub-process-with-data-interface",
    WARNING,
    "the sub-process `{scope}` has an `ioSpecification`",
    why="A sub-process sees the data around it, so it has no inputs and outputs of its own "
    "(10.4.1).",
    remedy="Remove the `ioSpecification`, or use a call activity.",
    bad="bpmn/sub-process/invalid-data-interface.bpmn",
    good="bpmn/sub-process/embedded.bpmn",
)
CHOREOGRAPHY_IN_PROCESS = code(
    "DG1256",
    "choreography-in-process",
    ERROR,
    "`{activity}`, a {kind}, stands in a process",
    why="The activities of a choreography happen between participants, those of a process inside "
    "one (10.3.5, 11.5).",
    remedy="Use a task, or move it into a choreography.",
    bad="bpmn/process/invalid-choreography-task.bpmn",
    good="bpmn/process/public.bpmn",
)
QUANTITY_BELOW_ONE = code(
    "DG1260",
    "quantity-below-one",
    ERROR,
    "`{attribute}` of `{activity}` is {value}, it has to be 1 or more",
    why="An activity starts with at least one token and leaves at least one behind (10.3).",
    remedy="Write 1 or more, or leave the attribute out.",
    bad="bpmn/task/invalid-start-quantity.bpmn",
    good="bpmn/task/plain.bpmn",
)
SCRIPT_WITHOUT_FORMAT = code(
    "DG1261",
    "script-without-format",
    WARNING,
    "the script task `{task}` has a script and no `scriptFormat`",
    why="The format says in which language the script is written (10.3.3).",
    remedy='Add `scriptFormat`, such as `scriptFormat="text/javascript"`.',
    bad="bpmn/script-task/invalid-no-format.bpmn",
    good="bpmn/script-task/script.bpmn",
)
RECEIVE_STARTS_WITH_INCOMING = code(
    "DG1262",
    "receive-starts-with-incoming",
    ERROR,
    "the receive task `{task}` starts the process and has incoming flows",
    why="A task with `instantiate` is where an instance begins, so nothing comes before it "
    "(10.3.3).",
    remedy="Remove the incoming flow, or `instantiate`.",
    bad="bpmn/receive-task/invalid-instantiate-with-incoming.bpmn",
    good="bpmn/receive-task/message.bpmn",
)
RESOURCE_UNCLEAR = code(
    "DG1263",
    "resource-unclear",
    WARNING,
    "the {kind} `{role}` of `{activity}` {problem}",
    why="Who does the work is a resource, with parameters, or what an expression gives; not both "
    "(10.3).",
    remedy="Keep `resourceRef` with its bindings, or `resourceAssignmentExpression`.",
    bad="bpmn/user-task/invalid-two-assignments.bpmn",
    good="bpmn/user-task/performer.bpmn",
)
CALL_WITHOUT_NONE_START = code(
    "DG1264",
    "call-without-none-start",
    ERROR,
    "`{caller}` calls the process `{process}`, which has only start events with a trigger",
    why="A call is no trigger: it begins the called process at a start event without one (10.5.2).",
    remedy="Add a start event without a trigger to the called process.",
    bad="bpmn/call-activity/invalid-triggered-start.bpmn",
    good="bpmn/call-activity/process.bpmn",
)
CALL_DATA_DISAGREES = code(
    "DG1265",
    "call-data-disagrees",
    WARNING,
    "the data of the call activity `{call}` is not that of `{called}`: {problem}",
    why="A call has the inputs and outputs of what it calls (10.3.6).",
    remedy="Give both the same data inputs, outputs and sets.",
    bad="bpmn/call-activity/invalid-data.bpmn",
    good="bpmn/call-activity/data.bpmn",
)
LOOPS_TWICE = code(
    "DG1266",
    "loops-twice",
    ERROR,
    "`{activity}` is repeated in two ways",
    why="An activity is a loop or has several instances, not both (10.3, 10.3.8).",
    remedy="Keep one; put the activity into a sub-process that has the other.",
    bad="bpmn/multi-instance/invalid-two-loops.bpmn",
    good="bpmn/multi-instance/cardinality.bpmn",
)
INSTANCES_UNKNOWN = code(
    "DG1267",
    "instances-unknown",
    WARNING,
    "`{activity}` has several instances and does not say how many",
    why="The number of instances is a number or the size of a collection (10.3.8).",
    remedy="Add `loopCardinality` or `loopDataInputRef`.",
    bad="bpmn/multi-instance/invalid-unknown-number.bpmn",
    good="bpmn/multi-instance/cardinality.bpmn",
)
LOOP_DATA_UNKNOWN = code(
    "DG1268",
    "loop-data-unknown",
    WARNING,
    "the collection `{data}` of `{activity}` is none of its data inputs",
    why="A task reads only what its data inputs bring in (10.3.8).",
    remedy="Declare a data input for the collection and name it in `loopDataInputRef`.",
    bad="bpmn/multi-instance/invalid-collection-unknown.bpmn",
    good="bpmn/multi-instance/collection.bpmn",
)
LOOP_ITEM_TYPE = code(
    "DG1269",
    "loop-item-type",
    WARNING,
    "the `{item}` of `{activity}` is not one item of the collection `{data}`",
    why="Each instance has one item of the collection, so it has the kind of the items and is no "
    "collection itself (10.3.8).",
    remedy="Give both the same item definition, and the item no `isCollection`.",
    bad="bpmn/multi-instance/invalid-item-type.bpmn",
    good="bpmn/multi-instance/collection.bpmn",
)
SERVICE_SETS = code(
    "DG1270",
    "service-sets",
    WARNING,
    "the service task `{task}` has {count} {sets}",
    why="An operation takes one message and gives at most one, so the task has one input set and "
    "at most one output set (10.3.3).",
    remedy="Keep one set.",
    bad="bpmn/service-task/invalid-two-output-sets.bpmn",
    good="bpmn/service-task/operation.bpmn",
)
OPERATION_ITEM = code(
    "DG1271",
    "operation-item",
    WARNING,
    "the data {side} of `{task}` is not what the {message} message of `{operation}` carries",
    why="The input of the task becomes the message of the operation, and its answer becomes the "
    "output (10.3.3).",
    remedy="Use the item definition of the operation's message.",
    bad="bpmn/service-task/invalid-input-type.bpmn",
    good="bpmn/service-task/operation.bpmn",
)
MESSAGE_TASK_SETS = code(
    "DG1272",
    "message-task-sets",
    WARNING,
    "the {kind} `{task}` has {count} {sets}",
    why="A message carries one thing, so the task that sends or receives it has at most one data "
    "input or output (10.3.3).",
    remedy="Keep one.",
    bad="bpmn/send-task/invalid-two-inputs.bpmn",
    good="bpmn/send-task/message.bpmn",
)
MESSAGE_TASK_ITEM = code(
    "DG1273",
    "message-task-item",
    WARNING,
    "the data of `{task}` is not what the message `{message}` carries",
    why="What is sent or received is the item of the message (10.3.3).",
    remedy="Use the item definition of the message.",
    bad="bpmn/send-task/invalid-input-type.bpmn",
    good="bpmn/send-task/message.bpmn",
)
SERVICE_WITHOUT_BINDING = code(
    "DG1274",
    "service-without-binding",
    WARNING,
    "`{element}` is offered as a service and binds no operation",
    why="An `ioBinding` says which data each operation of the interface becomes (10.4.1).",
    remedy="Add an `ioBinding`, or remove `supportedInterfaceRef`.",
    bad="bpmn/process/invalid-no-binding.bpmn",
    good="bpmn/process/service.bpmn",
)
BINDING_ITEM = code(
    "DG1275",
    "binding-item",
    WARNING,
    "the {side} `{data}` is not what the {message} message of `{operation}` carries",
    why="A binding connects data with an operation, so both are of one kind (10.4.1).",
    remedy="Use the item definition of the operation's message.",
    bad="bpmn/process/invalid-binding-type.bpmn",
    good="bpmn/process/service.bpmn",
)
EXPRESSION_NOT_FORMAL = code(
    "DG1276",
    "expression-not-formal",
    WARNING,
    "`{expression}` of an executable process is not marked as a formal expression",
    why="An expression without the mark is prose for people, which no engine can evaluate (8.4.6).",
    remedy='Add `xsi:type="tFormalExpression"`.',
    bad="bpmn/expression/invalid-not-formal.bpmn",
    good="bpmn/expression/formal.bpmn",
)
EXPRESSION_EMPTY = code(
    "DG1277",
    "expression-empty",
    WARNING,
    "`{expression}` has no text",
    why="The text of a formal expression is the expression (8.4.6).",
    remedy="Write the expression, or remove the element.",
    bad="bpmn/expression/invalid-empty.bpmn",
    good="bpmn/expression/formal.bpmn",
)
CONDITION_CONSTANT = code(
    "DG1278",
    "condition-constant",
    WARNING,
    "`{expression}` is the constant {text}, which is neither true nor false",
    why="The condition of a behaviour is true or false (10.3.8).",
    remedy="Compare the value with something.",
    bad="bpmn/multi-instance/invalid-behavior-constant.bpmn",
    good="bpmn/multi-instance/cardinality.bpmn",
)
MEDIA_TYPE_MALFORMED = code(
    "DG1279",
    "media-type-malformed",
    INFO,
    "`{attribute}` is `{value}`, which is no media type",
    why="The standard writes formats as media types, such as `text/plain` (8.3.2, 8.4.1, 10.3.3); "
    "most tools write the bare name of a language.",
    remedy="Write the media type where the file has to keep every rule of the standard.",
    bad="bpmn/script-task/invalid-format.bpmn",
    good="bpmn/script-task/script.bpmn",
)
