"""The shared ways out: one, with its idle connections, for each policy and host map."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from .outgoing import HostMap, OutgoingPolicy

if TYPE_CHECKING:
    from .transport import GuardedTransport

#: Settings make policies, documents do not, so that there are only a few.
_transports: dict[tuple[OutgoingPolicy, HostMap | None], GuardedTransport] = {}
_lock = threading.Lock()


def shared_transport(policy: OutgoingPolicy, doubles: HostMap | None) -> GuardedTransport:
    """The way out under a policy; made when it is first asked for."""
    from .transport import GuardedTransport

    with _lock:
        transport = _transports.get((policy, doubles))
        if transport is None:
            transport = _transports[policy, doubles] = GuardedTransport(policy, doubles)
        return transport


def close_connections() -> None:
    """Close every connection; a later request opens new ones."""
    with _lock:
        transports = list(_transports.values())
        _transports.clear()
    for transport in transports:
        transport.close()
