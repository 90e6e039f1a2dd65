"""The end of a game as a ceremony: category by category, last place first, then the podium."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.app.models.model import Message, Model, Translate, plain
from companion.errors import CompanionError
from companion.rules.scores import Line, Outcome, ScoreSheet
from companion.session import bgstats, exchange
from companion.session.session import Session
from companion.session.shelf import Shelf
from companion.session.trouble import told

Form = Literal["json", "history", "scores", "bgstats"]


class Bar(Struct, frozen=True, kw_only=True):
    """One seat in the bar race. `length` is 0 to 1 of the best final total."""

    seat: int
    name: str
    total: int
    length: float


class TallyLine(Struct, frozen=True, kw_only=True):
    """What one seat gets in a category: how many, for how many points, and why. `tied` shares its points."""

    seat: int
    name: str
    count: int
    points: int
    why: str
    tied: bool


class Category(Struct, frozen=True, kw_only=True):
    """One category, last place first, and the totals after it. `empty`: nobody scores anything in it."""

    key: str
    label: str
    lines: tuple[TallyLine, ...]
    bars: tuple[Bar, ...]
    empty: bool


class PodiumPlace(Struct, frozen=True, kw_only=True):
    """One place, shared by all of its seats."""

    place: int
    seats: tuple[int, ...]
    names: tuple[str, ...]
    total: int


class TieBreakRow(Struct, frozen=True, kw_only=True):
    """What was compared between those level on points; `decided` marks the comparison that told them apart."""

    label: str
    values: tuple[tuple[str, int], ...]
    decided: bool


class Podium(Struct, frozen=True, kw_only=True):
    """How it ended. `tie_breaks` is empty where points alone decided."""

    places: tuple[PodiumPlace, ...]
    winners: tuple[int, ...]
    text: str
    verdict: str
    tie_breaks: tuple[TieBreakRow, ...]


class TallyView(Struct, frozen=True, kw_only=True):
    """Where the ceremony is: a category, or after the last one the podium."""

    title: str
    step: int
    steps: int
    category: Category | None
    podium: Podium | None
    message: Message | None


class TallyModel(Model):
    """The ceremony of one finished game."""

    def __init__(self, session: Session, t: Translate = plain) -> None:
        super().__init__(t)
        self.session = session
        self.message: Message | None = None
        sheet = session.score()
        self.categories = categories(sheet, t)
        self.podium = podium(sheet, session.game.outcome(sheet), t)
        self._told = tuple(category for category in self.categories if not category.empty)
        self._at = 0

    @property
    def view(self) -> TallyView:
        over = self._at >= len(self._told)
        return TallyView(
            title=self.t(self.session.game.info.title),
            step=min(self._at, len(self._told)) + 1,
            steps=len(self._told) + 1,
            category=None if over else self._told[self._at],
            podium=self.podium if over else None,
            message=self.message,
        )

    def next(self) -> None:
        self._go(self._at + 1)

    def back(self) -> None:
        self._go(self._at - 1)

    def skip(self) -> None:
        """Straight to the podium."""
        self._go(len(self._told))

    def _go(self, step: int) -> None:
        self._at = max(0, min(step, len(self._told)))
        self.message = None
        self.changed()

    # Afterwards

    def export(self, form: Form, folder: Path) -> Path | None:
        """Write the game out into a folder. Where it is now, or what went wrong, is said."""
        name, data = _FORMS[form]
        path = folder / f"{self.session.id}{name}"
        try:
            with told(path):
                folder.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data(self.session))
        except CompanionError as error:
            self.message = self.trouble(error)
            self.changed()
            return None
        self.message = Message(text=self.t("Written to {file}.").format(file=path))
        self.changed()
        return path

    def bgstats_link(self) -> str:
        """An address that opens BG Stats with this play filled in, for a code to scan."""
        return bgstats.link(self.session)

    def rematch(self, shelf: Shelf) -> Session | None:
        """The same people and options again; what the box was found to hold meanwhile comes with it."""
        try:
            return shelf.new(self.session.game.info.id, replace(self.session.setup, box={}))
        except CompanionError as error:
            self.message = self.trouble(error)
            self.changed()
            return None


def _json(session: Session) -> bytes:
    out = io.BytesIO()
    exchange.export_json(session, out)
    return out.getvalue()


_FORMS: dict[Form, tuple[str, Callable[[Session], bytes]]] = {
    "json": (".json", _json),
    "history": ("-history.csv", lambda session: exchange.history_csv(session).encode()),
    "scores": ("-scores.csv", lambda session: exchange.score_csv(session).encode()),
    "bgstats": ("-bgstats.json", bgstats.play_json),
}


# From a score sheet


def categories(sheet: ScoreSheet, t: Translate = plain) -> tuple[Category, ...]:
    """Every category in the order it is scored, with the running totals."""
    so_far = [0] * len(sheet.names)
    best = max(1, *sheet.totals)
    found = []
    for key in sheet.keys:
        lines = [line for line in sheet.lines if line.key == key]
        for line in lines:
            so_far[line.seat] += line.points
        found.append(
            Category(
                key=key,
                label=t(lines[0].label),
                lines=_last_first(sheet, lines, t),
                bars=tuple(_bar(sheet, seat, total, best) for seat, total in enumerate(so_far)),
                empty=not any(line.points for line in lines),
            )
        )
    return tuple(found)


def _last_first(sheet: ScoreSheet, lines: list[Line], t: Translate) -> tuple[TallyLine, ...]:
    ordered = sorted(lines, key=lambda line: (line.points, line.count, -line.seat))
    return tuple(
        TallyLine(
            seat=line.seat,
            name=sheet.names[line.seat],
            count=line.count,
            points=line.points,
            why=t(line.why),
            tied=" tied " in line.why,
        )
        for line in ordered
    )


def _bar(sheet: ScoreSheet, seat: int, total: int, best: int) -> Bar:
    return Bar(seat=seat, name=sheet.names[seat], total=total, length=max(0.0, min(1.0, total / best)))


def podium(sheet: ScoreSheet, outcome: Outcome, t: Translate = plain) -> Podium:
    """The places, and the tie-break where one was needed."""
    places, place = [], 1
    for group in outcome.ranking:
        names = tuple(sheet.names[seat] for seat in group)
        places.append(PodiumPlace(place=place, seats=group, names=names, total=sheet.total(group[0])))
        place += len(group)
    return Podium(
        places=tuple(places),
        winners=outcome.winners,
        text=t(outcome.text),
        verdict=t(outcome.verdict),
        tie_breaks=_tie_breaks(sheet, outcome, t),
    )


def _tie_breaks(sheet: ScoreSheet, outcome: Outcome, t: Translate) -> tuple[TieBreakRow, ...]:
    """The comparisons between those who lead on points, down to the one that decided."""
    best = max(sheet.totals)
    level = [seat for seat, total in enumerate(sheet.totals) if total == best]
    rows: list[TieBreakRow] = []
    for tie_break in sheet.tie_breaks if len(level) > 1 and outcome.winners[0] in level else ():
        decided = tie_break.label == outcome.decided_by
        values = tuple((sheet.names[seat], tie_break.values[seat]) for seat in level)
        rows.append(TieBreakRow(label=t(tie_break.label), values=values, decided=decided))
        if decided:
            break
    return tuple(rows)
