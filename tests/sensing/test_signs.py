"""Signs of a fall: what is counted, and how what was learned adds to what is plain."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from companion.errors import Malformed
from companion.sensing import signs as signs_module
from companion.sensing.castle import Standing
from companion.sensing.changes import Change
from companion.sensing.falling import FELL
from companion.sensing.forest import Forest
from companion.sensing.glance import Mask
from companion.sensing.ground import Lying, Sights
from companion.sensing.motion import Stirring
from companion.sensing.odds import confidence
from companion.sensing.plan import Piece
from companion.sensing.scales.evidence import Load
from companion.sensing.scales.memory import Memory
from companion.sensing.shapes import Kit
from companion.sensing.signs import UNKNOWN, Case, Found, Signs, chance_of_fall, forest, plain_odds
from companion.sensing.told import Came, Expected, Told, Went
from tests.sensing.painted import one_board

_KIT = Kit(one_board())
_S = 1_000_000
_NOTHING = Signs(*[0.0] * len(Signs._fields))._replace(chance=UNKNOWN, amiss=UNKNOWN, amiss_mm=UNKNOWN)


def _where(rows: int) -> Mask:
    mask = np.zeros((40, 40), bool)
    mask[:rows] = True
    return mask


def _change(changed: Mask, colour: tuple[float, float, float]) -> Change:
    before = np.full((40, 40, 3), 4.0, np.float32)
    by_channel = np.zeros_like(before)
    by_channel[changed] = colour
    return Change(before, before + by_channel, by_channel, changed, np.ones((40, 40), bool), np.zeros(3, np.float32))


def _found(told: Told, change: Change, memory: Memory | None = None, expected: tuple[Expected, ...] = ()) -> Found:
    sights = Sights([Lying(_where(1), 2.0), Lying(_where(1), 0.5)], [Lying(_where(1), 1.0)], [0.1, 0.4, 0.9])
    return Found(
        kit=_KIT,
        change=change,
        told=told,
        sights=sights,
        fallen=None,
        alone=False,
        near=0.8,
        strewn=1,
        loose=2.5,
        stirring=Stirring(40, 10, 2 * _S, 4 * _S),
        expected=expected,
        floor_px=100.0,
        glance_px=20.0,
        since_us=_S,
        memory=memory,
    )


def _pillar(came: bool) -> Came | Went:
    assert _KIT.pillar is not None
    piece = Standing(_KIT.pillar, "left", 1, (60.0, 60.0), 0.0, 2.0)
    return Came(piece, 0.9, {"pillar": 0.9}, _where(2), 0.5) if came else Went(piece, 0.8, _where(2), 0.5)


def test_what_lies_about_moved_and_changed_is_counted_in_pieces_and_floors() -> None:
    signs = _found(Told(rest=_where(10)), _change(_where(10), (-1.0, 0.8, 0.1))).signs()
    assert (signs.lying, signs.largest, signs.beside) == (2.5, 2.0, 1.0)
    assert (signs.torn_most, signs.torn_towers) == (0.9, 2.0)
    assert (signs.busiest, signs.inmost, signs.stirred_s) == (2.0, 0.5, 2.0)
    assert (signs.changed, signs.rest) == (4.0, 4.0)
    assert signs.rest_solid > 3.0
    assert (signs.chance, signs.amiss_mm) == (UNKNOWN, UNKNOWN)


def test_what_only_turned_darker_is_not_solid() -> None:
    signs = _found(Told(rest=_where(10)), _change(_where(10), (-0.5, -0.5, -0.5))).signs()
    assert signs.changed == 4.0
    assert signs.solid < 0.5


def test_what_the_scales_felt_is_held_against_the_pieces_that_came_and_went() -> None:
    came = _pillar(came=True)
    assert isinstance(came, Came)
    assert _KIT.pillar is not None
    mass_g = _KIT.pillar.mass_g
    assert mass_g is not None
    weighed = Load(mass_g, mass_g * (60.0 - 125.0), mass_g * (60.0 - 100.0))
    expected = (Expected(True, ("pillar",), "left"), Expected(True, (), None, fall=True))
    for gained, amiss_mm in ((weighed, 0.0), (Load(mass_g, 0.0, 0.0), np.hypot(65.0, 40.0))):
        memory = Memory(
            piece_g=mass_g,
            centre_mm=(125.0, 100.0),
            chances=((2 * _S, 0.7),),
            rests=((_S, Load(0.0)), (5 * _S, gained)),
        )
        signs = _found(
            Told(came=[came], rest=_where(0)), _change(_where(2), (0.5, 0.1, -0.5)), memory, expected
        ).signs()
        assert (signs.came, signs.went, signs.chance, signs.felt_came, signs.felt_fall) == (1.0, 0.0, 0.7, 1.0, 1.0)
        assert signs.amiss == pytest.approx(0.0)
        assert signs.amiss_mm == pytest.approx(amiss_mm)


def test_pieces_that_were_told_while_a_hand_was_about_count_and_account_for_the_load() -> None:
    came = _pillar(came=True)
    mass_g = came.piece.shape.mass_g
    assert mass_g is not None
    gained = Load(mass_g, mass_g * (60.0 - 125.0), mass_g * (60.0 - 100.0))
    memory = Memory(piece_g=mass_g, centre_mm=(125.0, 100.0), rests=((_S, Load(0.0)), (5 * _S, gained)))
    found = _found(Told(rest=_where(0)), _change(_where(2), (0.5, 0.1, -0.5)), memory)
    signs = found.signs()
    assert (signs.came, signs.amiss) == (0.0, pytest.approx(1.0))
    signs = replace(found, earlier=(came,)).signs()
    assert (signs.came, signs.amiss, signs.amiss_mm) == (1.0, pytest.approx(0.0), pytest.approx(0.0))


def test_what_weighs_as_told_may_lie_as_far_off_as_it_is_heavy() -> None:
    as_told = _NOTHING._replace(came=1.0, gained=1.0, amiss=0.1, amiss_mm=38.0)
    assert plain_odds(as_told._replace(gained=5.0)) < plain_odds(as_told)


def test_scales_that_do_not_feel_falls_say_nothing_of_one() -> None:
    memory = Memory(piece_g=1.0, centre_mm=None, feels=False)
    signs = _found(Told(rest=_where(1)), _change(_where(1), (-1.0, 0.8, 0.1)), memory).signs()
    assert (signs.chance, signs.hardest, signs.hits, signs.gained) == (UNKNOWN,) * 4
    assert plain_odds(signs) == plain_odds(signs._replace(chance=UNKNOWN))


def test_what_is_plain_and_what_the_scales_say_add_up() -> None:
    plainly, doubted = _NOTHING._replace(said=0.88), _NOTHING._replace(said=0.88, chance=0.02)
    assert plain_odds(_NOTHING) < plain_odds(doubted) < plain_odds(plainly)
    assert plain_odds(_NOTHING._replace(chance=0.99)) > plain_odds(_NOTHING)


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the forest says."""
    answer = [0.0]
    monkeypatch.setattr(Forest, "odds", lambda self, found: answer[0])
    return answer


