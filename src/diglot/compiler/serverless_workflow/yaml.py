"""The front door for text: YAML 1.2 (core schema) and JSON, within limits, with positions.

Documents are hostile until they are loaded. They are composed from parser events, so the limits
hold while the text is read, aliases are counted before they are expanded, and nothing that two
readers could understand differently (duplicate keys, tags, merge keys) gets through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.source import Source

from .compose import DEFAULT_LIMITS, Composer, Limits, Refused, SyntaxFault
from .decode import decode
from .json_text import read_json
from .located import Json, Located, Node
from .scalars import CORE_TAGS, ScalarFault, abridge, resolve_plain, resolve_tagged

__all__ = ["Json", "Limits", "Located", "decode", "load_document"]

#: libyaml where PyYAML was built with it, else the same parser in Python, twenty times slower.
PARSER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_FORBIDDEN_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TAB_INDENTATION = re.compile(r" *\t")

#: What a parser's message usually comes from; the first that fits is the hint.
_HINTS = (
    ("mapping values are not allowed", "Quote a value that has ': ' in it; else align the keys."),
    ("could not find expected ':'", "Put ': ' behind the key, or indent the text below its key."),
    ("did not find expected key", "Keys of one mapping stand in one column, one on a line."),
    ("expected <block end>", "Keys of one mapping stand in one column, one on a line."),
    ("expected '-' indicator", "Items of one list stand in one column, each behind '- '."),
    ("unexpected end of stream", "A quote that was opened is not closed."),
    ("that cannot start any token", "Quote a value that starts with @, ` or %."),
    ("unknown escape character", "In double quotes write a backslash as two; or use single ones."),
    ("undefined tag handle", "Remove the tag; documents have only YAML's core tags."),
    ("expected ',' or", "A list in [ ] or a mapping in { } is not closed, or lacks a comma."),
)


def load_document(
    source: Source, report: Report, *, limits: Limits = DEFAULT_LIMITS
) -> Located | None:
    """The document of a text, or None when the report got an error.

    Text whose name ends in `.json` is JSON; other text that starts with `{` or `[` is read as
    JSON first and as YAML when it is none. What both could read, but differently (a bare `NaN`),
    is refused.
    """
    if source.text.startswith("\ufeff"):
        source = Source(source.text[1:], source.name)
    found = Report()
    root = None
    try:
        root = _read(source, found, limits)
    except SyntaxFault as fault:
        span = source.span(fault.offset, fault.offset + 1)
        found.add(fault.code, span, hint=fault.hint, **fault.parameters)
    except Refused:
        pass
    report.diagnostics.extend(found)
    return None if root is None or found.has_errors else Located(source, root)


def _read(source: Source, found: Report, limits: Limits) -> Node | None:
    size = len(source.text.encode("utf-8", "surrogatepass"))
    if size > limits.size_bytes:
        top = source.span(0, 0)
        found.add(codes.DOCUMENT_TOO_LARGE, top, size=size, limit=limits.size_bytes)
        raise Refused
    _forbid(_FORBIDDEN, source, found)
    if not source.text.lstrip(" \t\r\n").startswith(("{", "[")):
        is_json = source.name.lower().endswith(".json")
        return (read_json if is_json else read_yaml)(source, found, limits)
    try:
        return read_json(source, found, limits)
    except SyntaxFault as json_fault:
        if source.name.lower().endswith(".json"):
            raise
        found.diagnostics.clear()
        try:
            return read_yaml(source, found, limits)
        except SyntaxFault as yaml_fault:
            # Whichever reader came further knew better what the text is.
            raise max(json_fault, yaml_fault, key=lambda fault: fault.offset) from None


def read_yaml(source: Source, report: Report, limits: Limits, parser: Any = PARSER) -> Node | None:
    """The tree of a YAML text; `parser` is a PyYAML class that gives events.

    Raises:
        SyntaxFault: the text is not YAML.
        Refused: a finding after which reading makes no sense; it is in the report.
    """
    _forbid(_FORBIDDEN_IN_YAML, source, report)
    _forbid_directives(source, report)
    into = Composer(source, report, limits)
    end = 0
    for event in _events(source.text, parser):
        _take(event, into, source.text)
        end = _offset(event.end_mark)
    _forbid_epilogue(source, end, report)
    root = into.root
    if root is None or (root.start == root.end and root.value is None):
        report.add(codes.EMPTY_DOCUMENT, source.span(0, 0))
    return root


def _events(text: str, parser: Any) -> Iterator[yaml.Event]:
    """The parser's events up to the end of the first document."""
    events = parser(text)
    try:
        while True:
            event = events.get_event()
            yield event
            if isinstance(event, (yaml.DocumentEndEvent, yaml.StreamEndEvent)):
                return
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The parser in Python lets an escape beyond Unicode fail with the latter two.
        raise _syntax_fault(error, text) from None
    finally:
        events.dispose()


