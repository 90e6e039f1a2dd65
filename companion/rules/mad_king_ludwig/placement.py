"""Where a tile may lie, why not elsewhere, and what it would bring: rules 1 to 8 for placing rooms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.castle import Contact
from companion.rules.mad_king_ludwig.geometry import EAST, NORTH, SOUTH, WEST, Board, Lying, Masks, outline, turns
from companion.rules.mad_king_ludwig.rooms import RoomTile
from companion.rules.mad_king_ludwig.scoring_steps import PointLine, placing_lines
from companion.rules.mad_king_ludwig.state import Castle, Spot

_FARTHEST = 200
_SIDE_WORDS = {NORTH: "above", EAST: "right of", SOUTH: "below", WEST: "left of"}


class Objection(NamedTuple):
    """Which placing rule a spot breaks, in words. `final`: two pieces of wood cannot be in one place."""

    rule: str
    why: str
    final: bool = False


class Preview(NamedTuple):
    """What placing a room would bring: each point with its reason, and the rooms it would complete.

    `completes` are indexes in the castle with the new room in it.
    """

    spot: Spot
    lines: tuple[PointLine, ...]
    contact: Contact
    completes: tuple[int, ...]

    @property
    def points(self) -> int:
        return sum(line.points for line in self.lines)


# Legal or not


def objection(castle: Castle, room: str, spot: Spot) -> Objection | None:
    """Why a room may not lie in a spot, or None."""
    here, lie = castles.board(castle), castles.lying(castle, room, spot)
    rule = _broken_rule(here, lie)
    if rule is None:
        return None
    over = here.overlapped(lie, here.placed(lie)) if rule == "place.overlap" else None
    name = castles.room_name(castle, over) if over is not None else ""
    return Objection(rule, _WHY[rule].format(tile=lie.tile.name, other=name), final=rule == "place.overlap")


_WHY = {
    "place.overlap": "The {tile} would lie on the {other}.",
    "place.entrance": "No entrance of the {tile} meets an entrance of the castle there.",
    "place.floors": "An entrance of the {tile} would join the main floor to downstairs without stairs.",
    "place.stairs": "Two stairs would be joined to each other.",
    "place.fence": "Nothing may touch the fenced edge of an outdoor room, and the {tile} there would.",
    "place.way-out": "The castle would have no external entrance left.",
}


def _broken_rule(here: Board, lie: Lying) -> str | None:
    """The first placing rule a tile breaks, or None."""
    if not here.holds(lie):
        return "place.entrance"
    return _broken_by(here, lie, here.placed(lie))


def _broken_by(here: Board, lie: Lying, masks: Masks) -> str | None:
    if here.overlapped(lie, masks) is not None:
        return "place.overlap"
    if here.mixes_floors(masks):
        return "place.floors"
    if not here.joins(masks):
        return "place.entrance"
    if lie.tile.floor == "stairs" and here.joins_stairs(masks):
        return "place.stairs"
    if here.meets_fence(masks):
        return "place.fence"
    return None if here.leads_out(masks) else "place.way-out"


# Spots


def spots(castle: Castle, room: str) -> tuple[Spot, ...]:
    """Every legal spot of a room, each once, by turn, row and column."""
    found = sorted(_legal(castle, room), key=lambda lie: (lie.turn, lie.y, lie.x))
    return tuple(Spot(x=lie.x, y=lie.y, turn=lie.turn) for lie in found)  # type: ignore[arg-type]


def fits(castle: Castle, room: str) -> bool:
    """Whether a room has a legal spot at all."""
    return next(_legal(castle, room), None) is not None


def _legal(castle: Castle, room: str) -> Iterator[Lying]:
    here = castles.board(castle)
    for lie in _candidates(here, castles.tile(castle, room)):
        if _broken_by(here, lie, here.placed(lie)) is None:
            yield lie


def _candidates(here: Board, tile: RoomTile) -> Iterator[Lying]:
    """Each place in which an entrance of a tile meets an open one of its floor."""
    open_doors = tuple(here.open_doors())
    for turn in turns(tile):
        shape = outline(tile, turn)
        doors = [(*door, False) for door in shape.doors] + [(*door, True) for door in shape.below]
        places = {
            (x - dx, y - dy)
            for x, y, side, below in open_doors
            for dx, dy, own, own_below in doors
            if own == (side + 2) % 4 and own_below == below
        }
        for x, y in places:
            if abs(x) <= _FARTHEST and abs(y) <= _FARTHEST:
                yield Lying(tile, x, y, turn)


# Previews


def contact(castle: Castle, room: str, spot: Spot) -> Contact:
    """How a room would lie to the others."""
    return preview(castle, room, spot).contact


def where(castle: Castle, room: str, spot: Spot) -> str:
    """On which sides of which rooms a tile in a spot is joined.

    >>> where(Castle(), "stairs", Spot(x=1, y=3, turn=270))
    'below the Foyer'
    """
    here = castles.board(castle)
    lie = castles.lying(castle, room, spot)
    if not here.holds(lie):
        return "nowhere near the castle"
    masks = here.placed(lie)
    return ", ".join(
        f"{_SIDE_WORDS[side]} the {castles.room_name(castle, index)}"
        for index in here.joined(masks)
        for side in here.joined_sides(masks, index)
    )


def preview(castle: Castle, room: str, spot: Spot) -> Preview:
    """What a room would bring in a spot, legal or not."""
    here, lie = castles.board(castle), castles.lying(castle, room, spot)
    masks = here.placed(lie) if here.holds(lie) else None
    new = Contact((), (), complete=False)
    done: tuple[int, ...] = ()
    if masks:
        new = Contact(here.joined(masks), here.touching(masks), not here.unmet(masks))
        done = tuple(index for index in new.connects if not here.unmet(here.masks[index], masks))
    completes = (*done, len(castle.rooms)) if new.complete else done
    return Preview(spot, placing_lines(castle, lie.tile, new), new, completes)


def previews(castle: Castle, room: str) -> tuple[Preview, ...]:
    """Every legal spot with what it brings, the most points first."""
    found = [preview(castle, room, spot) for spot in spots(castle, room)]
    return tuple(sorted(found, key=lambda each: (-each.points, -len(each.completes))))
