from __future__ import annotations

import csv
import textwrap
from pathlib import Path

import pytest

from diglot.compiler.diagnostics import Diagnostic, Report, Severity
from diglot.compiler.serverless_workflow.shape import check_shape
from diglot.compiler.serverless_workflow.yaml import load_document
from diglot.compiler.source import Source
from diglot.specs.serverless_workflow.model import Workflow

HEAD = "document: { dsl: 1.0.3, namespace: examples, name: test, version: 1.0.0 }\n"
ROOT = Path(__file__).resolve().parents[2]


def check(text: str, name: str = "test.yaml") -> tuple[Workflow | None, list[Diagnostic]]:
    report = Report()
    document = load_document(Source(text, name), report)
    assert document is not None, [found.message for found in report]
    workflow = check_shape(document, report)
    assert (workflow is None) == report.has_errors
    return workflow, report.sorted()


def findings(body: str) -> list[Diagnostic]:
    """What is found in a document with this body below its `document`."""
    return check(HEAD + textwrap.dedent(body).lstrip("\n"))[1]


def only(body: str) -> Diagnostic:
    found = findings(body)
    assert len(found) == 1, [finding.message for finding in found]
    return found[0]


def said(found: Diagnostic) -> tuple[str, str, str]:
    """A finding's code, its place as `line:column` and its pointer."""
    assert found.span is not None
    start = found.span.start
    return found.code, f"{start.line}:{start.column}", found.pointer


def test_a_workflow_in_shape_is_returned_without_a_word() -> None:
    workflow, found = check(HEAD + "do:\n  - greet:\n      set:\n        hello: world\n")

    assert found == []
    assert workflow is not None
    assert [item.name for item in workflow.do] == ["greet"]


# One mistake, one finding, at its place -----------------------------------------------------------


def test_an_unknown_property_is_marked_at_its_key_with_what_was_meant() -> None:
    found = only(
        """
        do: []
        timeot:
          after: PT1M
        """
    )

    assert said(found) == ("DG0202", "3:1", "/timeot")
    assert found.message == "the workflow has no property `timeot`"
    assert found.hint == "Did you mean `timeout`?"


def test_a_property_on_the_wrong_level_is_told_where_it_belongs() -> None:
    found = only(
        """
        do:
          - fetch:
              call: http
              with:
                method: get
                endpoint: https://example.com
                timeout: { after: PT1M }
        """
    )

    assert said(found) == ("DG0202", "8:9", "/do/0/fetch/with/timeout")
    assert found.hint == "`timeout` belongs to the task `fetch`: move it there."


def test_a_missing_property_is_marked_at_the_key_of_its_object() -> None:
    found = only(
        """
        do:
          - fetch:
              call: http
              with:
                method: get
        """
    )

    assert said(found) == ("DG0203", "5:7", "/do/0/fetch/with")
    assert found.message == "`with` lacks `endpoint`"


def test_two_missing_properties_are_two_findings() -> None:
    found = findings("do:\n  - fetch: { call: http, with: {} }\n")

    assert [finding.parameters["property"] for finding in found] == ["method", "endpoint"]


def test_a_misspelt_property_is_not_missing_as_well() -> None:
    found = only(
        """
        do:
          - fetch: { call: http, with: { methd: get, endpoint: https://example.com } }
        """
    )

    assert (found.code, found.hint) == ("DG0202", "Did you mean `method`?")


def test_a_missing_root_property_is_marked_at_the_document() -> None:
    found = check(HEAD)[1]

    assert [said(finding) for finding in found] == [("DG0203", "1:1", "")]
    assert found[0].message == "the workflow lacks `do`"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("do: {}", "`do` is a mapping, expected a list of `- name: task` items"),
        ("do: []\ninput: 5", "`input` is an integer, expected a mapping"),
        (
            "do: []\ntimeout: 5",
            "`timeout` is an integer, expected a timeout or the name of one in use.timeouts",
        ),
        ("do: []\nuse: { secrets: [a, 1] }", "`secrets[1]` is an integer, expected a string"),
        ("do:\n  - a: { wait: PT1S, if: }", "`if` is empty, expected a string"),
        ("do:\n  - a:", "`a` is empty, expected a mapping with what the task does"),
        (
            "do:\n  - a: { fork: { branches: [], compete: yes } }",
            "`compete` is a string, expected true or false",
        ),
        (
            "do:\n  - a: { listen: { to: { any: [] }, read: 1 } }",
            "`read` is an integer, expected `data`, `envelope` or `raw`",
        ),
        (
            "do:\n  - a: { run: shell }",
            "`run` is a string, expected a mapping with one of `container`, `script`, `shell` or "
            "`workflow`",
        ),
    ],
)
def test_a_wrong_type_is_told_in_the_words_of_the_dsl(body: str, message: str) -> None:
    found = only(body)

    assert (found.code, found.message) == ("DG0204", message)


