"""Castle Dukes: one test for every ruling, named after it."""

from __future__ import annotations

import sys
from collections import Counter

import pytest
from msgspec.structs import replace

from companion.rules.castle_dukes import GAME
from companion.rules.castle_dukes.actions import (
    AiBurns,
    AiTakes,
    Crumble,
    DrawChits,
    DrawTile,
    DropVines,
    FaceDragon,
    Lose,
    NameRoom,
    PassRooms,
    PickChit,
    PlaceBridge,
    RevealGuests,
    Settle,
    TakeDown,
    TakePillars,
    TakeRoom,
)
from companion.rules.castle_dukes.deal import die
from companion.rules.castle_dukes.dragon import damage
from companion.rules.castle_dukes.rulings import RULINGS
from companion.rules.castle_dukes.scoring import AiTally, DukeTally, Tally, sheet
from companion.rules.castle_dukes.solo import NeedsDie, Take, decide
from companion.rules.castle_dukes.state import RATINGS, STOCKED, Ai, Bridge, Card, Castle, Chit, Dials, GuestCard, State
from companion.rules.random_play import Luck
from tests.rules.castle_dukes.playing import (
    PILLARS,
    apply,
    begin,
    hall,
    past_building,
    refused,
    to_building,
    to_dragon,
    to_guest_card,
    to_rooms,
    to_turn,
    told,
    with_castles,
    with_held,
)
from tests.rules.castle_dukes.table import floor, roofed, stack

FIRE = GuestCard(main="king", small="knight", fire=True)
CALM = replace(FIRE, fire=False)
NAMES = ("North", "East", "South", "West")


def test_every_ruling_has_a_test_named_after_it() -> None:
    tests = {name for name in vars(sys.modules[__name__]) if name.startswith("test_")}
    named = {f"test_{rule.id.removeprefix('ruling.').replace('-', '_')}" for rule in RULINGS}
    assert named - tests == set()


def test_every_ruling_is_marked_cited_and_its_option_exists() -> None:
    options = {option.key: option.rule for option in GAME.info.options}
    for rule in RULINGS:
        assert rule.ruling
        assert rule.cite
        assert not rule.option or options[rule.option] == rule.id


def points(key: str, *dukes: DukeTally, zero_ranks: bool = True) -> list[int]:
    """What a category pays each seat."""
    tally = Tally(players=dukes, zero_ranks=zero_ranks, ai=AiTally() if len(dukes) == 1 else None)
    return [line.points for line in sheet(tally).lines if line.key == key]


def comfort(*values: int, zero_ranks: bool = True) -> list[int]:
    dukes = (DukeTally(name=name, comfort=value) for name, value in zip(NAMES, values, strict=False))
    return points("comfort", *dukes, zero_ranks=zero_ranks)


# Dragon


def test_damage_chits_15() -> None:
    assert begin(2).chits == 15
    assert begin(2, box={"components": {"damage-chit": {"count": 20}}}).chits == 20


def test_defence_20_or_more() -> None:
    assert [damage("defence", value) for value in (19, 20, 21, 99)] == [2, 1, 1, 1]


def test_turn_marker_colour() -> None:
    """The marker is no component anybody can run out of, and the turn is a number."""
    assert not any("cube" in item or "marker" in item for item in STOCKED)
    assert GAME.picture(begin(2)).headline == "Turn 1 of 9: Free coins"


@pytest.mark.parametrize(("turn", "comes"), [(4, True), (5, False), (6, False), (7, True), (8, False), (9, True)])
def test_fire_checked_4_7_9(turn: int, comes: bool) -> None:
    state = apply(to_guest_card(begin(2), turn), RevealGuests(cards=(FIRE,)))
    assert (state.phase == "dragon") == comes


