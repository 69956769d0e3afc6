from __future__ import annotations

import csv
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from diglot.specs import STANDARDS, Construct, constructs, kebab
from diglot.specs.serverless_workflow.model.lifecycle import EVENTS
from diglot.specs.serverless_workflow.model.places import Place, place_of, properties_of

MODELS = "diglot.specs.serverless_workflow.model"


def catalogue() -> list[Construct]:
    return list(constructs("serverless_workflow").values())


def documented(suites: Path) -> list[dict[str, str]]:
    """The rows of the DSL reference's tables, without the heads of further tables below them."""
    with (suites / "constructs.tsv").open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if not row["type"] or row["type"] != row["description"]]


def name_of(row: dict[str, str]) -> str:
    """The property; of a link to an error type the last part of its address."""
    link = re.fullmatch(r"\[.*/([a-z]+)\]\(.*\)", row["property"])
    return link[1] if link else row["property"]


def test_every_documented_property_has_a_row(suites: Path) -> None:
    wanted = {(row["section"], name_of(row)) for row in documented(suites)}

    found = {(row.section, row.name) for row in catalogue()}

    assert len(wanted) > 300
    assert wanted - found == set()


def test_every_row_is_documented_or_says_that_it_is_not(suites: Path) -> None:
    wanted = {(row["section"], name_of(row)) for row in documented(suites)}

    beyond = {
        row.key
        for row in catalogue()
        if row.name and (row.section, row.name) not in wanted and row.documented
    }

    assert beyond == set()


def test_a_property_is_required_when_the_reference_says_so(suites: Path) -> None:
    documents = {(row["section"], name_of(row)): row["required"] for row in documented(suites)}

    wrong = [
        row.key
        for row in catalogue()
        if documents.get((row.section, row.name)) in ("yes", "no")
        and row.required != (documents[row.section, row.name] == "yes")
    ]

    assert wrong == []


def test_defaults_are_those_of_the_reference(suites: Path) -> None:
    documents = {(row["section"], name_of(row)): row["default"] for row in documented(suites)}
    values = {
        row.key: (row.default, documents[row.section, row.name])
        for row in catalogue()
        # Some cells say in words what happens, or hold a part of the neighbouring cell.
        if re.fullmatch(r"[A-Za-z0-9/_-]+", documents.get((row.section, row.name)) or "")
    }

    wrong = {
        key: (ours, theirs)
        for key, (ours, theirs) in values.items()
        if (str(ours).lower() if isinstance(ours, bool) else ours) != theirs
    }

    assert len(values) > 20
    assert wrong == {}


def test_a_key_is_the_object_and_the_property_in_kebab_case() -> None:
    assert [
        row.key for row in catalogue() if not re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)?", row.key)
    ] == []
    assert kebab("operationId") == "operation-id"
    assert kebab("service.name") == "service-name"
    assert constructs("serverless_workflow")["call-openapi/operation-id"].name == "operationId"


def test_what_is_not_full_says_why() -> None:
    assert [row.key for row in catalogue() if (row.support == "full") == bool(row.note)] == []


def test_a_refused_object_has_only_refused_properties() -> None:
    rows = constructs("serverless_workflow")

    bold = [
        row.key
        for row in rows.values()
        if rows[row.key.partition("/")[0]].support == "refused" and row.support != "refused"
    ]

    assert bold == []


def test_what_the_engine_does_not_run_is_refused() -> None:
    refused = {row.key for row in catalogue() if row.support == "refused" and not row.name}

    assert refused == {
        "asyncapi-inbound-message",
        "asyncapi-outbound-message",
        "asyncapi-server",
        "asyncapi-subscription",
        "asyncapi-subscription-lifetime",
        "authentication-oauth2",
        "authentication-oidc",
        "call-a2a",
        "call-asyncapi",
        "call-grpc",
        "call-mcp",
        "catalog",
        "container-lifetime",
        "mcp-client",
        "mcp-http-transport",
        "mcp-stdio-transport",
        "mcp-transport",
        "oauth2-token",
        "run-container",
    }


def test_the_catalogue_is_read_only() -> None:
    rows = constructs("serverless_workflow")

    with pytest.raises(TypeError):
        rows["call-http"] = rows["call-grpc"]  # type: ignore[index]


def test_only_a_standard_has_a_catalogue() -> None:
    assert STANDARDS == ("serverless_workflow", "bpmn")
    with pytest.raises(KeyError):
        constructs("../serverless_workflow")


def model(name: str) -> type[BaseModel]:
    module, _, attribute = name.rpartition(".")
    found: object = getattr(importlib.import_module(f"{MODELS}.{module}"), attribute)
    assert isinstance(found, type)
    assert issubclass(found, BaseModel)
    return found


def alternatives(place: Place) -> Iterator[Place]:
    """The models that may stand at a place, whatever chooses between them."""
    if place.model is not None:
        yield place
    for part in get_args(place.expected):
        if isinstance(part, type) and issubclass(part, BaseModel):
            yield place_of(part, ())
        else:
            for inner in get_args(part)[:1]:
                if isinstance(inner, type) and issubclass(inner, BaseModel):
                    yield place_of(inner, ())


def has_property(place: Place, steps: list[str]) -> bool:
    """Whether one of the alternatives at a place has the property that the steps lead to."""
    if not steps:
        return True
    for found in alternatives(place):
        assert found.model is not None
        if steps[0] in properties_of(found.model):
            return has_property(place_of(found.model, steps[:1]), steps[1:])
    return False


def test_every_property_of_an_object_is_a_field() -> None:
    missing = [
        row.key
        for row in catalogue()
        if row.models
        and row.name
        and row.key
        not in {
            "call-function/cataloged",
            "run-script/java-script",
            "run-script/python",
        }
        and not any(
            has_property(place_of(model(name), ()), row.name.split(".")) for name in row.models
        )
    ]

    assert missing == []


def test_only_directives_expressions_and_error_types_have_no_model() -> None:
    assert {row.key for row in catalogue() if not row.models and not row.name} == {
        "flow-directive",
        "runtime-expression",
        "standard-error",
    }


def test_every_lifecycle_event_has_a_row_and_a_type() -> None:
    rows = {
        row.models[0] for row in catalogue() if row.section.startswith("Lifecycle") and row.models
    }

    assert {f"lifecycle.{found.__name__}" for found in EVENTS.values()} == rows
    assert len(EVENTS) == 18
