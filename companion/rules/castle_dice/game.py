"""Castle Dice as a Game: set-up, the one dispatch to the phases, and what can never be true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

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
from companion.rules.castle_dice import (
    building,
    choosing,
    gather_cards,
    gathering,
    hands,
    phases,
    scoring,
    solo,
    trading,
)
from companion.rules.castle_dice.actions import (
    ACTIONS,
    EXAMPLES,
    Build,
    DiscardCard,
    DrawCards,
    FinishBuilding,
    Gather,
    GoToMarket,
    NameCards,
    NameFirst,
    PassBarbarian,
    PickDice,
    PlayAdvisor,
    PlayCard,
    PlayHungryBarbarians,
    PlayJester,
    PlayMaiden,
    PlayShepherd,
    ReadCard,
    ReadTracker,
    SwapVillager,
    UseMerchant,
)
from companion.rules.castle_dice.cards import card, known, named
from companion.rules.castle_dice.deal import deal
from companion.rules.castle_dice.labels import label
from companion.rules.castle_dice.picture import picture
from companion.rules.castle_dice.prompts import offers
from companion.rules.castle_dice.rolls import DICE
from companion.rules.castle_dice.rulebook import RULES
from companion.rules.castle_dice.rulings import RULINGS
from companion.rules.castle_dice.state import (
    ANIMALS,
    DECKS,
    JOAN,
    RESOURCE_CAP,
    RESOURCES,
    TURNS,
    Card,
    Deck,
    DeckId,
    Options,
    Player,
    State,
    Tracked,
)
from companion.rules.castle_dice.supply import LIMITS, VILLAGER_TOKENS, plus, standing, world_dice
from companion.rules.offers import prompts_of
from companion.rules.scores import Outcome, ScoreSheet
from companion.rules.table import Choice, Picture, Prompt
from companion.rules.veils import veiled

_OPTIONS = (
    GameOption(
        key="hands", label="Hands", default="counted", values=("counted", "known"), rule="ruling.hands-counted",
        text="Counted: cards are counted, and known when they are shown. Known: each seat tells its cards in secret.",
    ),
    GameOption(
        key="guardhouse", label="Name of the Guardhouse", default="Guardhouse", values=("Guardhouse", "Great Hall"),
        rule="ruling.guardhouse", text="What your box calls the 3-point part for 4 stone, 4 gold, 2 land, 2 iron.",
    ),
    GameOption(
        key="raid", label="Barbarians", default="all", values=("all", "own-colour"), rule="ruling.raid-every-resource",
        text="Each barbarian takes one of every unguarded resource, or only one of the resource of its die.",
    ),
)  # fmt: skip

_INFO = GameInfo(
    id="castle-dice",
    title="Castle Dice",
    players=(1, 4),
    minutes=(45, 90),
    age=13,
    rules_version=1,
    modes=(
        Mode(key="solo", label="Solo against Joan", players=1),
        Mode(key="two-players", label="Two players", players=2),
        Mode(key="three-players", label="Three players", players=3),
        Mode(key="four-players", label="Four players", players=4),
        Mode(key="known-hands", label="Three players with hands told in secret", players=3, options={"hands": "known"}),
        Mode(key="own-colour", label="Barbarians take their own colour", players=2, options={"raid": "own-colour"}),
    ),
    options=_OPTIONS,
)

_HANDLERS: Handlers[State] = {
    **building.HANDLERS,
    **choosing.HANDLERS,
    **gather_cards.HANDLERS,
    **gathering.HANDLERS,
    **hands.HANDLERS,
    **solo.HANDLERS,
    **trading.HANDLERS,
}


class CastleDice(Game[State]):
    info = _INFO
    rulebook = Rulebook(RULES, RULINGS)
    state_type = State
    action_types = ACTIONS
    tally_type = scoring.Tally
    examples = EXAMPLES

    def begin(self, setup: Setup, options: Mapping[str, str | int | bool]) -> State:
        alone = len(setup.seats) == 1
        sizes = _sizes(self.box, setup)
        herd = {animal: _count(_entries(self.box, setup, "tokens"), animal) for animal in ANIMALS}
        state = State(
            seats=setup.seats,
            options=msgspec.convert(dict(options), Options),
            players=(Player(),) * (2 if alone else len(setup.seats)),
            solo=alone,
            bank=dict(DICE),
            tokens=herd,
            herd=herd,
            villager_tokens=VILLAGER_TOKENS,
            decks={deck: Deck(draw=size) for deck, size in sizes.items()},
            sizes=sizes,
            tracker=_tracker(self.box, setup),
            box_cards=_own_cards(setup),
            first=setup.first,
        )
        return phases.start_turn(Referee(self.rulebook), state)

    def play(self, referee: Referee, state: State, action: Action) -> State:
        seat = getattr(action, "seat", 0)
        places = len(state.players) if isinstance(action, NameFirst) else len(state.seats)
        if seat >= places:
            referee.impossible("turn.seat", f"There is no seat {seat}: the seats are 0 to {places - 1}.")
        return phases.bards_go_on(referee, _HANDLERS[type(action)](referee, state, action))

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        return prompts_of(self, state, offers(state))

    def picture(self, state: State) -> Picture:
        return picture(state)

    def label(self, state: State, action: Action) -> str:
        return label(state, self.public_action(state, action))

    def deal(self, state: State, choice: Choice, dealer: Dealer, box: Box) -> Action:
        return deal(state, choice, dealer, box)

    def learns(self, state: State, action: Action) -> tuple[Learned, ...]:
        if isinstance(action, ReadCard) and action.card != card(state, action.card.name):
            return (Learned(table="cards", key=action.card.name, entry=msgspec.to_builtins(action.card)),)
        if isinstance(action, ReadTracker) and not _same_dice(state.tracked, action):
            entry = {"fixed": dict(action.fixed), "choice": action.choice}
            return (Learned(table="turns", key=str(state.turn), entry=entry),)
        return ()

    def public_state(self, state: State) -> State:
        """Told hands become counted ones."""
        return replace(state, players=tuple(_face_down(state, player) for player in state.players))

    def public_action(self, state: State, action: Action) -> Action:
        """Told cards stay untold, in a correction too."""
        if isinstance(action, NameCards):
            return replace(action, cards=())
        return veiled(action, {"cards": {}}, {NameCards: {"cards": []}}) if isinstance(action, Correction) else action

    def tally(self, state: State) -> scoring.Tally:
        return scoring.tally(state)

    def sheet(self, tally: scoring.Tally) -> ScoreSheet:
        return scoring.sheet(tally)

    def tally_template(self, players: int) -> scoring.Tally:
        return scoring.template(players)

    def outcome(self, sheet: ScoreSheet) -> Outcome:
        return scoring.outcome(sheet)

    def appeal(self, choice: Choice) -> int:
        return _APPEAL.get(type(choice.action), 3)

    def faults(self, state: State) -> tuple[str, ...]:
        return tuple(_faults(state))


_APPEAL: dict[type[Action], int] = {
    Gather: 30, Build: 40, FinishBuilding: 6, DrawCards: 12, DiscardCard: 1, PickDice: 30, GoToMarket: 6,
    UseMerchant: 6, PlayCard: 1, PlayAdvisor: 20, PlayShepherd: 6, PlayHungryBarbarians: 3, PlayJester: 12,
    PlayMaiden: 6, PassBarbarian: 30, SwapVillager: 6,
}  # fmt: skip
"""A player by chance who gathers and builds, and plays a card now and then."""

GAME = CastleDice()


# What the box holds


def _entries(box: Box, setup: Setup, table: str) -> dict[str, Any]:
    own = setup.box.get(table, {})
    return {**box[table], **(own if isinstance(own, dict) else {})}


def _count(entries: Mapping[str, Any], key: str) -> int:
    class Counted(msgspec.Struct):
        count: int

    return decode(entries[key], Counted, f"The box data for {key}").count


def _sizes(box: Box, setup: Setup) -> dict[DeckId, int]:
    entries = _entries(box, setup, "components")
    return {deck: _count(entries, deck) for deck in DECKS}


def _tracker(box: Box, setup: Setup) -> tuple[Tracked, ...]:
    entries = _entries(box, setup, "turns")
    return tuple(decode(entries[str(turn)], Tracked, f"The box data for turn {turn}") for turn in range(1, TURNS + 1))


def _same_dice(shown: Tracked, action: ReadTracker) -> bool:
    """Whether the table only confirms what was sure already."""
    fixed = {die: count for die, count in action.fixed.items() if count}
    return shown.sure and (shown.fixed, shown.choice) == (fixed, action.choice)


def _own_cards(setup: Setup) -> dict[str, Card]:
    """What this table has told of its cards in earlier games."""
    own = setup.box.get("cards", {})
    return {name: decode(entry, Card, f"The box data for the card {name}") for name, entry in own.items()}


def _face_down(state: State, player: Player) -> Player:
    cards = known(state)
    told: dict[DeckId, int] = {
        deck: sum(count for name, count in player.cards.items() if name in cards and cards[name].deck == deck)
        for deck in DECKS
    }
    return replace(player, cards={}, hidden=plus(player.hidden, told))


# What can never be true


def _faults(state: State) -> Iterator[str]:
    if len(state.players) != len(state.seats) + state.solo or state.solo != (len(state.seats) == 1):
        yield f"there is not one player for each seat, and {JOAN} only for a game of one."
        return
    if not _whole(state):
        yield "a count of some piece is missing."
        return
    yield from _range_faults(state)
    for name, player in zip(state.names, state.players, strict=True):
        yield from _player_faults(name, player)
    yield from _dice_faults(state)
    yield from _token_faults(state)
    yield from _card_faults(state)


def _whole(state: State) -> bool:
    """Whether there is a number, even if it is 0, for everything that is counted."""
    by_resource = [state.bank, state.passable]
    by_animal, by_deck = [state.tokens, state.herd], [set(state.decks), set(state.sizes)]
    for player in state.players:
        by_resource += [player.resources, player.dice, player.camp]
        by_animal.append(player.animals)
        by_deck.append(set(player.hidden))
    return (
        all(set(counts) == set(RESOURCES) for counts in by_resource)
        and all(set(counts) == set(ANIMALS) for counts in by_animal)
        and all(counts == set(DECKS) for counts in by_deck)
    )


def _range_faults(state: State) -> Iterator[str]:
    if len(state.tracker) != TURNS:
        yield f"the Turn Tracker has {len(state.tracker)} turns, not {TURNS}."
    if state.first >= len(state.players):
        yield "the first player is not at the table."
    for seat in (state.active, state.messenger, state.posting, *state.rollers):
        if seat is not None and not 0 <= seat < len(state.players):
            yield "somebody who is not at the table has something to do."
    if state.over != (state.phase == "over"):
        yield "the game is over only in its last phase."


def _player_faults(name: str, player: Player) -> Iterator[str]:
    for resource in RESOURCES:
        if not 0 <= player.resources[resource] <= RESOURCE_CAP:
            yield f"{name} does not have 0 to {RESOURCE_CAP} {resource}."
    if len(set(player.guards)) < len(player.guards):
        yield f"{name} has two guards at one post."
    for kind, most in LIMITS.items():
        if standing(player, kind) > most:
            yield f"{name} has more than {most} {kind}s."


def _dice_faults(state: State) -> Iterator[str]:
    world, elder = world_dice(state), gather_cards.elder_dice(state)
    for die in RESOURCES:
        held = sum(player.dice[die] + player.camp[die] for player in state.players)
        there = state.bank[die] + held + world[die] + elder[die]
        if there != DICE[die]:
            yield f"there are {there} {die} dice, and the box holds {DICE[die]}."


def _token_faults(state: State) -> Iterator[str]:
    for animal in ANIMALS:
        there = state.tokens[animal] + sum(player.animals[animal] for player in state.players)
        if there != state.herd[animal]:
            yield f"there are {there} {animal} tokens, and the box holds {state.herd[animal]}."
    villagers = state.villager_tokens + sum(player.villagers for player in state.players)
    if villagers != VILLAGER_TOKENS:
        yield f"there are {villagers} villager tokens, and the box holds {VILLAGER_TOKENS}."


def _card_faults(state: State) -> Iterator[str]:
    cards, told = known(state), named(state)
    for name in told:
        if name not in cards:
            yield f"nobody knows a card called '{name}'."
            return
    for deck in DECKS:
        pile = state.decks[deck]
        lying = sum(count for name, count in told.items() if cards[name].deck == deck)
        there = pile.draw + pile.unnamed + lying + sum(player.hidden[deck] for player in state.players)
        if there != state.sizes[deck]:
            yield f"there are {there} {deck} cards, and the box holds {state.sizes[deck]}."
        surplus = sum(max(0, told[name] - found.copies) for name, found in cards.items() if found.deck == deck)
        spare = max(0, state.sizes[deck] - sum(found.copies for found in cards.values() if found.deck == deck))
        if surplus > spare:
            yield f"more copies of a {deck} card lie about than the box holds."
