"""Whole games of Castle Dukes through the table model, by touches alone."""

from __future__ import annotations

import pytest

from companion.app.models.castle_dukes import dukes_view
from companion.app.models.table import TableModel
from companion.app.models.tally import TallyModel
from companion.rules import registry
from companion.rules.base import Action, Correction, Dealer, Setup
from companion.rules.box import Box
from companion.rules.castle_dukes.state import State
from companion.rules.table import Choice
from companion.session.clocks import ManualClock
from companion.session.dealing import RandomDealer
from companion.session.origins import CORRECTION
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.app.models.hand import Hand, Played
from tests.text import toy

_MOST_MOVES = 3000
_EACH_TURN = frozenset({
    "take-room", "pass-rooms", "draw-tile", "take-pillars", "draw-construction", "stop-buying", "place-tile",
    "place-roof", "place-bridge", "place-pillars", "build-room", "furnish-room", "arm-top", "finish-building",
    "reveal-guests", "house-guest", "spend", "award-guest",
})  # fmt: skip


class _Drawn(toy.Hilltop):
    """Hilltop with an answer by chance to everything asked."""

    def deal(self, state: toy.HillState, choice: Choice, dealer: Dealer, box: Box) -> Action:
        if isinstance(choice.action, toy.Build):
            return toy.Build(seat=choice.action.seat, count=1)
        if isinstance(choice.action, toy.Paint):
            return toy.Paint(seat=choice.action.seat, colours=("red", "blue"))
        if isinstance(choice.action, toy.Fly):
            return toy.Fly(seat=choice.action.seat, colour="green", motto="Up")
        return super().deal(state, choice, dealer, box)


def whole_game(hand: Hand, seed: int) -> list[Played]:
    dealer = RandomDealer(seed)
    played: list[Played] = []
    while not hand.model.view.over:
        played.append(hand.play(dealer))
        assert len(played) < _MOST_MOVES
        if len(played) % 5 == 0 and isinstance(hand.model.state, State):
            dukes_view(hand.model.state, hand.model.view)
    return played


def test_four_dukes_play_to_the_podium_with_every_card_told_by_touches(hand: Hand, session: Session) -> None:
    played = whole_game(hand, seed=3)
    each_turn = [move for move in played if move.do in _EACH_TURN]
    assert {"take-room", "place-tile", "place-pillars", "build-room", "reveal-guests", "crumble"} <= {
        move.do for move in played
    }
    known = [move for move in each_turn if not move.told_anew]
    assert len(known) > 150
    assert max(move.touches for move in known) <= 2, [move for move in known if move.touches > 2]
    assert max(move.touches for move in each_turn) <= 6
    assert session.outcome().winners
    assert not any(line.kind == "correction" for line in session.history())


def test_two_guest_cards_take_two_touches(shelf: Shelf, clock: ManualClock) -> None:
    seats = ("North", "East", "South", "West", "NE")
    to_guests = {"phase": "guest-card", "turn": 4, **{f"dukes/{seat}/coins": 0 for seat in range(5)}}
    with shelf.new("castle-dukes", Setup(seats=seats)) as session:
        session.dispatch(Correction(set=to_guests), CORRECTION)
        hand = Hand(TableModel(session, dealer=RandomDealer(1), clock=clock))
        prompt, choice = hand.pressing()
        hand.take(hand.choice(choice.label), choice, hand.drawn(choice, RandomDealer(2)))
        assert prompt.seat is None
        assert len(session.state.guest_cards if session.state else ()) == 2  # type: ignore[attr-defined]
        assert hand.touches == 2


def test_a_light_game_and_a_solo_game_end_too(shelf: Shelf, clock: ManualClock) -> None:
    for seats, options in ((("North", "East"), {"detail": "light"}), (("North",), {"solo": "awesome"})):
        with shelf.new("castle-dukes", Setup(seats=seats, options=dict(options))) as session:
            whole_game(Hand(TableModel(session, dealer=RandomDealer(1), clock=clock)), seed=7)
            assert TallyModel(session).podium.places


def test_the_companion_draws_a_whole_game_by_one_touch_a_move(session: Session, clock: ManualClock) -> None:
    hand = Hand(TableModel(session, dealer=RandomDealer(2), clock=clock, auto_draw=True))
    moves = 0
    dealer = RandomDealer(4)
    while not hand.model.view.over:
        legal = [
            choice
            for prompt in hand.model.view.prompts
            for choice in prompt.choices
            if prompt.urgency == "must" and choice.legal
        ]
        hand.touch(legal[dealer.pick(len(legal))].id)
        assert hand.model.view.message is None
        moves += 1
        assert moves < _MOST_MOVES
    assert hand.touches == moves


def test_a_game_taken_up_in_the_middle_goes_on_where_it_stood(shelf: Shelf, clock: ManualClock) -> None:
    seats = ("North", "East", "South")
    dealer = RandomDealer(6)
    with shelf.new("castle-dukes", Setup(seats=seats)) as session:
        hand = Hand(TableModel(session, dealer=RandomDealer(1), clock=clock))
        for _ in range(60):
            hand.play(dealer)
        shown, saved = hand.model.view, session.id
    with shelf.open(saved) as session:
        hand = Hand(TableModel(session, dealer=RandomDealer(1), clock=clock))
        again = hand.model.view
        assert (again.headline, again.tail) == (shown.headline, shown.tail)
        assert [[counter.value for counter in seat.counters] for seat in again.seats] == [
            [counter.value for counter in seat.counters] for seat in shown.seats
        ]
        assert again.undo is not None
        assert shown.undo is not None
        assert again.undo.label == shown.undo.label
        for _ in range(30):
            hand.play(dealer)
        assert session.seq == 91
        assert registry.get("castle-dukes").faults(session.state) == ()


@pytest.mark.parametrize("game", [game.info.id for game in registry.shelf()])
def test_every_game_plays_whole_through_its_prompts(game: str, shelf: Shelf, clock: ManualClock) -> None:
    mode = min(registry.get(game).info.modes, key=lambda mode: mode.players)
    setup = Setup(seats=("North", "East", "South", "West")[: mode.players], options=dict(mode.options))
    with shelf.new(game, setup) as session:
        whole_game(Hand(TableModel(session, dealer=RandomDealer(1), clock=clock)), seed=1)
        assert TallyModel(session).podium.places


def test_a_game_with_secrets_plays_whole(shelf: Shelf, clock: ManualClock) -> None:
    shelf.game_of = lambda _: _Drawn()
    with shelf.new("hilltop", Setup(seats=("North", "East"))) as session:
        whole_game(Hand(TableModel(session, dealer=RandomDealer(1), clock=clock)), seed=2)
        assert TallyModel(session).view.category is not None
