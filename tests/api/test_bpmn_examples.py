"""The BPMN examples do what the documentation shows, line by line."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from diglot.compiler import compile_source
from support.command import diglot as called
from support.post import Post

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.bpmn"))

#: What is typed behind a prompt of the dialogue.
_PROMPT = re.compile(r"(?:what now \(\? for help\)|result of .*): ")


class Shown(NamedTuple):
    """A command of a page, what is typed while it runs, and the lines it prints."""

    command: str
    typed: str
    lines: list[str]


def shown() -> Iterator[Shown]:
    """The commands about BPMN with their output, from the quickstart."""
    text = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in block.strip().split("\n\n"):
            command, *lines = part.split("\n")
            assert command.startswith("$ diglot ")
            typed = [line for line in lines if _PROMPT.match(line)]
            yield Shown(
                command.removeprefix("$ diglot "),
                "".join(f"{_PROMPT.sub('', line, count=1)}\n" for line in typed),
                [line for line in lines if line not in typed],
            )


def diglot(command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return called(*shlex.split(command), cwd=ROOT, input=typed)


@pytest.mark.parametrize("one", list(shown()), ids=lambda one: one.command[:60])
def test_a_command_prints_what_is_shown(one: Shown) -> None:
    done = diglot(one.command, one.typed)

    printed = _PROMPT.sub("", done.stderr + done.stdout).splitlines()
    assert len(printed) == len(one.lines)
    for line in one.lines:
        pattern = re.escape(line)
        if line.endswith("at ..."):
            pattern = re.escape(line.removesuffix("...")) + r"\d{4}-\S+Z"
        assert any(re.fullmatch(pattern, found) for found in printed), line


def test_the_quickstart_shows_every_bpmn_example() -> None:
    told = " ".join(one.command for one in shown())

    assert [path.name for path in EXAMPLES if path.name not in told] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_bpmn_example_keeps_every_rule_of_the_standard(path: Path) -> None:
    compiled = compile_source(path.read_bytes(), path.name, is_strict=True)

    assert compiled.diagnostics == ()


def test_an_order_of_one_pool_starts_the_other_and_its_goods_come_back() -> None:
    post = Post()
    compiled = compile_source((ROOT / "examples" / "purchase.bpmn").read_bytes(), "purchase.bpmn")
    buyer, seller = compiled.graphs
    post.publish(seller)

    first = post.begin(buyer, {"order": {"number": 7, "items": ["tea"]}})
    second = post.begin(buyer, {"order": {"number": 8, "items": ["rice"]}})

    contents = [post.engine.instance(one).output["content"] for one in (first, second)]
    assert contents == [["tea"], ["rice"]]
    assert len(post.instances) == 4
