"""What a BPMN file lacks or has too much of, where every reader knows what is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final
from xml.sax.saxutils import quoteattr

from .. import codes
from ..bpmn.document import BPMN
from ..bpmn.places import tag_end
from ..diagnostics import Diagnostic, Edit, Fix
from .fix import Place, fixes

_ROOT: Final = re.compile(r"<(?:[\w.-]+:)?definitions\b")
_TAKEN: Final = re.compile(r"it is read as `([^`]+)`")
_QUALIFIED: Final = re.compile(r"([\w.-]+:)[\w.-]+\s*=\s*[\"']$")
_LISTED: Final = re.compile(r"`([^`]+)` as (incoming|outgoing)")
_TAG: Final = re.compile(r"""<[\w.-](?:[^"'<>]++|"[^"<]*+"|'[^'<]*+')*+>""")
_ID: Final = re.compile(r"""\sid\s*=\s*["']([^"']*)["']""")
#: What comes before the flows of a node, in its own order.
_BEFORE: Final = (
    "documentation",
    "extensionElements",
    "auditing",
    "monitoring",
    "categoryValueRef",
)


@fixes(codes.COMPENSATION_HANDLER_UNMARKED)
def compensation_handler(found: Diagnostic, place: Place) -> Fix | None:
    """The mark of an activity that compensates."""
    tag = _tag_of(place, str(found.parameters.get("activity")))
    if tag is None:
        return None
    at = _end_of_attributes(place.source.text, tag[1])
    edit = place.edit(' isForCompensation="true"', at, at)
    return Fix('Add `isForCompensation="true"` to the activity.', (edit,))


@fixes(codes.NAMESPACE_VARIANT)
def namespace(found: Diagnostic, place: Place) -> Fix | None:
    """The namespace as the standard writes it."""
    known = str(found.parameters.get("known"))
    return None if place.text.startswith("<") else place.replace(known)


@fixes(codes.PREFIX_UNDECLARED)
def prefix(found: Diagnostic, place: Place) -> Fix | None:
    """The declaration of a prefix whose meaning everybody knows."""
    taken = _TAKEN.fullmatch(str(found.parameters.get("taken")))
    name = str(found.parameters.get("prefix"))
    if taken is None or not re.fullmatch(r"[\w.-]+", name):
        return None
    return _at_root(place, f" xmlns:{name}={quoteattr(taken[1])}")


@fixes(codes.NAMESPACE_MISSING)
def model_namespace(_: Diagnostic, place: Place) -> Fix | None:
    """The namespace of the model at a root that has none."""
    if not place.text.startswith("<definitions"):
        return None
    return _at_root(place, f' xmlns="{BPMN}"')


@fixes(codes.ATTRIBUTE_QUALIFIED)
def unprefixed_attribute(_: Diagnostic, place: Place) -> Fix | None:
    """An attribute of the standard without its prefix."""
    before = _QUALIFIED.search(place.source.text, max(place.start - 200, 0), place.start)
    if before is None:
        return None
    written = place.source.text[before.start() : before.end()].partition("=")[0].strip()
    edit = place.edit("", before.start(1), before.end(1))
    return Fix(f"Write `{written.partition(':')[2]}` for `{written}`.", (edit,))


@fixes(codes.GATEWAY_DIRECTION_DISAGREES)
def gateway_direction(_: Diagnostic, place: Place) -> Fix | None:
    """A gateway without the direction that its flows do not have."""
    return _without_attribute(place, "gatewayDirection")


@fixes(codes.SEQUENCE_FLOW_NOT_IMMEDIATE)
def immediate(_: Diagnostic, place: Place) -> Fix | None:
    """A flow of what is run without the mark of what is not."""
    return _without_attribute(place, "isImmediate")


@fixes(codes.SEQUENCE_FLOW_NOT_LISTED)
def listed_flow(found: Diagnostic, place: Place) -> Fix | None:
    """The flow in the lists of the nodes that it joins."""
    flow = str(found.parameters.get("flow"))
    edits: list[Edit] = []
    for id, side in _LISTED.findall(str(found.parameters.get("nodes"))):
        edit = _listed(place, id, side, flow)
        if edit is None:
            return None
        edits.append(edit)
    return Fix(f"List `{flow}` at the nodes that it joins.", tuple(edits)) if edits else None


def _listed(place: Place, id: str, side: str, flow: str) -> Edit | None:
    text, tag = place.source.text, _tag_of(place, id)
    if tag is None or not re.fullmatch(r"[\w.-]+", flow):
        return None
    start, end = tag
    name = re.compile(r"<((?:[\w.-]+:)?)([\w.-]+)").match(text, start)
    assert name is not None, "a tag begins with its name"
    entry = f"<{name[1]}{side}>{flow}</{name[1]}{side}>"
    if text.startswith("/>", end - 2):
        closing = f"</{name[1]}{name[2]}>"
        return place.edit(f">{entry}{closing}", end - 2, end)
    at = end
    others = ("incoming", "outgoing") if side == "outgoing" else ("incoming",)
    for child, behind in _children(text, end, (*_BEFORE, *others)):
        at = behind if child else at
    return place.edit(entry, at, at)


def _children(text: str, at: int, names: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """The first children as long as they have one of these names, and where each ends."""
    pattern = re.compile(
        rf"\s*(?:<!--.*?-->\s*)*<((?:[\w.-]+:)?(?:{'|'.join(names)}))(?=[\s/>])", re.DOTALL
    )
    while found := pattern.match(text, at):
        opened = tag_end(text, found.start(1) - 1)
        if text.startswith("/>", opened - 2):
            at = opened
        else:
            closing = f"</{found[1]}>"
            end = text.find(closing, opened)
            if end < 0:
                return
            at = end + len(closing)
        yield found[1], at


def _at_root(place: Place, attribute: str) -> Fix | None:
    text = place.source.text
    root = _ROOT.search(text)
    if root is None:
        return None
    edit = place.edit(attribute, root.end(), root.end())
    return Fix(f"Add `{attribute.strip()}` to `definitions`.", (edit,))


def _without_attribute(place: Place, name: str) -> Fix | None:
    found = re.search(rf"\s+{name}\s*=\s*(?:\"[^\"]*\"|'[^']*')", place.text)
    if found is None:
        return None
    edit = place.edit("", place.start + found.start(), place.start + found.end())
    return Fix(f"Remove `{found.group().strip()}`.", (edit,))


def _tag_of(place: Place, id: str) -> tuple[int, int] | None:
    """The start tag of the one element with an id, from offset to offset."""
    starts = _tags(place.source.text).get(id, ())
    return (starts[0], tag_end(place.source.text, starts[0])) if len(starts) == 1 else None


@lru_cache(maxsize=1)
def _tags(text: str) -> Mapping[str, Sequence[int]]:
    """Where the start tags are that have an id; kept, since many fixes of one file ask for it."""
    found: dict[str, list[int]] = {}
    for tag in _TAG.finditer(text):
        named = _ID.search(tag.group())
        if named is not None:
            found.setdefault(named[1], []).append(tag.start())
    return found


def _end_of_attributes(text: str, end: int) -> int:
    """Where another attribute can be put into the start tag that ends at `end`."""
    at = end - (2 if text.startswith("/>", end - 2) else 1)
    while text[at - 1].isspace():
        at -= 1
    return at
