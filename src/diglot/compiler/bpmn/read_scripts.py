"""Scripts that a vendor lets run before and after an activity or an event.

An event has them as nodes of its own scope: in front of it, where every flow to it then leads, and
behind it. What begins by itself has both behind it, and what nothing follows both in front.
"""

from __future__ import annotations

from typing import Final

from .. import codes
from .document import Element
from .profiles.contract import VendorScript, VendorTask
from .read_catches import is_raced
from .read_flows import leave
from .read_tasks import add_script
from .reading import Place, Reading, Rule, moved

_RUN_HERE: Final = frozenset({"python", "javascript", "js", "ecmascript", "feel", "jq"})
#: No token comes to these: they begin when something happens, as does what stands in a race.
_BEGINNING: Final = frozenset({"startEvent", "boundaryEvent"})
_LINK_CATCH: Final = "intermediate-catch-event-link"
#: No token is left behind these, or it is elsewhere already.
_LAST: Final = frozenset({
    "end-event", "end-event-terminate", "end-event-error", "end-event-cancel",
    "end-event-multiple", "intermediate-throw-event-link",
})  # fmt: skip
_NO_FLOW: Final = "boundary-event-compensation"

#: A script with the suffix of its node's id.
_Scripts = list[tuple[str, VendorScript]]


def runnable(
    reading: Reading, element: Element, script: VendorScript | None
) -> VendorScript | None:
    """A script around an element, where it is in a language that runs here."""
    if script is None or not script.code.text.strip():
        return None
    if script.language.strip().lower() in _RUN_HERE:
        return script
    reading.find(
        codes.SCRIPT_NOT_RUN,
        script.code.element,
        language=script.language or "no language",
        owner=reading.index.id_of(element),
    )
    return None


def add_script_beside(
    reading: Reading, at: Place, suffix: str, script: VendorScript, source: str = ""
) -> str:
    """A script as a node beside that of an element, behind `source` where it is given; its id."""
    found = at.inside(suffix)
    if source:
        reading.into.add_flow(source, found)
    # The script has no data of its own: what the activity's elements say is the activity's.
    bare = moved(at, element=script.code.element)
    add_script(reading, bare, reading.beside(at, suffix), script, VendorTask())
    return found


def lay_event(reading: Reading, at: Place, rule: Rule) -> None:
    """An event by its rule, with the scripts around it."""
    facts = reading.profile.event(at.element)
    if facts.before is None and facts.after is None:
        rule(at, reading)
        return
    if at.construct == _NO_FLOW:
        tell_out_of_place(reading, at.element)
        rule(at, reading)
        return
    scripts: _Scripts = [
        (suffix, script)
        for suffix, written in (("before", facts.before), ("after", facts.after))
        if (script := runnable(reading, at.element, written)) is not None
    ]
    before, after = _moments(reading, at, scripts)
    last = ""
    for suffix, script in before:
        last = add_script_beside(reading, at, suffix, script, last)
    if before:
        reading.into.precede(at.id, at.inside(before[0][0]), last)
    if not after:
        rule(at, reading)
        return
    last = at.inside(after[0][0])
    rule(moved(at, leads_to=last), reading)
    if not reading.into.has_node(at.id):
        # It was refused, and nothing leads to its scripts.
        return
    add_script_beside(reading, at, *after[0])
    for suffix, script in after[1:]:
        last = add_script_beside(reading, at, suffix, script, last)
    leave(reading, at, last)


def _moments(reading: Reading, at: Place, scripts: _Scripts) -> tuple[_Scripts, _Scripts]:
    """Which of the scripts run in front of an event, and which behind it."""
    begins = at.element.name in _BEGINNING or at.construct == _LINK_CATCH
    if begins or is_raced(reading, at.element):
        return [], scripts
    if at.construct in _LAST:
        return scripts, []
    return (
        [one for one in scripts if one[0] == "before"],
        [one for one in scripts if one[0] == "after"],
    )


def tell_out_of_place(reading: Reading, element: Element) -> None:
    """Say of the scripts around an element that they are not run, whatever their language."""
    facts = reading.profile.event(element)
    for script in (facts.before, facts.after):
        if script is not None:
            reading.find(
                codes.SCRIPT_OUT_OF_PLACE,
                script.code.element,
                owner=element.id or element.name,
            )
