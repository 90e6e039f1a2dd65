"""Castle Dukes as a Game: set-up, the one dispatch to the phases, and what can never be true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.errors import Malformed
from companion.rules.base import (
    Action,
    Dealer,
    Game,
    GameInfo,
    GameOption,
    Handlers,
    Mode,
    Referee,
    Rulebook,
    Setup,
    decode,
)
from companion.rules.box import Box, Learned
from companion.rules.castle_dukes import (
    acquiring,
    castle,
    collapse,
    dragon,
    guests,
    light,
    phases,
    placing,
    rooms,
    scoring,
    solo,
)
from companion.rules.castle_dukes.actions import (
    ACTIONS,
    EXAMPLES,
    ArmTop,
    DrawConstruction,
    DrawTile,
    FinishBuilding,
    NameRoom,
    PassRooms,
    PlaceBridge,
    PlacePillars,
    PlaceRoof,
    PlaceTile,
    Settle,
    StopBuying,
    TakeDown,
    TakePillars,
    TakeRoom,
)
from companion.rules.castle_dukes.deal import deal
from companion.rules.castle_dukes.labels import label
from companion.rules.castle_dukes.picture import picture
from companion.rules.castle_dukes.prompts import offers
from companion.rules.castle_dukes.rulebook import RULES
from companion.rules.castle_dukes.rulings import RULINGS
from companion.rules.castle_dukes.state import GUESTS, ITEMS, STOCKED, Ai, Card, Duke, Options, Slot, State
from companion.rules.castle_dukes.supply import CARD_LIMIT, ONE_SET, limit
from companion.rules.offers import prompts_of
from companion.rules.scores import ScoreSheet
from companion.rules.table import Choice, Picture, Prompt

_OPTIONS = (
    GameOption(
        key="detail", label="How much to track", default="full", values=("full", "light"), rule="light.only",
        text="Full: every piece, so dials and score follow. Light: turns, coins, dials, Crumble tokens and the tally.",
    ),
    GameOption(
        key="turns", label="Length", default=9, values=(9, 12), rule="end.turn-12",
        text="Nine turns, or twelve with a dragon for certain on the last.",
    ),
    GameOption(
        key="vines", label="Extra hard: vines", default=False, rule="vines.hang",
        text="Each tile above level 1 brings a vine to hang; every 2 dropped vines cost a point.",
    ),
    GameOption(
        key="solo", label="Solo opponent", default="duke", values=("baby", "duke", "awesome"), rule="solo.awesome",
        text="Alone only. Baby: the dragon hurts the AI twice. Awesome: the AI takes two rooms on even turns.",
    ),
    GameOption(
        key="zero_ranks", label="Zero still ranks", default=True, rule="ruling.zero-ranks",
        text="A contest in which everyone has 0 still pays first and second; off: it pays nobody.",
    ),
    GameOption(
        key="turn9_check", label="Dragon check on turn 9 of 12", default=True, rule="ruling.turn-9-in-long-game",
        text="In the twelve-turn game a fire icon on turn 9 still brings the dragon.",
    ),
    GameOption(
        key="late_coins", label="Free coins of players 5 to 8", default="continue", values=("continue", "three"),
        rule="ruling.late-coins", text="They go on counting (4, 5, 6, 7), or stay at 3.",
    ),
)  # fmt: skip

_INFO = GameInfo(
    id="castle-dukes",
    title="Castle Dukes",
    players=(1, 8),
    minutes=(60, 90),
    age=12,
    rules_version=1,
    modes=(
        Mode(key="solo-baby", label="Solo, Baby mode", players=1, options={"solo": "baby"}),
        Mode(key="solo-duke", label="Solo, Duke mode", players=1),
        Mode(key="solo-awesome", label="Solo, I Am Awesome mode", players=1, options={"solo": "awesome"}),
        Mode(key="two-players", label="Two players", players=2),
        Mode(key="three-players", label="Three players", players=3),
        Mode(key="four-players", label="Four players", players=4),
        Mode(key="six-players", label="Five or six players with two sets", players=6),
        Mode(key="eight-players", label="Seven or eight players with two sets", players=8),
        Mode(key="twelve-turns", label="Twelve turns", players=3, options={"turns": 12}),
        Mode(key="vines", label="Extra hard with vines", players=2, options={"vines": True}),
        Mode(key="light", label="Light", players=4, options={"detail": "light"}),
    ),
    options=_OPTIONS,
    senses={
        "camera": "sees levels, heights and collapses of the three towers",
        "scales": "feel pieces placed, removed and falling on each player board",
    },
)

_SIDES: dict[int, tuple[str, ...]] = {
    1: ("1-2",), 2: ("1-2",), 3: ("3-4",), 4: ("3-4",),
    5: ("3-4", "1-2"), 6: ("3-4", "1-2"), 7: ("3-4", "3-4"), 8: ("3-4", "3-4"),
}  # fmt: skip
"""Which sides of the game boards lie up (Setup 7; 5-8 Players)."""
_MOST_FREE_COINS = {"continue": 7, "three": 3}

_HANDLERS: Handlers[State] = {
    **acquiring.HANDLERS,
    **collapse.HANDLERS,
    **dragon.HANDLERS,
    **guests.HANDLERS,
    **light.HANDLERS,
    **placing.HANDLERS,
    **rooms.HANDLERS,
    **solo.HANDLERS,
}


class CastleDukes(Game[State]):
    info = _INFO
    rulebook = Rulebook(RULES, RULINGS)
    state_type = State
    action_types = ACTIONS
    tally_type = scoring.Tally
    examples = EXAMPLES

    def begin(self, setup: Setup, options: Mapping[str, str | int | bool]) -> State:
        chosen = msgspec.convert(dict(options), Options)
        players = len(setup.seats)
        if players == 1 and chosen.detail == "light":
            raise Malformed("The solo opponent reads the room cards, so a solo game cannot be played light.")
        state = State(
            seats=setup.seats,
            options=chosen,
            first=setup.first if players > 1 else 1,
            dukes=tuple(Duke() for _ in setup.seats),
            boards=() if chosen.detail == "light" else tuple(self._slots(setup, side) for side in _SIDES[players]),
            stock={item: count * (2 if players > 4 else 1) for item, count in ONE_SET.items()},
            chits=_damage_chits(self.box, setup),
            ai=Ai(mode=chosen.solo) if players == 1 else None,
        )
        return self._open(_fill_boards(state))

    def _slots(self, setup: Setup, side: str) -> tuple[Slot, ...]:
        """The slots of a board side, lowest first, as the box data has them."""
        try:
            entries = {**self.box["slots"], **setup.box.get("slots", {})}
            slots = [
                Slot(cost=entry["cost"], bonus=entry["bonus"]) for entry in entries.values() if entry["side"] == side
            ]
            return tuple(sorted(msgspec.convert(msgspec.to_builtins(slots), list[Slot]), key=lambda slot: slot.cost))
        except (msgspec.ValidationError, KeyError, TypeError) as error:
            raise Malformed(f"The box data for the room slots is not right: {error}.") from error

    def _open(self, state: State) -> State:
        """Hand out the free coins, or begin at once where there are none."""
        most = _MOST_FREE_COINS[state.options.late_coins]
        if state.ai:
            return phases.start_turn(Referee(self.rulebook), state)
        coins = {seat: min(place, most) for place, seat in enumerate(state.order)}
        dukes = tuple(msgspec.structs.replace(duke, coins=coins[seat]) for seat, duke in enumerate(state.dukes))
        return msgspec.structs.replace(state, dukes=dukes)

    def play(self, referee: Referee, state: State, action: Action) -> State:
        seat = getattr(action, "seat", 0)
        if seat >= len(state.dukes):
            referee.impossible("turn.seat", f"There is no seat {seat}: the seats are 0 to {len(state.dukes) - 1}.")
        return _HANDLERS[type(action)](referee, state, action)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        return prompts_of(self, state, offers(state))

    def picture(self, state: State) -> Picture:
        return picture(state)

    def label(self, state: State, action: Action) -> str:
        return label(state, action)

    def deal(self, state: State, choice: Choice, dealer: Dealer, box: Box) -> Action:
        return deal(state, choice, dealer, box)

    def learns(self, state: State, action: Action) -> tuple[Learned, ...]:
        return tuple(_learned(state, action))

    def tally(self, state: State) -> scoring.Tally:
        return light.tally(state) if state.options.detail == "light" else scoring.tally(state)

    def sheet(self, tally: scoring.Tally) -> ScoreSheet:
        return scoring.sheet(tally)

    def tally_template(self, players: int) -> scoring.Tally:
        return scoring.template(players)

    def appeal(self, choice: Choice) -> int:
        action = choice.action
        if isinstance(action, PlaceTile) and action.tower == "middle":
            return 2
        return _APPEAL.get(type(action), 4) * (action.level if isinstance(action, PlacePillars) else 1)

    def faults(self, state: State) -> tuple[str, ...]:
        return tuple(_faults(state))


_APPEAL: dict[type[Action], int] = {
    PassRooms: 40, DrawTile: 12, TakePillars: 12, StopBuying: 1, FinishBuilding: 1,
    PlaceTile: 20, PlacePillars: 6, PlaceRoof: 3, PlaceBridge: 12, ArmTop: 12, TakeDown: 1, Settle: 30,
}  # fmt: skip
"""A player by chance who saves coins for tiles and builds high, so that every rule comes into play."""

GAME = CastleDukes()


class _DamageChits(Struct, frozen=True):
    count: Annotated[int, Meta(ge=5, le=40)]


def _damage_chits(box: Box, setup: Setup) -> int:
    """How many chits are in the bag: the box's number, or what the table says of its own."""
    components = decode(setup.box.get("components", {}), dict[str, Any], "The box data for the components")
    entry = components.get("damage-chit") or box["components"]["damage-chit"]
    return decode(entry, _DamageChits, "The box data for the damage chits").count


