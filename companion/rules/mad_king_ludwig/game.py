"""Castles of Mad King Ludwig as a Game: set-up, the one dispatch to the phases, and what can never be true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.base import (
    Action,
    Correction,
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
from companion.rules.mad_king_ludwig import (
    bonus,
    buying,
    correcting,
    favours,
    market,
    phases,
    rewards,
    rooms,
    scoring,
)
from companion.rules.mad_king_ludwig.actions import (
    ACTIONS,
    EXAMPLES,
    Buy,
    CorrectBonus,
    CorrectRoom,
    CountStack,
    DeclineReward,
    DrawBonus,
    DrawRoom,
    MoveRoom,
    OpenSale,
    Pass,
    PeekStack,
    PriceRooms,
    ReturnBonus,
    SkipCard,
)
from companion.rules.mad_king_ludwig.deal import deal
from companion.rules.mad_king_ludwig.faults import faults
from companion.rules.mad_king_ludwig.labels import label
from companion.rules.mad_king_ludwig.picture import picture
from companion.rules.mad_king_ludwig.prompts import offers
from companion.rules.mad_king_ludwig.rooms import HALLWAYS, LARGE_FROM_SQFT, STAIRS, RoomTile
from companion.rules.mad_king_ludwig.rulebook import RULES
from companion.rules.mad_king_ludwig.rulings import RULINGS
from companion.rules.mad_king_ludwig.state import (
    STACKS,
    UNKNOWN,
    BonusId,
    Castle,
    Options,
    Placed,
    Player,
    Size,
    Space,
    State,
)
from companion.rules.offers import prompts_of
from companion.rules.scores import Outcome, ScoreSheet
from companion.rules.table import Choice, Picture, Prompt
from companion.rules.veils import veiled

_OPTIONS = (
    GameOption(
        key="castles", label="How castles are kept", default="map", values=("map", "ledger"), rule="ledger.only",
        text="Map: say where each room lies. Ledger: say what it joins, touches and completes, and get the points.",
    ),
    GameOption(
        key="bonus", label="Bonus cards", default="entered", values=("entered", "hidden"), rule="bonus.cards",
        text="Entered: each player enters cards in secret. Hidden: they stay in hand and are shown at the end.",
    ),
    GameOption(
        key="downstairs_once", label="One downstairs reward a turn", default=False, rule="ruling.every-second-below",
        text="At most one reward for completed downstairs rooms in a turn, as some play it online.",
    ),
)  # fmt: skip

_INFO = GameInfo(
    id="mad-king-ludwig",
    title="Castles of Mad King Ludwig",
    players=(1, 4),
    minutes=(60, 90),
    age=13,
    rules_version=1,
    modes=(
        Mode(key="solo", label="Solo", players=1),
        Mode(key="two-players", label="Two players", players=2),
        Mode(key="three-players", label="Three players", players=3),
        Mode(key="four-players", label="Four players", players=4),
        Mode(
            key="ledger",
            label="Ledger, bonus cards hidden",
            players=3,
            options={"castles": "ledger", "bonus": "hidden"},
        ),
    ),
    options=_OPTIONS,
)

_STARTING_MARKS = 15000
_HANDLERS: Handlers[State] = {
    **bonus.HANDLERS,
    **buying.HANDLERS,
    **correcting.HANDLERS,
    **favours.HANDLERS,
    **market.HANDLERS,
    **rewards.HANDLERS,
}


class MadKingLudwig(Game[State]):
    info = _INFO
    rulebook = Rulebook(RULES, RULINGS)
    state_type = State
    action_types = ACTIONS
    tally_type = scoring.Tally
    examples = EXAMPLES

    def begin(self, setup: Setup, options: Mapping[str, str | int | bool]) -> State:
        chosen = msgspec.convert(dict(options), Options)
        box = _Known(self.box, setup)
        stacks = box.stacks()
        corridors = box.number("setup", "hallways"), box.number("setup", "stairs")
        cards = (UNKNOWN,) * bonus.SETUP_KEPT if chosen.bonus == "hidden" else ()
        castle = _foyer(chosen, box.own_rooms())
        state = State(
            seats=setup.seats,
            options=chosen,
            master=setup.first,
            players=tuple(
                Player(marks=_STARTING_MARKS, castle=castle, bonus=cards, start=_starting_space(setup, seat))
                for seat in range(len(setup.seats))
            ),
            spaces=tuple(Space(price=price) for price in box.prices()),
            stacks=stacks,
            starting_stacks=stacks,
            hallways=corridors[0],
            stairs=corridors[1],
            starting_corridors=corridors,
            deck=box.number("setup", "cards"),
            dealt=_STARTING_MARKS * len(setup.seats),
            favour_tiles=box.number("setup", "favours"),
            own=castle.own,
            bonus_points=box.bonus_points(),
        )
        return phases.set_up_goes_on(Referee(self.rulebook), state)

    def play(self, referee: Referee, state: State, action: Action) -> State:
        seat = getattr(action, "seat", 0)
        if seat >= len(state.players):
            referee.impossible("turn.seat", f"There is no seat {seat}: the seats are 0 to {len(state.players) - 1}.")
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
        return scoring.tally(state)

    def sheet(self, tally: scoring.Tally) -> ScoreSheet:
        return scoring.sheet(tally)

    def tally_template(self, players: int) -> scoring.Tally:
        return scoring.template(players)

    def outcome(self, sheet: ScoreSheet) -> Outcome:
        return scoring.outcome(sheet)

    def appeal(self, choice: Choice) -> int:
        if isinstance(choice.action, Buy):
            return _CORRIDOR_APPEAL.get(choice.action.room, 12)
        return _APPEAL.get(type(choice.action), 4)

    def public_state(self, state: State) -> State:
        hidden = tuple(
            replace(player, bonus=_covered(player.bonus), drawn=_covered(player.drawn)) for player in state.players
        )
        if state.phase in ("reveal", "over"):
            hidden = state.players
        return replace(state, players=hidden, laid=_covered(state.laid), returned=_covered(state.returned))

    def public_action(self, state: State, action: Action) -> Action:
        match action:
            case DrawBonus():
                return replace(action, cards=_covered(action.cards))
            case ReturnBonus():
                return replace(action, card=UNKNOWN)
            case PeekStack():
                return replace(action, rooms=_covered(action.rooms))
            case Correction():
                return veiled(action, _HIDDEN_PARTS, _HIDDEN_FIELDS)
        return action

    def faults(self, state: State) -> tuple[str, ...]:
        return tuple(faults(state))


_HIDDEN_PARTS: dict[str, object] = {"bonus": [], "drawn": [], "laid": [], "returned": []}
_HIDDEN_FIELDS: dict[type[Action], dict[str, object]] = {
    DrawBonus: {"cards": []},
    ReturnBonus: {"card": UNKNOWN},
    PeekStack: {"rooms": []},
}
"""What a correction does not give away: cards in hands and tiles laid on the deck."""

_APPEAL: dict[type[Action], int] = {
    DrawRoom: 1000, SkipCard: 1, MoveRoom: 1, OpenSale: 20, PriceRooms: 2, Pass: 3, DeclineReward: 1,
}  # fmt: skip
_CORRIDOR_APPEAL = {**dict.fromkeys(HALLWAYS, 3), STAIRS: 6}
"""A player by chance who builds, goes downstairs, and does not haggle for long."""

GAME = MadKingLudwig()


def _covered(cards: tuple[Any, ...]) -> tuple[Any, ...]:
    return (UNKNOWN,) * len(cards)


def _foyer(options: Options, own: tuple[RoomTile, ...]) -> Castle:
    """A castle begins with its Foyer, in a ledger without a place."""
    return Castle(own=own) if options.castles == "map" else Castle(rooms=(Placed(room=rooms.FOYER),), own=own)


def _starting_space(setup: Setup, seat: int) -> int:
    """The Master Builder begins on 0, each next player clockwise one space ahead (setup.score)."""
    return (seat - setup.first) % len(setup.seats)


# What is known of the box


class _Known:
    """The shipped box with what this table has told of its own laid over it."""

    def __init__(self, box: Box, setup: Setup) -> None:
        self._box = box
        self._learned = setup.box
        self._players = str(len(setup.seats))

    def _entry(self, table: str, key: str) -> Mapping[str, Any]:
        own = self._learned.get(table, {})
        return own[key] if key in own else self._box[table][key]

    def number(self, table: str, field: str) -> int:
        value = self._entry(table, self._players).get(field)
        if not isinstance(value, int) or value < 0:
            raise Malformed(f"The box data '{table}' for {self._players} players has no number of {field}.")
        return value

    def prices(self) -> list[int]:
        return decode(self._entry("prices", self._players).get("marks"), list[int], "The prices of the box")

    def stacks(self) -> dict[Size, int]:
        """Tiles in each stack: what this table has counted, else by its number of players."""
        small, large = self.number("setup", "small"), self.number("large-stacks", "tiles")
        counted = self._learned.get("stacks", {})
        found: dict[Size, int] = {}
        for size in STACKS:
            entry = counted.get(f"{self._players}-{size}")
            tiles = int(entry["tiles"]) if entry else (large if int(size) >= LARGE_FROM_SQFT else small)
            found[size] = min(tiles, len(rooms.ids_of_size(int(size), self.own_rooms())))
        return found

    def own_rooms(self) -> tuple[RoomTile, ...]:
        """The tiles this table's box prints otherwise."""
        known = rooms.catalogue()
        told = [rooms.tile_from(entry) for entry in self._learned.get("rooms", {}).values()]
        return tuple(tile for tile in told if known.get(tile.id) != tile)

    def bonus_points(self) -> dict[BonusId, int]:
        entries = self._learned.get("bonus", {})
        points = {key: entry.get("points") for key, entry in entries.items()}
        return decode(points, dict[BonusId, int], "What the box says of bonus cards")


def _learned(state: State, action: Action) -> Iterator[Learned]:
    players = len(state.seats)
    match action:
        case CorrectRoom():
            yield Learned(table="rooms", key=action.tile.id, entry=msgspec.to_builtins(action.tile))
        case CorrectBonus():
            yield Learned(table="bonus", key=action.card, entry={"points": action.points})
        case CountStack() if _untouched(state, action.size):
            yield Learned(table="stacks", key=f"{players}-{action.size}", entry={"tiles": action.tiles})


def _untouched(state: State, size: Size) -> bool:
    """Whether no tile of a stack is in play yet, so that its count is what the game began with."""
    return state.stacks[size] == state.starting_stacks[size]
