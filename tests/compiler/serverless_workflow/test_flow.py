from __future__ import annotations

from diglot.compiler.graph import (
    Choice,
    Constant,
    End,
    ErrorTrigger,
    Fork,
    Join,
    MultiInstance,
    Raise,
    ScopeNode,
    Start,
    Variable,
)
from support.workflows import flow, graph_of, handler, node, scope, ways


def test_tasks_follow_each_other_from_the_start_to_the_end():
    graph = graph_of("do: [{a: {set: {x: 1}}}, {b: {set: {x: 2}}}]")

    assert ways(graph) == ["#start -> a", "a -> b", "b -> #end"]
    assert [node.id for node in graph.nodes] == ["/#start", "/do/0/a", "/do/1/b", "/#end"]
    assert scope(graph, "/").start == "/#start"
    assert scope(graph, "/").form == "process"


def test_the_context_is_an_empty_object_of_the_outermost_scope():
    graph = graph_of("do: [{a: {set: {x: 1}}}]")

    assert scope(graph, "/").variables == (Variable(name="context", value=Constant({})),)


def test_a_node_has_the_pointer_the_name_and_the_construct_of_its_task():
    graph = graph_of("do: [{a/b: {set: {x: 1}}}]")
    found = node(graph, "/do/0/a~1b", type(graph.nodes[1]))

    assert (found.pointer, found.name, found.construct) == ("/do/0/a~1b", "a/b", "set")
    assert str(found.span) == "one.yaml:2:7"


def test_then_leads_to_a_task_backwards_too():
    graph = graph_of("do: [{a: {set: {x: 1}}}, {b: {set: {x: 1}, then: a}}, {c: {set: {x: 1}}}]")

    assert ways(graph) == ["#start -> a", "a -> b", "b -> a", "c -> #end"]


def test_then_exit_ends_the_list_and_then_end_the_instance():
    graph = graph_of(
        "do: [{a: {do: [{b: {set: {x: 1}, then: exit}}, {c: {wait: PT1S, then: end}}]}}]"
    )

    assert ways(graph, "/do/0/a/do") == ["do#start -> b", "b -> do#end", "c -> do#stop"]
    assert node(graph, "/do/0/a/do#end", End).effect == "none"
    assert node(graph, "/do/0/a/do#stop", End).effect == "instance"


def test_a_list_that_nothing_leaves_has_an_end_all_the_same():
    graph = graph_of("do: [{a: {wait: PT1S, then: a}}]")

    assert node(graph, "/#end", End).effect == "none"


def test_a_skipped_task_goes_to_the_next_one_whatever_its_then_says():
    graph = graph_of("do: [{a: {if: .go, set: {x: 1}, then: end}}, {b: {set: {x: 2}}}]")
    guard = node(graph, "/do/0/a", type(graph.nodes[1])).guard

    assert ways(graph)[1:3] == ["skip a -> b", "a -> #stop"]
    assert guard is not None
    assert guard.condition.text == ".go"
    assert guard.skip == "/do/0/a->/do/1/b#skip"


def test_a_skipped_last_task_goes_to_the_end():
    graph = graph_of("do: [{a: {if: .go, set: {x: 1}}}]")

    assert ways(graph) == ["#start -> a", "skip a -> #end", "a -> #end"]


def test_a_sequence_is_a_scope_inside_the_scope_around_it():
    graph = graph_of("do: [{a: {do: [{b: {do: [{c: {set: {x: 1}}}]}}]}}]")

    assert node(graph, "/do/0/a", ScopeNode).body == "/do/0/a/do"
    assert node(graph, "/do/0/a/do/0/b", ScopeNode).body == "/do/0/a/do/0/b/do"
    assert [(s.id, s.form, s.parent) for s in graph.scopes] == [
        ("/", "process", None),
        ("/do/0/a/do", "sequence", "/"),
        ("/do/0/a/do/0/b/do", "sequence", "/do/0/a/do"),
    ]


def test_cases_keep_their_order_and_the_default_stands_wherever_it_stands():
    graph = graph_of(
        "do:\n"
        "- a:\n"
        "    switch: [{d: {then: c}}, {one: {when: .x, then: b}}, {two: {when: .y, then: end}}]\n"
        "- b: {set: {x: 1}, then: exit}\n"
        "- c: {set: {x: 1}}\n"
    )
    choice = node(graph, "/do/0/a", Choice)

    assert choice.branches == ("/do/0/a->/do/1/b", "/do/0/a->/#stop")
    assert choice.default == "/do/0/a->/do/2/c"
    assert ways(graph)[1:4] == ["a -> c", "a -> b if .x", "a -> #stop if .y"]
    assert flow(graph, "/do/0/a->/do/1/b").name == "one"


