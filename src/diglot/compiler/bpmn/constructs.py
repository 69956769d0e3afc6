"""What the catalogue calls an element: `userTask` is `user-task`, and a timer at the boundary of an
activity is `boundary-event-timer`.
"""  # noqa: D205

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from .document import Element
from .rules.kinds import EVENTS

_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@cache
def kebab(name: str) -> str:
    """An element's name with dashes: `userTask` is `user-task`."""
    return _CAPITAL.sub("-", name).lower()


def construct_of(element: Element, triggers: Sequence[str]) -> str:
    """The construct of a flow node; of an event with what it reacts to or brings about."""
    name = kebab(element.name)
    if element.name not in EVENTS:
        is_event = element.name == "subProcess" and element.flag("triggeredByEvent")
        return "event-sub-process" if is_event else name
    parent = element.parent
    if triggers and element.name == "startEvent" and parent is not None:
        name = "event-sub-process" if parent.flag("triggeredByEvent") else name
    if len(triggers) > 1:
        is_parallel = element.flag("parallelMultiple")
        return f"{name}-parallel-multiple" if is_parallel else f"{name}-multiple"
    return f"{name}-{_SPOKEN.get(triggers[0], triggers[0])}" if triggers else name


_SPOKEN: Final = {"compensate": "compensation"}
