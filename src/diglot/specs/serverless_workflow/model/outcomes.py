"""What the engine hands to a workflow: responses, results of processes, received messages.

Source: DSL reference, HTTP Response, HTTP Request, Process Result, AsyncAPI Inbound Message.
"""

from __future__ import annotations

from typing import Any

from .base import Closed, Maybe
from .calls import AsyncApiMessage


class HttpRequest(Closed):
    """The request that a response answers."""

    method: str
    uri: str
    headers: Maybe[dict[str, str]] = None


class HttpResponse(Closed):
    """The output of a call that asks for the `response`."""

    request: HttpRequest
    statusCode: int
    headers: Maybe[dict[str, str]] = None
    content: Any = None


class ProcessResult(Closed):
    """The output of a process that returns `all`."""

    code: int
    stdout: str
    stderr: str


class AsyncApiReceived(AsyncApiMessage):
    """A message that a subscription has consumed."""

    correlationId: Maybe[str] = None
