"""`diglot migrate`."""

from __future__ import annotations

from diglot.runtime.store.migrating import migrate

from .streams import tell


def migrate_database(url: str, *, phase: str, dry_run: bool) -> int:
    """Bring a database to the layout of this version, or say what that would take."""
    count = 0
    for done in migrate(url, only_pre=phase == "pre", dry_run=dry_run):
        count += 1
        tell(f"{done.step.id} ({done.step.phase})", err=False)
        if dry_run:
            for statement in done.statements:
                tell(f"    {' '.join(statement.split())};", err=False)
    if not count:
        tell("nothing to do: the database has this version's layout", err=False)
    elif dry_run:
        tell(f"{count} steps would be done; nothing was changed", err=False)
    else:
        tell(f"{count} steps done", err=False)
    return 0
