"""The doors of the house are true."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("specs", "compiler", "runtime", "api")


@pytest.mark.parametrize("room", ROOMS)
def test_a_link_at_the_root_leads_into_the_room_of_its_name(room: str) -> None:
    link = ROOT / room
    if not link.is_symlink():
        pytest.skip("this checkout came without links; nothing rests on them")
    assert link.resolve() == ROOT / "src" / "diglot" / room


def test_every_module_begins_by_saying_what_it_is() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "src").rglob("*.py")
        if not path.read_text(encoding="utf-8").lstrip().startswith(('"""', "# ", 'r"""'))
    ]
    assert silent == []
