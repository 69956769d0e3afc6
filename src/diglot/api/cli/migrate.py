"""`diglot migrate`."""

from __future__ import annotations

from diglot.runtime.store import chain
from diglot.runtime.store.migrating import migrate

from .streams import tell


def migrate_database(
    url: str, *, phase: str, dry_run: bool, known: chain.Chain = chain.KNOWN
) -> int:
    """Bring a database to the layout of this version, or say what that would take."""
    count = 0
    for done in migrate(url, only_pre=phase == "pre", dry_run=dry_run, known=known):
        count += 1
        tell(f"{done.step.id} ({done.step.phase})", err=False)
        if dry_run:
            for statement in done.statements:
                tell(f"    {' '.join(statement.split())};", err=False)
    if not count:
        tell("nothing to do: the database has this version's layout", err=False)
    else:
        steps = "1 step" if count == 1 else f"{count} steps"
        says = f"{steps} would be done; nothing was changed" if dry_run else f"{steps} done"
        tell(says, err=False)
    return 0
