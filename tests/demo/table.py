"""A paper table with hands: what they are told happens at once, and is sensed, misread or missed as a test wants it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.sensing.streams import Sensed
from tests.app.watched import PaperTable, collapse

SECOND_US = 1_000_000
_WORDS = re.compile(r"(?:(north): )?(place|remove|knock|clear)(?: (\d+))? ?(\S*?)s?(?: (?:on|from))? ?(\w*)")
_PIECES = {"tile": "floor-tile"}
_SENSED_AFTER_US = 200_000


class Time:
    """The test's own clock."""

    def __init__(self) -> None:
        self.now_us = 1_000 * SECOND_US

    def __call__(self) -> int:
        return self.now_us

    def pass_by(self, seconds: float) -> None:
        self.now_us += round(seconds * SECOND_US)


class HandedTable(PaperTable):
    """`blind`: nothing is sensed. `reads_as`: every piece is taken for this one. `slow_s`: how long a hand takes."""

    def __init__(
        self, time: Time, *, blind: bool = False, reads_as: str = "", slow_s: float = 0.0, ready: bool = True
    ) -> None:
        super().__init__(boards=2)
        self.ready = ready
        self._time = time
        self._blind, self._reads_as, self._slow_us = blind, reads_as, round(slow_s * SECOND_US)
        self._levels: Counter[tuple[str, str]] = Counter()
        self._later: list[tuple[int, Sensed | dict[str, Any]]] = []
        self.waiting += [self._height(board.id, "left") for board in self.plan.boards]
        self.stand("south", "left", 0, 0.0)

    def hand(self, words: str) -> None:
        super().hand(words)
        at_us = self._time() + self._slow_us
        for event in self._done(words, at_us):
            truth = {"kind": event.kind, "board": event.board}
            self._later.append((at_us, {"kind": "truth", "event": truth, "at_us": event.t_us}))
            if not self._blind:
                self._later.append((at_us + _SENSED_AFTER_US, event))
                self._later.append((at_us + _SENSED_AFTER_US, self._height(event.board or "", event.tower or "")))
        self._later.append((at_us, {"kind": "done", "line": words}))

    def poll(self) -> list[Sensed]:
        return [*super().poll(), *(each for each in self._due(Sensed))]

    def told(self) -> list[dict[str, Any]]:
        return list(self._due(dict))

    def _due(self, kind: type[Any]) -> Iterator[Any]:
        for each in [each for each in self._later if each[0] <= self._time() and isinstance(each[1], kind)]:
            self._later.remove(each)
            yield each[1]

    def _done(self, words: str, at_us: int) -> Iterator[Sensed]:
        found = _WORDS.fullmatch(words)
        assert found is not None, words
        board, act, count, piece, tower = found.groups()
        board = board or "south"
        if act == "knock":
            self._levels[board, tower] -= 1
            yield collapse(board, at_us, tower=tower)
        elif act in ("place", "remove"):
            for _ in range(int(count or 1)):
                yield self._piece(act, board, _PIECES.get(piece, piece), tower, at_us)

    def _height(self, board: str, tower: str) -> Sensed:
        levels, at_us = self._levels[board, tower], self._time()
        return Sensed(
            kind="height", t_us=at_us, decided_us=at_us, board=board, tower=tower, level=levels, top_mm=27.0 * levels
        )

    def _piece(self, act: str, board: str, piece: str, tower: str, at_us: int) -> Sensed:
        if (act, piece) == ("place", "floor-tile"):
            self._levels[board, tower] += 1
        level = max(1, self._levels[board, tower])
        if (act, piece) == ("remove", "floor-tile"):
            self._levels[board, tower] -= 1
        return Sensed(
            kind="placed" if act == "place" else "removed", t_us=at_us, decided_us=at_us, board=board, tower=tower,
            level=level, piece=self._reads_as or piece, confidence=0.95, evidence={"scales": 0.9, "camera": 0.9},
        )  # fmt: skip