def test_what_was_learned_tips_what_is_undecided_and_speaks_softly_against_what_is_plain(learned: list[float]) -> None:
    signs = (_NOTHING, _NOTHING._replace(said=0.7), _NOTHING._replace(said=0.7, chance=0.45))
    cases = [Case(each, "south", 0, _S, 2 * _S) for each in signs]
    assert [chance_of_fall(case) >= FELL for case in cases] == [False, True, True]
    learned[0] = -9.0
    assert [chance_of_fall(case) >= FELL for case in cases] == [False, True, False]
    learned[0] = 4.0
    assert [chance_of_fall(case) >= FELL for case in cases] == [True, True, True]


def test_a_forest_of_other_signs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    forest.cache_clear()
    monkeypatch.setattr(signs_module.Signs, "_fields", ("said",))
    with pytest.raises(
        Malformed, match=r"looks\.json was grown from other signs: grow it anew with companion fit --eye"
    ):
        forest()


def test_where_all_weighs_and_lies_as_it_is_told_nothing_fell_whatever_seems_to_lie_about() -> None:
    plain = _NOTHING._replace(said=0.96, chance=0.3, amiss=1.0, amiss_mm=90.0, came=1.0)
    assert confidence(plain_odds(plain)) > FELL
    assert confidence(plain_odds(plain._replace(amiss=0.1, amiss_mm=5.0))) < FELL
    assert confidence(plain_odds(plain._replace(amiss=0.1, amiss_mm=UNKNOWN))) > FELL


