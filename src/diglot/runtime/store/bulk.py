"""Statements that do for many rows what another one does for one, in PostgreSQL.

The values come as one array a column, which costs a fraction of one statement a row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

#: The type of each column of our tables, as PostgreSQL calls it.
Types = Mapping[tuple[str, str], str]

_INSERT = re.compile(r"INSERT INTO (\w+) \(([\w, ]+)\) VALUES \(([^()]*)\)(.*)", re.S)
_CHANGE = re.compile(r"(UPDATE|DELETE FROM) (\w+)(.*?) WHERE (.*)", re.S)
_SELECT = re.compile(r"SELECT (.*?) FROM (\w+) WHERE (.*?)(?: ORDER BY ([\w, ]+))?", re.S)
_EQUAL = re.compile(r"(\w+)=\?")


@dataclass(frozen=True, slots=True)
class Many:
    """A statement for many rows, and the types of the arrays that are its parameters."""

    text: bytes
    types: tuple[str, ...]

    def __add__(self, more: str) -> Many:
        return Many(self.text + more.encode(), self.types)


class Bulk:
    """Such statements, each made once."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self._made: dict[str, Many | None] = {}
        self._returning: dict[str, Many | None] = {}

    def __call__(self, statement: str) -> Many | None:
        """The statement for many rows; nothing if it has another form than those that are known.

        Its parameters are arrays, in the order of the single ones. What finds rows gives the
        place of each in the arrays last, from 1.
        """
        if statement not in self._made:
            self._made[statement] = self._make(statement)
        return self._made[statement]

    def returning(self, statement: str) -> Many | None:
        """The same, and it tells of the rows that changed.

        Of an update by their place in the arrays, from 1; of an insert by their first column.
        """
        if statement not in self._returning:
            made = self(statement)
            if made is not None:
                key = _INSERT.fullmatch(statement)
                made += f" RETURNING {key[2].split(', ')[0]}" if key else " RETURNING v.n"
            self._returning[statement] = made
        return self._returning[statement]

    def _make(self, statement: str) -> Many | None:
        if statement.rfind("SELECT") > 0:
            # What is inside of another statement has columns of its own.
            return None
        for form, make in ((_INSERT, _insert), (_CHANGE, _change), (_SELECT, _select)):
            found = form.fullmatch(statement)
            if found is not None:
                return make(found, self._types)
        return None


def _insert(found: re.Match[str], types: Types) -> Many | None:
    table, columns, values, rest = found[1], found[2].split(", "), found[3].split(","), found[4]
    if "?" in rest or len(columns) != len(values):
        return None
    given = [
        (name, value) for name, value in zip(columns, values, strict=True) if value.strip() == "?"
    ]
    if any("?" in value and value.strip() != "?" for value in values):
        return None
    arrays = ", ".join(
        f"${number}::{types[table, name]}[]" for number, (name, _) in enumerate(given, 1)
    )
    names = ", ".join(f"v.c{number}" for number in range(1, len(given) + 1))
    fields = iter(names.split(", "))
    selected = ", ".join(next(fields) if one.strip() == "?" else one.strip() for one in values)
    return _many(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {selected}"
        f" FROM unnest({arrays}) AS v({names.replace('v.', '')}){rest}",
        table,
        [name for name, _ in given],
        types,
    )


def _change(found: re.Match[str], types: Types) -> Many | None:
    verb, table, changes, condition = found.groups()
    columns: list[str] = []

    def number(one: re.Match[str]) -> str:
        columns.append(one[1])
        return f"{one[1]}=v.c{len(columns)}"

    changes = _EQUAL.sub(number, changes)
    condition = _EQUAL.sub(lambda one: f"{table}.{number(one)}", condition)
    if "?" in changes + condition:
        return None
    using = "FROM" if verb == "UPDATE" else "USING"
    values = _values(table, columns, types)
    return _many(
        f"{verb} {table}{changes} {using} {values} WHERE {condition}", table, columns, types
    )


def _select(found: re.Match[str], types: Types) -> Many | None:
    wanted, table, condition, order = found.groups()
    columns: list[str] = []

    def number(one: re.Match[str]) -> str:
        columns.append(one[1])
        return f"t.{one[1]}=v.c{len(columns)}"

    condition = _EQUAL.sub(number, condition)
    if "?" in condition:
        return None
    own = ", ".join(f"t.{name.strip()}" for name in wanted.split(","))
    values = _values(table, columns, types)
    places = ", ".join(["v.n", *(f"t.{name}" for name in (order or "").split(", ") if name)])
    text = f"SELECT {own}, v.n FROM {table} AS t JOIN {values} ON {condition} ORDER BY {places}"
    return _many(text, table, columns, types)


def _many(text: str, table: str, columns: list[str], types: Types) -> Many:
    return Many(text.encode(), tuple(types[table, name] for name in columns))


def _values(table: str, columns: list[str], types: Types) -> str:
    arrays = ", ".join(
        f"${number}::{types[table, name]}[]" for number, name in enumerate(columns, 1)
    )
    names = ", ".join(f"c{number}" for number in range(1, len(columns) + 1))
    return f"unnest({arrays}) WITH ORDINALITY AS v({names}, n)"
