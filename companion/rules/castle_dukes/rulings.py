"""Where the rulebook of Castle Dukes is silent or contradicts itself: what we decided, and why it can be so read."""

from __future__ import annotations

from companion.rules.base import Rule


def _ruling(id: str, cite: str, text: str, option: str = "") -> Rule:
    return Rule(id=f"ruling.{id}", cite=cite, text=text, ruling=True, option=option)


RULINGS = (
    _ruling("damage-chits-15", "Setup 4; Resolving a Dragon Attack", "The bag holds 15 damage chits; 'all 20' is read as 'all'. A box with another number says so in its box data."),
    _ruling("defence-20-or-more", "Resolving a Dragon Attack, chart", "The last defence tier '20' is 20 or more."),
    _ruling("turn-marker-colour", "Setup 7; Guest Phase", "The colour of the turn marker does not matter."),
    _ruling("fire-checked-4-7-9", "Dragon Attack", "Fire icons are checked on turns 4, 7 and 9 only and ignored on 5, 6 and 8."),
    _ruling("dragon-before-card", "Dragon Attack", "No fire on 4 brings the dragon at the start of turn 5's Guest Phase, before a card is drawn; likewise 7 and 8. On 9 only the icon brings it."),
    _ruling("turn-9-in-long-game", "Game End", "In a 12-turn game the check on turn 9 stays.", "turn9_check"),
    _ruling("turn-12-dragon", "Game End", "In a 12-turn game the dragon never comes on turns 10 and 11; on turn 12 it always does, before a card is drawn."),
    _ruling("pillars-what-fits", "Building Phase, example", "A pair of pillars that would pass the limit of 6, or the supply, gives what fits."),
    _ruling("tie-for-first", "Victory Points", "Tied for first: (1st + 2nd) divided by those tied, rounded down, and nobody is second."),
    _ruling("tie-for-second", "Victory Points", "Tied for second: the second prize divided by those tied, rounded down."),
    _ruling("two-players-paid", "Victory Points", "With two players first and second are both paid."),
    _ruling("zero-ranks", "Victory Points", "A contest in which everyone has 0 still ranks, and so does a 0 beside others.", "zero_ranks"),
    _ruling("tie-break-levels-rooms", "Victory Points", "Equal points: total levels in all three towers, then rooms built, then shared."),
    _ruling("guest-needs-slot", "Guest Phase", "A castle without a free slot does not compete, however high its rating; a tie is among those that compete."),
    _ruling("guest-tie", "Guest Phase; 5-8 Players", "A guest whose best castles are tied leaves; with five or more players each of them gets one."),
    _ruling("guest-none-left", "Guest Phase; FAQ", "A guest of whom no figure is left does not come."),
    _ruling("solo-height-part", "Single Player Mode", "Alone, 1 point for every 2 levels or part of them of the tallest tower; no contest for height."),
    _ruling("ai-die-faces", "Single Player Mode", "The AI die shows comfort, defence and offence twice each."),
    _ruling("vines-rounded-down", "Extra Hard Variant", "Minus 1 point for every 2 vines on the board, rounded down."),
    _ruling("crumbles-run-out", "Components", "When the 12 Crumble tokens run out the penalty is still counted."),
    _ruling("room-points-line", "Introduction", "Points printed on rooms are a line of their own in the score."),
    _ruling("roof-is-level", "Roof Tiles", "A roof counts as a level of its tower; a bridge does not."),
    _ruling("solo-tie", "Single Player Mode; Victory Points", "A solo tie goes to more levels, so the player wins it."),
    _ruling("ai-second-tied", "Single Player Mode", "When the AI's second or lowest rating is tied, its die decides between them."),
    _ruling("ai-not-below-zero", "Single Player Mode", "An AI rating never goes below 0."),
    _ruling("ai-nothing-fits", "Single Player Mode", "When no room has the rating the AI needs, nor its lowest, it rolls again; when no room has any rating it takes the lowest card."),
    _ruling("solo-big-guest", "Guest Phase; Single Player Mode", "A solo game draws guests as a game of two: the big guest only, and a tie sends it away."),
    _ruling("late-coins", "Setup 9; 5-8 Players", "Players five to eight get free coins by the same count (4 to 7); what fits nowhere is lost.", "late_coins"),
    _ruling("pass-is-final", "5-8 Players", "With five or more players who passes buys no more rooms this turn."),
    _ruling("boards-apart", "5-8 Players", "Two game boards slide and refill each on its own."),
    _ruling("any-fire", "5-8 Players; Dragon Attack", "With two guest cards a fire on either brings the dragon."),
    _ruling("one-set-of-chits", "5-8 Players; Resolving a Dragon Attack", "With two sets in play the chits of one set are in the bag, so there is still one floor tile chit."),
    _ruling("one-bridge-a-level", "Bridge Tiles", "One bridge fits on each level."),
    _ruling("tallest-by-levels", "Victory Points", "The tallest castle is the one with most levels in its highest tower."),
    _ruling("tile-loss-takes-above", "FAQ, Extra Item Removal", "A removed tile takes everything on it and above it along, and bridges that rest on it."),
    _ruling("loose-to-inventory", "Room Phase; Collapsing Penalty", "Pieces not put back after an accident go to the inventory as far as its limits allow, the rest and homeless guests are discarded."),
    _ruling("bonus-over-limit", "Room Phase", "A bonus item that passes the limit, or has run out, is simply not gained; the room still is."),
    _ruling("unfinished-removal", "Resolving a Dragon Attack", "A chit for 2 takes what there is when only 1 is there."),
)  # fmt: skip
