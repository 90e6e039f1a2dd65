"""`companion watch`: lines for programs and for people, exit 0 when all was read, 2 with a sentence when not."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.cli import main
from companion.sensing.plan import PLAN_FILE, Camera, Plan
from companion.sensing.recording import FRAMES_FILE, SCALES_FILE, TRUTH_FILE, RecordingWriter
from companion.sensing.scales import bench
from companion.sensing.streams import Frame
from companion.twin.forces import Chip, Forces, sensed
from tests.sensing.forces import LEFT, board, plan

FIELDS = ["kind", "t_us", "decided_us", "board", "tower", "level", "piece", "grams", "confidence", "evidence"]


def recorded(folder: Path, of: Plan | None = None, pictures: int = 0) -> Path:
    forces = Forces(6.0)
    forces.place(3.0, 6.5, LEFT)
    with RecordingWriter(folder, of or plan()) as writer:
        for sample in sensed(forces, board(), Chip()):
            writer.add_sample(sample)
        for number in range(pictures):
            image = np.full((48, 64, 3), 20 * number, np.uint8)
            writer.add_frame(Frame(5_000_000 + number * 33_000, number, image))
        writer.add_truth({"kind": "placed", "t_us": 8_000_000, "board": "north"})
    return folder


def test_json_is_one_object_a_line_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = recorded(tmp_path / "rec")
    assert main(["watch", str(folder), "--json"]) == 0
    first = capsys.readouterr()
    (line,) = first.out.splitlines()
    event = json.loads(line)
    assert list(event) == FIELDS
    assert (event["kind"], event["piece"], event["tower"]) == ("placed", "floor-tile", "left")
    assert event["decided_us"] > event["t_us"]
    assert first.err == ""
    (folder / TRUTH_FILE).write_text("no detector reads this")
    assert main(["watch", str(folder), "--json"]) == 0
    assert capsys.readouterr().out == first.out


def test_people_get_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(recorded(tmp_path / "rec"))]) == 0
    said = capsys.readouterr().out
    assert "north left: placed floor-tile, 6.5 g" in said


def test_broken_rows_are_a_counted_fault_and_the_rest_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = recorded(tmp_path / "rec")
    rows = (folder / SCALES_FILE).read_text().splitlines()
    rows[50] = "nan,nan"
    rows[90] = rows[90] + ",7"
    (folder / SCALES_FILE).write_text("\n".join(rows))
    assert main(["watch", str(folder), "--json"]) == 0
    placed, fault = map(json.loads, capsys.readouterr().out.splitlines())
    assert placed["kind"] == "placed"
    assert (fault["kind"], fault["device"]) == ("fault", "scales")
    assert "2 times" in fault["what"]


@pytest.mark.parametrize("text", ["", "t_us,board,flags,c0\n", "hello\n"])
def test_empty_scales_are_a_sentence_and_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    folder = recorded(tmp_path / "rec")
    (folder / SCALES_FILE).write_text(text)
    assert main(["watch", str(folder), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert SCALES_FILE in err


def test_a_video_that_cannot_be_read_costs_exit_2_and_not_the_scales(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = recorded(tmp_path / "rec", pictures=5)
    (folder / "video.mp4").write_text("Once upon a time there was a video.")
    assert main(["watch", str(folder), "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[0])["kind"] == "placed"
    assert "video.mp4" in err
    assert main(["watch", str(folder), "--json", "--senses", "scales"]) == 0


def filmed(folder: Path, of: Plan | None = None) -> Path:
    """Scales as above, and a video of five small pictures."""
    return recorded(folder, of or msgspec.structs.replace(plan(), camera=Camera(64, 48)), pictures=5)


def faults(said: str) -> list[str]:
    return [event["what"] for event in map(json.loads, said.splitlines()) if event["kind"] == "fault"]


def test_a_truncated_video_is_a_sentence_and_the_scales_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = filmed(tmp_path / "rec")
    video = folder / "video.mp4"
    video.write_bytes(video.read_bytes()[: video.stat().st_size // 2])
    assert main(["watch", str(folder), "--json"]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["kind"] for line in out.splitlines()] == ["placed"]
    assert "video.mp4" in err
    assert len(err.splitlines()) == 1


def test_a_video_without_times_is_a_sentence_and_the_scales_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = filmed(tmp_path / "rec")
    (folder / FRAMES_FILE).unlink()
    assert main(["watch", str(folder), "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["kind"] == "placed"
    assert FRAMES_FILE in err


def test_times_without_a_video_are_a_sentence_and_the_scales_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = filmed(tmp_path / "rec")
    for video in folder.glob("video.*"):
        video.unlink()
    assert main(["watch", str(folder), "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["kind"] == "placed"
    assert "there is no video" in err


def test_times_for_more_pictures_than_there_are_say_that_the_video_ends_early(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = filmed(tmp_path / "rec")
    with (folder / FRAMES_FILE).open("a") as file:
        file.write("5,5200000\n6,5233000\n")
    assert main(["watch", str(folder), "--json"]) == 2
    out, err = capsys.readouterr()
    assert "placed" in [json.loads(line)["kind"] for line in out.splitlines()]
    assert "5 pictures can be read and frames.csv lists 7" in err


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ("0,5000000\n1,5033000\n2,5066000\n", "picture without a time in frames.csv (2 times)"),
        ("0,5000000\n1,5033000\n2,5\n3,5099000\n4,5132000\n", "picture that goes back in time in frames.csv"),
        ("0,5000000\n1,nan\n2,5066000\n3,5099000\n4,5132000\n", "broken row in frames.csv"),
    ],
)
def test_pictures_with_strange_times_are_a_counted_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str, fault: str
) -> None:
    folder = filmed(tmp_path / "rec")
    (folder / FRAMES_FILE).write_text(f"frame,t_us\n{rows}")
    assert main(["watch", str(folder), "--json"]) == 0
    assert fault in faults(capsys.readouterr().out)


def test_a_story_of_what_cannot_be_read_does_not_say_that_all_is_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = filmed(tmp_path / "rec")
    next(folder.glob("video.*")).write_text("no film")
    assert main(["watch", str(folder), "--explain"]) == 2
    assert "no fault" not in capsys.readouterr().out


def test_samples_that_go_back_in_time_are_a_counted_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = recorded(tmp_path / "rec")
    rows = (folder / SCALES_FILE).read_text().splitlines()
    rows[60] = "17" + rows[60][rows[60].index(",") :]
    (folder / SCALES_FILE).write_text("\n".join(rows))
    assert main(["watch", str(folder), "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out.splitlines()[0])["kind"] == "placed"
    assert faults(out) == ["row that goes back in time in scales.csv"]


def test_a_video_that_no_camera_is_described_for_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = filmed(tmp_path / "rec", plan())
    assert main(["watch", str(folder), "--json"]) == 0
    assert faults(capsys.readouterr().out) == [f"{PLAN_FILE} describes no camera: nothing is seen in the video"]


@pytest.mark.parametrize("plan_text", [None, "{", "[]", '{"format": "castle-companion/recording", "version": "1"}'])
def test_what_is_no_recording_is_a_sentence_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], plan_text: str | None
) -> None:
    if plan_text is not None:
        (tmp_path / PLAN_FILE).write_text(plan_text)
    assert main(["watch", str(tmp_path), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


def test_a_sense_that_was_not_recorded_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(recorded(tmp_path / "rec")), "--senses", "camera"]) == 2
    assert "camera" in capsys.readouterr().err


# The bench, on made-up logs


def a_cold_start(folder: Path, seconds: float = 90.0) -> Path:
    chance = np.random.default_rng(3)
    times = np.arange(0, seconds, 0.087)
    grams = 0.05 * (1 - np.exp(-times / 100)) + chance.normal(0, 0.02, len(times))
    for name in ("coffee", "four-corners", "four-cells"):
        (folder / name).mkdir()
    rows = "".join(f"{t:.2f},{1_500_000 + 1540 * g:.0f}\n" for t, g in zip(times, grams, strict=True))
    (folder / "coffee" / "coldstart.csv").write_text(f"time,raw_data\n{rows}")
    spiked = [560 + g + (9 if at % 37 == 20 else 0) for at, g in enumerate(grams)]
    (folder / "four-corners" / "samples.txt").write_text("\n".join(f"{each:.2f}" for each in spiked))
    (folder / "four-cells" / "a.csv").write_text("lc1,lc2,lc3,lc4\n" + "1,2,3,4\n" * 40)
    return folder


def test_the_bench_tells_our_detector_from_the_plain_one(tmp_path: Path) -> None:
    ours, plain = bench.measure(a_cold_start(tmp_path), masses_g=(0.2,))
    assert ours.cold_start_events == 0
    (steps,) = ours.injected
    assert steps.found == steps.steps > 50
    assert steps.extra == 0
    assert steps.close > 0.95
    assert steps.in_time > 0.95
    assert ours.corner_glitches > 20
    assert ours.glitch_events == ours.corner_events == 0
    assert plain.injected[0].close < steps.close


def test_a_step_of_two_grams_is_placed_within_8_mm() -> None:
    errors = bench.position_errors_mm(steps=25)
    assert errors[int(0.95 * len(errors))] < 8


def test_a_bench_without_logs_says_which(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "scales", str(tmp_path)]) == 2
    assert "coldstart.csv" in capsys.readouterr().err