def test_a_number_where_text_belongs_wants_quotes() -> None:
    found = check(HEAD.replace("1.0.0", "1.0") + "do: []\n")[1]

    assert [finding.message for finding in found] == ["`version` is a number, expected a string"]
    assert found[0].hint == "Quote the value: without quotes it is not a string."


def test_a_bare_number_is_no_duration() -> None:
    found = only("do:\n  - a: { wait: 5 }")

    assert found.hint == "Write `seconds: 5`, or another unit."


def test_a_value_outside_its_list_is_told_with_the_list() -> None:
    found = only("do:\n  - a: { listen: { to: { any: [] }, read: envelop } }")

    assert found.code == "DG0205"
    assert found.message == "`read` is `envelop`, expected `data`, `envelope` or `raw`"
    assert found.hint == "Did you mean `envelope`?"


def test_a_dotted_namespace_is_told_how_to_write_it() -> None:
    found = check(HEAD.replace("examples", "com.example") + "do: []\n")[1]

    assert [said(finding) for finding in found] == [("DG0206", "1:36", "/document/namespace")]
    assert found[0].hint == "Write `com-example`."


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (
            "{ shell: { command: ls }, script: {} }",
            "`run` needs exactly one of `container`, `script`, `shell` and `workflow` and has "
            "`script` and `shell`",
        ),
        (
            "{ await: true }",
            "`run` needs exactly one of `container`, `script`, `shell` and `workflow` and has none",
        ),
    ],
)
def test_alternatives_exclude_each_other(run: str, message: str) -> None:
    found = only(f"do:\n  - a: {{ run: {run} }}")

    assert said(found) == ("DG0207", "3:10", "/do/0/a/run")
    assert found.message == message


@pytest.mark.parametrize(
    ("task", "code", "hint"),
    [
        ("{ cal: http }", "DG0208", "Did you mean `call`?"),
        ("{ call: http, wait: PT1S }", "DG0209", "Make one task of each."),
    ],
)
def test_a_task_says_in_one_word_what_it_does(task: str, code: str, hint: str) -> None:
    found = only(f"do:\n  - a: {task}")

    assert said(found) == (code, "3:5", "/do/0/a")
    assert found.hint == hint


@pytest.mark.parametrize("item", ["{}", "wait", "{ a: { wait: PT1S }, b: { wait: PT1S } }", "[]"])
def test_an_item_of_a_task_list_is_one_named_task(item: str) -> None:
    found = only(f"do:\n  - {item}")

    assert said(found) == ("DG0212", "3:5", "/do/0")


def test_a_finding_inside_a_task_is_about_its_own_kind() -> None:
    found = findings("do:\n  - a: { call: http, with: { method: 1, endpoint: 2 } }")

    assert [finding.pointer for finding in found] == [
        "/do/0/a/with/method",
        "/do/0/a/with/endpoint",
    ]


def test_a_name_with_a_slash_is_escaped_in_the_pointer() -> None:
    found = only("do:\n  - a/b~c: { wait: PT1S, foo: 1 }")

    assert found.pointer == "/do/0/a~1b~0c/foo"


@pytest.mark.parametrize("name", ["call", "http", "object", "string", "set"])
def test_a_task_may_be_called_like_an_alternative(name: str) -> None:
    found = only(f"do:\n  - {name}: {{ set: {{}} }}")

    assert said(found) == ("DG0205", f"3:{14 + len(name)}", f"/do/0/{name}/set")


