"""Numbers that are proposed on one page, texts that are told piece by piece, and answers that stand by their move."""

from __future__ import annotations

import pytest

from companion.app.models.asking import AskingView, joined, pieces
from companion.app.models.table import TableModel
from companion.rules.base import Setup
from companion.rules.castle_dice.rolls import read
from companion.rules.table import Ask, Option
from companion.session.clocks import ManualClock
from companion.session.dealing import RandomDealer
from companion.session.shelf import Shelf
from tests.app.models.hand import Hand

_MOST_MOVES = 200


def _asking(hand: Hand) -> AskingView:
    asking = hand.model.view.asking
    assert asking is not None
    return asking


def _rolling(shelf: Shelf, clock: ManualClock) -> Hand:
    """A table of Castle Dice about to roll."""
    session = shelf.new("castle-dice", Setup(seats=("North", "East")))
    hand, dealer = Hand(TableModel(session, dealer=RandomDealer(1), clock=clock)), RandomDealer(1)
    for _ in range(_MOST_MOVES):
        asking = hand.model.view.asking
        if asking is not None and asking.do == "roll-world":
            return hand
        hand.play(dealer)
    raise AssertionError("nobody rolled")


def test_a_roll_is_told_die_by_die_each_by_one_touch(shelf: Shelf, clock: ManualClock) -> None:
    hand = _rolling(shelf, clock)
    dice = [dict(player.dice) for player in hand.model.state.players]
    count = sum(sum(own.values()) for own in dice)
    seq, before = hand.model.session.seq, hand.touches
    while hand.model.session.seq == seq:
        step = _asking(hand).now
        assert step.kind == "list"
        hand.touch(step.buttons[0].id)
    assert hand.touches - before == count
    hand.model.session.close()


def test_a_die_told_wrongly_is_put_back(shelf: Shelf, clock: ManualClock) -> None:
    hand = _rolling(shelf, clock)
    hand.touch(_asking(hand).now.buttons[0].id)
    first = _asking(hand)
    if first.step == 1:
        hand.touch(first.now.picked[0].id)
    else:
        hand.touch(first.back)
    assert (_asking(hand).step, _asking(hand).now.picked) == (1, ())
    hand.model.session.close()


def test_pieces_are_joined_to_what_the_rules_read() -> None:
    sides = tuple(Option(value=side, label=side) for side in ("1", "cow"))
    parts = tuple(
        Ask(field=field, label=field, kind="list", options=sides, low=1, high=2)
        for field in ("North: wood", "East: wood")
    )
    ask = Ask(field="rolls", label="all dice", kind="text", fields=parts)
    answers = {part.field: told for part, told in zip(pieces(ask), (["1", "cow"], ["1"]), strict=True)}
    text = joined((ask,), {**answers, "other": 3})
    assert text == {"rolls": "North: wood 1 cow; East: wood 1", "other": 3}
    rolled = read(str(text["rolls"]), ("North", "East"), ({"wood": 2}, {"wood": 1}))
    assert rolled.world == {"wood 1": 2, "wood cow": 1}


@pytest.mark.parametrize("kind", ["number", "choice", "list", "text", "entry"])
def test_anything_else_is_one_piece(kind: str) -> None:
    ask = Ask(field="it", label="it", kind=kind)  # type: ignore[arg-type]
    assert pieces(ask) == (ask,)
    assert joined((ask,), {"it": 1}) == {"it": 1}


def test_numbers_that_a_move_proposes_are_counted_on_one_page(shelf: Shelf, clock: ManualClock) -> None:
    setup = Setup(seats=("North", "East"), options={"detail": "light"})
    with shelf.new("castle-dukes", setup) as session:
        hand = Hand(TableModel(session, dealer=RandomDealer(1), clock=clock))
        hand.press("Turn the dials", 0)
        assert _asking(hand).now.kind in ("pad", "number")
        for _ in range(3):
            while _asking(hand).now.kind == "pad" and not _asking(hand).now.erase:
                hand.touch(_asking(hand).now.buttons[4].id)
            hand.touch(_asking(hand).now.done)
            if hand.model.view.asking is None:
                break
        hand.press("Turn the dials", 0)
        page = _asking(hand).now
        assert page.kind == "counts"
        assert [chip.value for chip in page.chips] == [4, 4, 4]
        before = hand.touches
        hand.touch(page.chips[1].plus)
        hand.touch(_asking(hand).now.done)
        assert hand.touches - before == 2
        dials = hand.model.state.dukes[0].dials
        assert sorted((dials.comfort, dials.offence, dials.defence)) == [4, 4, 5]
