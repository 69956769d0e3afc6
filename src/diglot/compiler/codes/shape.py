"""DG02xx: the shape of a document, and the forms that authors reasonably try instead."""

from .declare import ERROR, WARNING, code

NOT_A_WORKFLOW = code(
    "DG0201",
    "not-a-workflow",
    ERROR,
    "this is not a workflow: {problem}",
    why="A workflow is a mapping with `document`, which names it, and `do`, its tasks.",
    remedy="Start with `document:` (dsl, namespace, name, version) and `do:`.",
    bad="serverless-workflow/document/invalid-not-a-workflow.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
UNKNOWN_PROPERTY = code(
    "DG0202",
    "unknown-property",
    ERROR,
    "{owner} has no property `{property}`",
    why="A property that nobody reads is usually misspelt or stands one level too high or too low.",
    remedy="Correct the name, move it, or put free data below `metadata`.",
    bad="serverless-workflow/document/invalid-unknown-property.yaml",
    good="serverless-workflow/document/metadata.yaml",
)
MISSING_PROPERTY = code(
    "DG0203",
    "missing-property",
    ERROR,
    "{owner} lacks `{property}`",
    why="The property is required, and nothing sensible can stand in for it.",
    remedy="Add the property.",
    bad="serverless-workflow/document/invalid-missing-name.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
WRONG_TYPE = code(
    "DG0204",
    "wrong-type",
    ERROR,
    "`{property}` is {found}, expected {expected}",
    why="The value is of a type that the property cannot have.",
    remedy="Write a value of the expected type; quoted numbers and booleans are strings.",
    bad="serverless-workflow/document/invalid-version-is-a-number.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
WRONG_VALUE = code(
    "DG0205",
    "wrong-value",
    ERROR,
    "`{property}` is {found}, expected {expected}",
    why="The value is outside the closed list or the range that the property allows.",
    remedy="Write one of the allowed values.",
    bad="serverless-workflow/listen/invalid-read-mode.yaml",
    good="serverless-workflow/listen/read-envelope.yaml",
)
WRONG_PATTERN = code(
    "DG0206",
    "wrong-pattern",
    ERROR,
    "`{property}` is `{found}`, which is not {expected}",
    why="Names, versions and addresses have a fixed form because other systems read them.",
    remedy="Write the value in the expected form.",
    bad="serverless-workflow/document/invalid-dotted-namespace.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
NOT_ONE_OF = code(
    "DG0207",
    "not-one-of",
    ERROR,
    "{owner} needs exactly one of {properties} and has {found}",
    why="These properties exclude each other, and one of them says what is to be done.",
    remedy="Keep exactly one of them.",
    bad="serverless-workflow/run/invalid-script-and-shell.yaml",
    good="serverless-workflow/run/await-true.yaml",
)
TASK_KIND_UNKNOWN = code(
    "DG0208",
    "task-kind-unknown",
    ERROR,
    "the task `{task}` does not say what it does",
    why="A task is one of call, do, emit, for, fork, listen, raise, run, set, switch, try and "
    "wait, and the property of that name tells which.",
    remedy="Add the property that names the kind, or correct its spelling.",
    bad="serverless-workflow/do/invalid-task-kind-unknown.yaml",
    good="serverless-workflow/do/sequence.yaml",
)
TASK_KIND_AMBIGUOUS = code(
    "DG0209",
    "task-kind-ambiguous",
    ERROR,
    "the task `{task}` is several kinds at once: {kinds}",
    why="A task does one thing, so only one of these properties may stand in it.",
    remedy="Make one task of each.",
    bad="serverless-workflow/do/invalid-task-kind-ambiguous.yaml",
    good="serverless-workflow/do/sequence.yaml",
)
DSL_VERSION_UNKNOWN = code(
    "DG0210",
    "dsl-version-unknown",
    WARNING,
    "the DSL version `{version}` is not known, the document is read as {known}",
    why="A later version may give the same words another meaning.",
    remedy="Write the version whose rules the document follows, such as 1.0.3.",
    bad="serverless-workflow/document/invalid-dsl-version.yaml",
    good="serverless-workflow/document/minimal.yaml",
)
EMPTY_DO = code(
    "DG0211",
    "empty-do",
    WARNING,
    "{owner} has no tasks",
    why="An empty task list is legal and hands its input on unchanged, which is rarely meant.",
    remedy="Add a task, or remove the list.",
    bad="serverless-workflow/do/empty.yaml",
    good="serverless-workflow/do/sequence.yaml",
)
TASK_ITEM_MALFORMED = code(
    "DG0212",
    "task-item-malformed",
    ERROR,
    "a task list holds `- name: task` items, this is {found}",
    why="Tasks run in the order of the list, and each item has exactly one key: its task's name.",
    remedy="Write `- taskName:` and indent the task's properties below it.",
    bad="serverless-workflow/do/invalid-two-tasks-in-one-item.yaml",
    good="serverless-workflow/do/sequence.yaml",
)
QUERY_VALUE_NOT_TEXT = code(
    "DG0213",
    "query-value-not-text",
    ERROR,
    "the query parameter `{parameter}` is {found}, expected a string",
    why="The schema of the DSL allows only strings as values of `query`.",
    remedy="Quote the value; for a list write an expression for the whole `query`.",
    bad="serverless-workflow/call-http/invalid-query-number.yaml",
    good="serverless-workflow/call-http/query.yaml",
)
EXPRESSION_OVER_LINES = code(
    "DG0214",
    "expression-over-lines",
    ERROR,
    "the expression in `{property}` spans lines, which the DSL's schema refuses here",
    why="The pattern for an address with an expression does not reach over line ends.",
    remedy="Write the expression on one line, or compute the value in a task before.",
    bad="serverless-workflow/call-http/invalid-endpoint-over-lines.yaml",
    good="serverless-workflow/call-http/endpoint-expression.yaml",
)
ERROR_STATUS_NOT_A_NUMBER = code(
    "DG0215",
    "error-status-not-a-number",
    ERROR,
    "an error's `status` is {found}, expected an integer",
    why="Unlike type, title and detail, the status of an error may not be an expression.",
    remedy="Write a number; for a computed status choose between raise tasks with a switch.",
    bad="serverless-workflow/raise/invalid-status-expression.yaml",
    good="serverless-workflow/raise/inline-error.yaml",
)
SUBFLOW_INPUT_NOT_A_MAPPING = code(
    "DG0216",
    "subflow-input-not-a-mapping",
    ERROR,
    "the input of the called workflow is {found}, expected a mapping",
    why="The schema of the DSL allows only a mapping, whose values may be expressions.",
    remedy="Write a mapping; to hand on everything leave `input` out and use `input.from`.",
    bad="serverless-workflow/run-workflow/invalid-input-expression.yaml",
    good="serverless-workflow/run-workflow/input.yaml",
)
ARGUMENTS_NOT_A_LIST = code(
    "DG0217",
    "arguments-not-a-list",
    ERROR,
    "`arguments` is {found}, expected a list",
    why="Scripts and commands get their arguments by position.",
    remedy="Write a list; named values belong into `environment`.",
    bad="serverless-workflow/run-script/invalid-arguments-mapping.yaml",
    good="serverless-workflow/run-script/everything.yaml",
)
SCHEMA_NOT_WRAPPED = code(
    "DG0218",
    "schema-not-wrapped",
    ERROR,
    "a data schema stands below `document` or `resource`, here it stands bare",
    why="`schema` names a format and where the schema is, so the schema itself is one level down.",
    remedy="Put `document:` above the schema and indent it.",
    bad="serverless-workflow/schema/invalid-bare-schema.yaml",
    good="serverless-workflow/schema/input-schema.yaml",
)
FOR_IN_SCALARS = code(
    "DG0219",
    "for-in-scalars",
    ERROR,
    "the inline list of `for.in` holds {found}, expected mappings",
    why="The schema of the DSL allows an expression or an inline list of mappings.",
    remedy="Write the list as an expression, such as `${ [1, 2, 3] }`.",
    bad="serverless-workflow/for/invalid-in-scalars.yaml",
    good="serverless-workflow/for/in-expression.yaml",
)
EXTENSION_TARGET_UNKNOWN = code(
    "DG0220",
    "extension-target-unknown",
    ERROR,
    "an extension cannot extend `{target}`",
    why="The DSL lists what can be extended; `do` and `fork` tasks are extended by `composite`.",
    remedy="Write a kind of task from the list, `composite`, or `all`.",
    bad="serverless-workflow/extension/invalid-extend-do.yaml",
    good="serverless-workflow/extension/before-and-after.yaml",
)
AUTHENTICATION_NAME_BARE = code(
    "DG0221",
    "authentication-name-bare",
    ERROR,
    "`authentication` is the bare name `{name}`",
    why="An authentication is a policy, and a named policy is a mapping with `use`.",
    remedy="Write `authentication: { use: name }` with the name of a policy below `use`.",
    bad="serverless-workflow/authentication/invalid-bare-name.yaml",
    good="serverless-workflow/authentication/named-policy.yaml",
)
AUTHENTICATION_NOT_A_MAPPING = code(
    "DG0222",
    "authentication-not-a-mapping",
    ERROR,
    "`{scheme}` is {found}, expected a mapping",
    why="Every authentication scheme has named properties, even where there is only one.",
    remedy="Write `bearer: { token: ... }`, or `basic: { username: ..., password: ... }`.",
    bad="serverless-workflow/authentication-bearer/invalid-bearer-string.yaml",
    good="serverless-workflow/authentication-bearer/inline.yaml",
)
BAD_SCHEMA = code(
    "DG0223",
    "bad-schema",
    ERROR,
    "the JSON schema is not valid: {problem}",
    why="Data is validated with this schema while the workflow runs, so it must be one.",
    remedy="Correct the schema; `$schema` says which dialect of JSON Schema it follows.",
    bad="serverless-workflow/schema/invalid-schema.yaml",
    good="serverless-workflow/schema/input-schema.yaml",
)
SCHEMA_FORMAT_UNKNOWN = code(
    "DG0224",
    "schema-format-unknown",
    ERROR,
    "the schema format `{format}` is not known",
    why="Data can be validated with JSON Schema only.",
    remedy="Write the schema as JSON Schema and leave `format` out.",
    bad="serverless-workflow/schema/invalid-format.yaml",
    good="serverless-workflow/schema/input-schema.yaml",
)
URI_TEMPLATE_INVALID = code(
    "DG0225",
    "uri-template-invalid",
    ERROR,
    "`{template}` is not a URI template: {problem}",
    why="Addresses are URIs, in which `{name}` is replaced by a property of the task's input.",
    remedy="Use only simple `{name}` parts, close each brace and escape spaces as %20.",
    bad="serverless-workflow/call-http/invalid-uri-template.yaml",
    good="serverless-workflow/call-http/uri-template.yaml",
)
