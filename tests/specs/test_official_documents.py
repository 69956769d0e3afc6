"""The model beside the standard's own schema and examples, of both generations."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, cast

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from diglot.compiler.diagnostics import Report
from diglot.compiler.serverless_workflow.yaml import load_document
from diglot.compiler.source import Source
from diglot.specs.serverless_workflow.model import Workflow
from diglot.specs.serverless_workflow.schema import json_schema

GENERATIONS = ("v1.0.3", "main-2026-07-29")
Path_ = tuple[str | int, ...]
Judge = Callable[[Any], bool]


def load(path: Path) -> Any:
    report = Report()
    found = load_document(Source(path.read_text("utf-8"), path.name), report)
    assert found is not None, [finding.message for finding in report]
    return found.value


def judge(schema: Any) -> Judge:
    validator = Draft202012Validator(schema)
    return validator.is_valid  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


@pytest.fixture(scope="module")
def examples(suites: Path) -> dict[str, Any]:
    return {
        f"{generation}/{path.stem}": load(path)
        for generation in GENERATIONS
        for path in sorted((suites / generation / "examples").glob("*.yaml"))
    }


@pytest.fixture(scope="module")
def official(suites: Path) -> list[Judge]:
    return [
        judge(load(suites / generation / "schema" / "workflow.yaml")) for generation in GENERATIONS
    ]


def refusals(document: Any) -> list[tuple[str, Path_]]:
    try:
        Workflow.model_validate(document)
    except ValidationError as refusal:
        return [(fault["type"], fault["loc"]) for fault in refusal.errors(include_url=False)]
    return []


def places(value: object, path: Path_ = ()) -> Iterator[Path_]:
    if path:
        yield path
    if isinstance(value, dict):
        for key, child in cast("dict[str, object]", value).items():
            yield from places(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(cast("list[object]", value)):
            yield from places(child, (*path, index))


def at(value: Any, path: Path_) -> Any:
    for step in path:
        value = value[step]
    return value


#: What is put in the place of something else.
VALUES: Final[tuple[Any, ...]] = (
    None, 5, 5.0, 2.5, True, "x", "", "${ .x }", "${\n .x }", "PT5S", "http://a b", "/rel",
    [], {}, [1], [{}], {"x": 1}, {"use": "q"}, {"seconds": 3}, {"after": "PT1S"},
)  # fmt: skip


def spoilt(dice: random.Random, originals: list[Any], keys: list[str]) -> Any:
    """One of the documents with one thing in it removed, renamed, added or exchanged."""
    document = copy.deepcopy(dice.choice(originals))
    *path, last = dice.choice(list(places(document)))
    parent = at(document, tuple(path))
    deed = dice.choice(["remove", "replace", "replace", "add", "rename", "graft"])
    if deed == "remove":
        del parent[last]
    elif deed == "replace":
        parent[last] = copy.deepcopy(dice.choice(VALUES))
    elif deed == "graft":
        other = dice.choice(originals)
        parent[last] = copy.deepcopy(at(other, dice.choice(list(places(other)))))
    elif not isinstance(last, int):
        value = copy.deepcopy(dice.choice(VALUES)) if deed == "add" else parent.pop(last)
        parent[dice.choice(keys)] = value
    return document


def is_meant(kind: str, location: Path_) -> bool:
    """Whether the model is stricter here on purpose: what nobody would read, or nobody can run."""
    return (
        (kind == "extra_forbidden" and len(location) == 1)
        or (kind == "extra_forbidden" and "errors" in location[-3:])
        or (kind == "extra_forbidden" and location[:2] == ("use", "authentications"))
        or (kind == "union_tag_not_found" and location == ("schedule",))
        or (kind == "missing" and location[-3:] == ("emit", "event", "with"))
        or (kind == "missing" and "a2a" in location)
        or (kind == "wrong_pattern" and location[-1] == "format")
        or (kind == "literal_error" and location[-1] == "language")
    )


def test_every_official_example_is_a_workflow(examples: dict[str, Any]) -> None:
    assert len(examples) > 130
    assert {name: refusals(document) for name, document in examples.items()} == {
        name: [] for name in examples
    }


def test_every_official_example_fits_our_schema(examples: dict[str, Any]) -> None:
    is_valid = judge(json_schema())

    assert [name for name, document in examples.items() if not is_valid(document)] == []


@pytest.mark.parametrize("seed", range(4))
def test_spoilt_examples_are_judged_as_the_official_schemas_judge_them(
    examples: dict[str, Any], official: list[Judge], seed: int
) -> None:
    originals = list(examples.values())
    keys = sorted(
        {str(step) for document in originals for path in places(document) for step in path}
    )
    dice = random.Random(seed)

    disputes: list[str] = []
    for _ in range(100):
        document = spoilt(dice, originals, keys)
        ours = refusals(document)
        theirs = any(is_valid(document) for is_valid in official)
        if theirs == bool(ours) and not (theirs and all(is_meant(*fault) for fault in ours)):
            disputes.append(f"{'valid' if theirs else 'invalid'}, {ours}: {json.dumps(document)}")

    assert disputes == []


@pytest.mark.parametrize("seed", range(4, 6))
def test_spoilt_examples_are_judged_alike_by_the_models_and_their_schema(
    examples: dict[str, Any], seed: int
) -> None:
    originals = list(examples.values())
    keys = sorted(
        {str(step) for document in originals for path in places(document) for step in path}
    )
    dice, is_valid = random.Random(seed), judge(json_schema())

    disputes = [
        json.dumps(document)
        for document in (spoilt(dice, originals, keys) for _ in range(150))
        if is_valid(document) == bool(refusals(document))
    ]

    assert disputes == []
