"""Past evenings: the games that were played to their end, who won how often, and how scores went."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from companion.app.models.model import Message, Model, Translate, plain
from companion.errors import CompanionError
from companion.rules.castle_dukes.castle import heights
from companion.rules.castle_dukes.state import State as DukesState
from companion.rules.scores import Outcome, ScoreSheet
from companion.session import snapshots
from companion.session.journal import Journal
from companion.session.session import Session
from companion.session.shelf import Saved, Shelf


class PastGame(Struct, frozen=True, kw_only=True):
    """One finished game. `people` is how many of the names are people; an automatic opponent is the last name."""

    id: str
    game: str
    title: str
    at_ms: int
    minutes: int
    names: tuple[str, ...]
    people: int
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    text: str
    categories: tuple[tuple[str, tuple[int, ...]], ...]


class Record(Struct, frozen=True, kw_only=True):
    """How one person has done in one game. A shared win counts as a win."""

    name: str
    game: str
    title: str
    played: int
    won: int
    best: int
    average: float


class Series(Struct, frozen=True, kw_only=True):
    """A line of a plot: a value at each place along the way."""

    label: str
    points: tuple[tuple[int, int], ...]


class EveningsView(Struct, frozen=True, kw_only=True):
    """Everything played, the last first, and what could not be read."""

    games: tuple[PastGame, ...]
    records: tuple[Record, ...]
    unread: tuple[str, ...]
    message: Message | None


Growth = Callable[[Any], tuple[int, tuple[int, ...]]]
"""How far a game is, and the measure of each seat at that time."""


class EveningsModel(Model):
    """The finished games of the shelf. Each is read once."""

    def __init__(self, shelf: Shelf, t: Translate = plain) -> None:
        super().__init__(t)
        self.shelf = shelf
        self.message: Message | None = None
        self._read: dict[tuple[str, int], PastGame | str] = {}

    @property
    def view(self) -> EveningsView:
        found = [self._past(saved) for saved in self.shelf.list() if saved.over and not saved.problem]
        games = tuple(game for game in found if isinstance(game, PastGame))
        return EveningsView(
            games=games,
            records=records(games),
            unread=tuple(problem for problem in found if isinstance(problem, str)),
            message=self.message,
        )

    def totals(self, game: str, name: str) -> Series:
        """A person's totals over the games of one box, the first game first."""
        own = self._of(game, name)
        return Series(label=name, points=tuple((place, total) for place, (_, total) in enumerate(own, start=1)))

    def by_category(self, game: str, name: str) -> tuple[Series, ...]:
        """A person's points in each category over the games of one box."""
        played = self._of(game, name)
        labels = dict.fromkeys(label for past, _ in played for label, _ in past.categories)
        return tuple(Series(label=label, points=_points(played, label, name)) for label in labels)

    def growth(self, id: str) -> tuple[Series, ...]:
        """How each seat's measure grew over a game: of Castle Dukes, the highest tower over the turns."""
        try:
            with self.shelf.open(id, read_only=True) as session:
                measure = GROWTHS.get(session.game.info.id)
                return _growth(session, measure) if measure else ()
        except CompanionError as error:
            self.message = self.trouble(error)
            self.changed()
            return ()

    def _of(self, game: str, name: str) -> list[tuple[PastGame, int]]:
        games = [past for past in reversed(self.view.games) if past.game == game and name in past.names[: past.people]]
        return [(past, past.totals[past.names.index(name)]) for past in games]

    def _past(self, saved: Saved) -> PastGame | str:
        key = (saved.id, saved.touched_ms)
        if key not in self._read:
            self._read[key] = self._opened(saved)
        return self._read[key]

    def _opened(self, saved: Saved) -> PastGame | str:
        try:
            with self.shelf.open(saved.id, read_only=True) as session:
                sheet = session.score()
                return self._told(saved, session, sheet, session.game.outcome(sheet))
        except CompanionError as error:
            return self.t(str(error))

    def _told(self, saved: Saved, session: Session, sheet: ScoreSheet, outcome: Outcome) -> PastGame:
        return PastGame(
            id=saved.id,
            game=saved.game,
            title=self.t(saved.title),
            at_ms=saved.touched_ms,
            minutes=round(session.clocks.table_s / 60),
            names=sheet.names,
            people=len(saved.seats),
            totals=sheet.totals,
            winners=outcome.winners,
            text=self.t(outcome.text),
            categories=tuple((self.t(_label(sheet, key)), _by_seat(sheet, key)) for key in sheet.keys),
        )


def _label(sheet: ScoreSheet, key: str) -> str:
    return next(line.label for line in sheet.lines if line.key == key)


def _by_seat(sheet: ScoreSheet, key: str) -> tuple[int, ...]:
    return tuple(
        sum(line.points for line in sheet.lines if line.key == key and line.seat == seat)
        for seat in range(len(sheet.names))
    )


def _points(played: Sequence[tuple[PastGame, int]], label: str, name: str) -> tuple[tuple[int, int], ...]:
    return tuple(
        (place, dict(past.categories)[label][past.names.index(name)])
        for place, (past, _) in enumerate(played, start=1)
        if label in dict(past.categories)
    )


def records(games: Sequence[PastGame]) -> tuple[Record, ...]:
    """Each person's record in each game, most wins first."""
    results: dict[tuple[str, str, str], list[tuple[int, bool]]] = {}
    for past in games:
        for seat, name in enumerate(past.names[: past.people]):
            result = (past.totals[seat], seat in past.winners)
            results.setdefault((name, past.game, past.title), []).append(result)
    found = [
        Record(
            name=name,
            game=game,
            title=title,
            played=len(own),
            won=sum(won for _, won in own),
            best=max(total for total, _ in own),
            average=sum(total for total, _ in own) / len(own),
        )
        for (name, game, title), own in results.items()
    ]
    return tuple(sorted(found, key=lambda record: (-record.won, -record.played, record.name, record.game)))


def _growth(session: Session, measure: Growth) -> tuple[Series, ...]:
    """The last measure of each step along the lines that still stand."""
    standing = {line.seq for line in session.history() if line.stands}
    steps: dict[int, tuple[int, ...]] = {}
    with Journal.open(session.path, read_only=True) as journal:
        for row in journal.rows():
            state = snapshots.unpack(row.state, session.game) if row.seq in standing and row.state else None
            if state is not None:
                when, values = measure(state)
                steps[when] = values
    return tuple(
        Series(label=name, points=tuple((when, values[seat]) for when, values in sorted(steps.items())))
        for seat, name in enumerate(session.cover.seats)
    )


def _towers(state: DukesState) -> tuple[int, tuple[int, ...]]:
    return state.turn, tuple(max(heights(duke.castle)) for duke in state.dukes)


GROWTHS: dict[str, Growth] = {"castle-dukes": _towers}
