"""`companion record` in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import Config
from companion.errors import BadRecording, DeviceLost, DiskTrouble
from companion.live.shown import SenseHealth
from companion.text import live_table


class Table:
    """A live table that is up at the third look and loses its camera at the fifth."""

    looks = 0
    fails = False

    def __init__(self, sources: object) -> None:
        self.recording: Path | None = None
        self.closed = False

    @property
    def ready(self) -> bool:
        return self.looks > 2

    @property
    def health(self) -> tuple[SenseHealth, ...]:
        if self.fails and self.recording is None and self.looks > 8:
            return (SenseHealth(name="Recording", sense="recording", state="lost", says="The disk is full."),)
        state = SenseHealth(name="Camera", sense="camera", state="ready")
        gone = SenseHealth(name="Camera", sense="camera", state="lost", says="It is gone.", remedy="Plug it in.")
        return (gone if self.looks > 5 else state,)

    def start(self) -> None: ...

    def poll(self) -> None:
        type(self).looks += 1

    def record(self, folder: Path) -> None:
        self.recording = folder

    def stop_recording(self) -> Path | None:
        kept, self.recording = self.recording, None
        return None if self.fails else kept

    def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "looks", 0)
    monkeypatch.setattr(live_table, "LiveTable", Table)


def test_it_waits_for_the_table_records_for_so_long_and_says_what_happens(tmp_path: Path) -> None:
    said: list[str] = []
    waited: list[float] = []
    kept = live_table.record(tmp_path / "kept", 2.0, Config(table="simulated"), said.append, waited.append)
    assert kept == tmp_path / "kept"
    assert said[0] == f"Recording the simulated table into {tmp_path / 'kept'}. Ctrl+C ends it."
    assert said[1:] == ["Camera: It is gone. Plug it in."]
    assert sum(waited) == pytest.approx(2.3)


def test_what_was_recorded_before_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "recording.json").write_text("{}")
    with pytest.raises(BadRecording, match="is a recording already"):
        live_table.record(tmp_path, 1.0, Config(table="simulated"), print)


def test_an_interrupt_ends_the_recording_and_keeps_it(tmp_path: Path) -> None:
    said: list[str] = []

    def interrupted(seconds: float) -> None:
        if Table.looks > 5:
            raise KeyboardInterrupt

    kept = live_table.record(tmp_path / "kept", None, Config(table="simulated"), said.append, interrupted)
    assert (kept, said[-1]) == (tmp_path / "kept", "That is enough.")


def test_what_was_lost_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "fails", True)
    with pytest.raises(DiskTrouble, match="The disk is full"):
        live_table.record(tmp_path / "kept", 2.0, Config(table="simulated"), print, lambda seconds: None)


def test_without_any_table_it_says_why(tmp_path: Path) -> None:
    with pytest.raises(DeviceLost, match="switched off"):
        live_table.record(tmp_path / "kept", 1.0, Config(table="off"), print)
