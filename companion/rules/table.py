"""What a table needs to see of a game, as plain data: who may do what now, the counters, a picture.

Any front end (touch screen, terminal, script) can run any game from these and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from companion.rules.base import Action

AskKind = Literal["number", "choice", "text", "entry", "list"]


class Option(Struct, frozen=True, kw_only=True):
    """One way to answer an Ask."""

    value: object
    label: str


class Ask(Struct, frozen=True, kw_only=True):
    """What the table must still say before a Choice is whole.

    `field` is a path in the action's JSON form (`bonus`, `cards/0/main`); `Game.answered` puts the answers there.
    `table` names the box table it comes from, where it comes out of the box. `entry` asks for a thing of that table:
    one of those known so far, or a new one made of `fields`; `part` names the part of a known entry that is the
    answer, where it is not the whole. `list` takes several of `options`, `low` to `high` of them, the same one more
    than once if need be. A `text` with `fields` can be told piece by piece: each of them is such a list, and `spelled`
    makes the text of what was picked.
    """

    field: str
    label: str
    kind: AskKind
    options: tuple[Option, ...] = ()
    low: int = 0
    high: int = 99
    table: str = ""
    part: str = ""
    fields: tuple[Ask, ...] = ()


def spelled(ask: Ask, picked: Iterable[Iterable[object]]) -> str:
    """The text that was told piece by piece: what was picked for each of the ask's `fields`, after that field.

    >>> dice = Ask(field="rolls", label="", kind="text", fields=(
    ...     Ask(field="wood", label="", kind="list"), Ask(field="gold", label="", kind="list")))
    >>> spelled(dice, [["1", "cow"], ["2"]])
    'wood 1 cow; gold 2'
    """
    return "; ".join(" ".join(map(str, (part.field, *own))) for part, own in zip(ask.fields, picked, strict=True))


class Reason(Struct, frozen=True, kw_only=True):
    """Why a move is not possible now, and where the rulebook says so."""

    why: str
    rule: str
    cite: str


class Choice(Struct, frozen=True, kw_only=True):
    """A move to offer. Ready to dispatch as it is, unless something is still asked for or it is refused.

    With `asks`, `action` carries stand-in values for the asked fields. A choice that `closes` ends what its seat is
    about: the button to set apart.
    """

    label: str
    action: Action
    asks: tuple[Ask, ...] = ()
    refused: Reason | None = None
    group: str = ""
    closes: bool = False

    @property
    def legal(self) -> bool:
        return self.refused is None


class Prompt(Struct, frozen=True, kw_only=True):
    """What one seat may or must do now. Seat None is the table as a whole; `secret` is for that seat's eyes.

    A `standing` prompt is there all game long, for what can happen at any time; nobody waits for it.
    """

    seat: int | None
    text: str
    rule: str
    choices: tuple[Choice, ...]
    must: bool = False
    secret: bool = False
    standing: bool = False


class Counter(Struct, frozen=True, kw_only=True):
    """A number people watch. `limit` is where it must stop."""

    key: str
    label: str
    value: int
    seat: int | None = None
    limit: int | None = None
    group: str = ""


class PhaseMark(Struct, frozen=True, kw_only=True):
    """One step of the phase strip."""

    label: str
    status: Literal["past", "now", "ahead"]


class Piece(Struct, frozen=True, kw_only=True):
    """A thing in the picture: `kind` names its icon."""

    kind: str
    label: str = ""
    count: int = 1


class Row(Struct, frozen=True, kw_only=True):
    """A labelled row of pieces, such as one level of a tower."""

    label: str
    pieces: tuple[Piece, ...]


class Panel(Struct, frozen=True, kw_only=True):
    """A titled part of the picture: a seat's castle, a market. `secret` is for that seat's eyes."""

    title: str
    rows: tuple[Row, ...]
    seat: int | None = None
    secret: bool = False


class Picture(Struct, frozen=True, kw_only=True):
    """The state as everyone at the table sees it."""

    headline: str
    phases: tuple[PhaseMark, ...]
    counters: tuple[Counter, ...]
    panels: tuple[Panel, ...]
