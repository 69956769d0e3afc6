"""A picture as PNG, by the library that the extra `png` brings.

Letters are drawn with the fonts of the machine; one without any draws none.
"""

from __future__ import annotations

import importlib
import re
from typing import Any, Final

#: No side has more pixels, and no picture more in all: it is in memory as a whole.
SIDE: Final = 16_000
PIXELS: Final = 36_000_000

_SIZE: Final = re.compile(r' width="([\d.]+)" height="([\d.]+)"')


class NoPng(RuntimeError):
    """Pictures as PNG need a library that is not installed: `pip install 'diglot[png]'`."""

    def __init__(self) -> None:
        super().__init__("pictures as PNG need more: pip install 'diglot[png]', or write a .svg")


def check_png() -> None:
    """Find out whether there can be pixels, before any work is done for them.

    Raises:
        NoPng: the extra is not installed.
    """
    _library()


def to_png(svg: str, *, scale: float = 2.0) -> bytes:
    """The pixels of a drawing of `to_svg`, at most so large as memory bears.

    Raises:
        NoPng: the extra is not installed.
    """
    size = _SIZE.search(svg)
    assert size is not None, "no drawing of ours"
    width, height = float(size[1]), float(size[2])
    most = min(SIDE / max(width, height), (PIXELS / (width * height)) ** 0.5)
    return bytes(_library().svg_to_bytes(svg_string=svg, zoom=min(scale, most)))


def _library() -> Any:
    try:
        return importlib.import_module("resvg_py")
    except ImportError as error:
        raise NoPng from error
