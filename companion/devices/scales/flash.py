"""Putting our firmware on a module: avrdude, the hex file of the checkout, and words for what goes wrong."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.devices.scales.port import Ports, usb_ports
from companion.errors import FlashFailed

HEX_FILE = Path(__file__).parents[3] / "firmware" / "companion-scales.hex"

_PROGRAM = "avrdude"
_BAUDS = (115200, 57600)
"""Of the Nano's boot loader: the one sold since 2018, then the one before."""
_ATTEMPTS = 3
_NOBODY_S = 18
"""So long does avrdude take for so many attempts."""
_FLASH_BYTES = 32768 - 512
_PATIENCE_S = 60.0
_RECORD_EXTRA = 5
_DATA, _END = 0, 1
_NOT_IN_SYNC = ("not in sync", "not responding", "programmer is not", "stk500", "unable to open programmer")

Ran = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]
Which = Callable[[str], str | None]
Say = Callable[[str], None]


def run_program(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run it to its end and keep what it says."""
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_PATIENCE_S,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def flash(
    port: str,
    hex_file: Path = HEX_FILE,
    *,
    run: Ran = run_program,
    which: Which = shutil.which,
    ports: Ports = usb_ports,
    say: Say = lambda words: None,
) -> str:
    """Flash the module at a port, or the only one there is, and say so. FlashFailed says in a sentence why not.

    `say` hears what is being tried meanwhile: where nobody answers, that takes half a minute.
    """
    check_hex(hex_file)
    program = which(_PROGRAM)
    if program is None:
        raise FlashFailed("avrdude is missing, and it does the flashing. Install it: sudo apt-get install avrdude.")
    chosen = port or only_port(ports())
    said = ""
    for baud in _BAUDS:
        say(f"Flashing {chosen} at {baud} baud: some seconds, or {_NOBODY_S} where nobody answers.")
        try:
            ended = run(_command(program, chosen, baud, hex_file))
        except subprocess.TimeoutExpired:
            raise FlashFailed(f"avrdude did not come to an end at {chosen}: unplug the module and try again.") from None
        if ended.returncode == 0:
            return f"Flashed {hex_file.name} to the module at {chosen}."
        said = ended.stderr + ended.stdout
        if not any(words in said.lower() for words in _NOT_IN_SYNC) or "can't open" in said:
            break
    raise FlashFailed(_words(chosen, said))


def only_port(ports: Sequence[str]) -> str:
    """The one port where a module can be."""
    if not ports:
        raise FlashFailed("No USB serial port is there: plug the module in, with a cable that carries data.")
    if len(ports) > 1:
        raise FlashFailed(f"There are several ports ({', '.join(ports)}): say which with --port.")
    return ports[0]


def check_hex(file: Path) -> int:
    """How many bytes an Intel HEX file holds. FlashFailed when it is not whole or not for this chip."""
    try:
        lines = file.read_text(encoding="ascii").split()
    except FileNotFoundError:
        raise FlashFailed(
            f"The firmware {file.name} is not there: get it with git pull, or build it: make -C firmware hex."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise FlashFailed(f"{file} is not an Intel HEX file ({type(error).__name__}).") from error
    size, ended = 0, False
    for number, line in enumerate(lines, start=1):
        kind, count = _record(file, number, line)
        size += count if kind == _DATA else 0
        ended = kind == _END
    if not ended or not 0 < size <= _FLASH_BYTES:
        raise FlashFailed(f"{file} is cut off, empty or too large for the chip ({size} bytes).")
    return size


def _record(file: Path, number: int, line: str) -> tuple[int, int]:
    try:
        record = bytes.fromhex(line.removeprefix(":"))
    except ValueError:
        record = b""
    if not line.startswith(":") or len(record) < _RECORD_EXTRA or len(record) != record[0] + _RECORD_EXTRA:
        raise FlashFailed(f"{file} is not an Intel HEX file (line {number}).")
    if sum(record) % 256:
        raise FlashFailed(f"{file} is damaged: the check sum of line {number} is wrong.")
    return record[3], record[0]


def _command(program: str, port: str, baud: int, hex_file: Path) -> list[str]:
    return [
        program, "-q", "-q", "-p", "atmega328p", "-c", "arduino", "-P", port, "-b", str(baud), "-D",
        "-x", f"attempts={_ATTEMPTS}",
        "-U", f"flash:w:{hex_file}:i",
    ]  # fmt: skip


def _words(port: str, said: str) -> str:
    lower = said.lower()
    if "permission denied" in lower:
        return f"{port} may not be used by you: sudo usermod -aG dialout $USER, then log out and in again."
    if "no such file" in lower or "no such device" in lower:
        return f"There is no port {port}: companion scales list shows those that are there."
    if "busy" in lower or "temporarily unavailable" in lower:
        return f"{port} is in use by another program: close that first, the companion included."
    if "verification" in lower:
        return f"What was written at {port} reads back wrong: try again, with a shorter cable or another port."
    if any(words in lower for words in _NOT_IN_SYNC):
        return f"Nothing at {port} takes a new program: is it an Arduino Nano, and is nothing on its pins 0 and 1?"
    last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "it did not say why")
    return f"avrdude failed at {port}: {last.rstrip('.')}."
