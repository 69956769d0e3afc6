"""The tables in an empty database, and what a database says about them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final, Literal

from diglot.runtime.errors import StoreError

from . import chain

#: Who changes the layout of a database is alone with this.
LOCK: Final = "layout"
_DRIVERS: Final = {"sqlite": "pysqlite", "postgresql": "psycopg"}


def layout_statements(dialect: Literal["sqlite", "postgresql"]) -> list[str]:
    """What makes the tables in an empty database."""
    # SQLAlchemy is needed once in a database's life; opening one does not pay for it.
    from sqlalchemy.engine import Dialect, make_url
    from sqlalchemy.schema import CreateIndex, CreateTable

    from .tables import metadata

    spoken: Dialect = make_url(f"{dialect}+{_DRIVERS[dialect]}://").get_dialect()()
    made: list[str] = []
    for table in metadata.sorted_tables:
        made.append(str(CreateTable(table).compile(dialect=spoken)))
        made.extend(
            str(CreateIndex(index).compile(dialect=spoken))
            for index in sorted(table.indexes, key=lambda index: str(index.name))
        )
    return made


def new_stamp() -> tuple[tuple[str, str], ...]:
    """The facts of `meta` about a database that has the newest layout."""
    head = chain.KNOWN.head
    engines = chain.KNOWN.engines_of(head)
    return (("layout", head), ("engines", engines), ("version", own_version()))


def read_stamp(facts: Iterable[Any], path: str) -> chain.Stamp:
    """What a database says about its layout, from its facts.

    Raises:
        StoreError: it is no database of ours.
    """
    found = dict(facts)
    if "layout" not in found:
        raise StoreError(f"{path} is the database of another program; give another one")
    if "engines" not in found:
        raise StoreError(
            f"{path} has layout {found['layout']}, of a build that was never released; "
            "use the build that made it, or give another database"
        )
    return chain.Stamp(found["layout"], found["engines"], found.get("version", "unknown"))


@cache
def own_version() -> str:
    """The version of Diglot that runs."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("diglot")
    except PackageNotFoundError:
        return "unknown"
