"""JSON values as strategies: everything JSON can say, and nothing it cannot."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

#: Texts without halves of surrogate pairs, which no UTF-8 has.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)

numbers = st.one_of(
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
)

values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)

objects: st.SearchStrategy[dict[str, Any]] = st.dictionaries(texts, values, max_size=4)
