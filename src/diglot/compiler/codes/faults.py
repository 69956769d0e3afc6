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
UNCAUGHT_ERROR = code(
    "DG0710",
    "uncaught-error",
    WARNING,
    "nothing catches the error `{error}` that `{node}` raises",
    why="Whoever could catch it on its way outwards does not, so it ends the whole instance and "
    "everything else that runs in it. Only a process that calls this one can still catch it.",
    remedy="Catch the error where it leaves what it is raised in, or correct its code.",
    bad="bpmn/error-event/uncaught-in-sub-process.bpmn",
    good="bpmn/error-event/exact-before-all.bpmn",
)
UNCAUGHT_ESCALATION = code(
    "DG0711",
    "uncaught-escalation",
    WARNING,
    "nothing catches the escalation `{escalation}` that `{node}` raises",
    why="An escalation that nobody catches has no effect: everything goes on as if it had not "
    "been raised. Only a process that calls this one can still catch it.",
    remedy="Catch the escalation where it leaves what it is raised in, or correct its code.",
    bad="bpmn/escalation-event/uncaught-in-sub-process.bpmn",
    good="bpmn/boundary-event-escalation/both-go-on.bpmn",
)
DEAD_CATCH = code(
    "DG0712",
    "dead-catch",
    WARNING,
    "no {what} comes out of `{guarded}`, so it is never caught here",
    why="Nothing in there raises it, or it is caught in there already. What follows this catch "
    "never runs.",
    remedy="Correct the code, or remove the catch.",
    bad="bpmn/boundary-event-error/never-raised.bpmn",
    good="bpmn/error-event/exact-before-all.bpmn",
)
CATCH_OF_NOTHING = code(
    "DG0713",
    "catch-of-nothing",
    INFO,
    "nothing in `{guarded}` can raise an {family}, so none is ever caught here",
    why="Errors come from work that fails, from expressions that cannot be computed and from what "
    "raises them; escalations come only from events that raise them and from called processes.",
    remedy="Remove the catch, or keep it for what is still to come.",
    bad="bpmn/boundary-event-error/on-what-cannot-fail.bpmn",
    good="bpmn/boundary-event-error/on-task.bpmn",
)
ERRORS_SWALLOWED = code(
    "DG0714",
    "errors-swallowed",
    WARNING,
    "this catch takes every error and does nothing about it",
    why="The work stops halfway, and everything goes on as if it had been done; nobody learns "
    "what was wrong.",
    remedy="Say in `do` what is done instead, retry, or name in `errors.with` what may be ignored.",
    bad="serverless-workflow/try/errors-swallowed.yaml",
    good="serverless-workflow/try/catch-by-status.yaml",
)
NOTHING_TO_COMPENSATE = code(
    "DG0720",
    "nothing-to-compensate",
    WARNING,
    "`{node}` asks for the compensation of {what}, and nothing there can be undone",
    why="Only an activity with a compensation event that leads to what undoes it can be undone, "
    "and only one on the same level as the event that asks for it, or inside of one there.",
    remedy="Add a compensation event to the activity with an association to what undoes it, or "
    "move the event to its level.",
    bad="bpmn/compensation/asked-of-nothing.bpmn",
    good="bpmn/compensation/handler.bpmn",
)
COMPENSATION_TOO_EARLY = code(
    "DG0721",
    "compensation-too-early",
    WARNING,
    "`{node}` asks for the compensation of {what}, which is never done by then",
    why="Only what is completed is undone. What comes later is not, nor is what has failed or was "
    "interrupted: a boundary event of an activity begins before it is completed.",
    remedy="Ask for it where the activity lies behind, or undo what it left halfway otherwise.",
    bad="bpmn/compensation/asked-of-what-failed.bpmn",
    good="bpmn/compensation/handler.bpmn",
)
COMPENSATION_NEVER_ASKED = code(
    "DG0722",
    "compensation-never-asked",
    INFO,
    "nothing ever asks for the compensation of `{node}`",
    why="Compensation begins where a compensation event asks for it, or where a transaction is "
    "cancelled. Neither an error nor the end of the process begins it.",
    remedy="Add an event that asks for it, such as a compensation end event, or remove what "
    "undoes it.",
    bad="bpmn/compensation/never-asked.bpmn",
    good="bpmn/compensation/handler.bpmn",
)
