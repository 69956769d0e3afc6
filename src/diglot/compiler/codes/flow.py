"""DG03xx: structure and flow, of a document's tasks and of the graph."""

from .declare import ERROR, INFO, WARNING, code

DUPLICATE_TASK_NAME = code(
    "DG0301",
    "duplicate-task-name",
    ERROR,
    "the task name `{task}` stands twice in this list, first in line {first}",
    why="A `then` with this name could mean either task.",
    remedy="Give each task of a list a name of its own; other lists may use the name again.",
    bad="serverless-workflow/do/invalid-duplicate-task-name.yaml",
    good="serverless-workflow/do/same-name-in-two-scopes.yaml",
)
UNKNOWN_THEN_TARGET = code(
    "DG0302",
    "unknown-then-target",
    ERROR,
    "`then` names `{target}`, and this list has no such task",
    why="A flow directive is continue, exit, end or the name of a task in the same list.",
    remedy="Correct the name, or add the task to this list.",
    bad="serverless-workflow/flow-directive/invalid-unknown-target.yaml",
    good="serverless-workflow/flow-directive/jump-forward.yaml",
)
THEN_LEAVES_SCOPE = code(
    "DG0303",
    "then-leaves-scope",
    ERROR,
    "`then` names `{target}`, which stands in another list ({where})",
    why="A flow directive reaches only the tasks of its own list: neither the lists around it nor "
    "those inside other tasks.",
    remedy="Use `exit` to leave this list, and put the jump on the task that holds the list.",
    bad="serverless-workflow/flow-directive/invalid-outer-scope.yaml",
    good="serverless-workflow/flow-directive/exit-nested-do.yaml",
)
THEN_IN_BRANCH = code(
    "DG0304",
    "then-in-branch",
    ERROR,
    "a branch of a fork jumps to `{target}`",
    why="The branches of a fork run at the same time, so none of them can hand over to another.",
    remedy="Use continue, exit or end; put tasks that follow each other into a `do` branch.",
    bad="serverless-workflow/fork/invalid-then-in-branch.yaml",
    good="serverless-workflow/fork/sequence-in-branch.yaml",
)
TWO_DEFAULTS = code(
    "DG0305",
    "two-defaults",
    ERROR,
    "the switch has two cases without `when`: `{first}` and `{second}`",
    why="Wherever in the list it stands, a case without `when` is the default, so there can be "
    "only one.",
    remedy="Add a `when` to one of the two, or remove it.",
    bad="serverless-workflow/switch/invalid-two-defaults.yaml",
    good="serverless-workflow/switch/default-first.yaml",
)
TASK_NAME_RESERVED = code(
    "DG0306",
    "task-name-reserved",
    WARNING,
    "a task is called `{task}`, which as a `then` is a directive",
    why="`continue`, `exit` and `end` always mean the directive, so no `then` can reach this task.",
    remedy="Give the task another name.",
    bad="serverless-workflow/do/reserved-task-name.yaml",
    good="serverless-workflow/do/sequence.yaml",
)
TASK_NAME_ESCAPED = code(
    "DG0307",
    "task-name-escaped",
    INFO,
    "the task name `{task}` is written `{escaped}` in pointers",
    why="Errors and events name tasks by JSON pointers, in which ~ and / are escaped.",
    remedy="Use a name without ~ and /, or expect the escaped form.",
    bad="serverless-workflow/do/task-name-with-slash.yaml",
    good="serverless-workflow/do/sequence.yaml",
)
UNREACHABLE_TASK = code(
    "DG0308",
    "unreachable-task",
    WARNING,
    "the task `{task}` is never reached",
    why="Every task before it goes elsewhere, and no `then` names it.",
    remedy="Remove the task, or let a `then` lead to it.",
    bad="serverless-workflow/flow-directive/unreachable-task.yaml",
    good="serverless-workflow/flow-directive/jump-forward.yaml",
)
ENDLESS_LOOP = code(
    "DG0309",
    "endless-loop",
    ERROR,
    "the tasks {tasks} follow each other for ever without waiting for anything",
    why="Nothing inside the loop waits for time, events or work, so it would spin until the "
    "engine stops the instance.",
    remedy="Add a way out (a switch), or a `wait`, `listen` or `call` inside the loop.",
    bad="serverless-workflow/flow-directive/invalid-endless-loop.yaml",
    good="serverless-workflow/flow-directive/polling-loop.yaml",
    is_judged=True,
)
SWITCH_FALLS_THROUGH = code(
    "DG0310",
    "switch-falls-through",
    WARNING,
    "after `{task}`, the target of one case, `{next}` runs, the target of another",
    why="A case is only a jump: the task it leads to continues with the next one of the list, "
    "whichever case chose it.",
    remedy="End each target with a `then` of its own, such as `exit` or a common next task.",
    bad="serverless-workflow/switch/cases-fall-through.yaml",
    good="serverless-workflow/switch/cases-meet-again.yaml",
)
EXPORT_IN_BRANCH = code(
    "DG0311",
    "export-in-branch",
    WARNING,
    "what this branch exports is lost when the branches join",
    why="Each branch of a fork works on a copy of `$context`, so branches cannot overwrite each "
    "other; the copies are dropped at the join.",
    remedy="Return the data as the branch's output and use `export` on the fork.",
    bad="serverless-workflow/fork/export-in-branch.yaml",
    good="serverless-workflow/fork/export-after-join.yaml",
)
EXTENSION_RAISE_AFTER = code(
    "DG0312",
    "extension-raise-after",
    WARNING,
    "tasks after a `raise` never run",
    why="A raise task always ends with an error, and `after` runs only when a task completes.",
    remedy="Use `before`, or catch the error with a `try`.",
    bad="serverless-workflow/extension/raise-after.yaml",
    good="serverless-workflow/extension/before-and-after.yaml",
)
END_INSIDE_BLOCK = code(
    "DG0313",
    "end-inside-block",
    INFO,
    "`end` inside {block} ends the whole workflow",
    why="`end` concludes the workflow from any depth and cancels what runs beside it.",
    remedy="Use `exit` to end only this list.",
    bad="serverless-workflow/flow-directive/end-inside-for.yaml",
    good="serverless-workflow/flow-directive/exit-inside-for.yaml",
)
EXIT_INSIDE_LOOP = code(
    "DG0314",
    "exit-inside-loop",
    INFO,
    "`exit` ends this iteration, the loop goes on",
    why="`exit` completes the innermost list of tasks, which is the body of one iteration.",
    remedy="Use `while` to leave a loop early.",
    bad="serverless-workflow/flow-directive/exit-inside-for.yaml",
    good="serverless-workflow/for/while.yaml",
)
GRAPH_TOO_LARGE = code(
    "DG0315",
    "graph-too-large",
    ERROR,
    "laid out, the workflow has more than {limit} {what}",
    why="A function is laid out at each of its calls and an extension around each task, so a short "
    "document can become a graph that no machine could hold.",
    remedy="Call a workflow with `run.workflow` in place of a function, or extend fewer tasks.",
)
BUSY_LOOP = code(
    "DG0316",
    "busy-loop",
    WARNING,
    "the loop through {tasks} never waits, and nothing in it changes what decides about going on",
    why="Once the loop goes round it decides the same again and again, until the engine stops the "
    "instance.",
    remedy="Wait inside the loop, or change in it what the decision looks at.",
    bad="serverless-workflow/flow-directive/busy-loop.yaml",
    good="serverless-workflow/flow-directive/polling-loop.yaml",
)
DUPLICATE_NODE_ID = code(
    "DG0330",
    "duplicate-node-id",
    ERROR,
    "the id `{id}` names two elements",
    why="Flows, handlers and the history of instances refer to elements by id.",
    remedy="Give each element an id of its own.",
)
FLOW_WITHOUT_END = code(
    "DG0331",
    "flow-without-end",
    ERROR,
    "no end can be reached from `{node}`",
    why="What arrives here can never complete its scope, so the instance would never complete.",
    remedy="Lead the flow to an end, or remove it.",
)
NODE_UNREACHABLE = code(
    "DG0332",
    "node-unreachable",
    WARNING,
    "no flow leads to `{node}` from a start",
    why="The element can never be executed.",
    remedy="Connect it, or remove it.",
)
SCOPE_WITHOUT_START = code(
    "DG0333",
    "scope-without-start",
    ERROR,
    "nothing starts `{scope}`",
    why="A scope begins at its start or at elements without incoming flow; this one has neither.",
    remedy="Add a start, or remove the flow that closes the circle.",
)
SCOPE_MISPLACED = code(
    "DG0334",
    "scope-misplaced",
    ERROR,
    "the scope `{scope}` {problem}",
    why="Scopes form a tree: every scope but the outermost stands in one other, and one element "
    "of that other scope enters it.",
    remedy="Correct the scope's parent, or the element that enters it.",
)
FLOW_LEAVES_SCOPE = code(
    "DG0335",
    "flow-leaves-scope",
    ERROR,
    "the flow `{flow}` leads from the scope `{source}` into the scope `{target}`",
    why="A scope is entered as a whole and left as a whole, because it has data of its own.",
    remedy="Lead the flow to the element that holds the other scope.",
)
FLOW_LEAVES_ELSEWHERE = code(
    "DG0336",
    "flow-leaves-elsewhere",
    ERROR,
    "`{owner}` chooses the flow `{flow}`, which starts elsewhere",
    why="An element and the handlers on it can only send on what is there.",
    remedy="Name a flow whose source is this element.",
)
HANDLER_UNCLEAR = code(
    "DG0337",
    "handler-unclear",
    ERROR,
    "the handler `{handler}` {problem}",
    why="A handler guards one element or one scope, and what it does is one thing.",
    remedy="Make a handler for each of them.",
)
