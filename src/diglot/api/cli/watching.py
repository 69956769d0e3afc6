"""Showing a run while it goes: a tree of tasks for each instance, or a line for each change."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from diglot.runtime.engine import Engine

from .members import Members
from .progress import Progress, as_text
from .streams import tell

if TYPE_CHECKING:
    from rich.live import Live


class Watch:
    """Follows the instances of a run; drawn on a terminal while it is entered."""

    def __init__(self, engine: Engine, members: Members, *, is_drawn: bool) -> None:
        self._engine = engine
        self._members = members
        self._is_drawn = is_drawn
        self._live: Live | None = None
        self._all: dict[str, tuple[str, Progress]] = {}

    def __enter__(self) -> Watch:
        if self._is_drawn:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), refresh_per_second=10)
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self) -> None:
        """Show what is new."""
        has_changed = False
        for instance in self._members.active:
            label, progress = self._of(instance)
            changed = progress.follow(self._engine.store.history(instance, progress.seen))
            has_changed |= bool(changed)
            if self._live is None:
                for status, line in changed:
                    before = f"{label}: " if label else ""
                    tell(before + as_text(status, line))
        if self._live is not None and has_changed:
            from rich.console import Group

            trees = (one.tree(label or one.title) for label, one in self._all.values())
            self._live.update(Group(*trees))

    def _of(self, instance: str) -> tuple[str, Progress]:
        if instance not in self._all:
            plan = self._engine.plan(self._engine.instance(instance).definition)
            self._all[instance] = (self._members.label(instance), Progress(plan))
        return self._all[instance]