# What authors reasonably try ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "pointer", "body"),
    [
        (
            "DG0213",
            "/do/0/a/with/query/n",
            "do: [{a: {call: http, with: {method: get, endpoint: /b, query: {n: 1}}}}]",
        ),
        (
            "DG0214",
            "/do/0/a/with/endpoint",
            'do: [{a: {call: http, with: {method: get, endpoint: "${ .a\\n }"}}}]',
        ),
        (
            "DG0215",
            "/do/0/a/raise/error/status",
            "do: [{a: {raise: {error: {type: /a, status: '${ .s }'}}}}]",
        ),
        (
            "DG0216",
            "/do/0/a/run/workflow/input",
            "do: [{a: {run: {workflow: {namespace: a, name: b, version: latest, input: .c}}}}]",
        ),
        (
            "DG0217",
            "/do/0/a/run/shell/arguments",
            "do: [{a: {run: {shell: {command: ls, arguments: {a: b}}}}}]",
        ),
        ("DG0218", "/input/schema", "input: {schema: {type: object}}\ndo: []"),
        ("DG0219", "/do/0/a/for/in", "do: [{a: {for: {in: [1, 2]}, do: []}}]"),
        (
            "DG0220",
            "/use/extensions/0/a/extend",
            "use: {extensions: [{a: {extend: fork}}]}\ndo: []",
        ),
        (
            "DG0221",
            "/do/0/a/with/endpoint/authentication",
            "do: [{a: {call: http, with: {method: get, endpoint: {uri: /a, authentication: b}}}}]",
        ),
        (
            "DG0222",
            "/use/authentications/a/bearer",
            "use: {authentications: {a: {bearer: '${ .t }'}}}\ndo: []",
        ),
        (
            "DG0224",
            "/input/schema/format",
            "input: {schema: {format: avro, document: {}}}\ndo: []",
        ),
        ("DG0601", "/schedule", "schedule: {every: PT1H, cron: '0 0 * * *'}\ndo: []"),
        ("DG0602", "/schedule", "schedule: {}\ndo: []"),
        ("DG0604", "/do/0/a/wait", "do: [{a: {wait: 5s}}]"),
        ("DG0604", "/do/0/a/wait", "do: [{a: {wait: {}}}]"),
        ("DG0604", "/do/0/a/wait", "do: [{a: {wait: P99999Y}}]"),
        (
            "DG0703",
            "/do/0/a/catch/errors/with/code",
            "do: [{a: {try: [], catch: {errors: {with: {code: 404}}}}}]",
        ),
        ("DG0802", "/do/0/a/emit/event", "do: [{a: {emit: {event: {}}}}]"),
        ("DG0802", "/do/0/a/emit/event/with", "do: [{a: {emit: {event: {with: {id: b}}}}}]"),
        (
            "DG1003",
            "/do/0/a/run/script/language",
            "do: [{a: {run: {script: {language: ruby, code: a}}}}]",
        ),
    ],
)
def test_what_authors_reasonably_try_has_a_code_of_its_own(
    code: str, pointer: str, body: str
) -> None:
    found = only(body)

    assert (found.code, found.pointer) == (code, pointer)


# Warnings leave a workflow ------------------------------------------------------------------------


def test_a_parameter_that_no_backoff_has_is_a_warning() -> None:
    workflow, found = check(
        HEAD + "do: []\nuse: { retries: { r: { backoff: { exponential: { factor: 3 } } } } }\n"
    )

    assert workflow is not None
    assert [(each.code, each.severity, each.message) for each in found] == [
        ("DG0608", Severity.WARNING, "`factor` of the exponential backoff is ignored")
    ]


def test_what_the_schema_forgot_to_forbid_is_a_warning() -> None:
    workflow, found = check(
        HEAD + "do: [{a: {listen: {to: {one: {with: {type: b}, correlate: {c: "
        "{from: .d, expects: e}}}}}}}]\n"
    )

    assert workflow is not None
    assert [(each.code, each.severity, each.message) for each in found] == [
        ("DG0202", Severity.WARNING, "`c` has no property `expects`")
    ]


@pytest.mark.parametrize(
    ("version", "severity"),
    [
        ("1.0.0", None),
        ("1.0.17", None),
        ("1.0.0-alpha1", Severity.WARNING),
        ("1.1.0", Severity.WARNING),
        ("2.0.0", Severity.ERROR),
        ("0.9.0", Severity.ERROR),
    ],
)
def test_another_version_of_the_dsl_is_read_when_it_is_close(
    version: str, severity: Severity | None
) -> None:
    found = check(HEAD.replace("1.0.3", version) + "do: []\n")[1]

    assert [(each.code, each.severity) for each in found] == (
        [("DG0210", severity)] if severity else []
    )


def test_what_is_foreign_to_the_dsl_is_named_and_set_aside() -> None:
    workflow, found = check(
        textwrap.dedent(
            """
            .anchors: { a: 1 }
            document: { dsl: 1.0.0, taskQueue: orders, workflowType: checkOut, version: 0.0.1 }
            do:
              - child:
                  run:
                    workflow: { type: pay }
            """
        )
    )

    assert workflow is not None
    assert (workflow.document.namespace, workflow.document.name) == ("orders", "checkOut")
    assert [(each.code, each.severity, each.pointer) for each in found] == [
        ("DG1002", Severity.WARNING, "/.anchors"),
        ("DG1002", Severity.WARNING, "/document/taskQueue"),
        ("DG1002", Severity.WARNING, "/document/workflowType"),
        ("DG1002", Severity.WARNING, "/do/0/child/run/workflow/type"),
    ]


