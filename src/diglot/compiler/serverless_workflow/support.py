"""What the catalogue says is not supported, told where the author used it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import codes

if TYPE_CHECKING:
    from .reading import Reading


def refuse(reading: Reading, construct: str, spelled: str, pointer: str) -> None:
    """Report a construct that the catalogue refuses, with the reason it gives.

    `construct` is the catalogue's key, `spelled` the construct in the author's words.
    """
    # Late: the catalogue is read only where something is refused.
    from diglot.specs import constructs

    reason = constructs("serverless_workflow")[construct].note
    reading.find(
        codes.UNSUPPORTED_CONSTRUCT,
        pointer,
        span=reading.document.key_span_of(pointer),
        construct=spelled,
        reason=reason,
    )
