"""BPMN 2.0.2 as data: what its elements may hold, and what becomes of each of them here."""
