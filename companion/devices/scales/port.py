"""Serial ports: which there are, opening one, and reading it on a thread that does nothing else."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import termios
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import serial

from companion.devices.presses import MonotonicNs
from companion.devices.scales.messages import BAUD
from companion.errors import DeviceLost

_DEV = Path("/dev")
_USB_PORTS = ("ttyUSB*", "ttyACM*")
_WAIT_S = 0.05
_JOIN_S = 2.0
_READ_BYTES = 4096
_NS_PER_US = 1000
_MOST_WAITING = 512
"""Pieces of input that may wait for someone to take them: at 80 samples a second, several seconds' worth."""

Chunk = tuple[int, bytes]
"""When it was read, and what."""


class Port(Protocol):
    """An open port. Each of these raises DeviceLost, in a sentence, when it is gone."""

    def read(self) -> bytes:
        """What has arrived; nothing when nothing does for a moment."""

    def write(self, data: bytes) -> None:
        """Send it, without waiting for anything."""

    def close(self) -> None:
        """Let go of it."""


Ports = Callable[[], tuple[str, ...]]
OpenPort = Callable[[str], Port]


def usb_ports(dev: Path = _DEV) -> tuple[str, ...]:
    """The ports at which a module may be: every USB serial port of this machine."""
    return tuple(sorted(str(path) for pattern in _USB_PORTS for path in dev.glob(pattern)))


class SerialPort:
    """A port by pyserial. With a `wait_s` of 0, reading never waits."""

    def __init__(self, path: str, wait_s: float = _WAIT_S) -> None:
        self.path = path
        with _told(path):
            self._serial = serial.Serial(path, BAUD, timeout=0, write_timeout=0, exclusive=True)
        self._wait_s = wait_s

    def read(self) -> bytes:
        """All there is in one go: pyserial's own reading would wake up twice for every frame."""
        with _told(self.path):
            fd = self._serial.fileno()
            if not select.select((fd,), (), (), self._wait_s)[0]:
                return b""
            data = os.read(fd, _READ_BYTES)
            if not data:
                raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
            return data

    def write(self, data: bytes) -> None:
        with _told(self.path):
            self._serial.write(data)

    def close(self) -> None:
        with contextlib.suppress(OSError, termios.error):
            self._serial.close()


class Reader:
    """Reads a port, stamps what arrives and puts it on a bounded queue; what finds no room is dropped and counted.

    Without a thread, each `take` reads the port once.
    """

    def __init__(self, port: Port, monotonic_ns: MonotonicNs, *, thread: bool = True) -> None:
        self.port = port
        self.dropped = 0
        self.lost: DeviceLost | None = None
        self._now_ns = monotonic_ns
        self._waiting: deque[Chunk] = deque()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scales", daemon=True) if thread else None
        if self._thread is not None:
            self._thread.start()

    def step(self) -> None:
        """Read once."""
        try:
            data = self.port.read()
        except DeviceLost as error:
            self.lost = error
            self._stop.set()
            return
        if data:
            self._put((self._now_ns() // _NS_PER_US, data))

    def take(self) -> list[Chunk]:
        """Everything read since the last time, in order."""
        if self._thread is None and self.lost is None:
            self.step()
        taken: list[Chunk] = []
        while self._waiting and len(taken) < _MOST_WAITING:
            taken.append(self._waiting.popleft())
        return taken

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(_JOIN_S)
        self.port.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            self.step()

    def _put(self, chunk: Chunk) -> None:
        """Adding to one end of a deque and taking from the other needs no lock."""
        if len(self._waiting) < _MOST_WAITING:
            self._waiting.append(chunk)
        else:
            self.dropped += 1


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Say whatever a port does wrong as DeviceLost; pyserial raises a TypeError when a port goes while it is used."""
    try:
        yield
    except serial.SerialTimeoutException:
        return
    except (OSError, termios.error, TypeError, ValueError) as error:
        raise DeviceLost(_words(path, error)) from error


def _words(path: str, error: Exception) -> str:
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EACCES:
        return f"{path} may not be used by you: sudo usermod -aG dialout $USER, then log out and in again."
    if code in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        return f"{path} is in use by another program: close that first."
    if code in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
        return f"Nothing is plugged in at {path}."
    if code == errno.EISDIR or os.strerror(errno.ENOTTY) in str(error):
        return f"{path} is not a serial port."
    return f"{path} does not answer any more ({_reason(error)})."


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()
    return "it was unplugged" if isinstance(error, OSError) else type(error).__name__
