"""`diglot run --interactive`: a person does the jobs and sends the messages, one by one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from diglot.compiler.plain import plain, plain_json
from diglot.runtime.errors import DiglotError
from diglot.runtime.secrets import masked

from .by_hand import Answer, OpenJob, give
from .outside import short
from .values import read_json

if TYPE_CHECKING:
    from diglot.runtime.engine import Engine

    from .members import Members

#: What becomes of the run: it has moved, it waits for the clock, or it is left as it is.
Move = Literal["moved", "wait", "leave"]

HELP = (
    "NUMBER does a job; m NAME=JSON sends a message, s NAME=JSON a signal; "
    "w waits for the clock; q leaves"
)


class Dialogue:
    """Asks what is to be done whenever the run cannot go on by itself.

    `ask` gives the line that somebody typed behind a question, and raises EOFError at the end.
    """

    def __init__(
        self,
        engine: Engine,
        members: Members,
        ask: Callable[[str], str],
        tell: Callable[[str], None],
    ) -> None:
        self._engine = engine
        self._members = members
        self._ask = ask
        self._tell = tell

    def turn(self, *, has_timers: bool) -> Move:
        """Show what is open, and do what is asked for."""
        jobs = [job for job in self._members.jobs() if not job.is_ours]
        for number, job in enumerate(jobs, 1):
            self._tell(f"{number}  {f'{job.of}: ' if job.of else ''}{job.title}")
        for waiting in self._members.waits():
            if waiting.option != "--complete":
                typed = f": {waiting.typed}" if waiting.typed else ""
                self._tell(f"-  {waiting.text}{typed}")
        while True:
            try:
                move = self._do(self._ask("what now (? for help)").strip(), jobs, has_timers)
            except EOFError:
                # Whatever comes next begins a line of its own.
                self._tell("")
                return "leave"
            if move is not None:
                return move

    def _do(self, line: str, jobs: list[OpenJob], has_timers: bool) -> Move | None:
        """Do what a line asks for; nothing where it has to be asked again."""
        word, _, rest = line.partition(" ")
        if word == "q":
            return "leave"
        if word == "w":
            if has_timers:
                return "wait"
            self._tell("nothing waits for the clock")
        elif word in ("m", "s") and rest:
            return self._send({"m": "message", "s": "signal"}[word], rest.strip())
        elif word.isascii() and word.isdigit() and 1 <= int(word[:9]) <= len(jobs):
            return self._answer(jobs[int(word[:9]) - 1], rest.strip())
        elif word.isascii() and word.isdigit():
            self._tell(f"no job here has the number {word}")
        else:
            self._tell(HELP)
        return None

    def _send(self, kind: str, text: str) -> Move | None:
        name, _, data = text.partition("=")
        value = self._value(data or "{}")
        if value is None:
            return None
        try:
            self._engine.publish_event(short(kind, name.strip(), value[0]))
        except DiglotError as error:
            self._tell(str(error))
            return None
        return "moved"

    def _answer(self, job: OpenJob, text: str) -> Move | None:
        """Ask for the result of a job, unless it stands in the line."""
        if not text:
            shown = plain_json(json.dumps(masked(job.arguments), indent=2, ensure_ascii=False))
            for line in shown.split("\n"):
                self._tell(line)
            question = f"result of {job.element} as JSON, nothing for {{}}, !CODE fails it"
            text = self._ask(plain(question))
        text = text.strip()
        if text.startswith("!"):
            answer = Answer(code=text[1:].strip())
        else:
            value = self._value(text or "{}")
            if value is None:
                return None
            answer = Answer(value[0])
        if answer.code == "":
            self._tell("an error needs a code, such as !not-found")
            return None
        if not give(self._engine, job, answer):
            self._tell("somebody else has that job by now")
        return "moved"

    def _value(self, text: str) -> tuple[object] | None:
        try:
            return (read_json(text),)
        except (ValueError, RecursionError) as error:
            self._tell(f"that is not JSON: {error}")
            return None


def ask_on_terminal(question: str) -> str:
    """A line from the terminal."""
    from rich.console import Console
    from rich.prompt import Prompt

    return Prompt.ask(question, console=Console(stderr=True), default="", show_default=False)
