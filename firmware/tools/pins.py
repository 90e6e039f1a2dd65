"""Makes firmware/avr/pins.h from hardware/pinmap.toml: `python3 tools/pins.py PINMAP > pins.h`."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

_NANO_PINS = {
    **{f"D{number}": ("D", number) for number in range(8)},
    **{f"D{number}": ("B", number - 8) for number in range(8, 14)},
    **{f"A{number}": ("C", number) for number in range(6)},
}
_PCINT = {"B": 0, "C": 1, "D": 2}
_TAKEN = {"D0": "the serial line", "D1": "the serial line"}


class WrongPinmap(ValueError):
    """A pin map that cannot be wired or that the firmware cannot drive."""


def _place(line: dict[str, Any]) -> tuple[str, int]:
    pin, place = line["pin"], (line["port"], line["bit"])
    if _NANO_PINS.get(pin) != place:
        raise WrongPinmap(f"Pin {pin} of a Nano is not bit {line['bit']} of port {line['port']}.")
    if pin in _TAKEN:
        raise WrongPinmap(f"Pin {pin} is {_TAKEN[pin]}.")
    return place


def _first_of_run(places: list[tuple[str, int]], what: str) -> tuple[str, int]:
    port, first = places[0]
    if places != [(port, first + offset) for offset in range(len(places))]:
        raise WrongPinmap(f"The {what} lines must be neighbours on one port, in the order of the channels.")
    return port, first


def header(pinmap: dict[str, Any]) -> str:
    """The text of pins.h."""
    scales = pinmap["scales"]
    data = [_place(channel["data"]) for channel in scales["channels"]]
    clock = [_place(channel["clock"]) for channel in scales["channels"]]
    rate = _place(scales["rate"])
    if len({*data, *clock, rate}) != 2 * len(data) + 1:
        raise WrongPinmap("Two lines share a pin.")
    lines = {"DATA": _first_of_run(data, "data"), "CLOCK": _first_of_run(clock, "clock"), "RATE": rate}
    defines = [
        f"#define {name}_PORT {port}\n#define {name}_BIT {bit}"
        + (" /* of channel 0; the others follow */" if name != "RATE" else "")
        for name, (port, bit) in lines.items()
    ]
    return "\n".join(
        [
            "/* Made from hardware/pinmap.toml by `make pins`. */",
            "#ifndef PINS_H",
            "#define PINS_H",
            "",
            f"#define PIN_CHANNELS {len(data)}",
            *defines,
            f"#define DATA_PCINT {_PCINT[lines['DATA'][0]]} /* the port's pin change interrupt */",
            "",
            "#endif",
            "",
        ]
    )


def main() -> None:
    """Prints the header."""
    sys.stdout.write(header(tomllib.loads(Path(sys.argv[1]).read_text())))


if __name__ == "__main__":
    main()
