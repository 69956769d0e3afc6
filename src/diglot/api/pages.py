"""The pages of the documentation that are drawn from what the code declares.

`python -m diglot.api.pages` in a checkout writes them; a test says when they are out of date.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from diglot.compiler import codes
from diglot.compiler.graph import json_schema
from diglot.compiler.render import explain
from diglot.specs import STANDARDS, Construct, constructs

_TITLES = {"serverless_workflow": "Serverless Workflow DSL 1.0"}


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
    rows = constructs(standard)
    counts = {
        support: sum(1 for row in rows.values() if row.support == support)
        for support in ("full", "partial", "refused")
    }
    told = ", ".join(f"{count} {support}" for support, count in counts.items())
    lines = [
        f"# Support: {_TITLES[standard]}",
        "",
        f"{len(rows)} rows: {told}. Each row has conformance cases in the folder named.",
        "",
        "| construct | section | support | in the graph | cases |",
        "|---|---|---|---|---|",
    ]
    lines.extend(_row(row) for row in rows.values())
    return "\n".join(lines) + "\n"


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
