"""Recordings of a table: a folder with the plan, the scales' samples and the camera's pictures, read and written.

What is wrong with a row or a picture is a counted fault and the rest is read; what keeps a stream from being read
to its end is a sentence in `Recording.unread`. The truth of a recording is not opened here: see `truth`.
"""

from __future__ import annotations

import csv
import heapq
import math
import os
import shutil
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from companion.errors import BadRecording
from companion.sensing.plan import PLAN_FILE, Board, Plan, encode_plan, read_plan
from companion.sensing.streams import Flag, Frame, ScaleSample, Sense

if TYPE_CHECKING:
    import cv2

SCALES_FILE = "scales.csv"
FRAMES_FILE = "frames.csv"
TRUTH_FILE = "truth.jsonl"
VIDEO_FILES = ("video.mp4", "video.mkv", "video.avi")

_COLUMNS = ("t_us", "board", "flags")
_CHANNELS = 4
_COUNTS_LIMIT = 2**31
_WHOLE_LIMIT = 2**62
_FLAGS = Flag.TIMEOUT | Flag.SATURATED | Flag.SETTLING | Flag.DESYNC
_CODECS = {"mp4v": "video.mp4", "MJPG": "video.avi"}

Item: TypeAlias = ScaleSample | Frame
Codec: TypeAlias = Literal["mp4v", "MJPG"]


