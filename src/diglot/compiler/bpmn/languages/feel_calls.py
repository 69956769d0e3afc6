"""Calls of FEEL's functions."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from . import tree
from .constants import work_out
from .definitions import prelude
from .emission import Emission, kind_of
from .feel_definitions import feel_definitions
from .feel_functions import REFUSED, RULES, VARIADIC, Rule
from .feel_kinds import NULL, TIMES, base_of, guarded, is_sure, jq_type
from .pieces import OPEN, QUERY, Piece, compose, constant, render
from .result import Refused

if TYPE_CHECKING:
    from .feel import Feel

_LETTERS: Final = {"s": "string", "n": "number", "b": "boolean", "l": "list", "c": "object"}

#: Functions that make a time of a text, by what the text of an `@` literal looks like.
_LITERALS: Final = (
    (re.compile(r"-?P"), "duration"),
    (re.compile(r"\d{4}-\d\d-\d\dT"), "date and time"),
    (re.compile(r"\d{4}-\d\d-\d\d$"), "date"),
    (re.compile(r"\d\d:"), "time"),
)


def call(feel: Feel, node: tree.Call) -> Piece:
    """The piece of a call of a function."""
    name = node.name
    arguments = _in_order(node)
    if name in ("now", "today") and not arguments:
        used = feel.define("moment_of_now" if name == "now" else "date_of_now")
        kind = "moment" if name == "now" else "date"
        return compose(f"now | {used}", level=QUERY, kind=kind)
    special = _SPECIAL.get(f"{name}/{len(arguments)}") or _SPECIAL.get(f"{name}/*")
    if special is not None and arguments:
        return special(feel, node, arguments)
    rule = RULES.get(f"{name}/{len(arguments)}")
    if name in VARIADIC and (len(arguments) > 1 or (rule is None and arguments)):
        listing = tree.Listing(node.start, node.end, arguments)
        return _by_rule(feel, RULES[f"{name}/1"], (listing,))
    if rule is None:
        raise _unknown(node, len(arguments))
    return _by_rule(feel, rule, arguments)


def _unknown(node: tree.Call, count: int) -> Refused:
    end = node.start + len(node.name)
    known = [key.rpartition("/")[2] for key in RULES if key.rpartition("/")[0] == node.name]
    if known:
        wanted = " or ".join(known)
        return Refused(node.start, node.end, f"`{node.name}` takes {wanted} arguments, not {count}")
    reason = REFUSED.get(node.name)
    if reason is not None:
        return Refused(node.start, end, f"`{node.name}` is not carried: {reason}")
    return Refused(node.start, end, f"the function `{node.name}` is not known")


def _in_order(node: tree.Call) -> tuple[tree.Node, ...]:
    """The arguments in the order of the parameters."""
    if not node.names:
        return node.arguments
    rules = [rule for key, rule in RULES.items() if key.rpartition("/")[0] == node.name]
    given = dict(zip(node.names, node.arguments, strict=True))
    for rule in rules:
        names = rule.names.split(";")
        if len(names) == len(given) and set(names) == set(given):
            return tuple(given[name] for name in names)
    raise Refused(
        node.start, node.end, f"`{node.name}` has no parameters {', '.join(sorted(given))}"
    )


def _by_rule(feel: Feel, rule: Rule, arguments: tuple[tree.Node, ...]) -> Piece:
    pieces = [feel.emit(argument) for argument in arguments]
    if all(piece.value is not OPEN for piece in pieces):
        return _worked_out(rule, pieces)
    for name in rule.uses:
        feel.define(name)
    return _applied(feel, rule, pieces)


def _worked_out(rule: Rule, pieces: list[Piece]) -> Piece:
    """A call with constants alone; it stays a program where it is too dear to work out."""
    alone = Emission("")
    alone.used.update(rule.uses)
    piece = _applied(alone, rule, pieces)
    value = work_out(prelude(alone.used, feel_definitions()) + render(piece)[0])
    if value is OPEN:
        return piece
    if value is None:
        return NULL
    kind = kind_of(value) if rule.gives == "any" else rule.gives.rstrip("?")
    return constant(value, kind)


def _applied(feel: Emission, rule: Rule, pieces: list[Piece]) -> Piece:
    conditions: list[str] = []
    for place, (letter, piece) in enumerate(zip(rule.kinds, pieces, strict=True)):
        kind = _LETTERS.get(letter)
        if kind is None:
            continue
        if letter == "l":
            conditions += _listed(feel, pieces, place)
            continue
        found = base_of(piece)
        if found not in ("any", kind) and not (kind == "string" and found in TIMES):
            return NULL
        if not is_sure(piece):
            subject = "" if place == 0 else f"(@{place} | type)"
            conditions.append(
                f'{subject} == "{jq_type(kind)}"' if subject else f'type == "{jq_type(kind)}"'
            )
    template, gives = rule.template, rule.gives
    if conditions:
        template = f"if {' and '.join(conditions)} then {template} else null end"
        gives = gives if gives == "any" or gives.endswith("?") else f"{gives}?"
    return feel.applied(pieces[0], template, *pieces[1:]).of(gives)


def _listed(feel: Emission, pieces: list[Piece], place: int) -> list[str]:
    """Make a list of an argument, and ask whether it is one."""
    piece = pieces[place]
    if piece.kind == "list":
        return []
    feel.define("many")
    pieces[place] = compose("%q | many", piece, level=QUERY)
    return ['type == "array"' if place == 0 else f'(@{place} | type) == "array"']


def _not(feel: Feel, node: tree.Call, arguments: tuple[tree.Node, ...]) -> Piece:
    if len(arguments) != 1:
        raise Refused(node.start, node.end, "`not` takes 1 argument here")
    return guarded(feel.emit(arguments[0]), "boolean", "not", "boolean")


def _append(feel: Feel, node: tree.Call, arguments: tuple[tree.Node, ...]) -> Piece:
    items = [feel.emit(argument) for argument in arguments[1:]]
    pieces = [feel.emit(arguments[0])]
    conditions = _listed(feel, pieces, 0)
    added = ", ".join(f"@{place + 1}" for place in range(len(items)))
    template = f". + [{added}]"
    if len(items) > 9:
        raise Refused(node.start, node.end, "`append` takes up to 9 items here")
    if conditions:
        template = f"if {conditions[0]} then {template} else null end"
    return feel.applied(pieces[0], template, *items).of("list" if not conditions else "list?")


def _at_literal(feel: Feel, node: tree.Call, arguments: tuple[tree.Node, ...]) -> Piece:
    text = arguments[0]
    assert isinstance(text, tree.Literal)
    for pattern, name in _LITERALS:
        if pattern.match(str(text.value)):
            return _by_rule(feel, RULES[f"{name}/1"], arguments)
    raise Refused(node.start, node.end, "this is no date, time or duration", kind="syntax")


def _is(feel: Feel, node: tree.Call, arguments: tuple[tree.Node, ...]) -> Piece:
    if len(arguments) != 2:
        raise Refused(node.start, node.end, "`is` takes 2 arguments")
    left, right = (feel.emit(argument) for argument in arguments)
    return compose("%c == %c", left, right, level=QUERY, kind="boolean")


def _text_of(feel: Feel, node: tree.Node, what: str) -> str:
    """A constant text; refused where it is none."""
    value = feel.emit(node).value
    if not isinstance(value, str):
        raise Refused(node.start, node.end, f"{what} has to be a constant text here")
    return value


_META: Final = re.compile(r"[\\^$.|?*+()\[\]{}]")
#: What a pattern may be made of: the part in which XPath, Java and jq agree.
_PATTERN: Final = re.compile(
    r"""\^|\$|\||\((?:\?:)?|\)|\.|[*+?]\??|\{\d{1,3}(?:,\d{0,3})?\}
      | \\[dDsS.\\/()\[\]{}|*+?^$\-nrt]
      | \[\^?(?:[^\\\]\[&^]|\\[dDs\\\]\[\-.^])+\]
      | [^\\^$.|?*+()\[\]{}]""",
    re.VERBOSE,
)


def _matches(feel: Feel, node: tree.Call, arguments: tuple[tree.Node, ...]) -> Piece:
    if len(arguments) != 2:
        raise Refused(node.start, node.end, "flags of a pattern are not carried")
    pattern = _text_of(feel, arguments[1], "the pattern")
    written: list[str] = []
    place = 0
    before = "("
    while place < len(pattern):
        read = _PATTERN.match(pattern, place)
        if read is None or (read.group()[0] in "*+?{" and before[0] in "(|^$*+?{"):
            raise Refused(
                arguments[1].start,
                arguments[1].end,
                f"the pattern's `{pattern[place : place + 2]}` has several readings",
            )
        before = read.group()
        # In jq `^` and `$` may stand at the ends of lines as well.
        written.append({"^": r"\A", "$": r"\z"}.get(before, before))
        place = read.end()
    shown = json.dumps("".join(written), ensure_ascii=False).replace("%", "%%")
    return guarded(feel.emit(arguments[0]), "string", f"test({shown})", "boolean")


def _literal_pattern(feel: Feel, node: tree.Node) -> str:
    text = _text_of(feel, node, "the pattern")
    plain = re.sub(r"\\([\\^$.|?*+()\[\]{}])", r"\1", text)
    if (
        not text
        or _META.search(re.sub(r"\\.", "", text))
        or text.count("\\") > len(text) - len(plain) + plain.count("\\")
    ):
        raise Refused(node.start, node.end, "a pattern is carried here only if it is plain text")
    return plain


def _replace(feel: Feel, node: tree.Call, arguments: tuple[tree.Node, ...]) -> Piece:
    if len(arguments) != 3:
        raise Refused(node.start, node.end, "flags of a pattern are not carried")
    pattern = _literal_pattern(feel, arguments[1])
    other = _text_of(feel, arguments[2], "the replacement")
    if "$" in other or "\\" in other:
        raise Refused(arguments[2].start, arguments[2].end, "groups are not carried")
    shown = [json.dumps(text, ensure_ascii=False).replace("%", "%%") for text in (pattern, other)]
    template = f"split({shown[0]}) | join({shown[1]})"
    return guarded(feel.emit(arguments[0]), "string", template, "string")


def _split(feel: Feel, node: tree.Call, arguments: tuple[tree.Node, ...]) -> Piece:
    if len(arguments) != 2:
        raise Refused(node.start, node.end, "`split` takes 2 arguments")
    shown = json.dumps(_literal_pattern(feel, arguments[1]), ensure_ascii=False)
    template = f'if . == "" then [""] else split({shown.replace("%", "%%")}) end'
    return guarded(feel.emit(arguments[0]), "string", template, "list")


def _put(feel: Feel, node: tree.Call, arguments: tuple[tree.Node, ...]) -> Piece:
    return _by_rule(feel, RULES["context put/3"], arguments)


_SPECIAL: Final = {
    "not/*": _not,
    "append/*": _append,
    "@/1": _at_literal,
    "is/*": _is,
    "matches/*": _matches,
    "replace/*": _replace,
    "split/*": _split,
    "put/3": _put,
}
