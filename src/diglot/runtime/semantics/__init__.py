"""The machine's rules, one a node kind."""

from . import activities, events, gateways, receive, scopes
from .step import Frame, Step, Surroundings

__all__ = ["Frame", "Step", "Surroundings", "activities", "events", "gateways", "receive", "scopes"]
