"""DG04xx: names, and what they refer to."""

from .declare import ERROR, WARNING, code

UNKNOWN_REFERENCE = code(
    "DG0401",
    "unknown-reference",
    ERROR,
    "no {kind} is called `{name}`",
    why="The name is used but declared nowhere in the document.",
    remedy="Correct the name, or declare it below `use`.",
    bad="serverless-workflow/use/invalid-unknown-function.yaml",
    good="serverless-workflow/use/functions.yaml",
)
UNUSED_DECLARATION = code(
    "DG0402",
    "unused-declaration",
    WARNING,
    "the {kind} `{name}` is never used",
    why="A declaration nobody names is a leftover, or its user is misspelt.",
    remedy="Remove it, or name it where it was meant.",
    bad="serverless-workflow/use/unused-retry-policy.yaml",
    good="serverless-workflow/use/retries.yaml",
)
RECURSIVE_FUNCTION = code(
    "DG0403",
    "recursive-function",
    ERROR,
    "the function calls itself: {cycle}",
    why="A call is replaced by the function's task when the document is compiled, so a circle of "
    "calls has no end.",
    remedy="Break the circle, or call a workflow with `run.workflow`, which may recurse.",
    bad="serverless-workflow/use/invalid-recursive-function.yaml",
    good="serverless-workflow/use/functions.yaml",
)
FUNCTION_NAME_SHADOWED = code(
    "DG0404",
    "function-name-shadowed",
    WARNING,
    "the function `{name}` can never be called",
    why="`call` with this name always means the protocol.",
    remedy="Give the function another name.",
    bad="serverless-workflow/use/function-named-http.yaml",
    good="serverless-workflow/use/functions.yaml",
)
ARGUMENT_HIDDEN = code(
    "DG0406",
    "argument-hidden",
    WARNING,
    "`${name}` hides the argument of the same name",
    why="Arguments such as `$input` and `$context` are there in every expression; inside of what "
    "uses the name for something else they cannot be read.",
    remedy="Choose another name.",
    bad="serverless-workflow/for/item-named-input.yaml",
    good="serverless-workflow/for/own-names.yaml",
)
DANGLING_REFERENCE = code(
    "DG0405",
    "dangling-reference",
    ERROR,
    "`{owner}` refers to the {kind} `{name}`, which does not exist",
    why="Every reference inside the graph has to have its target in the same graph.",
    remedy="Correct the reference, or add what it refers to.",
)
