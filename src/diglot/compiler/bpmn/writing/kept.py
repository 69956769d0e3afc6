"""What was kept of a file, as the tree that it was.

A graph may come from a stranger as JSON, and so may what it says it kept: whatever is not a tree
of names that XML has counts as nothing kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard, cast

from ...graph import Graph
from ..xml import DEFAULT
from .tag import Tag, from_kept

#: A name as it is kept: of the model, or of another vocabulary, or of none. XML takes some letters
#: less than this; whoever reads what was written finds out.
_NAME: Final = re.compile(r"(\{[^{}]*\})?[^\W\d][\w.\-\u00b7]*(:[\w.\-\u00b7]+)*")
#: What a node that ends early has in the places behind.
_EMPTY: Final[tuple[Any, ...]] = ({}, [], "")


def kept_tree(graphs: Sequence[Graph]) -> Tag | None:
    """The file that all of these were read from; None where there is none, or no single one.

    Its diagrams are children of it again, and the prefixes of the file are declared at the root.
    """
    if not graphs:
        return None
    foreign, presentation = graphs[0].foreign, graphs[0].presentation
    if any(one.foreign != foreign or one.presentation != presentation for one in graphs[1:]):
        return None
    tree, namespaces = _member(foreign, "bpmn"), _member(foreign, "namespaces", {})
    if not _is_tree(tree) or tree[0] != "definitions" or not _is_text_map(namespaces):
        return None
    root = from_kept(list(tree))
    for prefix, uri in namespaces.items():
        if uri and (not prefix or _NAME.fullmatch(prefix)):
            root.attributes.setdefault(f"xmlns:{prefix}" if prefix else "xmlns", uri)
    written = _member(presentation, "written")
    if _is_list(written):
        root.children.extend(from_kept(list(one)) for one in written if _is_tree(one))
    return root


def _member(value: Any, name: str, default: Any = None) -> Any:
    """A member of an object; the default of what is none."""
    is_object = isinstance(value, Mapping)
    return cast("Mapping[str, Any]", value).get(name, default) if is_object else default


def _is_tree(kept: Any) -> TypeGuard[Sequence[Any]]:
    """Whether this is `[name, attributes, children, text]`, all the way down and not too deep."""
    todo: list[tuple[Any, int]] = [(kept, 1)]
    seen: set[str] = set()
    while todo:
        one, depth = todo.pop()
        if not _is_list(one) or not 1 <= len(one) <= 4 or depth > DEFAULT.depth:
            return False
        name, attributes, children, text = (*one, *_EMPTY[len(one) - 1 :])
        if not isinstance(name, str) or not _is_text_map(attributes):
            return False
        if not _is_list(children) or not isinstance(text, str):
            return False
        seen.update((name, *attributes))
        todo.extend((child, depth + 1) for child in children)
    return all(_NAME.fullmatch(name) for name in seen)


def _is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple)


def _is_text_map(value: Any) -> TypeGuard[Mapping[str, str]]:
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and isinstance(one, str)
        for key, one in cast("Mapping[Any, Any]", value).items()
    )
