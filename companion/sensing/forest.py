"""A forest: many small trees, each of which asks a few questions and adds its answer to the log odds of something."""

from __future__ import annotations

from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from companion.errors import Malformed

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.intp]


class Grown(msgspec.Struct, frozen=True):
    """A forest as a file holds it. Every tree asks as many questions one after the other.

    A tree's questions stand row by row from its root: which symptom, and more than what? Then its answers from left,
    where every answer was no, to right.
    """

    symptoms: tuple[str, ...]
    bias: float
    asks: tuple[tuple[int, ...], ...]
    limits: tuple[tuple[float, ...], ...]
    answers: tuple[tuple[float, ...], ...]


class Forest:
    """Trees ready to be asked."""

    def __init__(self, grown: Grown) -> None:
        self.symptoms = grown.symptoms
        self._bias = grown.bias
        self._asks, self._limits = np.array(grown.asks, np.intp), np.array(grown.limits, float)
        self._answers = np.array(grown.answers, float)
        _check(grown, self._asks, self._limits, self._answers)
        trees, questions = self._asks.shape
        self._deep = (questions + 1).bit_length() - 1
        self._trees = np.arange(trees)

    @classmethod
    def read(cls, data: bytes) -> Forest:
        """The forest of a file; Malformed when it is none."""
        try:
            return cls(msgspec.json.decode(data, type=Grown))
        except (msgspec.MsgspecError, ValueError) as error:
            raise Malformed(f"This is no forest: {error}") from error

    @classmethod
    def grown_of(cls, data: bytes, symptoms: tuple[str, ...], wrong: str, grow: str) -> Forest:
        """The forest of a file, grown from these symptoms; else Malformed says what is `wrong` and how to `grow` it."""
        learned = cls.read(data)
        if learned.symptoms != symptoms:
            raise Malformed(f"{wrong}: grow it anew with {grow}.")
        return learned

    def odds(self, found: Floats) -> float:
        """The log odds that the trees give to these symptoms."""
        at = np.zeros(len(self._trees), np.intp)
        for _ in range(self._deep):
            at = 2 * at + 1 + (found[self._asks[self._trees, at]] > self._limits[self._trees, at])
        return self._bias + float(self._answers[self._trees, at - self._asks.shape[1]].sum())


def _check(grown: Grown, asks: Ints, limits: Floats, answers: Floats) -> None:
    trees, questions = asks.shape if asks.ndim == 2 else (0, 0)
    whole = trees > 0 and (questions + 1).bit_count() == 1 and limits.shape == asks.shape
    if not whole or answers.shape != (trees, questions + 1) or not 0 <= asks.min() <= asks.max() < len(grown.symptoms):
        raise ValueError("its trees are not whole")
