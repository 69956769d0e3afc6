"""The tasks of a run as a tree that grows while it goes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from diglot.compiler.plain import plain
from diglot.runtime import events as e
from diglot.runtime.secrets import masked

if TYPE_CHECKING:
    from rich.tree import Tree

    from diglot.runtime.plan import Plan

_MARKS = {
    "running": ("\u25cf", "yellow"),
    "waiting": ("\u25cc", "cyan"),
    "done": ("\u2713", "green"),
    "skipped": ("\u2013", "dim"),
    "failed": ("\u2717", "red"),
    "cancelled": ("\u2298", "dim"),
}


@dataclass(slots=True)
class TaskLine:
    """One task in the tree; `times` counts runs that are folded into one line."""

    name: str
    construct: str
    status: str
    times: int = 1
    note: str = ""
    children: list[TaskLine] = field(default_factory=list["TaskLine"])


class Progress:
    """Follows the history of one instance and keeps the tree of its tasks."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.title = f"{plan.graph.key} {plan.graph.version}"
        self.roots: list[TaskLine] = []
        #: Number of the last event taken in.
        self.seen = 0
        self._lines: dict[int, TaskLine] = {}
        #: Of each scope visit: the list its tasks are shown in.
        self._lists: dict[int, list[TaskLine]] = {}

    def follow(self, history: list[tuple[int, int, list[e.Event]]]) -> list[tuple[str, TaskLine]]:
        """Take in what is new in a history; (what happened, task) for each task that changed."""
        changed: list[tuple[str, TaskLine]] = []
        for first, _, events in history:
            if first <= self.seen:
                continue
            self.seen = first + len(events) - 1
            for event in events:
                line = self._apply(event)
                if line is not None:
                    changed.append((line.status, line))
        return changed

    def _apply(self, event: e.Event) -> TaskLine | None:
        match event:
            case e.ScopeEntered(id=id, owner=owner, parent=parent):
                self._lists[id] = self._list_of(owner, parent)
            case e.VisitEntered(id=id, node=node, scope=scope):
                return self._begin(id, node, scope, "running")
            case e.VisitPassed(id=id, node=node, scope=scope):
                return self._begin(id, node, scope, "done")
            case e.VisitSkipped(id=id, node=node, scope=scope):
                return self._begin(id, node, scope, "skipped")
            case e.VisitLeft(id=id):
                return self._end(id, "done")
            case e.VisitFailed(id=id, error=error):
                return self._end(id, "failed", _said(error, f"{error.get('status')} "))
            case e.VisitCancelled(id=id):
                return self._end(id, "cancelled")
            case e.RetryScheduled(run=run, error=error):
                return self._note(event.scope, _said(error, f"run {run} failed: "))
            case e.TimerArmed(visit=int() as visit, purpose="wait"):
                return self._waits(visit)
            case e.SubscriptionOpened(visit=int() as visit, handler=None):
                return self._waits(visit)
            case _:
                pass
        return None

    def _list_of(self, owner: int | None, parent: int | None) -> list[TaskLine]:
        if owner is not None and owner in self._lines:
            return self._lines[owner].children
        if parent is not None:
            return self._lists[parent]
        return self.roots

    def _begin(self, id: int, node: str, scope: int, status: str) -> TaskLine | None:
        plan = self._plan.nodes[node]
        if not plan.is_task:
            return None
        shown = self._lists[scope]
        name = plan.node.name or node
        for line in shown:
            # A task that runs again, in a loop or a retry, keeps its line.
            if line.name == name and line.status not in ("running", "waiting"):
                line.times += 1
                line.status = status
                line.children.clear()
                self._lines[id] = line
                return line
        line = TaskLine(name, plan.node.construct, status)
        shown.append(line)
        self._lines[id] = line
        return line

    def _end(self, id: int, status: str, note: str = "") -> TaskLine | None:
        line = self._lines.pop(id, None)
        if line is not None:
            line.status = status
            line.note = note
        return line

    def _waits(self, id: int) -> TaskLine | None:
        line = self._lines.get(id)
        if line is not None and line.status != "waiting":
            line.status = "waiting"
            return line
        return None

    def _note(self, scope: int, note: str) -> TaskLine | None:
        for line in self._lines.values():
            if self._lists.get(scope) is line.children:
                line.note = note.strip()
                return line
        return None

    def tree(self, title: str) -> Tree:
        """The tree to draw."""
        from rich.text import Text
        from rich.tree import Tree

        def add(parent: Tree, line: TaskLine) -> None:
            mark, style = _MARKS[line.status]
            name = plain(line.name)
            text = Text.assemble((f"{mark} ", style), name, (f"  {line.construct}", "dim"))
            if line.times > 1:
                text.append(f"  \u00d7{line.times}", "dim")
            if line.note:
                text.append(f"  {plain(line.note)}", "red")
            branch = parent.add(text)
            for child in line.children:
                add(branch, child)

        tree = Tree(Text(plain(title)))
        for line in self.roots:
            add(tree, line)
        return tree


def _said(error: e.Problem, before: str) -> str:
    return before + str(masked(error.get("title", "")))


def as_text(status: str, line: TaskLine) -> str:
    """One change as a line of text, for output that is not a terminal."""
    mark, _ = _MARKS[status]
    # Several changes of one command come together: the note is of the last.
    note = f": {line.note}" if line.note and line.status == status else ""
    return f"{mark} {line.name} {status}{note}"
