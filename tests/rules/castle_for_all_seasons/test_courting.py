"""The damsel of the castle."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.actions import (
    Court,
    DeclareCourtship,
    LayCard,
    LeaveCourt,
    Reveal,
    TakeGift,
)
from companion.rules.castle_for_all_seasons.state import Damsel, Settling, Winter
from tests.rules.castle_for_all_seasons.table import EAST, NORTH, SOUTH, Table, table, winter


def damsel(players: int = 3) -> Table:
    """The damsel lies open since the round before; a round has just begun."""
    here = winter(players).round(2)
    printed = replace(here.state.printed, winter=())
    return here.stands(replace(here.state, winter=Winter(drawn=("damsel",), last=1, damsel=Damsel()), printed=printed))


def courted(players: int = 3) -> Table:
    return damsel(players).do(DeclareCourtship(seat=EAST))


def test_declared_at_the_beginning_of_a_round_it_begins_at_once() -> None:
    """ruling.courting-begins"""
    here = courted()
    assert here.state.phase == "court"
    assert here.state.winter is not None
    assert here.state.winter.damsel is not None
    assert here.state.winter.damsel.asked == (NORTH, EAST, SOUTH)


def test_declared_later_it_begins_next_round() -> None:
    here = damsel().lay("messenger")
    here.do(DeclareCourtship(seat=EAST))
    assert here.state.phase == "lay"
    here.refuses(DeclareCourtship(seat=NORTH), "winter.damsel", final=True)
    here.do(LayCard(seat=EAST, card="messenger"), LayCard(seat=SOUTH, card="messenger"), Reveal())
    assert (here.state.phase, here.state.round) == ("court", 3)
    here.refuses(Court(seat=NORTH, gift="taler"), "winter.damsel", final=True)
    here.do(Court(seat=EAST, gift="taler"))


def test_drawn_this_round_it_begins_next_round() -> None:
    here = winter(cards="table").round(2).draw("damsel").do(DeclareCourtship(seat=NORTH))
    assert here.state.phase == "reveal"


def test_with_no_round_to_come_nobody_declares() -> None:
    last = damsel().round(15)
    assert GAME.refusal(last.state, DeclareCourtship(seat=NORTH)) is None, "the last round has just begun"
    last.lay("messenger").refuses(DeclareCourtship(seat=NORTH), "winter.damsel", final=True)
    assert not any("damsel" in prompt.text for prompt in GAME.prompts(last.state))
    final = replace(
        damsel().helper(NORTH, "market-1").state, phase="final", settling=(Settling(seat=0, place="market"),)
    )
    assert [prompt.rule for prompt in GAME.prompts(final)] == ["score.market"]


def test_no_damsel_no_courting() -> None:
    table().refuses(DeclareCourtship(seat=NORTH), "winter.damsel", final=True)
    damsel().refuses(Court(seat=NORTH, gift="taler"), "winter.damsel", final=True)


def test_everyone_gives_and_the_round_goes_on() -> None:
    here = courted().do(Court(seat=NORTH, gift="sand"))
    here.refuses(Court(seat=NORTH, gift="wood"), "winter.damsel", final=True)
    here.refuses(Court(seat=EAST, gift="silver"), "winter.damsel", final=True)
    here.do(Court(seat=EAST, gift="taler"), Court(seat=SOUTH, gift="wood"))
    assert here.state.phase == "lay"
    assert here.held(NORTH) == {"wood": 1}


def test_the_last_one_wins_and_the_others_share() -> None:
    here = courted().do(Court(seat=NORTH, gift="sand"), Court(seat=EAST, gift="taler"), Court(seat=SOUTH, gift="wood"))
    here.lay("messenger", "messenger", "messenger").do(Reveal())
    assert here.state.phase == "court"
    here.do(LeaveCourt(seat=EAST), Court(seat=SOUTH, gift="taler"), LeaveCourt(seat=NORTH))
    assert here.points(SOUTH) == 8
    assert here.state.phase == "share"
    here.refuses(TakeGift(seat=NORTH, gift="taler"), "winter.damsel-share", final=True)
    here.refuses(TakeGift(seat=EAST, gift="silver"), "winter.damsel-share", final=True)
    here.do(TakeGift(seat=EAST, gift="taler"), TakeGift(seat=NORTH, gift="taler"), TakeGift(seat=EAST, gift="sand"))
    here.do(TakeGift(seat=NORTH, gift="wood"))
    assert here.state.winter is not None
    assert here.state.winter.damsel is None
    assert here.state.phase == "lay"


def test_who_has_given_before_wins_without_giving_again() -> None:
    """ruling.courting-last"""
    here = courted().do(Court(seat=NORTH, gift="sand"), Court(seat=EAST, gift="sand"), LeaveCourt(seat=SOUTH))
    here.lay("messenger", "messenger", "messenger").do(Reveal())
    here.do(LeaveCourt(seat=EAST))
    assert here.points(NORTH) == 8


def test_the_last_one_must_have_given() -> None:
    here = courted().do(LeaveCourt(seat=NORTH), LeaveCourt(seat=EAST))
    assert here.state.phase == "court"
    here.do(Court(seat=SOUTH, gift="sand"))
    assert here.points(SOUTH) == 8


def test_all_drop_out() -> None:
    here = courted().do(LeaveCourt(seat=NORTH), LeaveCourt(seat=EAST), LeaveCourt(seat=SOUTH))
    assert here.state.phase == "lay"
    here.lay("messenger", "messenger", "messenger").do(Reveal())
    assert here.state.phase == "lay"
    assert [here.points(seat) for seat in range(3)] == [0, 0, 0]


def test_who_has_nothing_is_out() -> None:
    """ruling.courting-nothing"""
    here = damsel().strip(NORTH).do(DeclareCourtship(seat=EAST))
    assert here.state.winter is not None
    assert here.state.winter.damsel is not None
    assert here.state.winter.damsel.out == (NORTH,)


def test_unwon_at_the_end_nothing_is_shared() -> None:
    here = (
        courted()
        .round(15)
        .do(Court(seat=NORTH, gift="taler"), Court(seat=EAST, gift="taler"), Court(seat=SOUTH, gift="taler"))
    )
    here.lay("messenger", "messenger", "messenger").do(Reveal())
    assert here.state.over
    assert here.state.winter is not None
    assert here.state.winter.damsel is not None
    assert here.state.winter.damsel.talers == 3
    assert GAME.score(here.state).totals == (0, 0, 0)
