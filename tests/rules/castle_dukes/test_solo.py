"""Single Player Mode: the AI's choice of a room, its die, its losses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement, product

import pytest
from msgspec.structs import replace

from companion.errors import Refusal
from companion.rules.base import Referee, Rulebook
from companion.rules.castle_dukes.actions import AiBurns, AiTakes
from companion.rules.castle_dukes.phases import ai_picks
from companion.rules.castle_dukes.rulebook import RULES
from companion.rules.castle_dukes.rulings import RULINGS
from companion.rules.castle_dukes.solo import HANDLERS, Decision, NeedsDie, Take, ai_burns, ai_takes, decide, next_pick
from companion.rules.castle_dukes.state import (
    RATINGS,
    Ai,
    Attack,
    Card,
    Castle,
    Chit,
    Dials,
    Duke,
    Options,
    Rating,
    Room,
    Slot,
    SoloMode,
    State,
    Tile,
)
from companion.rules.castle_dukes.supply import ONE_SET

RULEBOOK = Rulebook(RULES, RULINGS)


def dials(comfort: int = 0, defence: int = 0, offence: int = 0) -> Dials:
    return Dials(comfort=comfort, defence=defence, offence=offence)


def card(comfort: int = 0, defence: int = 0, offence: int = 0) -> Card:
    return Card(name="Room", comfort=comfort, defence=defence, offence=offence)


COMFORT, DEFENCE, OFFENCE, PLAIN = card(comfort=1), card(defence=1), card(offence=1), card()
ALL = (COMFORT, DEFENCE, OFFENCE)


def took(decision: Decision) -> tuple[int, Rating | None]:
    assert isinstance(decision, Take), decision
    return decision.slot, decision.by


def rolls(decision: Decision) -> tuple[Rating, ...]:
    assert isinstance(decision, NeedsDie), decision
    return decision.options


# Each sentence of the rulebook


def test_by_a_rating_takes_the_room_with_most_of_it() -> None:
    rooms = (card(comfort=1), card(comfort=3), card(comfort=2), DEFENCE)
    assert took(decide(dials(), dials(), rooms, True, "comfort")) == (1, "comfort")


def test_equal_rooms_the_lower_positioned_one() -> None:
    rooms = (DEFENCE, card(comfort=2), card(comfort=2, offence=3), OFFENCE)
    assert took(decide(dials(), dials(), rooms, True, "comfort")) == (1, "comfort")


def test_empty_slots_are_passed_over() -> None:
    assert took(decide(dials(), dials(), (None, DEFENCE, None, COMFORT), True, "comfort")) == (3, "comfort")


def test_very_first_pick_is_a_random_thought() -> None:
    assert rolls(decide(dials(comfort=3), dials(), ALL, True)) == RATINGS
    assert took(decide(dials(comfort=3), dials(), ALL, True, "offence")) == (2, "offence")


def test_tied_for_highest_is_a_random_thought() -> None:
    assert rolls(decide(dials(2, 2, 1), dials(), ALL, False)) == RATINGS
    assert took(decide(dials(2, 2, 1), dials(), ALL, False, "offence")) == (2, "offence")


def test_random_thought_without_such_a_room_goes_by_its_own_lowest() -> None:
    assert took(decide(dials(2, 2, 1), dials(), (COMFORT, OFFENCE), False, "defence")) == (1, "offence")


def test_random_thought_with_the_lowest_tied_is_rerolled() -> None:
    again = decide(dials(0, 0, 0), dials(), (COMFORT, OFFENCE), True, "defence")
    assert rolls(again) == ("comfort", "offence")


def test_ruling_ai_nothing_fits_rolls_again_when_its_lowest_is_not_there() -> None:
    assert rolls(decide(dials(2, 2, 1), dials(), (COMFORT, DEFENCE), False, "offence")) == ("comfort", "defence")


def test_ruling_ai_nothing_fits_takes_the_lowest_card_when_no_room_has_a_rating() -> None:
    assert took(decide(dials(2, 1, 0), dials(), (None, PLAIN, PLAIN), False)) == (1, None)
    assert took(decide(dials(), dials(), (PLAIN, PLAIN), True)) == (0, None)


def test_note_one_single_attribute_needs_no_thought() -> None:
    rooms = (card(defence=1), card(defence=3), card(defence=3))
    assert took(decide(dials(), dials(), rooms, True)) == (1, "defence")
    assert took(decide(dials(5, 0, 1), dials(), rooms, False)) == (1, "defence")


def test_steps_x_not_above_the_players_goes_by_x() -> None:
    assert took(decide(dials(3, 2, 1), dials(comfort=3), ALL, False)) == (0, "comfort")
    assert took(decide(dials(3, 2, 1), dials(comfort=4), ALL, False)) == (0, "comfort")


def test_steps_no_room_with_x_goes_by_y() -> None:
    assert took(decide(dials(3, 2, 1), dials(comfort=3), (OFFENCE, DEFENCE), False)) == (1, "defence")


def test_steps_x_above_the_players_goes_by_y() -> None:
    assert took(decide(dials(3, 2, 1), dials(comfort=2, defence=9), ALL, False)) == (1, "defence")


def test_steps_only_the_players_own_value_of_x_counts() -> None:
    assert took(decide(dials(3, 2, 1), dials(comfort=2, defence=9, offence=9), ALL, False)) == (1, "defence")
    assert took(decide(dials(3, 2, 1), dials(comfort=3), ALL, False)) == (0, "comfort")


def test_steps_no_room_with_y_goes_by_the_lowest() -> None:
    assert took(decide(dials(3, 2, 1), dials(), (COMFORT, OFFENCE), False)) == (1, "offence")


def test_ruling_ai_second_tied() -> None:
    assert rolls(decide(dials(3, 1, 1), dials(), ALL, False)) == ("defence", "offence")
    assert took(decide(dials(3, 1, 1), dials(), ALL, False, "offence")) == (2, "offence")
    assert rolls(decide(dials(3, 1, 1), dials(), ALL, False, "comfort")) == ("defence", "offence")


def test_ruling_ai_second_tied_with_one_of_them_on_the_board_needs_no_die() -> None:
    assert took(decide(dials(3, 1, 1), dials(), (COMFORT, OFFENCE), False)) == (1, "offence")


# The whole table of decisions


def restated(
    ai: tuple[int, ...], player: tuple[int, ...], rooms: Sequence[Card], first: bool, die: int | None
) -> int | None:
    """The section once more, by numbers: the slot taken, or None when the die must be rolled."""
    prints = [(room.comfort, room.defence, room.offence) for room in rooms]
    there = [any(room[kind] for room in prints) for kind in range(3)]

    def best(kind: int) -> int:
        most = max(room[kind] for room in prints)
        return next(slot for slot, room in enumerate(prints) if room[kind] == most)

    if sum(there) < 2:
        return best(there.index(True)) if any(there) else 0
    top, low = max(ai), min(ai)
    if first or ai.count(top) > 1:
        if die is None:
            return None
        if there[die]:
            return best(die)
        return best(ai.index(low)) if ai.count(low) == 1 and there[ai.index(low)] else None
    x = ai.index(top)
    others = [kind for kind in range(3) if kind != x]
    if top <= player[x] and there[x]:
        return best(x)
    if ai[others[0]] == ai[others[1]]:
        usable = [kind for kind in others if there[kind]]
        if len(usable) == 1:
            return best(usable[0])
        return best(die) if die in others else None
    y, lowest = sorted(others, key=lambda kind: ai[kind], reverse=True)
    return best(y) if there[y] else best(lowest)


CARDS = [card(*values) for values in ((0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 1), (1, 2, 0), (0, 1, 2))]
BOARDS = [*combinations_with_replacement(CARDS, 2), *product([COMFORT, DEFENCE, OFFENCE, card(1, 2, 0)], repeat=3)]


@pytest.mark.parametrize("first", [False, True])
def test_every_decision_over_small_ratings(first: bool) -> None:
    players = [(1, 1, 1)] if first else [*product((0, 2), repeat=3)]
    for ai, player, rooms in product(product(range(3), repeat=3), players, BOARDS):
        mine, yours = dials(*ai), dials(*player)
        for die in (None, 0, 1, 2):
            decision = decide(mine, yours, rooms, first, None if die is None else RATINGS[die])
            slot = decision.slot if isinstance(decision, Take) else None
            assert slot == restated(ai, player, rooms, first, die), (ai, player, rooms, die)


def test_a_die_that_is_asked_for_always_has_a_face_that_decides() -> None:
    for ai, rooms, first in product(product(range(3), repeat=3), BOARDS, (False, True)):
        decision = decide(dials(*ai), dials(), rooms, first)
        if isinstance(decision, NeedsDie):
            assert decision.options
            for face in RATINGS:
                answer = decide(dials(*ai), dials(), rooms, first, face)
                assert isinstance(answer, Take) == (face in decision.options)


# At the table


def table(
    cards: Sequence[Card | None],
    ai: Ai | None = None,
    *,
    turn: int = 2,
    first: int = 0,
    picks: int = 1,
    comfort: int = 0,
) -> State:
    """North against the AI, whose turn it is to take a room."""
    slots = tuple(Slot(cost=cost, card=each, filled=each is not None) for cost, each in enumerate(cards, start=1))
    built = Tile(rooms=(Room(card=card(comfort=comfort)),))
    return State(
        seats=("North",), options=Options(), first=first, dukes=(Duke(castle=Castle(left=(built,)), coins=5),),
        boards=(slots,), stock=dict(ONE_SET), phase="room", buyer=1, turn=turn,
        ai=replace(ai or Ai(mode="duke"), picks=picks),
    )  # fmt: skip


def do(state: State, action: AiTakes | AiBurns, *, lenient: bool = False) -> tuple[State, list[str]]:
    referee = Referee(RULEBOOK, lenient=lenient)
    after = ai_takes(referee, state, action) if isinstance(action, AiTakes) else ai_burns(referee, state, action)
    return after, [fact.text for fact in referee.facts]


def the_ai(state: State) -> Ai:
    assert state.ai is not None
    return state.ai


def test_taking_adds_every_rating_of_the_room_and_discards_the_card() -> None:
    room = Card(name="Chapel", comfort=2, defence=1, vp=3, king=1)
    before = table((OFFENCE, room), Ai(mode="duke", comfort=3, defence=2, offence=1), comfort=3, first=1, picks=2)
    after, facts = do(before, AiTakes())
    assert the_ai(after) == Ai(mode="duke", comfort=5, defence=3, offence=1, picks=1)
    assert after.boards[0][1] == Slot(cost=2, filled=False)
    assert after.boards[0][0] == before.boards[0][0]
    assert after.discard == {"room": 1}
    assert after.buyer == 1
    assert facts[0] == "The AI takes Chapel: its highest rating is comfort, not above the player's."
    assert "The AI gains 2 comfort." in facts


def test_the_players_castle_is_what_it_compares_with() -> None:
    ai = Ai(mode="duke", comfort=3, defence=2, offence=1)
    assert the_ai(do(table(ALL, ai, comfort=3), AiTakes())[0]).comfort == 4
    assert the_ai(do(table(ALL, ai, comfort=2), AiTakes())[0]).defence == 3


def test_in_a_light_game_it_compares_with_the_players_dials() -> None:
    state = table(ALL, Ai(mode="duke", comfort=3, defence=2, offence=1), picks=2)
    light = replace(state, options=Options(detail="light"), dukes=(Duke(dials=dials(comfort=3)),))
    assert the_ai(do(light, AiTakes())[0]).comfort == 4


def test_after_its_last_pick_the_turn_goes_on() -> None:
    after, _ = do(table((COMFORT, DEFENCE, OFFENCE), first=1, turn=1), AiTakes(die="comfort"))
    assert (after.phase, after.buyer, the_ai(after).picks) == ("room", 0, 0)


def test_after_the_last_buyers_last_pick_the_room_phase_ends() -> None:
    after, _ = do(table((COMFORT, DEFENCE, OFFENCE), first=0), AiTakes(die="comfort"))
    assert after.phase == "building"
    assert all(slot.filled for slot in after.boards[0])


def test_a_die_is_asked_for_when_it_is_needed() -> None:
    with pytest.raises(Refusal, match="Roll the AI die") as refused:
        do(table(ALL, turn=1), AiTakes())
    assert (refused.value.rule, refused.value.final) == ("solo.thought", True)


def test_the_first_turn_is_by_the_die_even_if_its_ratings_were_set() -> None:
    ai = Ai(mode="duke", comfort=3, defence=2, offence=1)
    assert isinstance(next_pick(table(ALL, ai, turn=1)), NeedsDie)
    assert isinstance(next_pick(table(ALL, ai, turn=2)), Take)


def test_a_die_that_finds_nothing_is_rolled_again() -> None:
    before = table((COMFORT, OFFENCE), turn=1)
    after, facts = do(before, AiTakes(die="defence"))
    assert after == before
    assert facts == ["The AI rolled defence and rolls again: no room has defence, and its lowest rating cannot decide."]


def test_a_die_that_is_not_needed_does_not_matter() -> None:
    before = table(ALL, Ai(mode="duke", comfort=3, defence=2, offence=1), comfort=3)
    assert do(before, AiTakes(die="offence"))[0] == do(before, AiTakes())[0]


def test_cards_must_be_entered_first() -> None:
    state = table((COMFORT, DEFENCE, OFFENCE))
    unknown = replace(state, boards=((state.boards[0][0], Slot(cost=2), state.boards[0][2]),))
    with pytest.raises(Refusal, match="Say first which card lies in slot 2"):
        do(unknown, AiTakes())
    assert next_pick(unknown) is None


def test_an_empty_board_gives_it_nothing() -> None:
    after, facts = do(table((None, None)), AiTakes())
    assert after.phase == "building"
    assert facts[0] == "There is no room left for the AI to take."


def test_not_its_turn() -> None:
    state = replace(table(ALL, Ai(mode="duke", comfort=3)), buyer=0)
    with pytest.raises(Refusal) as refused:
        do(state, AiTakes())
    assert (refused.value.rule, refused.value.final) == ("room.order", False)
    after, facts = do(state, AiTakes(die="defence"), lenient=True)
    assert (after.buyer, the_ai(after).defence) == (0, 1)
    assert facts[0] == "Overruled: It is not the AI's turn to take a room."


@pytest.mark.parametrize("action", [AiTakes(), AiBurns(die="comfort")])
def test_no_ai_no_turn(action: AiTakes | AiBurns) -> None:
    with pytest.raises(Refusal, match="no AI in this game"):
        do(replace(table(ALL), ai=None), action, lenient=True)


def test_next_pick_tells_what_it_is_about_to_do() -> None:
    assert isinstance(next_pick(table(ALL, turn=1)), NeedsDie)
    assert isinstance(next_pick(table(ALL, Ai(mode="duke", comfort=3, defence=1))), Take)
    assert next_pick(table((None,))) is None


@pytest.mark.parametrize(
    ("mode", "first", "picks"),
    [("awesome", 0, 2), ("awesome", 1, 1), ("duke", 0, 1), ("duke", 1, 1), ("baby", 0, 1), ("baby", 1, 1)],
)
def test_awesome_takes_two_rooms_when_not_first_player(mode: SoloMode, first: int, picks: int) -> None:
    assert ai_picks(table(ALL, first=first), mode) == picks


def test_awesome_decides_anew_for_its_second_room() -> None:
    before = table(ALL, Ai(mode="awesome", comfort=3, defence=2), comfort=3, picks=2)
    once, _ = do(before, AiTakes())
    twice, _ = do(once, AiTakes())
    assert (the_ai(twice).comfort, the_ai(twice).defence) == (4, 3)


# The dragon


def under_attack(ai: Ai, burns: int) -> State:
    """The dragon is here; North has not drawn yet."""
    state = table(ALL, replace(ai, burns=burns), picks=0, turn=5)
    north = replace(state.dukes[0], attack=Attack(facing="offence", damage=4))
    return replace(state, phase="dragon", buyer=None, dukes=(north,))


def test_the_dragon_costs_a_point_of_the_rating_rolled() -> None:
    after, facts = do(under_attack(Ai(mode="baby", comfort=3, offence=2), 2), AiBurns(die="offence"))
    assert the_ai(after) == Ai(mode="baby", comfort=3, offence=1, burns=1)
    assert facts == ["The AI loses 1 offence."]


def test_ruling_ai_not_below_zero() -> None:
    after, facts = do(under_attack(Ai(mode="baby", comfort=3), 2), AiBurns(die="offence"))
    assert the_ai(after) == Ai(mode="baby", comfort=3, burns=1)
    assert facts == ["The AI has no offence to lose."]


def test_no_burning_without_the_dragon() -> None:
    with pytest.raises(Refusal) as refused:
        do(under_attack(Ai(mode="duke", comfort=3), 0), AiBurns(die="comfort"))
    assert refused.value.rule == "solo.dragon"
    with pytest.raises(Refusal):
        do(replace(under_attack(Ai(mode="duke", comfort=3), 1), phase="guests"), AiBurns(die="comfort"))


def test_after_the_last_burn_the_guests_come_when_the_player_is_through() -> None:
    state = under_attack(Ai(mode="duke", comfort=3), 1)
    through = Attack(facing="offence", damage=1, chits=(Chit(kind="room"),) * 5, resolved=(0,))
    done = replace(state, dukes=(replace(state.dukes[0], attack=through),))
    after, _ = do(done, AiBurns(die="comfort"))
    assert (after.phase, the_ai(after).comfort, the_ai(after).burns) == ("guest-card", 2, 0)


def test_after_the_last_burn_the_attack_goes_on_while_the_player_is_not_through() -> None:
    after, _ = do(under_attack(Ai(mode="duke", comfort=3), 1), AiBurns(die="comfort"))
    assert (after.phase, the_ai(after).burns) == ("dragon", 0)


def test_handlers_cover_the_ais_actions() -> None:
    assert set(HANDLERS) == {AiTakes, AiBurns}
