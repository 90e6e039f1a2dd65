"""A conversation with one module: bytes and times in, samples, notices and bytes out. It touches no port and no clock.

It greets until somebody answers, sets the clock by pings, then asks for samples. When the module starts anew it does
all of that again. Commands are sent until they are acknowledged; samples are never asked for twice.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from companion.devices.scales.clock import LinkClock, Pace
from companion.devices.scales.messages import (
    CHANNELS,
    FULL_SCALE,
    MAJOR,
    Ack,
    Boot,
    Hello,
    Pong,
    Result,
    Round,
    Status,
    Type,
    ping,
    read,
)
from companion.devices.scales.troubles import Troubles
from companion.devices.scales.wire import DELIMITER, Decoder, frame
from companion.sensing.streams import Flag

LinkState = Literal["greeting", "ready", "silent", "foreign", "version"]

_GREET_US = 250_000
_PATIENCE_US = 5_000_000
"""A Nano's boot loader keeps its program waiting for up to 2 s after the port was opened."""
_QUIET_US = 3_000_000
"""A module sends its status once a second: after this long without anything it is greeted anew."""
_SETTING_US = 60_000
_LEARNING_US = 100_000
_STEADY_US = 500_000
_PINGS_TO_SET = 4
_PINGS_TO_LEARN = 30
_PINGS_AWAITED = 4
_RETRY_US = 200_000
_TRIES = 10
_OVER_US = 2_000_000
_LOSSES_OVER_US = 10_000_000
_BACK_US = 500_000
_AHEAD_US = 10_000_000
_WRAP_US = 1 << 32
_COUNTER_WRAP = 1 << 16
_LONGEST_HOLE = _COUNTER_WRAP // 2
"""A hole in the frames' numbers that is longer than this is a step back."""
_FOREIGN_BYTES = 200
_FLASH = "companion scales flash --port {port}"
_COUNTED = ("tx_dropped", "rx_bad", "timeouts", "saturations", "desyncs", "late")


_REFUSALS = {int(Result.UNKNOWN): "its firmware does not know it", int(Result.CANNOT): "its hardware cannot do it"}


class Reading(Struct, frozen=True, array_like=True, gc=False):
    """A sample on the host's clock, whose board nobody knows here."""

    t_us: int
    counts: tuple[int | None, ...]
    flags: Flag


class Counts(Struct, frozen=True, kw_only=True):
    """What has been counted on both ends.

    `lost` are frames that were sent and not received whole, `bad` what arrived and was no frame, `early` samples that
    came before the clock was set, `queue_dropped` input that nobody took in time; the others are the module's own.
    """

    samples: int = 0
    lost: int = 0
    bad: int = 0
    early: int = 0
    restarts: int = 0
    queue_dropped: int = 0
    tx_dropped: int = 0
    rx_bad: int = 0
    timeouts: int = 0
    saturations: int = 0
    desyncs: int = 0
    late: int = 0

    def __add__(self, other: Counts) -> Counts:
        mine, theirs = asdict(self), asdict(other)
        return Counts(**{name: mine[name] + theirs[name] for name in mine})


class _Command(Struct):
    """A command under way."""

    payload: bytes
    seq: int
    next_us: int = 0
    tries: int = 0


