from __future__ import annotations

from companion.app.models.castle_dukes import Piece, chart, dukes_view
from companion.app.models.table import TableModel
from companion.rules.base import Setup
from companion.rules.castle_dukes.actions import TakeRoom
from companion.rules.castle_dukes.castle import heights
from companion.rules.castle_dukes.dragon import damage
from companion.session.clocks import ManualClock
from companion.session.dealing import RandomDealer
from companion.session.shelf import Shelf
from tests.app.models.hand import Hand
from tests.app.models.test_table import to_room_phase


def test_the_chart_shows_where_a_duke_stands() -> None:
    for value in range(25):
        for rating in ("offence", "defence"):
            rows = chart(rating, value).rows
            assert [row.damage for row in rows] == [1, 2, 3, 4]
            assert [row.damage for row in rows if row.here] == [damage(rating, value)]
            assert next(row.least for row in rows if row.here) <= value


def test_the_board_is_drawn_from_the_top_with_its_moves(table: TableModel, hand: Hand) -> None:
    to_room_phase(hand)
    board = dukes_view(table.state, table.view).boards[0]
    assert [slot.cost for slot in board] == [5, 4, 3, 2, 1]
    assert [slot.bonus for slot in board] == ["table", "unknown", "serf", "unknown", ""]
    for slot in board:
        assert slot.take is not None
        assert slot.enter is not None
        assert isinstance(slot.take.action, TakeRoom)
        assert slot.take.action.slot == slot.slot
    enter = board[0].enter
    assert enter is not None
    hand.touch(enter.id)
    assert table.view.asking is not None


def test_a_castle_stands_as_it_was_built(shelf: Shelf, clock: ManualClock) -> None:
    dealer = RandomDealer(9)
    with shelf.new("castle-dukes", Setup(seats=("North", "East"))) as session:
        hand = Hand(TableModel(session, dealer=RandomDealer(1), clock=clock))
        for _ in range(100):
            hand.play(dealer)
        state = hand.model.state
        view = dukes_view(state, hand.model.view)
    for seat, duke in enumerate(state.dukes):
        drawn = view.dukes[seat]
        assert tuple(len(tower.levels) for tower in drawn.towers) == heights(duke.castle)
        tiles = [tile for tower in (duke.castle.left, duke.castle.middle, duke.castle.right) for tile in tower]
        levels = [level for tower in drawn.towers for level in tower.levels]
        assert [level.pillars for level in levels] == [tile.pillars for tile in tiles]
        assert [[room.name for room in level.rooms] for level in levels] == [
            [room.card.name for room in tile.rooms] for tile in tiles
        ]
        assert drawn.crumbles == duke.crumbles
        guests = sum(
            piece.count for level in levels for room in level.rooms for piece in room.pieces if piece.kind == "king"
        )
        assert guests == sum(room.king for tile in tiles for room in tile.rooms)
    assert any(level.rooms for duke in view.dukes for tower in duke.towers for level in tower.levels)


def test_a_touch_on_a_tower_builds_there(table: TableModel, hand: Hand) -> None:
    to_room_phase(hand)
    for seat in range(4):
        hand.press("No more rooms", seat)
    hand.press("Draw a floor tile (1 coin)", 0)
    hand.press("Take two pillars (1 coin)", 0)
    middle = dukes_view(table.state, table.view).dukes[0].towers[1]
    assert [choice.do for choice in middle.next] == ["place-tile"]
    hand.touch(middle.next[0].id)
    for number in (1, 1, 1):
        asking = table.view.asking
        assert asking is not None
        hand.touch(asking.now.buttons[number].id)
    level = dukes_view(table.state, table.view).dukes[0].towers[1].levels[0]
    assert {choice.do for choice in level.choices} == {"place-pillars"}
    hand.touch(next(choice.id for choice in level.choices if choice.label.startswith("2 ")))
    level = dukes_view(table.state, table.view).dukes[0].towers[1].levels[0]
    assert (level.pillars, level.covered, level.spaces, level.roof) == (2, 1, 1, False)


def test_what_a_card_prints_is_drawn_as_pieces(table: TableModel, hand: Hand) -> None:
    to_room_phase(hand)
    bottom = dukes_view(table.state, table.view).boards[0][-1].enter
    assert bottom is not None
    hand.touch(bottom.id)
    asking = table.view.asking
    assert asking is not None
    assert asking.now.entry is not None
    hand.touch(asking.now.entry.known[0].id)
    slot = dukes_view(table.state, table.view).boards[0][-1]
    assert (slot.card, slot.pieces, slot.enter) == ("Kitchen", (Piece(kind="comfort", count=1),), None)


def test_the_solo_opponent_has_a_barbican(shelf: Shelf, clock: ManualClock) -> None:
    with shelf.new("castle-dukes", Setup(seats=("North",))) as session:
        table = TableModel(session, dealer=RandomDealer(1), clock=clock)
        view = dukes_view(table.state, table.view)
        assert view.ai is not None
        assert [dial.value for dial in view.ai.dials] == [0, 0, 0]
        assert [seat.name for seat in table.view.seats] == ["North", "The automatic opponent"]
        assert table.view.seats[1].place is None
