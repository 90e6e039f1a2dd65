"""What is offered: every decision, with its sums and its consequences, and never a dead end."""

from __future__ import annotations

import msgspec
import pytest

from companion.rules.base import Correction, Setup
from companion.rules.castle_builder import GAME
from companion.rules.castle_builder.actions import EXAMPLES, BuildTile, DrawTiles, TakeCoin
from companion.rules.castle_builder.bench import large_game
from companion.rules.castle_builder.state import COINS, Tile
from companion.rules.table import Choice
from tests.rules.castle_builder.table import SEATS, Table, at, baron, due, table


def choices(laid: Table) -> list[Choice]:
    return [choice for prompt in GAME.prompts(laid.state) for choice in prompt.choices]


def test_every_open_spot_is_offered_with_the_sum_it_needs() -> None:
    laid = table(baron(at(1, 2, 10)))
    labels = laid.labels()
    assert any(label.startswith("Level 2 at 2½: needs 12 (10 + door 2); 2 steps to area 3") for label in labels)
    assert any(label.startswith("Level 1 at 1: any number; no steps") for label in labels)
    assert any("needs 10 (air + 10), air-stone below" in label for label in labels)


def test_an_entered_market_tile_is_offered_where_it_fits_and_refused_elsewhere() -> None:
    laid = table(baron(at(1, 2, 10)), tiles=(Tile(number=11, rubies=1), None, None))
    market = [choice for choice in choices(laid) if choice.group.startswith("Build market tile 1: 11, 1 ruby")]
    fits = {choice.label for choice in market if choice.legal}
    assert "11 on level 2 at 2½, paying 1 tile; 3 steps to area 4" in fits
    refused = [choice.refused for choice in market if choice.refused]
    assert {reason.rule for reason in refused} >= {"place.pattern"}


def test_a_build_asks_for_source_tile_and_payment() -> None:
    laid = table(baron(at(1, 2, 10)))
    (choice,) = [choice for choice in choices(laid) if choice.label.startswith("Level 2 at 2½")]
    assert [ask.field for ask in choice.asks] == ["source", "tile", "pay"]
    answered = GAME.answered(choice, {"source": "market-2", "tile": {"number": 11}, "pay": 1})
    assert answered == BuildTile(seat=0, level=2, x=3, source="market-2", tile=Tile(number=11), pay=1)
    laid.do(answered)


def test_the_likely_bottom_comes_first() -> None:
    laid = table(baron(at(1, 0, 6)))
    (choice,) = [choice for choice in choices(laid) if choice.label.startswith("Level 2 at ½")]
    (tile,) = [ask for ask in choice.asks if ask.field == "tile"]
    (bottom,) = [field for field in tile.fields if field.field == "bottom"]
    assert bottom.options[0].value == "air-stone"
    assert {field.field for field in tile.fields} == set(Tile.__struct_fields__)


def test_nothing_is_asked_that_cannot_be() -> None:
    laid = table(baron(holder=0), tiles=(Tile(number=3),) * 3)
    assert not any(choice.asks for choice in choices(laid) if isinstance(choice.action, BuildTile))
    assert "Draw 2 tiles" in laid.labels()


@pytest.mark.parametrize("coin", COINS)
def test_a_coin_is_offered_with_its_effect_in_words(coin: str) -> None:
    laid = due(coin=coin)  # type: ignore[arg-type]
    label = next(choice.label for choice in choices(laid) if choice.action == TakeCoin(seat=0, slot=0))
    assert ": " in label


def test_every_must_has_a_way_on() -> None:
    for coin in COINS:
        laid = due(baron(at(1, 0, 1)), baron(at(1, 0, 1)), coin=coin).do(TakeCoin(seat=0, slot=0))
        assert all(any(c.legal for c in prompt.choices) for prompt in GAME.prompts(laid.state) if prompt.must)


def test_the_prompts_of_a_large_castle_hold_together() -> None:
    state = large_game()
    assert GAME.faults(state) == ()
    assert all(choice.legal for prompt in GAME.prompts(state) for choice in prompt.choices if choice.asks)


def test_a_finished_game_offers_nothing() -> None:
    assert GAME.prompts(due(baron(coins=6), coin="monk").do(TakeCoin(seat=0, slot=0)).state) == ()


def test_the_picture_shows_what_people_watch() -> None:
    picture = GAME.picture(table(baron(at(1, 0, 4, windows=2), coins=2)).state)
    north = {counter.key: counter.value for counter in picture.counters if counter.seat == 0}
    assert north == {"coins": 2, "tiles": 3, "levels": 1, "windows": 2, "persons": 0, "roofs": 0, "area": 1}
    assert picture.headline == "Round 1: North draws or builds"
    assert [panel.title for panel in picture.panels] == ["Market", "Path", "Castle", "Castle"]
    castle = picture.panels[2].rows[0]
    assert [piece.label for piece in castle.pieces] == ["at 1: 4, 2 windows", "at 3: 2"]


def test_every_example_has_a_label_in_every_kind_of_game() -> None:
    full, light = table().state, table(options={"detail": "light"}).state
    for state in (full, light):
        assert all(GAME.label(state, action) for action in EXAMPLES)
    assert {type(action) for action in EXAMPLES} == set(GAME.action_types)
    assert GAME.label(full, Correction(why="agreed")) == "Correction: agreed"
    assert GAME.label(full, DrawTiles(seat=1)) == "East: draws 2 tiles"


def test_examples_round_trip() -> None:
    for action in EXAMPLES:
        assert GAME.decode_action(msgspec.json.decode(msgspec.json.encode(action))) == action


def test_nobody_plays_alone() -> None:
    for players in (1, 5):
        with pytest.raises(ValueError, match="2 to 4 players"):
            GAME.setup(Setup(seats=tuple(f"Seat {n}" for n in range(players))))
    assert GAME.setup(Setup(seats=SEATS, first=3)).active == 3
