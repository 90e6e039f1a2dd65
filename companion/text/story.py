"""`companion watch --explain`: a recording told as a story, with what each event was decided on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.sensing.plan import Board, Plan
from companion.sensing.recording import Item
from companion.sensing.streams import ScaleSample, Sense, Sensed
from companion.sensing.traces import BoardWeight
from companion.sensing.watch import Watcher
from companion.text.reasons import Reasons, a_piece

_US_PER_S = 1_000_000
_RESTING_US = 1_000_000
_INDENT = " " * 11


class Story:
    """Tells what stood at the start, each event with its reasons, and how it ended.

    What is `unread` in the end is no fault of a sense, and told by whoever reads.
    """

    def __init__(
        self, plan: Plan, watcher: Watcher, say: Callable[[str], None], unread: Mapping[Sense, str] | None = None
    ) -> None:
        self._plan = plan
        self._unread = {} if unread is None else unread
        self._say = say
        self._reasons = Reasons(plan, watcher)
        self._boards = {board.id: _BoardStory(board) for board in plan.boards}
        self._began_us: int | None = None
        self._now_us = 0
        self._faults = 0
        self._bumps = 0
        self._senses = watcher.senses

    def saw(self, item: Item, events: Sequence[Sensed]) -> None:
        if self._began_us is None:
            self._began_us = item.t_us
            self._open()
        self._now_us = item.t_us
        self._reasons.saw(item)
        if isinstance(item, ScaleSample) and item.board in self._boards:
            self._lines(item.t_us, self._boards[item.board].felt(item))
        self._tell(events)

    def ended(self, events: Sequence[Sensed]) -> None:
        if self._began_us is None:
            self._open()
        self._tell(events)
        self._close()

    def _open(self) -> None:
        self._say(f"Watched with {' and '.join(self._senses)}.")
        for board in self._plan.boards:
            self._say(f"Board {board.id} has {_listed(_furniture(board))}.")
        self._say("")

    def _tell(self, events: Sequence[Sensed]) -> None:
        standing = [event for event in events if event.kind == "height"]
        for event in events:
            if event.kind != "height":
                self._event(event)
        for name, board in self._boards.items():
            heights = [event for event in standing if event.board == name]
            if heights:
                self._lines(max(event.t_us for event in heights), board.measured(heights))

    def _event(self, event: Sensed) -> None:
        if event.kind == "fault":
            self._faults += 1
            self._lines(event.t_us, [f"Fault ({event.device}): {(event.what or '').rstrip('.')}."])
            return
        if event.kind == "bump":
            self._bumps += 1
        if event.board in self._boards:
            self._boards[event.board].happened(event)
        self._lines(event.t_us, [_happened(event), *self._reasons.why(event)])

    def _lines(self, t_us: int, sentences: Sequence[str]) -> None:
        """The first sentence with the time, the others under it."""
        for number, sentence in enumerate(sentences):
            when = f"{(t_us - (self._began_us or 0)) / _US_PER_S:7.2f} s  "
            self._say(f"{_INDENT if number else when}{sentence}")

    def _close(self) -> None:
        self._say("")
        self._say(f"After {(self._now_us - (self._began_us or 0)) / _US_PER_S:.1f} s:")
        for board in self._boards.values():
            for line in board.summary():
                self._say(f"  {line}")
        if self._bumps:
            self._say(f"The table was bumped {_times(self._bumps)}.")
        if self._faults or not self._unread:
            self._say(f"There {_were(self._faults, 'fault')}.")


class _BoardStory:
    """What is known of one board so far."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._counted: Counter[str] = Counter()
        self._weight = BoardWeight(board)
        self._standing: dict[str, Sensed] = {}
        self._fell_us: int | None = None
        self._first_us: int | None = None
        self._start_g: float | None = None
        self._now_g = 0.0

    def happened(self, event: Sensed) -> None:
        """Count an event."""
        self._counted[event.kind] += 1
        if event.kind == "collapse":
            self._fell_us = event.t_us

    def felt(self, sample: ScaleSample) -> list[str]:
        """Once, when the first second is over: what lies on the board."""
        self._now_g = self._weight.grams(sample)
        self._first_us = sample.t_us if self._first_us is None else self._first_us
        if self._start_g is not None or not self._weight.known or sample.t_us < self._first_us + _RESTING_US:
            return []
        self._start_g = self._now_g
        return [f"At the start {self._start_g:.1f} g lie on {self.board.id}."]

    def measured(self, heights: Sequence[Sensed]) -> list[str]:
        """What stands there when the towers are first seen, and afterwards what has changed."""
        first = not self._standing
        before = dict(self._standing)
        self._standing |= {event.tower: event for event in heights if event.tower}
        if first:
            return [f"At the start the camera sees on {self.board.id}: {self._towers()}."]
        return [f"On {self.board.id}, {_grown(before.get(event.tower or ''), event)}." for event in heights]

    def summary(self) -> Iterator[str]:
        """What happened on this board, and what it left."""
        placed, removed, fell = (self._counted[kind] for kind in ("placed", "removed", "collapse"))
        yield f"{self.board.id}: {placed} placed, {removed} taken away, {_of(fell, 'collapse')}."
        if self._standing:
            yield f"  Towers{', as they stood before the fall' if self._is_ruined() else ''}: {self._towers()}."
        if self._start_g is not None:
            yield f"  Weight: {self._now_g:.1f} g, {self._now_g - self._start_g:+.1f} g since the start."

    def _is_ruined(self) -> bool:
        """Whether something fell since the towers were last read."""
        read_us = max(event.t_us for event in self._standing.values())
        return self._fell_us is not None and self._fell_us > read_us

    def _towers(self) -> str:
        return ", ".join(f"{tower} {_height(event)}" for tower, event in self._standing.items())


