"""FEEL to jq: three-valued logic, and null for whatever does not fit.

A piece's kind ends in `?` where it may be null as well. Times are ISO 8601 texts; one side of an
operator that is known to be a time makes a time of the other one.
Source: DMN 1.5, 10.3.2.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from . import tree
from .emission import Emission, kind_of
from .feel_calls import call
from .feel_kinds import NULL, TIMES, base_of, common, guarded, is_sure
from .feel_operations import binary, negative, within
from .pieces import AND, OR, QUERY, Piece, compose, constant, field, mentions, quoted
from .result import Refused


class Feel(Emission):
    """The translation of one expression."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        #: Whether this part is the body of a `for`.
        self.is_repeated = False
        #: From the outermost: names that are bound, or an item whose entries are names.
        self._scopes: list[dict[str, Piece] | Piece] = []

    def emit(self, node: tree.Node) -> Piece:
        """The piece of a node, with its place."""
        self.count(node)
        return self._emit(node).at(node.start, node.end)

    def _emit(self, node: tree.Node) -> Piece:
        match node:
            case tree.Literal(value=value):
                return constant(value, kind_of(value))
            case tree.Name(name=name):
                if name == "partial" and self.is_repeated:
                    raise Refused(node.start, node.end, "results so far are not carried")
                return self._named(name, len(self._scopes))
            case tree.Member():
                return _member(self, node)
            case tree.Index():
                return _filtered(self, node)
            case tree.Unary():
                return negative(self, node)
            case tree.Binary():
                return binary(self, node)
            case tree.Logic():
                return _logic(self, node)
            case tree.Conditional():
                return _conditional(self, node)
            case tree.Listing():
                pieces = [self.emit(item) for item in node.items]
                return compose(f"[{', '.join(['%s'] * len(pieces))}]", *pieces, kind="list")
            case tree.Entries():
                return _entries(self, node)
            case tree.Within():
                return within(self, node)
            case tree.Each():
                return _each(self, node)
            case tree.Instance():
                return _instance(self, node)
            case tree.Call():
                return call(self, node)
            case tree.Range():
                raise Refused(node.start, node.end, "a range is no value here")
            case _:
                raise Refused(node.start, node.end, "this is not carried here")

    @contextmanager
    def within_items(self, scope: dict[str, Piece] | Piece) -> Generator[None]:
        """A part that runs on something else than the variables, with more names in sight."""
        with self.bound(scope), self.inner():
            yield

    @contextmanager
    def bound(self, scope: dict[str, Piece] | Piece) -> Generator[None]:
        """A part with more names in sight."""
        self._scopes.append(scope)
        yield
        self._scopes.pop()

    def _named(self, name: str, depth: int) -> Piece:
        """What a name is, seen from the scopes up to a depth."""
        for level in reversed(range(depth)):
            scope = self._scopes[level]
            if isinstance(scope, dict):
                if name in scope:
                    return scope[name]
            elif name == "item":
                return scope
            else:
                self.define("pick")
                outer = self._named(name, level)
                return compose(f"pick(%t; {quoted(name)}; %q)", scope, outer)
        return self.variable(name)


def _member(feel: Feel, node: tree.Member) -> Piece:
    base = feel.emit(node.base)
    if base_of(base) in TIMES:
        feel.define("time_part")
        gives = "duration?" if node.name == "time offset" else "number?"
        return compose(
            f"%q | time_part({quoted(node.name)})", base, level=QUERY, kind=gives
        )  # fmt: skip
    if base_of(base) not in ("any", "object", "list"):
        return NULL
    if base.kind == "object":
        return field(base, node.name)
    feel.define("get")
    return compose(f"%q | get({quoted(node.name)})", base, level=QUERY)


def _filtered(feel: Feel, node: tree.Index) -> Piece:
    """An item by its place, or the items that a condition is true of."""
    base = feel.emit(node.base)
    if isinstance(node.key, tree.Literal) or (
        isinstance(node.key, tree.Unary) and isinstance(node.key.operand, tree.Literal)
    ):
        return _placed(feel, base, feel.emit(node.key))
    item = feel.fresh("item")
    with feel.within_items(Piece((item,), is_path=True)):
        key = feel.emit(node.key)
    feel.define("many")
    match base_of(key):
        case "boolean" | "null":
            test = key if is_sure(key) else compose("%c == true", key, level=QUERY)
            chosen = f"map(select(. as {item} | %q))"
            return guarded(compose("%q | many", base, level=QUERY), "list", chosen, "list", test)
        case "number" if not mentions(key, item):
            return _placed(feel, base, key)
        case "number" | "any":
            # The key is a function of the item: one that gives a number without any is a place.
            feel.define("item")
            function, place, values = feel.fresh("key")[1:], feel.fresh("place"), feel.fresh("list")
            return compose(
                f"def {function}({item}): %q; %t as {values} | {function}(null) as {place} "
                f'| if ({place} | type) == "number" then {values} | item({place}) else {values} '
                f"| many | if . == null then null else map(select({function}(.) == true)) end end",
                key,
                base,
                level=QUERY,
            )
        case _:
            return NULL


