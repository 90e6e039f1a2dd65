"""What is read off the board is asked once, learned, and never refused without a reason."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.errors import Malformed
from companion.rules.base import Action, Correction, Setup
from companion.rules.box import Learned
from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.actions import (
    DoneBuilding,
    Erect,
    Payment,
    PayTribute,
    PlaceHelper,
    PostHelper,
    ReadCart,
    ReadFee,
    ReadTile,
    ReadWinterSpaces,
)
from companion.rules.castle_for_all_seasons.asks import CART_ASK, FEE_ASK, SPACES_ASK, TILE_ASK
from companion.rules.castle_for_all_seasons.deal import deal
from companion.rules.castle_for_all_seasons.state import Tile
from companion.rules.table import Choice
from tests.rules.castle_for_all_seasons.table import BOX, NORTH, SEATS, Table, table

TOWER = Payment(own={"stone": 1, "wood": 1, "sand": 1})


class First:
    """A dealer who always picks the first."""

    def pick(self, count: int) -> int:
        assert count > 0
        return 0


def unread(**options: Any) -> Table:
    return Table(GAME.setup(Setup(seats=SEATS[:3], options=options)))


def test_a_tile_must_be_read_before_it_is_erected() -> None:
    here = unread().give(NORTH, stone=1).reveal("sand-worker", "messenger", "messenger")
    here.refuses(Erect(seat=NORTH, building="tower", payment=TOWER), "board.read", final=True)
    choices = GAME.prompts(here.state)[0].choices
    assert [choice.label for choice in choices if choice.group == "Read once"] == [
        "Read a well tile off the board", "Read a tower tile off the board", "Read a house tile off the board"
    ]  # fmt: skip
    here.do(ReadTile(building="tower", printed=Tile(value=8, vp=6)), Erect(seat=NORTH, building="tower", payment=TOWER))
    assert here.points(NORTH) == 3


def test_a_fee_must_be_read_before_a_helper_is_placed() -> None:
    here = unread().give(NORTH, stone=1, talers=20).do(ReadTile(building="tower", printed=Tile(value=8, vp=6)))
    here.reveal("stonemason", "messenger", "messenger").do(Erect(seat=NORTH, building="tower", payment=TOWER))
    here.refuses(PlaceHelper(seat=NORTH, spot="market-1"), "helper.cards")
    here.do(DoneBuilding(seat=NORTH))
    here.refuses(PlaceHelper(seat=NORTH, spot="market-1"), "board.read", final=True)
    here.do(ReadFee(spot="market-1", talers=7), PlaceHelper(seat=NORTH, spot="market-1"))
    assert here.state.helpers == {"market-1": NORTH}


@pytest.mark.parametrize(
    ("action", "learned"),
    [
        (ReadTile(building="tower", printed=Tile(value=8, vp=6)), ("buildings", "tower", {"value": 8, "vp": 6})),
        (ReadFee(spot="keep", talers=9), ("fees", "keep", {"talers": 9})),
        (ReadCart(cart="silver", pieces=2), ("carts", "silver", {"pieces": 2})),
    ],
)
def test_what_is_read_is_learned_and_known_next_time(action: Any, learned: tuple[str, str, Any]) -> None:
    """ruling.asked-once"""
    state = unread().state
    name, key, entry = learned
    assert GAME.learns(state, action) == (Learned(table=name, key=key, entry=entry),)
    again = GAME.setup(Setup(seats=SEATS[:3], box={name: {key: entry}}))
    assert GAME.apply(state, action).state.printed == again.printed
    assert GAME.learns(state, msgspec.structs.replace(action, practice=True)) == ()


def test_winter_spaces_are_learned() -> None:
    state = unread(season="winter").state
    action = ReadWinterSpaces(spaces=(3, 9))
    assert GAME.learns(state, action) == (Learned(table="winter-spaces", key="spaces", entry={"spaces": [9, 3]}),)


def test_a_wrong_reading_can_be_set_right_and_that_is_learned_too() -> None:
    here = table()
    here.refuses(ReadFee(spot="keep", talers=11), "board.read")
    here.refuses(ReadTile(building="tower", printed=Tile(value=10, vp=6)), "board.read")
    here.refuses(ReadCart(cart="sand", pieces=9), "board.read")
    right = Correction(set={"printed/fees/keep": 11})
    assert GAME.learns(here.state, right) == (Learned(table="fees", key="keep", entry={"talers": 11}),)
    here.do(right)
    assert here.state.printed.fees["keep"] == 11


def test_carts_that_wait_pay_when_the_last_unread_one_is_left_by_agreement() -> None:
    here = unread().reveal("trader", "messenger", "messenger").do(PostHelper(seat=NORTH, cart="sand"))
    assert here.state.phase == "carts"
    here.do(ReadCart(cart="clay", pieces=3)).overrule(PostHelper(seat=NORTH, cart="clay", source="sand"))
    assert here.state.phase == "lay"
    assert here.held(NORTH)["clay"] == 2


def test_no_cart_shows_nothing() -> None:
    with pytest.raises(Malformed):
        GAME.setup(Setup(seats=SEATS[:2], box={"carts": {"sand": {"pieces": 0}}}))


def test_a_seat_that_is_not_there_has_a_label_too() -> None:
    assert GAME.label(table().state, PayTribute(seat=3)) == "Seat 3: pay tribute"


def test_other_actions_teach_nothing() -> None:
    here = table().reveal("trader", "messenger", "messenger")
    for prompt in GAME.prompts(here.state):
        for choice in prompt.choices:
            if choice.legal:
                assert GAME.learns(here.state, choice.action) == ()


@pytest.mark.parametrize(
    "action",
    [
        ReadTile(building="house", printed=Tile(value=2, vp=0)),
        ReadFee(spot="market-2", talers=0),
        ReadCart(cart="sand", pieces=1),
        ReadWinterSpaces(spaces=(1,)),
    ],
)
def test_the_companion_draws_practice_values_and_says_so(action: Action) -> None:
    here = unread(season="winter")
    ask = next(ask for ask in _asks(action))
    dealt: Any = deal(here.state, Choice(label="", action=action, asks=(ask,)), First(), GAME.box)
    assert dealt.practice
    assert GAME.learns(here.state, dealt) == ()


def _asks(action: Action) -> Any:
    return ({ReadTile: TILE_ASK, ReadFee: FEE_ASK, ReadCart: CART_ASK, ReadWinterSpaces: SPACES_ASK}[type(action)],)


def test_what_a_box_is_known_to_show_is_not_made_up() -> None:
    box = GAME.box.with_learned([Learned(table="fees", key="keep", entry={"talers": 13})])
    choice = Choice(label="", action=ReadFee(spot="keep", talers=0), asks=_asks(ReadFee(spot="keep", talers=0)))
    assert deal(unread().state, choice, First(), box) == ReadFee(spot="keep", talers=13)


def test_the_plain_tiles_are_even_and_practice_uses_each_once() -> None:
    known = {(entry["value"], entry["vp"]) for entry in GAME.box["plain-tiles"].values()}
    ours = [(entry["value"], entry["vp"]) for entry in GAME.box["practice-buildings"].values()]
    assert {*ours} == known
    assert len(ours) == 3
    assert all(points % 2 == 0 for _, points in known)


def test_every_box_table_says_where_it_comes_from() -> None:
    for name, entries in GAME.box.tables.items():
        assert entries.source
        assert (entries.confidence == "practice") == name.startswith("practice-")


def test_a_board_read_whole_asks_nothing() -> None:
    here = Table(GAME.setup(Setup(seats=SEATS[:3], box=BOX))).reveal("trader", "messenger", "bricklayer")
    assert "Read" not in str([choice.label for prompt in GAME.prompts(here.state) for choice in prompt.choices])
