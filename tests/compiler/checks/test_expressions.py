from __future__ import annotations

import pytest

from diglot.compiler import Diagnostic, compile_source
from diglot.compiler.checks.expressions import check_expressions
from diglot.compiler.diagnostics import Report
from diglot.compiler.expressions.known import NOW_VARIABLE as NOW_IN_PROGRAMS
from diglot.compiler.graph import Assign, End, Expression, Flow, Graph, Scope, Start
from diglot.compiler.graph.sites import NOW_VARIABLE

HEAD = "document: {dsl: 1.0.3, namespace: test, name: it, version: 1.0.0}\n"
FOUND = {"DG0501", "DG0502", "DG0503", "DG0504", "DG0507"}


def findings(tasks: str) -> list[Diagnostic]:
    """What is said about expressions of a document; its first line is that of `tasks`."""
    compiled = compile_source(tasks + HEAD, "it.yaml")
    return [found for found in compiled.diagnostics if found.code in FOUND]


def place(found: Diagnostic) -> tuple[int, int, int, int]:
    assert found.span is not None
    start, end = found.span.start, found.span.end
    return start.line, start.column, end.line, end.column


def in_set(expression: str) -> list[Diagnostic]:
    return findings(f"do: [{{a: {{set: {{x: '${{ {expression} }}'}}}}}}]\n")


def test_a_text_that_is_no_program_is_refused_where_it_breaks() -> None:
    [found] = findings("do: [{a: {set: '${ .a + ) }'}}]\n")

    assert (found.code, found.pointer) == ("DG0501", "/do/0/a")
    assert found.message == "the expression is not jq: ')' closes nothing here"
    assert place(found) == (1, 25, 1, 26)


def test_an_unknown_variable_is_refused_at_each_use() -> None:
    found = in_set("$contxt + $contxt")

    assert [(one.code, one.message) for one in found] == [
        ("DG0502", "`$contxt` has no value here"),
        ("DG0502", "`$contxt` has no value here"),
    ]
    assert [place(one) for one in found] == [(1, 24, 1, 31), (1, 34, 1, 41)]
    assert {one.hint for one in found} == {"Did you mean `$context`?"}


def test_a_place_in_a_block_is_exact() -> None:
    [found] = findings("do:\n- a:\n    if: |\n      .x and\n        $contxt.y\n    set: {x: 1}\n")

    assert place(found) == (5, 9, 5, 16)


@pytest.mark.parametrize(
    ("tasks", "hint"),
    [
        (
            "do: [{a: {if: $output, set: {x: 1}}}]\n",
            "`$output` exists in `export` only; in `output` the output is `.`.",
        ),
        (
            "do: [{a: {input: {from: $input}, set: {x: 1}}}]\n",
            "`$input` exists where a task does its work, and after it; before, the input is `.`.",
        ),
        (
            "input: {from: $context}\ndo: [{a: {set: {x: 1}}}]\n",
            "`$context` exists inside the workflow's tasks and in its output.",
        ),
        (
            "do: [{a: {for: {each: pet, in: $pet}, do: [{b: {set: {x: 1}}}]}}]\n",
            "`$pet` exists inside the loop `a`.",
        ),
        (
            "do: [{a: {set: {x: '${ $oops }'}}}, "
            "{b: {try: [{c: {set: {x: 1}}}], catch: {as: oops, when: .x}}}]\n",
            "`$oops` exists where the error is caught.",
        ),
        (
            "do: [{a: {set: {x: '${ $q }'}}}]\n",
            "Known here: `$authorization`, `$context`, `$input`, `$runtime`, `$secrets`, `$task`, "
            "`$workflow`.",
        ),
    ],
)
def test_the_hint_says_where_a_variable_is(tasks: str, hint: str) -> None:
    [found] = findings(tasks)

    assert (found.code, found.hint) == ("DG0502", hint)


@pytest.mark.parametrize(
    "tasks",
    [
        "do: [{a: {set: {x: '${ $input + $context }'}, export: {as: $output}}}]\n",
        "do: [{a: {for: {each: p, in: .p}, while: $p, do: [{b: {if: $index, set: {x: 1}}}]}}]\n",
        "do: [{a: {try: [{c: {wait: PT1S}}], "
        "catch: {when: $error, retry: {when: $error}, do: [{d: {if: $error.x, wait: PT1S}}]}}}]\n",
        "do: [{a: {set: {x: '${ .a as $b | $b + (reduce .c[] as $d (0; . + $d)) }'}}}]\n",
        "do: [{a: {set: {x: '${ now }'}}}]\n",
        "timeout: {after: '${ $workflow.id }'}\ndo: [{a: {wait: PT1S}}]\n",
    ],
)
def test_what_is_there_may_be_used(tasks: str) -> None:
    assert [found for found in findings(tasks) if found.code != "DG0507"] == []


def test_a_loop_variable_is_gone_behind_the_loop() -> None:
    loop = "{a: {for: {in: .p}, do: [{b: {wait: PT1S}}], output: {as: $item}}}"
    [found] = findings(f"do: [{loop}]\n")

    assert found.message == "`$item` has no value here"


