"""Who is next: tenants take turns, and limits hold."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from . import sql
from .database import Connection


class Turns:
    """Whose turn it is: a claim goes on behind the tenant, and of a tenant the type, served last.

    Each engine has its own; that they do not know of each other only shuffles the turns.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._tenant = ""
        self._type: dict[str, str] = {}

    def tenants(self, names: Iterable[str]) -> list[str]:
        """Tenants in the order of their turns."""
        with self._guard:
            return _behind(sorted(names), self._tenant)

    def types(self, tenant: str, names: Iterable[str]) -> list[str]:
        """Types of a tenant in the order of their turns."""
        with self._guard:
            return _behind(sorted(names), self._type.get(tenant, ""))

    def served(self, type: str, tenant: str) -> None:
        """This one had its turn."""
        with self._guard:
            self._tenant = tenant
            self._type[tenant] = type


def _behind(names: list[str], last: str) -> list[str]:
    first = bisect_right(names, last)
    return names[first:] + names[:first]


class Round:
    """One claim of up to `limit` jobs of `waiting`: (type, tenant) that have some."""

    def __init__(self, turns: Turns, waiting: Iterable[tuple[str, str]], limit: int) -> None:
        self._turns = turns
        self._left = limit
        self._got = 0
        self._has_more = False
        self._types: dict[str, list[str]] = {}
        for type, tenant in waiting:
            self._types.setdefault(tenant, []).append(type)

    def __iter__(self) -> Iterator[tuple[str, str, int]]:
        """(type, tenant, how many at most): an equal share for each tenant, then what is left.

        Who asks says with `took` how many there were before it asks for the next.
        """
        tenants = self._turns.tenants(self._types)
        while tenants and self._left > 0:
            share = max(1, self._left // len(tenants))
            hungry: list[str] = []
            for tenant in tenants:
                ours = min(share, self._left)
                types = self._turns.types(tenant, self._types[tenant])
                for place, type in enumerate(types):
                    most = -(-ours // (len(types) - place))
                    if most <= 0:
                        break
                    yield type, tenant, most
                    ours -= self._got
                    if self._has_more and tenant not in hungry:
                        hungry.append(tenant)
            tenants = hungry

    def took(self, type: str, tenant: str, count: int, *, has_more: bool) -> None:
        """So many jobs were given out, and there may be more that can be."""
        self._got = count
        self._has_more = has_more and count > 0
        self._left -= count
        if count:
            self._turns.served(type, tenant)


class Limits:
    """How many more jobs may be let out in a transaction, in which nobody else lets out any."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._most: dict[tuple[str, str], int] = {}
        self._out: dict[tuple[str, str | int], int] = {}
        found = connection.execute(sql.LIMITS).fetchall()
        if found:
            # Two who count at once would both see the last place free.
            connection.alone("limits")
            found = connection.execute(sql.LIMITS).fetchall()
        self._most = {(kind, name): most for kind, name, most in found}

    def room(self, type: str, tenant: str, wanted: int) -> int:
        """How many of these a tenant may have now, of those that are wanted."""
        if not self._most:
            return wanted
        for kind, name in (("tenant", tenant), ("type", type)):
            most = self._limit(kind, name)
            if most is not None:
                wanted = min(wanted, most - self._count(kind, name))
        return wanted

    @property
    def most_each(self) -> int | None:
        """How many jobs of one instance may be out, if there is a limit for all."""
        return self._most.get(("instance", ""))

    def lets_out(self, row: Any) -> bool:
        """Whether one more job of its instance may be out; it is counted then."""
        if not self._most:
            return True
        run, type, tenant = row[0], row[3], row[7]
        most = self._limit("instance", row[12])
        if most is not None and self._count("instance", run) >= most:
            return False
        for key in (("tenant", tenant), ("type", type), ("instance", run)):
            if key in self._out:
                self._out[key] += 1
        return True

    def _limit(self, kind: str, name: str) -> int | None:
        return self._most.get((kind, name), self._most.get((kind, "")))

    def _count(self, kind: str, what: str | int) -> int:
        if (kind, what) not in self._out:
            (count,) = self._connection.execute(sql.OUT[kind], (what,)).fetchone()
            self._out[kind, what] = count
        return self._out[kind, what]
