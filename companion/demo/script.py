"""The evening as it is meant to go: what the hands do on the table, what that is in the game, and what is said.

Each step is played by `playing` on a screen or at the terminal. An `Act` waits for the senses: what they find is
answered if it is what was done, and booked by hand if it is not.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.demo.game import NORTH, SOUTH
from companion.rules.base import Action
from companion.rules.castle_dukes.actions import (
    BuildRoom,
    Crumble,
    DrawChits,
    FaceDragon,
    FinishBuilding,
    Lose,
    PickChit,
    PlacePillars,
    PlaceTile,
    RevealGuests,
    Settle,
    TakeDown,
)
from companion.rules.castle_dukes.state import Chit, GuestCard
from companion.sensing.streams import Kind

Scene = Literal["table", "game", "tally"]
"""What is looked at: the live table, the game on its own screen, the tally."""


class Look(Struct, frozen=True, kw_only=True):
    """Look at something for a while. A picture of the table is kept under the `name`."""

    caption: str
    at: Scene
    name: str
    seconds: float = 2.0


class Act(Struct, frozen=True, kw_only=True):
    """A hand does something that the senses should find. `move` is what it is in the game."""

    caption: str
    hand: str
    move: Action

    @property
    def kind(self) -> Kind:
        """The kind of event it should be sensed as."""
        if isinstance(self.move, Crumble):
            return "collapse"
        return "removed" if isinstance(self.move, Lose) else "placed"

    @property
    def seat(self) -> int:
        """Whose castle it is about."""
        seat: int = getattr(self.move, "seat", 0)
        return seat

    @property
    def count(self) -> int:
        """How many pieces it is about."""
        return self.move.count if isinstance(self.move, PlacePillars) else 1


class Tidy(Struct, frozen=True, kw_only=True):
    """A hand does something that is nothing in the game."""

    caption: str
    hand: str


class Moves(Struct, frozen=True, kw_only=True):
    """What is touched on the screen of the game, one move after the other."""

    caption: str
    moves: tuple[Action, ...]


Step = Look | Act | Tidy | Moves


class Chapter(Struct, frozen=True, kw_only=True):
    """A part of the evening. What is not begun by then, counted from when the table was up, is only booked."""

    title: str
    by_s: float
    steps: tuple[Step, ...]


_SOUTHS_CHITS = (
    Chit(kind="tile"), Chit(kind="decor"), Chit(kind="character"), Chit(kind="decor", count=2), Chit(kind="pillar"),
)  # fmt: skip
_NORTHS_CHITS = (
    Chit(kind="room"), Chit(kind="decor"), Chit(kind="character"), Chit(kind="decor"), Chit(kind="pillar", count=2),
)  # fmt: skip

_SOUTH_BUILDS: tuple[Step, ...] = (
    Look(
        caption="Two dukes, two empty boards, the last turn of the game. The table counts by itself.",
        at="table", seconds=3.0, name="empty",
    ),
    Act(
        caption="South lays a base tile.",
        hand="place tile on left", move=PlaceTile(seat=SOUTH, tower="left"),
    ),
    Act(
        caption="South stands three pillars on it.",
        hand="place 3 pillars on left", move=PlacePillars(seat=SOUTH, tower="left", level=1, count=3),
    ),
    Act(
        caption="South builds the second level.",
        hand="place tile on left", move=PlaceTile(seat=SOUTH, tower="left"),
    ),
    Act(
        caption="South moves the Great Hall in.",
        hand="place room on left", move=BuildRoom(seat=SOUTH, tower="left", level=2),
    ),
)  # fmt: skip

_NORTH_BUILDS: tuple[Step, ...] = (
    Act(
        caption="North lays a base tile.",
        hand="north: place tile on left", move=PlaceTile(seat=NORTH, tower="left"),
    ),
    Act(
        caption="North stands three pillars on it.",
        hand="north: place 3 pillars on left", move=PlacePillars(seat=NORTH, tower="left", level=1, count=3),
    ),
    Act(
        caption="North builds the second level.",
        hand="north: place tile on left", move=PlaceTile(seat=NORTH, tower="left"),
    ),
    Act(
        caption="North moves the Strongroom in.",
        hand="north: place room on left", move=BuildRoom(seat=NORTH, tower="left", level=2),
    ),
    Look(caption="Two castles stand. This is what the camera reads of them.", at="table", name="built"),
)  # fmt: skip

_ACCIDENT: tuple[Step, ...] = (
    Act(caption="South reaches across, and catches the tower.", hand="knock left", move=Crumble(seat=SOUTH)),
    Look(caption="This is what is left of it. The table is read anew.", at="table", name="fallen", seconds=5.0),
    Moves(
        caption="South takes down what fell.",
        moves=(TakeDown(seat=SOUTH, what="tile", tower="left", level=2),),
    ),
    Tidy(caption="The board is cleared.", hand="clear board"),
    Act(
        caption="The Great Hall goes one level down.",
        hand="place room on left", move=BuildRoom(seat=SOUTH, tower="left", level=1),
    ),
    Moves(caption="South's castle stands again.", moves=(Settle(seat=SOUTH),)),
    Act(
        caption="South begins a second tower.",
        hand="place tile on right", move=PlaceTile(seat=SOUTH, tower="right"),
    ),
)  # fmt: skip

_DRAGON: tuple[Step, ...] = (
    Moves(
        caption="Both have built. The guest card shows a king, and fire.",
        moves=(
            FinishBuilding(seat=SOUTH),
            FinishBuilding(seat=NORTH),
            RevealGuests(cards=(GuestCard(main="king", small="princess", fire=True),)),
        ),
    ),
    Moves(
        caption="The dragon comes. South draws its chits, and must give up a tile.",
        moves=(
            FaceDragon(seat=SOUTH, rating="defence"),
            FaceDragon(seat=NORTH, rating="defence"),
            DrawChits(seat=SOUTH, chits=_SOUTHS_CHITS),
            PickChit(seat=SOUTH, chit=0),
        ),
    ),
    Act(
        caption="South takes the second tower off the board.",
        hand="remove tile from right", move=Lose(seat=SOUTH, what="tile", tower="right", level=1),
    ),
    Moves(
        caption="The dragon finds no more in South's castle. North must give up a room.",
        moves=(
            *(PickChit(seat=SOUTH, chit=chit) for chit in (1, 2, 3)),
            DrawChits(seat=NORTH, chits=_NORTHS_CHITS),
            PickChit(seat=NORTH, chit=0),
        ),
    ),
    Act(
        caption="North takes the Strongroom out.",
        hand="north: remove room from left", move=Lose(seat=NORTH, what="room", tower="left", level=2),
    ),
    Look(caption="This is what the dragon left.", at="table", name="burnt"),
    Moves(
        caption="The dragon is gone. The king looks for a room.",
        moves=tuple(PickChit(seat=NORTH, chit=chit) for chit in (1, 2, 3)),
    ),
)  # fmt: skip

_TALLY: tuple[Step, ...] = (Look(caption="The game is over: the tally.", at="tally", name="tally", seconds=4.0),)

EVENING: tuple[Chapter, ...] = (
    Chapter(title="South builds", by_s=80.0, steps=_SOUTH_BUILDS),
    Chapter(title="North builds", by_s=95.0, steps=_NORTH_BUILDS),
    Chapter(title="The accident", by_s=140.0, steps=_ACCIDENT),
    Chapter(title="The dragon", by_s=165.0, steps=_DRAGON),
    Chapter(title="The tally", by_s=165.0, steps=_TALLY),
)
"""On a machine that keeps the table's time all of it takes two minutes and a half; a slower one skips what it must."""
