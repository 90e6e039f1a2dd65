"""Whatever befalls the devices, the table goes on, says what is the matter, and heals."""

from __future__ import annotations

import errno
import os
import random
from pathlib import Path

import pytest

from companion.errors import DeviceLost, DiskTrouble
from companion.live.recorder import Recorder
from companion.sensing.plan import Plan
from companion.sensing.recording import Item, Recording, RecordingWriter
from companion.sensing.streams import Frame, ScaleSample, Sensed
from companion.sensing.watch import Watcher
from companion.twin.forces import Forces
from tests.live.makeshift import READY, Makeshift
from tests.sensing.forces import LEFT, MIDDLE

_UP_S = 6.0
_TIMES = 20


def with_castles(seconds: float = 30.0, *placed_s: float) -> dict[str, Forces]:
    """Two boards with something on them; on the south one a tile is placed at each of these times."""
    south, north = Forces(seconds), Forces(seconds)
    for forces in (south, north):
        forces.rest(0.0, 30.0, LEFT)
    for t_s in placed_s:
        south.place(t_s, 6.5, MIDDLE)
    return {"south": south, "north": north}


def kinds(events: list[Sensed]) -> list[str]:
    return [event.kind for event in events if event.kind not in ("fault", "height")]


def test_a_healthy_table_says_so_and_tells_what_is_placed(tmp_path: Path) -> None:
    it = Makeshift(tmp_path, with_castles(30.0, 8.0))
    it.run(_UP_S)
    assert it.states() == READY
    assert kinds(it.run(6.0)) == ["placed"]
    assert it.events[-1].board == "south"
    it.table.close()


def test_every_device_is_pulled_out_and_put_back_twenty_times_in_any_order(tmp_path: Path) -> None:
    chance = random.Random(11)
    pulls = ["south", "north", "camera"] * _TIMES
    chance.shuffle(pulls)
    names = {"south": "Scales south", "north": "Scales north", "camera": "Camera"}
    it = Makeshift(tmp_path)
    it.run(_UP_S)
    told = 0
    for name in pulls:
        it.unplug(name)
        it.run(chance.uniform(0.3, 1.2))
        told += it.states()[names[name]] == "lost"
        it.plug_in(name)
        it.run(chance.uniform(0.1, 0.9))
    it.run(12.0)
    assert told > 2 * _TIMES
    assert it.states() == READY
    assert kinds(it.events) == []
    it.table.close()


@pytest.mark.parametrize("name", ["south", "camera"])
def test_a_device_that_stays_away_is_told_with_what_to_do_and_the_others_go_on(tmp_path: Path, name: str) -> None:
    it = Makeshift(tmp_path, with_castles(40.0, 12.0))
    it.run(_UP_S)
    it.unplug("north" if name == "south" else name)
    it.run(3.0)
    lost = it.health("Scales north" if name == "south" else "Camera")
    assert lost.state == "lost"
    assert lost.says.endswith(".")
    assert "taken up" in f"{lost.says} {lost.remedy}"
    assert kinds(it.run(8.0)) == ["placed"]
    it.table.close()


def test_a_camera_that_freezes_is_left_out_and_comes_back(tmp_path: Path) -> None:
    it = Makeshift(tmp_path, with_castles(60.0, 12.0))
    it.run(_UP_S)
    it.camera.frozen = True
    it.run(4.0)
    assert it.health("Camera").state == "lost"
    assert kinds(it.run(6.0)) == ["placed"]
    it.camera.frozen = False
    it.run(12.0)
    assert it.states() == READY
    it.table.close()


def test_what_a_lost_camera_saw_is_not_shown_as_if_it_were_of_now(tmp_path: Path) -> None:
    it = Makeshift(tmp_path, with_castles(40.0))
    it.run(_UP_S)
    sensing = it.table._up
    assert sensing is not None
    sensing._readings.take(Sensed(kind="height", t_us=0, decided_us=0, board="south", tower="left", level=2))
    it.run(0.5)
    assert _levels(it) == [2]
    it.unplug("camera")
    it.run(4.0)
    assert _levels(it) == []
    it.table.close()


def _levels(it: Makeshift) -> list[int]:
    towers = (tower for board in it.table.reading.boards for tower in board.towers)
    return [tower.levels for tower in towers if tower.levels is not None]


def test_a_module_that_stops_and_starts_again_is_heard_again(tmp_path: Path) -> None:
    it = Makeshift(tmp_path, with_castles(60.0))
    it.run(_UP_S)
    it.modules["south"].spoil = lambda said: b""
    it.run(5.0)
    assert it.health("Scales south").state == "lost"
    it.modules["south"].spoil = bytes
    it.modules["south"].reset(3)
    it.run(8.0)
    assert it.states() == READY
    assert kinds(it.events) == []
    it.table.close()


