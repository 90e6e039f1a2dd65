"""The table screen: whose move it is, what they may do, what that just cost."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from companion.app.models.places import around
from companion.app.screens.asides import CurtainCover, HoldTouch, SeatSheet
from companion.app.screens.counting import CounterBox
from companion.app.screens.rim import Box, facing, laid_out
from companion.app.screens.seats import CounterChip, SeatCard
from companion.app.screens.table import shortened
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.phases import PhaseStrip
from companion.app.widgets.turning import Rotated
from companion.session.dealing import RandomDealer
from tests.app.driver import Driver
from tests.app.screens.playing import Doorman, ScreenHand, begun, has, legal, played_to, seated

SIZES = ((800, 480), (1280, 720), (720, 1280))
GAP_PX = 8


@pytest.fixture
def door(tmp_path: Path) -> Doorman:
    return Doorman(tmp_path)


def _dukes(
    drive: Driver, door: Doorman, moves: Any = 0, seats: int = 4, size: tuple[int, int] = SIZES[0]
) -> ScreenHand:
    session = played_to(door, begun(door, "castle-dukes", seats), moves)
    return ScreenHand(drive, seated(drive, door, session, size))


# Where things lie


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", range(1, 9))
@pytest.mark.parametrize("turned", [True, False])
def test_nothing_on_the_rim_overlaps(size: tuple[int, int], seats: int, turned: bool) -> None:
    places = around(seats, portrait=size[1] > size[0], turned=turned)
    rim = laid_out(size, places, GAP_PX)
    boxes = [*rim.seats, *rim.tools, rim.middle, rim.strip]
    for one, other in combinations(boxes, 2):
        assert not _overlap(one, other), (one, other)
    assert all(box.x >= 0 and box.x + box.width <= size[0] and box.y >= 0 for box in boxes)
    assert min(min(box.width, box.height) for box in (*rim.seats, *rim.tools)) >= 63
    assert rim.middle.width * rim.middle.height > 0.3 * size[0] * size[1]


def _overlap(one: Box, other: Box) -> bool:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    up = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > 0.5 and up > 0.5


def test_the_middle_turns_to_whoever_sits_opposite() -> None:
    assert [facing(place.edge, place.turn_deg) for place in around(4)] == [0, 0, 180, 0]


def test_a_long_label_is_shortened_in_whole_words() -> None:
    assert shortened("North: done") == "North: done"
    assert len(shortened("North: stands 2 pillars on level 1 of the left tower")) <= 29
    assert shortened("Rinderkennzeichnungsgesetz").endswith("…")


def test_each_seat_is_turned_toward_its_player(drive: Driver, door: Doorman) -> None:
    _dukes(drive, door)
    angles = {card.view.name: card.parent.angle for card in drive.find_all(SeatCard) if card.view}
    assert angles == {"North": 0, "East": 270, "South": 180, "West": 90}


def test_seats_stay_upright_when_the_table_wants_that(drive: Driver, door: Doorman) -> None:
    door.settings.set("turned", False)
    _dukes(drive, door)
    assert {card.parent.angle for card in drive.find_all(SeatCard)} == {0}
    assert drive.overlaps_and_cuts() == []


# Whose move it is


def test_the_seat_that_acts_is_in_the_middle_and_lit(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, has("take-room"))
    buyer = hand.model.state.buyer
    assert [card.view.seat for card in drive.find_all(SeatCard) if card.shown and card.view] == [buyer]
    assert [card.view.seat for card in drive.find_all(SeatCard) if card.view and card.view.active] == [buyer]
    assert "Buy rooms, or pass." in drive.texts()
    assert ("Rooms", "now") in drive.find(PhaseStrip).phases


def test_the_middle_goes_on_to_the_next_who_must(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, has("pass-rooms"))
    buyer = hand.model.state.buyer
    hand.touch(legal(hand.screen, "pass-rooms").id)
    assert hand.model.state.buyer != buyer
    assert hand.screen._focus == hand.model.state.buyer


def test_a_touched_seat_is_shown_and_its_moves_with_it(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, 23)
    active = [seat.seat for seat in hand.model.view.seats if seat.active]
    assert len(active) > 1
    hand.tap(hand.seat_card(active[1]))
    assert hand.screen._focus == active[1]
    assert any(prompt.text in drive.texts() for prompt in hand.model.view.of(active[1]))


def test_seat_cards_tell_the_clock(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, has("take-room"))
    door.clock.advance(75)
    hand.screen.tick()
    drive.frames(3)
    buyer = hand.seat_card(hand.model.state.buyer)
    assert "1:15" in drive.texts(under=buyer)


# Numbers


def test_a_seat_touched_twice_shows_its_numbers_with_plus_and_minus(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, has("take-room"))
    buyer = hand.model.state.buyer
    coins = hand.model.state.dukes[buyer].coins
    hand.tap(hand.seat_card(buyer))
    box = next(box for box in drive.find_all(CounterBox, under=drive.find(SeatSheet)) if box.text == "coins")
    hand.tap(box._plus)
    assert hand.model.state.dukes[buyer].coins == coins + 1
    assert box.value == coins + 1
    assert "+1" in drive.texts(under=box)
    chips = drive.find_all(CounterChip, under=hand.seat_card(buyer))
    assert "+1" in drive.texts(under=chips[0])


def test_a_change_is_shown_for_five_seconds(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, has("take-pillars"))
    choice = legal(hand.screen, "take-pillars")
    seat = choice.action.seat  # type: ignore[attr-defined]
    hand.touch(choice.id)
    minus = "\N{MINUS SIGN}1"
    assert minus in drive.texts(under=hand.seat_card(seat))
    for seconds, shown in ((4.5, True), (1.0, False)):
        door.clock.advance(seconds)
        hand.screen.tick()
        drive.frames(3)
        assert (minus in drive.texts(under=hand.seat_card(seat))) is shown


def test_a_seat_can_be_turned_and_the_table_makes_room_for_it(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, has("take-room"))
    while not drive.find_all(SeatSheet):
        hand.tap(hand.seat_card(0))
    hand.tap(drive.find(PushButton, text="Turn this seat"))
    assert hand.seat_card(0).parent.angle == 90
    hand.close_sheet()
    assert drive.overlaps_and_cuts() == []


# Rules and refusals


def test_the_question_mark_opens_the_rule_with_its_citation(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, has("take-room"))
    rule = hand.screen.centre._asked.rule if hand.screen.centre._asked else None
    assert rule is not None
    hand.tap(drive.find(PushButton, where=lambda one: one.icon == "help"))
    assert {rule.text, rule.cite} <= set(drive.texts())
    hand.close_sheet()
    assert rule.text not in drive.texts()


def test_a_grey_move_says_why_and_is_not_done(drive: Driver, door: Doorman) -> None:
    hand = _dukes(
        drive, door, lambda model: any(not one.legal for prompt in model.view.prompts for one in prompt.choices)
    )
    grey = next(one for prompt in hand.model.view.prompts for one in prompt.choices if not one.legal)
    seq = hand.model.session.seq
    hand.touch(grey.id)
    assert grey.why in drive.texts()
    held = drive.find(HoldTouch)
    drive.hold(held, seconds=0.3)
    assert hand.model.session.seq == seq
    hand.tap(drive.find(PushButton, text="All right"))
    assert hand.model.view.message is None
    assert hand.model.session.seq == seq


def test_a_tap_that_is_delivered_twice_counts_once(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, has("take-pillars"))
    seq = hand.model.session.seq
    choice = legal(hand.screen, "take-pillars")
    button = hand._seen(choice.id) or hand._reached(choice.id)
    button.dispatch("on_release")
    button.dispatch("on_release")
    drive.frames(3)
    assert hand.model.session.seq == seq + 1


# Tools


def test_undo_tells_what_it_undoes(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, 5)
    undo = drive.find(PushButton, id="undo")
    label = hand.model.view.undo.label if hand.model.view.undo else ""
    assert undo.text == shortened(label)
    seq = hand.model.session.seq
    hand.tap(undo)
    assert hand.model.session.seq == seq + 1
    assert hand.model.session.history(1)[-1].kind == "undo"


def test_a_collapse_is_two_touches_away(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door, 60)
    before = hand.taps
    hand.touch(legal(hand.screen, "crumble").id)
    assert hand.taps - before == 2
    assert hand.model.session.history(1)[-1].label.lower().count("crumble") == 1


@pytest.mark.parametrize(
    ("entry", "leads"), [("History", "history"), ("Settings", "settings"), ("To the shelf", "home")]
)
def test_the_menu_leads_away(drive: Driver, door: Doorman, entry: str, leads: str) -> None:
    hand = _dukes(drive, door)
    hand.tap(drive.find(PushButton, id="menu"))
    hand.tap(drive.find(PushButton, text=entry))
    assert door.gone == [leads]


def test_escape_closes_what_is_up_before_it_leaves(drive: Driver, door: Doorman) -> None:
    hand = _dukes(drive, door)
    hand.tap(drive.find(PushButton, id="menu"))
    hand.screen.go_back()
    drive.frames(2)
    assert door.gone == []
    hand.screen.go_back()
    assert door.gone == ["back"]


def test_a_game_that_was_over_stays_on_the_table_until_the_tally_is_touched(drive: Driver, door: Doorman) -> None:
    session = begun(door, "castle-dukes", 1, {"solo": "baby"})
    hand = ScreenHand(drive, seated(drive, door, session), often=0)
    hand.play_out(RandomDealer(7))
    drive.frames(3)
    assert door.gone == ["tally"]
    again = ScreenHand(drive, seated(drive, door, session))
    assert door.gone == ["tally"]
    again.tap(drive.find(PushButton, text="To the tally"))
    assert door.gone == ["tally", "tally"]


# Secrets


def test_the_screen_is_passed_before_a_secret_is_shown(drive: Driver, door: Doorman) -> None:
    hand = ScreenHand(drive, seated(drive, door, begun(door, "castle-for-all-seasons", 2)))
    secret = next(prompt for prompt in hand.model.view.prompts if prompt.secret)
    hand.touch(secret.open)
    cover = drive.find(CurtainCover)
    assert cover.size == [800, 480]
    assert "Pass the screen to North." in drive.texts()
    assert hand.model.view.curtain is not None
    hand.touch(hand.model.view.curtain.open)
    assert hand.model.view.opened == secret.seat
    assert drive.find_all(CurtainCover) == []
    cards = [choice.label for prompt in hand.model.view.prompts for choice in prompt.choices]
    assert cards
    assert set(cards) <= set(drive.texts())
    hand.touch(hand.model.view.hide)
    assert not set(cards) & set(drive.texts())


def test_the_curtain_faces_the_seat_it_is_for(drive: Driver, door: Doorman) -> None:
    hand = ScreenHand(drive, seated(drive, door, begun(door, "castle-for-all-seasons", 2)))
    secret = [prompt for prompt in hand.model.view.prompts if prompt.secret][1]
    hand.touch(secret.open)
    cover = drive.find(CurtainCover)
    turned = cover.parent.parent
    assert isinstance(turned, Rotated)
    assert turned.angle == 180


# Nothing overlaps, nothing is cut


@pytest.mark.parametrize("seats", [1, 2, 3, 5, 6])
def test_the_table_is_whole_for_every_number_of_seats(drive: Driver, door: Doorman, seats: int) -> None:
    hand, dealer = _dukes(drive, door, 40, seats, SIZES[0]), RandomDealer(5)
    for _ in range(3):
        assert drive.overlaps_and_cuts() == [], hand.model.view.headline
        for _ in range(12):
            hand.play_unseen(dealer)
        drive.frames(4)