def _placed(feel: Feel, base: Piece, place: Piece) -> Piece:
    if base_of(place) not in ("number", "any"):
        return NULL
    feel.define("item")
    if place.kind == "number":
        return feel.applied(base, "item(@1)", place)
    return feel.applied(base, 'if (@1 | type) == "number" then item(@1) else null end', place)


def _logic(feel: Feel, node: tree.Logic) -> Piece:
    pieces = [feel.emit(operand) for operand in node.operands]
    if all(piece.kind == "boolean" for piece in pieces):
        template = f" {node.operator} ".join(["%n"] * len(pieces))
        level = AND if node.operator == "and" else OR
        return compose(template, *pieces, level=level, kind="boolean")
    name = feel.define("conjunction" if node.operator == "and" else "disjunction")
    listed = ", ".join(["%s"] * len(pieces))
    return compose(f"[{listed}] | {name}", *pieces, level=QUERY, kind="boolean?")


def _conditional(feel: Feel, node: tree.Conditional) -> Piece:
    template = "if "
    pieces: list[Piece] = []
    results: list[Piece] = []
    found: tree.Node = node
    while isinstance(found, tree.Conditional):
        condition = feel.emit(found.condition)
        template += "%q then %q" if condition.kind == "boolean" else "%c == true then %q"
        results.append(feel.emit(found.then))
        pieces += [condition, results[-1]]
        found = found.otherwise
        if isinstance(found, tree.Conditional):
            template += " elif "
    results.append(feel.emit(found))
    return compose(
        f"{template} else %q end", *pieces, results[-1], kind=common(results)
    )  # fmt: skip


def _entries(feel: Feel, node: tree.Entries) -> Piece:
    """A context; an entry sees those before it."""
    scope: dict[str, Piece] = {}
    bindings: list[tuple[str, Piece]] = []
    used = {part.name for part in _names(node)}
    with feel.bound(scope):
        for key, value in node.entries:
            piece = feel.emit(value)
            if key in used:
                name = feel.fresh(key)
                bindings.append((name, piece))
                piece = Piece((name,), kind=piece.kind, is_path=True)
            scope[key] = piece
    template = ", ".join(f"{quoted(key)}: %t" for key, _ in node.entries)
    found = compose(
        f"{{{template}}}", *(scope[key] for key, _ in node.entries), kind="object"
    )  # fmt: skip
    for name, piece in reversed(bindings):
        found = compose(f"%t as {name} | %q", piece, found, level=QUERY, kind="object")
    return found


def _names(node: tree.Node) -> Iterator[tree.Name]:
    pending = list(tree.children(node))
    while pending:
        found = pending.pop()
        if isinstance(found, tree.Name):
            yield found
        pending.extend(tree.children(found))


def _each(feel: Feel, node: tree.Each) -> Piece:
    (name, source), *rest = node.variables
    if isinstance(source, tree.Range):
        if source.low is None or source.high is None:
            raise Refused(source.start, source.end, "this range has no end")
        feel.define("steps")
        feel.define("numbers_only")
        items = compose("steps(%q; %q)", feel.emit(source.low), feel.emit(source.high))
    else:
        items = feel.emit(source)
    variable = feel.fresh(name)
    scope = {name: Piece((variable,), is_path=True)}
    was_repeated, feel.is_repeated = feel.is_repeated, feel.is_repeated or node.kind == "for"
    with feel.within_items(scope):
        if rest:
            inner = tree.Each(node.start, node.end, "for", tuple(rest), node.body)
            body = feel.emit(inner)
        else:
            body = feel.emit(node.body)
    feel.is_repeated = was_repeated
    template = f"map(. as {variable} | %q)"
    if rest:
        template += " | if any(. == null) then null else add // [] end"
    found = guarded(items, "list", template, "list?" if rest else "list", body)
    if node.kind == "for":
        return found
    name = feel.define("disjunction" if node.kind == "some" else "conjunction")
    if is_sure(found):
        return compose(f"%q | {name}", found, level=QUERY, kind="boolean?")
    return guarded(found, "list", name, "boolean?")


_TYPES = {
    "number": "number", "string": "string", "boolean": "boolean", "list": "list",
    "context": "object",
}  # fmt: skip


def _instance(feel: Feel, node: tree.Instance) -> Piece:
    piece = feel.emit(node.value)
    if node.type == "Any":
        return compose("%q | . != null", piece, level=QUERY, kind="boolean")
    if node.type == "Null":
        return compose("%q | . == null", piece, level=QUERY, kind="boolean")
    kind = _TYPES.get(node.type)
    if kind is None:
        raise Refused(
            node.start, node.end, f"whether it is `{node.type}` is not known of a variable"
        )
    wanted = {"list": "array"}.get(kind, kind)
    if base_of(piece) in TIMES:
        return constant(False, "boolean")
    return compose(f'%q | type == "{wanted}"', piece, level=QUERY, kind="boolean")
