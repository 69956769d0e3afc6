"""DG10xx: what is not supported, or belongs to another dialect."""

from .declare import ERROR, WARNING, code

UNSUPPORTED_CONSTRUCT = code(
    "DG1001",
    "unsupported-construct",
    ERROR,
    "{construct} is not supported: {reason}",
    why="The document is legal, but running it without this part would change what it does.",
    remedy="Use another construct for it; the support table of the documentation lists them all.",
    bad="serverless-workflow/call-grpc/refused-grpc.yaml",
    good="serverless-workflow/call-http/get.yaml",
)
FOREIGN_DIALECT = code(
    "DG1002",
    "foreign-dialect",
    WARNING,
    "{construct} belongs to {dialect} and is no part of the DSL",
    why="The document was written for an engine that extends the DSL in its own way.",
    remedy="Remove it, or put it below `metadata`.",
    bad="serverless-workflow/document/foreign-task-queue.yaml",
    good="serverless-workflow/document/metadata.yaml",
)
SCRIPT_LANGUAGE_UNKNOWN = code(
    "DG1003",
    "script-language-unknown",
    ERROR,
    "scripts in `{language}` are not run",
    why="The DSL names two script languages: `js` (ES2024) and `python` (3.13).",
    remedy="Write the script in one of the two, or run it in a container.",
    bad="serverless-workflow/run-script/invalid-script-language.yaml",
    good="serverless-workflow/run-script/python.yaml",
)
