"""Tokens to the tree of a program: terms, which are everything tighter than an operator."""

from __future__ import annotations

from collections.abc import Callable

from . import tree
from .cursor import Cursor
from .errors import ExpressionSyntaxError
from .lexer import KEYWORDS

_CONSTANTS = {"true": True, "false": False, "null": None}


def parse_term(cursor: Cursor) -> tree.Node:
    """A term with the path steps and question marks behind it."""
    start = cursor.token.start
    node = _plain_term(cursor)
    steps: list[tree.Step] = []
    while True:
        step = _step(cursor)
        if step is not None:
            steps.append(step)
            continue
        if steps:
            node = tree.Path(start, cursor.last_end, node, tuple(steps))
            steps = []
        if not cursor.skip("?"):
            return node
        cursor.enter()
        node = tree.Try(start, cursor.last_end, node, None)
        cursor.leave()


def _step(cursor: Cursor) -> tree.Step | None:
    """The next step of a path, if there is one."""
    match cursor.kind:
        case "FIELD":
            token = cursor.take()
            key: tree.Node = tree.Literal(token.start + 1, token.end, token.value)
            return tree.IndexStep(cursor.skip("?"), key)
        case "." if cursor.next_kind == "[":
            return _bracket(cursor)
        case "." if cursor.next_kind in ("STRING", "FORMAT"):
            cursor.take()
            key = parse_string(cursor)
            return tree.IndexStep(cursor.skip("?"), key)
        case "[":
            return _bracket(cursor)
        case _:
            return None


def _bracket(cursor: Cursor) -> tree.Step:
    """What stands in brackets; behind a dot (`.a.[0]`) jq takes no slices."""
    has_dot = cursor.skip(".")
    cursor.take()
    if cursor.skip("]"):
        return tree.EachStep(cursor.skip("?"))
    if not has_dot and cursor.skip(":"):
        high = cursor.query(cursor)
        cursor.expect("]", "after the slice")
        return tree.SliceStep(cursor.skip("?"), None, high)
    key = cursor.query(cursor)
    if not has_dot and cursor.skip(":"):
        upper = None if cursor.kind == "]" else cursor.query(cursor)
        cursor.expect("]", "after the slice")
        return tree.SliceStep(cursor.skip("?"), key, upper)
    cursor.expect("]", "after the index")
    return tree.IndexStep(cursor.skip("?"), key)


def _plain_term(cursor: Cursor) -> tree.Node:
    token = cursor.token
    reader = _TERMS.get(token.kind)
    if reader is None:
        raise cursor.unexpected("a value")
    return reader(cursor)


def _dot(cursor: Cursor) -> tree.Node:
    token = cursor.take()
    if cursor.kind in ("STRING", "FORMAT"):
        key = parse_string(cursor)
        return tree.Path(
            token.start,
            cursor.last_end,
            tree.Identity(token.start, token.end),
            (tree.IndexStep(cursor.skip("?"), key),),
        )
    if cursor.kind == "IDENT":
        raise ExpressionSyntaxError(
            "a field name stands directly behind its dot", token.start, cursor.token.end
        )
    return tree.Identity(token.start, token.end)


def _field(cursor: Cursor) -> tree.Node:
    # The steps of the path are read by the caller, this one with them.
    start = cursor.token.start
    return tree.Identity(start, start)


def _descend(cursor: Cursor) -> tree.Node:
    token = cursor.take()
    return tree.Descend(token.start, token.end)


def _number(cursor: Cursor) -> tree.Node:
    token = cursor.take()
    return tree.Literal(token.start, token.end, token.value)


def _variable(cursor: Cursor) -> tree.Node:
    token = cursor.take()
    return tree.Variable(token.start, token.end, token.value)


def _location(cursor: Cursor) -> tree.Node:
    token = cursor.take()
    return tree.Location(token.start, token.end, cursor.text.count("\n", 0, token.start) + 1)


def _format(cursor: Cursor) -> tree.Node:
    if cursor.next_kind == "STRING":
        return parse_string(cursor)
    token = cursor.take()
    return tree.Format(token.start, token.end, token.value)


