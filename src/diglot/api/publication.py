"""Documents into an engine: checked with what is published there, then published.

An engine knows graphs alone and takes what it is told of them; here is who tells it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from diglot.compiler import Compiled
from diglot.compiler.graph import Graph
from diglot.compiler.graph.resolution import Key
from diglot.compiler.render import findings_of
from diglot.compiler.several import definitions_of, with_others
from diglot.runtime.engine import Engine, check_no_errors


def publish(engine: Engine, compiled: Compiled) -> list[str]:
    """Publish the definitions of a document with its findings, and give their digests in order.

    Calls are checked once more, with what is published: whether there is what is called, and
    whether a definition would start itself again by way of others without an end.

    Raises:
        DefinitionHasErrors: it has errors that are not suppressed; nothing of it is published.
        UnrunnableGraph: a graph has a kind no rule runs, or starts at a time that is none.
        CallerError: another document has the namespace, name and version of one of them.
    """
    (checked,) = with_published(engine, [compiled])
    findings = findings_of(checked)
    check_no_errors(findings)
    source = checked.source.text
    return [engine.deploy(graph, source=source, findings=findings) for graph in checked.graphs]


def with_published(engine: Engine, documents: Sequence[Compiled]) -> list[Compiled]:
    """Documents that are to be published together, with what is found beside what is published."""
    every = definitions_of(documents, _Published(engine))
    return [with_others(one, every, is_complete=True) for one in documents]


class _Published:
    """What an engine has published; calls are resolved as it resolves them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._versions: dict[tuple[str, str], dict[str, str]] = {}

    def versions(self, namespace: str, name: str) -> Collection[str]:
        return self._digests(namespace, name)

    def graph(self, key: Key) -> Graph:
        digest = self._digests(key.namespace, key.name)[key.version]
        return self._engine.plan(digest).graph

    def names(self, namespace: str) -> Iterable[str]:
        # What is published can be asked for by name, and is not listed.
        return ()

    def _digests(self, namespace: str, name: str) -> dict[str, str]:
        found = self._versions.get((namespace, name))
        if found is None:
            found = dict(self._engine.store.versions(namespace, name))
            self._versions[namespace, name] = found
        return found
