"""The context of a workflow: what `export` puts into it and what reads it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from diglot.compiler import compile_source

Findings = Callable[[str], list[tuple[str, str]]]

NEVER_SET = "has no value here, whichever way led here"


def test_what_nothing_exports_before_is_null_where_it_is_read(workflow: Findings) -> None:
    found = workflow("""
do:
  - greet: { set: { text: '${ $context.customer | ascii_upcase }' } }
  - note: { set: { customer: Ada }, export: { as: '$context + { customer: .customer }' } }
  - look: { set: { text: '${ $context.customer }' } }
""")

    assert found == [("DG1801", f"`$context.customer` {NEVER_SET}")]


@pytest.mark.parametrize(
    "reading",
    [
        '$context.customer // "nobody"',
        "$context.customer == null",
        "if $context.customer then $context.customer else 1 end",
        "$context.customer?",
        '$context | has("customer")',
        "try $context.customer.name catch null",
        "($context.customer != null) and $context.customer > 3",
    ],
)
def test_who_asks_whether_there_is_a_value_is_left_alone(workflow: Findings, reading: str) -> None:
    assert workflow(f"do:\n  - look: {{ set: {{ text: '${{ {reading} }}' }} }}\n") == []


def test_what_one_way_leaves_out_is_null_on_that_way(workflow: Findings) -> None:
    found = workflow("""
do:
  - discount: { if: .amount > 100, set: { percent: 10 }, export: { as: { percent: 10 } } }
  - invoice: { set: { percent: '${ $context.percent }' } }
""")

    assert found == [("DG1802", "`$context.percent` has no value here on the way past `discount`")]


def test_a_flag_may_be_set_on_one_way_only(workflow: Findings) -> None:
    found = workflow("""
do:
  - discount: { if: .amount > 100, set: { percent: 10 }, export: { as: { done: true } } }
  - which:
      switch:
        - yes: { when: $context.done, then: end }
        - no: { then: continue }
  - other: { if: '$context.done == true', set: { n: 1 } }
""")

    assert found == []


def test_what_is_read_on_some_ways_only_may_be_written_on_the_same(workflow: Findings) -> None:
    found = workflow("""
do:
  - discount: { if: .amount > 100, set: { percent: 10 }, export: { as: { percent: 10 } } }
  - invoice: { if: .amount > 100, set: { percent: '${ $context.percent }' } }
""")

    assert found == []


def test_a_loop_may_read_what_its_last_round_exported(workflow: Findings) -> None:
    found = workflow("""
do:
  - each:
      for: { in: '${ .items }' }
      do:
        - add: { set: { sum: '${ $context.sum + $item }' }, export: { as: { sum: .sum } } }
        - halve: { set: { sum: '${ $context.sum / 2 }' } }
output: { as: '${ $context.sum }' }
""")

    assert found == []


def test_an_error_may_come_before_or_after_an_export(workflow: Findings) -> None:
    found = workflow("""
do:
  - careful:
      try:
        - ask: { call: http, with: { method: get, endpoint: 'https://example.com' },
                 export: { as: { asked: true } } }
        - tell: { call: http, with: { method: get, endpoint: 'https://example.com' } }
      catch:
        errors: { with: { status: 503 } }
        do:
          - note: { set: { asked: '${ $context.asked | tostring }' } }
""")

    assert found == []


def test_an_export_that_nothing_reads_is_noted(workflow: Findings) -> None:
    found = workflow("""
do:
  - first: { set: { n: 1, m: 2 }, export: { as: { n: '${ .n }', m: '${ .m }' } } }
  - look: { set: { n: '${ $context.n }' } }
""")

    assert found == [("DG1805", "`$context.m` is written here and never read")]


def test_several_names_of_one_export_are_one_note(workflow: Findings) -> None:
    found = workflow("do:\n  - first: { set: { n: 1 }, export: { as: { n: 1, m: 2 } } }\n")

    assert found == [("DG1805", "`$context.m` and `$context.n` are written here and never read")]


@pytest.mark.parametrize(
    "reading",
    [
        "output: { as: $context }",
        "output: { as: '${ { all: $context } }' }",
        "output: { as: '${ $context | keys }' }",
        "output: { as: '${ $context | .n }' }",
        "output: { as: '${ $context as {$n} | $n }' }",
    ],
)
def test_the_output_of_the_workflow_reads(workflow: Findings, reading: str) -> None:
    tasks = "do:\n  - first: { set: { n: 1 }, export: { as: { n: 1 } } }\n"

    assert workflow(tasks + reading) == []


def test_an_open_export_is_read_by_each_of_its_members(workflow: Findings) -> None:
    found = workflow("""
do:
  - ask: { call: http, with: { method: get, endpoint: 'https://example.com' }, export: { as: . } }
  - look: { set: { n: '${ $context.whatever * 2 }' } }
""")

    assert found == []


def test_an_open_export_that_nothing_reads_is_noted(workflow: Findings) -> None:
    found = workflow("""
do:
  - ask: { call: http, with: { method: get, endpoint: 'https://example.com' }, export: { as: . } }
""")

    assert found == [("DG1805", "`$context` is written here and never read")]


def test_what_is_exported_again_before_it_is_read_is_lost(workflow: Findings) -> None:
    found = workflow("""