def parse_string(cursor: Cursor) -> tree.Node:
    """A string, with or without a format before it and expressions in it."""
    start = cursor.token.start
    name = cursor.take().value if cursor.kind == "FORMAT" else "text"
    cursor.expect("STRING", "here")
    parts: list[str | tree.Node] = []
    while not cursor.skip("STRING_END"):
        token = cursor.take()
        if token.kind == "INTERPOLATION":
            parts.append(cursor.query(cursor))
            cursor.expect("INTERPOLATION_END", "after the expression in the string")
        elif parts and isinstance(parts[-1], str):
            parts[-1] += token.value
        else:
            parts.append(token.value)
    end = cursor.last_end
    if all(isinstance(part, str) for part in parts):
        return tree.Literal(start, end, parts[0] if parts else "")
    return tree.Text(start, end, name, tuple(parts))


def _negation(cursor: Cursor) -> tree.Node:
    start = cursor.take().start
    cursor.enter()
    operand = parse_term(cursor)
    cursor.leave()
    return tree.Negation(start, cursor.last_end, operand)


def _parentheses(cursor: Cursor) -> tree.Node:
    cursor.take()
    node = cursor.query(cursor)
    cursor.expect(")", "to close the parenthesis")
    return node


def _array(cursor: Cursor) -> tree.Node:
    start = cursor.take().start
    if cursor.skip("]"):
        return tree.Array(start, cursor.last_end, None)
    body = cursor.query(cursor)
    cursor.expect("]", "to close the array")
    return tree.Array(start, cursor.last_end, body)


def _object(cursor: Cursor) -> tree.Node:
    start = cursor.take().start
    cursor.enter()
    entries: list[tree.Entry] = []
    while cursor.kind != "}":
        entries.append(_entry(cursor))
        if not cursor.skip(","):
            break
    cursor.expect("}", "to close the object")
    cursor.leave()
    return tree.Object(start, cursor.last_end, tuple(entries))


def _entry(cursor: Cursor) -> tree.Entry:
    token = cursor.token
    match token.kind:
        case "VARIABLE":
            cursor.take()
            variable = tree.Variable(token.start, token.end, token.value)
            if cursor.skip(":"):
                return tree.Entry(variable, _entry_value(cursor))
            return tree.Entry(tree.Literal(token.start, token.end, token.value), variable)
        case "LOCATION":
            return tree.Entry(tree.Literal(token.start, token.end, "__loc__"), _location(cursor))
        case "(":
            key = _key_in_parentheses(cursor)
            cursor.expect(":", "after the key")
            return tree.Entry(key, _entry_value(cursor))
        case "STRING" | "FORMAT":
            key = parse_string(cursor)
        case kind if kind == "IDENT" or kind in KEYWORDS:
            cursor.take()
            key = tree.Literal(token.start, token.end, token.value)
        case _:
            raise cursor.unexpected("a key (another expression as key needs parentheses)")
    return tree.Entry(key, _entry_value(cursor) if cursor.skip(":") else None)


def _key_in_parentheses(cursor: Cursor) -> tree.Node:
    cursor.take()
    key = cursor.query(cursor)
    cursor.expect(")", "after the key")
    if _is_surely_no_key(key):
        raise ExpressionSyntaxError("a key must be a string", key.start, key.end)
    return key


def _is_surely_no_key(node: tree.Node) -> bool:
    """Whether jq knows before the run that this is no string."""
    match node:
        case tree.Literal(value=value):
            return not isinstance(value, str)
        case tree.Array(body=body):
            items = body.items if isinstance(body, tree.Comma) else (body,)
            return all(item is None or isinstance(item, tree.Literal) for item in items)
        case tree.Object(entries=entries):
            return all(isinstance(entry.value, tree.Literal) for entry in entries)
        case tree.Arithmetic(first=first, rest=rest):
            signs = {sign for sign, _ in rest}
            terms = (first, *(term for _, term in rest))
            return signs <= set("+-*") and all(
                isinstance(term, tree.Literal) and isinstance(term.value, int | float)
                for term in terms
            )
        case _:
            return False


def _entry_value(cursor: Cursor) -> tree.Node:
    start = cursor.token.start
    stages = [cursor.expression(cursor)]
    while cursor.skip("|"):
        stages.append(cursor.expression(cursor))
    if len(stages) == 1:
        return stages[0]
    return tree.Pipe(start, cursor.last_end, tuple(stages))


def _if(cursor: Cursor) -> tree.Node:
    start = cursor.take().start
    branches: list[tuple[tree.Node, tree.Node]] = []
    while True:
        condition = cursor.query(cursor)
        cursor.expect("then", "after the condition")
        branches.append((condition, cursor.query(cursor)))
        if not cursor.skip("elif"):
            break
    otherwise = cursor.query(cursor) if cursor.skip("else") else None
    cursor.expect("end", "to close 'if'")
    return tree.If(start, cursor.last_end, tuple(branches), otherwise)


