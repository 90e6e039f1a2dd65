"""The catalogues: brought up to date from the source, compiled, loaded, and asked for their gaps."""

from __future__ import annotations

import gettext
from collections import Counter
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.app.words import po
from companion.app.words.nouns import COUNTED
from companion.app.words.po import Entry

LANGUAGES = ("en", "de")
SOURCE_LANGUAGE = "en"
"""What the program is written in: it needs no catalogue."""
COMPLETE = (
    "app", "shared", "castle-dukes", "castle-for-all-seasons", "mad-king-ludwig", "castle-dice", "castle-builder",
)  # fmt: skip
"""The scopes whose catalogues may have no gap."""

_LOCALE = Path(__file__).parent / "locale"
_DOMAIN = "companion"
_HEADER = (
    "Project-Id-Version: Castle Companion\n"
    "Language: {language}\n"
    "MIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\n"
    "Plural-Forms: nplurals=2; plural=(n != 1);\n"
)


class Catalogue(Struct, frozen=True, kw_only=True):
    """A language, ready for use: gettext for whole texts and plurals, and the entries for those with holes."""

    language: str
    gettext: gettext.NullTranslations
    entries: tuple[Entry, ...]


def path_of(language: str, suffix: str) -> Path:
    """Where a catalogue lies."""
    return _LOCALE / language / "LC_MESSAGES" / f"{_DOMAIN}.{suffix}"


@cache
def load(language: str) -> Catalogue:
    """The catalogue of a language; one nobody has written says nothing."""
    path = path_of(language, "mo")
    if language == SOURCE_LANGUAGE or not path.exists():
        return Catalogue(language=language, gettext=gettext.NullTranslations(), entries=())
    data = path.read_bytes()
    return Catalogue(
        language=language, gettext=gettext.GNUTranslations(BytesIO(data)), entries=tuple(po.decompiled(data))
    )


def source() -> list[Entry]:
    """Every text of the program, each once, with whose it is."""
    from companion.app.words.templates import SCOPES, texts

    found: dict[str, Entry] = {}
    for scope in SCOPES:
        for one, many in COUNTED.get(scope, ()):
            _add(found, scope, one, many)
        for text in texts(scope):
            _add(found, scope, text, "")
    return list(found.values())


def _add(found: dict[str, Entry], scope: str, text: str, plural: str) -> None:
    known = found.get(text) or Entry(id=text, plural=plural)
    found[text] = replace(known, scopes=tuple(dict.fromkeys((*known.scopes, scope))))


def extract() -> None:
    """Write the template catalogue anew, bring every language up to date and compile it. Translations are kept."""
    entries = source()
    _write(_LOCALE / f"{_DOMAIN}.pot", po.write(_HEADER.format(language=""), entries))
    for language in LANGUAGES:
        if language != SOURCE_LANGUAGE:
            _write(path_of(language, "po"), updated(language, read(language), entries))
            build(language)


def read(language: str) -> list[Entry]:
    """The entries of a language's source catalogue."""
    path = path_of(language, "po")
    return po.parse(path.read_text(encoding="utf-8"))[1] if path.exists() else []


def updated(language: str, old: Iterable[Entry], entries: Iterable[Entry]) -> str:
    """A language's catalogue for the texts there are now.

    What no source has any more is kept as stale where it was translated. Words in a context are the language's own.
    """
    kept = {entry.key: entry for entry in old}
    now = [replace(entry, forms=_forms(entry, kept.get(entry.key))) for entry in entries]
    ids = {entry.id for entry in now}
    own = [replace(entry, stale=False) for entry in kept.values() if entry.context and entry.id in ids]
    stale = [replace(entry, scopes=(), stale=True) for entry in kept.values() if entry.done and (entry.id not in ids)]
    return po.write(_HEADER.format(language=language), [*now, *own, *stale])


def _forms(entry: Entry, old: Entry | None) -> tuple[str, ...]:
    return old.forms if old and bool(old.plural) == bool(entry.plural) else ()


def build(language: str) -> None:
    """Compile a language's catalogue."""
    path_of(language, "mo").write_bytes(compiled(language))
    load.cache_clear()


def compiled(language: str) -> bytes:
    """The compiled form of a language's source catalogue."""
    header, entries = po.parse(path_of(language, "po").read_text(encoding="utf-8"))
    return po.compiled(header, entries)


def gaps(language: str) -> dict[str, list[str]]:
    """What of each scope is not translated: texts that are in the source now and have no words in the catalogue."""
    done = {entry.id for entry in read(language) if entry.done and not entry.context}
    missing: dict[str, list[str]] = {}
    for entry in source():
        for scope in entry.scopes:
            if entry.id not in done:
                missing.setdefault(scope, []).append(entry.id)
    return missing


def sizes() -> Counter[str]:
    """How many texts each scope has."""
    return Counter(scope for entry in source() for scope in entry.scopes)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
