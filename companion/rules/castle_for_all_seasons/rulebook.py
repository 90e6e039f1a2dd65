"""The rules of A Castle for All Seasons in our own short words, each with the page and heading that has it."""

from __future__ import annotations

from companion.rules.base import Rule

_SETUP = "p. 3, Set-Up"
_OVERVIEW = "p. 3, Course of the Game: Overview"
_SELECT = "p. 4, Selecting character cards"
_EQUIP = "p. 4, Equipping worker cards"
_EXECUTE = "p. 4, Executing character cards"
_LAST = "p. 4, The last round"
_FINAL = "p. 4, Final scoring"
_WINNER = "p. 4, The winner"
_TRADER = "p. 4-5, The Trader"
_BRICK = "p. 5, The Bricklayer"
_MASON = "p. 5, The Stonemason"
_WORKER = "p. 5, The Worker"
_MASTER = "p. 5-6, The Master Builder"
_ERECT = "p. 6, Erecting Buildings"
_HELPERS = "p. 6, Using Helpers"
_LIST = "p. 6-7, List of Buildings for the Final Scoring"
_WINTER = "p. 7-8, The Castle in Winter"
_CARDS = "p. 8, The functions of the Winter cards"


def _rule(id: str, cite: str, text: str) -> Rule:
    return Rule(id=id, cite=cite, text=text)


