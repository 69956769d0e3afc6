"""DG16xx: what becomes of a graph when it is written as BPMN."""

from .declare import ERROR, INFO, WARNING, code

NOTHING_TO_EXPORT = code(
    "DG1601",
    "nothing-to-export",
    ERROR,
    "there is no graph to export",
    why="Only what compiles to a graph can be written in another form.",
    remedy="Look at the errors of `diglot check` first.",
)
EXPORT_DIFFERS = code(
    "DG1602",
    "export-differs",
    ERROR,
    "the BPMN file would not be read as the graph that it was written from",
    why="What is exported is read again and compared; a file that means something else is not "
    "given out.",
    remedy="Report the document that the graph was compiled from, which shows a fault of the "
    "exporter. A graph that was made by hand may be none that any document has.",
)
GRAPH_CHANGED = code(
    "DG1603",
    "graph-changed",
    INFO,
    "the graph is no longer that of the BPMN file it was read from, and is drawn anew",
    why="Ids, lanes and the diagram of the file are kept only as long as the graph says what the "
    "file says.",
    remedy="Change the BPMN file instead of the graph where its drawing matters.",
)
CHARACTER_NOT_IN_XML = code(
    "DG1604",
    "character-not-in-xml",
    WARNING,
    "`{element}` has the character {character}, which XML has not; it is written as U+FFFD",
    why="XML 1.0 has no form for most control characters, not even as a reference.",
    remedy="Remove the character from the text.",
)
ATTRIBUTE_SET_ASIDE = code(
    "DG1605",
    "attribute-set-aside",
    INFO,
    "`{attribute}` of `{owner}` is written as `diglot:{attribute}`: {reason}",
    why="The schemas of BPMN do not take it there, and other readers would warn of it or refuse "
    "the file. It is put back where the file is read again.",
    remedy="Correct the attribute in the source, or remove it.",
)
ELEMENT_SET_ASIDE = code(
    "DG1606",
    "element-set-aside",
    WARNING,
    "`{element}` is written into the `extensionElements` of its `{owner}`: {reason}",
    why="The schemas of BPMN, or the readers of the field, do not take it where it stands. Other "
    "readers do not see it any more; it is put back where the file is read again.",
    remedy="Correct the element in the source, or remove it.",
)
PART_LEFT_OUT = code(
    "DG1607",
    "part-left-out",
    WARNING,
    "`{part}` of `{owner}` is left out: {reason}",
    why="The schemas of BPMN do not take it, and leave no place for what they do not take there.",
    remedy="Correct the source, or remove the part.",
)
PART_ADDED = code(
    "DG1608",
    "part-added",
    INFO,
    "`{owner}` gets a `{element}` that says nothing, because the schemas of BPMN ask for one",
    why="A file without it is not valid. An element is marked, and left out where the file is read "
    "again.",
    remedy="Say in the source what belongs there.",
)
ID_WRITTEN_OTHERWISE = code(
    "DG1609",
    "id-written-otherwise",
    INFO,
    "the id `{id}` is written as `{written}`",
    why="An id is there once in a file, begins with a letter or an underscore, and has ASCII "
    "letters, digits, `-`, `_` and `.` only: readers of the field refuse others. The author's id "
    "stands beside it, and holds again where the file is read.",
    remedy="Give the element such an id in the source.",
)
DRAWING_LEFT_OUT = code(
    "DG1610",
    "drawing-left-out",
    INFO,
    "`{shape}` of the diagram is left out: {reason}",
    why="A shape or an edge is there for one element of the model; readers of the field warn of "
    "others.",
    remedy="Remove it from the diagram of the source.",
)
NAMESPACE_WRITTEN_OTHERWISE = code(
    "DG1611",
    "namespace-written-otherwise",
    INFO,
    "the namespace `{namespace}` is written as `{written}`",
    why="XML readers refuse a namespace that is no URI.",
    remedy="Write the namespace in the source without the characters that URIs do not have.",
)
DRAWING_CORRECTED = code(
    "DG1612",
    "drawing-corrected",
    INFO,
    "`{shape}` of the diagram is corrected: {reason}",
    why="What is drawn has a place in numbers and belongs to the diagram of one element; readers "
    "of the field warn of anything else, or show it somewhere.",
    remedy="Correct it in the diagram of the source.",
)
MORE_ALTERATIONS = code(
    "DG1613",
    "more-alterations",
    INFO,
    "{finding} holds for {count} elements, of which not all are listed",
    why="A list of thousands of findings of one kind tells nobody more than its first ones.",
    remedy="Correct those that are listed, and export again.",
)
POOL_ADDED = code(
    "DG1614",
    "pool-added",
    INFO,
    "the process `{process}` gets a pool in the collaboration that it is drawn beside",
    why="Readers of the field show nothing of a process beside a collaboration that has no pool "
    "for it. The pool is marked, and left out where the file is read again.",
    remedy="Add a participant for the process in the source.",
)
EXPORT_TOO_LARGE = code(
    "DG1615",
    "export-too-large",
    ERROR,
    "the BPMN file would have {size} characters, and is larger than any that is read",
    why="Files are read up to a size and a number of elements, and what is exported has to be read "
    "again. With a diagram a file is several times as large as what it says.",
    remedy="Take parts of the process out, and call them.",
)
NAME_WRITTEN_OTHERWISE = code(
    "DG1616",
    "name-written-otherwise",
    INFO,
    "the name `{name}` is written as `{written}`",
    why="A name in XML has one colon at most, behind its prefix; XML readers refuse others.",
    remedy="Give the element or attribute another name in the source.",
)

