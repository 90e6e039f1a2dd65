"""`companion watch --explain`: a story that people follow, with what every event was decided on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.cli import main
from companion.sensing.recording import Item, RecordingWriter
from companion.sensing.scales.evidence import BumpEvidence, Evidence, ImpactEvidence
from companion.sensing.streams import Frame, ScaleSample, Sensed
from companion.sensing.watch import Watcher
from companion.text.story import Story
from companion.twin.forces import Chip, Forces, sensed
from tests.sensing.forces import LEFT, MIDDLE, board, plan
from tests.sensing.painted import one_board

BOARDS = ("north", "south")


def an_evening(folder: Path, forces: Forces) -> Path:
    with RecordingWriter(folder, plan()) as writer:
        for sample in sensed(forces, board(), Chip()):
            writer.add_sample(sample)
    return folder


def told(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["watch", str(folder), "--explain"]) == 0
    return capsys.readouterr().out.splitlines()


def test_a_placement_is_told_with_its_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forces = Forces(8.0)
    forces.rest(0.0, 40.0, MIDDLE)
    forces.place(4.0, 6.5, LEFT)
    lines = told(an_evening(tmp_path / "rec", forces), capsys)
    assert lines[0] == "Watched with scales."
    assert lines[1] == "Board north has the towers left, middle and right, 4 load cells and 0 markers."
    assert any(re.search(r"At the start (39|40)\.\d g lie on north\.", line) for line in lines)
    happened = next(at for at, line in enumerate(lines) if "a floor tile was placed on tower left" in line)
    assert lines[happened + 1].strip().startswith("Scales, ")
    assert re.search(r"settled 6\.\d g heavier", lines[happened + 1])
    assert "mm from the middle of left" in lines[happened + 1]
    assert lines[-4:-2] == ["After 8.0 s:", "  north: 1 placed, 0 taken away, 0 collapses."]
    assert re.search(r"\+6\.\d g since the start\.$", lines[-2])
    assert lines[-1] == "There was no fault."


def explained(event: Sensed, *facts: Evidence) -> list[str]:
    """What is told of an event when the stages of the scales have just said this."""
    lines: list[str] = []
    the_plan = plan(tuple(board(name) for name in BOARDS))
    watcher = Watcher(the_plan, ("scales",))
    story = Story(the_plan, watcher, lines.append)
    assert watcher.scales is not None
    watcher.scales.evidence = list(facts)
    story.saw(ScaleSample(1_000_000, "north", (1, 2, 3, 4)), [event])
    story.ended([])
    return lines


def test_a_fall_is_told_with_its_dip_and_its_blow() -> None:
    fell = Sensed(kind="collapse", t_us=900_000, decided_us=1_000_000, board="north", evidence={"scales": 0.9})
    blow = ImpactEvidence("north", 910_000, 920_000, 38.0, 40.0, 0.5, 6.4, (60.0, 70.0))
    later = msgspec.structs.replace(blow, t_us=990_000, peak_g=90.0)
    elsewhere = msgspec.structs.replace(blow, board="south")
    lines = explained(fell, blow, later, elsewhere)
    happened = next(at for at, line in enumerate(lines) if "COLLAPSE on north (100 % sure, told 0.10 s later)." in line)
    assert lines[happened + 1].strip() == (
        "Scales, 90 %: the board was 6.4 g lighter for a moment, then came a blow of 38 g, "
        "10 mm from the middle of left, the first of 2."
    )
    assert "  north: 0 placed, 0 taken away, 1 collapse." in lines


def test_a_fall_without_a_blow_says_so() -> None:
    fell = Sensed(kind="collapse", t_us=900_000, decided_us=1_000_000, board="north", evidence={"scales": 0.9})
    assert any("the load went elsewhere" in line for line in explained(fell))


def test_a_bump_is_told_with_the_boards_that_swung() -> None:
    bump = Sensed(kind="bump", t_us=900_000, decided_us=1_000_000, evidence={"scales": 0.95})
    lines = explained(bump, *(BumpEvidence(name, 900_000, 950_000, 20.0 + len(name)) for name in ("south", "north")))
    happened = next(at for at, line in enumerate(lines) if "The table was bumped (" in line)
    assert "north and south swung by up to 25 g, and nothing on them changed." in lines[happened + 1]
    assert "The table was bumped once." in lines


def test_a_fault_of_a_file_is_told_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = an_evening(tmp_path / "rec", Forces(3.0))
    with (folder / "scales.csv").open("a") as file:
        file.write("nan\n")
    lines = told(folder, capsys)
    assert any("Fault (scales): broken row in scales.csv." in line for line in lines)
    assert lines[-1] == "There was 1 fault."


def test_a_story_is_not_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = an_evening(tmp_path / "rec", Forces(2.0))
    assert main(["watch", str(folder), "--explain", "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "choose" in err


# What the camera says, handed to the teller


def heard(*happened: tuple[Item | None, Sequence[Sensed]]) -> list[str]:
    the_plan = one_board()
    lines: list[str] = []
    story = Story(the_plan, Watcher(the_plan, ("camera",)), lines.append)
    for item, events in happened:
        if item is not None:
            story.saw(item, events)
        else:
            story.ended(events)
    return lines


def height(tower: str, level: int, top_mm: float, t_us: int = 0) -> Sensed:
    return Sensed(kind="height", t_us=t_us, decided_us=t_us, board="south", tower=tower, level=level, top_mm=top_mm)


def test_towers_are_told_at_the_start_when_they_change_and_at_the_end() -> None:
    lines = heard(
        (None, [height("left", 2, 29.0), height("middle", 0, 0.0)]),
        (None, [height("left", 1, 2.0, 3_000_000)]),
    )
    assert any(
        "At the start the camera sees on south: left 2 levels (29 mm), middle nothing." in line for line in lines
    )
    assert any("On south, tower left now has 1 level (2 mm), before 2 levels (29 mm)." in line for line in lines)
    assert lines[-2] == "    Towers: left 1 level (2 mm), middle nothing."


def test_towers_that_were_not_read_since_they_fell_are_told_as_they_stood_before() -> None:
    fell = Sensed(kind="collapse", t_us=2_000_000, decided_us=2_100_000, board="south", evidence={"camera": 0.9})
    lines = heard((None, [height("left", 2, 29.0), fell]))
    assert lines[-2] == "    Towers, as they stood before the fall: left 2 levels (29 mm)."
    lines = heard((None, [height("left", 2, 29.0), fell, height("left", 1, 2.0, 3_000_000)]))
    assert lines[-2] == "    Towers: left 1 level (2 mm)."


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ({"evidence": {"camera": 0.93}}, "Camera, 93 %: a pillar stands on level 2 of tower left."),
        ({"evidence": {"scales": 0.9}}, "Camera: gave no picture."),
        ({"kind": "collapse", "evidence": {"camera": 0.9}}, "Camera, 90 %: what stood there lies about."),
        ({"kind": "collapse", "evidence": {"camera": 0.6, "scales": 0.9}}, "something moved there then"),
    ],
)
def test_the_camera_says_what_it_saw(event: dict[str, object], says: str) -> None:
    fields = {"kind": "placed", "t_us": 5, "decided_us": 9, "board": "south", "tower": "left", "level": 2}
    lines = heard((None, [Sensed(**(fields | {"piece": "pillar"} | event))]))  # type: ignore[arg-type]
    assert any(says in line for line in lines)


def test_a_sense_that_gave_nothing_is_not_said_to_have_felt_or_found_nothing() -> None:
    the_plan = one_board()
    placed = Sensed(kind="placed", t_us=2, decided_us=3, board="south", evidence={})
    sample = ScaleSample(1, "south", tuple(0 for _ in the_plan.boards[0].cells))
    frame = Frame(1, 0, np.zeros((480, 640, 3), np.uint8))
    told_by: dict[str, str] = {}
    for name, item in (("scales", sample), ("camera", frame)):
        lines: list[str] = []
        story = Story(the_plan, Watcher(the_plan, ("scales", "camera")), lines.append)
        story.saw(item, [placed])
        told_by[name] = "\n".join(lines)
    assert "Scales: felt nothing that they would have told alone." in told_by["scales"]
    assert "Camera: gave no picture." in told_by["scales"]
    assert "Scales: gave no sample." in told_by["camera"]
    assert "Camera: has not found south by its markers." in told_by["camera"]
