"""What becomes of an exported file that somebody changed: the workflow follows."""

from __future__ import annotations

from diglot.compiler import codes
from diglot.compiler.graph import Choice, Duration, Graph, Receive, ScopeNode, Task, TimerTrigger
from support.edits import Edited, model, of_export
from support.workflows import handler, node, ways

ORDER = """
do:
- reserve: {run: {shell: {command: reserve}}}
- checkAmount:
    switch:
    - large: {when: .amount > 1000, then: approve}
    - small: {then: ship}
- approve: {if: .manager != null, run: {shell: {command: approve}}}
- ship: {run: {shell: {command: ship}}}
"""
LOOP = """
do:
- pack:
    for: {each: item, in: .items}
    do: [{wrap: {run: {shell: {command: wrap}}}}, {label: {run: {shell: {command: label}}}}]
- ship: {run: {shell: {command: ship}}}
"""
TRY = """
do:
- attempt:
    try: [{pay: {run: {shell: {command: pay}}}}]
    catch:
      errors: {with: {status: 500}}
      do: [{mend: {run: {shell: {command: mend}}}}]
- ship: {run: {shell: {command: ship}}}
"""
FORK = """
do:
- both:
    fork:
      branches:
      - left:
          do:
          - first: {run: {shell: {command: first}}}
          - last: {run: {shell: {command: last}}}
      - right: {run: {shell: {command: right}}}
- ship: {run: {shell: {command: ship}}}
"""
HEAR = """
do:
- hear:
    listen: {to: {any: [{with: {type: a}}, {with: {type: b}}]}}
    timeout: {after: {seconds: 30}}
"""
LIMIT = """
do:
- pay: {run: {shell: {command: pay}}, timeout: {after: {seconds: 30}}}
- ship: {run: {shell: {command: ship}}}
"""


def _all_ways(graph: Graph) -> dict[str, list[str]]:
    return {scope.id: ways(graph, scope.id) for scope in graph.scopes}


# -- names, documentation, conditions


def test_a_file_that_nobody_changed_is_the_same_workflow() -> None:
    file = Edited(ORDER)

    graph = file.graph()

    assert ways(graph) == ways(file.source)
    assert [one.name for one in graph.nodes] == [one.name for one in file.source.nodes]


def test_a_step_has_the_name_that_it_was_given() -> None:
    file = Edited(ORDER)

    file.rename("reserve", "Put aside")

    assert node(file.graph(), "/do/0/reserve", Task).name == "Put aside"


def test_a_name_that_nobody_touched_stays_what_its_author_wrote() -> None:
    file = Edited(ORDER)

    file.rename("reserve", "Put aside")

    assert node(file.graph(), "/do/3/ship", Task).name == "ship"


def test_a_name_that_was_removed_is_gone() -> None:
    file = Edited(ORDER)

    file.rename("reserve", "")

    assert node(file.graph(), "/do/0/reserve", Task).name == ""


def test_the_name_of_the_process_is_its_title() -> None:
    file = Edited(ORDER)

    file.process.set("name", "Orders of the day")

    assert file.graph().title == "Orders of the day"


def test_a_documentation_goes_to_what_it_was_written_at() -> None:
    file = Edited(ORDER)

    file.document("reserve", "Only what is in stock.")
    file.document("reserve_to_checkAmount", "At once.")

    graph = file.graph()
    assert node(graph, "/do/0/reserve", Task).documentation == "Only what is in stock."
    assert [one.documentation for one in graph.flows if one.documentation] == ["At once."]


def test_a_condition_is_what_stands_at_the_flow() -> None:
    file = Edited(ORDER)

    file.set_condition("checkAmount_to_approve_if", ".amount > 500")

    (condition,) = [one.condition for one in file.graph().flows if one.condition is not None]
    assert (condition.text, condition.of) == (".amount > 500", "data")


def test_a_condition_in_another_language_is_read_as_that() -> None:
    file = Edited(ORDER)

    file.set_condition("checkAmount_to_approve_if", "amount > 500", "feel")

    (condition,) = [one.condition for one in file.graph().flows if one.condition is not None]
    assert (condition.source, condition.source_language) == ("amount > 500", "feel")


def test_a_condition_that_cannot_be_read_is_told_where_it_stands() -> None:
    file = Edited(ORDER)

    file.set_condition("checkAmount_to_approve_if", ".amount >")

    error = file.only_error()
    assert error.code == codes.EXPRESSION_SYNTAX.id
    assert error.span is not None


def test_the_condition_of_an_if_is_what_stands_at_its_question() -> None:
    file = Edited(ORDER)

    file.set_condition("approve_if_to_approve", ".manager.isThere")

    guard = node(file.graph(), "/do/2/approve", Task).guard
    assert guard is not None
    assert guard.condition.text == ".manager.isThere"


