"""What happens on the live table: a script that is written while it plays, and pieces that can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.sensing.plan import Plan
from companion.twin.acts import Player
from companion.twin.episode import Episode
from companion.twin.physics import Body
from companion.twin.pieces import kinds
from companion.twin.scenario import Castle, Scenario, Step, parse_scenario, together

TAKE_BACK = "take back"
_IN_THE_BOX = 16
"""How many pieces of each kind the hands can take."""


class LiveEpisode(Episode):
    """An episode without an end, whose script is written while it plays."""

    def __init__(self, plan: Plan, seed: int, dress: Any, built: bool = True) -> None:
        boards = tuple(board.id for board in plan.boards)
        steps = tuple(
            Step(line=1, act="place", board=boards[0], tower="left", piece=kind, least=_IN_THE_BOX, most=_IN_THE_BOX)
            for kind in kinds()
        )
        towers = ("left", "right") if built else ()
        castles = tuple(Castle(board, tower, 2, 3) for board in boards for tower in towers)
        super().__init__(Scenario("live", "", boards, castles, steps), seed, plan=plan, dress=dress)
        self._to_do: list[tuple[str, tuple[Step, ...]]] = []
        self._set: list[tuple[int, Body]] = []
        self.finished: list[tuple[str, str]] = []
        """Lines whose turn has come, each with why something of it could not be done, or nothing."""

    def tell(self, line: str) -> None:
        """Put a line at the end of the script; Malformed when it means nothing."""
        self._to_do.append((line, () if line == TAKE_BACK else self._read(line)))

    def _read(self, line: str) -> tuple[Step, ...]:
        boards = " ".join(board.id for board in self.plan.boards)
        return parse_scenario(f"boards {boards}\n{line}", "told").drawn(self._chance.randrange(2**31)).steps

    def _played(self) -> Iterator[None]:
        while True:
            if not self._to_do:
                yield
                continue
            line, steps = self._to_do.pop(0)
            yield from self._taken_back() if line == TAKE_BACK else self._done(steps)
            self.finished.append((line, " ".join(self.undone)))
            self.undone.clear()

    def _done(self, steps: tuple[Step, ...]) -> Iterator[None]:
        """Does the steps, and remembers which pieces were set by it."""
        for group in together(steps):
            away = set(self.castles.away)
            yield from self._together(group)
            new = [piece for piece in self.castles.here() if piece.number in away]
            self._set = [each for each in self._set if each[1] not in new]
            self._set += [(self._board(group[0].board), piece) for piece in new]

    def _taken_back(self) -> Iterator[None]:
        """A hand takes the piece away that was set last. What has been taken away meanwhile is forgotten."""
        self._set = [each for each in self._set if each[1].number not in self.castles.away]
        if not self._set:
            self.undone.append("There is no piece to take back.")
            return
        board, piece = self._set[-1]
        if piece.number in self.diary.down or self.world.board_under(piece) != board:
            self.undone.append("The piece set last has fallen: clear the board.")
            return
        player = Player(self.hands[0], self.castles, self.diary, board, self._chance)
        yield from player.take(piece)
        yield from player.go_home()
