"""Cases of betsy that the standard's words do not bear out, each with those words."""

from __future__ import annotations

from .outcome import Dispute

_INTERRUPTS = (
    "the boundary event has no cancelActivity, which is true then (BPMN 2.0.2 10.5.4), and one that"
    " cancels ends all instances of a multi-instance activity (13.5.3): the first event that an"
    " instance throws ends the others, and the ordinary flow is not taken"
)
_OTHER_SCRIPT = (
    "no script of the file is SCRIPT_task3: what follows the ad-hoc sub-process is SCRIPT_task1"
)


def _dispute(test: str, failure: str, reason: str) -> Dispute:
    return Dispute(f"{test}/1", failure, reason)


DISPUTES = (
    _dispute("MultiInstance_NoneBehavior", "got ['SCRIPT_task1', 'SCRIPT_task3']", _INTERRUPTS),
    _dispute("MultiInstance_OneBehavior", "got ['SCRIPT_task1', 'SCRIPT_task3']", _INTERRUPTS),
    _dispute("MultiInstance_ComplexBehavior", "got ['SCRIPT_task1', 'SCRIPT_task3']", _INTERRUPTS),
    _dispute(
        "WCP09_Structured_Discriminator_MultiInstance",
        "got ['SCRIPT_task1', 'SCRIPT_task3']",
        _INTERRUPTS,
    ),
    _dispute(
        "WCP12_MultipleInstancesWithoutSynchronization",
        "got ['SCRIPT_task1', 'SCRIPT_task3']",
        _INTERRUPTS,
    ),
    _dispute("AdHocSubProcess_Sequential", "got ['SCRIPT_task1', 'SCRIPT_task1'", _OTHER_SCRIPT),
    _dispute("AdHocSubProcess_Parallel", "got ['SCRIPT_task1', 'SCRIPT_task1'", _OTHER_SCRIPT),
    _dispute(
        "Conditional_StartEvent_EventSubProcess_NonInterrupting",
        "DG1303",
        "the condition of the file ends in the middle, with a comparison that has no right side",
    ),
    _dispute(
        "Timer_IntermediateTimeCycleEvent",
        "got ['SCRIPT_task1']",
        "an intermediate catch event consumes one occurrence (BPMN 2.0.2 13.5.2); what a cycle"
        " means for it the standard does not say, and we fire it once (A108)",
    ),
)
