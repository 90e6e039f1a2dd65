"""The panel beside the screen: buttons for next, undo and call, lights for whose turn it is, a buzzer.

All of it is optional. The app polls it; nothing it does waits or fails. A panel that stops answering is `lost`, says so
in one sentence, and is tried again until it is back, with the lights as they should be by then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from companion.devices.pins import ButtonName, Pins, default_pins, read_pins
from companion.devices.presses import MonotonicNs, Press, Presses
from companion.errors import DeviceLost

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 1."""

_DARK: Colour = (0.0, 0.0, 0.0)
_NS_PER_S = 1_000_000_000
_TRY_AGAIN_NS = 3 * _NS_PER_S
_LOOK_NS = _NS_PER_S
_SHARED_LAMP_NS = 700_000_000
_ALARM_NS = 3 * _NS_PER_S
_FLASH_NS = 150_000_000
_ALARM_BEEPS = 4
_MODEL_FILE = Path("/proc/device-tree/model")
_PI = "Raspberry Pi"


class PanelConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which panel to look for: `auto` is that of a Raspberry Pi. Without a `pins_file` it is wired as we build it."""

    use: Literal["auto", "simulated", "off"] = "auto"
    pins_file: str = ""


class Health(Struct, frozen=True):
    """How a device is, and one sentence about it where something can be done."""

    state: Literal["off", "ready", "lost"]
    says: str = ""


class Panel(Protocol):
    """What the app knows of a panel. None of it waits, none of it raises."""

    @property
    def health(self) -> Health:
        """How the panel is now."""

    def poll(self) -> tuple[Press, ...]:
        """What was pressed since the last time, in order. Lights keep their time by it: call it 20 times a second."""

    def light(self, seats: Iterable[int], colours: Sequence[Colour]) -> None:
        """Show whose turn it is. `colours` has one entry for each seat at the table."""

    def alarm(self, seat: int | None = None) -> None:
        """Call the table together: buzz, and flash the light of a seat, or of all."""

    def buzz(self, beeps: int = 1) -> None:
        """Short beeps."""

    def close(self) -> None:
        """Lights out."""


class Glow(Struct, frozen=True):
    """What the lights show: the seats whose LED is lit, and the colour of the lamp they share."""

    seats: frozenset[int] = frozenset()
    lamp: Colour = _DARK


class Board(Protocol):
    """The bare parts of a panel: no memory, no sense of time. Raises DeviceLost when it does not answer."""

    def show(self, glow: Glow) -> None:
        """Set all lights."""

    def beep(self, beeps: int) -> None:
        """Begin to beep; it ends by itself."""

    def look(self) -> None:
        """Raise DeviceLost if the board is not there any more."""

    def close(self) -> None:
        """Let go of every pin."""


class WiredPanel:
    """A panel made of a board that can come and go. `opened` takes the board into use, with a queue for its presses."""

    def __init__(self, opened: Callable[[Presses], Board], monotonic_ns: MonotonicNs = time.monotonic_ns) -> None:
        self.presses = Presses(monotonic_ns)
        self._now_ns = monotonic_ns
        self._opened = opened
        self._board: Board | None = None
        self._health = Health("lost")
        self._turn: tuple[int, ...] = ()
        self._colours: tuple[Colour, ...] = ()
        self._shown: Glow | None = None
        self._alarmed: tuple[int, ...] = ()
        self._alarm_from_ns = -_ALARM_NS
        self._turn_from_ns = self._next_try_ns = self._next_look_ns = monotonic_ns()
        self._closed = False
        self._keep_up()

    @property
    def health(self) -> Health:
        return self._health

    def poll(self) -> tuple[Press, ...]:
        self._keep_up()
        return self.presses.take()

    def light(self, seats: Iterable[int], colours: Sequence[Colour]) -> None:
        turn, colours = tuple(sorted(set(seats))), tuple(colours)
        if (turn, colours) != (self._turn, self._colours):
            self._turn, self._colours, self._turn_from_ns = turn, colours, self._now_ns()
        self._keep_up()

    def alarm(self, seat: int | None = None) -> None:
        self._alarmed = tuple(range(len(self._colours))) if seat is None else (seat,)
        self._alarm_from_ns = self._now_ns()
        self._keep_up()
        self.buzz(_ALARM_BEEPS)

    def buzz(self, beeps: int = 1) -> None:
        self._tell(lambda board: board.beep(beeps))

    def close(self) -> None:
        self._tell(lambda board: board.show(Glow()))
        if self._board is not None:
            self._board.close()
        self._board, self._closed, self._health = None, True, Health("off")

    def _keep_up(self) -> None:
        """Bring the board in line with what it should be by now."""
        now_ns = self._now_ns()
        if self._closed:
            return
        if self._board is None and now_ns >= self._next_try_ns:
            self._open(now_ns)
        if now_ns >= self._next_look_ns:
            self._next_look_ns = now_ns + _LOOK_NS
            self._tell(lambda board: board.look())
        glow = self._glow(now_ns)
        if glow != self._shown:
            self._shown = glow
            self._tell(lambda board: board.show(glow))

    def _open(self, now_ns: int) -> None:
        self._next_try_ns = now_ns + _TRY_AGAIN_NS
        try:
            self._board = self._opened(self.presses)
        except DeviceLost as error:
            self._health = Health("lost", str(error))
        else:
            self._health, self._shown = Health("ready"), None

    def _tell(self, what: Callable[[Board], None]) -> None:
        board = self._board
        if board is None:
            return
        try:
            what(board)
        except DeviceLost as error:
            self._health, self._board = Health("lost", str(error)), None
            self._next_try_ns = self._now_ns() + _TRY_AGAIN_NS
            board.close()

    def _glow(self, now_ns: int) -> Glow:
        """An alarm flashes; otherwise those at turn are lit, and take turns in the lamp they share."""
        since_alarm_ns = now_ns - self._alarm_from_ns
        if since_alarm_ns < _ALARM_NS:
            lit = since_alarm_ns // _FLASH_NS % 2 == 0
            return self._lit(self._alarmed, now_ns) if lit else Glow()
        return self._lit(self._turn, now_ns)

    def _lit(self, seats: tuple[int, ...], now_ns: int) -> Glow:
        coloured = [seat for seat in seats if seat < len(self._colours)]
        if not coloured:
            return Glow(frozenset(seats))
        shown = (now_ns - self._turn_from_ns) // _SHARED_LAMP_NS % len(coloured)
        return Glow(frozenset(seats), self._colours[coloured[shown]])


class OffPanel:
    """No panel: nothing is pressed, nothing lights up."""

    def __init__(self, says: str = "") -> None:
        self.health = Health("off", says)

    def poll(self) -> tuple[Press, ...]:
        return ()

    def light(self, seats: Iterable[int], colours: Sequence[Colour]) -> None:
        pass

    def alarm(self, seat: int | None = None) -> None:
        pass

    def buzz(self, beeps: int = 1) -> None:
        pass

    def close(self) -> None:
        pass


class SimBoard:
    """A board in memory. `plugged` False is a cable pulled."""

    def __init__(self) -> None:
        self.plugged = True
        self.glow = Glow()
        self.beeps = 0

    def show(self, glow: Glow) -> None:
        self.look()
        self.glow = glow

    def beep(self, beeps: int) -> None:
        self.look()
        self.beeps += beeps

    def look(self) -> None:
        if not self.plugged:
            raise DeviceLost("The panel does not answer: its cable is unplugged.")

    def close(self) -> None:
        self.glow = Glow()


class SimPanel(WiredPanel):
    """The simulated twin: a whole panel with fingers and cables of its own.

    >>> panel = SimPanel()
    >>> panel.press("call")
    >>> [press.button for press in panel.poll()]
    ['call']
    """

    def __init__(self, monotonic_ns: MonotonicNs = time.monotonic_ns) -> None:
        self.board = SimBoard()
        super().__init__(self._plugged_in, monotonic_ns)

    def press(self, button: ButtonName) -> None:
        """Push a button down and let it go."""
        if self.board.plugged:
            self.presses.down(button)
            self.presses.up(button)

    @property
    def glow(self) -> Glow:
        """What can be seen."""
        return self.board.glow

    @property
    def beeps(self) -> int:
        """How many beeps could be heard so far."""
        return self.board.beeps

    def unplug(self) -> None:
        """Pull the cable."""
        self.board.plugged = False

    def plug_in(self) -> None:
        """Put the cable back."""
        self.board.plugged = True

    def _plugged_in(self, presses: Presses) -> Board:
        self.board.look()
        return self.board


def find_panel(config: PanelConfig | None = None, *, model_file: Path = _MODEL_FILE) -> Panel:
    """The panel of this machine; an `OffPanel` where there is none. A wrong pin map is said, not raised."""
    config = config or PanelConfig()
    if config.use == "off":
        return OffPanel()
    if config.use == "simulated":
        return SimPanel()
    if not on_a_pi(model_file):
        return OffPanel("There is no Raspberry Pi here, so there is no panel.")
    try:
        pins = read_pins(Path(config.pins_file).expanduser()) if config.pins_file else default_pins()
    except ValueError as error:
        return OffPanel(str(error))
    return _on_the_pi(pins)


def on_a_pi(model_file: Path = _MODEL_FILE) -> bool:
    """Whether this machine is a Raspberry Pi."""
    try:
        return _PI in model_file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def _on_the_pi(pins: Pins) -> Panel:
    from companion.devices.gpio import GpioPanel

    return GpioPanel(pins)
