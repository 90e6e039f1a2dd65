"""Castle Dukes drawn as it stands: barbicans, towers, room board, dragon chart, guests, Crumble tokens.

The pieces carry the ids of the moves that belong to them, so that a touch on a slot or a tower makes the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Literal

from msgspec import Struct

from companion.app.models.model import Translate, plain
from companion.app.models.prompts import ChoiceView, PromptView
from companion.app.models.scene import TableView
from companion.rules import registry
from companion.rules.base import Action
from companion.rules.castle_dukes import actions as do
from companion.rules.castle_dukes.barbican import ratings
from companion.rules.castle_dukes.castle import free_slots, tower
from companion.rules.castle_dukes.dragon import chit_name, damage
from companion.rules.castle_dukes.phases import SOUGHT, anyone_rearranging
from companion.rules.castle_dukes.picture import describe
from companion.rules.castle_dukes.state import (
    GUESTS,
    ITEMS,
    RATINGS,
    TOP_ITEMS,
    TOWERS,
    Card,
    Character,
    Duke,
    Rating,
    Room,
    Slot,
    Spot,
    State,
    Tile,
    Top,
    TowerId,
)
from companion.rules.castle_dukes.supply import CARD_LIMIT, limit

DIAL_MOST = 20
"""Where the dragon's last tier lies: a dial drawn to this is full."""
_PEOPLE: tuple[Character, ...] = ("king", "princess", "knight", "serf")
_FURNITURE = ("table", "coffer")
_MOST_DAMAGE = 4


class Dial(Struct, frozen=True, kw_only=True):
    """One rating of a barbican. `full` is 0 to 1."""

    rating: Rating
    value: int
    full: float


class Piece(Struct, frozen=True, kw_only=True):
    """Pieces of a kind; `kind` names the icon."""

    kind: str
    count: int = 1


class RoomView(Struct, frozen=True, kw_only=True):
    """A built room: what stands on it and which of its slots are free."""

    name: str
    text: str
    pieces: tuple[Piece, ...]
    free: tuple[Piece, ...]


class LevelView(Struct, frozen=True, kw_only=True):
    """One level of a tower, `roof` or floor. Free cobblestones are `cobbles` - `covered`, free spaces `spaces`."""

    level: int
    roof: bool
    pillars: int
    cobbles: int
    covered: int
    spaces: int
    ends: bool
    rooms: tuple[RoomView, ...]
    decors: tuple[Piece, ...]
    choices: tuple[ChoiceView, ...]


class TowerView(Struct, frozen=True, kw_only=True):
    """A tower from level 1 up. `next` are the moves that put a tile on top."""

    tower: TowerId
    levels: tuple[LevelView, ...]
    next: tuple[ChoiceView, ...]


class BridgeView(Struct, frozen=True, kw_only=True):
    """A bridge between the front towers."""

    level: int
    decors: tuple[Piece, ...]
    choices: tuple[ChoiceView, ...]


class HeldItem(Struct, frozen=True, kw_only=True):
    """What lies in an inventory, and how many may."""

    kind: str
    count: int
    limit: int


class ChartRow(Struct, frozen=True, kw_only=True):
    """One tier of the dragon chart: from this rating on, so much damage. `here` marks this duke's."""

    least: int
    damage: int
    here: bool


class Chart(Struct, frozen=True, kw_only=True):
    """The dragon chart for one rating, least damage first."""

    rating: Literal["offence", "defence"]
    value: int
    rows: tuple[ChartRow, ...]


class ChitView(Struct, frozen=True, kw_only=True):
    """A drawn damage chit."""

    label: str
    kind: str
    resolved: bool


class DukeView(Struct, frozen=True, kw_only=True):
    """One duke. `coins` and `cards` are the inventory's; `owed` is what the dragon still takes."""

    seat: int
    name: str
    coins: int
    dials: tuple[Dial, ...]
    towers: tuple[TowerView, ...]
    bridges: tuple[BridgeView, ...]
    held: tuple[HeldItem, ...]
    cards: tuple[str, ...]
    card_limit: int
    loose: tuple[Piece, ...]
    loose_cards: tuple[str, ...]
    crumbles: int
    vines: int
    stage: str
    rearranging: bool
    charts: tuple[Chart, ...]
    chits: tuple[ChitView, ...]
    owed: str


class SlotView(Struct, frozen=True, kw_only=True):
    """A slot of the room board. `card` is empty where nobody has entered it; `take` and `enter` are its moves."""

    board: int
    slot: int
    cost: int
    bonus: str
    filled: bool
    card: str
    text: str
    pieces: tuple[Piece, ...]
    take: ChoiceView | None
    enter: ChoiceView | None


class GuestView(Struct, frozen=True, kw_only=True):
    """A guest on the way: the rating it seeks, the seats that still house it, whether it is choosing now."""

    guest: str
    seeks: Rating
    now: bool
    seats: tuple[int, ...]


