"""Types of data, from what a document lays down to every expression, and what is wrong by them."""

from .check import check_types as check_types
from .handed import check_handed as check_handed

__all__ = ["check_handed", "check_types"]