def _fill_boards(state: State) -> State:
    """Every slot starts with a card of the room deck."""
    filled = sum(len(board) for board in state.boards)
    if filled > state.stock["room"]:
        raise Malformed(f"The box data has {filled} room slots, and there are {state.stock['room']} room cards.")
    return msgspec.structs.replace(state, stock={**state.stock, "room": state.stock["room"] - filled})


# What an action tells about the box


def _learned(state: State, action: Action) -> Iterator[Learned]:
    if isinstance(action, NameRoom | TakeRoom) and action.card is not None:
        yield _card_learned(action.card)
    if isinstance(action, TakeRoom) and action.bonus is not None:
        slot = state.boards[action.board][action.slot]
        side = _SIDES[len(state.dukes)][action.board]
        entry = {"side": side, "cost": slot.cost, "bonus": action.bonus}
        yield Learned(table="slots", key=f"{side}/{slot.cost}", entry=entry)
    if isinstance(action, DrawConstruction) and action.items:
        items = {item: count for item, count in sorted(action.items.items()) if count}
        name = action.name or ", ".join(f"{count} {item}" for item, count in items.items())
        yield Learned(table="construction", key=name, entry={"items": items})
    if isinstance(action, PlaceTile):
        key = f"{action.spaces}-{action.cobbles}-{'ends' if action.ends else 'plain'}"
        yield Learned(
            table="tiles", key=key, entry={"spaces": action.spaces, "cobbles": action.cobbles, "ends": action.ends}
        )


