"""The weight on a board over time, as plain as people read it: the sum of its cells, sample by sample."""

from __future__ import annotations

from collections.abc import Iterable

from companion.sensing.plan import Board
from companion.sensing.streams import ScaleSample

_MOST_G = 1500.0
"""What no cell of a board can weigh: a reading beyond it is a wild one."""


class BoardWeight:
    """Adds up a board's cells; one that is missing, or reads what no board can weigh, counts as it read last."""

    def __init__(self, board: Board) -> None:
        self._gains = [cell.counts_per_g or 0.0 for cell in board.cells]
        self._zeros = [cell.zero_counts for cell in board.cells]
        self._counts: list[float] = list(self._zeros)

    @property
    def known(self) -> bool:
        """Whether some cell says grams, and not counts alone."""
        return any(self._gains)

    def grams(self, sample: ScaleSample) -> float:
        """What lies on the board at this sample."""
        for number, counts in enumerate(sample.counts[: len(self._counts)]):
            if counts is not None and abs(counts - self._zeros[number]) < _MOST_G * abs(self._gains[number]):
                self._counts[number] = counts
        pairs = zip(self._counts, self._zeros, self._gains, strict=True)
        return sum((counts - zero) / gain for counts, zero, gain in pairs if gain)


def force_trace(board: Board, samples: Iterable[ScaleSample]) -> list[tuple[int, float]]:
    """The time and the weight of each sample of this board."""
    weight = BoardWeight(board)
    return [(sample.t_us, weight.grams(sample)) for sample in samples if sample.board == board.id]