@pytest.mark.parametrize("missed", [4, 7])
def test_dragon_before_card(missed: int) -> None:
    state = past_building(replace(to_turn(begin(2), missed), attacks=(4,) if missed == 7 else ()))
    state = past_building(apply(state, RevealGuests(cards=(CALM,))))
    assert (state.turn, state.phase, len(state.guest_cards)) == (missed + 1, "dragon", 1)
    came = past_building(replace(to_turn(begin(2), missed + 1), attacks=(missed,)))
    assert came.phase == "guest-card"
    last = past_building(replace(to_turn(begin(2), 9), attacks=(4, 8)))
    assert last.phase == "guest-card", "on turn 9 only the icon brings it"


@pytest.mark.parametrize("check", [True, False])
def test_turn_9_in_long_game(check: bool) -> None:
    state = apply(to_guest_card(begin(2, turns=12, turn9_check=check), 9), RevealGuests(cards=(FIRE,)))
    assert (state.phase == "dragon") == check
    short = apply(to_guest_card(begin(2, turn9_check=check), 9), RevealGuests(cards=(FIRE,)))
    assert short.phase == "dragon", "the option is about the long game"


@pytest.mark.parametrize(("turn", "phase"), [(10, "guest-card"), (11, "guest-card"), (12, "dragon")])
def test_turn_12_dragon(turn: int, phase: str) -> None:
    state = past_building(to_turn(begin(2, turns=12), turn))
    assert (state.phase, state.guest_cards) == (phase, ())
    if phase == "guest-card":
        assert apply(state, RevealGuests(cards=(FIRE,))).turn == turn + 1


def test_one_set_of_chits() -> None:
    state = replace(to_dragon(begin(5)), first=0)
    state = apply(state, *(FaceDragon(seat=seat, rating="defence") for seat in range(5)))
    tiles = (Chit(kind="tile"), Chit(kind="tile"), *PILLARS[:3])
    refused(state, DrawChits(seat=0, chits=tiles), "dragon.one-tile-chit")
    assert state.chits == 15


def test_any_fire() -> None:
    for cards in ((FIRE, CALM), (CALM, FIRE)):
        assert apply(to_guest_card(begin(5), 4), RevealGuests(cards=cards)).phase == "dragon"
    assert apply(to_guest_card(begin(5), 4), RevealGuests(cards=(CALM, CALM))).phase == "room"


def burning(castle: Castle, chit: Chit) -> State:
    """North has picked the only chit that costs anything."""
    state = replace(to_dragon(with_castles(begin(2), castle)), first=0)
    state = apply(state, *(FaceDragon(seat=seat, rating="offence") for seat in (0, 1)))
    return apply(state, DrawChits(seat=0, chits=(chit, *PILLARS[:4])), PickChit(seat=0, chit=0))


def test_unfinished_removal() -> None:
    state = burning(hall(table=True), Chit(kind="decor", count=2))
    lose = Lose(seat=0, what="table", tower="left", level=1)
    assert "North has no decor left to lose." in told(state, lose)
    after = apply(state, lose)
    assert after.dukes[0].attack is not None
    assert after.dukes[0].attack.owed is None


def test_tile_loss_takes_above() -> None:
    castle = Castle(left=(*stack(3), *roofed(1, brazier=1)), right=stack(4), bridges=(Bridge(level=3), Bridge(level=4)))
    state = apply(burning(castle, Chit(kind="tile")), Lose(seat=0, what="tile", tower="right", level=4))
    assert [bridge.level for bridge in state.dukes[0].castle.bridges] == [3]
    state = apply(burning(castle, Chit(kind="tile")), Lose(seat=0, what="tile", tower="left", level=2))
    assert GAME.tally(state).players[0].levels == (1, 0, 4)
    assert (state.dukes[0].castle.bridges, state.discard["brazier"], state.discard["tile"]) == ((), 1, 5)


# Inventory and supply


