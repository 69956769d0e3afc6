"""Files opened in the real bpmn-js, in a real browser: one process for as many as there are.

`npm install` in this folder brings the viewer. The browser asks a server of ours for the page, the
viewer and the files, and tells it what came of them.
"""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec

HERE = Path(__file__).parent
VIEWER = HERE / "node_modules" / "bpmn-js" / "dist" / "bpmn-viewer.production.min.js"
_KINDS = {"/": "text/html; charset=utf-8", "/viewer.js": "text/javascript; charset=utf-8"}
#: How long all files of one call may take.
_PATIENCE_S = 300


class Shown(msgspec.Struct, frozen=True):
    """What the viewer said of a file, what of its diagrams it did not show, and how much it did."""

    warnings: tuple[str, ...]
    missing: tuple[str, ...]
    count: int

    @property
    def unable(self) -> tuple[str, ...]:
        """The warnings of what it could read and not show."""
        return tuple(text for text in self.warnings if text.endswith("not yet drawn"))


class BrowserFailed(Exception):
    """The browser ended, or was silent for too long."""


def browser() -> str | None:
    """The browser there is: `CHROMIUM`, or the first of the usual names."""
    named = os.environ.get("CHROMIUM")
    names = (named,) if named else ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


def show(files: Mapping[str, str]) -> dict[str, Shown]:
    """Open each file in the viewer; `files` by names of their own.

    Raises:
        BrowserFailed: it told nothing.
    """
    told: queue.Queue[bytes] = queue.Queue()
    served = {f"/file/{number}": text.encode() for number, text in enumerate(files.values())}
    served["/files"] = msgspec.json.encode(list(served))
    served["/viewer.js"] = VIEWER.read_bytes()
    served["/"] = (HERE / "page.html").read_bytes()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(served, told))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            said = _told(f"http://127.0.0.1:{server.server_port}/", profile, told)
    finally:
        server.shutdown()
        server.server_close()
    shown = msgspec.json.decode(said, type=list[Shown])
    return dict(zip(files, shown, strict=True))


def _told(address: str, profile: str, told: queue.Queue[bytes]) -> bytes:
    command = [
        browser() or "",
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        f"--user-data-dir={profile}",
        address,
    ]
    # What it leaves behind goes with the profile.
    with subprocess.Popen(
        command,
        env=os.environ | {"TMPDIR": profile},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            for _ in range(_PATIENCE_S):
                try:
                    return told.get(timeout=1)
                except queue.Empty:
                    if process.poll() is not None:
                        raise BrowserFailed(f"it ended with {process.returncode}") from None
            raise BrowserFailed(f"nothing was told in {_PATIENCE_S} s")
        finally:
            process.terminate()


def _handler(served: Mapping[str, bytes], told: queue.Queue[bytes]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = served.get(self.path)
            if found is None:
                self.send_error(404)
            else:
                self._send(found)

        def do_POST(self) -> None:
            told.put(self.rfile.read(int(self.headers["Content-Length"])))
            self._send(b"")

        def _send(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", _KINDS.get(self.path, "text/plain; charset=utf-8"))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler
