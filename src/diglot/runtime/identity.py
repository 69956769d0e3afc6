"""Ids that sort by time."""

from __future__ import annotations

import os
import uuid


def new_instance_id(now_ms: int) -> str:
    """A UUIDv7: milliseconds first, then randomness.

    Source: RFC 9562 5.7.
    """
    random = int.from_bytes(os.urandom(10), "big")
    value = (now_ms & ((1 << 48) - 1)) << 80
    value |= 0x7 << 76
    value |= (random >> 62 & 0xFFF) << 64
    value |= 0b10 << 62
    value |= random & ((1 << 62) - 1)
    return str(uuid.UUID(int=value))
