"""DG19xx: what a model does when it runs, whatever its data are."""

from .declare import ERROR, INFO, WARNING, code

MAY_GET_STUCK = code(
    "DG1901",
    "may-get-stuck",
    ERROR,
    "`{node}` may wait for ever: {reason}",
    why="A run can come to a point where nothing is left that could ever bring what is waited for. "
    "It neither ends nor fails: it stands still, and nobody is told.",
    remedy="Let the same kind of gateway part and join the branches: an exclusive split needs an "
    "exclusive merge, a parallel split a parallel join.",
    bad="bpmn/parallel-gateway/join-of-an-inclusive-split.bpmn",
    good="bpmn/parallel-gateway/split-and-join.bpmn",
    is_judged=True,
)
MAY_RUN_TWICE = code(
    "DG1902",
    "may-run-twice",
    ERROR,
    "`{node}` may be entered twice at once: {reason}",
    why="Each token that comes runs on by itself, so that everything from here on is done once "
    "for each of them. Source: BPMN 2.0.2 13.2, 13.3.2.",
    remedy="Join the branches before this place: a parallel join waits for all of them, an "
    "inclusive one for those that were begun.",
    bad="bpmn/sequence-flow/activity-merge.bpmn",
    good="bpmn/parallel-gateway/split-and-join.bpmn",
    is_judged=True,
)
MAY_NEVER_FINISH = code(
    "DG1903",
    "may-never-finish",
    ERROR,
    "once `{node}` is reached {scope} can never finish",
    why="A run that comes here goes round for ever: none of the ways from here leads to an end, "
    "and nothing outside stops it.",
    remedy="Give the circle a way out, or a time-out that ends it.",
    bad="serverless-workflow/flow-directive/jump-to-itself.yaml",
    good="serverless-workflow/flow-directive/polling-loop.yaml",
    is_judged=True,
)
NEVER_RUNS = code(
    "DG1904",
    "never-runs",
    WARNING,
    "no run ever comes through {nodes}, although flows lead there",
    why="What is waited for can never be there all at once, so that no run comes this far.",
    remedy="Cure what gets stuck, or remove what is behind it.",
    bad="bpmn/parallel-gateway/never-comes-through.bpmn",
    good="bpmn/parallel-gateway/split-and-join.bpmn",
)
NOT_DECIDED = code(
    "DG1906",
    "not-decided",
    INFO,
    "whether {scope} always comes to its end is not decided: {reason}",
    why="Some models cannot be looked through before they run, or not in the time there is for it. "
    "Nothing is guessed then.",
    remedy="Make parts of it sub-processes, each of which is looked at by itself.",
)
MESSAGE_LEFT_OVER = code(
    "DG1907",
    "message-left-over",
    INFO,
    "what `{node}` of `{pool}` sends may be left over: {reason}",
    why="All pools come to their ends, and nobody hears what was said. A message that is kept for "
    "a while and then dropped looks like one that was never sent.",
    remedy="Let the receiver wait for it on every way, or send it only where somebody waits.",
)
ENDS_TWICE = code(
    "DG1908",
    "ends-twice",
    WARNING,
    "`{node}` may be done twice in one run: {reason}",
    why="Each token that comes to an end ends for itself, and what the end sends or throws goes "
    "out once for each of them. Source: BPMN 2.0.2 10.5.3, 13.5.6.",
    remedy="Join the branches before this end, or let them end elsewhere.",
    bad="bpmn/end-event-message/sent-by-each-branch.bpmn",
    good="bpmn/end-event-message/starts-another-process.bpmn",
)
