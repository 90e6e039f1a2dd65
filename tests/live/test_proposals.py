"""What the desk is made of: answers as choices, pieces in a castle, bookings that wait to be seen."""

from __future__ import annotations

from collections import Counter
from typing import Any, get_args

import msgspec
import pytest

from companion.live.ledger import Ledger
from companion.live.pieces import standing
from companion.live.policies import Kind, Policies
from companion.live.proposals import Answer, Decided, Tallest
from companion.rules.base import Setup
from companion.rules.castle_dukes import GAME, castle
from companion.rules.castle_dukes.actions import PlaceTile
from companion.rules.castle_dukes.asks import TILE_ASKS
from companion.rules.random_play import Luck, play
from companion.sensing import streams
from companion.sensing.streams import Sensed

LEFT_TILE, LEFT_PILLAR = ("tile", "left"), ("pillar", "left")


def sensed(kind: Kind, piece: str | None = "floor-tile", tower: str | None = "left", **more: Any) -> Sensed:
    return Sensed(kind=kind, t_us=0, decided_us=0, board="north", piece=piece, tower=tower, **more)


def test_there_is_a_policy_for_each_kind_that_can_be_sensed() -> None:
    assert get_args(Kind) == get_args(streams.Kind) == Policies.__struct_fields__


def test_an_answer_is_a_choice_to_be_completed() -> None:
    answer = Answer(id="a", label="Tile", weight="book", actions=(PlaceTile(seat=0, tower="left"),), asks=TILE_ASKS)
    assert answer.choice is not None
    told = GAME.answered(answer.choice, {"cobbles": 3, "spaces": 0, "ends": False})
    assert told == PlaceTile(seat=0, tower="left", cobbles=3, spaces=0, ends=False)
    assert Answer(id="b", label="No", weight="reject").choice is None


def test_a_decision_round_trips() -> None:
    decided = Decided(
        id="3", kind="collapse", seat=1, board="east", title="East: a collapse", answer="Crumble token",
        ending="book", by="people", event=sensed("collapse", None, None, confidence=0.9), lines=(4, 5),
    )  # fmt: skip
    assert msgspec.json.decode(msgspec.json.encode(decided), type=Decided) == decided


@pytest.mark.parametrize(
    ("game", "measured", "agrees"), [(3, 3, True), (3, 4, False), (None, 4, True), (3, None, True)]
)
def test_only_two_numbers_can_disagree(game: int | None, measured: int | None, agrees: bool) -> None:
    assert Tallest(seat=0, game=game, measured=measured).agrees is agrees


def test_every_piece_of_a_castle_stands_somewhere() -> None:
    """Whatever a castle holds by the rules is found in one of its spots, once."""
    for state, _ in play(GAME, Setup(seats=("North", "East")), Luck(5)):
        for duke in state.dukes:
            found: Counter[str] = Counter()
            for (kind, _spot), count in standing(duke.castle).items():
                found[kind] += count
            assert found == Counter(castle.pieces(duke.castle))


# Bookings that wait to be seen


def test_a_booking_is_seen_as_often_as_it_was_made() -> None:
    ledger = Ledger()
    ledger.booked(0, {LEFT_PILLAR: 2}, now_us=0)
    seen = [ledger.shown(0, sensed("placed", "pillar")) for _ in range(3)]
    assert seen == [True, True, False]


@pytest.mark.parametrize(
    "event",
    [
        sensed("removed"),
        sensed("placed", "pillar"),
        sensed("placed", tower="right"),
    ],
)
def test_a_booking_is_not_seen_in_something_else(event: Sensed) -> None:
    ledger = Ledger()
    ledger.booked(0, {LEFT_TILE: 1}, now_us=0)
    assert not ledger.shown(0, event)
    assert not ledger.shown(1, sensed("placed"))
    assert ledger.shown(0, sensed("placed"))


@pytest.mark.parametrize("event", [sensed("placed", None), sensed("placed", tower=None), sensed("placed", "roof")])
def test_what_the_senses_do_not_tell_can_be_what_was_booked(event: Sensed) -> None:
    ledger = Ledger()
    ledger.booked(0, {LEFT_TILE: 1}, now_us=0)
    assert ledger.shown(0, event)


def test_a_booking_taken_back_evens_out() -> None:
    ledger = Ledger()
    ledger.booked(0, {LEFT_TILE: 1}, now_us=0)
    ledger.booked(0, {LEFT_TILE: -1}, now_us=0)
    assert not ledger.shown(0, sensed("placed"))
    assert not ledger.shown(0, sensed("removed"))


def test_a_tower_that_is_as_booked_waits_for_no_tile() -> None:
    ledger = Ledger()
    ledger.booked(0, {LEFT_TILE: 1, LEFT_PILLAR: 1}, now_us=0)
    ledger.agreed(0, "left")
    assert not ledger.shown(0, sensed("placed"))
    assert ledger.shown(0, sensed("placed", "pillar"))


def test_a_booking_that_was_missed_is_forgotten() -> None:
    ledger = Ledger()
    ledger.booked(0, {LEFT_TILE: 1}, now_us=0)
    ledger.forget(now_us=299_000_000)
    ledger.forget(now_us=301_000_000)
    assert not ledger.shown(0, sensed("placed"))
