"""The eye of the live twin through the feed: pictures from memory, and a twin that ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import cast

import pytest

from companion.devices.camera.twin import TwinCamera
from companion.devices.live_twin import LiveTwin
from companion.devices.shared_pictures import PictureReader, PictureWriter
from companion.errors import DeviceLost
from tests.devices.camera.conftest import Watched, grey


@pytest.fixture
def writer() -> Iterator[PictureWriter]:
    made = PictureWriter(64, 48)
    yield made
    made.close()


@pytest.fixture
def twin(writer: PictureWriter) -> Iterator[LiveTwin]:
    """What a camera knows of a twin."""
    reader = PictureReader(writer.path)
    yield cast(LiveTwin, SimpleNamespace(pictures=reader, alive=True))
    reader.close()


def test_its_pictures_come_through_the_feed(
    writer: PictureWriter, twin: LiveTwin, watch: Callable[..., Watched]
) -> None:
    for number in range(1000):
        writer.put(grey(60), number)
    watched = watch(lambda: TwinCamera(twin))
    assert [frame.t_us for frame in watched.run(0.1)] == [999]
    for number in range(3):
        writer.put(grey(90 + number), 2000 + number)
    frames = watched.run(0.1)
    assert [(frame.t_us, frame.index) for frame in frames] == [(2002, 3)]
    assert (watched.status.frames, watched.status.dropped) == (4, 2)


def test_one_that_ends_is_lost(writer: PictureWriter, twin: LiveTwin, watch: Callable[..., Watched]) -> None:
    writer.put(grey(60), 1)
    watched = watch(lambda: TwinCamera(twin))
    watched.run(0.1)
    twin.alive = False  # type: ignore[misc]
    watched.run(0.1)
    assert (watched.status.state, watched.status.says) == ("lost", "The simulated table has ended. Start it again.")


def test_one_that_was_closed_is_lost(twin: LiveTwin) -> None:
    camera = TwinCamera(twin)
    twin.pictures.close()
    with pytest.raises(DeviceLost, match="was closed"):
        camera.read()
    camera.close()
