"""Scenarios: small scripts in the table's own words, one act a line.

    # Two levels, a brush, and a knock that brings it down.
    boards south north
    castle left 3 levels

    place 4 pillars on left
    place tile on left
    meanwhile rest hand on board for 2
    north: place tile on middle
    wait 1
    knock left

The first comment is the title. `boards`, `castle` and `manner` describe the table before anything moves. `meanwhile`
is done with another hand while the line above is done. `any` and `2 to 5` are drawn from the seed. A board's name and a
colon say whose board it is; without them it is the first board's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.errors import Malformed
from companion.twin.pieces import FLOOR_TILE, MEEPLE, PILLAR, ROOM, kinds
from companion.twin.table import SEATS, TOWERS

ANY, TALLEST = "any", "tallest"
HANDS = 2
"""How many hands there are at the table."""
HANDLESS = ("wait", "bump", "lights", "shadow", "nudge")
"""Acts that take no hand."""
MANNERS = ("careful", "usual", "clumsy")
_WORDS_FOR_KINDS = {"tile": FLOOR_TILE}
_FOLDER = "scenarios"


class Castle(msgspec.Struct, frozen=True):
    """A tower that stands before the recording begins."""

    board: str
    tower: str
    least: int
    most: int
    pillars: int = 4
    roofed: bool = False


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a script: what is done, where, with what."""

    line: int
    act: str
    board: str
    meanwhile: bool = False
    tower: str = ""
    toward: str = ""
    piece: str = ""
    least: int = 1
    most: int = 1
    level: int = 0
    amount: float = 0.0
    how: str = ""


class Scenario(msgspec.Struct, frozen=True):
    """A script as it was read: nothing drawn yet."""

    name: str
    title: str
    boards: tuple[str, ...]
    castles: tuple[Castle, ...]
    steps: tuple[Step, ...]
    manner: str = ""

    def drawn(self, seed: int) -> Scenario:
        """The script with everything that is left to chance drawn from the seed."""
        chance = Random(f"script/{self.name}/{seed}")
        castles = tuple(_castle_drawn(castle, chance) for castle in self.castles)
        return msgspec.structs.replace(
            self, castles=castles, steps=tuple(_step_drawn(step, chance) for step in self.steps)
        )

    @property
    def stores(self) -> bool:
        """Whether pieces are put aside on a board, so that it needs a place for them."""
        return any(step.act == "store" for step in self.steps)

    def stock(self) -> list[str]:
        """The kinds of pieces it needs, one entry each, for a script that is drawn."""
        count: Counter[str] = Counter()
        for castle in self.castles:
            count.update(
                {FLOOR_TILE: castle.most, PILLAR: castle.pillars * max(0, castle.most - (not castle.roofed)),
                 ROOM: castle.most, MEEPLE: castle.most, "roof": int(castle.roofed)}
            )  # fmt: skip
        for step in self.steps:
            if step.act in _TAKES_PIECES:
                count[step.piece] += step.most
        return [kind for kind in kinds() for _ in range(count[kind])]


def scenario_names() -> list[str]:
    """The scenarios that come with Castle Companion."""
    return sorted(Path(file.name).stem for file in _folder().iterdir() if file.name.endswith(".txt"))


def read_scenario(name: str) -> Scenario:
    """A scenario by its name, or from a file when the name is a path to one."""
    file: Traversable = Path(name) if name.endswith(".txt") else _folder() / f"{name}.txt"
    if not file.is_file():
        raise Malformed(f"There is no scenario called '{name}'. Known scenarios: {', '.join(scenario_names())}.")
    try:
        return parse_scenario(file.read_text("utf-8"), Path(file.name).stem)
    except (OSError, UnicodeDecodeError) as err:
        raise Malformed(f"The scenario '{name}' cannot be read: {err}.") from err


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """A scenario from its text; Malformed says in a sentence which line is wrong, and why.

    >>> parse_scenario("castle left 2 levels\\nknock left").steps[0].act
    'knock'
    >>> parse_scenario("place ladder on left")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    companion.errors.Malformed: Line 1 of scenario 'scenario': there is no piece called 'ladder' (tile, ...).
    """
    reading = _Reading(name)
    for number, line in enumerate(text.splitlines(), 1):
        reading.read(number, line.strip())
    return reading.done()


