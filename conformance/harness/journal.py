"""What outlives a process that is killed: how far its play had come, and what it had told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from diglot.runtime.clock import ManualClock


@dataclass(slots=True)
class Progress:
    """How far a play has come.

    Step `-1` publishes the definitions. `target` is the job an act is about, chosen once: by the
    time the act is repeated another job of the same task may be open.
    """

    step: int = -1
    is_begun: bool = False
    is_acted: bool = False
    target: tuple[str, int] | None = None
    now_ms: int = ManualClock().now_ms()


class Journal:
    """A file of lines, each on disk before what it is about goes on; without a file, nothing."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file

    def note(self, progress: Progress) -> None:
        """The play has come so far."""
        self._write(b"p", progress)

    def tell(self, envelope: dict[str, Any]) -> None:
        """A CloudEvent has left the engine."""
        self._write(b"t", envelope)

    def read(self) -> tuple[Progress, list[dict[str, Any]]]:
        """The last progress that was noted, and everything that was told."""
        progress, told = Progress(), list[dict[str, Any]]()
        if self._file is not None and self._file.is_file():
            for line in self._file.read_bytes().splitlines():
                if line[:1] == b"p":
                    progress = msgspec.json.decode(line[1:], type=Progress)
                else:
                    told.append(msgspec.json.decode(line[1:]))
        return progress, told

    def _write(self, kind: bytes, value: Any) -> None:
        if self._file is not None:
            with self._file.open("ab") as file:
                file.write(kind + msgspec.json.encode(value) + b"\n")
