"""Who made the data that a task gets, and what it left out."""

from __future__ import annotations

from diglot.compiler.graph import Choice, Fork, Node, Pass, Start, Wait

from .flowing import Flowing
from .model import NOTHING
from .seen import Seen

#: So many nodes are looked at on the way back.
_MOST = 64


def who_leaves_out(flowing: Flowing, seen: Seen, name: str) -> Node | None:
    """A node whose `write` drops what is read under a name here; None where nobody does."""
    node = seen.node
    if node is None:
        return None
    has_read = node.data is not None and node.data.read is not None
    if has_read and seen.place not in ("read", "guard"):
        return None
    if seen.place in ("write", "export", "each-write", "each-export", "while"):
        return None
    rest, met = [node.id], set[str]()
    while rest and len(met) < _MOST:
        for flow in flowing.coming.get(rest.pop(), ()):
            source = flowing.nodes.get(flow.source)
            if source is None or source.id in met:
                continue
            met.add(source.id)
            if source.data is not None and source.data.write is not None:
                if _drops(flowing, source, name):
                    return source
            elif isinstance(source, Choice | Fork | Wait | Pass | Start) and source.data is None:
                rest.append(source.id)
    return None


def _drops(flowing: Flowing, node: Node, name: str) -> bool:
    before = flowing.raw_outputs.get(node.id, NOTHING).object
    after = flowing.outputs.get(node.id, NOTHING).object
    if before is None or after is None:
        return False
    return before.get(name).type != NOTHING and after.get(name).type == NOTHING
