"""The functions of jq that work on values: what they take, and what they give.

A function fails for every input, or argument, of a kind that it does not take.

Source: jq 1.8 manual, Builtin operators and functions.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

from .joining import union
from .model import (
    ANY_ARRAY,
    ANY_NUMBER,
    ANY_OBJECT,
    ANY_TEXT,
    ARRAY,
    BOOLEAN,
    EVERY,
    NULL,
    NULL_ONLY,
    NUMBER,
    OBJECT,
    ODD_ANYTHING,
    ODD_NUMBER,
    TEXT,
    TRUTH,
    Type,
    array_of,
)

_KINDS: Final = {
    "n": NULL, "b": BOOLEAN, "d": NUMBER, "t": TEXT, "a": ARRAY, "o": OBJECT, "*": EVERY,
}  # fmt: skip
#: `m` is a number that may be none; `T` and `D` are arrays of texts and of numbers.
_GIVEN: Final = {
    "n": NULL_ONLY, "b": TRUTH, "d": ANY_NUMBER, "m": ODD_NUMBER, "t": ANY_TEXT, "a": ANY_ARRAY,
    "o": ANY_OBJECT, "*": ODD_ANYTHING, "T": array_of((), ANY_TEXT), "D": array_of((), ANY_NUMBER),
}  # fmt: skip

#: name, what the input may be, each argument, the result; a `+` gives any number of results.
_TABLE: Final = """
ascii_downcase t t
ascii_upcase t t
bsearch a * d
capture t t o+
capture t t tn o+
ceil d m
cos d m
endswith t t b
exp d m
exp10 d m
exp2 d m
explode t D
fabs d m
floor d m
format * t t
fromdate t d
fromdateiso8601 t d
fromjson t *
gmtime d D
gsub t t * t+
gsub t t * t t+
have_decnum * b
have_literal_numbers * b
implode a t
index * * *
indices * * *
infinite * m
isfinite * b
isinfinite * b
isnan * b
isnormal * b
join ao * t
length ndtao m
log d m
log10 d m
log2 d m
ltrim t t
ltrimstr t t t
match t ta o+
match t ta tn o+
mktime a d
nan * m
not * b
now * d
pow * d d m
rindex * * *
round d m
rtrim t t
rtrimstr t t t
scan t ta *+
scan t t tn *+
sin d m
split t t T
split t t tn T
splits t t t+
splits t t tn t+
sqrt d m
startswith t t b
strftime da t t
strptime t t a
sub t t * t+
sub t t * t t+
tan d m
test t ta b
test t t tn b
toboolean bt b
todate da t
todateiso8601 da t
tojson * t
tonumber dt m
tostring * t
transpose ao a
trim t t
trimstr t t t
trunc d m
type * t
utf8bytelength t d
"""


class Signature(msgspec.Struct, frozen=True):
    """The kinds that the input and the arguments may have, and the result."""

    input: int
    arguments: tuple[int, ...]
    result: Type
    is_many: bool


@cache
def signatures() -> dict[tuple[str, int], Signature]:
    """Every signature, by the name of the function and the number of its arguments."""
    found: dict[tuple[str, int], Signature] = {}
    for line in _TABLE.strip().splitlines():
        name, taken, *arguments, given = line.split()
        result = _GIVEN[given[0]]
        for letter in given[1:].rstrip("+"):
            result = union(result, _GIVEN[letter])
        found[name, len(arguments)] = Signature(
            _kinds(taken), tuple(map(_kinds, arguments)), result, given.endswith("+")
        )
    return found


def _kinds(letters: str) -> int:
    kinds = 0
    for letter in letters:
        kinds |= _KINDS[letter]
    return kinds