def _try(cursor: Cursor) -> tree.Node:
    start = cursor.take().start
    cursor.enter()
    body = parse_term(cursor)
    handler = parse_term(cursor) if cursor.skip("catch") else None
    cursor.leave()
    return tree.Try(start, cursor.last_end, body, handler)


def _fold(cursor: Cursor) -> tree.Node:
    token = cursor.take()
    source = cursor.expression(cursor)
    cursor.expect("as", f"after the source of {token.kind!r}")
    patterns = parse_patterns(cursor)
    cursor.expect("(", f"to open the body of {token.kind!r}")
    init = cursor.query(cursor)
    cursor.expect(";", "after the start value")
    update = cursor.query(cursor)
    if token.kind == "reduce":
        cursor.expect(")", "to close 'reduce'")
        return tree.Reduce(token.start, cursor.last_end, source, patterns, init, update)
    extract = cursor.query(cursor) if cursor.skip(";") else None
    cursor.expect(")", "to close 'foreach'")
    return tree.Foreach(token.start, cursor.last_end, source, patterns, init, update, extract)


def _break(cursor: Cursor) -> tree.Node:
    start = cursor.take().start
    name = cursor.expect("VARIABLE", "after 'break'").value
    return tree.Break(start, cursor.last_end, name)


def _call(cursor: Cursor) -> tree.Node:
    token = cursor.take()
    if not cursor.skip("("):
        if token.value in _CONSTANTS:
            return tree.Literal(token.start, token.end, _CONSTANTS[token.value])
        return tree.Call(token.start, token.end, token.value, (), token.end)
    arguments = [cursor.query(cursor)]
    while cursor.skip(";"):
        arguments.append(cursor.query(cursor))
    cursor.expect(")", "after the arguments")
    return tree.Call(token.start, cursor.last_end, token.value, tuple(arguments), token.end)


def parse_patterns(cursor: Cursor) -> tuple[tree.Pattern, ...]:
    """The patterns behind `as`, separated by `?//`."""
    patterns = [_pattern(cursor)]
    while cursor.skip("?//"):
        patterns.append(_pattern(cursor))
    return tuple(patterns)


def _pattern(cursor: Cursor) -> tree.Pattern:
    """One pattern: a variable, an array of patterns or an object of patterns."""
    cursor.enter()
    try:
        match cursor.kind:
            case "VARIABLE":
                return tree.Bound(cursor.take().value)
            case "[":
                cursor.take()
                items = [_pattern(cursor)]
                while cursor.skip(","):
                    items.append(_pattern(cursor))
                cursor.expect("]", "to close the pattern")
                return tree.ArrayPattern(tuple(items))
            case "{":
                cursor.take()
                entries = [_pattern_entry(cursor)]
                while cursor.skip(","):
                    entries.append(_pattern_entry(cursor))
                cursor.expect("}", "to close the pattern")
                return tree.ObjectPattern(tuple(entries))
            case _:
                raise cursor.unexpected("a variable or a pattern")
    finally:
        cursor.leave()


def _pattern_entry(cursor: Cursor) -> tuple[tree.Node, str | None, tree.Pattern | None]:
    token = cursor.token
    match token.kind:
        case "VARIABLE":
            cursor.take()
            key: tree.Node = tree.Literal(token.start, token.end, token.value)
            return (key, token.value, _pattern(cursor) if cursor.skip(":") else None)
        case "(":
            key = _key_in_parentheses(cursor)
        case "STRING" | "FORMAT":
            key = parse_string(cursor)
        case kind if kind == "IDENT" or kind in KEYWORDS:
            cursor.take()
            key = tree.Literal(token.start, token.end, token.value)
        case _:
            raise cursor.unexpected("a key of the pattern")
    cursor.expect(":", "after the key")
    return (key, None, _pattern(cursor))


_TERMS: dict[str, Callable[[Cursor], tree.Node]] = {
    ".": _dot,
    "..": _descend,
    "FIELD": _field,
    "NUMBER": _number,
    "VARIABLE": _variable,
    "LOCATION": _location,
    "FORMAT": _format,
    "STRING": parse_string,
    "-": _negation,
    "(": _parentheses,
    "[": _array,
    "{": _object,
    "if": _if,
    "try": _try,
    "reduce": _fold,
    "foreach": _fold,
    "break": _break,
    "IDENT": _call,
}
