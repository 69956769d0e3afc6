"""What is known of a document that is open in an editor."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pygls.uris import to_fs_path

from diglot.api.beside import beside
from diglot.api.settings import BadSettings, find_settings, read_severities_of
from diglot.compiler import Compiled, codes, compile_source
from diglot.compiler.source import Source

from .places import Places

#: A file with nothing else was written for another program.
_FOREIGN: Final = frozenset({codes.NOT_A_WORKFLOW.id, codes.NOT_BPMN.id, codes.EMPTY_DOCUMENT.id})


@dataclass(frozen=True, slots=True)
class Analysis:
    """One version of a document, compiled; `problem` is what is wrong with its settings."""

    uri: str
    version: int | None
    compiled: Compiled
    places: Places
    severities: Mapping[str, str]
    problem: str = ""

    @property
    def is_foreign(self) -> bool:
        """Whether this is no document of ours, so that nothing is to be said of it."""
        found = self.compiled.diagnostics
        return bool(found) and all(one.code in _FOREIGN for one in found)

    @property
    def is_xml(self) -> bool:
        """Whether the document is a BPMN file, or would be one."""
        return self.compiled.source.text.lstrip("\ufeff \t\r\n").startswith("<")

    def compile(self, text: str) -> Compiled:
        """What another text in the place of the document would be."""
        return _compiled(self.uri, text, self.severities)


def analyze(uri: str, version: int | None, text: str, encoding: str) -> Analysis:
    """Compile a document with the settings that hold for it."""
    severities, problem = _settings(uri)
    text = text.removeprefix("\ufeff")
    compiled = _compiled(uri, text, severities)
    # What cannot be decoded or is refused for its size leaves no text in what was compiled.
    places = Places(Source(text, compiled.source.name), encoding)
    return Analysis(uri, version, compiled, places, severities, problem)


def path_of(uri: str) -> Path | None:
    """The file of a document; None where it is not kept in one yet."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return None if path is None else Path(path)


def _compiled(uri: str, text: str, severities: Mapping[str, str]) -> Compiled:
    path = path_of(uri)
    return compile_source(
        text,
        uri if path is None else os.fspath(path),
        resolve=None if path is None else beside(path.parent),
        severities=severities,
    )


def _settings(uri: str) -> tuple[Mapping[str, str], str]:
    path = path_of(uri)
    file = None if path is None else find_settings(path.parent)
    if file is None:
        return {}, ""
    try:
        return read_severities_of(file), ""
    except BadSettings as error:
        return {}, str(error)