def test_a_question_that_was_removed_is_asked_no_more() -> None:
    file = Edited(ORDER)

    file.leave("approve_to_ship_merge", "approve")
    file.lead("checkAmount_to_approve_if", "approve")
    file.delete("approve_if")

    graph = file.graph()
    assert node(graph, "/do/2/approve", Task).guard is None
    expected = [one for one in ways(file.source) if not one.startswith("skip")]
    assert ways(graph) == expected


def test_another_flow_of_a_gateway_may_become_its_default() -> None:
    file = Edited(ORDER)

    file.find("checkAmount").set("default", "checkAmount_to_approve_if")

    choice = node(file.graph(), "/do/1/checkAmount", Choice)
    assert choice.default == "/do/1/checkAmount->/do/2/approve"
    assert choice.branches == ("/do/1/checkAmount->/do/3/ship",)


# -- flows


def test_a_flow_leads_where_it_is_drawn_to() -> None:
    file = Edited(ORDER)

    file.lead("checkAmount_to_ship_merge", "reserve")

    assert "checkAmount -> reserve" in ways(file.graph())


def test_a_flow_comes_from_where_it_is_drawn_from() -> None:
    file = Edited(ORDER)

    file.leave("checkAmount_to_ship_merge", "reserve")

    assert "reserve -> ship" in ways(file.graph())


def test_a_new_flow_is_a_way() -> None:
    file = Edited(ORDER)

    file.connect("checkAmount", "end", "none", ".amount == 0")

    graph = file.graph()
    assert "checkAmount -> #end if .amount == 0" in ways(graph)
    assert node(graph, "/do/1/checkAmount", Choice).branches[-1] == "none"


def test_a_condition_at_a_flow_of_a_step_is_told_to_be_left_out() -> None:
    file = Edited(ORDER)

    file.connect("reserve", "end", "odd", ".amount == 0")

    assert "reserve -> #end" in ways(file.graph("condition-without-gateway"))


def test_where_a_step_has_no_way_on_any_more_its_scope_ends() -> None:
    file = Edited(ORDER)

    file.disconnect("reserve_to_checkAmount")

    assert ways(file.graph())[:2] == [
        "#start -> reserve",
        "checkAmount -> approve if .amount > 1000",
    ]
    assert "reserve -> #end" in ways(file.graph())


def test_a_flow_into_the_middle_of_steps_that_run_together_is_refused() -> None:
    file = Edited(FORK)

    file.lead("start_to_both_fork", "last")

    found = [one.code for one in of_export(file.compiled())]
    assert found == [codes.FLOW_BETWEEN_SCOPES.id]


# -- elements


def test_a_step_that_was_removed_is_gone_with_its_flows() -> None:
    file = Edited(ORDER)

    file.delete("reserve")
    file.connect("start", "checkAmount", "begin")

    graph = file.graph()
    assert [one.name for one in graph.nodes if isinstance(one, Task)] == ["approve", "ship"]
    assert "#start -> checkAmount" in ways(graph)


def test_a_gateway_that_was_removed_decides_no_more() -> None:
    file = Edited(ORDER)

    file.delete("checkAmount")
    file.connect("reserve", "ship", "on")

    graph = file.graph()
    assert not any(isinstance(one, Choice) for one in graph.nodes)
    assert "reserve -> ship" in ways(graph)


def test_a_step_that_was_drawn_into_a_flow_runs_there() -> None:
    file = Edited(ORDER)

    file.insert("reserve_to_checkAmount", "manualTask", "look", name="Look at it")

    graph = file.graph()
    assert node(graph, "look", Task).name == "Look at it"
    assert {"reserve -> look", "look -> checkAmount"} <= set(ways(graph))


def test_a_step_that_was_drawn_before_a_gateway_where_ways_meet_leads_behind_it() -> None:
    file = Edited(ORDER)

    file.insert("checkAmount_to_ship_merge", "manualTask", "look")

    assert {"checkAmount -> look", "look -> ship"} <= set(ways(file.graph()))


def test_a_decision_that_was_drawn_anew_is_read_as_bpmn_is() -> None:
    file = Edited(ORDER)

    file.insert("reserve_to_checkAmount", "exclusiveGateway", "worth", name="Worth it?")
    file.connect("worth", "end", "not_worth", ".amount < 1")
    file.find("worth").set("default", "worth_out")

    graph = file.graph()
    assert {"worth -> #end if .amount < 1", "worth -> checkAmount"} <= set(ways(graph))


