"""Which pin is what: the pin map of the panel, read from one TOML file every key of which is read.

>>> default_pins().buttons["call"]
22
"""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from companion.errors import Malformed

ButtonName = Literal["next", "undo", "call"]
BUTTONS: tuple[ButtonName, ...] = get_args(ButtonName)

_DEFAULT_FILE = "pins.toml"
_MOST_SEATS = 8
_RGB_PARTS = 3

Gpio = Annotated[int, Meta(ge=2, le=27)]
"""A pin of the 40-pin header by its Broadcom number; 0 and 1 belong to the HAT's memory."""


class Lights(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One LED for each seat in the order of the seats, and the red, green and blue of a lamp for all of them."""

    seats: Annotated[tuple[Gpio, ...], Meta(max_length=_MOST_SEATS)] = ()
    rgb: Annotated[tuple[Gpio, ...], Meta(max_length=_RGB_PARTS)] = ()


class BuzzerPin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pin of the buzzer, where there is one."""

    pin: Gpio | None = None


class Pins(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is wired, and where. A part that is left out is not built."""

    buttons: dict[ButtonName, Gpio] = {}
    lights: Lights = Lights()
    buzzer: BuzzerPin = BuzzerPin()

    @property
    def used(self) -> tuple[int, ...]:
        """Every pin in use, in the order of the file."""
        buzzer = () if self.buzzer.pin is None else (self.buzzer.pin,)
        return (*self.buttons.values(), *self.lights.seats, *self.lights.rgb, *buzzer)


@cache
def default_pins() -> Pins:
    """The wiring of the panel as we build it."""
    return parse_pins(files(__package__).joinpath(_DEFAULT_FILE).read_text(encoding="utf-8"), _DEFAULT_FILE)


def read_pins(file: Path) -> Pins:
    """The wiring that a file describes. Raises Malformed, naming the file and what is wrong with it."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = str(error.strerror).lower() if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Malformed(f"The pin map {file} cannot be read: {why}.") from error
    return parse_pins(text, str(file))


def parse_pins(text: str, name: str) -> Pins:
    """The wiring that the text of a pin map called `name` describes. Raises Malformed."""
    try:
        pins = msgspec.convert(tomllib.loads(text), Pins)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Malformed(f"The pin map {name} is not right: {str(error).rstrip('.')}.") from error
    _check(pins, name)
    return pins


def _check(pins: Pins, name: str) -> None:
    twice = [pin for pin, count in Counter(pins.used).items() if count > 1]
    if twice:
        raise Malformed(f"The pin map {name} uses GPIO {twice[0]} twice.")
    if len(pins.lights.rgb) not in (0, _RGB_PARTS):
        raise Malformed(f"The pin map {name} has an rgb lamp with {len(pins.lights.rgb)} pins; red, green, blue are 3.")
