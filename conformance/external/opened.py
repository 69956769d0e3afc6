"""What others find in a BPMN file: the schema of the standard, bpmn.io's reader and its linter.

The schema is the one that SpiffWorkflow ships. Reader and linter are the ports of bpmn-moddle and
bpmnlint to Python, which find what the originals find.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

from bpmn_io import create_moddle
from bpmn_io.lint import Linter
from bpmn_io.lint.resolver import NodeResolver
from bpmn_io.moddle_xml.read import ParseError
from lxml import etree

from .models import parsed


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the linter does not like; `id` is the element's."""

    rule: str
    id: str
    message: str

    def __str__(self) -> str:
        return f"{self.rule} at {self.id}: {self.message}"


@dataclass(frozen=True, slots=True)
class Opened:
    """How a file looks in the editors of bpmn.io; one that cannot be read has a warning."""

    warnings: tuple[str, ...]
    findings: tuple[Finding, ...]


def faults_of_schema(data: bytes) -> list[str]:
    """Where a file is not valid by BPMN20.xsd."""
    schema = _schema()
    try:
        if schema.validate(parsed(data)):
            return []
    except etree.XMLSyntaxError as error:
        return [str(error)]
    return [f"line {fault.line}: {fault.message}" for fault in schema.error_log]


def opened(text: str) -> Opened:
    """Read a file and hold it to the recommended rules."""
    try:
        result = create_moddle().from_xml(text, "bpmn:Definitions")
    except ParseError as error:
        return Opened((str(error), *(str(one) for one in error.warnings)), ())
    # A linter remembers what it saw, so that each file has its own.
    linter = Linter(config={"extends": "bpmnlint:recommended"}, resolver=_rules())
    found = linter.lint(cast("Any", result.root_element))
    warnings = tuple(" ".join(str(one.message).split()) for one in result.warnings)
    return Opened(warnings, tuple(_findings(found)))


def _findings(found: dict[str, list[dict[str, Any]]]) -> Iterator[Finding]:
    for rule, reports in found.items():
        for report in reports:
            yield Finding(rule, str(report.get("id", "")), str(report.get("message", "")))


class _Rules:
    """The rules of the linter; looking for each takes longer than holding a file to it."""

    def __init__(self) -> None:
        found: Any = NodeResolver()
        self.resolve_rule = cache(found.resolve_rule)
        self.resolve_config = cache(found.resolve_config)


@cache
def _rules() -> Any:
    return _Rules()


@cache
def _schema() -> Any:
    folder = files("SpiffWorkflow") / "bpmn" / "parser" / "schema"
    return etree.XMLSchema(etree.parse(str(folder / "BPMN20.xsd")))
