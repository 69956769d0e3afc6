"""What a graph says by fixed texts, and under which names they stand.

Source: the members of `Value` that hold the author's constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias, cast

from diglot.compiler.expressions import tree
from diglot.compiler.expressions.analysis import leading_keys
from diglot.compiler.graph import (
    Assign,
    Call,
    Constant,
    DataRules,
    Emit,
    Expression,
    Graph,
    Handler,
    Listing,
    Node,
    Raise,
    Record,
    Task,
    UriTemplate,
    Value,
)
from diglot.compiler.source import Source, Span

from .programs import program_of

Owner: TypeAlias = Node | Handler


class Spoken(NamedTuple):
    """A text that is fixed in the document, and the names of the members it stands in."""

    owner: Owner
    path: tuple[str, ...]
    text: str

    @property
    def name(self) -> str:
        """The innermost name, empty where it has none."""
        return self.path[-1] if self.path else ""

    def span(self, sources: Mapping[str, Source]) -> Span | None:
        """Where the text stands in the file, else where its owner does."""
        return found_at(self.owner, self.text, sources)


def spoken(graph: Graph) -> Iterator[Spoken]:
    """Every fixed text of the nodes and handlers, in order of the document."""
    for owner in (*graph.nodes, *graph.handlers):
        for value in _values_of(owner):
            for path, text in texts(value):
                yield Spoken(owner, path, text)


def texts(value: Value) -> Iterator[tuple[tuple[str, ...], str]]:
    """The fixed texts of a value with the names they stand under."""
    rest: list[tuple[tuple[str, ...], Value]] = [((), value)]
    while rest:
        path, part = rest.pop()
        match part:
            case Record(members=members):
                rest.extend(((*path, name), member) for name, member in reversed(members))
            case Listing(items=items):
                rest.extend((path, item) for item in reversed(items))
            case Constant(document=document):
                yield from _in_document(path, document)
            case UriTemplate(text=text):
                yield path, text
            case Expression(text=text) if '"' in text and text[0] in '("':
                yield from _in_expression(path, text)
            case _:
                pass


def found_at(owner: Owner, text: str, sources: Mapping[str, Source]) -> Span | None:
    """The first place behind the beginning of `owner` where the file has `text`.

    Else the first one at all, for what is declared elsewhere; else `owner` as a whole.
    """
    whole = owner.span
    source = None if whole is None else sources.get(whole.file)
    if whole is None or source is None or not text:
        return whole
    start = source.offset(whole.start)
    at = source.text.find(text, start)
    if at < 0:
        at = source.text.find(text)
    return whole if at < 0 else source.span(at, at + len(text))


def _in_expression(path: tuple[str, ...], text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """A text that an expression always gives, and what it puts into members of a variable."""
    program = program_of(text)
    if program is None:
        return
    rest: list[tree.Node] = [program]
    while rest:
        match rest.pop():
            case tree.Literal(value=str(literal)) as node if node is program:
                yield path, literal
            case tree.Bind(source=tree.Literal(value=str(literal)), body=tree.Pipe(stages=stages)):
                match stages[-1]:
                    case tree.Assignment(target=tree.Path() as target, value=tree.Variable()):
                        yield (*path, *map(str, leading_keys(target))), literal
                    case _:
                        pass
                rest.extend(stages)
            case tree.Bind() | tree.Pipe() | tree.If() as node:
                rest.extend(tree.children(node))
            case _:
                pass


def _in_document(path: tuple[str, ...], document: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    rest: list[tuple[tuple[str, ...], Any]] = [(path, document)]
    while rest:
        place, part = rest.pop()
        if isinstance(part, str):
            yield place, part
        elif isinstance(part, dict):
            members = cast("dict[str, Any]", part)
            rest.extend(((*place, name), member) for name, member in reversed(members.items()))
        elif isinstance(part, list):
            rest.extend((place, item) for item in reversed(cast("list[Any]", part)))


def _values_of(owner: Owner) -> Iterator[Value]:
    rules = owner.data
    if rules is not None:
        yield from _in_rules(rules, before=True)
    match owner:
        case Task():
            yield owner.action.arguments
        case Call(input=given) if given is not None:
            yield given
        case Raise(payload=payload) if payload is not None:
            yield payload
        case Assign():
            yield owner.value
        case Emit():
            yield owner.event
        case _:
            pass
    if rules is not None:
        yield from _in_rules(rules, before=False)


def _in_rules(rules: DataRules, *, before: bool) -> Iterator[Value]:
    for value in (rules.read,) if before else (rules.write, rules.export):
        if value is not None:
            yield value
