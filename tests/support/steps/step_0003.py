"""The note is called a remark."""

from __future__ import annotations

from alembic.operations import Operations


def upgrade(op: Operations) -> None:
    """Give a column another name."""
    op.drop_index("instances_noted", "instances")
    op.alter_column("instances", "note", new_column_name="remark")
