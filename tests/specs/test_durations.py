from __future__ import annotations

import pytest

from diglot.specs.serverless_workflow.durations import DurationValue, parse_duration

DAY = 86_400_000


@pytest.mark.parametrize(
    ("written", "months", "milliseconds"),
    [
        ("PT0S", 0, 0),
        ("PT15M", 0, 900_000),
        ("P1DT12H", 0, DAY + 43_200_000),
        ("P2W", 0, 14 * DAY),
        ("P1Y2M", 14, 0),
        ("P1M", 1, 0),
        ("PT1M", 0, 60_000),
        ("P1Y2M3W4DT5H6M7.089S", 14, 25 * DAY + 18_367_089),
        ("PT0.5H", 0, 1_800_000),
        ("P0.5Y", 6, 0),
        ("P0.5M", 0, 15 * DAY),
        ("PT0.0005S", 0, 0),
        ("PT0.0015S", 0, 2),
    ],
)
def test_an_iso_8601_text_is_months_and_milliseconds(
    written: str, months: int, milliseconds: int
) -> None:
    assert parse_duration(written) == DurationValue(months, milliseconds)


@pytest.mark.parametrize(
    ("written", "milliseconds"),
    [
        ({"seconds": 5}, 5_000),
        ({"days": 1, "hours": 2, "minutes": 3, "seconds": 4, "milliseconds": 5}, 93_784_005),
        ({"hours": 1, "minutes": -90}, -1_800_000),
        ({"seconds": 0}, 0),
        ({"seconds": 2.0}, 2_000),
    ],
)
def test_units_add_up_to_milliseconds(written: dict[str, int], milliseconds: int) -> None:
    assert parse_duration(written) == DurationValue(0, milliseconds)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "P",
        "PT",
        "P1DT",
        "P1S",
        "PT1D",
        "-PT5S",
        "PT-5S",
        "PT5",
        "pt5s",
        " PT5S",
        "PT5S\n",
        "PT\u0665S",
        "PT5,5S",
        "${ .delay }",
        {},
        {"second": 5},
        {"seconds": "5"},
        {"seconds": 1.5},
        {"seconds": True},
        {"seconds": float("inf")},
        {"seconds": float("nan")},
        {"seconds": None},
        5,
        None,
        True,
        ["PT5S"],
    ],
)
def test_what_is_no_duration_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_duration(written)


@pytest.mark.parametrize(
    "written",
    [
        "P10000Y",
        "P4000000D",
        "PT" + "9" * 90 + "S",
        {"days": 4_000_000},
        {"milliseconds": -(10**15)},
        {"seconds": 1e300},
    ],
)
def test_a_duration_beyond_the_calendar_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="9999 years"):
        parse_duration(written)


def test_a_text_that_no_author_writes_is_refused_unread() -> None:
    with pytest.raises(ValueError, match="ISO 8601"):
        parse_duration("PT" + "1" * 1_000_000 + "S")


@pytest.mark.parametrize(
    ("value", "is_positive"),
    [
        (DurationValue(0, 1), True),
        (DurationValue(1, 0), True),
        (DurationValue(0, 0), False),
        (DurationValue(0, -1), False),
        (DurationValue(1, -40 * DAY), False),
    ],
)
def test_a_duration_is_positive_when_time_passes(value: DurationValue, is_positive: bool) -> None:
    assert value.is_positive is is_positive
