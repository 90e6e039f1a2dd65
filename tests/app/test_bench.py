"""The bench of the app: what it prints, when it fails, and a short run of what it measures inside."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.app import bench, measured

_INSIDE = {
    "touch_s": [*([0.010] * 90), *([0.030] * 10)],
    "frames_hz": 58.5,
    "memory_start_mb": 200.0,
    "memory_end_mb": 250.0,
    "actions": 1000,
}


def _python(arguments: Sequence[str], home: Path) -> str:
    """Stands in for the processes: ours shows its first frame after 2 s, a bare window after 1 s."""
    script = Path(arguments[-1])
    if script.suffix == ".py":
        compile(script.read_text(encoding="utf-8"), script.name, "exec")
        shown_s = 2 if script.stem == "ours" else 1
        return f"said by something\n{time.monotonic() + shown_s} {shown_s * shown_s / 4}\n"
    return json.dumps(_INSIDE)


def test_each_row_stands_beside_its_aim() -> None:
    lines: list[str] = []
    start, touch, frames, memory = bench.run(2, _python, lines.append)
    assert start.value == pytest.approx(2, rel=0.05)
    assert touch.value == pytest.approx(1.8)
    assert [row.ok for row in (start, touch, frames, memory)] == [False, True, True, False]
    assert len(lines) == 4
    assert "CPU alone 4.00 x; p50 of 2" in lines[0]
    assert "58.50 frames per second" in lines[2]
    assert "at least 30" in lines[2]
    assert "1.25 x the start" in lines[3]


def test_a_process_that_fails_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(bench.BenchFailed, match=r"^A measurement failed: no window\.$"):
        bench.run_python(("-c", "import sys; sys.exit('no window')"), tmp_path)


def test_a_process_has_a_home_of_its_own_and_no_display(tmp_path: Path) -> None:
    asked = "import os; print(os.environ['COMPANION_HOME'], os.environ['SDL_VIDEODRIVER'])"
    assert bench.run_python(("-c", asked), tmp_path).split() == [str(tmp_path), "offscreen"]


def test_what_is_measured_inside_is_measured(tmp_path: Path) -> None:
    found = measured.measure(tmp_path, touches=2, seconds=0.3, actions=3, played_before=20)
    assert len(found.touch_s) == 2
    assert all(0 < spent < 2 for spent in found.touch_s)
    assert found.frames_hz > 0
    assert 10 < found.memory_start_mb < 4000
    assert found.memory_end_mb > 10
