"""Variables of processes: what anybody may bring, what only the process itself writes."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from diglot.compiler.graph import (
    Action,
    CompensationTrigger,
    ConditionTrigger,
    Constant,
    DataRules,
    Emit,
    ErrorTrigger,
    EventFilter,
    EventStrategy,
    EventTrigger,
    Expression,
    Handler,
    Loop,
    MultiInstance,
    Pass,
    Receive,
    Record,
    Task,
    TimerTrigger,
    Variable,
    Wait,
)

MESSAGE = EventTrigger(strategy=EventStrategy(mode="one", filters=(EventFilter(kind="message"),)))


def variables(text: str) -> Expression:
    return Expression(text=text, of="variables")


def empty(*names: str) -> tuple[Variable, ...]:
    return tuple(Variable(name=name, value=Constant(None)) for name in names)


# -- what is read and was not written


def test_whoever_starts_an_instance_may_bring_any_variable(process: Any) -> None:
    process.reads("look", "amount")
    process.sets("rate", discount=".amount / 10")
    process.leads("start look rate end")

    assert process.codes() == []


def test_a_variable_that_the_process_writes_on_one_way_is_missing_on_the_other(
    process: Any,
) -> None:
    process.chooses("which", "rate", "bill")
    process.sets("rate", discount="10")
    process.reads("bill", "discount")
    process.leads("start which", "rate bill end")

    assert process.findings() == [
        ("DG1802", "`discount` has no value here on the way over `which`")
    ]


def test_the_result_of_a_job_may_be_any_variable(process: Any) -> None:
    process.asks("ask")
    process.chooses("which", "rate", "bill")
    process.sets("rate", discount="10")
    process.reads("bill", "discount")
    process.leads("start ask which", "rate bill end")

    assert process.codes() == []


def test_what_a_join_waits_for_is_there(process: Any) -> None:
    process.splits("split")
    process.joins("join")
    process.sets("rate", discount="10")
    process.add(Pass, "pack")
    process.reads("bill", "discount")
    process.leads("start split rate join bill end", "split pack join")

    assert process.codes() == []


def test_a_variable_that_is_there_when_an_error_comes_early_is_not_promised(process: Any) -> None:
    process.sets("rate", discount="10")
    process.add(Task, "ask", action=Action(type="job", arguments=Constant({})))
    process.add(Pass, "failed")
    process.reads("bill", "discount")
    process.handlers.append(Handler(id="h", node="ask", trigger=ErrorTrigger(), flow="ask->failed"))
    process.leads("start rate ask bill end", "failed bill")
    process.leads("ask failed", role="handler")

    assert process.codes() == []


def test_the_data_of_a_sub_process_is_empty_until_something_writes_it(process: Any) -> None:
    process.holds("pack", "body")
    process.scope("body", form="sub-process", variables=empty("weight"))
    process.reads("label", "weight", scope="body")
    process.sets("weigh", "body", weight="3")
    process.leads("start pack end", "body.start label weigh body.end")

    assert process.findings() == [
        ("DG1801", "`weight` has no value here, whichever way led here"),
        ("DG1805", "`weight` is written here and never read"),
    ]


def test_the_data_of_a_sub_process_may_come_from_a_job_in_it(process: Any) -> None:
    process.holds("pack", "body")
    process.scope("body", form="sub-process", variables=empty("weight"))
    process.asks("weigh", "body")
    process.reads("label", "weight", scope="body")
    process.leads("start pack end", "body.start weigh label body.end")

    assert process.codes() == []


def test_each_round_of_a_loop_begins_with_empty_data(process: Any) -> None:
    process.holds("again", "body", loop=Loop(maximum=Constant(3)))
    process.scope("body", form="loop", variables=empty("weight"))
    process.reads("label", "weight", scope="body")
    process.sets("weigh", "body", weight="3")
    process.leads("start again end", "body.start label weigh body.end")

    assert "DG1801" in process.codes()


def test_what_compensation_uses_has_no_place_in_the_order(process: Any) -> None:
    process.holds("pack", "body")
    process.scope("body", form="sub-process", variables=empty("weight"))
    process.sets("weigh", "body", weight="3")
    process.reads("undo", "weight", scope="body")
    process.handlers.append(
        Handler(id="h", node="weigh", trigger=CompensationTrigger(), activity="undo")
    )
    process.leads("start pack end", "body.start weigh body.end")

    assert process.codes() == []


# -- names


@pytest.mark.parametrize("slip", ["discuont", "disount", "discoount", "Discount", "dis_count"])
def test_a_slip_of_the_pen_is_told(process: Any, slip: str) -> None:
    process.sets("rate", discount=".amount / 10")
    process.reads("bill", slip)
    process.leads("start rate bill end")

    assert process.findings() == [
        ("DG1803", f"`{slip}` is read here and written nowhere; `discount` is written")
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("items", "item"),
        ("line1", "line2"),
        ("minPrice", "maxPrice"),
        ("form", "from"),
        ("approved", "approves"),
        ("inDate", "onDate"),
    ],
)
def test_names_that_are_alike_on_purpose_are_two_names(
    process: Any, written: str, read: str
) -> None:
    process.sets("rate", **{written: "1"})
    process.reads("bill", read)
    process.leads("start rate bill end")

    assert process.codes() == []


def test_a_name_that_several_tasks_read_is_meant(process: Any) -> None:
    process.sets("rate", discount="1")
    process.reads("bill", "discuont")
    process.reads("send", "discuont")
    process.leads("start rate bill send end")

    assert process.codes() == []


def test_the_item_of_a_loop_is_gone_behind_it(process: Any) -> None:
    process.holds("each", "body", multi=MultiInstance(collection=variables(".lines"), item="line"))
    process.scope("body", form="loop")
    process.reads("pack", "line", scope="body")
    process.reads("bill", "line")
    process.leads("start each bill end", "body.start pack body.end")

    assert process.findings() == [
        ("DG1810", "`line` exists only inside `each`, and is read outside")
    ]


def test_a_job_may_give_the_variable_of_the_same_name(process: Any) -> None:
    process.holds("each", "body", multi=MultiInstance(collection=variables(".lines"), item="line"))
    process.scope("body", form="loop")
    process.reads("pack", "line", scope="body")
    process.asks("ask")
    process.reads("bill", "line")
    process.leads("start each ask bill end", "body.start pack body.end")

    assert process.codes() == []


def test_what_is_handed_into_a_sub_process_is_outside_too(process: Any) -> None:
    process.holds("pack", "body", data=DataRules(read=Record((("weight", variables(".weight")),))))
    process.scope("body", form="sub-process", binds_input=True)
    process.reads("label", "weight", scope="body")
    process.reads("bill", "weight")
    process.leads("start pack bill end", "body.start label body.end")

    assert process.codes() == []


# -- what is written and not read


def test_all_variables_of_the_process_are_its_result(process: Any) -> None:
    process.sets("rate", discount="1")
    process.leads("start rate end")

    assert process.codes() == []


def test_what_is_written_again_before_anybody_looks_is_lost(process: Any) -> None:
    process.sets("first", discount="1")
    process.sets("second", discount="2")
    process.leads("start first second end")

    assert process.findings() == [
        ("DG1804", "`discount` is overwritten by `second` before anything reads it")
    ]


def test_a_job_sees_all_variables(process: Any) -> None:
    process.sets("first", discount="1")
    process.add(Task, "send", action=Action(type="job", arguments=variables(".")))
    process.sets("second", discount="2")
    process.leads("start first send second end")

    assert process.codes() == []


def test_a_handler_may_look_between_two_writings(process: Any) -> None:
    process.holds("pack", "body")
    process.scope("body", form="sub-process")
    process.sets("first", "body", state="1")
    process.add(Wait, "wait", "body", condition=variables(".ready == true"))
    process.sets("second", "body", state="2")
    process.add(Pass, "late")
    process.reads("tell", "state")
    process.handlers.append(Handler(id="h", node="pack", trigger=MESSAGE, flow="pack->late"))
    process.leads("start pack end", "body.start first wait second body.end", "late tell end")
    process.leads("pack late", role="handler")

    assert process.codes() == []


def test_the_mapping_of_a_sub_process_reads_its_data(process: Any) -> None:
    process.holds(
        "pack",
        "body",
        data=DataRules(export=Record((("total", variables(".weight")),)), export_mode="variables"),
    )
    process.scope("body", form="sub-process", variables=empty("weight"))
    process.sets("weigh", "body", weight="3")
    process.leads("start pack end", "body.start weigh body.end")

    assert process.codes() == []


# -- what runs side by side


def side_by_side(process: Any) -> None:
    process.splits("split")
    process.joins("join")
    process.leads("start split left join end", "split right join")


def test_two_branches_write_one_variable(process: Any) -> None:
    process.sets("left", weight=".a * 2")
    process.sets("right", weight=".b * 2")
    side_by_side(process)

    assert process.findings() == [
        (
            "DG1806",
            "`weight` is written by `left` and by `right`, which may run at the same time",
        )
    ]


def test_a_branch_reads_what_another_writes(process: Any) -> None:
    process.sets("left", weight=".a * 2")
    process.reads("right", "weight")
    side_by_side(process)

    assert process.findings() == [
        ("DG1807", "`weight` is read by `right` while `left` may write it")
    ]


def test_changes_of_what_is_there_undo_nothing(process: Any) -> None:
    process.sets("left", count=".count + 1")
    process.sets("right", count=".count + 1")
    side_by_side(process)

    assert process.codes() == []


def test_the_same_constant_is_no_matter(process: Any) -> None:
    rules = DataRules(export=Record((("done", Constant(True)),)), export_mode="variables")
    process.add(Pass, "left", data=rules)
    process.add(Pass, "right", data=rules)
    side_by_side(process)

    assert process.codes() == []


def test_what_comes_before_the_split_and_behind_the_join_is_in_order(process: Any) -> None:
    process.sets("before", weight=".a * 2")
    process.sets("left", other=".weight * 2")
    process.add(Pass, "right")
    process.sets("behind", weight=".other * 2")
    process.splits("split")
    process.joins("join")
    process.leads("start before split left join behind end", "split right join")

    assert process.codes() == []


def test_ways_of_a_choice_are_never_side_by_side(process: Any) -> None:
    process.chooses("which", "left", "right")
    process.sets("left", weight=".a * 2")
    process.sets("right", weight=".b * 2")
    process.leads("start which", "left end", "right end")

    assert process.codes() == []


def test_a_branch_that_ends_by_itself_is_beside_what_follows_the_join(process: Any) -> None:
    process.splits("split")
    process.joins("join")
    process.add(Pass, "one")
    process.add(Pass, "two")
    process.sets("aside", weight=".a * 2")
    process.sets("behind", weight=".b * 2")
    process.leads("start split one join behind end", "split two join", "split aside end")

    assert process.codes() == ["DG1806"]


def test_ways_of_an_inclusive_split_may_be_side_by_side(process: Any) -> None:
    process.includes("which", "left", "right")
    process.sets("left", weight=".a * 2")
    process.sets("right", weight=".b * 2")
    process.leads("start which", "left end", "right end")

    assert process.codes() == ["DG1806"]


def test_the_default_of_an_inclusive_split_is_alone(process: Any) -> None:
    process.includes("which", "left", "right", default="right")
    process.sets("left", weight=".a * 2")
    process.sets("right", weight=".b * 2")
    process.leads("start which", "left end", "right end")

    assert process.codes() == []


def test_a_handler_that_does_not_interrupt_is_beside_what_it_guards(process: Any) -> None:
    process.asks("ask")
    process.sets("behind", state=".a * 2")
    process.add(Pass, "late")
    process.sets("note", state=".b * 2")
    process.handlers.append(
        Handler(id="h", node="ask", trigger=MESSAGE, is_interrupting=False, flow="ask->late")
    )
    process.leads("start ask behind end", "late note end")
    process.leads("ask late", role="handler")

    assert process.codes() == ["DG1806"]


def test_a_timer_is_read_when_it_is_armed(process: Any) -> None:
    process.asks("ask")
    process.sets("behind", due=".a * 2")
    process.add(Pass, "late")
    process.handlers.append(
        Handler(
            id="h",
            node="ask",
            trigger=TimerTrigger(form="instant", value=variables(".due")),
            is_interrupting=False,
            flow="ask->late",
        )
    )
    process.leads("start ask behind end", "late end")
    process.leads("ask late", role="handler")

    assert process.codes() == []


def test_a_handler_that_interrupts_is_beside_nothing(process: Any) -> None:
    process.asks("ask")
    process.sets("behind", state=".a * 2")
    process.add(Pass, "late")
    process.sets("note", state=".b * 2")
    process.handlers.append(Handler(id="h", node="ask", trigger=MESSAGE, flow="ask->late"))
    process.leads("start ask behind end", "late note end")
    process.leads("ask late", role="handler")

    assert process.codes() == []


def test_an_event_sub_process_that_does_not_interrupt_is_beside_its_scope(process: Any) -> None:
    process.sets("write", state=".a * 2")
    process.scope("event", form="event-sub-process")
    process.sets("note", "event", state=".b * 2")
    process.handlers.append(
        Handler(id="h", scope="/", trigger=MESSAGE, is_interrupting=False, run="event")
    )
    process.leads("start write end", "event.start note event.end")

    assert process.codes() == ["DG1806"]


def test_who_waits_for_a_value_is_meant_to_see_it_change(process: Any) -> None:
    process.sets("left", stock=".a * 2")
    process.add(Wait, "right", condition=variables(".stock > 3"))
    process.reads("look", "stock")
    process.splits("split")
    process.joins("join")
    process.leads("start split left join end", "split right look join")

    assert process.codes() == []


def test_a_branch_that_is_told_by_an_event_reads_afterwards(process: Any) -> None:
    process.sets("left", stock=".a * 2")
    process.add(partial(Emit, kind="signal"), "tell", event=Constant({}))
    process.add(Receive, "hear", strategy=EventStrategy(mode="any"))
    process.reads("look", "stock")
    process.splits("split")
    process.joins("join")
    process.leads("start split left tell join end", "split hear look join")

    assert process.codes() == []


def test_a_trigger_that_looks_at_a_variable_waits_for_it(process: Any) -> None:
    process.sets("write", stock=".a * 2")
    process.scope("event", form="event-sub-process")
    process.reads("note", "stock", scope="event")
    process.handlers.append(
        Handler(
            id="h",
            scope="/",
            trigger=ConditionTrigger(condition=variables(".stock > 3")),
            is_interrupting=False,
            run="event",
        )
    )
    process.leads("start write end", "event.start note event.end")

    assert process.codes() == []


def runs(process: Any, **multi: Any) -> None:
    process.holds(
        "each", "body", multi=MultiInstance(collection=variables(".lines"), item="line", **multi)
    )
    process.leads("start each end", "body.start weigh body.end")


def test_runs_that_go_on_side_by_side_write_one_variable(process: Any) -> None:
    process.scope("body", form="loop")
    process.sets("weigh", "body", weight=".line * 2")
    runs(process, is_sequential=False)

    assert process.findings() == [
        (
            "DG1808",
            "`weight` is written by every run of `each`, and the runs go on at the same time",
        )
    ]


def test_runs_one_after_the_other_may_write_one_variable(process: Any) -> None:
    process.scope("body", form="loop")
    process.sets("weigh", "body", weight=".line * 2")
    runs(process)

    assert process.codes() == []


def test_runs_may_write_what_each_has_to_itself(process: Any) -> None:
    process.scope("body", form="loop", variables=empty("weight"))
    process.sets("weigh", "body", weight=".line * 2")
    runs(process, is_sequential=False, output=variables(".weight"), output_to="weights")

    assert process.codes() == []


def test_what_a_run_is_asked_for_in_the_end_is_collected(process: Any) -> None:
    process.scope("body", form="loop")
    process.sets("weigh", "body", weight=".line * 2")
    runs(process, is_sequential=False, output=variables("{kg: .weight}"), output_to="weights")

    assert process.codes() == []


def test_runs_may_add_to_one_variable(process: Any) -> None:
    process.scope("body", form="loop")
    process.sets("weigh", "body", weight=".weight + .line")
    runs(process, is_sequential=False)

    assert process.codes() == []


@pytest.mark.parametrize(
    ("condition", "outcome"),
    [("true", "the first run ends all others"), ("false", "no run ends the others")],
)
def test_a_completion_condition_that_never_changes(
    process: Any, condition: str, outcome: str
) -> None:
    process.scope("body", form="loop")
    process.reads("weigh", "line", scope="body")
    runs(process, completion=variables(condition))

    assert process.findings() == [
        ("DG1809", f"the completion condition of `each` is always {condition}: {outcome}")
    ]


def test_a_completion_condition_that_counts_changes(process: Any) -> None:
    process.scope("body", form="loop")
    process.reads("weigh", "line", scope="body")
    runs(process, completion=variables(".numberOfCompletedInstances > 1"), counts=True)

    assert process.codes() == []
