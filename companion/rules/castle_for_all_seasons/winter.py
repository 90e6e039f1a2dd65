"""Winter cards: drawn after the cards are laid and carried out before they are revealed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_for_all_seasons.actions import DrawWinter, FeedFire, GiveCard, PayTribute, RepairWall
from companion.rules.castle_for_all_seasons.phases import card_name, hand, winter_deck, winter_goes_on
from companion.rules.castle_for_all_seasons.rulebook import RULES
from companion.rules.castle_for_all_seasons.state import WORKERS, Card, Damsel, Kind, State, Tavern, Winter, WinterCard
from companion.rules.castle_for_all_seasons.supply import (
    amount,
    can_melt,
    give,
    has,
    melt,
    pay_bank,
    score,
    to_carts,
    with_builder,
)

SNOWDRIFT_TALERS = 3
WALL_STONES = 3
WALL_POINTS = 3
FIRE_BEAMS = 2
_AT_ONCE: tuple[WinterCard, ...] = ("plague", "cracked-wall", "snowdrift", "fireplace")
_TEXTS = {rule.id: rule.text for rule in RULES}
_NAMES: dict[WinterCard, str] = {"damsel": "damsel of the castle"}


def winter_name(card: WinterCard) -> str:
    """
    >>> winter_name("cracked-wall"), winter_name("damsel")
    ('cracked wall', 'damsel of the castle')
    """
    return _NAMES.get(card, card.replace("-", " "))


def draw_winter(referee: Referee, state: State, action: DrawWinter) -> State:
    """A winter card comes into the game."""
    if state.winter is None or state.phase != "draw":
        referee.impossible("winter.draw", "No winter card is drawn now.")
    if action.card not in winter_deck(state):
        rule = "ruling.fireplace" if action.card == "fireplace" else "winter.draw"
        referee.impossible(rule, f"The {winter_name(action.card)} is not in the stack.")
    rule = f"winter.{_RULES[action.card]}"
    referee.note(f"Winter card. {_TEXTS[rule]}", rule=rule)
    winter = replace(state.winter, drawn=(*state.winter.drawn, action.card), last=state.round)
    state = replace(state, winter=_laid_out(winter, action.card))
    pending = tuple(seat for seat in state.order if _owes(state, seat, action.card))
    if not pending and action.card in _AT_ONCE:
        referee.note("It asks nothing of anybody.", rule=rule)
    return winter_goes_on(replace(state, winter=replace(_winter(state), pending=pending)))


_RULES: dict[WinterCard, str] = {
    "village-tavern": "tavern", "granary": "granary", "plague": "plague", "cracked-wall": "wall",
    "damsel": "damsel", "snowdrift": "snowdrift", "fireplace": "fireplace",
}  # fmt: skip


def _laid_out(winter: Winter, card: WinterCard) -> Winter:
    """The cards that stay in the game."""
    if card == "village-tavern":
        return replace(winter, tavern=Tavern())
    if card == "granary":
        return replace(winter, granary=())
    return replace(winter, damsel=Damsel()) if card == "damsel" else winter


def _owes(state: State, seat: int, card: WinterCard) -> bool:
    """Whether a winter card asks anything of a seat."""
    held = state.builders[seat].held
    if card == "cracked-wall":
        return bool(held.get("stone")) or can_melt(state, seat, {"stone": 1})
    if card == "fireplace":
        return bool(held.get("wood")) or can_melt(state, seat, {"wood": 1})
    if card == "plague":
        return bool(state.builders[seat].played)
    return card == "snowdrift" and (bool(state.builders[seat].talers) or _has_worker(state, seat))


def _has_worker(state: State, seat: int) -> bool:
    """Whether a seat has a worker anywhere: one laid face down counts, so that nobody can tell."""
    return any(worker not in state.builders[seat].lost for worker in WORKERS)


def owed(state: State) -> WinterCard | None:
    """The winter card being carried out."""
    return state.winter.drawn[-1] if state.winter and state.winter.pending else None


def giveable(state: State, seat: int) -> tuple[Card, ...]:
    """The cards a seat may give up: played ones for the plague, for the snowdrift workers of hand and table."""
    builder = state.builders[seat]
    if state.winter is None or not state.winter.drawn or state.winter.drawn[-1] == "plague":
        return builder.played
    in_hand = (card for card in hand(builder) if card not in builder.laid)
    return tuple(card for card in (*in_hand, *builder.played) if card in WORKERS)


def tribute(state: State, seat: int) -> int:
    """The talers to pay instead of giving up a card."""
    if owed(state) == "plague":
        return len(state.builders[seat].played)
    talers = state.builders[seat].talers
    return SNOWDRIFT_TALERS if giveable(state, seat) else min(SNOWDRIFT_TALERS, talers)


def give_card(referee: Referee, state: State, action: GiveCard) -> State:
    """A card goes back into the box."""
    _check_owes(referee, state, action.seat, ("plague", "snowdrift"))
    if action.card not in giveable(state, action.seat):
        what = "a played card" if owed(state) == "plague" else "a worker of hand or table"
        referee.impossible("winter.give", f"{state.seats[action.seat]} gives up {what}.")
    builder = state.builders[action.seat]
    played = tuple(card for card in builder.played if card != action.card)
    text = f"{state.seats[action.seat]} gives up {card_name(action.card)}."
    referee.note(text, seat=action.seat, what="cards", change=-1, rule="winter.give")
    return _settled(with_builder(state, action.seat, played=played, lost=(*builder.lost, action.card)), action.seat)


def pay_tribute(referee: Referee, state: State, action: PayTribute) -> State:
    """Talers to the bank instead of a card."""
    _check_owes(referee, state, action.seat, ("plague", "snowdrift"))
    rule = "winter.plague" if owed(state) == "plague" else "winter.snowdrift"
    if not tribute(state, action.seat):
        referee.note(f"{state.seats[action.seat]} has nothing to give.", seat=action.seat, rule="ruling.snowdrift-poor")
    return _settled(pay_bank(referee, state, action.seat, tribute(state, action.seat), rule), action.seat)


def repair_wall(referee: Referee, state: State, action: RepairWall) -> State:
    """Up to 3 stone blocks for 3 points each."""
    _check_owes(referee, state, action.seat, ("cracked-wall",))
    stones = action.stones + action.silver
    if stones > WALL_STONES:
        referee.refuse("winter.wall", f"At most {WALL_STONES} stone blocks are given up.")
    state = _give_pieces(referee, state, action.seat, "stone", action.stones, action.silver)
    if stones:
        why = f"{amount(stones, 'stone')} for the cracked wall"
        state = score(referee, state, action.seat, WALL_POINTS * stones, why, "winter.wall")
    else:
        referee.note(f"{state.seats[action.seat]} gives nothing.", seat=action.seat, rule="winter.wall")
    return _settled(state, action.seat)


def feed_fire(referee: Referee, state: State, action: FeedFire) -> State:
    """Two wooden beams, or as many as one has (ruling.fireplace)."""
    _check_owes(referee, state, action.seat, ("fireplace",))
    beams = action.wood + action.silver
    least = min(FIRE_BEAMS, state.builders[action.seat].held.get("wood", 0))
    if not least <= beams <= FIRE_BEAMS:
        referee.refuse(
            "winter.fireplace", f"{state.seats[action.seat]} pays {amount(FIRE_BEAMS, 'wood')}, not {beams}."
        )
    state = _give_pieces(referee, state, action.seat, "wood", action.wood, action.silver)
    text = f"{state.seats[action.seat]} pays {amount(beams, 'wood')}."
    referee.note(text, seat=action.seat, what="wood", change=-action.wood, rule="winter.fireplace")
    return _settled(state, action.seat)


def _give_pieces(referee: Referee, state: State, seat: int, kind: Kind, own: int, silver: int) -> State:
    """Pieces to the general stock, some of them got for silver."""
    melted: Mapping[Kind, int] = {kind: silver}
    if not has(state, seat, {kind: own}) or not can_melt(state, seat, melted):
        referee.impossible("build.have", f"{state.seats[seat]} does not have these pieces.")
    state = melt(referee, state, seat, melted)
    return to_carts(give(state, seat, {kind: own + silver}), {kind: own + silver})


def _check_owes(referee: Referee, state: State, seat: int, cards: tuple[WinterCard, ...]) -> None:
    if owed(state) not in cards or seat not in _winter(state).pending:
        referee.impossible("winter.draw", f"{state.seats[seat]} owes nothing of the kind to a winter card.")


def _settled(state: State, seat: int) -> State:
    """A seat has done what the winter card asks."""
    winter = _winter(state)
    pending = tuple(other for other in winter.pending if other != seat)
    return winter_goes_on(replace(state, winter=replace(winter, pending=pending)))


def _winter(state: State) -> Winter:
    return state.winter or Winter()


HANDLERS: Handlers[State] = {
    DrawWinter: draw_winter,
    GiveCard: give_card,
    PayTribute: pay_tribute,
    RepairWall: repair_wall,
    FeedFire: feed_fire,
}
