"""The face of the compiler: a document in, a checked graph and diagnostics out.

Importing this package loads nothing; a name loads its module when it is first used. Findings are
shown by `diglot.compiler.render`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diagnostics import Code, Diagnostic, Report, Severity
    from .export import export_bpmn, render_svg
    from .graph import Graph
    from .graph.text import to_text
    from .pipeline import Compiled, Dialect, compile_source, detect_dialect
    from .source import Position, Source, Span

__all__ = [
    "Code",
    "Compiled",
    "Diagnostic",
    "Dialect",
    "Graph",
    "Position",
    "Report",
    "Severity",
    "Source",
    "Span",
    "compile_source",
    "detect_dialect",
    "export_bpmn",
    "render_svg",
    "to_text",
]

_MODULES = {
    "Code": "diagnostics",
    "Compiled": "pipeline",
    "Diagnostic": "diagnostics",
    "Dialect": "pipeline",
    "Graph": "graph",
    "Position": "source",
    "Report": "diagnostics",
    "Severity": "diagnostics",
    "Source": "source",
    "Span": "source",
    "compile_source": "pipeline",
    "detect_dialect": "pipeline",
    "export_bpmn": "export",
    "render_svg": "export",
    "to_text": "graph.text",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    return value
