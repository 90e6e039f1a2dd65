"""`companion watch`: what the senses say about a recording, as lines for programs or for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from companion.errors import BadRecording
from companion.sensing.recording import Recording
from companion.sensing.streams import Sense, Sensed
from companion.sensing.watch import Watcher

_US_PER_S = 1_000_000
_US_PER_MS = 1_000
_WHAT_HAPPENED = {
    "placed": "placed",
    "removed": "taken away",
    "collapse": "COLLAPSE",
    "height": "height",
    "bump": "the table was bumped",
    "fault": "fault",
}


def watch(folder: Path, senses: Sequence[Sense], say: Callable[[str], None], as_json: bool) -> None:
    """Tell every event of a recording as it is decided; without `senses`, by all that it has.

    Raises BadRecording when the recording, or a sense that is used, cannot be read to its end: then after having told
    what the rest says.
    """
    recording = Recording.open(folder)
    used = _used(recording, senses)
    began_us: int | None = None
    now_us = told = 0
    for now_us, event in _watched(recording, used):
        began_us = now_us if began_us is None else began_us
        if event is not None:
            told += 1
            say(event.line() if as_json else in_words(event, began_us))
    if not told and not as_json:
        say(f"Nothing was sensed in {(now_us - (began_us or 0)) / _US_PER_S:.0f} s by {' and '.join(used)}.")
    if recording.unread:
        raise BadRecording(" ".join(recording.unread[sense] for sense in used if sense in recording.unread))


def in_words(event: Sensed, began_us: int) -> str:
    """An event as one line for people; times count from the recording's begin.

    >>> in_words(Sensed(kind="placed", t_us=2500000, decided_us=3000000, board="north", piece="pillar", grams=2.03), 0)
    '   2.50 s  north: placed pillar, 2.0 g (100 %, after 500 ms)'
    """
    where = "".join([f"{event.board}" if event.board else "", f" {event.tower}" if event.tower else ""])
    said = " ".join([_WHAT_HAPPENED[event.kind], *_details(event)])
    when = f"{(event.t_us - began_us) / _US_PER_S:7.2f} s"
    if event.kind == "fault":
        return f"{when}  {event.device}: {event.what}"
    after = f"({100 * event.confidence:.0f} %, after {(event.decided_us - event.t_us) / _US_PER_MS:.0f} ms)"
    return f"{when}  {where}: {said} {after}" if where else f"{when}  {said} {after}"


def _details(event: Sensed) -> Iterator[str]:
    grams = f"{event.grams:.1f} g" if event.grams is not None else ""
    piece = event.piece or ("something" if event.kind in ("placed", "removed") else "")
    if piece:
        yield f"{piece}, {grams}" if grams else piece
    if event.level is not None:
        yield f"level {event.level}"
    if event.top_mm is not None:
        yield f"{event.top_mm:.0f} mm"


def _used(recording: Recording, senses: Sequence[Sense]) -> tuple[Sense, ...]:
    missing = [sense for sense in senses if sense not in recording.senses]
    if missing:
        raise BadRecording(f"{recording.folder} has nothing for the {missing[0]}.")
    return tuple(senses) or recording.senses


def _watched(recording: Recording, senses: Sequence[Sense]) -> Iterator[tuple[int, Sensed | None]]:
    """The events in the order of their decisions, with the stream's time; what was wrong with the files comes last."""
    watcher = Watcher(recording.plan, senses)
    now_us = 0
    for item in recording.merged(senses):
        now_us = item.t_us
        yield now_us, None
        for event in watcher.feed(item):
            yield now_us, event
    for event in (*watcher.finish(), *_faults(recording, now_us)):
        yield now_us, event


def _faults(recording: Recording, now_us: int) -> Iterator[Sensed]:
    for (sense, what), times in sorted(recording.faults.items()):
        counted = f"{what} ({times} times)" if times > 1 else what
        yield Sensed(kind="fault", t_us=now_us, decided_us=now_us, what=counted, device=sense, evidence={sense: 1.0})