def test_a_sub_process_that_was_drawn_anew_is_a_scope() -> None:
    file = Edited(ORDER)

    file.insert("reserve_to_checkAmount", "subProcess", "extra")
    file.add("startEvent", "extra_start", to="extra")
    file.add("manualTask", "extra_work", to="extra")
    file.connect("extra_start", "extra_work", "extra_flow")

    graph = file.graph()
    assert _all_ways(graph)["extra#body"] == ["extra_start -> extra_work"]
    assert node(graph, "extra", ScopeNode).scope == "/"


def test_a_step_that_was_moved_into_a_new_sub_process_runs_there() -> None:
    file = Edited(ORDER)

    file.insert("reserve_to_checkAmount", "subProcess", "extra")
    file.move("ship", "extra")

    assert node(file.graph(), "/do/3/ship", Task).scope == "extra#body"


def test_a_sub_process_that_was_emptied_lets_everything_pass() -> None:
    file = Edited(LOOP)

    for id in ("pack_start", "wrap", "label", "pack_end"):
        file.delete(id)

    graph = file.graph()
    body = node(graph, "/do/0/pack", ScopeNode).body
    assert _all_ways(graph)[body] == ["do#start -> do#end"]


def test_a_sub_process_whose_start_was_removed_begins_at_its_first_step() -> None:
    file = Edited(LOOP)

    file.delete("pack_start")

    graph = file.graph()
    body = node(graph, "/do/0/pack", ScopeNode).body
    assert "do#start -> wrap" in _all_ways(graph)[body]


def test_a_sub_process_that_was_removed_is_gone_with_all_that_is_in_it() -> None:
    file = Edited(LOOP)

    file.delete("pack")
    file.connect("start", "ship", "begin")

    assert _all_ways(file.graph()) == {"/": ["ship -> #end", "#start -> ship"]}


def test_a_step_that_was_moved_into_a_sub_process_runs_there() -> None:
    file = Edited(LOOP)

    file.move("ship", "pack")
    file.lead("wrap_to_label", "ship")
    file.connect("ship", "label", "back")

    graph = file.graph()
    body = node(graph, "/do/0/pack", ScopeNode).body
    assert {"wrap -> ship", "ship -> label"} <= set(_all_ways(graph)[body])
    assert "pack -> #end" in ways(graph)


def test_a_sub_process_that_was_moved_takes_its_steps_with_it() -> None:
    file = Edited(LOOP)
    file.insert("pack_to_ship", "subProcess", "extra")

    file.move("pack", "extra")

    graph = file.graph()
    assert node(graph, "/do/0/pack", ScopeNode).scope == "extra#body"
    body = node(graph, "/do/0/pack", ScopeNode).body
    (scope,) = [one for one in graph.scopes if one.id == body]
    assert scope.parent == "extra#body"


# -- steps that are drawn where they are entered


def test_a_step_in_a_branch_that_is_drawn_without_a_frame_runs_in_the_branch() -> None:
    file = Edited(FORK)

    file.insert("first_to_last", "manualTask", "between")

    graph = file.graph()
    scope = node(graph, "between", Task).scope
    assert scope == "/do/0/both/fork/branches/0/left/do"
    assert {"first -> between", "between -> last"} <= set(_all_ways(graph)[scope])


def test_a_row_of_steps_that_loses_its_last_one_ends_before() -> None:
    file = Edited(FORK)

    file.lead("first_to_last", "both_join")
    file.delete("last")

    graph = file.graph()
    assert "first -> do#end" in _all_ways(graph)["/do/0/both/fork/branches/0/left/do"]


def test_a_step_behind_an_event_is_done_before_what_was_done_about_it() -> None:
    file = Edited(TRY)

    file.insert("attempt_catch_to_mend", "manualTask", "look")

    graph = file.graph()
    run = handler(graph, "/do/0/attempt#catch").run
    assert run is not None
    (scope,) = [one for one in graph.scopes if one.id == run]
    assert scope.start == "look"
    assert "look -> do#start" in _all_ways(graph)[run]


def test_a_step_behind_what_is_done_about_an_event_is_done_there_too() -> None:
    file = Edited(TRY)

    file.insert("mend_to_ship_merge", "manualTask", "tell")

    graph = file.graph()
    run = handler(graph, "/do/0/attempt#catch").run
    assert run is not None
    assert {"mend -> tell", "tell -> do#end"} <= set(_all_ways(graph)[run])


# -- events at borders


def test_an_event_that_was_removed_guards_no_more() -> None:
    file = Edited(LIMIT)

    file.delete("pay_timeout")

    assert file.graph().handlers == ()


def test_what_an_event_that_was_removed_led_to_is_told_to_be_left_out() -> None:
    file = Edited(TRY)

    file.delete("attempt_catch")

    graph = file.graph("part-without-scope")
    assert graph.handlers == ()
    assert [one.name for one in graph.nodes if isinstance(one, Task)] == ["pay", "ship"]


