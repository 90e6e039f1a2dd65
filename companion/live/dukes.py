"""Castle Dukes at the desk: what a sensed event can mean as the game stands, in questions that people can answer.

The rules decide what is offered: an answer books only what they allow now. What fits nothing they allow is vetoed and
can be done anyway, as a correction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.live import mending
from companion.live.context import context, losing
from companion.live.pieces import Move, Place, is_named, likeness, move_of, noun, standing
from companion.live.proposals import Answer, Measured, Question
from companion.rules.base import Action, Fact, Game
from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.actions import (
    ArmTop,
    BuildRoom,
    CountCastle,
    Crumble,
    FurnishRoom,
    HouseGuest,
    Lose,
    PlaceBridge,
    PlacePillars,
    PlaceRoof,
    PlaceTile,
    RehouseGuest,
    TakeDown,
)
from companion.rules.castle_dukes.building_moves import cards_in_hand, taking_down
from companion.rules.castle_dukes.state import TOWERS, State, Tile, TowerId
from companion.rules.castle_dukes.supply import amount
from companion.rules.table import Choice, Prompt
from companion.sensing.streams import Sensed

GAME_ID = "castle-dukes"

_PLACING = (
    PlaceTile, PlaceRoof, PlaceBridge, PlacePillars, BuildRoom, FurnishRoom, ArmTop, HouseGuest, RehouseGuest,
)  # fmt: skip
_REMOVING = (Lose, TakeDown)
_ABOUT_PIECES = ("placed", "removed")
_DRAGON_RULES = ("dragon.extra", "dragon.resolve")
_MOST_FACES = 3
_MOST_ANSWERS = 8

LATER = Answer(id="later", label="Later", weight="later")
IGNORE = Answer(id="ignore", label="Set aside", weight="ignore")
WAIT = Answer(id="wait", label="The game is right: we put the table right", weight="wait")


class Past(Struct, frozen=True, kw_only=True):
    """What happened before an event, as far as its meaning depends on it.

    `earlier`: an accident on this board a short while ago. `facts`: what became true by the last moves. `undo`: the
    last booking in words, where it put up the very piece that was taken away now.
    """

    earlier: bool = False
    facts: tuple[Fact, ...] = ()
    undo: str = ""


class Dukes:
    """Reads what is sensed on the boards of a game of Castle Dukes."""

    def __init__(self, game: Game[State]) -> None:
        self._game = game
        self._prompted: tuple[State, tuple[Prompt, ...]] | None = None

    # What the game tells

    def context(self, state: State, seats: Mapping[str, int]) -> dict[str, Any]:
        """What the detectors are told."""
        return context(state, seats)

    def levels(self, state: State, seat: int) -> dict[str, int]:
        """The levels of each tower by the game; empty in a light game, which does not track them before the count."""
        if state.options.detail == "light":
            return {}
        return dict(zip(TOWERS, castle.heights(state.dukes[seat].castle), strict=True))

    def standing(self, state: State, seat: int) -> Counter[Place]:
        """What stands in a castle by the game."""
        return standing(state.dukes[seat].castle)

    # What is asked

    def asks(self, state: State, event: Sensed) -> bool:
        """Whether such an event is asked about: a light game knows of accidents, not of pieces."""
        return event.kind == "collapse" or (event.kind in _ABOUT_PIECES and state.options.detail == "full")

    def known(self, state: State, seat: int, event: Sensed) -> Question:
        """An event about which there is nothing to ask."""
        return Question(title=_title(state, seat, event), text=_told(event, 1), answers=())

    def question(self, state: State, seat: int, event: Sensed, count: int, past: Past) -> Question:
        """What to ask about an event, as the game stands."""
        if event.kind == "collapse":
            return self._collapse(state, seat, event, past)
        if event.kind == "placed":
            return self._placed(state, seat, event, count)
        return self._removed(state, seat, event, past)

    def _collapse(self, state: State, seat: int, event: Sensed, past: Past) -> Question:
        name = state.seats[seat]
        text = f"Something fell on {name}'s board."
        if event.tower:
            text = f"Something fell on {name}'s board by the {event.tower} tower."
        way = mending.anyway(self._game, state, Crumble(seat=seat)) or ()
        legal = way == (Crumble(seat=seat),)
        exempt = losing(state, seat) or any(fact.seat == seat and fact.rule in _DRAGON_RULES for fact in past.facts)
        answers = [
            Answer(
                id="crumble", label="Crumble token", weight="book" if legal else "correct", actions=way,
                primary=legal and not exempt,
            )
        ]  # fmt: skip
        if past.earlier:
            answers.append(Answer(id="same", label="Same accident", weight="same"))
        if exempt:
            answers.append(Answer(id="exempt", label="Exempt: dragon's extra removal", weight="exempt"))
        answers.append(Answer(id="reject", label="Not a collapse", weight="reject"))
        if legal:
            answers.append(LATER)
        return Question(
            title=_title(state, seat, event), text=text, answers=tuple(answers), vetoed=not legal, urgent=legal
        )

    def _placed(self, state: State, seat: int, event: Sensed, count: int) -> Question:
        title = _title(state, seat, event)
        text = _told(event, count)
        singly = (choice for choice in self._choices(state, seat, _PLACING) if getattr(choice.action, "count", 1) == 1)
        offered = [_counted(choice, count) for choice in singly]
        answers = [answer for each in self._fitting(state, event, offered) for answer in _faced(state, *each)]
        if answers:
            reject = Answer(id="reject", label="Nothing was put up", weight="reject")
            return Question(title=title, text=text, answers=(*_unlike(answers)[:_MOST_ANSWERS], reject, LATER))
        ways = ((action, mending.anyway(self._game, state, action)) for action in _wished(state, seat, event, count))
        return self._veto(title, f"{text} The rules allow no such thing now.", state, ways)

    def _removed(self, state: State, seat: int, event: Sensed, past: Past) -> Question:
        title = _title(state, seat, event)
        text = _told(event, 1)
        answers = [
            _booked(choice, primary)
            for choice, primary in self._fitting(state, event, self._choices(state, seat, _REMOVING))
        ]
        if not answers and past.undo:
            answers = [Answer(id="undo", label=f"Take back: {past.undo}", weight="undo", primary=is_named(event))]
        if answers:
            reject = Answer(id="reject", label="Nothing was taken away", weight="reject")
            return Question(title=title, text=text, answers=(*_unlike(answers)[:_MOST_ANSWERS], reject, LATER))
        targets = [move.action for move in taking_down(state, seat) if isinstance(move.action, TakeDown)]
        fitting = [action for action in targets if _fits(state, event, action)]
        ways = ((action, mending.taken_down(self._game, state, action)) for action in fitting[:_MOST_ANSWERS])
        return self._veto(title, f"{text} The game still has it.", state, ways)

    def _choices(self, state: State, seat: int, kinds: tuple[type[Action], ...]) -> list[Choice]:
        """The moves of a seat that the rules allow now."""
        if self._prompted is None or self._prompted[0] is not state:
            self._prompted = state, self._game.prompts(state)
        prompts = (prompt for prompt in self._prompted[1] if prompt.seat == seat)
        return [
            choice
            for prompt in prompts
            for choice in prompt.choices
            if isinstance(choice.action, kinds) and choice.legal
        ]

    def _fitting(self, state: State, event: Sensed, choices: Iterable[Choice]) -> list[tuple[Choice, bool]]:
        """The choices that fit the event, the likeliest first: primary if the piece is named and no other is as likely.

        Where the senses name a level, one of that level is meant; one of another level only if there is no such.
        """
        found = []
        for choice in choices:
            move = move_of(state, choice.action)
            like = likeness(event, move) if move else None
            if move and like is not None and self._game.refusal(state, choice.action) is None:
                found.append((like, move, choice))
        exact = [each for each in found if event.level is None or each[1].level == event.level]
        ranked = sorted(exact or found, key=lambda each: -each[0])
        sure = bool(exact) and is_named(event)
        alone = sure and (len(ranked) == 1 or ranked[0][0] > ranked[1][0])
        return [(choice, alone and place == 0) for place, (_, _, choice) in enumerate(ranked)]

    def _veto(self, title: str, text: str, state: State, ways: Iterable[tuple[Action, mending.Way | None]]) -> Question:
        answers = [
            Answer(id=f"anyway {label}", label=f"Do it anyway: {label}", weight="correct", actions=way)
            for action, way in ways
            if way and (label := self._game.label(state, action))
        ]
        return Question(title=title, text=text, answers=(*_unlike(answers), WAIT, IGNORE), vetoed=True)

    # What is measured

    def levels_question(self, state: State, seat: int, tower: str, levels: int) -> Question:
        """What to do about a tower that is read higher or lower than the game has it."""
        name, game = state.seats[seat], self.levels(state, seat)[tower]
        here, there = amount(levels, "level"), amount(game, "level")
        text = f"{name}'s {tower} tower has {here} on the table and {there} in the game."
        way = mending.to_levels(self._game, state, seat, _tower(tower), levels)
        label = f"The table is right: {here}"
        take = (Answer(id=f"table {levels}", label=label, weight="correct", actions=way),) if way else ()
        return Question(title=f"{name}: out of step", text=text, answers=(*take, WAIT, IGNORE), vetoed=True)

    def count_question(self, state: State, seat: int, measured: Iterable[Measured]) -> Question | None:
        """In a light game's count: the levels as measured, filled in."""
        levels = {each.tower: each.levels for each in measured if each.tower in TOWERS}
        if state.phase != "count" or state.dukes[seat].counted is not None or not levels:
            return None
        for choice in self._choices(state, seat, (CountCastle,)):
            assert isinstance(choice.action, CountCastle)
            action = replace(choice.action, counts=replace(choice.action.counts, **levels))
            told = ", ".join(f"{tower} {levels[tower]}" for tower in TOWERS if tower in levels)
            label = "Count the castle with these levels"
            answer = Answer(id="count", label=label, weight="book", actions=(action,), primary=True, asks=choice.asks)
            title = f"{state.seats[seat]}: the castle is measured"
            return Question(title=title, text=f"Levels as measured: {told}.", answers=(answer,))
        return None

    def tallest(self, state: State, seat: int) -> int | None:
        """The levels of the tallest tower by the game, None where it does not know."""
        counted = state.dukes[seat].counted
        if state.options.detail == "light":
            return max(counted.left, counted.middle, counted.right) if counted else None
        return max(castle.heights(state.dukes[seat].castle))


