"""DG18xx: data flow, of variables that are read and written."""

from .declare import INFO, WARNING, code

VARIABLE_NEVER_SET = code(
    "DG1801",
    "variable-never-set",
    WARNING,
    "`{variable}` has no value here, whichever way led here",
    why="Nothing that runs before gives it a value, so what is read is null every time.",
    remedy="Correct the name, or give it a value before; `// default` says what holds without one.",
    bad="serverless-workflow/export/read-before-export.yaml",
    good="serverless-workflow/export/replaces.yaml",
)
VARIABLE_UNSET_ON_A_WAY = code(
    "DG1802",
    "variable-unset-on-a-way",
    WARNING,
    "`{variable}` has no value here on {way}",
    why="On one way to this place it is given a value, on another one nothing does it.",
    remedy="Give it a value on every way, or say with `// default` what holds without one.",
    bad="serverless-workflow/export/exported-on-one-way.yaml",
    good="serverless-workflow/export/exported-on-every-way.yaml",
)
VARIABLE_MISSPELT = code(
    "DG1803",
    "variable-misspelt",
    WARNING,
    "`{variable}` is read here and written nowhere; `{near}` is written",
    why="The two names differ by a slip of the pen, and a name that nothing writes is null unless "
    "the input of the instance has it.",
    remedy="Correct the name, here or where the other one is written.",
    bad="bpmn/script-task/result-variable-misspelt.bpmn",
    good="bpmn/script-task/result-variable.bpmn",
)
WRITE_OVERWRITTEN = code(
    "DG1804",
    "write-overwritten",
    WARNING,
    "`{variable}` is overwritten by `{by}` before anything reads it",
    why="What is written here is lost on every way, so this work is done for nothing or the other "
    "name is wrong.",
    remedy="Remove one of the two, or give the values different names.",
    bad="serverless-workflow/export/overwritten.yaml",
    good="serverless-workflow/export/merges-by-expression.yaml",
)
WRITE_NEVER_READ = code(
    "DG1805",
    "write-never-read",
    INFO,
    "{what} written here and never read",
    why="Nothing that runs afterwards looks at it, and it is no part of the result.",
    remedy="Remove it, or read it where it was meant to be read.",
    bad="serverless-workflow/export/never-read.yaml",
    good="serverless-workflow/export/object.yaml",
)
WRITES_BESIDE_EACH_OTHER = code(
    "DG1806",
    "writes-beside-each-other",
    WARNING,
    "`{variable}` is written by `{first}` and by `{second}`, which may run at the same time",
    why="Which of the two values is left depends on which of them is done last.",
    remedy="Write to two variables and put them together behind the join.",
    bad="bpmn/parallel-gateway/branches-write-one-variable.bpmn",
    good="bpmn/parallel-gateway/branches-write-their-own.bpmn",
)
READ_BESIDE_WRITE = code(
    "DG1807",
    "read-beside-write",
    WARNING,
    "`{variable}` is read by `{reader}` while `{writer}` may write it",
    why="They run in branches of one split, so it depends on their speed whether the old or the "
    "new value is read.",
    remedy="Read it before the split or behind the join, or wait for the other branch.",
    bad="bpmn/parallel-gateway/branch-reads-what-another-writes.bpmn",
    good="bpmn/parallel-gateway/branches-write-their-own.bpmn",
)
WRITTEN_BY_EVERY_RUN = code(
    "DG1808",
    "written-by-every-run",
    WARNING,
    "`{variable}` is written by every run of `{activity}`, and the runs go on at the same time",
    why="The runs share the variable: what is left is the value of the run that is done last.",
    remedy="Collect the results of the runs in a list, or let them run one after the other.",
    bad="bpmn/multi-instance/runs-write-one-variable.bpmn",
    good="bpmn/multi-instance/outputs-in-order.bpmn",
)
COMPLETION_NEVER_CHANGES = code(
    "DG1809",
    "completion-never-changes",
    WARNING,
    "the completion condition of `{activity}` is always {value}: {outcome}",
    why="It is asked after every run, and looks at nothing that a run could change.",
    remedy="Ask for something that the runs change, or remove the condition.",
    bad="bpmn/multi-instance/completion-always-true.bpmn",
    good="bpmn/multi-instance/completion-condition.bpmn",
)
VARIABLE_OF_INNER_SCOPE = code(
    "DG1810",
    "variable-of-inner-scope",
    WARNING,
    "`{variable}` exists only inside {where}, and is read outside",
    why="What a sub-process or a run of a loop has to itself is gone when it is done, and out of "
    "sight before.",
    remedy="Hand it out as a result of the activity, or declare it in the scope around.",
    bad="bpmn/property/of-sub-process-read-outside.bpmn",
    good="bpmn/property/of-sub-process.bpmn",
)
CONTEXT_REPLACED = code(
    "DG1811",
    "context-replaced",
    WARNING,
    "this export replaces the context: {names}, which {owner} exported and a later task reads, "
    "is gone",
    why="`export.as` is the whole new context; what it does not take along is dropped.",
    remedy="Extend the context: `export: { as: '${ $context + { ... } }' }`.",
    bad="serverless-workflow/export/drops-earlier-export.yaml",
    good="serverless-workflow/export/merges-by-expression.yaml",
)
