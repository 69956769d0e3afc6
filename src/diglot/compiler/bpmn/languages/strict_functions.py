"""Functions of the strict languages: of JUEL's engines, of Java's classes, of Python, of XPath."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from . import tree
from .pieces import COMPARISON, QUERY, SUM, Piece, compose, constant
from .result import Refused
from .strict_operations import equal, holds

if TYPE_CHECKING:
    from .strict import Strict

Function = Callable[["Strict", tuple[tree.Node, ...], tree.Node], Piece]


class _Rule(NamedTuple):
    """What a function becomes: `first | template`, `@1` is the second argument.

    `kinds` has a letter for each argument: s(tring), n(umber), b(oolean), l(ist), or a(ny).
    """

    kinds: str
    template: str
    gives: str
    uses: tuple[str, ...] = ()


_BLANK: Final = 'IN(null, "")'
_LARGEST: Final = "if . > @1 then . else @1 end"
_LEAST: Final = "if . < @1 then . else @1 end"
_HALF_UP: Final = ". + 0.5 | floor"
_WHOLE: Final = _Rule("s", "parsed_whole({what})", "number", ("parsed_whole",))
_PARSED: Final = _Rule("s", "parsed({what})", "number", ("parsed",))
_SPELLED: Final = _Rule("a", "spelled({what})", "string", ("spelled",))
_SUM: Final = _Rule("l", 'each_is("number"; {what}) | add // 0', "number", ("each_is",))

_JAVA: Final[dict[str, _Rule]] = {
    "Boolean.parseBoolean/1": _Rule("s", 'ascii_downcase == "true"', "boolean"),
    "Integer.parseInt/1": _WHOLE,
    "Long.parseLong/1": _WHOLE,
    "Double.parseDouble/1": _PARSED,
    "String.valueOf/1": _SPELLED,
    "Math.abs/1": _Rule("n", "fabs", "number"),
    "Math.floor/1": _Rule("n", "floor", "number"),
    "Math.ceil/1": _Rule("n", "ceil", "number"),
    "Math.round/1": _Rule("n", _HALF_UP, "number"),
    "Math.max/2": _Rule("nn", _LARGEST, "number"),
    "Math.min/2": _Rule("nn", _LEAST, "number"),
    "Objects.equals/2": _Rule("aa", ". == @1", "boolean"),
    "Objects.isNull/1": _Rule("a", ". == null", "boolean"),
    "Objects.nonNull/1": _Rule("a", ". != null", "boolean"),
    "StringUtils.isEmpty/1": _Rule("a", _BLANK, "boolean"),
    "StringUtils.isNotEmpty/1": _Rule("a", f"{_BLANK} | not", "boolean"),
}
_PYTHON: Final[dict[str, _Rule]] = {
    "len/1": _Rule("a", "length_of({what})", "number", ("length_of",)),
    "str/1": _Rule("a", 'if type == "boolean" then (if . then "True" else "False" end) '
                   "else spelled({what}) end", "string", ("spelled",)),
    "int/1": _Rule("a", 'if type == "number" then trunc else parsed_whole({what}) end', "number",
                   ("parsed_whole",)),
    "float/1": _Rule("a", 'if type == "number" then . else parsed({what}) end', "number",
                     ("parsed",)),
    "abs/1": _Rule("n", "fabs", "number"),
    "max/2": _Rule("nn", _LARGEST, "number"),
    "min/2": _Rule("nn", _LEAST, "number"),
    "any/1": _Rule("l", 'each_is("boolean"; {what}) | any', "boolean", ("each_is",)),
    "all/1": _Rule("l", 'each_is("boolean"; {what}) | all', "boolean", ("each_is",)),
    "sum/1": _SUM,
    "isPresent/1": _Rule("a", ". != null", "boolean"),
    "stringEquals/2": _Rule("aa", ". == @1", "boolean"),
}  # fmt: skip
_XPATH: Final[dict[str, _Rule]] = {
    "not/1": _Rule("b", "not", "boolean"),
    "boolean/1": _Rule("a", "IN(null, false, 0, \"\", []) | not", "boolean"),
    "exists/1": _Rule("a", "IN(null, []) | not", "boolean"),
    "empty/1": _Rule("a", "IN(null, [])", "boolean"),
    "string/1": _Rule("a", "as_text({what})", "string", ("as_text",)),
    "number/1": _Rule("a", 'if type == "number" then . else parsed({what}) end', "number",
                      ("parsed",)),
    "count/1": _Rule("a", 'if type == "array" then length elif . == null then 0 else 1 end',
                     "number"),
    "sum/1": _SUM,
    "contains/2": _Rule("ss", "contains(@1)", "boolean"),
    "starts-with/2": _Rule("ss", "startswith(@1)", "boolean"),
    "ends-with/2": _Rule("ss", "endswith(@1)", "boolean"),
    "substring-before/2": _Rule("ss", "before(@1)", "string", ("before",)),
    "substring-after/2": _Rule("ss", "behind(@1)", "string", ("behind",)),
    "substring/2": _Rule("sn", ".[([@1 + 0.5 | floor - 1, 0] | max):]", "string"),
    "substring/3": _Rule(
        "snn",
        "(@1 + 0.5 | floor - 1) as $from | .[([$from, 0] | max):"
        "([$from + (@2 + 0.5 | floor), 0] | max)]",
        "string",
    ),
    "string-length/1": _Rule("s", "length", "number"),
    "normalize-space/1": _Rule("s", "normalized", "string", ("normalized",)),
    "lower-case/1": _Rule("s", "lower", "string", ("lower",)),
    "upper-case/1": _Rule("s", "upper", "string", ("upper",)),
    "floor/1": _Rule("n", "floor", "number"),
    "ceiling/1": _Rule("n", "ceil", "number"),
    "round/1": _Rule("n", _HALF_UP, "number"),
    "abs/1": _Rule("n", "fabs", "number"),
}  # fmt: skip

#: Functions of BPMN that name what is a variable here. Source: BPMN 2.0.2 10.4.3.
_DATA: Final = frozenset(("getDataObject", "getDataInput", "getDataOutput", "getProcessProperty"))

_CONSTANTS: Final[dict[str, bool]] = {"Boolean.TRUE": True, "Boolean.FALSE": False}
_PACKAGE: Final = re.compile(r"(?:[a-z][a-z0-9_]*\.){2,}[A-Z]\w*[a-z]\w*(?:\.[\w$]+)*")
_ENUM: Final = re.compile(r"[A-Z]\w*[a-z]\w*\.[A-Z][A-Z0-9_]*")


def class_constant(strict: Strict, node: tree.Member) -> Piece | None:
    """A constant of a class, None where the path is one of variables; unknown ones are refused."""
    path = _path(node)
    if path in _CONSTANTS and strict.dialect != "xpath":
        return constant(_CONSTANTS[path], "boolean")
    if _PACKAGE.fullmatch(path) or (strict.is_code and _ENUM.fullmatch(path)):
        raise Refused(node.start, node.end, f"`{path}` is a class that only its own program knows")
    return None


def _path(node: tree.Node) -> str:
    """Names with dots between them; empty for anything else."""
    names: list[str] = []
    while isinstance(node, tree.Member):
        names.append(node.name)
        node = node.base
    if not isinstance(node, tree.Name):
        return ""
    return ".".join((node.name, *reversed(names)))


def static_call(strict: Strict, node: tree.Method) -> Piece | None:
    """A call of a class's own function; None where the receiver is a value."""
    path = _path(node.base)
    if not path or strict.dialect == "xpath":
        return None
    name = f"{path.removeprefix('java.lang.').removeprefix('java.util.')}.{node.name}"
    if name in ("Integer.valueOf", "Long.valueOf"):
        return _by_rule(strict, _PYTHON["int/1"], node.arguments, node)
    rule = _JAVA.get(f"{name}/{len(node.arguments)}")
    return None if rule is None else _by_rule(strict, rule, node.arguments, node)


