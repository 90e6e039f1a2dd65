"""The game as the table meets it: prompts, labels, pictures, rules that exist, wrong input, whole random games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules import random_play
from companion.rules.base import Action, Correction, Mode, Setup
from companion.rules.mad_king_ludwig import GAME
from companion.rules.mad_king_ludwig.actions import Buy, DrawRoom, OpenSale, Pass, PlaceRoom, SkipCard
from companion.rules.mad_king_ludwig.castle import completed
from companion.rules.mad_king_ludwig.deal import bonus_cards, draw_room
from companion.rules.mad_king_ludwig.rulings import RULINGS
from companion.rules.mad_king_ludwig.scoring_steps import recount
from companion.rules.mad_king_ludwig.state import Spot, State
from tests.rules.mad_king_ludwig.table import SEATS, Table, table

_PACKAGE = "companion.rules.mad_king_ludwig"
_RULE = re.compile(
    r"\"((?:setup|turn|draw|price|buy|place|score|complete|reward|end|favour|bonus|solo|ledger|box|ruling)\.[a-z0-9-]+)\""
)
_GAMES = 50


class Shuffled:
    """A dealer with a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def pick(self, count: int) -> int:
        return self._random.randrange(count)


def sources() -> Iterator[tuple[str, str]]:
    for path in resources.files(_PACKAGE).iterdir():
        if path.name.endswith(".py"):
            yield path.name, path.read_text(encoding="utf-8")


# Rules


def test_every_rule_named_in_the_code_exists() -> None:
    named = {
        rule for name, text in sources() if name not in ("rulebook.py", "rulings.py") for rule in _RULE.findall(text)
    }
    assert len(named) > 50
    assert {rule for rule in named if rule not in GAME.rulebook} == set()


def test_every_ruling_is_cited_and_tested() -> None:
    tests = resources.files("tests.rules.mad_king_ludwig")
    told = "".join(path.read_text(encoding="utf-8") for path in tests.iterdir() if path.name.startswith("test_"))
    assert all(ruling.cite for ruling in RULINGS)
    assert [ruling.id for ruling in RULINGS if ruling.id not in told] == []


def test_options_name_their_rules() -> None:
    assert all(option.rule in GAME.rulebook for option in GAME.info.options)
    keys = {option.key for option in GAME.info.options}
    assert all(not ruling.option or ruling.option in keys for ruling in RULINGS)


def test_one_example_of_each_action() -> None:
    assert {type(example) for example in GAME.examples} == set(GAME.action_types)
    for example in GAME.examples:
        assert GAME.decode_action(msgspec.json.decode(msgspec.json.encode(example))) == example


# Wrong input


@pytest.mark.parametrize(
    "raw",
    [
        {"do": "buy", "seat": 0},
        {"do": "buy", "seat": 9, "room": "kitchen"},
        {"do": "buy", "seat": 0, "room": "The Kitchen"},
        {"do": "place-room", "seat": 0, "spot": {"x": 0, "y": 0, "turn": 45}},
        {"do": "place-room", "seat": 0, "spot": {"x": 9999, "y": 0}},
        {"do": "reveal-favour", "favour": "most-dragons"},
        {"do": "skip-card", "size": "125"},
        {"do": "fly"},
        [],
    ],
)
def test_what_is_no_action(raw: object) -> None:
    with pytest.raises(Malformed):
        GAME.decode_action(raw)


def test_a_seat_nobody_sits_in() -> None:
    table().refuses(Pass(seat=3), "turn.seat", final=True)


def test_nothing_is_bought_before_the_sale() -> None:
    laid = Table(GAME.setup(Setup(seats=SEATS[:2])))
    laid.refuses(Buy(seat=0, room="kitchen"), "turn.phase", final=True)
    laid.refuses(OpenSale(seat=0), "turn.phase", final=True)
    laid.refuses(DrawRoom(room="kitchen"), "turn.phase", final=True)
    laid.refuses(SkipCard(size="100"), "turn.phase", final=True)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("players/0/marks", 99, "the bank has paid"),
        ("players/0/placement", 7, "a recount finds 0"),
        ("hallways", 1, "hallways or stairs"),
        ("stacks/100", 1, "tiles of 100"),
        ("players/0/castle/rooms", [{"room": "larder", "spot": {"x": 0, "y": 0}}], "Foyer is missing"),
        ("turn", None, "a turn is taken while buying"),
        ("over", True, "only in its last phase"),
    ],
)
def test_states_that_cannot_be(path: str, value: object, words: str) -> None:
    laid = table()
    broken = GAME.apply(laid.state, Correction(set={path: value})).state
    assert any(words in fault for fault in GAME.faults(broken)), GAME.faults(broken)
    raw = msgspec.json.decode(msgspec.json.encode(replace(broken, corrected=False)))
    with pytest.raises(Malformed, match="not a possible state"):
        GAME.decode_state(raw)


def test_a_master_builder_who_is_not_there() -> None:
    assert "somebody acts who is not at the table." in GAME.faults(replace(table().state, master=3))
    with pytest.raises(Malformed):
        GAME.apply(table().state, Correction(set={"master": 3}))


def test_rooms_on_one_another_are_a_fault() -> None:
    laid = table("foyer@0,0 larder@3,0")
    moved = Correction(set={"players/0/castle/rooms/1/spot/x": 1})
    assert any("lies on the" in fault for fault in GAME.faults(GAME.apply(laid.state, moved).state))