class Recording:
    """A recording's folder, opened for reading.

    `faults` counts what was wrong, by device and in words, and `unread` holds a sentence for each stream that could
    not be read to its end. Both grow while `samples`, `frames` or `merged` run; each of these may run once more.
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        self.plan = plan
        self.faults: Counter[tuple[Sense, str]] = Counter()
        self.unread: dict[Sense, str] = {}

    @classmethod
    def open(cls, folder: Path) -> Recording:
        """The recording in this folder; BadRecording when it has no readable plan, or neither scales nor video."""
        if not folder.is_dir():
            raise BadRecording(f"{folder} is not a recording: it is not a folder.")
        recording = cls(folder, read_plan(folder))
        if not recording.senses:
            raise BadRecording(f"{folder} has neither {SCALES_FILE} nor a video.")
        return recording

    @property
    def senses(self) -> tuple[Sense, ...]:
        """What the recording has a file of."""
        scales: tuple[Sense, ...] = ("scales",) if (self.folder / SCALES_FILE).is_file() else ()
        return scales + (("camera",) if self._video() else ())

    def samples(self) -> Iterator[ScaleSample]:
        """The scales' samples in the order of the file.

        A row that is broken, of an unknown board, or that goes back in its board's time is left out and counted; a
        single value that is no number is None and counted.
        """
        self._forget("scales")
        try:
            with (self.folder / SCALES_FILE).open(encoding="utf-8", errors="replace", newline="") as file:
                rows = list(self._rows(csv.reader(_plain(file))))
        except (OSError, csv.Error) as err:
            self.unread["scales"] = f"{SCALES_FILE} cannot be read: {getattr(err, 'strerror', None) or err}."
            return
        yield from self._going_forward(rows)

    def frames(self) -> Iterator[Frame]:
        """The camera's pictures in order. One without a time, or that goes back in time, is left out and counted."""
        self._forget("camera")
        video = self._video()
        if video is None:
            self.unread["camera"] = "There is no video."
            return
        times = self._frame_times()
        if times is not None:
            yield from self._pictures(video, times)

    def merged(self, senses: Iterable[Sense] = ("scales", "camera")) -> Iterator[Item]:
        """Samples and frames of the named senses in the order of their times.

        At the same time samples come before frames, and boards in the plan's order.
        """
        wanted = [sense for sense in self.senses if sense in set(senses)]
        ranks = {board.id: rank for rank, board in enumerate(self.plan.boards)}
        streams: list[Iterable[tuple[int, int, Item]]] = []
        if "scales" in wanted:
            streams.append(
                sorted(((each.t_us, ranks[each.board], each) for each in self.samples()), key=lambda row: row[:2])
            )
        if "camera" in wanted:
            streams.append((each.t_us, len(ranks), each) for each in self.frames())
        for _, _, item in heapq.merge(*streams, key=lambda row: row[:2]):
            yield item

    # Scales

    def _rows(self, reader: Iterator[list[str]]) -> Iterator[ScaleSample]:
        heading = next(reader, None)
        if heading is None:
            self.unread["scales"] = f"{SCALES_FILE} is empty."
            return
        names = [name.strip().lower() if name.strip().lower() in _COLUMNS else name.strip() for name in heading]
        names[0] = names[0].removeprefix("\ufeff")
        missing = [name for name in _COLUMNS[:2] if name not in names]
        if missing:
            self.unread["scales"] = f"{SCALES_FILE} has no column {' and no column '.join(missing)}."
            return
        columns = {board.id: _channel_columns(board, names) for board in self.plan.boards}
        at = {name: names.index(name) for name in _COLUMNS if name in names}
        found = False
        for row in self._safely(reader):
            sample = self._sample(row, len(names), at, columns)
            if sample is not None:
                found = True
                yield sample
        if not found:
            self.unread["scales"] = f"{SCALES_FILE} holds no sample."

    def _safely(self, reader: Iterator[list[str]]) -> Iterator[list[str]]:
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error:
                self._count("scales", f"broken row in {SCALES_FILE}")
                continue
            if row:
                yield row

    def _sample(
        self, row: list[str], width: int, at: dict[str, int], columns: dict[str, tuple[int, ...]]
    ) -> ScaleSample | None:
        if len(row) != width:
            self._count("scales", f"broken row in {SCALES_FILE}")
            return None
        t_us = _whole(row[at["t_us"]])
        flags = _whole(row[at["flags"]] or "0") if "flags" in at else 0
        if t_us is None or flags is None or flags < 0:
            self._count("scales", f"broken row in {SCALES_FILE}")
            return None
        channels = columns.get(row[at["board"]].strip())
        if channels is None:
            self._count("scales", f"row of an unknown board in {SCALES_FILE}")
            return None
        if not channels:
            self._count("scales", f"row of a board without cells in {SCALES_FILE}")
            return None
        counts = tuple(self._channel(row[column]) for column in channels)
        return ScaleSample(t_us, row[at["board"]].strip(), counts, Flag(flags & _FLAGS))

    def _channel(self, text: str) -> int | None:
        if not text.strip():
            return None
        counts = _whole(text)
        if counts is None or abs(counts) > _COUNTS_LIMIT:
            self._count("scales", f"value that is no number of counts in {SCALES_FILE}")
            return None
        return counts

    def _going_forward(self, samples: Sequence[ScaleSample]) -> Iterator[ScaleSample]:
        """Without the rows that break the order of their board's time.

        Of two that disagree it leaves out the one that also disagrees with its other neighbour.
        """
        bad: set[int] = set()
        kept: dict[str, list[int]] = {}
        for index, sample in enumerate(samples):
            row = kept.setdefault(sample.board, [])
            if row and sample.t_us < samples[row[-1]].t_us:
                self._count("scales", f"row that goes back in time in {SCALES_FILE}")
                if len(row) > 1 and sample.t_us < samples[row[-2]].t_us:
                    bad.add(index)
                    continue
                bad.add(row.pop())
            row.append(index)
        return (sample for index, sample in enumerate(samples) if index not in bad)

    # Camera

    def _video(self) -> Path | None:
        return next((self.folder / name for name in VIDEO_FILES if (self.folder / name).is_file()), None)

    def _frame_times(self) -> dict[int, int] | None:
        times: dict[int, int] = {}
        try:
            with (self.folder / FRAMES_FILE).open(encoding="utf-8", errors="replace", newline="") as file:
                reader = csv.DictReader(_plain(file), skipinitialspace=True)
                if not {"frame", "t_us"} <= set(reader.fieldnames or ()):
                    self.unread["camera"] = f"{FRAMES_FILE} has no columns frame and t_us."
                    return None
                for row in reader:
                    frame, t_us = _whole(row["frame"] or ""), _whole(row["t_us"] or "")
                    if frame is None or t_us is None:
                        self._count("camera", f"broken row in {FRAMES_FILE}")
                    else:
                        times[frame] = t_us
        except (OSError, csv.Error) as err:
            self.unread["camera"] = f"{FRAMES_FILE} cannot be read: {getattr(err, 'strerror', None) or err}."
            return None
        return times

    def _pictures(self, video: Path, times: dict[int, int]) -> Iterator[Frame]:
        capture = _capture(video)
        try:
            if not capture.isOpened():
                self.unread["camera"] = f"{video.name} cannot be read as a video."
                return
            index = yield from self._timed(capture, times)
        finally:
            capture.release()
        if index == 0:
            self.unread["camera"] = f"{video.name} holds no picture that can be read."
        elif times and index <= max(times):
            self.unread["camera"] = (
                f"{video.name} ends early: {index} pictures can be read and {FRAMES_FILE} lists {max(times) + 1}."
            )

    def _timed(self, capture: cv2.VideoCapture, times: dict[int, int]) -> Generator[Frame, None, int]:
        index, last_us = 0, -math.inf
        while True:
            got, image = capture.read()
            if not got:
                return index
            t_us = times.get(index)
            if t_us is None:
                self._count("camera", f"picture without a time in {FRAMES_FILE}")
            elif t_us < last_us:
                self._count("camera", f"picture that goes back in time in {FRAMES_FILE}")
            else:
                last_us = t_us
                yield Frame(t_us, index, image)
            index += 1

    # Faults

    def _count(self, sense: Sense, what: str) -> None:
        self.faults[sense, what] += 1

    def _forget(self, sense: Sense) -> None:
        self.unread.pop(sense, None)
        for fault in [fault for fault in self.faults if fault[0] == sense]:
            del self.faults[fault]


