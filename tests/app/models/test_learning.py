"""Learning the box: a room card takes at most five touches the first time and two the next."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.app.models.entries import known_entries, matching
from companion.app.models.layouts import layout_of as layout
from companion.app.models.layouts import named
from companion.app.models.steps import EntryView
from companion.app.models.table import TableModel
from companion.rules import registry
from companion.rules.base import Setup
from companion.rules.castle_dukes.asks import room_ask
from companion.rules.castle_dukes.state import Card
from companion.session.clocks import ManualClock
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.app.models.hand import Hand
from tests.app.models.test_table import to_room_phase

_FIRST, _NEXT = 5, 2
_PRACTICE = registry.get("castle-dukes").box["practice-rooms"]


def values(card: Card) -> dict[str, Any]:
    """What a card prints, without its name."""
    return {key: value for key, value in msgspec.to_builtins(card).items() if key != "name"}


def entry(hand: Hand) -> EntryView:
    asking = hand.model.view.asking
    assert asking is not None
    assert asking.now.entry is not None
    return asking.now.entry


def enter(hand: Hand, slot: int, room: dict[str, Any]) -> int:
    """Enter the card that lies in a slot; how many touches that took."""
    before = hand.touches
    label = f"Enter the card in slot {slot + 1}"
    choices = [choice for prompt in hand.game.prompts(hand.model.state) for choice in prompt.choices]
    choice = next(choice for choice in choices if choice.label == label)
    hand.take(hand.choice(label), choice, {"card": room})
    return hand.touches - before


def test_no_card_takes_more_than_five_touches_and_then_two(hand: Hand) -> None:
    to_room_phase(hand)
    for most in (_FIRST, _NEXT):
        for name, room in _PRACTICE.items():
            assert enter(hand, 2, room) <= most, name
            card = hand.model.state.boards[0][2].card
            assert values(card) == values(msgspec.convert(room, Card))
            undo = hand.model.view.undo
            assert undo is not None
            hand.touch(undo.id)


def test_a_card_nobody_names_is_named_by_what_it_is(hand: Hand) -> None:
    to_room_phase(hand)
    enter(hand, 0, {"comfort": 2, "king": 1})
    assert hand.model.state.boards[0][0].card == Card(name="Comfort 2 · King", comfort=2, king=1)


def test_a_long_name_is_shortened_to_what_the_rules_take() -> None:
    ask = room_ask()
    full = {
        "comfort": 3,
        "defence": 3,
        "offence": 3,
        "king": 1,
        "princess": 1,
        "knight": 2,
        "serf": 2,
        "levels": "lower",
    }
    name = named(ask, layout("castle-dukes", ask), dict(full))
    assert name == "Comf3 Defe3 Offe3 King Prin Knig2 Serf2"


def test_points_can_be_tapped_one_by_one_and_taken_back(hand: Hand) -> None:
    to_room_phase(hand)
    hand.press("Enter the card in slot 1")
    for _ in range(4):
        hand.touch(next(chip for chip in entry(hand).chips if chip.field == "offence").plus)
    hand.touch(next(chip for chip in entry(hand).chips if chip.field == "offence").minus)
    asking = hand.model.view.asking
    assert asking is not None
    hand.touch(asking.now.done)
    assert hand.model.state.boards[0][0].card == Card(name="Offence 3", offence=3)


def test_a_card_can_be_named_in_the_same_breath(hand: Hand) -> None:
    to_room_phase(hand)
    hand.press("Enter the card in slot 1")
    hand.touch(entry(hand).toggle_naming)
    hand.model.type("Old Chapel")
    assert entry(hand).name == "Old Chapel"
    closing = entry(hand).sections[-1]
    assert closing.closes
    hand.touch(closing.buttons[0].id)
    assert hand.model.state.boards[0][0].card == Card(name="Old Chapel")


def test_known_cards_are_found_by_letters_and_by_values() -> None:
    ask = room_ask()
    assert matching(_PRACTICE, "ch", {}, ask)[0] == "Chapel"
    assert set(matching(_PRACTICE, "ch", {}, ask)) > {"Chapel", "Bedchamber", "Kitchen"}
    assert matching(_PRACTICE, "", {"comfort": 3, "king": 1}, ask) == ["Royal Bedchamber"]
    assert matching(_PRACTICE, "vault", {"offence": 1}, ask) == []


def test_typing_letters_narrows_what_is_offered(hand: Hand, session: Session) -> None:
    to_room_phase(hand)
    enter(hand, 0, {"comfort": 2, "king": 1})
    hand.press("Enter the card in slot 2")
    assert [button.label for button in entry(hand).known] == ["Kitchen", "Comfort 2 · King"]
    hand.model.type("co")
    assert [button.label for button in entry(hand).known] == ["Comfort 2 · King"]
    hand.model.type("zz")
    assert entry(hand).known == ()


def test_what_lies_on_the_table_is_offered_last_and_what_was_seen_lately_first(session: Session) -> None:
    box = session.box
    entries = {name: {"name": name} for name in ("Attic", "Belfry", "Cellar", "North")}
    box.tables["rooms"] = msgspec.structs.replace(box.tables["rooms"], entries=entries)
    assert list(known_entries(box, room_ask(), session.state, ("Cellar",))) == ["Cellar", "Attic", "Belfry", "North"]


def test_a_floor_tile_told_once_is_one_more_touch_the_next_time(hand: Hand) -> None:
    to_room_phase(hand)
    for seat in range(4):
        hand.press("No more rooms", seat)
    for _ in range(2):
        hand.press("Draw a floor tile (1 coin)", 0)
    hand.press("Floor tile as level 1 of the left tower", 0)
    for number in (2, 1):
        asking = hand.model.view.asking
        assert asking is not None
        hand.touch(asking.now.buttons[number].id)
    ends = hand.model.view.asking
    assert ends is not None
    assert ends.answered == ("cobblestone markings 2", "room spaces 1")
    hand.touch(ends.now.buttons[1].id)
    quick = hand.choice("Floor tile as level 1 of the right tower", 0).quick
    assert [button.label for button in quick] == ["cobblestone markings 2 · room spaces 1 · bridge ends"]
    hand.touch(quick[0].id)
    castle = hand.model.state.dukes[0].castle
    assert castle.left == castle.right
    assert castle.left[0].cobbles == 2


def test_back_goes_one_question_back_and_then_out(hand: Hand) -> None:
    to_room_phase(hand)
    for seat in range(4):
        hand.press("No more rooms", seat)
    hand.press("Draw a floor tile (1 coin)", 0)
    hand.press("Floor tile as level 1 of the left tower", 0)
    first = hand.model.view.asking
    assert first is not None
    hand.touch(first.now.buttons[3].id)
    second = hand.model.view.asking
    assert second is not None
    assert second.step == 2
    hand.touch(second.back)
    again = hand.model.view.asking
    assert again is not None
    assert (again.step, again.answered) == (1, ())
    hand.touch(again.back)
    assert hand.model.view.asking is None


def test_a_large_number_is_typed_on_a_pad_that_knows_its_end(shelf: Shelf, clock: ManualClock) -> None:
    options: dict[str, str | int | bool] = {"detail": "light"}
    with shelf.new("castle-dukes", Setup(seats=("North", "East"), options=options)) as session:
        hand = Hand(TableModel(session, dealer=RandomDealer(1), clock=clock))
        hand.press("Turn the dials", 0)
        pad = hand.model.view.asking
        assert pad is not None
        assert (pad.now.kind, pad.now.typed, pad.draw) == ("pad", "0", "")
        for digit in (1, 2, 7):
            asking = hand.model.view.asking
            assert asking is not None
            hand.touch(asking.now.buttons[digit].id)
        second = hand.model.view.asking
        assert second is not None
        assert (second.step, second.now.typed) == (2, "7")
        hand.touch(second.now.done)
        third = hand.model.view.asking
        assert third is not None
        hand.touch(third.now.done)
        dials = hand.model.state.dukes[0].dials
        assert (dials.comfort, dials.defence, dials.offence) == (12, 7, 0)
