"""DG129x, DG1257 to DG1259: collaborations, choreographies, references and imports."""

from ..declare import ERROR, WARNING, code

MESSAGE_FLOW_END = code(
    "DG1290",
    "message-flow-end",
    WARNING,
    "the `{end}` of the message flow `{flow}` is `{target}`, a {kind}, which {problem}",
    why="Messages are sent by pools, activities and throwing events, and received by pools, "
    "activities and catching events (7.6.2, 9.4, 10.5).",
    remedy="Lead the message flow to something that sends or receives.",
    bad="bpmn/message-flow/invalid-from-start-event.bpmn",
    good="bpmn/message-flow/two-pools.bpmn",
)
MESSAGE_FLOW_IN_POOL = code(
    "DG1291",
    "message-flow-in-pool",
    WARNING,
    "both ends of the message flow `{flow}` are in one pool",
    why="A message goes from one participant to another (9.4).",
    remedy="Use a sequence flow inside a pool.",
    bad="bpmn/message-flow/invalid-in-one-pool.bpmn",
    good="bpmn/message-flow/two-pools.bpmn",
)
MESSAGE_FLOW_WITHOUT_MESSAGE_EVENT = code(
    "DG1292",
    "message-flow-without-message-event",
    WARNING,
    "the message flow `{flow}` {direction} `{event}`, which is no message event",
    why="A start event receives and an end event sends a message only if it is defined by one "
    "(10.5.2, 10.5.3).",
    remedy="Add a `messageEventDefinition` to the event.",
    bad="bpmn/message-flow/invalid-to-none-start.bpmn",
    good="bpmn/message-flow/two-pools.bpmn",
)
PARTICIPANT_COUNT = code(
    "DG1293",
    "participant-count",
    ERROR,
    "the participant `{participant}` takes part at least {minimum} and at most {maximum} times",
    why="The minimum is not negative, the maximum is one or more and not below the minimum "
    "(9.3.1).",
    remedy="Correct the numbers; without any a participant takes part up to once.",
    bad="bpmn/participant/invalid-multiplicity.bpmn",
    good="bpmn/participant/multiplicity.bpmn",
)
CHOREOGRAPHY_REFERENCE = code(
    "DG1294",
    "choreography-reference",
    WARNING,
    "the {kind} `{element}` refers to a choreography",
    why="A collaboration may say which choreography it follows; a choreography and a global "
    "conversation follow none (9.2, 9.5, 11.3).",
    remedy="Remove `choreographyRef`.",
    bad="bpmn/choreography/invalid-reference.bpmn",
    good="bpmn/choreography/referenced.bpmn",
)
CLOSED_DISAGREES = code(
    "DG1295",
    "closed-disagrees",
    WARNING,
    "`isClosed` of `{collaboration}` is not that of the choreography `{choreography}`",
    why="Whether further messages may be exchanged is the same for a collaboration and the "
    "choreography it follows (9.2).",
    remedy="Give both the same `isClosed`.",
    bad="bpmn/choreography/invalid-closed.bpmn",
    good="bpmn/choreography/referenced.bpmn",
)
GLOBAL_CONVERSATION_CONTENT = code(
    "DG1296",
    "global-conversation-content",
    WARNING,
    "the global conversation `{conversation}` holds a {kind}",
    why="A global conversation is participants, message flows and correlation keys, to be called "
    "from elsewhere (9.5).",
    remedy="Use a collaboration for the rest.",
    bad="bpmn/conversation/invalid-global-content.bpmn",
    good="bpmn/conversation/global.bpmn",
)
PUBLIC_PROCESS_EXECUTABLE = code(
    "DG1297",
    "public-process-executable",
    WARNING,
    "the public process `{process}` is marked as executable",
    why="A public process shows only what others see of it, which is not enough to run it (10.1).",
    remedy="Make the process private, or not executable.",
    bad="bpmn/process/invalid-public-executable.bpmn",
    good="bpmn/process/public.bpmn",
)
REFERENCE_TYPE = code(
    "DG1298",
    "reference-type",
    ERROR,
    "`{reference}` of `{owner}` names `{target}`, a {kind}; it names {expected}",
    why="What a reference means depends on what it names (the class diagrams of 8 to 11).",
    remedy="Name an element of the right kind.",
    bad="bpmn/reference/invalid-type.bpmn",
    good="bpmn/receive-task/message.bpmn",
)
IMPORT_UNREADABLE = code(
    "DG1299",
    "import-unreadable",
    WARNING,
    "the imported file `{location}` {problem}",
    why="What is imported is a part of the model, and references into it have no meaning without "
    "it (8.2.2).",
    remedy="Put the file where the import looks for it, or remove the import.",
)
URI_MALFORMED = code(
    "DG1257",
    "uri-malformed",
    WARNING,
    "`{attribute}` is `{value}`, which is no URI",
    why="Languages, methods and namespaces are named by URIs (8.2.1, 8.4.6, 10.3.5).",
    remedy="Escape what a URI cannot hold as %20 and the like, or correct the address.",
    bad="bpmn/transaction/invalid-method.bpmn",
    good="bpmn/transaction/cancelled.bpmn",
)
ID_IMPORTED_TWICE = code(
    "DG1258",
    "id-imported-twice",
    WARNING,
    "{count} id(s) of the namespace `{namespace}` stand in {first} and in {second}, such as `{id}`",
    why="Files of one namespace share their ids, so a reference could mean either element "
    "(8.2.1, 8.2.2).",
    remedy="Give one of the files another `targetNamespace`, or its elements other ids.",
)
IMPORT_NOT_READ = code(
    "DG1259",
    "import-not-read",
    WARNING,
    "the import of `{location}` is not followed",
    why="A file is read alone where nobody says how to find others, so references into the "
    "imported one stay open (8.2.2).",
    remedy="Put what is needed into this file.",
    bad="bpmn/definitions/import.bpmn",
    good="bpmn/process/public.bpmn",
)
