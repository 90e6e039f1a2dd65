"""The tables of a recording, scales.csv and frames.csv: read row by row, whatever is wrong with some of the rows.

What is wrong with a row is told to `count` in words and the rest is read. BadRecording is raised with a sentence where
a table says nothing at all.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from companion.errors import BadRecording
from companion.sensing.plan import Board
from companion.sensing.streams import Flag, ScaleSample

SCALES_FILE = "scales.csv"
FRAMES_FILE = "frames.csv"
SCALE_COLUMNS = ("t_us", "board", "flags")
FRAME_COLUMNS = ("frame", "t_us")

_COUNTS_LIMIT = 2**31
_WHOLE_LIMIT = 2**62
_FLAGS = Flag.TIMEOUT | Flag.SATURATED | Flag.SETTLING | Flag.DESYNC

Count = Callable[[str], None]
"""Hears in words what is wrong with a row."""


def read_samples(folder: Path, boards: Sequence[Board], count: Count) -> Iterator[ScaleSample]:
    """The samples of scales.csv in the order of the file.

    A row that is broken, of an unknown board, or that goes back in its board's time is left out and counted; a single
    value that is no number is None and counted.
    """
    try:
        with (folder / SCALES_FILE).open(encoding="utf-8", errors="replace", newline="") as file:
            rows = list(_ScaleRows(boards, count).read(csv.reader(_plain(file))))
    except (OSError, csv.Error) as err:
        raise BadRecording(f"{SCALES_FILE} cannot be read: {getattr(err, 'strerror', None) or err}.") from err
    if not rows:
        raise BadRecording(f"{SCALES_FILE} holds no sample.")
    yield from _going_forward(rows, count)


def read_frame_times(folder: Path, count: Count) -> dict[int, int | None]:
    """The time of each picture that frames.csv lists, by the picture's number; None where it goes back in time."""
    times: dict[int, int] = {}
    try:
        with (folder / FRAMES_FILE).open(encoding="utf-8", errors="replace", newline="") as file:
            reader = csv.DictReader(_plain(file), skipinitialspace=True)
            if not set(FRAME_COLUMNS) <= set(reader.fieldnames or ()):
                raise BadRecording(f"{FRAMES_FILE} has no columns frame and t_us.")
            for row in reader:
                frame, t_us = _whole(row["frame"] or ""), _whole(row["t_us"] or "")
                if frame is None or t_us is None:
                    count(f"broken row in {FRAMES_FILE}")
                else:
                    times[frame] = t_us
    except (OSError, csv.Error) as err:
        raise BadRecording(f"{FRAMES_FILE} cannot be read: {getattr(err, 'strerror', None) or err}.") from err
    listed = sorted(times)
    back = _going_back([times[frame] for frame in listed])
    for _ in back:
        count(f"picture that goes back in time in {FRAMES_FILE}")
    return {frame: None if at in back else times[frame] for at, frame in enumerate(listed)}


class _ScaleRows:
    """Reads the rows of scales.csv by their heading."""

    def __init__(self, boards: Sequence[Board], count: Count) -> None:
        self._boards = boards
        self._count = count
        self._width = 0
        self._at: dict[str, int] = {}
        self._channels: dict[str, tuple[int, ...]] = {}

    def read(self, reader: Iterator[list[str]]) -> Iterator[ScaleSample]:
        heading = next(reader, None)
        if heading is None:
            raise BadRecording(f"{SCALES_FILE} is empty.")
        self._understand(heading)
        for row in self._safely(reader):
            sample = self._sample(row)
            if sample is not None:
                yield sample

    def _understand(self, heading: list[str]) -> None:
        names = [name.strip().lower() if name.strip().lower() in SCALE_COLUMNS else name.strip() for name in heading]
        names[0] = names[0].removeprefix("\ufeff")
        missing = [name for name in SCALE_COLUMNS[:2] if name not in names]
        if missing:
            raise BadRecording(f"{SCALES_FILE} has no column {' and no column '.join(missing)}.")
        self._width = len(names)
        self._at = {name: names.index(name) for name in SCALE_COLUMNS if name in names}
        self._channels = {board.id: _channel_columns(board, names) for board in self._boards}

    def _safely(self, reader: Iterator[list[str]]) -> Iterator[list[str]]:
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error:
                self._count(f"broken row in {SCALES_FILE}")
                continue
            if row:
                yield row

    def _sample(self, row: list[str]) -> ScaleSample | None:
        if len(row) != self._width:
            self._count(f"broken row in {SCALES_FILE}")
            return None
        t_us = _whole(row[self._at["t_us"]])
        flags = _whole(row[self._at["flags"]] or "0") if "flags" in self._at else 0
        if t_us is None or flags is None or flags < 0:
            self._count(f"broken row in {SCALES_FILE}")
            return None
        board = row[self._at["board"]].strip()
        channels = self._channels.get(board)
        if not channels:
            which = "an unknown board" if channels is None else "a board without cells"
            self._count(f"row of {which} in {SCALES_FILE}")
            return None
        return ScaleSample(t_us, board, tuple(self._value(row[column]) for column in channels), Flag(flags & _FLAGS))

    def _value(self, text: str) -> int | None:
        if not text.strip():
            return None
        counts = _whole(text)
        if counts is None or abs(counts) > _COUNTS_LIMIT:
            self._count(f"value that is no number of counts in {SCALES_FILE}")
            return None
        return counts


def _going_forward(samples: Sequence[ScaleSample], count: Count) -> Iterator[ScaleSample]:
    """Without the rows that break the order of their board's time."""
    of_board: dict[str, list[int]] = {}
    for index, sample in enumerate(samples):
        of_board.setdefault(sample.board, []).append(index)
    bad = {rows[at] for rows in of_board.values() for at in _going_back([samples[row].t_us for row in rows])}
    for _ in bad:
        count(f"row that goes back in time in {SCALES_FILE}")
    return (sample for index, sample in enumerate(samples) if index not in bad)


def _going_back(times: Sequence[int]) -> set[int]:
    """Which of these times break their order: of two that disagree, the one that also disagrees with the one before.

    >>> _going_back([10, 20, 99, 30, 40, 5, 50])
    {2, 5}
    """
    bad: set[int] = set()
    kept: list[int] = []
    for index, t_us in enumerate(times):
        if kept and t_us < times[kept[-1]]:
            if len(kept) > 1 and t_us < times[kept[-2]]:
                bad.add(index)
                continue
            bad.add(kept.pop())
        kept.append(index)
    return bad


def _channel_columns(board: Board, names: list[str]) -> tuple[int, ...]:
    """Which columns hold a board's cells: those named like them, or else the channels in order."""
    ids = [cell.id for cell in board.cells]
    if all(name in names for name in ids):
        return tuple(names.index(name) for name in ids)
    channels = [column for column, name in enumerate(names) if name not in SCALE_COLUMNS]
    return tuple(channels[: len(ids)])


def _plain(lines: Iterable[str]) -> Iterator[str]:
    """Lines without quotes, of which a stray one would swallow the rows that follow, and without NUL."""
    return (line.replace("\0", "?").replace('"', "") for line in lines)


def _whole(text: str) -> int | None:
    """The whole number that a text is; None where it is none, or one that no clock and no chip can give."""
    try:
        number: float = int(text)
    except ValueError:
        try:
            number = float(text)
        except ValueError:
            return None
    return round(number) if abs(number) < _WHOLE_LIMIT else None
