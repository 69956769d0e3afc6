"""The definitions that are at hand, and which of them a call means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from diglot.compiler import codes
from diglot.compiler.graph import Call, Graph
from diglot.compiler.graph.resolution import Key, elsewhere, resolve

#: What is found, or not, hangs on which other definitions are at hand.
OF_OTHERS: Final = frozenset(
    {
        codes.CALL_BINDS_LATE.id,
        codes.CALL_UNRESOLVED.id,
        codes.INPUT_NEVER_TAKEN.id,
        codes.RECURSION.id,
        codes.RECURSION_WITHOUT_END.id,
    }
)
#: So many definitions are looked at behind the calls of a document.
_MOST: Final = 1_000


class Beyond(Protocol):
    """Definitions that are at hand beside those of a document."""

    def versions(self, namespace: str, name: str) -> Collection[str]:
        """The versions there are of a definition."""
        ...

    def graph(self, key: Key) -> Graph:
        """One of them."""
        ...

    def names(self, namespace: str) -> Iterable[str]:
        """What they are called, as far as anybody can list it."""
        ...


class Definitions:
    """Definitions by what calls name; of several with one name and version the first counts.

    They go before those `beyond`.
    """

    def __init__(self, graphs: Iterable[Graph], beyond: Beyond | None = None) -> None:
        self._graphs: dict[tuple[str, str], dict[str, Graph]] = {}
        self._beyond = beyond
        for graph in graphs:
            known = self._graphs.setdefault((graph.namespace, graph.name), {})
            known.setdefault(graph.version, graph)

    def called_by(self, call: Call) -> Graph | None:
        """The definition that a call starts."""
        found = resolve(call.namespace, call.process, call.version, self.versions)
        return None if found is None else self.graph(found)

    def named_by(self, call: Call) -> list[str]:
        """The versions there are of what a call names, whichever it asks for."""
        namespaces = (call.namespace, elsewhere(call.namespace))
        return [version for one in namespaces for version in self.versions(one, call.process)]

    def versions(self, namespace: str, name: str) -> Collection[str]:
        """The versions there are of a definition."""
        known = self._known(namespace, name)
        return known if self._beyond is None else {*known, *self._beyond.versions(namespace, name)}

    def graph(self, key: Key) -> Graph:
        """One of them."""
        found = self._known(key.namespace, key.name).get(key.version)
        if found is None and self._beyond is not None:
            return self._beyond.graph(key)
        assert found is not None, "its version is among those there are"
        return found

    def names(self, namespace: str) -> Iterator[str]:
        """What the definitions of a namespace are called."""
        yield from (name for one, name in self._graphs if one == namespace)
        if self._beyond is not None:
            yield from self._beyond.names(namespace)

    def reached_from(self, graphs: Sequence[Graph]) -> list[Graph]:
        """Definitions, and behind them what they call, and what that calls, up to a number."""
        found = {id(graph): graph for graph in graphs}
        most = len(found) + _MOST
        rest = list(graphs)
        while rest:
            for call in calls_of(rest.pop()):
                called = self.called_by(call)
                if called is not None and id(called) not in found and len(found) < most:
                    found[id(called)] = called
                    rest.append(called)
        return list(found.values())

    def _known(self, namespace: str, name: str) -> Mapping[str, Graph]:
        return self._graphs.get((namespace, name), {})


def calls_of(graph: Graph) -> Iterator[Call]:
    """The calls of a graph."""
    return (node for node in graph.nodes if isinstance(node, Call))


def told_apart(graphs: Iterable[Graph]) -> Iterator[Graph]:
    """Definitions but those of one name and version, of which nobody knows which one is meant."""
    every = list(graphs)
    counts = Counter(map(key_of, every))
    return (graph for graph in every if counts[key_of(graph)] == 1)


def key_of(graph: Graph) -> Key:
    """What a definition is known by once it is published."""
    return Key(graph.namespace, graph.name, graph.version)
