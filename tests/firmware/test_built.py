"""What is shipped is what the sources give: the .hex, the pins; and the core survives a fuzzer."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from companion.devices.scales.messages import Hello
from companion.devices.scales.wire import DELIMITER, cobs_encode, frame
from tests.firmware.core import Core
from tests.firmware.emulated import FIRMWARE, build

_PREBUILT_BY = "5.4.0"
_PINMAP = FIRMWARE.parent / "hardware" / "pinmap.toml"
_SHORT_RUN = 40_000


def _avr_gcc() -> str | None:
    if shutil.which("avr-gcc") is None:
        return None
    return subprocess.run(["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()


def _program(hex_file: Path) -> bytes:
    """The bytes of an Intel HEX file, every line's checksum right."""
    data = bytearray()
    for line in hex_file.read_text().split():
        record = bytes.fromhex(line.removeprefix(":"))
        assert sum(record) & 0xFF == 0
        if record[3] == 0:
            assert int.from_bytes(record[1:3], "big") == len(data)
            data += record[4:-1]
    return bytes(data)


def _build_hash() -> bytes:
    sources = sorted([*FIRMWARE.glob("core/*.[ch]"), *FIRMWARE.glob("avr/*.[ch]")], key=str)
    return hashlib.sha256(b"".join(file.read_bytes() for file in sources)).digest()[:4]


def test_the_prebuilt_hex_is_built_from_these_sources() -> None:
    version = _avr_gcc()
    if version != _PREBUILT_BY:
        pytest.skip(f"avr-gcc is {version}, not {_PREBUILT_BY}: apt-get install gcc-avr")
    made = build("build/companion-scales.hex") / "companion-scales.hex"
    assert (FIRMWARE / "companion-scales.hex").read_bytes() == made.read_bytes(), "run: make -C firmware hex"


def test_the_prebuilt_hex_is_a_program_that_leaves_room_for_a_boot_loader() -> None:
    program = _program(FIRMWARE / "companion-scales.hex")
    assert 4_000 < len(program) <= 30 * 1024
    assert b"Castle Companion scales" in program


def test_nothing_of_the_machine_it_was_built_on_is_in_the_hex() -> None:
    program = _program(FIRMWARE / "companion-scales.hex")
    assert not re.search(rb"/[a-z]+/|\.c\0|GCC", program)


def test_the_build_hash_is_that_of_the_sources(library: Path) -> None:
    core = Core(library)
    core.boot()
    hello = core.messages()[1]
    assert isinstance(hello, Hello)
    assert hello.build == int.from_bytes(_build_hash(), "big")


def test_the_examples_in_the_protocol_are_right() -> None:
    text = (FIRMWARE / "PROTOCOL.md").read_text()
    rows = re.findall(r"\| `([0-9a-f ]+)` \| `([0-9a-f ]+)` \|", text)
    assert len(rows) == 4
    for raw, wire in rows:
        plain = bytes.fromhex(raw)
        assert frame(plain[0], plain[3:-2], int.from_bytes(plain[1:3], "little")) == bytes.fromhex(wire)
        assert cobs_encode(plain) + DELIMITER == bytes.fromhex(wire)


def _pins() -> Any:
    spec = spec_from_file_location("firmware_pins", FIRMWARE / "tools" / "pins.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_firmware_is_wired_as_the_pin_map_says() -> None:
    header = _pins().header(tomllib.loads(_PINMAP.read_text()))
    assert (FIRMWARE / "avr" / "pins.h").read_text() == header, "run: make -C firmware pins"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('pin = "D12"', 'pin = "D13"', "D13 of a Nano is not bit 4 of port B"),
        ('{ pin = "D9", port = "B", bit = 1 }', '{ pin = "D8", port = "B", bit = 0 }', "share a pin"),
        ('{ pin = "A3", port = "C", bit = 3 }', '{ pin = "A5", port = "C", bit = 5 }', "neighbours"),
        ('{ pin = "A0", port = "C", bit = 0 }', '{ pin = "D0", port = "D", bit = 0 }', "serial line"),
    ],
)
def test_a_map_that_cannot_be_wired_is_refused(old: str, new: str, why: str) -> None:
    text = _PINMAP.read_text()
    assert old in text
    pins = _pins()
    with pytest.raises(pins.WrongPinmap, match=why):
        pins.header(tomllib.loads(text.replace(old, new)))


def test_a_short_fuzz_run_under_sanitizers() -> None:
    if shutil.which("gcc") is None or shutil.which("make") is None:
        pytest.skip("gcc or make not found: apt-get install gcc make")
    fuzz = build("build/fuzz") / "fuzz"
    run = subprocess.run([fuzz, str(_SHORT_RUN), "7"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == f"{_SHORT_RUN} inputs, nothing found\n"
