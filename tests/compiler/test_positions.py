"""Every value of a loaded document knows its place, down to the character."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from diglot.compiler.diagnostics import Report
from diglot.compiler.pointers import join_pointer, split_pointer
from diglot.compiler.serverless_workflow.yaml import Json, Located, load_document
from diglot.compiler.source import Position, Source, Span

#: In a text that starts with a bracket these are refused as somebody's JSON.
NOT_FINITE = ("NaN", "Infinity", "-Infinity")
STRINGS = st.text(max_size=30).filter(lambda text: text not in NOT_FINITE)
SCALARS = st.none() | st.booleans() | st.integers() | STRINGS
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
LINES = st.lists(
    st.text(alphabet="ab #:-'\"\\é😀{", max_size=12).map(lambda line: line.rstrip()),
    min_size=1,
    max_size=6,
)


def write_yaml(value: Any, **options: Any) -> str:
    pyyaml: Any = yaml
    return str(pyyaml.safe_dump(value, **options))


def locate(text: str, name: str = "flow.yaml") -> Located:
    report = Report()
    located = load_document(Source(text, name), report)
    assert located is not None, [found.message for found in report]
    return located


def text_at(located: Located, span: Span) -> str:
    source = located.source
    return source.text[source.offset(span.start) : source.offset(span.end)]


def at_pointer(value: Any, pointer: str) -> Any:
    place: Any = value
    for part in split_pointer(pointer):
        place = place[int(part) if type(place) is list else part]
    return place


# Pointers


@given(st.lists(st.text(max_size=5)))
def test_a_pointer_splits_into_what_it_was_joined_from(parts: list[str]) -> None:
    assert split_pointer(join_pointer(*parts)) == parts


def test_a_pointer_escapes_its_parts() -> None:
    assert join_pointer("do", 0, "a/b~c") == "/do/0/a~1b~0c"
    assert split_pointer("/~01") == ["~1"]


def test_a_pointer_starts_with_a_slash() -> None:
    with pytest.raises(ValueError, match="starts with '/'"):
        split_pointer("do")


# Spans


@settings(max_examples=60)
@given(VALUES, st.sampled_from(["json", "block", "flow"]))
def test_the_text_of_a_span_loads_as_its_value(value: Any, form: str) -> None:
    if form == "json":
        text = json.dumps(value, indent=1, ensure_ascii=False)
    else:
        text = write_yaml(value, default_flow_style=form == "flow", width=1000)
    located = locate(text, "flow.json" if form == "json" else "flow.yaml")
    for pointer, span in located.spans.items():
        part = at_pointer(located.value, pointer)
        if form != "block" or not isinstance(part, (dict, list)):
            assert locate(text_at(located, span), located.source.name).value == part
    for pointer, span in located.key_spans.items():
        key = locate(text_at(located, span), located.source.name).value
        assert key == split_pointer(pointer)[-1]


@given(VALUES)
def test_every_value_has_a_span_and_every_entry_a_key(value: Any) -> None:
    def pointers(part: Json, pointer: str = "") -> list[str]:
        parts: list[tuple[str | int, Json]] = []
        if isinstance(part, dict):
            parts = [*part.items()]
        elif isinstance(part, list):
            parts = [*enumerate(part)]
        below = [pointers(child, pointer + join_pointer(key)) for key, child in parts]
        return [pointer, *(found for each in below for found in each)]

    located = locate(json.dumps(value), "flow.json")
    expected = pointers(value)
    assert list(located.spans) == expected
    parents = {pointer: pointer.rsplit("/", 1)[0] for pointer in expected if pointer}
    entries = [
        each for each, parent in parents.items() if isinstance(at_pointer(value, parent), dict)
    ]
    assert list(located.key_spans) == entries


DOCUMENT = """\
document:
  dsl: 1.0.3   # the version
  tags: {a: [1, x]}
do:
- first:
    set: &data
      a: 'it''s'
    then:
- second: *data
"""


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("/document/dsl", "1.0.3"),
        ("/document/tags", "{a: [1, x]}"),
        ("/document/tags/a/1", "x"),
        ("/document", "dsl: 1.0.3   # the version\n  tags: {a: [1, x]}"),
        ("/do/0/first/set", "&data\n      a: 'it''s'"),
        ("/do/0/first/then", ""),
        ("/do/1/second", "*data"),
        ("/do/1/second/a", "'it''s'"),
        ("/do/1/third/x", "second: *data"),
        ("/document/dsl/0", "1.0.3"),
        ("/do/01", DOCUMENT[DOCUMENT.index("- first") : -1]),
        ("", DOCUMENT[:-1]),
    ],
)
def test_a_span_covers_the_value_or_the_nearest_one_around_it(pointer: str, text: str) -> None:
    located = locate(DOCUMENT)
    assert text_at(located, located.span_of(pointer)) == text


def test_a_key_has_its_own_span() -> None:
    located = locate(DOCUMENT)
    assert text_at(located, located.key_spans["/do/0/first/set"]) == "set"
    assert text_at(located, located.key_span_of("/do/1/second")) == "second"
    assert text_at(located, located.key_span_of("/do/1")) == "second: *data"
    assert "/do/1" not in located.key_spans
    assert "/do/2" not in located.spans
    assert "do" not in located.spans


# Characters inside of scalars


def source_characters(located: Located, pointer: str, length: int) -> list[str]:
    """What stands in the file where each character of a value comes from."""
    source = located.source
    offsets = [source.offset(located.scalar_span(pointer, i, i).start) for i in range(length)]
    assert offsets == sorted(set(offsets))
    return [source.text[offset : offset + 1] for offset in offsets]


def fits(character: str, written: str) -> bool:
    """Whether a character of a value can come from a character of the file."""
    return character == written or written == "\\" or (character in " \n" and written in "\r\n")


def assert_fits(located: Located, pointer: str, value: str) -> None:
    written = source_characters(located, pointer, len(value))
    assert [one for one in zip(value, written, strict=True) if not fits(*one)] == []


@given(st.text(max_size=60), st.sampled_from([None, "'", '"']), st.sampled_from([8, 1000]))
def test_a_character_of_a_flow_scalar_is_found(value: str, style: str | None, width: int) -> None:
    text = write_yaml({"a": value}, default_style=style, width=width, allow_unicode=True)
    assume(not any(char in text for char in "\x85\u2028\u2029"))
    assert_fits(locate(text), "/a", value)


@given(st.text(max_size=40))
def test_a_character_of_a_json_string_is_found(value: str) -> None:
    assert_fits(locate(json.dumps([value]), "flow.json"), "/0", value)


@given(LINES, st.integers(1, 4), st.sampled_from(["", "-", "+"]), st.sampled_from(["\n", "\r\n"]))
def test_a_character_of_a_literal_block_is_found(
    lines: list[str], indent: int, chomping: str, line_end: str
) -> None:
    content = "".join(f"{' ' * (indent + 1)}{line}".rstrip() + "\n" for line in lines)
    text = f"x:\n a: |{indent}{chomping} # c\n{content}\n\nb: 1\n"
    located = locate(text.replace("\n", line_end))
    value = at_pointer(located.value, "/x/a")
    assert_fits(located, "/x/a", value)
    position = located.scalar_span("/x/a", 0, 0).start
    assert position.line == 3 or not value


@given(LINES, st.sampled_from(["", "-"]))
def test_a_character_of_a_folded_block_is_found(lines: list[str], chomping: str) -> None:
    content = "".join(f"   {line}".rstrip() + "\n" for line in ["x", *lines])
    located = locate(f"a: >{chomping}\n{content}\n\nb: 1\n")
    assert_fits(located, "/a", at_pointer(located.value, "/a"))


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        ("a: .b + $c", 5, Position(1, 9)),
        ("a: ${ .b }  # c", 6, Position(1, 10)),
        ("a: '.b == ''c'''", 7, Position(1, 13)),
        (r'a: ".b == \"c\""', 7, Position(1, 13)),
        (r'{"a": "\u00e9\ud83d\ude00x"}', 2, Position(1, 26)),
        ("a: |\n  .b\n    | $c\n", 5, Position(3, 5)),
        ("a: |-\n\n  .b\n", 1, Position(3, 3)),
        ("a: >\n  .b\n  | $c\n", 5, Position(3, 5)),
        ("a: >-\n\n  .b\n\n\n    c\n  d\n", 9, Position(6, 6)),
        ("a: .b\n  | $c\n", 5, Position(2, 5)),
        ("a: '.b\n\n  c'\n", 3, Position(3, 3)),
        ('a: "b\\\n  c"\n', 1, Position(2, 3)),
        ('a: "b\\\n\n  c"\n', 2, Position(3, 3)),
        ("a: !!str &x .b\n", 1, Position(1, 14)),
        ("a: &x |\n  .b\n", 1, Position(2, 4)),
        ("a: 125\n", 1, Position(1, 5)),
        ("a: 'b'\n", 9, Position(1, 6)),
        ("a: |\n  b\n", 9, Position(2, 4)),
        ("a: [1]\n", 0, Position(1, 4)),
        ("b: [1]\n", 0, Position(1, 1)),
        ("b: &x .c\na: *x\n", 1, Position(1, 8)),
    ],
)
def test_an_offset_in_a_value_is_a_position_in_the_file(
    text: str, offset: int, position: Position
) -> None:
    assert locate(text).scalar_span("/a", offset, offset).start == position


def test_a_stretch_of_a_value_is_a_span_of_the_file() -> None:
    located = locate('a: "\\t$contxt | .b"\n')
    assert text_at(located, located.scalar_span("/a", 1, 8)) == "$contxt"
    assert text_at(located, located.scalar_span("/a", 9, 99)) == "| .b"
    assert text_at(located, located.scalar_span("/a", 3, 3)) == ""


def test_positions_of_a_megabyte_of_blanks_are_found_at_once() -> None:
    located = locate('a: "x' + " " * 500_000 + "y\n" + " " * 500_000 + 'z"')
    assert located.scalar_span("/a", 500_003, 500_003).start == Position(2, 500_001)


@given(text=st.text(alphabet="ab\r\n\x0b\u2028", max_size=12), data=st.data())
def test_a_stretch_is_between_the_places_of_its_two_offsets(text: str, data: st.DataObject) -> None:
    offsets = st.integers(-1, len(text) + 1)
    start, end = data.draw(offsets), data.draw(offsets)
    source = Source(text, "x")

    span = source.span(start, end)

    assert Span("x", source.position(start), source.position(end)) == span
