"""Dead objects are looked for seldom while a document is compiled, and as before afterwards."""

from __future__ import annotations

import gc

from diglot.compiler import compile_source
from diglot.compiler.collecting import collecting_seldom


def test_what_was_set_is_set_again_by_the_last_who_is_at_work() -> None:
    before = gc.get_threshold()

    with collecting_seldom():
        seldom = gc.get_threshold()
        compile_source("do:\n- a:\n    set: {}\n")
        assert gc.get_threshold() == seldom

    assert seldom > before
    assert gc.get_threshold() == before
