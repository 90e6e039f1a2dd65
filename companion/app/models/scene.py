"""The table at one moment, as data to draw."""

from __future__ import annotations

from msgspec import Struct

from companion.app.models.asking import AskingView
from companion.app.models.counters import CounterView
from companion.app.models.model import Message
from companion.app.models.places import Place
from companion.app.models.prompts import PromptView
from companion.app.models.steps import Button
from companion.rules.table import Panel, PhaseMark


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat. `colour` is its number in the palette; an automatic opponent has no `place` and no clock."""

    seat: int
    name: str
    colour: int
    place: Place | None
    active: bool
    counters: tuple[CounterView, ...]
    clock: str = ""
    turn: str = ""


class TailLine(Struct, frozen=True, kw_only=True):
    """One of the last lines of the history."""

    seq: int
    label: str
    kind: str
    stands: bool


class Curtain(Struct, frozen=True, kw_only=True):
    """The screen goes to one seat: `text` asks for it, `open` shows what is for its eyes, `cancel` goes back."""

    seat: int | None
    text: str
    open: str
    cancel: str


class TableView(Struct, frozen=True, kw_only=True):
    """The table at one moment. `prompts` are in order: what must be done, what may be, what is always there.

    While `opened` is a seat, it sees its secrets and `hide` ends that.
    """

    game: str
    title: str
    headline: str
    phases: tuple[PhaseMark, ...]
    seats: tuple[SeatView, ...]
    counters: tuple[CounterView, ...]
    panels: tuple[Panel, ...]
    prompts: tuple[PromptView, ...]
    facts: tuple[str, ...]
    tail: tuple[TailLine, ...]
    undo: Button | None
    redo: Button | None
    message: Message | None
    dismiss: str
    asking: AskingView | None
    curtain: Curtain | None
    opened: int | None
    hide: str
    clock: str
    paused: bool
    over: bool
    read_only: str

    def of(self, seat: int | None) -> tuple[PromptView, ...]:
        """What one seat, or the table, is asked."""
        return tuple(prompt for prompt in self.prompts if prompt.seat == seat)
