"""The feed's own thread: it hands over the newest picture, survives cameras that hang, and ends."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from companion.devices.camera.feed import CameraFeed
from companion.devices.camera.source import Source
from companion.errors import DeviceLost
from companion.sensing.streams import Frame
from companion.session.clocks import ManualClock
from tests.devices.camera.conftest import grey

_PATIENCE_S = 10.0
"""Nothing here takes so long; it only keeps a broken test from hanging."""


class Gated:
    """A camera whose pictures come when the test lets them: each `let` is one read."""

    name = "gated camera"
    live = True
    over = False

    def __init__(self) -> None:
        self.lets = threading.Semaphore(0)
        self.asked = threading.Semaphore(0)
        self.closed = threading.Event()
        self.gone = False
        self._reads = 0

    def read(self) -> Frame | None:
        self.asked.release()
        assert self.lets.acquire(timeout=_PATIENCE_S)
        if self.gone:
            raise DeviceLost("It is gone.")
        self._reads += 1
        return Frame(self._reads, self._reads - 1, grey(60 + self._reads % 150))

    def close(self) -> None:
        self.closed.set()

    def let(self, pictures: int = 1) -> None:
        """Let pictures come, and wait until the feed has them all."""
        self.lets.release(pictures)
        for _ in range(pictures):
            assert self.asked.acquire(timeout=_PATIENCE_S)


def camera_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "camera"]


@pytest.fixture(autouse=True)
def every_thread_ends() -> object:
    before = camera_threads()
    yield
    for thread in camera_threads():
        if thread not in before:
            thread.join(_PATIENCE_S)
            assert not thread.is_alive()


def opened(source: Gated, clock: ManualClock) -> CameraFeed:
    feed = CameraFeed(lambda: source, monotonic_ns=clock.monotonic_ns)
    assert source.asked.acquire(timeout=_PATIENCE_S)
    return feed


def test_the_newest_wins_and_the_others_are_counted(clock: ManualClock) -> None:
    source = Gated()
    feed = opened(source, clock)
    source.let(100)
    frame = feed.newest()
    assert frame is not None
    assert (frame.index, int(frame.image[0, 0, 0])) == (99, 160)
    assert feed.newest() is None
    status = feed.status
    assert (status.frames, status.dropped) == (100, 99)
    source.lets.release()
    feed.close()
    assert source.closed.is_set()


def test_whoever_waits_is_woken_by_the_next_picture(clock: ManualClock) -> None:
    source = Gated()
    feed = opened(source, clock)
    source.lets.release()
    frame = feed.newest(wait_s=_PATIENCE_S)
    assert frame is not None
    assert frame.index == 0
    source.lets.release()
    feed.close()


def test_whoever_waits_is_woken_when_it_is_closed(clock: ManualClock) -> None:
    source = Gated()
    feed = opened(source, clock)
    got: list[Frame | None] = []
    waiting = threading.Thread(target=lambda: got.append(feed.newest(wait_s=_PATIENCE_S)))
    waiting.start()
    source.gone = True
    source.lets.release()
    feed.close()
    waiting.join(_PATIENCE_S)
    assert got == [None]


def test_a_camera_that_hangs_is_lost_and_another_go_is_made(clock: ManualClock) -> None:
    hung, healed = Gated(), Gated()
    sources = [hung, healed]
    feed = CameraFeed(lambda: sources.pop(0), monotonic_ns=clock.monotonic_ns)
    hung.asked.acquire(timeout=_PATIENCE_S)
    hung.let(3)
    assert feed.status.state == "ready"
    clock.advance(3.1)
    assert feed.status.state == "lost"
    clock.advance(0.6)
    assert feed.newest() is not None
    assert healed.asked.acquire(timeout=_PATIENCE_S)
    healed.let(2)
    assert feed.status.state == "ready"
    before = feed.status.frames
    hung.lets.release()
    assert hung.closed.wait(_PATIENCE_S)
    assert feed.status.frames == before
    healed.lets.release()
    feed.close()


def test_an_opening_that_hangs_is_told(clock: ManualClock) -> None:
    release = threading.Event()

    def opening() -> Source:
        assert release.wait(_PATIENCE_S)
        raise DeviceLost("It is gone.")

    feed = CameraFeed(opening, monotonic_ns=clock.monotonic_ns)
    assert feed.status.state == "starting"
    clock.advance(9)
    assert feed.status.state == "lost"
    assert feed.status.says == "The camera does not answer. Unplug it and plug it in again."
    release.set()
    feed.close()


def test_no_more_than_a_few_hang_at_once(clock: ManualClock) -> None:
    release = threading.Event()
    opened_times: list[int] = []

    def opening() -> Source:
        opened_times.append(1)
        assert release.wait(_PATIENCE_S)
        raise DeviceLost("It is gone.")

    before = len(camera_threads())
    feed = CameraFeed(opening, monotonic_ns=clock.monotonic_ns)
    for _ in range(60):
        clock.advance(5)
        assert feed.newest() is None
    assert len(camera_threads()) - before == 4
    release.set()
    for thread in camera_threads()[before:]:
        thread.join(_PATIENCE_S)
    clock.advance(10)
    assert feed.status.state == "lost"
    clock.advance(10)
    assert feed.status.state == "lost"
    feed.close()
    assert len(opened_times) == 5


def test_it_closes_what_was_opened_after_it_gave_up(clock: ManualClock) -> None:
    source, release = Gated(), threading.Event()

    def opening() -> Source:
        assert release.wait(_PATIENCE_S)
        return source

    feed = CameraFeed(opening, monotonic_ns=clock.monotonic_ns)
    clock.advance(9)
    assert feed.status.state == "lost"
    source.lets.release()
    release.set()
    assert source.closed.wait(_PATIENCE_S)
    assert feed.status.frames == 0
    feed.close()


def test_many_may_ask_at_once(clock: ManualClock) -> None:
    source = Gated()
    feed = opened(source, clock)
    got: list[Frame] = []

    def ask() -> None:
        for _ in range(200):
            frame = feed.newest()
            if frame is not None:
                got.append(frame)
            assert feed.status.dropped >= 0

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    source.let(50)
    for asker in askers:
        asker.join(_PATIENCE_S)
    last = feed.newest()
    indexes = [frame.index for frame in got] + ([last.index] if last is not None else [])
    assert len(set(indexes)) == len(indexes)
    assert feed.status.dropped == 50 - len(indexes)
    source.lets.release()
    feed.close()


def test_leaving_the_block_closes_it(clock: ManualClock) -> None:
    source = Gated()
    make: Callable[[], Source] = lambda: source  # noqa: E731
    with CameraFeed(make, monotonic_ns=clock.monotonic_ns) as feed:
        assert source.asked.acquire(timeout=_PATIENCE_S)
        source.lets.release()
    assert feed.status.state == "off"
    assert source.closed.is_set()
