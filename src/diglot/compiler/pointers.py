"""JSON pointers (RFC 6901): the names of places inside a document."""

from __future__ import annotations


def join_pointer(*parts: str | int) -> str:
    """The pointer of these parts below a document's root; `""` for no parts.

    Pointers concatenate: `base + join_pointer("do", 0)` is a place below `base`.
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def split_pointer(pointer: str) -> list[str]:
    """The unescaped parts of a pointer.

    Raises:
        ValueError: the text is not empty and does not start with `/`.
    """
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise ValueError(f"a JSON pointer starts with '/': {pointer!r}")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]
