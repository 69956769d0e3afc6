"""DG20xx: structure that is allowed, and seldom what its author means."""

from .declare import ERROR, INFO, WARNING, code

IMPLICIT_SPLIT = code(
    "DG2001",
    "implicit-split",
    INFO,
    "`{node}` gives a token to each of the {count} flows that leave it",
    why="Flows without a condition that leave an activity or an event are no choice: each of them "
    "gets a token.",
    remedy="Draw a parallel gateway where that is meant; use an exclusive one for a choice.",
    bad="bpmn/sequence-flow/activity-split.bpmn",
    good="bpmn/parallel-gateway/split-and-join.bpmn",
)
GATEWAY_MIXED = code(
    "DG2002",
    "gateway-mixed",
    INFO,
    "the gateway `{gateway}` merges {incoming} flows and splits into {outgoing}",
    why="A reader sees only one of the two at first, and tools that draw or check a model often "
    "allow one.",
    remedy='Use a gateway for each, or say that both are meant by `gatewayDirection="Mixed"`.',
    bad="bpmn/exclusive-gateway/merge-and-split.bpmn",
    good="bpmn/exclusive-gateway/default.bpmn",
)
FLOW_TWICE = code(
    "DG2003",
    "flow-twice",
    WARNING,
    "{count} flows lead from `{source}` to `{target}`, and they make no difference",
    why="Of the flows of a choice only the first is taken, and where all are taken the gateway "
    "behind them takes them for one.",
    remedy="Remove all but one.",
    bad="bpmn/sequence-flow/flow-twice.bpmn",
    good="bpmn/parallel-gateway/split-and-join.bpmn",
)
STARTS_TOGETHER = code(
    "DG2004",
    "starts-together",
    INFO,
    "{nodes} begin at the same time, because no flow leads to them",
    why="Without a start event everything that no flow leads to is begun as soon as its process "
    "or sub-process is.",
    remedy="Add a start event that leads to what comes first.",
    bad="bpmn/process/starts-together.bpmn",
    good="bpmn/sequence-flow/plain.bpmn",
)
SEVERAL_STARTS = code(
    "DG2005",
    "several-starts",
    INFO,
    "the process begins at `{first}`; {others} {begin} it only where that is asked for",
    why="A call, and whoever starts the process without more ado, begins it at its first start "
    "event that waits for nothing.",
    remedy="Keep one such start event, or give the others a trigger.",
    bad="bpmn/process/two-none-starts.bpmn",
    good="bpmn/start-event/none.bpmn",
)
CAUGHT_TWICE = code(
    "DG2006",
    "caught-twice",
    WARNING,
    "`{second}` waits at `{host}` for the same {trigger} as `{first}`",
    why="When it comes, one of the two takes it, and the other never has a part.",
    remedy="Remove one of them, or let them wait for different things.",
    bad="bpmn/boundary-event-signal/caught-twice.bpmn",
    good="bpmn/boundary-event/first-of-two.bpmn",
)
TERMINATE_ENDS_NOTHING = code(
    "DG2007",
    "terminate-ends-nothing",
    INFO,
    "nothing else can be running when `{event}` terminates",
    why="A terminate event ends what still runs beside it, and here there is only ever one token.",
    remedy="Make it a plain end event.",
    bad="bpmn/end-event-terminate/ends-nothing.bpmn",
    good="bpmn/end-event-terminate/with-handlers-beside.bpmn",
)
INCLUSIVE_WAITS_FOR_NOTHING = code(
    "DG2008",
    "inclusive-waits-for-nothing",
    INFO,
    "the gateway `{gateway}` never has another token to wait for",
    why="An inclusive gateway merges what an inclusive or parallel split has begun, and here "
    "there is only ever one token.",
    remedy="Make it an exclusive gateway, or look for the split that was meant.",
    bad="bpmn/inclusive-gateway/waits-for-nothing.bpmn",
    good="bpmn/inclusive-gateway/merge-waits-for-chosen.bpmn",
)
SPLIT_WITHOUT_DEFAULT = code(
    "DG2009",
    "split-without-default",
    WARNING,
    "where no condition is true at `{node}`, the run fails",
    why="A token has to go somewhere, and none of the flows is the default.",
    remedy="Make one of the flows the default.",
    bad="bpmn/inclusive-gateway/no-match.bpmn",
    good="bpmn/inclusive-gateway/default-taken.bpmn",
)
NAME_TWICE = code(
    "DG2010",
    "name-twice",
    INFO,
    "{count} activities are called `{name}` in one place",
    why="Lists of work, histories and commands show activities by their names, which do not tell "
    "these apart.",
    remedy="Let the names say what differs.",
    bad="bpmn/user-task/name-twice.bpmn",
    good="bpmn/user-task/waits-for-people.bpmn",
)
RECURSION_WITHOUT_END = code(
    "DG2011",
    "recursion-without-end",
    ERROR,
    "every run of `{process}` starts {cycle} again and waits for it, so that none completes",
    why="No decision lies between the beginning and the call, and each instance waits for the one "
    "that it has started, until they are too many and fail.",
    remedy="Make the call depend on a condition that becomes false.",
    bad="serverless-workflow/run-workflow/invalid-itself-always.yaml",
    good="serverless-workflow/run-workflow/itself.yaml",
    is_judged=True,
)
RECURSION = code(
    "DG2012",
    "recursion",
    INFO,
    "`{call}` starts {cycle} again",
    why="That is allowed, and each level is an instance of its own; the data has to say when it "
    "is enough.",
    remedy="See that the condition for the call becomes false.",
    bad="serverless-workflow/run-workflow/itself.yaml",
    good="serverless-workflow/run-workflow/input.yaml",
)
LOSER_HALF_DONE = code(
    "DG2013",
    "loser-half-done",
    INFO,
    "the branch `{branch}` may be stopped when it has done `{task}` and not yet what follows",
    why="The first branch to end stops the others wherever they are; what they have already sent "
    "or changed outside stays.",
    remedy="Let the branches only find something out, and act on it behind the race.",
    bad="serverless-workflow/emit/in-cancelled-branch.yaml",
    good="serverless-workflow/fork/compete.yaml",
)
