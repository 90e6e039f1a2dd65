"""Sounds for the table. They never keep the game waiting, never fail it, and can be turned down or off."""

from __future__ import annotations

import hashlib
import shutil
import wave
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from companion.devices.runner import Job, Runner, Start, start_quietly
from companion.devices.tones import PIECES, RATE_HZ, Cue, pcm, rendered

_USUAL_VOLUME = 0.7
_VOLUME_STEPS = 10
_DIGEST_LETTERS = 8
_SAMPLE_BYTES = 2

PLAYERS: tuple[tuple[str, ...], ...] = (("pw-play",), ("paplay",), ("aplay", "-q"))
"""Programs that play a WAV file, with their options: those that share the loudspeaker with others come first."""

_RANKS: dict[Cue, int] = {"touch": 0, "coin": 1, "undo": 1, "refuse": 1, "turn": 2, "podium": 3, "call": 4}
"""What may cut what short. The others wait for each other."""


class Player(Protocol):
    """What plays sounds. `volume` is from 0 to 1. `play` returns at once and never raises."""

    on: bool
    volume: float

    @property
    def trouble(self) -> str:
        """One sentence when no sound comes out, otherwise nothing."""

    def play(self, cue: Cue) -> None:
        """Let a sound be heard."""

    def close(self) -> None:
        """Be quiet for good."""


class SoundBank:
    """The sounds as WAV files, each written into `folder` when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, cue: Cue, volume: float = 1.0) -> Path:
        """The file of a sound that loud. Raises OSError when the disk does not take it."""
        step = round(max(0.0, min(1.0, volume)) * _VOLUME_STEPS)
        file = self.folder / f"{cue}-{step}-{_digest(cue)}.wav"
        if not file.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            _write(file, pcm(rendered(cue, step / _VOLUME_STEPS)))
        return file


class AplayPlayer:
    """Plays through a program of the system, such as aplay."""

    def __init__(self, program: Sequence[str], bank: SoundBank, start: Start = start_quietly) -> None:
        self.on = True
        self.volume = _USUAL_VOLUME
        self.runner = Runner(start)
        self._program = tuple(program)
        self._bank = bank

    @property
    def trouble(self) -> str:
        return self.runner.trouble

    def play(self, cue: Cue) -> None:
        volume = self.volume
        if self.on and volume > 0:
            self.runner.put(Job(lambda: (*self._program, str(self._bank.file(cue, volume))), _RANKS[cue]))

    def close(self) -> None:
        self.runner.close()


class SilentPlayer:
    """Nothing is heard."""

    def __init__(self, trouble: str = "") -> None:
        self.on = True
        self.volume = _USUAL_VOLUME
        self.trouble = trouble

    def play(self, cue: Cue) -> None:
        pass

    def close(self) -> None:
        pass


class RecordingPlayer(SilentPlayer):
    """The simulated twin: what would have been heard, in order, with its volume.

    >>> player = RecordingPlayer()
    >>> player.play("coin")
    >>> player.on = False
    >>> player.play("call")
    >>> player.heard
    [('coin', 0.7)]
    """

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[Cue, float]] = []

    def play(self, cue: Cue) -> None:
        if self.on and self.volume > 0:
            self.heard.append((cue, self.volume))


def find_player(folder: Path, which: Callable[[str], str | None] = shutil.which) -> Player:
    """The player of this machine, with its sounds kept in `folder`; a silent one where there is none."""
    for name, *options in PLAYERS:
        program = which(name)
        if program:
            return AplayPlayer((program, *options), SoundBank(folder))
    return SilentPlayer("No program that plays sounds was found. Install one with: sudo apt-get install alsa-utils.")


def _digest(cue: Cue) -> str:
    """A sound that we change gets another file."""
    return hashlib.sha256(f"{RATE_HZ} {PIECES[cue]}".encode()).hexdigest()[:_DIGEST_LETTERS]


def _write(file: Path, frames: bytes) -> None:
    """A whole file or none: another companion may be reading."""
    draft = file.with_suffix(".draft")
    with wave.open(str(draft), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(_SAMPLE_BYTES)
        out.setframerate(RATE_HZ)
        out.writeframes(frames)
    draft.replace(file)
