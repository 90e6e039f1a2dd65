"""Forests that are grown: what they learn, and that they are the same every time."""

from __future__ import annotations

import numpy as np

from companion.sensing.forest import Forest
from companion.sensing.odds import chance
from companion.twin.growing import Soil, grow

SOIL = Soil(trees=40, rate=0.3, symptoms_share=1.0)


def test_a_forest_learns_what_no_single_symptom_tells() -> None:
    chance = np.random.default_rng(1)
    found = chance.uniform(-1, 1, (3000, 3))
    true = (found[:, 0] > 0) != (found[:, 1] > 0)
    forest = Forest(grow(("one", "other", "noise"), found[:2000], true[:2000], np.ones(2000), SOIL))
    told = np.array([forest.odds(row) > 0 for row in found[2000:]])
    assert (told == true[2000:]).mean() > 0.95


def test_the_same_lessons_grow_the_same_forest() -> None:
    found = np.random.default_rng(2).normal(size=(400, 2))
    once, again = (grow(("one", "other"), found, found[:, 0] > 0.3, np.ones(400), SOIL) for _ in range(2))
    assert once == again


def test_what_weighs_nothing_teaches_nothing() -> None:
    found = np.linspace(-1, 1, 600)[:, None]
    true = (found[:, 0] > 0) & (found[:, 0] < 0.5)  # what is above is wrongly labelled
    weight = np.where(found[:, 0] > 0.5, 1e-9, 1.0)
    chances = [
        chance(Forest(grow(("one",), found, true, each, SOIL)).odds(np.array([0.8]))) for each in (weight, np.ones(600))
    ]
    assert chances[0] > 0.3
    assert chances[1] < 0.1
