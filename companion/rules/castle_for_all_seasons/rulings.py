"""Where the rulebook of A Castle for All Seasons is silent or contradicts itself: what we decided."""

from __future__ import annotations

from companion.rules.base import Rule


def _ruling(id: str, cite: str, text: str, option: str = "") -> Rule:
    return Rule(id=f"ruling.{id}", cite=cite, text=text, ruling=True, option=option)


RULINGS = (
    _ruling("master-builder-others", "p. 5-6, The Master Builder; Summaries", "The master builder scores 5 points for each building erected this round by others: the details beat the summary."),
    _ruling("worker-half", "p. 5, The Worker", "The worker scores half the points before the crown, all of which are even."),
    _ruling("forge-fees", "p. 7, The forge", "The helper's places of the forge cost 10 and 6 talers."),
    _ruling("asked-once", "p. 6, Erecting Buildings", "Fees, values and cart symbols that the rulebook does not print are asked for once and remembered."),
    _ruling("fireplace", "p. 8, The Castle in Winter, example", "The fireplace is in the stack only if the group says so: each pays 2 wooden beams, or those he has; silver may help.", "fireplace"),
    _ruling("track-laps", "p. 4, The winner", "The victory track laps at 90: 91 points stand on space 1."),
    _ruling("keep-erected-only", "p. 6, The keep", "Empty places in buildings not yet erected do not count for the keep."),
    _ruling("no-trader-no-pay", "p. 4-5, The Trader", "In a round without a trader the carts pay nothing."),
    _ruling("last-piece", "p. 5, The Stonemason", "The owner may refuse to sell the last piece on his worker cards; he need not. The stonemason may then buy elsewhere."),
    _ruling("tie-shared", "p. 4, The winner", "Still tied after the resource value, where silver is worth 0: shared."),
    _ruling("forge-after-palace", "p. 6-7, List of Buildings", "The buildings are scored in the order of the list, so the forge counts silver palace owners have just put into it."),
    _ruling("tribute", "p. 4-5, The Trader", "The tribute to the defense tower is one of the pieces shown.", "tribute"),
    _ruling("trader-may-pass", "p. 4-5, The Trader", "A trader may place no helper, and must not when there is none; the carts still pay."),
    _ruling("trader-from-stock", "p. 4-5, The Trader", "The trader's helper comes from the own stock, in winter also from the village tavern, not from another cart; nobody displaces himself."),
    _ruling("equip-order", "p. 4, Equipping worker cards", "Workers are equipped from the starting player on, with what the carts have."),
    _ruling("two-workers", "p. 4, Selecting character cards", "With two players two workers of one player are executed in the order he laid them."),
    _ruling("all-cards", "p. 5-6, The Master Builder", "All 8 cards in hand is read as: no card lies out. So it stays when winter cards have cost cards."),
    _ruling("short-hand", "p. 4, Selecting character cards", "With two players, who can play only one card plays one."),
    _ruling("build-then-helpers", "p. 5, The Bricklayer; The Stonemason", "A card's steps are done in order: resources, buildings, helpers."),
    _ruling("helpers-by-round", "p. 6, Using Helpers", "With two players both cards together: two helpers a round, on different buildings, and any building of this round will do."),
    _ruling("palace-box", "p. 7, The Palace", "Resources turned into points go back into the box; palace owners choose from the starting player on."),
    _ruling("innkeeper-free", "p. 8, Village tavern", "An innkeeper needs no building erected and does not count among the two helpers.", "innkeeper"),
    _ruling("innkeeper-own-toll", "p. 8, Village tavern", "The innkeeper's own trader pays nothing; a trader without talers and trader's helpers loses nothing."),
    _ruling("granary-three", "p. 8, Granary", "The granary has three places."),
    _ruling("plague-pile", "p. 8, Plague", "The plague looks at face-up played cards only; who has none loses nothing."),
    _ruling("snowdrift-laid", "p. 8, Snowdrift", "A worker laid face down for this round is neither in hand nor played, so it cannot be given up."),
    _ruling("snowdrift-poor", "p. 8, Snowdrift", "Who has no worker to give up pays 3 talers or what he has."),
    _ruling("courting-begins", "p. 8, Damsel of the castle", "Courting begins at once when it is declared before any card of the round is laid, otherwise next round."),
    _ruling("courting-last", "p. 8, Damsel of the castle", "The last one left wins at once if he has ever given; if not he must give first. If all drop out she stays unwon."),
    _ruling("courting-nothing", "p. 8, Damsel of the castle", "Who has nothing to give is out."),
)  # fmt: skip
