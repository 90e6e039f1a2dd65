"""The driver with modules in memory: found, listened to, lost and taken up again, all of it told in words."""

from __future__ import annotations

import threading
from itertools import pairwise

import pytest

from companion.devices.scales.driver import Scales
from companion.devices.scales.messages import FULL_SCALE, Hello, Result, Round, Type, id_payload, write_hello
from companion.devices.scales.port import Port, Reader
from companion.devices.scales.twin import SimModule, every_nth_byte, still, trace
from companion.devices.scales.wire import frame
from companion.errors import DeviceLost
from companion.sensing.streams import Flag, ScaleSample
from tests.devices.scales.conftest import USB0, USB1, Table

_PERIOD_US = 1e6 / (80 * 1.162)


def _received(samples: list[ScaleSample]) -> list[tuple[tuple[int | None, ...], Flag]]:
    return [(sample.counts, sample.flags) for sample in samples]


def _sent(rounds: list[Round]) -> list[tuple[tuple[int | None, ...], Flag]]:
    return [(round.counts, round.flags) for round in rounds]


class TestListening:
    def test_every_round_arrives_once_and_in_order(self, table: Table) -> None:
        module = SimModule("north")
        module.rounds = []
        table.plug_in(module)
        samples = table.run(10)
        assert len(samples) > 900
        assert _received(samples) == _sent(module.rounds)

    def test_times_are_those_of_the_conversions(self, table: Table, north: SimModule) -> None:
        table.run(10)
        samples = table.run(10)
        steps = [after.t_us - before.t_us for before, after in pairwise(samples)]
        assert all(abs(step - _PERIOD_US) < 100 for step in steps)
        assert table.module().rate_hz == pytest.approx(80 * 1.162, abs=0.1)
        assert all(before.t_us < after.t_us for before, after in pairwise(table.samples))

    def test_the_clock_wraps_without_a_trace(self, table: Table) -> None:
        module = SimModule("north")
        module.first_us = (1 << 32) - 5_000_000
        table.plug_in(module)
        table.run(2)
        samples = table.run(10)
        assert all(abs(after.t_us - before.t_us - _PERIOD_US) < 300 for before, after in pairwise(samples))
        assert table.module().counts.restarts == 0

    def test_a_module_without_an_id_is_called_like_its_port(self, table: Table) -> None:
        table.plug_in(SimModule(""))
        assert {sample.board for sample in table.run(2)} == {"ttyUSB0"}

    def test_a_board_may_have_another_name_than_its_module(self) -> None:
        table = Table({"m1": "north"})
        table.plug_in(SimModule("m1"))
        assert {sample.board for sample in table.run(2)} == {"north"}

    def test_a_trace_is_played(self, table: Table) -> None:
        table.plug_in(SimModule("north", trace([(0, (1, 2, 3, 4)), (3_000_000, (-8_388_608, 0, 8_388_607, -1))])))
        samples = table.run(5)
        assert samples[10].counts == (1, 2, 3, 4)
        assert (samples[-1].counts, samples[-1].flags) == ((-8_388_608, 0, 8_388_607, -1), Flag.SATURATED)

    def test_several_modules_at_once(self, table: Table, north: SimModule) -> None:
        table.plug_in(SimModule("south", still(5000)), USB1)
        samples = table.run(4)
        by_board = {board: [each for each in samples if each.board == board] for board in ("north", "south")}
        assert len(by_board["north"]) > 350
        assert len(by_board["south"]) > 300
        assert table.scales.health.state == "ready"

    def test_nothing_is_plugged_in(self, table: Table) -> None:
        assert table.run(1) == []
        assert table.scales.modules() == ()
        assert table.scales.health.state == "off"


