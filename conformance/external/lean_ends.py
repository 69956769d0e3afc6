"""What comes of the scenarios in which no engine was observed, by the words of the standard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """What waits after each stimulus, and who says so.

    `status` is that of a process in which nothing waits any more; the variables are those after the
    last stimulus.
    """

    clause: str
    waits: tuple[tuple[str, ...], ...]
    status: str = "completed"
    variables: Mapping[str, Any] = field(default_factory=dict[str, Any])
    last_is_refused: bool = False


_BOUNDARY = (
    "BPMN 2.0.2 13.5.3: an interrupting boundary event is active while its activity is, "
    "and cancels it"
)
_BESIDE = "BPMN 2.0.2 13.5.3: a non-interrupting boundary event leaves its activity running"
_RACE = "BPMN 2.0.2 13.4.4, Table 13.4: the first event that happens withdraws the others"
_INCLUSIVE = (
    "BPMN 2.0.2 13.4.3, Table 13.3: every flow whose condition is true is taken, the default "
    "where none is, and a merge waits for the tokens that can still come"
)
_TERMINATE = "BPMN 2.0.2 13.5.6: terminate ends the sub-process it is in, and nothing outside"
_RESOLUTION = "BPMN 2.0.2 13.4.2, Table 13.2: the first condition that is true, else the default"

_BOTH = {"takeA": "selected", "takeB": "selected"}
_EXPENSE = ("userTask ReviewException",)

ENDS: Mapping[str, End] = {
    "activity-boundary-timer/activity-wins": End(
        clause=_BOUNDARY,
        waits=(("userTask BoundedTask", "timer Deadline"), ("userTask NormalTask",), ()),
    ),
    "activity-boundary-timer/deadline-wins": End(
        clause=_BOUNDARY,
        waits=(("userTask BoundedTask", "timer Deadline"), ("userTask BoundaryTask",), ()),
    ),
    "called-process-call-activity": End(
        clause="BPMN 2.0.2 10.3.6, 13.3.4: the caller goes on when the called process is complete",
        waits=(("userTask CalledTask",), ("userTask CallerTask",), ()),
    ),
    "configured-task": End(
        clause="BPMN 2.0.2 8.3.3, 13.3.3: the extension binds the task to work of somebody else",
        waits=(("effect ConfiguredTask_Probe",), ("userTask UserTask_Review",), ()),
    ),
    "event-based-gateway-message-timer/message-wins": End(
        clause=_RACE,
        waits=(("message MessageCatch", "timer TimerCatch"), ("userTask MessageTask",), ()),
    ),
    "event-based-gateway-message-timer/timer-wins": End(
        clause=_RACE,
        waits=(("message MessageCatch", "timer TimerCatch"), ("userTask TimerTask",), ()),
    ),
    "exclusive-gateway-simple-boolean": End(
        clause="BPMN 2.0.2 13.4.2, Table 13.2: conditions in order, the first that is true",
        waits=(("userTask Task_First",), ()),
    ),
    "expense-exception-review/abort": End(
        clause=_RESOLUTION,
        waits=(_EXPENSE, ()),
        variables={
            "costCenter": None,
            "expenseDate": "2026-08-16",
            "notifySubmitter": False,
            "requestReference": "EXP-2026-0044",
            "resolution": "aborted",
            "resolutionReason": "The request duplicates an already reimbursed expense.",
            "riskFlags": ["duplicate"],
        },
    ),
    "expense-exception-review/approve": End(
        clause=_RESOLUTION,
        waits=(_EXPENSE, ()),
        variables={
            "approvedAmount": 4250,
            "costCenter": "engineering",
            "expenseDate": "2026-08-16",
            "notifySubmitter": True,
            "requestReference": "EXP-2026-0042",
            "resolution": "approved",
            "riskFlags": ["policy", "receipt", "policy"],
        },
    ),
    "expense-exception-review/request-changes": End(
        clause=_RESOLUTION,
        waits=(_EXPENSE, ()),
        variables={
            "costCenter": "operations",
            "expenseDate": "2026-08-16",
            "notifySubmitter": True,
            "requestReference": "EXP-2026-0043",
            "resolution": "changes-requested",
            "resolutionReason": "Attach the missing receipt.",
            "riskFlags": ["receipt", "policy"],
        },
    ),
    "inclusive-gateway-selected-branches/both-true-a-then-b": End(
        clause=_INCLUSIVE,
        waits=(("userTask Task_A", "userTask Task_B"), ("userTask Task_B",), ()),
        variables=_BOTH,
    ),
    "inclusive-gateway-selected-branches/both-true-b-then-a": End(
        clause=_INCLUSIVE,
        waits=(("userTask Task_A", "userTask Task_B"), ("userTask Task_A",), ()),
        variables=_BOTH,
    ),
    "inclusive-gateway-selected-branches/default": End(
        clause=_INCLUSIVE,
        waits=(("userTask Task_Default",), ()),
    ),
    "inclusive-gateway-selected-branches/one-true": End(
        clause=_INCLUSIVE,
        waits=(("userTask Task_A",), ()),
        variables={"takeA": "selected"},
    ),
    "intermediate-catch-message": End(
        clause="BPMN 2.0.2 10.5.4: the token waits for the message and goes on with it",
        waits=(("message MessageCatch_ApprovalRequest",), ("userTask UserTask_Approve",), ()),
    ),
    "message-start-event": End(
        clause="BPMN 2.0.2 13.2, 13.5.1: each message that arrives starts a process",
        waits=(("userTask UserTask_Approve",), ()),
    ),
    "non-interrupting-boundary-timer/completion-before-the-deadline": End(
        clause=_BESIDE,
        waits=(("userTask MonitoredTask", "timer Reminder"), ("userTask NormalTask",), ()),
    ),
    "non-interrupting-boundary-timer/deadline-then-both-branches": End(
        clause=_BESIDE,
        waits=(
            ("userTask MonitoredTask", "timer Reminder"),
            ("userTask MonitoredTask", "userTask HandlerTask"),
            ("userTask MonitoredTask",),
            ("userTask NormalTask",),
            (),
        ),
    ),
    "subprocess-boundary-timer/deadline-wins": End(
        clause=_BOUNDARY,
        waits=(("userTask ChildTask", "timer Deadline"), ("userTask EscalationTask",), ()),
    ),
    "subprocess-boundary-timer/scope-completes": End(
        clause=_BOUNDARY,
        waits=(("userTask ChildTask", "timer Deadline"), ("userTask AfterScope",), ()),
    ),
    "terminate-end-event/sibling-first": End(
        clause=_TERMINATE,
        waits=(
            ("userTask UserTask_Trigger", "userTask UserTask_Sibling"),
            ("userTask UserTask_Trigger",),
            ("userTask UserTask_Outer",),
            (),
        ),
    ),
    "terminate-end-event/stale-sibling-after-termination": End(
        clause=_TERMINATE,
        waits=(
            ("userTask UserTask_Trigger", "userTask UserTask_Sibling"),
            ("userTask UserTask_Outer",),
            ("userTask UserTask_Outer",),
        ),
        last_is_refused=True,
    ),
    "terminate-end-event/trigger-first": End(
        clause=_TERMINATE,
        waits=(
            ("userTask UserTask_Trigger", "userTask UserTask_Sibling"),
            ("userTask UserTask_Outer",),
            (),
        ),
    ),
    "timer-start-event": End(
        clause="BPMN 2.0.2 10.5.2, Table 10.84: the process starts when the timer fires",
        waits=(("userTask UserTask_AfterTimer",), ()),
    ),
    "timer-user-task-composition": End(
        clause="BPMN 2.0.2 10.5.4, 13.3.3: the token waits for the clock, then for the user",
        waits=(("timer TimerCatch_PT1S",), ("userTask UserTask_Approve",), ()),
    ),
    "user-task-cycle": End(
        clause="BPMN 2.0.2 13.4.2, Table 13.2; 13.3.2: each token runs the task once more",
        waits=(("userTask Review",), ("userTask Review",), ("userTask Review",), ()),
        variables={"route": "exit"},
    ),
    "user-task-preserved-notation": End(
        clause="BPMN 2.0.2 2.3.2, 13.1: lanes, pools, artifacts and diagrams run nothing",
        waits=(("userTask UserTask_Approve",), ()),
    ),
}
