from __future__ import annotations

import pytest

from diglot.compiler.graph import (
    Assign,
    Choice,
    Constant,
    DataRules,
    End,
    Expression,
    Graph,
    Pass,
    Record,
    ScopeNode,
    Variable,
)
from support.workflows import compile_text, graph_of, handler, node, scope, ways

INPUT = Expression(text="$__scope.input")
OUTPUT = Expression(text="$__output")


def extended(tasks: str, *extensions: str) -> Graph:
    listed = "".join(f"  - e{number}: {body}\n" for number, body in enumerate(extensions))
    return graph_of(f"use:\n  extensions:\n{listed}do: {tasks}")


BEFORE = "{extend: all, before: [{b: {set: {x: 1}}}]}"
AFTER = "{extend: all, after: [{c: {set: {x: 1}}}]}"
TASK = "[{a: {set: {y: 1}}}]"


def test_an_extended_task_becomes_a_scope_with_its_id_and_name():
    graph = extended(TASK, BEFORE)
    around = node(graph, "/do/0/a", ScopeNode)

    assert (around.name, around.construct, around.pointer) == ("a", "set", "/do/0/a")
    assert around.body == "/do/0/a#extended"
    assert scope(graph, "/do/0/a#extended").form == "extension"
    assert ways(graph) == ["#start -> a", "a -> #end"]


def test_tasks_before_see_the_raw_input_and_so_does_the_task():
    graph = extended(TASK, BEFORE)

    assert ways(graph, "/do/0/a#extended") == [
        "a#extended#start -> b",
        "b -> a#input-0",
        "a#input-0 -> a~inner",
        "a~inner -> a#extended#end",
    ]
    assert node(graph, "/do/0/a#input-0", Assign).value == INPUT
    assert node(graph, "/do/0/a~/use/extensions/0/e0/before/0/b", Assign).pointer == (
        "/use/extensions/0/e0/before/0/b"
    )


def test_what_tasks_after_give_is_dropped():
    graph = extended(TASK, AFTER)

    assert ways(graph, "/do/0/a#extended") == [
        "a#extended#start -> a~inner",
        "a~inner -> a#keep",
        "a#keep -> c",
        "c -> a#output-0",
        "a#output-0 -> a#output",
        "a#output -> a#extended#end",
    ]
    assert node(graph, "/do/0/a#keep", Pass).data == DataRules(
        export=Expression(text="."), export_to="__output"
    )
    assert node(graph, "/do/0/a#output", Assign).value == OUTPUT
    assert scope(graph, "/do/0/a#extended").variables == (
        Variable(name="__output", value=Constant(None)),
    )


def test_data_rules_and_time_out_stay_with_the_task_itself():
    graph = extended(
        "[{a: {if: .go, input: {from: .i}, wait: PT1S, timeout: {after: PT1S}, then: end}}]", BEFORE
    )
    around, inner = (
        node(graph, "/do/0/a", ScopeNode),
        node(graph, "/do/0/a~inner", type(graph.nodes[5])),
    )

    assert around.data is None
    assert around.guard is not None
    assert inner.guard is None
    assert inner.data is not None
    assert (inner.pointer, inner.name, inner.construct) == ("/do/0/a", "a", "wait")
    assert handler(graph, "/do/0/a~inner#timeout").node == "/do/0/a~inner"
    assert ways(graph) == ["#start -> a", "skip a -> #end", "a -> #stop"]


def test_extensions_go_in_declared_order_before_and_in_reverse_after():
    both = "{extend: set, before: [{b: {set: {x: 1}}}], after: [{c: {set: {x: 1}}}]}"
    graph = extended(TASK, both, both)
    order = [flow.target for flow in graph.flows if "/use/extensions" in flow.target]

    assert order == [
        "/do/0/a~/use/extensions/0/e0/before/0/b",
        "/do/0/a~/use/extensions/1/e1/before/0/b",
        "/do/0/a~/use/extensions/1/e1/after/0/c",
        "/do/0/a~/use/extensions/0/e0/after/0/c",
    ]


