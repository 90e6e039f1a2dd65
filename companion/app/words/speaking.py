"""The language in use, for the whole app: `_` says a text in it, `use` changes it while the app runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from companion.app.words.catalogue import LANGUAGES, SOURCE_LANGUAGE
from companion.app.words.translator import Translator
from companion.rules.box import Box

Callback = Callable[[], None]
_COMPONENTS = "components"
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


class _Voice:
    """One translator at a time, and who wants to know when it changes."""

    def __init__(self) -> None:
        self.translator = Translator(SOURCE_LANGUAGE)
        self.names: tuple[str, ...] = ()
        self.pieces: tuple[str, ...] = ()
        self.callbacks: list[Callback] = []


_voice = _Voice()


def _(text: str) -> str:
    """The text in the language in use: a text of the app's own, or anything the rules have said."""
    return _voice.translator.say(text)


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a text for a number: `ngettext("{n} game", "{n} games", 3)`."""
    return _voice.translator.many(one, many, count)


def current() -> Translator:
    """The translator in use."""
    return _voice.translator


def use(language: str) -> None:
    """Speak a language from now on; empty is that of the machine. Subscribers are told when it is another one."""
    chosen = language if language in LANGUAGES else preferred(os.environ)
    if chosen == _voice.translator.language:
        return
    _voice.translator = Translator(chosen)
    _voice.translator.leave(_voice.names, _voice.pieces)
    for callback in tuple(_voice.callbacks):
        callback()


def leave(names: Iterable[str], box: Box | None = None) -> None:
    """The names of the people at this table stay as they are in every language, and those printed in its box."""
    left = (tuple(names), printed(box) if box else ())
    if left != (_voice.names, _voice.pieces):
        _voice.names, _voice.pieces = left
        _voice.translator.leave(*left)


def printed(box: Box) -> tuple[str, ...]:
    """The names on a box's cards and tiles. What its list of components says are words, not names."""
    tables = (table for name, table in box.tables.items() if name != _COMPONENTS)
    names = (str(entry.get("name", "")) for table in tables for entry in table.entries.values())
    return tuple(dict.fromkeys(name for name in names if name))


def subscribe(callback: Callback) -> Callback:
    """Be called after every change of language. Returns what ends it."""
    _voice.callbacks.append(callback)
    return lambda: _voice.callbacks.remove(callback) if callback in _voice.callbacks else None


def preferred(environ: Mapping[str, str]) -> str:
    """The language of this machine, or English when we have no words in it.

    >>> preferred({"LANG": "de_AT.UTF-8"}), preferred({"LANG": "fr_FR.UTF-8"}), preferred({"LANG": "C"})
    ('de', 'en', 'en')
    """
    for variable in _VARIABLES:
        for tag in environ.get(variable, "").split(":"):
            if tag[:2] in LANGUAGES:
                return tag[:2]
    return SOURCE_LANGUAGE
