"""Plays conformance cases on the engine and says where it differs from what they expect."""
