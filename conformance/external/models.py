"""BPMN files as trees of another reader than ours, to look at and to write."""

from __future__ import annotations

from typing import Any

from lxml import etree

BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL"

#: An element; the library has no types of its own.
Node = Any


def tag(name: str) -> str:
    """A name of BPMN as the library has it."""
    return f"{{{BPMN}}}{name}"


def parsed(data: bytes) -> Node:
    """The root of a file; nothing outside it is read."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    return etree.fromstring(data, parser)


def text_of(root: Node) -> bytes:
    """A tree as a file."""
    return bytes(etree.tostring(root))
