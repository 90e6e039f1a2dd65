"""What each seat may or must do now, as moves. Whether one is legal is asked of the rules, never decided here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from companion.rules.castle_dice import gather_moves, leads, phases, solo
from companion.rules.castle_dice.actions import (
    Build,
    DiscardCard,
    DrawCards,
    FinishBuilding,
    GoToMarket,
    JoanGathers,
    JoanPicks,
    KeepVillagers,
    NameCards,
    NameFirst,
    PickDice,
    PlayAlchemist,
    PlayBrother,
    PlayCard,
    PlayVolunteer,
    Raid,
    ReadCard,
    ReadTracker,
    RevealBards,
    RollFirst,
    RollWorld,
    StopTrading,
    UseMerchant,
    WorkersProduce,
)
from companion.rules.castle_dice.asks import (
    CARD_ASK,
    JOAN_DIE_ASK,
    TRACKER_ASKS,
    bards_ask,
    cards_ask,
    dice_ask,
    joan_dice_ask,
    rolls_ask,
    wood_asks,
    world_ask,
)
from companion.rules.castle_dice.building import ALCHEMIST, one_of_each
from companion.rules.castle_dice.cards import (
    ANIMAL_WALL,
    VOLUNTEER,
    card,
    catalog,
    cost,
    is_built,
    known,
    possible,
    shown,
)
from companion.rules.castle_dice.choosing import BROTHER
from companion.rules.castle_dice.decks import hand, undrawn
from companion.rules.castle_dice.hands import due
from companion.rules.castle_dice.state import (
    ANIMALS,
    DECKS,
    HAND_DECKS,
    NO_RESOURCES,
    RESOURCES,
    Card,
    JoanFace,
    Resource,
    State,
)
from companion.rules.castle_dice.trading import rarer
from companion.rules.offers import Move, Offer

_OTHER_TURN_6: dict[Resource, int] = {**NO_RESOURCES, "wood": 2, "gold": 2, "iron": 2}


def offers(state: State) -> tuple[Offer, ...]:
    """Every seat's moves in this phase, and those of the table."""
    if state.over:
        return ()
    return (*_telling(state), *_BY_PHASE[state.phase](state), *_any_time(state))


# 1 First player


def _first(state: State) -> Iterator[Offer]:
    wood = tuple(1 if place == 0 else 0 for place in range(len(state.rollers)))
    asks = wood_asks(state.names[seat] for seat in state.rollers)
    moves = (
        Move("Two wood dice each: enter the wood rolled", RollFirst(wood=wood), asks),
        *(Move(f"{state.names[seat]} rolled the most wood", NameFirst(seat=seat)) for seat in state.rollers),
    )
    yield Offer(None, "Roll two wood dice each: the most wood goes first.", "first.wood", moves, must=True)


# 2 Cards


def _cards(state: State) -> Iterator[Offer]:
    if state.active is not None:
        seat = state.active
        size = leads.hand_size(state, seat)
        lead = " with the most chickens" if size > leads.HAND_SIZE else ""
        text = f"Discard what you like, then draw up to {size}{lead}: {hand(state, seat)} in hand."
        yield from _changing_hand(state, seat, text, "cards.hand")


def _changing_hand(state: State, seat: int, text: str, rule: str) -> Iterator[Offer]:
    too_many = due(state, seat) < 0
    yield Offer(seat, text, rule, tuple(_draws(state, seat)), must=not too_many)
    secret = bool(state.players[seat].cards) and _secretive(state)
    yield Offer(seat, "Lay cards down first.", rule, tuple(_discards(state, seat)), must=too_many, secret=secret)


def _draws(state: State, seat: int) -> Iterator[Move]:
    count = max(0, due(state, seat))
    for castle in range(count, -1, -1):
        village = count - castle
        if castle <= undrawn(state, "castle") and village <= undrawn(state, "village"):
            label = f"Draw {castle} castle, {village} village" if count else "Draw nothing"
            yield Move(label, DrawCards(seat=seat, castle=castle, village=village))


def _discards(state: State, seat: int) -> Iterator[Move]:
    player = state.players[seat]
    for name in player.cards:
        found = card(state, name)
        if found and found.deck != "market":
            yield Move(f"Discard {shown(state, name)}", DiscardCard(seat=seat, card=name), group="Discard")
    for deck in HAND_DECKS:
        if player.hidden[deck]:
            yield Move(f"Discard a {deck} card", DiscardCard(seat=seat, deck=deck), group="Discard")