def test_pillars_what_fits() -> None:
    state = with_held(to_building(begin(2)), 0, {"pillar": 5})
    assert apply(state, TakePillars(seat=0)).dukes[0].held == {"pillar": 6}
    assert apply(state, TakePillars(seat=0)).dukes[0].coins == 4, "for the same coin"
    last = replace(with_held(state, 0, {}), corrected=True)
    last = replace(last, stock={**last.stock, "pillar": 1})
    assert GAME.apply(last, TakePillars(seat=0)).state.dukes[0].held == {"pillar": 1}


def test_late_coins() -> None:
    assert [duke.coins for duke in begin(8).dukes] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [duke.coins for duke in begin(8, late_coins="three").dukes] == [0, 1, 2, 3, 3, 3, 3, 3]
    state = begin(8)
    state = apply(state, *(DrawTile(seat=7) for _ in range(3)), *(TakePillars(seat=7) for _ in range(2)))
    assert "NW loses 1 free coin: nothing more fits." in told(state, TakePillars(seat=7))
    state = apply(state, TakePillars(seat=7))
    assert (state.dukes[7].coins, state.dukes[7].held) == (0, {"tile": 3, "pillar": 6})


def test_bonus_over_limit() -> None:
    state = with_held(to_rooms(begin(4)), 0, {"table": 3})
    state = apply(state, TakeRoom(seat=0, slot=4, card=Card(name="Hall")))
    assert (state.dukes[0].held, len(state.dukes[0].cards)) == ({"table": 3}, 1)


def test_loose_to_inventory() -> None:
    castle = Castle(left=(floor(pillars=8),), middle=hall(living={"knight": 1}).left)
    state = apply(to_building(with_castles(begin(2), castle)), Crumble(seat=0))
    state = apply(state, TakeDown(seat=0, what="tile", tower="left", level=1))
    state = apply(state, TakeDown(seat=0, what="knight", tower="middle", level=1), Settle(seat=0))
    assert state.dukes[0].held == {"tile": 1, "pillar": 6}
    assert (state.discard["pillar"], state.discard["knight"]) == (2, 1)


def test_crumbles_run_out() -> None:
    state = to_rooms(begin(2))
    for _ in range(12):
        state = apply(state, Crumble(seat=0))
    assert "All 12 Crumble tokens are taken; this one still counts." in told(state, Crumble(seat=1))
    assert GAME.tally(apply(state, Crumble(seat=1))).players[1].crumbles == 1


def test_vines_rounded_down() -> None:
    dukes = [DukeTally(name=name, vines=vines) for name, vines in zip(NAMES, (0, 1, 2, 5), strict=True)]
    assert points("vines", *dukes) == [0, 0, -1, -2]
    state = replace(begin(2, vines=True), dukes=tuple(replace(duke, vines_hung=3) for duke in begin(2).dukes))
    assert GAME.tally(apply(state, DropVines(seat=0, count=3))).players[0].vines == 3


# Rooms


def test_pass_is_final() -> None:
    state = to_rooms(begin(5))
    state = apply(
        state, PassRooms(seat=0), *(TakeRoom(seat=seat, slot=0, board=0, card=Card(name="A")) for seat in (1,))
    )
    state = apply(state, *(PassRooms(seat=seat) for seat in (2, 3, 4)))
    assert state.buyer == 1, "North passed and is not asked again"
    refused(state, TakeRoom(seat=0, slot=1, card=Card(name="B"), bonus="none"), "room.order")
    assert apply(state, PassRooms(seat=1)).phase == "building"


def test_boards_apart() -> None:
    state = to_rooms(begin(5))
    state = apply(
        state,
        *(NameRoom(board=board, slot=slot, card=Card(name=f"{board}{slot}")) for board in (0, 1) for slot in range(5)),
    )
    state = apply(state, TakeRoom(seat=0, slot=2, board=0), *(PassRooms(seat=seat) for seat in (1, 2, 3, 4, 0)))
    names = [[slot.card.name if slot.card else "?" for slot in board] for board in state.boards]
    assert names == [["00", "01", "03", "04", "?"], ["11", "12", "13", "14", "?"]]


