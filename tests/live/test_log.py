"""The table's log: small, rotating, and silent about the same thing."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from companion.live import log as logs
from companion.live.log import TableLog


class _Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_the_same_words_are_written_once_a_minute_with_how_often(tmp_path: Path) -> None:
    clock = _Clock()
    log = TableLog(tmp_path, clock)
    for _ in range(50):
        log.say("the camera blinks")
    clock.now_s = 61.0
    log.say("the camera blinks")
    log.close()
    lines = log.file.read_text().splitlines()
    assert [line.partition(": ")[2] for line in lines] == ["the camera blinks", "the camera blinks (50 times)"]


def test_an_error_is_written_with_where_it_was(tmp_path: Path) -> None:
    log = TableLog(tmp_path)
    try:
        raise ZeroDivisionError("nothing")
    except ZeroDivisionError as error:
        log.warn("sensing stumbled", error)
    log.close()
    text = log.file.read_text()
    assert "WARNING" in text
    assert "ZeroDivisionError: nothing" in text
    assert "test_log.py" in text


def test_it_never_grows_beyond_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_MOST_BYTES", 2000)
    log = TableLog(tmp_path)
    for number in range(400):
        log.say(f"line {number} of an evening that is far too long")
    log.close()
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["table.log", "table.log.1", "table.log.2"]
    assert sum(file.stat().st_size for file in files) < 3 * 2100
    assert "line 399" in log.file.read_text()


def test_a_full_disk_is_told_and_tried_again_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Clock()
    log = TableLog(tmp_path, clock)

    def full(self: object, record: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as broken:
        broken.setattr(logs._Handler, "emit", full)
        log.say("one")
    assert log.trouble == f"The log cannot be written to {log.file}: no space left on device."
    log.say("two")
    assert log.trouble
    clock.now_s = 30.0
    log.say("three")
    assert not log.trouble
    log.close()
    assert log.file.read_text().count("\n") == 1
