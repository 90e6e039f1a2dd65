"""What can never be true: talers, pieces, helpers, tiles or cards created or lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from companion.rules.castle_for_all_seasons.phases import hand
from companion.rules.castle_for_all_seasons.state import FACE_DOWN, RESOURCES, State
from companion.rules.castle_for_all_seasons.supply import PIECES_IN_BOX, TALERS_IN_BOX, TILES_IN_BOX


def faults(state: State) -> Iterator[str]:
    """Every way in which a state is impossible, in words."""
    if not 2 <= len(state.seats) == len(state.builders) <= 4:
        yield "there are not as many builders as seats, two to four."
        return
    yield from _range_faults(state)
    if (talers := _talers(state)) != TALERS_IN_BOX:
        yield f"{talers} talers are in play, and the box holds {TALERS_IN_BOX}."
    pieces = _pieces(state)
    for kind in RESOURCES:
        if pieces[kind] != PIECES_IN_BOX[kind]:
            yield f"{pieces[kind]} pieces of {kind} are in play, and the box holds {PIECES_IN_BOX[kind]}."
    yield from _tile_faults(state)
    yield from _helper_faults(state)
    yield from _card_faults(state)


def _range_faults(state: State) -> Iterator[str]:
    seats = range(len(state.seats))
    if any(seat not in seats for seat in _seats(state)):
        yield "somebody is named who is not at the table."
    if (state.winter is not None) != (state.options.season == "winter"):
        yield "winter cards are in the winter game, and only there."
    if state.over != (state.phase == "over"):
        yield "the game is over only in its last phase."
    if state.round > state.rounds:
        yield "the round is after the last one."


def _seats(state: State) -> Iterator[int]:
    """Every seat the state names."""
    yield state.first
    yield from state.helpers.values()
    yield from (post.seat for post in state.posts.values())
    yield from (task.seat for task in (*state.queue, *state.equipping))
    yield from (settling.seat for settling in state.settling)
    if state.turn:
        yield state.turn.seat
    if state.winter:
        yield from state.winter.pending
        yield from state.winter.granary or ()
        if state.winter.tavern and state.winter.tavern.innkeeper is not None:
            yield state.winter.tavern.innkeeper


def _talers(state: State) -> int:
    """All talers: bank, round spaces, box, players, winter cards."""
    total = state.bank + state.spaces + state.boxed_talers + sum(builder.talers for builder in state.builders)
    if state.winter:
        total += state.winter.tavern.talers if state.winter.tavern else 0
        total += state.winter.damsel.talers if state.winter.damsel else 0
    return total


def _pieces(state: State) -> Counter[str]:
    """All pieces: carts, tower, forge, box, players, worker cards, the damsel's card."""
    places: list[Mapping[Any, int]] = [state.stock, state.tower, state.boxed, {"silver": state.forge}]
    for builder in state.builders:
        places += [builder.held, *builder.carried.values()]
    if state.winter and state.winter.damsel:
        places.append(state.winter.damsel.pieces)
    total: Counter[str] = Counter()
    for place in places:
        total.update(place)
    return total


def _tile_faults(state: State) -> Iterator[str]:
    total = Counter[str](state.tiles)
    for builder in state.builders:
        total.update(builder.tiles)
    for building, count in TILES_IN_BOX.items():
        if total[building] != count:
            yield f"{total[building]} tiles of {building} are in play, and the box holds {count}."


def _helper_faults(state: State) -> Iterator[str]:
    each = 7 if len(state.seats) == 2 else 6
    standing = Counter(state.helpers.values()) + Counter(post.seat for post in state.posts.values())
    if state.winter:
        standing.update(state.winter.granary or ())
        if state.winter.tavern and state.winter.tavern.innkeeper is not None:
            standing[state.winter.tavern.innkeeper] += 1
    for seat, builder in enumerate(state.builders):
        if standing[seat] + builder.helpers != each:
            yield f"{state.seats[seat]} has {standing[seat] + builder.helpers} helpers and not {each}."


def _card_faults(state: State) -> Iterator[str]:
    for seat, builder in enumerate(state.builders):
        name = state.seats[seat]
        out = (*builder.played, *builder.lost)
        known = [card for card in builder.laid if card != FACE_DOWN]
        if len(set(out)) < len(out) or len(set(known)) < len(known):
            yield f"{name} has the same card twice."
        if any(card not in hand(builder) for card in known):
            yield f"{name} has laid a card that is not in hand."
