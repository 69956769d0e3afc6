"""Diagrams are laid out: from left to right, at right angles, always alike."""

from .lay_out import lay_out
from .sketch import Bounds, Item, Lane, Layout, Link, Point, Pool, Size, Sketch

__all__ = [
    "Bounds",
    "Item",
    "Lane",
    "Layout",
    "Link",
    "Point",
    "Pool",
    "Size",
    "Sketch",
    "lay_out",
]
