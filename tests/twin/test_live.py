"""The live table: pictures in shared memory, scale modules on ports, hands that do as they are told, and its pace."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.devices.live_twin import LiveTwin
from companion.devices.shared_pictures import PictureReader, PictureWriter
from companion.errors import DeviceLost
from companion.sensing.plan import encode_plan
from companion.twin import live
from companion.twin.live import LiveTable, Pace
from companion.twin.live_episode import LiveEpisode
from companion.twin.table import nominal_table


class _Clock:
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[LiveTable, list[dict[str, Any]], _Clock]]:
    """A table that was told four things, and has done the one that can be done."""
    clock, told = _Clock(), list[dict[str, Any]]()
    table = LiveTable(("south",), 2, told.append, clock, clock.sleep, size=(160, 120))
    table.ready()
    for line in ("remove tile from middle", "place tile on middle", "juggle three tiles", "place 99 pillars on left"):
        table.tell(line)
    for _ in range(1000):
        table.tick()
        if any(each["kind"] == "done" for each in told):
            break
    yield table, told, clock
    table.close()


def test_it_says_where_everything_is(played: tuple[LiveTable, list[dict[str, Any]], _Clock]) -> None:
    ready = played[1][0]
    assert ready["kind"] == "ready"
    assert Path(ready["ports"]["south"]).is_char_device()
    assert Path(ready["pictures"]).is_file()
    assert ready["plan"]["camera"]["width"] == 160


def test_it_does_what_it_is_told_and_says_what_truly_happened(
    played: tuple[LiveTable, list[dict[str, Any]], _Clock],
) -> None:
    told = played[1]
    assert [each["line"] for each in told if each["kind"] == "done"] == ["place tile on middle"]
    assert [each["line"] for each in told if each["kind"] == "wrong"] == [
        "juggle three tiles",
        "place 99 pillars on left",
        "remove tile from middle",
    ]
    assert [each["why"] for each in told if each.get("line") == "remove tile from middle"] == [
        "There is no floor tile to take from the middle tower."
    ]
    placed = next(each["event"] for each in told if each["kind"] == "truth" and each["event"]["kind"] == "placed")
    assert (placed["tower"], placed["piece"]) == ("middle", "floor-tile")


def test_its_time_is_the_clocks(played: tuple[LiveTable, list[dict[str, Any]], _Clock]) -> None:
    table, _, clock = played
    assert clock.now_s - 100.0 == pytest.approx(table.episode.t_s, abs=0.05)


def test_the_pictures_are_there_for_others(played: tuple[LiveTable, list[dict[str, Any]], _Clock]) -> None:
    reader = PictureReader(played[0].memory.path)
    frame = reader.newest()
    assert frame is not None
    assert frame.image.shape == (120, 160, 3)
    assert frame.image.std() > 10
    assert reader.newest() is None
    reader.close()


def test_a_busy_machine_gets_smaller_pictures_before_fewer() -> None:
    pace = Pace(fps=25)
    sizes = []
    for _ in range(200):
        pace.spent(0.050)
        sizes.append(pace.drawn_size)
        assert pace.wants(1) or pace.drawn_size == 0.5
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (1.0, 0.5)
    assert not pace.wants(1)
    for _ in range(400):
        pace.spent(0.005)
    assert pace.drawn_size == 1.0
    assert pace.wants(1)


def test_a_fast_machine_keeps_the_size() -> None:
    pace = Pace(fps=25)
    assert not any(pace.spent(0.020) for _ in range(200))
    assert pace.drawn_size == 1.0


def test_the_newest_picture_is_handed_over_whole_and_once() -> None:
    writer = PictureWriter(8, 6)
    reader = PictureReader(writer.path)
    assert reader.newest() is None
    for number in range(7):
        writer.put(np.full((6, 8, 3), number, np.uint8), 1000 + number)
    frame = reader.newest()
    assert frame is not None
    assert (frame.t_us, frame.index, int(frame.image.min()), int(frame.image.max())) == (1006, 6, 6, 6)
    assert reader.newest() is None
    reader.close()
    writer.close()
    with pytest.raises(DeviceLost):
        PictureReader(writer.path)


_STAND_IN = """
import json, sys
plan, pictures = json.loads(sys.argv[1]), sys.argv[2]
print(json.dumps({"kind": "ready", "plan": plan, "ports": {"south": "port"}, "pictures": pictures}))
sys.stdout.flush()
for line in sys.stdin:
    print(json.dumps({"kind": "done", "line": line.strip()}))
    sys.stdout.flush()
