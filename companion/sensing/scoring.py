"""How well events were called: what was said beside what really happened, by the rules of the recording format.

- Touches on one board less than 2.5 s apart are one accident, and one accident wants one call. A second call for it is
  wrong, and so is a call on a board where nothing touched. A call decided before the first touch is a guess: right when
  something then touches soon, wrong when not.
- What an accident throws off the board is not `removed`: such a call is wrong.
- One placement is one `placed`, one removal one `removed`, on the right board and near the right time. Which tower,
  level and piece it was is counted apart.
- A height is held against the state that was true at its time; around a change either side of it is right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from companion.sensing.incidents import ONE_ACCIDENT_US
from companion.sensing.streams import Sensed
from companion.sensing.truth import TowerTruth, Truth

ScoredKind = Literal["placed", "removed", "collapse", "bump"]
SCORED_KINDS: tuple[ScoredKind, ...] = ("placed", "removed", "collapse", "bump")
LOOK_ALIKES = ("hand", "bump", "light", "occluder")
"""Kinds of truth that a careless detector takes for a collapse."""

_GUESS_US = 500_000
"""How long before the first touch a call may be decided, or say that it happened."""
_AFTER_LAST_TOUCH_US = 1_500_000
_NEAR_US = {"placed": 1_500_000, "removed": 1_500_000, "bump": 1_000_000}
_LATEST_US = 5_000_000
"""Nobody waits longer for an answer: a call decided later than this after the event counts as wrong."""
_CHANGE_US = 1_500_000
"""How long before and after a change of state either side of it counts as true."""
_MS_PER_US = 0.001


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a detector should have called once."""

    kind: ScoredKind
    t_us: int
    until_us: int
    board: str | None = None
    tower: str | None = None
    level: int | None = None
    piece: str | None = None
    mass_g: float | None = None

    def answers(self, call: Sensed) -> bool:
        """Whether this call can be meant for this event."""
        if self.kind != call.kind or (self.kind != "bump" and self.board != call.board):
            return False
        if self.kind == "collapse":
            early, late = self.t_us - _GUESS_US, self.until_us + _AFTER_LAST_TOUCH_US
        else:
            early, late = self.t_us - _NEAR_US[self.kind], self.until_us + _NEAR_US[self.kind]
        return early <= call.t_us <= late and early <= call.decided_us <= self.until_us + _LATEST_US


class Match(msgspec.Struct, frozen=True):
    """A call and the event it was meant for."""

    event: Event
    call: Sensed

    @property
    def latency_ms(self) -> float:
        return (self.call.decided_us - self.event.t_us) * _MS_PER_US


class Matching(msgspec.Struct, frozen=True):
    """Events with their calls, events that nobody called, and calls that nothing stands behind."""

    matches: tuple[Match, ...]
    missed: tuple[Event, ...]
    wrong: tuple[Sensed, ...]


def events(truth: Iterable[Truth]) -> tuple[Event, ...]:
    """What should have been called, in the order of time; the touches of one accident are one event."""
    found: list[Event] = []
    accidents: dict[str | None, Event] = {}
    for each in sorted(truth, key=lambda line: line.t_us):
        if each.kind == "collapse":
            _touch(each, accidents, found)
        elif each.kind in SCORED_KINDS:
            found.append(_event(each))
    return tuple(sorted([*found, *accidents.values()], key=lambda event: event.t_us))


def _touch(each: Truth, accidents: dict[str | None, Event], done: list[Event]) -> None:
    """One accident more, or more of the last one on this board."""
    last = accidents.get(each.board)
    until = max(each.t_us, each.until_us or 0)
    if last is not None and each.t_us - last.until_us < ONE_ACCIDENT_US:
        accidents[each.board] = msgspec.structs.replace(last, until_us=max(until, last.until_us))
        return
    if last is not None:
        done.append(last)
    accidents[each.board] = Event(kind="collapse", t_us=each.t_us, until_us=until, board=each.board)


def _event(each: Truth) -> Event:
    return Event(
        kind=each.kind,  # type: ignore[arg-type]
        t_us=each.t_us,
        until_us=each.t_us,
        board=each.board,
        tower=each.tower,
        level=each.level,
        piece=each.piece,
        mass_g=each.mass_g,
    )