PART_DAMAGED = code(
    "DG1650",
    "part-damaged",
    ERROR,
    "this `diglot:{part}` cannot be read: {problem}",
    why="What was exported from a graph is read by the parts that stand at its elements, and this "
    "one is none of them any more.",
    remedy="Export the graph again, or remove the element that it stands at.",
)
FLOW_BETWEEN_SCOPES = code(
    "DG1656",
    "flow-between-scopes",
    ERROR,
    "the flow `{flow}` leads into the middle of steps that run together, or out of it",
    why="A loop, a branch or an attempt that is drawn without a frame of its own still has one way "
    "in, to its first step, and one way out, from its last.",
    remedy="Let the flow lead to the first of the steps, or leave the last.",
)
EVENT_ATTACHED_ELSEWHERE = code(
    "DG1657",
    "event-attached-elsewhere",
    ERROR,
    "the event `{event}` cannot guard `{host}`, which has no steps inside",
    why="It tells what a whole attempt does when something happens in it, and its way on is that "
    "of the attempt.",
    remedy="Attach it to a sub-process, or remove it and draw another event.",
)
ADDED_WITHOUT_SCOPE = code(
    "DG1658",
    "added-without-scope",
    WARNING,
    "`{node}` is left out, because what is drawn around it only shows how one step works",
    why="Some steps of a graph are drawn as a sub-process for the reader. It is one step all the "
    "same, and nothing can run inside.",
    remedy="Draw the element before or behind the sub-process.",
)
PART_MISSING = code(
    "DG1659",
    "part-missing",
    ERROR,
    "the scope `{scope}`, which all of the process stands in, is nowhere in the file",
    why="What was exported from a graph is read by the parts that stand at its elements. That of "
    "the outermost scope stands at the process itself.",
    remedy="Export the graph again.",
)
PARTS_WITHOUT_GRAPH = code(
    "DG1660",
    "parts-without-graph",
    ERROR,
    "`{element}` shows parts of a graph, and its process has no `diglot:graph`",
    why="What was exported from a graph is read by its parts, and what they belong to is said at "
    "the process. Without it the element would be read as BPMN, and do something else.",
    remedy="Export the graph again, or remove the `diglot:part` elements.",
)
CHANGE_WITHOUT_EFFECT = code(
    "DG1661",
    "change-without-effect",
    WARNING,
    "what was changed at `{node}` has no effect: it does what its parts say",
    why="An element of an exported file follows its name, its documentation, its flows and their "
    "conditions. What else it shows (its kind, a time, a message, a script, a repetition) stands "
    "in full in its parts.",
    remedy="Change the workflow that the file was exported from, or remove the element and draw a "
    "new one.",
)
PART_TWICE = code(
    "DG1651",
    "part-twice",
    ERROR,
    "the {kind} `{id}` stands in line {line} already",
    why="Each part of a graph stands at one element. A copy of an element copies its parts too.",
    remedy="Remove the `diglot:part` elements of the copy; it is then read as BPMN is.",
)
PARTS_TOO_MANY = code(
    "DG1652",
    "parts-too-many",
    ERROR,
    "the process has more than {limit} nodes",
    why="No larger graph is laid out, whatever it is read from.",
    remedy="Take parts of the process out, and call them.",
)
PART_WITHOUT_SCOPE = code(
    "DG1653",
    "part-without-scope",
    WARNING,
    "`{part}` is left out, because what it ran in is gone",
    why="A step runs in a scope. That of this one was a sub-process that is nowhere in the file "
    "any more, or one that nothing enters: the event that led to it, for instance, was removed.",
    remedy="Remove the element as well, or add it anew where it belongs.",
)
CONDITION_WITHOUT_GATEWAY = code(
    "DG1654",
    "condition-without-gateway",
    WARNING,
    "the condition of the flow `{flow}` is left out, because it leaves no gateway that decides",
    why="Flows that were drawn into an exported file are joined to the graph's own nodes, of which "
    "only gateways decide.",
    remedy="Draw a gateway behind the activity, and let the flow leave it.",
)
DRAWN_FLOW_CHANGED = code(
    "DG1655",
    "drawn-flow-changed",
    WARNING,
    "where the flow `{flow}` leads now has no effect",
    why="It is no part of the graph, but shows what a part at one of its ends does.",
    remedy="Change the flows of the graph, or remove this one and draw it anew.",
)