"""


def _stand_in(*arguments: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", _STAND_IN, *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)


def test_the_app_starts_it_tells_it_and_ends_it() -> None:
    writer = PictureWriter(8, 6)
    with LiveTwin(_stand_in(encode_plan(nominal_table()).decode(), writer.path)) as twin:
        assert (twin.ports, twin.pictures.size) == ({"south": "port"}, (8, 6))
        assert twin.plan.boards[0].id == "south"
        twin.say("place tile on left")
        assert next(twin.told(wait_s=20)) == {"kind": "done", "line": "place tile on left"}
        assert list(twin.told()) == []
    assert not twin.alive
    with pytest.raises(DeviceLost):
        twin.say("knock left")
    writer.close()


def test_one_that_does_not_start_is_told_in_a_sentence() -> None:
    with pytest.raises(DeviceLost, match=r"did not start\.$"):
        LiveTwin(_stand_in())


def test_one_that_shows_nothing_is_ended() -> None:
    process = _stand_in(encode_plan(nominal_table()).decode(), "nowhere")
    with pytest.raises(DeviceLost, match="nowhere"):
        LiveTwin(process)
    assert process.poll() is not None


def test_why_it_cannot_start_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["live", "--boards", "attic"])
    assert live.main() == 2
    said = capsys.readouterr().out
    refusal = [sys.executable, "-c", f"print({said.strip()!r})"]
    pipe = subprocess.PIPE
    with pytest.raises(DeviceLost, match=r"did not start\. There is no seat called 'attic'"):
        LiveTwin(subprocess.Popen(refusal, stdin=pipe, stdout=pipe))


def test_a_picture_of_another_size_is_refused() -> None:
    writer = PictureWriter(8, 6)
    with pytest.raises(ValueError, match="does not fit"):
        writer.put(np.zeros((8, 6, 3), np.uint8), 0)
    writer.close()


def test_memory_that_holds_no_pictures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(bytes(4096))
    with pytest.raises(DeviceLost):
        PictureReader(str(tmp_path / "other"))


# Taking back


def _told(*lines: str) -> LiveEpisode:
    """An empty table whose hand was told these lines and has done them, one after the other."""
    episode = LiveEpisode(nominal_table(), 2, None, built=False)
    chunks = episode.run(0.2)
    for line in lines:
        episode.tell(line)
    for _ in range(1000):
        if len(episode.finished) == len(lines) and episode.diary.quiet:
            break
        next(chunks)
    return episode


def _happened(episode: LiveEpisode) -> list[tuple[str, str]]:
    return [(event["kind"], event["piece"]) for event in episode.truth if event["kind"] in ("placed", "removed")]


def test_the_piece_set_last_is_taken_back_and_then_the_one_before_it() -> None:
    episode = _told("place tile on left", "place pillar on left", "take back", "take back", "take back")
    assert _happened(episode) == [
        ("placed", "floor-tile"),
        ("placed", "pillar"),
        ("removed", "pillar"),
        ("removed", "floor-tile"),
    ]
    assert [why for _, why in episode.finished] == ["", "", "", "", "There is no piece to take back."]


def test_what_was_taken_away_is_forgotten_and_what_has_fallen_is_cleared_first() -> None:
    lines = ("place tile on left", "place pillar on left", "place room on left", "remove room from left")
    episode = _told(*lines, "knock left hard", "take back")
    assert episode.diary.down
    assert episode.finished[-1] == ("take back", "The piece set last has fallen: clear the board.")
