"""CloudEvents that leave the engine arrive, in order, and are tried again until they do."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, cast

import pytest

from diglot.runtime.actions.outgoing import PERMISSIVE
from diglot.runtime.scheduler import settle
from diglot.runtime.sinks import file_sink, http_sink
from support.runs import Run

EMIT = "do: [{tell: {emit: {event: {with: {type: told, source: /s, data: {n: 1}}}}}}]"


class Listener(HTTPServer):
    """Keeps what it got; answers 503 to the first `failing` requests."""

    def __init__(self, failing: int) -> None:
        self.failing = failing
        self.got: list[tuple[str, Any]] = []
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        listener = cast("Listener", self.server)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if listener.failing:
            listener.failing -= 1
            self.send_response(503)
        else:
            listener.got.append((self.headers["Content-Type"], json.loads(body)))
            self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def listener() -> Iterator[Listener]:
    server = Listener(failing=2)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_file_gets_one_line_an_event(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    run = Run(sinks=(file_sink(path),))
    run.start(EMIT)

    told = [json.loads(line)["type"] for line in path.read_text().splitlines()]

    assert [type.removeprefix("io.serverlessworkflow.") for type in told] == [
        "workflow.started.v1",
        "task.created.v1",
        "task.started.v1",
        "told",
        "task.completed.v1",
        "workflow.completed.v1",
    ]


def test_a_listener_that_fails_gets_every_event_later_and_in_structured_mode(
    listener: Listener,
) -> None:
    run = Run(sinks=(http_sink(f"http://127.0.0.1:{listener.server_port}/", PERMISSIVE),))
    run.start(EMIT)
    assert len(listener.got) == 4

    run.advance(60_000)

    kinds = {kind for kind, _ in listener.got}
    assert kinds == {"application/cloudevents+json"}
    assert len({event["id"] for _, event in listener.got}) == 6


def test_an_event_that_was_not_sent_survives_a_crash(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'runs.db'}"

    def refuse(envelope: dict[str, Any]) -> None:
        raise ConnectionError

    first = Run(url, sinks=(refuse,))
    first.start(EMIT)
    first.engine.close()
    got: list[dict[str, Any]] = []

    second = Run(url, clock=first.clock, sinks=(got.append,))
    second.advance(60_000)
    settle(second.engine)

    assert len(got) == 6
