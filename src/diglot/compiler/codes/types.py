"""DG17xx: types, of what a schema or a task lays down and an expression makes of it."""

from .declare import INFO, WARNING, code

ALWAYS_FAILS = code(
    "DG1701",
    "always-fails",
    WARNING,
    "this part of the expression always fails: {reason}",
    why="Whatever the data are, they are of a kind that nothing can be done with here, so the task "
    "ends with an error each time it comes to this.",
    remedy="Correct the path or the operation, or change the value first: `tostring`, `tonumber`.",
    bad="serverless-workflow/runtime-expression/always-fails.yaml",
    good="serverless-workflow/runtime-expression/kinds-fit.yaml",
)
WRONG_KIND = code(
    "DG1702",
    "wrong-kind",
    WARNING,
    "{what} is {found}, expected {expected}",
    why="The engine can use nothing else at this place, and the task ends with an error.",
    remedy="Make it what is expected: a list to go through, an ISO 8601 text or an object such as "
    "`{minutes: 5}` for a duration, a whole number for a count.",
    bad="serverless-workflow/for/collection-never-a-list.yaml",
    good="serverless-workflow/for/collection-by-schema.yaml",
)
CONDITION_NEVER_TRUTH = code(
    "DG1703",
    "condition-never-truth",
    WARNING,
    "the condition is {found}, and never true or false",
    why="A condition here has to give true or false; everything else is an error each time it is "
    "asked.",
    remedy='Compare the value: `.count > 0`, `.state == "open"`.',
    bad="bpmn/expression/sum-is-no-answer.bpmn",
    good="bpmn/expression/sum-compared.bpmn",
)
PROPERTY_NEVER_THERE = code(
    "DG1704",
    "property-never-there",
    WARNING,
    "`{property}` is never there: what stands here has {known}",
    why="The schema allows no other properties, or the value was put together without this one; "
    "reading it gives null.",
    remedy="Correct the name, or add the property to the schema or to the task that makes the "
    "value.",
    bad="serverless-workflow/schema/property-never-there.yaml",
    good="serverless-workflow/schema/property-declared.yaml",
)
PROPERTY_MISSPELT = code(
    "DG1705",
    "property-misspelt",
    WARNING,
    "the schema has no `{property}`, it has `{near}`",
    why="The schema allows other properties, so nothing is wrong by itself; but this name is "
    "nearly that of a declared one, and a slip of the pen reads null.",
    remedy="Correct the name, or declare the property.",
    bad="serverless-workflow/schema/property-misspelt.yaml",
    good="serverless-workflow/schema/property-declared.yaml",
)
OUTPUT_LEFT_OUT = code(
    "DG1706",
    "output-left-out",
    WARNING,
    "`{property}` is read here, and the output of `{task}` leaves it out",
    why="What `output.as` makes is all that later tasks get; the rest of the result is gone.",
    remedy="Add it to `output.as`, or keep it in the context with `export`.",
    bad="serverless-workflow/output/as-leaves-out.yaml",
    good="serverless-workflow/output/as-keeps-what-is-read.yaml",
)
DATA_NEVER_FIT = code(
    "DG1707",
    "data-never-fit",
    WARNING,
    "the {what} never fits its schema: {reason}",
    why="What comes here is known well enough to say that the validation fails each time.",
    remedy="Correct the schema, or the value that is held against it.",
    bad="serverless-workflow/schema/data-never-fit.yaml",
    good="serverless-workflow/schema/property-declared.yaml",
)
CONDITION_DECIDES_NOTHING = code(
    "DG1708",
    "condition-decides-nothing",
    WARNING,
    "the condition is always {outcome}",
    why="A condition that never changes decides nothing: one of its two ways is never taken.",
    remedy="Correct the comparison, or remove the condition.",
    bad="serverless-workflow/switch/condition-constant.yaml",
    good="serverless-workflow/switch/first-match.yaml",
)
CONDITION_TWICE = code(
    "DG1709",
    "condition-twice",
    WARNING,
    "`{second}` has the same condition as `{first}`, which comes first",
    why="The first condition that holds is taken, so the second way is never taken.",
    remedy="Correct one of the conditions, or remove the second.",
    bad="serverless-workflow/switch/condition-twice.yaml",
    good="serverless-workflow/switch/first-match.yaml",
)
CASE_NEVER_TAKEN = code(
    "DG1710",
    "case-never-taken",
    WARNING,
    "`{second}` is never taken: whenever its condition holds, that of `{first}` does, too",
    why="The first condition that holds is taken, whatever comes behind it.",
    remedy="Put the narrower condition first.",
    bad="serverless-workflow/switch/case-never-taken.yaml",
    good="serverless-workflow/switch/first-match.yaml",
)
DEFAULT_NEVER_TAKEN = code(
    "DG1711",
    "default-never-taken",
    INFO,
    "the default is never taken: one of `{first}` and `{second}` always holds",
    why="The two conditions are each other's opposite and leave nothing over.",
    remedy="Make the second of them the default, or correct the conditions.",
    bad="serverless-workflow/switch/default-never-taken.yaml",
    good="serverless-workflow/switch/first-match.yaml",
)
INPUT_NEVER_TAKEN = code(
    "DG1712",
    "input-never-taken",
    WARNING,
    "what `{call}` gives to `{process}` never fits the schema of its input: {reason}",
    why="What is called holds its input against its schema before it does anything; what is known "
    "of this one is enough to say that the validation fails each time.",
    remedy="Give what the schema asks for, or correct the schema of what is called.",
    bad="serverless-workflow/run-workflow/itself-with-another-input.yaml",
    good="serverless-workflow/run-workflow/itself-with-its-input.yaml",
)
