"""Definitions of jq that stand before a program that needs them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

#: Upper and lower case: Latin up to U+017F and Cyrillic; of other letters with case none is known.
#: Source: Unicode, UnicodeData.txt and SpecialCasing.txt.
_TEXT: Final = r"""
def without_case: . < 384 or (. >= 1024 and . < 1120) or (. >= 8192 and . < 8304) or . == 8364
  or (. >= 11904 and . < 42560) or (. >= 44032 and . < 55204) or (. >= 127744 and . < 129792)
  or error("upper and lower case of \"\([.] | implode)\" are not known");
def lower: if utf8bytelength == length then ascii_downcase else explode | map(
  if without_case | not then . elif . < 65 then . elif . < 91 then . + 32
  elif . < 192 or . == 215 then . elif . < 223 then . + 32 elif . < 256 then .
  elif . == 304 then (105, 775) elif . == 376 then 255 elif . > 382 and . < 1024 then .
  elif . == 305 or . == 312 or . == 329 then .
  elif (. > 312 and . < 329) or (. > 376 and . < 383) then if . % 2 == 1 then . + 1 else . end
  elif . < 383 then if . % 2 == 0 then . + 1 else . end
  elif . < 1040 then . + 80 elif . < 1072 then . + 32 else . end) | implode end;
def upper: if utf8bytelength == length then ascii_upcase else explode | map(
  if without_case | not then . elif . > 96 and . < 123 then . - 32 elif . == 181 then 924
  elif . < 223 or . == 247 then . elif . == 223 then (83, 83) elif . == 255 then 376
  elif . < 255 then . - 32 elif . == 304 or . == 312 or . == 376 then .
  elif . == 305 then 73 elif . == 383 then 83 elif . == 329 then (700, 78)
  elif (. > 312 and . < 329) or (. > 376 and . < 383) then if . % 2 == 0 then . - 1 else . end
  elif . < 383 then if . % 2 == 1 then . - 1 else . end
  elif . < 1072 then . elif . < 1104 then . - 32 elif . < 1120 then . - 80 else . end)
  | implode end;
def folded: lower | explode | map(if . == 305 then 105 elif . == 383 then 115 elif . == 181 then 956
  elif . == 775 then empty else . end) | implode;
def trimmed: explode | until(length == 0 or .[0] > 32; .[1:])
  | until(length == 0 or .[-1] > 32; .[:-1]) | implode;
def digits: . != "" and (explode | min > 47 and max < 58);
"""

_STRICT: Final = r"""
def less($a; $b; $what): ($a | type) as $kind
  | if $kind == ($b | type) and ($kind == "number" or $kind == "string") then $a < $b
    else error("\($what) have no order: \($kind) and \($b | type)") end;
def same($a; $b; $what): if $a == null or $b == null or ($a | type) == ($b | type) then $a == $b
  else error("\($what) are not alike: \($a | type) and \($b | type)") end;
def differ($a; $b; $what): if $a == null or $b == null then false
  else same($a; $b; $what) | not end;
def plus($a; $b; $what): ($a | type) as $kind
  | if $kind == ($b | type) and ($kind == "number" or $kind == "string") then $a + $b
    else error("\($what) cannot be added: \($kind) and \($b | type)") end;
def whole($what): if . == trunc then . else error("\($what) is \(.), not a whole number") end;
def at($base; $key; $what): ($key | type) as $kind
  | if $base == null then null
    elif ($base | type) == "array" and $kind == "number" and $key >= 0 then $base[$key]
    elif ($base | type) == "object" and $kind == "string" then $base[$key]
    else error("\($what) does not exist: \($kind) into \($base | type)") end;
def holds($part; $what): if type == "string" and ($part | type) == "string" then contains($part)
  elif type == "array" then any(. == $part)
  else error("\($what) is \(type), and cannot hold \($part | type)") end;
def size($what): if type == "array" or type == "object" then length
  else error("\($what) is \(type), which has no size") end;
