"""The rules of Castle Dukes in our own short words, each with the heading of the rulebook that has it."""

from __future__ import annotations

from companion.rules.base import Rule

_SETUP = "Setup"
_ROOM = "Room Phase"
_CARDS = "Room Cards"
_BARBICAN = "The Castle Barbican"
_BUILDING = "Building Phase"
_TILES = "Building Phase, ways to place a Floor Tile"
_ROOFS = "Roof Tiles"
_BRIDGES = "Bridge Tiles"
_CONSTRUCTION = "Drawing from the Construction Deck"
_GUESTS = "Guest Phase"
_DRAGON = "Dragon Attack"
_RESOLVING = "Resolving a Dragon Attack"
_COLLAPSE = "Collapsing Penalty"
_END = "Game End"
_VICTORY = "Victory Points"
_FAQ = "FAQ"
_BIG = "5-8 Players"
_SOLO = "Single Player Mode"


def _rule(id: str, cite: str, text: str) -> Rule:
    return Rule(id=id, cite=cite, text=text)


RULES = (
    _rule("setup.free-coins", _SETUP, "The second player begins with 1 free coin, the third with 2, the fourth with 3, spent at once on floor tiles and pairs of pillars."),
    _rule("setup.board-side", _SETUP, "One or two players use the reverse side of the game board."),
    _rule("turn.phases", "Game Turn Summary", "A turn is Room Phase, Building Phase, Guest Phase, in this order, nine turns long."),
    _rule("turn.first-player", _GUESTS, "After each turn the First Player Marker passes to the left."),
    _rule("turn.seat", "Setup", "Only a seat that is in the game can act."),
    _rule("room.order", _ROOM, "From the First Player clockwise, each player in turn may buy room cards."),
    _rule("room.coins", _ROOM, "Each turn begins with 5 coins; a room costs what its slot says. Coins are not kept for the next turn."),
    _rule("room.slot", _ROOM, "A room is bought from a slot of the game board that holds a card."),
    _rule("room.bonus", "Bonus Items", "A slot may give a table, a serf or a coffer with its card; it goes to the inventory."),
    _rule("room.refill", _ROOM, "After the Room Phase cards slide down and empty slots are filled from the bottom up; when none was taken the lowest leaves first."),
    _rule("inventory.limit", _ROOM, "At most 3 of each type of item, room cards included, may be in the inventory."),
    _rule("inventory.pillars", _ROOM, "Pillars count in pairs: at most 3 pairs, 6 pillars, may be in the inventory."),
    _rule("inventory.have", _ROOM, "Only what lies in the inventory can be placed or put away."),
    _rule("supply.limited", _FAQ, "Components are limited: what has run out cannot be taken until it comes back. Disputes over the last pieces go by turn order."),
    _rule("supply.reshuffle", _FAQ, "What was discarded comes back only when none of its kind is left."),
    _rule("room.space", _CARDS, "A room card is built on a floor tile that has a free room space, never on a roof or bridge."),
    _rule("room.upper", "Upper and Lower Levels", "An Upper room is built on level 3 or higher."),
    _rule("room.lower", "Upper and Lower Levels", "A Lower room is built on level 1 or 2."),
    _rule("barbican.live", _BARBICAN, "The dials always show the sum of what stands in the castle."),
    _rule("building.only", _BUILDING, "Items go from the inventory onto the castle in the Building Phase only."),
    _rule("building.acquire", _BUILDING, "A floor tile costs 1 coin, two pillars 1 coin, a construction card 4 coins."),
    _rule("building.declared", _BUILDING, "Who has declared to be done acquiring, or has begun to place, spends no more coins this turn."),
    _rule("building.finished", _BUILDING, "Who has finished building waits for the others."),
    _rule("building.permanent", _BUILDING, "What is placed stays: nothing is moved in later turns, guests included."),
    _rule("building.free-coins-last", _SETUP, "Free coins of the set-up buy floor tiles and pillars only."),
    _rule("tile.next-level", _TILES, "A tile goes on a foundation as level 1, or on the tile below with at least one pillar between them."),
    _rule("tile.cobbles", _TILES, "Every cobblestone marking of a tile holds at least one pillar before the next tile is laid on it."),
    _rule("tile.three-towers", _TILES, "A castle has three towers, one on each foundation."),
    _rule("pillar.place", _TILES, "Pillars stand anywhere on a floor tile except on room spaces and bridge ends."),
    _rule("roof.level", _ROOFS, "A roof is laid on level 3 or higher."),
    _rule("roof.closed", _ROOFS, "A roof or bridge tile holds no room and no pillar; nothing is built above it."),
    _rule("bridge.level", _BRIDGES, "A bridge is laid on level 3 or higher."),
    _rule("bridge.ends", _BRIDGES, "A bridge lies between tiles of the two front towers on the same level that both have bridge ends; roofs always do."),
    _rule("table.limit", "Bonus Items, Table", "At most one table stands on a room card; it adds 1 comfort and 1 defence."),
    _rule("serf.slot", "Bonus Items, Serf Meeple", "A serf stands only in a serf slot of a room card."),
    _rule("coffer.limit", "Bonus Items, Coffer", "At most one coffer stands on a room card."),
    _rule("top.only", _CONSTRUCTION, "Braziers, battlements, cauldrons and ballistae go on roof and bridge tiles only."),
    _rule("brazier.limit", "Brazier", "At most two braziers stand on a roof or bridge tile; each adds 1 defence."),
    _rule("battlement.limit", "Battlement", "At most one battlement stands on a roof or bridge tile."),
    _rule("battlement.slots", "Battlement", "Cauldrons and ballistae stand on battlements, three together on each."),
    _rule("construction.items", _CONSTRUCTION, "The items of a construction card go to the inventory at once, as far as its limit allows."),
    _rule("guest.from-turn-4", _GUESTS, "The Guest Phase is skipped on turns 1 to 3."),
    _rule("guest.cards", _GUESTS, "One guest card is drawn: with two players its big guest comes, with three or four both do."),
    _rule("guest.deck", _GUESTS, "The twelve guest cards show 3 kings, 5 princesses and 4 knights big, 4 of each small, and 4 fires; they are never reshuffled."),
    _rule("guest.highest", _GUESTS, "A knight goes to the highest offence, a princess to the highest comfort, a king to the highest defence, among castles with a free slot for them."),
    _rule("guest.tie", _GUESTS, "A guest whose best castles are tied leaves."),
    _rule("guest.slot", _GUESTS, "A guest lives in a room with a free slot of its kind."),
    _rule("guest.knight", _GUESTS, "A knight adds 1 offence once placed."),
    _rule("dragon.when", _DRAGON, "The dragon is checked for on turns 4, 7 and 9; missing it on 4 or 7 brings it at the start of the next Guest Phase."),
    _rule("dragon.choose", _RESOLVING, "Each duke meets the dragon with offence or with defence."),
    _rule("dragon.chart", _RESOLVING, "Offence 0-4, 5-7, 8-12, 13 and more or defence 0-6, 7-12, 13-19, 20 and more take 4, 3, 2, 1 damage."),
    _rule("dragon.princess", _RESOLVING, "One princess may be given up for 2 less damage, down to 1 at the least."),
    _rule("dragon.five-chits", _RESOLVING, "From the First Player on, each duke draws five damage chits and puts them back before the next draws."),
    _rule("dragon.one-tile-chit", _RESOLVING, "There is only one floor tile chit in the bag."),
    _rule("dragon.resolve", _RESOLVING, "A duke resolves as many of the five chits as the damage says, of his choice; a chit of which he has nothing costs nothing."),
    _rule("dragon.kinds", _RESOLVING, "Characters are kings, princesses, knights and serfs; decors are ballistae, battlements, cauldrons, braziers, coffers and tables."),
    _rule("dragon.extra", "FAQ, Extra Item Removal", "What rests on a removed piece is lost with it, without a Crumble token."),
    _rule("crumble.token", _COLLAPSE, "When any piece but a base tile touches the player board its duke takes a Crumble token, one for each accident."),
    _rule("crumble.replace", _COLLAPSE, "After an accident the pieces may be put back or put elsewhere."),
    _rule("crumble.on-purpose", _COLLAPSE, "A Crumble token may be taken on purpose to rearrange any number of pieces at once, in the Building Phase only."),
    _rule("end.turn-9", _END, "The game ends after turn 9, or in the long game after turn 12."),
    _rule("end.turn-12", _END, "In the long game the dragon never comes on turns 10 and 11 and always on turn 12."),
    _rule("vines.hang", "Extra Hard Variant", "Each tile laid on level 2 or higher brings a vine, hung anywhere above level 1."),
    _rule("vines.score", "Extra Hard Variant", "Vines that drop stay; every 2 on the player board cost 1 point at the end."),
    _rule("score.bridges", _VICTORY, "1 point for each bridge."),
    _rule("score.serfs", _VICTORY, "1 point for every 2 serfs."),
    _rule("score.battlements", _VICTORY, "1 point for each battlement."),
    _rule("score.coffers", _VICTORY, "1 point for every 3 coffers."),
    _rule("score.high-rooms", _VICTORY, "1 point for each room on level 5 or higher."),
    _rule("score.guests", _VICTORY, "3 points for each king, 2 for each princess, 1 for each knight."),
    _rule("score.ratings", _VICTORY, "6 and 3 points for most and second comfort, the same for defence, 4 and 2 for offence."),
    _rule("score.height", _VICTORY, "6 and 3 points for the tallest and second tallest castle."),
    _rule("score.ties", _VICTORY, "Tied for first: both prizes added and divided; tied for second: that prize divided; rounded down."),
    _rule("score.crumbles", _COLLAPSE, "Each Crumble token costs 2 points."),
    _rule("score.tie-break", _VICTORY, "Equal points: more levels in all three towers, then more rooms built, then shared."),
    _rule("big.one-room", _BIG, "With five or more players a player buys one room at a time, round and round until all pass."),
    _rule("big.share", _BIG, "With five or more players every castle tied for a guest gets one."),
    _rule("big.cards", _BIG, "With five or more players two guest cards are drawn: both guests of the first, and of the second the big one (5-6 players) or both (7-8)."),
    _rule("big.boards", _BIG, "Five or six players add a second board on its 1-2 player side, seven or eight on its 3-4 player side."),
    _rule("solo.first", _SOLO, "The AI is First Player on the first turn, and the player gets no free coin."),
    _rule("solo.thought", _SOLO, "On its very first pick, or when its highest ratings are tied, the AI rolls its die for the rating."),
    _rule("solo.pick", _SOLO, "The AI picks by its highest rating X, by its second Y when X is above the player's, by its lowest when no room has Y."),
    _rule("solo.room", _SOLO, "The AI takes the room with most of the rating, the lower slot when equal; its ratings are added and the card is discarded."),
    _rule("solo.guests", _SOLO, "The AI needs no slots and gets every guest the player has no slot for."),
    _rule("solo.dragon", _SOLO, "The dragon costs the AI 1 point of a rolled rating, 2 in Baby mode."),
    _rule("solo.awesome", _SOLO, "In I Am Awesome mode the AI takes two rooms on every turn it is not First Player."),
    _rule("solo.height", _SOLO, "Instead of the contest for height the player gets 1 point for every 2 levels, or part, of the tallest tower."),
    _rule("light.only", "Castle Companion, light game", "In a light game the table tracks the pieces; the companion keeps turns, coins, dials, Crumble tokens and the score."),
    _rule("light.full-only", "Castle Companion, light game", "Dials, spending and the final count are kept by hand in a light game only; in a full game they follow from the pieces."),
)  # fmt: skip
