"""Places have a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations


def upgrade(op: Operations) -> None:
    """Add a table."""
    op.create_table("places", sa.Column("name", sa.Text, primary_key=True))
