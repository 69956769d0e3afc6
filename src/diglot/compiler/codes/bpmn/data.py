"""DG128x: data objects, inputs and outputs, and how data moves."""

from ..declare import INFO, WARNING, code

COLLECTION_DISAGREES = code(
    "DG1280",
    "collection-disagrees",
    WARNING,
    "`{data}` is {data_is}, and its item definition `{item}` is {item_is}",
    why="Whether something is a collection is said twice, and both have to agree (10.4.1).",
    remedy="Correct `isCollection` in one of the two places.",
    bad="bpmn/data-object/invalid-collection.bpmn",
    good="bpmn/data-object/reference.bpmn",
)
DATA_STATE_NAME = code(
    "DG1281",
    "data-state-name",
    INFO,
    "the reference `{reference}` is called `{name}` and not `{expected}`",
    why="A reference to a data object is named after the object and its state (10.4.1).",
    remedy="Call it so, or leave the name out.",
    bad="bpmn/data-object/invalid-state-name.bpmn",
    good="bpmn/data-object/reference.bpmn",
)
DATA_IN_NO_SET = code(
    "DG1282",
    "data-in-no-set",
    WARNING,
    "the {kind} `{data}` is in no {set}",
    why="An activity waits for a set of inputs and produces a set of outputs, so each belongs to "
    "one (10.4.1).",
    remedy="Name it in a set.",
    bad="bpmn/data-input/invalid-in-no-set.bpmn",
    good="bpmn/data-input/one-set.bpmn",
)
SET_MEMBER_UNLISTED = code(
    "DG1283",
    "set-member-unlisted",
    WARNING,
    "`{data}` is in the `{list}` of a set and not in its `{members}`",
    why="What is optional or used while the activity runs is a part of the set (10.4.1).",
    remedy="Name it in both.",
    bad="bpmn/data-input/invalid-optional-unlisted.bpmn",
    good="bpmn/data-input/one-set.bpmn",
)
SETS_DISAGREE = code(
    "DG1284",
    "sets-disagree",
    WARNING,
    "`{set}` names `{other}`, which does not name it back",
    why="An input set and the output set that belongs to it name each other (10.4.1).",
    remedy="Add the reference to the other set, or remove this one.",
    bad="bpmn/data-input/invalid-sets-disagree.bpmn",
    good="bpmn/data-input/two-sets.bpmn",
)
DATA_ASSOCIATION_ITEM = code(
    "DG1285",
    "data-association-item",
    WARNING,
    "the association copies `{source}` to `{target}`, which holds another kind of item",
    why="Without a transformation data is copied as it is, so both ends hold the same kind "
    "(10.4.1).",
    remedy="Use one item definition, or add a transformation.",
    bad="bpmn/data-association/invalid-type.bpmn",
    good="bpmn/data-association/copy.bpmn",
)
DATA_ASSOCIATION_SOURCES = code(
    "DG1286",
    "data-association-sources",
    INFO,
    "the data association of `{owner}` has {count} sources and no transformation",
    why="Without a transformation one source is copied; several need an expression that joins them "
    "(10.4.1).",
    remedy="Keep one `sourceRef`, or add a transformation.",
    bad="bpmn/data-association/invalid-two-sources.bpmn",
    good="bpmn/data-association/copy.bpmn",
)
EVENT_DATA_COUNT = code(
    "DG1287",
    "event-data-count",
    WARNING,
    "the event `{event}` has {data} {kind} and {definitions} event definitions",
    why="Each event definition has its own data, in the same order (10.5.1).",
    remedy="Give the event as many as it has event definitions, or none.",
    bad="bpmn/event-definition/invalid-data-count.bpmn",
    good="bpmn/event-definition/data.bpmn",
)
EVENT_DATA_ITEM = code(
    "DG1288",
    "event-data-item",
    WARNING,
    "`{data}` of the event `{event}` is not what its {trigger} carries",
    why="The data of an event is that of its message, signal, error or escalation (10.5.1).",
    remedy="Use the same item definition.",
    bad="bpmn/event-definition/invalid-data-type.bpmn",
    good="bpmn/event-definition/data.bpmn",
)
PROCESS_DATA_REVERSED = code(
    "DG1289",
    "process-data-reversed",
    WARNING,
    "the association {problem} `{data}`, a {kind} of the process",
    why="The caller fills the data inputs of a process and reads its outputs; inside it is the "
    "other way round (10.4.1).",
    remedy="Use a data object for what is kept inside the process.",
    bad="bpmn/data-association/invalid-into-process-input.bpmn",
    good="bpmn/data-association/copy.bpmn",
)
