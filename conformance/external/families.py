"""Generated processes of every size, each with what is wrong with it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple


class Generated(NamedTuple):
    """One process: its text, how many nodes it has, and its fault in the generator's words."""

    name: str
    text: str
    nodes: int
    kind: str


def generated(generator: Path) -> Iterator[Generated]:
    """What a generator makes, in its order."""
    spec = spec_from_file_location("families", generator)
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    depth = sys.getrecursionlimit()
    module.families()
    sys.setrecursionlimit(depth)
    for name, made, kind in module.FAM:
        yield Generated(name, made.xml(), len(made.nodes), kind)
