"""The rules of Castle Dice in our own short words, each with the heading of the rulebook that has it."""

from __future__ import annotations

from companion.rules.base import Rule

_MAT = "Player Mat Descriptions"
_FIRST = "Determine Who Goes First"
_CARDS = "Choose and Draw Cards"
_DICE = "Choose Extra Dice"
_WORLD = "All Dice Rolled; World Formed"
_GATHER = "Gathering Resources"
_MARKET = "Go to Market"
_BUILD = "Build"
_RAID = "Barbarians Raid"
_WINNING = "Winning the Game"
_POWERS = "Animal Special Powers"
_PLAYING = "Playing Cards"
_FAQ = "FAQ"
_SOLO = "Solo Play Rules"
_PUBLIC = "card text, public fan data (box/cards.toml)"


def _rule(id: str, cite: str, text: str) -> Rule:
    return Rule(id=id, cite=cite, text=text)


RULES = (
    _rule("turn.phases", "Turn Order", "A turn has ten phases in this order: first player, cards, choice dice, roll, gather, market, workers, merchants, build, raid."),
    _rule("turn.seat", "Game Setup", "Only a seat that is in the game can act."),
    _rule("turn.order", "Game Play", "Play goes clockwise from the first player of the turn."),
    _rule("turn.seven", "Goal of the Game", "The game is seven turns long."),
    _rule("first.wood", _FIRST, "For the first turn each player rolls two wood dice; the most wood goes first."),
    _rule("first.horses", _FIRST, "After that the player with the most horses goes first, or nobody having the most, the player left of the last first player."),
    _rule("silo.cap", f"{_MAT}, Resource Silo", "Nobody has more than 9 of a resource; what is above is lost."),
    _rule("silo.have", f"{_MAT}, Resource Silo", "Only resources in the silo can be spent."),
    _rule("cards.hand", _CARDS, "In turn each player discards what they like and draws from the two decks up to a hand of 5, or 6 with the most chickens."),
    _rule("cards.market-apart", _CARDS, "Market cards do not count towards the size of the hand, and are not discarded with it."),
    _rule("cards.reshuffle", _CARDS, "When a deck runs out its discard pile is shuffled to make a new one."),
    _rule("cards.have", _PLAYING, "Only a card of one's hand can be played or discarded."),
    _rule("cards.when", _PLAYING, "A card is played in the phase its icon names."),
    _rule("dice.fixed", _DICE, "Each player takes the dice the Turn Tracker lists for the turn."),
    _rule("dice.choice", _DICE, "From the first player clockwise each picks as many choice dice as the tracker says."),
    _rule("dice.bank", _FAQ, "Dice are limited: of a type that is gone another must be chosen."),
    _rule("cow.choice", _POWERS, "After the dice are picked and before they are rolled, the player with the most cows may change one villager into any other type."),
    _rule("roll.entry", _WORLD, "Every die that was taken is rolled, and shows one of its own faces."),
    _rule("roll.world", _WORLD, "Barbarians go to the camp of who rolled them; everything else is the world."),
    _rule("gather.one", _GATHER, "In turn each player takes one die of the world, until none is left."),
    _rule("gather.world", _GATHER, "Only a die that lies in the world can be gathered."),
    _rule("gather.resource", _GATHER, "A resource die adds what it shows to the silo and goes back to the bank."),
    _rule("gather.animal", _GATHER, "An animal die brings a token of that animal and goes back to the bank."),
    _rule("gather.shortage", _FAQ, "When the bank has no token of an animal it is taken from a player of one's choice."),
    _rule("gather.farmers", "Farmer Abilities", "Once a turn, gathering an animal: one farmer adds one of the same, two add one of any type, three make it two of any type instead."),
    _rule("gather.pork-chop", _POWERS, "The player with the most pigs may once turn a die of the world to any face and gather it, and then skips all gathers left this turn."),
    _rule("gather.one-pork-chop", _POWERS, "Pigs give one Pork Chop a turn in all, whoever leads; a Daughter gives one besides."),
    _rule("power.most", _POWERS, "An animal's power belongs to the player with the most of it; tied, to nobody."),
    _rule("market.set", _MARKET, "In turn each player may trade sets of one of each animal, a market card for each set."),
    _rule("market.holiday", _MARKET, "On turns 3, 5 and 7 every set must be traded."),
    _rule("workers.produce", "Workers Produce", "Each worker produces one of the resource it stands on."),
    _rule("merchants.trade", "Merchants Work", "Once for each merchant a resource may be turned into one of the next rarer."),
    _rule("build.pay", _BUILD, "A card is built by paying its cost in resources; as many as can be paid for."),
    _rule("build.kind", _BUILD, "Castle parts and villagers are built; other cards are played."),
    _rule("build.done", _BUILD, "Who has finished building waits for the others."),
    _rule("build.limits", _BUILD, "At most 3 merchants, 3 farmers, 5 workers and 5 guards stand on a mat."),
    _rule("build.worker-order", f"{_MAT}, Worker's Area", "Workers stand from the most common resource to the rarest: wood, stone, gold, land, iron."),
    _rule("build.guard-post", f"{_MAT}, Guard Posts", "A guard stands at a resource of one's choice that has none."),
    _rule("build.villager-have", f"{_MAT}, Worker's Area", "Only a villager that stands on the mat can be changed."),
    _rule("build.cumulative", _PLAYING, "Several of one building add up."),
    _rule("raid.loss", _RAID, "Each barbarian in the camp takes one of every resource without a guard; then its die goes back to the bank."),
    _rule("end.points", _WINNING, "After the seventh turn: points on castle parts, one for each Bard, one for the most animals and one for the most villagers."),
    _rule("end.ties", _WINNING, "Tied for the most animals or villagers, nobody gets the point."),
    _rule("end.tie-break", _WINNING, "Equal points: the most of the rarest resource wins, from iron to wood."),
    _rule("end.bards", _WINNING, "Bards are revealed at the end, one point each."),
    _rule("card.tall-keep", _PUBLIC, "A Tall Keep costs one less of each resource for each Wall."),
    _rule("card.strong-tower", _PUBLIC, "A Strong Tower costs one less wood, stone and gold for each Wall."),
    _rule("card.deep-moat", _PUBLIC, "Once a turn for each Deep Moat, an animal die may give one of the die's resource instead."),
    _rule("card.royal-chambers", _PUBLIC, "Each Royal Chambers gives one more choice die."),
    _rule("card.wall-animal", _PUBLIC, "An animal Wall counts one more of an animal chosen on building it, when deciding who has the most of it."),
    _rule("card.wall-villager", _PUBLIC, "A villager Wall is worth a point at the end with all 3 farmers or merchants, or all 5 guards or workers."),
    _rule("card.brother", _PUBLIC, "A Loyal Brother, before picking dice: five more choice dice instead of the fixed dice."),
    _rule("card.first-gather", _PUBLIC, "Advisor, Hungry Barbarians and Shepherd are played before one's first gather of the turn."),
    _rule("card.advisor", _PUBLIC, "An Advisor gives one more gather for each Wall."),
    _rule("card.daughter", _PUBLIC, "A Daughter makes the gather a Pork Chop, or allows a Villager Choice."),
    _rule("card.squire", _PUBLIC, "A Squire, instead of a gather, brings one of each guarded resource."),
    _rule("card.soldier", _PUBLIC, "A Soldier rolls one's barbarians into the world; those that come up again stay."),
    _rule("card.grandfather", _PUBLIC, "A Wise Grandfather gives one more gather; both dice are then rolled back into the world."),
    _rule("card.messenger", _PUBLIC, "A King's Messenger, instead of a gather, brings a villager the next player chooses among those there is room for."),
    _rule("card.hungry", _PUBLIC, "Hungry Barbarians make everyone discard all animals of two types."),
    _rule("card.shepherd", _PUBLIC, "A Shepherd brings all animals of one type from everyone else."),
    _rule("card.jester", _PUBLIC, "A Jester makes everyone roll their barbarians again; its player may give those they roll to others."),
    _rule("card.maiden", _PUBLIC, "A Maiden lets one lay down castle and village cards and draw as many."),
    _rule("card.alchemist", _PUBLIC, "An Alchemist rolls one of each die; the resources lower the cost of one card this turn."),
    _rule("card.volunteer", _PUBLIC, "A Volunteer stays in play and counts as a Wall."),
    _rule("card.learned", "Castle Companion, the table", "A card nobody has published is read out once; the companion keeps its cost and points, the table does what it says."),
    _rule("solo.joan-dice", _SOLO, "Joan takes the fixed dice and rolls her die for each choice die; a barn is another of her last, or of her next when it is the first."),
    _rule("solo.priority", _SOLO, "Joan's priority is the resource she took most of, the rarest when level."),
    _rule("solo.gather", _SOLO, "Joan takes the highest of her priority; without one she rolls: that resource, or on a barn an animal that completes a set, then pig, horse, chicken, cow; failing that the rarest multiple, then the rarest single."),
    _rule("solo.animals", _SOLO, "Of the animal powers Joan has the horse's only, but she must be beaten for the others."),
    _rule("solo.market", _SOLO, "Joan goes to market on holidays; each of her market cards costs the player a point at the end."),
    _rule("solo.result", _SOLO, "0-5 Major Loss, 6-8 Loss, 9-10 Win, 11-12 Major Win, 13 and more Epic Win."),
)  # fmt: skip
