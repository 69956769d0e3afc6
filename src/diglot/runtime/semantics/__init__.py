"""The machine's rules, one a node kind."""

from . import activities, escalation, events, gateways, receive, scopes
from .frame import Frame, Surroundings
from .step import Step

__all__ = [
    "Frame", "Step", "Surroundings", "activities", "escalation", "events", "gateways", "receive",
    "scopes",
]  # fmt: skip