def test_where_nothing_is_told_and_nothing_weighs_otherwise_only_what_is_sure_has_fallen() -> None:
    still = _NOTHING._replace(said=0.96, chance=0.3, amiss=0.1, amiss_mm=5.0)
    assert confidence(plain_odds(still)) > FELL
    assert confidence(plain_odds(still._replace(said=0.88))) < FELL


def test_what_the_scales_take_for_a_fall_may_lie_where_it_is_not_seen() -> None:
    hidden = _NOTHING._replace(felt_fall=1.0, amiss=1.0, amiss_mm=90.0)
    assert plain_odds(hidden) > plain_odds(hidden._replace(felt_fall=0.0))
    assert plain_odds(hidden) > plain_odds(hidden._replace(came=1.0))
    assert plain_odds(hidden) > plain_odds(hidden._replace(amiss=0.1))


def test_what_lies_elsewhere_though_nothing_came_or_left_has_fallen_when_the_scales_say_so() -> None:
    rolled = _NOTHING._replace(felt_fall=1.0, chance=0.7, gained=0.1, moved_mm=90.0, came=1.0, amiss=-1.0)
    assert confidence(plain_odds(rolled)) > FELL
    for other in ({"felt_fall": 0.0}, {"gained": 1.0}, {"moved_mm": 10.0}, {"felt_went": 1.0}, {"gained": UNKNOWN}):
        assert confidence(plain_odds(rolled._replace(**other))) < FELL


def test_among_what_lies_about_a_load_that_lies_elsewhere_is_no_fall() -> None:
    rolled = _NOTHING._replace(felt_fall=1.0, chance=0.7, gained=0.1, moved_mm=90.0, came=1.0, amiss=-1.0)
    assert confidence(plain_odds(rolled._replace(littered=3.0))) < FELL


def test_what_came_softly_and_stands_nowhere_fell_where_something_lies() -> None:
    lies = _NOTHING._replace(said=0.7, chance=0.1, felt_came=1.0, unseen=1.0)
    assert confidence(plain_odds(lies)) > FELL
    for other in ({"unseen": 0.0}, {"felt_came": 0.0}, {"said": 0.0}):
        assert confidence(plain_odds(lies._replace(**other))) < FELL


def test_a_plate_that_went_is_the_one_that_weighed_so_much() -> None:
    plan = one_board()
    roof = Piece(9.5, (60.0, 60.0, 3.0))
    kit = Kit(msgspec.structs.replace(plan, pieces={**plan.pieces, "roof": roof}))
    assert kit.floor.mass_g is not None
    floor = Standing(kit.floor, "left", 2, (60.0, 60.0), 0.0, 27.0)
    taken = Told(went=[Went(floor, 1.5, _where(2), 0.9)], rest=_where(0))
    for grams, amiss_g in ((roof.mass_g, 0.0), (kit.floor.mass_g, 0.0), (0.0, kit.floor.mass_g)):
        memory = Memory(piece_g=2.0, centre_mm=None, rests=((_S, Load(0.0)), (5 * _S, Load(-(grams or 0.0)))))
        found = replace(_found(taken, _change(_where(2), (0.5, 0.1, -0.5)), memory), kit=kit)
        assert found.signs().amiss == pytest.approx(amiss_g / 2.0)