def test_a_castle_without_a_foyer_at_all_is_malformed() -> None:
    with pytest.raises(Malformed):
        GAME.apply(table().state, Correction(set={"players/0/castle/rooms": []}))


# Prompts and pictures


def test_spots_are_offered_with_their_points() -> None:
    laid = table("foyer@0,0 parlor@3,0", hand="flute-room")
    (prompt,) = GAME.prompts(laid.state)
    assert prompt.text == "Place the Flute Room."
    assert [choice.label for choice in prompt.choices] == [
        "At the Foyer: 6 spots, best +3",
        "At the Parlor: 9 spots, best +3",
    ]
    labels = [option.label for option in prompt.choices[1].asks[0].options]
    assert labels[0] == "+3 right of the Parlor, at 6,0"


def test_an_answered_spot_is_placed() -> None:
    laid = table("foyer@0,0 parlor@3,0", hand="flute-room")
    choice = GAME.prompts(laid.state)[0].choices[1]
    action = GAME.answered(choice, {"spot": Spot(x=6, y=0)})
    assert action == PlaceRoom(seat=0, spot=Spot(x=6, y=0))
    laid.do(action)
    assert laid.player().placement == 4 + 3 - 1 + 1


def test_the_picture_shows_board_favours_and_castles() -> None:
    laid = table("foyer@0,0 larder@3,0", market=("kitchen",), coins=2000)
    picture = GAME.picture(laid.state)
    titles = [panel.title for panel in picture.panels]
    assert titles == ["Contract board", "King's Favours", "Stacks", "Castle", "Castle, Master Builder"]
    assert [piece.kind for piece in picture.panels[0].rows[0].pieces] == ["kitchen", "coin"]
    assert picture.panels[3].rows[-1].pieces[0].label == "foyer@0,0 larder@3,0"
    assert "1 of 2 open" in picture.panels[3].rows[0].pieces[0].label
    assert picture.headline == "Round 1: Buying, North"


# Drawing


def test_cards_put_back_come_last() -> None:
    state = replace(table().state, returned=("cash",))
    drawn = bonus_cards(state, Shuffled(1), 27)
    assert drawn[-1] == "cash"
    assert len(set(drawn)) == 27


def test_a_tile_on_the_deck_is_drawn_first() -> None:
    state = replace(table().state, laid=("kitchen",))
    assert draw_room(state, Shuffled(0), GAME.box) == DrawRoom(room="kitchen")


def test_an_empty_stack_gives_no_tile() -> None:
    state = table().state
    state = replace(state, stacks={**state.stacks, "100": 0})
    drawn = [draw_room(state, Shuffled(seed), GAME.box) for seed in range(60)]
    assert SkipCard(size="100") in drawn
    assert all(not isinstance(each, DrawRoom) or each.room not in ("larder", "pantry") for each in drawn)


# Whole games


def games(count: int) -> list[tuple[int, Mode]]:
    return [(seed, GAME.info.modes[seed % len(GAME.info.modes)]) for seed in range(count)]


@pytest.mark.parametrize(("seed", "mode"), games(_GAMES), ids=lambda value: getattr(value, "key", str(value)))
def test_random_game(seed: int, mode: Mode) -> None:
    """Money and tiles conserved, no overlap, and points equal a recount from scratch after every action."""
    last: State | None = None
    for state, action in random_play.watched(
        GAME, Setup(seats=SEATS[: mode.players], options=mode.options), Shuffled(seed)
    ):
        last = GAME.apply(state, action).state
        _no_secret_is_told(state, action)
    assert last is not None
    assert not GAME.faults(GAME.public_state(last))
    assert last.over
    _is_scored(last)


def test_the_public_state_can_be_played_on() -> None:
    """What is hidden in it has to be told again, and the game comes to its end."""
    setup = Setup(seats=SEATS[:3])
    for seed in range(3):
        state = GAME.setup(setup)
        luck = Shuffled(seed)
        while not state.over:
            state = GAME.apply(state, random_play.pick(GAME, state, luck)).state
            if luck.pick(10) == 0:
                state = GAME.public_state(state)
            assert not GAME.faults(state)
        assert all("?" not in player.bonus for player in state.players)


def _no_secret_is_told(state: State, action: Action) -> None:
    told = GAME.label(state, action) + msgspec.json.encode(GAME.public_action(state, action)).decode()
    laid = [room for room in state.laid if room != getattr(action, "room", "")]
    assert not any(f'"{room}"' in told for room in laid)


def _is_scored(state: State) -> None:
    sheet = GAME.score(state)
    assert len(sheet.totals) == len(state.seats)
    assert GAME.outcome(sheet).winners
    for seat, player in enumerate(state.players):
        assert recount(player.castle) == player.placement
        assert sheet.total(seat) >= player.placement + player.rewards
        assert len(completed(player.castle)) <= len(player.castle.rooms)


def test_a_correction_gives_no_hidden_card_away() -> None:
    state = GAME.setup(Setup(seats=("North", "East")))
    by_path = Correction(set={"players/0/bonus": ["food-rooms"], "laid": ["kitchen"]})
    by_move = Correction(move={"do": "draw-bonus", "seat": 0, "cards": ["food-rooms"]})
    for correction in (by_path, by_move):
        told = str(GAME.public_action(state, correction))
        assert "food-rooms" not in told
        assert "kitchen" not in told