class BarbicanView(Struct, frozen=True, kw_only=True):
    """The solo opponent: dials and guests, no castle."""

    dials: tuple[Dial, ...]
    guests: tuple[Piece, ...]


class DukesView(Struct, frozen=True, kw_only=True):
    """The whole table. `boards` are drawn from the highest slot down."""

    turn: int
    turns: int
    phase: str
    first: int
    light: bool
    dukes: tuple[DukeView, ...]
    boards: tuple[tuple[SlotView, ...], ...]
    guests: tuple[GuestView, ...]
    dragon: bool
    dragon_came: tuple[int, ...]
    putting_right: bool
    ai: BarbicanView | None


def dukes_view(state: State, table: TableView, t: Translate = plain) -> DukesView:
    """The state as it is drawn, with the moves of a table's view laid onto its pieces."""
    moves = _Moves(table.prompts)
    return DukesView(
        turn=state.turn,
        turns=state.options.turns,
        phase=state.phase,
        first=state.first,
        light=state.options.detail == "light",
        dukes=tuple(_duke(state, seat, moves, t) for seat in range(len(state.dukes))),
        boards=tuple(_board(board, slots, moves, t) for board, slots in enumerate(state.boards)),
        guests=tuple(_guests(state)),
        dragon=state.phase == "dragon",
        dragon_came=state.attacks,
        putting_right=anyone_rearranging(state),
        ai=_ai(state),
    )


def refused_at(state: State, seat: int, id: TowerId, t: Translate = plain) -> tuple[str, ...]:
    """Why a duke cannot build at a tower now, each reason once with where the rulebook has it."""
    game = registry.get("castle-dukes")
    top = len(tower(state.dukes[seat].castle, id))
    moves: list[Action] = [do.PlaceTile(seat=seat, tower=id)]
    if top:
        moves += [do.PlacePillars(seat=seat, tower=id, level=top), do.BuildRoom(seat=seat, tower=id, level=top)]
    refusals = [refusal for move in moves if (refusal := game.refusal(state, move)) is not None]
    return tuple(dict.fromkeys(f"{t(one.why)} ({t(game.rulebook[one.rule].cite)})" for one in refusals))


class _Moves:
    """The moves of a table by the place they belong to."""

    def __init__(self, prompts: Iterable[PromptView]) -> None:
        self._slots: dict[tuple[type, int, int], ChoiceView] = {}
        self._levels: dict[tuple[object, object, object], list[ChoiceView]] = {}
        self._tops: dict[tuple[int, TowerId], list[ChoiceView]] = {}
        for prompt in prompts:
            for choice in prompt.choices:
                self._sort_in(choice)

    def _sort_in(self, choice: ChoiceView) -> None:
        action = choice.action
        self._levels.setdefault(_place(action), []).append(choice)
        if isinstance(action, do.PlaceTile | do.PlaceRoof):
            self._tops.setdefault((action.seat, action.tower), []).append(choice)
        elif isinstance(action, do.TakeRoom | do.NameRoom):
            self._slots.setdefault((type(action), action.board, action.slot), choice)

    def slot(self, kind: type[do.TakeRoom] | type[do.NameRoom], board: int, slot: int) -> ChoiceView | None:
        """Buying or entering the card of a slot."""
        return self._slots.get((kind, board, slot))

    def level(self, seat: int, spot: Spot, level: int) -> tuple[ChoiceView, ...]:
        """Everything to be done at a level of a tower or bridge."""
        return tuple(self._levels.get((seat, spot, level), ()))

    def top(self, seat: int, id: TowerId) -> tuple[ChoiceView, ...]:
        """Tiles to be put on a tower."""
        return tuple(self._tops.get((seat, id), ()))


def _place(action: object) -> tuple[object, object, object]:
    if isinstance(action, do.PlaceBridge):
        return action.seat, "bridge", action.level
    return getattr(action, "seat", None), getattr(action, "tower", None), getattr(action, "level", None)


# A duke


def _duke(state: State, seat: int, moves: _Moves, t: Translate) -> DukeView:
    duke = state.dukes[seat]
    dials = ratings(state, seat)
    attack = duke.attack
    return DukeView(
        seat=seat,
        name=state.seats[seat],
        coins=duke.coins,
        dials=tuple(_dial(rating, getattr(dials, rating)) for rating in RATINGS),
        towers=tuple(_tower(duke, seat, id, moves, t) for id in TOWERS),
        bridges=tuple(
            BridgeView(
                level=bridge.level, decors=_decors(bridge.top), choices=moves.level(seat, "bridge", bridge.level)
            )
            for bridge in duke.castle.bridges
        ),
        held=tuple(
            HeldItem(kind=item, count=duke.held[item], limit=limit(item)) for item in ITEMS if item in duke.held
        ),
        cards=tuple(t(describe(card)) for card in duke.cards),
        card_limit=CARD_LIMIT,
        loose=tuple(Piece(kind=kind, count=count) for kind, count in duke.loose.items()),
        loose_cards=tuple(t(describe(card)) for card in duke.loose_cards),
        crumbles=duke.crumbles,
        vines=duke.vines_dropped,
        stage=duke.stage,
        rearranging=duke.rearranging,
        charts=(chart("offence", dials.offence), chart("defence", dials.defence)),
        chits=tuple(_chits(duke, t)),
        owed=t(chit_name(attack.owed)) if attack and attack.owed else "",
    )


