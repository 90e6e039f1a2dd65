"""`companion bench eye`: what a picture costs the camera path beside OpenCV's MOG2, and whether memory grows."""

from __future__ import annotations

from pathlib import Path

from companion.sensing.cost import Cost, Memory, camera_cost, memory_growth
from companion.sensing.recording import Recording
from companion.sensing.resizing import Size
from companion.text.bars import progress
from companion.text.paper import Grid, Paper, printer

_LARGE: Size = (1280, 720)
_MOST_MOG2S, _MOST_MOG2S_LARGE = 0.6, 1.0
_MOST_GROWTH_MB = 10.0
_STEPS = 1000


def run(folder: Path, minutes: float, out: Paper | None = None) -> bool:
    """Measure and show; False when something that was promised is not kept."""
    out = out or printer()
    recording = Recording.open(folder)
    own = camera_cost(recording)
    costs = [own] if own.size == _LARGE else [own, camera_cost(recording, _LARGE)]
    out.grid(_on_pictures(costs))
    memory = _memory(recording, minutes)
    out.say(
        f"Memory: {memory.start_mb:.0f} MB at first, {memory.end_mb:.0f} MB after {memory.minutes:.1f} minutes "
        f"of the recording over and over ({memory.growth_mb:+.1f} MB)."
    )
    kept = all(cost.ratio <= _limit(cost) for cost in costs) and memory.growth_mb <= _MOST_GROWTH_MB
    out.say("All that was promised is kept." if kept else "Not all that was promised is kept.")
    return kept


def _on_pictures(costs: list[Cost]) -> Grid:
    rows = tuple(
        (
            f"{cost.size[0]}x{cost.size[1]}",
            str(cost.frames),
            f"{cost.ours_ms:.2f} ms",
            f"{cost.mog2_ms:.2f} ms",
            f"{cost.ratio:.2f}",
            f"{_limit(cost):.1f}",
        )
        for cost in costs
    )
    head = ("picture", "pictures", "camera path", "MOG2", "ratio", "at most")
    return Grid(head=head, rows=rows, numbers=frozenset(range(1, len(head))))


def _limit(cost: Cost) -> float:
    return _MOST_MOG2S_LARGE if cost.size[0] >= _LARGE[0] else _MOST_MOG2S


def _memory(recording: Recording, minutes: float) -> Memory:
    with progress() as bar:
        task = bar.add_task("watching for memory", total=_STEPS)
        return memory_growth(recording, minutes, lambda share: bar.update(task, completed=share * _STEPS))
