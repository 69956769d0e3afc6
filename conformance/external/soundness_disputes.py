"""Where other checkers say something else of a model than we do, each with what makes it so."""

from __future__ import annotations

from .deliveries import NETWORKS
from .outcome import Dispute

_FROM_OUTSIDE = (
    "what it waits for nobody in the file sends: it is taken for stuck, while we take it to come "
    "from outside, as a message without a message flow does (BPMN 2.0.2 9.4)"
)
_NEVER_STARTED = (
    "its start event takes a message that nobody in the file sends: the process is never begun "
    "there, so that nothing in it is ever looked at; with us the message comes from outside"
)
_IMPLICIT_START = (
    "a node that nothing leads to is begun with the process (BPMN 2.0.2 10.3.1, 13.2); there "
    "it is not, and "
)
_UNIT = "rust_bpmn_analyzer/core/unit/"
_ORIGINAL = "kraeuter-bpm2024/realistic/camunda-bpmn-for-research-original/"
_NO_END_TO_LOOK_AT = (
    "an end event in a fork that goes round is come to again and again: there ends are looked at "
    "only where all has ended, which never comes; ours counts them wherever they are"
)
_THEIR_TIMERS = "published: not safe, sound but for messages; ours: safe, sound but for messages"
_TIMER_WITHOUT_TIME = (
    "the timer beside the running activity says no time, so that the file has an error; we let it "
    "go off once, and there it goes off again and again, which puts several tokens on its flow"
)
_THEIR_RACES = (
    "a race goes the way whose event comes first (BPMN 2.0.2 10.6.6), and a message behind another "
    "one has not come yet; there it may go the way of any message that was sent, and then waits "
    "for ever behind the one that nobody takes any more"
)

DISPUTES = (
    Dispute(
        "bpmn-analyzer-js/dead-activity",
        "ours: proper_completion safeness",
        _IMPLICIT_START + "is said never to run; with us it is a second token, which meets the "
        "first",
    ),
    Dispute("bpmn-analyzer-js/dead-mice", "ours: sound", _FROM_OUTSIDE),
    Dispute("bpmn-analyzer-js/dead-receive-task", "ours: sound", _FROM_OUTSIDE),
    Dispute(f"{_UNIT}semantics/receive_task_no_mf", "ours: sound", _FROM_OUTSIDE),
    Dispute(f"{_ORIGINAL}credit-scoring-asynchronous", "ours: sound", _NEVER_STARTED),
    Dispute(
        f"{_ORIGINAL}credit-scoring-synchronous",
        "ours: option_to_complete",
        _NEVER_STARTED + "; then one process waits for an answer that the other sends on one of "
        "its two ways only, as is published of the model that was adopted from it",
    ),
    Dispute(f"{_ORIGINAL}recourse", "ours: sound", _NEVER_STARTED),
    Dispute(f"{_ORIGINAL}self-service-restaurant", "ours: sound", _NEVER_STARTED),
    Dispute(
        "bpmn-analyzer-js/livelock",
        "ours: option_to_complete proper_completion safeness",
        _NO_END_TO_LOOK_AT,
    ),
    Dispute(
        "rust_bpmn_analyzer/core/integration/livelock",
        "ours: option_to_complete proper_completion safeness",
        _NO_END_TO_LOOK_AT,
    ),
    Dispute(
        "rust_bpmn_analyzer/core/integration/p10",
        "ours: option_to_complete",
        "what never runs comes behind what gets stuck; we name it only where all of a scope can "
        "be looked at with little work, which ten parallel tasks exceed",
    ),
    Dispute(
        f"{_UNIT}properties/option_to_complete/no-option-to-complete-1",
        "ours: dead_activities option_to_complete",
        "what never runs is the end event behind the join that waits: we name every node, and "
        "there only activities count",
    ),
    Dispute(
        f"{_UNIT}properties/option_to_complete/no-option-to-complete-2",
        "ours: option_to_complete",
        _IMPLICIT_START + "is said never to run; with us it runs, and the join waits where the "
        "decision goes the other way",
    ),
    Dispute(
        f"{_UNIT}reader/events",
        "ours: option_to_complete safeness",
        _IMPLICIT_START + "eleven events are said never to happen; with us they begin side by "
        "side, and their tokens meet; signals, escalations and timers are not played there",
    ),
    Dispute(
        f"{_UNIT}semantics/end",
        "ours: proper_completion",
        _IMPLICIT_START + "nothing is found wrong because nothing is played; with us the fork "
        "comes to the one end event twice",
    ),
    Dispute(
        f"{_UNIT}semantics/message_start_event",
        "ours: sound",
        _IMPLICIT_START + "is said never to run; with us it does, and sends the message",
    ),
    *(
        Dispute(
            f"fbpmn/e035SP/{network}",
            "the file is refused",
            "a sub-process begins with a message: an embedded sub-process may only begin with a "
            "none start event (BPMN 2.0.2 10.5.2, Table 10.85), so that the file is refused; "
            "there it waits for ever",
        )
        for network in NETWORKS
    ),
    *(
        Dispute(
            f"fbpmn/e041MBE/{network}",
            _THEIR_TIMERS,
            "a timer with a duration beside a running activity goes off once (BPMN 2.0.2 10.5.5); "
            "there time is left out and it goes off again and again, which puts several tokens on "
            "its flow",
        )
        for network in NETWORKS
    ),
    *(
        Dispute(
            f"fbpmn/e054TEB/{network}",
            "published: safe, not sound; ours: safe, sound but for messages",
            "two senders put their messages into one queue before the race: " + _THEIR_RACES,
        )
        for network in ("Network04Inbox", "Network06Fifo")
    ),
    *(
        Dispute(f"fbpmn/e056TBE/{network}", _THEIR_TIMERS, _TIMER_WITHOUT_TIME)
        for network in ("Network01Bag", "Network07RSC")
    ),
    *(
        Dispute(
            f"fbpmn/e056TBE/{network}",
            "published: not safe, not sound; ours: safe, sound but for messages",
            f"{_TIMER_WITHOUT_TIME}; two messages of one sender come in their order: "
            + _THEIR_RACES,
        )
        for network in NETWORKS
        if network not in ("Network01Bag", "Network07RSC")
    ),
)
