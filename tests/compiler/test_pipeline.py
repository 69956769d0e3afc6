from __future__ import annotations

import copy
import json
import subprocess
import sys
from typing import Any, cast

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler import Compiled, Severity, compile_source, detect_dialect, to_text
from diglot.compiler.graph import digest, from_json, to_json

MINIMAL = """\
document: {dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0}
do:
- greet:
    set: {hello: world}
"""

#: One document with nearly every construct, as data.
RICH: dict[str, Any] = yaml.safe_load(
    """\
document:
  {dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0, title: T, summary: S,
   tags: {a: b}, metadata: {c: 1}}
evaluate: {language: jq, mode: strict}
input: {schema: {document: {type: object}}, from: .order}
output: {as: .result, schema: {format: json, document: {type: object}}}
timeout: {after: PT1H}
schedule: {cron: 0 * * * *}
use:
  secrets: [key]
  authentications: {door: {basic: {use: key}}}
  errors: {broken: {type: https://example.com/broken, status: 500, title: Broken}}
  retries: {calm: {delay: {seconds: 1}, backoff: {exponential: {}}, limit: {attempt: {count: 2}}}}
  timeouts: {short: {after: {seconds: 5}}}
  functions:
    greet: {set: {text: "${ .name }"}}
  extensions:
  - log: {extend: call, when: .on, before: [{note: {set: {a: 1}}}], after: [{done: {wait: PT1S}}]}
do:
- first:
    if: .ready
    input: {schema: {document: {}}, from: {a: "${ .x }"}}
    set: {n: "${ $input.a + $context.b }", secret: [1, true, null, 2.5]}
    output: {as: .n}
    export: {as: "$context + {b: $output}"}
    metadata: {x: y}
- pick:
    switch:
    - big: {when: .n > 9, then: loop}
    - other: {then: end}
- loop:
    for: {each: pet, in: .pets, at: i}
    while: $i < 5
    do:
    - call:
        call: http
        with:
          method: get
          endpoint: {uri: "https://example.com/{id}", authentication: {use: door}}
          headers: {A: "${ .a }"}
          query: {q: x}
    - own: {call: greet, with: {name: "${ $pet }"}, then: exit}
- both:
    fork:
      compete: false
      branches:
      - left: {wait: PT2S}
      - right: {do: [{inner: {set: {x: 1}, then: end}}]}
- race:
    fork: {compete: true, branches: [{a: {wait: {hours: 1}}}, {b: {raise: {error: broken}}}]}
- attempt:
    try:
    - shout: {emit: {event: {with: {source: https://example.com, type: a.b, data: {x: "${ . }"}}}}}
    catch:
      errors: {with: {status: 503}}
      as: oops
      when: $oops.status == 503
      retry: calm
      do: [{mend: {set: {e: "${ $oops }"}}}]
- hear:
    listen:
      to:
        any:
        - with: {type: a.b, data: "${ .x > 1 }"}
          correlate: {id: {from: .data.id, expect: "${ .id }"}}
        until: length > 3
      read: envelope
    foreach: {item: one, at: n, do: [{keep: {set: {x: "${ $one }"}}}], output: {as: .x}}
    timeout: short
- script: {run: {script: {language: python, code: print(1), arguments: [a]}, await: false}}
- shell: {run: {shell: {command: ls}, return: all}}
- child: {run: {workflow: {namespace: shop, name: bill, version: 1.0.0, input: {a: 1}}}, then: last}
- last:
    do:
    - x: {set: {a: "${ .b }"}}
    - y: {raise: {error: {type: https://example.com/y, status: 400}}}
"""
)


def codes_of(compiled: Compiled) -> list[str]:
    return [found.code for found in compiled.diagnostics]


def errors_of(compiled: Compiled) -> list[str]:
    return [f.message for f in compiled.diagnostics if f.severity is Severity.ERROR]


def test_a_document_becomes_a_graph_with_a_digest() -> None:
    compiled = compile_source(MINIMAL, "order.yaml")

    assert compiled.graph is not None
    assert compiled.graph.key == "shop/order"
    assert (compiled.diagnostics, compiled.has_errors) == ((), False)
    assert compiled.digest == digest(compiled.graph)
    assert compiled.source.name == "order.yaml"


def test_the_rich_document_has_no_errors() -> None:
    assert errors_of(compile_source(json.dumps(RICH), "rich.json")) == []


