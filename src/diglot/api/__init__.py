"""The interfaces: what people and programs use."""
