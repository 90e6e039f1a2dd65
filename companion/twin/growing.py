"""Growing a forest: each tree asks for what those before it got wrong (gradient boosting of a logistic loss)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from companion.sensing.forest import Floats, Grown, Ints

_BINS = 64
_ROUNDED = 4


class Soil(msgspec.Struct, frozen=True, kw_only=True):
    """How trees grow."""

    trees: int = 600
    deep: int = 5
    rate: float = 0.07
    rows_share: float = 0.6
    symptoms_share: float = 0.5
    restraint: float = 8.0
    """How much weight it takes to be believed."""
    seed: int = 1


GOOD_SOIL = Soil()


def grow(
    symptoms: Sequence[str],
    found: Floats,
    true: npt.NDArray[np.bool_],
    weight: Floats,
    soil: Soil = GOOD_SOIL,
    prior: Floats | None = None,
) -> Grown:
    """A forest that tells from what was found, a row each, whether it is true.

    With a `prior`, which holds log odds for each row, its answers are to be added to that.
    """
    chance = np.random.default_rng(soil.seed)
    weight = weight * (len(weight) / weight.sum())
    share = float((weight * true).sum() / weight.sum())
    bias = float(np.log(share / (1 - share))) if prior is None else 0.0
    limits = [_limits(found[:, column]) for column in range(found.shape[1])]
    codes = np.column_stack([np.searchsorted(edges, found[:, at]) for at, edges in enumerate(limits)]).astype(np.uint8)
    odds = np.full(len(true), bias) if prior is None else prior.copy()
    trees: list[tuple[Ints, Floats, Floats]] = []
    for _ in range(soil.trees):
        sure = 1 / (1 + np.exp(-odds))
        rows = np.flatnonzero(chance.random(len(true)) < soil.rows_share)
        some = np.flatnonzero(chance.random(found.shape[1]) < soil.symptoms_share)
        pull, mass = weight * (true - sure), weight * sure * (1 - sure)
        tree = _tree(codes[rows], limits, some if len(some) else np.arange(1), pull[rows], mass[rows], soil)
        trees.append(tree)
        odds += _answered(tree, found, soil.deep)
    return Grown(
        symptoms=tuple(symptoms),
        bias=round(bias, _ROUNDED),
        asks=tuple(tuple(int(each) for each in asks) for asks, _, _ in trees),
        limits=tuple(tuple(float(f"{each:.6g}") for each in edges) for _, edges, _ in trees),
        answers=tuple(tuple(round(float(each), _ROUNDED) for each in answers) for _, _, answers in trees),
    )


def _limits(values: Floats) -> Floats:
    """Where a symptom is cut: between as many rows each."""
    edges = np.unique(np.quantile(values, np.linspace(0, 1, _BINS + 1)[1:-1]))
    return np.asarray([float(f"{edge:.6g}") for edge in edges])


def _tree(
    codes: npt.NDArray[np.uint8], limits: list[Floats], some: Ints, pull: Floats, mass: Floats, soil: Soil
) -> tuple[Ints, Floats, Floats]:
    """Its questions, their limits, and its answers."""
    questions = 2**soil.deep - 1
    asks, edges = np.zeros(questions, np.intp), np.full(questions, 1e9)
    at = np.zeros(len(codes), np.intp)
    for level in range(soil.deep):
        first, many = 2**level - 1, 2**level
        which, cut = _best(codes, at - first, many, some, pull, mass, soil.restraint)
        for node in range(many):
            if cut[node] < len(limits[which[node]]):
                asks[first + node], edges[first + node] = which[node], limits[which[node]][cut[node]]
        above = codes[np.arange(len(codes)), which[at - first]] > cut[at - first]
        at = 2 * at + 1 + above
    leaf = at - questions
    pulls, masses = np.bincount(leaf, pull, questions + 1), np.bincount(leaf, mass, questions + 1)
    return asks, edges, soil.rate * pulls / (masses + soil.restraint)


def _best(
    codes: npt.NDArray[np.uint8], node: Ints, many: int, some: Ints, pull: Floats, mass: Floats, restraint: float
) -> tuple[Ints, Ints]:
    """For each node the symptom, and its bin, by which it is best parted; a bin beyond all where none is."""
    best, which, cut = np.zeros(many), np.zeros(many, np.intp), np.full(many, _BINS, np.intp)
    for symptom in some.tolist():
        place = node * _BINS + codes[:, symptom]
        pulls = np.bincount(place, pull, many * _BINS).reshape(many, _BINS).cumsum(axis=1)
        masses = np.bincount(place, mass, many * _BINS).reshape(many, _BINS).cumsum(axis=1)
        gain = _worth(pulls, masses, restraint)
        gain += _worth(pulls[:, -1:] - pulls, masses[:, -1:] - masses, restraint)
        gain -= _worth(pulls[:, -1:], masses[:, -1:], restraint)
        at = gain.argmax(axis=1)
        better = gain[np.arange(many), at] > best
        best = np.where(better, gain[np.arange(many), at], best)
        which, cut = np.where(better, symptom, which), np.where(better, at, cut)
    return which, cut


def _worth(pull: Floats, mass: Floats, restraint: float) -> Floats:
    return np.asarray(pull * pull / (mass + restraint))


def _answered(tree: tuple[Ints, Floats, Floats], found: Floats, deep: int) -> Floats:
    """What a tree says of each row."""
    asks, edges, answers = tree
    at = np.zeros(len(found), np.intp)
    rows = np.arange(len(found))
    for _ in range(deep):
        at = 2 * at + 1 + (found[rows, asks[at]] > edges[at])
    return np.asarray(answers[at - len(asks)])
