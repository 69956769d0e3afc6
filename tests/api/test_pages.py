"""Generated pages are what the code says today."""

from __future__ import annotations

from pathlib import Path

from diglot.api.pages import pages

ROOT = Path(__file__).resolve().parents[2]


def test_every_generated_page_is_up_to_date() -> None:
    stale = [
        str(path.relative_to(ROOT))
        for path, text in pages(ROOT)
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run: python -m diglot.api.pages"


def test_no_page_is_left_from_a_code_that_is_gone() -> None:
    known = {path for path, _ in pages(ROOT)}
    assert sorted((ROOT / "docs" / "codes").glob("*.md")) == sorted(
        path for path in known if path.parent.name == "codes"
    )