# Words


def _title(state: State, seat: int, event: Sensed) -> str:
    name = state.seats[seat]
    if event.kind == "collapse":
        return f"{name}: a collapse"
    return f"{name}: a piece was put up" if event.kind == "placed" else f"{name}: a piece was taken away"


def _told(event: Sensed, count: int) -> str:
    """What was sensed, in a sentence.

    >>> _told(Sensed(kind="placed", t_us=0, decided_us=0, piece="pillar", tower="left", level=2), 2)
    '2 pillars were put up on level 2 of the left tower.'
    >>> _told(Sensed(kind="placed", t_us=0, decided_us=0, piece="pillar", tower="left", level=0), 1)
    '1 pillar was put up on the bare foundation of the left tower.'
    """
    what = amount(count, noun(event))
    was = "was" if count == 1 else "were"
    came = event.kind == "placed"
    if event.tower is None:
        return f"{what} {was} put up." if came else f"{what} {was} taken away."
    if event.level is None:
        tower = f"the {event.tower} tower"
        return f"{what} {was} put up at {tower}." if came else f"{what} {was} taken away from {tower}."
    level = f"level {event.level} of the {event.tower} tower"
    if event.level == 0:
        level = f"the bare foundation of the {event.tower} tower"
    return f"{what} {was} put up on {level}." if came else f"{what} {was} taken away from {level}."


