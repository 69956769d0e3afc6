"""Expressions of other languages: FEEL, JUEL, XPath and bare conditions, compiled to jq.

`spoken` says which language a text is in, `translate` makes jq of it or names the part that has
none, and `report.compile_expression` does both for a reader of documents.
"""

from .dialects import spoken
from .result import Language, Refusal, Spoken, Translation
from .translation import translate

__all__ = ["Language", "Refusal", "Spoken", "Translation", "spoken", "translate"]
