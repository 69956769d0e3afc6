"""DG06xx: time, schedules and retries."""

from .declare import ERROR, WARNING, code

SEVERAL_SCHEDULES = code(
    "DG0601",
    "several-schedules",
    ERROR,
    "the schedule has {found}",
    why="What several kinds of schedule together mean is not defined.",
    remedy="Keep one of every, cron, after and on.",
    bad="serverless-workflow/schedule/invalid-every-and-cron.yaml",
    good="serverless-workflow/schedule/every.yaml",
)
EMPTY_SCHEDULE = code(
    "DG0602",
    "empty-schedule",
    ERROR,
    "the schedule does not say when",
    why="Without every, cron, after or on the workflow would never start.",
    remedy="Add one of every, cron, after and on, or remove `schedule`.",
    bad="serverless-workflow/schedule/invalid-empty.yaml",
    good="serverless-workflow/schedule/every.yaml",
)
BAD_CRON = code(
    "DG0603",
    "bad-cron",
    ERROR,
    "`{expression}` is not a cron expression: {problem}",
    why="A cron expression has five fields: minute, hour, day of month, month, day of week. A "
    "sixth one in front is for seconds.",
    remedy="Write five fields, such as `0 6 * * 1-5` for six o'clock UTC on weekdays.",
    bad="serverless-workflow/schedule/invalid-cron.yaml",
    good="serverless-workflow/schedule/cron.yaml",
)
BAD_DURATION = code(
    "DG0604",
    "bad-duration",
    ERROR,
    "`{duration}` is not a duration: {problem}",
    why="A duration is an ISO 8601 string, or a mapping of days, hours, minutes, seconds and "
    "milliseconds.",
    remedy="Write `PT15M` or `minutes: 15`; hours and smaller units stand behind the T.",
    bad="serverless-workflow/wait/invalid-duration.yaml",
    good="serverless-workflow/wait/duration.yaml",
)
NEGATIVE_WAIT = code(
    "DG0605",
    "negative-wait",
    WARNING,
    "a wait of `{duration}` ends at once",
    why="A time that lies in the past has already come.",
    remedy="Write a positive duration, or remove the task.",
    bad="serverless-workflow/wait/negative.yaml",
    good="serverless-workflow/wait/duration.yaml",
)
CALENDAR_DURATION = code(
    "DG0606",
    "calendar-duration",
    WARNING,
    "`{duration}` has years or months, whose length depends on the day it starts",
    why="They are added to the calendar date in UTC: a month from 31 January ends in February.",
    remedy="Write days if a fixed length is meant, such as `P30D`.",
    bad="serverless-workflow/wait/one-month.yaml",
    good="serverless-workflow/wait/duration.yaml",
)
BACKOFF_WITHOUT_DELAY = code(
    "DG0607",
    "backoff-without-delay",
    WARNING,
    "the backoff has no `delay` to grow from",
    why="A backoff multiplies the delay, and without one every retry follows at once.",
    remedy="Add a `delay`, or remove the backoff.",
    bad="serverless-workflow/retry/backoff-without-delay.yaml",
    good="serverless-workflow/retry/exponential.yaml",
)
BACKOFF_PARAMETER_IGNORED = code(
    "DG0608",
    "backoff-parameter-ignored",
    WARNING,
    "`{parameter}` of the {backoff} backoff is ignored",
    why="The DSL defines no parameters: a linear delay grows by itself, an exponential one "
    "doubles.",
    remedy="Remove the parameter, and choose `delay` so that the growth fits.",
    bad="serverless-workflow/retry/backoff-factor.yaml",
    good="serverless-workflow/retry/exponential.yaml",
)
EMPTY_RETRY = code(
    "DG0609",
    "empty-retry",
    WARNING,
    "the retry policy has no limit and no delay",
    why="Retries would follow each other at once and for ever.",
    remedy="Add `limit.attempt.count` and `delay`.",
    bad="serverless-workflow/retry/empty.yaml",
    good="serverless-workflow/retry/exponential.yaml",
)
