"""The real panel: buttons, LEDs and a buzzer on the header of a Raspberry Pi, by gpiozero."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from companion.devices.panel import Board, Glow, WiredPanel
from companion.devices.pins import ButtonName, Pins, default_pins
from companion.devices.presses import MonotonicNs, Presses
from companion.errors import DeviceLost

_BEEP_S = 0.12
_PAUSE_S = 0.08


class GpioPanel(WiredPanel):
    """A panel on GPIO pins. `factory` is a pin factory of gpiozero's, by default the one that fits the machine."""

    def __init__(
        self, pins: Pins | None = None, *, factory: Any = None, monotonic_ns: MonotonicNs = time.monotonic_ns
    ) -> None:
        chosen = pins or default_pins()
        super().__init__(lambda presses: _opened(chosen, presses, factory), monotonic_ns)


def _opened(pins: Pins, presses: Presses, factory: Any) -> Board:
    board = GpioBoard()
    try:
        with _told(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # gpiozero tells at length which libraries it tried in vain
            board.open(pins, presses, factory)
    except DeviceLost:
        board.close()
        raise
    return board


class GpioBoard:
    """The parts that a pin map names. gpiozero's thread does no more than put presses on the queue."""

    def __init__(self) -> None:
        self._buttons: list[Any] = []
        self._seats: list[Any] = []
        self._lamp: Any = None
        self._buzzer: Any = None

    def open(self, pins: Pins, presses: Presses, factory: Any) -> None:
        from gpiozero import LED, RGBLED, Buzzer, DigitalInputDevice

        for name, pin in pins.buttons.items():
            self._buttons.append(_watched(DigitalInputDevice(pin, pull_up=True, pin_factory=factory), name, presses))
        for pin in pins.lights.seats:
            self._seats.append(LED(pin, pin_factory=factory))
        if pins.lights.rgb:
            self._lamp = RGBLED(*pins.lights.rgb, pin_factory=factory)
        if pins.buzzer.pin is not None:
            self._buzzer = Buzzer(pins.buzzer.pin, pin_factory=factory)

    def show(self, glow: Glow) -> None:
        with _told():
            for seat, led in enumerate(self._seats):
                led.value = seat in glow.seats
            if self._lamp is not None:
                self._lamp.color = glow.lamp

    def beep(self, beeps: int) -> None:
        if self._buzzer is not None:
            with _told():
                self._buzzer.beep(_BEEP_S, _PAUSE_S, n=beeps, background=True)

    def look(self) -> None:
        with _told():
            for part in self._parts():
                _ = part.value

    def close(self) -> None:
        """Let go of every pin; of a board that is gone, of as many as possible."""
        for part in self._parts():
            with suppress(DeviceLost), _told():
                part.close()
        self._buttons, self._seats, self._lamp, self._buzzer = [], [], None, None

    def _parts(self) -> list[Any]:
        return [part for part in (*self._buttons, *self._seats, self._lamp, self._buzzer) if part is not None]


def _watched(button: Any, name: ButtonName, presses: Presses) -> Any:
    """A bare input, for gpiozero's Button takes a second to close while it is held down."""
    button.when_activated = lambda: presses.down(name)
    button.when_deactivated = lambda: presses.up(name)
    return button


@contextmanager
def _told() -> Iterator[None]:
    """Say whatever the pins do wrong as DeviceLost, in a sentence."""
    try:
        yield
    except ImportError as error:
        raise DeviceLost(
            "The panel cannot be used: its software is missing. Install it with: sudo apt-get install python3-lgpio."
        ) from error
    except _faults() as error:
        raise DeviceLost(
            f"The panel does not answer ({_reason(error)}). Check its wiring; it is tried again."
        ) from error


def _faults() -> tuple[type[Exception], ...]:
    """What gpiozero and the library under it raise; lgpio has an error of its own that is nothing but an Exception."""
    from gpiozero.exc import GPIOZeroError

    lgpio = sys.modules.get("lgpio")
    return (GPIOZeroError, OSError, RuntimeError, *([lgpio.error] if lgpio is not None else []))


def _reason(error: Exception) -> str:
    words = error.strerror if isinstance(error, OSError) else str(error)
    return " ".join((words or type(error).__name__).split()).strip(".'\"")
