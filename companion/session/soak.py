"""The kill test: a process that plays is killed at random moments, and nothing it has acknowledged may be lost.

Each round starts a child process that takes up the same saved game, plays by chance through a real Session (with
undo, redo, corrections and jumps in between) and tells each line it has finished, with a checksum of the state. The
child is killed without warning; then the saved game must be whole and hold every line it told.
"""

from __future__ import annotations

import os
import random
import select
import subprocess
import sys
import time
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

import companion
from companion.errors import CompanionError
from companion.rules.base import Correction, Setup, State
from companion.rules.random_play import pick
from companion.session import snapshots
from companion.session.audit import verify
from companion.session.dealing import RandomDealer
from companion.session.folder import scratch
from companion.session.journal import Journal
from companion.session.session import GameOf, Session
from companion.session.shelf import Shelf

REGISTRY = "companion.rules.registry:get"
_SEATS = ("North", "East", "South")
_LIFE_S = 0.08
"""The longest a child lives after its first line."""
_START_S = 30.0
"""The longest to wait for a child's first line."""
_EARLY_ONE_IN = 6
"""How often a child is killed while it may still be opening the game."""
_EARLY_S = 0.4
_CHUNK_BYTES = 65536


class Report(Struct, frozen=True, kw_only=True):
    """How a kill test went. `acknowledged` lines were told by the children; none may be `lost`."""

    rounds: int
    acknowledged: int
    lines: int
    lost: int
    problems: tuple[str, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return not self.lost and not self.problems

    def __str__(self) -> str:
        verdict = "nothing lost" if self.ok else f"{self.lost} lines lost, {len(self.problems)} problems"
        return (
            f"{self.rounds} kills, {self.acknowledged} acknowledged lines of {self.lines}, {verdict},"
            f" {self.seconds:.1f} s"
        )


def kill_test(
    rounds: int, seed: int = 0, *, game: str = "castle-dukes", game_of: str = REGISTRY, folder: Path | None = None
) -> Report:
    """Kill a playing child `rounds` times. `game_of` names a function (`module:name`) that the child can import."""
    if folder is None:
        with scratch() as made:
            return kill_test(rounds, seed, game=game, game_of=game_of, folder=Path(made))
    shelf = Shelf(folder, game_of=_imported(game_of))
    with shelf.new(game, Setup(seats=_SEATS)) as session:
        saved = session.id
    return _Killer(shelf, saved, game_of, random.Random(seed)).run(rounds)


class _Killer:
    def __init__(self, shelf: Shelf, saved: str, game_of: str, chance: random.Random) -> None:
        self._shelf = shelf
        self._saved = saved
        self._game_of = game_of
        self._chance = chance
        self._acknowledged = 0
        self._lost = 0
        self._problems: list[str] = []

    def run(self, rounds: int) -> Report:
        start = time.monotonic()
        for number in range(1, rounds + 1):
            told = self._round()
            self._acknowledged += len(told)
            self._problems.extend(f"After kill {number}: {problem}" for problem in self._examine(told))
        path = self._shelf.path(self._saved)
        audit = verify(path, game_of=self._shelf.game_of)
        return Report(
            rounds=rounds,
            acknowledged=self._acknowledged,
            lines=audit.lines,
            lost=self._lost,
            problems=(*self._problems, *audit.problems),
            seconds=time.monotonic() - start,
        )

    def _round(self) -> dict[int, int]:
        """Let a child play, kill it, and return the lines it told with their checksums."""
        command = [sys.executable, "-m", __name__, str(self._shelf.folder), self._saved]
        command += [str(self._chance.getrandbits(32)), self._game_of]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=_environment()) as child:
            assert child.stdout is not None
            heard = self._listen(child.stdout.fileno())
            child.kill()
            heard += child.stdout.read()
        return dict(_parsed(line) for line in heard.split(b"\n")[:-1])

    def _listen(self, pipe: int) -> bytes:
        """Hear a child until its moment has come."""
        early = self._chance.randrange(_EARLY_ONE_IN) == 0
        heard = b"" if early else _heard_until(pipe, time.monotonic() + _START_S, first_only=True)
        life_s = self._chance.uniform(0, _EARLY_S if early else _LIFE_S)
        return heard + _heard_until(pipe, time.monotonic() + life_s, first_only=False)

    def _examine(self, told: dict[int, int]) -> list[str]:
        """What is wrong with the saved game after a kill."""
        try:
            with Journal.open(self._shelf.path(self._saved)) as journal:
                last = journal.last().seq
                missing = [seq for seq in told if seq > last]
                self._lost += len(missing)
                changed = [seq for seq in told if seq <= last and _checksum(journal, seq) != told[seq]]
                return [
                    *journal.faults(),
                    *(f"line {seq} is lost" for seq in missing),
                    *(f"line {seq} has another state" for seq in changed),
                ]
        except CompanionError as error:
            self._lost += len(told)
            return [str(error)]


def _heard_until(pipe: int, deadline: float, *, first_only: bool) -> bytes:
    heard = b""
    while (left := deadline - time.monotonic()) > 0 and not (first_only and heard):
        if not select.select([pipe], [], [], left)[0]:
            break
        chunk = os.read(pipe, _CHUNK_BYTES)
        if not chunk:
            break
        heard += chunk
    return heard


def _parsed(line: bytes) -> tuple[int, int]:
    seq, checksum = line.split()
    return int(seq), int(checksum)


def _checksum(journal: Journal, seq: int) -> int:
    return zlib.crc32(snapshots.json_of(journal.row(journal.line(seq).node).state))


def _environment() -> dict[str, str]:
    """The child imports from where this process does."""
    root = str(Path(companion.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([root, *filter(None, sys.path)])}


def _imported(name: str) -> GameOf:
    module, _, function = name.partition(":")
    found: GameOf = getattr(import_module(module), function)
    return found


# In the child


def _play_on(session: Session, dealer: RandomDealer) -> None:
    """One more line, whichever kind chance will have."""
    state: Any = session.state
    chance = dealer.pick(20)
    if state.over:
        session.jump(1)
    elif chance == 0 and session.undo_label is not None:
        session.undo()
    elif chance == 1 and session.redo_label is not None:
        session.redo()
    elif chance == 2:
        session.dispatch(Correction(why="as agreed"), "correction")
    else:
        session.dispatch(pick(session.game, state, dealer))


def _tell(seq: int, state: State | None) -> None:
    os.write(sys.stdout.fileno(), b"%d %d\n" % (seq, zlib.crc32(msgspec.json.encode(state))))


def _child(folder: str, saved: str, seed: str, game_of: str) -> None:
    dealer = RandomDealer(int(seed))
    session = Shelf(Path(folder), game_of=_imported(game_of)).open(saved)
    while True:
        _play_on(session, dealer)
        _tell(session.seq, session.state)


if __name__ == "__main__":
    _child(*sys.argv[1:])
