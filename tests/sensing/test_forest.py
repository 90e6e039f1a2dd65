"""Forests: trees that are asked, and files that hold none."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.errors import Malformed
from companion.sensing.forest import Forest, Grown

GROWN = Grown(
    symptoms=("push", "dip"),
    bias=-1.0,
    asks=((0, 1, 1), (1, 0, 0)),
    limits=((2.0, 0.5, 0.5), (1.0, 9.0, 9.0)),
    answers=((0.0, 0.1, 0.2, 3.0), (0.0, 0.0, 0.5, 0.7)),
)


@pytest.mark.parametrize(
    ("push", "dip", "odds"), [(0.0, 0.0, -1.0), (2.0, 0.6, -0.9), (2.1, 0.5, -0.8), (2.1, 0.6, 2.0), (9.5, 1.5, 2.7)]
)
def test_every_tree_adds_its_answer(push: float, dip: float, odds: float) -> None:
    forest = Forest(GROWN)
    assert forest.odds(np.array([push, dip])) == pytest.approx(odds)


def test_a_forest_is_read_as_it_was_written() -> None:
    assert Forest.read(msgspec.json.encode(GROWN)).odds(np.array([3.0, 1.0])) == pytest.approx(2.0)


@pytest.mark.parametrize(
    "spoilt",
    [
        b"not a forest",
        b"{}",
        msgspec.json.encode(msgspec.structs.replace(GROWN, answers=((1.0,), (1.0,)))),
        msgspec.json.encode(msgspec.structs.replace(GROWN, asks=((0, 1, 7), (1, 0, 0)))),
        msgspec.json.encode(msgspec.structs.replace(GROWN, limits=((1.0,), (1.0,)))),
        msgspec.json.encode(msgspec.structs.replace(GROWN, asks=(), limits=(), answers=())),
    ],
)
def test_what_is_no_forest_is_said_in_a_sentence(spoilt: bytes) -> None:
    with pytest.raises(Malformed, match="no forest"):
        Forest.read(spoilt)
