"""A primary and its standby, which has every commit before it is acknowledged."""

from __future__ import annotations

import tempfile
from pathlib import Path

import psycopg
from conformance.harness.postgres import Server, own, tool

#: A commit is acknowledged once the standby has it too.
_SYNCHRONOUS = ("synchronous_standby_names=*", "synchronous_commit=on")
_SHARED = ("fsync=off", "hot_standby=on", "wal_keep_size=256MB")


class Pair:
    """Two servers; each kills the other's place: who is left is promoted."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pair-", dir="/tmp"))
        own(self._folder)
        self._ports = iter(range(5501, 5600))
        self.primary = self._server(*_SYNCHRONOUS)
        self.primary.create().start()
        self.standby = self.follow()

    def _server(self, *settings: str) -> Server:
        port = next(self._ports)
        folder = self._folder / str(port)
        folder.mkdir()
        return Server(*_SHARED, *settings, folder=folder, port=port)

    def follow(self) -> Server:
        """A new standby out of a copy of the primary, once it keeps up."""
        standby = self._server()
        tool(
            "pg_basebackup", "-h", str(self.primary.folder), "-p", str(self.primary.port),
            "-U", "diglot", "-D", str(standby.data), "-R", "-c", "fast", "--no-sync",
        )  # fmt: skip
        standby.start()
        self.primary.wait(_has_standby)
        return standby

    def fail_over(self) -> None:
        """The primary dies, and the standby takes its place; it waits for no standby of its own."""
        self.primary.kill()
        tool("pg_ctl", "-D", str(self.standby.data), "-w", "promote")
        self.primary.remove()
        self.primary = self.standby

    def rebuild(self) -> None:
        """The lost server is built anew, and follows the one that took its place."""
        self.standby = self.follow()
        with psycopg.connect(self.primary.url("postgres"), autocommit=True) as raw:
            raw.execute("ALTER SYSTEM SET synchronous_standby_names='*'")
            raw.execute("SELECT pg_reload_conf()")
        self.primary.wait(_is_synchronous)

    def url(self, database: str, *more: Server) -> str:
        """The address of a database, on whichever of all these servers it can be written."""
        servers = (self.primary, self.standby, *more)
        hosts = ",".join(str(one.folder) for one in servers)
        ports = ",".join(str(one.port) for one in servers)
        return (
            f"postgresql://diglot@/{database}?host={hosts}&port={ports}"
            "&target_session_attrs=read-write"
        )

    def remove(self) -> None:
        """Stop, and leave nothing behind."""
        for server in {self.primary, self.standby}:
            server.remove()
        self._folder.rmdir()


def _has_standby(raw: psycopg.Connection[tuple[object, ...]]) -> bool:
    found = raw.execute("SELECT 1 FROM pg_stat_replication WHERE state='streaming'").fetchone()
    return found is not None


def _is_synchronous(raw: psycopg.Connection[tuple[object, ...]]) -> bool:
    found = raw.execute(
        "SELECT 1 FROM pg_stat_replication WHERE state='streaming' AND sync_state='sync'"
    ).fetchone()
    return found is not None