do:
  - first: { set: { n: 1 }, export: { as: '$context + { n: .n }' } }
  - second: { set: { n: 2 }, export: { as: '$context + { n: .n }' } }
  - look: { set: { n: '${ $context.n }' } }
""")

    assert found == [("DG1804", "`$context.n` is overwritten by `second` before anything reads it")]


def test_what_one_way_overwrites_is_not_lost(workflow: Findings) -> None:
    found = workflow("""
do:
  - first: { set: { n: 1 }, export: { as: { n: .n } } }
  - second: { if: .n > 1, set: { n: 2 }, export: { as: { n: .n } } }
  - look: { set: { n: '${ $context.n }' } }
""")

    assert found == []


def test_an_export_that_replaces_the_context_drops_what_is_read_later(workflow: Findings) -> None:
    found = workflow("""
do:
  - first: { set: { n: 1 }, export: { as: { first: 1 } } }
  - second: { set: { n: 2 }, export: { as: { second: 2 } } }
  - look: { set: { a: '${ $context.first }', b: '${ $context.second }' } }
""")

    assert found == [
        (
            "DG1811",
            "this export replaces the context: `$context.first`, which `first` exported and a "
            "later task reads, is gone",
        )
    ]


def test_a_result_that_replaces_the_context_drops_what_is_read_later(workflow: Findings) -> None:
    found = workflow("""
do:
  - first: { set: { n: 1 }, export: { as: { first: 1 } } }
  - ask: { call: http, with: { method: get, endpoint: 'https://example.com' }, export: { as: . } }
  - look: { set: { a: '${ $context.first }' } }
""")

    assert [code for code, _ in found] == ["DG1811"]


@pytest.mark.parametrize(
    "export",
    [
        "'$context + { second: 2 }'",
        "'$context * { second: 2 }'",
        "'{ second: 2 } + $context'",
        "'$context | .second = 2'",
        "'. // $context'",
        "'if .n then $context + { second: 2 } else $context end'",
        "{ first: '${ $context.first }', second: 2 }",
        "'{ first: $context.first, second: 2 }'",
        "'[$context, { second: 2 }] | add'",
        "'.all'",
    ],
)
def test_an_export_that_takes_the_context_along_drops_nothing(
    workflow: Findings, export: str
) -> None:
    found = workflow(f"""
do:
  - first: {{ set: {{ n: 1 }}, export: {{ as: {{ first: 1 }} }} }}
  - second: {{ set: {{ n: 2 }}, export: {{ as: {export} }} }}
  - look: {{ set: {{ a: '${{ $context.first }}', b: '${{ $context.second }}' }} }}
""")

    assert found == []


def test_a_branch_has_a_context_of_its_own(workflow: Findings) -> None:
    found = workflow("""
do:
  - first: { set: { n: 1 }, export: { as: { first: 1 } } }
  - both:
      fork:
        branches:
          - left:
              do:
                - put: { set: { n: 2 }, export: { as: { n: 2 } } }
                - take: { set: { n: '${ $context.n }' } }
          - right:
              do:
                - put: { set: { n: 3 }, export: { as: { n: 3 } } }
                - take: { set: { n: '${ $context.n }' } }
  - look: { set: { a: '${ $context.first }' } }
""")

    assert found == []


def test_what_a_branch_exports_is_not_there_behind_the_join(workflow: Findings) -> None:
    found = workflow("""
do:
  - both:
      fork:
        branches:
          - left: { set: { n: 2 }, export: { as: { n: 2 } } }
          - right: { set: { n: 3 } }
  - look: { set: { a: '${ $context.n }' } }
""")

    assert found == [("DG1801", f"`$context.n` {NEVER_SET}")]


def test_a_function_that_is_called_twice_is_judged_as_a_whole(workflow: Findings) -> None:
    found = workflow("""
use:
  functions:
    count: { set: { n: '${ $context.n * 2 }' }, export: { as: { n: .n } } }
do:
  - first: { call: count }
  - second: { call: count }
output: { as: '${ $context.n }' }
""")

    assert found == []


def test_an_export_schema_reads_the_whole_context(workflow: Findings) -> None:
    found = workflow("""
do:
  - first:
      set: { n: 1 }
      export: { as: { n: 1 }, schema: { format: json, document: { required: [n] } } }
""")

    assert found == []


def test_a_slip_of_the_pen_is_recognised() -> None:
    done = compile_source("""
document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }
do:
  - first: { set: { n: 1 }, export: { as: { customer: 1 } } }
  - look: { set: { n: '${ $context.custmoer }', m: '${ $context.customer }' } }
""")

    (found,) = [one for one in done.diagnostics if one.code.startswith("DG18")]
    assert found.code == "DG1801"
    assert found.hint == "Did you mean `customer`?"
    assert found.span is not None
    assert (found.span.start.line, found.span.start.column) == (5, 27)


def test_data_that_was_taken_from_the_context_may_become_it_again(workflow: Findings) -> None:
    found = workflow("""
do:
  - first: { set: { n: 1 }, export: { as: { first: 1 } } }
  - second: { input: { from: $context }, set: '${ . + { second: 2 } }', export: { as: . } }
  - look: { set: { a: '${ $context.first }', b: '${ $context.second }' } }
""")

    assert found == []