@pytest.mark.parametrize(
    ("expression", "message", "hint"),
    [
        ("upcase", "no function `upcase` with 0 arguments", "Did you mean `ascii_upcase`?"),
        ("startswith", "no function `startswith` with 0 arguments", "takes 1 argument."),
        ("join", "no function `join` with 0 arguments", "takes 1 argument."),
        ("limit(1)", "no function `limit` with 1 arguments", "takes 2 arguments."),
        ("all(1;2;3)", "no function `all` with 3 arguments", "takes 0 or 1 or 2 arguments."),
    ],
)
def test_an_unknown_function_is_refused(expression: str, message: str, hint: str) -> None:
    [found] = in_set(expression)

    assert found.code == "DG0503"
    assert message in found.message
    assert hint in found.hint


@pytest.mark.parametrize(
    ("expression", "name", "reason"),
    [
        ("$ENV.HOME", "$ENV", "it shows the environment of the engine"),
        ("env.HOME", "env", "it shows the environment of the engine"),
        ("input", "input", "an expression has one input"),
        (". | debug", "debug", "nobody reads what it writes"),
        ("halt", "halt", "it ends the evaluation without a result"),
        ('include "x"; .', "include", "it reads other files"),
        ("get_search_list", "get_search_list", "it reaches out of the expression"),
    ],
)
def test_what_reaches_outside_is_forbidden(expression: str, name: str, reason: str) -> None:
    [found] = in_set(expression)

    assert found.code == "DG0504"
    assert found.message == f"`{name}` may not be used in a workflow: {reason}"


@pytest.mark.parametrize(
    ("condition", "outcome"),
    [
        ("1", "not a boolean, so it is always true"),
        (".a | length", "not a boolean, so it is always true"),
        ("null", "null, so it is always false"),
    ],
)
def test_a_condition_that_is_never_a_boolean_is_noted(condition: str, outcome: str) -> None:
    [found] = findings(f"do: [{{a: {{if: '{condition}', set: {{x: 1}}}}}}]\n")

    assert (found.code, found.message) == ("DG0507", f"the condition is {outcome}")


@pytest.mark.parametrize(
    "condition", [".a", ".a > 1", ".a and .b", "true", "[.a] | any", ".a | nulls"]
)
def test_a_condition_that_may_be_a_boolean_is_not_noted(condition: str) -> None:
    assert findings(f"do: [{{a: {{if: '{condition}', set: {{x: 1}}}}}}]\n") == []


def test_data_need_not_be_a_boolean() -> None:
    assert in_set("1") == []


def test_a_place_laid_out_several_times_is_reported_once() -> None:
    calls = "{a: {call: f}}, {b: {call: f}}, {c: {call: f}}"
    found = findings(f"use: {{functions: {{f: {{set: {{x: '${{ $q }}'}}}}}}}}\ndo: [{calls}]\n")

    assert [one.pointer for one in found] == ["/use/functions/f"]


def test_many_unknown_names_are_all_reported() -> None:
    found = in_set(", ".join(f"$contex{number}" for number in range(60)))

    assert len(found) == 60
    assert [one.hint.startswith("Did you mean") for one in found] == [True] * 50 + [False] * 10


@pytest.mark.parametrize(("span", "count"), [(None, 0), ("here", 2)])
def test_the_machines_own_names_are_out_of_reach_of_an_author(span: str | None, count: int) -> None:
    whole = Expression(text="$__scope.input + $__now", span=None)
    authored = compile_source(HEAD + "do: [{a: {set: '${ $__scope.input + $__now }'}}]\n").graph
    assert authored is not None
    graph = authored if span else with_expression(whole)
    report = Report()

    check_expressions(graph, report, {})

    assert [found.code for found in report] == ["DG0502"] * count


def test_an_expression_without_a_place_is_reported_at_its_node() -> None:
    report = Report()

    check_expressions(with_expression(Expression(text="$q")), report, {})

    assert [(found.span, found.pointer) for found in report] == [(None, "/do/0/a")]


def test_in_loose_mode_an_author_s_words_are_found_in_what_was_made_of_them() -> None:
    text = (
        "evaluate: {mode: loose}\ndo:\n- a: {set: {x: .a + $item}}\n- b: {for: {in: .p}, do: []}\n"
    )
    [found] = findings(text)

    assert place(found) == (3, 21, 3, 26)


def test_the_time_has_one_name() -> None:
    assert NOW_VARIABLE == NOW_IN_PROGRAMS


def with_expression(expression: Expression) -> Graph:
    return Graph(
        namespace="test",
        name="it",
        version="1.0.0",
        scopes=(Scope(id="/", form="process", start="s"),),
        nodes=(
            Start(id="s", scope="/"),
            Assign(id="a", scope="/", pointer="/do/0/a", value=expression),
            End(id="e", scope="/"),
        ),
        flows=(Flow(id="1", source="s", target="a"), Flow(id="2", source="a", target="e")),
    )
