from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from diglot.specs.serverless_workflow.model import Workflow, calls, events, tasks, workflow
from diglot.specs.serverless_workflow.model.base import ByKey
from diglot.specs.serverless_workflow.model.errors import BackoffSettings
from diglot.specs.serverless_workflow.model.ignored import ignored_properties
from diglot.specs.serverless_workflow.model.places import Place, place_of

HEAD = {"dsl": "1.0.3", "namespace": "examples", "name": "test", "version": "1.0.0"}


def place_of_only_fault(**parts: Any) -> Place:
    with pytest.raises(ValidationError) as refusal:
        Workflow.model_validate({"document": HEAD, "do": [], **parts})
    [fault] = refusal.value.errors()
    return place_of(Workflow, fault["loc"])


def test_tags_are_no_part_of_the_path() -> None:
    found = place_of_only_fault(
        do=[{"call": {"call": "http", "with": {"method": 1, "endpoint": "http://a"}}}]
    )

    assert found.path == ("do", 0, "call", "with", "method")
    assert (found.owner, found.name) == (calls.HttpArguments, "method")


def test_a_name_may_be_a_keyword_or_a_tag() -> None:
    item = {"use": {"functions": {"call": {"call": "http"}}}}

    found = place_of_only_fault(**item)

    assert found.path == ("use", "functions", "call", "with")


def test_a_place_knows_its_properties_as_the_dsl_spells_them() -> None:
    found = place_of(Workflow, ("do", 0, "a", "for", "for"))

    assert found.model is tasks.ForSettings
    assert found.properties == ("each", "in", "at")


def test_a_place_knows_its_only_values() -> None:
    found = place_of(Workflow, ("schedule", "on", "read"))

    assert found.owner is workflow.ScheduleOn
    assert found.values == ("data", "envelope", "raw")


def test_a_place_knows_what_chooses_between_its_alternatives() -> None:
    found = place_of(Workflow, ("do", 0, "a", "listen", "listen", "to"))

    assert found.rule == ByKey(("all", "any", "one"))


def test_what_lies_in_free_data_is_taken_key_by_key() -> None:
    found = place_of(Workflow, ("document", "metadata", "a", 0, "b"))

    assert found.path == ("document", "metadata", "a", 0, "b")
    assert found.properties == ()


def test_what_nothing_reads_is_found_where_it_stands() -> None:
    found = Workflow.model_validate(
        {
            "document": {**HEAD, "metadata": {"factor": 1}},
            "do": [{"a": {"emit": {"event": {"with": {"type": "b", "c": 1}, "d": 1}}}}],
            "use": {"retries": {"r": {"backoff": {"linear": {"factor": 2}}}}},
        }
    )

    assert list(ignored_properties(found)) == [
        (("do", 0, "a", "emit", "event", "d"), events.Emission),
        (("use", "retries", "r", "backoff", "linear", "factor"), BackoffSettings),
    ]
