"""DG04xx: names, and what they refer to."""

from .declare import ERROR, INFO, WARNING, code

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
DEFAULT_WITH_CONDITION = code(
    "DG0410",
    "default-with-condition",
    WARNING,
    "the condition of the default flow `{flow}` of `{node}` is not looked at",
    why="A default flow is taken when no other one is; whether its own condition is true then does "
    "not matter (Table 10.123).",
    remedy="Remove the condition, or make another flow the default.",
    bad="bpmn/exclusive-gateway/default-with-false-condition.bpmn",
    good="bpmn/exclusive-gateway/default.bpmn",
)
CALL_BINDS_LATE = code(
    "DG0411",
    "call-binds-late",
    INFO,
    "which version of `{process}` is called is decided when `{caller}` is reached",
    why="`latest` is the highest version that is published at that moment, which may be one that "
    "does not fit its caller any more. It is none of the definitions at hand, so nothing can be "
    "said about it now.",
    remedy="Name an exact version where it matters, and publish the called definition first.",
    bad="bpmn/call-activity/not-there.bpmn",
    good="bpmn/call-activity/process.bpmn",
)
CALL_UNRESOLVED = code(
    "DG0412",
    "call-unresolved",
    WARNING,
    "`{caller}` calls `{process}` {version}, which is not among the definitions at hand",
    why="A call whose definition is not published by the time it is reached fails.",
    remedy="Correct the name or the version, or publish the definition as well.",
    bad="bpmn/call-activity/other-version.bpmn",
    good="bpmn/call-activity/process.bpmn",
)
VERSION_NEVER_PUBLISHED = code(
    "DG0413",
    "version-never-published",
    ERROR,
    "`{caller}` calls version `{version}`, and no definition ever has such a version",
    why="A version is `latest`, or exactly one semantic version. Ranges such as `^1.0` and tags "
    "such as `v1` are not resolved, so the call always fails.",
    remedy="Write `latest`, or a whole version such as `1.0.0`.",
    bad="serverless-workflow/run-workflow/invalid-version-range.yaml",
    good="serverless-workflow/run-workflow/exact-version.yaml",
    is_judged=True,
)
VERSION_NOT_SEMANTIC = code(
    "DG0414",
    "version-not-semantic",
    WARNING,
    "the version `{version}` of the process `{process}` is no semantic version, it is published as "
    "{taken}",
    why="Versions are put in order by their numbers. What has none counts as 1.0.0, so that the "
    "next one with other content cannot be published beside it.",
    remedy="Write three numbers, such as `2.0.0`.",
    bad="bpmn/process/version-not-semantic.bpmn",
    good="bpmn/call-activity/version-tag.a-newer.bpmn",
)