@pytest.mark.parametrize(
    "text",
    [
        MINIMAL,
        MINIMAL.encode(),
        b"\xef\xbb\xbf" + MINIMAL.encode(),
        b"\xff\xfe" + MINIMAL.encode("utf-16-le"),
        json.dumps(yaml.safe_load(MINIMAL)),
        "\n\t" + json.dumps(yaml.safe_load(MINIMAL), indent="\t"),
    ],
)
def test_every_notation_of_a_document_has_one_meaning(text: str | bytes) -> None:
    assert compile_source(text).digest == compile_source(MINIMAL).digest


def test_diagnostics_come_in_order_of_place() -> None:
    text = (
        MINIMAL + "- b: {set: {x: '${ $y }'}}\n- c: {set: '${ . + }'}\n- a: {if: $z, set: {x: 1}}\n"
    )
    compiled = compile_source(text, "order.yaml")

    lines = [found.span.start.line for found in compiled.diagnostics if found.span is not None]
    assert codes_of(compiled) == ["DG0502", "DG0501", "DG0502"]
    assert lines == [5, 6, 7]


def test_a_document_with_errors_is_not_frozen() -> None:
    compiled = compile_source(MINIMAL + "- b: {set: {x: '${ $y }'}}\n")

    assert compiled.graph is not None
    assert (compiled.has_errors, compiled.digest) == (True, None)


def test_an_expression_is_checked_even_when_the_reader_found_errors() -> None:
    compiled = compile_source(MINIMAL + "- b: {set: {x: '${ $y }'}, then: nowhere}\n")

    assert sorted(codes_of(compiled)) == ["DG0302", "DG0502"]


def test_a_graph_in_json_is_a_document_too() -> None:
    graph = compile_source(json.dumps(RICH)).graph
    assert graph is not None

    again = compile_source(to_json(graph), "order.json")

    assert again.graph == graph
    assert again.digest == digest(graph)


def test_a_graph_changed_by_hand_is_checked() -> None:
    graph = compile_source(MINIMAL).graph
    assert graph is not None
    plain = json.loads(to_json(graph))
    plain["flows"][0]["target"] = "nowhere"

    compiled = compile_source(json.dumps(plain))

    assert set(codes_of(compiled)) == {"DG0405", "DG0308"}
    assert compiled.digest is None


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        (MINIMAL, "serverless-workflow"),
        (json.dumps(RICH), "serverless-workflow"),
        ('{"document": {}, "format": "1"}', "serverless-workflow"),
        ('{"format": "1", "scopes": []}', "graph"),
        ('\ufeff {"scopes": [], "format": "7"}', "graph"),
        ("  <definitions/>", "bpmn"),
        ("", "serverless-workflow"),
        ("[" * 5000, "serverless-workflow"),
        ("{" * 5000, "serverless-workflow"),
    ],
)
def test_a_document_says_what_it_is(text: str, dialect: str) -> None:
    assert detect_dialect(text) == dialect


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (
            '<d xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"/>',
            "DG1107",
            "this is not a BPMN 2.0 document: it is a `d` without the `definitions` around it",
        ),
        ("<html></html>", "DG1107", "this is not a BPMN 2.0 document: it is an HTML page"),
        (
            '{"format": "7", "scopes": [], "namespace": "a", "name": "b", "version": "1"}',
            "DG0201",
            "this is not a workflow: graph format '7' is not '1'",
        ),
        (
            '{"format": "1", "scopes": []}',
            "DG0201",
            "this is not a workflow: not a graph: Object missing required field `namespace`",
        ),
        (
            '{"format": "1", "scopes": [], "document": ' + "[" * 600 + "]" * 600 + "}",
            "DG0110",
            "mappings and lists are nested deeper than 400 levels",
        ),
        (b"a: \xff", "DG0102", None),
        ("hello", "DG0201", None),
        ("", "DG0108", None),
    ],
)
def test_what_cannot_be_read_is_one_diagnostic(
    text: str | bytes, code: str, message: str | None
) -> None:
    compiled = compile_source(text, "order.json" if str(text)[:1] == "{" else "order.yaml")

    assert compiled.graph is None
    assert codes_of(compiled) == [code]
    assert message in (None, compiled.diagnostics[0].message)


def test_a_graph_that_is_too_large_is_not_read() -> None:
    compiled = compile_source('{"format": "1", "scopes": ["' + "x" * 17_000_000 + '"]}')

    assert codes_of(compiled) == ["DG0101"]


def test_the_caller_may_name_the_dialect() -> None:
    assert codes_of(compile_source(MINIMAL, dialect="graph")) == ["DG0201"]

    with pytest.raises(ValueError, match="no dialect is called 'yaml'"):
        compile_source(MINIMAL, dialect=cast("Any", "yaml"))


