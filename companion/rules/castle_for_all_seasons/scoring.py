"""The final scoring: what each helper is worth, who is ahead, and what a tally must be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.errors import Malformed
from companion.rules.castle_for_all_seasons import castle
from companion.rules.castle_for_all_seasons.state import Building, Count, Kind, Place, Resource, State
from companion.rules.castle_for_all_seasons.supply import PIECES_IN_BOX, TILES_IN_BOX, amount, listed, worth
from companion.rules.scores import Line, ScoreSheet, TieBreak
from companion.rules.tallies import SEAT_NAMES, check_names, check_players

TRACK_SPACES = 90
_TITLE = "A Castle for All Seasons"
_PLAYERS = (2, 4)
_PIECES_PER_HELPER = 5
_GRANARY_POINTS = {0: 0, 1: 10, 2: 7, 3: 3}

One = Annotated[int, Meta(ge=0, le=1)]
Two = Annotated[int, Meta(ge=0, le=2)]
Three = Annotated[int, Meta(ge=0, le=3)]


class BuilderTally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player at the end. `points` stand on the track before the final scoring.

    Then the helpers by place, what was turned into points in market and palace (silver as what it became), and what
    is left. In the palace `converted` counts pieces by kind.
    """

    name: str
    points: Count = 0
    keep: One = 0
    tavern_12: One = 0
    tavern_6: One = 0
    small_gate: One = 0
    big_gate: One = 0
    stable_16: One = 0
    stable_12: One = 0
    servants_house: Three = 0
    market: Two = 0
    palace: Two = 0
    forge_10: One = 0
    forge_6: One = 0
    granary: Three = 0
    converted_talers: Count = 0
    converted: dict[Kind, Count] = {}
    talers: Count = 0
    resources: dict[Resource, Count] = {}


class Tally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that is scored, players in table order.

    `erected` counts the buildings that stand, `forge` the silver bars in it after the palace owners have converted.
    `corrected`: the table has settled something against the rules, so limits are not checked.
    """

    game: Literal["castle-for-all-seasons"] = "castle-for-all-seasons"
    players: tuple[BuilderTally, ...]
    erected: dict[Building, Count] = {}
    forge: Count = 0
    corrected: bool = False


_FIELDS: dict[str, tuple[Place, int]] = {
    "keep": ("keep", 1), "tavern_12": ("tavern", 1), "tavern_6": ("tavern", 1), "small_gate": ("small-gate", 1),
    "big_gate": ("big-gate", 1), "stable_16": ("stable", 1), "stable_12": ("stable", 1),
    "servants_house": ("servants-house", 3), "market": ("market", 2), "palace": ("palace", 2),
    "forge_10": ("forge", 1), "forge_6": ("forge", 1), "granary": ("granary", 3),
}  # fmt: skip
"""Each helper count of a tally: its place, and how many helpers it takes."""


def template(players: int) -> Tally:
    """A tally of zeros to fill in."""
    check_players(_TITLE, _PLAYERS, players)
    erected: dict[Building, int] = dict.fromkeys(TILES_IN_BOX, 0)
    blank = [
        BuilderTally(
            name=name,
            converted={"sand": 0, "wood": 0, "clay": 0, "stone": 0},
            resources=dict.fromkeys(PIECES_IN_BOX, 0),
        )
        for name in SEAT_NAMES[:players]
    ]
    return Tally(players=tuple(blank), erected=erected)


def checked(tally: Tally) -> Tally:
    """The tally itself, or Malformed when no game could end so."""
    check_players(_TITLE, _PLAYERS, len(tally.players))
    check_names([builder.name for builder in tally.players])
    if not tally.corrected:
        for wrong in _wrongs(tally):
            raise Malformed(wrong)
    return tally


def _wrongs(tally: Tally) -> Iterator[str]:
    for building, count in tally.erected.items():
        if count > TILES_IN_BOX[building]:
            yield f"{count} of {castle.named(building)} are erected, and the box holds {TILES_IN_BOX[building]}."
    for field, (place, most) in _FIELDS.items():
        helpers = sum(getattr(builder, field) for builder in tally.players)
        words = field.replace("_", " ")
        if helpers > most:
            yield f"{helpers} helpers stand in '{words}', which takes {most}."
        if helpers and place != "granary" and not _is_there(tally, place):
            yield f"A helper stands in '{words}', and the {castle.named(place)} is not erected."
    if tally.forge > PIECES_IN_BOX["silver"]:
        yield f"{tally.forge} silver bars are in the forge, and the box holds {PIECES_IN_BOX['silver']}."
    for builder in tally.players:
        yield from _builder_wrongs(builder, 7 if len(tally.players) == 2 else 6)


def _builder_wrongs(builder: BuilderTally, helpers: int) -> Iterator[str]:
    if sum(getattr(builder, field) for field in _FIELDS) > helpers:
        yield f"{builder.name} has more than {helpers} helpers in the castle."
    if builder.converted_talers and not builder.market:
        yield f"{builder.name} converts talers without a helper in the market."
    if builder.market == 1 and builder.converted_talers % 2:
        yield f"{builder.name} has one helper in the market and converts an odd number of talers."
    if sum(builder.converted.values()) > _PIECES_PER_HELPER * builder.palace:
        yield f"{builder.name} converts more than {_PIECES_PER_HELPER * builder.palace} resources in the palace."


# The lines


class _Castle(Struct, frozen=True):
    """What the helpers are scored by."""

    helpers: int
    empty: int
    towers: int
    houses: int
    unbuilt: int
    silver: int
    granary: int


def _counted(tally: Tally) -> _Castle:
    """Helpers and empty places of the castle: those of erected buildings, and not the granary's."""
    fields = {field: place for field, (place, _) in _FIELDS.items() if place != "granary"}
    helpers = sum(getattr(builder, field) for builder in tally.players for field in fields)
    standing = [place for place in dict.fromkeys(fields.values()) if _is_there(tally, place)]
    places = sum(len(castle.spots_of(place)) for place in standing)
    return _Castle(
        helpers=helpers,
        empty=max(0, places - helpers),
        towers=tally.erected.get("tower", 0),
        houses=tally.erected.get("house", 0),
        unbuilt=max(0, sum(TILES_IN_BOX.values()) - sum(tally.erected.values())),
        silver=tally.forge,
        granary=sum(builder.granary for builder in tally.players),
    )


