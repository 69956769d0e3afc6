"""`diglot conformance [SUITE]`: play our cases, or run a suite of others."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from .external import SUITES
from .harness.case import Case, CaseError, definitions, load
from .harness.doubles import Servers
from .harness.modes import MODES, Mode, Stage, modes_of, run
from .harness.report import Foreign, Result, page, text

#: Where the suites of others are, by the environment.
SUITES_VARIABLE = "DIGLOT_SUITES"
#: Where the suites are looked for otherwise: beside the checkout.
SUITES_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "suites"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 if nothing failed, 1 if something did, 2 if it could not be run."""
    arguments = _parser().parse_args(argv)
    if arguments.suite is not None:
        suites = _suites(arguments.suites)
        if suites is None:
            print(
                f"diglot: the suites of others are not here; set {SUITES_VARIABLE}, "
                "or give --suites FOLDER",
                file=sys.stderr,
            )
            return 2
        return SUITES[arguments.suite](suites, print).exit_status
    return _run_cases(arguments)


def _run_cases(arguments: argparse.Namespace) -> int:
    cases, faults = _cases(arguments.case)
    if not cases and not faults:
        print(f"diglot: no case is called {arguments.case}", file=sys.stderr)
        return 2
    seed = arguments.seed if arguments.seed is not None else secrets.randbelow(1_000_000)
    with Servers() as servers:
        stage = Stage(servers, seed=seed, sweeps_all=arguments.sweep == "all")
        try:
            results = [_result(stage, case, mode) for case, mode in _plays(cases, arguments.mode)]
        finally:
            stage.close()
    for line in (*faults, *text(results)):
        print(line)
    failed = sum(bool(result.unmet) for result in results) + len(faults)
    if arguments.write is not None:
        arguments.write.write_text(page(results, _others(arguments.suites)), encoding="utf-8")
    print(f"seed {seed}")
    print(f"{len(results) + len(faults) - failed} passed, {failed} failed, 0 disputed")
    return 1 if failed else 0


def _cases(pattern: str) -> tuple[list[Case], list[str]]:
    """The cases whose names fit, and what is wrong with those that cannot be read."""
    cases: list[Case] = []
    faults: list[str] = []
    for path in definitions():
        if fnmatch(f"{path.parent.name}/{path.stem}", pattern):
            try:
                cases.append(load(path))
            except CaseError as error:
                faults.append(str(error))
    return cases, faults


def _plays(cases: Sequence[Case], number: int | None) -> list[tuple[Case, Mode]]:
    return [
        (case, mode)
        for case in cases
        for mode in modes_of(case)
        if number is None or mode.number == number
    ]


def _result(stage: Stage, case: Case, mode: Mode) -> Result:
    try:
        return Result(case, mode, tuple(run(stage, case, mode)))
    except Exception as error:
        # One case must not hide the others; `pytest conformance` shows where it came from.
        return Result(case, mode, (f"{type(error).__name__}: {error}",))


def _others(folder: Path | None) -> list[Foreign]:
    """The outcome of every suite of others, where they are at hand."""
    suites = _suites(folder)
    return [] if suites is None else [_foreign(name, suites) for name in SUITES]


def _foreign(name: str, suites: Path) -> Foreign:
    lines: list[str] = []
    outcome = SUITES[name](suites, lines.append)
    return Foreign(name, outcome.line, tuple(lines[:-1]))


def _suites(folder: Path | None) -> Path | None:
    given = folder or Path(os.environ.get(SUITES_VARIABLE) or SUITES_BESIDE)
    return given if given.is_dir() else None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="diglot conformance", description=__doc__)
    parser.add_argument(
        "suite", nargs="?", choices=sorted(SUITES), help="a suite of others; without it our own"
    )
    parser.add_argument("--mode", type=int, choices=sorted(MODES), help="only this mode")
    parser.add_argument("--case", default="*", metavar="GLOB", help="only cases like set/*")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page of the matrix")
    parser.add_argument("--suites", type=Path, metavar="FOLDER", help=f"else ${SUITES_VARIABLE}")
    parser.add_argument("--seed", type=int, help="which kills are tried")
    parser.add_argument(
        "--sweep",
        choices=["sample", "all"],
        default=os.environ.get("DIGLOT_SWEEP", "sample"),
        help="kills at some commits or at all",
    )
    return parser
