"""The durable engine: decide, evolve, save."""
