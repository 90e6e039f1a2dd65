"""Victory points: what a castle is worth, line by line, who is ahead, and what a tally must be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from companion.errors import Malformed
from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.state import Ai, Count, Duke, Rating, State
from companion.rules.places import Award, podium
from companion.rules.scores import Line, ScoreSheet, TieBreak

SEAT_NAMES = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")
AI_NAME = "AI"
_MOST_PLAYERS = len(SEAT_NAMES)
_NAME_LENGTH = 40
_HIGH_LEVEL = 5

GuestCount = Literal["kings", "princesses", "knights"]
_CastleCount = Literal["bridges", "serfs", "battlements", "coffers", "high_rooms", "room_vp", "crumbles", "vines"]


class DukeTally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is counted in one castle. `levels` are those of the left, middle and right tower, roofs included.

    `high_rooms` are the rooms on level 5 or higher, `room_vp` the points printed on rooms, `vines` those on the board.
    """

    name: str
    comfort: Count = 0
    defence: Count = 0
    offence: Count = 0
    levels: tuple[Count, Count, Count] = (0, 0, 0)
    bridges: Count = 0
    serfs: Count = 0
    battlements: Count = 0
    coffers: Count = 0
    rooms: Count = 0
    high_rooms: Count = 0
    room_vp: Count = 0
    kings: Count = 0
    princesses: Count = 0
    knights: Count = 0
    crumbles: Count = 0
    vines: Count = 0


class AiTally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the solo opponent has: its barbican and its guests."""

    comfort: Count = 0
    defence: Count = 0
    offence: Count = 0
    kings: Count = 0
    princesses: Count = 0
    knights: Count = 0


class Tally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that is scored, players in table order. `zero_ranks`: a contest of zeros still pays."""

    game: Literal["castle-dukes"] = "castle-dukes"
    players: tuple[DukeTally, ...]
    ai: AiTally | None = None
    zero_ranks: bool = True


def template(players: int) -> Tally:
    """A tally of zeros to fill in."""
    if not 1 <= players <= _MOST_PLAYERS:
        raise Malformed(f"Castle Dukes is for 1 to {_MOST_PLAYERS} players, not {players}.")
    dukes = tuple(DukeTally(name=name) for name in SEAT_NAMES[:players])
    return Tally(players=dukes, ai=AiTally() if players == 1 else None)


def checked(tally: Tally) -> Tally:
    """The tally itself, or Malformed when no game could end so."""
    if not 1 <= len(tally.players) <= _MOST_PLAYERS:
        raise Malformed(f"Castle Dukes is for 1 to {_MOST_PLAYERS} players, not {len(tally.players)}.")
    names = [duke.name for duke in tally.players]
    if len(set(names)) < len(names) or not all(name.strip() and len(name) <= _NAME_LENGTH for name in names):
        raise Malformed(f"Each player needs a name of its own, 1 to {_NAME_LENGTH} characters long.")
    if tally.ai is None and len(names) == 1:
        raise Malformed("A game of one player is against the AI: the tally needs 'ai'.")
    if tally.ai is not None and len(names) > 1:
        raise Malformed("Only a game of one player is against the AI: leave 'ai' out.")
    for duke in tally.players:
        if duke.high_rooms > duke.rooms:
            raise Malformed(f"{duke.name} has {duke.high_rooms} rooms on level 5+ but only {duke.rooms} in all.")
    return tally


# The lines


class _Each(Struct, frozen=True):
    """A category that pays by number: `points` for every `per` of them."""

    key: str
    label: str
    points: int
    per: int
    one: str
    many: str

    def line(self, seat: int, count: int) -> Line:
        name = self.one if count == 1 else self.many
        every = f"for every {self.per}" if self.per > 1 else "each"
        points = count // self.per * self.points
        why = f"{count} {name}, {self.points} {every}"
        return Line(seat=seat, key=self.key, label=self.label, count=count, points=points, why=why)


class _Contest(Struct, frozen=True):
    """A category that pays the highest and the second highest."""

    key: str
    label: str
    prizes: tuple[int, int]


_CASTLE: dict[_CastleCount, _Each] = {
    "bridges": _Each("bridges", "Bridges", 1, 1, "bridge", "bridges"),
    "serfs": _Each("serfs", "Serfs", 1, 2, "serf", "serfs"),
    "battlements": _Each("battlements", "Battlements", 1, 1, "battlement", "battlements"),
    "coffers": _Each("coffers", "Coffers", 1, 3, "coffer", "coffers"),
    "high_rooms": _Each("high-rooms", "Rooms on level 5+", 1, 1, "room on level 5+", "rooms on level 5+"),
}
_GUESTS: dict[GuestCount, _Each] = {
    "kings": _Each("kings", "Kings", 3, 1, "king", "kings"),
    "princesses": _Each("princesses", "Princesses", 2, 1, "princess", "princesses"),
    "knights": _Each("knights", "Knights", 1, 1, "knight", "knights"),
}
_PRINTED: dict[_CastleCount, _Each] = {
    "room_vp": _Each("room-points", "Points on rooms", 1, 1, "point printed on rooms", "points printed on rooms"),
}
_PENALTIES: dict[_CastleCount, _Each] = {
    "crumbles": _Each("crumbles", "Crumble tokens", -2, 1, "Crumble token", "Crumble tokens"),
}
_VINES: dict[_CastleCount, _Each] = {
    "vines": _Each("vines", "Vines on the board", -1, 2, "vine", "vines"),
}
_RATINGS: dict[Rating, _Contest] = {
    "comfort": _Contest("comfort", "Comfort", (6, 3)),
    "defence": _Contest("defence", "Defence", (6, 3)),
    "offence": _Contest("offence", "Offence", (4, 2)),
}
_TALLEST = _Contest("tallest", "Tallest tower", (6, 3))


