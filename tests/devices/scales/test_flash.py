"""Flashing, with an avrdude of our own making."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.devices.scales import flash as flashing
from companion.errors import FlashFailed

_HEX = ":0400000001020304F2\n:00000001FF\n"
_PORT = "/dev/ttyUSB0"


class Avrdude:
    """Ends as told, each time it is run."""

    def __init__(self, *endings: tuple[int, str]) -> None:
        self._endings = list(endings)
        self.commands: list[list[str]] = []

    def __call__(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        self.commands.append(list(command))
        code, said = self._endings.pop(0)
        return subprocess.CompletedProcess(command, code, stdout="", stderr=said)


@pytest.fixture
def hex_file(tmp_path: Path) -> Path:
    file = tmp_path / "companion-scales.hex"
    file.write_text(_HEX)
    return file


def _flash(hex_file: Path, avrdude: Avrdude, port: str = _PORT, ports: tuple[str, ...] = (_PORT,)) -> str:
    return flashing.flash(port, hex_file, run=avrdude, which=lambda name: f"/usr/bin/{name}", ports=lambda: ports)


def test_it_is_flashed(hex_file: Path) -> None:
    avrdude = Avrdude((0, ""))
    assert _flash(hex_file, avrdude) == f"Flashed companion-scales.hex to the module at {_PORT}."
    command = " ".join(avrdude.commands[0])
    assert f"-p atmega328p -c arduino -P {_PORT} -b 115200" in command
    assert f"flash:w:{hex_file}:i" in command


def test_an_older_boot_loader_is_tried_too(hex_file: Path) -> None:
    avrdude = Avrdude((1, "avrdude: stk500_recv(): programmer is not responding"), (0, ""))
    tried: list[str] = []
    flashing.flash(_PORT, hex_file, run=avrdude, which=lambda name: name, say=tried.append)
    assert tried == [
        f"Flashing {_PORT} at {baud} baud: some seconds, or 18 where nobody answers." for baud in (115200, 57600)
    ]
    assert [command[command.index("-b") + 1] for command in avrdude.commands] == ["115200", "57600"]


def test_the_only_port_is_taken(hex_file: Path) -> None:
    avrdude = Avrdude((0, ""))
    _flash(hex_file, avrdude, port="")
    assert _PORT in avrdude.commands[0]


@pytest.mark.parametrize(
    ("ports", "words"), [((), "No USB serial port is there"), ((_PORT, "/dev/ttyACM0"), "say which with --port")]
)
def test_which_port_is_not_guessed(hex_file: Path, ports: tuple[str, ...], words: str) -> None:
    with pytest.raises(FlashFailed, match=words):
        _flash(hex_file, Avrdude(), port="", ports=ports)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ('avrdude: ser_open(): can\'t open device "/dev/ttyUSB0": No such file or directory', "There is no port"),
        ('avrdude: ser_open(): can\'t open device "/dev/ttyUSB0": Permission denied', "dialout"),
        ('avrdude: ser_open(): can\'t open device "/dev/ttyUSB0": Device or resource busy', "another program"),
        ("avrdude: verification error, first mismatch at byte 0x0000", "reads back wrong"),
        ("avrdude: something new went wrong.", "avrdude failed at /dev/ttyUSB0: avrdude: something new went wrong."),
        ("", "it did not say why"),
    ],
)
def test_what_fails_is_said_in_words(hex_file: Path, said: str, words: str) -> None:
    with pytest.raises(FlashFailed, match=words):
        _flash(hex_file, Avrdude((1, said)))


def test_nothing_there_takes_a_program(hex_file: Path) -> None:
    said = (1, "avrdude: stk500_getsync() attempt 10 of 10: not in sync: resp=0x00")
    with pytest.raises(FlashFailed, match="takes a new program"):
        _flash(hex_file, Avrdude(said, said))


def test_avrdude_never_ends(hex_file: Path) -> None:
    def hang(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        raise subprocess.TimeoutExpired(list(command), 1)

    with pytest.raises(FlashFailed, match="unplug the module"):
        flashing.flash(_PORT, hex_file, run=hang, which=lambda name: name)


def test_avrdude_is_missing(hex_file: Path) -> None:
    with pytest.raises(FlashFailed, match="apt-get install avrdude"):
        flashing.flash(_PORT, hex_file, which=lambda name: None)


def test_the_firmware_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FlashFailed, match=r"none\.hex is not there.*make -C firmware hex"):
        flashing.flash(_PORT, tmp_path / "none.hex")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cut off, empty"),
        (":0400000001020304F2\n", "cut off"),
        (":0400000001020304F3\n:00000001FF\n", "check sum of line 1"),
        (":0400000001020304\n:00000001FF\n", "not an Intel HEX file .line 1"),
        ("\x7fELF", "not an Intel HEX file"),
        (":0400000001020304F2\nhello\n", "not an Intel HEX file .line 2"),
        (":00000001FF\n", "empty"),
    ],
)
def test_a_bad_hex_file_never_gets_to_the_chip(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "bad.hex"
    file.write_text(text)
    with pytest.raises(FlashFailed, match=words):
        _flash(file, Avrdude())


def test_a_program_too_large_for_the_chip(tmp_path: Path) -> None:
    record = bytes((255, 0, 0, 0, *bytes(255)))
    line = ":" + (record + bytes((-sum(record) % 256,))).hex().upper()
    (tmp_path / "big.hex").write_text("\n".join([line] * 127 + [":00000001FF"]))
    with pytest.raises(FlashFailed, match=r"too large for the chip .32385 bytes"):
        flashing.check_hex(tmp_path / "big.hex")


def test_the_firmware_of_the_checkout_is_whole() -> None:
    if not flashing.HEX_FILE.exists():
        pytest.skip("no prebuilt firmware in this checkout")
    assert flashing.check_hex(flashing.HEX_FILE) > 1000


def test_a_real_program_is_run() -> None:
    ended = flashing.run_program(["sh", "-c", "echo no >&2; exit 3"])
    assert (ended.returncode, ended.stderr) == (3, "no\n")
