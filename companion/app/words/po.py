"""Gettext's files: the .po people edit, read and written; the .mo that is loaded, written and read."""

from __future__ import annotations

import ast
import struct
from collections.abc import Iterable, Iterator

from msgspec import Struct

from companion.errors import Malformed

_MAGIC = 0x950412DE
_HEADER_INTS = 7
_INT_BYTES = 4
_CONTEXT_END = "\x04"
_PLURAL_END = "\x00"
_KEYWORDS = ("msgctxt", "msgid_plural", "msgid", "msgstr")


class Entry(Struct, frozen=True, kw_only=True):
    """One text and its translation. `forms` are as many as the language has for a counted noun; empty is a gap.

    `scopes` say whose text it is. A `stale` one is no longer in the source and kept in case it comes back.
    """

    id: str
    plural: str = ""
    context: str = ""
    forms: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    stale: bool = False

    @property
    def done(self) -> bool:
        return bool(self.forms) and all(self.forms)

    @property
    def key(self) -> tuple[str, str]:
        return self.context, self.id


# .po


def write(header: str, entries: Iterable[Entry]) -> str:
    """A .po file. The header is `Name: value` lines."""
    blocks = [f'msgid ""\nmsgstr ""\n{_quoted_lines(header)}', *(_block(entry) for entry in entries)]
    return "\n\n".join(blocks) + "\n"


def parse(text: str) -> tuple[str, list[Entry]]:
    """The header and the entries of a .po file."""
    header, entries = "", []
    for block in _blocks(text):
        entry = _entry(block)
        if entry.id:
            entries.append(entry)
        else:
            header = "".join(entry.forms)
    return header, entries


def _block(entry: Entry) -> str:
    lines = [f"#. {', '.join(entry.scopes)}"] if entry.scopes else []
    fields = [("msgctxt", entry.context)] if entry.context else []
    fields.append(("msgid", entry.id))
    if entry.plural:
        fields.append(("msgid_plural", entry.plural))
        fields += [(f"msgstr[{place}]", form) for place, form in enumerate(entry.forms or ("", ""))]
    else:
        fields.append(("msgstr", entry.forms[0] if entry.forms else ""))
    mark = "#~ " if entry.stale else ""
    return "\n".join([*lines, *(f"{mark}{word} {_quoted(value)}" for word, value in fields)])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def _quoted_lines(text: str) -> str:
    return "\n".join(_quoted(line) for line in text.splitlines(keepends=True))


def _blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for line in (*text.splitlines(), ""):
        if line.strip():
            block.append(line.strip())
        elif block:
            yield block
            block = []


def _entry(block: list[str]) -> Entry:
    fields: dict[str, str] = {}
    scopes: tuple[str, ...] = ()
    word = ""
    for line in block:
        if line.startswith("#."):
            scopes = tuple(line[2:].strip().split(", "))
            continue
        line = line.removeprefix("#~ ")
        if line.startswith("#"):
            continue
        if not line.startswith('"'):
            word, _, line = line.partition(" ")
            fields[word] = ""
        fields[word] += _unquoted(word, line)
    return _made(fields, scopes, stale=any(line.startswith("#~") for line in block))


def _made(fields: dict[str, str], scopes: tuple[str, ...], *, stale: bool) -> Entry:
    forms = tuple(value for word, value in fields.items() if word.startswith("msgstr"))
    return Entry(
        id=fields.get("msgid", ""), plural=fields.get("msgid_plural", ""), context=fields.get("msgctxt", ""),
        forms=forms, scopes=scopes, stale=stale,
    )  # fmt: skip


def _unquoted(word: str, text: str) -> str:
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError) as error:
        raise Malformed(f"A catalogue has a line that is not a text: {text}.") from error
    if not isinstance(value, str) or not word.startswith(_KEYWORDS):
        raise Malformed(f"A catalogue has a line that does not belong there: {word} {text}.")
    return value


# .mo


def compiled(header: str, entries: Iterable[Entry]) -> bytes:
    """The .mo form: what is translated, sorted, as gettext wants it."""
    pairs = sorted([(b"", header.encode()), *(_pair(entry) for entry in entries if entry.done and not entry.stale)])
    ids_at = _HEADER_INTS * _INT_BYTES
    texts_at = ids_at + 2 * _INT_BYTES * len(pairs)
    data_at = texts_at + 2 * _INT_BYTES * len(pairs)
    index: list[int] = []
    data = bytearray()
    for side in (0, 1):
        for pair in pairs:
            index += [len(pair[side]), data_at + len(data)]
            data += pair[side] + b"\0"
    head = struct.pack("<7I", _MAGIC, 0, len(pairs), ids_at, texts_at, 0, 0)
    return head + struct.pack(f"<{len(index)}I", *index) + bytes(data)


def _pair(entry: Entry) -> tuple[bytes, bytes]:
    id = f"{entry.context}{_CONTEXT_END}{entry.id}" if entry.context else entry.id
    id += f"{_PLURAL_END}{entry.plural}" if entry.plural else ""
    return id.encode(), _PLURAL_END.join(entry.forms).encode()


def decompiled(data: bytes) -> list[Entry]:
    """The entries of a .mo file of ours, the header left out."""
    magic, _, count, ids_at, texts_at = struct.unpack_from("<5I", data)
    if magic != _MAGIC:
        raise Malformed("This is not a compiled catalogue.")
    pairs = ((_slice(data, ids_at, place), _slice(data, texts_at, place)) for place in range(count))
    return [_split(id, text) for id, text in pairs if id]


def _slice(data: bytes, table_at: int, place: int) -> str:
    length, at = struct.unpack_from("<2I", data, table_at + 2 * _INT_BYTES * place)
    return data[at : at + length].decode()


def _split(id: str, text: str) -> Entry:
    context, _, rest = id.rpartition(_CONTEXT_END)
    one, _, many = rest.partition(_PLURAL_END)
    return Entry(id=one, plural=many, context=context, forms=tuple(text.split(_PLURAL_END)))
