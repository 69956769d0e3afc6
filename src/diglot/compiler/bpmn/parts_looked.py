"""Elements that were changed in a way that no part follows: told, as they do what they did."""

from __future__ import annotations

from .. import codes
from .aside import DIGLOT as OWN
from .document import Element
from .look import look_of
from .parts_drawn import Drawing
from .reading import Reading


def tell_changes(reading: Reading, drawing: Drawing) -> None:
    """Tell of each element that looks otherwise than when it was written."""

    def name_of(reference: str) -> str:
        declared = reading.document.find(reference)
        return reference if declared is None else declared.get("name")

    for element in drawing.nodes:
        if drawing.is_new(element):
            continue
        look = next((one.get("look") for one in element.extensions(OWN) if one.get("look")), "")
        if look and look != look_of(element, _children, name_of):
            reading.find(codes.CHANGE_WITHOUT_EFFECT, element, node=reading.index.id_of(element))


def _children(element: Element) -> list[Element]:
    return list(element.each())
