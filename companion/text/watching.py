"""`companion watch`: what the senses say about a recording, as lines for programs or for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from companion.errors import BadRecording, Malformed
from companion.sensing.plan import PLAN_FILE
from companion.sensing.recording import Item, Recording
from companion.sensing.streams import Sense, Sensed
from companion.sensing.watch import Watcher

Say = Callable[[str], None]

_US_PER_S = 1_000_000
_US_PER_MS = 1_000
_WHAT_HAPPENED = {
    "placed": "placed",
    "removed": "taken away",
    "collapse": "COLLAPSE",
    "bump": "the table was bumped",
    "fault": "fault",
}


class Onlooker(Protocol):
    """Somebody who follows a watcher at work."""

    def saw(self, item: Item, events: Sequence[Sensed]) -> None:
        """The watcher was fed this, and decided these events with it."""

    def ended(self, events: Sequence[Sensed]) -> None:
        """Nothing more comes; these events are decided by that."""


def watch(
    folder: Path,
    senses: Sequence[Sense],
    say: Say,
    as_json: bool,
    *,
    explain: bool = False,
    overlay: Path | None = None,
    evidence: Path | None = None,
) -> None:
    """Tell every event of a recording as it is decided; without `senses`, by all that it has.

    `explain` makes a story of it, `overlay` names a video to draw it into, `evidence` a folder to keep collapses in.
    Raises BadRecording when the recording, or a sense that is used, cannot be read to its end: then after having told
    what the rest says.
    """
    if explain and as_json:
        raise Malformed("A story is for people and JSON for programs: choose --explain or --json.")
    recording = Recording.open(folder)
    used = _used(recording, senses)
    looked_at = tuple(sense for sense in recording.senses if sense in used or (overlay and sense == "camera"))
    watcher = Watcher(recording.plan, used)
    with ExitStack() as stack:
        onlookers: list[Onlooker] = [_teller(recording, watcher, say, as_json, explain)]
        aside: Say = (lambda words: None) if as_json else say
        if overlay is not None:
            from companion.text.film import OverlayFilm

            onlookers.append(stack.enter_context(OverlayFilm(overlay, recording, watcher, caption, aside)))
        if evidence is not None:
            from companion.text.kept import KeptCollapses

            onlookers.append(KeptCollapses(evidence, recording.plan, aside))
        _follow(recording, watcher, looked_at, onlookers)
    unread = [recording.unread[sense] for sense in looked_at if sense in recording.unread]
    if unread:
        raise BadRecording(" ".join(unread))


def _used(recording: Recording, senses: Sequence[Sense]) -> tuple[Sense, ...]:
    missing = [sense for sense in senses if sense not in recording.senses]
    if missing:
        raise BadRecording(f"{recording.folder} has nothing for the {missing[0]}.")
    return tuple(senses) or recording.senses


def _teller(recording: Recording, watcher: Watcher, say: Say, as_json: bool, explain: bool) -> Onlooker:
    if explain:
        from companion.text.story import Story

        return Story(recording.plan, watcher, say, recording.unread)
    return Lines(watcher.senses, say, as_json)


def _follow(recording: Recording, watcher: Watcher, senses: Sequence[Sense], onlookers: Sequence[Onlooker]) -> None:
    """Feed the watcher to the end; what was wrong with the files comes last."""
    now_us = 0
    for item in recording.merged(senses):
        now_us = item.t_us
        events = watcher.feed(item)
        for onlooker in onlookers:
            onlooker.saw(item, events)
    last = [*watcher.finish(), *_faults(recording, now_us)]
    for onlooker in onlookers:
        onlooker.ended(last)


def _faults(recording: Recording, now_us: int) -> Iterator[Sensed]:
    found = dict(recording.faults)
    if recording.plan.camera is None and "camera" in recording.senses:
        found["camera", f"{PLAN_FILE} describes no camera: nothing is seen in the video"] = 1
    for (sense, what), times in sorted(found.items()):
        counted = f"{what} ({times} times)" if times > 1 else what
        yield Sensed(kind="fault", t_us=now_us, decided_us=now_us, what=counted, device=sense, evidence={sense: 1.0})


class Lines:
    """Tells each event in a line of its own."""

    def __init__(self, senses: Sequence[Sense], say: Say, as_json: bool) -> None:
        self._senses = senses
        self._say = say
        self._as_json = as_json
        self._began_us: int | None = None
        self._now_us = 0
        self._told = 0

    def saw(self, item: Item, events: Sequence[Sensed]) -> None:
        self._began_us = item.t_us if self._began_us is None else self._began_us
        self._now_us = item.t_us
        self._tell(events)

    def ended(self, events: Sequence[Sensed]) -> None:
        self._tell(events)
        if not self._told and not self._as_json:
            seconds = (self._now_us - (self._began_us or 0)) / _US_PER_S
            self._say(f"Nothing was sensed in {seconds:.0f} s by {' and '.join(self._senses)}.")

    def _tell(self, events: Sequence[Sensed]) -> None:
        for event in events:
            self._told += 1
            self._say(event.line() if self._as_json else in_words(event, self._began_us or 0))


def in_words(event: Sensed, began_us: int) -> str:
    """An event as one line for people; times count from the recording's begin.

    >>> in_words(Sensed(kind="placed", t_us=2500000, decided_us=3000000, board="north", piece="pillar", grams=2.03), 0)
    '   2.50 s  north: placed pillar, 2.0 g (100 %, after 500 ms)'
    """
    when = f"{(event.t_us - began_us) / _US_PER_S:7.2f} s"
    if event.kind == "fault":
        return f"{when}  {caption(event)}"
    after = f"({100 * event.confidence:.0f} %, after {(event.decided_us - event.t_us) / _US_PER_MS:.0f} ms)"
    return f"{when}  {caption(event)} {after}"


def caption(event: Sensed) -> str:
    """An event as few words.

    >>> caption(Sensed(kind="height", t_us=0, decided_us=0, board="north", tower="left", level=2, top_mm=29.0))
    'north left: 2 levels, 29 mm high'
    """
    if event.kind == "fault":
        return f"{event.device}: {event.what}"
    where = " ".join(word for word in (event.board, event.tower) if word)
    if event.kind == "height":
        return f"{where}: {event.level} level{'' if event.level == 1 else 's'}, {event.top_mm or 0:.0f} mm high"
    said = " ".join([_WHAT_HAPPENED[event.kind], *_details(event)])
    return f"{where}: {said}" if where else said


def _details(event: Sensed) -> Iterator[str]:
    grams = f"{event.grams:.1f} g" if event.grams is not None else ""
    piece = event.piece or ("something" if event.kind in ("placed", "removed") else "")
    if piece:
        yield f"{piece}, {grams}" if grams else piece
    if event.level is not None:
        yield f"level {event.level}"