class Link:
    """One port, from its opening until it is lost. `take` what arrived, send what is `due`, as often as you like."""

    def __init__(self, port: str, now_us: int) -> None:
        self.port = port
        self.state: LinkState = "greeting"
        self.hello: Hello | None = None
        self.status: Status | None = None
        self.troubles = Troubles()
        self.clock = LinkClock()
        self.pace = Pace()
        self.worst_loop_us = 0
        self._decoder = Decoder(begins=Type.BOOT)
        self._counted = dict.fromkeys(("samples", "early", "restarts", *_COUNTED), 0)
        self._received = 0
        self._began_us = self._heard_us = self._greet_us = self._ping_us = now_us
        self._pongs = 0
        self._doubtful = 0
        self._asked: dict[int, int] = {}
        self._commands: dict[int, _Command] = {}
        self._results: dict[int, int] = {}
        self._seq = 0
        self._last_us = 0
        self._lost_told = 0

    # What comes in

    def take(self, data: bytes, at_us: int) -> list[Reading]:
        """The samples that these bytes complete; `at_us` is when they were read from the port."""
        self._received += len(data)
        readings: list[Reading] = []
        for packet in self._decoder.feed(data):
            message = read(packet)
            self._heard_us = at_us
            self._doubtful += self._decoder.hole
            if isinstance(message, Round):
                self._take_round(message, at_us, readings)
            elif message is not None:
                self._take_other(message, at_us)
        return readings

    def _take_round(self, round: Round, at_us: int, readings: list[Reading]) -> None:
        mcu_us = self._timed(round.t_us, at_us)
        if not self.clock.known:
            self._counted["early"] += 1
            return
        host_us = self.clock.host_us(self.pace.add(mcu_us) if round.mask else mcu_us)
        self._last_us = t_us = max(int(host_us), self._last_us + 1)
        self._counted["samples"] += 1
        if round.flags:
            self._flagged(round, at_us)
        readings.append(Reading(t_us, round.counts, round.flags))

    def _take_other(self, message: Status | Hello | Boot | Pong | Ack, at_us: int) -> None:
        match message:
            case Pong():
                self._take_pong(message, at_us)
            case Status():
                self._take_status(message, at_us)
            case Boot():
                self._restarted(at_us, message.why())
                self.clock.unwrap(message.t_us, at_us)
            case Hello():
                self._take_hello(message, at_us)
            case Ack():
                self._take_ack(message, at_us)

    def _take_hello(self, hello: Hello, at_us: int) -> None:
        self.hello = hello
        if hello.major != MAJOR:
            self.state = "version"
            self.troubles.begin("version", at_us, version_words(self.port, hello))
            return
        self.state = "ready"
        self.troubles.end("silent", at_us, f"The module at {self.port} answers.")
        self.troubles.end("foreign", at_us, f"There is a scale module at {self.port} now.")

    def _take_pong(self, pong: Pong, at_us: int) -> None:
        sent_us = self._asked.pop(pong.nonce, None)
        self._timed(pong.t_tx_us, at_us)
        if sent_us is not None and self.state == "ready":
            self._pongs += 1
            self.clock.pong(sent_us, pong.t_rx_us, pong.t_tx_us, at_us)

    def _take_status(self, status: Status, at_us: int) -> None:
        self._timed(status.t_us, at_us)
        before, self.status = self.status, status
        for name in _COUNTED:
            passed = getattr(status, name) - (getattr(before, name) if before else 0)
            self._counted[name] += passed % _COUNTER_WRAP
        self.worst_loop_us = max(self.worst_loop_us, status.worst_loop_us)
        for channel in range(CHANNELS):
            self._answers(channel, status, at_us)

    def _take_ack(self, ack: Ack, at_us: int) -> None:
        command = self._commands.get(ack.command)
        if command is None or command.seq != ack.seq:
            return
        del self._commands[ack.command]
        self._results[ack.command] = ack.result
        if ack.result != Result.DONE:
            self.troubles.tell("command", at_us, _refused_words(ack))

    # What is wrong

    def _answers(self, channel: int, status: Status, at_us: int) -> None:
        cell, bit = f"c{channel}", 1 << channel
        if status.expected & bit and not status.alive & bit:
            says = f"Cell {cell} gives nothing: check the four wires of its HX711, and that it has power."
            self.troubles.begin("dead", at_us, says, cell)
        else:
            self.troubles.end("dead", at_us, f"Cell {cell} answers again.", cell)

    def _flagged(self, round: Round, at_us: int) -> None:
        if round.flags & Flag.SATURATED:
            for channel, count in enumerate(round.counts):
                if count in FULL_SCALE:
                    self._saturated(f"c{channel}", at_us)
        if round.flags & Flag.DESYNC:
            says = "A chip lost step and was restarted: shorten its wires, and check its ground."
            self.troubles.begin("desync", at_us, says)

    def _saturated(self, cell: str, at_us: int) -> None:
        says = f"Cell {cell} is at the end of its range: take the load off, or look for a loose or swapped wire."
        self.troubles.begin("saturated", at_us, says, cell)

    def _losses(self, now_us: int) -> None:
        lost = self._decoder.lost
        if lost > self._lost_told:
            says = f"Frames get lost on the way ({lost} so far): try a shorter cable, another port or no hub."
            self.troubles.begin("losses", now_us, says)
        self._lost_told = lost
        self.troubles.end_if_quiet("losses", now_us, f"No frame was lost for a while ({lost} in all).", _LOSSES_OVER_US)

    def _timed(self, t_us: int, at_us: int) -> int:
        """A module's time, unwrapped. One that cannot follow the last is that of a module whose BOOT was lost.

        A time that is merely far ahead can: whoever listens may have slept while what was sent before lay waiting.
        """
        before_us = self.clock.last_us
        if before_us is not None:
            ahead_us = (t_us - before_us + _WRAP_US // 2) % _WRAP_US - _WRAP_US // 2
            since_us = at_us - self.clock.last_host_us + _AHEAD_US
            young = t_us < since_us and (since_us < ahead_us or self._doubtful > _LONGEST_HOLE)
            back = ahead_us < -_BACK_US and since_us < _WRAP_US // 4
            if young or back:
                self._decoder.forgive(self._doubtful)
                self._restarted(at_us, "it did not say why")
        self._doubtful = 0
        return self.clock.unwrap(t_us, at_us)

    def _restarted(self, now_us: int, why: str) -> None:
        if self.status is not None or self._pongs:
            self._counted["restarts"] += 1
            self.troubles.tell("restarted", now_us, f"The module started anew: {why}.")
        self.state = "greeting"
        self.clock, self.pace, self.status = LinkClock(), Pace(), None
        self._pongs = 0
        self._asked.clear()
        self._results.pop(Type.STREAM, None)
        self._began_us = now_us
        self._greet_us = now_us + _GREET_US

    # What goes out

    def command(self, type: Type, payload: bytes = b"") -> None:
        """Send a command until it is acknowledged. The latest of a type is the one that counts."""
        self._seq = (self._seq + 1) % _COUNTER_WRAP
        self._commands[type] = _Command(payload, self._seq)
        self._results.pop(type, None)

    def result(self, type: Type) -> int | None:
        """What became of the last command of a type; None while it is under way."""
        return self._results.get(type)

    def due(self, now_us: int) -> bytes:
        """What should be sent now."""
        if self.state == "version":
            return b""
        if self.state != "ready":
            return self._greeting(now_us)
        if now_us - self._heard_us > _QUIET_US:
            self.troubles.begin("silent", now_us, f"The module at {self.port} has stopped talking; it is called again.")
            self.state, self._began_us, self._greet_us = "greeting", now_us, now_us
            return self._greeting(now_us)
        self._look_after(now_us)
        return self._pinging(now_us) + self._commanding(now_us)

    def _greeting(self, now_us: int) -> bytes:
        if now_us < self._greet_us:
            return b""
        self._greet_us = now_us + _GREET_US
        if now_us - self._began_us > _PATIENCE_US:
            self._nobody(now_us)
        return DELIMITER + frame(Type.ASK_HELLO)

    def _nobody(self, now_us: int) -> None:
        flash = _FLASH.format(port=self.port)
        if self._received > _FOREIGN_BYTES and not self._decoder.good:
            self.state = "foreign"
            says = f"What is at {self.port} does not talk as a scale module does. If it is one, flash it: {flash}"
            self.troubles.begin("foreign", now_us, says)
        elif self.state == "greeting":
            self.state = "silent"
            says = f"Nobody answers at {self.port}. If a scale module is plugged in there, flash it: {flash}"
            self.troubles.begin("silent", now_us, says)

    def _look_after(self, now_us: int) -> None:
        self.troubles.end_if_quiet("saturated", now_us, "Cell {which} measures again.", _OVER_US)
        self.troubles.end_if_quiet("desync", now_us, "All chips are in step again.", _OVER_US)
        self._losses(now_us)
        streaming = self.status.streaming if self.status else False
        if self._pongs >= _PINGS_TO_SET and not streaming and not self._stream_asked(now_us):
            self.command(Type.STREAM, b"\1")

    def _stream_asked(self, now_us: int) -> bool:
        """Whether that is under way, or was done since the last status said otherwise."""
        return Type.STREAM in self._commands or (self._results.get(Type.STREAM) == Result.DONE and self.status is None)

    def _pinging(self, now_us: int) -> bytes:
        if now_us < self._ping_us:
            return b""
        self._ping_us = now_us + self._ping_every_us()
        self._seq = (self._seq + 1) % _COUNTER_WRAP
        nonce = now_us % _WRAP_US
        self._asked[nonce] = now_us
        if len(self._asked) > _PINGS_AWAITED:
            del self._asked[next(iter(self._asked))]
        return ping(nonce, self._seq)

    def _ping_every_us(self) -> int:
        if self._pongs < _PINGS_TO_SET:
            return _SETTING_US
        return _LEARNING_US if self._pongs < _PINGS_TO_LEARN else _STEADY_US

    def _commanding(self, now_us: int) -> bytes:
        sent = b""
        for type, command in list(self._commands.items()):
            if now_us < command.next_us:
                continue
            command.tries += 1
            command.next_us = now_us + _RETRY_US
            if command.tries > _TRIES:
                del self._commands[type]
                self.troubles.tell("command", now_us, f"The module did not answer {Type(type).name}.")
            else:
                sent += frame(type, command.payload, command.seq)
        return sent

    @property
    def rate_hz(self) -> float | None:
        """Samples a second by the host's clock, once they are known."""
        rate_hz = self.pace.rate_hz
        return None if rate_hz is None else rate_hz * (1 + self.clock.skew_ppm / 1e6)

    def counts(self) -> Counts:
        """What has been counted on this link."""
        return Counts(lost=self._decoder.lost, bad=self._decoder.bad, **self._counted)


def version_words(port: str, hello: Hello) -> str:
    """Why a module is not listened to, and what to do."""
    said = f"The module at {port} speaks version {hello.major} of the link, and this Castle Companion version {MAJOR}"
    update = " Or update Castle Companion: git pull." if hello.major > MAJOR else ""
    return f"{said}: flash it with {_FLASH.format(port=port)}.{update}"


def _refused_words(ack: Ack) -> str:
    name = Type(ack.command).name if ack.command in set(Type) else hex(ack.command)
    return f"The module refused {name}: {_REFUSALS.get(ack.result, 'the value is not one it takes')}."