def _happened(event: Sensed) -> str:
    """The event itself, in a sentence.

    >>> _happened(Sensed(kind="placed", t_us=0, decided_us=0, board="north", tower="left", level=2, piece="pillar"))
    'On north a pillar was placed on level 2 of tower left (100 % sure, told 0.00 s later).'
    """
    later = (event.decided_us - event.t_us) / _US_PER_S
    sure = f"({100 * event.confidence:.0f} % sure, told {later:.2f} s later)"
    if event.kind == "bump":
        return f"The table was bumped {sure}."
    if event.kind == "collapse":
        return f"COLLAPSE on {event.board}{f', tower {event.tower}' if event.tower else ''} {sure}."
    done = "placed" if event.kind == "placed" else "taken away"
    return f"On {event.board} {a_piece(event.piece)} was {done}{_where(event)} {sure}."


def _where(event: Sensed) -> str:
    link = "on" if event.kind == "placed" else "from"
    if event.tower is None:
        return ""
    return f" {link} level {event.level} of tower {event.tower}" if event.level else f" {link} tower {event.tower}"


def _grown(before: Sensed | None, now: Sensed) -> str:
    was = f", before {_height(before)}" if before is not None else ""
    return f"tower {now.tower} now has {_height(now)}{was}"


def _height(event: Sensed) -> str:
    """
    >>> _height(Sensed(kind="height", t_us=0, decided_us=0, level=1, top_mm=2.0))
    '1 level (2 mm)'
    """
    if not event.level and not event.top_mm:
        return "nothing"
    high = "" if event.top_mm is None else f" ({event.top_mm:.0f} mm)"
    return f"{_of(event.level or 0, 'level')}{high}"


def _furniture(board: Board) -> Iterator[str]:
    if board.towers:
        towers = [tower.id for tower in board.towers]
        yield f"the tower {towers[0]}" if len(towers) == 1 else f"the towers {_listed(iter(towers))}"
    else:
        yield "no towers"
    yield _of(len(board.cells), "load cell")
    yield _of(len(board.markers), "marker")


def _listed(words: Iterator[str]) -> str:
    """
    >>> _listed(iter(["left", "middle", "right"]))
    'left, middle and right'
    """
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _of(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _were(number: int, what: str) -> str:
    return f"was no {what}" if not number else f"{'was' if number == 1 else 'were'} {_of(number, what)}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
