"""An editor as far as the server can tell: a process that speaks the protocol over pipes."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

_PATIENCE_S = 30


class Editor:
    """Starts `diglot lsp`, opens and changes documents, and waits for what is said of them."""

    def __init__(self, encodings: list[str] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "diglot.api.cli", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self._kept: list[dict[str, Any]] = []
        self._number = 0
        self._version = 0
        threading.Thread(target=self._read, daemon=True).start()
        general = {"positionEncodings": encodings} if encodings else {}
        self.capabilities = self.ask(
            "initialize", {"processId": None, "rootUri": None, "capabilities": {"general": general}}
        )["capabilities"]
        self.tell("initialized", {})

    def __enter__(self) -> Editor:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    # -- documents

    def open(self, uri: str, text: str, language: str = "yaml") -> list[dict[str, Any]]:
        """Open a document, and give what is found in it."""
        self._version += 1
        document = {"uri": uri, "languageId": language, "version": self._version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.findings(uri)

    def change(self, uri: str, *changes: dict[str, Any]) -> None:
        """Change a document, wholly or in places; nothing is waited for."""
        self._version += 1
        document = {"uri": uri, "version": self._version}
        self.tell(
            "textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)}
        )

    def findings(self, uri: str) -> list[dict[str, Any]]:
        """What is found in the version of a document that was sent last."""
        while True:
            said = self._next("textDocument/publishDiagnostics")["params"]
            if said["uri"] == uri and said.get("version", self._version) == self._version:
                return list(said["diagnostics"])

    def hover(self, uri: str, line: int, character: int) -> str:
        """What is shown at a place."""
        place = {"line": line, "character": character}
        found = self.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": place})
        return "" if found is None else str(found["contents"]["value"])

    def actions(
        self, uri: str, found: dict[str, Any], only: list[str] | None = None
    ) -> dict[str, list[dict[str, Any]]]:
        """What is offered for a finding: the edits by the title."""
        shown = [found] if "message" in found else []
        context = {"diagnostics": shown, **({"only": only} if only else {})}
        offered = self.ask(
            "textDocument/codeAction",
            {"textDocument": {"uri": uri}, "range": found["range"], "context": context},
        )
        return {one["title"]: one["edit"]["changes"][uri] for one in offered}

    # -- the protocol

    def ask(self, method: str, params: Any) -> Any:
        """Ask something, and wait for the answer."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        answer = self._next(self._number)
        assert "error" not in answer, answer
        return answer["result"]

    def tell(self, method: str, params: Any) -> None:
        """Say something that has no answer."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def said(self, method: str) -> dict[str, Any]:
        """The next thing that the server says by itself in this way."""
        return dict(self._next(method)["params"])

    def unread(self, method: str) -> int:
        """How often the server has said something in this way that nobody has waited for."""
        return sum(1 for message in self._kept if _is(message, method))

    def leave(self) -> int:
        """End the server as an editor does; its exit status."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self._process.wait(_PATIENCE_S)

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self._process.stdin.flush()

    def _next(self, wanted: str | int) -> dict[str, Any]:
        """The next answer with a number, or message of a method; others are kept for later."""
        for number, message in enumerate(self._kept):
            if _is(message, wanted):
                return self._kept.pop(number)
        while True:
            message = self._messages.get(timeout=_PATIENCE_S)
            if _is(message, wanted):
                return message
            self._kept.append(message)

    def _read(self) -> None:
        assert self._process.stdout is not None
        pipe = self._process.stdout
        while line := pipe.readline():
            length = int(line.partition(b":")[2])
            while pipe.readline().strip():
                pass
            self._messages.put(json.loads(pipe.read(length)))


def _is(message: dict[str, Any], wanted: str | int) -> bool:
    if isinstance(wanted, str):
        return message.get("method") == wanted
    return message.get("id") == wanted and "method" not in message


def changed(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after the edits of an editor, whose columns are units of UTF-16."""
    places = [
        (_offset(text, e["range"]["start"]), _offset(text, e["range"]["end"]), e) for e in edits
    ]
    for start, end, edit in sorted(places, key=lambda place: place[:2], reverse=True):
        text = text[:start] + edit["newText"] + text[end:]
    return text


def _offset(text: str, place: dict[str, int]) -> int:
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[: place["line"]])
    line = lines[place["line"]].encode("utf-16-le")[: 2 * place["character"]]
    return before + len(line.decode("utf-16-le"))


def uri_of(path: Path) -> str:
    """The address of a file."""
    return path.as_uri()
