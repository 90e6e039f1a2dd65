"""How fast a session is, beside what it stands on: bare SQLite on the same disk, a short game, the rules alone."""

from __future__ import annotations

import itertools
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from companion.rules.base import Action, Game, Setup
from companion.rules.random_play import pick, play
from companion.session.dealing import RandomDealer
from companion.session.folder import scratch
from companion.session.journal import Journal, Row
from companion.session.session import GameOf, Session, registered
from companion.session.shelf import Shelf

_SEATS = ("North", "East", "South", "West")
_MS_PER_S = 1000
_WARM_UP = 20
_LONG_GAME = 10_000
_SHORT_GAME = 10
_OPENINGS = 30
_RANDOM_GAMES_S = 3.0

RandomGame = Callable[[int], object]
"""Plays one whole random game from a seed."""


class Measure(Struct, frozen=True, kw_only=True):
    """One row: a value, and how many times that of what it is held beside."""

    what: str
    value: float
    unit: str
    ratio: float | None = None
    beside: str = ""

    def __str__(self) -> str:
        text = f"{self.what:<44} {self.value:>10.3f} {self.unit}"
        return text if self.ratio is None else f"{text}   {self.ratio:.2f} times {self.beside}"


def run(
    *,
    game: str = "castle-dukes",
    game_of: GameOf | None = None,
    random_game: RandomGame | None = None,
    folder: Path | None = None,
    samples: int = 1000,
) -> list[Measure]:
    """Measure and print. Without a `folder`, one on the disk of the saved games is used and goes away."""
    if folder is None:
        with scratch() as made:
            return run(game=game, game_of=game_of, random_game=random_game, folder=Path(made), samples=samples)
    shelf = Shelf(folder, game_of=game_of)
    rules = (game_of or registered)(game)
    measures = [
        *_dispatching(shelf, game, samples),
        *_long_games(shelf),
        _random_games(random_game or _whole_game(rules)),
    ]
    print("\n".join(str(measure) for measure in measures))
    return measures


# A move


def _dispatching(shelf: Shelf, game: str, samples: int) -> list[Measure]:
    """Each move beside a bare insert and commit of the bytes it wrote, turn about which of the two goes first.

    A move that teaches the companion about the box is durable before that is remembered in a file of its own; the
    whole of it is measured apart.
    """
    times = _Times()
    with shelf.new(game, Setup(seats=_SEATS)) as session, _Bare(shelf.folder / "bare.db") as bare:
        dealer = RandomDealer(1)
        for number in range(samples + _WARM_UP):
            payload = _bytes_of(session)
            action = _chosen(session, dealer, times)
            for ours in (True, False) if number % 2 else (False, True):
                if ours:
                    _dispatch(session, action, times)
                else:
                    times.bare.append(bare.insert(payload))
    return _compared(times, len(payload))


class _Times:
    """Seconds spent: on moves, on moves that teach, on bare commits, and on the rules alone."""

    def __init__(self) -> None:
        self.moves: list[float] = []
        self.lessons: list[float] = []
        self.bare: list[float] = []
        self.rules: list[float] = []


def _chosen(session: Session, dealer: RandomDealer, times: _Times) -> Action:
    """The next action, and how long the rules take over it."""
    if session.state is None or session.state.over:
        session.jump(1)
    state: Any = session.state
    action = pick(session.game, state, dealer)
    start = time.perf_counter()
    session.game.apply(state, action)
    session.game.label(state, action)
    times.rules.append(time.perf_counter() - start)
    return action


def _dispatch(session: Session, action: Action, times: _Times) -> None:
    teaches = session.game.learns(session.state, action)
    start = time.perf_counter()
    session.dispatch(action)
    spent = time.perf_counter() - start
    (times.lessons if teaches else times.moves).append(spent)


def _compared(times: _Times, size: int) -> list[Measure]:
    bare = "a bare insert and commit"
    measures = []
    for name, share in (("p50", 0.50), ("p99", 0.99)):
        mine, base = _quantile_ms(times.moves[_WARM_UP:], share), _quantile_ms(times.bare[_WARM_UP:], share)
        measures.append(
            Measure(what=f"dispatch to durable, {name}", value=mine, unit="ms", ratio=mine / base, beside=bare)
        )
        measures.append(Measure(what=f"{bare}, {name} ({size} bytes)", value=base, unit="ms"))
    measures.append(Measure(what="of a dispatch: the rules, p50", value=_quantile_ms(times.rules, 0.5), unit="ms"))
    if times.lessons:
        taught = _quantile_ms(times.lessons, 0.5)
        measures.append(Measure(what="a dispatch that teaches the box, p50", value=taught, unit="ms"))
    return measures


class _Bare:
    """SQLite with the journal's settings and nothing else."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("CREATE TABLE bare (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")

    def insert(self, payload: bytes) -> float:
        start = time.perf_counter()
        self._connection.execute("INSERT INTO bare (bytes) VALUES (?)", (payload,))
        return time.perf_counter() - start

    def __enter__(self) -> _Bare:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()


def _bytes_of(session: Session) -> bytes:
    """The bytes the last move put into the journal."""
    return b"".join(str(value).encode() if not isinstance(value, bytes) else value for value in astuple(session._line))


def _quantile_ms(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * _MS_PER_S


# A long game


def _long_games(shelf: Shelf) -> list[Measure]:
    """A long game and a short one, turn about."""
    saved = [_stretched(shelf, lines) for lines in (_SHORT_GAME, _LONG_GAME)]
    return [_beside(what, shelf, saved, take) for what, take in (("opening", _opening), ("undo", _undo))]


def _beside(what: str, shelf: Shelf, saved: list[str], take: Callable[[Shelf, str], float]) -> Measure:
    spent = [[take(shelf, game) for game in saved] for _ in range(_OPENINGS)]
    short, long = (statistics.median(times) * _MS_PER_S for times in zip(*spent, strict=True))
    beside = f"the same at {_SHORT_GAME} actions"
    return Measure(
        what=f"{what} at {_LONG_GAME} actions, p50", value=long, unit="ms", ratio=long / short, beside=beside
    )


def _stretched(shelf: Shelf, lines: int) -> str:
    """A saved game of so many actions: the lines of a real one over and over."""
    with Journal.open(shelf.list()[-1].path, read_only=True) as journal:
        first, *moves = (row for row in journal.rows() if row.node == row.seq)
        cover = replace(journal.cover, id=f"bench-{lines}")
    return shelf.put(cover, first, *_chained(moves, lines))


def _chained(moves: list[Row], lines: int) -> Iterator[Row]:
    for seq, row in zip(range(2, lines + 2), itertools.cycle(moves), strict=False):
        yield replace(row, seq=seq, node=seq, parent=seq - 1, redo=None, redo_rest=None)


def _opening(shelf: Shelf, saved: str) -> float:
    start = time.perf_counter()
    session = shelf.open(saved)
    spent = time.perf_counter() - start
    session.close()
    return spent


def _undo(shelf: Shelf, saved: str) -> float:
    with shelf.open(saved) as session:
        start = time.perf_counter()
        session.undo()
        spent = time.perf_counter() - start
        session.redo()
    return spent


# The rules alone


def _random_games(random_game: RandomGame) -> Measure:
    start, games = time.perf_counter(), 0
    while (spent := time.perf_counter() - start) < _RANDOM_GAMES_S:
        random_game(games)
        games += 1
    return Measure(what="random legal games", value=games / spent, unit="games per second")


def _whole_game(game: Game[Any]) -> RandomGame:
    return lambda seed: sum(1 for _ in play(game, Setup(seats=_SEATS), RandomDealer(seed)))
