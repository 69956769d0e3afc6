"""DG06xx: time, schedules and retries."""

from .declare import ERROR, INFO, WARNING, code

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
ZERO_WAIT = code(
    "DG0610",
    "zero-wait",
    INFO,
    "no time passes before `{node}` goes on",
    why="A wait of nothing is over at once, as if it were not there.",
    remedy="Write how long is meant, or remove it.",
    bad="serverless-workflow/wait/of-nothing.yaml",
    good="serverless-workflow/wait/duration.yaml",
)
ZERO_LIMIT = code(
    "DG0611",
    "zero-limit",
    WARNING,
    "the limit at `{node}` is no time at all",
    why="What is limited to no time is stopped as soon as it waits for anything, be it only for "
    "its own work.",
    remedy="Write how long is meant, or remove the limit.",
    bad="bpmn/boundary-event-timer/no-time-at-all.bpmn",
    good="bpmn/boundary-event/timer.bpmn",
)
LONGER_THAN_A_YEAR = code(
    "DG0612",
    "longer-than-a-year",
    WARNING,
    "`{node}` waits for {length}, which is more than a year",
    why="So long a time is mostly a slip: of the unit, of a digit, of the T before hours.",
    remedy="Correct the length; if it is meant, say so in a comment and ignore this finding.",
    bad="bpmn/timer-event/longer-than-a-year.bpmn",
    good="bpmn/timer-event/duration.bpmn",
)
DATE_LONG_PAST = code(
    "DG0613",
    "date-long-past",
    WARNING,
    "`{node}` waits for `{date}`, which is long past",
    why="It is before 2011, when BPMN 2.0 was published, so that nothing written since can have "
    "been meant to wait for it. A date that is past has come: nothing is waited for.",
    remedy="Correct the year. Later dates are not looked at, as nobody knows when this will run.",
    bad="bpmn/timer-event/date-past.bpmn",
    good="bpmn/timer-event/date-to-come.bpmn",
)
TIMER_NEVER_FIRES = code(
    "DG0614",
    "timer-never-fires",
    WARNING,
    "`{node}` waits for `{cycle}`, which never comes",
    why="The number behind the R says how often the timer fires, and it is zero.",
    remedy="Write how often is meant, or nothing for ever: `R3/PT1H`, `R/PT1H`.",
    bad="bpmn/timer-event/cycle-of-no-times.bpmn",
    good="bpmn/timer-event/after-a-pause.bpmn",
)
CYCLE_FIRES_ONCE = code(
    "DG0615",
    "cycle-fires-once",
    WARNING,
    "of `{cycle}` only the first time comes at `{node}`",
    why="An event in the flow goes on at the first time, and one that interrupts is over with "
    "what it interrupts: nothing is there to hear the other times.",
    remedy="Write a duration such as `PT1H`, or let the event not interrupt.",
    bad="bpmn/timer-event/cycle-in-flow.bpmn",
    good="bpmn/boundary-event-timer/cycle-counted.bpmn",
)
HANDLERS_PILE_UP = code(
    "DG0616",
    "handlers-pile-up",
    WARNING,
    "`{event}` begins `{task}` again by `{cycle}`, whether or not the last one is done",
    why="The timer has no end and interrupts nothing, and what it begins waits for somebody. If "
    "that takes longer than until the next time, they become more and more.",
    remedy="Say how often (`R3/PT1H`), set a deadline, or begin something that needs nobody.",
    bad="bpmn/event-sub-process-timer/cycle.bpmn",
    good="bpmn/boundary-event-timer/cycle-counted.bpmn",
)
NO_RETRIES = code(
    "DG0617",
    "no-retries",
    WARNING,
    "the retry policy of `{task}` allows {count} retries",
    why="The count is how often the task is tried again after it has failed, so that nothing is "
    "ever tried again.",
    remedy="Write a `count` of 1 or more, or remove `retry`.",
    bad="serverless-workflow/retry/no-retries.yaml",
    good="serverless-workflow/retry/exponential.yaml",
)
RETRIES_WITHOUT_PAUSE = code(
    "DG0618",
    "retries-without-pause",
    WARNING,
    "nothing is between the retries of `{task}`",
    why="What failed a moment ago mostly fails again, and who is asked is busier than before.",
    remedy="Write a `delay`, with a `backoff` that lets it grow.",
    bad="serverless-workflow/retry/without-pause.yaml",
    good="serverless-workflow/retry/exponential.yaml",
)
RETRIES_TAKE_YEARS = code(
    "DG0619",
    "retries-take-years",
    WARNING,
    "the {count} retries of `{task}` go on for {length}",
    why="An exponential backoff doubles each time: twenty retries from one second on take twelve "
    "days, twenty-five more than a year.",
    remedy="Lower `limit.attempt.count`, or say in `limit.duration` how long it may go on.",
    bad="serverless-workflow/retry/for-years.yaml",
    good="serverless-workflow/retry/exponential.yaml",
)
JITTER_REVERSED = code(
    "DG0620",
    "jitter-reversed",
    WARNING,
    "the jitter of `{task}` goes from the longer time to the shorter one",
    why="The pause is drawn between the two whichever is first, but one of them is mostly a slip.",
    remedy="Write the shorter time in `from`.",
    bad="serverless-workflow/retry/jitter-reversed.yaml",
    good="serverless-workflow/retry/jitter-range.yaml",
)
RETRIES_CUT_OFF = code(
    "DG0621",
    "retries-cut-off",
    WARNING,
    "{retries} of `{task}` can begin within {limit}",
    why="The pauses between the retries alone take longer than that, even if each of them failed "
    "at once.",
    remedy="Allow more time, lower `limit.attempt.count`, or shorten the `delay`.",
    bad="serverless-workflow/retry/cut-off.yaml",
    good="serverless-workflow/retry/exponential.yaml",
)
LIMIT_TOO_SHORT = code(
    "DG0622",
    "limit-too-short",
    WARNING,
    "`{node}` takes at least {least} and is stopped after {limit}",
    why="Whichever way it goes, the waits in it are longer than the limit, so it can never "
    "complete.",
    remedy="Set a longer limit, or shorten the waits.",
    bad="bpmn/boundary-event-timer/shorter-than-the-wait.bpmn",
    good="bpmn/boundary-event-timer/deep-inside.bpmn",
)
WAIT_WITHOUT_LIMIT = code(
    "DG0623",
    "wait-without-limit",
    INFO,
    "`{node}`{more} may wait for ever, while others like it have a time limit",
    why="If nobody answers, the instance stands still and nobody is told.",
    remedy="Set a time-out or a timer event there, too, if only to remind somebody.",
    bad="bpmn/boundary-event-timer/limit-forgotten.bpmn",
    good="bpmn/boundary-event/timer.bpmn",
)
