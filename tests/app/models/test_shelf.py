from __future__ import annotations

from companion.app.models.shelf import ShelfModel
from companion.rules import registry
from companion.rules.base import Setup
from companion.session.clocks import ManualClock
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.session import toy


def test_every_box_stands_on_the_shelf_with_its_numbers(shelf: Shelf) -> None:
    boxes = ShelfModel(shelf).view.boxes
    assert [box.game for box in boxes] == list(registry.ids())
    assert (boxes[0].title, boxes[0].players_text, boxes[0].minutes_text) == (
        "Castle Dukes", "1-8 players", "60-90 minutes",
    )  # fmt: skip


def test_games_to_go_on_with_are_on_top_the_last_played_first(shelf: Shelf, clock: ManualClock) -> None:
    for seats in (("North", "East"), ("South", "West")):
        shelf.new("castle-dukes", Setup(seats=seats)).close()
        clock.advance(3600)
    model = ShelfModel(shelf, clock=clock)
    assert [(game.names, game.when) for game in model.view.open] == [
        (("South", "West"), "an hour ago"),
        (("North", "East"), "2 hours ago"),
    ]
    session = model.resume(model.view.open[1].id)
    assert session is not None
    with session:
        assert session.cover.seats == ("North", "East")


def test_a_finished_game_lies_in_the_evenings(shelf: Shelf, clock: ManualClock) -> None:
    shelf.game_of = toy.game_of
    with shelf.new(toy.ID, Setup(seats=("North",), options={"bag": 4})) as session:
        for count in (3, 1):
            session.dispatch(toy.Take(seat=0, count=count))
    view = ShelfModel(shelf, (toy.PEBBLES,), clock=clock).view
    assert (view.open, view.finished) == ((), 1)


def test_a_damaged_game_is_shown_with_what_is_wrong_and_left_as_it_is(shelf: Shelf, session: Session) -> None:
    broken = shelf.folder / f"broken{session.path.suffix}"
    broken.write_bytes(b"no game at all")
    shelf.memory.folder.mkdir(exist_ok=True)
    (shelf.memory.folder / "castle-dukes.toml").write_text("not [ toml")
    shelf.memory.entries("castle-dukes")
    model = ShelfModel(shelf)
    damaged = model.view.damaged
    assert [one.file for one in damaged] == [broken.name, "castle-dukes.damaged-1.toml"]
    assert "was left as it is" in damaged[0].text
    assert "set aside" in damaged[1].text
    assert model.resume("broken") is None
    assert model.view.message is not None
    assert broken.read_bytes() == b"no game at all"


def test_a_game_that_is_open_elsewhere_is_refused_in_words(shelf: Shelf, session: Session) -> None:
    model = ShelfModel(shelf)
    heard: list[bool] = []
    model.subscribe(lambda: heard.append(True))
    assert model.resume(session.id) is None
    assert model.message is not None
    assert "open in another Castle Companion" in model.message.text
    assert heard


def test_a_game_of_other_rules_is_not_taken_up_unasked(shelf: Shelf) -> None:
    shelf.game_of = toy.game_of
    shelf.new(toy.ID, Setup(seats=("North", "East"))).close()
    shelf.game_of = toy.later
    model = ShelfModel(shelf, (toy.PEBBLES,))
    saved = model.view.open[0].id
    assert model.resume(saved) is None
    assert model.message is not None
    assert "older rules" in model.message.text
    adopted = model.resume(saved, adopt_rules=True)
    assert adopted is not None
    adopted.close()


def test_a_discarded_game_leaves_the_shelf_and_is_kept_in_the_trash(shelf: Shelf) -> None:
    shelf.new("castle-dukes", Setup(seats=("North", "East"))).close()
    model = ShelfModel(shelf)
    model.discard(model.view.open[0].id)
    assert model.view.open == ()
    assert model.message is not None
    assert len(list((shelf.folder / "trash").iterdir())) >= 1