def test_a_line_full_of_noise_is_no_event(tmp_path: Path) -> None:
    chance = random.Random(5)
    it = Makeshift(tmp_path, with_castles(60.0, 22.0))
    it.run(_UP_S)
    it.modules["south"].spoil = lambda said: said + chance.randbytes(200)
    it.run(5.0)
    it.modules["south"].spoil = lambda said: chance.randbytes(400)
    it.run(5.0)
    it.modules["south"].spoil = bytes
    assert kinds(it.events) == []
    assert kinds(it.run(12.0)) == ["placed"]
    assert it.states() == READY
    it.table.close()


def test_sensing_that_is_killed_begins_anew_and_says_so_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = Makeshift(tmp_path, with_castles(40.0, 16.0))
    it.run(_UP_S)

    def killed(self: Watcher, item: Item) -> list[Sensed]:
        raise ZeroDivisionError("a detector divided by nothing")

    with monkeypatch.context() as broken:
        broken.setattr(Watcher, "feed", killed)
        it.run(2.0)
    assert it.states() == {**READY, "Sensing": "starting"}
    assert it.table.counts["mended"] > 1
    assert "a detector divided by nothing" in it.log.file.read_text()
    assert kinds(it.run(12.0)) == ["placed"]
    assert it.states() == READY
    it.table.close()


def test_a_table_that_ends_by_itself_is_opened_again(tmp_path: Path) -> None:
    it = Makeshift(tmp_path, with_castles(60.0))
    it.run(_UP_S)
    it.alive = False
    it.run(8.0)
    assert it.opened == 2
    assert it.states() == READY
    it.table.close()


def test_a_table_that_does_not_open_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    it = Makeshift(tmp_path)

    def refused(stop: object) -> Makeshift:
        raise DeviceLost("The simulated table did not start.")

    with monkeypatch.context() as broken:
        broken.setattr(it, "open", refused)
        it.run(3.0)
        assert (it.table.ready, it.states()) == (False, {"Table": "starting"})
        assert (it.table.poll(), it.table.newest, it.table.reading.boards, it.table.plan.boards) == ([], None, (), ())
    it.run(9.0)
    assert it.states() == READY
    it.table.close()


class FullDisk(RecordingWriter):
    """A disk that takes so many rows and no more."""

    left = 500

    def add_sample(self, sample: ScaleSample) -> None:
        self._spend()
        super().add_sample(sample)

    def add_frame(self, frame: Frame) -> None:
        self._spend()
        super().add_frame(frame)

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _recorder(folder: Path, room_mb: list[float] | None = None, kind: type[RecordingWriter] = FullDisk) -> object:
    room = room_mb or [10_000.0]

    def opened(where: Path, plan: Plan) -> RecordingWriter:
        return kind(where, plan, film="avi")

    return lambda now_us: Recorder(now_us, opened, lambda where: room[0])


def test_a_disk_that_fills_up_ends_the_recording_and_nothing_else(tmp_path: Path) -> None:
    it = Makeshift(tmp_path / "log", with_castles(40.0, 12.0), recorder=_recorder(tmp_path))
    it.run(_UP_S)
    it.table.record(tmp_path / "kept")
    it.run(0.5)
    assert it.table.recording == tmp_path / "kept"
    it.run(4.0)
    assert it.table.recording is None
    told = it.health("Recording")
    assert (told.state, "no space left on device" in told.says) == ("lost", True)
    assert len(list(Recording.open(tmp_path / "kept").merged())) == 500
    assert kinds(it.run(6.0)) == ["placed"]
    it.table.close()


def test_a_recording_stops_before_the_disk_is_full_and_does_not_begin_on_a_full_one(tmp_path: Path) -> None:
    room = [10_000.0]
    it = Makeshift(tmp_path / "log", with_castles(40.0), recorder=_recorder(tmp_path, room, RecordingWriter))
    it.run(_UP_S)
    it.table.record(tmp_path / "kept")
    it.run(2.5)
    room[0] = 100.0
    it.run(2.5)
    assert it.table.recording is None
    assert "Only 100 MB" in it.health("Recording").says
    assert Recording.open(tmp_path / "kept").senses == ("scales", "camera")
    with pytest.raises(DiskTrouble, match="Only 100 MB"):
        it.table.record(tmp_path / "other")
    it.table.close()


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("a file where the log's folder should be")
    it = Makeshift(tmp_path / "blocked", with_castles(40.0, 9.0))
    it.run(_UP_S)
    assert it.states() == {**READY, "Log": "lost"}
    assert kinds(it.run(6.0)) == ["placed"]
    (tmp_path / "blocked").unlink()
    it.run(6.0)
    it.log.say("once more")
    it.run(0.2)
    assert it.states() == READY
    it.table.close()
