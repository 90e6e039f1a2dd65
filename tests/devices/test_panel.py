"""The panel, simulated and on gpiozero's simulated pins: the same manners on both."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.devices.gpio import GpioPanel
from companion.devices.panel import Colour, OffPanel, PanelConfig, SimPanel, find_panel
from companion.devices.pins import Pins, default_pins, parse_pins
from companion.session.clocks import ManualClock
from tests.devices.conftest import Header

RED: Colour = (1.0, 0.0, 0.0)
BLUE: Colour = (0.0, 0.0, 1.0)
_NEXT, _UNDO, _CALL = default_pins().buttons.values()
_SEATS = default_pins().lights.seats
_BUZZER = default_pins().buzzer.pin or 0
_BOUNCE_S = 0.002

Wire = Callable[..., GpioPanel]


@pytest.fixture
def sim(clock: ManualClock) -> SimPanel:
    return SimPanel(clock.monotonic_ns)


@pytest.fixture
def wire(header: Header, clock: ManualClock) -> Iterator[Wire]:
    """Wires up panels, and takes them apart at the end."""
    made: list[GpioPanel] = []

    def wired(pins: Pins | None = None) -> GpioPanel:
        made.append(GpioPanel(pins, factory=header, monotonic_ns=clock.monotonic_ns))
        return made[-1]

    yield wired
    header.loose = False
    for panel in made:
        panel.close()


@pytest.fixture
def wired(wire: Wire) -> GpioPanel:
    return wire()


def _lit(header: Header) -> list[int]:
    return [seat for seat, pin in enumerate(_SEATS) if header.lit(pin)]


# Buttons


def test_presses_come_in_order_with_their_time(wired: GpioPanel, header: Header, clock: ManualClock) -> None:
    clock.advance(1.0)
    header.finger_down(_CALL)
    clock.advance(0.25)
    header.finger_down(_NEXT)
    assert [(press.button, press.t_us) for press in wired.poll()] == [("call", 1_000_000), ("next", 1_250_000)]
    assert wired.poll() == ()


def test_a_press_that_is_held_counts_once(wired: GpioPanel, header: Header, clock: ManualClock) -> None:
    header.finger_down(_UNDO)
    clock.advance(5)
    header.finger_up(_UNDO)
    assert [press.button for press in wired.poll()] == ["undo"]


def test_contacts_that_bounce_count_once(wired: GpioPanel, header: Header, clock: ManualClock) -> None:
    for _ in range(4):
        header.finger_down(_NEXT)
        clock.advance(_BOUNCE_S)
        header.finger_up(_NEXT)
        clock.advance(_BOUNCE_S)
    assert len(wired.poll()) == 1
    clock.advance(0.1)
    header.finger_down(_NEXT)
    assert len(wired.poll()) == 1


def test_bounces_while_letting_go_are_no_press(wired: GpioPanel, header: Header, clock: ManualClock) -> None:
    header.finger_down(_NEXT)
    clock.advance(0.4)
    wired.poll()
    header.finger_up(_NEXT)
    clock.advance(_BOUNCE_S)
    header.finger_down(_NEXT)
    header.finger_up(_NEXT)
    assert wired.poll() == ()


def test_what_nobody_takes_is_dropped_and_counted(sim: SimPanel, clock: ManualClock) -> None:
    for _ in range(20):
        sim.press("next")
        clock.advance(0.1)
    assert len(sim.poll()) == 16
    assert sim.presses.dropped == 4


def test_presses_from_another_thread_arrive(sim: SimPanel) -> None:
    thread = threading.Thread(target=sim.press, args=("call",))
    thread.start()
    thread.join()
    assert [press.button for press in sim.poll()] == ["call"]


# Lights and buzzer


def test_the_seats_at_turn_are_lit(wired: GpioPanel, header: Header) -> None:
    wired.light([2, 0], [RED] * 4)
    assert _lit(header) == [0, 2]
    wired.light([1], [RED] * 4)
    assert _lit(header) == [1]


def test_seats_take_turns_in_the_lamp_they_share(wire: Wire, header: Header, clock: ManualClock) -> None:
    pins = parse_pins("[lights]\nrgb = [23, 24, 25]", "ring.toml")
    panel = wire(pins)
    seen = []
    panel.light([0, 1], [RED, BLUE])
    for _ in range(3):
        panel.poll()
        seen.append(tuple(header.lit(pin) for pin in pins.lights.rgb))
        clock.advance(0.7)
    assert seen == [RED, BLUE, RED]


def test_a_seat_without_a_light_is_no_trouble(wire: Wire, header: Header) -> None:
    panel = wire(parse_pins("[lights]\nseats = [5]", "one.toml"))
    panel.light([7], [RED])
    panel.buzz()
    assert panel.health.state == "ready"
    assert not header.lit(5)


def test_an_alarm_flashes_one_seat_and_then_the_turn_is_back(
    wired: GpioPanel, header: Header, clock: ManualClock
) -> None:
    wired.light([0], [RED] * 4)
    wired.alarm(3)
    flashes = []
    for _ in range(4):
        wired.poll()
        flashes.append(_lit(header))
        clock.advance(0.15)
    assert flashes == [[3], [], [3], []]
    clock.advance(3)
    wired.poll()
    assert _lit(header) == [0]


def test_an_alarm_for_all_flashes_every_seat_at_the_table(sim: SimPanel) -> None:
    sim.light([1], [RED, BLUE, RED])
    sim.alarm()
    assert sim.glow.seats == {0, 1, 2}
    assert sim.beeps == 4


def test_the_buzzer_beeps_and_stops_by_itself(wired: GpioPanel, header: Header) -> None:
    heard = threading.Event()
    pin = header.pin(_BUZZER)
    changed = pin._change_state

    def listened(value: float) -> bool:
        done: bool = changed(value)
        if len(pin.states) >= 3:
            heard.set()
        return done

    pin._change_state = listened
    wired.buzz()
    assert heard.wait(2)
    assert [bool(state.state) for state in pin.states[-2:]] == [True, False]


# Lost and found


def test_a_loose_header_is_said_and_comes_back_by_itself(wired: GpioPanel, header: Header, clock: ManualClock) -> None:
    wired.light([0], [RED] * 4)
    header.loose = True
    wired.light([1], [RED] * 4)
    assert wired.health.state == "lost"
    assert wired.health.says.startswith("The panel does not answer (Input/output error).")
    clock.advance(4)
    assert wired.poll() == ()
    assert wired.health.state == "lost"
    header.loose = False
    clock.advance(4)
    wired.poll()
    assert (wired.health.state, wired.health.says) == ("ready", "")
    assert _lit(header) == [1]
    header.finger_down(_CALL)
    assert [press.button for press in wired.poll()] == ["call"]


def test_a_loss_is_noticed_while_nothing_is_to_be_shown(sim: SimPanel, clock: ManualClock) -> None:
    sim.unplug()
    clock.advance(1.1)
    sim.poll()
    assert sim.health.state == "lost"
    sim.press("next")
    sim.plug_in()
    clock.advance(3.1)
    assert sim.poll() == ()
    assert sim.health.state == "ready"


def test_a_lost_panel_is_not_tried_all_the_time(wire: Wire, header: Header, clock: ManualClock) -> None:
    header.loose = True
    panel = wire()
    header.loose = False
    clock.advance(2.9)
    panel.poll()
    assert panel.health.state == "lost"
    clock.advance(0.2)
    panel.poll()
    assert panel.health.state == "ready"


def test_a_pin_in_use_by_another_is_said(wire: Wire, clock: ManualClock) -> None:
    first, second = wire(), wire()
    assert second.health.state == "lost"
    assert "GPIO17" in second.health.says
    first.close()
    clock.advance(4)
    second.poll()
    assert second.health.state == "ready"


def test_closing_puts_the_lights_out_and_frees_the_pins(wire: Wire, header: Header, clock: ManualClock) -> None:
    wired = wire()
    wired.light([0], [RED] * 4)
    wired.close()
    assert _lit(header) == []
    assert wired.health.state == "off"
    clock.advance(10)
    assert wired.poll() == ()
    assert wire().health.state == "ready"


# Finding one


def test_without_a_pi_there_is_no_panel_and_nothing_happens(tmp_path: Path) -> None:
    panel = find_panel(model_file=tmp_path / "model")
    assert isinstance(panel, OffPanel)
    assert panel.health.state == "off"
    panel.light([0], [RED])
    panel.alarm(0)
    panel.buzz()
    assert panel.poll() == ()
    panel.close()


def test_a_panel_can_be_simulated_or_off() -> None:
    assert isinstance(find_panel(PanelConfig(use="simulated")), SimPanel)
    assert find_panel(PanelConfig(use="off")).health.state == "off"


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    return model


def test_a_wrong_pin_map_turns_the_panel_off_and_is_said(pi: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "pins.toml"
    wrong.write_text("[buttons]\nnext = 99", encoding="utf-8")
    panel = find_panel(PanelConfig(pins_file=str(wrong)), model_file=pi)
    assert panel.health.state == "off"
    assert "pins.toml is not right" in panel.health.says


def test_on_a_pi_the_pins_of_the_map_are_used(pi: Path, header: Header, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpiozero import Device

    monkeypatch.setattr(Device, "pin_factory", header)
    panel = find_panel(model_file=pi)
    try:
        assert panel.health.state == "ready"
        header.finger_down(_NEXT)
        assert [press.button for press in panel.poll()] == ["next"]
    finally:
        panel.close()


def test_a_panel_of_no_parts_is_ready(wire: Wire) -> None:
    assert wire(Pins()).health.state == "ready"
