"""What the companion has learned of boxes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.errors import DiskTrouble
from companion.rules.box import Learned
from companion.session.boxmemory import BoxMemory
from companion.session.session import Session
from tests.session.toy import Mark

MOON = Learned(table="marks", key="moon & stars", entry={"worth": 4, "tags": ["night"], "more": {"deep": True}})
SUN = Learned(table="marks", key="sun", entry={"worth": 1})


@pytest.fixture
def memory(tmp_path: Path) -> BoxMemory:
    return BoxMemory(tmp_path / "boxes")


def test_what_was_learned_is_known_to_the_next(memory: BoxMemory) -> None:
    memory.add("pebbles", MOON, SUN)
    again = BoxMemory(memory.folder)
    assert again.entries("pebbles") == (MOON, SUN)
    assert again.entries("other") == ()


def test_the_last_word_counts(memory: BoxMemory) -> None:
    memory.add("pebbles", SUN)
    better = Learned(table="marks", key="sun", entry={"worth": 2})
    memory.add("pebbles", better)
    assert memory.entries("pebbles") == (better,)
    memory.forget("pebbles", "marks", "sun")
    memory.forget("pebbles", "marks", "never there")
    assert memory.entries("pebbles") == ()


def test_what_was_left_unsaid_is_left_out(memory: BoxMemory) -> None:
    memory.add("pebbles", Learned(table="t", key="k", entry={"a": 1, "b": None}))
    assert memory.entries("pebbles")[0].entry == {"a": 1}


def test_the_file_has_the_form_of_shipped_box_data(memory: BoxMemory) -> None:
    memory.add("pebbles", SUN)
    raw = tomllib.loads((memory.folder / "pebbles.toml").read_text())
    assert raw["marks"]["confidence"] == "learned"
    assert raw["marks"]["entries"] == {"sun": {"worth": 1}}


def test_what_is_known_already_is_not_written_again(memory: BoxMemory) -> None:
    memory.add("pebbles", SUN)
    before = (memory.folder / "pebbles.toml").stat()
    memory.add("pebbles", SUN)
    assert (memory.folder / "pebbles.toml").stat().st_ino == before.st_ino


def test_two_tables_do_not_undo_each_other(memory: BoxMemory) -> None:
    other = BoxMemory(memory.folder)
    assert other.entries("pebbles") == ()
    memory.add("pebbles", SUN)
    other.add("pebbles", MOON)
    assert {item.key for item in memory.entries("pebbles")} == {"sun", "moon & stars"}


@pytest.mark.parametrize("damage", [b"not = [toml", b"\xff\xfe\x00", b"marks = 3"])
def test_a_damaged_file_is_set_aside_not_dropped(memory: BoxMemory, damage: bytes) -> None:
    memory.add("pebbles", MOON)
    (memory.folder / "pebbles.toml").write_bytes(damage)
    assert memory.entries("pebbles") == ()
    (aside,) = memory.set_aside
    assert aside.read_bytes() == damage
    memory.add("pebbles", SUN)
    assert memory.entries("pebbles") == (SUN,)
    assert aside.exists()


def test_a_folder_that_cannot_be(memory: BoxMemory) -> None:
    memory.folder.write_text("in the way")
    with pytest.raises(DiskTrouble):
        memory.add("pebbles", SUN)


def test_what_the_companion_drew_itself_or_a_sensor_saw_is_not_learned(session: Session) -> None:
    session.dispatch(Mark(name="practice"), "app")
    session.dispatch(Mark(name="guess"), "sensor camera")
    session.dispatch(Mark(name="real"), "seat 0")
    assert set(session.box["marks"]) == {"real"}
