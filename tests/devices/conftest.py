"""A clock to hand in, and a header of simulated pins that can be pulled off its board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.session.clocks import ManualClock


class LoosePin(MockPWMPin):
    """A pin that fails when the header is loose."""

    def _get_state(self) -> Any:
        self.factory.touched()
        return super()._get_state()

    def _set_state(self, value: Any) -> None:
        self.factory.touched()
        super()._set_state(value)


class Header(MockFactory):
    """gpiozero's simulated header. While `loose`, nothing on it can be read or set."""

    def __init__(self) -> None:
        super().__init__(pin_class=LoosePin)
        self.loose = False

    def touched(self) -> None:
        if self.loose:
            raise OSError(5, "Input/output error")

    def finger_down(self, gpio: int) -> None:
        """A button pulls its pin down."""
        self.pin(gpio).drive_low()

    def finger_up(self, gpio: int) -> None:
        """The Pi pulls the pin up again."""
        self.pin(gpio).drive_high()

    def lit(self, gpio: int) -> float:
        """How bright what hangs on a pin is."""
        return float(self.pin(gpio)._state)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def header() -> Iterator[Header]:
    made = Header()
    yield made
    made.loose = False
    made.reset()
