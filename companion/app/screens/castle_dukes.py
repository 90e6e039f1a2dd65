"""Castle Dukes in the middle of the table: the castle with its barbican, the room board, the dragon, the guests.

What is drawn can be touched: a tower offers what can be done at its levels, a slot of the board is bought.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.models.castle_dukes import DukesView, DukeView, LevelView, TowerView, dukes_view, refused_at
from companion.app.models.prompts import ChoiceView, GroupView, PromptView
from companion.app.models.scene import TableView
from companion.app.screens.barbican import Barbican, Inventory
from companion.app.screens.board import RoomBoard
from companion.app.screens.centre import Asked, Centre, Doings
from companion.app.screens.dragon import DragonChart
from companion.app.screens.towers import CastlePicture, tower_name
from companion.app.screens.visitors import GuestRow
from companion.app.widgets.kept import Kept
from companion.app.widgets.look import steps
from companion.app.widgets.pictures import SeatBadge
from companion.app.widgets.scrolling import column
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.surfaces import Panel
from companion.app.words import _
from companion.rules.castle_dukes import actions as do
from companion.rules.castle_dukes.state import State

_IN_CASTLE = (
    do.PlaceTile, do.PlaceRoof, do.PlacePillars, do.BuildRoom, do.FurnishRoom, do.ArmTop, do.TakeDown,
)  # fmt: skip
_ON_BOARD = (do.TakeRoom, do.NameRoom)
_BOARD_SHARE = 0.64
_CASTLE_SHARE = 0.56
_DRAGON_SHARE = 0.64
_TALL_SHARE = 0.55
_ROOMY_DP = 420
_DIALS_DP = 80
_CASTLE_DP = 216
_CHART_DP = 132
_GUESTS_DP = 56
_STORES_DP = 34
_ESTATE_STEPS = 42


class DukesCentre(Centre):
    """The middle of a game of Castle Dukes, seen by one duke."""

    def __init__(self, do: Doings, **properties: Any) -> None:
        super().__init__(do, **properties)
        self._dukes: DukesView | None = None
        self._duke: DukeView | None = None
        self._at: TableView | None = None
        self._seen: tuple[State | None, tuple[PromptView, ...]] = (None, ())
        self.castle = CastlePicture(size_hint=(None, None))
        self.castle.bind(on_tower=lambda __, tower, level: self._open_tower(tower, level))
        self.board = RoomBoard(do.touch, size_hint=(None, None))
        self.barbican = Barbican(size_hint=(None, None))
        self.stores = Inventory(size_hint=(None, None))
        self.chart = DragonChart(size_hint=(None, None))
        self.guests = GuestRow(size_hint=(None, None))
        self._stage = (self.castle, self.board, self.barbican, self.stores, self.chart, self.guests)
        self._placed: list[Any] = []
        for part in self._stage:
            self._area.add_widget(Kept(part))

    # Filling

    def show(self, view: TableView, seat: int | None) -> None:
        self._at = view
        self._look_at(self.do.state(), view)
        dukes = self._dukes.dukes if self._dukes else ()
        self._duke = next((duke for duke in dukes if duke.seat == seat), dukes[0] if dukes else None)
        super().show(view, seat)
        if self._dukes is not None and self._duke is not None:
            self._show_stage(self._dukes, self._duke)

    def _look_at(self, state: State | None, view: TableView) -> None:
        """Works out anew what there is to see, unless nothing but time has passed."""
        if state is None:
            self._dukes = None
        elif self._dukes is None or state is not self._seen[0] or view.prompts is not self._seen[1]:
            self._dukes = dukes_view(state, view, _)
        self._seen = (state, view.prompts)

    def _show_stage(self, dukes: DukesView, duke: DukeView) -> None:
        changes = self._changes(duke.seat)
        self.castle.duke, self.castle.dragon = duke, dukes.dragon
        self.castle.heights = {tower: mm for (seat, tower), mm in self.measured.items() if seat == duke.seat}
        self.barbican.show(duke, changes)
        self.stores.show(duke)
        self.board.show(dukes.boards)
        self.chart.show(duke)
        self.guests.show(dukes)

    def _changes(self, seat: int) -> dict[str, int]:
        seats = self._at.seats if self._at else ()
        own = next((one for one in seats if one.seat == seat), None)
        return {counter.key: counter.change for counter in own.counters} if own else {}

    def groups(self, now: Asked) -> Iterable[GroupView]:
        """What is drawn is not listed twice: slots never, places in the castle only where there is room for them."""
        drawn = drawn_moves(self._duke) if self._duke and self._dukes and not self._dukes.light else frozenset()
        hidden = False
        for group in super().groups(now):
            kept = tuple(choice for choice in group.choices if self._listed(choice, drawn))
            hidden = hidden or any(choice.legal for choice in group.choices if choice not in kept)
            if kept:
                yield GroupView(title=group.title, choices=kept)
        if hidden:
            words = (
                _("Touch a room to take it.") if self._on_board else _("Touch a tower to see what can be done there.")
            )
            yield GroupView(title=words, choices=())

    def _listed(self, choice: ChoiceView, drawn: frozenset[str]) -> bool:
        if self._on_board and isinstance(choice.action, _ON_BOARD):
            return False
        if choice.id not in drawn or not isinstance(choice.action, _IN_CASTLE):
            return True
        return choice.legal and self.height >= dp(_ROOMY_DP)

    @property
    def _on_board(self) -> bool:
        return self._dukes is not None and self._dukes.phase == "room" and not self._dukes.light

    # A tower under a finger

    def _open_tower(self, id: str, level: int) -> None:
        duke = self._duke
        if duke is None:
            return
        tower = next(tower for tower in duke.towers if tower.tower == id)
        state: State = self.do.state()
        groups = tuple(tower_groups(duke, tower, level))
        if not any(group.choices for group in groups) and not state.over:
            reasons = refused_at(state, duke.seat, tower.tower, _)
            groups += tuple(GroupView(title=reason, choices=()) for reason in reasons)
        self.do.unfold(tower_name(id), groups)

    # Where things go

    def place(self, x: float, y: float, width: float, height: float) -> None:
        self._placed.clear()
        self._place_all(x, y, width, height)
        for part in self._stage:
            if part not in self._placed:
                part.size, part.opacity = (0, 0), 0

    def _place_all(self, x: float, y: float, width: float, height: float) -> None:
        if self._dukes is None or self._dukes.light:
            super().place(x, y, width, height)
            return
        gap = steps(1)
        if width >= height:
            share = width * self._share
            self._place_stage(x, y, share, height)
            self.place_asked(x + share + gap, y, width - share - gap, height, counters=False)
        else:
            share = height * _TALL_SHARE
            self._place_stage(x, y + height - share, width, share)
            self.place_asked(x, y, width, height - share - gap, counters=False)

    @property
    def _share(self) -> float:
        if self._on_board:
            return _BOARD_SHARE
        return _DRAGON_SHARE if self._dukes is not None and self._dukes.dragon else _CASTLE_SHARE

    def _place_stage(self, x: float, y: float, width: float, height: float) -> None:
        if self._on_board:
            self._put(self.board, x, y, width, height)
            return
        assert self._dukes is not None
        gap, top = steps(1), y + height
        if self._dukes.guests:
            top -= dp(_GUESTS_DP)
            self._put(self.guests, x, top, width, dp(_GUESTS_DP))
            top -= gap / 2
        if self.stores.bits:
            self._put(self.stores, x, y, width, dp(_STORES_DP))
            y += dp(_STORES_DP) + gap / 2
        beside = self._beside(width, top - y)
        if beside:
            self._put(self.chart if self._dukes.dragon else self.barbican, x, y, beside, top - y)
            x, width = x + beside + gap, width - beside - gap
        self._put(self.castle, x, y, width, top - y)

    def _beside(self, width: float, height: float) -> float:
        """How wide the chart or the dials beside the castle are; none where the towers would get too narrow."""
        if self._dukes is not None and self._dukes.dragon:
            return max(float(dp(_CHART_DP)), width * 0.38)
        dials = min(float(dp(_DIALS_DP)) * 1.5, (height - 2 * steps(1)) / 3, width * 0.3)
        return dials if width - dials - steps(1) >= dp(_CASTLE_DP) else 0.0

    def _put(self, part: Any, x: float, y: float, width: float, height: float) -> None:
        self._placed.append(part)
        part.opacity, part.pos, part.size = 1, (x, y), (max(1, width), max(1, height))

    # Everything at a glance

    def pictures(self, view: TableView, seat: int) -> list[Widget]:
        dukes = self._dukes
        if dukes is None or dukes.light or seat >= len(dukes.dukes):
            return super().pictures(view, seat)
        return [_Estate(dukes.dukes[seat], named=False)]

    def overview(self, view: TableView) -> Sheet:
        """The guests and the board, and all castles side by side."""
        dukes = self._dukes
        if dukes is None or dukes.light:
            return super().overview(view)
        body = column(spacing=steps(2))
        if dukes.guests:
            guests = GuestRow(size_hint_y=None, height=dp(_GUESTS_DP))
            guests.show(dukes)
            body.add_widget(guests)
        board = RoomBoard(lambda __: None, size_hint_y=None, height=steps(18) * len(dukes.boards))
        board.show(dukes.boards)
        board.disabled = True
        body.add_widget(board)
        body.add_widget(_Estates(dukes))
        return Sheet(title=view.headline, body=body)


class _Estates(GridLayout):
    """All castles, as many side by side as can be made out."""

    def __init__(self, dukes: DukesView) -> None:
        super().__init__(cols=1, spacing=steps(1.5), size_hint_y=None)
        for duke in dukes.dukes:
            self.add_widget(_Estate(duke, named=True))
        self.bind(minimum_height=self.setter("height"), width=self._shape)

    def _shape(self, *__: Any) -> None:
        self.cols = max(1, min(len(self.children), int(self.width // steps(_ESTATE_STEPS))))


class _Estate(Panel):
    """One duke's castle by itself, with its dials and stores."""

    def __init__(self, duke: DukeView, named: bool) -> None:
        super().__init__(kind="raised", size_hint_y=None, height=steps(_ESTATE_STEPS))
        if named:
            badge = SeatBadge(seat=duke.seat, name=duke.name, size_hint_y=None, height=steps(4))
            self.add_widget(badge)
        picture = BoxLayout(spacing=steps(1))
        dials = Barbican(size_hint_x=0.22)
        dials.show(duke, {})
        picture.add_widget(dials)
        castle = CastlePicture(touchable=False)
        castle.duke = duke
        picture.add_widget(castle)
        self.add_widget(picture)
        stores = Inventory(size_hint_y=None, height=dp(_STORES_DP))
        stores.show(duke)
        self.add_widget(stores)