def _is_there(tally: Tally, place: str) -> bool:
    return place in castle.ALWAYS_THERE or any(
        tally.erected.get(building) for building in TILES_IN_BOX if building == place
    )


def sheet(tally: Tally) -> ScoreSheet:
    """Score a tally in the order of the list of buildings (List of Buildings for the Final Scoring)."""
    checked(tally)
    counted = _counted(tally)
    winter = counted.granary > 0
    lines = [
        line
        for seat, builder in enumerate(tally.players)
        for line in (*_lines(counted, seat, builder), *(_granary(counted, seat, builder) if winter else ()))
    ]
    tie_breaks = (
        TieBreak(label="talers left", values=tuple(builder.talers for builder in tally.players)),
        TieBreak(label="value of resources left", values=tuple(worth(builder.resources) for builder in tally.players)),
    )
    return ScoreSheet(names=tuple(builder.name for builder in tally.players), lines=tuple(lines), tie_breaks=tie_breaks)


def _lines(counted: _Castle, seat: int, builder: BuilderTally) -> Iterator[Line]:
    yield _line(
        seat, "track", "Points in play", builder.points, builder.points, "on the track before the final scoring"
    )
    yield from _castle_lines(counted, seat, builder)
    yield _market(seat, builder)
    yield _palace(seat, builder)
    silver = amount(counted.silver, "silver")
    yield _line(
        seat, "forge", "Forge", builder.forge_10 + builder.forge_6,
        builder.forge_10 * counted.silver + builder.forge_6 * (counted.silver // 2),
        _spots(f"{silver} in the forge", {"1 each": builder.forge_10, "1 for every 2": builder.forge_6}),
    )  # fmt: skip


def _castle_lines(counted: _Castle, seat: int, builder: BuilderTally) -> Iterator[Line]:
    yield _line(
        seat, "keep", "Keep", builder.keep, 3 * counted.empty * builder.keep,
        _spots(amount(counted.empty, "empty helper's place"), {"3 each": builder.keep}),
    )  # fmt: skip
    yield _line(
        seat, "tavern", "Tavern", builder.tavern_12 + builder.tavern_6,
        builder.tavern_12 * counted.helpers + builder.tavern_6 * (counted.helpers // 2),
        _spots(
            f"{amount(counted.helpers, 'helper')} in the castle",
            {"1 each": builder.tavern_12, "1 for every 2": builder.tavern_6},
        ),
    )  # fmt: skip
    yield _line(
        seat, "gates", "Gates", builder.small_gate + builder.big_gate,
        counted.towers * (builder.small_gate + 2 * builder.big_gate),
        _spots(f"{amount(counted.towers, 'tower')}", {"1 each": builder.small_gate, "2 each": builder.big_gate}),
    )  # fmt: skip
    yield _line(
        seat, "stable", "Stable", builder.stable_16 + builder.stable_12,
        counted.houses * (3 * builder.stable_16 + 2 * builder.stable_12),
        _spots(f"{amount(counted.houses, 'house')}", {"3 each": builder.stable_16, "2 each": builder.stable_12}),
    )  # fmt: skip
    helpers = amount(builder.servants_house, "helper")
    yield _line(
        seat, "servants", "Servants' house", builder.servants_house, counted.unbuilt * builder.servants_house,
        _spots(f"{amount(counted.unbuilt, 'tile')} not erected", {f"1 each for {helpers}": builder.servants_house}),
    )  # fmt: skip


def _market(seat: int, builder: BuilderTally) -> Line:
    per = 1 if builder.market == 2 else 2
    points = builder.converted_talers // per if builder.market else 0
    talers = amount(builder.converted_talers, "taler")
    rates = {"1 each": builder.market == 2, "1 for every 2": builder.market == 1}
    return _line(seat, "market", "Market", builder.market, points, _spots(f"{talers} converted", rates))


def _palace(seat: int, builder: BuilderTally) -> Line:
    points = worth(builder.converted) if builder.palace else 0
    why = _spots(f"{listed(builder.converted)} converted", {"at their value": builder.palace})
    return _line(seat, "palace", "Palace", builder.palace, points, why)


def _granary(counted: _Castle, seat: int, builder: BuilderTally) -> Iterator[Line]:
    each = _GRANARY_POINTS.get(counted.granary, 0)
    why = _spots(f"{amount(counted.granary, 'helper')} in the granary", {f"{each} each": builder.granary})
    yield _line(seat, "granary", "Granary", builder.granary, each * builder.granary, why)


def _line(seat: int, key: str, label: str, count: int, points: int, why: str) -> Line:
    return Line(seat=seat, key=key, label=label, count=count, points=points, why=why)


def _spots(what: str, rates: Mapping[str, int]) -> str:
    """The why of a line, or that nobody stands there."""
    told = " and ".join(rate for rate, helpers in rates.items() if helpers)
    return f"{what}, {told}" if told else "no helper"


# From a game


def track_space(points: int) -> int:
    """Where the marker stands: the track laps at 90 (ruling.track-laps).

    >>> track_space(0), track_space(90), track_space(91)
    (0, 90, 1)
    """
    return (points - 1) % TRACK_SPACES + 1 if points else 0


def tally(state: State) -> Tally:
    """What would be scored of a game as it stands."""
    return Tally(
        players=tuple(_builder_tally(state, seat) for seat in range(len(state.seats))),
        erected=castle.erected(state),
        forge=state.forge,
        corrected=state.corrected,
    )


def _builder_tally(state: State, seat: int) -> BuilderTally:
    builder = state.builders[seat]
    single = {
        field: int(state.helpers.get(field.replace("_", "-")) == seat)  # type: ignore[call-overload]
        for field, (_, most) in _FIELDS.items()
        if most == 1
    }
    granary = state.winter.granary if state.winter else None
    return BuilderTally(
        name=state.seats[seat],
        points=builder.points,
        servants_house=castle.helpers_of(state, seat, "servants-house"),
        market=castle.helpers_of(state, seat, "market"),
        palace=castle.helpers_of(state, seat, "palace"),
        granary=(granary or ()).count(seat),
        converted_talers=builder.converted_talers,
        converted=builder.converted,
        talers=builder.talers,
        resources=builder.held,
        **single,
    )
