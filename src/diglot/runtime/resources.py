"""Documents behind the addresses of a graph, fetched once at publication.

A run never waits for a schema, and a schema that changes does not change a run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, cast

from diglot.compiler.graph import DataRules, Graph, Receive, Schema

from .errors import CallerError
from .schemas import resource_address

if TYPE_CHECKING:
    from .actions.outgoing import HostMap, OutgoingPolicy


_ACCEPT: Final = "application/schema+json, application/json, application/yaml;q=0.9, */*;q=0.5"

#: A fetched document is read part by part; more parts than this are an attack.
MOST_PARTS: Final = 50_000


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
    from .actions import SERVER, ActionContext, ActionError
    from .actions.contract import TimeLimit
    from .actions.exchange import Request, send

    context = ActionContext(
        policy=policy or SERVER, transport=transport, timeout_s=30.0, idempotency_key=""
    )
    request = Request(method="GET", uri=address, headers=(("Accept", _ACCEPT),))
    try:
        body = send(request, context, TimeLimit(context), follow_redirects=True).body
    except ActionError as error:
        raise UnavailableResource(f"{address}: {error.title}") from error
    return _parse(address, body)


def _parse(address: str, body: bytes) -> Any:
    """JSON, or YAML that is not larger once its aliases are written out."""
    import yaml

    try:
        return json.loads(body)
    except ValueError:
        pass
    try:
        found = yaml.load(body, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        rest, parts = [found], 0
        while rest:
            part = rest.pop()
            parts += 1
            if parts > MOST_PARTS:
                raise UnavailableResource(f"{address} has more than {MOST_PARTS} parts")
            if isinstance(part, dict):
                rest.extend(cast("dict[Any, Any]", part).values())
            elif isinstance(part, list):
                rest.extend(cast("list[Any]", part))
        # Dates and their like are not JSON; as text they are.
        return json.loads(json.dumps(found, default=str))
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise UnavailableResource(f"{address} is neither JSON nor YAML") from error
