"""Victory points: what a castle is worth, line by line, who is ahead, and how a solo game went (Winning the Game)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.errors import Malformed
from companion.rules.castle_dice import cards
from companion.rules.castle_dice.state import ANIMALS, RESOURCES, Count, Player, State
from companion.rules.places import decide
from companion.rules.scores import Line, Outcome, ScoreSheet, TieBreak
from companion.rules.tallies import SEAT_NAMES, check_names, check_players

_TITLE = "Castle Dice"
_PLAYERS = (1, 4)

PartCount = Literal["tall_keeps", "strong_towers", "guardhouses", "gatehouses", "deep_moats", "royal_chambers"]
Silo = Annotated[int, Meta(ge=0, le=9)]
Few = Annotated[int, Meta(ge=0, le=5)]
Three = Annotated[int, Meta(ge=0, le=3)]


class PlayerTally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is counted at one mat. `other_points` are those printed on castle cards not named here.

    The four `wall_...` are the Walls that pay for all places of a villager filled. Resources break ties.
    """

    name: str
    tall_keeps: Count = 0
    strong_towers: Count = 0
    guardhouses: Count = 0
    gatehouses: Count = 0
    deep_moats: Count = 0
    royal_chambers: Count = 0
    other_points: Annotated[int, Meta(ge=-999, le=999)] = 0
    wall_farmer: Count = 0
    wall_guard: Count = 0
    wall_merchant: Count = 0
    wall_worker: Count = 0
    bards: Count = 0
    farmers: Three = 0
    guards: Few = 0
    merchants: Three = 0
    workers: Few = 0
    horses: Count = 0
    pigs: Count = 0
    cows: Count = 0
    chickens: Count = 0
    wood: Silo = 0
    stone: Silo = 0
    gold: Silo = 0
    land: Silo = 0
    iron: Silo = 0

    @property
    def animals(self) -> int:
        return self.horses + self.pigs + self.cows + self.chickens

    @property
    def villagers(self) -> int:
        return self.farmers + self.guards + self.merchants + self.workers


class JoanTally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What counts of Joan: her animals and her market cards."""

    animals: Count = 0
    market_cards: Count = 0


class Tally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that is scored, players in table order; a game of one is against Joan."""

    game: Literal["castle-dice"] = "castle-dice"
    players: tuple[PlayerTally, ...]
    joan: JoanTally | None = None


def template(players: int) -> Tally:
    """A tally of zeros to fill in."""
    check_players(_TITLE, _PLAYERS, players)
    mats = tuple(PlayerTally(name=name) for name in SEAT_NAMES[:players])
    return Tally(players=mats, joan=JoanTally() if players == 1 else None)


def checked(tally: Tally) -> Tally:
    """The tally itself, or Malformed when no game could end so."""
    check_players(_TITLE, _PLAYERS, len(tally.players))
    names = [mat.name for mat in tally.players]
    check_names(names)
    if tally.joan is None and len(names) == 1:
        raise Malformed("A game of one player is against Joan: the tally needs 'joan'.")
    if tally.joan is not None and len(names) > 1:
        raise Malformed("Only a game of one player is against Joan: leave 'joan' out.")
    return tally


# The lines


class _Part(Struct, frozen=True):
    """A castle part that pays by number."""

    card: str
    label: str
    points: int


_PARTS: dict[PartCount, _Part] = {
    "tall_keeps": _Part("Tall Keep", "Tall Keeps", 4),
    "strong_towers": _Part("Strong Tower", "Strong Towers", 3),
    "guardhouses": _Part("Guardhouse", "Guardhouses", 3),
    "gatehouses": _Part("Gatehouse", "Gatehouses", 2),
    "deep_moats": _Part("Deep Moat", "Deep Moats", 2),
    "royal_chambers": _Part("Royal Chambers", "Royal Chambers", 1),
}
_WALLS: dict[str, int] = {"farmer": 3, "guard": 5, "merchant": 3, "worker": 5}
"""How many of a villager its Wall wants at the end (card.wall-villager)."""


def sheet(tally: Tally) -> ScoreSheet:
    """Score a tally: every category for every player; Joan's market cards cost the solo player (end.points)."""
    checked(tally)
    lines = [line for seat, mat in enumerate(tally.players) for line in _lines(tally, seat, mat)]
    return ScoreSheet(names=tuple(mat.name for mat in tally.players), lines=tuple(lines), tie_breaks=_tie_breaks(tally))


def _lines(tally: Tally, seat: int, mat: PlayerTally) -> Iterator[Line]:
    for field, part in _PARTS.items():
        yield _each(seat, field.replace("_", "-"), part.label, getattr(mat, field), part.points)
    why = f"{mat.other_points} printed on other cards"
    yield Line(
        seat=seat,
        key="other-points",
        label="Other castle cards",
        count=mat.other_points,
        points=mat.other_points,
        why=why,
    )
    yield _walls(seat, mat)
    yield _each(seat, "bards", "Bards", mat.bards, 1)
    yield _most(tally, seat, "animals", tally.joan.animals if tally.joan else None)
    yield _most(tally, seat, "villagers", 0 if tally.joan else None)
    if tally.joan:
        yield _each(seat, "joan", "Joan's market cards", tally.joan.market_cards, -1)