class TestFaults:
    def test_a_dead_chip_is_named_and_welcomed_back(self, table: Table, north: SimModule) -> None:
        north.dead.add(2)
        samples = table.run(3)
        assert all(
            sample.counts[2] is None and sample.counts[0] is not None for sample in samples[30:] if any(sample.counts)
        )
        assert any(sample.flags & Flag.TIMEOUT for sample in samples)
        assert "Cell c2 gives nothing" in table.module().says[0]
        assert table.scales.health.says == table.module().says[0]
        north.dead.clear()
        samples = table.run(3)
        assert all(sample.counts[2] is not None for sample in samples[-50:])
        assert table.told("dead")[-1] == "Cell c2 answers again."
        assert table.module().says == ()

    def test_a_dead_chip_does_not_slow_the_others(self, table: Table, north: SimModule) -> None:
        north.dead.add(0)
        table.run(1)
        assert len(table.run(5)) > 450

    def test_saturation_is_told_until_it_is_over(self, table: Table, north: SimModule) -> None:
        north.full.add(1)
        samples = table.run(1)
        assert samples[-1].counts[1] == FULL_SCALE[1]
        assert samples[-1].flags & Flag.SATURATED
        assert "Cell c1 is at the end of its range" in table.module().says[0]
        north.full.clear()
        table.run(3)
        assert table.told("saturated")[-1] == "Cell c1 measures again."

    def test_a_chip_out_of_step(self, table: Table, north: SimModule) -> None:
        north.desync(3)
        samples = table.run(1)
        assert any(sample.flags & Flag.DESYNC and sample.counts[3] is None for sample in samples)
        assert "lost step" in table.module().says[0]
        table.run(4)
        assert table.told("desync")[-1] == "All chips are in step again."
        assert table.module().counts.desyncs == 1

    def test_a_glitch_is_passed_on_as_it_is(self, table: Table, north: SimModule) -> None:
        north.glitch(0, 0x1FFFF)
        assert 0x1FFFF in [sample.counts[0] for sample in table.run(1)]

    @pytest.mark.parametrize("flip", [False, True])
    def test_broken_bytes_cost_samples_and_never_change_one(self, table: Table, north: SimModule, flip: bool) -> None:
        north.rounds = []
        heard = len(table.samples)
        north.spoil = every_nth_byte(501, flip)
        table.run(30)
        north.spoil = bytes
        table.run(11)
        arrived, sent = _received(table.samples[heard:]), _sent(north.rounds)
        lost = table.module().counts.lost
        assert lost > 100
        assert len(sent) - len(arrived) <= lost
        rest = iter(sent)
        assert all(each in rest for each in arrived)
        assert "Frames get lost on the way" in table.told("losses")[0]
        assert table.told("losses")[-1].startswith("No frame was lost for a while")

    def test_every_frame_is_either_received_or_counted_as_lost(self, table: Table, north: SimModule) -> None:
        link = table.scales._plugs[USB0].link
        north.spoil = every_nth_byte(97, flip=True)
        table.run(15)
        north.spoil = bytes
        table.run(1)
        assert link._decoder.good + link._decoder.lost == north.sent

    def test_commands_get_through_a_bad_line(self, table: Table, north: SimModule) -> None:
        north.spoil = every_nth_byte(40, flip=False)
        answer = table.scales.command("north", Type.SET_RATE, bytes((10,)))
        table.run(2)
        assert answer() == Result.DONE
        assert north.hello.rate_sps == 10
        north.spoil = bytes
        table.run(4)
        assert table.module().rate_hz == pytest.approx(10 * 1.162, abs=0.1)

    def test_a_module_that_stops_talking_is_called_until_it_answers(self, table: Table, north: SimModule) -> None:
        north.spoil = lambda said: b""
        table.run(5)
        assert "stopped talking" in table.told("silent")[0]
        north.spoil = bytes
        samples = table.run(6)
        assert len(samples) > 200
        assert table.module().state == "ready"


class TestStartingAnew:
    def test_a_reset_in_the_middle_of_a_frame(self, table: Table, north: SimModule) -> None:
        north.reset(8)
        samples = table.run(3)
        assert table.told("restarted") == ["The module started anew: its program had hung."]
        assert len(samples) > 200
        assert all(before.t_us < after.t_us for before, after in pairwise(table.samples))
        counts = table.module().counts
        assert (counts.restarts, counts.lost) == (1, 0)

    def test_a_reset_whose_first_frames_were_lost(self, table: Table, north: SimModule) -> None:
        table.run(5)
        north.spoil = lambda said: b""
        north.reset(4)
        table.run(0.1)
        north.spoil = bytes
        samples = table.run(4)
        assert table.told("restarted") == ["The module started anew: it did not say why."]
        assert len(samples) > 200
        assert table.module().counts.lost < 20

    def test_opening_a_port_is_no_restart(self, table: Table, north: SimModule) -> None:
        assert table.module().counts.restarts == 0
        assert table.notices == []

    def test_samples_before_the_clock_is_set_are_not_guessed(self, table: Table) -> None:
        module = SimModule("north")
        table.plug_in(module)
        module.spoil = lambda said: said.replace(frame(Type.HELLO, write_hello(module.hello), 1), b"")
        table.run(0.02)
        module.hello = Hello(id="north", expected=15, streaming=True)
        table.run(1)
        now_us = table.clock.monotonic_ns() // 1000
        assert table.module().counts.early > 5
        assert all(now_us - 1_000_000 < sample.t_us <= now_us + 10_000 for sample in table.samples)


