"""Namespaces that are no URIs, and names with more than one colon, which XML readers refuse.

Source: Namespaces in XML 1.0, 2.2, 3, 4; RFC 3986, 2.1.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from ... import codes
from .alterations import Alterations
from .tag import Tag

#: The namespace of declarations, which nothing else may be in.
_XMLNS: Final = "http://www.w3.org/2000/xmlns/"
#: What no URI has in it, and a percent sign that encodes nothing.
_BAD: Final = re.compile(r"""[\s<>"{}|\\^`\[\]\ufffd]|%(?![0-9A-Fa-f]{2})""")


def encode_namespaces(root: Tag, alterations: Alterations) -> None:
    """Write the namespaces of elements, attributes and declarations so that they are URIs."""
    written: dict[str, str] = {}
    for tag in root.walk():
        tag.name = _encoded(_without_colons(tag, tag.name, alterations), written)
        if any(name[:1] == "{" or ":" in name for name in tag.attributes):
            attributes: dict[str, str] = {}
            for name, value in tag.attributes.items():
                # Declarations have a colon that is meant.
                is_declared = name.startswith("xmlns:")
                plain = name if is_declared else _without_colons(tag, name, alterations)
                attributes.setdefault(_encoded(plain, written), value)
            tag.attributes = attributes
    for name, uri in root.attributes.items():
        if name.startswith("xmlns") and _BAD.search(uri):
            root.attributes[name] = written[uri] = _uri(uri)
    for namespace, uri in written.items():
        if namespace != uri:
            alterations.tell(
                codes.NAMESPACE_WRITTEN_OTHERWISE, "", namespace=namespace[:80], written=uri[:80]
            )


def _without_colons(tag: Tag, name: str, alterations: Alterations) -> str:
    """A name of which the local part has none."""
    namespace, brace, local = name.rpartition("}")
    if ":" not in local:
        return name
    plain = local.replace(":", "_")
    alterations.tell(codes.NAME_WRITTEN_OTHERWISE, tag.id, name=local[:80], written=plain[:80])
    return f"{namespace}{brace}{plain}"


def _encoded(name: str, written: dict[str, str]) -> str:
    if not name.startswith("{"):
        return name
    namespace, _, local = name[1:].partition("}")
    found = written.get(namespace)
    if found is None:
        found = written[namespace] = _uri(namespace)
    return f"{{{found}}}{local}"


def _uri(namespace: str) -> str:
    if namespace == _XMLNS:
        return f"{namespace}other"
    return _BAD.sub(lambda found: quote(found.group(), safe=""), namespace)