def _take(event: yaml.Event, into: Composer, text: str) -> None:
    """Hand one parser event to the composer."""
    if isinstance(event, yaml.ScalarEvent):
        _take_scalar(event, into, text)
    elif isinstance(event, yaml.CollectionStartEvent):
        start = _offset(event.start_mark)
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        node = Node({}, start, start, "", {}) if is_mapping else Node([], start, start, "", [])
        into.open(node, event.anchor)
        properties = Node(None, start, _offset(event.end_mark))
        _check_collection_tag(event.tag, "map" if is_mapping else "seq", properties, into)
    elif isinstance(event, yaml.CollectionEndEvent):
        # Only a flow collection ends with characters of its own; a block ends with its last child.
        start, end = _offset(event.start_mark), _offset(event.end_mark)
        into.close(end if end > start else None)
    elif isinstance(event, yaml.AliasEvent):
        into.alias(str(event.anchor), _offset(event.start_mark), _offset(event.end_mark))


def _take_scalar(event: yaml.ScalarEvent, into: Composer, text: str) -> None:
    start, end = _offset(event.start_mark), _offset(event.end_mark)
    style = event.style or ""
    if style in ("|", ">"):
        end = start + len(text[start:end].rstrip())
    node = Node(event.value, start, end, style)
    fault = None
    try:
        node.value = _scalar_value(event, into.is_at_key)
    except ScalarFault as found:
        fault = found
    into.scalar(node, event.anchor)
    if fault is not None:
        into.find(fault.code, node, **fault.parameters)


def _scalar_value(event: yaml.ScalarEvent, is_key: bool) -> Json:
    """The JSON value of a scalar.

    Raises:
        ScalarFault: it has none, or none that every reader would agree on.
    """
    value, style, tag = event.value, event.style or "", event.tag
    if tag:
        if tag not in CORE_TAGS:
            raise ScalarFault(codes.CUSTOM_TAG, tag=_written(tag))
        return resolve_tagged(value, CORE_TAGS[tag])
    if not style:
        if value == "<<" and is_key:
            raise ScalarFault(codes.MERGE_KEY)
        return resolve_plain(value)
    if style == '"' and _SURROGATE.search(value):
        raise ScalarFault(codes.LONE_SURROGATE)
    return value


def _check_collection_tag(tag: str | None, kind: str, node: Node, into: Composer) -> None:
    if not tag or tag == "!" or CORE_TAGS.get(tag) == kind:
        return
    if tag in CORE_TAGS:
        text = "a mapping" if kind == "map" else "a sequence"
        into.find(codes.TAG_MISMATCH, node, tag=f"!!{CORE_TAGS[tag]}", text=text)
    else:
        into.find(codes.CUSTOM_TAG, node, tag=_written(tag))


def _written(tag: str) -> str:
    """A resolved tag as an author writes it."""
    return abridge(tag.replace("tag:yaml.org,2002:", "!!"))


def _forbid(characters: re.Pattern[str], source: Source, report: Report) -> None:
    found = characters.search(source.text)
    if found:
        span = source.span(found.start(), found.end())
        report.add(codes.CONTROL_CHARACTER, span, character=f"U+{ord(found.group()):04X}")
        raise Refused


def _forbid_directives(source: Source, report: Report) -> None:
    """Refuse what may stand before a document and changes how tags are read.

    Besides, many `%TAG` lines make the parser's time quadratic.
    """
    offset = 0
    for line in source.text.splitlines(keepends=True):
        if line.startswith("%"):
            directive = line.split()[0]
            if directive != "%YAML":
                span = source.span(offset, offset + len(directive))
                report.add(codes.YAML_DIRECTIVE, span, directive=abridge(directive))
                raise Refused
        elif line.strip() and not line.lstrip().startswith("#"):
            return
        offset += len(line)


def _forbid_epilogue(source: Source, offset: int, report: Report) -> None:
    """Refuse whatever follows the first document, without parsing it."""
    for line in source.text[offset:].splitlines(keepends=True):
        content = line.strip()
        if content and content != "..." and not content.startswith("#"):
            start = offset + len(line) - len(line.lstrip())
            if content.startswith(("---", "%")):
                report.add(codes.SEVERAL_DOCUMENTS, source.span(start, start + 3))
                raise Refused
            raise SyntaxFault(start, codes.YAML_SYNTAX, problem="text follows the document's end")
        offset += len(line)


def _syntax_fault(error: Exception, text: str) -> SyntaxFault:
    """A parser's message with its place and, where it is known, its usual reason."""
    problem = str(getattr(error, "problem", None) or error)
    context = getattr(error, "context", None)
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    offset = _offset(mark) if mark is not None else 0
    if "maximum nesting depth" in problem:
        return SyntaxFault(offset, codes.NESTING_TOO_DEEP, limit=DEFAULT_LIMITS.depth)
    if "Unicode character escape" in problem:
        return SyntaxFault(offset, codes.LONE_SURROGATE)
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    tab = _TAB_INDENTATION.match(text, line_start)
    if tab:
        return SyntaxFault(tab.end() - 1, codes.TAB_INDENTATION)
    hint = next((hint for part, hint in _HINTS if part in problem), "")
    message = f"{context}: {problem}" if context else problem
    return SyntaxFault(offset, codes.YAML_SYNTAX, hint, problem=message)


def _offset(mark: Any) -> int:
    """A parser mark's place, in characters from the start of the text."""
    return int(mark.index)
