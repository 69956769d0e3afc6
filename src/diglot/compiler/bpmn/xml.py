"""The front door: from the bytes of a BPMN file to its elements, whoever wrote it.

One pass of expat builds the tree. It is never given anything but text in UTF-8 that was decoded
before; a document type ends the reading before its first declaration is looked at, so that there
are no entities, no external files and nothing that could grow. Comments and processing
instructions have no effect. Namespaces are resolved here and not by the parser, because real files
have URIs with spaces in them, forget to declare prefixes, or use the namespaces of drafts.
Source: XML 1.0; Namespaces in XML 1.0; BPMN 2.0.2, 15.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn
from xml.parsers import expat

import msgspec

from .. import codes
from ..diagnostics import Code, Report
from ..source import Source
from .aside import DIGLOT, put_back
from .decode import decode
from .document import BPMN, STANDARD, Document, Element
from .names import USUAL_PREFIXES, XML, Namespaces, canonical, notation
from .places import attribute_values, tag_end
from .syntax import explain, where


class XmlLimits(msgspec.Struct, frozen=True):
    """How much of a file is read before it is refused.

    `size_bytes` bounds the file, and the text as UTF-8. Of some 1,600 files of forty tools the
    largest has 0.9 MB, one 8,000 elements, most of them of its diagram, one 16 attributes at an
    element, one a depth of 14; a file at the limits is read and checked in about two seconds.
    """

    size_bytes: int = 5 * 1024 * 1024
    depth: int = 100
    elements: int = 100_000
    attributes: int = 1_000


DEFAULT: Final = XmlLimits()

#: What may hold elements of no namespace that are not meant to be BPMN.
_OPEN: Final = frozenset({"extensionElements", "documentation", "text", "script"})
#: What no URI has in it. Source: RFC 3986, 2.
_NO_URI: Final = re.compile(r"""[\s<>"{}|\\^`]""")


class _Refused(Exception):
    """Reading stops here; why is in the report."""


def read_xml(
    data: bytes | str, name: str, report: Report, limits: XmlLimits = DEFAULT
) -> Document | None:
    """The document in a file, or None where the report got an error.

    Text comes decoded; what its XML declaration says of an encoding is then without meaning.
    """
    if _is_too_large(len(data), name, report, limits):
        return None
    if isinstance(data, bytes):
        source = decode(data, name, report)
    else:
        source = Source(data.removeprefix("\ufeff"), name)
    try:
        text = source.text.encode()
    except UnicodeEncodeError as fault:
        at = fault.start
        problem = "half a surrogate pair is no character"
        report.add(codes.XML_SYNTAX, source.span(at, at + 1), problem=problem)
        return None
    # The text as UTF-8 can be larger than what it came from.
    if _is_too_large(len(text), name, report, limits):
        return None
    return _Reader(source, text, report, limits).read()


def _is_too_large(size: int, name: str, report: Report, limits: XmlLimits) -> bool:
    if size <= limits.size_bytes:
        return False
    top = Source("", name).span(0, 0)
    report.add(codes.DOCUMENT_TOO_LARGE, top, size=size, limit=limits.size_bytes)
    return True


class _Scope:
    """The prefixes in force, and the names that were resolved by them already."""

    __slots__ = ("names", "namespaces")

    def __init__(self, namespaces: Namespaces) -> None:
        self.namespaces = namespaces
        self.names: dict[str, tuple[str, str]] = {}


