"""The kiosk: what is written, that it can be done twice, and that undoing it leaves a home as it was."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion import kiosk
from companion.errors import DiskTrouble, Malformed

_UNIT = ".config/systemd/user/castle-companion.service"
_MENU = ".local/share/applications/castle-companion.desktop"
_AUTOSTART = ".config/autostart/castle-companion.desktop"
_ALL = {_UNIT, _MENU, _AUTOSTART}


class FakeSystemctl:
    """A systemd that is there or not, and remembers what it was told."""

    def __init__(self, *, there: bool) -> None:
        self.there = there
        self.told: list[tuple[str, ...]] = []

    def __call__(self, words: Sequence[str]) -> bool:
        self.told.append(tuple(words))
        return self.there


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def executable(tmp_path: Path) -> Path:
    file = tmp_path / "a folder" / "companion"
    file.parent.mkdir()
    file.write_text('#!/bin/sh\necho "started" "$@"\n', encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.fixture
def absent() -> FakeSystemctl:
    return FakeSystemctl(there=False)


def _files(home: Path) -> dict[str, str]:
    return {str(path.relative_to(home)): path.read_text(encoding="utf-8") for path in home.rglob("*") if path.is_file()}


def _unit(home: Path) -> configparser.ConfigParser:
    read = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read(home / _UNIT, encoding="utf-8")
    return read


# Installing


def test_three_files_are_written_and_said(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    report = kiosk.install(home, executable, absent)
    assert set(_files(home)) == _ALL
    assert len(report.did) == 3
    assert all(line.startswith("Wrote ") for line in report.did)


def test_the_unit_restarts_after_a_failure_and_comes_after_the_desktop(
    home: Path, executable: Path, absent: FakeSystemctl
) -> None:
    kiosk.install(home, executable, absent)
    unit = _unit(home)
    assert unit["Unit"]["After"] == "graphical-session.target"
    assert unit["Service"]["Restart"] == "on-failure"
    assert unit["Service"]["ExecStart"] == f'"{executable}"'
    assert unit["Install"]["WantedBy"] == "graphical-session.target"
    assert "Environment=COMPANION_FULLSCREEN=1" in _files(home)[_UNIT]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_unit(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    kiosk.install(home, executable, absent)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", str(home / _UNIT)],
        capture_output=True,
        text=True,
        check=False,
        env={"XDG_RUNTIME_DIR": str(home), "PATH": "/usr/bin:/bin"},
    )
    assert [line for line in done.stderr.splitlines() if "castle-companion" in line] == []


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="desktop-file-utils is not installed")
@pytest.mark.parametrize("file", [_MENU, _AUTOSTART])
def test_the_desktop_finds_nothing_wrong_with_the_entries(
    home: Path, executable: Path, absent: FakeSystemctl, file: str
) -> None:
    kiosk.install(home, executable, absent)
    done = subprocess.run(["desktop-file-validate", str(home / file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_entry_starts_the_companion_without_systemd(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    """The words of Exec, unquoted as a desktop does, run with a systemctl that fails."""
    kiosk.install(home, executable, absent)
    words = _exec_words(_files(home)[_AUTOSTART])
    failing = home / "bin" / "systemctl"
    failing.parent.mkdir()
    failing.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    failing.chmod(0o755)
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env={"PATH": f"{failing.parent}:/usr/bin:/bin"}
    )
    assert (done.returncode, done.stdout) == (0, "started\n")


def _exec_words(text: str) -> list[str]:
    """The words of Exec: once unescaped as a value of the file, then unquoted, for which a shell has the same rules."""
    line = next(line for line in text.splitlines() if line.startswith("Exec="))
    quoted = line.removeprefix("Exec=").replace("\\\\", "\\").replace("%%", "%")
    told = subprocess.run(["sh", "-c", f"printf '%s\\0' {quoted}"], capture_output=True, text=True, check=True)
    return told.stdout.split("\0")[:-1]


@pytest.mark.parametrize("name", ['the "best"', "50% off", "$HOME", "back\\slash", "it's", "`tick`"])
def test_odd_folders_are_quoted(home: Path, tmp_path: Path, absent: FakeSystemctl, name: str) -> None:
    executable = tmp_path / name / "companion"
    executable.parent.mkdir()
    executable.write_text("", encoding="utf-8")
    executable.chmod(0o755)
    kiosk.install(home, executable, absent)
    assert _exec_words(_files(home)[_MENU]) == [str(executable)]


def test_doing_it_again_changes_nothing(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    kiosk.install(home, executable, absent)
    before = _files(home)
    report = kiosk.install(home, executable, absent)
    assert _files(home) == before
    assert all(line.endswith("is there already.") for line in report.did)


def test_a_companion_that_moved_is_written_anew(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    kiosk.install(home, executable, absent)
    moved = executable.rename(executable.with_name("moved"))
    kiosk.install(home, moved, absent)
    assert set(_files(home)) == _ALL
    assert _unit(home)["Service"]["ExecStart"] == f'"{moved}"'


def test_systemd_is_told_where_it_runs(home: Path, executable: Path) -> None:
    there = FakeSystemctl(there=True)
    report = kiosk.install(home, executable, there)
    assert there.told == [("daemon-reload",), ("enable", kiosk.UNIT)]
    assert report.left == (f"To open it now: systemctl --user start {kiosk.UNIT}",)
    there.told.clear()
    kiosk.remove(home, there)
    assert there.told == [("disable", kiosk.UNIT), ("daemon-reload",)]


def test_without_systemd_it_says_how_to_enable_it(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    report = kiosk.install(home, executable, absent)
    assert f"systemctl --user enable --now {kiosk.UNIT}" in str(report)


def test_what_cannot_be_started_is_refused(home: Path, tmp_path: Path, absent: FakeSystemctl) -> None:
    plain = tmp_path / "plain"
    plain.write_text("", encoding="utf-8")
    for wrong in (tmp_path / "nowhere", plain, Path("companion"), tmp_path):
        with pytest.raises(Malformed, match="full path of a program"):
            kiosk.install(home, wrong, absent)
    with pytest.raises(Malformed, match="characters"):
        kiosk.install(home, tmp_path / "two\nlines", absent)
    assert _files(home) == {}


def test_a_home_that_cannot_hold_it_is_said(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    (home / ".config").write_text("a file where a folder should be", encoding="utf-8")
    with pytest.raises(DiskTrouble, match="a file is where a folder should be"):
        kiosk.install(home, executable, absent)


# Undoing


def test_undoing_leaves_a_home_as_it_was(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    kiosk.install(home, executable, absent)
    report = kiosk.remove(home, absent)
    assert list(home.iterdir()) == []
    assert all(line.startswith("Removed ") for line in report.did)
    assert kiosk.remove(home, absent).did == ("There was nothing to undo.",)


def test_files_of_others_stay(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    other = home / ".config/autostart/other.desktop"
    other.parent.mkdir(parents=True)
    other.write_text("[Desktop Entry]", encoding="utf-8")
    kiosk.install(home, executable, absent)
    kiosk.remove(home, absent)
    assert _files(home) == {".config/autostart/other.desktop": "[Desktop Entry]"}


def test_a_file_that_was_there_before_comes_back(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    mine = home / _UNIT
    mine.parent.mkdir(parents=True)
    mine.write_text("[Unit]\nDescription=mine\n", encoding="utf-8")
    report = kiosk.install(home, executable, absent)
    assert f"it is kept as {mine}.kept-1." in report.did[0]
    assert _unit(home)["Unit"]["Description"] == "Castle Companion"
    kiosk.remove(home, absent)
    assert _files(home) == {_UNIT: "[Unit]\nDescription=mine\n"}
    assert kiosk.remove(home, absent).did == (f"{mine} is not ours; it was left as it is.",)


def test_a_file_of_ours_that_was_changed_is_set_aside(home: Path, executable: Path, absent: FakeSystemctl) -> None:
    kiosk.install(home, executable, absent)
    unit = home / _UNIT
    changed = unit.read_text(encoding="utf-8").replace("RestartSec=5", "RestartSec=60")
    unit.write_text(changed, encoding="utf-8")
    kiosk.install(home, executable, absent)
    assert (home / f"{_UNIT}.changed-1").read_text(encoding="utf-8") == changed
    unit.write_text(changed, encoding="utf-8")
    kiosk.remove(home, absent)
    assert set(_files(home)) == {f"{_UNIT}.changed-1", f"{_UNIT}.changed-2"}


def test_the_real_systemctl_never_raises(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert kiosk.systemctl(("daemon-reload",)) is False
