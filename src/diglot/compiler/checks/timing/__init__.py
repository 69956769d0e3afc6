"""Time: what is waited for, what is limited and what is tried again."""

from .check import check_timing

__all__ = ["check_timing"]
