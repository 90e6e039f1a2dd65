"""Where the rulebook of Castle Dice is silent or contradicts itself: what we decided, and why it can be so read."""

from __future__ import annotations

from companion.rules.base import Rule


def _ruling(id: str, cite: str, text: str, option: str = "") -> Rule:
    return Rule(id=f"ruling.{id}", cite=cite, text=text, ruling=True, option=option)


RULINGS = (
    _ruling("cap-9", "Resource Silo", "The cap is 9, as the rulebook says, not the 10 of the public data."),
    _ruling("merchant-3-gold", "card scan against public data", "A Merchant costs 3 gold; a box that prints another cost says so once."),
    _ruling("turn-6-dice", "Turn Tracker, public data", "The fixed dice of turn 6 are asked for once; the default is wood, wood, gold, iron."),
    _ruling("guardhouse", "Build; public data", "The Guardhouse and the Great Hall of the public data are one card of 3 points; the table may call it either.", "guardhouse"),
    _ruling("solo-most-villagers", "Solo Play Rules; Winning the Game", "Against Joan, who has none, the most villagers needs at least one."),
    _ruling("solo-below-zero", "Solo Play Rules, chart", "A negative solo total is a Major Loss."),
    _ruling("joan-priority-choice", "Solo Play Rules", "Joan's priority is counted over her choice dice only."),
    _ruling("joan-market-sets", "Solo Play Rules; Go to Market", "On a holiday each complete set gives Joan one market card."),
    _ruling("merchant-not-past-9", "Merchants Work; Resource Silo", "A merchant may not raise a resource that is at 9."),
    _ruling("wall-animal-not-at-end", "Winning the Game", "An animal Wall does not count for the most animals at the end."),
    _ruling("ties-award-nobody", "Winning the Game", "Tied for the most animals or villagers awards nobody; equal points go by iron, land, gold, stone, wood, then are shared."),
    _ruling("raid-every-resource", "Barbarians Raid", "Each barbarian takes one of every unguarded resource, never below 0. Some tables let it take only the resource of its die.", "raid"),
    _ruling("first-roll-tied", "Determine Who Goes First", "Those tied for the most wood roll again."),
    _ruling("hand-too-big", "Choose and Draw Cards", "A hand left above its size is discarded down to it before drawing."),
    _ruling("hands-counted", "Castle Companion, the table", "Hands are the players' own cards: the companion counts them and learns a card when it is shown, unless the table wants its hands known; then each seat tells its cards in secret.", "hands"),
    _ruling("worker-changed", "Worker's Area", "The worker that is changed is the one on the rarest resource, so that the order stays."),
    _ruling("pork-chop-face", "Animal Special Powers", "A Pork Chop turns a die to a resource or an animal, not to a barbarian."),
    _ruling("three-farmers", "Farmer Abilities", "With three farmers the two animals may be of different types."),
    _ruling("all-skip", "Animal Special Powers", "When everyone skips, the dice left in the world go back to the bank."),
    _ruling("nobody-has-one", "FAQ", "An animal of which neither the bank nor another player has a token is not gained."),
    _ruling("market-empty", "Go to Market", "Sets are traded only as far as there are market cards, discarded ones included."),
    _ruling("village-47", "Contents; public data", "The village deck has 47 cards of which 42 are known: up to 5 more copies or new cards may turn up."),
    _ruling("villager-tokens", "Contents", "When the 60 villager tokens are all on mats no more villagers are built."),
    _ruling("one-grandfather", "card text, public fan data", "One Wise Grandfather at a time; what is gathered besides its two dice goes to the bank as usual. Gathers left when the world runs out are lost, also when its dice form a new one."),
    _ruling("alchemist-missing-die", "card text, public fan data", "An Alchemist rolls one of each die that is in the bank."),
    _ruling("joan-none-left", "Solo Play Rules; FAQ", "When the die Joan should take is gone she takes the rarest type still in the bank."),
    _ruling("joan-only-animals", "Solo Play Rules", "When no resource is left for Joan she takes an animal in the order of the barn."),
    _ruling("joan-rarest-die", "Solo Play Rules", "Where an animal shows on several dice Joan takes the rarest die."),
    _ruling("joan-rolls-first", "Solo Play Rules; Determine Who Goes First", "Joan rolls two wood dice for the first turn too."),
    _ruling("solo-messenger", "Solo Play Rules; card text", "Alone, chance picks the villager a King's Messenger brings among those there is room for."),
    _ruling("bards-kept", "Playing Cards; Winning the Game", "A Bard is kept in hand and revealed at the end."),
)  # fmt: skip
