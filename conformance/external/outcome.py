"""How a suite of others ended: verdicts, and the line that sums them up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

#: Gets every line that a runner has to say.
Reporter = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One case; what did not pass has a reason."""

    case: str
    status: Literal["passed", "failed", "disputed"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The counts of a whole suite."""

    passed: int
    failed: int
    disputed: int

    @property
    def line(self) -> str:
        """`21 passed, 0 failed, 0 disputed`."""
        return f"{self.passed} passed, {self.failed} failed, {self.disputed} disputed"

    @property
    def exit_status(self) -> int:
        """0 if something passed and nothing failed, 2 if nothing was found to run."""
        if not self.passed + self.failed + self.disputed:
            return 2
        return 1 if self.failed else 0


def passed(case: str) -> Verdict:
    """The case came out as it has to."""
    return Verdict(case, "passed")


def failed(case: str, reason: str) -> Verdict:
    """It did not."""
    return Verdict(case, "failed", reason)


def judged(case: str, problem: Callable[[], str | None]) -> Verdict:
    """The verdict on a case, whose problem is asked for; one that breaks the engine fails."""
    try:
        reason = problem()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    return passed(case) if reason is None else failed(case, reason)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A case that the suite itself has wrong, and why; it has to fail with `failure`."""

    case: str
    failure: str
    reason: str

    def covers(self, verdict: Verdict) -> bool:
        """Whether this is about the verdict, in whichever generation the case stands."""
        return verdict.case.endswith(f"/{self.case}") and self.failure in verdict.reason


def settled(
    verdicts: Iterable[Verdict], report: Reporter, disputes: Sequence[Dispute] = ()
) -> Outcome:
    """Report what did not pass and, last, the counts; a failure that is disputed is none."""
    counts = {"passed": 0, "failed": 0, "disputed": 0}
    for verdict in verdicts:
        if verdict.status == "failed":
            for dispute in disputes:
                if dispute.covers(verdict):
                    verdict = Verdict(verdict.case, "disputed", dispute.reason)
        counts[verdict.status] += 1
        if verdict.status != "passed":
            report(f"{verdict.status}: {verdict.case}: {verdict.reason}")
    outcome = Outcome(counts["passed"], counts["failed"], counts["disputed"])
    report(outcome.line)
    return outcome


def generations(suites: Path, part: str) -> list[Path]:
    """The generations of the specification that have this part, the oldest first.

    A generation is a folder of `serverless-workflow`: of a released version, or of the main branch,
    which is newer than any release.
    """
    found = [path for path in (suites / "serverless-workflow").glob("*") if (path / part).is_dir()]
    return sorted(found, key=_age)


def _age(folder: Path) -> tuple[bool, list[int], str]:
    numbers = [int(text) for text in re.findall(r"\d+", folder.name)]
    return folder.name.startswith("main"), numbers, folder.name