def test_an_event_that_leads_elsewhere_does_that_instead() -> None:
    file = Edited(TRY)

    file.lead("attempt_catch_to_mend", "end")

    graph = file.graph("part-without-scope")
    found = handler(graph, "/do/0/attempt#catch")
    assert (found.run, found.leave_by) == (None, "attempt_catch_to_mend")
    assert "handler attempt -> #end" in ways(graph)


def test_an_event_that_was_moved_to_another_step_guards_that_one() -> None:
    file = Edited(LIMIT)

    file.find("pay_timeout").set("attachedToRef", "ship")

    (found,) = file.graph().handlers
    assert found.node == "/do/1/ship"


def test_an_event_of_an_attempt_cannot_guard_a_single_step() -> None:
    file = Edited(TRY)

    file.find("attempt_catch").set("attachedToRef", "ship")

    error = file.only_error()
    assert error.code == codes.EVENT_ATTACHED_ELSEWHERE.id
    assert error.span is not None
    assert error.hint


def test_an_event_that_was_drawn_anew_guards_its_step() -> None:
    file = Edited(ORDER)

    event = file.add("boundaryEvent", "late", name="Late")
    event.set("attachedToRef", "ship")
    file.add_timer("late", "PT1M")
    file.add("endEvent", "gone")
    file.connect("late", "gone", "give_up")

    graph = file.graph()
    (found,) = graph.handlers
    assert found.node == "/do/3/ship"
    assert {"handler ship -> late", "late -> gone"} <= set(ways(graph))


# -- what is only drawn


def test_a_merge_that_was_removed_is_only_gone_from_the_drawing() -> None:
    file = Edited(ORDER)

    file.lead("checkAmount_to_ship_merge", "ship")
    file.lead("approve_to_ship_merge", "ship")
    file.lead("approve_if_to_ship_merge", "ship")
    file.delete("ship_merge")

    assert ways(file.graph()) == ways(file.source)


def test_an_element_that_lost_its_parts_is_read_as_bpmn_is() -> None:
    file = Edited(ORDER)

    file.forget("reserve")

    graph = file.graph()
    found = node(graph, "reserve", Task)
    assert found.construct == "script-task"
    assert [one for one in ways(graph) if "reserve" in one] == [
        "#start -> reserve",
        "reserve -> checkAmount",
    ]


def test_a_flow_that_only_shows_what_an_event_does_cannot_be_led_elsewhere() -> None:
    file = Edited(LIMIT)

    file.lead("pay_to_ship", "timeout_raised")

    assert "pay -> ship" in ways(file.graph("drawn-flow-changed"))


def test_what_is_drawn_into_the_picture_of_one_step_is_told_to_be_left_out() -> None:
    file = Edited(HEAR)

    file.add("manualTask", "extra", to="hear")

    graph = file.graph("added-without-scope")
    assert [one.name for one in graph.nodes if isinstance(one, Receive)] == ["hear"]


def test_another_time_at_a_timer_is_told_to_have_no_effect() -> None:
    file = Edited(LIMIT)

    (duration,) = file.find("pay_timeout").iter(model("timeDuration"))
    duration.text = "PT5M"

    (found,) = file.graph("change-without-effect").handlers
    assert isinstance(found.trigger, TimerTrigger)
    assert found.trigger.value == Duration(milliseconds=30_000)


def test_another_kind_of_gateway_is_told_to_have_no_effect() -> None:
    file = Edited(ORDER)

    file.find("checkAmount").tag = model("inclusiveGateway")

    assert isinstance(
        node(file.graph("change-without-effect"), "/do/1/checkAmount", Choice), Choice
    )


def test_what_an_editor_writes_otherwise_without_changing_it_is_not_told() -> None:
    file = Edited(LOOP)

    loop = next(file.root.iter(model("multiInstanceLoopCharacteristics")))
    loop.set("behavior", "All")
    loop.set("{urn:editor}colour", "red")

    assert ways(file.graph()) == ways(file.source)


def test_answers_that_lead_to_the_same_are_one_flow_and_stay_two() -> None:
    file = Edited(
        """
do:
- check:
    switch:
    - large: {when: .amount > 1000, then: approve}
    - odd: {when: .amount < 0, then: approve}
    - small: {then: ship}
- ship: {run: {shell: {command: ship}}, then: end}
- approve: {run: {shell: {command: approve}}}
"""
    )

    flow = file.find("check_to_approve")

    assert flow.get("name") == "large or odd"
    assert ways(file.graph()) == ways(file.source)
    file.set_condition("check_to_approve", ".amount == 7")
    assert ways(file.graph("change-without-effect")) == ways(file.source)