def match(wanted: Sequence[Event], calls: Sequence[Sensed]) -> Matching:
    """Pair as many events as possible with one call each, near ones first. Height and fault calls take no part."""
    scored = [call for call in calls if call.kind in SCORED_KINDS]
    choices = [_choices(event, scored) for event in wanted]
    event_of: dict[int, int] = {}
    for at in range(len(wanted)):
        _pair(at, choices, event_of, set())
    pairs = sorted((at, which) for which, at in event_of.items())
    return Matching(
        tuple(Match(wanted[at], scored[which]) for at, which in pairs),
        tuple(event for at, event in enumerate(wanted) if at not in event_of.values()),
        tuple(call for which, call in enumerate(scored) if which not in event_of),
    )


def _choices(event: Event, calls: Sequence[Sensed]) -> list[int]:
    """The calls that may be meant for an event, the likeliest first: the right tower, then the nearest time."""
    meant = [which for which, call in enumerate(calls) if event.answers(call)]
    return sorted(meant, key=lambda which: (calls[which].tower != event.tower, abs(calls[which].t_us - event.t_us)))


def _pair(at: int, choices: Sequence[Sequence[int]], event_of: dict[int, int], tried: set[int]) -> bool:
    """Find a call for an event, if need be by finding another one for the event that has it (augmenting paths)."""
    for which in choices[at]:
        if which not in tried:
            tried.add(which)
            if which not in event_of or _pair(event_of[which], choices, event_of, tried):
                event_of[which] = at
                return True
    return False


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How often a kind happened, was called and was called rightly; what of it was named rightly, and how late."""

    happened: int = 0
    called: int = 0
    right: int = 0
    tower_right: int = 0
    level_right: int = 0
    piece_right: int = 0
    latencies_ms: tuple[float, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            happened=self.happened + other.happened,
            called=self.called + other.called,
            right=self.right + other.right,
            tower_right=self.tower_right + other.tower_right,
            level_right=self.level_right + other.level_right,
            piece_right=self.piece_right + other.piece_right,
            latencies_ms=self.latencies_ms + other.latencies_ms,
        )

    @property
    def recall(self) -> float | None:
        return self.right / self.happened if self.happened else None

    @property
    def precision(self) -> float | None:
        return self.right / self.called if self.called else None


class Heights(msgspec.Struct, frozen=True, kw_only=True):
    """How far heights that were said are from the truth, and how many towers were right in the end."""

    errors_mm: tuple[float, ...] = ()
    said: int = 0
    level_right: int = 0
    towers: int = 0
    right_at_end: int = 0

    def __add__(self, other: Heights) -> Heights:
        return Heights(
            errors_mm=self.errors_mm + other.errors_mm,
            said=self.said + other.said,
            level_right=self.level_right + other.level_right,
            towers=self.towers + other.towers,
            right_at_end=self.right_at_end + other.right_at_end,
        )


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of one detector over one recording, or over many."""

    recordings: int = 1
    seconds: float = 0.0
    kinds: dict[str, Tally] = {}
    heights: Heights = Heights()
    look_alikes: int = 0
    quiet_recordings: int = 0
    """Those in which nothing collapsed."""
    quiet_and_silent: int = 0
    """Of those, the ones in which no collapse was called."""
    frames: int = 0
    samples: int = 0
    cpu_ms: float = 0.0
    mog2_frames: int = 0
    """How many of the same pictures OpenCV's MOG2 was measured with, and what it took for them."""
    mog2_ms: float = 0.0

    def __add__(self, other: Scores) -> Scores:
        return Scores(
            recordings=self.recordings + other.recordings,
            seconds=self.seconds + other.seconds,
            kinds={kind: self.tally(kind) + other.tally(kind) for kind in SCORED_KINDS},
            heights=self.heights + other.heights,
            look_alikes=self.look_alikes + other.look_alikes,
            quiet_recordings=self.quiet_recordings + other.quiet_recordings,
            quiet_and_silent=self.quiet_and_silent + other.quiet_and_silent,
            frames=self.frames + other.frames,
            samples=self.samples + other.samples,
            cpu_ms=self.cpu_ms + other.cpu_ms,
            mog2_frames=self.mog2_frames + other.mog2_frames,
            mog2_ms=self.mog2_ms + other.mog2_ms,
        )

    def tally(self, kind: str) -> Tally:
        return self.kinds.get(kind, Tally())

    @property
    def cpu_ms_per_frame(self) -> float | None:
        return self.cpu_ms / self.frames if self.frames else None

    @property
    def mog2_ms_per_frame(self) -> float | None:
        return self.mog2_ms / self.mog2_frames if self.mog2_frames else None

    @property
    def cost_in_mog2s(self) -> float | None:
        """What a picture costs, beside what MOG2 takes for it."""
        ours, theirs = self.cpu_ms_per_frame, self.mog2_ms_per_frame
        return ours / theirs if ours is not None and theirs else None