class RecordingWriter(AbstractContextManager["RecordingWriter"]):
    """Writes a recording. The folder holds a recording once `close` has returned, and none or the old one before.

    Raises BadRecording, before anything is written, where no recording can be.

    `close` replaces what a recording there consists of and leaves other files alone. Leaving the `with` block by an
    exception throws away what was written.
    """

    def __init__(self, folder: Path, plan: Plan, codec: Codec = "mp4v") -> None:
        self.folder = folder
        self.plan = plan
        self._codec = codec
        self._part = _beside(folder)
        shutil.rmtree(self._part, ignore_errors=True)
        self._part.mkdir(parents=True)
        self._channels = max([_CHANNELS, *(len(board.cells) for board in plan.boards)])
        self._samples: list[str] = []
        self._truths: list[tuple[int, bytes]] = []
        self._frames: list[tuple[int, int]] = []
        self._video: cv2.VideoWriter | None = None

    def add_sample(self, sample: ScaleSample) -> None:
        """One row of scales.csv. Times need not be in order between boards."""
        counts = ["" if value is None else str(value) for value in sample.counts]
        counts += [""] * (self._channels - len(counts))
        self._samples.append(f"{sample.t_us},{sample.board},{int(sample.flags)},{','.join(counts)}\n")

    def add_frame(self, frame: Frame) -> None:
        """One picture, in order of time; `frame.index` is not used. The first one fixes the size."""
        if self._video is None:
            self._video = self._begin_video(frame)
        self._video.write(frame.image)
        self._frames.append((len(self._frames), frame.t_us))

    def add_truth(self, truth: object) -> None:
        """One line of truth.jsonl: a struct or mapping with `kind` and `t_us`. Lines are sorted by time at the end."""
        shown = msgspec.to_builtins(truth)
        self._truths.append((int(shown["t_us"]), msgspec.json.encode(shown) + b"\n"))

    def close(self) -> Path:
        """Finish the files and put them in place; returns the folder."""
        if self._video is not None:
            self._video.release()
            rows = "".join(f"{index},{t_us}\n" for index, t_us in self._frames)
            (self._part / FRAMES_FILE).write_text(f"frame,t_us\n{rows}")
        if self._samples:
            heading = ",".join([*_COLUMNS, *(f"c{channel}" for channel in range(self._channels))])
            (self._part / SCALES_FILE).write_text(f"{heading}\n{''.join(self._samples)}")
        if self._truths:
            lines = (line for _, line in sorted(self._truths, key=lambda row: row[0]))
            (self._part / TRUTH_FILE).write_bytes(b"".join(lines))
        (self._part / PLAN_FILE).write_bytes(encode_plan(self.plan))
        self._put_in_place()
        return self.folder

    def discard(self) -> None:
        """Throw away what was written; the folder stays as it was."""
        if self._video is not None:
            self._video.release()
        shutil.rmtree(self._part, ignore_errors=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()

    def _put_in_place(self) -> None:
        self.folder.mkdir(exist_ok=True)
        for name in (PLAN_FILE, SCALES_FILE, FRAMES_FILE, TRUTH_FILE, *VIDEO_FILES):
            with suppress(FileNotFoundError):
                (self.folder / name).unlink()
        for file in sorted(self._part.iterdir(), key=lambda file: file.name == PLAN_FILE):
            file.replace(self.folder / file.name)
        self._part.rmdir()

    def _begin_video(self, frame: Frame) -> cv2.VideoWriter:
        import cv2

        height, width = frame.image.shape[:2]
        fps = self.plan.camera.fps if self.plan.camera else 30.0
        file = self._part / _CODECS[self._codec]
        video = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*self._codec), fps, (width, height))
        if not video.isOpened():
            raise BadRecording(f"No video can be written to {file}.")
        return video


def _beside(folder: Path) -> Path:
    """Where a recording grows until it is whole."""
    place = folder.resolve()
    if not place.name or (place.exists() and not place.is_dir()):
        raise BadRecording(f"{folder} is no place for a recording: it is not a folder, nor can it become one.")
    return place.with_name(f".{place.name}.part")


def _channel_columns(board: Board, names: list[str]) -> tuple[int, ...]:
    """Which columns hold a board's cells: those named like them, or else the channels in order."""
    ids = [cell.id for cell in board.cells]
    if all(name in names for name in ids):
        return tuple(names.index(name) for name in ids)
    channels = [column for column, name in enumerate(names) if name not in _COLUMNS]
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


def _capture(video: Path) -> cv2.VideoCapture:
    os.environ.setdefault(
        "OPENCV_FFMPEG_LOGLEVEL", "-8"
    )  # a broken video is told in our words, not in FFmpeg's or OpenCV's
    import cv2

    loud = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return cv2.VideoCapture(str(video), cv2.CAP_FFMPEG)
    finally:
        cv2.utils.logging.setLogLevel(loud)