def test_two_cases_with_one_target_are_two_flows():
    graph = graph_of(
        "do: [{a: {switch: [{one: {when: .x, then: exit}}, {two: {when: .y, then: exit}}]}}]"
    )

    assert node(graph, "/do/0/a", Choice).branches == ("/do/0/a->/#end", "/do/0/a->/#end#2")


def test_without_a_match_a_switch_follows_its_own_then():
    graph = graph_of(
        "do: [{a: {switch: [{one: {when: .x, then: b}}], then: end}}, {b: {set: {x: 1}}}]"
    )

    assert node(graph, "/do/0/a", Choice).default == "/do/0/a->/#stop"


def test_a_loop_chains_its_runs_and_tests_before_each():
    graph = graph_of(
        "do: [{a: {for: {each: pet, in: .pets, at: i}, while: .go, do: [{b: {set: {x: 1}}}]}}]"
    )
    found = node(graph, "/do/0/a", ScopeNode)

    assert scope(graph, "/do/0/a/do").form == "loop"
    assert isinstance(found.multi, MultiInstance)
    assert (found.multi.item, found.multi.index) == ("pet", "i")
    assert (found.multi.is_sequential, found.multi.is_chained) == (True, True)
    assert found.multi.condition is not None
    assert found.multi.condition.text == ".go"


def test_a_loop_over_an_inline_list_has_it_as_a_constant():
    graph = graph_of("do: [{a: {for: {in: [{n: 1}, {n: 2}]}, do: [{b: {set: {x: 1}}}]}}]")
    found = node(graph, "/do/0/a", ScopeNode)

    assert found.multi is not None
    assert found.multi.collection == Constant([{"n": 1}, {"n": 2}])
    assert (found.multi.item, found.multi.index) == ("item", "index")


def test_the_branches_of_a_fork_meet_in_declared_order():
    graph = graph_of(
        "do: [{f: {fork: {branches: [{a: {set: {x: 1}}}, {b: {wait: PT1S, then: end}}]}}}]"
    )
    body = "/do/0/f/fork/branches"

    assert node(graph, "/do/0/f", ScopeNode).body == body
    assert ways(graph, body) == [
        "branches#start -> branches#fork",
        "branches#fork -> a#branch",
        "branches#fork -> b#branch",
        "a#branch -> branches#join",
        "b#branch -> branches#join",
        "branches#join -> branches#end",
    ]
    assert isinstance(node(graph, f"{body}#fork", Fork), Fork)
    assert node(graph, f"{body}#join", Join).collects
    assert node(graph, f"{body}#join", Join).need is None


def test_a_branch_works_on_a_copy_of_the_context():
    graph = graph_of(
        "do: [{f: {fork: {branches: [{a: {set: {x: 1}}}, {b: {wait: PT1S, then: end}}]}}}]"
    )
    body = "/do/0/f/fork/branches"
    branch = node(graph, f"{body}/0/a#branch", ScopeNode)

    assert branch.body == f"{body}/0/a#scope"
    assert scope(graph, branch.body).form == "branch"
    assert scope(graph, branch.body).parent == body
    assert scope(graph, branch.body).variables == (Variable(name="context", copies=True),)
    assert ways(graph, branch.body) == ["a#scope#start -> a", "a -> a#scope#end"]
    assert ways(graph, f"{body}/1/b#scope") == ["b#scope#start -> b", "b -> b#scope#stop"]


def test_of_competing_branches_the_first_success_wins_and_the_last_failure_is_raised():
    graph = graph_of(
        "do: [{f: {fork: {compete: true, branches: [{a: {set: {x: 1}}}, {b: {set: {x: 1}}}]}}}]"
    )
    body = "/do/0/f/fork/branches"

    assert ways(graph, body) == [
        "branches#start -> branches#fork",
        "branches#fork -> a#branch",
        "branches#fork -> b#branch",
        "a#branch -> branches#won",
        "handler a#branch -> branches#lost",
        "b#branch -> branches#won",
        "handler b#branch -> branches#lost",
        "branches#lost -> branches#all-lost",
    ]
    assert node(graph, f"{body}#won", End).effect == "terminate"
    assert node(graph, f"{body}#lost", Join).need is None
    assert node(graph, f"{body}#all-lost", Raise).again
    assert node(graph, f"{body}#all-lost", Raise).pointer == "/do/0/f"
    lost = handler(graph, f"{body}/0/a#branch#lost")
    assert lost.node == f"{body}/0/a#branch"
    assert lost.trigger == ErrorTrigger()
    assert lost.flow == f"{body}/0/a#branch->{body}#lost#handler"


def test_a_raise_leads_nowhere():
    graph = graph_of("do: [{a: {if: .x, raise: {error: {type: 'https://x/y', status: 400}}}}]")

    assert ways(graph) == ["#start -> a", "skip a -> #end"]


def test_a_document_may_have_no_tasks():
    graph = graph_of("do: []")

    assert ways(graph) == ["#start -> #end"]
    assert isinstance(node(graph, "/#start", Start), Start)
