from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from diglot.specs.serverless_workflow.model import Workflow, events, processes, tasks, workflow
from diglot.specs.serverless_workflow.model.lifecycle import EVENTS

HEAD = {"dsl": "1.0.3", "namespace": "examples", "name": "test", "version": "1.0.0"}


def document(*listed: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {"document": HEAD, "do": list(listed), **parts}


def read(*listed: dict[str, Any], **parts: Any) -> Workflow:
    return Workflow.model_validate(document(*listed, **parts))


def faults(*listed: dict[str, Any], **parts: Any) -> list[tuple[str, tuple[str | int, ...]]]:
    with pytest.raises(ValidationError) as refusal:
        read(*listed, **parts)
    return [(fault["type"], fault["loc"]) for fault in refusal.value.errors()]


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ({"call": "http", "with": {"method": "get", "endpoint": "http://a.b"}}, tasks.CallHttp),
        ({"call": "greet", "with": {"name": "Ada"}}, tasks.CallFunction),
        ({"call": "log:1.0.0@default"}, tasks.CallFunction),
        ({"do": []}, tasks.DoTask),
        ({"emit": {"event": {"with": {"type": "a"}}}}, tasks.EmitTask),
        ({"for": {"in": ".items"}, "do": []}, tasks.ForTask),
        ({"fork": {"branches": []}}, tasks.ForkTask),
        ({"listen": {"to": {"any": []}}}, tasks.ListenTask),
        ({"raise": {"error": "lost"}}, tasks.RaiseTask),
        ({"run": {"shell": {"command": "ls"}}}, tasks.RunTask),
        ({"set": {"a": 1}}, tasks.SetTask),
        ({"switch": [{"a": {"then": "exit"}}]}, tasks.SwitchTask),
        ({"try": [], "catch": {}}, tasks.TryTask),
        ({"wait": "PT1S"}, tasks.WaitTask),
    ],
)
def test_a_task_is_known_by_its_keyword(written: dict[str, Any], kind: type) -> None:
    item = read({"step": written}).do[0]

    assert item.name == "step"
    assert type(item.task) is kind


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ({"container": {"image": "a"}}, processes.RunContainer),
        ({"script": {"language": "js", "code": "1"}}, processes.RunScript),
        ({"shell": {"command": "ls"}}, processes.RunShell),
        (
            {"workflow": {"namespace": "a", "name": "b", "version": "latest"}},
            processes.RunWorkflow,
        ),
    ],
)
def test_a_process_is_known_by_what_is_run(written: dict[str, Any], kind: type) -> None:
    task = read({"step": {"run": written}}).do[0].task

    assert isinstance(task, tasks.RunTask)
    assert type(task.run) is kind


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ({"every": {"hours": 1}}, workflow.ScheduleEvery),
        ({"cron": "0 6 * * *"}, workflow.ScheduleCron),
        ({"after": "PT1H"}, workflow.ScheduleAfter),
        ({"on": {"one": {"with": {"type": "a"}}}, "read": "raw"}, workflow.ScheduleOn),
    ],
)
def test_a_schedule_is_known_by_when_it_starts(written: dict[str, Any], kind: type) -> None:
    assert type(read(schedule=written).schedule) is kind


def test_reserved_words_have_an_underscore() -> None:
    task = (
        read(
            {
                "step": {
                    "if": ".a",
                    "input": {"from": ".b", "schema": {"document": {}}},
                    "output": {"as": ".c"},
                    "run": {"shell": {"command": "ls"}, "await": False, "return": "all"},
                }
            }
        )
        .do[0]
        .task
    )

    assert isinstance(task, tasks.RunTask)
    assert task.if_ == ".a"
    assert task.input is not None
    assert task.input.from_ == ".b"
    assert task.output is not None
    assert task.output.as_ == ".c"
    assert (task.run.await_, task.run.return_) == (False, "all")


def test_what_is_left_out_has_the_default_of_the_dsl() -> None:
    task = read({"step": {"listen": {"to": {"any": []}}, "foreach": {}}}).do[0].task

    assert isinstance(task, tasks.ListenTask)
    assert task.listen.read == "data"
    assert task.foreach is not None
    assert (task.foreach.item, task.foreach.at) == ("item", "index")


def test_a_workflow_is_immutable() -> None:
    found = read()

    with pytest.raises(ValidationError, match="frozen"):
        found.do = ()


def test_a_duration_stays_as_it_was_written() -> None:
    found = read(
        {"a": {"wait": {"seconds": 5}}}, {"b": {"wait": "PT5S"}}, {"c": {"wait": "${ .t }"}}
    )

    assert [item.task.model_dump(by_alias=True, exclude_unset=True) for item in found.do] == [
        {"wait": {"seconds": 5}},
        {"wait": "PT5S"},
        {"wait": "${ .t }"},
    ]


