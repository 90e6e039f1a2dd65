"""Where the rulebook of Castle Builder is silent or contradicts itself: what we decided, and why it can be so read."""

from __future__ import annotations

from companion.rules.base import Rule


def _ruling(id: str, cite: str, text: str, option: str = "") -> Rule:
    return Rule(id=f"ruling.{id}", cite=cite, text=text, ruling=True, option=option)


RULINGS = (
    _ruling("sum-of-all-below", "Numbers and Building", "A tile's number equals the sum of what it rests on, be that two tiles or one."),
    _ruling("door-is-2-tile", "Numbers and Building", "The door is a 2-tile of the first level, stone above; so a no-new-floor tile may stand beside it."),
    _ruling("first-level-any", "Numbers and Building", "The first level takes any number; nothing is paid there."),
    _ruling("bricks", "Placement rules; pictures", "Tiles lie like bricks: each rests by half on the two places below it, and a half over empty space must be air."),
    _ruling("touches-below", "Placement rules", "A tile must touch at least one tile below it, or the foundation."),
    _ruling("slid-under", "Placement rules", "A tile slid in under one that overhangs must match it too; the sum above is not looked at again."),
    _ruling("half-bears", "Coin Effects, Crumble and Catapult", "A tile with another on it, be it by half, cannot crumble or be shot down."),
    _ruling("joker-number", "Numbers and Building", "Under another tile a tick counts its printed number, or 0 without one."),
    _ruling("pay-exact", "Pay to change numbers", "As many tiles are paid as the number is off, no more; a tick needs no payment."),
    _ruling("start-areas", "Setup 6", "With two or three players the start areas of the missing ones are areas like any other."),
    _ruling("every-coin-area", "Moving the Baron", "Each coin area reached or passed gives a coin, gliding and ruby steps included.", "every_coin"),
    _ruling("tile-before-coin", "Moving the Baron; Draw 2 tiles", "A tile area pays, and full holders are cleared, before coins are taken."),
    _ruling("ties-all-paid", "Coin Effects", "Highest Tower and the Most coins pay every tied player, whoever took the coin."),
    _ruling("most-needs-one", "Coin Effects", "Most Persons, Windows and Roofs pay nobody who has none."),
    _ruling("monk-ties", "Coin Effects, Monk", "The Monk pays every player tied for fewest coins."),
    _ruling("door-stands", "Numbers and Building; Coin Effects", "The door can be neither crumbled nor shot down."),
    _ruling("nothing-to-do", "Coin Effects", "An effect with nothing to act on does nothing; the Thief robs somebody who has a tile where there is one."),
    _ruling("gain-order", "Coin Effects", "When tiles run short, those who gain them draw in turn order from the active player."),
    _ruling("market-short", "Setup 4; Draw 2 tiles", "When neither pile nor discard has a tile the market waits, and fills as soon as one is discarded."),
    _ruling("ends-at-once", "Coin Effects", "The game ends with the coin that reaches the goal; its effect, and coins still due, no longer matter."),
    _ruling("stuck", "Playing the game", "When no tile is left to draw and everyone in turn draws nothing, the game ends and most coins win, shared when equal."),
    _ruling("draw-over-limit", "Draw 2 tiles", "Drawing with a full holder is allowed: keep the best seven."),
    _ruling("holders-counted", "Components, Tile holders", "What lies in a holder is its owner's secret: the companion counts it and does not look."),
    _ruling("places-by-coins", "Introduction", "Behind the winner places go by coins, shared when equal."),
)  # fmt: skip
