"""The plain baselines do what they say, and the bench holds everybody against the same truth."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.cli import main
from companion.errors import BadRecording
from companion.sensing import charts
from companion.sensing.baselines import MotionBaseline, WeightBaseline
from companion.sensing.bench import Report, as_data, bench, measure, recordings_in, robust, robust_data
from companion.sensing.disturbances import DISTURBANCES
from companion.sensing.plan import FORMAT, VERSION, Board, Camera, Cell, Plan, Tower
from companion.sensing.recording import RecordingWriter
from companion.sensing.scoring import Scores
from companion.sensing.streams import Frame, ScaleSample, Sensed
from companion.sensing.truth import Truth
from companion.text import scoreboard
from companion.text.paper import PlainPaper

_GAIN, _ZERO = 1000.0, 5000.0
_RATE_US = 12_500
_PLAN = Plan(
    format=FORMAT,
    version=VERSION,
    boards=(
        Board(
            id="south",
            size_mm=(250, 200),
            towers=(Tower("left", (60, 60)),),
            cells=(Cell("c0", (125, 100), _GAIN, _ZERO),),
        ),
    ),
    camera=Camera(160, 120, 30.0),
)
_WEIGHT = "weight threshold"


def _sample(at: int, grams: float) -> ScaleSample:
    return ScaleSample(at * _RATE_US, "south", (round(_ZERO + _GAIN * grams),))


def _weighed(grams: list[float]) -> list[Sensed]:
    baseline = WeightBaseline(_PLAN)
    return [call for at, value in enumerate(grams) for call in baseline.feed(_sample(at, value))]


def test_a_step_up_is_placed_and_a_step_down_removed() -> None:
    calls = _weighed([20.0] * 80 + [26.0] * 80 + [20.0] * 80)
    assert [(call.kind, round(call.grams or 0)) for call in calls] == [("placed", 6), ("removed", 6)]
    assert calls[0].t_us == 80 * _RATE_US
    assert 0 < calls[0].decided_us - calls[0].t_us < 500_000


def test_a_blow_without_a_step_is_a_collapse() -> None:
    assert [call.kind for call in _weighed([20.0] * 80 + [70.0, 5.0] + [20.2] * 80)] == ["collapse"]


def test_creep_is_nothing() -> None:
    assert _weighed([20 + at * 0.002 for at in range(2000)]) == []


@pytest.mark.parametrize("counts", [None, 2**23 - 1])
def test_a_missing_or_impossible_reading_changes_nothing(counts: int | None) -> None:
    baseline = WeightBaseline(_PLAN)
    samples = [_sample(at, 20.0) for at in range(80)]
    samples[50] = msgspec.structs.replace(samples[50], counts=(counts,))
    assert [call for sample in samples for call in baseline.feed(sample)] == []


def _frames(sudden: bool) -> list[Frame]:
    rng = np.random.default_rng(0)
    frames = []
    for index in range(120):
        image = np.clip(120 + rng.normal(0, 2, (120, 160, 3)), 0, 255).astype(np.uint8)
        if sudden and index >= 90:
            cv2.rectangle(image, (20, 20), (110, 100), (20, 30, 200), -1)
        frames.append(Frame(index * 33_333, index, image))
    return frames


@pytest.mark.parametrize("sudden", [True, False])
def test_what_turns_foreground_all_of_a_sudden_is_called_a_collapse_once(sudden: bool) -> None:
    baseline = MotionBaseline(_PLAN)
    calls = [call for frame in _frames(sudden) for call in baseline.feed(frame)]
    assert [call.kind for call in calls] == ["collapse"] * sudden
    assert all(call.t_us == 90 * 33_333 for call in calls)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    folder = tmp_path / "all" / "one"
    folder.parent.mkdir()
    with RecordingWriter(folder, _PLAN) as writer:
        for at, grams in enumerate([20.0] * 80 + [26.0] * 80 + [70.0, 5.0] + [26.0] * 80):
            writer.add_sample(_sample(at, grams))
        writer.add_truth(Truth(kind="placed", t_us=80 * _RATE_US, board="south", tower="left", level=1))
        writer.add_truth(Truth(kind="collapse", t_us=160 * _RATE_US, board="south"))
    return folder


def test_a_recording_is_measured(recorded: Path) -> None:
    (outcome,) = measure(recorded, (_WEIGHT,))
    scores = outcome.scores
    assert (scores.tally("placed").recall, scores.tally("collapse").recall) == (1.0, 1.0)
    assert scores.tally("placed").tower_right == 0
    assert (scores.samples, scores.frames, scores.recordings) == (242, 0, 1)
    assert scores.seconds == pytest.approx(241 * 0.0125)
    assert scores.cpu_ms > 0
    assert outcome.missed == outcome.wrong == ()


def test_recordings_are_found_in_folders_of_them(recorded: Path, tmp_path: Path) -> None:
    assert recordings_in([recorded]) == recordings_in([recorded.parent]) == [recorded]
    (recorded / "truth.jsonl").unlink()
    with pytest.raises(BadRecording):
        recordings_in([recorded.parent])


def test_the_scoreboard_is_printed_written_and_drawn(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heard: list[str] = []
    report = bench([recorded], (_WEIGHT,), done=heard.append)
    assert heard == ["one"]
    scoreboard.show(PlainPaper(), report.totals())
    shown = capsys.readouterr().out
    assert "1 recordings" in shown
    assert "100.0 %" in shown
    data = msgspec.json.decode(msgspec.json.encode(as_data(report)))
    assert data["detectors"][_WEIGHT]["kinds"]["collapse"]["recall"] == 1.0
    for file in charts.draw(report, tmp_path / "plots"):
        picture = cv2.imread(str(file))
        assert picture is not None
        assert picture.std() > 1


def test_totals_add_up_over_recordings(recorded: Path) -> None:
    once = measure(recorded, (_WEIGHT,))
    assert Report((*once, *once)).totals()[_WEIGHT].tally("collapse").happened == 2


def test_disturbed_recordings_have_rows_of_their_own(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    heard: list[str] = []
    reports = robust([recorded], (_WEIGHT,), done=heard.append)
    assert len(heard) == len(DISTURBANCES)
    assert list(reports) == [each.name for each in DISTURBANCES]
    assert {name: len(report.outcomes) for name, report in reports.items() if report.outcomes} == {
        "a dead cell": 1,
        "glitching cells": 1,
    }
    scoreboard.show_robust(PlainPaper(), {"nothing": bench([recorded], (_WEIGHT,))} | reports)
    rows = [line for line in capsys.readouterr().out.splitlines() if _WEIGHT in line]
    assert [row.split("  ")[0] for row in rows] == ["nothing", "a dead cell", "glitching cells"]
    data = msgspec.json.decode(msgspec.json.encode(robust_data(reports)))
    assert data["a dead cell"][_WEIGHT]["recordings"] == 1
    assert data["exposure steps"] == {}


def test_the_command_writes_what_is_left_under_disturbances(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scores.json"
    asked = ["bench", "sensing", str(recorded), "--only", _WEIGHT, "--jobs", "1", "--disturb", "--json", str(file)]
    assert main(asked) == 0
    assert "glitching cells" in capsys.readouterr().out
    assert "glitching cells" in msgspec.json.decode(file.read_bytes())["disturbed"]


def test_a_detector_that_nobody_knows_is_named(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "sensing", str(recorded), "--only", "crystal ball"]) == 2
    assert "crystal ball" in capsys.readouterr().err


def test_the_cost_of_pictures_is_held_beside_mog2(tmp_path: Path) -> None:
    folder = tmp_path / "filmed"
    with RecordingWriter(folder, _PLAN) as writer:
        for frame in _frames(sudden=False)[:20]:
            writer.add_frame(frame)
        writer.add_truth(Truth(kind="bump", t_us=1))
    (outcome,) = measure(folder, ("background subtraction",))
    assert outcome.scores.mog2_frames == 15
    assert outcome.scores.cost_in_mog2s == pytest.approx(
        (outcome.scores.cpu_ms_per_frame or 0) / (outcome.scores.mog2_ms_per_frame or 1)
    )
    assert Scores(frames=2, cpu_ms=6.0, mog2_frames=4, mog2_ms=24.0).cost_in_mog2s == 0.5
    assert Scores(samples=2, cpu_ms=6.0).cost_in_mog2s is None


def test_a_folder_that_is_not_there_is_named_and_not_passed_over(tmp_path: Path) -> None:
    with pytest.raises(BadRecording, match="nosuch is no folder"):
        recordings_in([tmp_path / "nosuch"])
    with pytest.raises(BadRecording, match="no recording with a truth"):
        recordings_in([tmp_path])
