"""Ears and what they are given to hear: traces beside rest, places beside towers, files that are none."""

from __future__ import annotations

import io

import numpy as np
import pytest

from companion.errors import Malformed
from companion.sensing.plan import Area
from companion.sensing.scales.ear import LAYERS, PAD, Ear, Ears, Weights, offsets, shapes
from companion.sensing.scales.evidence import Load, Row
from companion.sensing.scales.falls import ears
from companion.sensing.scales.quiet import Rows
from companion.sensing.scales.tracing import ROWS, Array, Ground, Trace, channels, trace
from tests.sensing.forces import board

ROW_US = 12_500
_BESIDE, _BEYOND, _KNOWN = 5, 6, 7  # where channels tell where a load lies


def _heard(rows: Rows, ground: Ground) -> Array:
    one = trace(rows, Load(50.0), 2.0, ground)
    return np.asarray(channels(Trace(one.loads[None], Ground(*(part[None] for part in one.ground))))[0])


def _rows(many: int, force_g: float, x_gmm: float = 0.0, y_gmm: float = 0.0) -> Rows:
    rows = Rows()
    for number in range(many):
        rows.push(Row(number * ROW_US, 50.0 + force_g, x_gmm, y_gmm))
    return rows


def _zeros() -> Weights:
    return {name: np.zeros(shape, np.float32) for name, shape in shapes(1).items()}


def _ground(places: bool = True) -> Ground:
    return Ground.of(board(), 30.0, places)


def test_a_trace_is_what_is_more_than_rested_there_in_lightest_pieces() -> None:
    loads = trace(_rows(200, 6.0, 80.0), Load(50.0, 20.0), 2.0, _ground()).loads
    assert loads.shape == (ROWS + 1, 4)
    assert loads[:, 0] == pytest.approx(3.0)
    assert loads[:, 1] == pytest.approx(30.0)
    assert loads[-1, 3] == 0
    assert loads[-2, 3] == pytest.approx(-0.0125)


def test_what_was_not_felt_yet_is_as_at_rest() -> None:
    loads = trace(_rows(10, 6.0), Load(50.0), 2.0, _ground()).loads
    assert (loads[: ROWS + 1 - 10] == 0).all()
    assert (loads[ROWS + 1 - 10 :, 0] == 3).all()


def test_a_load_is_heard_beside_the_towers_and_within_the_board() -> None:
    on_tower, on_ground = (_heard(_rows(200, 2.0, 2.0 * mm, -80.0), _ground())[:, -1] for mm in (65.0, 0.0))
    assert on_tower[_KNOWN] == on_ground[_KNOWN] == 1
    assert on_tower[_BESIDE] == pytest.approx(-30 / 40)
    assert on_ground[_BESIDE] == pytest.approx(35 / 40)
    assert on_tower[_BEYOND] < 0
    assert _heard(_rows(200, 2.0, 2.0 * 150), _ground())[_BEYOND, -1] > 0


def test_what_lies_in_an_inventory_area_is_not_beside_anything() -> None:
    plain, stored = board(), board(inventory=(Area((100.0, 90.0), (150.0, 110.0)),))
    beside = [_heard(_rows(200, 2.0), Ground.of(each, 20.0, True))[_BESIDE, -1] for each in (plain, stored)]
    assert beside[1] == pytest.approx(-0.5)
    assert beside[0] > beside[1]


def test_where_a_load_lies_is_unknown_where_nothing_tells_or_nothing_is() -> None:
    for rows, ground in ((_rows(200, 2.0, 100.0), _ground(places=False)), (_rows(200, 0.1, 100.0), _ground())):
        heard = _heard(rows, ground)
        assert (heard[[_BESIDE, _BEYOND, _KNOWN], -1] == 0).all()


def test_no_layer_looks_beyond_the_pads() -> None:
    assert max(abs(off) for layer in LAYERS for off in offsets(layer)) <= PAD


def test_an_ear_hears_each_trace_by_itself() -> None:
    ear = next(iter(ears()))
    chance = np.random.default_rng(1)
    heard = chance.normal(size=(3, 15, ROWS)).astype(np.float32)
    known = chance.normal(size=(3, 2 * len(ear.symptoms))).astype(np.float32)
    together = ear.listen(heard, known).odds
    alone = [float(ear.listen(heard[at : at + 1], known[at : at + 1]).odds[0]) for at in range(3)]
    assert together == pytest.approx(alone, rel=1e-4)


def test_a_tower_or_an_area_that_one_board_lacks_is_heard_on_another() -> None:
    traces = [trace(_rows(200, 2.0, 130.0, -80.0), Load(50.0), 2.0, _ground()) for _ in range(2)]
    bare = traces[1].ground._replace(towers=np.full_like(traces[1].ground.towers, 999.0))
    grounds = zip(traces[0].ground, bare, strict=True)
    both = Trace(np.stack([each.loads for each in traces]), Ground(*(np.stack(part) for part in grounds)))
    beside = channels(both)[:, _BESIDE, -1]
    assert beside[0] == pytest.approx(-30 / 40)
    assert beside[1] == 0


def test_several_ears_tell_the_mean_of_their_odds() -> None:
    one, other = (_an_ear(odds) for odds in (1.0, 4.0))
    heard = trace(_rows(200, 2.0), Load(50.0), 2.0, _ground())
    assert [Ears(each).odds(heard, (0.0,)) for each in ([one], [other], [one, other])] == [1.0, 4.0, 2.5]


def test_ears_are_read_as_they_were_written() -> None:
    again = Ears.read(ears().to_bytes())
    assert again.symptoms == ears().symptoms
    assert len(again) == len(ears()) > 1
    for one, other in zip(again, ears(), strict=True):
        assert all((one.weights[name] == each).all() for name, each in other.weights.items())


@pytest.mark.parametrize("data", [b"", b"no ear", b"PK\x03\x04 no ear"])
def test_what_is_no_ear_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(Malformed, match="This is no ear"):
        Ears.read(data)


def test_a_file_that_was_cut_off_is_none() -> None:
    with pytest.raises(Malformed, match="This is no ear"):
        Ears.read(ears().to_bytes()[:-40])


def test_a_file_of_no_ears_is_none() -> None:
    kept = io.BytesIO()
    weights: dict[str, Array] = {name: np.zeros((0, *each.shape), np.float32) for name, each in _zeros().items()}
    np.savez(kept, allow_pickle=False, symptoms=np.array(["one"]), **weights)
    with pytest.raises(Malformed, match="This is no ear"):
        Ears.read(kept.getvalue())


def test_an_ear_that_lacks_something_is_none() -> None:
    weights = {name: each for name, each in _zeros().items() if name != "second"}
    with pytest.raises(Malformed, match="it lacks second"):
        Ear(("one",), weights)


def _an_ear(odds: float) -> Ear:
    """One that says the same of everything."""
    told = {"large": 1.0, "spread": 1.0, "last_bias": odds}
    return Ear(("one",), {name: np.full_like(each, told.get(name, 0.0)) for name, each in _zeros().items()})
