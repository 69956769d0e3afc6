"""Durations of the DSL: an object of units, or ISO 8601, as months and milliseconds.

Source: DSL reference, Duration.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, cast

#: What one unit of the object form is worth in milliseconds.
UNITS: Final[Mapping[str, int]] = {
    "days": 86_400_000,
    "hours": 3_600_000,
    "minutes": 60_000,
    "seconds": 1_000,
    "milliseconds": 1,
}

#: No calendar reaches further than the year 9999.
LIMIT_MONTHS: Final = 12 * 9999
LIMIT_MILLISECONDS: Final = 366 * 9999 * UNITS["days"]

_NUMBER: Final = r"[0-9]+(?:\.[0-9]+)?"
#: The literal form, without anchors; something must follow the `P` and the `T`.
ISO_8601: Final = (
    rf"P(?=.)(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?=[0-9])(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?"
)
_AMOUNTS: Final = re.compile(ISO_8601.replace(f"(?:{_NUMBER}", f"(?:({_NUMBER})"))
_LONGEST_LITERAL: Final = 100


@dataclass(frozen=True, slots=True)
class DurationValue:
    """A length of time: calendar months apart, because a month has no fixed length.

    Months are added first, on the calendar in UTC, then the milliseconds. Both may be negative;
    a wait that is not positive is over at once.
    """

    months: int = 0
    milliseconds: int = 0

    @property
    def is_positive(self) -> bool:
        """Whether any time passes; a month counts as its shortest, 28 days."""
        return self.months * 28 * UNITS["days"] + self.milliseconds > 0


def parse_duration(value: object) -> DurationValue:
    """Read a duration from its object form or from an ISO 8601 string.

    A year is 12 months. A part of a month counts as that part of 30 days, and what is finer than
    a millisecond is rounded half to even. An expression is no duration before it is evaluated.

    Raises:
        ValueError: The value is no duration, or reaches beyond the calendar. The message is fit
            for an author's eyes.
    """
    if isinstance(value, str):
        return _bounded(*_from_literal(value))
    if isinstance(value, Mapping):
        return _bounded(0, _from_units(cast("Mapping[object, object]", value)))
    raise ValueError(f"a duration is an object or an ISO 8601 string, not {value!r:.40}")


def _from_units(units: Mapping[object, object]) -> int:
    if not units:
        raise ValueError(f"it has no unit; the units are {', '.join(UNITS)}")
    total = 0
    for unit, count in units.items():
        if unit not in UNITS:
            raise ValueError(f"it has no unit {unit!r:.40}; the units are {', '.join(UNITS)}")
        if isinstance(count, bool) or not (
            isinstance(count, int) or (isinstance(count, float) and count.is_integer())
        ):
            raise ValueError(f"{unit} is a whole number, not {count!r:.40}")
        total += int(count) * UNITS[str(unit)]
    return total


def _from_literal(text: str) -> tuple[int, int]:
    found = _AMOUNTS.fullmatch(text) if len(text) <= _LONGEST_LITERAL else None
    if found is None:
        raise ValueError(f"{text!r:.40} is no ISO 8601 duration such as PT15M or P1DT12H")
    years, months, weeks, days, hours, minutes, seconds = map(Fraction, found.groups("0"))
    all_months = years * 12 + months
    whole_months = int(all_months)
    all_days = weeks * 7 + days + (all_months - whole_months) * 30
    milliseconds = (
        all_days * UNITS["days"]
        + hours * UNITS["hours"]
        + minutes * UNITS["minutes"]
        + seconds * UNITS["seconds"]
    )
    return whole_months, round(milliseconds)


def _bounded(months: int, milliseconds: int) -> DurationValue:
    if abs(months) > LIMIT_MONTHS or abs(milliseconds) > LIMIT_MILLISECONDS:
        raise ValueError("it is longer than 9999 years")
    return DurationValue(months, milliseconds)
