from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from diglot.compiler.graph import Graph
from support.machine import Machine

#: Starts an instance of a graph with an input.
Starting = Callable[..., Machine]


@pytest.fixture(params=[False, True], ids=["in memory", "from the database"])
def start(request: pytest.FixtureRequest) -> Starting:
    """Machines that keep the state between two moves, or load it before each."""

    def begin(graph: Graph, **input: Any) -> Machine:
        return Machine(graph, input, restarts=request.param)

    return begin
