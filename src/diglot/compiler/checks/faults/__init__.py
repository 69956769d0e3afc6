"""Errors and escalations: what is raised is caught, and what is caught can be raised."""

from .check import check_faults

__all__ = ["check_faults"]
