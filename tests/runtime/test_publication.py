"""What has errors is not published; what else was found is kept with the version."""

from __future__ import annotations

import pytest

from diglot.compiler import compile_source
from diglot.compiler.render import findings_of
from diglot.runtime.engine import Engine
from diglot.runtime.errors import DefinitionHasErrors, UnknownDefinition

UNUSED = """\
document: {dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0}
use:
  retries:
    calm: {delay: PT1S}
    kept: {delay: PT1S} # diglot: ignore[DG0402] for the next version
do:
- a: {set: {x: 1}}
"""


def test_what_was_found_is_kept_with_the_version() -> None:
    compiled = compile_source(UNUSED, "order.yaml")
    assert compiled.graph is not None
    engine = Engine()

    key = engine.deploy(compiled.graph, findings=findings_of(compiled))

    found, ignored = engine.findings(key)
    assert (found["code"], found["line"], found["suppression"]) == ("DG0402", 4, None)
    assert (ignored["line"], ignored["suppression"]["reason"]) == (5, "for the next version")


def test_a_version_without_findings_has_none() -> None:
    compiled = compile_source(UNUSED)
    assert compiled.graph is not None
    engine = Engine()
    assert engine.findings(engine.deploy(compiled.graph)) == []


def test_a_document_with_an_error_is_not_published() -> None:
    compiled = compile_source(UNUSED, severities={"DG0402": "error"})
    assert compiled.graph is not None
    engine = Engine()

    with pytest.raises(DefinitionHasErrors, match="DG0402: the retry policy `calm` is never used"):
        engine.deploy(compiled.graph, findings=findings_of(compiled))

    with pytest.raises(UnknownDefinition):
        engine.find("shop", "order")


def test_an_error_that_its_author_ignores_is_published_and_kept() -> None:
    text = UNUSED.replace("    calm: {delay: PT1S}\n", "")
    compiled = compile_source(text, severities={"DG0402": "error"})
    assert compiled.graph is not None
    engine = Engine()

    key = engine.deploy(compiled.graph, findings=findings_of(compiled))

    assert [found["severity"] for found in engine.findings(key)] == ["error"]


def test_nobody_has_findings_of_what_is_not_published() -> None:
    with pytest.raises(UnknownDefinition, match="no definition has the digest x"):
        Engine().findings("x")
