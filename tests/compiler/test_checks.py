from __future__ import annotations

from diglot.compiler import Report, compile_source
from diglot.compiler.checks import CHECKS, run_checks
from diglot.compiler.graph import Graph


def test_the_checks_run_in_order_and_add_to_one_report() -> None:
    graph = Graph(namespace="a", name="b", version="1.0.0")
    one, other = Report(), Report()

    run_checks(graph, one, {})
    for check in CHECKS:
        check(graph, other, {})

    assert [found.code for found in one] == ["DG0405"]
    assert one.diagnostics == other.diagnostics


def test_a_check_leaves_the_graph_as_it_is() -> None:
    text = (
        "document: {dsl: 1.0.3, namespace: a, name: b, version: 1.0.0}\ndo: [{c: {wait: PT1S}}]\n"
    )
    compiled = compile_source(text)
    assert compiled.graph is not None
    report = Report()

    run_checks(compiled.graph, report, {})

    assert (len(report), compile_source(text).graph) == (0, compiled.graph)