def _dial(rating: Rating, value: int) -> Dial:
    return Dial(rating=rating, value=value, full=min(1.0, value / DIAL_MOST))


@cache
def chart(rating: Literal["offence", "defence"], value: int) -> Chart:
    """The dragon chart of a rating (Resolving a Dragon Attack), read off the rule itself.

    >>> [(row.least, row.damage, row.here) for row in chart("offence", 6).rows]
    [(13, 1, False), (8, 2, False), (5, 3, True), (0, 4, False)]
    """
    tiers = {hits: least for least in range(DIAL_MOST, -1, -1) for hits in (damage(rating, least),)}
    here = damage(rating, value)
    rows = (
        ChartRow(least=tiers[hits], damage=hits, here=hits == here)
        for hits in range(1, _MOST_DAMAGE + 1)
        if hits in tiers
    )
    return Chart(rating=rating, value=value, rows=tuple(rows))


def _chits(duke: Duke, t: Translate) -> Iterator[ChitView]:
    if duke.attack:
        for place, chit in enumerate(duke.attack.chits):
            yield ChitView(label=t(chit_name(chit)), kind=chit.kind, resolved=place in duke.attack.resolved)


# Its castle


def _tower(duke: Duke, seat: int, id: TowerId, moves: _Moves, t: Translate) -> TowerView:
    stack = tower(duke.castle, id)
    levels = tuple(_level(tile, level, moves.level(seat, id, level), t) for level, tile in enumerate(stack, start=1))
    return TowerView(tower=id, levels=levels, next=moves.top(seat, id))


def _level(tile: Tile, level: int, choices: tuple[ChoiceView, ...], t: Translate) -> LevelView:
    return LevelView(
        level=level,
        roof=tile.roof is not None,
        pillars=tile.pillars,
        cobbles=tile.cobbles,
        covered=tile.covered,
        spaces=max(0, tile.spaces - len(tile.rooms)),
        ends=tile.ends or tile.roof is not None,
        rooms=tuple(_room(room, t) for room in tile.rooms),
        decors=_decors(tile.roof) if tile.roof is not None else (),
        choices=choices,
    )


def _room(room: Room, t: Translate) -> RoomView:
    living = tuple(Piece(kind=who, count=getattr(room, who)) for who in _PEOPLE if getattr(room, who))
    furniture = tuple(Piece(kind=item) for item in _FURNITURE if getattr(room, item))
    free = tuple(Piece(kind=who, count=count) for who in _PEOPLE if (count := free_slots(room, who)))
    return RoomView(name=t(room.card.name), text=t(describe(room.card)), pieces=(*living, *furniture), free=free)


def _decors(top: Top) -> tuple[Piece, ...]:
    return tuple(Piece(kind=item, count=count) for item in TOP_ITEMS if (count := int(getattr(top, item))))


# The board, the guests, the opponent


def _board(board: int, slots: tuple[Slot, ...], moves: _Moves, t: Translate) -> tuple[SlotView, ...]:
    views = [_slot(board, place, slot, moves, t) for place, slot in enumerate(slots)]
    return tuple(reversed(views))


def _slot(board: int, place: int, slot: Slot, moves: _Moves, t: Translate) -> SlotView:
    return SlotView(
        board=board,
        slot=place,
        cost=slot.cost,
        bonus="" if slot.bonus == "none" else slot.bonus,
        filled=slot.filled,
        card=t(slot.card.name) if slot.card else "",
        text=t(describe(slot.card)) if slot.card else "",
        pieces=tuple(_printed(slot.card)) if slot.card else (),
        take=moves.slot(do.TakeRoom, board, place),
        enter=moves.slot(do.NameRoom, board, place),
    )


def _printed(card: Card) -> Iterator[Piece]:
    """What a card prints, as icons with numbers."""
    for kind in (*RATINGS, *_PEOPLE, "vp"):
        if count := int(getattr(card, kind)):
            yield Piece(kind=kind, count=count)


def _guests(state: State) -> Iterator[GuestView]:
    for place, guest in enumerate(state.guests):
        now = place == 0 and state.phase == "guests"
        seats = state.visit.seats if now and state.visit else ()
        yield GuestView(guest=guest, seeks=SOUGHT[guest], now=now, seats=seats)


def _ai(state: State) -> BarbicanView | None:
    ai = state.ai
    if ai is None:
        return None
    return BarbicanView(
        dials=tuple(_dial(rating, getattr(ai, rating)) for rating in RATINGS),
        guests=tuple(Piece(kind=guest, count=count) for guest in GUESTS if (count := int(getattr(ai, guest)))),
    )