def test_a_foreign_name_out_of_shape_is_marked_where_it_stands() -> None:
    found = check(
        "document: { dsl: 1.0.0, taskQueue: Not A Queue, workflowType: a, version: 0.0.1 }\n"
        "do: []\n"
    )[1]

    errors = [each for each in found if each.severity is Severity.ERROR]
    assert [said(each) for each in errors] == [("DG0206", "1:36", "/document/taskQueue")]


def test_data_that_looks_foreign_is_left_alone() -> None:
    workflow, _ = check(
        "document: { dsl: 1.0.0, taskQueue: a, workflowType: b, version: 0.0.1 }\n"
        "do:\n  - keep: { set: { run: { workflow: { type: c } } } }\n"
    )

    assert workflow is not None
    assert workflow.do[0].task.model_dump(by_alias=True, exclude_unset=True) == {
        "set": {"run": {"workflow": {"type": "c"}}}
    }


# What is no workflow at all -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- a", "it is not a mapping"),
        ("a: 1", "it has neither `document` nor `do`"),
        (
            "id: a\nspecVersion: '0.8'\nstates: []",
            "it is written in version 0.8 of the DSL, which is not read yet",
        ),
    ],
)
def test_what_is_no_workflow_is_told_as_such(text: str, problem: str) -> None:
    found = check(text)[1]

    assert [said(each) for each in found] == [("DG0201", "1:1", "")]
    assert found[0].message == f"this is not a workflow: {problem}"


# Hostile documents --------------------------------------------------------------------------------


def test_findings_about_a_flood_of_mistakes_are_bounded() -> None:
    keys = "".join(f"key{index}: 1\n" for index in range(5_000))

    assert len(findings("do: []\n" + keys)) == 100


def test_a_deep_document_is_read() -> None:
    text = "do: " + '[{"a":{"do":' * 30 + "[{b: {set: {}}}]" + "}}]" * 30

    assert only(text).pointer == "/do" + "/0/a/do" * 30 + "/0/b/set"


@pytest.mark.parametrize("key", ["http", "object", "inline", "string", "0", "", "a/b"])
def test_an_unknown_key_that_reads_like_a_tag_is_found(key: str) -> None:
    found = only(f'do:\n  - a: {{ call: http, "{key}": 1, with: {{ method: a, endpoint: /b }} }}')

    assert (found.code, found.parameters["property"]) == ("DG0202", key)


# Real files ---------------------------------------------------------------------------------------


def test_every_official_example_is_in_shape(suites: Path) -> None:
    examples = sorted(suites.glob("*1.0.3/examples/*.yaml")) + sorted(
        suites.glob("main-*/examples/*.yaml")
    )

    found = {path.name: check(path.read_text("utf-8"), path.name)[1] for path in examples}

    assert len(examples) > 130
    assert {name: said(each[0]) for name, each in found.items() if each} == {}


def test_every_old_file_is_told_its_version(suites: Path) -> None:
    with (suites / "wild" / "SOURCES.tsv").open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text, delimiter="\t"))
    old = [row["file"] for row in rows if row["dialect"].startswith("0.8")]

    found = {name: check((suites / "wild" / name).read_text("utf-8"), name)[1] for name in old}

    assert old
    assert {name for name, each in found.items() if "version 0.8" not in each[0].message} == set()


def test_a_real_file_is_in_shape_or_told_exactly_why_not(suites: Path) -> None:
    with (suites / "wild" / "SOURCES.tsv").open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text, delimiter="\t"))
    new = [row["file"] for row in rows if row["dialect"].startswith("1.0")]
    disputed = {
        "66-schedule-workflow.yaml": {"DG0601"},
        "71-invalid-workflow.yaml": {"DG0206"},
        "91-run_shell_args_kv.yaml": {"DG0217"},
        "100-testcreateworkflow-v1.yaml": {"DG0203", "DG0206"},
    }

    refused: dict[str, set[str]] = {}
    for name in new:
        _, found = check((suites / "wild" / name).read_text("utf-8"), name)
        errors = {each.code for each in found if each.severity is Severity.ERROR}
        if errors:
            refused[name] = errors

    assert new
    assert {name: errors for name, errors in refused.items() if disputed.get(name) != errors} == {}
