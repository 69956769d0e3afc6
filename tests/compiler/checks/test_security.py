from __future__ import annotations

import pytest

from diglot.compiler import compile_source

HEAD = "document: {dsl: 1.0.3, namespace: test, name: it, version: 1.0.0}\nuse: {secrets: [key]}\n"
FOUND = {"DG0903", "DG0905", "DG0906"}


def findings(task: str) -> list[tuple[str, str]]:
    """Codes and texts of what is said about the secrets of one task."""
    compiled = compile_source(f"do: [{{a: {{{task}}}}}]\n{HEAD}", "it.yaml")
    found: list[tuple[str, str]] = []
    for one in compiled.diagnostics:
        if one.code in FOUND and one.span is not None:
            start, end = (compiled.source.offset(at) for at in (one.span.start, one.span.end))
            found.append((one.code, compiled.source.text[start:end]))
    return found


def taken(expression: str) -> list[tuple[str, str]]:
    """The same for an expression where secrets belong."""
    return findings(f"input: {{from: '{expression}'}}, set: {{x: 1}}")


@pytest.mark.parametrize(
    "expression",
    [
        "$secrets.key",
        '$secrets["key"]',
        "$secrets.key.inner",
        "$secrets.key[]",
        "{a: .x, b: [$secrets.key]}",
        '"Bearer \\($secrets.key)"',
        '"Bearer " + $secrets.key',
        "$secrets.key // .other",
        "if .x then $secrets.key else .y end",
    ],
)
def test_a_secret_may_be_handed_on_and_put_into_a_text(expression: str) -> None:
    assert taken(expression) == []


@pytest.mark.parametrize(
    "expression",
    [
        "$secrets.key | length",
        "$secrets.key | @base64",
        '@base64 "\\($secrets.key)"',
        "$secrets.key[0:3]",
        "$secrets.key[0]",
        "if $secrets.key == .x then .y else .z end",
        "[$secrets.key | explode]",
        "{($secrets.key | ascii_downcase): 1}",
        '$secrets.key - "x"',
        "$secrets.key as $k | $k",
    ],
)
def test_what_computes_with_a_secret_is_noted(expression: str) -> None:
    assert taken(expression) == [("DG0906", expression)]


@pytest.mark.parametrize(
    ("expression", "place"),
    [
        ("$secrets[.name]", "$secrets"),
        ("$secrets", "$secrets"),
        ("$secrets | keys", "$secrets"),
        ("{a: $secrets.key, b: $secrets[$secrets.key]}", "$secrets"),
        ("$secrets[]", "$secrets"),
    ],
)
def test_a_secret_is_named_in_the_text(expression: str, place: str) -> None:
    assert taken(expression) == [("DG0903", place)]


@pytest.mark.parametrize(
    "task",
    [
        "set: {x: '${ $secrets.key }'}",
        "set: {x: 1}, output: {as: $secrets.key}",
        "set: {x: 1}, export: {as: $secrets.key}",
    ],
)
def test_a_secret_in_an_output_becomes_data(task: str) -> None:
    assert findings(task) == [("DG0905", "$secrets.key")]


@pytest.mark.parametrize(
    "task",
    [
        "call: http, with: {method: get, endpoint: https://x.y, body: '${ $secrets.key }'}",
        "if: $secrets.key, set: {x: 1}",
        "set: {x: '${ .secrets | keys }'}",
        "set: {x: '${ . as $secrets | $secrets | keys }'}",
    ],
)
def test_what_does_nothing_with_a_secret_is_not_noted(task: str) -> None:
    assert findings(task) == []


def test_what_is_computed_for_a_call_is_noted_too() -> None:
    body = "'${ $secrets.key | @base64 }'"
    task = f"call: http, with: {{method: get, endpoint: https://x.y, body: {body}}}"

    assert findings(task) == [("DG0906", "$secrets.key | @base64")]


def test_a_secret_that_is_compared_is_noted() -> None:
    assert findings("if: $secrets.key == .x, set: {x: 1}") == [("DG0906", "$secrets.key == .x")]


@pytest.mark.parametrize(
    ("read", "body", "place"),
    [
        ("'{k: $secrets.key, n: .n}'", "set: {x: '${ .k }'}", ".k"),
        ("'{k: $secrets.key, n: .n}'", "set: '${ . }'", "."),
        ("{k: '${ $secrets.key }', n: 1}", "set: {x: '${ \"Bearer \" + .k }'}", '"Bearer " + .k'),
        ("'. + {k: $secrets.key}'", "set: {x: '${ $input.k }'}", "$input.k"),
        ("'$secrets.key'", "set: {x: '${ . }'}", "."),
        (
            "'{k: $secrets.key}'",
            "emit: {event: {with: {type: a, data: '${ .k }'}}}",
            ".k",
        ),
        (
            "'{k: $secrets.key}'",
            "raise: {error: {type: 'https://x.example/e', status: 500, title: '${ .k }'}}",
            ".k",
        ),
    ],
)
def test_a_secret_goes_through_the_input_of_a_task_into_data(
    read: str, body: str, place: str
) -> None:
    assert findings(f"input: {{from: {read}}}, {body}") == [("DG0905", place)]


@pytest.mark.parametrize(
    ("read", "body"),
    [
        ("'{k: $secrets.key, n: .n}'", "set: {x: '${ .n }'}"),
        ("'. + {k: $secrets.key}'", "set: {x: '${ $input.n }'}"),
        (
            "'{k: $secrets.key}'",
            "call: http, with: {method: get, endpoint: https://x, headers: {A: '${ .k }'}}",
        ),
    ],
)
def test_what_is_beside_a_secret_is_data_like_any_other(read: str, body: str) -> None:
    assert findings(f"input: {{from: {read}}}, {body}") == []


@pytest.mark.parametrize(
    "task",
    [
        "raise: {error: {type: 'https://x.example/e', status: 500, detail: '${ $secrets.key }'}}",
        "run: {workflow: {namespace: a, name: b, version: 1.0.0, input: {k: '${ $secrets.key }'}}}",
        "for: {in: '${ [$secrets.key] }'}, do: [{b: {set: {x: 1}}}]",
    ],
)
def test_errors_children_and_items_are_data(task: str) -> None:
    assert [code for code, _ in findings(task)] == ["DG0905"]