# 3 Dice


def _dice(state: State) -> Iterator[Offer]:
    if not state.tracked.sure:
        yield _unsure(state)
    elif state.joan is not None and state.active == state.joan:
        count = phases.choices_due(state, state.joan)
        wood: JoanFace = "wood"
        move = Move("Roll Joan's die", JoanPicks(faces=(wood,) * count), (joan_dice_ask(count),))
        text = f"Joan picks {count} choice dice: roll her die for each."
        yield Offer(None, text, "solo.joan-dice", (move,), must=True)
    elif state.active is not None:
        yield from _picking(state, state.active)
    if state.tracked.sure and not any(player.picked for player in state.players):
        fixed: dict[Resource, int] = {**NO_RESOURCES, **state.tracked.fixed}
        move = Move(
            "The Turn Tracker shows other dice", ReadTracker(fixed=fixed, choice=state.tracked.choice), TRACKER_ASKS
        )
        yield Offer(None, "The dice of this turn.", "dice.fixed", (move,))


def _unsure(state: State) -> Offer:
    """Where sources disagree the box itself is asked (ruling.turn-6-dice)."""
    known_fixed: dict[Resource, int] = {**NO_RESOURCES, **state.tracked.fixed}
    choice = state.tracked.choice
    moves = tuple(
        Move(f"{leads.listed(fixed)}, and {choice} choice dice", ReadTracker(fixed=fixed, choice=choice))
        for fixed in (known_fixed, _OTHER_TURN_6)
    )
    other = Move("Something else", ReadTracker(fixed=known_fixed, choice=choice), TRACKER_ASKS)
    text = f"Which dice does the Turn Tracker of your box show for turn {state.turn}?"
    return Offer(None, text, "ruling.turn-6-dice", (*moves, other), must=True)


def _picking(state: State, seat: int) -> Iterator[Offer]:
    count = phases.choices_due(state, seat)
    left = [die for die in RESOURCES for _ in range(state.bank[die])]
    there = tuple(die for die in RESOURCES if state.bank[die])
    action = PickDice(seat=seat, dice=tuple(left[:count]))
    asks = (dice_ask(there, count),) if count else ()
    move = Move(f"Pick {count} choice dice", action, asks)
    text = f"Pick {count} choice dice. The bank has {leads.listed(state.bank)}."
    held = possible(state, seat)
    brother = Move(f"{BROTHER}: 5 more choice dice, no fixed dice", PlayBrother(seat=seat), group="Cards")
    cards = (*((brother,) if BROTHER in held else ()), *_learned(state, seat, held))
    yield from _with_cards(state, seat, (text, "dice.choice"), (move,), cards)


def _villager(state: State) -> Iterator[Offer]:
    if state.active is not None:
        seat = state.active
        moves = (
            *gather_moves.swaps(state, seat, daughter=False),
            Move("Keep the villagers as they are", KeepVillagers(seat=seat), closes=True),
        )
        yield Offer(seat, "You have the most cows: change one villager, or none.", "cow.choice", moves, must=True)


# 4 Roll


def _roll(state: State) -> Iterator[Offer]:
    taken = tuple(player.dice for player in state.players)
    dice = "; ".join(f"{name} {leads.listed(own)}" for name, own in zip(state.names, taken, strict=True))
    move = Move(
        "Enter what the dice show", RollWorld(rolls=gather_moves.stand_in(state.names, taken)),
        (world_ask(state.names, taken),),
    )  # fmt: skip
    yield Offer(None, f"Everyone rolls: {dice}.", "roll.world", (move,), must=True)


# 5 Gather


def _gather(state: State) -> Iterator[Offer]:
    if phases.waits(state):
        for seat, text, rule, moves in gather_moves.settling(state):
            yield Offer(seat, text, rule, moves, must=True)
    elif state.joan is not None and state.active == state.joan:
        yield _joan_gathers(state)
    elif state.active is not None:
        yield from _gathering(state, state.active)


def _joan_gathers(state: State) -> Offer:
    decision = solo.next_gather(state)
    rolls = isinstance(decision, solo.NeedsDie)
    why = f": {decision.why}" if decision else ""
    takes = f"Joan takes {gather_moves.told(decision.die)}" if isinstance(decision, solo.Take) else "Roll Joan's die"
    move = Move(
        takes,
        JoanGathers(face="wood") if rolls else JoanGathers(),
        (JOAN_DIE_ASK,) if rolls else (),
    )
    return Offer(None, f"Joan gathers{why}.", "solo.gather", (move,), must=True)


