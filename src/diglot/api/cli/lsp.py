"""`diglot lsp`."""

from __future__ import annotations

from .streams import tell


def serve_editor() -> int:
    """Serve an editor on standard input and output; 2 without the library for it."""
    try:
        from ..lsp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        tell('diglot: lsp needs pygls; install it with: pip install "diglot[lsp]"')
        return 2
    serve()
    return 0
