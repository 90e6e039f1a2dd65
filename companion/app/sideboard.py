"""What stands beside the screen: the panel with its buttons and lights, the sounds, the voice.

All of it is optional and none of it is ever the only sign of anything. It is told what the table shows, and lets be
seen and heard what became of it; what stops working is said once, and again when it is back.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.models.model import Translate, plain
from companion.app.models.settings import Settings
from companion.app.theme import seat as seat_look
from companion.devices.panel import Colour, OffPanel, Panel, PanelConfig, find_panel
from companion.devices.pins import ButtonName
from companion.devices.sound import Player, SilentPlayer, find_player
from companion.devices.speech import SilentVoice, Voice, find_voice
from companion.devices.tones import Cue

if TYPE_CHECKING:
    from companion.app.models.scene import TableView

Device = Player | Voice
_MONEY = ("coins", "talers", "marks", "gold")
_SOUNDED_POLLS = 40
"""A program without a loudspeaker gives up well within these; a sound that has not failed by then was heard."""


class Sideboard:
    """The devices at one table. Without any, it is silent and dark. `t` says what is read out and what is told."""

    def __init__(
        self,
        panel: Panel | None = None,
        player: Player | None = None,
        voice: Voice | None = None,
        t: Translate = plain,
    ) -> None:
        self._t = t
        self.panel: Panel = panel or OffPanel()
        self.player: Player = player or SilentPlayer()
        self.voice: Voice = voice or SilentVoice()
        self._language = "en"
        self._seen: TableView | None = None
        self._never = {self.player.trouble, self.voice.trouble}
        self._wanted: set[Device] = set()
        self._polls_since_cue: int | None = None
        self._lost: tuple[str, ...] = ()
        self._news: list[str] = []
        self.set(Settings(), "en")
        self._news.clear()

    def set(self, settings: Settings, language: str) -> None:
        """Let the settings hold. Who turns something on that is not there learns why it stays silent."""
        switched: list[tuple[Device, bool]] = [(self.player, settings.sound), (self.voice, settings.speech)]
        turned_on = [device for device, on in switched if on and not device.on]
        self.player.on, self.voice.on, self._language = settings.sound, settings.speech, language
        self._wanted.update(turned_on)
        self._news += [self._t(device.trouble) for device in turned_on if device.trouble in self._never - {""}]

    def poll(self) -> tuple[ButtonName, ...]:
        """The buttons pressed since the last time, in order. To be called 20 times a second."""
        pressed = tuple(press.button for press in self.panel.poll())
        self._listen()
        self._look_after()
        return pressed

    def _listen(self) -> None:
        """A player that was heard once is missed when it fails, even where nobody has asked for it."""
        if self._polls_since_cue is None or self.player.trouble:
            self._polls_since_cue = None
            return
        self._polls_since_cue += 1
        if self._polls_since_cue >= _SOUNDED_POLLS:
            self._wanted.add(self.player)

    @property
    def lost(self) -> bool:
        """Whether something does not work now that should."""
        return bool(self._lost)

    @property
    def says(self) -> str:
        """What does not work now that should, and what to do about it; nothing where all is well."""
        return " ".join(self._t(says) for says in self._lost)

    def news(self) -> str:
        """One sentence that nobody has heard yet, or nothing."""
        return self._news.pop(0) if self._news else ""

    def close(self) -> None:
        """Lights out, and silence."""
        for device in (self.panel, self.player, self.voice):
            device.close()

    def _look_after(self) -> None:
        health = self.panel.health
        lost = tuple(self._troubles())
        if lost == self._lost:
            return
        self._news += [self._t(says) for says in lost if says not in self._lost]
        if health.state == "ready" and len(lost) < len(self._lost):
            self._news.append(self._t("Everything beside the screen works again."))
        self._lost = lost

    def _troubles(self) -> list[str]:
        """What does not work, in sentences. What was never there is not missed."""
        found = [self.panel.health.says] if self.panel.health.state == "lost" else []
        if self._is_missed(self.player):
            found.append("No sound comes out: connect a loudspeaker, or turn Sound off in the settings.")
        if self._is_missed(self.voice):
            found.append("No voice comes out: connect a loudspeaker, or turn Speech off in the settings.")
        return [says for says in found if says]

    def _is_missed(self, device: Device) -> bool:
        return device.on and device in self._wanted and bool(device.trouble) and device.trouble not in self._never

    # What is seen and heard

    def cue(self, cue: Cue) -> None:
        """Let a sound be heard."""
        self.player.play(cue)
        if self.player.on and self._polls_since_cue is None:
            self._polls_since_cue = 0

    def call(self, seat: int | None = None, says: str = "") -> None:
        """Call the table together: for the castle of a seat, or by hand; with words to read out where there are any."""
        self.panel.alarm(seat)
        self.cue("call")
        if says:
            self.voice.say(says, self._language)

    def see(self, view: TableView | None) -> None:
        """The table shows this now; without a table, nobody is to move."""
        before, self._seen = self._seen, view
        active = _active(view)
        if active != _active(before) or (before is None) != (view is None):
            self.panel.light((seat for seat, _name in active), _colours(view))
        if view is None or before is None:
            return
        heard = _heard(before, view)
        if heard:
            self.cue(heard)
        if active and active != _active(before) and not view.over:
            self._name(name for _seat, name in active)

    def _name(self, active: Iterable[str]) -> None:
        names = ", ".join(active)
        self.voice.say(self._t("{names}: your move.").format(names=names), self._language)


def _active(view: TableView | None) -> tuple[tuple[int, str], ...]:
    """The seats at turn, and their names."""
    return tuple((seat.seat, seat.name) for seat in view.seats if seat.active) if view else ()


def _colours(view: TableView | None) -> tuple[Colour, ...]:
    return tuple(seat_look(seat.colour).field[:3] for seat in view.seats if seat.place is not None) if view else ()


def _heard(before: TableView, view: TableView) -> Cue | None:
    """The sound of a change: the most telling one."""
    if view.message is not None and view.message != before.message and view.message.weight == "refused":
        return "refuse"
    last, last_before = (shown.tail[-1] if shown.tail else None for shown in (view, before))
    if last is None or (last_before is not None and last.seq == last_before.seq):
        return None
    if last.kind == "undo":
        return "undo"
    if _active(view) != _active(before) and not view.over:
        return "turn"
    return "coin" if _money(view) != _money(before) else "touch"


def _money(view: TableView) -> tuple[int, ...]:
    return tuple(counter.value for seat in view.seats for counter in seat.counters if counter.key in _MONEY)


def found(folder: Path, t: Translate = plain, config: PanelConfig | None = None) -> Sideboard:
    """What this machine has. Sounds are kept in a folder."""
    return Sideboard(find_panel(config), find_player(folder), find_voice(), t)
