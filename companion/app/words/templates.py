"""Which texts people can come to see, read from the source: the rules game by game, the session, and the app itself.

Everything that is a text in the rules counts, less what is plainly an id; what is left of those by name is in
IGNORED. So a sentence nobody thought of here still lands in the catalogue, and a gap in it fails a test.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.app.words.nouns import COUNTED, EXTRA
from companion.app.words.sources import read, read_spoken

GAMES = ("castle-dukes", "castle-for-all-seasons", "mad-king-ludwig", "castle-dice", "castle-builder")
SCOPES = ("app", "shared", *GAMES)
"""Whose texts: the app's own, those all games share (session and errors among them), and each game's."""

_COMPANION = Path(__file__).parents[2]
_UNSEEN_MODULES = frozenset(
    {
        "audit",
        "bench",
        "benching",
        "soak",
        "random_play",
        "registry",
        "words",
        "exchange",
        "bgstats",
        "call_bench",
        "check",
    }
)
"""Modules that speak to developers, or to files."""
_APP_FOLDERS = ("models", "screens", "widgets")
_SESSION_MODULES = (
    "errors.py", "config.py", "session", "devices/gpio.py", "devices/panel.py", "devices/pins.py", "devices/runner.py",
    "devices/sound.py", "devices/speech.py", "devices/live_twin.py", "devices/camera",
    *(f"devices/scales/{name}.py" for name in ("driver", "link", "port", "troubles")),
)  # fmt: skip

_LIVE_MODULES = (
    "desk.py", "dukes.py", "points.py", "questions.py", "sources.py", "supervision.py", "survey.py", "table.py",
    "recorder.py", "mending.py", "pieces.py", "booking.py", "reading.py",
)  # fmt: skip
"""What the live table and its desk say to people: titles and answers too, not whole sentences alone."""

_DEMO_MODULES = ("chronicle.py", "guide.py", "playing.py", "script.py", "window.py")
"""The demo's captions. At the terminal it speaks English."""

_TWIN_MODULES = ("acts.py", "gestures.py", "live_episode.py")
"""Why the simulated hand could not do what it was told."""

_IDS = frozenset({
    "id", "key", "rule", "what", "kind", "field", "table", "part", "tag", "tag_field", "status", "option", "phase",
    "stage", "tone", "icon", "ground", "weight", "shape", "colour", "role", "halign", "valign", "group_id", "pattern",
    "prefix", "suffix", "encoding", "errors", "mode", "source", "confidence", "ValueError", "AssertionError",
    "NotImplementedError", "Meta", "field_name", "resolve_name", "newline", "timespec",
})  # fmt: skip
_SPEAKS = frozenset({"_", "t", "_t", "say", "ngettext"})
_HOLE = re.compile(r"\{\w+(?::\w+)?\}")
_WORD = re.compile(r"[A-Za-z]{2}")
_ID = re.compile(
    r"\S*[a-z0-9}][-./_:][a-z0-9{_]\S*|[#/$.]\S*|\S*_\S*|\S*\\\S*|<.*|fill=.*|(?:[A-Z][a-z]+){2,}", re.DOTALL
)
_SENTENCE = re.compile(r"[A-Z{].* .*\.", re.DOTALL)
_SAID = re.compile(r"[A-Z{].*", re.DOTALL)
"""What is no sentence and still said: an answer, a title. Ids and the words of a log begin with a small letter."""

IGNORED = frozenset({
    # Names in examples and templates; they stay as they are.
    "North", "East", "South", "West", "NE", "SE", "SW", "NW",
    "Castle Companion", "Kitchen", "kitchen", "salon", "pantry", "crypt", "scullery", "stables",
    # A plural that the counted nouns say.
    "{0} {1}es",
    # Words of the program.
    "ahead", "past", "now", "GAME", "inf", "origin", "cobbles", "sqft", "masks",
    "companion", "utf-8", "components", "number", "choice", "text", "entry", "list", "Deutsch",
    "NFKD", "PYTHON", "REC", "answer {0}", "piece {0}", "undo {0}", "{0} mm", "{0} · {1} mm",
    # What the simulated hand is told.
    "place {0} on {1}", "remove {0} from {1}", "knock {0} hard", "knock {0} softly", "brush pillar of {0}",
    "clear board", "bump table hard", "knock left hard", "take back", "place tile on left",
    "place pillar on left",
})  # fmt: skip


def texts(scope: str) -> tuple[str, ...]:
    """Every text of a scope, templates with numbered holes, in the order of its source. Counted nouns are apart."""
    found = dict.fromkeys(text for path in _files(scope) for text in _read(scope, path) if _is_shown(text))
    if scope in GAMES:
        found.update(dict.fromkeys(_box_names(scope)))
    found.update(dict.fromkeys(EXTRA.get(scope, ())))
    counted = {word for nouns in COUNTED.values() for noun in nouns for word in noun}
    return tuple(text for text in found if text not in counted)


def holes(text: str) -> tuple[str, ...]:
    """The holes of a text, in order of their names.

    >>> holes("{1:acc} for {0}")
    ('{0}', '{1}')
    """
    return tuple(sorted({re.sub(r":\w+", "", hole) for hole in _HOLE.findall(text)}))


def _files(scope: str) -> Iterator[Path]:
    if scope == "app":
        folders = (_COMPANION / "app" / folder for folder in _APP_FOLDERS)
        yield from _python(path for folder in folders for path in folder.glob("*.py"))
        yield from _python((_COMPANION / "app").glob("*.py"))
        yield from (_COMPANION / "demo" / name for name in _DEMO_MODULES)
    elif scope == "shared":
        yield from _python((_COMPANION / "rules").glob("*.py"))
        for name in _SESSION_MODULES:
            path = _COMPANION / name
            yield from _python(path.glob("*.py")) if path.is_dir() else (path,)
        yield from (_COMPANION / "live" / name for name in _LIVE_MODULES)
        yield from (_COMPANION / "twin" / name for name in _TWIN_MODULES)
    else:
        yield from _python(_package(scope).glob("*.py"))


def _package(game: str) -> Path:
    return _COMPANION / "rules" / game.replace("-", "_")


def _python(paths: Iterable[Path]) -> Iterator[Path]:
    return (path for path in sorted(paths) if path.stem not in _UNSEEN_MODULES)


def _read(scope: str, path: Path) -> Iterable[str]:
    source = path.read_text(encoding="utf-8")
    found = read(source, _IDS)
    if path.is_relative_to(_COMPANION / "demo"):
        return (*read_spoken(source, _SPEAKS), *filter(_SENTENCE.fullmatch, found))
    if scope == "app":
        return _of_app(source)
    if path.is_relative_to(_COMPANION / "rules"):
        return found
    return filter((_SAID if path.is_relative_to(_COMPANION / "live") else _SENTENCE).fullmatch, found)


def _of_app(source: str) -> Iterator[str]:
    """What is spoken through the translator, and every other text that looks like words for people."""
    yield from read_spoken(source, _SPEAKS)
    for text in read(source, _IDS, fields=False):
        if " " in text.strip() or text[:1].isupper():
            yield text


def _is_shown(text: str) -> bool:
    bare = _HOLE.sub("", text)
    return bool(_WORD.search(bare)) and text not in IGNORED and not _ID.fullmatch(text)


def _box_names(game: str) -> Iterator[str]:
    """What the box calls its components: the set-up checklist names them."""
    path = _package(game) / "box" / "components.toml"
    if path.exists():
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        entries = tables.get("components", {}).get("entries", {}).values()
        yield from (entry["name"] for entry in entries if isinstance(entry, dict) and "name" in entry)
