"""DG13xx: expressions in other languages than jq, and what has no jq."""

from .declare import ERROR, code

UNKNOWN_LANGUAGE = code(
    "DG1301",
    "unknown-language",
    ERROR,
    "`{part}` cannot be read: {reason}",
    why="Expressions run as jq. FEEL, JUEL and XPath are translated, and of programming languages "
    "what all of them write alike; anything else would have to be guessed.",
    remedy="Write the expression in jq, FEEL, JUEL or XPath, and name that in `language`.",
    bad="bpmn/expression/invalid-language.bpmn",
    good="bpmn/expression/java-one-liner.bpmn",
)
EXPRESSION_NOT_TRANSLATABLE = code(
    "DG1302",
    "expression-not-translatable",
    ERROR,
    "`{part}` has no translation from {language}: {reason}",
    why="An expression is carried only where jq can say exactly the same; calls of a program's own "
    "objects, and what depends on more than the variables, cannot be carried.",
    remedy="Let a task compute this and leave it in a variable, and ask the variable here.",
    bad="bpmn/expression/invalid-bean.bpmn",
    good="bpmn/expression/juel.bpmn",
)
EXPRESSION_UNPARSABLE = code(
    "DG1303",
    "expression-unparsable",
    ERROR,
    "this is not {language}: {reason}",
    why="A condition in prose, or with a slip in it, would fail each time it is reached.",
    remedy="Correct the expression at this place, or name its language in `language`.",
    bad="bpmn/expression/invalid-prose.bpmn",
    good="bpmn/expression/bare.bpmn",
)
EXPRESSION_ALWAYS_FAILS = code(
    "DG1304",
    "expression-always-fails",
    ERROR,
    "`{part}` always fails: {reason}",
    why="Values of different types are not converted into each other; whatever the variables are, "
    "this operation has an operand of the wrong type.",
    remedy="Compare and compute values of one type.",
    bad="bpmn/expression/invalid-types.bpmn",
    good="bpmn/expression/juel.bpmn",
)
EXPRESSION_TOO_LARGE = code(
    "DG1305",
    "expression-too-large",
    ERROR,
    "the expression is too large: {reason}",
    why="Expressions are bounded in length and depth, so that a document cannot exhaust the "
    "machine that reads it.",
    remedy="Compute parts of it in tasks of their own.",
)
NOT_BOOLEAN_CONSTANT = code(
    "DG1306",
    "not-boolean-constant",
    ERROR,
    "the condition `{part}` is always {found}, and never true or false",
    why="A condition that yields anything but true and false is an error when it is reached; there "
    "is no truth of numbers, strings or null.",
    remedy="Compare the value with something.",
    bad="bpmn/expression/invalid-string-as-condition.bpmn",
    good="bpmn/expression/feel.bpmn",
)
