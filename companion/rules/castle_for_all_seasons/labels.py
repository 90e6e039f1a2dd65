"""Each action in a few words: a line of the history, the text of an undo button. A hidden card stays hidden."""

from __future__ import annotations

from companion.rules.base import Action
from companion.rules.castle_for_all_seasons import actions as do
from companion.rules.castle_for_all_seasons import castle
from companion.rules.castle_for_all_seasons.payments import described
from companion.rules.castle_for_all_seasons.phases import card_name
from companion.rules.castle_for_all_seasons.state import Source, State
from companion.rules.castle_for_all_seasons.supply import amount, cart_name
from companion.rules.castle_for_all_seasons.winter import tribute, winter_name
from companion.rules.wording import Words, plain, worded


def label(state: State, action: Action) -> str:
    """What the action does, told before it happens."""
    return worded(_WORDS, state.seats, state, action)


def _lay(state: State, action: do.LayCard) -> str:
    """Tells the card only where cards are entered after the reveal."""
    return f"plays {card_name(action.card)}" if state.options.cards == "table" else "lays a card face down"


def _from(source: Source) -> str:
    if source == "stock":
        return ""
    return " with the innkeeper" if source == "innkeeper" else f" with the helper from {cart_name(source)}"


def _buy(state: State, action: do.Buy) -> str:
    owner = state.seats[action.owner] if action.owner < len(state.seats) else "nobody"
    return f"buys {amount(1, action.kind)} from {owner}"


def _tribute(state: State, action: do.PayTribute) -> str:
    return f"pays {amount(tribute(state, action.seat), 'taler')} to the winter card"


def _wall(state: State, action: do.RepairWall) -> str:
    stones = action.stones + action.silver
    return f"gives {amount(stones, 'stone')} for the wall{_bars(action.silver)}" if stones else "gives no stone blocks"


def _bars(silver: int) -> str:
    return f", {silver} of them for silver" if silver else ""


def _spaces(state: State, action: do.ReadWinterSpaces) -> str:
    return f"winter cards on round spaces {', '.join(map(str, action.spaces))}"


_WORDS: dict[type[Action], Words] = {
    do.ReadTile: lambda state, action: (
        f"the {castle.named(action.building)} shows value {action.printed.value} and {action.printed.vp} points"
    ),
    do.ReadFee: lambda state, action: f"the {castle.spot_name(action.spot)} costs {amount(action.talers, 'taler')}",
    do.ReadCart: lambda state, action: f"{cart_name(action.cart)} shows {amount(action.pieces, action.cart)}",
    do.ReadWinterSpaces: _spaces,
    do.LayCard: _lay,
    do.Reveal: plain("all reveal their cards"),
    do.Equip: lambda state, action: f"equips the worker with {' and '.join(action.kinds) or 'nothing more'}",
    do.RecallHelper: lambda state, action: f"takes back the helper at {cart_name(action.cart)}",
    do.PostHelper: lambda state, action: f"places a helper at {cart_name(action.cart)}{_from(action.source)}",
    do.PostNobody: plain("places no trader's helper"),
    do.TakeFromTower: lambda state, action: f"takes the {action.kind} from the defense tower",
    do.Buy: _buy,
    do.AnswerSale: lambda state, action: f"{'sells' if action.sell else 'keeps'} the last piece",
    do.BuyNothing: plain("buys nothing"),
    do.Erect: lambda state, action: f"erects the {castle.named(action.building)} with {described(action.payment)}",
    do.DoneBuilding: plain("is done building"),
    do.PlaceHelper: lambda state, action: (
        f"places a helper in the {castle.spot_name(action.spot)}{_from(action.source)}"
    ),
    do.PlaceInnkeeper: lambda state, action: f"places an innkeeper{_from(action.source)}",
    do.DonePlacing: plain("is done placing helpers"),
    do.DrawWinter: lambda state, action: f"winter card: {winter_name(action.card)}",
    do.GiveCard: lambda state, action: f"gives up {card_name(action.card)}",
    do.PayTribute: _tribute,
    do.RepairWall: _wall,
    do.FeedFire: lambda state, action: (
        f"pays {amount(action.wood + action.silver, 'wood')} for the fire{_bars(action.silver)}"
    ),
    do.DeclareCourtship: plain("wants to court the damsel"),
    do.Court: lambda state, action: f"gives the damsel {amount(1, action.gift)}",
    do.LeaveCourt: plain("drops out of courting"),
    do.TakeGift: lambda state, action: f"takes {amount(1, action.gift)} from the damsel's card",
    do.ConvertTalers: lambda state, action: f"converts {amount(action.talers, 'taler')} in the market",
    do.ConvertResources: lambda state, action: f"converts {described(action.payment)} in the palace",
}
