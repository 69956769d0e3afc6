"""The bodies of requests and responses: JSON values on one side, bytes on the other."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec

from .arguments import as_list, as_mapping, invalid, scalar_text
from .contract import ActionError

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"

_MAX_FORM_FIELDS = 10_000
_CHARSET = re.compile(r"""charset\s*=\s*"?([^\s";]+)""", re.IGNORECASE)
#: Codecs of Python that are cheap and mean text; `punycode` and its like are neither.
_TEXT_CODEC = re.compile(
    r"(utf-?8|utf-?16(-?[lb]e)?|utf-?32(-?[lb]e)?|(us-)?ascii|latin-?1|iso-8859-\d+|windows-125\d"
    r"|gb2312|gbk|gb18030|big5|shift[-_]jis|euc-(jp|kr)|koi8-[ru])",
    re.IGNORECASE,
)


def media_type(content_type: str) -> str:
    """The bare media type of a Content-Type header, in lower case."""
    return content_type.partition(";")[0].strip().lower()


def is_json(media: str) -> bool:
    """Whether the media type is JSON or built on it, as `application/problem+json`."""
    return media == JSON or media.endswith("+json")


def encode(value: Any, content_type: str) -> tuple[bytes, str]:
    """A request's body in `content_type`, and the Content-Type header to send with it.

    An object becomes a form where the type is one; everything else is text as it stands for types
    other than JSON, and JSON otherwise.
    """
    media = media_type(content_type)
    if media == FORM and not isinstance(value, str):
        return urlencode(_fields(value)).encode(), content_type
    if media == MULTIPART and not isinstance(value, str):
        return _multipart(_fields(value))
    if isinstance(value, str) and not is_json(media):
        return value.encode("utf-8", "replace"), content_type
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return written.encode(), content_type
    except (ValueError, TypeError, RecursionError):
        raise invalid("`body` cannot be written as JSON") from None


def decode(body: bytes, content_type: str) -> Any:
    """A response's content, deserialised by its media type.

    JSON becomes its value, text a string, a form an object (a repeated field a list), and anything
    else base64. An empty body is null, or the empty string where the type is text.

    Raises:
        ActionError: The body is not what its type promises.
    """
    media = media_type(content_type)
    if media.startswith("text/"):
        return body.decode(_codec(content_type), "replace")
    if not body:
        return None
    if is_json(media):
        return _decode_json(body)
    if media == FORM:
        return _decode_form(body, _codec(content_type))
    return base64.b64encode(body).decode()


def _decode_json(body: bytes) -> Any:
    try:
        # Stricter than the standard library: no NaN, no lone surrogates, exact integers.
        return msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, ValueError, RecursionError):
        raise _unreadable("the body is not JSON although its Content-Type says so") from None


def _decode_form(body: bytes, codec: str) -> dict[str, str | list[str]]:
    try:
        pairs = parse_qsl(
            body.decode(codec, "replace"),
            keep_blank_values=True,
            max_num_fields=_MAX_FORM_FIELDS,
        )
    except ValueError:
        raise _unreadable(f"the form has more than {_MAX_FORM_FIELDS} fields") from None
    gathered: dict[str, list[str]] = {}
    for name, value in pairs:
        gathered.setdefault(name, []).append(value)
    return {name: found[0] if len(found) == 1 else found for name, found in gathered.items()}


def _codec(content_type: str) -> str:
    named = _CHARSET.search(content_type)
    return named[1] if named and _TEXT_CODEC.fullmatch(named[1]) else "utf-8"


def _fields(value: Any) -> list[tuple[str, str]]:
    """An object as the fields of a form: a list repeats its field, an object is JSON text."""
    fields: list[tuple[str, str]] = []
    for name, item in as_mapping(value, "body").items():
        for one in as_list(item):
            nested = isinstance(one, list | Mapping)
            written = json.dumps(one) if nested else scalar_text(one, f"the field `{name}`")
            fields.append((name, written))
    return fields


def _multipart(fields: list[tuple[str, str]]) -> tuple[bytes, str]:
    import httpx

    # A request of httpx is the public way to its multipart writer.
    files = [(name, (None, value.encode())) for name, value in fields]
    request = httpx.Request("POST", "http://localhost/", files=files)
    return request.read(), request.headers["content-type"]


def _unreadable(detail: str) -> ActionError:
    return ActionError("communication", 500, "Unreadable Response", detail)
