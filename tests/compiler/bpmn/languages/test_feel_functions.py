"""The functions of FEEL, by examples of the standard's kind, and against Python's own."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import (
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    ROUND_UP,
    Decimal,
)
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.bpmn.languages import Refusal, Translation, translate
from diglot.compiler.bpmn.languages.feel_functions import NAMES, REFUSED, RULES, SPECIAL
from diglot.compiler.expressions import compile_jq, evaluate


def worth(text: str, variables: dict[str, Any] | None = None, *, now: float = 0) -> Any:
    found = translate(text, "feel")
    assert isinstance(found, Translation), found
    (result,) = evaluate(compile_jq(found.text), variables or {}, {"__now": now})
    return result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('string length("foo")', 3),
        ('substring("foobar", 3)', "obar"),
        ('substring("foobar", 3, 3)', "oba"),
        ('substring("foobar", -2, 1)', "a"),
        ('substring("foobar", 9)', ""),
        ('substring("foobar", 0)', None),
        ('substring(string: "foobar", start position: 4)', "bar"),
        ('upper case("aBc4")', "ABC4"),
        ('substring before("foobar", "bar")', "foo"),
        ('substring before("foobar", "xyz")', ""),
        ('substring after("foobar", "ob")', "ar"),
        ('substring after("", "a")', ""),
        ('substring after("foo", "")', "foo"),
        ('replace("abcab", "ab", "-")', "-c-"),
        ('split("a;b;;c", ";")', ["a", "b", "", "c"]),
        ('split("", ";")', [""]),
        ('string join(["a", "b"], "-")', "a-b"),
        ('string join(["a", "b"])', "ab"),
        ('string join(["a", 1], "-")', None),
        ('matches("AB-12", "^[A-Z]{2}-\\\\d+$")', True),
        ('matches("AB-12x", "^[A-Z]{2}-\\\\d+$")', False),
        ('contains("foobar", 5)', None),
        ('number("1 000,5", " ", ",")', 1000.5),
        ('number("1,000.5", ",", ".")', 1000.5),
        ('number("a")', None),
        ('number("-2.50")', -2.5),
        ("string(1.5)", "1.5"),
        ("string(null)", None),
        ('is blank("  ")', True),
        ('trim("  a ")', "a"),
        ("decimal(1/3, 2)", 0.33),
        ("decimal(1.5, 0)", 2),
        ("decimal(2.5, 0)", 2),
        ("floor(-1.5)", -2),
        ("ceiling(-1.5)", -1),
        ("floor(1.56, 1)", 1.5),
        ("round up(-5.5, 0)", -6),
        ("round down(5.59, 1)", 5.5),
        ("round half up(-1.125, 2)", -1.13),
        ("round half down(-5.5, 0)", -5),
        ("abs(-10)", 10),
        ('abs(duration("-PT5H"))', "PT5H"),
        ("modulo(-12, 5)", 3),
        ("modulo(12, -5)", -3),
        ("modulo(1, 0)", None),
        ("sqrt(16)", 4),
        ("sqrt(-3)", None),
        ("odd(5)", True),
        ("even(5)", False),
        ("2 ** 10", 1024),
        ("min([1, 2, 3])", 1),
        ("min(1, 2, 3)", 1),
        ("min([])", None),
        ('max("a", "b")', "b"),
        ('max(1, "b")', None),
        ("count(null)", None),
        ("count(5)", 1),
        ("sum(1, 2, 3)", 6),
        ("product([2, 3, 4])", 24),
        ("mean([1, 2, 3])", 2),
        ("median(8, 2, 5, 3, 4)", 4),
        ("median([6, 1, 2, 3])", 2.5),
        ("mode([6, 1, 9, 6, 1])", [1, 6]),
        ("mode([])", []),
        ("stddev([47])", None),
        ("all([true, null])", None),
        ("all([true, false, null])", False),
        ("any([false, null, true])", True),
        ("any([])", False),
        ("all([])", True),
        ("list contains([1, 2, null], null)", True),
        ("sublist([4, 5, 6], 1, 2)", [4, 5]),
        ("sublist([4, 5, 6], -2)", [5, 6]),
        ("sublist([4, 5, 6], 5)", None),
        ("append([1], 2, 3)", [1, 2, 3]),
        ("concatenate([1, 2], [3])", [1, 2, 3]),
        ("insert before([1, 3], 1, 2)", [2, 1, 3]),
        ("remove([1, 2, 3], 2)", [1, 3]),
        ("list replace([2, 4, 7], 3, 6)", [2, 4, 6]),
        ("reverse([1, 2, 3])", [3, 2, 1]),
        ("index of([1, 2, 3, 2], 2)", [2, 4]),
        ("union([1, 2], [2, 3])", [1, 2, 3]),
        ("distinct values([1, 2, 3, 2, 1])", [1, 2, 3]),
        ("duplicate values([1, 2, 3, 2, 1])", [1, 2]),
        ("flatten([[1, 2], [[3]], 4])", [1, 2, 3, 4]),
        ("is empty([])", True),
        ("partition([1, 2, 3, 4, 5], 2)", [[1, 2], [3, 4], [5]]),
        ('get value({a: 5}, "a")', 5),
        ('get value({a: {b: 5}}, ["a", "b"])', 5),
        ("get entries({a: 5})", [{"key": "a", "value": 5}]),
        ('context put({a: 1}, "b", 2)', {"a": 1, "b": 2}),
        ('context put({a: {x: 1}}, ["a", "y"], 2)', {"a": {"x": 1, "y": 2}}),
        ('context put({a: 1}, ["a", "y"], 2)', None),
        ("context merge([{a: 1}, {b: 2}])", {"a": 1, "b": 2}),
        ("context merge({a: 1}, {b: 2})", {"a": 1, "b": 2}),
        ('context([{key: "a", value: 1}])', {"a": 1}),
        ("is(1, 1)", True),
        ("get or else(null, 3)", 3),
        ("{a: 1}.a", 1),
        ("[{a: 1}, {a: 2}].a", [1, 2]),
        ("[1, 2, 3][item > 1]", [2, 3]),
        ("[1, 2, 3][-1]", 3),
        ("5[1]", 5),
        ("null[1]", None),
        ("[1, 2][1.5]", None),
        ("5 in (1, 5)", True),
        ("[1] = [1]", True),
        ('"a" < "b"', True),
        ('"a" < 1', None),
        ("true > false", None),
        ("5 instance of number", True),
        ("null instance of number", False),
        ("1 + null", None),
        ('-"a"', None),
        ("if null then 1 else 2", 2),
        # times
        ('date("2012-12-25")', "2012-12-25"),
        ('date("2012-02-30")', None),
        ('date("2012-2-3")', None),
        ("date(2012, 2, 29)", "2012-02-29"),
        ("date(2013, 2, 29)", None),
        ('date(date and time("2012-12-25T11:00:00Z"))', "2012-12-25"),
        ('time("11:59:45Z")', "11:59:45Z"),
        ('time("25:00:00")', None),
        ('time(date and time("2012-12-25T11:00:00+02:00"))', "11:00:00+02:00"),
        ("time(12, 30, 0)", "12:30:00"),
        ('date and time("2012-12-24T23:59:00.50")', "2012-12-24T23:59:00.5"),
        ('date and time(date("2012-12-24"), time("23:59:00"))', "2012-12-24T23:59:00"),
        ('duration("P2Y14M")', "P3Y2M"),
        ('duration("P5DT25H")', "P6DT1H"),
        ('duration("PT0S")', "PT0S"),
        ('duration("-PT90S")', "-PT1M30S"),
        ('duration("PT1.25S")', "PT1.25S"),
        ('duration("P1Y1D")', None),
        ('duration("P")', None),
        ('@"2012-12-25" + @"P1D"', "2012-12-26"),
        ('@"2012-01-31" + @"P1M"', "2012-02-29"),
        ('@"2012-03-31" - @"P1M"', "2012-02-29"),
        ('@"2012-12-25" - @"2012-12-24"', "P1D"),
        ('@"2012-12-25T10:00:00Z" - @"2012-12-25T11:30:00+02:00"', "PT30M"),
        ('@"2012-12-25T10:00:00Z" - @"2012-12-25T11:30:00"', None),
        ('@"10:00:00" + @"PT15H"', "01:00:00"),
        ('@"P1D" + @"PT1H"', "P1DT1H"),
        ('@"P1D" + @"P1M"', None),
        ('@"2012-12-25" = "2012-12-25"', None),
        ('@"P1D" + "P1D"', None),
        ('@"P1D" * 2', "P2D"),
        ('3 * @"P1M"', "P3M"),
        ('@"P1D" / 2', "PT12H"),
        ('@"P1D" / @"PT6H"', 4),
        ('@"P49M" / 49', "P1M"),
        ('-@"P1D"', "-P1D"),
        ('@"P1D" > @"PT23H"', True),
        ('@"P1D" > @"P1M"', None),
        ('@"PT24H" = @"P1D"', True),
        ('@"2012-12-25T10:00:00Z" = @"2012-12-25T12:00:00+02:00"', True),
        ('@"2012-12-25T10:00:00Z" < @"2012-12-25T12:00:00"', None),
        ('@"2012-12-25" < @"2012-12-26"', True),
        ('@"2012-12-25" in [@"2012-12-01"..@"2012-12-31"]', True),
        ('@"2012-12-25".year', 2012),
        ('@"2012-12-25".weekday', 2),
        ('@"10:20:30.5".second', 30.5),
        ('@"10:20:30+01:30".time offset', "PT1H30M"),
        ('@"P1DT2H3M4S".hours', 2),
        ('@"P14M".years', 1),
        ('day of week(@"2019-09-17")', "Tuesday"),
        ('day of year(@"2019-09-17")', 260),
        ('week of year(@"2019-09-17")', 38),
        ('week of year(@"2005-01-01")', 53),
        ('month of year(@"2019-09-17")', "September"),
        ('last day of month(@"2020-02-11")', "2020-02-29"),
        ('years and months duration(@"2011-12-22", @"2013-08-24")', "P1Y8M"),
        ('years and months duration(@"2013-08-24", @"2011-12-25")', "-P1Y7M"),
    ],
)
def test_feel_by_examples(text: str, expected: object) -> None:
    result = worth(text)

    assert result == expected
    assert isinstance(result, bool) == isinstance(expected, bool)


def test_the_time_is_that_of_the_evaluation() -> None:
    assert worth("now()", now=1_900_000_000.25) == "2030-03-17T17:46:40.25Z"
    assert worth("today()", now=1_900_000_000.25) == "2030-03-17"
    assert worth('now() > date and time("2030-03-17T17:46:40Z")', now=1_900_000_000.25) is True


def test_a_text_becomes_a_time_beside_one() -> None:
    variables = {"due": "2030-01-02", "since": "2030-01-01T00:00:00Z", "odd": "soon"}

    assert worth('due > date("2030-01-01")', variables) is True
    assert worth('since + duration("PT1H")', variables) == "2030-01-01T01:00:00Z"
    assert worth('odd + duration("PT1H")', variables) is None
    assert worth('odd < date("2030-01-01")', variables) is None


def test_a_zone_by_name_is_an_error_that_says_so() -> None:
    found = translate("date and time(at) > now()", "feel")
    assert isinstance(found, Translation)

    with pytest.raises(Exception, match="known by their offset"):
        compile_jq(found.text).evaluate({"at": "2030-01-01T00:00:00@Europe/Paris"}, {"__now": 0})


def test_the_results_so_far_of_a_loop_are_refused() -> None:
    found = translate("for i in 1..3 return count(partial)", "feel")

    assert isinstance(found, Refusal)
    assert found.part == "partial"
    assert worth("partial + 1", {"partial": 1}) == 2


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_is_refused_says_why(name: str) -> None:
    found = translate(f"{name}(a, b, c, d, e)", "feel")

    assert isinstance(found, Refusal)


def test_every_name_is_one_of_the_tables() -> None:
    listed = {key.rpartition("/")[0] for key in RULES}

    assert listed | SPECIAL | REFUSED.keys() == NAMES
    assert all(len(rule.names.split(";")) == len(rule.kinds) for rule in RULES.values())


@pytest.mark.parametrize(
    ("pattern", "part"),
    [("\\\\w+", '"\\\\w+"'), ("(?<n>a)", '"(?<n>a)"'), ("[[:alpha:]]", '"[[:alpha:]]"')],
)
def test_a_pattern_with_several_readings_is_refused(pattern: str, part: str) -> None:
    found = translate(f'matches(a, "{pattern}")', "feel")

    assert isinstance(found, Refusal)
    assert found.part == part


DAYS = st.dates(date(1, 1, 1), date(9999, 12, 31))


@given(DAYS, st.integers(-40_000, 40_000))
@settings(max_examples=60, deadline=None)
def test_days_are_those_of_the_calendar(start: date, days: int) -> None:
    try:
        expected: str | None = (start + timedelta(days=days)).isoformat()
    except OverflowError:
        return

    assert worth("date(d) + duration(n)", {"d": start.isoformat(), "n": f"P{days}D"}) == (
        None if days < 0 else expected
    )


@given(
    st.datetimes(datetime(1600, 1, 1), datetime(2400, 1, 1)),
    st.integers(0, 10**9),
    st.integers(-12 * 60, 12 * 60),
)
@settings(max_examples=60, deadline=None)
def test_moments_are_those_of_the_calendar(start: datetime, seconds: int, offset: int) -> None:
    start = start.replace(microsecond=0)
    sign = "-" if offset < 0 else "+"
    zone = f"{sign}{abs(offset) // 60:02d}:{abs(offset) % 60:02d}"
    variables = {"at": start.isoformat() + zone, "n": f"PT{seconds}S"}

    later = worth("date and time(at) + duration(n)", variables)
    length = worth("date and time(later) - date and time(at)", {**variables, "later": later})

    assert later == (start + timedelta(seconds=seconds)).isoformat() + zone
    assert worth("length = duration(n)", {**variables, "length": length}) is not False
    assert worth("duration(length) = duration(n)", {**variables, "length": length}) is True
    instant = start.replace(tzinfo=UTC) - timedelta(minutes=offset)
    other = instant.isoformat().replace("+00:00", "Z")
    assert worth("date and time(at) = date and time(other)", {**variables, "other": other}) is True


ROUNDINGS = {
    "decimal({}, {})": ROUND_HALF_EVEN,
    "floor({}, {})": ROUND_FLOOR,
    "ceiling({}, {})": ROUND_CEILING,
    "round up({}, {})": ROUND_UP,
    "round down({}, {})": ROUND_DOWN,
    "round half up({}, {})": ROUND_HALF_UP,
}


@given(
    st.decimals(-10_000, 10_000, places=4),
    st.integers(0, 4),
    st.sampled_from(sorted(ROUNDINGS)),
)
@settings(max_examples=150, deadline=None)
def test_numbers_are_rounded_as_decimals(number: Decimal, scale: int, call: str) -> None:
    expected = number.quantize(Decimal(1).scaleb(-scale), ROUNDINGS[call])

    result = worth(call.format("n", "s"), {"n": float(number), "s": scale})

    assert result == float(expected)
