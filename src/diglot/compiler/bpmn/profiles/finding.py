"""Looking for a vendor's attributes and elements on an element of the standard."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ..document import Element
from .contract import Mappings, VendorScript, Written

_CYCLE = re.compile(r"R(\d+)/(P[^/]+)")
_DELEGATE = re.compile(r"[$#]\{\s*([A-Za-z_][\w.]*)\s*\}")


def attribute(element: Element, namespaces: Iterable[str], name: str) -> str:
    """A vendor's attribute, under whichever of its namespaces; empty where it is not there."""
    for namespace in namespaces:
        found = element.foreign.get(f"{{{namespace}}}{name}")
        if found is not None:
            return found
    return ""


def written(
    element: Element, namespaces: Iterable[str], name: str, language: str = ""
) -> Written | None:
    """A vendor's attribute with its place."""
    for namespace in namespaces:
        key = f"{{{namespace}}}{name}"
        if element.foreign.get(key, "").strip():
            return Written(element.foreign[key], element, key, language)
    return None


def own(element: Element, name: str, language: str = "") -> Written | None:
    """An attribute without a prefix of a vendor's own element, with its place."""
    if not element.attributes.get(name, "").strip():
        return None
    return Written(element.attributes[name], element, name, language)


def extensions(element: Element, namespaces: Iterable[str], *names: str) -> Iterator[Element]:
    """A vendor's elements right inside `extensionElements`, in document order."""
    known = tuple(namespaces)
    for found in element.extensions():
        if found.namespace in known and found.name in names:
            yield found


def extension(element: Element, namespaces: Iterable[str], name: str) -> Element | None:
    """The first of a vendor's elements of this name."""
    return next(extensions(element, namespaces, name), None)


def inside(element: Element | None, *names: str) -> Iterator[Element]:
    """The children of a vendor's element with one of these names, whatever their namespace."""
    for child in () if element is None else element.children:
        if child.name in names:
            yield child


def moved(element: Element, namespaces: Iterable[str], name: str) -> Mappings:
    """The variables that `in` or `out` elements carry over: by name, or computed."""
    found: list[tuple[str, Written]] = []
    for one in extensions(element, namespaces, name):
        source = own(one, "source", "variable") or own(one, "sourceExpression")
        if source is not None and one.get("target"):
            found.append((one.get("target"), source))
    return tuple(found)


def named_values(
    element: Element, namespaces: Iterable[str], holder: str, item: str, key: str = "name"
) -> dict[str, str]:
    """The pairs of a vendor's list of properties or headers; the first of a name wins."""
    found: dict[str, str] = {}
    for child in inside(extension(element, namespaces, holder), item):
        if child.get(key):
            found.setdefault(child.get(key), child.get("value") or child.text.strip())
    return found


def assignment(
    element: Element, namespaces: Iterable[str], names: Iterable[str]
) -> dict[str, Written]:
    """The attributes of these names that say who does a task and when, by name."""
    known = tuple(namespaces)
    found = {name: written(element, known, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def delegate(text: str) -> str:
    """What a worker is asked for where a file names a bean: its bare name, or the text itself."""
    found = _DELEGATE.fullmatch(text.strip())
    return found.group(1) if found else text.strip()


def retries(text: str) -> tuple[int | None, str]:
    """How often and after which duration a repeating interval tries again."""
    found = _CYCLE.fullmatch(text.strip())
    return (int(found.group(1)), found.group(2)) if found else (None, "")


def script(element: Element | None, formats: str = "scriptFormat") -> VendorScript | None:
    """A vendor's script element."""
    if element is None or not element.text.strip():
        return None
    language = element.get(formats)
    return VendorScript(code=Written(element.text, element, language=language), language=language)


def without_empty(facts: Mapping[str, str]) -> dict[str, str]:
    """The facts that are there."""
    return {name: value for name, value in facts.items() if value}
