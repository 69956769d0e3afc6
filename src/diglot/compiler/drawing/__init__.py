"""Diagrams are drawn as pictures: of a written BPMN file, as SVG and, with an extra, as PNG."""

from .parts import Picture
from .picture import pictures_of
from .states import State
from .svg import to_svg

__all__ = ["Picture", "State", "pictures_of", "to_svg"]
