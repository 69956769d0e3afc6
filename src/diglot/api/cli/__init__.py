"""The command line. Each command is a file of its own and imports what it needs when it runs."""

from __future__ import annotations

from .app import main

__all__ = ["main"]
