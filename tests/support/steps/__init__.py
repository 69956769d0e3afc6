"""Steps that only tests know: what later versions may do to a database."""

from __future__ import annotations

from typing import Final

from diglot.runtime.store.chain import Chain, Revision

FIRST: Final = Revision("0001", "post")
#: Adds a column that may be empty, and an index.
NOTE: Final = Revision("0002", "pre")
#: Gives the column another name, which engines of before do not know.
REMARK: Final = Revision("0003", "post")
#: Adds a table.
PLACES: Final = Revision("0004", "pre")
#: Drops a column, and changes one as SQLite does only by building the table anew.
LEANER: Final = Revision("0005", "post")


def known(*steps: Revision) -> Chain:
    """The chain of a version that knows the first layout and these steps."""
    return Chain((FIRST, *steps), package=__name__)
