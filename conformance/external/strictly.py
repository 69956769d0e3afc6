"""A BPMN file of strangers read by the letter of the standard, with the files beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from diglot.compiler.bpmn.rules import check_rules
from diglot.compiler.bpmn.shape import check_shape
from diglot.compiler.bpmn.xml import read_xml
from diglot.compiler.diagnostics import Diagnostic, Report, Severity


def errors_in(file: Path) -> list[Diagnostic]:
    """What is wrong with a file, where every broken constraint is an error."""
    report = Report()
    document = read_xml(file.read_bytes(), file.name, report)
    if document is not None:
        check_shape(document, report, strict=True)
        check_rules(document, report, strict=True, resolve=_beside(file))
    return [found for found in report.sorted() if found.severity is Severity.ERROR]


def _beside(file: Path) -> Callable[[str], bytes | None]:
    """What imports of a file name: files beside it, which stand for remote ones, too."""

    def resolve(location: str) -> bytes | None:
        name = location.rpartition("/")[2] if "://" in location else location
        path = (file.parent / name).resolve()
        is_inside = path.is_relative_to(file.parent.resolve())
        return path.read_bytes() if is_inside and path.is_file() else None

    return resolve
