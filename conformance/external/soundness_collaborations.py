"""Whole collaborations that were model-checked, each for seven ways in which messages come.

Published of each is whether it is safe, sound, and sound but for messages that are left, and that
counts are natural numbers, which a marking of ours cannot but hold. A file may say how many tokens
and messages are let be in one place at most; there, and where two tokens come to one sub-process,
all is compared that is looked at.

Source: fbpmn, models/bpmn-origin/expected, theories/tla/PWSSemantics.tla; for the ways of messages,
Houhou, Baarir, Poizat, Quéinnec, A first-order logic semantics for communication-parametric BPMN
collaborations (2019).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

import msgspec

from conformance.harness.checked import unlike
from diglot.compiler import compile_source
from diglot.compiler.checks.soundness.collaboration import (
    MOST_TOKENS,
    Collaboration,
    run_together,
)
from diglot.compiler.checks.soundness.composition import Whole, whole_of
from diglot.compiler.pipeline import Compiled

from .deliveries import NETWORKS
from .outcome import Verdict, judged
from .soundness_others import doubted

_PROPERTIES: Final = ("Prop01Type", "Prop02Safe", "Prop03Sound", "Prop04MsgSound")
_MOST: Final = re.compile(r"EdgeMarking(\d)")
#: As the machine takes messages.
_ANY_ORDER: Final = "Network01Bag"


def run(folder: Path) -> Iterator[Verdict]:
    """One verdict on every model and way of messages of which one is published.

    Models without any have to be decided and played nevertheless.
    """
    expectations = folder / "expectations.json"
    if not expectations.is_file():
        return
    published: Mapping[str, Any] = msgspec.json.decode(expectations.read_bytes())["verdicts"]
    for path in sorted((folder / "files").glob("*.bpmn")):
        networks = published.get(path.stem, {}).get("networks", {})
        for network in {_ANY_ORDER: None, **networks}:
            found = networks.get(network, {})
            if found or network == _ANY_ORDER:
                verdict = tuple(found[one] for one in _PROPERTIES) if found else None
                case = f"soundness/fbpmn/{path.stem}/{network}"
                yield judged(case, partial(_problem, path, network, verdict))


def _problem(path: Path, network: str, published: tuple[bool, ...] | None) -> str | None:
    compiled, whole = _opened(path)
    if not compiled.graphs:
        return "the file is refused" if published else None
    if network == _ANY_ORDER:
        for graph in compiled.graphs:
            for problem in unlike(graph):
                return problem
    most = _most(path.with_suffix(".constraint"))
    delivery = NETWORKS[network](whole)
    together = run_together(whole, most=most, delivery=delivery)
    sparing = run_together(whole, most=most, delivery=delivery, is_sparing=True)
    if together.is_whole and _outcome(together) != _outcome(sparing):
        return f"all markings: {_outcome(together)}; sparingly: {_outcome(sparing)}"
    # There, a process that comes to one end twice is not sound.
    completes = together.completes and together.ends_once
    ours = (True, together.is_safe, together.delivers and together.ends_once, completes)
    if published is None or published == ours:
        return None
    return f"published: {_told(published)}; ours: {_told(ours)}"


@lru_cache(maxsize=1)
def _opened(path: Path) -> tuple[Compiled, Whole]:
    compiled = compile_source(path.read_bytes(), path.name)
    return compiled, whole_of(compiled.graphs, doubted(compiled))


def _outcome(together: Collaboration) -> tuple[bool, ...]:
    return together.completes, together.delivers, together.ends_once, together.is_whole


def _told(verdict: tuple[bool, ...]) -> str:
    _, is_safe, is_sound, is_sound_but_for_messages = verdict
    relaxed = "sound but for messages" if is_sound_but_for_messages else "not sound"
    return f"{'safe' if is_safe else 'not safe'}, {'sound' if is_sound else relaxed}"


def _most(constraint: Path) -> int:
    found = _MOST.search(constraint.read_text("utf-8")) if constraint.is_file() else None
    return MOST_TOKENS if found is None else int(found[1])