def sheet(tally: Tally) -> ScoreSheet:
    """Score a tally: every category for every seat, the AI last (Victory Points; Single Player Mode)."""
    checked(tally)
    contests = _contests(tally)
    lines = [line for seat, duke in enumerate(tally.players) for line in _duke_lines(tally, contests, seat, duke)]
    if tally.ai is None:
        return ScoreSheet(names=_names(tally), lines=tuple(lines), tie_breaks=_tie_breaks(tally))
    lines += _each(_GUESTS, 1, tally.ai)
    lines += [contest[1] for contest in contests]
    return ScoreSheet(names=_names(tally), lines=tuple(lines), tie_breaks=_tie_breaks(tally))


def _names(tally: Tally) -> tuple[str, ...]:
    names = tuple(duke.name for duke in tally.players)
    return names if tally.ai is None else (*names, AI_NAME)


def _duke_lines(tally: Tally, contests: Sequence[tuple[Line, ...]], seat: int, duke: DukeTally) -> list[Line]:
    lines = _each(_CASTLE, seat, duke) + _each(_GUESTS, seat, duke) + _each(_PRINTED, seat, duke)
    lines += [contest[seat] for contest in contests]
    if tally.ai is not None:
        lines.append(_solo_height(seat, duke))
    lines += _each(_PENALTIES, seat, duke)
    return lines + (_each(_VINES, seat, duke) if any(each.vines for each in tally.players) else [])


def _each(
    categories: dict[_CastleCount, _Each] | dict[GuestCount, _Each], seat: int, counted: DukeTally | AiTally
) -> list[Line]:
    return [category.line(seat, getattr(counted, field)) for field, category in categories.items()]


def _contests(tally: Tally) -> list[tuple[Line, ...]]:
    """The lines of each contest, seat by seat. Alone there is no contest for height (ruling.solo-height-part)."""
    rated: list[DukeTally | AiTally] = [*tally.players] if tally.ai is None else [*tally.players, tally.ai]
    contests = [
        _contest(contest, [getattr(each, rating) for each in rated], tally.zero_ranks)
        for rating, contest in _RATINGS.items()
    ]
    if tally.ai is None:
        contests.append(_contest(_TALLEST, [max(duke.levels) for duke in tally.players], tally.zero_ranks))
    return contests


def _contest(contest: _Contest, values: list[int], zero_ranks: bool) -> tuple[Line, ...]:
    awards = podium(values, contest.prizes)
    if not zero_ranks and not any(values):
        awards = (Award(place=0, points=0, why="nobody has any"),) * len(values)
    return tuple(
        Line(seat=seat, key=contest.key, label=contest.label, count=value, points=award.points, why=award.why)
        for seat, (value, award) in enumerate(zip(values, awards, strict=True))
    )


def _solo_height(seat: int, duke: DukeTally) -> Line:
    levels = max(duke.levels)
    why = f"tallest tower: {levels} {'level' if levels == 1 else 'levels'}, 1 for every 2 levels or part"
    return Line(seat=seat, key=_TALLEST.key, label=_TALLEST.label, count=levels, points=(levels + 1) // 2, why=why)


def _tie_breaks(tally: Tally) -> tuple[TieBreak, ...]:
    """More levels in all three towers, then more rooms; the AI has built neither (ruling.solo-tie)."""
    return (
        _tie_break(tally, "levels in all three towers", lambda duke: sum(duke.levels)),
        _tie_break(tally, "rooms built", lambda duke: duke.rooms),
    )


def _tie_break(tally: Tally, label: str, measure: Callable[[DukeTally], int]) -> TieBreak:
    values = tuple(measure(duke) for duke in tally.players)
    return TieBreak(label=label, values=values if tally.ai is None else (*values, 0))


# From a game


def tally(state: State) -> Tally:
    """What will be scored of a full game as it stands."""
    dukes = tuple(_counted(name, duke) for name, duke in zip(state.seats, state.dukes, strict=True))
    return Tally(players=dukes, ai=ai_tally(state.ai), zero_ranks=state.options.zero_ranks)


def ai_tally(ai: Ai | None) -> AiTally | None:
    """What will be scored of the solo opponent, if there is one."""
    if ai is None:
        return None
    return AiTally(
        comfort=ai.comfort, defence=ai.defence, offence=ai.offence,
        kings=ai.king, princesses=ai.princess, knights=ai.knight,
    )  # fmt: skip


def _counted(name: str, duke: Duke) -> DukeTally:
    dials, pieces = castle.dials(duke.castle), castle.pieces(duke.castle)
    left, middle, right = castle.heights(duke.castle)
    rooms = [(level, room.card) for _, level, _, room in castle.rooms(duke.castle)]
    return DukeTally(
        name=name, comfort=dials.comfort, defence=dials.defence, offence=dials.offence,
        levels=(left, middle, right), bridges=len(duke.castle.bridges),
        serfs=pieces.get("serf", 0), battlements=pieces.get("battlement", 0), coffers=pieces.get("coffer", 0),
        rooms=len(rooms), high_rooms=sum(level >= _HIGH_LEVEL for level, _ in rooms),
        room_vp=sum(card.vp for _, card in rooms),
        kings=pieces.get("king", 0), princesses=pieces.get("princess", 0), knights=pieces.get("knight", 0),
        crumbles=duke.crumbles, vines=duke.vines_dropped,
    )  # fmt: skip
