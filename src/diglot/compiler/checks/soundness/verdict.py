"""What became of a net."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .net import Shot

Kind = Literal["sound", "stuck", "doubled", "endless", "undecided"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a net is sound; `run` are transitions of it that lead to what is wrong."""

    kind: Kind
    run: tuple[Shot, ...] = ()
    markings: int = 0
