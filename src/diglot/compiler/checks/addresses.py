"""Addresses that are called: in the clear, or wherever data leads.

Source: DSL reference, Endpoint, URI Template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.expressions import tree
from diglot.compiler.graph import Expression, Graph, Record, Task, UriTemplate, Value
from diglot.compiler.source import Source

from .interpolation import is_fixed
from .listeners import called
from .programs import program_of
from .spoken import found_at, spoken

#: The members of arguments and mappings that are addresses.
_NAMES: Final = frozenset({"uri", "url", "endpoint", "baseurl", "serviceurl", "requesturl"})
_PLAIN: Final = re.compile(r"http://(?:[^\s/?#@]*@)?(\[[^\]\s]*\]|[^\s/?#:@]*)", re.IGNORECASE)
#: Names that no public server has.
_PRIVATE: Final = (
    ".localhost", ".local", ".internal", ".intranet", ".lan", ".test", ".svc", ".home.arpa",
    ".docker", ".invalid",
)  # fmt: skip
#: A scheme and a whole host: what comes behind cannot lead to another one.
_RESOLVED: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\]+[/?#]")
#: A host of which only the first labels are filled in, percent-encoded, so that they stay labels.
_BELOW: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*\}(?:\.[\w-]+){2,}(?::\d+)?(?:[/?#]|$)"
)
_TEMPLATED_HOST: Final = re.compile(r"[^/?#]*://[^/?#]*\{|\{")
_CALLS: Final = frozenset({"http", "openapi"})
#: So many of them are told about one graph.
_MOST_TOLD: Final = 100


def check_addresses(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report addresses without encryption, and servers that are chosen by data."""
    _check_plain(graph, report, sources)
    _check_chosen(graph, report, sources)


def _check_plain(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    told: set[tuple[str, str]] = set()
    for one in spoken(graph):
        found = _PLAIN.match(one.text) if one.name.lower() in _NAMES else None
        key = (one.owner.pointer or one.owner.id, one.text)
        if found is None or _is_near(found[1]) or key in told or len(told) >= _MOST_TOLD:
            continue
        told.add(key)
        report.add(
            codes.PLAIN_HTTP,
            one.span(sources),
            key[0],
            address=one.text[:100],
        )


def _check_chosen(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    told: set[str] = set()
    for node in graph.nodes:
        if not isinstance(node, Task) or node.action.type not in _CALLS:
            continue
        place = node.pointer or node.id
        chosen = next(filter(_is_chosen, _addresses(node.action.arguments)), None)
        if chosen is None or place in told or len(told) >= _MOST_TOLD:
            continue
        told.add(place)
        if isinstance(chosen, UriTemplate):
            span = found_at(node, chosen.text, sources)
        else:
            span = chosen.span or node.span
        report.add(codes.ADDRESS_FROM_DATA, span, place, task=called(node))


def _is_near(host: str) -> bool:
    """Whether a host is this machine, in a private network, or not known before a run."""
    name = host.strip("[]").lower().rstrip(".")
    if "{" in name or "$" in name or name.endswith(_PRIVATE):
        return True
    # Late: hardly any document has such an address.
    import ipaddress

    try:
        return not ipaddress.ip_address(name).is_global
    except ValueError:
        # The names of services of one cluster have no dots.
        return "." not in name


def _addresses(arguments: Value) -> Iterator[Expression | UriTemplate]:
    """The address of the call, and that of the document that describes the service."""
    rest: list[Value] = [arguments]
    while rest:
        part = rest.pop()
        if isinstance(part, Record):
            for name, member in part.members:
                if name in ("endpoint", "uri") and isinstance(member, Expression | UriTemplate):
                    yield member
                elif name in ("endpoint", "document"):
                    rest.append(member)


def _is_chosen(address: Expression | UriTemplate) -> bool:
    if isinstance(address, UriTemplate):
        is_open = _TEMPLATED_HOST.match(address.text) is not None
        return is_open and _BELOW.match(address.text) is None
    program = program_of(address.text)
    return program is not None and not _is_safe(program)


def _is_safe(node: tree.Node) -> bool:
    """Whether data cannot change the server of an address, or of an object with an address."""
    match node:
        case tree.Literal():
            return True
        case tree.Pipe(stages=stages):
            return _is_safe(stages[-1])
        case tree.Bind(body=body) | tree.Define(body=body):
            return _is_safe(body)
        case tree.Text(parts=parts):
            return _begins_safely(parts)
        case tree.Arithmetic(first=first, rest=rest) if all(sign == "+" for sign, _ in rest):
            return is_fixed(node) or _begins_safely(_joined(first, *(term for _, term in rest)))
        case tree.If(branches=branches, otherwise=otherwise):
            results = [result for _, result in branches]
            return otherwise is not None and all(map(_is_safe, (*results, otherwise)))
        case tree.Alternative(items=items):
            return all(map(_is_safe, items))
        case tree.Object(entries=entries):
            found = [
                entry.value
                for entry in entries
                if isinstance(entry.key, tree.Literal) and entry.key.value in ("uri", "endpoint")
            ]
            return bool(found) and all(one is not None and _is_safe(one) for one in found)
        case _:
            return is_fixed(node)


def _joined(*terms: tree.Node) -> tuple[str | tree.Node, ...]:
    """The parts of a sum of texts, what is fixed as text."""
    parts: list[str | tree.Node] = []
    for term in terms:
        match term:
            case tree.Literal(value=str(text)):
                parts.append(text)
            case tree.Text(format="text", parts=inner):
                parts.extend(inner)
            case tree.Arithmetic(first=first, rest=rest) if all(sign == "+" for sign, _ in rest):
                parts.extend(_joined(first, *(one for _, one in rest)))
            case _:
                parts.append(term)
    return tuple(parts)


def _begins_safely(parts: tuple[str | tree.Node, ...]) -> bool:
    """Whether scheme and host are whole before data begins."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
        elif is_fixed(part):
            # Whoever runs the engine chose it, and it may well be the whole server.
            return True
        else:
            return _RESOLVED.match(text) is not None
    return True
