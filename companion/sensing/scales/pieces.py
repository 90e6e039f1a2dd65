"""Which piece weighs that much."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations_with_replacement

from companion.sensing.plan import Piece

_SLACK_G = 0.12
_SLACK_PART = 0.04
_SIGMAS = 3.0
_ODD = 2.0
_SMALLEST_PART = 0.4
_HAND_PART = 1.6
_LEAST_HAND_G = 15.0
_UNKNOWN_HAND_G = 40.0
_WIDE_MM, _WIDE_BUILT_MM, _MIDDLE_MM = 30.0, 24.0, 12.0


class Masses:
    """The pieces of a plan by their masses.

    `least_g` is the smallest change that can be a piece, 0 where no mass is known; `hand_g` is what no piece weighs.
    """

    def __init__(self, pieces: Mapping[str, Piece]) -> None:
        self.pieces = pieces
        self._masses = {name: piece.mass_g for name, piece in pieces.items() if piece.mass_g is not None}
        known = self._masses.values()
        self.lightest_g = min(known, default=0.0)
        self.heaviest_g = max(known, default=0.0)
        self.least_g = _SMALLEST_PART * self.lightest_g
        self.hand_g = max(_LEAST_HAND_G, _HAND_PART * self.heaviest_g) if self._masses else _UNKNOWN_HAND_G

    @property
    def known(self) -> bool:
        return bool(self._masses)

    def named(self, grams: float, sigma_g: float, off_centre_mm: float | None = None) -> str | None:
        """The piece that weighs that much, if any does nearly; None where the masses of all are further off.

        Where several do, the place decides as far as it is known: a wide piece lies about the middle of its tower, and
        what stands at its edge is a narrow one.
        """
        near = self.near(grams, sigma_g)
        return min(near, key=lambda name: (near[name] + self._misplaced(name, off_centre_mm), name), default=None)

    def near(self, grams: float, sigma_g: float) -> dict[str, float]:
        """The pieces that weigh nearly that much, and how far off each is: 1 at the most."""
        off = {name: abs(mass - grams) / self._slack(mass, sigma_g) for name, mass in self._masses.items()}
        return {name: far for name, far in off.items() if far <= 1}

    def _misplaced(self, name: str, off_centre_mm: float | None) -> float:
        if off_centre_mm is None:
            return 0.0
        wide = is_wide(self.pieces[name])
        return float(off_centre_mm > _WIDE_BUILT_MM) if wide else float(off_centre_mm < _MIDDLE_MM)

    def could_be_two(self, grams: float, sigma_g: float) -> bool:
        """Whether two pieces together weigh that much."""
        masses = sorted(set(self._masses.values()))
        return any(
            abs(one + other - grams) <= self._slack(one + other, sigma_g)
            for at, one in enumerate(masses)
            for other in masses[at:]
        )

    def together(
        self, grams: float, sigma_g: float, most: int, common: frozenset[str] = frozenset()
    ) -> tuple[str, ...]:
        """The fewest pieces that weigh that much together; none where `most` of them do not.

        Of these the most `common` ones, then the nearest. A single piece may be further off than several, which err to
        either side.
        """
        for many in range(1, most + 1):
            odd = _ODD if many == 1 else 1.0
            near = {
                pieces: (len(set(pieces) - common), abs(mass - grams), pieces)
                for pieces in combinations_with_replacement(sorted(self._masses), many)
                if abs((mass := self._sum(pieces)) - grams) <= odd * self._slack(mass, sigma_g)
            }
            if near:
                return min(near, key=lambda pieces: near[pieces])
        return ()

    def part(self, piece: str, pieces: Sequence[str]) -> float:
        """Which part of the weight of some pieces is that of one of them."""
        return self._masses[piece] / self._sum(pieces)

    def _sum(self, pieces: Iterable[str]) -> float:
        return sum(self._masses[piece] for piece in pieces)

    @staticmethod
    def _slack(mass_g: float, sigma_g: float) -> float:
        return max(_SLACK_G + _SLACK_PART * mass_g, _SIGMAS * sigma_g)


def is_wide(piece: Piece) -> bool:
    """Whether it is as wide as a floor: its second longest side counts, so that a bar is not wide."""
    return piece.size_mm is not None and sorted(piece.size_mm)[1] > _WIDE_MM