def call(strict: Strict, node: tree.Call) -> Piece:
    """The piece of a call of a function."""
    name = node.name
    if strict.dialect == "xpath":
        name = name.rpartition(":")[2]
        special = _xpath_special(strict, node, name)
        if special is not None:
            return special
    elif strict.dialect == "juel" and name.partition(":")[0] in ("variables", "vars", "var"):
        return _of_variables(strict, node, name.partition(":")[2])
    table = {"xpath": _XPATH, "bare": _PYTHON, "juel": {}}[strict.dialect]
    rule = table.get(f"{name}/{len(node.arguments)}")
    if rule is None:
        known = sorted(key.partition("/")[2] for key in table if key.partition("/")[0] == name)
        hint = f"It takes {' or '.join(known)} arguments." if known else ""
        raise Refused(
            node.start, node.start + len(node.name), f"the function `{node.name}` is not known",
            hint,
        )  # fmt: skip
    return _by_rule(strict, rule, node.arguments, node)


_LETTERS: Final = {"s": "string", "n": "number", "b": "boolean", "l": "list"}


def _by_rule(
    strict: Strict, rule: _Rule, arguments: tuple[tree.Node, ...], node: tree.Node
) -> Piece:
    pieces: list[Piece] = []
    for letter, argument in zip(rule.kinds, arguments, strict=True):
        piece = strict.emit(argument)
        match _LETTERS.get(letter):
            case "string" | "number" | "boolean" | "list" as kind:
                piece = strict.need(piece, kind, argument)
            case _:
                pass
        pieces.append(piece)
    for name in rule.uses:
        strict.define(name)
    template = rule.template.replace("{what}", strict.what(arguments[0]))
    first, *rest = pieces
    return strict.applied(first, template, *rest).of(rule.gives)


