"""The pages of the documentation that are drawn from what the code declares.

`python -m diglot.api.pages` in a checkout writes them; a test says when they are out of date.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

import msgspec

from diglot.compiler import codes
from diglot.compiler.graph import json_schema
from diglot.compiler.render import explain
from diglot.specs import STANDARDS, Construct, SubClass, constructs

_TITLES = {"serverless_workflow": "Serverless Workflow DSL 1.0", "bpmn": "BPMN 2.0.2"}
#: The conformance sub-classes by what the standard says of them. Source: BPMN 2.0.2, 2.2.2.
_SUB_CLASSES: Final[dict[SubClass, tuple[str, str]]] = {
    "descriptive": ("Descriptive", "The elements of high-level models."),
    "analytic": ("Analytic", "What a complete picture of a process adds to them."),
    "common-executable": ("Common Executable", "What models that are run need besides."),
    "full": ("Beyond the sub-classes", "What none of the three asks for."),
}


def pages(root: Path) -> Iterator[tuple[Path, str]]:
    """(path, text) of every page, for a checkout at `root`."""
    docs = root / "docs"
    for code in codes.ALL.values():
        yield docs / "codes" / f"{code.id}.md", explain(code, root / "conformance")
    yield docs / "codes" / "README.md", _code_list()
    for standard in STANDARDS:
        yield docs / "support" / f"{standard.replace('_', '-')}.md", _support(standard)
    schema = msgspec.json.format(msgspec.json.encode(json_schema()), indent=2).decode()
    yield root / "src/diglot/specs/graph/graph.schema.json", schema + "\n"


def _code_list() -> str:
    lines = ["# Diagnostics", "", "| code | severity | name | message |", "|---|---|---|---|"]
    lines.extend(
        f"| [{code.id}]({code.id}.md) | {code.severity.value} | {code.name}"
        f" | {_cell(code.message)} |"
        for code in codes.ALL.values()
    )
    return "\n".join(lines) + "\n"


def _support(standard: str) -> str:
    rows = constructs(standard).values()
    lines = [
        f"# Support: {_TITLES[standard]}",
        "",
        f"{_told(rows)} Each row has conformance cases in the folder named.",
        "",
    ]
    if standard == "bpmn":
        lines += _by_sub_class(rows)
    else:
        lines.append("| construct | section | support | in the graph | cases |")
        lines.append("|---|---|---|---|---|")
        lines.extend(_row(row) for row in rows)
    return "\n".join(lines) + "\n"


def _told(rows: Collection[Construct]) -> str:
    found = [row.support for row in rows]
    counts = [f"{found.count(kind)} {kind}" for kind in ("full", "partial", "refused")]
    kept = sum(row.note.startswith("kept for export") for row in rows)
    if kept:
        counts[0] += f" ({kept} of them kept for export)"
    return f"{len(found)} rows: {', '.join(counts)}."


def _by_sub_class(rows: Collection[Construct]) -> Iterator[str]:
    yield (
        "What is *kept for export* is read, checked and stays with the graph; nothing runs by it."
        " What vendors add is on [a page of its own](bpmn-vendors.md), what is kept of the"
        " reference models on [another](bpmn-models.md)."
    )
    for sub_class, (title, what) in _SUB_CLASSES.items():
        own = [row for row in rows if row.sub_class == sub_class]
        yield from ("", f"## {title}", "", f"{what} {_told(own)}", "")
        yield "| construct | elements | section | support | in the graph | cases |"
        yield "|---|---|---|---|---|---|"
        for row in own:
            construct, rest = _row(row).removeprefix("| ").split(" | ", 1)
            elements = ", ".join(f"`{name}`" for name in row.elements)
            yield f"| {construct} | {elements} | {rest}"


def _row(row: Construct) -> str:
    support = row.support if not row.note else f"{row.support}: {_cell(row.note)}"
    kinds = ", ".join(row.kinds)
    return f"| `{row.key}` | {_cell(row.section)} | {support} | {kinds} | {row.cases} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main() -> None:
    """Write every page of the checkout around the working folder."""
    root = Path.cwd()
    written = 0
    for path, text in pages(root):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            written += 1
    print(f"{written} pages written")


if __name__ == "__main__":
    main()
