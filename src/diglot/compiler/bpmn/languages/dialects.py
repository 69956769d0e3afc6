"""Which language an expression is written in.

An expression's own `language` is right where it names one that is known; the document's is nearly
always boilerplate and is asked last. Between them stand the signs of the text itself and what the
vendor's engine would take it for.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from .read_bare import is_statement
from .read_juel import closing
from .result import Language, Refusal, Spoken
from .translation import translate

#: Languages by a word of their URI or short name, the first that fits; all but the first four are
#: read as bare conditions as far as those go.
_WORDS: Final[tuple[tuple[str, str], ...]] = (
    ("feel", "feel"),
    ("juel", "juel"),
    ("xpath", "xpath"),
    ("jq", "jq"),
    ("boolean", "conditions"),
    ("javascript", "JavaScript"),
    ("ecmascript", "JavaScript"),
    ("js", "JavaScript"),
    ("groovy", "Groovy"),
    ("mvel", "MVEL"),
    ("java", "Java"),
    ("python", "Python"),
    ("drools", "Drools rules"),
    ("rule", "Drools rules"),
)

#: Engines that take a text without `${..}` or `=` for a string.
_WITH_STATIC_TEXT: Final = frozenset(("zeebe", "camunda", "operaton", "flowable", "activiti"))

_XPATH_SIGNS: Final = re.compile(
    r"\b(?:\w+:)?get(?:DataObject|DataInput|DataOutput|ProcessProperty)\s*\("
)
_OPENS: Final = ("${", "#{")


def language_of(name: str) -> str:
    """The language that a URI or a short name means, empty where none is known."""
    words = re.findall(r"[a-z]+", name.lower())
    for word, language in _WORDS:
        if word in words:
            return language
    return ""


def spoken(
    text: str, *, declared: str = "", document_language: str = "", profile: str = ""
) -> Spoken | Refusal:
    """The language and the body of an expression, by all that its surroundings say of it.

    `declared` is the expression's own language and `document_language` that of the definitions,
    both as URIs or short names; `profile` is the name of the vendor's profile. A language that is
    not read here is refused, unless the text is a condition that all languages write alike.
    """
    body = text.strip()
    offset = len(text) - len(text.lstrip())
    if not body:
        return Refusal(text, 0, len(text), "it is empty", kind="syntax")
    own = language_of(declared)
    if own == "jq":
        return Spoken("jq", body, offset)
    if own == "feel":
        return _without_sign(body, offset)
    if body.startswith("=") and not body.startswith("=="):
        return _without_sign(body, offset)
    if own == "juel" or body.startswith(_OPENS) or _has_opened(body):
        return _juel(body, offset)
    if own == "xpath":
        return Spoken("xpath", body, offset)
    if own:
        return _of_code(body, offset, own)
    if declared.strip() and _is_foreign(body):
        return Refusal(
            body, offset, offset + len(body), f"the language `{declared.strip()}` is not read here",
            "Write it in jq, FEEL, JUEL or XPath, and say so.", "language",
        )  # fmt: skip
    language = _undeclared(body, document_language, profile)
    is_readable = language not in ("bare", "xpath") or "==" not in body
    if not is_readable and isinstance(translate(body, language), Refusal):
        # Names with spaces, as in FEEL, compared as programmers do; no character is moved by it.
        as_feel = body.replace("==", " =").replace("'", '"')
        if not isinstance(translate(as_feel, "feel"), Refusal):
            return Spoken("feel", as_feel, offset)
    return Spoken(language, body, offset)


def _without_sign(body: str, offset: int) -> Spoken:
    if not body.startswith("="):
        return Spoken("feel", body, offset)
    inner = body[1:].lstrip()
    return Spoken("feel", inner, offset + len(body) - len(inner))


def _has_opened(body: str) -> bool:
    """Whether there is a whole `${..}` somewhere in the text."""
    return any(
        closing(body, found.end()) is not None for found in re.finditer(r"[$#]\{", body)
    ) and not body.startswith(("`", "'", '"'))


def _juel(body: str, offset: int) -> Spoken | Refusal:
    """The body within `${..}` where that is the whole text, else the text with all of them."""
    inner = body[2:-1]
    is_whole = body.startswith(_OPENS) and closing(body, 2) == len(body) - 1
    if is_whole and not inner.strip():
        return Refusal(body, offset, offset + len(body), "it is empty", kind="syntax")
    if is_whole and not any(sign in inner for sign in _OPENS):
        return Spoken("juel", inner, offset + 2)
    return Spoken("juel", body, offset)


def _of_code(body: str, offset: int, language: str) -> Spoken | Refusal:
    found = translate(body, "bare") if language != "Drools rules" else None
    if found is None:
        reason = f"{language} are not read here"
        return Refusal(body, offset, offset + len(body), reason, kind="language")
    if not isinstance(found, Refusal):
        return Spoken("bare", body, offset)
    return replace(
        found,
        start=found.start + offset,
        end=found.end + offset,
        reason=f"of {language} only plain conditions are read: {found.reason}",
        kind="language",
    )


def _is_foreign(body: str) -> bool:
    """Whether a text is no condition that all languages write alike."""
    return isinstance(translate(body, "bare"), Refusal)


def _undeclared(body: str, document_language: str, profile: str) -> Language:
    if is_statement(body):
        return "bare"
    if _XPATH_SIGNS.search(body):
        return "xpath"
    if language_of(document_language) == "conditions":
        # No tool writes that by itself.
        return _by_reading(body, "bare")
    if profile in _WITH_STATIC_TEXT:
        return "text"
    if profile == "spiffworkflow":
        return "bare"
    match language_of(document_language):
        case "feel" | "jq" as language:
            return language
        case "xpath":
            # Nearly every file says XPath; what is none is read as a bare condition.
            if not isinstance(translate(body, "xpath"), Refusal):
                return "xpath"
            return _by_reading(body, "xpath")
        case _:
            return _by_reading(body, "bare")


def _by_reading(body: str, otherwise: Language) -> Language:
    """A bare condition where it is one, FEEL where names with spaces are compared."""
    if not _is_foreign(body):
        return "bare"
    is_comparison = any(sign in body for sign in "=<>")
    if is_comparison and not isinstance(translate(body, "feel"), Refusal):
        return "feel"
    return otherwise
