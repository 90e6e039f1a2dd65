"""What comes after the last move: the ceremony, the history, the evenings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from companion.app.models.evenings import EveningsModel
from companion.app.models.history import HistoryModel
from companion.app.models.tally import TallyModel, categories, podium
from companion.rules import registry
from companion.rules.base import Correction, Setup
from companion.rules.castle_dukes.actions import DrawTile
from companion.rules.castle_dukes.castle import heights
from companion.rules.castle_dukes.scoring import DukeTally, Tally
from companion.rules.castle_dukes.state import State
from companion.rules.random_play import play
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.session.shelf import Shelf

DUKES = registry.get("castle-dukes")
SEATS = ("North", "East")


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two games played to their end by chance."""
    shelf = Shelf(tmp_path_factory.mktemp("evenings"))
    for seed in (11, 12):
        with shelf.new("castle-dukes", Setup(seats=SEATS)) as session:
            for _, action in play(DUKES, session.setup, RandomDealer(seed)):
                session.dispatch(action)
    return shelf.folder


@pytest.fixture
def past(evenings: Path, tmp_path: Path) -> Shelf:
    return Shelf(Path(copytree(evenings, tmp_path / "past")))


@pytest.fixture
def played(past: Shelf) -> Iterator[Session]:
    with past.open(past.list()[0].id) as session:
        yield session


def tied() -> Tally:
    """North and East are level on points and on levels; North has built more rooms."""
    return Tally(
        players=(
            DukeTally(name="North", comfort=5, levels=(2, 2, 2), rooms=3),
            DukeTally(name="East", comfort=5, levels=(2, 2, 2), rooms=2),
            DukeTally(name="South", comfort=1, crumbles=1),
        )
    )


# The tally


def test_categories_are_told_last_place_first_and_add_up() -> None:
    sheet = DUKES.sheet(tied())
    told = categories(sheet)
    for category in told:
        points = [line.points for line in category.lines]
        assert points == sorted(points)
    assert tuple(bar.total for bar in told[-1].bars) == sheet.totals
    assert max(bar.length for bar in told[-1].bars) == 1.0
    assert all(0 <= bar.length <= 1 for category in told for bar in category.bars)


def test_a_tie_is_explained_as_it_is_split() -> None:
    comfort = next(category for category in categories(DUKES.sheet(tied())) if category.key == "comfort")
    assert [(line.name, line.points, line.tied) for line in comfort.lines] == [
        ("South", 0, False), ("East", 4, True), ("North", 4, True),
    ]  # fmt: skip
    assert "(6 + 3) / 2" in comfort.lines[-1].why


def test_the_podium_names_the_tie_break_that_decided() -> None:
    sheet = DUKES.sheet(tied())
    shown = podium(sheet, DUKES.outcome(sheet))
    assert [(place.place, place.names) for place in shown.places] == [(1, ("North",)), (2, ("East",)), (3, ("South",))]
    assert [(row.label, row.decided) for row in shown.tie_breaks] == [
        ("levels in all three towers", False), ("rooms built", True),
    ]  # fmt: skip
    assert shown.tie_breaks[1].values == (("North", 3), ("East", 2))


def test_a_shared_place_counts_for_all_who_share_it() -> None:
    sheet = DUKES.sheet(Tally(players=tuple(DukeTally(name=name) for name in ("North", "East", "South"))))
    shown = podium(sheet, DUKES.outcome(sheet))
    assert [(place.place, place.seats) for place in shown.places] == [(1, (0, 1, 2))]
    assert not any(row.decided for row in shown.tie_breaks)


def test_the_ceremony_goes_step_by_step_to_the_podium(played: Session) -> None:
    tally = TallyModel(played)
    seen = []
    while (category := tally.view.category) is not None:
        seen.append(category.key)
        tally.next()
    assert seen == [category.key for category in tally.categories if not category.empty]
    assert tally.view.podium == tally.podium
    assert tally.view.step == tally.view.steps
    tally.next()
    tally.back()
    assert tally.view.category is not None
    tally.skip()
    assert tally.view.podium is not None


def test_a_game_is_written_out_in_every_form(played: Session, tmp_path: Path) -> None:
    tally = TallyModel(played)
    names = {form: tally.export(form, tmp_path / "out") for form in ("json", "history", "scores", "bgstats")}
    assert all(path is not None and path.stat().st_size > 100 for path in names.values())
    assert tally.bgstats_link().startswith("https://")
    (tmp_path / "blocked").write_text("")
    assert tally.export("json", tmp_path / "blocked") is None
    assert tally.view.message is not None
    assert tally.view.message.weight == "trouble"


def test_a_rematch_has_the_same_people(played: Session, past: Shelf) -> None:
    again = TallyModel(played).rematch(past)
    assert again is not None
    with again:
        assert again.setup.seats == SEATS
        assert again.id != played.id
        assert again.seq == 1


# The history


def test_undone_and_corrected_lines_are_marked(session: Session) -> None:
    session.dispatch(DrawTile(seat=3), "seat 3")
    session.undo()
    session.dispatch(Correction(why="found a coin", set={"dukes/0/coins": 1}), "correction")
    lines = HistoryModel(session).view.lines
    assert [(line.seq, line.mark, line.here, line.who) for line in lines] == [
        (4, "correction", True, "The table"),
        (3, "moved", False, "The table"),
        (2, "undone", False, "West"),
        (1, "", False, "The table"),
    ]
    assert HistoryModel(session).view.corrections == 1


def test_one_can_jump_back_to_any_line_and_nowhere_else(played: Session) -> None:
    history = HistoryModel(played)
    assert history.jump(5)
    assert history.view.lines[0].mark == "moved"
    assert next(line.seq for line in history.view.lines if line.here) == 5
    assert not history.jump(5)
    assert not history.jump(99999)
    assert history.view.message is not None


# The evenings


def test_past_games_make_records_and_series(past: Shelf) -> None:
    past.new("castle-dukes", Setup(seats=SEATS)).close()
    model = EveningsModel(past)
    view = model.view
    assert len(view.games) == 2
    assert sum(record.played for record in view.records) == 4
    assert sum(record.won for record in view.records) == sum(len(game.winners) for game in view.games)
    north = next(record for record in view.records if record.name == "North")
    totals = model.totals("castle-dukes", "North")
    assert [value for _, value in totals.points] == [game.totals[0] for game in reversed(view.games)]
    assert north.best == max(value for _, value in totals.points)
    assert north.average == sum(value for _, value in totals.points) / 2
    series = model.by_category("castle-dukes", "North")
    assert sum(line.points[0][1] for line in series) == totals.points[0][1]


def test_towers_grow_over_the_turns(past: Shelf, played: Session) -> None:
    growth = EveningsModel(past).growth(played.id)
    assert [line.label for line in growth] == list(SEATS)
    assert [when for when, _ in growth[0].points] == list(range(1, 10))
    state = played.state
    assert isinstance(state, State)
    assert [line.points[-1][1] for line in growth] == [max(heights(duke.castle)) for duke in state.dukes]


def test_a_game_nobody_can_read_is_said_and_the_others_are_shown(past: Shelf) -> None:
    (past.folder / f"broken{past.list()[0].path.suffix}").write_text("nothing")
    model = EveningsModel(past)
    assert len(model.view.games) == 2
    assert model.growth("nothing-here") == ()
    assert model.view.message is not None
