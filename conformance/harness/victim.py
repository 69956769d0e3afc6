"""A process that plays a case and kills itself at one commit: `victim DEFINITION FOLDER MOMENT`."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from .case import load
from .doubles import Servers
from .driver import Play
from .journal import Journal
from .kill import Commits

#: The file in the folder that tells how far the process came.
JOURNAL = "journal"


def main(definition: str, folder: str, moment: str) -> None:
    """Play on until the moment comes, or to the end."""
    commits = Commits(int(moment), lambda: os.kill(os.getpid(), signal.SIGKILL))
    with Servers() as servers:
        play = Play(
            load(Path(definition)),
            Path(folder),
            servers,
            on_commit=commits,
            journal=Journal(Path(folder, JOURNAL)),
        )
        while not play.is_done:
            play.next()
        play.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
