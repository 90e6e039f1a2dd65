"""What is in a box: component data with its source and how sure we are of it.

Shipped data lives in each game's `box/*.toml`. What nobody has published is asked for at the table once and
remembered by the user ("the companion learns your box"): such entries are laid over the shipped ones.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec
from msgspec import Struct

from companion.errors import Malformed

Confidence = Literal["verified", "single-source", "inferred", "unknown", "practice", "learned"]
Entry = dict[str, Any]


class BoxTable(Struct, frozen=True, kw_only=True):
    """One table of box data. `practice` data is ours, for playing without the box, and never claims to be in it."""

    source: str
    confidence: Confidence
    note: str = ""
    entries: dict[str, Entry] = {}


class Learned(Struct, frozen=True, kw_only=True):
    """Something the table has just told us about its box."""

    table: str
    key: str
    entry: Entry


class Box:
    """The tables of one game's box, shipped and learned."""

    def __init__(self, tables: Mapping[str, BoxTable]) -> None:
        self.tables = dict(tables)

    def __getitem__(self, table: str) -> dict[str, Entry]:
        """The entries of a table; a table nobody has told us about is empty."""
        known = self.tables.get(table)
        return known.entries if known else {}

    def with_learned(self, learned: Iterable[Learned]) -> Box:
        """A box that also knows what a table has told us; learned entries win over shipped ones."""
        tables = dict(self.tables)
        for item in learned:
            old = tables.get(item.table) or BoxTable(source="this table", confidence="learned")
            tables[item.table] = msgspec.structs.replace(old, entries={**old.entries, item.key: item.entry})
        return Box(tables)


@cache
def shipped(package: str) -> Box:
    """Read every `box/*.toml` of a game's package. Each file is a set of tables with `source` and `confidence`."""
    tables: dict[str, BoxTable] = {}
    for path in sorted(resources.files(package).joinpath("box").iterdir(), key=lambda item: item.name):
        if path.name.endswith(".toml"):
            for name, raw in tomllib.loads(path.read_text(encoding="utf-8")).items():
                tables[name] = _table(path.name, name, raw)
    return Box(tables)


def _table(file: str, name: str, raw: object) -> BoxTable:
    try:
        return msgspec.convert(raw, BoxTable)
    except msgspec.ValidationError as error:
        raise Malformed(f"Box data {file}, table '{name}': {error}.") from error
