"""`companion watch --overlay`: a recording's video with all that was sensed drawn into it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from companion.errors import BadRecording
from companion.sensing.overlay import Overlay
from companion.sensing.recording import Item, Recording, begin_video, check_video_name
from companion.sensing.streams import Frame, Sensed
from companion.sensing.watch import Watcher
from companion.text.bars import progress

if TYPE_CHECKING:
    import cv2

_PLAIN_FPS = 30.0


class OverlayFilm(AbstractContextManager["OverlayFilm"]):
    """Draws while a watcher works. The file is there when all was drawn, and not before.

    Raises BadRecording where there is nothing to draw on, or no place for the film.
    """

    def __init__(
        self,
        file: Path,
        recording: Recording,
        watcher: Watcher,
        caption: Callable[[Sensed], str],
        say: Callable[[str], None],
    ) -> None:
        if recording.video is None:
            raise BadRecording(f"{recording.folder} has no video to draw on: nothing was filmed.")
        if file.resolve() == recording.video.resolve():
            raise BadRecording(f"{file} is the recording's own video: choose another name for the overlay.")
        if file.is_dir() or not os.access(file.parent, os.W_OK):
            raise BadRecording(f"No video can be written to {file}.")
        check_video_name(file)
        self._file = file
        self._part = file.with_name(f".part.{file.name}")
        self._fps = recording.plan.camera.fps if recording.plan.camera else _PLAIN_FPS
        self._overlay = Overlay(recording.plan, watcher, caption)
        self._say = say
        self._video: cv2.VideoWriter | None = None
        self._bar = progress()
        self._task = self._bar.add_task("drawing", total=len(recording.frame_times()))

    def saw(self, item: Item, events: Sequence[Sensed]) -> None:
        picture = self._overlay.feed(item, events)
        if picture is None or not isinstance(item, Frame):
            return
        if self._video is None:
            self._video = begin_video(self._part, self._fps, self._overlay.size(item))
        self._video.write(picture)
        self._bar.advance(self._task)

    def ended(self, events: Sequence[Sensed]) -> None:
        if self._video is not None:
            self._video.release()
            self._part.replace(self._file)
            self._say(f"What was sensed is drawn in {self._file}.")

    def __enter__(self) -> OverlayFilm:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bar.stop()
        if self._video is not None:
            self._video.release()
        self._part.unlink(missing_ok=True)
