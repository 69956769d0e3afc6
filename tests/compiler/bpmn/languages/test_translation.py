"""A translation knows where it came from, reads what it says, and is bounded."""

from __future__ import annotations

import re
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.bpmn.languages import Language, Refusal, Translation, translate
from diglot.compiler.expressions import compile_jq

LANGUAGES: tuple[Language, ...] = ("feel", "juel", "xpath", "bare", "jq", "text")
WORDS = re.findall(
    r"\S+",
    """
    a b order . ( ) [ ] { } ${ #{ } ? : , ; and or not in if then else for return some every
    satisfies == = != < <= > >= + - * / % ** ! && || 'x' "y" 1 2.5 true null empty .. @ $ ` \\
    between item date( duration( contains( .equals( len( getDataObject('x') is None now() é
    """,
)


def carried(text: str, language: Language) -> Translation:
    found = translate(text, language)
    assert isinstance(found, Translation), found
    return found


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("approved", "juel", ".approved"),
        ("order.total", "juel", ".order.total"),
        ("first-name", "xpath", '.["first-name"]'),
        ("lines[0].sku", "bare", ".lines[0].sku"),
        (
            "amount > 100",
            "juel",
            '.amount | if type == "number" then . > 100 '
            'else error("amount is \\(type), not a number") end',
        ),
        ("amount > 100", "feel", '.amount | if type == "number" then . > 100 else null end'),
        ("empty note", "juel", '.note | IN(null, "", [], {})'),
        ("'y'.equals(x)", "bare", '"y" == .x'),
        ("x == null", "bare", ".x == null"),
        ("1 + 2 * 3", "feel", "7"),
        ("a and b", "text", '"a and b"'),
    ],
)
def test_plain_conditions_stay_readable(text: str, language: Language, expected: str) -> None:
    assert carried(text, language).text == expected


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("a.b > c[d]", "juel", ("a", "c", "d")),
        ("execution.getVariable('x') == y", "juel", ("x", "y")),
        ("for x in xs return x + y", "feel", ("xs", "y")),
        ("{k: 1, l: k + m}", "feel", ("m",)),
        ("any(v > w for v in vs)", "bare", ("vs", "w")),
        ("getDataObject('o')/total > $limit", "xpath", ("limit", "o")),
        (".a.b > .c", "jq", ("a", "c")),
        ("1 < 2", "feel", ()),
    ],
)
def test_the_variables_it_reads_are_named(
    text: str, language: Language, names: tuple[str, ...]
) -> None:
    assert carried(text, language).names == names


@pytest.mark.parametrize(
    ("text", "part", "source"),
    [
        ("order.total > 100 and rush", ".order.total", "order.total"),
        ("order.total > 100 and rush", ".rush", "rush"),
        ("a.b == 'x'", ".a", "a"),
    ],
)
def test_a_part_of_the_program_leads_to_the_author_s_words(
    text: str, part: str, source: str
) -> None:
    found = carried(text, "juel")

    assert found.source_offset(found.text.index(part)) == text.index(source)


@given(st.integers(0, 2**32), st.sampled_from(["feel", "juel", "xpath", "bare"]))
@settings(max_examples=300, deadline=None)
def test_every_place_of_the_program_leads_into_the_source(seed: int, language: Language) -> None:
    random = Random(seed)
    text = " ".join(random.choice(WORDS) for _ in range(random.randint(1, 9)))

    found = translate(text, language)

    if isinstance(found, Refusal):
        assert 0 <= found.start <= found.end <= len(text)
        assert found.part == text[found.start : found.end]
        return
    program = compile_jq(found.text)
    assert (program.forbidden, program.unknown_functions) == ((), ())
    assert program.variables <= {"__now"}
    assert list(found.map) == sorted(found.map, key=lambda place: (place[0], -place[1]))
    for start, end, first, last in found.map:
        assert 0 <= start < end <= len(found.text)
        assert 0 <= first <= last <= len(text)
    for offset in range(len(found.text) + 1):
        assert 0 <= found.source_offset(offset) <= len(text)


