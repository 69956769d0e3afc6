"""Findings as people and machines read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from diglot.compiler import codes
from diglot.compiler.diagnostics import Diagnostic, Report, Severity, diagnose
from diglot.compiler.render import explain, render
from diglot.compiler.source import Source

FLOW = Source(
    """\
document:
  name: a
do:
- first:
    set: { x: "日本", y: $contxt }
\t- second:
    then: third
""",
    "flows/order.yaml",
)
SOURCES = {FLOW.name: FLOW}


def finding(
    text: str, code: Any = codes.EMPTY_DO, pointer: str = "", **parameters: Any
) -> Diagnostic:
    """A finding at the first place of a text in the document."""
    start = FLOW.text.index(text)
    parameters = parameters or {"owner": "`do`"}
    return diagnose(code, FLOW.span(start, start + len(text)), pointer, **parameters)


UNKNOWN = finding("third", codes.UNKNOWN_THEN_TARGET, "/do/1/second/then", target="third")
VARIABLE = diagnose(
    codes.UNKNOWN_VARIABLE,
    FLOW.span(FLOW.text.index("$contxt"), FLOW.text.index("$contxt") + 7),
    "/do/0/first/set/y",
    hint="Did you mean `$context`?",
    name="contxt",
)
LARGE = diagnose(codes.DOCUMENT_TOO_LARGE, None, size=2, limit=1)
NOTE = finding("name", codes.NONSTANDARD_ERROR_TYPE, type="x")


# Text


def test_text_shows_the_line_with_a_caret_below_the_place_and_a_summary() -> None:
    assert render([VARIABLE, UNKNOWN, finding("do:")], SOURCES) == (
        "flows/order.yaml:5:24: DG0502 [error] `$contxt` has no value here\n"
        "   |\n"
        ' 5 |     set: { x: "日本", y: $contxt }\n'
        "   |                          ^^^^^^^\n"
        "   = hint: Did you mean `$context`?\n"
        "\n"
        "flows/order.yaml:7:11: DG0302 [error] "
        "`then` names `third`, and this list has no such task\n"
        "   |\n"
        " 7 |     then: third\n"
        "   |           ^^^^^\n"
        "   = hint: Correct the name, or add the task to this list.\n"
        "\n"
        "flows/order.yaml:3:1: DG0211 [warning] `do` has no tasks\n"
        "   |\n"
        " 3 | do:\n"
        "   | ^^^\n"
        "   = hint: Add a task, or remove the list.\n"
        "\n"
        "Found 2 errors, 1 warning.\n"
    )


def test_a_span_over_lines_is_underlined_to_the_end_of_its_first() -> None:
    shown = render([finding("name: a\ndo:\n- first:")], SOURCES)
    assert " 2 |   name: a\n   |   ^^^^^^^ ... to line 4\n" in shown


def test_an_empty_span_has_one_caret() -> None:
    place = FLOW.span(len("document:"), len("document:"))
    shown = render([diagnose(codes.EMPTY_DO, place, owner="x")], SOURCES)
    assert " 1 | document:\n   |          ^\n" in shown


def test_the_caret_stands_below_a_line_with_tabs() -> None:
    assert " 6 | \t- second:\n   | \t  ^^^^^^\n" in render([finding("second")], SOURCES)


def test_the_caret_stands_below_a_character_of_two_code_points() -> None:
    source = Source("e\u0301: x\n", "accent.yaml")
    found = diagnose(codes.EMPTY_DO, source.span(4, 5), owner="x")
    assert " 1 | e\u0301: x\n   |    ^\n" in render([found], {source.name: source})


def test_a_finding_without_a_hint_has_no_hint_line() -> None:
    found = Diagnostic(code="DG0101", severity=Severity.ERROR, message="m")
    assert render([found], {}) == "DG0101 [error] m\n\nFound 1 error.\n"


def test_a_finding_without_a_place_or_a_source_is_one_line_and_a_hint() -> None:
    assert render([LARGE], SOURCES) == (
        "DG0101 [error] the document has 2 bytes, at most 1 are read\n"
        f" = hint: {codes.DOCUMENT_TOO_LARGE.remedy}\n"
        "\n"
        "Found 1 error.\n"
    )
    assert render([finding("do:")], {}).startswith(
        "flows/order.yaml:3:1: DG0211 [warning] `do` has no tasks\n = hint: "
    )


def test_a_summary_counts_by_weight() -> None:
    assert render([], SOURCES) == "Found nothing to report.\n"
    shown = render([UNKNOWN, VARIABLE, NOTE, NOTE, finding("do:")], SOURCES)
    assert shown.endswith("\n\nFound 2 errors, 1 warning, 2 notes.\n")


def test_a_long_line_is_cut_around_the_place() -> None:
    source = Source("x" * 5000 + "HERE" + "y" * 5000, "long.yaml")
    found = diagnose(codes.EMPTY_DO, source.span(5000, 5004), owner="x")
    _, _, line, carets, *_ = render([found], {"long.yaml": source}).split("\n")
    assert line == " 1 | …" + "x" * 60 + "HERE" + "y" * 56 + "…"
    assert line[carets.index("^") : carets.rindex("^") + 1] == "HERE"


def test_a_document_cannot_steer_the_terminal() -> None:
    source = Source("a: \x1b[31m\u202eb\n", "bad\x1b.yaml")
    found = diagnose(codes.EMPTY_DO, source.span(0, 1), owner="\x1b]0;title\x07\nnext")
    shown = render([found], {source.name: source})
    assert shown.startswith("bad�.yaml:1:1: DG0211 [warning] �]0;title� next has no tasks\n")
    assert " 1 | a: �[31m�b\n" in shown


def test_text_has_colours_only_when_asked() -> None:
    plain = render([VARIABLE, finding("do:"), NOTE], SOURCES)
    coloured = render([VARIABLE, finding("do:"), NOTE], SOURCES, colour=True)

    assert "\x1b" not in plain
    assert "\x1b[31m[error]\x1b[0m" in coloured
    assert "\x1b[33m[warning]\x1b[0m" in coloured
    assert "\x1b[36m[info]\x1b[0m" in coloured
    for style in ("0", "1", "31", "33", "34", "36"):
        coloured = coloured.replace(f"\x1b[{style}m", "")
    assert coloured == plain


# JSON


def test_json_is_a_list_with_the_same_keys_for_every_finding() -> None:
    assert json.loads(render([VARIABLE, LARGE], SOURCES, "json")) == [
        {
            "code": "DG0502",
            "severity": "error",
            "message": "`$contxt` has no value here",
            "file": "flows/order.yaml",
            "line": 5,
            "column": 24,
            "endLine": 5,
            "endColumn": 31,
            "pointer": "/do/0/first/set/y",
            "hint": "Did you mean `$context`?",
            "url": "docs/codes/DG0502.md",
            "fingerprint": ANY,
            "related": [],
            "trace": [],
            "fixes": [],
            "suppression": None,
        },
        {
            "code": "DG0101",
            "severity": "error",
            "message": "the document has 2 bytes, at most 1 are read",
            "file": None,
            "line": None,
            "column": None,
            "endLine": None,
            "endColumn": None,
            "pointer": "",
            "hint": codes.DOCUMENT_TOO_LARGE.remedy,
            "url": "docs/codes/DG0101.md",
            "fingerprint": ANY,
            "related": [],
            "trace": [],
            "fixes": [],
            "suppression": None,
        },
    ]


def test_no_findings_are_an_empty_list() -> None:
    assert render([], {}, "json") == "[]\n"


# SARIF


def sarif(*found: Diagnostic) -> dict[str, Any]:
    log = json.loads(render(found, SOURCES, "sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    return dict(run)


def test_a_sarif_result_has_its_place_in_characters_and_its_pointer() -> None:
    run = sarif(UNKNOWN)
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["results"] == [
        {
            "ruleId": "DG0302",
            "ruleIndex": 0,
            "level": "error",
            "message": {"text": "`then` names `third`, and this list has no such task"},
            "partialFingerprints": {"diglot/v1": ANY},
            "properties": {"hint": "Correct the name, or add the task to this list."},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "flows/order.yaml"},
                        "region": {
                            "startLine": 7,
                            "startColumn": 11,
                            "endLine": 7,
                            "endColumn": 16,
                        },
                    },
                    "logicalLocations": [
                        {
                            "name": "then",
                            "fullyQualifiedName": "/do/1/second/then",
                            "kind": "object",
                        }
                    ],
                }
            ],
        }
    ]


def test_the_sarif_rules_are_the_codes_found_each_once() -> None:
    run = sarif(UNKNOWN, LARGE, UNKNOWN, NOTE)
    rules = run["tool"]["driver"]["rules"]

    assert [rule["id"] for rule in rules] == ["DG0101", "DG0302", "DG0705"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [
        result["ruleId"] for result in run["results"]
    ]
    assert rules[1] == {
        "id": "DG0302",
        "name": "UnknownThenTarget",
        "shortDescription": {"text": "Unknown then target."},
        "fullDescription": {"text": codes.UNKNOWN_THEN_TARGET.why},
        "help": {
            "text": f"{codes.UNKNOWN_THEN_TARGET.why} {codes.UNKNOWN_THEN_TARGET.remedy}",
            "markdown": explain(codes.UNKNOWN_THEN_TARGET),
        },
        "defaultConfiguration": {"level": "error"},
    }


def test_sarif_calls_information_a_note_and_keeps_a_changed_weight() -> None:
    softened = diagnose(
        codes.UNKNOWN_PROPERTY, None, severity=Severity.INFO, owner="x", property="y"
    )
    run = sarif(softened, finding("do:"))
    assert [result["level"] for result in run["results"]] == ["note", "warning"]
    assert "locations" not in run["results"][0]


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("flows/a b.yaml", "flows/a%20b.yaml"),
        ("flows\\é.yaml", "flows/%C3%A9.yaml"),
        ("<input>", "%3Cinput%3E"),
        ("/srv/a b.yaml", "file:///srv/a%20b.yaml"),
        ("C:\\flows\\a.yaml", "file:///C:/flows/a.yaml"),
    ],
)
def test_a_sarif_place_names_the_file_as_a_uri(file: str, uri: str) -> None:
    found = diagnose(codes.EMPTY_DO, Source("x", file).span(0, 1), owner="x")
    (result,) = sarif(found)["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": uri}


def test_a_log_without_findings_has_one_run() -> None:
    run = sarif()
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])


# Pages


def test_a_page_explains_a_code() -> None:
    assert explain(codes.TWO_DEFAULTS) == (
        "# DG0305: two defaults\n"
        "\n"
        "**Error**: the switch has two cases without `when`: `{first}` and `{second}`\n"
        "\n"
        "## Why\n"
        "\n"
        "Wherever in the list it stands, a case without `when` is the default, so there can be "
        "only one.\n"
        "\n"
        "## What to do\n"
        "\n"
        "Add a `when` to one of the two, or remove it.\n"
        "\n"
        "## Reported\n"
        "\n"
        "`conformance/serverless-workflow/switch/invalid-two-defaults.yaml`\n"
        "\n"
        "## Not reported\n"
        "\n"
        "`conformance/serverless-workflow/switch/default-first.yaml`\n"
    )


def test_a_page_shows_its_examples_when_it_can_read_them(tmp_path: Path) -> None:
    for example, text in ((codes.TWO_DEFAULTS.bad, "a: 1\n"), (codes.TWO_DEFAULTS.good, "b: 2\n")):
        (tmp_path / example).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / example).write_text(text)

    page = explain(codes.TWO_DEFAULTS, tmp_path)

    assert "invalid-two-defaults.yaml`\n\n```yaml\na: 1\n```\n" in page
    assert "default-first.yaml`\n\n```yaml\nb: 2\n```\n" in page


def test_a_report_is_rendered_in_the_order_of_the_files() -> None:
    report = Report([UNKNOWN, LARGE, VARIABLE])
    shown = json.loads(render(report.sorted(), SOURCES, "json"))
    assert [each["code"] for each in shown] == ["DG0101", "DG0502", "DG0302"]


def test_the_page_of_a_judgement_says_that_it_may_be_ignored() -> None:
    assert "`diglot: ignore[DG1901] reason`" in explain(codes.MAY_GET_STUCK)
    assert "diglot: ignore" not in explain(codes.TWO_DEFAULTS)


def test_the_page_of_a_behaviour_shows_a_run() -> None:
    page = explain(codes.MAY_GET_STUCK, Path(__file__).parents[2] / "conformance")

    name = codes.MAY_GET_STUCK.bad.rpartition("/")[2]
    assert f"```text\n{name}:" in page
    assert "= how it comes to this:\n" in page
    assert "Found " not in page
