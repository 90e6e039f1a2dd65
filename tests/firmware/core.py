"""The firmware's core, built for this computer: a module whose time, chips and line are variables."""

from __future__ import annotations

import ctypes
from pathlib import Path

from companion.devices.scales.messages import CHANNELS, Message, read
from companion.devices.scales.wire import DELIMITER, Packet, frame, unframe

_SENT_MAX = 65536
_STORE_BYTES = 64
CONVERSION_US = 12_500


class _Chip(ctypes.Structure):
    _fields_ = [
        ("counts", ctypes.c_int32),
        ("pulses", ctypes.c_uint8),
        ("extra", ctypes.c_uint8),
        ("ready", ctypes.c_bool),
        ("fitted", ctypes.c_bool),
        ("held", ctypes.c_bool),
        ("stuck_low", ctypes.c_bool),
        ("power_downs", ctypes.c_uint32),
    ]


class _Host(ctypes.Structure):
    _fields_ = [
        ("now_us", ctypes.c_uint32),
        ("fast", ctypes.c_bool),
        ("room", ctypes.c_uint8),
        ("sent_n", ctypes.c_uint32),
        ("store", ctypes.c_uint8 * _STORE_BYTES),
        ("stored", ctypes.c_uint32),
        ("store_busy", ctypes.c_bool),
        ("chips", _Chip * CHANNELS),
        ("sent", ctypes.c_uint8 * _SENT_MAX),
    ]


class Core:
    """One module on the bench. There is one at a time: the core keeps its state in variables of its own."""

    def __init__(self, library: Path) -> None:
        self._core = ctypes.CDLL(str(library))
        self.host = _Host.in_dll(self._core, "host")
        self._core.host_init()

    def boot(self, cause: int = 1) -> None:
        """A reset: everything but the store is forgotten."""
        self._core.module_init(ctypes.c_uint8(cause))

    def wait(self, us: int) -> None:
        """Time passes, and the main loop runs once."""
        self.host.now_us = (self.host.now_us + us) & 0xFFFFFFFF
        self._core.module_pass()

    def idle(self, us: int, step_us: int = 4000) -> None:
        """Time passes in the steps in which the real main loop wakes up."""
        for _ in range(us // step_us):
            self.wait(step_us)
        self.wait(us % step_us)

    def convert(self, *counts: int | None, us: int = CONVERSION_US) -> None:
        """After this time the chips have these, None for a chip that has nothing."""
        self.idle(us - 100)
        for channel, value in enumerate(counts):
            if value is not None:
                self._core.host_convert(ctypes.c_uint8(channel), ctypes.c_int32(value))
        self.wait(100)

    def receive(self, data: bytes) -> None:
        """Bytes from the Pi."""
        for byte in data:
            self._core.module_receive(ctypes.c_uint8(byte), ctypes.c_uint32(self.host.now_us))

    def command(self, type: int, payload: bytes = b"", seq: int = 0) -> list[Message]:
        """Sends a command and returns what the module says to it at once."""
        self.sent()
        self.receive(frame(type, payload, seq))
        return self.messages()

    def sent(self) -> bytes:
        """What the module has sent since the last look."""
        data = bytes(self.host.sent[: self.host.sent_n])
        self.host.sent_n = 0
        return data

    def packets(self) -> list[Packet]:
        """The same as frames, of which every one must be whole."""
        found = [unframe(between) for between in self.sent().split(DELIMITER) if between]
        assert None not in found
        return [packet for packet in found if packet is not None]

    def messages(self) -> list[Message]:
        """The same as values, of which every one must be known."""
        found = [read(packet) for packet in self.packets()]
        assert None not in found
        return [message for message in found if message is not None]
