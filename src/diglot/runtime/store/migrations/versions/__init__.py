"""The steps, each a file: what it does, its phase, and which one comes before it."""
