"""What in-process workers do: perform one action from evaluated arguments.

An action sees neither the graph nor the store nor an expression. It is given JSON values and an
`ActionContext`, and returns a JSON value or raises `ActionError`. httpx is imported with the first
request only.
"""

from __future__ import annotations

# Importing an action registers it.
from . import http, openapi, script, shell
from .connections import close_connections
from .contract import ActionContext, ActionError, Cancellation
from .openapi_document import forget_documents
from .outgoing import PERMISSIVE, SERVER, HostMap, OutgoingPolicy
from .registry import execute, kinds, performs

__all__ = [
    "PERMISSIVE",
    "SERVER",
    "ActionContext",
    "ActionError",
    "Cancellation",
    "HostMap",
    "OutgoingPolicy",
    "close_connections",
    "execute",
    "forget_documents",
    "http",
    "kinds",
    "openapi",
    "performs",
    "script",
    "shell",
]