def test_when_is_asked_once_and_remembered_for_after():
    graph = extended(
        TASK,
        "{extend: all, when: $task.call == null, before: [{b: {set: {x: 1}}}], "
        "after: [{c: {set: {x: 1}}}]}",
    )
    asked = node(graph, "/do/0/a#when-0", Choice)

    assert (asked.construct, asked.name, asked.pointer) == ("extension", "a", "/do/0/a")
    assert ways(graph, "/do/0/a#extended") == [
        "a#extended#start -> a#when-0",
        "a#when-0 -> a#applies-0 if $task.call == null",
        "a#when-0 -> a~inner",
        "a#applies-0 -> b",
        "b -> a#input-0",
        "a#input-0 -> a~inner",
        "a~inner -> a#keep",
        "a#keep -> a#after-0",
        "a#after-0 -> c if $__applies_0",
        "a#after-0 -> a#output",
        "c -> a#output-0",
        "a#output-0 -> a#output",
        "a#output -> a#extended#end",
    ]
    assert node(graph, "/do/0/a#applies-0", Pass).data == DataRules(
        export=Constant(True), export_to="__applies_0"
    )


def test_the_definition_is_kept_for_when():
    body = "{extend: all, when: %s, before: [{b: {set: {x: 1}}}]}"

    assert extended(TASK, body % "$task.call == null").document is not None
    assert extended(TASK, body % ".x == null").document is None


def test_exit_before_leads_past_the_task_with_its_output_rules():
    graph = extended(
        "[{a: {set: {y: 1}, input: {from: .i}, output: {as: .o}, export: {as: .e}, then: end}}]",
        "{extend: all, before: [{b: {set: {x: 1}, then: exit}}, {d: {set: {x: 1}}}], "
        "after: [{c: {set: {x: 1}}}]}",
    )
    bypass = node(graph, "/do/0/a#bypass", Pass)

    assert ways(graph, "/do/0/a#extended")[:2] == ["a#extended#start -> b", "b -> a#bypass"]
    assert "a#bypass -> a#extended#end" in ways(graph, "/do/0/a#extended")
    assert bypass.data is not None
    assert bypass.data.read is None
    assert isinstance(bypass.data.write, Expression)
    assert bypass.data.write.text == ".o"
    assert isinstance(bypass.data.export, Expression)
    assert ways(graph) == ["#start -> a", "a -> #stop"]


def test_end_in_an_extension_ends_the_instance():
    graph = extended(TASK, "{extend: all, before: [{b: {set: {x: 1}, then: end}}]}")

    assert node(graph, "/do/0/a#extended#stop", End).effect == "instance"


def test_tasks_of_an_extension_are_not_extended():
    graph = extended(TASK, "{extend: all, before: [{b: {do: [{d: {set: {x: 1}}}]}}]}")

    assert [node.id for node in graph.nodes if isinstance(node, ScopeNode)] == [
        "/do/0/a",
        "/do/0/a~/use/extensions/0/e0/before/0/b",
    ]


def test_tasks_inside_an_extended_task_are_extended_too():
    graph = extended("[{a: {do: [{d: {set: {y: 1}}}]}}]", BEFORE)

    assert node(graph, "/do/0/a~inner", ScopeNode).body == "/do/0/a/do"
    assert scope(graph, "/do/0/a/do").parent == "/do/0/a#extended"
    assert node(graph, "/do/0/a/do/0/d", ScopeNode).body == "/do/0/a/do/0/d#extended"


@pytest.mark.parametrize(
    ("target", "extended_tasks"),
    [
        ("all", ["set", "do", "fork", "http", "shell"]),
        ("composite", ["do", "fork"]),
        ("call", ["http"]),
        ("run", ["shell"]),
        ("set", ["set"]),
        ("wait", []),
    ],
)
def test_an_extension_extends_tasks_of_one_kind(target: str, extended_tasks: list[str]):
    graph = extended(
        "[{set: {set: {y: 1}}}, {do: {do: []}}, {fork: {fork: {branches: []}}},\n"
        "  {http: {call: http, with: {method: get, endpoint: https://x}}},\n"
        "  {shell: {run: {shell: {command: ls}}}}]",
        f"{{extend: {target}, before: [{{b: {{set: {{x: 1}}}}}}]}}",
    )

    assert [
        node.name
        for node in graph.nodes
        if isinstance(node, ScopeNode) and node.body.endswith("#extended")
    ] == extended_tasks


