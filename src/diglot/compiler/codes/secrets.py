"""DG09xx: security and secrets."""

from .declare import ERROR, WARNING, code

UNDECLARED_SECRET = code(
    "DG0901",
    "undeclared-secret",
    ERROR,
    "the secret `{secret}` is not listed in `use.secrets`",
    why="A workflow may read only the secrets it lists; reading another one fails with an "
    "authorization error.",
    remedy="Add the name to `use.secrets`, or correct it.",
    bad="serverless-workflow/secrets/invalid-undeclared.yaml",
    good="serverless-workflow/secrets/declared.yaml",
)
SECRET_OUTSIDE_INPUT = code(
    "DG0902",
    "secret-outside-input",
    WARNING,
    "`$secrets` is read outside `input.from`",
    why="The specification's text allows secrets only there, so other runtimes may refuse this.",
    remedy="Read the secret in the task's `input.from` and use `$input`.",
    bad="serverless-workflow/secrets/outside-input.yaml",
    good="serverless-workflow/secrets/declared.yaml",
)
SECRET_COMPUTED = code(
    "DG0903",
    "secret-computed",
    WARNING,
    "which secret is read here is not known before the workflow runs",
    why="With a computed name, input could choose among all secrets of the workflow, and no check "
    "can tell which are used.",
    remedy="Name the secret: `$secrets.name`.",
    bad="serverless-workflow/secrets/computed.yaml",
    good="serverless-workflow/secrets/declared.yaml",
)
SECRET_LITERAL = code(
    "DG0904",
    "secret-literal",
    WARNING,
    "this looks like {kind} written into the document",
    why="Definitions are stored, versioned and shown to everyone who may read them.",
    remedy="Revoke it, keep the new one as a secret and read it through `$secrets`.",
    bad="serverless-workflow/secrets/literal.yaml",
    good="serverless-workflow/secrets/declared.yaml",
)
SECRET_IN_OUTPUT = code(
    "DG0905",
    "secret-in-output",
    WARNING,
    "a secret becomes part of the workflow's data",
    why="Outputs and `$context` are stored in the history and handed to every later task.",
    remedy="Use the secret only where it is needed and leave it out of `output` and `export`.",
    bad="serverless-workflow/secrets/exported.yaml",
    good="serverless-workflow/secrets/declared.yaml",
)
SECRET_ALTERED = code(
    "DG0906",
    "secret-altered",
    WARNING,
    "this computes with the stand-in of a secret, not with the secret",
    why="While a workflow runs a secret is a stand-in, which only the work that needs it opens. "
    "The length, a part or an encoding of it are those of the stand-in, and it equals no text.",
    remedy="Hand the secret on as it is, or put it into a string; keep what is computed from it "
    "as a secret of its own.",
    bad="serverless-workflow/secrets/altered.yaml",
    good="serverless-workflow/secrets/declared.yaml",
)
PLAIN_HTTP = code(
    "DG0910",
    "plain-http",
    WARNING,
    "`{address}` is called without encryption",
    why="Whoever is between the engine and the service can read and change what is sent and "
    "answered.",
    remedy="Use `https`. Addresses of this machine and of private networks are not reported.",
    bad="serverless-workflow/endpoint/plain-http.yaml",
    good="serverless-workflow/endpoint/object.yaml",
)
TLS_NOT_VERIFIED = code(
    "DG0911",
    "tls-not-verified",
    WARNING,
    "`{written}` accepts every certificate",
    why="Encryption without a look at the certificate protects against nobody who can get in "
    "between: he shows his own.",
    remedy="Remove it; where the service has a certificate of its own authority, trust that one.",
    bad="serverless-workflow/run-shell/tls-not-verified.yaml",
    good="serverless-workflow/run-shell/command.yaml",
)
ADDRESS_FROM_DATA = code(
    "DG0912",
    "address-from-data",
    WARNING,
    "data decides which server `{task}` calls",
    why="Whoever gives the input, or answers an earlier call, can send the request and its "
    "credentials anywhere, also to services that only the engine can reach.",
    remedy="Write scheme and host into the text and let data fill in the rest, such as "
    '`"https://example.com/\\(.path)"`, or choose between fixed addresses by a condition.',
    bad="serverless-workflow/endpoint/uri-expression.yaml",
    good="serverless-workflow/endpoint/object.yaml",
)
COMMAND_FROM_DATA = code(
    "DG0913",
    "command-from-data",
    WARNING,
    "data becomes part of the {what} that `{task}` runs",
    why="Whoever gives the data can write commands into it, which are run as well.",
    remedy="Hand data over as `arguments`, `environment` or `stdin`, or quote it by `@sh`.",
    bad="serverless-workflow/run-shell/command-expression.yaml",
    good="serverless-workflow/run-shell/arguments-expressions.yaml",
)
