"""The overlay shows what was sensed where it was sensed, and a film of it is whole or not there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.cli import main
from companion.sensing import pens
from companion.sensing.overlay import Overlay
from companion.sensing.plan import Camera, Plan
from companion.sensing.recording import RecordingWriter
from companion.sensing.streams import Frame, Image, ScaleSample, Sensed
from companion.sensing.strips import HEIGHT_PX
from companion.sensing.views import Lens
from companion.sensing.watch import Watcher
from tests.sensing.movie import FRAME_US, Movie
from tests.sensing.painted import Painter, looking, one_board

PLAN = one_board()
_FRAMES = 24


def caption(event: Sensed) -> str:
    return f"{event.board} {event.kind}"


def grey(t_us: int, width: int = 640, height: int = 480) -> Frame:
    return Frame(t_us, 0, np.full((height, width, 3), 90, np.uint8))


def a_sample(t_us: int, grams: float) -> ScaleSample:
    return ScaleSample(t_us, "south", tuple(round(1500.0 * grams / 4) for _ in range(4)))


def an_event(kind: str, t_us: int) -> Sensed:
    return Sensed(kind=kind, t_us=t_us, decided_us=t_us, board="south")  # type: ignore[arg-type]


def drawn(overlay: Overlay, frame: Frame, events: Sequence[Sensed] = ()) -> Image:
    picture = overlay.feed(frame, events)
    assert picture is not None
    return picture


def painted(image: Image, colour: pens.Colour) -> int:
    """How many pixels have about this colour."""
    return int((np.abs(image.astype(int) - colour).max(axis=2) < 40).sum())


@pytest.fixture(scope="module")
def watched() -> tuple[Watcher, Frame]:
    """A watcher that has read a tower of two levels on the left, and the last picture of it."""
    movie = Movie()
    movie.stand("left", 2)
    watcher = Watcher(PLAN, ("camera",))
    frame = grey(0)
    for number in range(_FRAMES):
        frame = Frame(number * FRAME_US, number, movie.painter.paint(movie.blocks, noise=2.0, seed=number))
        watcher.feed(frame)
    return watcher, frame


def test_towers_and_boards_are_outlined_where_they_stand(watched: tuple[Watcher, Frame]) -> None:
    watcher, frame = watched
    assert watcher.eye is not None
    sight = watcher.eye.board("south")
    assert sight.view is not None
    assert sight.castle.levels("left") == 2
    picture = drawn(Overlay(PLAN, watcher, caption), frame)[:480]
    x, y = np.round(sight.view.project([(60.0, 60.0, 15.0)])[0]).astype(int)
    around = picture[y - 60 : y + 60, x - 60 : x + 60]
    assert painted(around, pens.TOWER) > 200
    assert painted(picture, pens.TOWER) - painted(around, pens.TOWER) < painted(around, pens.TOWER)
    assert painted(picture, pens.BOARD) - painted(frame.image, pens.BOARD) > 300


def test_a_caption_is_there_for_two_seconds_and_fades() -> None:
    overlay = Overlay(PLAN, Watcher(PLAN, ()), caption)
    bare = drawn(overlay, grey(0))[:120, :300]
    told = drawn(overlay, grey(1_000_000), [an_event("placed", 900_000)])[:120, :300]
    fading = drawn(overlay, grey(2_900_000))[:120, :300]
    gone = drawn(overlay, grey(3_100_000))[:120, :300]
    assert painted(told, pens.KINDS["placed"]) > 20
    assert np.abs(told - bare.astype(int)).sum() > np.abs(fading - bare.astype(int)).sum() > 0
    assert (gone == bare).all()


def test_heights_are_written_on_towers_and_need_no_caption() -> None:
    overlay = Overlay(PLAN, Watcher(PLAN, ()), caption)
    bare = drawn(overlay, grey(0))[:, :300]
    assert (drawn(overlay, grey(0), [an_event("height", 0)])[:, :300] == bare).all()


def test_a_fall_turns_the_board_red(watched: tuple[Watcher, Frame]) -> None:
    watcher, frame = watched
    overlay = Overlay(PLAN, watcher, caption)
    calm = painted(drawn(overlay, frame)[100:480], pens.KINDS["collapse"])
    fell = painted(drawn(overlay, frame, [an_event("collapse", frame.t_us)])[100:480], pens.KINDS["collapse"])
    assert fell > calm + 500


def test_towers_that_were_not_read_since_they_fell_are_not_drawn(watched: tuple[Watcher, Frame]) -> None:
    watcher, frame = watched
    assert watcher.eye is not None
    overlay, sight = Overlay(PLAN, watcher, caption), watcher.eye.board("south")
    standing = painted(drawn(overlay, frame)[:480], pens.TOWER)
    sight.fell(frame.t_us)
    assert sight.ruined
    fallen = painted(drawn(overlay, frame)[:480], pens.TOWER)
    sight._fell = False
    assert 0 < fallen < standing / 2


def test_what_moves_is_tinted() -> None:
    overlay = Overlay(PLAN, Watcher(PLAN, ()), caption)
    for number in range(8):
        drawn(overlay, grey(number * FRAME_US))
    moved = grey(8 * FRAME_US)
    moved.image[200:300, 300:400] = (30, 30, 30)
    tinted = drawn(overlay, moved)[:480]
    assert int(tinted[250, 350, 0]) > 60
    assert (tinted[400, 100] == 90).all()


def test_the_force_runs_under_the_picture_with_its_events() -> None:
    overlay = Overlay(PLAN, Watcher(PLAN, ()), caption)
    for number in range(400):
        assert overlay.feed(a_sample(number * 12_500, 20.0 if number < 200 else 60.0), ()) is None
    strip = drawn(overlay, grey(5_000_000), [an_event("collapse", 2_500_000)])[480:]
    assert strip.shape == (HEIGHT_PX, 640, 3)
    trace = strip[16:, 330:] > 110
    left, right = (np.nonzero(part.all(axis=2))[0].mean() for part in (trace[:, :130], trace[:, -130:]))
    assert left > right + 20
    at = round(640 * (1 - 2.5 / 10))
    assert painted(strip[20:, at - 3 : at + 4], pens.KINDS["collapse"]) > 40


@pytest.mark.parametrize(
    ("size", "boards", "shown"), [((320, 240), 1, (640, 552)), ((640, 480), 0, (640, 480)), ((640, 481), 3, (640, 624))]
)
def test_the_film_is_large_enough_to_read(size: tuple[int, int], boards: int, shown: tuple[int, int]) -> None:
    names = ("south", "east", "north")[:boards]
    plan = msgspec.structs.replace(
        PLAN, boards=tuple(msgspec.structs.replace(PLAN.boards[0], id=name) for name in names)
    )
    frame = grey(0, *size)
    overlay = Overlay(plan, Watcher(plan, ()), caption)
    assert overlay.size(frame) == shown
    assert drawn(overlay, frame).shape == (shown[1], shown[0], 3)


# The film


def filmed(folder: Path, plan: Plan = PLAN, frames: int = 4) -> Path:
    assert plan.camera is not None
    painter = Painter(plan, looking(Lens.of(plan.camera), (60.0, -310.0, 300.0), (0.0, 0.0, 20.0)))
    with RecordingWriter(folder, plan) as writer:
        for number in range(frames):
            writer.add_frame(Frame(number * FRAME_US, number, painter.paint(noise=2.0, seed=number)))
            writer.add_sample(a_sample(number * FRAME_US, 20.0))
    return folder


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filmed(tmp_path_factory.mktemp("filmed") / "rec")


@pytest.mark.parametrize("senses", ["both", "scales"])
def test_watching_draws_a_film(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], senses: str) -> None:
    film = tmp_path / "seen.mp4"
    assert main(["watch", str(recorded), "--senses", senses, "--overlay", str(film)]) == 0
    assert str(film) in capsys.readouterr().out
    capture = cv2.VideoCapture(str(film))
    pictures = [picture for got, picture in iter(capture.read, (False, None)) if got]
    assert [picture.shape for picture in pictures] == [(480 + HEIGHT_PX, 640, 3)] * 4
    assert [file.name for file in tmp_path.iterdir()] == ["seen.mp4"]


def test_json_stays_pure_beside_a_film(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(recorded), "--json", "--overlay", str(tmp_path / "seen.mp4")]) == 0
    beside = capsys.readouterr().out
    assert main(["watch", str(recorded), "--json"]) == 0
    assert capsys.readouterr().out == beside


@pytest.mark.parametrize(
    ("name", "says"),
    [("nowhere/seen.mp4", "No video can be written"), ("seen.txt", "ends in"), ("", "No video can be written")],
)
def test_where_no_film_can_be_is_one_sentence(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, says: str
) -> None:
    assert main(["watch", str(recorded), "--json", "--overlay", f"{tmp_path}/{name}"]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert len(said.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_film_never_takes_the_place_of_the_recordings_own(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (recorded / "video.mp4").read_bytes()
    assert main(["watch", str(recorded), "--overlay", str(recorded / "video.mp4")]) == 2
    assert "own video" in capsys.readouterr().err
    assert (recorded / "video.mp4").read_bytes() == before


def test_without_a_camera_there_is_nothing_to_draw_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with RecordingWriter(tmp_path / "rec", PLAN) as writer:
        writer.add_sample(a_sample(0, 20.0))
    assert main(["watch", str(tmp_path / "rec"), "--overlay", str(tmp_path / "seen.mp4")]) == 2
    assert "nothing was filmed" in capsys.readouterr().err


def test_a_video_that_breaks_off_is_drawn_as_far_as_it_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = msgspec.structs.replace(PLAN, camera=Camera(64, 48))
    folder = tmp_path / "rec"
    with RecordingWriter(folder, small) as writer:
        for number in range(4):
            writer.add_frame(grey(number * FRAME_US, 64, 48))
    with (folder / "frames.csv").open("a") as file:
        file.write("4,999999\n")
    film = tmp_path / "seen.mp4"
    assert main(["watch", str(folder), "--overlay", str(film)]) == 2
    assert "ends early" in capsys.readouterr().err
    assert film.is_file()