# Answers


def _booked(choice: Choice, primary: bool) -> Answer:
    label = choice.label
    return Answer(id=f"book {label}", label=label, weight="book", actions=(choice.action,), primary=primary)


def _counted(choice: Choice, count: int) -> Choice:
    """A choice of one pillar, as one of so many."""
    action = choice.action
    if not isinstance(action, PlacePillars) or count == 1:
        return choice
    label = f"{count} pillars on {castle.where(action.tower, action.level)}"
    return replace(choice, label=label, action=replace(action, count=count))


def _faced(state: State, choice: Choice, primary: bool) -> Iterator[Answer]:
    """A tile with the faces it may show, the usual first, and one to tell; everything else as it is."""
    action = choice.action
    if not isinstance(action, PlaceTile):
        yield _booked(choice, primary)
        return
    for place, face in enumerate(_faces(state)):
        label = f"{choice.label} ({_face_words(face)})"
        tile = replace(action, spaces=face.spaces, cobbles=face.cobbles, ends=face.ends)
        yield Answer(id=f"book {label}", label=label, weight="book", actions=(tile,), primary=primary and place == 0)
    label = f"{choice.label}, another side"
    yield Answer(id=f"book {label}", label=label, weight="book", actions=(action,), asks=choice.asks)


def _faces(state: State) -> list[Tile]:
    """The faces of the floor tiles that stand, the most frequent first; before there are any, a plain one."""
    shown = Counter(
        Tile(spaces=tile.spaces, cobbles=tile.cobbles, ends=tile.ends)
        for duke in state.dukes
        for _, _, tile in castle.tiles(duke.castle)
        if tile.roof is None
    )
    return [face for face, _ in shown.most_common(_MOST_FACES)] or [Tile()]


def _face_words(face: Tile) -> str:
    ends = "bridge ends" if face.ends else "no bridge ends"
    return f"{amount(face.spaces, 'room space')}, {amount(face.cobbles, 'marking')}, {ends}"


def _unlike(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """Each answer once."""
    return tuple({answer.id: answer for answer in answers}.values())


def _wished(state: State, seat: int, event: Sensed, count: int) -> Iterator[Action]:
    """The moves an event would be if the rules had nothing against it."""
    towers = [tower for tower in TOWERS if event.tower in (None, tower)]
    for tower in towers:
        height = len(castle.tower(state.dukes[seat].castle, tower))
        level = min(event.level or height, height)
        if event.piece in ("floor-tile", "tile"):
            yield PlaceTile(seat=seat, tower=tower)
        elif event.piece == "roof":
            yield PlaceRoof(seat=seat, tower=tower)
        elif event.piece == "pillar" and level:
            yield PlacePillars(seat=seat, tower=tower, level=level, count=count)
        elif event.piece == "room" and level:
            cards = cards_in_hand(state, state.dukes[seat])
            yield from (BuildRoom(seat=seat, tower=tower, level=level, card=place) for place in range(len(cards)))
    if event.piece == "bridge" and event.level:
        yield PlaceBridge(seat=seat, level=event.level)


def _fits(state: State, event: Sensed, action: Action) -> bool:
    """Whether an action moves the sensed piece; of one that the senses cannot name nobody can tell."""
    move: Move | None = move_of(state, action)
    like = likeness(event, move) if move and is_named(event) else None
    return move is not None and like is not None and event.level in (None, move.level)


def _tower(tower: str) -> TowerId:
    return next(each for each in TOWERS if each == tower)
