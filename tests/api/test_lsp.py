"""`diglot lsp` as an editor meets it: a process, pipes, and a document that changes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from diglot.compiler import codes
from support.editor import Editor, changed, uri_of

HEAD = "document: {dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0}\n"
URI = "untitled:order.yaml"


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    """One server for every test, as an editor has one for every document."""
    with Editor() as editor:
        yield editor


def codes_of(found: list[dict[str, Any]]) -> list[str]:
    return [one["code"] for one in found]


def place(found: dict[str, Any]) -> tuple[int, int, int, int]:
    start, end = found["range"]["start"], found["range"]["end"]
    return start["line"], start["character"], end["line"], end["character"]


def whole(text: str) -> dict[str, Any]:
    return {"text": text}


def put(line: int, start: int, end: int, text: str) -> dict[str, Any]:
    return {
        "range": {
            "start": {"line": line, "character": start},
            "end": {"line": line, "character": end},
        },
        "text": text,
    }


def test_findings_are_shown_with_their_place_weight_and_page(editor: Editor) -> None:
    (found,) = editor.open(URI, HEAD + "do: [{a: {set: {x: 1}, then: lst}}, {last: {set: {y: 1}}}]")

    assert (found["code"], found["severity"], found["source"]) == ("DG0302", 1, "diglot")
    assert place(found) == (1, 29, 1, 32)
    assert found["message"].endswith("\nDid you mean `last`?")
    assert found["codeDescription"]["href"].endswith("/DG0302")


def test_columns_are_units_of_utf_16(editor: Editor) -> None:
    text = HEAD + 'do: [{a: {set: {x: "😀日é", y: "${ $contxt }"}}}]'
    (found,) = editor.open("untitled:wide.yaml", text)

    line = text.split("\n")[1].encode("utf-16-le")
    start = line.index("$contxt".encode("utf-16-le")) // 2
    assert place(found) == (1, start, 1, start + len("$contxt"))


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_columns_are_of_the_encoding_that_is_agreed_on(encoding: str, units: int) -> None:
    with Editor([encoding]) as editor:
        (found,) = editor.open(URI, HEAD + "do: [{a: {set: {x: '😀', y: '${ $contxt }'}}}]")

        assert editor.capabilities["positionEncoding"] == encoding
        assert found["range"]["start"]["character"] == 30 + units


def test_a_document_can_change_as_a_whole_and_in_places(editor: Editor) -> None:
    uri = "untitled:changing.yaml"
    editor.open(uri, HEAD + "do: [{a: {set: {x: 1}}}]")

    editor.change(uri, whole(HEAD + "do: [{a: {set: {x: '${ $b }'}}}]"))
    assert codes_of(editor.findings(uri)) == ["DG0502"]

    editor.change(uri, put(1, 23, 25, ".b"), put(1, 6, 7, "😀"))
    assert editor.findings(uri) == []

    editor.change(uri, put(1, 24, 26, "$c"))
    (found,) = editor.findings(uri)
    assert place(found) == (1, 24, 1, 26)


def test_many_changes_are_looked_at_once(editor: Editor) -> None:
    uri = "untitled:typing.yaml"
    editor.open(uri, HEAD + "do: [{a: {set: {x: 1}}}]")

    for number in range(50):
        editor.change(uri, put(1, 19, 20, str(number % 10)))

    # An answer for a version before the last one would be taken for it, and is not there.
    assert editor.findings(uri) == []
    assert editor.unread("textDocument/publishDiagnostics") == 0


def test_a_document_that_is_closed_has_no_findings(editor: Editor) -> None:
    uri = "untitled:closing.yaml"
    assert editor.open(uri, HEAD + "do: [{a: {}}]")

    editor.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    assert editor.findings(uri) == []


@pytest.mark.parametrize(
    "text",
    [
        "", ":", "do: [", "\t\ta: b", "{" * 3000, "<", "<definitions", "<a/>", "\x00", "do: *a",
        '{"do": [', "- " * 500, "a: &a [*a]", "%YAML 9", "\u2028\x85\x0b", "do:\r- a:\r\n  set: {}",
        "\ufeffdo: []",
    ],
)  # fmt: skip
def test_a_broken_document_does_not_end_the_server(text: str, editor: Editor) -> None:
    for language in ("yaml", "json", "bpmn"):
        uri = f"untitled:broken.{language}"
        editor.open(uri, text, language)
        assert isinstance(editor.hover(uri, 0, 0), str)
        everywhere = {
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        }
        assert isinstance(editor.actions(uri, everywhere), dict)
        editor.change(uri, put(0, 0, 0, "x"))
        editor.findings(uri)


def test_what_was_written_for_other_programs_has_no_findings(editor: Editor) -> None:
    assert editor.open("untitled:compose.yaml", "services: {web: {image: nginx}}\n") == []
    assert editor.open("untitled:page.xml", "<html></html>", "xml") == []


def test_json_and_bpmn_are_checked_too(editor: Editor) -> None:
    workflow = (
        '{"document": {"dsl": "1.0.3", "namespace": "shop", "name": "a", "version": "1.0.0"},'
        ' "do": [{"a": {"set": {"x": 1}, "then": "b"}}]}'
    )
    model = (
        '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x">\n'
        '<process id="p"><sequenceFlow id="f" sourceRef="a" targetRef="a"/></process></definitions>'
    )
    assert codes_of(editor.open("untitled:a.json", workflow, "json")) == ["DG0302"]
    assert "DG1130" in codes_of(editor.open("untitled:a.bpmn", model, "bpmn"))


def test_the_page_of_a_code_is_shown_at_the_finding_and_at_the_code(editor: Editor) -> None:
    uri = "untitled:hover.yaml"
    editor.open(uri, HEAD + "do: [{a: {set: {x: 1}, then: lst}}] # diglot: ignore[DG0402]\n")

    assert editor.hover(uri, 1, 30).startswith("# DG0302: unknown then target\n")
    assert editor.hover(uri, 1, 56).startswith("# DG0402: unused declaration\n")
    assert editor.hover(uri, 0, 3) == ""


def test_a_fix_is_offered_and_cures(editor: Editor) -> None:
    uri = "untitled:fix.yaml"
    text = HEAD + "do: [{é😀: {set: {x: 1}, then: lst}}, {last: {set: {y: 1}}}]"
    (found,) = editor.open(uri, text)

    edits = editor.actions(uri, found)["Write `last` for `lst`."]

    assert changed(text, edits) == text.replace("lst", "last")
    editor.change(uri, *({"range": e["range"], "text": e["newText"]} for e in edits))
    assert editor.findings(uri) == []


def test_every_fix_of_a_document_can_be_had_at_once(editor: Editor) -> None:
    uri = "untitled:fixes.yaml"
    text = HEAD + "do: [{a: {wait: 5s}}, {b: {if: .x && .y, set: {z: 1}}}]"
    found = editor.open(uri, text)[0]

    (edits,) = editor.actions(uri, found, ["source.fixAll"]).values()

    assert changed(text, edits) == text.replace("5s", "PT5S").replace("&&", "and")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_ignore_is_offered_for_what_may_be_ignored(line_end: str, editor: Editor) -> None:
    uri = "untitled:ignore.yaml"
    text = HEAD + "use:\n  retries:\n    calm: {delay: PT1S}\ndo:\n- a: {set: {x: 1}, then: no}\n"
    text = text.replace("\n", line_end)
    unused, unknown = editor.open(uri, text)

    edits = editor.actions(uri, unused)["Ignore DG0402 here."]

    comment = f"    # diglot: ignore[DG0402] why this is meant{line_end}"
    assert changed(text, edits) == text.replace("    calm", f"{comment}    calm")
    assert unused["tags"] == [1]
    assert editor.actions(uri, unknown) == {}


def test_an_ignore_is_offered_in_a_bpmn_file_too(editor: Editor) -> None:
    uri = "untitled:ignore.bpmn"
    text = (
        '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x">\n'
        '  <process id="p" isExecutable="true">\n'
        '    <scriptTask id="t" scriptFormat="application/jq"/>\n'
        "  </process>\n</definitions>\n"
    )
    found = next(one for one in editor.open(uri, text) if one["code"] == "DG1516")

    edits = editor.actions(uri, found)["Ignore DG1516 here."]

    assert changed(text, edits) == text.replace(
        "<scriptTask", "<!-- diglot: ignore[DG1516] why this is meant -->\n    <scriptTask"
    )


def test_settings_beside_a_document_hold_and_are_read_again(editor: Editor, tmp_path: Path) -> None:
    uri = uri_of(tmp_path / "order.yaml")
    text = HEAD + "use: {retries: {calm: {delay: PT1S}}}\ndo: [{a: {set: {x: 1}}}]\n"
    settings = tmp_path / "diglot.toml"
    settings.write_text('[check.severities]\nDG0402 = "off"\n')
    assert editor.open(uri, text) == []

    settings.write_text('[check.severities]\nDG0402 = "loud"\n')
    editor.tell("textDocument/didSave", {"textDocument": {"uri": uri}})

    assert codes_of(editor.findings(uri)) == ["DG0402"]
    assert "loud is no severity for DG0402" in editor.said("window/showMessage")["message"]


def test_what_a_bpmn_file_imports_is_read_beside_it(editor: Editor, tmp_path: Path) -> None:
    namespace = "http://www.omg.org/spec/BPMN/20100524/MODEL"
    (tmp_path / "shared.bpmn").write_text(
        f'<definitions xmlns="{namespace}" targetNamespace="shared">'
        '<message id="m" name="m"/></definitions>'
    )
    text = (
        f'<definitions xmlns="{namespace}" targetNamespace="x" xmlns:s="shared">'
        f'<import importType="{namespace}" location="shared.bpmn" namespace="shared"/>'
        '<process id="p"><receiveTask id="t" messageRef="s:m"/></process></definitions>'
    )

    beside = codes_of(editor.open(uri_of(tmp_path / "order.bpmn"), text, "bpmn"))
    nowhere = codes_of(editor.open("untitled:order.bpmn", text, "bpmn"))

    assert "DG1259" not in beside
    assert "DG1259" in nowhere


def test_the_other_places_of_a_finding_and_its_run_are_shown(editor: Editor) -> None:
    path = Path(__file__).parents[2] / "conformance" / codes.MAY_GET_STUCK.bad
    found = editor.open(uri_of(path), path.read_text(), "bpmn")
    (stuck,) = [one for one in found if one["code"] == "DG1901"]

    related = stuck["relatedInformation"]

    assert {one["location"]["uri"] for one in related} == {uri_of(path)}
    assert [one["message"][:2] for one in related if one["message"][0].isdigit()][:2] == [
        "1.",
        "2.",
    ]


def test_an_editor_ends_the_server() -> None:
    with Editor() as editor:
        assert editor.leave() == 0


def test_nothing_else_waits_for_the_library_of_the_protocol() -> None:
    program = (
        "import sys, diglot.api.cli.app, diglot.api.cli.check;"
        " print([name for name in sys.modules if name.startswith(('pygls', 'lsprotocol'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_without_the_library_of_the_protocol_the_call_is_wrong() -> None:
    program = (
        "import sys; sys.modules['pygls'] = sys.modules['lsprotocol'] = None;"
        " from diglot.api.cli.lsp import serve_editor; sys.exit(serve_editor())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == ('diglot: lsp needs pygls; install it with: pip install "diglot[lsp]"\n')
