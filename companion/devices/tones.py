"""Sounds made by us: a few notes each, as data, and how they become samples. Standard library only.

>>> samples = rendered("touch")
>>> max(abs(sample) for sample in samples) <= 1, seconds(samples) < 0.1
(True, True)
"""

from __future__ import annotations

import math
import sys
from array import array
from typing import Literal, get_args

from msgspec import Struct

Cue = Literal["touch", "coin", "refuse", "undo", "turn", "call", "podium"]
CUES: tuple[Cue, ...] = get_args(Cue)

RATE_HZ = 22_050
_RELEASE_S = 0.012
"""Every note ends in silence, for a wave cut off clicks."""

_D4, _A4, _D5, _FIS5, _A5 = 293.66, 440.0, 587.33, 739.99, 880.0


class Timbre(Struct, frozen=True):
    """How an instrument sounds: the strength of each overtone, how fast it comes, how fast it dies away (0: never)."""

    overtones: tuple[tuple[float, float], ...]
    attack_s: float
    half_life_s: float


class Note(Struct, frozen=True):
    """One note. With `to_hz` it slides there."""

    timbre: Timbre
    pitch_hz: float
    at_s: float
    for_s: float
    level: float = 1.0
    to_hz: float = 0.0


class Piece(Struct, frozen=True):
    """The notes of a sound, and how loud its loudest moment is beside the others."""

    peak: float
    notes: tuple[Note, ...]


_WOOD = Timbre(((1.0, 1.0), (2.76, 0.35)), 0.001, 0.012)
_BELL = Timbre(((1.0, 1.0), (2.0, 0.35), (3.01, 0.18), (4.2, 0.08)), 0.003, 0.11)
_REED = Timbre(((1.0, 1.0), (3.0, 0.4), (5.0, 0.2)), 0.008, 0.0)
_HORN = Timbre(((1.0, 1.0), (2.0, 0.6), (3.0, 0.4), (4.0, 0.22), (5.0, 0.1)), 0.03, 0.9)
_FLUTE = Timbre(((1.0, 1.0), (2.0, 0.15)), 0.015, 0.25)


def _call() -> tuple[Note, ...]:
    """Two pitches in turn: heard through talk, and unlike any telephone."""
    return tuple(Note(_REED, (_A5, _D5)[step % 2], step * 0.18, 0.17) for step in range(8))


def _chord(pitches: tuple[float, ...], at_s: float, for_s: float) -> tuple[Note, ...]:
    return tuple(Note(_HORN, pitch, at_s, for_s, 1 / len(pitches)) for pitch in pitches)


def _fanfare() -> tuple[Note, ...]:
    """Three short calls and a long chord, in D as trumpets like it."""
    opening = tuple(Note(_HORN, pitch, at, 0.16, 0.6) for pitch, at in ((_D4, 0.0), (_D4, 0.18), (_A4, 0.36)))
    return (*opening, *_chord((_D4, _A4, _D5), 0.56, 0.34), *_chord((_A4, _D5, _FIS5, _A5), 0.94, 1.1))


PIECES: dict[Cue, Piece] = {
    "touch": Piece(0.35, (Note(_WOOD, 520.0, 0.0, 0.06),)),
    "coin": Piece(0.5, (Note(_BELL, 1318.5, 0.0, 0.12, 0.7), Note(_BELL, 1975.5, 0.07, 0.32))),
    "refuse": Piece(0.5, (Note(_REED, 196.0, 0.0, 0.11), Note(_REED, 155.6, 0.13, 0.2))),
    "undo": Piece(0.45, (Note(_FLUTE, _D5, 0.0, 0.22, 1.0, _D4),)),
    "turn": Piece(0.5, (Note(_BELL, _D5, 0.0, 0.4, 0.8), Note(_BELL, _A5, 0.14, 0.5))),
    "call": Piece(0.95, _call()),
    "podium": Piece(0.85, _fanfare()),
}


def rendered(cue: Cue, volume: float = 1.0) -> array[float]:
    """The samples of a sound, from -1 to 1, at `RATE_HZ`. A `volume` of 1 is as loud as it should ever be."""
    piece = PIECES[cue]
    samples = array("d", bytes(8 * math.ceil(_length_s(piece) * RATE_HZ)))
    for note in piece.notes:
        _add(samples, note)
    loudest = max(map(abs, samples))
    scale = piece.peak * max(0.0, min(1.0, volume)) / loudest
    return array("d", [sample * scale for sample in samples])


def pcm(samples: array[float]) -> bytes:
    """Samples as 16-bit numbers, the low byte first."""
    words = array("h", [round(sample * 32767) for sample in samples])
    if sys.byteorder == "big":
        words.byteswap()
    return words.tobytes()


def seconds(samples: array[float]) -> float:
    """How long samples last."""
    return len(samples) / RATE_HZ


def _length_s(piece: Piece) -> float:
    return max(note.at_s + note.for_s for note in piece.notes)


def _add(samples: array[float], note: Note) -> None:
    """Play a note into the samples."""
    first = round(note.at_s * RATE_HZ)
    count = min(len(samples) - first, round(note.for_s * RATE_HZ))
    slide = (note.to_hz / note.pitch_hz) ** (1 / count) if note.to_hz else 1.0
    step = note.pitch_hz * math.tau / RATE_HZ
    phase = 0.0
    for at in range(count):
        loud = note.level * _envelope(note, at / RATE_HZ)
        samples[first + at] += loud * sum(part * math.sin(phase * over) for over, part in note.timbre.overtones)
        phase += step
        step *= slide


def _envelope(note: Note, t_s: float) -> float:
    timbre = note.timbre
    rise = min(1.0, t_s / timbre.attack_s)
    fall = min(1.0, (note.for_s - t_s) / _RELEASE_S)
    decay = 0.5 ** (t_s / timbre.half_life_s) if timbre.half_life_s else 1.0
    return rise * fall * decay
