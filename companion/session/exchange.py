"""A saved game as a file for others: whole as JSON, to be taken in again; its history and score as CSV."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from companion.errors import DamagedGame, Malformed, NoSavedGame
from companion.rules.base import Game, Setup
from companion.session import origins, snapshots
from companion.session.clocks import Times
from companion.session.journal import Cover, Journal, Kind, Millis, Number, Row
from companion.session.session import Session
from companion.session.shelf import Shelf
from companion.session.trouble import told
from companion.session.veil import veiled_rows

_FORMAT: Final = "castle-companion-game"
_VERSION = 1
_NOTHING = Raw(b"null")
_FOLLOWING: tuple[Kind, ...] = ("action", "correction")
_DOING: tuple[Kind, ...] = ("setup", *_FOLLOWING)

_encoder = msgspec.json.Encoder()


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A journal line with its JSON laid open."""

    seq: int
    kind: Kind
    node: int
    parent: int | None = None
    redo: int | None = None
    redo_rest: int | None = None
    rules: Number
    at_ms: Millis
    over: bool
    origin: str
    label: str
    action: Raw
    facts: Raw
    clocks: Raw
    state: Raw


class Head(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an exported file is."""

    format: Literal["castle-companion-game"]
    version: int
    cover: Cover


class Exported(Head, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    journal: tuple[Line, ...]


# Out


def export_json(session: Session, out: BinaryIO) -> None:
    """Write a saved game out, every line with its state, one line of text per line of the journal.

    While a game runs, what is hidden from some at the table is left out (see `veil`).
    """
    with Journal.open(session.path, read_only=True) as journal:
        head = _encoder.encode(Head(format=_FORMAT, version=_VERSION, cover=replace(journal.cover, id=session.id)))
        out.write(head[:-1] + b',"journal":[\n')
        lines = (_encoder.encode(_laid_open(journal.path, row)) for row in veiled_rows(journal, session.game))
        out.write(next(lines, b""))
        out.writelines(b",\n" + line for line in lines)
        out.write(b"\n]}\n")


def history_csv(session: Session) -> str:
    """The history, one line each, what was undone included."""
    head = ("line", "time", "kind", "origin", "what", "stands", "facts")
    return _csv(
        head,
        (
            (line.seq, line.at.isoformat(), line.kind, line.origin, line.label, _yes(line.stands), _facts(line.facts))
            for line in session.history()
        ),
    )


def score_csv(session: Session) -> str:
    """The score sheet, one line each."""
    sheet = session.score()
    head = ("seat", "name", "key", "what", "count", "points", "why")
    return _csv(
        head,
        (
            (line.seat, sheet.names[line.seat], line.key, line.label, line.count, line.points, line.why)
            for line in sheet.lines
        ),
    )


def _laid_open(path: Path, row: Row) -> Line:
    try:
        state = Raw(snapshots.json_of(row.state)) if row.state else _NOTHING
    except ValueError as error:
        raise DamagedGame(str(path), f"the state of line {row.seq} is garbled") from error
    return Line(
        seq=row.seq,
        kind=row.kind,
        node=row.node,
        parent=row.parent,
        redo=row.redo,
        redo_rest=row.redo_rest,
        rules=row.rules,
        at_ms=row.at_ms,
        over=row.over,
        origin=row.origin,
        label=row.label,
        action=Raw(row.action) if row.action else _NOTHING,
        facts=Raw(row.facts),
        clocks=Raw(row.clocks),
        state=state,
    )


def _csv(head: tuple[str, ...], lines: Iterator[tuple[Any, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows(lines)
    return out.getvalue()


def _yes(true: bool) -> str:
    return "yes" if true else "no"


def _facts(facts: tuple[Any, ...]) -> str:
    return " ".join(fact.text for fact in facts)


# In


def import_json(shelf: Shelf, source: Path) -> str:
    """Take an exported game in and return its id: its own, or a new one if the shelf has that already.

    A file that is not whole is refused in one sentence, and nothing of it is taken in.
    """
    try:
        text = source.read_bytes()
    except FileNotFoundError as error:
        raise Malformed(f"There is no file {source}.") from error
    except IsADirectoryError as error:
        raise Malformed(f"{source} is a folder, not an exported game.") from error
    except OSError:
        with told(source):
            raise
    exported = _read(source, text.removeprefix(BOM_UTF8))
    game = shelf.game_of(exported.cover.game)
    fault = _name_fault(shelf, exported.cover.id) or _fault(exported, game)
    if fault:
        raise Malformed(f"{source} is not a whole exported game: {fault}.")
    return shelf.put(exported.cover, *(_folded(line) for line in exported.journal))


def _read(source: Path, text: bytes) -> Exported:
    try:
        exported = msgspec.json.decode(text, type=Exported)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"{source} is not an exported game: {str(error).rstrip('.')}.") from error
    if exported.version > _VERSION:
        raise Malformed(f"{source} was exported by a newer Castle Companion: update this one to take it in.")
    return exported


def _folded(line: Line) -> Row:
    return Row(
        seq=line.seq,
        kind=line.kind,
        node=line.node,
        parent=line.parent,
        redo=line.redo,
        redo_rest=line.redo_rest,
        rules=line.rules,
        at_ms=line.at_ms,
        over=line.over,
        origin=line.origin,
        label=line.label,
        action=b"" if line.action == _NOTHING else bytes(line.action),
        facts=bytes(line.facts),
        clocks=bytes(line.clocks),
        state=b"" if line.state == _NOTHING else snapshots.pack_json(bytes(line.state)),
    )


def _name_fault(shelf: Shelf, saved: str) -> str:
    try:
        shelf.path(saved)
    except NoSavedGame as error:
        return str(error).rstrip(".")
    return ""


def _fault(exported: Exported, game: Game[Any]) -> str:
    """What makes a file no journal, or nothing."""
    doing: set[int] = set()
    for number, line in enumerate(exported.journal, start=1):
        fault = _line_fault(line, number, doing) or _content_fault(line, game, len(exported.cover.seats))
        if fault:
            return f"line {number} {fault}"
        if line.node == line.seq:
            doing.add(line.seq)
    return _standing_fault(exported, game) if doing else "it has no lines"


def _standing_fault(exported: Exported, game: Game[Any]) -> str:
    """What keeps the game from being taken up where it stands."""
    line = exported.journal[exported.journal[-1].node - 1]
    if line.rules != game.info.rules_version:
        return ""
    try:
        game.sound(msgspec.json.decode(line.state, type=game.state_type))
    except Malformed:
        return f"the state of line {line.seq} contradicts itself"
    return ""


def _line_fault(line: Line, number: int, doing: set[int]) -> str:
    """What is wrong with where a line stands among those before it."""
    checks: tuple[tuple[bool, str], ...] = (
        (line.seq != number, f"is numbered {line.seq}"),
        ((line.kind == "setup") != (number == 1), "is a set-up in the wrong place, or the set-up is missing"),
        ((line.node == line.seq) != (line.kind in _DOING), "does not say whose state stands after it"),
        (line.node != line.seq and line.node not in doing, "stands on a line that has no state"),
        (line.kind in _FOLLOWING and line.parent not in doing, "follows a line that has no state"),
        (line.kind not in _FOLLOWING and line.parent is not None, "follows a line and cannot"),
        (line.redo is not None and line.redo not in doing, "has a redo that leads nowhere"),
        (line.redo_rest is not None and not 0 < line.redo_rest < number, "has a redo that leads nowhere"),
    )
    return next((fault for wrong, fault in checks if wrong), "")


def _content_fault(line: Line, game: Game[Any], seats: int) -> str:
    """What is wrong with what a line holds. The states of other rules versions are taken as they are."""
    readers: list[tuple[str, Callable[[], object]]] = [
        ("origin", lambda: origins.checked(line.origin)),
        ("facts", lambda: msgspec.json.decode(line.facts, type=list[dict[str, Any]])),
        ("clocks", lambda: _clocks(line, seats)),
    ]
    if line.kind in _DOING:
        same_rules = line.rules == game.info.rules_version
        state_type: type[Any] = game.state_type if same_rules else dict
        action_type: type[Any] = Setup if line.kind == "setup" else dict
        readers.append(("state", lambda: msgspec.json.decode(line.state, type=state_type)))
        readers.append(("action", lambda: msgspec.json.decode(line.action, type=action_type)))
    elif line.state != _NOTHING or line.action != _NOTHING:
        return "has a state or an action where there is none"
    for what, read in readers:
        try:
            read()
        except (msgspec.DecodeError, Malformed, RecursionError):
            return f"has {what} that cannot be read"
    return ""


def _clocks(line: Line, seats: int) -> Times:
    times = msgspec.json.decode(line.clocks, type=Times)
    if len(times.seats_ms) != seats or any(not 0 <= seat < seats for seat in times.active):
        raise Malformed("The clocks are those of another table.")
    return times
