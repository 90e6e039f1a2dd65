"""The pin map: what we ship, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.devices.pins import BUTTONS, default_pins, parse_pins, read_pins
from companion.errors import Malformed

_I2C = {2, 3}
_SERIAL = {14, 15}
_SPI = {7, 8, 9, 10, 11}


def test_the_shipped_map_has_every_part_and_leaves_the_buses_free() -> None:
    pins = default_pins()
    assert tuple(pins.buttons) == BUTTONS
    assert len(pins.lights.seats) == 8
    assert pins.buzzer.pin is not None
    assert not {*pins.used} & (_I2C | _SERIAL | _SPI)


def test_the_header_pins_named_in_comments_are_those_of_the_board() -> None:
    """Against gpiozero's own drawing of the header."""
    from gpiozero.pins.pi import PiBoardInfo

    header = PiBoardInfo.from_revision(0xA02082).headers["J8"]
    by_gpio = {pin.name: str(number) for number, pin in header.pins.items()}
    text = Path(str(default_file())).read_text(encoding="utf-8")
    for gpio in default_pins().used:
        line = next(line for line in text.splitlines() if f"{gpio}," in line or f"= {gpio} #" in line)
        assert line.endswith(f"header pin {by_gpio[f'GPIO{gpio}']}")


def default_file() -> Path:
    from companion.devices import pins

    return Path(str(pins.__file__)).with_name("pins.toml")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[buttons]\nnext = 17\nundo = 17", "uses GPIO 17 twice"),
        ("[buttons]\nnext = 28", "is not right: .*27"),
        ("[buttons]\nbell = 4", "is not right: .*bell"),
        ("[lamps]\nseats = [4]", "is not right: .*lamps"),
        ("[lights]\nrgb = [4, 5]", "red, green, blue are 3"),
        ("[lights", "is not right"),
    ],
)
def test_a_wrong_map_is_refused_by_name(text: str, says: str) -> None:
    with pytest.raises(Malformed, match=f"my-pins.*{says}"):
        parse_pins(text, "my-pins.toml")


def test_a_map_can_leave_everything_out_but_must_be_there(tmp_path: Path) -> None:
    file = tmp_path / "pins.toml"
    with pytest.raises(Malformed, match="cannot be read: no such file"):
        read_pins(file)
    file.write_text("", encoding="utf-8")
    assert read_pins(file).used == ()
    file.write_bytes(b"\xff")
    with pytest.raises(Malformed, match="not UTF-8"):
        read_pins(file)