HOSTILE = {
    "parentheses": "(" * 10_000 + "x" + ")" * 10_000,
    "brackets": "[" * 9_000,
    "not": "!" * 10_000 + "x",
    "words of not": "not " * 3_000 + "a",
    "minus": "-" * 10_000 + "x",
    "path": "a" + ".b" * 4_000,
    "sum": "a" + " + a" * 3_000,
    "keys": "a[b" * 3_000,
    "calls": "f(" * 4_000,
    "ternaries": "a ? b : " * 2_000 + "c",
    "ifs": "if a then b else " * 900 + "c",
    "in": "a in " * 3_000 + "b",
    "between": "a between 1 and " * 900 + "3",
    "quantifiers": "some x in " * 1_000,
    "interpolations": "${" * 5_000,
    "quotes": "'" * 9_999,
    "comment": "/*" * 8_000,
    "too long": "x" * 20_000,
    "digits": "1" * 10_000,
    "casts": "(Integer) " * 1_600 + "x",
    "nested filters": "a[" * 28 + "b" + "]" * 28,
    "filters in a row": "a" + "[b]" * 100,
    "nested places": "a[" * 28 + "b" + " + 1]" * 28,
    "nested inequalities": "(" * 28 + "a" + " != b)" * 28,
    "nested lists": "a in [" * 28 + "b" + "]" * 28,
    "contexts in a row": "{a: " * 25 + "1" + "}.a in [1..2]" * 25,
    "nested tests": "(" * 28 + "a" + " between b and c)" * 28,
    "nested contains": "a.contains(" * 28 + "b" + ")" * 28,
    "nested conditions": "(" * 28 + "a" + " ? b : c)" * 28,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("language", ["feel", "juel", "xpath", "bare"])
def test_hostile_texts_are_answered_at_once(text: str, language: Language) -> None:
    began = time.process_time()

    found = translate(text, language)

    assert time.process_time() - began < 2
    if isinstance(found, Translation):
        assert compile_jq(found.text)


def test_ten_thousand_parentheses_are_refused_for_their_size() -> None:
    found = translate(HOSTILE["parentheses"], "juel")

    assert isinstance(found, Refusal)
    assert found.kind == "size"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["a\0b", "'\ud800'", "", "   "])
def test_what_no_text_may_hold_is_refused(text: str, language: Language) -> None:
    found = translate(text, language)

    assert isinstance(found, Refusal) == (language != "text")


def test_jq_stays_as_it_is() -> None:
    found = carried(" .a + 1 # so it is", "jq")

    assert found.text == " .a + 1 # so it is"
    assert not found.is_constant


def test_a_slip_in_jq_is_named_where_it_stands() -> None:
    found = translate(".a & .b", "jq")

    assert isinstance(found, Refusal)
    assert (found.kind, found.start) == ("syntax", 3)


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("'a'", "juel", "a"),
        ("1.50", "feel", 1.5),
        ("null", "feel", None),
        ("[1, {a: 2}]", "feel", [1, {"a": 2}]),
        ('date("2031-01-31") + duration("P1M")', "feel", "2031-02-28"),
        ("5 > 3", "bare", True),
    ],
)
def test_what_reads_no_variable_is_a_constant(text: str, language: Language, value: object) -> None:
    found = carried(text, language)

    assert found.is_constant
    assert found.value == value


@pytest.mark.parametrize("text", ["now()", "a", "1 / 0 > x"])
def test_what_reads_a_variable_or_the_time_is_none(text: str) -> None:
    assert not carried(text, "feel").is_constant


@pytest.mark.parametrize(
    ("text", "language", "part", "kind"),
    [
        ("a && bean.call(b)", "juel", "call", "meaning"),
        ("a && 'x' > 5", "juel", "'x' > 5", "type"),
        ("a && ", "juel", "&", "syntax"),
        ("a + 'x' * 2", "juel", "'x'", "type"),
        ("a and\n  uuid()", "feel", "uuid", "meaning"),
        ("a # b", "juel", "#", "syntax"),
        ("getDataObject('a')/*", "xpath", "*", "meaning"),
        ("a or b.c() or d", "bare", "c", "meaning"),
    ],
)
def test_a_refusal_names_the_part(text: str, language: Language, part: str, kind: str) -> None:
    found = translate(text, language)

    assert isinstance(found, Refusal)
    assert (found.part, found.kind) == (part, kind)
    assert text[found.start : found.end] == part
