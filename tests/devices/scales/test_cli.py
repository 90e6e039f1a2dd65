"""The commands `companion scales ...`, on a table whose clock is in our hands."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion import scales_cli
from companion.devices.scales import flash as flashing
from companion.devices.scales.driver import Scales
from companion.devices.scales.messages import Hello
from companion.devices.scales.showing import busy_board, busy_plan
from companion.devices.scales.twin import SimModule
from companion.sensing.plan import encode_plan
from companion.sensing.streams import ScaleSample
from companion.text.scales import Monitor, Trace
from tests.devices.scales.conftest import USB0, USB1, Table
from tests.text.running import Command


@pytest.fixture
def companion(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], table: Table) -> Command:
    """The command, with the table's ports and time for the machine's."""

    @contextmanager
    def plugged_in(simulated: bool, port: str = "") -> Iterator[Scales]:
        yield table.only(port) if port else table.scales

    monkeypatch.setattr(scales_cli, "plugged_in", plugged_in)
    monkeypatch.setattr(scales_cli, "now_ns", table.clock.monotonic_ns)
    monkeypatch.setattr(scales_cli, "pause", table.clock.advance)
    return Command(monkeypatch, capsys)


def test_list_says_who_is_where(companion: Command, table: Table) -> None:
    table.plug_in(SimModule(hello=Hello(id="north", firmware="1.2.3", build=0xABC, expected=1)))
    table.plug_in(SimModule(hello=Hello(major=2)), USB1)
    said = companion("scales", "list")
    assert (said.code, said.err) == (0, "")
    assert f"north {USB0} ready 1.2.3 (00000abc) 1 80" in " ".join(said.out.split())
    assert "flash it with companion scales flash --port /dev/ttyUSB1" in said.out


def test_list_for_programs(companion: Command, table: Table) -> None:
    table.plug_in(SimModule("north"))
    listed = msgspec.json.decode(companion("scales", "list", "--json").out)
    assert [(each["name"], each["port"], each["hello"]["firmware"]) for each in listed] == [("north", USB0, "1.0.0")]


def test_list_where_nothing_is_plugged_in(companion: Command) -> None:
    said = companion("scales", "list")
    assert (said.code, said.out[:31]) == (0, "No USB serial port is there. Pl")


@pytest.mark.parametrize("command", ["list", "diagnose", "monitor"])
def test_a_port_that_is_not_there(companion: Command, command: str) -> None:
    more = ["--seconds", "3"] if command != "list" else []
    said = companion("scales", command, "--port", USB1, *more)
    assert said.code == 2
    assert "Listening" not in said.err
    assert f"Nothing is plugged in at {USB1}." in said.out + said.err


@pytest.mark.parametrize("command", ["list", "diagnose", "monitor"])
def test_the_twin_is_at_no_other_port(companion: Command, command: str) -> None:
    said = companion("scales", command, "--simulated", "--port", USB0)
    assert (said.code, said.out) == (2, "")
    assert "leave out --port or --simulated" in said.err


@pytest.mark.parametrize("command", ["diagnose", "monitor"])
@pytest.mark.parametrize("seconds", ["nan", "inf", "1e300", "-1"])
def test_seconds_that_never_end(companion: Command, command: str, seconds: str) -> None:
    said = companion("scales", command, f"--seconds={seconds}")
    assert (said.code, said.out) == (2, "")
    assert "--seconds" in said.err


def test_diagnose_does_not_listen_where_nobody_talks(companion: Command, table: Table) -> None:
    table.plug_in(SimModule("north")).spoil = lambda said: b""
    began_ns = table.clock.monotonic_ns()
    said = companion("scales", "diagnose", "--seconds", "60")
    assert (said.code, said.err) == (1, "")
    assert f"Nobody answers at {USB0}" in said.out
    assert table.clock.monotonic_ns() - began_ns < 20 * 10**9


def test_diagnose_a_healthy_module(companion: Command, table: Table) -> None:
    table.plug_in(SimModule("north"))
    said = companion("scales", "diagnose", "--seconds", "4")
    assert said.code == 0
    assert said.err == "Listening for 4 s. Touch nothing.\n"
    assert said.out.startswith("north\n  good  link: ")


def test_diagnose_a_sick_module_for_programs(companion: Command, table: Table) -> None:
    table.plug_in(SimModule("north")).dead.add(1)
    said = companion("scales", "diagnose", "--json")
    assert (said.code, said.err) == (1, "")
    found = {each["name"]: each for each in msgspec.json.decode(said.out)["north"]}
    assert found["cell c1"]["ok"] == "bad"
    assert "DT, SCK" in found["cell c1"]["remedy"]


def test_diagnose_where_nothing_is_plugged_in(companion: Command) -> None:
    said = companion("scales", "diagnose")
    assert (said.code, said.out) == (2, "")
    assert "plug a scale module in" in said.err


def test_monitor_writes_a_line_a_second_where_there_is_no_terminal(companion: Command, table: Table) -> None:
    table.plug_in(SimModule("north"))
    said = companion("scales", "monitor", "--seconds", "5")
    lines = said.out.splitlines()
    assert said.code == 0
    assert len([line for line in lines if line.startswith("north: ") and "counts (c0" in line]) == 4
    assert lines[-1].endswith("samples, 0 frames lost.")


def test_monitor_knows_grams_from_a_plan(companion: Command, table: Table, tmp_path: Path) -> None:
    (tmp_path / "recording.json").write_bytes(encode_plan(busy_plan("north")))
    table.plug_in(SimModule("north", busy_board()))
    said = companion("scales", "monitor", "--plan", str(tmp_path), "--seconds", "6")
    grams = [float(line.split()[1]) for line in said.out.splitlines() if " g (c0" in line]
    assert grams[1] == pytest.approx(0, abs=0.1)
    assert grams[-1] == pytest.approx(6.5, abs=0.2)


def test_monitor_says_why_it_shows_no_grams(companion: Command, table: Table, tmp_path: Path) -> None:
    (tmp_path / "recording.json").write_bytes(encode_plan(busy_plan("south")))
    table.plug_in(SimModule("north", busy_board()))
    said = companion("scales", "monitor", "--plan", str(tmp_path), "--seconds", "4")
    assert said.out.count("north: the plan has no gains for a board of this id, so these are counts.") == 1
    assert "counts (c0" in said.out


def test_monitor_where_nothing_is_plugged_in(companion: Command) -> None:
    said = companion("scales", "monitor", "--seconds", "2")
    assert (said.code, said.out, said.err) == (2, "", "No scale module was heard.\n")


def test_monitor_without_its_plan(companion: Command, tmp_path: Path) -> None:
    said = companion("scales", "monitor", "--plan", str(tmp_path))
    assert (said.code, said.out) == (2, "")
    assert "recording.json cannot be read" in said.err


def test_monitor_leaves_cleanly_on_ctrl_c(companion: Command, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.plug_in(SimModule("north"))
    end_ns = table.clock.monotonic_ns() + 2 * 10**9

    def pause(seconds: float) -> None:
        table.clock.advance(seconds)
        if table.clock.monotonic_ns() > end_ns:
            raise KeyboardInterrupt

    monkeypatch.setattr(scales_cli, "pause", pause)
    said = companion("scales", "monitor")
    assert (said.code, said.err) == (0, "")
    assert "frames lost." in said.out


def test_monitor_draws_on_a_terminal(table: Table, monkeypatch: pytest.MonkeyPatch, companion: Command) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    table.plug_in(SimModule("north", busy_board()))
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    scales_cli.monitor(simulated=True, seconds=5.0)
    drawn = terminal.getvalue()
    assert "north at /dev/ttyUSB0: ready" in drawn
    assert " g  " in drawn
    assert "█" in drawn


def test_flash_says_what_it_did(companion: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def flash(port: str, file: Path, *, say: flashing.Say) -> str:
        say(f"Flashing {port}.")
        return f"Flashed {file} at {port}."

    monkeypatch.setattr(flashing, "flash", flash)
    said = companion("scales", "flash", "--port", USB0, "--hex", "our.hex")
    assert said.out.splitlines() == [f"Flashing {USB0}.", f"Flashed our.hex at {USB0}."]


def test_flash_says_what_is_wrong(companion: Command, tmp_path: Path) -> None:
    said = companion("scales", "flash", "--port", USB0, "--hex", str(tmp_path / "none.hex"))
    assert (said.code, said.out) == (2, "")
    assert "none.hex is not there" in said.err


def test_a_module_gets_its_name(companion: Command, table: Table) -> None:
    module = table.plug_in(SimModule(""))
    said = companion("scales", "name", USB0, "north")
    assert (said.code, said.out) == (0, f"The module at {USB0} is now called 'north'.\n")
    assert module.hello.id == "north"


def test_a_module_loses_its_name(companion: Command, table: Table) -> None:
    module = table.plug_in(SimModule("north"))
    said = companion("scales", "name", USB0, "")
    assert (said.code, said.out) == (0, f"The module at {USB0} has no id any more.\n")
    assert module.hello.id == ""


def test_a_name_that_cannot_be(companion: Command) -> None:
    said = companion("scales", "name", USB0, "Norden!")
    assert said.code == 2
    assert "'Norden!' cannot be a module's id" in said.err


def test_nobody_to_name(companion: Command, table: Table) -> None:
    table.plug_in(SimModule("north")).spoil = lambda said: b""
    said = companion("scales", "name", USB0, "north")
    assert said.code == 2
    assert f"Nobody answers at {USB0}" in said.err


def test_the_simulated_twin_is_there_for_everyone() -> None:
    with scales_cli.plugged_in(True) as scales:
        heard: list[ScaleSample] = []
        while not heard:
            heard = scales.poll()
    assert heard[0].board == "north"


class TestMonitor:
    def test_without_any_module(self) -> None:
        assert Monitor().lines((), 80)[0] == "Waiting for a scale module to be plugged in."

    def test_bars_are_as_long_as_what_lies_there(self, table: Table) -> None:
        table.plug_in(SimModule("north", lambda t_us, channel: 0 if t_us < 3_000_000 else 1000 * (channel + 1)))
        monitor = Monitor()
        monitor.add(table.run(6))
        lines = monitor.lines(table.scales.modules(), 80)
        bars = {line.split()[0]: line.count("█") for line in lines if " counts " in line}
        assert bars == {"c0": 5, "c1": 10, "c2": 15, "c3": 20, "all": 50}
        trace = lines[6].strip()
        assert (trace[0], trace[-1]) == ("▁", "█")

    def test_a_cell_that_is_not_in_the_plan_is_not_weighed(self) -> None:
        one = busy_plan("north").boards[0]
        trace = Trace(msgspec.structs.replace(one, cells=one.cells[:1]))
        for number in range(60):
            trace.add(ScaleSample(number * 12_500, "north", (0 if number < 40 else 15_400, 500_000 * number)))
        assert (trace.channels(), trace.unit, trace.total()) == ([0], "g", pytest.approx(10))

    def test_what_is_gone_is_not_shown_as_if_it_were_there(self, table: Table, north: SimModule) -> None:
        monitor = Monitor()
        monitor.add(table.run(2))
        (line,) = monitor.plain()
        assert "c0 " in line
        north.dead.add(0)
        monitor.add(table.run(2))
        (line,) = monitor.plain()
        assert "(c1 " in line
        table.sockets.unplug(USB0)
        monitor.add(table.run(1))
        monitor.plain()
        monitor.add(table.run(1))
        assert monitor.plain() == ["north: no reading"]

    def test_what_is_wrong_is_shown(self, table: Table, north: SimModule) -> None:
        north.dead.add(0)
        table.run(2)
        assert any("! Cell c0 gives nothing" in line for line in Monitor().lines(table.scales.modules(), 80))
