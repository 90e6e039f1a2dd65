"""Running the command as people do, in this process: what goes in, what comes out."""

from __future__ import annotations

import io
import sys

import pytest
from msgspec import Struct

from companion.cli import main
from companion.rules import registry


class Said(Struct, frozen=True, kw_only=True):
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


class Command:
    """The command `companion`, with the toy game on the shelf."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        monkeypatch.setitem(registry._PACKAGES, "hilltop", "tests.text.toy")

    def __call__(self, *arguments: str, stdin: str | bytes = "") -> Said:
        """Run it. Standard input is never a terminal here."""
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        self._capsys.readouterr()
        code = main(arguments)
        said = self._capsys.readouterr()
        return Said(code=code, out=said.out, err=said.err)


def lines(*typed: str) -> str:
    """Lines as typed."""
    return "".join(f"{line}\n" for line in typed)