RULES = (
    _rule("setup.start", _SETUP, "Each player has 6 helpers (7 with two players), 3 talers, a sand pile and a wooden beam; one piece of each kind lies on the defense tower."),
    _rule("setup.spaces", _SETUP, "A taler lies on each round space: 12 with two or four players, 15 with three."),
    _rule("turn.seat", _SETUP, "Only a seat that is in the game can act."),
    _rule("board.read", "Castle Companion, what the board shows", "Building values, fees and cart symbols that no rulebook prints are read off the board once and remembered."),
    _rule("round.taler", _OVERVIEW, "Each round the starting player takes the taler of the highest round space."),
    _rule("round.marker", "p. 4, Changing the starting player", "After the last card of a round the starting player marker passes clockwise."),
    _rule("cards.lay", _SELECT, "Each round each player lays one card face down; with two players two cards each."),
    _rule("cards.hand", _SELECT, "Only cards in the hand can be laid; played cards stay out until the master builder brings them back."),
    _rule("cards.secret", _SELECT, "Cards are laid face down: nobody else knows them before the reveal."),
    _rule("cards.reveal", _OVERVIEW, "When all have laid their cards they flip them over at the same time."),
    _rule("turn.order", _EXECUTE, "Cards are executed in the order messenger, trader, bricklayer, stonemason, worker, master builder; the same card from the starting player on, clockwise."),
    _rule("worker.equip", _EQUIP, "A revealed worker gets 2 wood and 1 silver, or 2 sand and 1 clay, or 1 stone and two pieces of choice, from the general stock."),
    _rule("worker.free", _EQUIP, "The free pieces are any two of sand, wood and clay."),
    _rule("messenger.talers", "p. 4, The Messenger", "The messenger takes 8 talers from the bank, or what the bank has."),
    _rule("trader.place", _TRADER, "The trader places one helper beside a cart or the rider; each takes one helper."),
    _rule("trader.rider", _TRADER, "The rider gets a helper only after each cart has one."),
    _rule("trader.displace", _TRADER, "An opponent's trader's helper may be displaced if all carts have one; it goes back to its owner."),
    _rule("trader.same-round", _TRADER, "A helper placed in the same round cannot be displaced."),
    _rule("trader.pay", _TRADER, "After the last trader of a round each owner of a trader's helper gets the pieces shown, once a round, the tribute of one piece to the defense tower first."),
    _rule("brick.take", _BRICK, "The bricklayer takes all pieces of one kind from the defense tower."),
    _rule("brick.talers", _BRICK, "The bricklayer earns a taler from the bank for each piece used in a building, as far as the bank has any."),
    _rule("mason.buy", _MASON, "The stonemason may buy one piece from a worker card of this round; each stonemason one."),
    _rule("mason.workers", _MASON, "Only pieces on worker cards of this round are for sale, never a player's stock."),
    _rule("mason.price", _MASON, "A piece costs one taler, paid to the worker's owner."),
    _rule("mason.own", _MASON, "A stonemason does not buy from the own worker."),
    _rule("mason.last", _MASON, "The sale of a worker's last piece, and only of that, may be refused."),
    _rule("mason.points", _MASON, "The stonemason scores the points before the crown for each building."),
    _rule("worker.own", _WORKER, "The pieces on a worker card are the player's own when the card is executed."),
    _rule("worker.points", _WORKER, "The worker scores half the points before the crown."),
    _rule("master.first-round", _SELECT, "The master builder may not be played in the first round."),
    _rule("master.all-cards", _MASTER, "Who holds all cards in hand may not play the master builder."),
    _rule("master.back", _MASTER, "The master builder brings all played cards back into the hand, himself included; he does not build."),
    _rule("build.exact", _ERECT, "Each building is paid exactly its value in resources, up to two buildings a card, each by itself."),
    _rule("build.kinds", _ERECT, "A building is paid with at least 3 different kinds."),
    _rule("build.have", _ERECT, "Pieces are paid from the own stock; what silver becomes must be there on the carts."),
    _rule("build.silver", _ERECT, "Silver is put into the forge for a piece of choice from the carts; it stays there."),
    _rule("build.tile", _ERECT, "A building can be erected while its tile is on the board."),
    _rule("helper.cards", _HELPERS, "Helpers are placed by bricklayers and stonemasons, when they have built."),
    _rule("helper.built", _HELPERS, "Who places helpers must have erected a building this round."),
    _rule("helper.two", _HELPERS, "At most two helpers are placed a round."),
    _rule("helper.different", _HELPERS, "Two helpers of one round go to different buildings."),
    _rule("helper.erected", _HELPERS, "Helpers stand in erected buildings; market and forge are there from the beginning."),
    _rule("helper.place", _HELPERS, "A helper takes a free helper's place and stays until the end."),
    _rule("helper.one", _HELPERS, "One helper stands on a helper's place."),
    _rule("helper.fee", _HELPERS, "Each helper costs the fee of the place, paid to the bank."),
    _rule("helper.have", _HELPERS, "A helper comes from the own stock, or from where the own trader's helpers stand."),
    _rule("end.rounds", _LAST, "The game ends after 12 rounds, with three players after 15."),
    _rule("end.last-building", _LAST, "When the last building is erected the round is the last."),
    _rule("end.carts", _FINAL, "Before the final scoring the helpers leave the carts."),
    _rule("end.order", _FINAL, "Helpers are scored in the order of the list of buildings."),
    _rule("score.keep", _LIST, "Keep: 3 points for each empty helper's place in the castle."),
    _rule("score.tavern", _LIST, "Tavern: a point for each helper in the castle on the 12 spot, for every two on the 6 spot."),
    _rule("score.gates", _LIST, "Gates: for each erected tower 1 point in the small gate, 2 in the big one."),
    _rule("score.stable", _LIST, "Stable: for each erected house 3 points on the 16 spot, 2 on the 12 spot."),
    _rule("score.servants", _LIST, "Servants' house: each helper a point for each building tile still on the board."),
    _rule("score.market", _LIST, "Market: with one helper 2 talers make a point, with two helpers each taler does."),
    _rule("score.palace", _LIST, "Palace: up to 5 resources for each helper score their building points; silver first goes into the forge for a piece of choice."),
    _rule("score.forge", _LIST, "Forge: a point for each silver bar in it on the 10 spot, for every two on the 6 spot."),
    _rule("score.tie-break", _WINNER, "Equal points: most talers left, then highest value of resources left."),
    _rule("winter.spaces", _WINTER, "In each round whose space shows a winter card one is drawn."),
    _rule("winter.draw", _WINTER, "The winter card is drawn when all cards are laid, and carried out before they are revealed."),
    _rule("winter.silver", _WINTER, "Silver may be turned into other resources for winter cards too."),
    _rule("winter.give", _CARDS, "A card given up goes back into the box."),
    _rule("winter.tavern", _CARDS, "Village tavern: a bricklayer or stonemason may place an innkeeper for 3 talers and gets the talers on the card; he may be used elsewhere later."),
    _rule("winter.tavern-toll", _CARDS, "Village tavern: each trader pays a taler to the innkeeper, or onto the card; who cannot takes a trader's helper back."),
    _rule("winter.granary", _CARDS, "Granary: helpers cost 5 talers; one scores 10, two 7 each, three 3 each. It does not count for keep and tavern."),
    _rule("winter.plague", _CARDS, "Plague: each player loses one played card or pays a taler for each of them."),
    _rule("winter.wall", _CARDS, "Cracked wall: each player may give up to 3 stone blocks for 3 points each."),
    _rule("winter.damsel", _CARDS, "Damsel: once somebody wants to court her, at the beginning of each round each player in turn gives a piece or a taler or drops out."),
    _rule("winter.damsel-out", _CARDS, "Damsel: who drops out of the courting is out for the game."),
    _rule("winter.damsel-won", _CARDS, "Damsel: the last one left, having given, scores 8 points."),
    _rule("winter.damsel-share", _CARDS, "Damsel: the others take the pieces on the card one by one, from the starting player on."),
    _rule("winter.snowdrift", _CARDS, "Snowdrift: each player gives up a worker of hand or table or pays 3 talers."),
    _rule("winter.fireplace", "p. 8, The Castle in Winter, example", "Fireplace: each player pays 2 wooden beams."),
)  # fmt: skip
