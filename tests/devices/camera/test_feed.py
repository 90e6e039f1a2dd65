"""The feed with a camera that fails in every way: told in a sentence, taken up again, never a picture too many."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from companion.devices.camera.feed import CameraStatus, OffCamera
from companion.devices.camera.source import Source
from companion.devices.camera.twin import SimCamera
from companion.errors import DeviceLost
from companion.sensing.streams import Frame, Image
from companion.session.clocks import ManualClock
from tests.devices.camera.conftest import START_S, Watched, grey

Watch = Callable[..., Watched]


class Scripted:
    """A source that gives what a script says: pictures, nothing, or an error."""

    name = "scripted camera"
    live = True
    over = False

    def __init__(self, clock: ManualClock, script: Callable[[int], Image | None]) -> None:
        self._clock = clock
        self._script = script
        self._reads = 0
        self.closed = False

    def read(self) -> Frame | None:
        self._reads += 1
        image = self._script(self._reads - 1)
        return None if image is None else Frame(self._clock.monotonic_ns() // 1000, self._reads - 1, image)

    def close(self) -> None:
        self.closed = True


def noisy(read: int) -> Image:
    return grey(60 + read % 100)


class TestSeeing:
    def test_every_picture_comes_once_and_in_order(self, watched: Watched) -> None:
        frames = watched.run(4)
        assert len(frames) == 100
        assert all(after.index == before.index + 1 for before, after in pairwise(frames))
        assert all(after.t_us - before.t_us == 40_000 for before, after in pairwise(frames))

    def test_what_the_status_says(self, watched: Watched) -> None:
        watched.run(2)
        status = watched.status
        assert (status.state, status.says, status.name) == ("ready", "", "simulated camera")
        assert (status.size, status.dropped, status.losses) == ((64, 48), 0, 0)
        assert status.fps == pytest.approx(25)
        assert status.frames == len(watched.frames)
        assert status.health.state == "ready"

    def test_before_the_first_picture_it_is_starting(self, watch: Watch, camera: SimCamera) -> None:
        watched = watch(camera.open)
        assert (watched.status.state, watched.status.fps) == ("starting", None)

    def test_pictures_that_nobody_came_for_are_counted(self, watched: Watched, clock: ManualClock) -> None:
        seen = watched.status.frames
        clock.advance(1.0)
        frame = watched.feed.newest()
        assert frame is not None
        status = watched.status
        assert status.frames - seen == 25
        assert status.dropped == 24
        assert frame.t_us == pytest.approx(clock.monotonic_ns() // 1000, abs=40_000)

    def test_waiting_makes_no_sense_without_a_thread(self, watched: Watched) -> None:
        watched.feed.newest()
        assert watched.feed.newest(wait_s=3600) is None

    def test_once_closed_it_is_off_and_lets_go(self, watched: Watched, camera: SimCamera) -> None:
        watched.feed.close()
        assert watched.run(3) == []
        assert (watched.status.state, camera.open_now) == ("off", 0)

    def test_no_camera_at_all(self) -> None:
        camera = OffCamera("It is turned off.")
        assert camera.newest() is None
        assert camera.status == CameraStatus(state="off", says="It is turned off.")
        camera.close()


class TestLost:
    def test_unplugged_and_plugged_in_again(self, watched: Watched, camera: SimCamera) -> None:
        last = watched.frames[-1]
        camera.unplug()
        watched.run(1)
        status = watched.status
        assert (status.state, status.losses, status.fps) == ("lost", 1, None)
        assert status.says == "The simulated camera is unplugged. Plug it in again; it is taken up by itself."
        assert status.health.state == "lost"
        camera.plug_in()
        assert watched.until("ready") <= 2.0
        first = watched.run(0.1)[0]
        assert first.index > last.index
        assert first.t_us > last.t_us
        assert watched.status.says == ""

    def test_twenty_times(self, watched: Watched, camera: SimCamera) -> None:
        for _ in range(20):
            camera.unplug()
            watched.until("lost")
            camera.plug_in()
            watched.until("ready")
            watched.run(3.2, step_s=0.1)
        assert watched.status.losses == 20
        assert (camera.opened, camera.open_now) == (21, 1)
        assert all(before.t_us < after.t_us for before, after in pairwise(watched.frames))
        assert all(before.index < after.index for before, after in pairwise(watched.frames))

    def test_pauses_grow_while_it_is_gone_and_shrink_again(self, watch: Watch, clock: ManualClock) -> None:
        tries_s: list[float] = []

        def gone() -> Source:
            tries_s.append(clock.monotonic_ns() / 1e9 - START_S)
            raise DeviceLost("It is gone.")

        watch(gone).run(60)
        pauses = [after - before for before, after in pairwise(tries_s)]
        assert pauses[:4] == pytest.approx([0.5, 1, 2, 4], abs=0.1)
        assert pauses[4:] == pytest.approx([8] * len(pauses[4:]), abs=0.1)

    def test_after_holding_out_the_pause_is_short_again(self, watched: Watched, camera: SimCamera) -> None:
        camera.unplug()
        watched.run(30)
        camera.plug_in()
        watched.until("ready")
        watched.run(4)
        camera.unplug()
        watched.run(0.1)
        camera.plug_in()
        assert watched.until("ready") <= 1.0

    def test_one_that_falls_silent_is_lost(self, watched: Watched, camera: SimCamera) -> None:
        camera.mute = True
        watched.run(2.8)
        assert watched.status.state == "ready"
        watched.run(0.4)
        assert watched.status.state == "lost"
        assert watched.status.says == "The camera gives no pictures. Check its cable; it is started anew."
        camera.mute = False
        watched.until("ready")

    def test_patience_can_be_chosen(self, watch: Watch, camera: SimCamera) -> None:
        watched = watch(camera.open, patience_s=0.5)
        watched.run(1)
        camera.mute = True
        watched.run(0.6)
        assert watched.status.state == "lost"

    def test_one_that_never_gives_a_picture(self, watch: Watch, clock: ManualClock) -> None:
        source = Scripted(clock, lambda read: None)
        watched = watch(lambda: source)
        watched.run(7)
        assert watched.status.state == "starting"
        watched.run(2)
        assert (watched.status.state, watched.status.losses) == ("lost", 0)
        assert source.closed

    @pytest.mark.parametrize("error", [RuntimeError("no"), ValueError("no"), KeyError("no"), OSError(5, "no")])
    def test_whatever_a_driver_raises_is_a_sentence(self, watch: Watch, clock: ManualClock, error: Exception) -> None:
        def script(read: int) -> Image:
            if read == 30:
                raise error
            return noisy(read)

        watched = watch(lambda: Scripted(clock, script))
        watched.run(0.8)
        assert watched.status.state == "lost"
        assert watched.status.says == f"The camera's software failed ({type(error).__name__}). It is started anew."
        watched.run(0.7)
        assert watched.status.state == "ready"

    def test_a_camera_nobody_asked_for_is_not_missed(self, watch: Watch, camera: SimCamera) -> None:
        camera.unplug()
        watched = watch(camera.open, expected=False)
        watched.run(1)
        assert (watched.status.state, watched.status.health.state) == ("off", "off")
        assert "unplugged" in watched.status.says
        camera.plug_in()
        watched.until("ready")
        camera.unplug()
        watched.run(1)
        assert watched.status.state == "lost"


class TestOddPictures:
    @pytest.mark.parametrize(
        "odd",
        [
            grey(90, (32, 24)),
            np.zeros((48, 64), np.uint8),
            np.zeros((48, 64, 4), np.uint8),
            np.zeros((0, 0, 3), np.uint8),
            np.zeros((48, 64, 3), np.uint16),
        ],
    )
    def test_a_picture_of_another_kind_is_dropped(self, watch: Watch, clock: ManualClock, odd: Image) -> None:
        watched = watch(lambda: Scripted(clock, lambda read: odd if read == 10 else noisy(read)))
        frames = watched.run(1)
        assert all(frame.image.shape == (48, 64, 3) and frame.image.dtype == np.uint8 for frame in frames)
        assert (watched.status.state, watched.status.dropped) == ("ready", 1)

    def test_a_camera_that_changed_its_size_is_started_anew_with_that_size(
        self, watch: Watch, clock: ManualClock
    ) -> None:
        size = (64, 48)
        watched = watch(lambda: Scripted(clock, lambda read: grey(60 + read % 100, size)))
        watched.run(1)
        size = (32, 24)
        watched.run(3.1)
        assert watched.status.state == "lost"
        assert watched.status.says == "The camera's pictures changed their size or kind. It is started anew."
        watched.until("ready")
        assert watched.status.size == (32, 24)
        assert watched.run(0.1)[0].image.shape == (24, 32, 3)

    def test_an_odd_picture_long_ago_is_not_to_blame_for_silence(self, watch: Watch, clock: ManualClock) -> None:
        def script(read: int) -> Image | None:
            return None if read > 20 else grey(90, (32, 24)) if read == 10 else noisy(read)

        watched = watch(lambda: Scripted(clock, script))
        watched.run(3.6)
        assert watched.status.says.startswith("The camera gives no pictures.")

    def test_a_picture_that_goes_back_in_time_is_dropped(self, watch: Watch, clock: ManualClock) -> None:
        class Confused(Scripted):
            def read(self) -> Frame | None:
                frame = super().read()
                assert frame is not None
                return Frame(5, frame.index, frame.image) if frame.index == 10 else frame

        watched = watch(lambda: Confused(clock, noisy))
        frames = watched.run(1)
        assert len(frames) == 49
        assert all(before.t_us < after.t_us for before, after in pairwise(frames))

    def test_numbers_that_stand_still_go_on_all_the_same(self, watch: Watch, clock: ManualClock) -> None:
        class Uncounted(Scripted):
            def read(self) -> Frame | None:
                frame = super().read()
                assert frame is not None
                return Frame(frame.t_us, 7, frame.image)

        watched = watch(lambda: Uncounted(clock, noisy))
        assert [frame.index for frame in watched.run(1)] == list(range(50))


class TestSeeingNothing:
    def test_a_covered_lens_is_told_and_over_at_once(self, watched: Watched, camera: SimCamera) -> None:
        camera.covered = True
        watched.run(1.5)
        assert watched.status.state == "ready"
        watched.run(1)
        status = watched.status
        assert status.says == "The camera sees only black. Take the cover off its lens, or turn on a light."
        assert (status.state, status.health.state) == ("black", "lost")
        watched.run(30, step_s=0.1)
        assert (watched.status.state, camera.opened) == ("black", 1)
        camera.covered = False
        watched.run(0.1)
        assert watched.status.state == "ready"

    def test_a_picture_that_stands_still_is_told_and_the_camera_started_anew(
        self, watched: Watched, camera: SimCamera
    ) -> None:
        watched.run(10, step_s=0.1)
        camera.frozen = True
        watched.until("frozen")
        assert watched.status.says.startswith("The camera's picture stands still.")
        watched.until("lost")
        assert watched.status.says.startswith("The camera's picture stands still.")
        watched.until("ready")
        assert camera.opened == 2

    def test_a_sensor_that_stays_stuck_is_started_again_and_again(self, watch: Watch, clock: ManualClock) -> None:
        opened_s: list[float] = []

        def stuck() -> Source:
            opened_s.append(clock.monotonic_ns() / 1e9)
            return Scripted(clock, lambda read: grey(90))

        watched = watch(stuck)
        watched.run(60)
        pauses = [after - before for before, after in pairwise(opened_s)]
        assert pauses == sorted(pauses)
        assert pauses[-1] == pytest.approx(14, abs=0.5)
        assert watched.status.state in ("frozen", "lost")

    def test_the_first_pictures_after_a_loss_may_be_dark(self, watched: Watched, camera: SimCamera) -> None:
        camera.covered = True
        watched.run(1)
        camera.unplug()
        watched.run(5)
        camera.plug_in()
        watched.until("ready")
        camera.covered = False
        watched.run(5)
        assert watched.status.state == "ready"

    def test_black_is_told_before_frozen(self, watch: Watch, clock: ManualClock) -> None:
        watched = watch(lambda: Scripted(clock, lambda read: grey(0)))
        watched.run(20)
        assert (watched.status.state, watched.status.losses) == ("black", 0)

    def test_a_film_may_stand_still(self, watch: Watch, clock: ManualClock) -> None:
        source = Scripted(clock, lambda read: grey(90))
        source.live = False
        watched = watch(lambda: source)
        watched.run(20)
        assert (watched.status.state, watched.status.losses) == ("ready", 0)


def test_what_has_shown_everything_has_ended(watch: Watch, clock: ManualClock) -> None:
    source = Scripted(clock, lambda read: noisy(read) if read < 5 else None)
    watched = watch(lambda: source)
    watched.run(0.2)
    source.over = True
    watched.run(30)
    assert len(watched.frames) == 5
    assert (watched.status.state, watched.status.says) == ("ended", "The film is over.")
    assert (watched.status.losses, source.closed, watched.status.health.state) == (0, True, "off")