def tower_groups(duke: DukeView, tower: TowerView, touched: int) -> Iterator[GroupView]:
    """What can be done at a tower, level by level: the touched one first, then from the top down."""
    levels = sorted(tower.levels, key=lambda level: (level.level != touched, -level.level))
    top = GroupView(title=_("On top"), choices=tower.next)
    groups = [_level_group(level) for level in levels]
    ordered = [top, *groups] if touched == 0 else [*groups[:1], top, *groups[1:]]
    yield from (group for group in ordered if group.choices)
    if tower.tower != "middle":
        for bridge in duke.bridges:
            if bridge.choices:
                yield GroupView(title=_("Bridge on level {n}").format(n=bridge.level), choices=bridge.choices)
    if not any(group.choices for group in ordered):
        yield GroupView(title=_("There is nothing to do here now."), choices=())


def drawn_moves(duke: DukeView) -> frozenset[str]:
    """The ids of the moves that belong to a place in a castle."""
    towers = [choice.id for tower in duke.towers for choice in tower.next]
    levels = [choice.id for tower in duke.towers for level in tower.levels for choice in level.choices]
    return frozenset((*towers, *levels, *(choice.id for bridge in duke.bridges for choice in bridge.choices)))


def _level_group(level: LevelView) -> GroupView:
    rooms = ", ".join(room.text for room in level.rooms)
    title = _("Level {n}").format(n=level.level)
    return GroupView(title=f"{title}: {rooms}" if rooms else title, choices=level.choices)