class _Reader:
    """One reading of one document."""

    def __init__(self, source: Source, text: bytes, report: Report, limits: XmlLimits) -> None:
        self._source = source
        self._text = text
        self._report = report
        self._limits = limits
        self._is_ascii = len(text) == len(source.text)
        self._byte = 0
        self._offset = 0
        self._left = limits.elements
        self._root: Element | None = None
        self._is_exported = False
        #: What is open: the element, where its text begins, its prefixes, its name as written.
        self._open: list[tuple[Element, int, _Scope, str]] = []
        #: The pieces of text of what is open; whoever is closed takes away its own.
        self._texts: list[str] = []
        self._scope = _Scope(Namespaces({"xml": XML, "": ""}))
        #: The namespaces of all names so far; an element that has none may be one of BPMN.
        self._vocabularies = {BPMN}
        #: Codes with what they were said of: one finding a file for each.
        self._said: set[tuple[str, str]] = set()
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        # Most pieces are the space between elements: nothing is done for each of them.
        self._parser.CharacterDataHandler = self._texts.append

    def read(self) -> Document | None:
        """The document; None where it was refused."""
        try:
            self._parser.Parse(self._text, True)
        except expat.ExpatError as fault:
            self._report_syntax(fault)
            return None
        except _Refused:
            return None
        finally:
            # The parser and its handlers refer to each other, and to the whole tree.
            self._parser.StartElementHandler = self._parser.EndElementHandler = None
            self._parser.CharacterDataHandler = self._parser.StartDoctypeDeclHandler = None
        assert self._root is not None
        if self._is_exported:
            put_back(self._root)
        return Document(self._source, self._root, frozenset(self._vocabularies))

    def _doctype(
        self, root: str, _system: str | None, _public: str | None, _has_subset: bool
    ) -> None:
        # The parser is somewhere inside the declaration.
        at = max(self._source.text.rfind("<!DOCTYPE", 0, self._here()), 0)
        if root.lower() == "html":
            self._refuse(codes.NOT_BPMN, at, found=notation("", root))
        self._refuse(codes.DOCUMENT_TYPE, at)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        at = self._parser.CurrentByteIndex if self._is_ascii else self._here()
        opened, limits = self._open, self._limits
        self._left -= 1
        if self._left < 0:
            self._refuse(codes.TOO_MANY_ELEMENTS, at, limit=limits.elements)
        if len(opened) >= limits.depth:
            self._refuse(codes.ELEMENTS_TOO_DEEP, at, limit=limits.depth)
        parent: Element | None = None
        if opened:
            parent, _, self._scope, _ = opened[-1]
        names = ""
        if attributes:
            if len(attributes) > limits.attributes:
                self._refuse(codes.TOO_MANY_ATTRIBUTES, at, limit=limits.attributes)
            names = " ".join(attributes)
            if "xmlns" in names and any(
                key == "xmlns" or key.startswith("xmlns:") for key in attributes
            ):
                self._declare(attributes, at)
        scope = self._scope
        namespace, local = scope.names.get(name) or self._resolve(name, at)
        if not namespace and (parent is None or (parent.is_bpmn and parent.name not in _OPEN)):
            namespace = self._without_namespace(local, parent, at)
        if parent is None and (namespace != BPMN or local != "definitions"):
            self._refuse(codes.NOT_BPMN, at, found=notation(namespace, _short(local)))
        foreign: dict[str, str] = {}
        own = attributes
        if ":" in names or "xmlns" in names:
            own, foreign = self._sort(attributes, namespace, at)
        element = Element(
            local,
            namespace,
            own,
            foreign,
            self._source,
            at,
            scope.namespaces,
            parent,
        )
        if parent is None:
            self._root = element
        else:
            parent.children.append(element)
        opened.append((element, len(self._texts), scope, name))

    def _end(self, _name: str) -> None:
        element, begin, _, _ = self._open.pop()
        texts = self._texts
        if len(texts) > begin:
            element.text = "".join(texts[begin:])
            del texts[begin:]

    def _declare(self, attributes: dict[str, str], at: int) -> None:
        """Enter a new scope with the namespaces that this start tag declares."""
        declared: dict[str, str] = {}
        for key, uri in attributes.items():
            if key == "xmlns" or key.startswith("xmlns:"):
                known = canonical(uri)
                declared[key[6:]] = known
                self._is_exported = self._is_exported or known == DIGLOT
                if known != uri:
                    shown = _short(uri)
                    self._say(codes.NAMESPACE_VARIANT, at, uri, key, namespace=shown, known=known)
                elif _NO_URI.search(uri):
                    self._say(codes.NAMESPACE_NOT_A_URI, at, uri, key, namespace=_short(uri))
        outer = self._scope.namespaces
        if any(outer.get(prefix) != uri for prefix, uri in declared.items()):
            self._scope = _Scope(Namespaces(declared, outer))

    def _resolve(self, name: str, at: int) -> tuple[str, str]:
        """Namespace and local name of an element; an unknown prefix stands for itself."""
        prefix, _, local = name.partition(":")
        if not local:
            prefix, local = "", name
        found = self._scope.namespaces.get(prefix)
        if found is None:
            found = USUAL_PREFIXES.get(prefix, prefix)
            taken = f"it is read as `{found}`" if found != prefix else "what has it is foreign"
            self._say(codes.PREFIX_UNDECLARED, at, prefix, prefix=_short(prefix), taken=taken)
        self._scope.names[name] = found, local
        self._vocabularies.add(found)
        return found, local

    def _without_namespace(self, local: str, parent: Element | None, at: int) -> str:
        """BPMN, for an element of no namespace where one of BPMN has to stand."""
        if parent is None and local != "definitions":
            return ""
        self._say(codes.NAMESPACE_MISSING, at, "", element=_short(local))
        return BPMN

    def _sort(
        self, attributes: dict[str, str], namespace: str, at: int
    ) -> tuple[dict[str, str], dict[str, str]]:
        """The attributes of the element's own vocabulary, and those of others."""
        own: dict[str, str] = {}
        foreign: dict[str, str] = {}
        for key, value in attributes.items():
            if ":" not in key:
                if key != "xmlns":
                    own[key] = value
            elif not key.startswith("xmlns:"):
                uri, local = self._scope.names.get(key) or self._resolve(key, at)
                if uri in STANDARD and namespace in STANDARD:
                    self._say(
                        codes.ATTRIBUTE_QUALIFIED,
                        at,
                        key,
                        key,
                        name=_short(key),
                        local=_short(local),
                    )
                    if local not in attributes:
                        own[local] = value
                else:
                    foreign[f"{{{uri}}}{local}"] = value
        return own, foreign

    def _here(self) -> int:
        """The offset of what the parser is at; it counts in bytes."""
        byte = self._parser.CurrentByteIndex
        if self._is_ascii:
            return byte
        self._offset += len(self._text[self._byte : byte].decode())
        self._byte = byte
        return self._offset

    def _refuse(self, code: Code, at: int, **parameters: Any) -> NoReturn:
        end = max(tag_end(self._source.text, at), at + 1)
        self._report.add(code, self._source.span(at, end), **parameters)
        raise _Refused

    def _say(self, code: Code, at: int, about: str, attribute: str = "", **parameters: Any) -> None:
        """A warning about something that a file does often, once.

        At the value of an attribute as it is written, or at the start tag.
        """
        if (code.id, about) in self._said or len(self._said) >= _MOST_SAID:
            return
        self._said.add((code.id, about))
        text = self._source.text
        places = dict(attribute_values(text, at)) if attribute else {}
        start, end = places.get(attribute, (at, tag_end(text, at)))
        self._report.add(code, self._source.span(start, end), **parameters)

    def _report_syntax(self, fault: expat.ExpatError) -> None:
        # Negative where there is no text at all.
        byte = max(self._parser.ErrorByteIndex, 0)
        at = byte if self._is_ascii else len(self._text[:byte].decode(errors="ignore"))
        at = where(self._source.text, at)
        opened = [(name, element.start) for element, _, _, name in self._open]
        problem, hint = explain(fault.code, self._source, at, opened)
        span = self._source.span(at, at + 1)
        self._report.add(codes.XML_SYNTAX, span, hint=hint, problem=problem)


#: So many different warnings about the text of one file.
_MOST_SAID: Final = 50


def _short(text: str) -> str:
    """The text, shortened for a message."""
    return text if len(text) <= 80 else text[:79] + "…"
