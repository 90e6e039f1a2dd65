"""Recordings of a table: a folder with the plan, the scales' samples and the camera's pictures, read and written.

What is wrong with a row or a picture is a counted fault and the rest is read; what keeps a stream from being read
to its end is a sentence in `Recording.unread`. The truth of a recording is not opened here: see `truth`.

Beside the files of the format, a live table that was too busy for some of its pictures lists the times of those in
passed.csv: they are `Passed`.
"""

from __future__ import annotations

import heapq
import os
import shutil
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, TextIO, TypeAlias

import msgspec

from companion.errors import BadRecording
from companion.sensing.plan import PLAN_FILE, Plan, encode_plan, read_plan
from companion.sensing.rows import (
    FRAME_COLUMNS,
    FRAMES_FILE,
    SCALE_COLUMNS,
    SCALES_FILE,
    read_frame_times,
    read_samples,
)
from companion.sensing.streams import Frame, ScaleSample, Sense

if TYPE_CHECKING:
    import cv2

__all__ = [
    "FRAMES_FILE",
    "PASSED_FILE",
    "SCALES_FILE",
    "TRUTH_FILE",
    "VIDEO_FILES",
    "Film",
    "Item",
    "Passed",
    "Recording",
    "RecordingWriter",
    "begin_video",
    "check_video_name",
    "merged",
    "rescue",
]

TRUTH_FILE = "truth.jsonl"
VIDEO_FILES = ("video.mp4", "video.mkv", "video.avi")
PASSED_FILE = "passed.csv"

_CHANNELS = 4
_PASSED_COLUMN = "t_us"
_LONGEST = 20  # characters of a time: what is longer is none
_CODECS = {"mp4": "mp4v", "mkv": "mp4v", "avi": "MJPG"}
_PART_NAME = ".{}.part"

Item: TypeAlias = ScaleSample | Frame
Film: TypeAlias = Literal["mp4", "mkv", "avi"]
"""What a video is kept in. One of mp4 that is cut off is lost, one of mkv is not; avi keeps each picture whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Passed(Frame):
    """A picture that nobody looked at when it was taken: the eye was busy, or it came too late."""


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
        return scales + (("camera",) if self.video or (self.folder / FRAMES_FILE).is_file() else ())

    def samples(self) -> Iterator[ScaleSample]:
        """The scales' samples in the order of the file, without the rows that make no sense: those are counted."""
        self._forget("scales")
        try:
            yield from read_samples(self.folder, self.plan.boards, partial(self._count, "scales"))
        except BadRecording as err:
            self.unread["scales"] = str(err)

    def frames(self) -> Iterator[Frame]:
        """The camera's pictures in order. One without a time, or that goes back in time, is left out and counted."""
        self._forget("camera")
        video = self.video
        if video is None:
            listed = (self.folder / FRAMES_FILE).is_file()
            why = f"{FRAMES_FILE} tells of pictures, but there is no video."
            self.unread["camera"] = why if listed else "Nothing was filmed: there is no video."
            return
        try:
            times = read_frame_times(self.folder, partial(self._count, "camera"))
        except BadRecording as err:
            self.unread["camera"] = str(err)
            return
        if not times:
            self.unread["camera"] = f"{FRAMES_FILE} lists no picture."
            return
        yield from self._pictures(video, times)

    def frame_times(self) -> list[int]:
        """The times that frames.csv lists, in order; none where it cannot be read."""
        try:
            times = read_frame_times(self.folder, lambda what: None)
        except BadRecording:
            return []
        return [t_us for t_us in times.values() if t_us is not None]

    def merged(self, senses: Iterable[Sense] = ("scales", "camera")) -> Iterator[Item]:
        """Samples and frames of the named senses in the order of their times: see `merged`."""
        wanted = [sense for sense in self.senses if sense in set(senses)]
        samples = self.samples() if "scales" in wanted else ()
        frames = self.frames() if "camera" in wanted else ()
        return merged(self.plan, samples, frames)

    @property
    def video(self) -> Path | None:
        """The file of the camera's pictures."""
        return next((self.folder / name for name in VIDEO_FILES if (self.folder / name).is_file()), None)

    @property
    def _passed(self) -> frozenset[int]:
        """The times of pictures that were let pass; rows that are no times name none."""
        with suppress(OSError):
            rows = (self.folder / PASSED_FILE).read_text(encoding="utf-8", errors="replace").split()
            return frozenset(int(row) for row in rows if len(row) <= _LONGEST and row.removeprefix("-").isdecimal())
        return frozenset()

    def _pictures(self, video: Path, times: dict[int, int | None]) -> Iterator[Frame]:
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

    def _timed(self, capture: cv2.VideoCapture, times: dict[int, int | None]) -> Generator[Frame, None, int]:
        camera, passed, index = self.plan.camera, self._passed, 0
        while True:
            got, image = capture.read()
            if not got:
                return index
            if index not in times:
                self._count("camera", f"picture without a time in {FRAMES_FILE}")
            if camera is not None and image.shape[:2] != (camera.height, camera.width):
                self._count("camera", f"picture of another size than {PLAN_FILE} says")
            t_us = times.get(index)
            if t_us is not None:
                yield (Passed if t_us in passed else Frame)(t_us, index, image)
            index += 1

    # Faults

    def _count(self, sense: Sense, what: str) -> None:
        self.faults[sense, what] += 1

    def _forget(self, sense: Sense) -> None:
        self.unread.pop(sense, None)
        for fault in [fault for fault in self.faults if fault[0] == sense]:
            del self.faults[fault]


