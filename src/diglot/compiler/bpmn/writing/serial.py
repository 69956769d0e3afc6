"""Elements as text: one form for one tree, whoever made it.

The standard's vocabularies have the prefixes that nearly every tool gives them, whatever a file
gave them; the prefixes of a file stay declared, because values may have them too. A tree says
which by the attributes `xmlns` and `xmlns:prefix` of its root. An element is on a line of its own,
indented by its depth; where character data stands beside elements nothing is added to it.

Source: XML 1.0, 2.2, 2.4, 3.3.3; Namespaces in XML 1.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ... import codes
from ...diagnostics import Report
from ..aside import DIGLOT as DIGLOT
from ..document import BPMN, BPMNDI, DC, DI, XSI
from ..names import USUAL_PREFIXES, XML
from ..syntax import NOT_IN_XML
from .alterations import Alterations
from .tag import Tag

#: The prefixes that the standard's vocabularies have, in the order in which they are declared.
PREFIXES: Final[Mapping[str, str]] = {
    BPMN: "bpmn",
    BPMNDI: "bpmndi",
    DC: "dc",
    DI: "di",
    XSI: "xsi",
    DIGLOT: "diglot",
}
_USUAL: Final = {uri: prefix for prefix, uri in USUAL_PREFIXES.items() if uri not in PREFIXES}
#: Prefixes that Namespaces in XML keeps for itself.
_RESERVED: Final = frozenset({"xml", "xmlns"})
_UNDECLARED: Final = frozenset({XML, "http://www.w3.org/2000/xmlns/"})

_SPECIAL: Final = re.compile(r"[&<\r]|(?<=\]\])>")
_SPECIAL_IN_VALUE: Final = re.compile(r'[&<"\t\n\r]')
_REFERENCES: Final = {
    "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;",
    "\r": "&#13;",
}  # fmt: skip
_PREFIX: Final = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


def to_xml(root: Tag) -> str:
    """The whole document; two trees that are read alike have the same text.

    A character that XML has no form for becomes U+FFFD: see `without_illegal`.
    """
    names = _Names(root)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>\n']
    lines.extend(_pieces(root, names))
    return "".join(lines)


def without_illegal(root: Tag, report: Report) -> None:
    """Replace the characters that no XML document can have, and tell where."""
    alterations = Alterations(report)
    for tag in root.walk():
        found = NOT_IN_XML.search(tag.text)
        if found is not None:
            tag.text = NOT_IN_XML.sub("\ufffd", tag.text)
        for name, value in tag.attributes.items():
            if (in_value := NOT_IN_XML.search(value)) is not None:
                found = found or in_value
                tag.attributes[name] = NOT_IN_XML.sub("\ufffd", value)
        if found is not None:
            alterations.tell(
                codes.CHARACTER_NOT_IN_XML,
                tag.id,
                element=split(tag.name)[1],
                character=f"U+{ord(found.group()):04X}",
            )
    alterations.close()


def split(name: str) -> tuple[str, str]:
    """The namespace and the local name of an element's name; the model's are bare."""
    if name.startswith("{"):
        namespace, _, local = name[1:].partition("}")
        return namespace, local
    return BPMN, name


def declarations(root: Tag) -> dict[str, str]:
    """The namespaces that the root declares, by prefix; the default one has the empty prefix."""
    return {
        name[6:]: uri
        for name, uri in root.attributes.items()
        if name == "xmlns" or name.startswith("xmlns:")
    }


def prefixes_of(root: Tag) -> dict[str, str]:
    """The prefix that each namespace is written with: those in use, and the standard's."""
    names = _Names(root)
    return {namespace: names.prefix(namespace) for namespace in (*PREFIXES, *names.prefixes)}


class _Open(NamedTuple):
    """An element whose end tag is still to come."""

    end: str
    children: Iterator[Tag]
    indent: str | None
    is_bare: bool


def _pieces(root: Tag, names: _Names) -> Iterator[str]:
    """The text in pieces; `indent` is None inside of character data."""
    opened: list[_Open] = [_Open("", iter((root,)), "\n", is_bare=False)]
    indent: str | None = ""
    while opened:
        outer = opened[-1]
        tag = next(outer.children, None)
        if tag is None:
            opened.pop()
            yield outer.end
            continue
        indent = outer.indent
        is_root = len(opened) == 1
        if indent is not None and not is_root:
            yield indent
        namespace, _ = split(tag.name)
        name = names.element(tag.name)
        yield f"<{name}"
        is_bare = not namespace
        if is_root:
            yield from names.declared()
        elif is_bare and not outer.is_bare and names.default:
            yield ' xmlns=""'
        for key in sorted(tag.attributes, key=_is_qualified):
            if key != "xmlns" and not key.startswith("xmlns:"):
                yield f' {names.attribute(key)}="{_value(tag.attributes[key])}"'
        text = "" if tag.text.isspace() else tag.text
        if not tag.children:
            yield f">{_text(text)}</{name}>" if text else "/>"
            continue
        yield ">"
        yield _text(text)
        inner = None if text or indent is None else f"{indent}  "
        end = f"</{name}>" if inner is None else f"{indent}</{name}>"
        opened.append(_Open(end, iter(tag.children), inner, is_bare))
    yield "\n"


