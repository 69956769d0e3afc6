"""OpenAPI documents: fetched under the policy, parsed under limits, kept for a short time."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote

import msgspec

from .arguments import endpoint
from .contract import ActionContext, ActionError, TimeLimit
from .exchange import Request, send
from .outgoing import MEBIBYTE, HostMap, OutgoingPolicy

_MAX_DOCUMENT_BYTES = 4 * MEBIBYTE
#: A larger one is parsed anew for each call: the cache must not become the memory.
_MAX_CACHED_BYTES = MEBIBYTE
_MAX_CACHED_DOCUMENTS = 32
_MAX_REFERENCES = 32
_ACCEPT = "application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5"


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed document and the URI that it came from, redirects followed."""

    uri: str
    root: Mapping[str, Any]
    size: int

    @property
    def is_swagger(self) -> bool:
        """Whether it is Swagger 2.0 rather than OpenAPI 3."""
        return str(self.root.get("swagger", "")).startswith("2")

    def follow(self, value: Any) -> dict[str, Any]:
        """The object that `value` is or refers to inside the document; empty for anything else."""
        for _ in range(_MAX_REFERENCES):
            if not isinstance(value, Mapping):
                return {}
            described = cast("dict[str, Any]", value)
            reference = described.get("$ref")
            if not isinstance(reference, str):
                return described
            value = self._lookup(reference)
        raise unusable("its references lead in a circle")

    def _lookup(self, reference: str) -> Any:
        if not reference.startswith("#/"):
            raise unusable(f"it refers to another document: {reference!r}")
        found: Any = self.root
        for step in unquote(reference[2:]).split("/"):
            key = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, Mapping) or key not in found:
                raise unusable(f"its reference {reference!r} leads nowhere")
            found = cast("Mapping[str, Any]", found)[key]
        return found


Key = tuple[OutgoingPolicy, HostMap | None, str, str]


class DocumentCache:
    """Documents by where and with which credentials they were fetched, for `lifetime_s`."""

    def __init__(
        self, lifetime_s: float = 60.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._lifetime_s = lifetime_s
        self._clock = clock
        self._kept: OrderedDict[Key, tuple[float, Document]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Document | None:
        """The document, unless it is unknown or too old."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept[0] <= self._clock():
                return None
            self._kept.move_to_end(key)
            return kept[1]

    def put(self, key: Key, document: Document) -> None:
        """Keep a document that is not too large, in place of the one unused for longest."""
        if document.size > _MAX_CACHED_BYTES:
            return
        with self._lock:
            self._kept[key] = (self._clock() + self._lifetime_s, document)
            self._kept.move_to_end(key)
            while len(self._kept) > _MAX_CACHED_DOCUMENTS:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._kept.clear()


_cache = DocumentCache()


def forget_documents() -> None:
    """Fetch every document anew, as a new process does."""
    _cache.clear()


def fetch_document(
    resource: Mapping[str, Any], context: ActionContext, limit: TimeLimit
) -> Document:
    """The document that an external resource names, from the cache when it was just fetched.

    Raises:
        ActionError: It cannot be fetched, or is not an OpenAPI document.
    """
    uri, authentication = endpoint(resource.get("endpoint"), "document.endpoint")
    described = json.dumps(authentication, sort_keys=True, default=str)
    # Whoever may not fetch the document may not have it from the cache either.
    caller = hashlib.sha256(described.encode()).hexdigest()
    key = (context.policy, context.transport, uri, caller)
    document = _cache.get(key)
    if document is None:
        request = Request(
            method="GET",
            uri=uri,
            headers=(("Accept", _ACCEPT),),
            authentication=authentication,
        )
        response = send(request, context, limit, follow_redirects=True)
        document = parse_document(response.body, response.uri)
        _cache.put(key, document)
    return document


def parse_document(body: bytes, uri: str) -> Document:
    """The document in `body`, JSON or YAML.

    Raises:
        ActionError: It is too large or not an OpenAPI document.
    """
    if len(body) > _MAX_DOCUMENT_BYTES:
        raise unusable(f"it is larger than {_MAX_DOCUMENT_BYTES} bytes")
    value = _parse(body.removeprefix(b"\xef\xbb\xbf"))
    if not isinstance(value, Mapping):
        raise unusable("it is not an object")
    root = cast("Mapping[str, Any]", value)
    version = str(root.get("swagger", root.get("openapi", "")))
    if version.partition(".")[0] not in ("2", "3"):
        raise unusable("it names neither Swagger 2.0 nor OpenAPI 3 as its version")
    return Document(uri, root, len(body))


def _parse(body: bytes) -> Any:
    if body.lstrip()[:1] == b"{":
        try:
            return msgspec.json.decode(body)
        except (msgspec.DecodeError, ValueError, RecursionError):
            # A YAML document may begin with a brace as well.
            pass
    import yaml

    # Aliases share their value and the document is never walked whole, so that a bomb of them stays
    # folded. The loader in C refuses deep nesting by itself.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(body, Loader=loader)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError):
        raise unusable("it is neither JSON nor YAML") from None


def unusable(detail: str) -> ActionError:
    """The error for a document that cannot serve the call."""
    return ActionError("configuration", 400, "Unusable OpenAPI Document", detail)
