from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from diglot.compiler.graph import Graph
from support.machine import Machine

Start = Callable[..., Machine]


@pytest.fixture(params=[False, True], ids=["kept", "restarted"])
def start(request: pytest.FixtureRequest) -> Start:
    """Starts an instance; each fact holds for one engine, and for a new one at every move."""

    def begin(graph: Graph, **input: Any) -> Machine:
        return Machine(graph, input, restarts=request.param)

    return begin
