"""Members of objects: how a name stands in jq, and objects put together member by member."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ..graph import Constant, Expression, Listing, Record, Value

if TYPE_CHECKING:
    from .reading import Reading

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def quoted(name: str) -> str:
    """A text as jq writes it."""
    return json.dumps(name, ensure_ascii=False)


def member(*path: str) -> str:
    """The member of `.` at the end of a path, as a jq program."""
    first = f".{path[0]}" if _WORD.fullmatch(path[0]) else f".[{quoted(path[0])}]"
    return first + "".join(f"[{quoted(name)}]" for name in path[1:])


def variable(name: str, *path: str) -> Expression:
    """A variable in sight, or something inside of it."""
    return Expression(text=member(name, *path), of="variables")


def nested(values: Sequence[Value]) -> Value:
    """An array of values."""
    return Listing(tuple(values))


class Members:
    """An object that is put together: each member is a variable, or a place inside of one.

    Where a place inside is given, the rest of the variable stays as it is.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._members: dict[str, Value] = {}

    def put(self, name: str, value: Value) -> None:
        """A member as a whole; what was put before is gone."""
        self._members[name] = value

    def put_path(self, path: Sequence[str], value: Value) -> None:
        """A member, or what stands at a path inside of one."""
        name, rest = path[0], path[1:]
        if not rest:
            self.put(name, value)
            return
        text = _text(value)
        if text is None:
            self.put(name, _wrapped(rest, value))
            return
        before = self._members.get(name)
        base = member(name) if before is None else _text(before) or member(name)
        place = member(*rest)
        # What is computed sees all variables, whatever part of them it goes into.
        whole = f'(({base}) | if type == "object" then . else {{}} end)'
        self._members[name] = Expression(
            text=f"({text}) as $__put | {whole} | {place} = $__put",
            source=value.source if isinstance(value, Expression) else None,
            source_language=value.source_language if isinstance(value, Expression) else "jq",
            of="variables",
        )

    def record(self) -> Record | None:
        """The object; None where nothing was put."""
        return Record(tuple(self._members.items())) if self._members else None


def _text(value: Value) -> str | None:
    """A value as one program over the variables in sight."""
    if isinstance(value, Constant):
        return json.dumps(value.document, ensure_ascii=False)
    return value.text if isinstance(value, Expression) else None


def _wrapped(path: Sequence[str], value: Value) -> Value:
    for name in reversed(path):
        value = Record(((name, value),))
    return value
