"""Graphs are written as BPMN 2.0 files."""
