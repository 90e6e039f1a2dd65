"""Recordings of the twin: whole, readable, and the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import BadRecording
from companion.sensing.plan import PLAN_FILE, read_plan
from companion.sensing.recording import SCALES_FILE, TRUTH_FILE, Recording
from companion.sensing.truth import read_truth
from companion.twin import suite
from companion.twin.record import Recorded, record
from companion.twin.scenario import parse_scenario, read_scenario, scenario_names
from companion.twin.sheet import contact_sheet
from companion.twin.suite import SMALL, Counts, Task, full_tasks, look_alikes, make, small_tasks

_KNOCK = "castle left 2 levels\nknock left"
_QUIET = "castle left 2 levels\nplace tile on right"


@pytest.fixture(scope="module")
def knocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("twin") / "knocked"
    record(parse_scenario(_KNOCK, "knock"), 4, folder, pictures=False)
    return folder


def test_the_same_seed_gives_the_same_bytes(knocked: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    record(parse_scenario(_KNOCK, "knock"), 4, again, pictures=False)
    for file in (SCALES_FILE, TRUTH_FILE):
        assert (knocked / file).read_bytes() == (again / file).read_bytes()


def test_another_sensing_of_the_same_physics_has_the_same_truth(knocked: Path, tmp_path: Path) -> None:
    record(parse_scenario(_KNOCK, "knock"), 4, tmp_path / "two", sense_seed=9, pictures=False)
    one, two = read_truth(knocked), read_truth(tmp_path / "two")
    shift = two[0].t_us - one[0].t_us
    assert [(each.kind, each.t_us + shift) for each in one] == [(each.kind, each.t_us) for each in two]
    assert (knocked / SCALES_FILE).read_bytes() != (tmp_path / "two" / SCALES_FILE).read_bytes()


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("twin") / "filmed"
    record(parse_scenario(_QUIET, "quiet"), 3, folder, size=(160, 120))
    return folder


def test_a_recording_reads_without_a_fault(filmed: Path) -> None:
    recording = Recording.open(filmed)
    items = list(recording.merged())
    assert recording.senses == ("scales", "camera")
    assert not recording.unread
    assert len(items) > 100
    assert sum(recording.faults.values()) <= 2  # a camera's wrong time may go back


def test_the_plan_states_all_that_a_detector_needs(filmed: Path) -> None:
    plan = read_plan(filmed)
    assert plan.camera is not None
    assert plan.camera.matrix is not None
    assert all(cell.counts_per_g for board in plan.boards for cell in board.cells)
    assert all(board.markers and board.towers for board in plan.boards)


def test_pictures_change_nothing_in_the_physics(filmed: Path, tmp_path: Path) -> None:
    record(parse_scenario(_QUIET, "quiet"), 3, tmp_path / "unseen", pictures=False)
    assert (tmp_path / "unseen" / SCALES_FILE).read_bytes() == (filmed / SCALES_FILE).read_bytes()
    assert (tmp_path / "unseen" / TRUTH_FILE).read_bytes() == (filmed / TRUTH_FILE).read_bytes()


def test_the_weight_of_a_placed_piece_is_in_the_samples(filmed: Path) -> None:
    recording = Recording.open(filmed)
    cells = recording.plan.boards[0].cells
    placed = next(each for each in read_truth(filmed) if each.kind == "placed")
    began_us = next(iter(recording.samples())).t_us
    before, after = [], []
    for sample in recording.samples():
        total = sum(
            (counts - cell.zero_counts) / (cell.counts_per_g or 1)
            for counts, cell in zip(sample.counts, cells, strict=True)
            if counts is not None
        )
        if sample.t_us < began_us + 1_000_000:
            before.append(total)
        elif sample.t_us > placed.t_us + 1_500_000:
            after.append(total)
    assert np.median(after) - np.median(before) == pytest.approx(placed.mass_g, abs=0.3)


def test_a_contact_sheet_shows_each_recording(filmed: Path, tmp_path: Path) -> None:
    contact_sheet([filmed, filmed, filmed], tmp_path / "sheet.png")
    sheet = cv2.imread(str(tmp_path / "sheet.png"))
    assert sheet is not None
    assert sheet.shape == (2 * 386, 2 * 480, 3)
    assert sheet[30:380, :480].std() > 10


@pytest.mark.parametrize("name", ["sheet.odd", "sheet"])
def test_a_contact_sheet_that_is_no_picture_is_refused(filmed: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(BadRecording, match=r"ends in \.png or \.jpg"):
        contact_sheet([filmed], tmp_path / name)


@pytest.fixture
def short(tmp_path: Path) -> Task:
    """A recording that is quickly made."""
    script = tmp_path / "short.txt"
    script.write_text("castle left 2 levels\nwait 0.1\n")
    return Task(str(script), 1)


def test_a_suite_keeps_what_is_there(short: Task, tmp_path: Path) -> None:
    (first,) = make([short], tmp_path, 1, pictures=False)
    stamp = (tmp_path / short.folder / SCALES_FILE).stat().st_mtime_ns
    (again,) = make([short], tmp_path, 1, pictures=False)
    assert (first.truth, first.samples, first.frames) == (again.truth, again.samples, again.frames)
    assert (tmp_path / short.folder / SCALES_FILE).stat().st_mtime_ns == stamp


def test_a_suite_with_pictures_makes_those_again_that_have_none(
    short: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list(make([short], tmp_path, 1, pictures=False))
    made = []
    monkeypatch.setattr(suite, "record", lambda *args, **options: made.append(options["pictures"]))
    list(make([short], tmp_path, 1, pictures=True))
    assert made == [True]


def test_a_suite_that_is_given_up_leaves_whole_recordings_only(short: Task, tmp_path: Path) -> None:
    tasks = [Task(short.scenario, seed) for seed in range(5)]
    making = make(tasks, tmp_path / "suite", 2, pictures=False)
    next(making)
    making.close()
    left = list((tmp_path / "suite").iterdir())
    assert 1 <= len(left) < len(tasks)
    assert all((folder / PLAN_FILE).is_file() for folder in left)
    assert not any(folder.name.startswith(".") for folder in left)


def test_a_suite_is_summed_up_in_a_sentence() -> None:
    assert str(Counts(12, 6, 14, 222.9)) == "12 recordings, 3.7 minutes: 6 collapses, 14 that only look like one."


def test_the_suites_are_what_they_promise() -> None:
    assert set(SMALL) <= set(scenario_names())
    tasks = [*full_tasks(0), *full_tasks(1), *full_tasks(2)]
    assert len({task.folder for task in tasks}) == len(tasks) >= 150
    assert sum(look_alikes(read_scenario(task.scenario)) for task in tasks) >= 150
    assert not Counts(150, 99, 150).enough
    assert Counts(150, 100, 150).enough


def test_a_full_suite_goes_on_until_there_is_enough_and_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fell(task: Task) -> Recorded:
        truth = {"collapse": 1} if "knock" in task.scenario else {}
        return Recorded(
            folder=task.folder, scenario=task.scenario, seed=task.seed, seconds=1.0, frames=0, samples=0, truth=truth
        )

    monkeypatch.setattr(suite, "make", lambda tasks, *_: map(fell, tasks))
    counts = suite.make_suite("full", tmp_path, 2, lambda made: None)
    assert 100 <= counts.collapses < 108
    assert counts.recordings > 150


def test_another_first_seed_gives_a_suite_nobody_has_seen() -> None:
    usual = {task.seed for task in (*small_tasks(), *full_tasks(0), *full_tasks(1), *full_tasks(2))}
    other = {task.seed for task in (*small_tasks(301), *full_tasks(0, (), 401), *full_tasks(1, (), 401))}
    assert not usual & other
    assert min(other) == 301


def test_when_there_are_enough_recordings_only_what_falls_is_made_again() -> None:
    assert [task.scenario for task in full_tasks(3, {"knocked"})] == ["knocked"]
