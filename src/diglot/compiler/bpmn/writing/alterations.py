"""What an export alters, told: of each code so many, and how many more there are."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from ... import codes
from ...diagnostics import Code, Report

#: So many findings of one code are told about one file.
MOST_OF_A_CODE: Final = 50


class Alterations:
    """The findings of one step of an export; `close` ends it."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._told: Counter[str] = Counter()

    def tell(self, code: Code, pointer: str, **parameters: Any) -> None:
        """Record a finding at the element of this id."""
        self._told[code.id] += 1
        if self._told[code.id] <= MOST_OF_A_CODE:
            self._report.add(code, None, pointer, **parameters)

    def close(self) -> None:
        """Say how many there are that were not told one by one."""
        for code, count in sorted(self._told.items()):
            if count > MOST_OF_A_CODE:
                self._report.add(codes.MORE_ALTERATIONS, None, count=count, finding=code)
