"""Reading what people hand to a command. Whatever is wrong with it is said in one sentence that names file and line."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from companion.errors import Malformed

_STDIN = "-"


def read_text(name: str) -> str:
    """The text of a file, or of standard input for `-`."""
    data = _bytes(name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Malformed(f"{spoken(name)} is not UTF-8 text (line {line}).") from error
    if not text.strip():
        raise Malformed(f"{spoken(name)} is empty.")
    return text


def read_json(name: str) -> object:
    """The JSON value in a file."""
    return parse(read_text(name), spoken(name))


def parse(text: str, where: str, line: int = 0) -> object:
    """A JSON value from its text. `line` is the text's own line where it is one line of many."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise Malformed(f"{where}, line {line or _line_of(text, str(error))}: {_fault(str(error))}") from error
    except (RecursionError, UnicodeError) as error:
        raise Malformed(f"{where}: this JSON is nested too deeply or holds broken characters.") from error


def spoken(name: str) -> str:
    """How a file is called in a sentence."""
    return "Standard input" if name == _STDIN else f"'{name}'"


def _bytes(name: str) -> bytes:
    if name == _STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except IsADirectoryError as error:
        raise Malformed(f"'{name}' is a folder, not a file.") from error
    except FileNotFoundError as error:
        raise Malformed(f"There is no file '{name}'.") from error
    except (OSError, ValueError) as error:
        raise Malformed(f"'{name}' cannot be read: {_os_words(error)}.") from error


def _os_words(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "that is no file name"


def _line_of(text: str, message: str) -> int:
    """The line a decoder's message points at; the last line when it ran out of text."""
    byte = _byte_of(message)
    data = text.encode()
    return data[: len(data.rstrip()) if byte is None else byte].count(b"\n") + 1


def _byte_of(message: str) -> int | None:
    digits = message.rpartition("(byte ")[2].rstrip(")")
    return int(digits) if digits.isdigit() else None


def _fault(message: str) -> str:
    if "truncated" in message:
        return "this JSON ends too soon."
    what = message.removeprefix("JSON is malformed: ").partition(" (byte")[0]
    return f"this is not JSON ({what})."
