"""The rules of Castle Builder in our own short words, each with the heading of the rulebook that has it."""

from __future__ import annotations

from companion.rules.base import Rule

_SETUP = "Setup"
_TURN = "Playing the game"
_DRAW = "Draw 2 tiles"
_BUILD = "Build a tile"
_PLACEMENT = "Placement rules"
_NUMBERS = "Numbers and Building"
_PAY = "Pay to change numbers"
_BARON = "Moving the Baron"
_EFFECTS = "Coin Effects"
_OPTIONAL = "Optional Rules"
_COMPANION = "Castle Companion, this box"
_LIGHT = "Castle Companion, light game"


def _rule(id: str, cite: str, text: str) -> Rule:
    return Rule(id=id, cite=cite, text=text)


RULES = (
    _rule("turn.seat", "Castle Companion, the table", "Seats are numbered from 0."),
    _rule("turn.order", _TURN, "Players take turns clockwise, the starting player first."),
    _rule("turn.one", _TURN, "A turn is one of two things: draw two tiles, or build one."),
    _rule("turn.pending", _TURN, "What a turn has brought about (discards, moves, coins, effects) is settled before anything else."),
    _rule("setup.path", _COMPANION, "The areas of the path are printed nowhere we know of: lay them out once, clockwise from start area 1, and the companion remembers them."),
    _rule("setup.foundation", _COMPANION, "How wide the foundation is and where its door stands is asked for once and remembered."),
    _rule("setup.starts", f"{_SETUP} 6", "Barons begin on the start areas by turn order; they walk clockwise, so the starting player is last."),
    _rule("setup.holders", f"{_SETUP} 5", "Everyone begins with three tiles drawn blindly."),
    _rule("market.full", f"{_SETUP} 4", "Three tiles and three coins lie in the market; whatever is taken is replaced at once."),
    _rule("market.entered", _COMPANION, "A market tile or coin is entered when it lies there or when it is taken, and stays what was entered."),
    _rule("tile.entered", _COMPANION, "A tile is entered as it is built: pattern, number or tick, rubies and icons."),
    _rule("draw.two", _DRAW, "Draw two tiles blindly from the pile into the holder, never from the market."),
    _rule("draw.limit", _DRAW, "A holder takes seven tiles; whoever has more discards down to seven at once."),
    _rule("draw.reshuffle", _DRAW, "When the pile has run out the discarded tiles are shuffled into a new one."),
    _rule("build.source", _BUILD, "The tile comes from your own holder or from the market."),
    _rule("place.free", _PLACEMENT, "A tile goes on a free place of your own castle."),
    _rule("place.pattern", _PLACEMENT, "Stone stands on stone and air on air or empty space, never one on the other; sides need not match."),
    _rule("place.no-new-floor", _PLACEMENT, "A tile with the no-new-floor sign needs another tile on the same level."),
    _rule("place.number", _NUMBERS, "A tile's number is the sum of the numbers it is placed on."),
    _rule("place.wild", _NUMBERS, "A tile with the tick fits on any sum, as long as the pattern matches."),
    _rule("place.first-level", _NUMBERS, "The first level takes any number, ticks and roofs too, but stone must stand on the foundation's stone."),
    _rule("place.door", _NUMBERS, "The door is a 2-tile on the foundation."),
    _rule("pay.one-step", _PAY, "Discard one tile of your holder to change the number of the tile you build by one, up or down."),
    _rule("pay.holder", _PAY, "Only tiles that are in your holder can pay."),
    _rule("baron.steps", _BARON, "A tile on level 2 or higher moves the baron as many steps as its level, and one more for each ruby on it."),
    _rule("baron.level-one", _BARON, "The first level gives no steps, and rubies there count nothing."),
    _rule("baron.glide", _BARON, "Occupied areas count as steps; who would stop on another baron glides to the next empty area."),
    _rule("baron.ruby", _BARON, "Who stops on a ruby area moves one more step."),
    _rule("baron.tile", _BARON, "Who stops on a tile area takes a tile from the pile."),
    _rule("coin.reached", _BARON, "After the move a coin area reached or passed gives a coin of your choice from the market."),
    _rule("coin.take", _EFFECTS, "A coin taken is replaced at once and its effect carried out, wanted or not; then it is kept, coin side up."),
    _rule("coin.ruby", _EFFECTS, "Ruby: your baron moves one more step, with all that may bring."),
    _rule("coin.highest-tower", _EFFECTS, "Highest Tower: whoever has the most levels gains two tiles."),
    _rule("coin.thief", _EFFECTS, "Thief: take one tile blindly from one opponent's holder."),
    _rule("coin.most-persons", _EFFECTS, "Most Persons: whoever has the most, at least one, gains two tiles."),
    _rule("coin.bitter-lady", _EFFECTS, "Bitter Lady: every opponent loses one tile of the holder, drawn blindly."),
    _rule("coin.most-windows", _EFFECTS, "Most Windows: whoever has the most, at least one, gains two tiles."),
    _rule("coin.mill", _EFFECTS, "Mill: the market's tiles are discarded and replaced; take one of the new ones."),
    _rule("coin.most-roofs", _EFFECTS, "Most Roofs: whoever has the most tiles with a red roof, at least one, gains two tiles."),
    _rule("coin.crumble", _EFFECTS, "Crumble: discard a tile of your own castle that bears no other; the baron stays."),
    _rule("coin.monk", _EFFECTS, "Monk: whoever had the fewest coins before this one gains three tiles."),
    _rule("coin.catapult", _EFFECTS, "Catapult: discard a tile of an opponent's castle that bears no other; the baron stays."),
    _rule("end.goal", _EFFECTS, "Whoever has seven coins has won: the game ends at once."),
    _rule("sky.nine", f"{_OPTIONAL}, Reach the Sky", "Nine coins win instead of seven."),
    _rule("royal.pay", f"{_OPTIONAL}, Royal Strategy", "Any number of tiles may be discarded to change the number by as many steps."),
    _rule("royal.court", f"{_OPTIONAL}, Royal Strategy", "Everyone begins with a prince and a princess beside the holder; only their owner may use them, by building them."),
    _rule("peaceful.market", f"{_OPTIONAL}, Peaceful Times", "Catapult, Thief and Bitter Lady take a tile from the market into your holder instead."),
    _rule("light.only", _LIGHT, "In a light game the table handles tiles and barons; the companion keeps turns, coins, holders, levels and icons."),
    _rule("light.full-only", _LIGHT, "Levels and icons are kept by hand in a light game only; in a full game they follow from the tiles."),
    _rule("light.level", _LIGHT, "A tile is built at most one level above the highest."),
    _rule("light.counters", _LIGHT, "A castle cannot lose more than its counters show."),
)  # fmt: skip
