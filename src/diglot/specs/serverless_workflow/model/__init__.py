"""A document of the DSL 1.0 as immutable models, for 1.0.3 and for what has been added since.

A property has its DSL name; where Python reserves it, an underscore follows (`if_`, `with_`), and
the alias is the DSL's. Alternatives that exclude each other are models of their own, chosen by
what is present, so that a mistake is told about the chosen one alone. Nothing is built before the
first document is validated.
"""

from .workflow import Workflow

__all__ = ["Workflow"]
