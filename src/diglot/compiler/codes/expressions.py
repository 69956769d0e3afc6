"""DG05xx: expressions, where they stand and what they may use."""

from .declare import ERROR, WARNING, code

EXPRESSION_SYNTAX = code(
    "DG0501",
    "expression-syntax",
    ERROR,
    "the expression is not {language}: {problem}",
    why="An expression that does not compile would fail each time it is reached.",
    remedy="Correct the expression at this place.",
    bad="serverless-workflow/runtime-expression/invalid-syntax.yaml",
    good="serverless-workflow/runtime-expression/jq.yaml",
)
UNKNOWN_VARIABLE = code(
    "DG0502",
    "unknown-variable",
    ERROR,
    "`${name}` has no value here",
    why="Each place has its own variables: `$output` exists only for `export`, the names of a "
    "loop only inside it, a caught error only in its `catch`.",
    remedy="Correct the name, or use what is known here.",
    bad="serverless-workflow/runtime-expression/invalid-output-in-input.yaml",
    good="serverless-workflow/runtime-expression/variables.yaml",
)
UNKNOWN_FUNCTION = code(
    "DG0503",
    "unknown-function",
    ERROR,
    "the expression language has no function `{name}` with {arguments} arguments",
    why="Functions are told apart by name and number of arguments.",
    remedy="Correct the name or the arguments, or define the function with `def`.",
    bad="serverless-workflow/runtime-expression/invalid-function.yaml",
    good="serverless-workflow/runtime-expression/jq.yaml",
)
FORBIDDEN_FUNCTION = code(
    "DG0504",
    "forbidden-function",
    ERROR,
    "`{name}` may not be used in a workflow: {reason}",
    why="Expressions see the workflow's data and nothing of the machine they run on, and give "
    "the same result when they are run again.",
    remedy="Hand the value in as input, or read it from a variable such as `$runtime`.",
    bad="serverless-workflow/runtime-expression/invalid-env.yaml",
    good="serverless-workflow/runtime-expression/variables.yaml",
)
EMBEDDED_EXPRESSION = code(
    "DG0505",
    "embedded-expression",
    ERROR,
    "`{text}` inside longer text is not evaluated",
    why="A string is an expression only when `${ }` encloses all of it; in the middle of a text "
    "the characters stay as they are.",
    remedy='Make the whole value an expression: `${ "Hello, " + .name }`.',
    bad="serverless-workflow/runtime-expression/invalid-embedded.yaml",
    good="serverless-workflow/runtime-expression/concatenation.yaml",
)
EXPRESSION_LOOKS_LITERAL = code(
    "DG0506",
    "expression-looks-literal",
    WARNING,
    "`{text}` is a literal string here, although it looks like an expression",
    why="In data only a string enclosed by `${ }` is an expression.",
    remedy="Enclose it with `${ }` if it is to be evaluated.",
    bad="serverless-workflow/set/literal-path.yaml",
    good="serverless-workflow/set/expression.yaml",
)
CONDITION_NOT_BOOLEAN = code(
    "DG0507",
    "condition-not-boolean",
    WARNING,
    "the condition is {found}, so it is always {outcome}",
    why="Only false and null are false; numbers, strings and empty lists are all true.",
    remedy="Compare the value: `.count > 0`, `(.items | length) > 0`.",
    bad="serverless-workflow/switch/condition-not-boolean.yaml",
    good="serverless-workflow/switch/first-match.yaml",
)
UNSUPPORTED_EXPRESSION_LANGUAGE = code(
    "DG0508",
    "unsupported-expression-language",
    ERROR,
    "expressions in `{language}` are not evaluated",
    why="Every engine has to offer jq, and it is the language this one evaluates.",
    remedy="Write the expressions in jq and leave `evaluate.language` out.",
    bad="serverless-workflow/evaluate/invalid-language.yaml",
    good="serverless-workflow/runtime-expression/jq.yaml",
)
