"""How the pieces of one shape are painted, and how its name is written into it."""

from __future__ import annotations

from ..layout import Bounds
from .pen import ink, numbers, symbol, text
from .symbols import Symbol
from .text import Fitted, fit
from .theme import Theme


class Brush:
    """How the pieces of one shape are painted: texts, signs, and what is knocked out of ink."""

    def __init__(
        self, theme: Theme, *, words: str = "", knocked: str = "", signs: str = ""
    ) -> None:
        self.theme = theme
        #: Where signs are not of the colour of the outline.
        self.signs = f'{signs} stroke="currentColor"' if signs else ""
        self.words = words or ink(theme)
        self.knocked = knocked or f'class="x" stroke="{theme.surface}"'

    @property
    def band(self) -> str:
        """The fill of what is drawn a little darker than its surroundings."""
        return f'class="b" fill="{self.theme.band}"'

    def symbol(self, parts: Symbol, x: float, y: float, scale: float = 1.0) -> str:
        """A symbol around a point."""
        return symbol(parts, x, y, scale=scale, knocked=self.knocked, more=self.signs)

    def write(self, name: str, room: Bounds) -> str:
        """A text in the middle of its room."""
        return self.set(fit(name, room.width, room.height), room)

    def set(self, fitted: Fitted, room: Bounds) -> str:
        """Lines in the middle of their room."""
        if not fitted.lines:
            return ""
        top = room.y + (room.height - fitted.height) / 2
        return text(fitted, room.x + room.width / 2, top, self.words)

    def write_up(self, name: str, band: Bounds) -> str:
        """A text that is read from below, in the middle of an upright band."""
        fitted = fit(name, band.height - 8, band.width - 2)
        if not fitted.lines:
            return ""
        x, y = band.x + band.width / 2, band.y + band.height / 2
        lines = text(fitted, 0, -fitted.height / 2, self.words)
        return f'<g transform="translate({numbers(x, y)})rotate(-90)">{lines}</g>'
