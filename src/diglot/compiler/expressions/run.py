"""What one evaluation may still use up."""

from __future__ import annotations

from .errors import ExpressionLimit

#: No string, array or object an expression makes is larger; the unit is a character or an entry.
MAX_SIZE = 10_000_000

#: How deep the interpreter may be nested, in Python frames; the interpreter itself has 1,000.
MAX_DEPTH = 800


class Run:
    """The state of one evaluation that all its closures share.

    `fuel` sinks with every call, iteration and output, and with every stretch of data that is
    copied. `has_odd_numbers` is set when a NaN or an infinity came up, which JSON cannot say.
    """

    __slots__ = ("fuel", "has_odd_numbers", "labels")

    def __init__(self, fuel: int) -> None:
        self.fuel = fuel
        self.has_odd_numbers = False
        self.labels = 0

    def spend(self, amount: int) -> None:
        """Use up some fuel; raises `ExpressionLimit`."""
        self.fuel -= amount
        if self.fuel < 0:
            raise ExpressionLimit("fuel")

    # The prices below are those of copying: one unit is about 100 ns of the machine, and bounds
    # what a run may hold at once (100 to 300 MB with the default fuel).
    def spend_text(self, length: int) -> None:
        """Pay for a new string of `length` characters."""
        if length > MAX_SIZE:
            raise ExpressionLimit("size")
        self.spend(length >> 6)

    def spend_items(self, length: int) -> None:
        """Pay for a new array of `length` items."""
        if length > MAX_SIZE:
            raise ExpressionLimit("size")
        self.spend(length >> 5)

    def spend_entries(self, length: int) -> None:
        """Pay for a new object of `length` entries."""
        if length > MAX_SIZE:
            raise ExpressionLimit("size")
        self.spend(length >> 3)


def out_of_depth() -> ExpressionLimit:
    """The error of an expression that calls itself too often."""
    return ExpressionLimit("depth")