def test_a_switch_that_is_extended_chooses_behind_the_scope():
    graph = extended(
        "[{a: {switch: [{one: {when: .x, then: b}}, {two: {when: .y, then: exit}}],\n"
        "   output: {as: .o}, then: end}}, {b: {wait: PT1S}}]",
        "{extend: switch, before: [{d: {set: {x: 1}}}], after: [{c: {set: {x: 1}}}]}",
    )
    route = node(graph, "/do/0/a#route", Choice)

    assert ways(graph)[:5] == [
        "#start -> a",
        "a -> a#route",
        "a#route -> b if .exit == 0",
        "a#route -> #end if .exit == 1",
        "a#route -> #stop if .exit == 2",
    ]
    assert route.data == DataRules(write=Expression(text=".output"))
    assert [way for way in ways(graph, "/do/0/a#extended") if "inner" in way] == [
        "a#input-0 -> a~inner",
        "a~inner -> a#exit-0 if .x",
        "a~inner -> a#exit-1 if .y",
        "a~inner -> a#exit-2",
    ]
    assert node(graph, "/do/0/a#exit-1", Pass).data == DataRules(
        export=Constant(1), export_to="__exit"
    )
    assert node(graph, "/do/0/a#output", Assign).value == Record(
        (("exit", Expression(text="$__exit")), ("output", OUTPUT))
    )


def test_a_catch_that_leads_elsewhere_is_noted_inside_the_scope():
    graph = extended(
        "[{a: {try: [{d: {wait: PT1S}}], catch: {errors: {with: {status: 5}}, then: end}}}]",
        "{extend: try, before: [{b: {set: {x: 1}, then: exit}}]}",
    )

    assert ways(graph) == [
        "#start -> a",
        "a -> a#route",
        "a#route -> #stop if .exit == 0",
        "a#route -> #end",
    ]
    assert handler(graph, "/do/0/a~inner#catch").leave_by == "/do/0/a~inner->/do/0/a#exit-0#handler"
    assert node(graph, "/do/0/a#bypassed", Assign).value == Record(
        (("exit", Constant(None)), ("output", Expression(text=".")))
    )


def test_nothing_comes_after_a_raise():
    graph = extended(
        "[{a: {raise: {error: {type: https://x, status: 400}}}}]",
        "{extend: all, before: [{b: {set: {x: 1}}}], after: [{c: {set: {x: 1}}}]}",
    )

    assert ways(graph) == ["#start -> a"]
    assert ways(graph, "/do/0/a#extended") == [
        "a#extended#start -> b",
        "b -> a#input-0",
        "a#input-0 -> a~inner",
    ]


def test_mistakes_in_an_extension_are_told_once():
    _, found = compile_text(
        "use: {extensions: [{e: {extend: all, before: [{b: {call: nobody}}]}}]}\n"
        "do: [{a: {set: {x: 1}}}, {c: {set: {x: 1}}}]"
    )

    assert [(finding.code, finding.pointer) for finding in found] == [
        ("DG0401", "/use/extensions/0/e/before/0/b/call")
    ]


def test_branches_and_functions_are_extended_inside_their_own_scopes():
    graph = extended("[{f: {fork: {branches: [{a: {set: {x: 1}}}]}}}]", BEFORE)
    branch = "/do/0/f/fork/branches/0/a"

    assert node(graph, f"{branch}#branch", ScopeNode).body == f"{branch}#scope"
    assert node(graph, branch, ScopeNode).body == f"{branch}#extended"
    assert scope(graph, f"{branch}#extended").parent == f"{branch}#scope"

    function = "/do/0/c~inner~/use/functions/g"
    graph = graph_of(
        f"use: {{functions: {{g: {{set: {{x: 1}}}}}}, extensions: [{{e0: {BEFORE}}}]}}\n"
        "do: [{c: {call: g}}]"
    )

    assert node(graph, "/do/0/c~inner", ScopeNode).body == f"{function}#scope"
    assert node(graph, function, ScopeNode).body == f"{function}#extended"