def _card_learned(card: Card) -> Learned:
    return Learned(table="rooms", key=card.name, entry=msgspec.to_builtins(card))


# What can never be true


def _faults(state: State) -> Iterator[str]:
    if len(state.seats) != len(state.dukes):
        yield "there are not as many dukes as seats."
        return
    yield from _range_faults(state)
    if state.options.detail == "light":
        return
    for seat, duke in enumerate(state.dukes):
        yield from _duke_faults(state.seats[seat], duke)
    there = _in_play(state)
    for item in STOCKED:
        if there[item] != ONE_SET[item] * state.sets:
            yield f"{there[item]} of {item} are in play, and the box holds {ONE_SET[item] * state.sets}."


def _range_faults(state: State) -> Iterator[str]:
    places = len(state.seats) + (state.ai is not None)
    if state.first >= places:
        yield "the First Player is not at the table."
    if state.buyer is not None and not 0 <= state.buyer < places:
        yield "the buyer is not at the table."
    if (state.ai is not None) != (len(state.dukes) == 1):
        yield "the AI plays in solo games, and only there."
    if state.turn > state.options.turns:
        yield "the turn is after the last one."
    if state.over != (state.phase == "over"):
        yield "the game is over only in its last phase."
    yield from _phase_faults(state)


def _phase_faults(state: State) -> Iterator[str]:
    if state.visit and any(not 0 <= seat < len(state.dukes) for seat in state.visit.seats):
        yield "a guest waits for somebody who is not at the table."
    if state.visit and state.guests[:1] != (state.visit.guest,):
        yield "a guest waits who has not come."
    if (state.phase == "room") != (state.buyer is not None):
        yield "somebody is buying rooms in the Room Phase, and only then."
    if state.phase == "building" and phases.all_have_built(state):
        yield "the Building Phase goes on although everyone has finished."
    if state.phase == "count" and all(duke.counted for duke in state.dukes):
        yield "castles are being counted although all are."


