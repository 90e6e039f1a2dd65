"""Castle Dukes drawn as it stands, and touched where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.models.castle_dukes import DukeView, dukes_view
from companion.app.models.prompts import ChoiceView
from companion.app.models.scene import TableView
from companion.app.models.table import TableModel
from companion.app.screens import dragon, towers
from companion.app.screens.barbican import Barbican, Inventory
from companion.app.screens.board import RoomBoard, SlotCard
from companion.app.screens.castle_dukes import DukesCentre, drawn_moves, tower_groups
from companion.app.screens.dragon import DragonChart
from companion.app.screens.towers import CastlePicture, Plan, Slot, TowerPad
from companion.app.screens.visitors import GuestRow
from companion.app.theme import seat
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.numbers import Dial
from companion.rules import registry
from companion.rules.base import Correction, Setup
from companion.session.dealing import RandomDealer
from companion.session.origins import CORRECTION
from companion.session.session import Session
from tests.app.driver import Driver, window_box
from tests.app.screens.playing import Doorman, ScreenHand, begun, has, legal, played_to, seated

SIZES = ((800, 480), (1280, 720), (720, 1280))
_TILE = {"spaces": 2, "cobbles": 2, "pillars": 2, "covered": 2}
_ROOM = {"card": {"name": "Kitchen", "comfort": 1, "king": 1, "serf": 1}, "king": 1}
_HIGH = {"spaces": 2, "cobbles": 1, "rooms": [_ROOM]}
_ROOF = {"roof": {"battlement": 1, "ballista": 2}}
CASTLE = {
    "left": [_TILE, {**_TILE, "rooms": [_ROOM]}, _ROOF],
    "middle": [_HIGH],
    "right": [_TILE, _TILE, _HIGH],
    "bridges": [{"level": 2, "top": {"brazier": 1}}],
}


@pytest.fixture
def door(tmp_path: Path) -> Doorman:
    return Doorman(tmp_path)


@pytest.fixture
def built(door: Doorman) -> Session:
    """Two dukes, one of whom has a castle to look at."""
    session = played_to(door, begun(door, "castle-dukes", 2), has("stop-buying", "finish-building"))
    session.dispatch(Correction(set={"dukes/0/castle": CASTLE, "dukes/0/stage": "placing"}), CORRECTION)
    return session


def _hand(drive: Driver, door: Doorman, session: Session, size: tuple[int, int] = SIZES[0]) -> ScreenHand:
    hand = ScreenHand(drive, seated(drive, door, session, size))
    assert isinstance(hand.screen.centre, DukesCentre)
    return hand


# The castle


@pytest.mark.parametrize("size", SIZES)
def test_towers_stand_level_upon_level(drive: Driver, door: Doorman, built: Session, size: tuple[int, int]) -> None:
    hand = _hand(drive, door, built, size)
    if hand.screen._focus != 0:
        hand.tap(hand.seat_card(0))
    left, middle, right = (
        drive.find(TowerPad, where=lambda pad, id=id: pad.tower == id) for id in ("left", "middle", "right")
    )
    assert [len(pad.floors) for pad in (left, middle, right)] == [3, 1, 3]
    assert left.floors == sorted(left.floors)
    assert window_box(left).right <= window_box(middle).left + 1
    assert left.floors[0] == right.floors[0] == middle.floors[0]
    assert drive.overlaps_and_cuts() == []


def test_a_roof_and_a_pennant_are_in_the_picture(drive: Driver, door: Doorman, built: Session) -> None:
    hand = _hand(drive, door, built)
    if hand.screen._focus != 0:
        hand.tap(hand.seat_card(0))
    castle = window_box(drive.find(CastlePicture))
    pixels = drive.pixels()
    assert pixels.count(towers._ROOF, castle) > 100
    assert pixels.count(towers._PLANK, castle) > 60
    assert pixels.count(seat(0).field, castle) > 30
    assert pixels.count(towers._EMBER, castle) == 0


def test_a_castle_is_drawn_again_after_the_board_lay_over_it(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 4), has("pass-rooms"))
    drive.blind = False
    hand = _hand(drive, door, session)
    for _again in range(2):
        while session.state.phase == "room":  # type: ignore[union-attr]
            hand.touch(legal(hand.screen, "pass-rooms").id)
        drive.still()
        castle = window_box(drive.find(CastlePicture))
        assert drive.pixels().count(towers._SKY, castle) > 2000
        assert drive.pixels().count(towers._GRASS, castle) > 500
        hand.tap(drive.find(id="undo"))
        drive.still()
        assert not drive.find_all(CastlePicture)


def test_every_tower_fits_whatever_its_height() -> None:
    view = _empty_view()
    box = Slot(0, 0, 240, 220)
    flat = Plan(view, box)
    assert flat.column("left").x < flat.column("middle").x < flat.column("right").x
    assert flat.column("right").x + flat.wide <= 240
    assert flat.floor(3) > flat.floor(2) > flat.floor(1)


def _empty_view() -> DukeView:
    """A duke with nothing yet, and nothing to do."""
    state = registry.get("castle-dukes").setup(Setup(seats=("North", "East")))
    nothing = TableView(
        game="castle-dukes", title="", headline="", phases=(), seats=(), counters=(), panels=(), prompts=(), facts=(),
        tail=(), undo=None, redo=None, message=None, dismiss="", asking=None, curtain=None, opened=None, hide="",
        clock="", paused=False, over=False, read_only="",
    )  # fmt: skip
    return dukes_view(state, nothing).dukes[0]


def test_a_touched_tower_offers_its_moves_the_touched_level_first(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 2), has("place-pillars"))
    hand = _hand(drive, door, session)
    choice = legal(hand.screen, "place-pillars")
    action = choice.action
    own, tower, level = action.seat, action.tower, action.level  # type: ignore[attr-defined]
    if hand.screen._focus != own:
        hand.tap(hand.seat_card(own))
    pad = drive.find(TowerPad, where=lambda one: one.tower == tower)
    at = window_box(pad)
    floor = pad.to_window(pad.x, pad.floors[level - 1] + 6)[1]
    drive.tap(((at.left + at.right) / 2, floor))
    drive.frames(2)
    titles = [text for text in drive.texts(under=hand.sheet()) if text.startswith("Level")]
    assert titles[0].startswith(f"Level {level}")
    hand.tap(hand._found(choice.id))
    stands = session.state.dukes[own].castle  # type: ignore[union-attr]
    assert getattr(stands, tower)[level - 1].pillars >= 1


def test_a_tower_without_moves_says_why_once_with_the_rule(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 2), has("stop-buying"))
    session.dispatch(
        Correction(set={"dukes/0/castle/left": [_TILE], "dukes/0/held": {}, "dukes/0/cards": []}), CORRECTION
    )
    hand = _hand(drive, door, session)
    if hand.screen._focus != 0:
        hand.tap(hand.seat_card(0))
    for tower in ("left", "right"):
        hand.tap(drive.find(TowerPad, where=lambda pad, tower=tower: pad.tower == tower))
        said = drive.texts(under=hand.sheet())
        assert said.count("There is nothing to do here now.") == 1
        reasons = [text for text in said if text.startswith("North has 0 floor tiles to place")]
        assert len(reasons) == 1
        assert reasons[0].endswith(")")
        hand.close_sheet()
        drive.still()


def test_what_ends_building_does_not_come_up_under_a_finger_that_taps_again(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 2), has("stop-buying"))
    session.dispatch(Correction(set={"dukes/0/coins": 1, "dukes/0/stage": "acquiring"}), CORRECTION)
    hand = _hand(drive, door, session)
    if hand.screen._focus != 0:
        hand.tap(hand.seat_card(0))
    assert [button.text for button in hand.screen.centre._closing] == ["Done acquiring"]
    hand.touch(legal(hand.screen, "take-pillars").id)
    after = session.seq
    drive.tap("Done building")
    assert session.seq == after
    drive.advance(0.7, step=0.1)
    drive.tap("Done building")
    assert session.seq == after + 1


def test_an_undo_leads_back_to_whose_move_it_was(drive: Driver, door: Doorman) -> None:
    hand = _hand(drive, door, begun(door, "castle-dukes", 4))
    hand.tap(hand.seat_card(2))
    pillars = [choice for choice in _moves(hand, "take-pillars") if getattr(choice.action, "seat", None) == 2]
    hand.touch(pillars[0].id)
    hand.tap(hand.seat_card(3))
    assert hand.screen._focus == 3
    hand.tap(drive.find(id="undo"))
    assert hand.screen._focus == 2


def _moves(hand: ScreenHand, kind: str) -> list[ChoiceView]:
    choices = [choice for prompt in hand.model.view.prompts for choice in prompt.choices]
    return [choice for choice in choices if choice.do == kind and choice.legal]


def test_a_tile_seen_before_is_placed_by_two_touches(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 2), has("place-tile"))
    hand, dealer = _hand(drive, door, session), RandomDealer(3)
    while not any(choice.quick for choice in _tiles(hand)):
        hand.play(dealer)
    tile = next(choice for choice in _tiles(hand) if choice.quick)
    seat = tile.action.seat  # type: ignore[attr-defined]
    if hand.screen._focus != seat:
        hand.tap(hand.seat_card(seat))
    before, seq = hand.taps, session.seq
    hand.touch(tile.quick[0].id)
    assert (hand.taps - before, session.seq) == (2, seq + 1)


def _tiles(hand: ScreenHand) -> list[ChoiceView]:
    return _moves(hand, "place-tile")


def test_moves_drawn_in_the_castle_are_not_listed_on_a_small_screen(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 4), has("place-pillars"))
    hand = _hand(drive, door, session)
    choice = legal(hand.screen, "place-pillars")
    own = choice.action.seat  # type: ignore[attr-defined]
    if hand.screen._focus != own:
        hand.tap(hand.seat_card(own))
    assert hand._seen(choice.id) is None
    assert "Touch a tower to see what can be done there." in drive.texts()
    centre = hand.screen.centre
    assert isinstance(centre, DukesCentre)
    assert centre._duke is not None
    assert choice.id in drawn_moves(centre._duke)


def test_a_bare_place_says_that_there_is_nothing_to_do() -> None:
    duke = _empty_view()
    groups = list(tower_groups(duke, duke.towers[0], 0))
    assert [group.choices for group in groups] == [()]
    assert groups[0].title


def test_dials_and_stores_show_what_the_duke_has(drive: Driver, door: Doorman, built: Session) -> None:
    hand = _hand(drive, door, built)
    if hand.screen._focus != 0:
        hand.tap(hand.seat_card(0))
    view = dukes_view(hand.model.state, hand.model.view).dukes[0]
    shown = {dial.icon: dial.value for dial in drive.find_all(Dial, under=drive.find(Barbican))}
    assert shown == {dial.rating: dial.value for dial in view.dials}
    if view.held:
        assert [kind for kind, _ in drive.find(Inventory).bits][: len(view.held)] == [item.kind for item in view.held]


# The board


def test_a_slot_is_bought_by_one_touch(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 4), has("take-room"))
    hand = _hand(drive, door, session)
    board = drive.find(RoomBoard)
    choice = legal(hand.screen, "take-room")
    card = board.card(choice.action.board, choice.action.slot)  # type: ignore[attr-defined]
    hand.tap(card)
    assert hand.model.view.asking is not None
    assert hand.model.view.asking.title == choice.label


def test_a_card_that_was_entered_shows_what_it_prints(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 4), has("take-room"))
    slot = next(at for at, one in enumerate(session.state.boards[0]) if one.filled)  # type: ignore[union-attr]
    card = {"name": "Kitchen", "comfort": 2, "king": 1}
    session.dispatch(Correction(set={f"boards/0/{slot}/card": card}), CORRECTION)
    _hand(drive, door, session, (1280, 720))
    shown = drive.find(RoomBoard).card(0, slot)
    assert "Kitchen" in drive.texts(under=shown)


def test_an_empty_slot_does_nothing(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 4), lambda model: _gap(model) and has("take-room")(model))
    hand = _hand(drive, door, session)
    seq = session.seq
    empty = next(card for card in drive.find_all(SlotCard) if card.slot and not card.slot.filled)
    drive.tap(empty)
    assert (session.seq, hand.model.view.asking, hand.model.view.message) == (seq, None, None)


def _gap(model: TableModel) -> bool:
    return any(not slot.filled for board in model.state.boards for slot in board)


# The dragon and the guests


def test_the_dragon_chart_shows_where_this_duke_stands(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 4), has("face-dragon"))
    hand = _hand(drive, door, session)
    chart = drive.find(DragonChart)
    assert chart.duke is not None
    assert chart.duke.seat == hand.screen._focus
    pixels = drive.pixels()
    assert pixels.count(dragon._GLOW, window_box(chart)) > 200, "one row of each rating glows"
    assert pixels.count(towers._EMBER, window_box(drive.find(CastlePicture))) > 100, "the dragon is over the castle"


def test_guests_stand_on_the_road_while_they_come(drive: Driver, door: Doorman) -> None:
    session = played_to(door, begun(door, "castle-dukes", 3), lambda model: bool(model.state.guests))
    hand = _hand(drive, door, session)
    if hand.model.view.asking:
        hand.close_sheet()
    road = drive.find(GuestRow)
    assert road.view is not None
    assert [guest.guest for guest in road.view.guests] == list(hand.model.state.guests)


# Everything at a glance


@pytest.mark.parametrize("size", SIZES)
def test_the_overview_shows_every_castle(drive: Driver, door: Doorman, built: Session, size: tuple[int, int]) -> None:
    hand = _hand(drive, door, built, size)
    hand.tap(drive.find(PushButton, id="overview"))
    castles = drive.find_all(CastlePicture, under=hand.sheet())
    assert [castle.duke.seat for castle in castles if castle.duke] == [0, 1]
    assert drive.overlaps_and_cuts() == []


def test_a_light_game_is_played_on_the_generic_table(drive: Driver, door: Doorman) -> None:
    session = begun(door, "castle-dukes", 4, {"detail": "light"})
    hand = _hand(drive, door, session)
    assert drive.find_all(CastlePicture) == []
    assert drive.overlaps_and_cuts() == []
    assert any(choice.label in drive.texts() for prompt in hand.model.view.prompts for choice in prompt.choices)
