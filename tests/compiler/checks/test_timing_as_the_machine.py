"""What is said to take too long for its limit never completes, and what is not said to does."""

from __future__ import annotations

from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.checks.timing import check_timing
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from support.graphs import Part, after, boundary, end, fork, join, process, sub, wait
from support.machine import Machine

#: The waits are whole seconds, and a limit is never over at the moment of one of them.
STEP_MS = 500


@st.composite
def limited(draw: st.DrawFn) -> Graph:
    """Waits one after the other, beside each other and inside each other, within a limit."""
    number = count()

    def block(depth: int) -> tuple[str, str, list[str], dict[str, Part]]:
        """The first and the last node of a piece, its flows and what is named in it."""
        here = next(number)
        kind = draw(st.sampled_from(("wait", "both", "part"))) if depth else "wait"
        if kind == "both":
            split, meet = f"split{here}", f"meet{here}"
            lines, named = list[str](), {split: fork(), meet: join()}
            for _ in range(2):
                first, last, inside, parts = block(depth - 1)
                lines += [f"{split} -> {first}", f"{last} -> {meet}", *inside]
                named |= parts
            return split, meet, lines, named
        if kind == "part":
            first, last, inside, parts = block(depth - 1)
            flows = "\n".join((f"start{here} -> {first}", f"{last} -> end{here}", *inside))
            return f"part{here}", f"part{here}", [], {f"part{here}": sub(flows, named=parts)}
        first = last = f"wait{here}"
        lines, named = [], {first: wait(f"PT{draw(st.integers(1, 6))}S")}
        if depth and draw(st.booleans()):
            following, last, inside, parts = block(depth - 1)
            lines, named = [f"{first} -> {following}", *inside], {**named, **parts}
        return first, last, lines, named

    first, last, inside, parts = block(3)
    flows = "\n".join((f"start_work -> {first}", f"{last} -> end_work", *inside))
    limit = draw(st.integers(1, 12))
    return process(
        "start -> work -> end_done\nlate -> end_late",
        work=sub(flows, named=parts),
        late=boundary("work", after(f"PT{limit}.5S")),
        end_done=end(),
        end_late=end(),
    )


@settings(max_examples=60, deadline=None)
@given(limited())
def test_a_limit_is_too_short_where_the_machine_never_completes(graph: Graph) -> None:
    report = Report()
    check_timing(graph, report, {})
    is_too_short = any(found.code == "DG0622" for found in report)

    run = Machine(graph)
    while run.status == "running":
        run.advance(STEP_MS)

    assert is_too_short == ("end_late" in run.trace)
