"""Instances may have a note."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations


def upgrade(op: Operations) -> None:
    """Add a column that may be empty, and an index."""
    op.add_column("instances", sa.Column("note", sa.Text, nullable=True))
    op.create_index("instances_noted", "instances", ["note"])
