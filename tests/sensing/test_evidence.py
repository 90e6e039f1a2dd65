"""Evidence: the last seconds are remembered and no more, and what is cut out of them can be watched again."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.cli import main
from companion.sensing.evidence import EVENT_FILE, Evidence, EvidenceKeeper
from companion.sensing.plan import Camera
from companion.sensing.recording import Item, Recording
from companion.sensing.streams import Frame, ScaleSample, Sensed
from companion.sensing.watch import Watcher
from companion.text import watching
from companion.text.kept import KeptCollapses
from tests.sensing.forces import plan

PLAN = msgspec.structs.replace(plan(), camera=Camera(64, 48))
FRAME_US, SAMPLE_US = 33_333, 12_500


def a_frame(t_us: int, width: int = 64, height: int = 48) -> Frame:
    return Frame(t_us, 0, np.full((height, width, 3), t_us // FRAME_US % 200, np.uint8))


def a_sample(t_us: int) -> ScaleSample:
    return ScaleSample(t_us, "north", tuple(round(80_000 + 5_000 * n + 15_400.0) for n in range(4)))


def a_collapse(t_us: int) -> Sensed:
    return Sensed(kind="collapse", t_us=t_us, decided_us=t_us + 100_000, board="north")


def fed(seconds: float, **bounds: float) -> EvidenceKeeper:
    keeper = EvidenceKeeper(PLAN, **bounds)  # type: ignore[arg-type]
    for t_us in range(0, round(seconds * 1e6), SAMPLE_US):
        keeper.feed(a_sample(t_us))
        if t_us % (3 * SAMPLE_US) == 0:
            keeper.feed(a_frame(t_us))
    return keeper


def test_an_event_is_cut_out_with_what_came_before_and_after() -> None:
    kept = fed(12.0).cut(a_collapse(8_000_000))
    for stream in (kept.samples, kept.pictures):
        assert stream[0].t_us == pytest.approx(5_000_000, abs=40_000)
        assert stream[-1].t_us == pytest.approx(9_500_000, abs=40_000)
    moment = kept.moment()
    assert moment is not None
    assert abs(moment.t_us - 8_000_000) < 20_000
    assert moment.image().shape == (48, 64, 3)


def test_the_force_around_it_is_in_grams() -> None:
    kept = fed(12.0).cut(a_collapse(8_000_000))
    (t_us, grams), *_ = kept.force_g()
    assert t_us == kept.samples[0].t_us
    assert grams == pytest.approx(sum(15_400.0 / gain for gain in (1540, 1500, 1580, 1520)), rel=1e-3)
    assert kept.force_g("north") == kept.force_g()
    assert Evidence(event=Sensed(kind="bump", t_us=1, decided_us=1), plan=PLAN, samples=(), pictures=()).force_g() == []


def test_it_is_ready_when_what_came_after_is_there() -> None:
    keeper = fed(9.0)
    assert keeper.ready(a_collapse(7_000_000))
    assert not keeper.ready(a_collapse(8_000_000))
    assert not EvidenceKeeper(PLAN).ready(a_collapse(0))


def test_what_is_remembered_has_a_bound_in_time_and_in_bytes() -> None:
    short, long = fed(20.0), fed(60.0)
    assert short.kept_bytes == pytest.approx(long.kept_bytes, rel=0.1)
    assert fed(1.0).kept_bytes > 4_000
    assert fed(20.0, most_bytes=4_000).kept_bytes <= 4_000
    newest = fed(20.0, most_bytes=4_000).cut(a_collapse(19_900_000)).pictures[-1]
    assert newest.t_us > 19_900_000


def test_large_pictures_are_kept_smaller_and_the_plan_says_so() -> None:
    lens = ((1200.0, 0.0, 639.5), (0.0, 1200.0, 359.5), (0.0, 0.0, 1.0))
    keeper = EvidenceKeeper(msgspec.structs.replace(plan(), camera=Camera(1280, 720, matrix=lens)))
    keeper.feed(a_frame(0, 1280, 720))
    kept = keeper.cut(a_collapse(0))
    assert kept.pictures[0].image().shape == (360, 640, 3)
    assert kept.plan.camera is not None
    assert (kept.plan.camera.width, kept.plan.camera.height) == (640, 360)
    assert kept.plan.camera.matrix == ((600.0, 0.0, 319.5), (0.0, 600.0, 179.5), (0.0, 0.0, 1.0))


def test_saved_it_is_a_recording_that_can_be_watched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = fed(12.0).cut(a_collapse(8_000_000))
    folder = kept.save(tmp_path / "fall")
    recording = Recording.open(folder)
    assert tuple(recording.samples()) == kept.samples
    assert [frame.t_us for frame in recording.frames()] == [picture.t_us for picture in kept.pictures]
    assert json.loads((folder / EVENT_FILE).read_text())["kind"] == "collapse"
    assert main(["watch", str(folder)]) == 0
    assert "No board has markers" in capsys.readouterr().out


class Foreseeing(Watcher):
    """A watcher that tells one collapse, at a time of its own."""

    def feed(self, item: Item) -> list[Sensed]:
        return [a_collapse(item.t_us - 100_000)] if isinstance(item, ScaleSample) and item.t_us == 8_100_000 else []


def test_each_collapse_of_a_recording_is_kept_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = fed(12.0, before_s=20.0, after_s=20.0).cut(a_collapse(8_000_000)).save(tmp_path / "evening")
    monkeypatch.setattr(watching, "Watcher", Foreseeing)
    assert main(["watch", str(evening), "--json", "--evidence", str(tmp_path / "kept")]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    (kept,) = (tmp_path / "kept").iterdir()
    assert json.loads((kept / EVENT_FILE).read_text()) == json.loads(line)
    times = [item.t_us for item in Recording.open(kept).merged()]
    assert times[0] == pytest.approx(5_000_000, abs=40_000)
    assert times[-1] == pytest.approx(9_500_000, abs=40_000)


def test_a_collapse_at_the_very_end_is_kept_with_what_there_is(tmp_path: Path) -> None:
    said: list[str] = []
    keeping = KeptCollapses(tmp_path / "kept", PLAN, said.append)
    keeping.saw(a_sample(1_000), [a_collapse(1_000)])
    assert list((tmp_path / "kept").iterdir()) == []
    keeping.ended([])
    assert len(list(Recording.open(tmp_path / "kept" / "collapse-1").samples())) == 1
    assert said == [f"The collapse is kept in {tmp_path / 'kept' / 'collapse-1'}."]


def test_where_nothing_collapsed_nothing_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quiet = fed(6.0).cut(a_collapse(4_000_000)).save(tmp_path / "quiet")
    assert main(["watch", str(quiet), "--evidence", str(tmp_path / "kept")]) == 0
    assert "Nothing collapsed" in capsys.readouterr().out
    assert list((tmp_path / "kept").iterdir()) == []
