"""Plays conformance cases on the engine and says how what happened differs from what is expected."""