def _each(seat: int, key: str, label: str, count: int, points: int) -> Line:
    return Line(
        seat=seat, key=key, label=label, count=count, points=count * points, why=f"{count}, worth {points} each"
    )


def _walls(seat: int, mat: PlayerTally) -> Line:
    """A point for each villager Wall whose villagers are all there (card.wall-villager)."""
    there = {villager: int(getattr(mat, f"wall_{villager}")) for villager in _WALLS}
    filled = {villager: int(getattr(mat, f"{villager}s")) >= want for villager, want in _WALLS.items()}
    told = [
        f"{villager} Wall with {getattr(mat, f'{villager}s')} of {_WALLS[villager]}"
        for villager, walls in there.items()
        if walls
    ]
    points = sum(walls for villager, walls in there.items() if filled[villager])
    why = "; ".join(told) or "no villager Wall"
    return Line(seat=seat, key="walls", label="Villager Walls", count=sum(there.values()), points=points, why=why)


def _most(tally: Tally, seat: int, what: str, joan: int | None) -> Line:
    """One point for who alone has the most; tied, for nobody (end.ties)."""
    counts = [int(getattr(mat, what)) for mat in tally.players]
    others = [count for other, count in enumerate(counts) if other != seat] + ([] if joan is None else [joan])
    ahead = counts[seat] > max(others)
    tied = counts[seat] == max(others)
    why = f"{counts[seat]}: {'the most' if ahead else 'tied, so nobody' if tied else 'not the most'}"
    return Line(
        seat=seat, key=f"most-{what}", label=f"Most {what}", count=counts[seat], points=1 if ahead else 0, why=why
    )


def _tie_breaks(tally: Tally) -> tuple[TieBreak, ...]:
    """The most of the rarest resource, from iron to wood (end.tie-break)."""
    return tuple(
        TieBreak(label=resource, values=tuple(int(getattr(mat, resource)) for mat in tally.players))
        for resource in reversed(RESOURCES)
    )


# Solo


def verdict(points: int) -> str:
    """How a solo game went (solo.result; ruling.solo-below-zero).

    >>> verdict(-1), verdict(8), verdict(9), verdict(13)
    ('Major Loss', 'Loss', 'Win', 'Epic Win!')
    """
    for least, words in ((13, "Epic Win!"), (11, "Major Win"), (9, "Win"), (6, "Loss")):
        if points >= least:
            return words
    return "Major Loss"


def outcome(sheet: ScoreSheet) -> Outcome:
    """Who won; alone, whether the chart calls it a win."""
    found = decide(sheet)
    if len(sheet.names) > 1:
        return found
    told = verdict(sheet.total(0))
    won = (0,) if "Win" in told else ()
    return Outcome(winners=won, ranking=found.ranking, decided_by="points", text=found.text, verdict=told)


# From a game


def tally(state: State) -> Tally:
    """What will be scored of a game as it stands."""
    people = zip(state.seats, state.players, strict=False)
    mats = tuple(_counted(state, name, player) for name, player in people)
    if state.joan is None:
        return Tally(players=mats)
    joan = state.players[state.joan]
    return Tally(players=mats, joan=JoanTally(animals=sum(joan.animals.values()), market_cards=joan.hidden["market"]))


def _counted(state: State, name: str, player: Player) -> PlayerTally:
    built = player.built
    parts: dict[str, int] = {field: built.get(part.card, 0) for field, part in _PARTS.items()}
    walls = {f"wall_{villager}": built.get(f"Wall ({villager.capitalize()})", 0) for villager in _WALLS}
    herds = {f"{animal}s": player.animals[animal] for animal in ANIMALS}
    return PlayerTally(
        name=name, **parts, **walls, **herds, **dict(player.resources),
        other_points=_other_points(state, player), bards=built.get(cards.BARD, 0) + player.cards.get(cards.BARD, 0),
        farmers=player.farmers, guards=len(player.guards), merchants=player.merchants, workers=player.workers,
    )  # fmt: skip


def _other_points(state: State, player: Player) -> int:
    """Points on built cards beyond those the lines of their own pay: new cards, and known ones printed otherwise."""
    paid: dict[str, int] = {part.card: part.points for part in _PARTS.values()} | {cards.BARD: 1}
    return sum(count * (_points(state, name) - paid.get(name, 0)) for name, count in player.built.items())


def _points(state: State, name: str) -> int:
    found = cards.card(state, name)
    return found.vp if found else 0