def test_one_bridge_a_level() -> None:
    castle = Castle(left=stack(4), right=stack(4), bridges=(Bridge(level=3),))
    state = with_held(to_building(with_castles(begin(2), castle)), 0, {"tile": 1})
    refused(state, PlaceBridge(seat=0, level=3), "ruling.one-bridge-a-level", final=True)
    assert len(apply(state, PlaceBridge(seat=0, level=4)).dukes[0].castle.bridges) == 2


# Guests


def test_guest_needs_slot() -> None:
    state = to_guest_card(with_castles(begin(3), hall(defence=9, king=0), hall(), hall(king=0)))
    state = apply(state, RevealGuests(cards=(CALM,)))
    assert state.dukes[1].castle.left[0].rooms[0].king == 1, "East ties with South, who does not compete"


def test_guest_tie() -> None:
    for players, kings in ((2, 0), (3, 0), (4, 0), (5, 2), (8, 2)):
        state = to_guest_card(with_castles(begin(players), hall(), hall()))
        cards = (CALM,) if players < 5 else (CALM, replace(CALM, main="knight", small="knight"))
        state = apply(state, RevealGuests(cards=cards))
        assert sum(duke.castle.left[0].rooms[0].king for duke in state.dukes[:2]) == kings


def test_guest_none_left() -> None:
    state = to_guest_card(with_castles(begin(2), hall()))
    state = replace(state, stock={**state.stock, "king": 0}, corrected=True)
    assert "Not enough figures for the king." in told(state, RevealGuests(cards=(CALM,)))
    assert GAME.apply(state, RevealGuests(cards=(CALM,))).state.dukes[0].castle == state.dukes[0].castle


# Score


def test_tie_for_first() -> None:
    assert comfort(8, 8, 5) == [4, 4, 0]
    assert comfort(8, 8, 8, 5) == [3, 3, 3, 0]


def test_tie_for_second() -> None:
    assert comfort(8, 5, 5, 1) == [6, 1, 1, 0]
    assert comfort(8, 5, 5, 5) == [6, 1, 1, 1]


def test_two_players_paid() -> None:
    assert comfort(8, 5) == [6, 3]


def test_zero_ranks() -> None:
    assert comfort(0, 0, 0) == [3, 3, 3]
    assert comfort(0, 0, 0, zero_ranks=False) == [0, 0, 0]
    assert comfort(4, 0) == comfort(4, 0, zero_ranks=False) == [6, 3], "a 0 beside others ranks in any case"


@pytest.mark.parametrize(
    ("north", "winners", "decided_by"),
    [
        ({"levels": (3, 3, 0)}, (0,), "levels in all three towers"),
        ({"levels": (3, 2, 0), "rooms": 3}, (0,), "rooms built"),
        ({"levels": (3, 2, 0), "rooms": 2}, (0, 1), "shared"),
        ({"levels": (3, 1, 0), "rooms": 9}, (1,), "levels in all three towers"),
    ],
)
def test_tie_break_levels_rooms(north: dict[str, object], winners: tuple[int, ...], decided_by: str) -> None:
    players = (DukeTally(name="North", **north), DukeTally(name="East", levels=(3, 1, 1), rooms=2))  # type: ignore[arg-type]
    outcome = GAME.outcome(sheet(Tally(players=players)))
    assert (outcome.winners, outcome.decided_by) == (winners, decided_by)


def test_room_points_line() -> None:
    assert points("room-points", DukeTally(name="North", rooms=2, room_vp=3), DukeTally(name="East")) == [3, 0]
    state = with_castles(begin(2), hall(vp=2))
    assert GAME.tally(state).players[0].room_vp == 2


def test_roof_is_level() -> None:
    state = with_castles(begin(2), Castle(left=roofed(4), right=stack(3), bridges=(Bridge(level=3),)))
    assert GAME.tally(state).players[0].levels == (4, 0, 3)