def _duke_faults(name: str, duke: Duke) -> Iterator[str]:
    for item in ITEMS:
        if duke.held.get(item, 0) > limit(item):
            yield f"{name} holds {duke.held[item]} of {item}, more than {limit(item)}."
    if len(duke.cards) > CARD_LIMIT:
        yield f"{name} holds {len(duke.cards)} room cards, more than {CARD_LIMIT}."
    yield from _tower_faults(name, duke)
    yield from _load_faults(name, duke)


def _tower_faults(name: str, duke: Duke) -> Iterator[str]:
    for spot, level, tile in castle.tiles(duke.castle):
        place = f"{name}'s {castle.where(spot, level)}"
        if tile.covered > min(tile.cobbles, tile.pillars):
            yield f"{place} has more cobblestones held than pillars or markings."
        if len(tile.rooms) > tile.spaces or (tile.roof is not None and (tile.rooms or tile.pillars)):
            yield f"{place} carries more than it can."
        if level < len(castle.tower(duke.castle, spot)) and (tile.roof is not None or not tile.pillars):
            yield f"{place} carries a level without a pillar or on a roof."
    for bridge in duke.castle.bridges:
        if not castle.can_bear_bridge(duke.castle, bridge.level):
            yield f"{name}'s bridge on level {bridge.level} hangs in the air."


def _load_faults(name: str, duke: Duke) -> Iterator[str]:
    for _, _, _, room in castle.rooms(duke.castle):
        if any(getattr(room, who) > getattr(room.card, who) for who in castle.CHARACTERS):
            yield f"{name}'s {room.card.name} houses more than its slots."
    for spot, level, top in castle.tops(duke.castle):
        if level < placing.LEAST_TOP_LEVEL or not placing.holds(top):
            yield f"{name}'s {castle.where(spot, level)} is too low for a roof or bridge, or carries more than it can."


def _in_play(state: State) -> Counter[str]:
    """How many of each component there are in all places together."""
    places: list[Mapping[Any, int]] = [state.stock, state.discard]
    for duke in state.dukes:
        cards = {"room": len(duke.cards) + len(duke.loose_cards)}
        places += [castle.pieces(duke.castle), duke.loose, duke.held, cards]
    places.append({"room": sum(slot.filled for board in state.boards for slot in board)})
    if state.visit:
        places.append({state.visit.guest: len(state.visit.seats)})
    if state.ai:
        places.append({guest: getattr(state.ai, guest) for guest in GUESTS})
    total: Counter[str] = Counter()
    for place in places:
        total.update(place)
    return total
