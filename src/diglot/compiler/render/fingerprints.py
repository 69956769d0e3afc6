"""What a finding is recognized by when its file is edited and checked again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from diglot.compiler.diagnostics import Diagnostic

#: The places of tasks in their lists, which change when another task is put before them.
_INDEX: Final = re.compile(r"/\d+(?=/|$)")


def fingerprints(found: Iterable[Diagnostic]) -> list[str]:
    """One for each finding: of its code and of what it is about, wherever that stands.

    Several of one code about one thing in one file are told apart by their order.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    made: list[str] = []
    for one in found:
        about = _INDEX.sub("", one.pointer)
        key = (one.span.file if one.span is not None else "", one.code, about)
        seen[key] += 1
        text = f"{one.code}\n{about}\n{seen[key]}"
        made.append(sha256(text.encode("utf-8", "replace")).hexdigest()[:32])
    return made
