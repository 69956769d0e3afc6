"""An engine that dies at one of its commits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .case import Case
from .doubles import Servers
from .driver import Play


class Killed(BaseException):
    """The process is gone at this point: nothing below may handle it."""


class Commits:
    """A commit hook that counts, and at one commit lets `die` do what it does.

    `at` counts moments: 0 is before the first commit, 1 after it, 2 before the second.
    """

    def __init__(self, at: int | None, die: Callable[[], None]) -> None:
        self.at = at
        self.moments = 0
        self.after: Callable[[], None] = lambda: None
        self._die = die

    def __call__(self, when: str) -> None:
        """The store is about to commit, or has committed."""
        moment = self.moments
        self.moments += 1
        if when == "after":
            self.after()
        if moment == self.at:
            self._die()


def play_and_kill(
    case: Case, folder: Path, servers: Servers, at: int | None, *, database: str | None = None
) -> tuple[Play, int]:
    """Play a case and kill the engine at one moment; also how many moments there were.

    Raises:
        PlayError: the case cannot be played on.
    """
    commits = Commits(at, _die)
    play = Play(case, folder, servers, on_commit=commits, database=database)
    commits.after = play.doubles.keep
    try:
        while not play.is_done:
            try:
                play.next()
            except Killed:
                play.revive()
    except BaseException:
        play.close()
        raise
    return play, commits.moments


def _die() -> None:
    raise Killed