def merged(plan: Plan, samples: Iterable[ScaleSample], frames: Iterable[Frame]) -> Iterator[Item]:
    """Samples and frames in the order of their times. At the same time samples come first, in the plan's order."""
    ranks = {board.id: rank for rank, board in enumerate(plan.boards)}
    felt = sorted(((each.t_us, ranks[each.board], each) for each in samples), key=lambda row: row[:2])
    seen = ((each.t_us, len(ranks), each) for each in frames)
    streams: tuple[Iterable[tuple[int, int, Item]], ...] = (felt, seen)
    return (item for _, _, item in heapq.merge(*streams, key=lambda row: row[:2]))


class RecordingWriter(AbstractContextManager["RecordingWriter"]):
    """Writes a recording. The folder holds a recording once `close` has returned, and none or the old one before.

    Raises BadRecording, before anything is written, where no recording can be.

    Rows and pictures go to the disk as they come, so that a recording may be hours long. What a crash cut off is a
    recording too, in a hidden folder beside: `rescue` brings it to light, with its pictures unless the film is mp4.

    `close` replaces what a recording there consists of and leaves other files alone. Leaving the `with` block by an
    exception throws away what was written.
    """

    def __init__(self, folder: Path, plan: Plan, film: Film = "mp4") -> None:
        self.folder = folder
        self.plan = plan
        self._film = film
        self._part = _beside(folder)
        shutil.rmtree(self._part, ignore_errors=True)
        self._part.mkdir(parents=True)
        (self._part / PLAN_FILE).write_bytes(encode_plan(plan))
        self._channels = max([_CHANNELS, *(len(board.cells) for board in plan.boards)])
        self._tables: dict[str, TextIO] = {}
        self._truths: list[tuple[int, bytes]] = []
        self._video: cv2.VideoWriter | None = None
        self._size: tuple[int, ...] = ()
        self._frames = 0

    def add_sample(self, sample: ScaleSample) -> None:
        """One row of scales.csv. Times need not be in order between boards."""
        counts = ["" if value is None else str(value) for value in sample.counts]
        counts += [""] * (self._channels - len(counts))
        heading = (*SCALE_COLUMNS, *(f"c{channel}" for channel in range(self._channels)))
        row = f"{sample.t_us},{sample.board},{int(sample.flags)},{','.join(counts)}\n"
        self._table(SCALES_FILE, heading).write(row)

    def add_frame(self, frame: Frame) -> None:
        """One picture, in order of time; `frame.index` is not used. The first one fixes the size."""
        if self._video is None:
            self._video, self._size = self._begin_video(frame), frame.image.shape
        if frame.image.shape != self._size:
            raise BadRecording("A recording's pictures must all be of the same size.")
        self._video.write(frame.image)
        self._table(FRAMES_FILE, FRAME_COLUMNS).write(f"{self._frames},{frame.t_us}\n")
        self._frames += 1

    def add_passed(self, t_us: int) -> None:
        """The picture of that time, before or after it is added, was not looked at."""
        self._table(PASSED_FILE, (_PASSED_COLUMN,)).write(f"{t_us}\n")

    def add_truth(self, truth: object) -> None:
        """One line of truth.jsonl: a struct or mapping with `kind` and `t_us`. Lines are sorted by time at the end."""
        shown = msgspec.to_builtins(truth)
        self._truths.append((int(shown["t_us"]), msgspec.json.encode(shown) + b"\n"))

    def close(self) -> Path:
        """Finish the files and put them in place; returns the folder."""
        self._finish()
        if self._truths:
            lines = (line for _, line in sorted(self._truths, key=lambda row: row[0]))
            (self._part / TRUTH_FILE).write_bytes(b"".join(lines))
        _put_in_place(self._part, self.folder)
        return self.folder

    def discard(self) -> None:
        """Throw away what was written; the folder stays as it was."""
        with suppress(OSError):
            self._finish()
        shutil.rmtree(self._part, ignore_errors=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()

    def _table(self, name: str, heading: Iterable[str]) -> TextIO:
        """A table to add rows to; each row is on its way to the disk when it is whole."""
        if name not in self._tables:
            self._tables[name] = (self._part / name).open("w", encoding="utf-8", buffering=1)
            self._tables[name].write(",".join(heading) + "\n")
        return self._tables[name]

    def _finish(self) -> None:
        """Close all files, whatever the disk says about one of them."""
        with ExitStack() as closing:
            for table in self._tables.values():
                closing.callback(table.close)
            if self._video is not None:
                closing.callback(self._video.release)

    def _begin_video(self, frame: Frame) -> cv2.VideoWriter:
        fps = self.plan.camera.fps if self.plan.camera else 30.0
        height, width = frame.image.shape[:2]
        return begin_video(self._part / f"video.{self._film}", fps, (width, height))


def begin_video(file: Path, fps: float, size: tuple[int, int]) -> cv2.VideoWriter:
    """A video file to write pictures of that width and height to; BadRecording where there can be none."""
    import cv2

    codec = cv2.VideoWriter.fourcc(*check_video_name(file))
    with _quietly():
        video = cv2.VideoWriter(str(file), cv2.CAP_FFMPEG, codec, fps, size)
    if not video.isOpened():
        raise BadRecording(f"No video can be written to {file}.")
    return video


def check_video_name(file: Path) -> str:
    """The codec of a video of that name; BadRecording when none can be called so."""
    codec = _CODECS.get(file.suffix.lower().removeprefix("."))
    if codec is None:
        raise BadRecording(f"A video's name ends in {', '.join(f'.{film}' for film in _CODECS)}; {file.name} does not.")
    return codec


def rescue(folder: Path) -> list[Path]:
    """Put the recordings that a crash cut off in this folder in their places; returns where they are now.

    One whose place has been taken since stays where it is. Call it while nothing is being recorded there.
    """
    found: list[Path] = []
    for part in sorted(folder.glob(_PART_NAME.format("*"))):
        place = part.with_name(part.name.removeprefix(".").removesuffix(".part"))
        if (part / PLAN_FILE).is_file() and not place.exists():
            _put_in_place(part, place)
            found.append(place)
    return found


def _put_in_place(part: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in (PLAN_FILE, SCALES_FILE, FRAMES_FILE, PASSED_FILE, TRUTH_FILE, *VIDEO_FILES):
        with suppress(FileNotFoundError):
            (folder / name).unlink()
    for file in sorted(part.iterdir(), key=lambda file: file.name == PLAN_FILE):
        file.replace(folder / file.name)
    part.rmdir()


def _beside(folder: Path) -> Path:
    """Where a recording grows until it is whole."""
    place = folder.resolve()
    if not place.name or (place.exists() and not place.is_dir()):
        raise BadRecording(f"{folder} is no place for a recording: it is not a folder, nor can it become one.")
    return place.with_name(_PART_NAME.format(place.name))


@contextmanager
def _quietly() -> Iterator[None]:
    """What is wrong with a video is told in our words, not in FFmpeg's or OpenCV's."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    import cv2

    loud = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(loud)


def _capture(video: Path) -> cv2.VideoCapture:
    with _quietly():
        import cv2

        return cv2.VideoCapture(str(video), cv2.CAP_FFMPEG)