class _Reading:
    """A script half read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.title = ""
        self.boards: tuple[str, ...] = ("south",)
        self.castles: list[Castle] = []
        self.steps: list[Step] = []
        self.manner = ""

    def read(self, number: int, line: str) -> None:
        self._number = number
        if line.startswith("#"):
            self.title = self.title or line.strip("# ")
        elif line:
            self._sentence(" ".join(line.lower().split()))

    def done(self) -> Scenario:
        if not self.steps:
            raise Malformed(f"Scenario '{self.name}' has nothing to do: it needs at least one act.")
        return Scenario(self.name, self.title, self.boards, tuple(self.castles), tuple(self.steps), self.manner)

    def wrong(self, why: str) -> Malformed:
        return Malformed(f"Line {self._number} of scenario '{self.name}': {why}.")

    def _sentence(self, line: str) -> None:
        head, _, rest = line.partition(" ")
        if head == "boards":
            self._set_boards(rest.split())
            return
        if head == "manner":
            self.manner = self._one_of(rest, "manner", MANNERS)
            return
        meanwhile = head == "meanwhile"
        board, line = self._board(rest if meanwhile else line)
        if line.startswith("castle "):
            self.castles.append(self._castle(board, line))
        else:
            self.steps.append(self._step(board, line, meanwhile))
            self._count_hands()

    def _set_boards(self, boards: list[str]) -> None:
        for board in boards:
            self._one_of(board, "seat", SEATS)
        if self.steps or self.castles:
            raise self.wrong("the boards must be named before anything stands or happens")
        if not boards or len(set(boards)) < len(boards):
            raise self.wrong("name one to four different boards")
        self.boards = tuple(boards)

    def _board(self, line: str) -> tuple[str, str]:
        head, colon, rest = line.partition(":")
        return (self._one_of(head.strip(), "board", self.boards), rest.strip()) if colon else (self.boards[0], line)

    def _castle(self, board: str, line: str) -> Castle:
        found = _CASTLE.fullmatch(line)
        if found is None:
            raise self.wrong(
                "a castle is told like 'castle left 3 levels' or 'castle left 2 to 5 levels on 3 pillars roofed'"
            )
        least, most = self._count(found["count"])
        tower = self._one_of(found["tower"], "tower", TOWERS)
        if any((each.board, each.tower) == (board, tower) for each in self.castles):
            raise self.wrong(f"there is a castle on {tower} already")
        return Castle(board, tower, least, most, int(found["pillars"] or 4), bool(found["roofed"]))

    def _step(self, board: str, line: str, meanwhile: bool) -> Step:
        if meanwhile and not self.steps:
            raise self.wrong("'meanwhile' needs a line above it")
        for act, pattern in _ACTS:
            found = pattern.fullmatch(line)
            if found is not None:
                return Step(line=self._number, act=act, board=board, meanwhile=meanwhile, **self._said(found))
        near = [pattern_said for act, pattern_said in _SAID if act.split()[0] == line.split()[0]]
        hint = f"say it like '{near[0]}'" if near else f"known are {', '.join(sorted({act for act, _ in _ACTS}))}"
        raise self.wrong(f"nobody knows how to '{line}': {hint}")

    def _count_hands(self) -> None:
        *_, group = together(tuple(self.steps))
        if sum(step.act not in HANDLESS for step in group) > HANDS:
            raise self.wrong(f"that takes more than the {HANDS} hands there are")

    def _said(self, found: re.Match[str]) -> dict[str, Any]:
        said: dict[str, Any] = {}
        for word, text in found.groupdict().items():
            if text is not None:
                said |= self._word(word, text)
        return said

    def _word(self, word: str, text: str) -> dict[str, Any]:
        if word in ("tower", "toward"):
            return {word: self._one_of(text, "tower", (*TOWERS, ANY, TALLEST))}
        if word == "piece":
            return {word: self._kind(text)}
        if word == "count":
            least, most = self._count(text)
            return {"least": least, "most": most}
        if word == "level":
            return {word: int(text)}
        return {word: float(text) if word == "amount" else text}

    def _kind(self, word: str) -> str:
        single = word if word in kinds() else word.removesuffix("s")
        kind = _WORDS_FOR_KINDS.get(single, single)
        if kind not in kinds():
            raise self.wrong(f"there is no piece called '{word}' (tile, {', '.join(each for each in kinds())})")
        return kind

    def _count(self, text: str) -> tuple[int, int]:
        least, _, most = text.partition(" to ")
        low, high = int(least), int(most or least)
        if not 1 <= low <= high <= 12:
            raise self.wrong(f"'{text}' is not a number from 1 to 12, nor two of them from less to more")
        return low, high

    def _one_of(self, word: str, what: str, known: tuple[str, ...]) -> str:
        if word not in known:
            raise self.wrong(f"there is no {what} called '{word}' ({', '.join(known)})")
        return word


_COUNT = r"\d+(?: to \d+)?"
_CASTLE = re.compile(
    rf"castle (?P<tower>\w+) (?P<count>{_COUNT}) levels?(?: on (?P<pillars>[1-6]) pillars?)?(?P<roofed> roofed)?"
)
_PIECE = r"(?P<piece>[a-z-]+)"
_TOWER = r"(?P<tower>\w+)"
_SECONDS = r"(?: for (?P<amount>\d+(?:\.\d+)?))?"
_HOW = r"(?: (?P<how>softly|hard))?"

_TAKES_PIECES = ("place", "drop", "drop on board", "drop beside", "roll", "store", "fumble")

_SAID = (
    ("place", "place 3 pillars on left"),
    ("remove", "remove pillar from left"),
    ("drop", "drop tile on left"),
    ("lay beside", "lay pillar from left beside board"),
    ("roll", "roll pillar off left"),
    ("fumble", "fumble pillar from left"),
    ("store", "store pillar"),
    ("knock", "knock left hard"),
    ("topple", "topple left toward right"),
    ("brush", "brush pillar of left"),
    ("overload", "overload left"),
    ("rest", "rest hand on board for 3"),
    ("lean", "lean on board for 3"),
    ("hover", "hover at left for 2"),
    ("reach", "reach over board for 2"),
    ("bump", "bump table hard"),
    ("clear", "clear board"),
    ("wait", "wait 2"),
    ("lights", "lights to dusk"),
    ("shadow", "shadow over board for 2"),
    ("nudge", "nudge camera"),
)

_ACTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (act, re.compile(pattern))
    for act, pattern in (
        ("place", rf"place (?:(?P<count>{_COUNT}) )?{_PIECE} on {_TOWER}(?: off by (?P<amount>\d+))?"),
        ("remove", rf"remove {_PIECE} from {_TOWER}(?: level (?P<level>\d+))?"),
        ("drop on board", rf"drop {_PIECE} on board"),
        ("drop beside", rf"drop {_PIECE} beside board"),
        ("lay beside", rf"lay {_PIECE} from {_TOWER} beside board"),
        ("drop", rf"drop {_PIECE} on {_TOWER}"),
        ("roll", rf"roll {_PIECE} off {_TOWER}"),
        ("fumble", rf"fumble {_PIECE}(?: from {_TOWER})?"),
        ("store", rf"store {_PIECE}"),
        ("knock", rf"knock {_TOWER}{_HOW}"),
        ("topple", rf"topple {_TOWER} toward (?P<toward>\w+)"),
        ("brush", rf"brush pillar of {_TOWER}{_HOW}"),
        ("overload", rf"overload {_TOWER}"),
        ("rest", rf"rest hand on board{_SECONDS}"),
        ("lean", rf"lean on board{_SECONDS}"),
        ("hover", rf"hover at {_TOWER}{_SECONDS}"),
        ("reach", rf"reach over board{_SECONDS}"),
        ("bump", rf"bump table{_HOW}"),
        ("clear", r"clear board"),
        ("wait", r"wait (?P<amount>\d+(?:\.\d+)?)"),
        ("lights", r"lights to (?P<how>day|lamp|dusk)"),
        ("shadow", rf"shadow over board{_SECONDS}"),
        ("nudge", rf"nudge camera{_HOW}"),
    )
)


def _castle_drawn(castle: Castle, chance: Random) -> Castle:
    levels = chance.randint(castle.least, castle.most)
    return msgspec.structs.replace(castle, least=levels, most=levels)


def _step_drawn(step: Step, chance: Random) -> Step:
    count = chance.randint(step.least, step.most)
    tower, toward = (chance.choice(TOWERS) if word == ANY else word for word in (step.tower, step.toward))
    return msgspec.structs.replace(step, least=count, most=count, tower=tower, toward=toward)


def _folder() -> Traversable:
    return files(__package__) / _FOLDER


def together(steps: tuple[Step, ...]) -> Iterator[list[Step]]:
    """The steps in groups that are done at the same time."""
    group: list[Step] = []
    for step in steps:
        if group and not step.meanwhile:
            yield group
            group = []
        group.append(step)
    if group:
        yield group
