"""Recordings are read whatever is wrong with them, and say what was wrong; what is written is read back."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.errors import BadRecording
from companion.sensing.plan import PLAN_FILE, Camera, Plan, encode_plan
from companion.sensing.recording import (
    FRAMES_FILE,
    PASSED_FILE,
    SCALES_FILE,
    TRUTH_FILE,
    Film,
    Passed,
    Recording,
    RecordingWriter,
    rescue,
)
from companion.sensing.streams import Flag, Frame, ScaleSample
from companion.sensing.truth import Truth, has_truth, read_truth
from tests.sensing.forces import board, plan

HEADING = "t_us,board,flags,c0,c1,c2,c3\n"


def a_folder(tmp_path: Path, scales: str | None = None, of: Plan | None = None) -> Path:
    (tmp_path / PLAN_FILE).write_bytes(encode_plan(of or plan()))
    if scales is not None:
        (tmp_path / SCALES_FILE).write_text(scales)
    return tmp_path


def read(tmp_path: Path, rows: str) -> tuple[list[ScaleSample], Recording]:
    recording = Recording.open(a_folder(tmp_path, HEADING + rows))
    return list(recording.samples()), recording


def a_picture(shade: int) -> Frame:
    return Frame(1_000_000 + shade * 33_000, shade, np.full((48, 64, 3), shade, np.uint8))


def with_video(tmp_path: Path, pictures: int = 12, film: Film = "mp4") -> Path:
    seen = msgspec.structs.replace(plan(), camera=Camera(64, 48))
    with RecordingWriter(tmp_path / "rec", seen, film) as writer:
        for shade in range(pictures):
            writer.add_frame(a_picture(shade))
    return tmp_path / "rec"


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    samples = [
        ScaleSample(10, "north", (1, -2, None, 4)),
        ScaleSample(20, "north", (5, 6, 7, 8388607), Flag.SATURATED | Flag.TIMEOUT),
    ]
    with RecordingWriter(tmp_path / "rec", plan()) as writer:
        for sample in samples:
            writer.add_sample(sample)
        writer.add_truth(Truth(kind="placed", t_us=20, board="north"))
        writer.add_truth({"kind": "hand", "t_us": 5, "board": "north", "until_us": 9})
    recording = Recording.open(tmp_path / "rec")
    assert recording.plan == plan()
    assert recording.senses == ("scales",)
    assert list(recording.samples()) == samples
    assert not recording.faults
    assert not recording.unread
    assert [truth.kind for truth in read_truth(tmp_path / "rec")] == ["hand", "placed"]


@pytest.mark.parametrize("film", ["mp4", "mkv", "avi"])
def test_pictures_come_back_with_their_times(tmp_path: Path, film: Film) -> None:
    recording = Recording.open(with_video(tmp_path, film=film))
    frames = list(recording.frames())
    assert [(frame.index, frame.t_us) for frame in frames] == [(n, 1_000_000 + n * 33_000) for n in range(12)]
    assert abs(float(frames[-1].image.mean()) - 11) < 4
    assert not recording.unread


def test_pictures_that_nobody_looked_at_are_told_from_others(tmp_path: Path) -> None:
    folder = with_video(tmp_path, 4, "avi")
    assert not any(isinstance(frame, Passed) for frame in Recording.open(folder).frames())
    seen = msgspec.structs.replace(plan(), camera=Camera(64, 48))
    with RecordingWriter(folder, seen, "avi") as writer:
        writer.add_passed(a_picture(2).t_us)
        for shade in range(4):
            writer.add_frame(a_picture(shade))
        writer.add_passed(a_picture(0).t_us)
    passed = [frame.index for frame in Recording.open(folder).frames() if isinstance(frame, Passed)]
    assert passed == [0, 2]
    (folder / PASSED_FILE).write_text(f"t_us\n?\n1.5\n{'1' * 5000}\n")
    recording = Recording.open(folder)
    assert [type(frame) for frame in recording.frames()] == [Frame] * 4
    with_video(tmp_path, 4, "avi")
    assert not (folder / PASSED_FILE).exists()


def test_a_recording_that_breaks_off_is_not_there(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "rec", plan())
    writer.add_sample(ScaleSample(1, "north", (1, 2, 3, 4)))
    writer.__exit__(RuntimeError, RuntimeError(), None)
    assert list(tmp_path.iterdir()) == []


def test_a_recording_that_a_crash_cut_off_is_rescued_with_what_it_had(tmp_path: Path) -> None:
    chance = np.random.default_rng(0)
    seen = msgspec.structs.replace(plan(), camera=Camera(320, 240))
    writer = RecordingWriter(tmp_path / "evening", seen, "mkv")
    for number in range(40):
        writer.add_sample(ScaleSample(number, "north", (1, 2, 3, number)))
        writer.add_frame(Frame(number, number, chance.integers(0, 255, (240, 320, 3), np.uint8)))
    crashed = tmp_path / "after-the-crash"  # what the disk holds while the program is still at it
    shutil.copytree(tmp_path, crashed, ignore=shutil.ignore_patterns("after-the-crash"))
    writer.discard()
    assert rescue(crashed) == [crashed / "evening"]
    recording = Recording.open(crashed / "evening")
    assert [sample.counts[-1] for sample in recording.samples()] == list(range(40))
    assert 20 < len(list(recording.frames())) <= 40
    assert rescue(crashed) == []


def test_a_rescue_leaves_what_has_taken_the_place_alone(tmp_path: Path) -> None:
    RecordingWriter(tmp_path / "rec", plan())
    (tmp_path / "rec").mkdir()
    assert rescue(tmp_path) == []


def test_pictures_of_two_sizes_make_no_recording(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "rec", plan())
    writer.add_frame(a_picture(1))
    with pytest.raises(BadRecording, match="same size"):
        writer.add_frame(Frame(9_000_000, 0, np.zeros((24, 32, 3), np.uint8)))
    writer.discard()


def test_a_recording_may_be_made_in_the_folder_one_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rec").mkdir()
    monkeypatch.chdir(tmp_path / "rec")
    with RecordingWriter(Path(), plan()) as writer:
        writer.add_sample(ScaleSample(1, "north", (1, 2, 3, 4)))
    assert Recording.open(tmp_path / "rec").senses == ("scales",)


def test_where_no_recording_can_be_is_said_before_it_is_made(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("mine")
    for place in (tmp_path / "letter", Path("/")):
        with pytest.raises(BadRecording, match="no place for a recording"):
            RecordingWriter(place, plan())
    assert [file.name for file in tmp_path.iterdir()] == ["letter"]


def test_a_new_recording_takes_the_place_of_the_old_one_and_of_nothing_else(tmp_path: Path) -> None:
    folder = with_video(tmp_path)
    (folder / "notes.txt").write_text("mine")
    (folder / TRUTH_FILE).write_text("{}")
    with RecordingWriter(folder, plan()) as writer:
        writer.add_sample(ScaleSample(1, "north", (1, 2, 3, 4)))
    assert sorted(file.name for file in folder.iterdir()) == ["notes.txt", PLAN_FILE, SCALES_FILE]
    assert not has_truth(folder)


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("20,north,0,1,2,3\n", "broken row"),
        ("20,north,0,1,2,3,4,5\n", "broken row"),
        ("soon,north,0,1,2,3,4\n", "broken row"),
        ("nan,north,0,1,2,3,4\n", "broken row"),
        ("20,north,?,1,2,3,4\n", "broken row"),
        ("20,nobody,0,1,2,3,4\n", "unknown board"),
        ("5,north,0,1,2,3,4\n", "back in time"),
        (f"1{'0' * 400},north,0,1,2,3,4\n", "broken row"),
        (f"{2**64},north,0,1,2,3,4\n", "broken row"),
        ("20,north,-1,1,2,3,4\n", "broken row"),
        ('20,"nor,0,1,2,3,4\n', "unknown board"),
    ],
)
def test_a_wrong_row_is_left_out_and_counted(tmp_path: Path, row: str, what: str) -> None:
    samples, recording = read(tmp_path, f"9,north,0,1,1,1,1\n10,north,0,1,1,1,1\n{row}30,north,0,3,3,3,3\n")
    assert [sample.t_us for sample in samples] == [9, 10, 30]
    ((_, words), times), *others = recording.faults.items()
    assert what in words
    assert times == 1
    assert not others
    assert not recording.unread


@pytest.mark.parametrize("value", ["nan", "inf", "-", "1e99", "None"])
def test_a_value_that_is_no_number_is_none_and_never_zero(tmp_path: Path, value: str) -> None:
    samples, recording = read(tmp_path, f"10,north,0,1,{value},3,\n")
    assert samples == [ScaleSample(10, "north", (1, None, 3, None))]
    assert sum(recording.faults.values()) == 1


def test_one_row_from_the_future_does_not_cost_the_rest(tmp_path: Path) -> None:
    rows = "".join(f"{t},north,0,1,1,1,1\n" for t in (10, 20, 99_000_000, 30, 40))
    samples, recording = read(tmp_path, rows)
    assert [sample.t_us for sample in samples] == [10, 20, 30, 40]
    assert sum(recording.faults.values()) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        (HEADING, "holds no sample"),
        ("a,b,c\n1,2,3\n", "no column t_us"),
        ("\0\0\n\0", "no column"),
        ("x" * 200_000, "cannot be read"),
    ],
)
def test_scales_that_hold_nothing_are_said_so(tmp_path: Path, text: str, says: str) -> None:
    recording = Recording.open(a_folder(tmp_path, text))
    assert list(recording.samples()) == []
    assert says in recording.unread["scales"]


def test_quoted_names_are_names(tmp_path: Path) -> None:
    folder = a_folder(tmp_path, '"t_us","board","c0","c1","c2","c3"\n10,"north",1,2,3,4\n')
    assert list(Recording.open(folder).samples()) == [ScaleSample(10, "north", (1, 2, 3, 4))]


def test_rows_of_a_board_without_cells_are_counted(tmp_path: Path) -> None:
    folder = a_folder(tmp_path, HEADING + "10,north,0,1,2,3,4\n", plan((board(cells=0),)))
    recording = Recording.open(folder)
    assert list(recording.samples()) == []
    assert list(recording.faults) == [("scales", f"row of a board without cells in {SCALES_FILE}")]


def test_columns_may_stand_in_any_order_and_be_named_like_the_cells(tmp_path: Path) -> None:
    folder = a_folder(tmp_path, "c3,c2,c1,c0,board,t_us\n4,3,2,1,north,10\n")
    assert list(Recording.open(folder).samples()) == [ScaleSample(10, "north", (1, 2, 3, 4))]


def test_a_board_with_one_cell_reads_the_first_channel(tmp_path: Path) -> None:
    one = plan((board(cells=1),))
    folder = a_folder(tmp_path, HEADING + "10,north,0,7,,,\n", one)
    assert list(Recording.open(folder).samples()) == [ScaleSample(10, "north", (7,))]


def test_samples_and_frames_merge_in_time_and_ties_are_always_the_same(tmp_path: Path) -> None:
    folder = with_video(tmp_path, 3)
    both = msgspec.structs.replace(plan((board("north"), board("south"))), camera=Camera(64, 48))
    rows = "1033000,south,0,1,1,1,1\n1066000,south,0,1,1,1,1\n1033000,north,0,1,1,1,1\n"
    a_folder(folder, HEADING + rows, both)
    recording = Recording.open(folder)
    merged = [(item.t_us, getattr(item, "board", "picture")) for item in recording.merged()]
    assert merged == [
        (1_000_000, "picture"),
        (1_033_000, "north"),
        (1_033_000, "south"),
        (1_033_000, "picture"),
        (1_066_000, "south"),
        (1_066_000, "picture"),
    ]
    assert [item.t_us for item in recording.merged(("camera",))] == [1_000_000, 1_033_000, 1_066_000]


def test_a_cut_off_video_gives_what_it_has_and_says_so(tmp_path: Path) -> None:
    folder = with_video(tmp_path, film="avi")
    video = folder / "video.avi"
    video.write_bytes(video.read_bytes()[: video.stat().st_size * 6 // 10])
    recording = Recording.open(folder)
    assert len(list(recording.frames())) < 12
    assert "video.avi" in recording.unread["camera"]


@pytest.mark.parametrize("content", [b"", b"This is a letter to the king.\n" * 40])
def test_a_text_named_like_a_video_is_no_video(
    tmp_path: Path, content: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = with_video(tmp_path)
    (folder / "video.mp4").write_bytes(content)
    recording = Recording.open(folder)
    assert list(recording.frames()) == []
    assert "video.mp4" in recording.unread["camera"]
    assert "WARN" not in capfd.readouterr().err


def test_a_video_needs_the_times_of_its_pictures(tmp_path: Path) -> None:
    folder = with_video(tmp_path)
    (folder / FRAMES_FILE).unlink()
    recording = Recording.open(folder)
    assert list(recording.frames()) == []
    assert FRAMES_FILE in recording.unread["camera"]


def test_a_list_of_pictures_that_is_empty_is_told(tmp_path: Path) -> None:
    folder = with_video(tmp_path)
    (folder / FRAMES_FILE).write_text("frame,t_us\n")
    recording = Recording.open(folder)
    assert list(recording.frames()) == []
    assert FRAMES_FILE in recording.unread["camera"]


def test_pictures_without_a_time_or_that_go_back_are_counted(tmp_path: Path) -> None:
    folder = with_video(tmp_path, 5)
    (folder / FRAMES_FILE).write_text("frame,t_us\n0,100\n1,200\n2,150\n4,300\nx,y\n")
    recording = Recording.open(folder)
    assert [frame.index for frame in recording.frames()] == [0, 2, 4]
    assert sum(recording.faults.values()) == 3


def test_one_picture_from_the_future_does_not_cost_the_rest(tmp_path: Path) -> None:
    folder = with_video(tmp_path, 5)
    (folder / FRAMES_FILE).write_text("frame,t_us\n0,100\n1,200\n2,99000000\n3,300\n4,400\n")
    recording = Recording.open(folder)
    assert [frame.t_us for frame in recording.frames()] == [100, 200, 300, 400]
    assert sum(recording.faults.values()) == 1


def test_pictures_of_another_size_than_stated_are_counted(tmp_path: Path) -> None:
    folder = with_video(tmp_path, 3)
    (folder / PLAN_FILE).write_bytes(encode_plan(msgspec.structs.replace(plan(), camera=Camera(640, 480))))
    recording = Recording.open(folder)
    assert len(list(recording.frames())) == 3
    assert recording.faults == {("camera", f"picture of another size than {PLAN_FILE} says"): 3}


def test_what_is_no_recording_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRecording, match="not a folder"):
        Recording.open(tmp_path / "nowhere")
    with pytest.raises(BadRecording, match=PLAN_FILE):
        Recording.open(tmp_path)
    with pytest.raises(BadRecording, match="neither"):
        Recording.open(a_folder(tmp_path))


@pytest.mark.parametrize("line", [b'{"kind": 3}', b'{"kind": "\xff", "t_us": 1}', b'{"x": ' + b"[" * 100_000])
def test_a_broken_line_of_truth_is_named(tmp_path: Path, line: bytes) -> None:
    (tmp_path / TRUTH_FILE).write_bytes(b'{"kind": "bump", "t_us": 1}\n\n' + line + b"\n")
    with pytest.raises(BadRecording, match="line 3"):
        read_truth(tmp_path)
