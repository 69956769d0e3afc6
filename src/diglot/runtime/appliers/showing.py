"""Jobs show variables as they were when they were opened; what has not changed is kept once."""

from __future__ import annotations

from typing import Any

from diglot.runtime.state import Job, State


def show(state: State, job: Job) -> None:
    """Complete a job's arguments by what its visit can see."""
    chain: list[int] = []
    assert job.visit is not None
    scope: int | None = state.visits[job.visit].scope
    while scope is not None:
        chain.append(scope)
        state.shown.setdefault(scope, {})[job.id] = None
        scope = state.scopes[scope].parent
    job.sees = tuple(reversed(chain))
    job.arguments = {**job.arguments, "variables": in_sight(state, job.sees)}


def in_sight(state: State, scopes: tuple[int, ...]) -> dict[str, Any]:
    """The variables of scope visits, outermost first; what is nearer wins."""
    found: dict[str, Any] = {}
    for scope in scopes:
        found.update(state.scopes[scope].variables)
    return found


def hide(state: State, job: Job) -> None:
    """The job is gone, or what it shows is no longer what stands elsewhere."""
    for scope in job.sees:
        jobs = state.shown[scope]
        del jobs[job.id]
        if not jobs:
            del state.shown[scope]
    job.sees = ()


def part(state: State, scope: int) -> None:
    """A variable of a scope visit changes: jobs that show it keep what they show themselves."""
    for id in list(state.shown.get(scope, ())):
        hide(state, state.jobs[id])
        state.touched.add(("jobs", id))
