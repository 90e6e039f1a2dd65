"""What scales remember for another sense to ask."""

from __future__ import annotations

from companion.sensing.scales.evidence import ImpactEvidence, Load
from companion.sensing.scales.memory import Memory

_S = 1_000_000


def _hit(t_us: int, push_gs: float) -> ImpactEvidence:
    return ImpactEvidence("south", t_us, t_us, 1.0, 1.0, push_gs, 0.0)


def _memory() -> Memory:
    return Memory(
        piece_g=2.0,
        centre_mm=(125.0, 100.0),
        chances=((2 * _S, 0.9), (5 * _S, 0.4), (6 * _S, 0.6)),
        hits=(_hit(2 * _S, 0.5), _hit(6 * _S, 0.1)),
        rests=((_S, Load(30.0)), (4 * _S, Load(32.0)), (8 * _S, Load(36.5, 100.0, -20.0))),
    )


def test_only_what_happened_since_then_counts_but_for_a_little() -> None:
    memory = _memory()
    assert memory.likeliest(3 * _S) == 0.6
    assert memory.likeliest(2 * _S + 200_000) == 0.9
    assert memory.likeliest(9 * _S) == 0.0
    assert [hit.push_gs for hit in memory.hits_since(3 * _S)] == [0.1]


def test_what_was_gained_is_what_rests_there_now_less_what_rested_then() -> None:
    memory = _memory()
    assert memory.gained(5 * _S, 7 * _S) == Load(4.5, 100.0, -20.0)
    assert memory.gained(_S, 7 * _S) == Load(6.5, 100.0, -20.0)
    assert memory.gained(500_000, 7 * _S) is None  # nobody knows what lay there before
    assert memory.gained(5 * _S, 9 * _S) is None  # nothing has come to rest since


def test_what_came_later_is_not_remembered_of_a_time() -> None:
    memory = _memory().until(5 * _S)
    assert memory.likeliest(0) == 0.9
    assert [hit.t_us for hit in memory.hits_since(0)] == [2 * _S]
    assert memory.gained(_S, 3 * _S) == Load(2.0)
    assert memory.gained(5 * _S, 5 * _S) is None
