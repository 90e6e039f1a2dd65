"""The rules of Castles of Mad King Ludwig in our own short words, each with the heading of the rulebook that has it."""

from __future__ import annotations

from companion.rules.base import Rule

_SETUP = "Setup"
_ROUND = "Each Round"
_PLACING = "Rules for Placing Rooms"
_ICONS = "Icons"
_SCORING = "Room Placement Scoring"
_END = "Game End"
_COMPLETING = "Room Types & Completing a Room"
_OUTDOOR = "Outdoor Rooms"
_CORRIDOR = "Corridor Rooms"
_BELOW = "Downstairs Rooms"
_FAVOURS = "King's Favors"
_BONUS = "Bonus Cards"
_SOLO = "Solo Game"


def _rule(id: str, cite: str, text: str) -> Rule:
    return Rule(id=id, cite=cite, text=text)


RULES = (
    _rule("setup.start", _SETUP, "Everyone begins with a Foyer, 15000 marks and bonus cards."),
    _rule("setup.bonus", _SETUP, "Of three bonus cards each player, the Master Builder first, puts one at the bottom of the deck."),
    _rule("setup.favours", _SETUP, "As many King's Favours lie open as there are players."),
    _rule("setup.score", _SETUP, "The Master Builder's score marker begins on 0, the others clockwise on 1, 2 and 3."),
    _rule("turn.seat", _SETUP, "Only a seat that is in the game can act."),
    _rule("turn.phase", _ROUND, "A round is drawing rooms, pricing them, and buying in turn order."),
    _rule("draw.cards", _ROUND, "The Master Builder draws a room card for each empty space of the contract board and lays a tile of its size there."),
    _rule("draw.once", "Components", "Each room tile is there only once, and a tile that is not in this box cannot be drawn."),
    _rule("draw.empty-stack", _ROUND, "When no tile of a card's size is left another card replaces it."),
    _rule("draw.deck-tiles", "Sleeping Rooms", "Tiles laid on the deck are drawn before room cards, the last one laid first."),
    _rule("draw.last-cards", _END, "When the deck does not fill the board all room cards are shuffled again to fill it for the last round."),
    _rule("price.master", _ROUND, "The Master Builder, and nobody else, lays the rooms at whatever prices he chooses."),
    _rule("price.one-each", _ROUND, "There is one room at each price."),
    _rule("buy.order", _ROUND, "Players buy in turn from the Master Builder's left; the Master Builder is last."),
    _rule("buy.room", _ROUND, "A player buys one room from the contract board, or a hallway or stairs, or passes."),
    _rule("buy.price", _ROUND, "A room costs the price above it; the coins on it go to the buyer and may help to pay."),
    _rule("buy.corridor", _ROUND, "A hallway or stairs cost 3000, as long as any are left."),
    _rule("buy.pay-master", _ROUND, "Buyers pay the Master Builder."),
    _rule("buy.pay-bank", _ROUND, "The Master Builder pays the bank."),
    _rule("buy.pass", _ROUND, "Who buys nothing takes 5000 from the bank."),
    _rule("buy.unsold", _ROUND, "Each room not bought gets a coin of 1000 from the bank."),
    _rule("buy.must-fit", _PLACING, "A room that cannot be placed legally cannot be bought."),
    _rule("turn.master-moves", _ROUND, "After each round the Master Builder token passes to the left."),
    _rule("place.entrance", _PLACING, "An entrance of the new room must meet an entrance of the castle."),
    _rule("place.overlap", _PLACING, "Tiles never overlap."),
    _rule("place.turn", _PLACING, "A tile may be turned by right angles."),
    _rule("place.wall", _PLACING, "An entrance may face a wall, but its room can then not be completed."),
    _rule("place.way-out", _PLACING, "A castle always keeps an entrance that leads outside."),
    _rule("place.floors", _PLACING, "Entrances of downstairs rooms and hallways join the main floor only through stairs; walls may touch."),
    _rule("place.stairs", _CORRIDOR, "Stairs lie with the light end at the main floor, and two stairs are never joined to each other."),
    _rule("place.fence", _OUTDOOR, "No room may touch the fenced edge of an outdoor room; corners may."),
    _rule("place.hand", _ROUND, "A tile is placed right after it was taken."),
    _rule("score.base", _SCORING, "Step 1: the number in the upper left of the new room."),
    _rule("score.centre", _SCORING, "Step 2: the icons in the centre of the new room."),
    _rule("score.connected", _SCORING, "Step 3: the centres of rooms joined to it that name its type."),
    _rule("score.adjacent", _ICONS, "Step 4: activity rooms that touch it and name its type cost points, whatever the floor."),
    _rule("score.each", _BELOW, "Step 5: downstairs rooms pay for every room of their type in the castle, also for each new one."),
    _rule("complete.room", _COMPLETING, "A room is complete when each of its entrances meets an entrance of another room."),
    _rule("complete.order", _COMPLETING, "Who completes several rooms takes the rewards in any order."),
    _rule("reward.living", "Living Rooms", "Completed living room: its corner and centre are scored once more."),
    _rule("reward.activity", "Activity Rooms", "Completed activity room: 5 points."),
    _rule("reward.sleeping", "Sleeping Rooms", "Completed sleeping room: look through one stack and lay up to two of its tiles on the deck."),
    _rule("reward.sleeping-last", "Sleeping Rooms", "In the last round the chosen tiles go to the discarded cards: out of play, which may empty a stack."),
    _rule("reward.outdoor", _OUTDOOR, "Completed outdoor room: 10000 from the bank."),
    _rule("reward.utility", "Utility Rooms", "Completed utility room: draw two bonus cards, keep one, the other goes to the bottom."),
    _rule("reward.food", "Food Rooms", "Completed food room: another turn at once, to buy and place or to take 5000."),
    _rule("reward.corridor", _CORRIDOR, "Completed corridor room: a hallway or stairs for nothing, placed at once."),
    _rule("reward.corridor-once", _CORRIDOR, "The corridor reward is taken once a turn; an extra turn is a new turn."),
    _rule("reward.downstairs", _BELOW, "Every second completed downstairs room brings one of the other seven rewards; re-scoring is for a downstairs room just completed."),
    _rule("end.deck", _END, "The game ends after the round in which the last room card was drawn."),
    _rule("end.depleted", _END, "2 points for each room from a stack that is empty; all hallways are one stack, and so are the stairs."),
    _rule("end.bonus", _END, "Everyone shows the bonus cards and scores them."),
    _rule("end.money", _END, "1 point for every 10000 marks."),
    _rule("end.tie", _END, "Equal points: the larger castle in square feet wins."),
    _rule("favour.places", _FAVOURS, "Each favour pays 8, 4, 2 and 1 for the first four places."),
    _rule("favour.one-at-least", _FAVOURS, "Who has none of what a favour counts gets nothing for it."),
    _rule("favour.ties", _FAVOURS, "Tied players share the places they span, rounded down."),
    _rule("favour.clash", _FAVOURS, "Completed Rooms and Incomplete Rooms are never in one game: the later one is replaced."),
    _rule("favour.once", _FAVOURS, "Each favour tile is there only once."),
    _rule("favour.external", _FAVOURS, "External entrances lead to the outside edge of the castle; those of corridor rooms do not count."),
    _rule("bonus.cards", _BONUS, "Each bonus card is there only once and pays at the end by what it counts."),
    _rule("solo.setup", _SOLO, "Alone: set up as for three, two bonus cards, no favours; three rooms a turn in card order at 2000, 4000 and 6000."),
    _rule("solo.removed", _SOLO, "Rooms not bought leave the game at the end of the turn."),
    _rule("solo.bank", _SOLO, "All that is paid goes to the bank."),
    _rule("solo.bands", _SOLO, "The final score earns a title."),
    _rule("ledger.only", "Castle Companion, the ledger", "In a ledger game rooms are noted by what they join and touch; on a map by where they lie."),
    _rule("ledger.entries", "Castle Companion, the ledger", "A noted room joins rooms that have an entrance left, no more than it has itself, and completes itself or rooms it joins."),
    _rule("box.correct", "Castle Companion, the box", "What a tile, a card or a stack of this table's box says goes before what the companion knew."),
)  # fmt: skip