def test_tallest_by_levels() -> None:
    dukes = (DukeTally(name="North", levels=(4, 0, 0)), DukeTally(name="East", levels=(3, 3, 3)))
    assert points("tallest", *dukes) == [6, 3]


# Alone


def test_solo_height_part() -> None:
    assert [points("tallest", DukeTally(name="North", levels=(1, tall, 0))) for tall in (2, 3, 5)] == [[1], [2], [3]]
    lines = sheet(Tally(players=(DukeTally(name="North"),), ai=AiTally())).lines
    assert not [line for line in lines if line.seat == 1 and line.key == "tallest"], "no contest for height"


def test_solo_tie() -> None:
    """North: a king, second in comfort, a level; the AI: a knight, first in comfort; defence and offence are shared."""
    north = DukeTally(name="North", kings=1, levels=(1, 0, 0))
    tally = Tally(players=(north,), ai=AiTally(comfort=1, knights=1))
    assert sheet(tally).totals == (3 + 3 + 4 + 3 + 1, 1 + 6 + 4 + 3)
    outcome = GAME.outcome(sheet(tally))
    assert (outcome.winners, outcome.decided_by) == ((0,), "levels in all three towers")


def test_solo_big_guest() -> None:
    state = with_castles(begin(1), hall())
    state = replace(state, turn=6, phase="guest-card", buyer=None, ai=Ai(mode="duke", offence=0, defence=0))
    assert "AI and North are tied in defence: the king leaves." in told(state, RevealGuests(cards=(CALM,)))
    state = apply(state, RevealGuests(cards=(CALM,)))
    assert (state.turn, len(state.guest_cards)) == (7, 1)
    assert state.dukes[0].castle == hall(), "the small knight has not come"


def test_ai_die_faces() -> None:
    rolls = Counter(die(Luck(seed)) for seed in range(600))
    assert set(rolls) == set(RATINGS)
    assert min(rolls.values()) > 150


def test_ai_second_tied() -> None:
    cards = [Card(name="C", comfort=1), Card(name="D", defence=1), Card(name="O", offence=1)]
    ahead = Dials(comfort=5, defence=1, offence=1)
    undecided = decide(ahead, Dials(), cards, first_pick=False)
    assert isinstance(undecided, NeedsDie)
    assert set(undecided.options) == {"defence", "offence"}
    assert decide(ahead, Dials(), cards, first_pick=False, die="offence") == Take(
        slot=2,
        by="offence",
        why="its highest rating, comfort, is above the player's, and the die chooses offence of those tied",
    )
    assert isinstance(decide(ahead, Dials(), cards, first_pick=False, die="comfort"), NeedsDie)


def test_ai_not_below_zero() -> None:
    state = replace(to_dragon_alone(), ai=Ai(mode="baby", comfort=1, burns=2))
    state = apply(state, AiBurns(die="comfort"), AiBurns(die="comfort"))
    assert state.ai is not None
    assert (state.ai.comfort, state.ai.burns) == (0, 0)


def to_dragon_alone() -> State:
    return replace(begin(1), turn=5, phase="dragon", buyer=None, attacks=(5,))


def test_ai_nothing_fits() -> None:
    nothing = [Card(name="A", vp=1), Card(name="B")]
    assert decide(Ai(mode="duke"), Dials(), nothing, first_pick=True) == Take(
        slot=0, by=None, why="no room has a rating, so it takes the lowest card"
    )
    two = [Card(name="C", comfort=1), Card(name="D", defence=1)]
    again = decide(Ai(mode="duke", comfort=1, defence=1), Dials(), two, first_pick=False, die="offence")
    assert isinstance(again, NeedsDie), "no room has offence, which is also its lowest"
    state = apply(begin(1), *(NameRoom(slot=slot, card=two[slot % 2]) for slot in range(5)))
    rolled = apply(state, AiTakes(die="offence"))
    assert rolled.buyer == 1, "it rolls again"
    assert apply(rolled, AiTakes(die="defence")).buyer == 0