def test_data_of_null_differs_from_no_data() -> None:
    def event(**attributes: Any) -> events.EventToEmit:
        task = read({"step": {"emit": {"event": {"with": {"type": "a", **attributes}}}}}).do[0].task
        assert isinstance(task, tasks.EmitTask)
        return task.emit.event.with_

    assert "data" in event(data=None).model_fields_set
    assert "data" not in event().model_fields_set


def test_an_event_keeps_its_extension_attributes() -> None:
    written = {"type": "a", "roomid": "b"}

    found = read(schedule={"on": {"one": {"with": written}}}).schedule

    assert isinstance(found, workflow.ScheduleOn)
    assert isinstance(found.on, events.ConsumeOne)
    assert found.on.one.with_.model_extra == {"roomid": "b"}


def test_an_explicit_null_is_not_an_absence() -> None:
    assert faults({"step": {"set": {"a": 1}, "if": None}}) == [
        ("string_type", ("do", 0, "step", "set", "if"))
    ]


def test_numbers_and_texts_are_not_exchanged() -> None:
    loose = {"retries": {"a": {"limit": {"attempt": {"count": "3"}}}}}

    assert faults(use=loose) == [("int_type", ("use", "retries", "a", "limit", "attempt", "count"))]


def test_a_whole_number_may_have_a_point() -> None:
    found = read(use={"retries": {"a": {"limit": {"attempt": {"count": 3.0}}}}}).use

    assert found is not None
    assert found.retries is not None
    assert found.retries["a"].model_dump(exclude_unset=True) == {"limit": {"attempt": {"count": 3}}}


def test_a_mistake_is_told_about_the_chosen_alternative_alone() -> None:
    assert faults({"step": {"run": {"script": {"language": "js"}, "await": 1}}}) == [
        ("bool_type", ("do", 0, "step", "run", "run", "script", "await")),
        ("union_tag_not_found", ("do", 0, "step", "run", "run", "script", "script")),
    ]


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://example.com/a?b=c#d",
        "https://example.com/{id}",
        "https://example.com/a b",
        "openapi/petstore.json",
        "/api/v1/users",
        "${ .endpoint }",
        {"uri": "${ .endpoint }"},
        {"uri": "/a", "authentication": {"use": "known"}},
    ],
)
def test_both_generations_of_addresses_are_read(endpoint: Any) -> None:
    read({"step": {"call": "http", "with": {"method": "get", "endpoint": endpoint}}})


@pytest.mark.parametrize("endpoint", ["", " ", "a b", "${ .a", "${ .a\n}", "/a b", 5, []])
def test_what_no_generation_reads_as_an_address_is_refused(endpoint: Any) -> None:
    assert (
        len(faults({"s": {"call": "http", "with": {"method": "get", "endpoint": endpoint}}})) == 1
    )


ONE_GENERATION: list[dict[str, Any]] = [
    {"schedule": {"on": {"any": []}, "read": "envelope"}},
    {"evaluate": {"language": "jq", "mode": "loose"}},
    {"do": [{"a": {"try": [], "catch": {"then": "exit"}}}]},
    {"do": [{"a": {"for": {"in": [{"b": 1}]}, "do": []}}]},
    {"do": [{"a": {"try": [], "catch": {"errors": {"with": {"details": "b"}}}}}]},
    {"do": [{"a": {"run": {"script": {"language": "javascript", "code": "1"}}}}]},
    {"use": {"authentications": {"a": {"oauth2": {"endpoints": {"token": "/t"}}}}}},
]


@pytest.mark.parametrize("written", ONE_GENERATION)
def test_what_only_one_generation_knows_is_read(written: dict[str, Any]) -> None:
    Workflow.model_validate({**document(), **written})


@pytest.mark.parametrize(
    ("lifetime", "fault"),
    [
        ({"cleanup": "eventually"}, "needs"),
        ({"cleanup": "always", "after": "PT1S"}, "excludes"),
    ],
)
def test_a_container_lifetime_agrees_with_itself(lifetime: dict[str, Any], fault: str) -> None:
    container = {"image": "a", "lifetime": lifetime}

    assert [kind for kind, _ in faults({"s": {"run": {"container": container}}})] == [fault]


def test_lifecycle_data_has_the_fields_of_its_event() -> None:
    started = {
        "name": "test-1.examples",
        "definition": {"name": "test", "namespace": "examples", "version": "1.0.0"},
        "startedAt": "2026-01-01T00:00:00Z",
    }

    EVENTS["io.serverlessworkflow.workflow.started.v1"].model_validate(started)
    with pytest.raises(ValidationError, match="startedAt"):
        EVENTS["io.serverlessworkflow.workflow.started.v1"].model_validate(
            {key: started[key] for key in ("name", "definition")}
        )
