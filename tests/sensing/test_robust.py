"""Whatever the scales say, watching neither crashes nor reads the truth."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing.plan import FORMAT, VERSION, Board, Cell, Plan
from companion.sensing.streams import Flag, ScaleSample
from companion.sensing.watch import Watcher
from tests.sensing.forces import PIECES, board

COUNTS = st.one_of(st.none(), st.integers(-(2**31), 2**31), st.integers(79_000, 120_000))
ROWS = st.tuples(
    st.integers(0, 400_000),
    st.sampled_from(["four", "one", "bare", "nobody"]),
    st.lists(COUNTS, max_size=6),
    st.integers(0, 15),
)
BOARDS = (
    board("four"),
    board("one", cells=1),
    Board(id="bare", size_mm=(10.0, 10.0), cells=(Cell("a"), Cell("b", (1.0, 1.0), -3.0))),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ROWS, max_size=120), st.booleans())
def test_no_stream_of_samples_is_too_strange(rows: list[tuple[int, str, list[int | None], int]], named: bool) -> None:
    plan = Plan(format=FORMAT, version=VERSION, boards=BOARDS, pieces=PIECES if named else {})
    watcher = Watcher(plan, ("scales",))
    now_us = 0
    for dt_us, name, counts, flags in rows:
        now_us += dt_us
        for event in watcher.feed(ScaleSample(now_us, name, tuple(counts), Flag(flags))):
            assert event.t_us <= event.decided_us <= now_us
            assert event.line()
    watcher.finish()


def test_watching_never_opens_the_truth() -> None:
    asked = "import sys, companion.text.watching; print('companion.sensing.truth' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "False"
