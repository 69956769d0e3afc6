"""What each event makes of a state: a module a subject, a function an event."""

from . import gates, handlers, instances, repetition, scopes, tokens, undoing, work
from .registry import appliers, applies

__all__ = [
    "appliers", "applies", "gates", "handlers", "instances", "repetition", "scopes", "tokens",
    "undoing", "work",
]  # fmt: skip
