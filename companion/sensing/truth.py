"""What really happened in a recording, for benches, the twin and tests. No detector may import this."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.errors import BadRecording
from companion.sensing.recording import TRUTH_FILE


class TowerTruth(msgspec.Struct, frozen=True):
    """How high a tower stands: whole levels, and its highest point above the board's surface."""

    levels: int
    top_mm: float


class Truth(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of truth.jsonl. A collapse's `t_us` is the first touch; fields that do not apply are None."""

    kind: str
    t_us: int
    board: str | None = None
    piece: str | None = None
    tower: str | None = None
    level: int | None = None
    mass_g: float | None = None
    pieces: tuple[str, ...] | None = None
    until_us: int | None = None
    towers: dict[str, TowerTruth] | None = None


def has_truth(folder: Path) -> bool:
    """Whether somebody wrote down what happened in this recording."""
    return (folder / TRUTH_FILE).is_file()


def read_truth(folder: Path) -> tuple[Truth, ...]:
    """The truth in the order of time; BadRecording names the line that cannot be read."""
    try:
        lines = (folder / TRUTH_FILE).read_bytes().splitlines()
    except OSError as err:
        raise BadRecording(f"{folder / TRUTH_FILE} cannot be read: {err.strerror or err}.") from err
    found = [_line(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    return tuple(sorted(found, key=lambda truth: truth.t_us))


def _line(number: int, line: bytes) -> Truth:
    try:
        return msgspec.json.decode(line, type=Truth)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as err:
        raise BadRecording(f"{TRUTH_FILE}, line {number}: {err}.") from err
