"""The companion says who is to move, where espeak-ng is installed. One sentence waits at most: the newest."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Protocol

from companion.devices.runner import Job, Runner, Start, start_quietly

_PROGRAM = "espeak-ng"
_VOICES = {"en": "en-gb", "de": "de"}
_WORDS_PER_MIN = "150"
_LONGEST = 300


class Voice(Protocol):
    """What speaks. `say` returns at once and never raises. `on` False is silence."""

    on: bool

    @property
    def trouble(self) -> str:
        """One sentence when nothing can be said aloud, otherwise nothing."""

    def say(self, text: str, language: str = "en") -> None:
        """Say a sentence in a language (`en`, `de`, also `de_AT`); in English where that is not spoken."""

    def close(self) -> None:
        """Be quiet for good."""


class EspeakVoice:
    """Speaks through espeak-ng."""

    def __init__(self, program: str = _PROGRAM, start: Start = start_quietly) -> None:
        self.on = True
        self.runner = Runner(start)
        self._program = program

    @property
    def trouble(self) -> str:
        return self.runner.trouble

    def say(self, text: str, language: str = "en") -> None:
        words = plain_words(text)
        if self.on and words:
            command = (self._program, "-v", voice_of(language), "-s", _WORDS_PER_MIN, "--", words)
            self.runner.put(Job(lambda: command))

    def close(self) -> None:
        self.runner.close()


class SilentVoice:
    """Nothing is said."""

    def __init__(self, trouble: str = "") -> None:
        self.on = True
        self.trouble = trouble

    def say(self, text: str, language: str = "en") -> None:
        pass

    def close(self) -> None:
        pass


class RecordingVoice(SilentVoice):
    """The simulated twin: what would have been said, in order, and in which voice.

    >>> voice = RecordingVoice()
    >>> voice.say("Nord ist am Zug.", "de")
    >>> voice.said
    [('Nord ist am Zug.', 'de')]
    """

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str, str]] = []

    def say(self, text: str, language: str = "en") -> None:
        words = plain_words(text)
        if self.on and words:
            self.said.append((words, voice_of(language)))


def find_voice(which: Callable[[str], str | None] = shutil.which) -> Voice:
    """The voice of this machine; a silent one where there is none."""
    program = which(_PROGRAM)
    if program:
        return EspeakVoice(program)
    return SilentVoice("Nothing can be said aloud. Install a voice with: sudo apt-get install espeak-ng.")


def voice_of(language: str) -> str:
    """
    >>> voice_of("de_AT"), voice_of("fr")
    ('de', 'en-gb')
    """
    return _VOICES.get(language.partition("_")[0], _VOICES["en"])


def plain_words(text: str) -> str:
    """A text as one line of printable words, not too long to be listened to."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:_LONGEST]
