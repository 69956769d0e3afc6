"""The readable form of a graph: the language of golden tests.

One line a node, with its flows; its guard and data rules below it; handlers behind the nodes of
their scope. Ids are shortened where the rest can be told from the place: a task of the scope's own
list is its name, anything else below the scope is the rest of its id. Graphs with different
meaning have different texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from diglot.compiler.pointers import split_pointer

from .data import DataRules
from .model import FORMAT, Flow, Graph, Handler, Scope
from .nodes import Choice, Inclusive, Node, Receive
from .text_order import UsualOrder
from .text_values import Verbatim, identifier, joined, members, named, quoted, value_text, word

#: The author's word for a node of a kind, unless its line says another one.
_CONSTRUCTS = {
    "Assign": "set",
    "Call": "run-workflow",
    "Choice": "switch",
    "Emit": "emit",
    "Raise": "raise",
    "Receive": "listen",
    "Scope": "do",
    "Wait": "wait",
}
#: Members that need no name on the line, because their text says what they are.
_BARE = frozenset({"action", "value", "timer", "strategy", "event", "error", "multi"})
_COMMON = frozenset(
    {"id", "scope", "pointer", "name", "construct", "documentation", "guard", "data"}
)
_RESERVED = frozenset({"handler", "var"})
_SEGMENT = re.compile(r"[\w.-]+", re.ASCII)
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+(?:[#~][\w.#~/-]*)?", re.ASCII)
_SUFFIX = re.compile(r"[#~][\w.#~/-]*", re.ASCII)
_SUFFIX_START = re.compile(r"#|~(?![01])")
_WIDEST_LABEL = 24


def to_text(graph: Graph) -> str:
    """The graph as lines of text; the last one is ended, too."""
    return "".join(f"{line}\n" for line in _Text(graph).lines())


class _Text:
    """Writes one graph. What stands nowhere, as only a broken graph has it, has the home `""`."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._scopes = frozenset(scope.id for scope in graph.scopes)
        self._nodes: dict[str, list[Node]] = {scope.id: [] for scope in graph.scopes}
        for node in graph.nodes:
            self._nodes.setdefault(self._home_of_node(node), []).append(node)
        self._homes = {node.id: home for home, nodes in self._nodes.items() for node in nodes}
        self._labels = {
            (home, node.id): label
            for home, nodes in self._nodes.items()
            for node, label in zip(nodes, _labels(home, nodes), strict=True)
        }
        self._usual_flow_ids = _usual_flow_ids(graph.flows)
        self._flow_by_id = {flow.id: flow for flow in graph.flows}
        self._flows: dict[str, list[Flow]] = {}
        for flow in graph.flows:
            self._flows.setdefault(flow.source, []).append(flow)
        self._handlers: dict[str, list[Handler]] = {}
        for handler in graph.handlers:
            self._handlers.setdefault(self._home_of_handler(handler), []).append(handler)

    def lines(self) -> Iterator[str]:
        graph = self._graph
        yield joined(
            f"graph {word(graph.namespace)}/{word(graph.name)} {identifier(graph.version)}",
            "" if graph.format == FORMAT else f"format {quoted(graph.format)}",
            "" if graph.root == "/" else f"root {identifier(graph.root)}",
        )
        rest = members(graph)
        for name in ("title", "documentation", "tags", "metadata", "document"):
            if name in rest:
                yield f"  {name} {quoted(rest[name])}"
        if "declarations" in rest:
            yield f"  declarations {value_text(graph.declarations)}"
        yield from _rules("  ", graph.data)
        for scope in graph.scopes:
            yield self._heading(scope)
            for variable in scope.variables:
                rest = members(variable)
                value = rest.pop("value", None)
                assigned = "" if value is None else f"= {value_text(value)}"
                yield joined("  var", word(rest.pop("name", "")), assigned, named(rest))
            yield from self._contents(scope.id)
        if strays := list(self._contents("")):
            yield "nowhere"
            yield from strays
        for flow in [flow for flows in self._flows.values() for flow in flows]:
            yield f"flow {identifier(flow.source)} {self._flow(flow, '')}"
        yield from self._orders()

    def _heading(self, scope: Scope) -> str:
        return joined(
            f"scope {identifier(scope.id)} {scope.form}",
            "" if scope.parent is None else f"in {identifier(scope.parent)}",
            "" if scope.start == f"{scope.id}#start" else f"start {identifier(scope.start)}",
            _at(scope.id, scope.pointer),
        )

    def _contents(self, home: str) -> Iterator[str]:
        """The nodes and handlers of a scope; each is written once."""
        nodes = self._nodes.pop(home, [])
        labels = [self._labels[home, node.id] for node in nodes]
        width = min(_WIDEST_LABEL, max(map(len, labels), default=0))
        for node, label in zip(nodes, labels, strict=True):
            yield f"  {label:<{width}} {self._node(node, home)}"
            if node.documentation:
                yield f"    documentation {quoted(node.documentation)}"
            if node.guard is not None:
                yield f"    if {value_text(node.guard.condition)}{self._skip(node)}"
            yield from _rules("    ", node.data)
            if isinstance(node, Receive):
                yield from _rules("    each ", node.each)
            self._flows.pop(node.id, None)
        for handler in self._handlers.pop(home, []):
            yield f"  handler {self._handler(handler, home)}"
            if handler.retry is not None:
                yield f"    {value_text(handler.retry)}"

    def _node(self, node: Node, home: str) -> str:
        kind = str(node.__struct_config__.tag)
        usual = node.construct == ("" if _is_added(node) else _CONSTRUCTS.get(kind, ""))
        flows = self._flows.get(node.id, [])
        rest = {name: value for name, value in members(node).items() if name not in _COMMON}
        if isinstance(node, Choice | Inclusive):
            if any(flow.id == node.default for flow in flows):
                rest.pop("default", None)
            if node.branches == _usual_branches(node, flows):
                rest.pop("branches", None)
        if isinstance(body := rest.pop("body", None), str):
            rest["body"] = Verbatim(_below(node.id.partition("#")[0], body))
        rest.pop("each", None)
        bare = [value_text(rest.pop(name)) for name in list(rest) if name in _BARE]
        name = "" if node.name == _usual_name(node) else f"name {quoted(node.name)}"
        return joined(
            kind if usual else f"{kind}:{word(node.construct)}",
            "" if home else f"in {quoted(node.scope)}",
            *bare,
            named(rest),
            ", ".join(self._flow(flow, home, node) for flow in flows),
            _at(node.id, node.pointer),
            name,
        )

    def _flow(self, flow: Flow, home: str, node: Node | None = None) -> str:
        rest = members(flow)
        for said in ("source", "target", "role"):
            rest.pop(said, None)
        tests: list[str] = []
        if flow.condition is not None:
            tests.append(value_text(rest.pop("condition")))
        if isinstance(node, Choice | Inclusive) and node.default == flow.id:
            tests.append("else")
        if flow.id == self._usual_flow_ids.get(id(flow)):
            rest.pop("id")
        return joined(
            f"[{', '.join(tests)}]" if tests else "",
            "" if flow.role == "sequence" else flow.role,
            f"-> {self._reference(flow.target, home)}",
            f"({named(rest)})" if rest else "",
        )

    def _skip(self, node: Node) -> str:
        """The guard's flow, where it is not the first of its role."""
        flows = self._flows.get(node.id, [])
        usual = next((flow.id for flow in flows if flow.role == "skip"), None)
        skip = None if node.guard is None else node.guard.skip
        return "" if skip == usual else f" skip {quoted(skip)}"

    def _handler(self, handler: Handler, home: str) -> str:
        rest = members(handler)
        for said in ("id", "node", "scope", "trigger", "pointer", "retry", "run"):
            rest.pop(said, None)
        guarded = [f"of {self._reference(handler.node, home)}"] if handler.node is not None else []
        if handler.scope is not None:
            is_here = handler.scope == home
            guarded.append("of scope" if is_here else f"of scope {identifier(handler.scope)}")
        raises, run = rest.pop("raises", None), handler.run
        flow, leave_by = rest.pop("flow", None), rest.pop("leave_by", None)
        return joined(
            _below(handler.node or handler.scope or "", handler.id),
            *guarded[:-1],
            f"{guarded[-1] if guarded else ''}:",
            value_text(handler.trigger),
            named(rest),
            "" if flow is None else f"takes {self._flow_reference(flow, home)}",
            "" if run is None else f"runs {identifier(run)}",
            "" if raises is None else f"raises {value_text(raises)}",
            "" if leave_by is None else f"leaves by {self._flow_reference(leave_by, home)}",
            _at(handler.id.replace("#", "/").replace("//", "/"), handler.pointer),
        )

    def _reference(self, node: str, home: str) -> str:
        """A node as the lines of a scope name it."""
        return self._labels.get((home, node)) or _full(node, home)

    def _flow_reference(self, flow_id: str, home: str) -> str:
        flow = self._flow_by_id.get(flow_id)
        if flow is None or flow_id != f"{flow.source}->{flow.target}#handler":
            return identifier(flow_id)
        if not self._homes.get(flow.source) == self._homes.get(flow.target) == home:
            return identifier(flow_id)
        return f"{self._labels[home, flow.source]} -> {self._labels[home, flow.target]}"

    def _home_of_node(self, node: Node) -> str:
        return node.scope if node.scope in self._scopes else ""

    def _home_of_handler(self, handler: Handler) -> str:
        home = self._homes.get(handler.node or "", handler.scope or "")
        return home if home in self._scopes else ""

    def _orders(self) -> Iterator[str]:
        """The order in the graph where it is not the usual one, as runs of one home."""
        graph, usual = self._graph, UsualOrder(self._graph)
        for name, parts, usual_parts in (
            ("nodes", graph.nodes, usual.nodes),
            ("flows", graph.flows, usual.flows),
            ("handlers", graph.handlers, usual.handlers),
        ):
            if any(part is not other for part, other in zip(parts, usual_parts, strict=True)):
                runs = groupby(self._home(part) for part in parts)
                text = ", ".join(f"{identifier(home)} {len(list(run))}" for home, run in runs)
                yield f"order of {name}: {text}"

    def _home(self, part: Node | Flow | Handler) -> str:
        if isinstance(part, Flow):
            return part.source
        if isinstance(part, Handler):
            return self._home_of_handler(part)
        return self._home_of_node(part)


