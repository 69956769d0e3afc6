"""Where CloudEvents go that leave the engine: a file, or a listener over HTTP.

Source: CloudEvents 1.0.2, HTTP protocol binding 3.2 (structured mode); DSL, Lifecycle Events.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from .engine import Sink

if TYPE_CHECKING:
    from .actions.outgoing import HostMap, OutgoingPolicy


#: A listener that takes longer holds up everything else that is due.
TIMEOUT_S = 5.0


def file_sink(path: Path) -> Sink:
    """A sink that appends each event to a file as one line of JSON."""
    guard = threading.Lock()

    def write(envelope: dict[str, Any]) -> None:
        with guard, path.open("ab") as file:
            file.write(msgspec.json.encode(envelope) + b"\n")

    return write


def http_sink(
    address: str, policy: OutgoingPolicy | None = None, transport: HostMap | None = None
) -> Sink:
    """A sink that posts each event in structured mode; anything but 2xx is tried again later."""

    def post(envelope: dict[str, Any]) -> None:
        from .actions import SERVER, ActionContext, execute

        context = ActionContext(
            policy=policy or SERVER,
            transport=transport,
            timeout_s=TIMEOUT_S,
            idempotency_key=f"{envelope['source']} {envelope['id']}",
            traceparent=None,
            allow_processes=False,
            cancelled=None,
        )
        arguments = {
            "method": "post",
            "endpoint": {"uri": address},
            "headers": {"Content-Type": "application/cloudevents+json"},
            "body": envelope,
            "output": "raw",
        }
        execute("http", arguments, context)

    return post
