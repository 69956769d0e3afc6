"""Secrets by name. A run only ever holds seals; the worker that acts for it opens them.

A seal is a piece of text that stands for a secret's value. It carries a code that only this
database can make, and only for one instance, so text that comes from outside is never taken for
one. History, logs, errors and outputs hold seals or `***`, never a value.

Source: DSL, Secret; our decision A7.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from .faults import fault

#: Gives a secret's value (text, or an object of texts), or nothing if there is none.
Provider = Callable[[str], Any]

_SEAL = re.compile("\u27e6secret:([^\u27e6\u27e7]*):([0-9a-f]{32})\u27e7")


class Secrets:
    """The secrets of an engine: where they come from, and the key their seals are made with."""

    def __init__(self, provide: Provider, key: bytes) -> None:
        self._provide = provide
        self._key = key

    def require(self, name: str) -> Any:
        """The value of a secret.

        Raises:
            Fault: there is none (authorization, 403).
        """
        value = self._provide(name)
        if value is None:
            raise fault("authorization", f"the secret {name!r} is not available")
        return value

    def sealed(self, instance: str, name: str) -> Any:
        """The secret with a seal in the place of every value.

        Raises:
            Fault: there is no such secret (authorization, 403).
        """
        return self._seal(instance, name, self.require(name))

    def all_sealed(self, instance: str, names: tuple[str, ...]) -> dict[str, Any]:
        """The declared secrets that can be had, sealed, by name."""
        found = {name: self._provide(name) for name in names}
        return {
            name: self._seal(instance, name, value)
            for name, value in found.items()
            if value is not None
        }

    def unseal(self, instance: str, value: Any) -> Any:
        """`value` with every true seal of this instance replaced by what it stands for."""
        if isinstance(value, str):
            return self._open(instance, value) if "\u27e6secret:" in value else value
        if isinstance(value, dict):
            members = cast("dict[str, Any]", value)
            return {name: self.unseal(instance, member) for name, member in members.items()}
        if isinstance(value, list):
            return [self.unseal(instance, item) for item in cast("list[Any]", value)]
        return value

    def opened_in(self, instance: str, value: Any) -> list[tuple[str, str]]:
        """(value, seal) of each true seal in `value`, longest value first."""
        found: dict[str, str] = {}
        for seal in _seals(value):
            if self._is_true(instance, seal):
                found[str(self._value(seal.group(1)))] = seal.group(0)
        return sorted(found.items(), key=lambda pair: -len(pair[0]))

    def _seal(self, instance: str, path: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            members = cast("Mapping[str, Any]", value)
            return {
                name: self._seal(instance, f"{path}/{name}", member)
                for name, member in members.items()
            }
        return f"\u27e6secret:{path}:{self._code(instance, path)}\u27e7"

    def _code(self, instance: str, path: str) -> str:
        return hmac.digest(self._key, f"{instance}\n{path}".encode(), "sha256").hex()[:32]

    def _open(self, instance: str, text: str) -> Any:
        whole = _SEAL.fullmatch(text)
        if whole is not None and self._is_true(instance, whole):
            return self._value(whole.group(1))

        def open_one(seal: re.Match[str]) -> str:
            return str(self._value(seal.group(1))) if self._is_true(instance, seal) else "***"

        return _SEAL.sub(open_one, text)

    def _is_true(self, instance: str, seal: re.Match[str]) -> bool:
        return hmac.compare_digest(self._code(instance, seal.group(1)), seal.group(2))

    def _value(self, path: str) -> Any:
        name, *parts = path.split("/")
        found = self.require(name)
        for part in parts:
            found = found[part]
        return found


def _seals(value: Any) -> list[re.Match[str]]:
    if isinstance(value, str):
        return list(_SEAL.finditer(value))
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return [seal for member in members.values() for seal in _seals(member)]
    if isinstance(value, list):
        return [seal for item in cast("list[Any]", value) for seal in _seals(item)]
    return []


#: Shorter secrets are not looked for in what comes back: they would be found everywhere.
SHORTEST_SOUGHT = 4


def reseal(value: Any, opened: list[tuple[str, str]]) -> Any:
    """`value` with secrets that came back in it sealed again; `opened` as `opened_in` gives it."""
    if not opened:
        return value
    if isinstance(value, str):
        for secret, seal in opened:
            if len(secret) >= SHORTEST_SOUGHT:
                value = value.replace(secret, seal)
        return value
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {name: reseal(member, opened) for name, member in members.items()}
    if isinstance(value, list):
        return [reseal(item, opened) for item in cast("list[Any]", value)]
    return value


def masked(value: Any) -> Any:
    """`value` with `***` in the place of every seal: what people and the outside may see."""
    if isinstance(value, str):
        return _SEAL.sub("***", value) if "\u27e6secret:" in value else value
    if isinstance(value, dict):
        return {name: masked(member) for name, member in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [masked(item) for item in cast("list[Any]", value)]
    return value


def holds_seal(value: Any) -> bool:
    """Whether a text has a seal in it."""
    return isinstance(value, str) and _SEAL.search(value) is not None


def from_environment(environment: Mapping[str, str], prefix: str = "DIGLOT_SECRET_") -> Provider:
    """Secrets out of environment variables whose names begin with `prefix`; JSON where it parses.

    `DIGLOT_SECRET_API={"token": "..."}` is the secret `API`; `-` and `.` of a name become `_`.
    """
    import msgspec

    def provide(name: str) -> Any:
        text = environment.get(prefix + re.sub(r"[^A-Za-z0-9]", "_", name))
        if text is None:
            text = environment.get(prefix + re.sub(r"[^A-Za-z0-9]", "_", name).upper())
        if text is None:
            return None
        if text.startswith("{"):
            try:
                return msgspec.json.decode(text)
            except msgspec.DecodeError:
                return text
        return text

    return provide