def _xpath_special(strict: Strict, node: tree.Call, name: str) -> Piece | None:
    """What is a variable, a constant, or joins any number of strings."""
    if name in _DATA:
        argument = node.arguments[0] if len(node.arguments) == 1 else None
        if not isinstance(argument, tree.Literal) or not isinstance(argument.value, str):
            raise Refused(
                node.start, node.end, f"`{name}` takes one name here, as a constant",
                "Data of other processes and activities cannot be read.",
            )  # fmt: skip
        return strict.variable(argument.value)
    if name in ("true", "false") and not node.arguments:
        return constant(name == "true", "boolean")
    if name == "concat" and len(node.arguments) > 1:
        pieces = [
            strict.need(strict.emit(argument), "string", argument) for argument in node.arguments
        ]
        template = " + ".join(["%a", *["%m"] * (len(pieces) - 1)])
        return compose(template, *pieces, level=SUM, kind="string")
    return None


_COMPARED: Final = {
    **dict.fromkeys(("eq", "equals"), "=="),
    **dict.fromkeys(("ne", "notEquals"), "!="),
    **dict.fromkeys(("lt", "lessThan"), "<"),
    **dict.fromkeys(("gt", "greaterThan"), ">"),
    **dict.fromkeys(("lte", "lessThanOrEquals"), "<="),
    **dict.fromkeys(("gte", "greaterThanOrEquals"), ">="),
}


def _of_variables(strict: Strict, node: tree.Call, name: str) -> Piece:
    """Flowable's functions of variables, which never fail for one that does not exist."""
    first = node.arguments[0] if node.arguments else None
    if isinstance(first, tree.Literal) and isinstance(first.value, str):
        first = tree.Name(first.start, first.end, first.value)
    if not isinstance(first, tree.Name):
        raise Refused(node.start, node.end, "the first argument has to name a variable")
    rest = node.arguments[1:]
    piece = strict.emit(first)
    match name, len(rest):
        case "get", 0:
            return piece
        case "getOrDefault", 1:
            template = "if . == null then @1 else . end"
            return strict.applied(piece, template, strict.emit(rest[0]))
        case "exists", 0:
            return compose("%c != null", piece, level=COMPARISON, kind="boolean")
        case "isEmpty" | "empty", 0:
            return compose('%q | IN(null, "", [])', piece, level=QUERY, kind="boolean")
        case "isNotEmpty" | "notEmpty", 0:
            return compose('%q | IN(null, "", []) | not', piece, level=QUERY, kind="boolean")
        case "contains", 1:
            return holds(strict, first, strict.emit(rest[0]))
        case _ if name in ("eq", "equals", "ne", "notEquals") and len(rest) == 1:
            sign = _COMPARED[name]
            binary = tree.Binary(node.start, node.end, sign, first, rest[0], (node.start, node.end))
            return equal(strict, binary, piece, strict.emit(rest[0]))
        case _ if name in _COMPARED and len(rest) == 1:
            sign = _COMPARED[name]
            binary = tree.Binary(node.start, node.end, sign, first, rest[0], (node.start, node.end))
            return strict.emit(binary)
        case _:
            raise Refused(
                node.start, node.start + len(node.name), f"the function `{node.name}` is not known"
            )
