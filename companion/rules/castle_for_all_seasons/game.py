"""A Castle for All Seasons as a Game: set-up, the one dispatch to the handlers, and what can never be true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

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
)
from companion.rules.box import Box, Learned
from companion.rules.castle_for_all_seasons import (
    board,
    building,
    conversions,
    courting,
    laying,
    scoring,
    trading,
    winter,
)
from companion.rules.castle_for_all_seasons.actions import (
    ACTIONS,
    EXAMPLES,
    Court,
    Erect,
    LayCard,
    LeaveCourt,
    PlaceHelper,
    PlaceInnkeeper,
    PostHelper,
    ReadCart,
    ReadFee,
    ReadTile,
    ReadWinterSpaces,
)
from companion.rules.castle_for_all_seasons.deal import deal
from companion.rules.castle_for_all_seasons.execution import carts_go_on
from companion.rules.castle_for_all_seasons.faults import faults
from companion.rules.castle_for_all_seasons.labels import label
from companion.rules.castle_for_all_seasons.phases import start_round
from companion.rules.castle_for_all_seasons.picture import picture
from companion.rules.castle_for_all_seasons.prompts import offers
from companion.rules.castle_for_all_seasons.rulebook import RULES
from companion.rules.castle_for_all_seasons.rulings import RULINGS
from companion.rules.castle_for_all_seasons.state import (
    FACE_DOWN,
    RESOURCES,
    Builder,
    Laid,
    Options,
    Printed,
    State,
    Winter,
)
from companion.rules.castle_for_all_seasons.supply import PIECES_IN_BOX, TALERS_IN_BOX, TILES_IN_BOX
from companion.rules.offers import prompts_of
from companion.rules.scores import ScoreSheet
from companion.rules.table import Choice, Picture, Prompt
from companion.rules.veils import veiled

_START_TALERS = 3

_OPTIONS = (
    GameOption(
        key="season", label="Season", default="summer", values=("summer", "winter"), rule="winter.draw",
        text="Summer: the basic game. Winter: a winter card comes in the rounds marked on the board.",
    ),
    GameOption(
        key="cards", label="Choosing cards", default="secret", values=("secret", "table"), rule="cards.secret",
        text="Secret: each chooses in the companion. Table: real cards are laid, and entered once revealed.",
    ),
    GameOption(
        key="fireplace", label="Fireplace among the winter cards", default=False, rule="ruling.fireplace",
        text="Only if your box has this winter card: each player pays 2 wooden beams.",
    ),
    GameOption(
        key="tribute", label="Tribute to the defense tower", default="from-yield", values=("from-yield", "on-top"),
        rule="ruling.tribute", text="One of the pieces a cart shows goes to the tower, or one on top of them.",
    ),
    GameOption(
        key="innkeeper", label="Innkeeper", default="free", values=("free", "as-helper"), rule="ruling.innkeeper-free",
        text="Free: needs no building erected and does not count as a placed helper. As-helper: both.",
    ),
)  # fmt: skip

_INFO = GameInfo(
    id="castle-for-all-seasons",
    title="A Castle for All Seasons",
    players=(2, 4),
    minutes=(45, 60),
    age=10,
    rules_version=1,
    modes=(
        Mode(key="summer-two", label="Summer, two players", players=2),
        Mode(key="summer-three", label="Summer, three players", players=3),
        Mode(key="summer-four", label="Summer, four players", players=4),
        Mode(key="winter-two", label="Winter, two players", players=2, options={"season": "winter"}),
        Mode(key="winter-three", label="Winter, three players", players=3, options={"season": "winter"}),
        Mode(key="winter-four", label="Winter, four players", players=4, options={"season": "winter"}),
        Mode(
            key="winter-table", label="Winter with the fireplace, real cards entered at the reveal", players=4,
            options={
                "season": "winter", "cards": "table", "fireplace": True, "tribute": "on-top", "innkeeper": "as-helper"
            },
        ),
    ),
    options=_OPTIONS,
)  # fmt: skip

_HANDLERS: Handlers[State] = {
    **board.HANDLERS,
    **laying.HANDLERS,
    **trading.HANDLERS,
    **building.HANDLERS,
    **winter.HANDLERS,
    **courting.HANDLERS,
    **conversions.HANDLERS,
}


class CastleForAllSeasons(Game[State]):
    info = _INFO
    rulebook = Rulebook(RULES, RULINGS)
    state_type = State
    action_types = ACTIONS
    tally_type = scoring.Tally
    examples = EXAMPLES

    def begin(self, setup: Setup, options: Mapping[str, str | int | bool]) -> State:
        chosen = msgspec.convert(dict(options), Options)
        players = len(setup.seats)
        builder = Builder(talers=_START_TALERS, held={"sand": 1, "wood": 1}, helpers=7 if players == 2 else 6)
        used = {"sand": players + 1, "wood": players + 1}
        state = State(
            seats=setup.seats,
            options=chosen,
            printed=self._printed(setup),
            first=setup.first,
            builders=(builder,) * players,
            stock={kind: PIECES_IN_BOX[kind] - used.get(kind, 1) for kind in RESOURCES},
            tower=dict.fromkeys(RESOURCES, 1),
            bank=0,
            spaces=0,
            tiles=dict(TILES_IN_BOX),
            winter=Winter() if chosen.season == "winter" else None,
        )
        bank = TALERS_IN_BOX - state.rounds - players * _START_TALERS
        state = msgspec.structs.replace(state, spaces=state.rounds, bank=bank)
        if state.winter is not None and state.printed.winter is None:
            return state
        return start_round(Referee(self.rulebook), state)

    def _printed(self, setup: Setup) -> Printed:
        """What is known of the board: the box data, and over it what this table has learned."""

        def known(table: str) -> dict[str, Any]:
            return {**self.box[table], **setup.box.get(table, {})}

        try:
            raw = {
                "tiles": {
                    key: {"value": entry["value"], "vp": entry["vp"]} for key, entry in known("buildings").items()
                },
                "fees": {key: entry["talers"] for key, entry in known("fees").items()},
                "carts": {key: entry["pieces"] for key, entry in known("carts").items()},
                "winter": known("winter-spaces").get("spaces", {}).get("spaces"),
            }
            return msgspec.convert(raw, Printed)
        except (msgspec.ValidationError, KeyError, TypeError, AttributeError) as error:
            raise Malformed(f"The box data for the board is not right: {error}.") from error

    def play(self, referee: Referee, state: State, action: Action) -> State:
        seat = getattr(action, "seat", 0)
        if seat >= len(state.builders):
            referee.impossible("turn.seat", f"There is no seat {seat}: the seats are 0 to {len(state.builders) - 1}.")
        return carts_go_on(referee, _HANDLERS[type(action)](referee, state, action))

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        return prompts_of(self, state, offers(state))

    def picture(self, state: State) -> Picture:
        return picture(state)

    def label(self, state: State, action: Action) -> str:
        return label(state, action)

    def deal(self, state: State, choice: Choice, dealer: Dealer, box: Box) -> Action:
        return deal(state, choice, dealer, box)

    def learns(self, state: State, action: Action) -> tuple[Learned, ...]:
        """What is read off the board, or set right by a correction; practice values tell nothing."""
        told = isinstance(action, Correction | ReadTile | ReadFee | ReadCart | ReadWinterSpaces)
        if not told or getattr(action, "practice", False):
            return ()
        return tuple(_learned(state.printed, self.apply(state, action).state.printed))

    def public_state(self, state: State) -> State:
        """Cards laid face down show their backs. A game taken up from such a state asks for them again."""
        if state.options.cards == "table":
            return state
        builders = tuple(
            msgspec.structs.replace(builder, laid=(FACE_DOWN,) * len(builder.laid)) for builder in state.builders
        )
        return msgspec.structs.replace(state, builders=builders)

    def public_action(self, state: State, action: Action) -> Action:
        """A card laid face down shows its back, in a correction too."""
        if state.options.cards == "table":
            return action
        if isinstance(action, LayCard):
            return LayCard(seat=action.seat, card=FACE_DOWN)
        if isinstance(action, Correction):
            return veiled(action, {"laid": FACE_DOWN}, {LayCard: {"card": FACE_DOWN}})
        return action

    def tally(self, state: State) -> scoring.Tally:
        return scoring.tally(state)

    def sheet(self, tally: scoring.Tally) -> ScoreSheet:
        return scoring.sheet(tally)

    def tally_template(self, players: int) -> scoring.Tally:
        return scoring.template(players)

    def appeal(self, choice: Choice) -> int:
        if choice.closes:
            return 1
        if isinstance(choice.action, LayCard):
            return _CARD_APPEAL.get(choice.action.card, 3)
        return _APPEAL.get(type(choice.action), 4)

    def faults(self, state: State) -> tuple[str, ...]:
        return tuple(faults(state))


_APPEAL: dict[type[Action], int] = {
    Erect: 30, PlaceHelper: 12, PlaceInnkeeper: 8, PostHelper: 10, ReadTile: 2, ReadFee: 2, Court: 6, LeaveCourt: 3,
}  # fmt: skip
_CARD_APPEAL: dict[Laid, int] = {"messenger": 5, "trader": 5, "bricklayer": 6, "stonemason": 6}
"""A player by chance who builds and places helpers where he can, so that every rule comes into play."""

GAME = CastleForAllSeasons()


def _learned(before: Printed, after: Printed) -> Iterator[Learned]:
    """What is known of the board after an action and was not before."""
    for name, tile in after.tiles.items():
        if before.tiles.get(name) != tile:
            yield Learned(table="buildings", key=name, entry={"value": tile.value, "vp": tile.vp})
    for spot, talers in after.fees.items():
        if before.fees.get(spot) != talers:
            yield Learned(table="fees", key=spot, entry={"talers": talers})
    for cart, pieces in after.carts.items():
        if before.carts.get(cart) != pieces:
            yield Learned(table="carts", key=cart, entry={"pieces": pieces})
    if after.winter is not None and before.winter != after.winter:
        yield Learned(table="winter-spaces", key="spaces", entry={"spaces": list(after.winter)})