def measure($what): if type == "string" or type == "array" then length
  elif type == "object" or . == null then .length
  else error("\($what) is \(type), which has no length") end;
def blank($what): if type == "string" or type == "array" or type == "object" then length == 0
  else error("\($what) is \(type), which is neither empty nor not") end;
def entry($key; $what): if type == "object" and ($key | type) == "string" then .[$key]
  elif type == "array" and ($key | type) == "number" and $key >= 0 and $key < length then .[$key]
  else error("\($what) has no entry \($key | tojson)") end;
def slice($from; $to; $what): if 0 <= $from and $from <= $to and $to <= length then .[$from:$to]
  else error("\($what) has \(length) characters, not \($from) to \($to)") end;
def position($part; $what): if $part == "" and type == "string" then 0
  elif type == "string" and ($part | type) == "string" then index($part) // -1
  elif type == "array" then (map(. == $part) | index(true)) // -1
  else error("\($what) is \(type), and cannot hold \($part | type)") end;
def as_text($what): if type == "string" then . elif . == null then ""
  elif type == "number" or type == "boolean" then tostring
  else error("\($what) is \(type), which is no text") end;
def spelled($what): if type == "string" or type == "number" or type == "boolean" then tostring
  else error("\($what) is \(type), which is no text") end;
def length_of($what): if type == "string" or type == "array" or type == "object" then length
  else error("\($what) is \(type), which has no length") end;
def each_is($kind; $what): if all(type == $kind) then .
  else error("\($what) has an item that is no \($kind)") end;
def parsed_whole($what): if ltrimstr("-") | digits then tonumber
  else error("\($what) is no whole number: \(.)") end;
def parsed($what): (try tonumber catch null)
  | if . == null or isnan then error("\($what) is no number") else . end;
def before($part): index($part) as $at | if $at == null then "" else .[:$at] end;
def behind($part): index($part) as $at | if $at == null then "" else .[$at + ($part | length):] end;
def normalized: explode | map(if . == 9 or . == 10 or . == 13 then 32 else . end) | implode
  | split(" ") | map(select(. != "")) | join(" ");
"""


def read_definitions(text: str) -> dict[str, str]:
    """Definitions by their names; each begins at the start of a line."""
    parts = re.split(r"^(?=def )", text.strip(), flags=re.MULTILINE)
    return {
        re.split(r"\W", part[4:])[0]: " ".join(part.split()) for part in parts if part
    }  # fmt: skip


def _code_of(text: str) -> str:
    """The text without the characters of its strings; what is interpolated is code."""
    code: list[str] = []
    # Brackets that are open; a quote stands for a string, a backslash for an interpolation.
    open_signs: list[str] = []
    for sign in re.findall(r"\\\(|\\.|.", text, re.DOTALL):
        is_text = bool(open_signs) and open_signs[-1] == '"'
        if sign == '"':
            if is_text:
                open_signs.pop()
            else:
                open_signs.append(sign)
        elif is_text:
            if sign == "\\(":
                open_signs.append(sign)
        elif sign == "(":
            open_signs.append(sign)
        elif sign == ")" and open_signs:
            open_signs.pop()
        code.append(" " if is_text else sign)
    return "".join(code)


def prelude(used: Iterable[str], definitions: Mapping[str, str]) -> str:
    """The definitions of these names and of what they need in turn, in order of the table."""
    wanted: set[str] = set()
    pending = list(used)
    while pending:
        name = pending.pop()
        if name not in wanted:
            wanted.add(name)
            words = re.findall(r"(?<![.$\w])\w+", _code_of(definitions[name]))
            pending.extend(word for word in words if word in definitions)
    return "".join(f"{text} " for name, text in definitions.items() if name in wanted)


@cache
def text_definitions() -> Mapping[str, str]:
    """What is done to text alike in all languages."""
    return read_definitions(_TEXT)


@cache
def strict_definitions() -> Mapping[str, str]:
    """What the languages use that take a wrong type for an error."""
    return {**text_definitions(), **read_definitions(_STRICT)}
