"""The page of a code: what it means, why it matters, what to do."""

from __future__ import annotations

import re
from pathlib import Path

from diglot.compiler.diagnostics import Code


def explain(code: Code, conformance: Path | None = None) -> str:
    """The code's page in Markdown.

    With the directory of the conformance suite the examples are shown in full, else by name.
    """
    title = code.name.replace("-", " ")
    parts = [
        f"# {code.id}: {title}",
        f"**{code.severity.value.capitalize()}**: {code.message}",
        "## Why",
        code.why,
        "## What to do",
        code.remedy,
    ]
    sections = _sections(code)
    if sections:
        parts[3] += f"\n\nSource: BPMN 2.0.2, {', '.join(sections)}."
    for heading, path in (("Reported", code.bad), ("Not reported", code.good)):
        if path:
            parts += [f"## {heading}", _example(path, conformance)]
    return "\n\n".join(parts) + "\n"


def _sections(code: Code) -> list[str]:
    """The sections of BPMN that a constraint of the standard names in parentheses."""
    if not code.id.startswith("DG12"):
        return []
    named = re.findall(r"\(([^()]*\d[^()]*)\)", code.why)
    return list(dict.fromkeys(re.findall(r"\d+(?:\.\d+)+", " ".join(named))))


def _example(path: str, conformance: Path | None) -> str:
    label = f"`conformance/{path}`"
    if conformance is None:
        return label
    language = {".json": "json", ".bpmn": "xml"}.get(Path(path).suffix, "yaml")
    text = (conformance / path).read_text(encoding="utf-8").rstrip("\n")
    fence = "```" if "```" not in text else "~~~~~"
    return f"{label}\n\n{fence}{language}\n{text}\n{fence}"
