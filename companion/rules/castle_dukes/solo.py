"""The solo opponent: which room it takes, when it rolls its die, and what the dragon costs it (Single Player Mode)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dukes.actions import AiBurns, AiTakes
from companion.rules.castle_dukes.barbican import ratings
from companion.rules.castle_dukes.phases import dragon_goes_on, next_buyer
from companion.rules.castle_dukes.rooms import with_slot
from companion.rules.castle_dukes.state import RATINGS, Ai, Card, Rating, State
from companion.rules.castle_dukes.supply import put_away

AI_SEAT = 1
_BOARD = 0


class Rated(Protocol):
    """Anything that has the three ratings: a barbican, a room card, the AI."""

    @property
    def comfort(self) -> int: ...
    @property
    def defence(self) -> int: ...
    @property
    def offence(self) -> int: ...


class Take(Struct, frozen=True, kw_only=True):
    """The AI takes the card of a slot. `by` is the rating it went for, None when no card has any."""

    slot: int
    by: Rating | None
    why: str


class NeedsDie(Struct, frozen=True, kw_only=True):
    """The AI must roll, or roll again; `options` are the faces that decide."""

    why: str
    options: tuple[Rating, ...]


Decision = Take | NeedsDie


# What it takes


def decide(
    ratings: Rated, player: Rated, slots: Sequence[Card | None], first_pick: bool, die: Rating | None = None
) -> Decision:
    """The room the AI takes, or that it must roll first.

    `slots` are the cards of the game board from the lowest slot up, None where there is none; at least one is there.
    """
    on_offer = _on_offer(slots)
    if not on_offer:
        return Take(slot=_lowest_card(slots), by=None, why="no room has a rating, so it takes the lowest card")
    if len(on_offer) == 1:
        return _take(slots, on_offer[0], f"every rating on the board is {on_offer[0]}")
    highest = _with_value(ratings, max(_values(ratings)))
    if first_pick:
        return _random_thought(ratings, slots, die, "its very first pick is by the die")
    if len(highest) > 1:
        return _random_thought(ratings, slots, die, f"its highest ratings are tied ({_and(highest)})")
    return _by_steps(ratings, player, slots, highest[0], die)


def _random_thought(ratings: Rated, slots: Sequence[Card | None], die: Rating | None, why: str) -> Decision:
    answers = {face: _thought(ratings, slots, face) for face in RATINGS}
    options = tuple(face for face, answer in answers.items() if answer)
    if die is None:
        return NeedsDie(why=why, options=options)
    return answers[die] or NeedsDie(why=f"no room has {die}, and its lowest rating cannot decide", options=options)


def _thought(ratings: Rated, slots: Sequence[Card | None], face: Rating) -> Take | None:
    """What a face of the die leads to; None when it must be rolled again."""
    on_offer = _on_offer(slots)
    if face in on_offer:
        return _take(slots, face, f"the die shows {face}")
    lowest = _with_value(ratings, min(_values(ratings)))
    if len(lowest) > 1 or lowest[0] not in on_offer:
        return None
    return _take(slots, lowest[0], f"the die shows {face}, no room has it, and its lowest rating is {lowest[0]}")


def _by_steps(ratings: Rated, player: Rated, slots: Sequence[Card | None], x: Rating, die: Rating | None) -> Decision:
    """Steps 1 to 4 of the Room Phase, with X its one highest rating."""
    on_offer = _on_offer(slots)
    ahead = _value(ratings, x) > _value(player, x)
    if not ahead and x in on_offer:
        return _take(slots, x, f"its highest rating is {x}, not above the player's")
    why = f"its highest rating, {x}, is above the player's" if ahead else f"no room has its highest rating, {x}"
    return _by_second(ratings, slots, x, die, why)


def _by_second(ratings: Rated, slots: Sequence[Card | None], x: Rating, die: Rating | None, why: str) -> Decision:
    """By Y, or by the lowest when no room has Y. Two levels of ratings only: the die says which is Y."""
    y, lowest = sorted((rating for rating in RATINGS if rating != x), key=lambda rating: -_value(ratings, rating))
    wanted = [rating for rating in (y, lowest) if rating in _on_offer(slots)]
    tied = _value(ratings, y) == _value(ratings, lowest)
    if not tied or len(wanted) == 1:
        place = "second" if wanted[0] == y else "lowest"
        return _take(slots, wanted[0], f"{why}, so it goes by its {place}, {wanted[0]}")
    if die in wanted:
        return _take(slots, die, f"{why}, and the die chooses {die} of those tied")
    return NeedsDie(why=f"{why}, and {_and((y, lowest))} are tied", options=(y, lowest))


def _take(slots: Sequence[Card | None], by: Rating, why: str) -> Take:
    """The card with most of a rating, the lower slot when equal."""
    best = max(_cards(slots), key=lambda place: (_value(place[1], by), -place[0]))
    return Take(slot=best[0], by=by, why=why)


def _cards(slots: Sequence[Card | None]) -> list[tuple[int, Card]]:
    return [(slot, card) for slot, card in enumerate(slots) if card is not None]


def _lowest_card(slots: Sequence[Card | None]) -> int:
    return _cards(slots)[0][0]


def _on_offer(slots: Sequence[Card | None]) -> tuple[Rating, ...]:
    """The ratings that any card gives."""
    return tuple(rating for rating in RATINGS if any(_value(card, rating) for _, card in _cards(slots)))


def _value(rated: Rated, rating: Rating) -> int:
    value: int = getattr(rated, rating)
    return value


def _values(rated: Rated) -> tuple[int, ...]:
    return tuple(_value(rated, rating) for rating in RATINGS)


def _with_value(rated: Rated, value: int) -> tuple[Rating, ...]:
    return tuple(rating for rating in RATINGS if _value(rated, rating) == value)


def _and(ratings: Sequence[Rating]) -> str:
    return f"{', '.join(ratings[:-1])} and {ratings[-1]}"


# At the table


def next_pick(state: State) -> Decision | None:
    """What the AI is about to do on its turn to take a room; None when a card is not entered or there is none."""
    lying = [slot.card for slot in state.boards[_BOARD] if slot.filled]
    if state.ai is None or not lying or None in lying:
        return None
    return _decision(state, state.ai, None)


def _decision(state: State, ai: Ai, die: Rating | None) -> Decision:
    cards = [slot.card if slot.filled else None for slot in state.boards[_BOARD]]
    return decide(ai, ratings(state, 0), cards, state.turn == 1, die)


def ai_takes(referee: Referee, state: State, action: AiTakes) -> State:
    """The AI takes its room, or the die has to be rolled again."""
    ai = _ai(referee, state, "solo.room")
    if not _its_turn(state):
        referee.refuse("room.order", "It is not the AI's turn to take a room.")
    for place, slot in enumerate(state.boards[_BOARD], start=1):
        if slot.filled and slot.card is None:
            referee.impossible("solo.room", f"Say first which card lies in slot {place}.")
    if not any(slot.filled for slot in state.boards[_BOARD]):
        referee.note("There is no room left for the AI to take.", seat=AI_SEAT, rule="solo.room")
        return _after_pick(referee, state, replace(ai, picks=0))
    decision = _decision(state, ai, action.die)
    if isinstance(decision, Take):
        return _after_pick(referee, *_taken(referee, state, ai, decision))
    if action.die is None:
        referee.impossible("solo.thought", f"Roll the AI die: {decision.why}.")
    referee.note(f"The AI rolled {action.die} and rolls again: {decision.why}.", seat=AI_SEAT, rule="solo.thought")
    return state


def _taken(referee: Referee, state: State, ai: Ai, take: Take) -> tuple[State, Ai]:
    slots = state.boards[_BOARD]
    card = slots[take.slot].card
    assert card is not None
    referee.note(f"The AI takes {card.name}: {take.why}.", seat=AI_SEAT, what="room", rule="solo.pick")
    for rating in RATINGS:
        if gained := _value(card, rating):
            referee.note(f"The AI gains {gained} {rating}.", seat=AI_SEAT, what=rating, change=gained, rule="solo.room")
    emptied = replace(slots[take.slot], filled=False, card=None)
    state = put_away(with_slot(state, _BOARD, take.slot, emptied), "room")
    raised = {rating: _value(ai, rating) + _value(card, rating) for rating in RATINGS}
    return state, replace(ai, picks=max(0, ai.picks - 1), **raised)


def _after_pick(referee: Referee, state: State, ai: Ai) -> State:
    state = replace(state, ai=ai)
    return next_buyer(referee, state) if _its_turn(state) and not ai.picks else state


def _its_turn(state: State) -> bool:
    return state.phase == "room" and state.buyer == AI_SEAT


def ai_burns(referee: Referee, state: State, action: AiBurns) -> State:
    """The AI loses a point of the rating rolled, never below 0 (ruling.ai-not-below-zero)."""
    ai = _ai(referee, state, "solo.dragon")
    due = state.phase == "dragon" and ai.burns > 0
    if not due:
        referee.refuse("solo.dragon", "The dragon does nothing to the AI now.")
    loss = min(1, _value(ai, action.die))
    text = f"The AI loses 1 {action.die}." if loss else f"The AI has no {action.die} to lose."
    referee.note(text, seat=AI_SEAT, what=action.die, change=-loss, rule="solo.dragon")
    burnt = {action.die: _value(ai, action.die) - loss}
    state = replace(state, ai=replace(ai, burns=max(0, ai.burns - 1), **burnt))
    return dragon_goes_on(referee, state) if due and ai.burns == 1 else state


def _ai(referee: Referee, state: State, rule: str) -> Ai:
    if state.ai is None:
        referee.impossible(rule, "There is no AI in this game.")
    return state.ai


HANDLERS: Handlers[State] = {AiTakes: ai_takes, AiBurns: ai_burns}
