"""The part of Gherkin that the kit is written in: scenarios of steps, some with a text.

Source: https://cucumber.io/docs/gherkin/reference. Outlines, tables and backgrounds with texts of
their own do not occur; what is not known is an error that names the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

_STEP = re.compile(r"(Given|When|Then|And|But|\*)\s+(.*)")
_HEAD = re.compile(r"(Feature|Rule|Background|Scenario|Example)\s*:\s*(.*)")
_QUOTES = ('"""', "```")


class GherkinError(Exception):
    """A feature is not written in the part of Gherkin that is read here."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step without its keyword; `document` is the text below it, `media` its kind."""

    text: str
    line: int
    document: str | None = None
    media: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario with the steps of the background before its own."""

    title: str
    steps: tuple[Step, ...]


def read_feature(file: Path) -> list[Scenario]:
    """The scenarios of a feature file.

    Raises:
        GherkinError: something in it is not known here.
    """
    background: list[Step] = []
    found: list[tuple[str, list[Step]]] = []
    steps: list[Step] | None = None
    for number, kind, content in _parts(file):
        if kind == "Background":
            steps = background
        elif kind in ("Scenario", "Example"):
            steps = []
            found.append((content.text, steps))
        elif kind == "step" and steps is not None:
            steps.append(content)
        elif kind == "text" and steps:
            steps[-1] = replace(steps[-1], document=content.document, media=content.media)
        elif kind not in ("Feature", "Rule"):
            raise GherkinError(f"{file.name}:{number}: not expected here: {content.text!r}")
    return [Scenario(title, (*background, *own)) for title, own in found]


def _parts(file: Path) -> Iterator[tuple[int, str, Step]]:
    """(line, kind, content) of every part: heads, steps and texts."""
    lines = file.read_text(encoding="utf-8").splitlines()
    is_description = False
    number = 0
    while number < len(lines):
        line = lines[number].strip()
        number += 1
        head, step = _HEAD.fullmatch(line), _STEP.fullmatch(line)
        if not line or line.startswith(("#", "@")):
            continue
        if head is not None:
            is_description = True
            yield number, head[1], Step(head[2], number)
        elif step is not None:
            is_description = False
            yield number, "step", Step(step[2].strip(), number)
        elif line.startswith(_QUOTES):
            first = number
            text, number = _document(file, lines, number)
            yield first, "text", Step("", first, text, line[3:].strip())
        elif not is_description:
            yield number, "unknown", Step(line, number)


def _document(file: Path, lines: list[str], start: int) -> tuple[str, int]:
    """The text between quotes without their indentation, and the line after it."""
    opening = lines[start - 1]
    indent = len(opening) - len(opening.lstrip())
    quotes = opening.strip()[:3]
    for end in range(start, len(lines)):
        if lines[end].strip() == quotes:
            body = [_outdented(line, indent) for line in lines[start:end]]
            return "\n".join(body) + "\n", end + 1
    raise GherkinError(f"{file.name}:{start}: the text is not closed")


def _outdented(line: str, indent: int) -> str:
    return line[indent:] if not line[:indent].strip() else line.lstrip()
