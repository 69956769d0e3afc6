"""Cases of the token simulator that the standard's words do not bear out, each with those words."""

from __future__ import annotations

from .outcome import Dispute

DISPUTES = (
    Dispute(
        "039-error-no-catch",
        "got START S_START",
        "the error end event of a sub-process is caught by nobody: the simulator lets the"
        " sub-process complete, but an error is critical and whoever throws it does not go on"
        " (BPMN 2.0.2 10.5.1); what catches none faults the instance",
    ),
)
