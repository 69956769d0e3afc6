"""The layouts that a database goes through, in order, and which of them an engine lives with."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Final, Literal

from diglot.runtime.errors import StoreError

#: *pre* only adds: engines that do not know it go on. *post* is what they cannot live with.
Phase = Literal["pre", "post"]


@dataclass(frozen=True, slots=True)
class Revision:
    """A step from one layout to the next, whose name is the step's."""

    id: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a database says about its layout."""

    #: The last step that was done.
    layout: str
    #: The last step that an engine has to know.
    engines: str
    #: The version of Diglot that did that step.
    version: str


@dataclass(frozen=True, slots=True)
class Chain:
    """The steps that this version knows, from the first, and the package their modules are in.

    The module of step `0002` is called `step_0002`. The first has none: it is the empty database.
    """

    steps: tuple[Revision, ...]
    package: str = "diglot.runtime.store.steps"

    @property
    def head(self) -> str:
        """The newest layout: that of a new database."""
        return self.steps[-1].id

    @property
    def needed(self) -> str:
        """The oldest layout that engines of this version live with: only *post* steps follow."""
        late = len(list(takewhile(lambda step: step.phase == "post", reversed(self.steps[1:]))))
        return self.steps[len(self.steps) - 1 - late].id

    def knows(self, layout: str) -> bool:
        """Whether this version has heard of a layout."""
        return any(step.id == layout for step in self.steps)

    def engines_of(self, layout: str) -> str:
        """What an engine has to know to live with a layout: its last *post* step."""
        done = self.steps[: len(self.steps) - len(self.after(layout))]
        return next((step.id for step in reversed(done) if step.phase == "post"), done[0].id)

    def after(self, layout: str | None) -> tuple[Revision, ...]:
        """The steps that a database with a layout lacks; none if that is a newer one."""
        if layout is None:
            return self.steps
        ids = [step.id for step in self.steps]
        return self.steps[ids.index(layout) + 1 :] if layout in ids else ()

    def refuse_newer(self, stamp: Stamp, path: str) -> None:
        """See that this version may touch a database.

        Raises:
            StoreError: only newer versions can live with it.
        """
        if not self.knows(stamp.engines):
            raise StoreError(
                f"{path} has layout {stamp.layout} of diglot {stamp.version}, this version needs"
                f" {self.needed} to {self.head}; use diglot {stamp.version} or a later one"
            )

    def refuse_unfit(self, stamp: Stamp, path: str, url: str) -> None:
        """See that an engine of this version can live with a database.

        `url` is the database's address, as it can be typed.

        Raises:
            StoreError: it is too new, or *pre* steps are missing; says what to do.
        """
        self.refuse_newer(stamp, path)
        missing = [step.phase for step in self.after(stamp.layout)]
        if "pre" not in missing:
            return
        says = f"{path} has layout {stamp.layout}, this version needs {self.needed}; "
        if "post" in missing[: len(missing) - missing[::-1].index("pre")]:
            # Engines of before an earlier release cannot live with what comes first.
            raise StoreError(f"{says}stop every engine on it, and run: diglot migrate {url}")
        raise StoreError(f"{says}run: diglot migrate {url} --phase pre")


#: The layouts of this version.
KNOWN: Final = Chain((Revision("0001", "post"),))