NOTHING = Scores(recordings=0)


def score(truth: Sequence[Truth], calls: Sequence[Sensed], *, seconds: float = 0.0) -> Scores:
    """The scores of these calls over one recording."""
    matching = match(events(truth), calls)
    kinds: dict[str, Tally] = {kind: _tally(kind, matching) for kind in SCORED_KINDS}
    quiet = kinds["collapse"].happened == 0
    return Scores(
        seconds=seconds,
        kinds=kinds,
        heights=heights(truth, calls),
        look_alikes=look_alikes(truth),
        quiet_recordings=int(quiet),
        quiet_and_silent=int(quiet and kinds["collapse"].called == 0),
    )


def look_alikes(truth: Iterable[Truth]) -> int:
    """How many things happened that a careless detector takes for a collapse."""
    return sum(each.kind in LOOK_ALIKES for each in truth)


def _tally(kind: ScoredKind, matching: Matching) -> Tally:
    right = [pair for pair in matching.matches if pair.event.kind == kind]
    return Tally(
        happened=len(right) + sum(event.kind == kind for event in matching.missed),
        called=len(right) + sum(call.kind == kind for call in matching.wrong),
        right=len(right),
        tower_right=sum(pair.event.tower == pair.call.tower for pair in right),
        level_right=sum(pair.event.level == pair.call.level for pair in right),
        piece_right=sum(pair.event.piece == pair.call.piece for pair in right),
        latencies_ms=tuple(pair.latency_ms for pair in right),
    )


# Heights


def heights(truth: Iterable[Truth], calls: Iterable[Sensed]) -> Heights:
    """Each height that was said beside what was true then; the last one of each tower beside the last truth."""
    lines = _timelines(truth)
    errors: list[float] = []
    said = level_right = 0
    last: dict[tuple[str | None, str | None], Sensed] = {}
    for call in calls:
        if call.kind != "height":
            continue
        said += 1
        key = (call.board, call.tower)
        if key not in lines:
            continue
        level_right += any(state.levels == call.level for state in _true_at(lines[key], call.t_us))
        errors += _height_error(call, _true_at(lines[key], call.t_us))
        if key not in last or call.decided_us >= last[key].decided_us:
            last[key] = call
    return Heights(
        errors_mm=tuple(errors),
        said=said,
        level_right=level_right,
        towers=len(lines),
        right_at_end=sum(_says(last.get(key)) == line[-1][1].levels for key, line in lines.items()),
    )


def _says(call: Sensed | None) -> int:
    """Who says nothing about a tower says that nothing stands there."""
    return 0 if call is None or call.level is None else call.level


_Timeline = list[tuple[int, TowerTruth]]


def _timelines(truth: Iterable[Truth]) -> dict[tuple[str | None, str | None], _Timeline]:
    lines: dict[tuple[str | None, str | None], _Timeline] = {}
    for each in sorted(truth, key=lambda line: line.t_us):
        for tower, state in (each.towers or {}).items():
            lines.setdefault((each.board, tower), []).append((each.t_us, state))
    return lines


def _true_at(line: _Timeline, t_us: int) -> list[TowerTruth]:
    """The state at a time, and those that were or became true around it."""
    before = [state for when, state in line if when <= t_us - _CHANGE_US]
    around = [state for when, state in line if t_us - _CHANGE_US < when <= t_us + _CHANGE_US]
    return before[-1:] + around or [line[0][1]]


def _height_error(call: Sensed, true: Sequence[TowerTruth]) -> list[float]:
    return [] if call.top_mm is None else [min(abs(call.top_mm - state.top_mm) for state in true)]


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value that this share of them does not exceed.

    >>> quantile([4.0, 1.0, 3.0, 2.0], 0.5), quantile([], 0.5)
    (2.0, None)
    """
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * share) - 1)] if ordered else None
