"""Attributes whose text has a form of its own: media types and URIs.

Source: BPMN 2.0.2 8.2.1, 8.3.2, 8.4.1, 8.4.6, 10.3.3, 10.3.5.
"""

from __future__ import annotations

import re
from typing import Final

from ... import codes
from ..document import Element
from .facts import Facts
from .rule import Findings, found, rule

_TOKEN: Final = r"[A-Za-z0-9!#$%&'*+.^_`|~\-]+"
_MEDIA_TYPE: Final = re.compile(rf"{_TOKEN}/{_TOKEN}(?:\s*;.*)?")
_MEDIA: Final = {
    "documentation": "textFormat",
    "textAnnotation": "textFormat",
    "scriptTask": "scriptFormat",
    "globalScriptTask": "scriptLanguage",
}
#: RFC 3986, where a URI may hold characters of any language (RFC 3987).
_URI: Final = re.compile(r"(?:%[0-9A-Fa-f]{2}|[^\x00-\x20%<>\"{}|\\^`])*")
_URIS: Final = {
    "definitions": ("targetNamespace", "expressionLanguage", "typeLanguage"),
    "import": ("namespace", "importType"),
    "transaction": ("method",),
    "conditionExpression": ("language",),
    "condition": ("language",),
    "formalExpression": ("language",),
    "completionCondition": ("language",),
    "loopCondition": ("language",),
    "loopCardinality": ("language",),
    "timeDate": ("language",),
    "timeDuration": ("language",),
    "timeCycle": ("language",),
    "transformation": ("language",),
}


@rule(*_MEDIA)
def a_format_is_a_media_type(element: Element, facts: Facts) -> Findings:
    """A format is written as a media type."""
    attribute = _MEDIA[element.name]
    value = element.get(attribute)
    if value and not _MEDIA_TYPE.fullmatch(value.strip()):
        yield found(codes.MEDIA_TYPE_MALFORMED, element, attribute=attribute, value=value)


@rule(*_URIS)
def a_language_is_named_by_a_uri(element: Element, facts: Facts) -> Findings:
    """What is named by a URI is named by one."""
    for attribute in _URIS[element.name]:
        value = element.get(attribute).strip()
        if not _URI.fullmatch(value):
            yield found(codes.URI_MALFORMED, element, attribute=attribute, value=value)
