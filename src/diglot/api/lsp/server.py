"""The server: it checks documents as they change, and answers what an editor asks.

Whatever a document is, and whatever goes wrong with it, the server goes on.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from .actions import FIX_ALL, actions_at
from .analysis import Analysis, analyze
from .findings import shown_findings
from .pages import hover_at

#: How long nobody has to type until a document is checked.
DEBOUNCE_S: Final = 0.15

_LOG: Final = logging.getLogger(__name__)


class DocumentServer(LanguageServer):
    """Documents that are open, what is known of them, and checks that are under way."""

    def __init__(self, version: str, debounce_s: float = DEBOUNCE_S) -> None:
        # Its further arguments have no types.
        super().__init__("diglot", version)  # pyright: ignore[reportUnknownMemberType]
        self.debounce_s = debounce_s
        self._known: dict[str, Analysis] = {}
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._told: set[str] = set()

    def check_soon(self, uri: str, after_s: float | None = None) -> None:
        """Check a document when nobody has changed it for a while."""
        self._cancel(uri)
        delay_s = self.debounce_s if after_s is None else after_s
        self._checks[uri] = asyncio.get_running_loop().create_task(self._check_later(uri, delay_s))

    def check_all(self) -> None:
        """Check every document that is open: what they depend on may have changed."""
        for uri in list(self._known):
            self.check_soon(uri)

    def forget(self, uri: str) -> None:
        """Let go of a document that was closed, and take its findings back."""
        self._cancel(uri)
        self._known.pop(uri, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def analysis(self, uri: str) -> Analysis | None:
        """What is known of a document as it stands now; None where it cannot be known."""
        document = self.workspace.get_text_document(uri)
        known = self._known.get(uri)
        if known is not None and known.version == document.version:
            return known
        return self._analyzed(uri, document.version, document.source)

    async def _check_later(self, uri: str, delay_s: float) -> None:
        await asyncio.sleep(delay_s)
        document = self.workspace.get_text_document(uri)
        version, text = document.version, document.source
        # In a thread, so that an editor gets its answers also while a large document is checked.
        analysis = await asyncio.to_thread(self._analyzed, uri, version, text)
        if self.workspace.get_text_document(uri).version != version:
            return
        found: list[lsp.Diagnostic] = []
        if analysis is not None:
            self._known[uri] = analysis
            found = shown_findings(analysis)
            self._tell(analysis.problem)
        params = lsp.PublishDiagnosticsParams(uri, found, version)
        self.text_document_publish_diagnostics(params)

    def _analyzed(self, uri: str, version: int | None, text: str) -> Analysis | None:
        try:
            return analyze(uri, version, text, str(self.workspace.position_codec.encoding))
        except Exception:
            # A mistake of ours; the document may be another one with the next letter.
            _LOG.exception("%s cannot be checked", uri)
            return None

    def _tell(self, problem: str) -> None:
        """Say once what is wrong with settings."""
        if problem and problem not in self._told:
            self._told.add(problem)
            params = lsp.ShowMessageParams(lsp.MessageType.Error, f"Diglot: {problem}")
            self.window_show_message(params)

    def _cancel(self, uri: str) -> None:
        check = self._checks.pop(uri, None)
        if check is not None:
            check.cancel()


def make_server(version: str) -> DocumentServer:
    """A server with everything that it answers."""
    server = DocumentServer(version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def _(params: lsp.DidOpenTextDocumentParams) -> None:
        server.check_soon(params.text_document.uri, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def _(params: lsp.DidChangeTextDocumentParams) -> None:
        server.check_soon(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def _(_params: lsp.DidSaveTextDocumentParams) -> None:
        server.check_all()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _(_params: lsp.DidChangeWatchedFilesParams) -> None:
        server.check_all()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: lsp.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def _(params: lsp.HoverParams) -> lsp.Hover | None:
        analysis = server.analysis(params.text_document.uri)
        return None if analysis is None else hover_at(analysis, params.position)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, FIX_ALL]),
    )
    @server.thread()
    def _(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        analysis = server.analysis(params.text_document.uri)
        if analysis is None or analysis.is_foreign:
            return []
        context = params.context
        return actions_at(analysis, params.range, context.diagnostics, context.only)

    return server


def serve() -> None:
    """Serve an editor on standard input and output until it says that it is done."""
    from importlib.metadata import version

    logging.basicConfig(level=logging.WARNING, format="diglot: %(message)s")
    make_server(version("diglot")).start_io()