def _gathering(state: State, seat: int) -> Iterator[Offer]:
    if state.players[seat].maiden is not None:
        text = f"Maiden: lay cards down, then draw as many ({state.players[seat].maiden} laid down)."
        yield from _changing_hand(state, seat, text, "card.maiden")
        return
    held = possible(state, seat)
    moves = (*gather_moves.gathers(state, seat), *gather_moves.passes(state, seat))
    more = f", {state.gathers} in all" if state.gathers > 1 else ""
    cards = (*gather_moves.playable(state, seat, held), *_learned(state, seat, held))
    yield from _with_cards(state, seat, (f"Gather a die{more}.", "gather.one"), moves, cards)


def _with_cards(
    state: State, seat: int, words: tuple[str, str], moves: tuple[Move, ...], cards: tuple[Move, ...]
) -> Iterator[Offer]:
    """Moves, and cards of the hand: together where hands are only counted, apart and in secret where they are told."""
    text, rule = words
    if not state.players[seat].cards:
        yield Offer(seat, text, rule, (*moves, *cards), must=True)
        return
    yield Offer(seat, text, rule, moves, must=True)
    yield Offer(seat, "Or play a card.", "cards.when", cards, secret=_secretive(state))


def _secretive(state: State) -> bool:
    """Alone there is nobody to hide a hand from."""
    return not state.solo


# 6 Market, 7 workers, 8 merchants


def _market(state: State) -> Iterator[Offer]:
    if state.active is not None:
        seat, can = state.active, phases.sets_for_sale(state, state.active)
        moves = tuple(
            Move(_sets(count), GoToMarket(seat=seat, sets=count), closes=not count) for count in range(can, -1, -1)
        )
        holiday = " It is a holiday: all sets must go." if state.holiday else ""
        yield Offer(seat, f"Trade sets of animals for market cards.{holiday}", "market.set", moves, must=True)


def _sets(count: int) -> str:
    return f"Trade {count} {'set' if count == 1 else 'sets'}" if count else "Trade nothing"


def _workers(state: State) -> Iterator[Offer]:
    told = "; ".join(
        f"{name} {', '.join(leads.produced(player))}"
        for name, player in zip(state.names, state.players, strict=True)
        if player.workers
    )
    move = Move("The workers produce", WorkersProduce())
    yield Offer(None, f"Workers produce one each: {told}.", "workers.produce", (move,), must=True)


def _merchants(state: State) -> Iterator[Offer]:
    for seat, player in enumerate(state.players):
        if not player.done:
            moves = (
                *(
                    Move(f"1 {low} into 1 {rarer(low)}", UseMerchant(seat=seat, resource=low))
                    for low in phases.tradeable(player)
                ),
                Move("Done with the merchants", StopTrading(seat=seat), closes=True),
            )
            left = player.merchants - player.trades
            text = f"Use your merchants: {left} left."
            yield Offer(seat, text, "merchants.trade", moves, must=True)


# 9 Build, 10 raid


def _build(state: State) -> Iterator[Offer]:
    for seat, player in enumerate(state.players):
        if not player.done:
            held = possible(state, seat)
            cards = (*_builds(state, seat, held), *_learned(state, seat, held))
            finish = Move("Done building", FinishBuilding(seat=seat), closes=True)
            text = f"Build with {leads.listed(player.resources)}.{_raid_words(state, seat)}"
            if not player.cards:
                yield Offer(seat, text, "build.pay", (*cards, finish), must=True)
                continue
            yield Offer(seat, text, "build.pay", (finish,), must=True)
            secret = _secretive(state)
            yield Offer(seat, "Or build from your hand.", "build.pay", (*cards, finish), must=True, secret=secret)


def _raid_words(state: State, seat: int) -> str:
    player = state.players[seat]
    loss = leads.raid_loss(state, player)
    return f" The raid will take {leads.listed(loss)} of that." if player.barbarians else " No barbarian will raid you."


