"""Documents behind the addresses of a graph, fetched once at publication.

A run never waits for a schema, and a schema that changes does not change a run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import DataRules, Graph, Receive, Schema

from .errors import CallerError
from .schemas import resource_address

if TYPE_CHECKING:
    from .actions.outgoing import HostMap, OutgoingPolicy


class UnavailableResource(CallerError):
    """A document behind an address could not be had at publication."""


def schemas_of(graph: Graph) -> Iterator[Schema]:
    """Every schema of a graph."""
    rules: list[DataRules | None] = [graph.data, *(node.data for node in graph.nodes)]
    rules.extend(node.each for node in graph.nodes if isinstance(node, Receive))
    for found in rules:
        if found is not None:
            for schema in (found.input_schema, found.output_schema, found.export_schema):
                if schema is not None:
                    yield schema


def fetch_resources(
    graph: Graph, policy: OutgoingPolicy | None, transport: HostMap | None
) -> dict[str, Any]:
    """The documents behind the graph's schemas, by address.

    Raises:
        UnavailableResource: one cannot be had.
    """
    addresses = {
        address
        for schema in schemas_of(graph)
        if schema.resource is not None and (address := resource_address(schema)) is not None
    }
    return {address: _fetch(address, policy, transport) for address in sorted(addresses)}


def _fetch(address: str, policy: OutgoingPolicy | None, transport: HostMap | None) -> Any:
    from .actions import SERVER, ActionContext, ActionError, execute

    context = ActionContext(
        policy=policy or SERVER,
        transport=transport,
        timeout_s=30.0,
        idempotency_key="",
        traceparent=None,
        allow_processes=False,
        cancelled=None,
    )
    arguments = {"method": "get", "endpoint": {"uri": address}, "output": "content"}
    try:
        found = execute("http", arguments, context)
    except ActionError as error:
        raise UnavailableResource(f"{address}: {error.title}") from error
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except ValueError as error:
            raise UnavailableResource(f"{address} is not a JSON document") from error
    return found
