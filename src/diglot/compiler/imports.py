"""How an imported file is found: by a function that the caller gives, and by no other way."""

from __future__ import annotations

from collections.abc import Callable

#: Gives the bytes behind the path of an import, relative to the importing document, or None where
#: nothing is there; may raise `ImportRefused`.
Resolve = Callable[[str], bytes | None]


class ImportRefused(Exception):
    """An import is not followed; the message says why, such as "is on the network"."""
