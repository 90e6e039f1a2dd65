"""Saved games written as files for others."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

from companion.errors import Malformed
from companion.session import bgstats, exchange
from companion.session.session import Session
from companion.text import saves

_TO_SCREEN = "-"


def write(saved: str, form: str, output: str) -> None:
    """Write a saved game in one of the forms, whole or not at all."""
    with saves.looked_at(saved) as session:
        put(_FORMS[form](session), session.id, output)


def put(data: bytes, what: str, output: str) -> None:
    """Write something to a file and say so, or to the screen."""
    if output == _TO_SCREEN:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        _write_file(Path(output), data)
        print(f"{what} is written to {output}.")


def _write_file(path: Path, data: bytes) -> None:
    try:
        _replace(path, data)
    except IsADirectoryError as error:
        raise Malformed(f"'{path}' is a folder, not a file.") from error
    except FileNotFoundError as error:
        raise Malformed(f"There is no folder '{path.parent}' to write to.") from error
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "that is no file name"
        raise Malformed(f"'{path}' cannot be written: {why}.") from error


def _replace(path: Path, data: bytes) -> None:
    """What lay there before stays until all of the new is on the disk. A pipe or a device is written to as it is."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _json(session: Session) -> bytes:
    out = io.BytesIO()
    exchange.export_json(session, out)
    return out.getvalue()


_FORMS: dict[str, Callable[[Session], bytes]] = {
    "json": _json,
    "csv": lambda session: exchange.history_csv(session).encode(),
    "scores": lambda session: exchange.score_csv(session).encode(),
    "bgstats": lambda session: bgstats.play_json(session) + b"\n",
}
