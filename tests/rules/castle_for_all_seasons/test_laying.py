"""Choosing cards: what may be laid, the reveal, equipping workers."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.actions import Equip, LayCard, Reveal
from companion.rules.castle_for_all_seasons.phases import cards_missing, hand
from companion.rules.castle_for_all_seasons.supply import with_builder
from tests.rules.castle_for_all_seasons.table import EAST, NORTH, SOUTH, WEST, Table, table


def test_a_card_is_laid_once() -> None:
    here = table().do(LayCard(seat=NORTH, card="messenger"))
    here.refuses(LayCard(seat=NORTH, card="trader"), "cards.lay", final=True)


def test_only_cards_in_hand() -> None:
    here = table().round(2).played(NORTH, "messenger")
    here.refuses(LayCard(seat=NORTH, card="messenger"), "cards.hand", final=True)
    here.refuses(LayCard(seat=NORTH, card="face-down"), "cards.hand", final=True)


def test_not_revealed_before_all_have_laid() -> None:
    here = table().lay("messenger", "trader")
    here.refuses(Reveal(), "cards.reveal", final=True)
    here.do(LayCard(seat=SOUTH, card="trader"))
    assert here.state.phase == "reveal"


def test_the_master_builder_not_in_the_first_round() -> None:
    table().refuses(LayCard(seat=NORTH, card="master-builder"), "master.first-round", final=True)


def test_the_master_builder_not_with_all_cards_in_hand() -> None:
    here = table().round(2)
    here.refuses(LayCard(seat=NORTH, card="master-builder"), "master.all-cards", final=True)
    here.played(NORTH, "trader").do(LayCard(seat=NORTH, card="master-builder"))


def test_the_table_may_overrule_that_where_cards_are_open() -> None:
    here = table(cards="table")
    here.refuses(LayCard(seat=NORTH, card="master-builder"), "master.first-round")
    here.overrule(LayCard(seat=NORTH, card="master-builder"))
    assert here.state.builders[NORTH].laid == ("master-builder",)


def test_two_players_lay_two_cards() -> None:
    here = table(2).lay(("messenger", "trader"))
    assert cards_missing(here.state, NORTH) == 0
    assert cards_missing(here.state, EAST) == 2
    here.do(LayCard(seat=EAST, card="messenger"))
    here.refuses(LayCard(seat=EAST, card="messenger"), "cards.hand", final=True)


def test_two_players_and_one_card_left() -> None:
    here = table(2).round(5)
    played = tuple(card for card in hand(here.state.builders[NORTH]) if card not in ("master-builder", "trader"))
    here.stands(with_builder(here.state, NORTH, played=played, lost=("trader",)))
    assert cards_missing(here.state, NORTH) == 1


def test_cards_are_executed_in_their_order_from_the_starting_player() -> None:
    here = table(4).round(2).played(WEST, "trader")
    here.reveal("wood-worker", "messenger", "stonemason", "master-builder")
    assert here.state.builders[EAST].talers == 3 + 8
    assert here.stage() == (SOUTH, "buy")
    assert [(task.seat, task.card) for task in here.state.queue] == [(NORTH, "wood-worker"), (WEST, "master-builder")]


def test_the_same_card_goes_from_the_starting_player_on() -> None:
    here = Table(replace(table(3).state, first=SOUTH))
    here.reveal("trader", "trader", "trader")
    assert here.stage() == (SOUTH, "post")
    assert [task.seat for task in here.state.queue] == [NORTH, EAST]


def test_workers_are_equipped_at_the_reveal() -> None:
    here = table().reveal("wood-worker", "sand-worker", "stone-worker")
    assert here.state.builders[NORTH].carried == {"wood-worker": {"wood": 2, "silver": 1}}
    assert here.state.builders[EAST].carried == {"sand-worker": {"sand": 2, "clay": 1}}
    assert here.state.phase == "equip"
    here.refuses(Equip(seat=SOUTH, kinds=("sand",)), "worker.free", final=True)
    here.refuses(Equip(seat=SOUTH, kinds=("stone", "sand")), "worker.free", final=True)
    here.refuses(Equip(seat=NORTH, kinds=("sand", "sand")), "worker.equip", final=True)
    here.do(Equip(seat=SOUTH, kinds=("clay", "sand")))
    assert here.state.builders[SOUTH].carried == {"stone-worker": {"stone": 1, "clay": 1, "sand": 1}}


def test_free_pieces_are_not_asked_for_when_there_is_no_choice() -> None:
    here = table()
    here.give(EAST, sand=16, wood=13, clay=14)
    here.reveal("stone-worker", "messenger", "messenger")
    assert here.state.phase == "cards"
    assert here.held(NORTH) == {"sand": 1, "wood": 2, "stone": 1}


def test_empty_carts_equip_with_what_there_is() -> None:
    here = table().give(EAST, wood=13, silver=14)
    here.reveal("wood-worker", "messenger", "messenger")
    assert here.held(NORTH) == {"sand": 1, "wood": 2}


def test_the_starting_player_is_equipped_first() -> None:
    """ruling.equip-order"""
    here = Table(replace(table().give(EAST, wood=12, clay=14).state, first=SOUTH))
    here.reveal("wood-worker", "messenger", "wood-worker")
    assert here.state.builders[SOUTH].held == {"sand": 1, "wood": 1 + 2, "silver": 1}
    here.through()
    assert here.held(NORTH) == {"sand": 1, "wood": 1, "silver": 1}


def test_cards_entered_as_revealed() -> None:
    here = table(cards="table")
    assert here.state.phase == "reveal"
    assert [prompt.secret for prompt in GAME.prompts(here.state)] == [False] * 3
    here.lay("messenger", "messenger", "trader")
    assert here.stage() == (SOUTH, "post")
    assert here.talers(NORTH) == 12


def test_a_seat_that_is_not_there() -> None:
    table(2).refuses(LayCard(seat=SOUTH, card="trader"), "turn.seat", final=True)
    table(3).refuses(LayCard(seat=WEST, card="trader"), "turn.seat", final=True)
