"""Which instance a message is for: correlation keys, subscriptions, and keys of vendors.

Source: BPMN 2.0.2 8.4.2.
"""

from __future__ import annotations

import msgspec

from .. import codes
from ..graph import Constant, Correlation, Expression, Listing, Value
from .document import Element
from .messages import Key
from .profiles.contract import Written
from .reading import Reading, written_in

#: Where an event of a vendor's dialect carries its key.
_CARRIED_KEY = Expression(text=".correlationkey // .subject")


def correlations_of(
    reading: Reading, message: Element | None, *things: Element
) -> tuple[Correlation, ...]:
    """What a message must agree with to be taken by something that waits for it.

    `things` are the elements that a vendor may have written its key at.
    """
    found = list(keys_of(reading, message))
    for thing in (*things, *(() if message is None else (message,))):
        key = reading.profile.message(thing).correlation_key
        if key is not None:
            expect = reading.value(key)
            if expect is not None:
                found.append(Correlation(name="correlationKey", read=_CARRIED_KEY, expect=expect))
            break
    return tuple(found)


def vendor_key(reading: Reading, message: Element | None, *things: Element) -> Written | None:
    """The correlation key that a message carries when it is sent, as a vendor says it."""
    for thing in (*things, *(() if message is None else (message,))):
        key = reading.profile.message(thing).correlation_key
        if key is not None:
            return key
    return None


def keys_of(reading: Reading, message: Element | None) -> tuple[Correlation, ...]:
    """The correlation keys of the standard that a message carries.

    A key is shared by the whole instance unless a subscription of the process computes it.
    """
    if message is None or not reading.messages.keys:
        return ()
    found = [_correlation(reading, key, message) for key in reading.messages.keys]
    return tuple(one for one in found if one is not None)


def _correlation(reading: Reading, key: Key, message: Element) -> Correlation | None:
    paths = [reading.messages.path_of(one, message) for one in key.properties]
    if any(path is None for path in paths):
        # A message that lacks a part of the key takes no part in that conversation.
        if any(path is not None for path in paths):
            reading.find(
                codes.CORRELATION_KEY_INCOMPLETE, message, message=message.id, key=key.name
            )
        return None
    reads: list[str] = []
    first: Expression | None = None
    for path in paths:
        assert path is not None
        value = reading.value(written_in(path))
        if value is None:
            return None
        if isinstance(value, Constant):
            text = msgspec.json.encode(value.document).decode()
        else:
            text, first = value.text, first or value
        reads.append(f"(.data | ({text}))")
    read = Expression(
        text=reads[0] if len(reads) == 1 else f"[{', '.join(reads)}]",
        source=None if first is None else first.source,
        source_language="jq" if first is None else first.source_language,
    )
    expect = _subscribed(reading, key)
    return Correlation(name=key.name, read=read, expect=expect, is_shared=expect is None)


def _subscribed(reading: Reading, key: Key) -> Value | None:
    """What a subscription of the process makes of its data, in the order of the key."""
    for subscription in reading.process.each("correlationSubscription"):
        if reading.document.find(subscription.get("correlationKeyRef")) is not key.element:
            continue
        bound = {
            reading.document.find(binding.get("correlationPropertyRef")): binding.child("dataPath")
            for binding in subscription.each("correlationPropertyBinding")
        }
        values: list[Value] = []
        for one in key.properties:
            path = bound.get(one)
            value = None if path is None else reading.value(written_in(path))
            if value is None:
                return None
            values.append(value)
        return values[0] if len(values) == 1 else Listing(tuple(values))
    return None
