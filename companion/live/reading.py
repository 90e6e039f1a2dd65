"""The threads that read: each takes what one kind of device gives and hands it on, stamped, without a thought."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec.structs import replace

from companion.devices.camera.feed import Camera, CameraStatus
from companion.devices.scales.driver import ModuleReport
from companion.live.log import TableLog
from companion.live.sources import ScalesFeed
from companion.live.threads import NowUs
from companion.sensing.plan import Plan
from companion.sensing.recording import Item
from companion.sensing.streams import Frame, Image, ScaleSample

Put = Callable[[Sequence[Item]], None]

_POLL_S = 0.005
_LOOK_US = 200_000
_WAIT_S = 0.1
_EVERY_PX = 8


class Weighing:
    """The work of the thread that reads the scales. `felt_us` is when the last sample of each board came."""

    def __init__(self, scales: ScalesFeed, plan: Plan, put: Put, log: TableLog, now_us: NowUs) -> None:
        self.reports: tuple[ModuleReport, ...] = ()
        self.felt_us: dict[str, int] = {}
        self._scales, self._put, self._log, self._now_us = scales, put, log, now_us
        self._cells = {board.id: len(board.cells) for board in plan.boards if board.cells}
        self._look_us = 0

    def step(self) -> float:
        now_us = self._now_us()
        samples = [self._fitted(sample) for sample in self._scales.poll() if sample.board in self._cells]
        if samples:
            self._put(samples)
            self.felt_us.update((sample.board, now_us) for sample in samples)
        for notice in self._scales.notices():
            self._log.say(f"scales {notice.module}: {notice.says}")
        if now_us - self._look_us >= _LOOK_US:
            self._look_us = now_us
            self.reports = self._scales.modules()
        return _POLL_S

    def close(self) -> None:
        self._scales.close()

    def _fitted(self, sample: ScaleSample) -> ScaleSample:
        """With as many channels as the board has cells, however many its module has."""
        cells = self._cells[sample.board]
        if len(sample.counts) == cells:
            return sample
        return replace(sample, counts=(*sample.counts[:cells], *(None,) * (cells - len(sample.counts))))


class Looking:
    """The work of the thread that reads the camera.

    `show` is given every picture, `put` and `remember` those in which something can be seen: a picture that stands
    still, is black or of another size than the table was measured with would only mislead.
    """

    def __init__(
        self,
        camera: Camera,
        plan: Plan,
        put: Put,
        remember: Put,
        show: Callable[[Frame], None],
        wait_s: float = _WAIT_S,
    ) -> None:
        self.status: CameraStatus | None = None
        self._camera, self._put, self._remember, self._show = camera, put, remember, show
        self._size = (plan.camera.width, plan.camera.height) if plan.camera else None
        self._wait_s = wait_s
        self._last: Image | None = None

    def step(self) -> float:
        frame = self._camera.newest(self._wait_s)
        status = self._camera.status
        if status.state == "ready" and status.size not in (None, self._size):
            status = replace(status, state="lost", says=self._other_size(status))
        self.status = status
        if frame is not None:
            self._show(frame)
            if status.state == "ready" and not self._stands_still(frame):
                self._remember((frame,))
                self._put((frame,))
        return 0.0

    def close(self) -> None:
        self._camera.close()

    def _stands_still(self, frame: Frame) -> bool:
        """Whether these are the pixels of the picture before: the noise of a sensor never lets them be."""
        before, self._last = self._last, frame.image[::_EVERY_PX, ::_EVERY_PX]
        return before is not None and np.array_equal(before, self._last)

    def _other_size(self, status: CameraStatus) -> str:
        given, measured = status.size or (0, 0), self._size or (0, 0)
        return (
            f"The camera gives pictures of {given[0]} x {given[1]}, and the table was measured with "
            f"{measured[0]} x {measured[1]}. Set the camera to that size, or measure the table again."
        )