def _labels(home: str, nodes: list[Node]) -> Iterator[str]:
    """What the lines of a scope call its nodes.

    The n-th task of the list that a scope is for has the id `<list>/<n>/<name>`; the name will do,
    and also for what stands behind it in the ids of nodes that act for the task. Other scopes are
    for one task, whose name will do there.
    """
    tasks = "/do" if home == "/" else home
    names = _names_of_scope(home)
    count = 0
    taken: dict[str, str] = {}
    for node in nodes:
        prefix = f"{tasks}/{count}/"
        name = node.id.removeprefix(prefix)
        if home.startswith("/") and name != node.id and _SEGMENT.fullmatch(name):
            count += 1
            names[node.id] = label = name
        elif node.id.startswith(f"{home}#"):
            label = _below(home, node.id, is_task=True)
        else:
            label = _named(names, node.id) or _below(home, node.id, is_task=True)
        if label in _RESERVED or taken.setdefault(label, node.id) != node.id:
            label = _full(node.id, home)
        yield label


def _names_of_scope(home: str) -> dict[str, str]:
    """The tasks that a scope `<task>#scope` is for: itself, and the call that laid it out."""
    if not home.startswith("/") or not home.endswith("#scope"):
        return {}
    task = home.removesuffix("#scope")
    names = {task: task.rpartition("/")[2]}
    call = task.partition("~/")[0]
    if call.rpartition("/")[2] != names[task]:
        names[call] = call.rpartition("/")[2]
    return {task: name for task, name in names.items() if _SEGMENT.fullmatch(name)}


