"""DG07xx: faults, and who catches them."""

from .declare import ERROR, INFO, WARNING, code

CATCH_EVERYTHING = code(
    "DG0701",
    "catch-everything",
    WARNING,
    "this catch takes every error",
    why="It also hides the errors of mistakes, such as a misspelt expression.",
    remedy="Add `errors.with` and name the type or the status that is expected.",
    bad="serverless-workflow/try/catch-everything.yaml",
    good="serverless-workflow/try/catch-by-status.yaml",
)
CATCH_NEVER_MATCHES = code(
    "DG0702",
    "catch-never-matches",
    ERROR,
    "this catch can never match: {reason}",
    why="The tasks below it would never run, and the error it was written for goes on upwards.",
    remedy="Correct the filter.",
    bad="serverless-workflow/try/invalid-misspelt-type.yaml",
    good="serverless-workflow/try/catch-by-type.yaml",
)
ERROR_FILTER_KEY_UNKNOWN = code(
    "DG0703",
    "error-filter-key-unknown",
    ERROR,
    "an error has no `{key}` to filter by",
    why="An error has type, status, instance, title and detail; a filter on anything else never "
    "matches.",
    remedy="Correct the name; for other conditions use `when`.",
    bad="serverless-workflow/try/invalid-filter-key.yaml",
    good="serverless-workflow/try/catch-by-status.yaml",
)
ERROR_INSTANCE_IGNORED = code(
    "DG0704",
    "error-instance-ignored",
    WARNING,
    "the `instance` of a raised error is ignored",
    why="It always is the pointer of the task that raised the error.",
    remedy="Remove `instance`; put data of your own into `detail`.",
    bad="serverless-workflow/raise/instance-ignored.yaml",
    good="serverless-workflow/raise/inline-error.yaml",
)
NONSTANDARD_ERROR_TYPE = code(
    "DG0705",
    "nonstandard-error-type",
    INFO,
    "`{type}` is not one of the standard error types",
    why="Own types are legal; other runtimes and readers know only the standard ones.",
    remedy="Use a standard type where one fits: configuration, validation, expression, "
    "authentication, authorization, timeout, communication, runtime.",
    bad="serverless-workflow/raise/own-type.yaml",
    good="serverless-workflow/raise/inline-error.yaml",
)
