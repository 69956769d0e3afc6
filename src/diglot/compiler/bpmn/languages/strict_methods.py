"""Methods of strings, lists and maps that JSON values can answer for; all others are refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from . import tree
from .pieces import COMPARISON, QUERY, Piece, compose, field
from .result import Refused
from .strict_functions import static_call
from .strict_operations import holds

if TYPE_CHECKING:
    from .strict import Strict

Kind = Literal["any", "number", "string", "boolean", "list", "object"]


class _Rule(NamedTuple):
    """What a method becomes: `receiver | template`, `@1` is its first argument.

    `{what}` is the author's words for the receiver.
    """

    receiver: Kind
    template: str
    gives: str
    arguments: tuple[Kind, ...] = ()
    uses: tuple[str, ...] = ()


_SEARCHED: Final = _Rule("any", "holds(@1; {what})", "boolean", ("any",), ("holds",))
_STARTS: Final = _Rule("string", "startswith(@1)", "boolean", ("string",))
_ENDS: Final = _Rule("string", "endswith(@1)", "boolean", ("string",))
_LOWER: Final = _Rule("string", "lower", "string", (), ("lower",))
_UPPER: Final = _Rule("string", "upper", "string", (), ("upper",))
_TRIM: Final = _Rule("string", "trimmed", "string", (), ("trimmed",))
_STRIP: Final = _Rule("string", "trim", "string")
_NUMBER: Final = _Rule("number", ".", "number")
_WHOLE: Final = _Rule("number", "trunc", "number")
_ENTRY: Final = _Rule("any", "entry(@1; {what})", "any", ("any",), ("entry",))

_RULES: Final[dict[tuple[str, int], _Rule]] = {
    ("contains", 1): _SEARCHED,
    ("includes", 1): _SEARCHED,
    ("startsWith", 1): _STARTS,
    ("startswith", 1): _STARTS,
    ("endsWith", 1): _ENDS,
    ("endswith", 1): _ENDS,
    ("isEmpty", 0): _Rule("any", "blank({what})", "boolean", (), ("blank",)),
    ("isBlank", 0): _Rule("string", 'trim == ""', "boolean"),
    ("size", 0): _Rule("any", "size({what})", "number", (), ("size",)),
    ("length", 0): _Rule("string", "length", "number"),
    ("toLowerCase", 0): _LOWER,
    ("lower", 0): _LOWER,
    ("toUpperCase", 0): _UPPER,
    ("upper", 0): _UPPER,
    ("trim", 0): _TRIM,
    ("strip", 0): _STRIP,
    ("equalsIgnoreCase", 1): _Rule(
        "string",
        "folded == (@1 | if . == null then null else folded end)",
        "boolean",
        ("any",),
        ("folded",),
    ),
    ("compareTo", 1): _Rule(
        "number", ". - @1 | if . > 0 then 1 elif . < 0 then -1 else 0 end", "number", ("number",)
    ),
    ("concat", 1): _Rule("string", ". + @1", "string", ("string",)),
    ("indexOf", 1): _Rule("any", "position(@1; {what})", "number", ("any",), ("position",)),
    ("charAt", 1): _Rule("string", "slice(@1; @1 + 1; {what})", "string", ("number",), ("slice",)),
    ("substring", 1): _Rule(
        "string", "slice(@1; length; {what})", "string", ("number",), ("slice",)
    ),
    ("substring", 2): _Rule(
        "string", "slice(@1; @2; {what})", "string", ("number", "number"), ("slice",)
    ),
    ("get", 1): _ENTRY,
    ("getOrDefault", 2): _Rule(
        "object", "if has(@1) then .[@1] else @2 end", "any", ("string", "any")
    ),
    ("containsKey", 1): _Rule("object", "has(@1)", "boolean", ("string",)),
    ("containsValue", 1): _Rule("object", "any(. == @1)", "boolean", ("any",)),
    ("values", 0): _Rule("object", "[.[]]", "list"),
    ("keySet", 0): _Rule("object", "keys_unsorted", "list"),
    ("toString", 0): _Rule("any", "spelled({what})", "string", (), ("spelled",)),
    ("intValue", 0): _WHOLE,
    ("longValue", 0): _WHOLE,
    ("doubleValue", 0): _NUMBER,
    ("floatValue", 0): _NUMBER,
    ("booleanValue", 0): _Rule("boolean", ".", "boolean"),
}

#: Methods named like getters that are something else.
_NO_GETTERS: Final = frozenset(("getClass", "getBytes", "isPresent", "isAlive", "getTime"))
_GETTER: Final = re.compile(r"(?:get|is)([A-Z_$][\w$]*)")

#: What engines call the running instance, and the methods that read its variables.
RUNS: Final = frozenset(("execution", "kcontext", "delegateExecution"))
_READS: Final = frozenset(("getVariable", "getVariableLocal"))
_ASKS: Final = frozenset(("hasVariable", "hasVariableLocal"))


def method(strict: Strict, node: tree.Method) -> Piece:
    """The piece of a call of a method."""
    base = node.base
    if isinstance(base, tree.Name) and base.name in RUNS:
        return _of_the_run(strict, node)
    known = static_call(strict, node)
    if known is not None:
        return known
    if node.name == "equals" and len(node.arguments) == 1:
        return _equals(strict, node)
    if node.name in ("contains", "includes") and len(node.arguments) == 1:
        return holds(strict, base, strict.emit(node.arguments[0]))
    receiver = strict.emit(base)
    rule = _RULES.get((node.name, len(node.arguments)))
    if rule is not None:
        return _by_rule(strict, node, rule, receiver)
    getter = _GETTER.fullmatch(node.name)
    is_getter = getter is not None and not node.arguments and node.name not in _NO_GETTERS
    if getter is None or not is_getter or strict.dialect == "xpath":
        raise Refused(
            *node.named, f"`{node.name}()` is a method that only its own program knows",
            "Let a job compute the value, and read the variable it leaves.",
        )  # fmt: skip
    return field(receiver, _decapitalized(getter.group(1)))


def _decapitalized(name: str) -> str:
    """The name of the property behind a getter: `VisaRequired` is `visaRequired`, `URL` stays.

    Source: JavaBeans 1.01, 8.8.
    """
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def _by_rule(strict: Strict, node: tree.Method, rule: _Rule, receiver: Piece) -> Piece:
    if rule.receiver != "any":
        receiver = strict.need(receiver, rule.receiver, node.base)
    arguments: list[Piece] = []
    for kind, argument in zip(rule.arguments, node.arguments, strict=True):
        piece = strict.emit(argument)
        arguments.append(piece if kind == "any" else strict.need(piece, kind, argument))
    for name in rule.uses:
        strict.define(name)
    template = rule.template.replace("{what}", strict.what(node.base))
    if template == ".":
        return receiver
    return strict.applied(receiver, template, *arguments).of(rule.gives)


def _equals(strict: Strict, node: tree.Method) -> Piece:
    """Java's `equals`: values of different types are not equal, and null has no methods."""
    receiver, other = strict.emit(node.base), strict.emit(node.arguments[0])
    if receiver.kind == "null":
        raise Refused(node.base.start, node.base.end, "null has no methods", kind="type")
    if receiver.kind != "any":
        return compose("%c == %c", receiver, other, level=COMPARISON, kind="boolean")
    fault = strict.fault(node.base, "and has no methods")
    return strict.applied(
        receiver, f"if . == null then {fault} else . == @1 end", other
    ).of("boolean")  # fmt: skip


def _of_the_run(strict: Strict, node: tree.Method) -> Piece:
    """`execution.getVariable('x')` and its like."""
    name = node.arguments[0] if len(node.arguments) == 1 else None
    if node.name not in _READS | _ASKS:
        raise Refused(*node.named, f"`{node.name}()` asks the engine for what is no variable")
    if not isinstance(name, tree.Literal) or not isinstance(name.value, str):
        raise Refused(node.start, node.end, "the name of the variable has to be a constant")
    if node.name in _READS:
        return strict.variable(name.value)
    strict.names.add(name.value)
    template = "%t | has(%t)" if strict.is_inner else "has(%t)"
    operands = (strict.root, strict.emit(name)) if strict.is_inner else (strict.emit(name),)
    return compose(template, *operands, level=QUERY, kind="boolean")
