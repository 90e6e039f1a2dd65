"""Set-up, the contract board, pricing, buying and paying, the last round."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules.base import Setup
from companion.rules.mad_king_ludwig import GAME
from companion.rules.mad_king_ludwig.actions import (
    Buy,
    DrawBonus,
    DrawRoom,
    MoveRoom,
    OpenSale,
    Pass,
    PlaceRoom,
    PriceRooms,
    PutBack,
    ReturnBonus,
    RevealFavour,
    SkipCard,
)
from companion.rules.mad_king_ludwig.state import FavourId, Spot, State, Turn
from tests.rules.mad_king_ludwig.table import SEATS, Table, table

MARKET = ("kitchen", "salon", "pantry", "stables", "crypt")


def begun(players: int, **options: Any) -> Table:
    return Table(GAME.setup(Setup(seats=SEATS[:players], options=options)))


def drawing(players: int = 2, **changes: Any) -> Table:
    laid = begun(players, bonus="hidden")
    favours: tuple[FavourId, ...] = ("rooms-food", "money", "large-rooms", "rooms-living")
    for favour in favours[: laid.state.favour_tiles]:
        laid.do(RevealFavour(favour=favour))
    return Table(replace(laid.state, **changes))


def priced(players: int = 2) -> Table:
    return drawing(players).do(*(DrawRoom(room=room) for room in MARKET))


# Set-up


@pytest.mark.parametrize(
    ("players", "cards", "spaces", "favours", "halls", "stairs", "small"),
    [(1, 33, 3, 0, 7, 5, 7), (2, 22, 5, 2, 5, 4, 5), (3, 33, 6, 3, 7, 5, 7), (4, 44, 7, 4, 9, 6, 9)],
)
def test_set_up_by_players(
    players: int, cards: int, spaces: int, favours: int, halls: int, stairs: int, small: int
) -> None:
    state = begun(players).state
    assert (state.deck, len(state.spaces), state.favour_tiles) == (cards, spaces, favours)
    assert (state.hallways, state.stairs, state.stacks["100"]) == (halls, stairs, small)
    assert all(player.marks == 15000 for player in state.players)
    assert [placed.room for placed in state.players[0].castle.rooms] == ["foyer"]


@pytest.mark.parametrize(
    ("players", "first", "spaces"), [(1, 0, (0,)), (2, 0, (0, 1)), (3, 1, (2, 0, 1)), (4, 2, (2, 3, 0, 1))]
)
def test_score_markers_begin_one_space_apart(players: int, first: int, spaces: tuple[int, ...]) -> None:
    """The Master Builder begins on 0, each next player clockwise on the next space, and that space counts."""
    state = GAME.setup(Setup(seats=SEATS[:players], first=first))
    assert tuple(player.start for player in state.players) == spaces
    assert [counter.value for counter in GAME.picture(state).counters if counter.key == "points"] == list(spaces)
    assert [line.points for line in GAME.score(state).lines if line.key == "start"] == list(spaces)


@pytest.mark.parametrize(
    ("players", "prices"),
    [
        (1, [2000, 4000, 6000]),
        (2, [4000, 6000, 8000, 10000, 15000]),
        (3, [2000, 4000, 6000, 8000, 10000, 15000]),
        (4, [1000, 2000, 4000, 6000, 8000, 10000, 15000]),
    ],
)
def test_prices_by_players(players: int, prices: list[int]) -> None:
    assert [space.price for space in begun(players).state.spaces] == prices


def test_a_table_says_what_its_box_holds() -> None:
    box = {"large-stacks": {"3": {"tiles": 4}}, "stacks": {"3-600": {"tiles": 2}}, "bonus": {"cash": {"points": 2}}}
    state = GAME.setup(Setup(seats=SEATS[:3], box=box))
    assert (state.stacks["350"], state.stacks["600"], state.stacks["100"]) == (4, 2, 7)
    assert state.bonus_points == {"cash": 2}


def test_favours_come_up_and_clash() -> None:
    laid = begun(3)
    laid.do(RevealFavour(favour="completed-rooms"))
    laid.refuses(RevealFavour(favour="incomplete-rooms"), "favour.clash")
    laid.refuses(RevealFavour(favour="completed-rooms"), "favour.once", final=True)
    laid.do(RevealFavour(favour="money"), RevealFavour(favour="rooms-food"))
    laid.refuses(RevealFavour(favour="rooms-living"), "setup.favours", final=True)
    assert laid.state.phase == "bonus"


def test_bonus_cards_are_chosen_from_the_master_builder_on() -> None:
    laid = Table(replace(begun(2).state, phase="bonus", master=1, favours=("money", "rooms-food")))
    laid.refuses(DrawBonus(seat=0, cards=("cash", "stairs", "hallways")), "setup.bonus", final=True)
    laid.do(DrawBonus(seat=1, cards=("cash", "stairs", "hallways")), ReturnBonus(seat=1, card="stairs"))
    assert laid.player(1).bonus == ("cash", "hallways")
    laid.refuses(DrawBonus(seat=0, cards=("cash", "size-100", "size-150")), "bonus.cards", final=True)
    laid.do(DrawBonus(seat=0, cards=("stairs", "size-100", "size-150")), ReturnBonus(seat=0, card="stairs"))
    assert laid.state.phase == "draw"


def test_bonus_cards_stay_secret() -> None:
    laid = Table(replace(begun(2).state, phase="bonus", favours=("money", "rooms-food")))
    action = DrawBonus(seat=0, cards=("cash", "stairs", "hallways"))
    assert GAME.public_action(laid.state, action) == DrawBonus(seat=0, cards=("?", "?", "?"))
    assert GAME.public_action(laid.state, ReturnBonus(seat=0, card="cash")) == ReturnBonus(seat=0, card="?")
    laid.do(action, ReturnBonus(seat=0, card="cash"))
    shown = GAME.public_state(laid.state)
    assert shown.players[0].bonus == ("?", "?")
    assert shown.returned == ("?",)
    assert all(prompt.secret for prompt in GAME.prompts(laid.state) if prompt.must)
    assert "bonus-stairs" not in GAME.score(laid.state).keys
    secret = [panel for panel in GAME.picture(laid.state).panels if panel.title == "Bonus cards"]
    assert secret
    assert all(panel.secret for panel in secret)


# The contract board


def test_rooms_fill_the_board() -> None:
    laid = priced()
    assert laid.state.phase == "pricing"
    assert [space.room for space in laid.state.spaces] == list(MARKET)
    assert laid.state.deck == 17
    assert laid.state.stacks["300"] == 4


def test_a_tile_is_there_once() -> None:
    laid = drawing().do(DrawRoom(room="kitchen"))
    laid.refuses(DrawRoom(room="kitchen"), "draw.once", final=True)
    laid.refuses(DrawRoom(room="hallway"), "draw.once", final=True)
    laid.refuses(DrawRoom(room="ballroom"), "draw.once", final=True)
    laid.refuses(OpenSale(seat=0), "turn.phase", final=True)


def test_a_card_of_an_empty_stack_is_replaced() -> None:
    stacks = {**drawing().state.stacks, "300": 0}
    laid = drawing(stacks=stacks, starting_stacks=stacks)
    laid.refuses(DrawRoom(room="kitchen"), "draw.empty-stack")
    laid.refuses(SkipCard(size="200"), "draw.empty-stack")
    laid.do(SkipCard(size="300"))
    assert laid.state.deck == 21
    assert laid.state.phase == "draw"
    laid.overrule(DrawRoom(room="kitchen"))
    assert not GAME.faults(laid.state)


def test_a_tile_kept_secret_is_named_when_it_is_turned_up() -> None:
    """It can only be of a size of which tiles are missing."""
    start = drawing().state
    laid = drawing(laid=("?",), stacks={**start.stacks, "300": start.stacks["300"] - 1})
    laid.refuses(DrawRoom(room="pantry"), "draw.deck-tiles")
    laid.do(DrawRoom(room="sauna"))
    assert laid.state.laid == ()
    assert laid.state.deck == 22


def test_tiles_on_the_deck_come_first_and_the_last_laid_on_top() -> None:
    start = drawing().state
    stacks = {**start.stacks, "300": start.stacks["300"] - 2}
    laid = drawing(laid=("kitchen", "sauna"), stacks=stacks)
    laid.refuses(DrawRoom(room="kitchen"), "draw.deck-tiles")
    laid.refuses(DrawRoom(room="pantry"), "draw.deck-tiles")
    laid.do(DrawRoom(room="sauna"), DrawRoom(room="kitchen"))
    assert laid.state.laid == ()
    assert laid.state.deck == 22


def test_the_last_cards_are_shuffled_again_to_fill_the_board() -> None:
    laid = drawing(deck=2).do(*(DrawRoom(room=room) for room in MARKET))
    assert laid.state.last_round
    assert laid.state.deck == 0


def test_the_deck_that_just_suffices_makes_the_last_round() -> None:
    laid = drawing(deck=5).do(*(DrawRoom(room=room) for room in MARKET))
    assert laid.state.last_round
    assert not drawing(deck=6).do(*(DrawRoom(room=room) for room in MARKET)).state.last_round


def test_no_tile_is_left_to_fill_the_board() -> None:
    empty = dict.fromkeys(drawing().state.stacks, 0)
    one = {**empty, "300": 1}
    laid = drawing(stacks=one, starting_stacks=one).do(DrawRoom(room="kitchen"))
    assert laid.state.phase == "pricing"
    assert laid.state.last_round
    laid.do(PriceRooms(seat=0, rooms=("kitchen",)), MoveRoom(seat=0, room="kitchen", price=15000))
    assert [space.room for space in laid.state.spaces] == [None, None, None, None, "kitchen"]


# Prices


def test_the_master_builder_moves_rooms_and_coins_go_with_them() -> None:
    laid = priced()
    spaces = (replace(laid.state.spaces[0], coins=3000), *laid.state.spaces[1:])
    laid = Table(replace(laid.state, spaces=spaces, dealt=laid.state.dealt + 3000))
    laid.refuses(MoveRoom(seat=1, room="kitchen", price=15000), "price.master")
    laid.refuses(MoveRoom(seat=0, room="kitchen", price=4000), "price.one-each")
    laid.refuses(MoveRoom(seat=0, room="kitchen", price=1000), "price.one-each", final=True)
    laid.refuses(MoveRoom(seat=0, room="larder", price=15000), "buy.room", final=True)
    laid.do(MoveRoom(seat=0, room="kitchen", price=15000))
    assert [(space.room, space.coins) for space in laid.state.spaces][0::4] == [("crypt", 0), ("kitchen", 3000)]


def test_all_rooms_are_laid_anew() -> None:
    laid = priced().do(PriceRooms(seat=0, rooms=MARKET[::-1]))
    assert [space.room for space in laid.state.spaces] == list(MARKET[::-1])
    laid.refuses(PriceRooms(seat=0, rooms=MARKET[:4]), "price.one-each", final=True)
    laid.refuses(PriceRooms(seat=0, rooms=(*MARKET[:4], "larder")), "price.one-each", final=True)


# Buying


def test_players_buy_from_the_left_of_the_master_builder() -> None:
    laid = priced(2).do(OpenSale(seat=0))
    assert laid.turn.seat == 1
    laid.refuses(Buy(seat=0, room="kitchen"), "buy.order", final=True)
    laid.do(Pass(seat=1))
    assert laid.turn.seat == 0


def test_buyers_pay_the_master_builder() -> None:
    laid = table(players=3, market=MARKET)
    laid.do(Buy(seat=0, room="salon"))
    assert [player.marks for player in laid.state.players] == [11000, 19000, 15000]
    assert laid.turn.hand is not None
    assert laid.turn.hand.room == "salon"


def test_the_master_builder_pays_the_bank() -> None:
    laid = table(players=3, market=MARKET, master=0).do(Buy(seat=0, room="salon"))
    assert [player.marks for player in laid.state.players] == [11000, 15000, 15000]
    assert laid.state.dealt == 41000


def test_coins_on_a_room_help_to_pay() -> None:
    laid = table(market=MARKET, coins=4000)
    poor = replace(laid.player(), marks=1000)
    laid = Table(replace(laid.state, players=(poor, laid.player(1)), dealt=laid.state.dealt - 14000))
    laid.refuses(Buy(seat=0, room="salon"), "buy.price")
    laid.do(Buy(seat=0, room="kitchen"))
    assert laid.player().marks == 1000
    assert laid.player(1).marks == 19000


def test_a_table_may_let_it_pass() -> None:
    laid = table(market=MARKET)
    poor = replace(laid.player(), marks=1000)
    laid = Table(replace(laid.state, players=(poor, laid.player(1)), dealt=laid.state.dealt - 14000))
    laid.overrule(Buy(seat=0, room="kitchen"))
    assert laid.player().marks == 0
    assert not GAME.faults(laid.state)


def test_corridors_cost_3000() -> None:
    laid = table(market=MARKET).do(Buy(seat=0, room="stairs"))
    assert laid.player().marks == 12000
    table(market=MARKET, stairs=0).refuses(Buy(seat=0, room="stairs"), "buy.corridor", final=True)
    table(market=MARKET, hallways=0).refuses(Buy(seat=0, room="hallway"), "buy.corridor", final=True)


def test_what_fits_nowhere_cannot_be_bought() -> None:
    laid = table(market=MARKET)
    laid.refuses(Buy(seat=0, room="crypt"), "buy.must-fit")
    laid.overrule(Buy(seat=0, room="crypt"))
    assert laid.labels() == ["Give the Crypt back: it fits nowhere"]
    laid.do(PutBack(seat=0))
    assert [player.marks for player in laid.state.players] == [15000, 15000]
    assert laid.state.spaces[4].room == "crypt"
    assert laid.turn.buys


def test_coins_go_back_with_the_tile() -> None:
    laid = table(market=MARKET, coins=2000)
    laid.overrule(Buy(seat=0, room="crypt")).do(PutBack(seat=0))
    assert [player.marks for player in laid.state.players] == [15000, 15000]
    assert laid.state.spaces[4].coins == 2000


def test_what_can_be_placed_is_not_given_back() -> None:
    laid = table(market=MARKET).do(Buy(seat=0, room="kitchen"))
    laid.refuses(PutBack(seat=0), "place.hand")
    laid.refuses(Buy(seat=0, room="pantry"), "buy.room", final=True)


def test_passing_brings_5000_from_the_bank() -> None:
    """ruling.bank-never-empty: it pays however much is on the table already."""
    laid = table(market=MARKET).do(Pass(seat=0))
    assert [player.marks for player in laid.state.players] == [20000, 15000]
    rich = table(market=MARKET)
    held = tuple(replace(player, marks=900_000) for player in rich.state.players)
    rich = Table(replace(rich.state, players=held, dealt=1_800_000)).do(Pass(seat=0))
    assert rich.player().marks == 905_000


def test_a_tile_is_placed_by_the_rules() -> None:
    laid = table(market=MARKET).do(Buy(seat=0, room="kitchen"))
    laid.refuses(PlaceRoom(seat=0, spot=Spot(x=0, y=0)), "place.overlap", final=True)
    laid.refuses(PlaceRoom(seat=0, spot=Spot(x=20, y=0)), "place.entrance")
    laid.do(PlaceRoom(seat=0, spot=Spot(x=3, y=0, turn=90)))
    assert laid.player().placement == 1
    laid.refuses(PlaceRoom(seat=1, spot=Spot(x=3, y=0)), "place.hand", final=True)


def test_an_overruled_spot_is_taken_as_it_is() -> None:
    laid = table(market=MARKET).do(Buy(seat=0, room="kitchen"))
    laid.overrule(PlaceRoom(seat=0, spot=Spot(x=20, y=0)))
    assert laid.player().placement == 1
    assert len(laid.player().castle.rooms) == 2
    assert GAME.prompts(laid.state)


# The end of a round


def last_buyer(**changes: Any) -> State:
    laid = table(market=MARKET, **changes)
    return replace(laid.state, master=0, turn=Turn(seat=0))


def test_unsold_rooms_get_a_coin_and_the_master_builder_moves() -> None:
    laid = Table(last_buyer()).do(Pass(seat=0))
    assert [space.coins for space in laid.state.spaces] == [1000] * 5
    assert (laid.state.master, laid.state.round, laid.state.phase) == (1, 2, "pricing")


def test_the_game_ends_after_the_last_round() -> None:
    laid = Table(last_buyer(last_round=True, deck=0)).do(Pass(seat=0))
    assert laid.state.over
    laid.refuses(Pass(seat=0), "table.over")


# Solo


def solo() -> Table:
    """ruling.solo-first-reveal: 33 cards, none turned up before the first turn."""
    laid = begun(1).do(DrawBonus(seat=0, cards=("cash", "hallways")))
    assert laid.player().bonus == ("cash", "hallways")
    return laid.do(DrawRoom(room="kitchen"), DrawRoom(room="salon"), DrawRoom(room="pantry"))


def test_solo_turns_have_no_pricing() -> None:
    laid = solo()
    assert laid.state.phase == "buying"
    assert [(space.price, space.room) for space in laid.state.spaces] == [
        (2000, "kitchen"), (4000, "salon"), (6000, "pantry"),
    ]  # fmt: skip


def test_solo_money_goes_to_the_bank_and_unsold_rooms_leave() -> None:
    laid = solo().do(Buy(seat=0, room="salon"))
    assert (laid.player().marks, laid.state.dealt) == (11000, 11000)
    laid.do(PlaceRoom(seat=0, spot=Spot(x=3, y=0)))
    assert laid.state.gone == ("kitchen", "pantry")
    assert (laid.state.phase, laid.state.round) == ("draw", 2)
    assert all(space.room is None for space in laid.state.spaces)


def test_solo_rooms_leave_also_after_passing() -> None:
    laid = solo().do(Pass(seat=0))
    assert laid.state.gone == ("kitchen", "salon", "pantry")
    assert laid.player().marks == 20000
