"""What the terminal is written on: plain lines for pipes and logs, or a screen that is drawn anew at each step."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TextIO

from msgspec import Struct

if TYPE_CHECKING:
    from rich.console import Console

    from companion.text.scene import Scene

STYLES = {
    "title": "bold",
    "key": "bold cyan",
    "good": "green",
    "bad": "red",
    "dim": "dim",
    "now": "bold reverse",
    "seat": "bold yellow",
}
_GAP = "  "


class Grid(Struct, frozen=True, kw_only=True):
    """A table of words. Columns named in `numbers` are set flush right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    numbers: frozenset[int] = frozenset()


class Paper(ABC):
    """Where the table is written, and where people answer. `ask` raises EOFError when nobody answers any more."""

    screen: bool
    """Whether what was written before can be wiped away."""

    @abstractmethod
    def say(self, text: str = "", style: str = "") -> None:
        """One or more lines of text."""

    @abstractmethod
    def grid(self, grid: Grid) -> None: ...

    @abstractmethod
    def scene(self, scene: Scene, page: int = 0) -> None:
        """The whole table, or a page of it where there is no room for all."""

    @abstractmethod
    def ask(self, question: str) -> str:
        """A line typed by people, without spaces around it."""

    @abstractmethod
    def clear(self) -> None:
        """Wipe everything away, or mark a new beginning where that cannot be done."""

    @abstractmethod
    def pause(self, question: str) -> None:
        """Wait until somebody presses Enter, where somebody is there to do it."""


class PlainPaper(Paper):
    """Lines in, lines out. What was typed is written after its question, so that the output reads as a record."""

    screen = False

    def __init__(self, into: TextIO | None = None, out_of: TextIO | None = None) -> None:
        self._into = into or sys.stdout
        self._out_of = out_of or sys.stdin

    def say(self, text: str = "", style: str = "") -> None:
        print(text, file=self._into)

    def grid(self, grid: Grid) -> None:
        self.say("\n".join(grid_lines(grid)))

    def scene(self, scene: Scene, page: int = 0) -> None:
        from companion.text.plain import scene_lines

        self.say("\n".join(scene_lines(scene)))

    def ask(self, question: str) -> str:
        print(question, end=" ", file=self._into, flush=True)
        line = self._out_of.readline()
        if not line:
            print(file=self._into)
            raise EOFError
        print(line.strip(), file=self._into)
        return line.strip()

    def clear(self) -> None:
        self.say("----")

    def pause(self, question: str) -> None:
        """Nobody is there to wait for."""


class ScreenPaper(Paper):
    """A real terminal."""

    screen = True

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or _console()

    def say(self, text: str = "", style: str = "") -> None:
        self._console.print(text, style=STYLES.get(style, ""), markup=False, highlight=False)

    def grid(self, grid: Grid) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(title=Text(grid.title) if grid.title else None, box=SIMPLE_HEAD, title_justify="left")
        for column, head in enumerate(grid.head):
            table.add_column(Text(head), justify="right" if column in grid.numbers else "left")
        for row in grid.rows:
            table.add_row(*(Text(cell) for cell in row))
        self._console.print(table)

    def scene(self, scene: Scene, page: int = 0) -> None:
        from companion.text.screen import draw

        self._console.print(draw(scene, self._console, page))

    def ask(self, question: str) -> str:
        return self._console.input(f"[{STYLES['key']}]{_escaped(question)}[/] ").strip()

    def clear(self) -> None:
        self._console.clear()

    def pause(self, question: str) -> None:
        self.ask(question)


def paper() -> Paper:
    """A screen when people are at both ends, plain lines otherwise."""
    return ScreenPaper() if sys.stdin.isatty() and sys.stdout.isatty() else PlainPaper()


def printer() -> Paper:
    """For output that asks nothing: drawn when it goes to a terminal, plain when it goes elsewhere."""
    return ScreenPaper() if sys.stdout.isatty() else PlainPaper()


def grid_lines(grid: Grid) -> list[str]:
    """
    >>> grid_lines(Grid(head=("who", "vp"), rows=(("North", "12"), ("East", "7")), numbers=frozenset({1})))
    ['who    vp', '-----  --', 'North  12', 'East    7']
    """
    widths = [max(len(cell) for cell in column) for column in zip(grid.head, *grid.rows, strict=True)]
    rule = tuple("-" * width for width in widths)
    rows = [_aligned(row, widths, grid.numbers) for row in (grid.head, rule, *grid.rows)]
    return [grid.title, *rows] if grid.title else rows


def _aligned(row: tuple[str, ...], widths: list[int], numbers: frozenset[int]) -> str:
    cells = (
        cell.rjust(width) if column in numbers else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return _GAP.join(cells).rstrip()


def _console() -> Console:
    from rich.console import Console

    return Console()


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)
