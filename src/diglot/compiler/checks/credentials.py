"""Credentials that stand in the document, where everybody reads them who may read it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from diglot.compiler.source import Source, Span

from .spoken import Spoken, spoken

#: Forms of keys that services give out, by their beginnings; they are long enough not to be met by
#: chance.
_FORMS: Final = {
    ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"): r"gh[pousr]_[A-Za-z0-9]{30,}",
    ("github_pat_",): r"github_pat_\w{30,}",
    ("glpat-",): r"glpat-[\w-]{20,}",
    ("xox",): r"xox[abeoprs]-[\w-]{20,}",
    ("AKIA", "ASIA"): r"(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)",
    ("AIza",): r"AIza[\w-]{35}",
    ("sk-",): r"sk-[A-Za-z0-9_-]{32,}",
    ("rk_live_", "sk_live_"): r"[rs]k_live_[A-Za-z0-9]{20,}",
    ("npm_",): r"npm_[A-Za-z0-9]{36}",
    ("SG.",): r"SG\.[\w-]{20,}\.[\w-]{30,}",
    ("eyJ",): r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}",
    ("-----BEGIN ",): r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----",
}
_BEGINNINGS: Final = tuple(one for some in _FORMS for one in some)
#: The look behind also keeps the search linear.
KEYS: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(_FORMS.values())})")
#: The words of a name that say what it holds, at its end.
_HOLDS: Final = re.compile(
    r"(?:password|passwd|passphrase|pwd|secret|token|apikey|accesskey|privatekey|secretkey"
    r"|authorization|credential|credentials|cookie)$"
)
#: Tokens and keys that open nothing.
_OPENS_NOTHING: Final = re.compile(
    r"(?:page|next|continuation|cursor|sync|csrf|xsrf|cancellation|design|lexer)token$"
)
#: Names of headers, which hold nothing else than a credential.
_HEADERS: Final = frozenset({"authorization", "proxyauthorization", "xapikey", "cookie"})
_SCHEME: Final = re.compile(r"(?:bearer|basic|digest|token|apikey)\s+", re.IGNORECASE)
#: What stands where a credential will be: nothing, a mark, a name in some engine's brackets.
_STAND_IN: Final = re.compile(
    r"[*x.\s_-]*|<[^<>]*>|\[[^\[\]]*\]|.*(?:\{|\$|%[A-Za-z_]+%|#\{).*|=.*"
    r"|(?:secrets?|vars?|env)[.:/].*"
    r"|(?:your|my|the|some|an?)[-_ ].*|(?:your|test|dummy|example|sample|fake|change).*|redacted"
    r"|none|null|true|false|required|optional|string|text|password|secret|token|bearer|basic",
    re.IGNORECASE | re.DOTALL,
)
#: A user and his password in front of a host.
_USER: Final = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/?#@:{}$]{1,100}:([^\s/?#@{}$<>*]{1,200})@"
)
_SHORTEST: Final = 6
_LONGEST: Final = 400
#: So many are told about one document; who has more has seen enough.
_MOST_TOLD: Final = 50


def check_credentials(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report fixed texts that are a password, by the name they stand under or by their form."""
    told = _Told(report)
    for one in spoken(graph):
        kind = _kind_of(one)
        if kind and not told.is_full:
            told.add(one.span(sources), one, kind)


def check_text(report: Report, sources: Mapping[str, Source]) -> None:
    """Report keys of well-known services anywhere in the texts, be it in a script or a comment."""
    told = _Told(report)
    for source in sources.values():
        # Most texts have none, and that is sooner known of fixed characters than of patterns.
        if not any(beginning in source.text for beginning in _BEGINNINGS):
            continue
        for found in KEYS.finditer(source.text):
            told.add(source.span(*found.span()), None, "a key")


def _kind_of(one: Spoken) -> str:
    text = one.text.strip()
    if len(text) > _LONGEST:
        return ""
    user = _USER.search(text) if "://" in text else None
    if user is not None and not _STAND_IN.fullmatch(user[1]):
        return "a password"
    name = re.sub(r"[-_.\s]", "", one.name).lower()
    is_header = name in _HEADERS
    if not is_header and (not _HOLDS.search(name) or _OPENS_NOTHING.search(name)):
        return ""
    value = _SCHEME.sub("", text, count=1)
    if len(value) < _SHORTEST or _STAND_IN.fullmatch(value) or _STAND_IN.fullmatch(text):
        return ""
    if is_header:
        return "a credential"
    return "a credential" if _is_random(value) else ""


def _is_random(text: str) -> bool:
    """Whether nobody would say this: one word, of letters and digits or signs mixed."""
    if any(character.isspace() for character in text) or "://" in text:
        return False
    has_letter = any(character.isalpha() for character in text)
    has_digit = any(character.isdigit() for character in text)
    has_sign = any(character in "!@%^&*+=~?;" for character in text)
    return has_letter and (has_digit or has_sign)


class _Told:
    """Credentials that were reported, each at one place, whoever found it."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._spans = [
            found.span
            for found in report
            if found.code == codes.SECRET_LITERAL.id and found.span is not None
        ]

    @property
    def is_full(self) -> bool:
        """Whether no more are told."""
        return len(self._spans) >= _MOST_TOLD

    def add(self, span: Span | None, one: Spoken | None, kind: str) -> None:
        """Report a credential, unless one has been reported there."""
        if self.is_full:
            return
        if span is not None and any(_overlap(span, other) for other in self._spans):
            return
        if span is not None:
            self._spans.append(span)
        pointer = "" if one is None else one.owner.pointer or one.owner.id
        self._report.add(codes.SECRET_LITERAL, span, pointer, kind=kind)


def _overlap(one: Span, other: Span) -> bool:
    return one.file == other.file and one.start < other.end and other.start < one.end
