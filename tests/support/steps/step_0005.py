"""Instances have no remark, and jobs need no worker's name to be there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations


def upgrade(op: Operations) -> None:
    """Drop a column, and give another one something that stands in it from the start."""
    op.drop_column("instances", "remark")
    with op.batch_alter_table("jobs") as jobs:
        jobs.alter_column("worker", existing_type=sa.Text, server_default="nobody")
