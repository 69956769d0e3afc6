"""Tokens to the tree of a program: queries and operators.

The grammar is that of jq 1.8, with its precedences: from loose to tight `|`, `,`, `//` (right),
the assignments (none), `or`, `and`, comparisons (none), `+ -`, `* / %`, then the terms.
`def`, `as` and `label` reach as far to the right as they can.
"""

from __future__ import annotations

from . import tree
from .cursor import Cursor
from .errors import ExpressionSyntaxError
from .lexer import tokens
from .parse_terms import parse_patterns, parse_string, parse_term

_LEVELS: dict[str, int] = {
    "//": 1,
    **dict.fromkeys(("=", "|=", "+=", "-=", "*=", "/=", "%=", "//="), 2),
    "or": 3,
    "and": 4,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 5),
    **dict.fromkeys("+-", 6),
    **dict.fromkeys("*/%", 7),
}
_WITHOUT_ORDER = {2: "assignments", 5: "comparisons"}


def parse(text: str) -> tree.Node:
    """The tree of `text`; raises `ExpressionSyntaxError`."""
    cursor = Cursor(text, tokens(text), parse_query, parse_expression)
    try:
        directives = _directives(cursor)
        if cursor.kind == "END":
            raise cursor.unexpected("an expression")
        body = parse_query(cursor)
        if cursor.kind != "END":
            raise cursor.unexpected("an operator or the end")
    except RecursionError:
        raise ExpressionSyntaxError("nested too deeply", 0, len(text)) from None
    return tree.Module(0, len(text), directives, body) if directives else body


def parse_query(cursor: Cursor) -> tree.Node:
    """`a | b | c`."""
    cursor.enter()
    start = cursor.token.start
    stages = [_comma(cursor)]
    while cursor.skip("|"):
        stages.append(_comma(cursor))
    cursor.leave()
    if len(stages) == 1:
        return stages[0]
    return tree.Pipe(start, cursor.last_end, tuple(stages))


def parse_expression(cursor: Cursor, level: int = 1) -> tree.Node:
    """Operators of at least `level`: no `|`, `,`, `as`, `def` and `label` outside of brackets."""
    start = cursor.token.start
    left = parse_term(cursor)
    while (found := _LEVELS.get(cursor.kind, 0)) >= level:
        rest: list[tuple[str, tree.Node]] = []
        while _LEVELS.get(cursor.kind) == found:
            if rest and found in _WITHOUT_ORDER:
                raise cursor.unexpected(f"parentheses: {_WITHOUT_ORDER[found]} have no order")
            operator = cursor.take().kind
            rest.append((operator, parse_expression(cursor, found + 1)))
        left = _operation(found, start, cursor.last_end, left, rest)
    return left


def _operation(
    level: int, start: int, end: int, left: tree.Node, rest: list[tuple[str, tree.Node]]
) -> tree.Node:
    operator, right = rest[0]
    items = (left, *(item for _, item in rest))
    match level:
        case 1:
            return tree.Alternative(start, end, items)
        case 2:
            return tree.Assignment(start, end, operator, left, right)
        case 3 | 4:
            return tree.Logic(start, end, operator, items)
        case 5:
            return tree.Comparison(start, end, operator, left, right)
        case _:
            return tree.Arithmetic(start, end, left, tuple(rest))


def _comma(cursor: Cursor) -> tree.Node:
    start = cursor.token.start
    items = [_item(cursor)]
    while cursor.skip(","):
        items.append(_item(cursor))
    if len(items) == 1:
        return items[0]
    return tree.Comma(start, cursor.last_end, tuple(items))


def _item(cursor: Cursor) -> tree.Node:
    start = cursor.token.start
    if cursor.kind == "def":
        function = _function(cursor)
        body = parse_query(cursor)
        return tree.Define(start, cursor.last_end, function, body)
    if cursor.kind == "label":
        cursor.take()
        name = cursor.expect("VARIABLE", "after 'label'").value
        cursor.expect("|", "after the label")
        body = parse_query(cursor)
        return tree.Label(start, cursor.last_end, name, body)
    source = parse_expression(cursor)
    if not cursor.skip("as"):
        return source
    patterns = parse_patterns(cursor)
    cursor.expect("|", "after the variables")
    body = parse_query(cursor)
    return tree.Bind(start, cursor.last_end, source, patterns, body)


def _function(cursor: Cursor) -> tree.Function:
    start = cursor.take().start
    name = cursor.expect("IDENT", "after 'def'").value
    parameters: list[tree.Parameter] = []
    if cursor.skip("("):
        while True:
            if cursor.kind not in ("VARIABLE", "IDENT"):
                raise cursor.unexpected("a parameter")
            token = cursor.take()
            parameters.append(tree.Parameter(token.value, token.kind == "VARIABLE"))
            if not cursor.skip(";"):
                break
        cursor.expect(")", "after the parameters")
    cursor.expect(":", "before the body of the function")
    body = parse_query(cursor)
    end = cursor.expect(";", "after the body of the function").end
    return tree.Function(start, end, name, tuple(parameters), body)


def _directives(cursor: Cursor) -> tuple[tree.Directive, ...]:
    """`module` and imports; their contents are checked for form only."""
    found: list[tree.Directive] = []
    if cursor.kind == "module":
        start = cursor.take().start
        parse_query(cursor)
        found.append(tree.Directive(start, cursor.expect(";", "after 'module'").end, "module"))
    while cursor.kind in ("import", "include"):
        token = cursor.take()
        parse_string(cursor)
        if token.kind == "import":
            cursor.expect("as", "after the path")
            if not cursor.is_at("VARIABLE", "IDENT"):
                raise cursor.unexpected("a name for the import")
            cursor.take()
        if not cursor.is_at(";"):
            parse_query(cursor)
        end = cursor.expect(";", f"after {token.kind!r}").end
        found.append(tree.Directive(token.start, end, token.kind))
    return tuple(found)