def _builds(state: State, seat: int, held: dict[str, Card]) -> Iterator[Move]:
    alchemies = (False, True) if state.players[seat].alchemy is not None else (False,)
    for found in held.values():
        if is_built(found):
            for alchemy in alchemies:
                yield from _ways_to_build(state, seat, found, alchemy=alchemy)
    if ALCHEMIST in held:
        taken = tuple(one_of_each(state) if other == seat else NO_RESOURCES for other in range(len(state.players)))
        action = PlayAlchemist(seat=seat, rolls=gather_moves.stand_in(state.names, taken))
        yield Move("Alchemist: roll one of each die", action, (rolls_ask(state.names, taken),), group="Cards")
    if VOLUNTEER in held:
        yield Move("Volunteer: counts as a Wall", PlayVolunteer(seat=seat), group="Cards")


def _ways_to_build(state: State, seat: int, found: Card, *, alchemy: bool) -> Iterator[Move]:
    player = state.players[seat]
    price = leads.listed(cost(state, player, found, alchemy=alchemy))
    label = f"{shown(state, found.name)} ({price}{', Alchemist' if alchemy else ''})"
    group = "Villagers" if found.kind == "villager" else "Castle"
    if found.name == "Guard":
        for post in RESOURCES:
            if post not in player.guards:
                action = Build(seat=seat, card=found.name, post=post, alchemy=alchemy)
                yield Move(f"{label} on {post}", action, group=group)
    elif found.name == ANIMAL_WALL:
        for animal in ANIMALS:
            action = Build(seat=seat, card=found.name, animal=animal, alchemy=alchemy)
            yield Move(f"{label} for {leads.PLURALS[animal]}", action, group=group)
    else:
        yield Move(label, Build(seat=seat, card=found.name, alchemy=alchemy), group=group)


def _raid(state: State) -> Iterator[Offer]:
    told = "; ".join(
        f"{name} loses {leads.listed(leads.raid_loss(state, player))}"
        for seat, (name, player) in enumerate(zip(state.names, state.players, strict=True))
        if player.barbarians and seat != state.joan
    )
    move = Move("The barbarians raid", Raid())
    yield Offer(None, f"Barbarians raid: {told or 'nobody loses anything'}.", "raid.loss", (move,), must=True)


def _bards(state: State) -> Iterator[Offer]:
    for seat, player in enumerate(state.players):
        count = player.hidden["market"]
        if seat != state.joan and count and not player.done:
            move = Move("Reveal Bards", RevealBards(seat=seat, bards=0), (bards_ask(count),))
            yield Offer(seat, f"How many of your {count} market cards are Bards?", "end.bards", (move,), must=True)


_BY_PHASE: dict[str, Callable[[State], Iterator[Offer]]] = {
    "first": _first,
    "cards": _cards,
    "dice": _dice,
    "villager": _villager,
    "roll": _roll,
    "gather": _gather,
    "market": _market,
    "workers": _workers,
    "merchants": _merchants,
    "build": _build,
    "raid": _raid,
    "bards": _bards,
}


# In any phase


def _telling(state: State) -> Iterator[Offer]:
    """Where hands are to be known, cards that were drawn are told in secret (ruling.hands-counted)."""
    if state.options.hands != "known" or state.phase == "bards":
        return
    for seat in range(len(state.seats)):
        hidden = state.players[seat].hidden
        count = sum(hidden.values())
        if count:
            names = [name for name, found in known(state).items() if hidden[found.deck]]
            action = NameCards(seat=seat, cards=())
            move = Move("Say which cards you have drawn", action, (cards_ask(state, names, count, count),))
            drawn = ", ".join(f"{hidden[deck]} {deck}" for deck in DECKS if hidden[deck])
            text = f"Tell the companion the cards you have drawn: {drawn}."
            yield Offer(seat, text, "ruling.hands-counted", (move,), must=True, secret=_secretive(state))


def _learned(state: State, seat: int, held: Collection[str]) -> Iterator[Move]:
    """Action cards of this box that the companion has been told of."""
    for name, found in state.box_cards.items():
        if name in held and name not in catalog() and not is_built(found):
            yield Move(f"{name}, as it says", PlayCard(seat=seat, card=name), group="Cards")


def _any_time(state: State) -> Iterator[Offer]:
    """A card nobody has published, or printed otherwise in this box."""
    if state.phase in ("cards", "build"):
        move = Move("Tell the companion a card it does not know", ReadCard(card=catalog()["Merchant"]), (CARD_ASK,))
        yield Offer(None, "Cards of your box.", "card.learned", (move,))
