"""Decisions as questions, and their ways as answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ...graph import Choice, Expression, Flow, Guard, Inclusive
from . import conditions, words
from .view import View

#: Names of ways that say nothing: those of a numbered list, and of what is left over.
_EMPTY: Final = re.compile(
    r"(?:(?:case|branch|option|condition|when|way|path|if)[\s_-]?(?:\d+|[a-z])?)"
    r"|default|otherwise|else|other",
    re.IGNORECASE,
)
#: First words of names that are questions already.
_ASKING: Final = frozenset(
    {
        "are", "can", "could", "did", "do", "does", "had", "has", "have", "how", "is", "may",
        "must", "need", "needs", "shall", "should", "was", "were", "what", "when", "where",
        "which", "who", "will", "would",
    }
)  # fmt: skip
#: `customer is given` is asked for as `Customer given?`.
_BEING: Final = re.compile(r" is (given|empty|not empty)$")
_IDENTIFIER: Final = re.compile(r"[\w.\-]+")


class Decision(NamedTuple):
    """What stands at a gateway, and at each flow that leaves it, by its id."""

    question: str
    answers: dict[str, str]


def decide(node: Choice | Inclusive, name: str, flows: Sequence[Flow], view: View) -> Decision:
    """A decision in words; `name` is what the author calls it, `flows` are its ways in order."""
    branches = [flow for flow in flows if flow.id != node.default]
    compared = _compared(branches) if isinstance(node, Choice) else {}
    subjects = {one.subject for one in compared.values()}
    is_one = len(subjects) == 1 and len(compared) == len(branches)
    about = f"{words.raised(next(iter(subjects)))}?" if is_one else ""
    question = about if about and not _asks(name) else words.question(name)
    is_binary = len(branches) == 1 and len(flows) == 2 and isinstance(node, Choice)
    answers: dict[str, str] = {}
    for number, flow in enumerate(branches, 1):
        text = words.choice(flow.name) if flow.name and not _EMPTY.fullmatch(flow.name) else ""
        if not text and question == about and flow.id in compared:
            text = compared[flow.id].value or '""'
        is_own = bool(node.construct) or not is_binary
        if not text and flow.condition is not None and is_own:
            text = told(flow.condition, view)
        if not text and flow.condition is not None:
            text = "yes" if is_binary else words.choice(flow.name) or f"case {number}"
        answers[flow.id] = text
    for flow in flows:
        if flow.id == node.default and len(flows) > 1:
            text = "" if _EMPTY.fullmatch(flow.name) else words.choice(flow.name)
            says_yes = is_binary and answers[branches[0].id] == "yes"
            answers[flow.id] = text or ("no" if says_yes else "otherwise")
    return Decision(question or _unasked(node, flows), answers)


class Guarded(NamedTuple):
    """The question whether a step is taken, and the answers with which it is, and is not."""

    question: str
    taken: str = "yes"
    skipped: str = "no"


def guarded(guard: Guard, label: str) -> Guarded:
    """Whether a step is taken at all; `label` is what stands at the step."""
    text = conditions.said(guard.condition) or label.rstrip("?")
    text = _BEING.sub(r" \1", text)
    if text.startswith("not ") and " and " not in text and " or " not in text:
        # Nobody likes to say yes to a no.
        return Guarded(words.asked(words.raised(text.removeprefix("not "))), "no", "yes")
    return Guarded(words.asked(words.raised(text)))


def told(condition: Expression, view: View) -> str:
    """A condition in words; where there are none the technical view tells the expression."""
    text = conditions.said(condition)
    if text or view == "business":
        return text
    return words.shortened(condition.source or condition.text, words.LONGEST_CONDITION)


def _compared(branches: Iterable[Flow]) -> dict[str, conditions.Comparison]:
    found = {
        flow.id: conditions.compared(flow.condition)
        for flow in branches
        if flow.condition is not None
    }
    return {id: one for id, one in found.items() if one is not None}


def _asks(name: str) -> bool:
    """Whether an author's name is a question, or was written in words."""
    if not name:
        return False
    first = words.words_of(name)[:1]
    return (
        not _IDENTIFIER.fullmatch(name)
        or bool(first and first[0].lower() in _ASKING)
        or words.question(name) != words.asked(words.spoken(name))
    )


def _unasked(node: Choice | Inclusive, flows: Sequence[Flow]) -> str:
    if isinstance(node, Choice):
        return "Which way?"
    return "Which ways?" if len(flows) > 1 else ""
