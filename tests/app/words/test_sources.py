"""Sentences read out of source, and what of them counts as shown."""

from __future__ import annotations

from textwrap import dedent

import pytest

from companion.app.words.sources import read, read_spoken
from companion.app.words.templates import GAMES, texts

_IDS = frozenset({"rule", "what"})


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('note(f"{name} pays {amount(2)}.")', ["{0} pays {1}."]),
        ("note(f\"{name} pays {amount(2, 'coin')}.\")", ["{0} pays {1}.", "coin"]),
        ('note("The game is over.", rule="table.over")', ["The game is over."]),
        ("note(f\"done{f': {left} lost' if left else ''}.\")", ["done: {0} lost.", "done."]),
        ("note(f\"draws ({gives or 'nothing'})\")", ["draws ({0})", "draws (nothing)"]),
        ("note(f\"{count} guest{'' if count == 1 else 's'}\")", ["{0} guest", "{0} guests"]),
        ('words("puts a {0.item}")', ["puts a {0}"]),
        ('note("left " + name)', ["left {0}"]),
        ('x: Literal["king", "knight"] = y', ["king", "knight"]),
        ('NAMES = {"tile": "floor tile"}', ["floor tile"]),
        ('if phase == "room" and kind in ("a", "b"): pass', []),
        ('state["phase"]; getattr(state, "seat"); state.get("box")', []),
        ('"""A docstring."""', []),
        ('__all__ = ["GAME"]', []),
    ],
)
def test_what_is_read(source: str, found: list[str]) -> None:
    assert read(source, _IDS) == found


def test_a_text_kept_under_a_name_is_read_where_it_is_used() -> None:
    source = """
    def stop(referee, coins):
        left = f": {coins} lost" if coins else ""
        referee.note(f"{name} is done{left}.")
    """
    assert read(dedent(source), _IDS) == ["{0} is done: {1} lost.", "{0} is done."]


def test_a_text_that_grows_by_itself_is_read_once() -> None:
    source = """
    def grow():
        told = "one"
        told = f"{told} more"
        return f"{told}."
    """
    assert "{0} more." in read(dedent(source), _IDS)


def test_a_row_of_texts_is_taken_apart() -> None:
    source = """
    def why(full):
        why, rule = ("it is full", "a.b") if full else ("none is left", "c.d")
        note(f"Not gained: {why}.")
    """
    found = read(dedent(source), _IDS)
    assert {"Not gained: it is full.", "Not gained: none is left."} <= set(found)


def test_what_the_app_speaks_keeps_its_named_fields() -> None:
    source = 'self.t("{name} begins.").format(name=n); t("Yes") if yes else t("No"); other("kept out")'
    assert set(read_spoken(source, frozenset({"t"}))) == {"{name} begins.", "Yes", "No"}


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_and_option_of_a_game_is_among_its_texts(game: str) -> None:
    found = set(texts(game))
    assert any(len(text) > 60 for text in found)
    assert not any(text.startswith("ruling.") for text in found)


def test_ids_are_not_shown() -> None:
    shown = set(texts("castle-dukes"))
    assert not shown & {"room.coins", "castle-dukes", "zero_ranks", "dials/{0}", "North"}
    assert {"{0} pays {1}.", "Game over", "The dragon attacks!"} <= shown
