"""Rules of the linter that contradict what a workflow says, where that is drawn.

All but one hold for composed files only: what is kept of a BPMN file breaks what its author broke.
The page about exports has a row for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .models import Node, tag

_DIGLOT = "https://diglot.dev/bpmn/1"


@dataclass(frozen=True, slots=True)
class Exemption:
    """A rule that is right to speak, and why; of the elements that `holds` is true of."""

    rule: str
    reason: str
    holds: Callable[[Node], bool]
    #: Whether it may be so in what was kept of a file, too.
    is_of_kept: bool = False


def exempt(root: Node, rule: str, id: str) -> bool:
    """Whether a finding in a file is one that the workflow wants."""
    exemption = EXEMPTIONS.get(rule)
    if exemption is None:
        return False
    is_composed = next(root.iter(f"{{{_DIGLOT}}}graph"), None) is not None
    if not is_composed and not exemption.is_of_kept:
        return False
    return any(exemption.holds(node) for node in root.iter() if node.get("id") == id)


def _parts(node: Node) -> Iterator[str]:
    """What an element shows."""
    for extensions in node.findall(tag("extensionElements")):
        for part in extensions.findall(f"{{{_DIGLOT}}}part"):
            yield part.text or ""


def _is_added(node: Node) -> bool:
    """Whether it was added, or only what was set aside refers to it."""
    aside = node.getroottree().iter(f"{{{_DIGLOT}}}messageFlow")
    return node.get(f"{{{_DIGLOT}}}added") is not None or any(
        one.get("messageRef") == node.get("id") for one in aside
    )


def _shows(node: Node) -> bool:
    return any(True for _ in _parts(node))


def _begins(node: Node) -> bool:
    is_ours = _shows(node) or next(node.iter(f"{{{_DIGLOT}}}drawn"), None) is not None
    return is_ours and node.find(tag("incoming")) is None


def _goes_round(node: Node) -> bool:
    """Whether whatever is entered in it is left again."""
    entered = [one for one in node if one.find(tag("incoming")) is not None]
    return bool(entered) and all(one.find(tag("outgoing")) is not None for one in entered)


def _ends_all(node: Node) -> bool:
    return any('"effect":"instance"' in part for part in _parts(node))


def _undoes(node: Node) -> bool:
    return (
        node.tag == tag("boundaryEvent") and node.find(tag("compensateEventDefinition")) is not None
    )


def _is_unconditional(node: Node) -> bool:
    return _shows(node) and not any('"condition":' in part for part in _parts(node))


EXEMPTIONS = {
    one.rule: one
    for one in (
        Exemption(
            "ad-hoc-sub-process",
            "where an expression chooses the activities of an ad-hoc sub-process, that none was "
            "chosen ends it",
            _shows,
        ),
        Exemption(
            "conditional-flows",
            "a flow without a condition beside others with one is taken in any case",
            _is_unconditional,
        ),
        Exemption(
            "end-event-required", "a workflow that goes round for ever has no end", _goes_round
        ),
        Exemption(
            "global",
            "an operation has a message by the schema; where a BPMN file gives it none, one that "
            "says nothing is added; a message of a flow that leads nowhere is left alone",
            _is_added,
            is_of_kept=True,
        ),
        Exemption(
            "no-disconnected",
            "a task that nothing leads to and that leads nowhere is the author's (`DG0308`)",
            _shows,
        ),
        Exemption(
            "no-implicit-end",
            "the linter looks for what a compensation event undoes in the process only, not in a "
            "sub-process",
            _undoes,
        ),
        Exemption(
            "no-implicit-start",
            "a task that nothing leads to is the author's, and is never reached (`DG0308`)",
            _begins,
        ),
        Exemption(
            "no-inclusive-gateway",
            "where several ways may be taken at once there is no other gateway",
            _shows,
        ),
        Exemption(
            "single-event-definition",
            "a schedule that waits for several events is one start event",
            _shows,
        ),
        Exemption(
            "superfluous-gateway",
            "a gateway with one way in and one way out is the author's, or its only way has a "
            "condition",
            _shows,
        ),
        Exemption(
            "superfluous-termination",
            "`then: end` ends the whole workflow, whatever else is under way",
            _ends_all,
        ),
    )
}