def _named(names: dict[str, str], part: str) -> str | None:
    """The name of a task and what stands behind it, where the id starts with one."""
    if part in names:
        return names[part]
    for cut in _SUFFIX_START.finditer(part):
        task, rest = part[: cut.start()], part[cut.start() :]
        if task in names and _SUFFIX.fullmatch(rest):
            return names[task] + rest
    return None


def _below(base: str, part: str, *, is_task: bool = False) -> str:
    """An id without the beginning that it shares with `base`, where that leaves no doubt.

    A single segment is left to the tasks of a list.
    """
    if not base.startswith("/") or not part.startswith(base):
        return _full(part, base)
    rest = part.removeprefix(base)
    if base != "/" and _SUFFIX.fullmatch(rest):
        return rest
    if base != "/" and not rest.startswith("/"):
        return _full(part, base)
    rest = rest.removeprefix("/")
    is_short = (
        _PATH.fullmatch(rest)
        or (base == "/" and _SUFFIX.fullmatch(rest))
        or (not is_task and _SEGMENT.fullmatch(rest))
    )
    return rest if is_short else _full(part, base)


def _full(part: str, home: str) -> str:
    """A whole id; where others are shortened, one that looks like a short one is in quotes."""
    is_clear = part.startswith("/") or not home.startswith("/")
    return identifier(part) if is_clear else quoted(part)


def _usual_flow_ids(flows: Iterable[Flow]) -> dict[int, str]:
    """The id that the builder gives a flow, by the flow's identity."""
    usual: dict[int, str] = {}
    counts: Counter[str] = Counter()
    for flow in flows:
        role = "" if flow.role == "sequence" else f"#{flow.role}"
        base = f"{flow.source}->{flow.target}{role}"
        counts[base] += 1
        usual[id(flow)] = base if counts[base] == 1 else f"{base}#{counts[base]}"
    return usual


def _usual_branches(node: Choice | Inclusive, flows: list[Flow]) -> tuple[str, ...]:
    return tuple(flow.id for flow in flows if flow.role == "sequence" and flow.id != node.default)


def _is_added(node: Node) -> bool:
    """Whether the id tells that a reader added the node to the author's tasks."""
    return "#" in node.id.rpartition("~/")[2]


def _usual_name(node: Node) -> str:
    is_task = node.id.startswith("/") and not _is_added(node)
    return split_pointer(_usual_pointer(node.id))[-1] if is_task else ""


def _usual_pointer(part: str) -> str:
    """The pointer that an id tells: what is laid out elsewhere than it stands has it behind `~`."""
    _, behind, rest = part.rpartition("~/")
    place, added, _ = f"/{rest}".partition("#") if behind else part.partition("#")
    place = place.removesuffix("~inner")
    if added:
        place = place.removesuffix("/fork/branches")
    return "/do" if place == "/" else place


def _at(part: str, pointer: str) -> str:
    """The pointer, where it is not the one that the id tells."""
    return "" if pointer == _usual_pointer(part) else f"at {identifier(pointer)}"


def _rules(indent: str, rules: DataRules | None) -> Iterator[str]:
    """The data rules in the order in which they run, a line each."""
    if rules is not None:
        lines = [f"{indent}{named({name: rule})}" for name, rule in members(rules).items()]
        yield from lines or [f"{indent}data"]
