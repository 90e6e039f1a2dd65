"""The ten-second check: what is wrong with a module, and what to do about it."""

from __future__ import annotations

import random

import pytest

from companion.devices.scales import check
from companion.devices.scales.messages import Hello, Type
from companion.devices.scales.twin import SimModule, Source, every_nth_byte, still
from companion.doctor import Check
from tests.devices.scales.conftest import Table


def _checked(table: Table, seconds: float = 5.0) -> dict[str, list[Check]]:
    heard = check.collect(table.scales, seconds, table.clock.advance, table.clock.monotonic_ns)
    return check.findings(heard)


def _wrong(table: Table) -> dict[str, Check]:
    found = _checked(table)["north"]
    assert all(one.remedy for one in found if one.ok != "good")
    return {one.name: one for one in found if one.ok != "good"}


def _one_cell(counts: Source) -> Source:
    quiet = still()
    return lambda t_us, channel: counts(t_us, channel) if channel == 1 else quiet(t_us, channel)


def test_a_healthy_module(table: Table) -> None:
    table.plug_in(SimModule("north"))
    found = _checked(table)["north"]
    assert [one for one in found if one.ok != "good"] == []
    says = {one.name: one.says for one in found}
    rates = [float(says[f"cell c{channel} rate"].split()[0]) for channel in range(4)]
    assert rates == pytest.approx([80 * own for own in (1.162, 1.155, 1.16, 1.149)], rel=0.005)
    assert "0 frames lost" in says["link"]
    assert says["errors"] == "None."


def test_a_dead_cell(table: Table) -> None:
    module = table.plug_in(SimModule("north"))
    module.dead.add(3)
    wrong = _wrong(table)
    assert wrong["cell c3"].says == "It gave 0 readings."
    assert "time-outs" in wrong["errors"].says


def test_a_saturated_cell(table: Table) -> None:
    table.plug_in(SimModule("north")).full.add(1)
    wrong = _wrong(table)
    assert wrong["cell c1 range"].ok == "bad"
    assert "readings are at the end of the range" in wrong["cell c1 range"].says


@pytest.mark.parametrize(("noise", "ok"), [(900, "warn"), (9000, "bad")])
def test_a_noisy_cell(table: Table, noise: float, ok: str) -> None:
    table.plug_in(SimModule("north", _one_cell(still(noise=noise))))
    assert {name: one.ok for name, one in _wrong(table).items()} == {"cell c1 noise": ok}


def test_a_cell_that_says_the_same_all_the_time(table: Table) -> None:
    table.plug_in(SimModule("north", _one_cell(lambda t_us, channel: 4711)))
    assert _wrong(table)["cell c1 values"].says.startswith("1 different values")


def test_a_cell_whose_lowest_bits_never_change(table: Table) -> None:
    loud = still(noise=400)
    table.plug_in(SimModule("north", _one_cell(lambda t_us, channel: round(loud(t_us, channel) / 16) * 16)))
    assert "16 counts apart" in _wrong(table)["cell c1 values"].says


def test_spikes(table: Table) -> None:
    chance = random.Random(1)
    quiet = still()
    table.plug_in(
        SimModule("north", _one_cell(lambda t, channel: 0x1FFFF if chance.random() < 0.02 else quiet(t, channel)))
    )
    assert set(_wrong(table)) == {"cell c1 spikes"}


def test_a_chip_wired_for_ten_a_second(table: Table) -> None:
    module = table.plug_in(SimModule("north"))
    table.run(2)
    table.scales.command("north", Type.SET_RATE, bytes((10,)))
    table.run(1)
    module._report = lambda at_us: None  # type: ignore[method-assign]
    wrong = _wrong(table)
    assert "RATE pin" in wrong["cell c0 rate"].remedy


def test_a_bad_cable(table: Table) -> None:
    table.plug_in(SimModule("north")).spoil = every_nth_byte(501, flip=True)
    assert "cable" in _wrong(table)["link"].remedy


def test_a_module_that_cannot_be_used(table: Table) -> None:
    table.plug_in(SimModule(hello=Hello(major=9)))
    found = _checked(table)["ttyUSB0"]
    assert [one.ok for one in found] == ["bad"]
    assert "speaks version 9" in found[0].says


def test_greeting_ends_as_soon_as_everybody_has_answered(table: Table) -> None:
    table.plug_in(SimModule("north"))
    began_ns = table.clock.monotonic_ns()
    modules = check.greet(table.scales, table.clock.advance, table.clock.monotonic_ns)
    assert [module.name for module in modules] == ["north"]
    assert table.clock.monotonic_ns() - began_ns < 1e9
