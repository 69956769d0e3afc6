"""Scenarios in which an engine was observed that does not do what the standard says."""

from __future__ import annotations

from .outcome import Dispute

DISPUTES = (
    Dispute(
        "mapped-boundary-error-service-task",
        'expected variables {"resultValue": null}, got {}',
        "an activity that fails gives no outputs (BPMN 2.0.2 13.3.2); the engine that was observed "
        "maps them when an error is caught, too",
    ),
)