class TestPlugs:
    def test_unplugged_and_back_at_another_port(self, table: Table, north: SimModule) -> None:
        before = table.module().counts.samples
        table.sockets.unplug(USB0)
        assert table.run(2) == []
        assert table.module().state == "lost"
        assert table.scales.health.state == "lost"
        assert "unplugged" in table.scales.health.says
        table.sockets.plug_in(north, USB1)
        assert len(table.run(3)) > 150
        assert [notice.over for notice in table.notices if notice.kind == "unplugged"] == [False, True]
        assert table.told("unplugged")[-1] == f"The module is back at {USB1}."
        assert table.module().counts.samples > before
        assert table.scales.health.state == "ready"

    def test_a_port_that_fails_while_it_is_listed_is_tried_again(self, table: Table, north: SimModule) -> None:
        table.sockets.plug_in(SimModule("north"), USB0)
        assert len(table.run(5)) > 150
        assert len(table.told("unplugged")) == 2

    def test_two_with_the_same_id(self, table: Table, north: SimModule) -> None:
        table.plug_in(SimModule("north", still(7)), USB1)
        table.run(3)
        assert [report.state for report in table.scales.modules()] == ["ready", "same id"]
        assert f"at {USB0} and {USB1} are both called 'north'" in table.told("same id")[0]
        assert all(sample.counts[0] != 7 for sample in table.samples)

    def test_a_module_of_another_version_is_told_what_to_flash(self, table: Table) -> None:
        table.plug_in(SimModule(hello=Hello(major=2)))
        assert table.run(3) == []
        report = table.scales.modules()[0]
        assert report.state == "version"
        assert "speaks version 2 of the link" in report.says[0]
        assert f"companion scales flash --port {USB0}" in report.says[0]

    def test_nobody_answers(self, table: Table) -> None:
        silent = SimModule()
        silent.spoil = lambda said: b""
        table.plug_in(silent)
        table.run(7)
        assert table.scales.modules()[0].state == "silent"
        assert f"Nobody answers at {USB0}" in table.told("silent")[0]

    def test_something_else_is_plugged_in(self, table: Table) -> None:
        printer = SimModule()
        printer.spoil = lambda said: b"ok T:21.3 /0.0 B:20.9 /0.0\n"
        table.plug_in(printer)
        table.run(7)
        assert table.scales.modules()[0].state == "foreign"
        assert "does not talk as a scale module does" in table.told("foreign")[0]

    def test_what_was_silent_is_found_once_it_is_flashed(self, table: Table) -> None:
        module = SimModule()
        module.spoil = lambda said: b""
        table.plug_in(module)
        table.run(10)
        module.spoil = bytes
        assert len(table.run(40)) > 100
        assert [report.state for report in table.scales.modules()] == ["ready"]

    def test_a_port_that_cannot_be_opened_is_told_once(self, table: Table) -> None:
        def shut(path: str) -> Port:
            raise DeviceLost(f"{path} is in use by another program: close that first.")

        scales = Scales(
            ports=lambda: (USB0,),
            open_port=shut,
            monotonic_ns=table.clock.monotonic_ns,
            thread=False,
        )
        for _ in range(500):
            table.clock.advance(0.01)
            scales.poll()
        assert [notice.kind for notice in scales.notices()] == ["closed"]
        assert scales.modules()[0].state == "closed"

    def test_no_command_for_a_module_that_is_not_there(self, table: Table) -> None:
        with pytest.raises(DeviceLost, match="no scale module 'east'"):
            table.scales.command("east", Type.CLEAR)

    def test_an_id_is_given(self, table: Table, north: SimModule) -> None:
        answer = table.scales.command("north", Type.SET_ID, id_payload("east"))
        table.run(0.5)
        assert answer() == Result.DONE
        assert north.hello.id == "east"

    def test_a_command_with_a_wrong_value_is_told(self, table: Table, north: SimModule) -> None:
        answer = table.scales.command("north", Type.SET_GAIN, bytes((32,)))
        table.run(0.5)
        assert answer() == Result.WRONG
        assert table.told("command") == ["The module refused SET_GAIN: the value is not one it takes."]


class _Gushing:
    """A port on which a byte comes as soon as it is read, until it breaks."""

    def __init__(self, reads: int) -> None:
        self.left = reads
        self.broken = threading.Event()

    def read(self) -> bytes:
        if not self.left:
            self.broken.set()
            raise DeviceLost("It was unplugged.")
        self.left -= 1
        return b"x"

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass


def test_the_reading_thread_drops_and_counts_what_nobody_takes() -> None:
    port = _Gushing(2000)
    reader = Reader(port, lambda: 5000)
    assert port.broken.wait(10)
    reader.close()
    taken = reader.take()
    assert taken[0] == (5, b"x")
    assert len(taken) + reader.dropped == 2000
    assert reader.dropped > 1000
    assert str(reader.lost) == "It was unplugged."