def test_importing_the_compiler_loads_none_of_it() -> None:
    program = "import sys, diglot.compiler; print([m for m in sys.modules if 'diglot.' in m])"

    found = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )

    assert found.stdout.strip() == "['diglot.compiler']"


def test_the_compiler_has_no_other_names() -> None:
    import diglot.compiler

    assert all(hasattr(diglot.compiler, name) for name in diglot.compiler.__all__)
    assert not hasattr(diglot.compiler, "nothing")


def places(value: Any, into: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every (container, key) of JSON data."""
    container: Any = value
    keys: list[Any] = []
    if isinstance(value, dict):
        keys = list(cast("dict[str, Any]", value))
    elif isinstance(value, list):
        keys = list(range(len(cast("list[Any]", value))))
    for key in keys:
        into.append((container, key))
        places(container[key], into)
    return into


SCALARS: st.SearchStrategy[Any] = st.sampled_from(
    [
        None, True, 0, -1, 2**70, 1.5, 1e300, "", "x", "end", "loop", "PT0S", "P1M", "-PT1S",
        "${ .a }", "${", "${ $context", "${ $error.x | f }", "${ $secrets[.x] }", "a/b~c", "#start",
        "https://{a", "*", "\ud83d\ude00", "a\nb", "0 0 31 2 *", {}, [], {"a": {"set": {}}}, [{}],
        {"use": "key"}, [{"a": {"do": []}}],
    ]
)  # fmt: skip


@st.composite
def damaged_documents(draw: st.DrawFn) -> Any:
    """The rich document with up to four places removed, replaced, renamed, doubled or moved."""
    document = copy.deepcopy(RICH)
    for _ in range(draw(st.integers(1, 4))):
        found = places(document, [])
        if not found:
            break
        container, key = draw(st.sampled_from(found))
        change = draw(st.sampled_from(["remove", "replace", "rename", "graft"]))
        if change == "remove":
            del container[key]
        elif change == "replace":
            container[key] = copy.deepcopy(draw(SCALARS))
        elif change == "graft":
            other, other_key = draw(st.sampled_from(found))
            container[key] = copy.deepcopy(other[other_key])
        elif isinstance(key, str):
            name = draw(st.sampled_from(["x", "do", "then", "if", "a/b", "end", "~", "", "call"]))
            container[name] = container.pop(key)
        else:
            container.append(copy.deepcopy(container[key]))
    return document


def assert_whole(compiled: Compiled) -> None:
    """Whatever the document was, what came of it is consistent."""
    graph = compiled.graph
    assert compiled.has_errors or graph is not None
    assert (compiled.digest is None) == compiled.is_refused
    assert all(found.message for found in compiled.diagnostics)
    if graph is not None:
        assert from_json(to_json(graph)) == graph
        assert to_text(graph)
    if graph is not None and not compiled.is_refused:
        again = compile_source(to_json(graph))
        assert not again.is_refused
        assert again.digest == compiled.digest


@given(damaged_documents())
@settings(max_examples=150, deadline=None)
def test_a_damaged_document_gives_diagnostics_and_no_exception(document: Any) -> None:
    assert_whole(compile_source(json.dumps(document), "damaged.json"))


@given(
    st.integers(0, 2000),
    st.integers(0, 30),
    st.text("ab :-{}[]\"'|>&*!%@`#,?\n\t\\${}.\u0000\u2028\ud800", max_size=8),
)
@settings(max_examples=100, deadline=None)
def test_a_damaged_text_gives_diagnostics_and_no_exception(at: int, gone: int, new: str) -> None:
    text = cast("Any", yaml).safe_dump(RICH, sort_keys=False)

    assert_whole(compile_source(text[:at] + new + text[at + gone :], "damaged.yaml"))


@given(st.binary(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_bytes_give_diagnostics_and_no_exception(data: bytes) -> None:
    assert_whole(compile_source(data))


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_a_damaged_graph_gives_diagnostics_and_no_exception(data: st.DataObject) -> None:
    graph = compile_source(json.dumps(RICH)).graph
    assert graph is not None
    plain = json.loads(to_json(graph))
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(places(plain, [])))
        if data.draw(st.booleans()):
            container[key] = copy.deepcopy(data.draw(SCALARS))
        elif isinstance(key, int):
            container.append(copy.deepcopy(container[key]))
        else:
            del container[key]

    assert_whole(compile_source(json.dumps(plain), "damaged.json"))
