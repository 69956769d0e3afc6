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
UNKNOWN_SUPPRESSION = code(
    "DG1004",
    "unknown-suppression",
    WARNING,
    "this ignore {problem}",
    why="An ignore whose code is misspelt ignores nothing, though its author relies on it.",
    remedy="Name the code of a finding, as in `diglot: ignore[DG0402] reason`.",
    bad="serverless-workflow/document/unknown-ignore.yaml",
    good="serverless-workflow/document/ignored-finding.yaml",
)
UNUSED_SUPPRESSION = code(
    "DG1005",
    "unused-suppression",
    WARNING,
    "`{ignored}` is ignored in vain, because {problem}",
    why="What an ignore was written for is gone or stands elsewhere, and the ignore would hide "
    "the next finding of the same kind that nobody has looked at.",
    remedy="Remove the ignore, or put it where the finding is.",
    bad="serverless-workflow/document/unused-ignore.yaml",
    good="serverless-workflow/document/ignored-finding.yaml",
)
IMAGE_WITHOUT_TAG = code(
    "DG1010",
    "image-without-tag",
    WARNING,
    "the image `{image}` does not say which version of it is run",
    why="Without a tag, and with `latest`, every run may get another program.",
    remedy="Name a version or a digest, such as `alpine:3.20`.",
)
