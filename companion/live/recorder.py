"""What the table remembers: the last seconds of every sense, and a recording on disk while one is asked for."""

from __future__ import annotations

import shutil
import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.errors import BadRecording, CompanionError, DiskTrouble
from companion.live.inbox import Inbox
from companion.live.threads import NowUs
from companion.sensing.evidence import Evidence, EvidenceKeeper
from companion.sensing.plan import Plan
from companion.sensing.recording import Item, RecordingWriter
from companion.sensing.streams import Frame, Sensed

_WAIT_S = 0.05
_FINISH_S = 5.0
_ROOM_MB = 200
_BYTES_PER_MB = 1_000_000
_LOOK_US = 2_000_000
_MOST_FRAMES = 12
_MOST_PASSED = 1000


OpenWriter = Callable[[Path, Plan], RecordingWriter]
RoomMb = Callable[[Path], float]


def open_writer(folder: Path, plan: Plan) -> RecordingWriter:
    """A recording whose pictures survive a pulled plug."""
    return RecordingWriter(folder, plan, film="mkv")


def room_mb(folder: Path) -> float:
    """How much room there is where a recording grows."""
    return shutil.disk_usage(folder.resolve().parent).free / _BYTES_PER_MB


class Recorder:
    """A recording under way. Every call is for the thread that writes, except those of `Memory`, which hold its lock.

    The disk may fill up: then the recording ends with what is there, and `trouble` says so.
    """

    def __init__(self, now_us: NowUs, open_with: OpenWriter = open_writer, room: RoomMb = room_mb) -> None:
        self.folder: Path | None = None
        self.trouble = ""
        self._now_us, self._open, self._room = now_us, open_with, room
        self._writer: RecordingWriter | None = None
        self._look_us = 0
        self.rows = 0

    def begin(self, folder: Path, plan: Plan) -> None:
        """Begin a recording. DiskTrouble or BadRecording when that cannot be."""
        if self._writer is not None:
            raise BadRecording(f"A recording is under way already: {self.folder}.")
        try:
            folder.resolve().parent.mkdir(parents=True, exist_ok=True)
            room = self._room(folder)
            if room < _ROOM_MB:
                raise DiskTrouble(_too_full(room))
            self._writer = self._open(folder, plan)
        except OSError as error:
            if isinstance(error, CompanionError):
                raise
            raise DiskTrouble(f"No recording can begin: {(error.strerror or str(error)).lower()}.") from error
        self.folder, self.trouble, self.rows = folder, "", 0

    def add(self, item: Item) -> None:
        """Write this too, if a recording is under way."""
        if self._writer is None:
            return
        try:
            self._check_room()
            if isinstance(item, Frame):
                self._writer.add_frame(item)
            else:
                self._writer.add_sample(item)
            self.rows += 1
        except (OSError, CompanionError) as error:
            self._give_up(error)

    def add_passed(self, t_us: int) -> None:
        """Write that nobody looked at the frame of that time, if a recording is under way."""
        if self._writer is None:
            return
        try:
            self._writer.add_passed(t_us)
        except OSError as error:
            self._give_up(error)

    def end(self) -> Path | None:
        """Finish it; where it is now, None when there is none or nothing of it could be kept."""
        writer, self._writer = self._writer, None
        folder, self.folder = self.folder, None
        if writer is None:
            return None
        if not self.rows:
            writer.discard()
            self.trouble = "The recording holds nothing, and was not kept."
            return None
        try:
            return writer.close()
        except (OSError, CompanionError) as error:
            self.trouble = f"The recording {folder} could not be finished: {_reason(error)}."
            return None

    def _check_room(self) -> None:
        if self.folder is not None and self._now_us() - self._look_us > _LOOK_US:
            self._look_us = self._now_us()
            room = self._room(self.folder)
            if room < _ROOM_MB:
                raise DiskTrouble(_too_full(room))

    def _give_up(self, error: Exception) -> None:
        folder = self.folder
        kept = self.end()
        what = f"what it holds so far is in {kept}" if kept else f"{folder} could not be kept"
        self.trouble = f"The recording stopped ({_reason(error)}): {what}."


class Memory:
    """The work of the thread that remembers. Its `inbox` is where readers put what they read.

    `record`, `stop`, `passed` and `evidence` may be called by any thread. The last seconds have a lock of their own:
    whoever asks for them never waits for the disk.
    """

    def __init__(self, now_us: NowUs, recorder: Recorder | None = None, *, wait_s: float = _WAIT_S) -> None:
        self.inbox = Inbox(_MOST_FRAMES)
        self.recorder = recorder or Recorder(now_us)
        self._keeper: EvidenceKeeper | None = None
        self._passed: deque[int] = deque(maxlen=_MOST_PASSED)
        self._plan: Plan | None = None
        self._wait_s = wait_s
        self._remembering = threading.Lock()
        self._writing = threading.Lock()

    def use(self, plan: Plan) -> None:
        """From now on it is this table that is remembered."""
        with self._remembering:
            self._plan, self._keeper = plan, EvidenceKeeper(plan)

    def step(self) -> float:
        for item in self.inbox.take(self._wait_s):
            with self._remembering:
                if self._keeper is not None:
                    self._keeper.feed(item)
            with self._writing:
                self.recorder.add(item)
        with self._writing:
            self._tell_passed()
        return 0.0

    def passed(self, frame: Frame) -> None:
        """Nobody looked at this frame: a recording says so, and lets it pass too when it is watched."""
        self._passed.append(frame.t_us)

    def _tell_passed(self) -> None:
        while self._passed:
            self.recorder.add_passed(self._passed.popleft())

    def close(self) -> None:
        """What is remembered stays, and a recording goes on, whatever befell the thread."""

    def record(self, folder: Path, context: Mapping[str, Any]) -> None:
        """Begin a recording; `context` is what the game knows as it begins."""
        plan = self._plan
        if plan is None:
            raise BadRecording("The table is not up yet, so there is nothing to record.")
        with self._writing:
            self.recorder.begin(folder, replace(plan, context=dict(context)))

    def stop(self) -> Path | None:
        """Finish the recording; where it is."""
        if not self._writing.acquire(timeout=_FINISH_S):
            return None
        try:
            self._tell_passed()
            return self.recorder.end()
        finally:
            self._writing.release()

    def evidence(self, event: Sensed) -> Evidence:
        """What the senses gave around an event, as far as it is remembered."""
        with self._remembering:
            if self._keeper is None:
                return Evidence(event=event, plan=NO_TABLE, samples=(), pictures=())
            return self._keeper.cut(event)


NO_TABLE = Plan(format="castle-companion/recording", version=1, boards=())
"""The plan of no table at all."""


def _too_full(room: float) -> str:
    return f"Only {room:.0f} MB are free on the disk, and a recording wants {_ROOM_MB}"


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text.rstrip(".").lower() if not isinstance(error, CompanionError) else text.rstrip(".")