def _is_qualified(key: str) -> bool:
    return key.startswith("{")


def _text(text: str) -> str:
    return _SPECIAL.sub(_reference, NOT_IN_XML.sub("\ufffd", text))


def _value(text: str) -> str:
    return _SPECIAL_IN_VALUE.sub(_reference, NOT_IN_XML.sub("\ufffd", text))


def _reference(found: re.Match[str]) -> str:
    return _REFERENCES[found.group()]


def _used(root: Tag) -> tuple[dict[str, None], dict[str, None]]:
    """The namespaces of elements, and those of attributes, in the order of their first use."""
    elements: dict[str, None] = {}
    attributes: dict[str, None] = {}
    for tag in root.walk():
        elements.setdefault(tag.name)
        for name in filter(_is_qualified, tag.attributes):
            attributes.setdefault(name)
    return (
        dict.fromkeys(split(name)[0] for name in elements),
        dict.fromkeys(split(name)[0] for name in attributes),
    )


class _Names:
    """The prefixes of one document, and the names that were written with them."""

    def __init__(self, root: Tag) -> None:
        found = declarations(root)
        default = found.pop("", "")
        default = "" if default in _UNDECLARED else default
        #: What each prefix stands for, and which one stands for a namespace.
        self._bound = {
            prefix: uri
            for prefix, uri in found.items()
            if uri and prefix not in _RESERVED and uri not in _UNDECLARED
        }
        self._declared: dict[str, str] = {}
        for prefix in sorted(self._bound):
            self._declared.setdefault(self._bound[prefix], prefix)
        self._numbers: dict[str, int] = {}
        self.prefixes: dict[str, str] = {}
        self._names: dict[str, str] = {}
        of_elements, of_attributes = _used(root)
        for namespace in (*of_elements, *of_attributes):
            if namespace and namespace != XML and namespace not in self.prefixes:
                self.prefixes[namespace] = self._choose(namespace)
        # Readers of the field take attributes of the default namespace for those of no namespace,
        # also where they have a prefix.
        self.default = "" if default in of_attributes else default

    def _choose(self, namespace: str) -> str:
        """A prefix for a namespace: its usual one, one that is declared, or a new one."""
        usual = PREFIXES.get(namespace, "")
        if usual and self._bound.setdefault(usual, namespace) == namespace:
            return usual
        if namespace in self._declared:
            return self._declared[namespace]
        # What has no URI but a prefix that nobody declared is known by that prefix.
        wanted = usual or _USUAL.get(namespace, namespace)
        if not _PREFIX.fullmatch(wanted) or wanted.lower().startswith("xml"):
            wanted = "ns"
        prefix, number = wanted, self._numbers.get(wanted, 0)
        while prefix in self._bound or prefix == "ns":
            number += 1
            prefix = f"{wanted}{number}"
        self._numbers[wanted] = number
        self._bound[prefix] = namespace
        self._declared[namespace] = prefix
        return prefix

    def prefix(self, namespace: str) -> str:
        """The prefix of a namespace, used or not."""
        return self.prefixes.get(namespace) or self._choose(namespace)

    def declared(self) -> Iterator[str]:
        """The declarations, the standard's first, then the others by their prefixes."""
        if self.default:
            yield f' xmlns="{_value(self.default)}"'
        ranks = {prefix: rank for rank, prefix in enumerate(PREFIXES.values())}
        for prefix in sorted(self._bound, key=lambda one: (ranks.get(one, len(ranks)), one)):
            yield f' xmlns:{prefix}="{_value(self._bound[prefix])}"'

    def element(self, name: str) -> str:
        """The name of an element as it is written."""
        found = self._names.get(name)
        if found is None:
            namespace, local = split(name)
            prefix = "xml" if namespace == XML else self.prefixes.get(namespace, "")
            found = self._names[name] = f"{prefix}:{local}" if prefix else local
        return found

    def attribute(self, name: str) -> str:
        """The name of an attribute as it is written."""
        return self.element(name) if name.startswith("{") else name
