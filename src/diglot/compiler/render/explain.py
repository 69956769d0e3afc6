"""The page of a code: what it means, why it matters, what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from diglot.compiler.diagnostics import Code

#: Codes of behaviour: what they find is shown by a run.
_WITH_RUNS: Final = "DG19"


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
    if code.is_judged:
        parts[-1] += (
            "\n\nThe document means something all the same: where it is meant, ignore the error"
            f" with a reason, `diglot: ignore[{code.id}] reason`, or lower it in `diglot.toml`."
        )
    sections = _sections(code)
    if sections:
        parts[3] += f"\n\nSource: BPMN 2.0.2, {', '.join(sections)}."
    for heading, path in (("Reported", code.bad), ("Not reported", code.good)):
        if path:
            parts += [f"## {heading}", _example(path, conformance)]
            if path == code.bad and conformance is not None and code.id.startswith(_WITH_RUNS):
                parts.append(_told(code, conformance))
    return "\n\n".join(parts) + "\n"


def _told(code: Code, conformance: Path) -> str:
    """What is said of the example, with the run that comes to it."""
    # Late, because only pages are made of it, and the compiler is all there is.
    from diglot.compiler.pipeline import compile_source

    from .text import render_text

    compiled = compile_source((conformance / code.bad).read_bytes(), Path(code.bad).name)
    found = [one for one in compiled.diagnostics if one.code == code.id][:1]
    text = render_text(found, {compiled.source.name: compiled.source})
    return f"```text\n{text.rpartition(chr(10) * 2)[0]}\n```"


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
