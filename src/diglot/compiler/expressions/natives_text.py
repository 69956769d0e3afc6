"""jq's functions of strings, and between strings and JSON."""

from __future__ import annotations

from typing import Any

from .arithmetic import is_number, truncate
from .closures_functions import builtin, on_input, on_values
from .errors import ExpressionError
from .json_text import parse_json
from .operators import add, split_text
from .paths import get
from .run import Run
from .values import failure, is_array, is_object, kind, places_in_text, shown, to_text

#: White space as Unicode has it, which is not the same as Python's.
_SPACE = "".join(map(chr, (*range(9, 14), 32, 133, 160, 0x1680, *range(0x2000, 0x200B)))) + (
    "\u2028\u2029\u202f\u205f\u3000"
)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise ExpressionError(f"{name} input must be a string")
    return value


@builtin("trim/0")
@on_input
def trim(value: Any, run: Run) -> str:
    """Without white space at both ends."""
    return _stripped(_text(value, "trim").strip(_SPACE), run)


@builtin("ltrim/0")
@on_input
def ltrim(value: Any, run: Run) -> str:
    """Without white space at the start."""
    return _stripped(_text(value, "trim").lstrip(_SPACE), run)


@builtin("rtrim/0")
@on_input
def rtrim(value: Any, run: Run) -> str:
    """Without white space at the end."""
    return _stripped(_text(value, "trim").rstrip(_SPACE), run)


def _stripped(text: str, run: Run) -> str:
    run.spend_text(len(text))
    return text


def _begins(value: Any, start: Any) -> bool:
    if not isinstance(value, str) or not isinstance(start, str):
        raise ExpressionError("startswith() requires string inputs")
    return value.startswith(start)


def _ends(value: Any, end: Any) -> bool:
    if not isinstance(value, str) or not isinstance(end, str):
        raise ExpressionError("endswith() requires string inputs")
    return value.endswith(end)


@builtin("startswith/1")
@on_values
def startswith(value: Any, start: Any, _run: Run) -> bool:
    """Whether the input begins with the argument."""
    return _begins(value, start)


@builtin("endswith/1")
@on_values
def endswith(value: Any, end: Any, _run: Run) -> bool:
    """Whether the input ends with the argument."""
    return _ends(value, end)


@builtin("ltrimstr/1")
@on_values
def ltrimstr(value: Any, start: Any, run: Run) -> Any:
    """Without the argument at the start."""
    return _stripped(value[len(start) :] if _begins(value, start) else value, run)


@builtin("rtrimstr/1")
@on_values
def rtrimstr(value: Any, end: Any, run: Run) -> Any:
    """Without the argument at the end."""
    return _stripped(value[: len(value) - len(end)] if _ends(value, end) else value, run)


@builtin("trimstr/1")
@on_values
def trimstr(value: Any, ends: Any, run: Run) -> Any:
    """Without the argument at both ends."""
    inner = value[len(ends) :] if _begins(value, ends) else value
    return _stripped(inner[: len(inner) - len(ends)] if _ends(inner, ends) else inner, run)


@builtin("split/1")
@on_values
def split(value: Any, separator: Any, run: Run) -> list[str]:
    """The parts between separators."""
    if not isinstance(value, str) or not isinstance(separator, str):
        raise ExpressionError("split input and separator must be strings")
    return split_text(value, separator, run)


@builtin("explode/0")
@on_input
def explode(value: Any, run: Run) -> list[int]:
    """The code points."""
    if not isinstance(value, str):
        raise ExpressionError("explode input must be a string")
    run.spend(len(value) >> 2)
    return list(map(ord, value))


@builtin("implode/0")
@on_input
def implode(value: Any, run: Run) -> str:
    """The string of code points; one that is none becomes U+FFFD."""
    if not is_array(value):
        raise ExpressionError("implode input must be an array")
    run.spend(len(value))
    return "".join(map(_character, value))


def _character(code: Any) -> str:
    if not is_number(code) or code != code:
        raise failure(code, "can't be imploded, unicode codepoint needs to be numeric")
    point = truncate(code, -(2**31), 2**31 - 1)
    if not 0 <= point <= 0x10FFFF or 0xD800 <= point <= 0xDFFF:
        point = 0xFFFD
    return chr(point)


_DOWN = {code: code + 32 for code in range(65, 91)}
_UP = {code: code - 32 for code in range(97, 123)}


@builtin("ascii_downcase/0")
@on_input
def ascii_downcase(value: Any, run: Run) -> str:
    """A to Z in lower case."""
    text = _text(value, "explode")
    run.spend(len(text) >> 4)
    return text.lower() if text.isascii() else text.translate(_DOWN)


@builtin("ascii_upcase/0")
@on_input
def ascii_upcase(value: Any, run: Run) -> str:
    """A to Z in upper case."""
    text = _text(value, "explode")
    run.spend(len(text) >> 4)
    return text.upper() if text.isascii() else text.translate(_UP)


@builtin("join/1")
@on_values
def join(value: Any, separator: Any, run: Run) -> Any:
    """The items as text with the separator between them; null is empty."""
    items = _items(value)
    run.spend(len(items))
    if isinstance(separator, str) and all(type(item) is str for item in items):
        # The same as below, for what is joined nearly always.
        run.spend_text(sum(map(len, items)) + len(separator) * len(items))
        return separator.join(items)
    joined: Any = None
    for item in items:
        before = "" if joined is None else add(joined, separator, run)
        if isinstance(item, bool) or is_number(item):
            item = to_text(item, run)
        joined = add(before, "" if item is None else item, run)
    return "" if joined is None else joined


def _items(value: Any) -> list[Any]:
    if is_array(value):
        return value
    if is_object(value):
        return list(value.values())
    raise ExpressionError(f"Cannot iterate over {kind(value)} ({shown(value)})")


def places(value: Any, wanted: Any, run: Run) -> Any:
    """All places of the argument in the input: jq's `indices`."""
    if isinstance(value, str) and isinstance(wanted, str):
        found = places_in_text(value, wanted)
        run.spend_text(len(value))
        run.spend(len(found))
        return found
    if is_array(value) and not is_array(wanted):
        return get(value, [wanted], run)
    return get(value, wanted, run)


@builtin("indices/1")
@on_values
def indices(value: Any, wanted: Any, run: Run) -> Any:
    """All places of the argument in the input."""
    return places(value, wanted, run)


@builtin("index/1")
@on_values
def index(value: Any, wanted: Any, run: Run) -> Any:
    """The first place of the argument in the input."""
    return get(places(value, wanted, run), 0, run)


@builtin("rindex/1")
@on_values
def rindex(value: Any, wanted: Any, run: Run) -> Any:
    """The last place of the argument in the input."""
    last = get(places(value, wanted, run), {"start": -1, "end": None}, run)
    return get(last, 0, run)


@builtin("fromjson/0")
@on_input
def fromjson(value: Any, run: Run) -> Any:
    """The value of a JSON text."""
    if not isinstance(value, str):
        raise failure(value, "only strings can be parsed")
    run.spend_text(len(value))
    run.spend(len(value) >> 2)
    return parse_json(value, run)
