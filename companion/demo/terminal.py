"""The demo without a display: the evening in lines of text, its pictures in files, and a report of one page."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from companion.app.models.lookout import Lookout
from companion.app.models.settings import Settings
from companion.app.models.tables import Tables
from companion.demo import game, pictures, report
from companion.demo.chronicle import VERDICTS, Chronicle, Found, Moment, Shot
from companion.demo.playing import Acts, Playing, Question, Wait, pause
from companion.demo.script import Chapter, Look, Scene
from companion.live.proposals import Answer, Proposal
from companion.live.shown import Reading
from companion.rules.base import Action
from companion.rules.castle_dukes.supply import amount
from companion.session.session import Session
from companion.session.shelf import Shelf
from companion.session.trouble import told

_ROUND_S = 0.02
_WHOLE_S = 1.8
"""So long after a call, all that followed the contact has been kept."""
_US_PER_S = 1_000_000

Say = Callable[[str], object]


class Terminal:
    """Tells the evening line by line. What people would touch on a screen is done at once."""

    def __init__(self, session: Session, lookout: Lookout, say: Say, now_us: Callable[[], int]) -> None:
        self.session = session
        self.chronicle = Chronicle()
        self.lookout: Lookout | None = lookout
        self._watching = lookout
        self._say = say
        self._now_us = now_us
        self._began_us = now_us()
        self._shown = 0

    @property
    def _at_s(self) -> float:
        return (self._now_us() - self._began_us) / _US_PER_S

    def begin(self) -> Acts[None]:
        yield from ()
        self._say("The simulated table starts; that takes some seconds.")

    def turn_to(self, chapter: Chapter) -> None:
        self._tell_found()
        self._say(f"\n{chapter.title}")
        self.chronicle.story.append(Moment(at_s=self._at_s, title=chapter.title))

    def say(self, caption: str, at: Scene) -> Acts[None]:
        yield from ()
        self._tell_found()
        self._say(f"{self._at_s:6.1f} s  {caption}")
        self.chronicle.story.append(Moment(at_s=self._at_s, caption=caption))

    def _tell_found(self) -> None:
        """What the senses made of the acts since the last time."""
        for found in self.chronicle.found[self._shown :]:
            self._say(f"          {found_words(found)}")
        self._shown = len(self.chronicle.found)

    def look(self, step: Look) -> Acts[None]:
        if step.at == "table":
            yield from pause(step.seconds)
            shot = self._table_shot(step.name)
            if shot is not None:
                self._illustrate(shot)

    def call(self, proposal: Proposal) -> Acts[None]:
        self._say(f"{self._at_s:6.1f} s  THE CALL. {proposal.title}: {proposal.text}")
        yield Wait(lambda: False, _WHOLE_S)
        table = self._watching.table
        if table is not None:
            evidence = table.evidence(proposal.event)
            strip, trace = pictures.strip(evidence, table.reading), pictures.trace(evidence, proposal.made_us)
            if strip is not None:
                self._illustrate(Shot(name="replay.jpg", title="The replay of the call", data=pictures.jpeg(strip)))
            if trace is not None:
                self._illustrate(Shot(name="force.png", title="The load on the board", data=pictures.png(trace)))

    def answer(self, question: Question, answer: Answer) -> Acts[None]:
        yield from ()
        self._watching.answer(question.id, answer.id)
        self._say(f"          answered: {answer.label}")

    def move(self, action: Action) -> Acts[None]:
        yield from ()
        for fact in self.session.dispatch(action, game.origin(action)).facts:
            self._say(f"          {fact.text}")

    def book(self, action: Action) -> Acts[None]:
        yield from self.move(action)

    def _table_shot(self, name: str) -> Shot | None:
        table = self._watching.table
        frame = table.newest if table is not None else None
        if table is None or frame is None:
            return None
        reading = table.reading
        image = pictures.table(frame.image, reading, game.SEATS)
        return Shot(name=f"{name}.jpg", title=read_words(reading), data=pictures.jpeg(image))

    def _illustrate(self, shot: Shot) -> None:
        """Put a picture to what was said last."""
        last = self.chronicle.story.pop()
        self.chronicle.story.append(replace(last, shots=(*last.shots, shot)))

    def end(self) -> None:
        """Tell what was not told yet."""
        self._tell_found()


def read_words(reading: Reading) -> str:
    """What is read on the boards, in a line.

    >>> read_words(Reading(t_us=0))
    'The table as it is read: nothing stands yet.'
    """
    towers = [
        f"{board.board.capitalize()} {tower.tower} {amount(tower.levels, 'level')}, {tower.top_mm or 0:.0f} mm"
        for board in reading.boards
        for tower in board.towers
        if tower.levels
    ]
    return f"The table as it is read: {'; '.join(towers) or 'nothing stands yet'}."


def found_words(found: Found) -> str:
    """What the senses made of an act, in a line.

    >>> found_words(Found(at_s=3, did="South lays a tile.", board="south", kind="placed", verdict="missed"))
    'the senses: missed, booked by hand'
    """
    words = f"the senses: {VERDICTS[found.verdict]}"
    words += f", {found.latency_ms:.0f} ms after the contact" if found.latency_ms is not None else ""
    words += f" ({' and '.join(found.senses)})" if found.senses else ""
    return words + (", booked by hand" if found.by_hand else "")


def run(
    folder: Path,
    say: Say,
    tables: Tables,
    *,
    now_us: Callable[[], int] = lambda: time.monotonic_ns() // 1000,
    rest: Callable[[float], object] = time.sleep,
) -> bool:
    """Play the evening and leave its pictures and its report in a folder. Whether it came to the tally."""
    with told(folder):
        folder.mkdir(parents=True, exist_ok=True)
    say("This is the simulated table, played without a screen. On a display the demo opens the app.")
    shelf = Shelf(folder / "games")
    with shelf.open(game.begin(shelf).id) as session:
        lookout = Lookout(tables, Settings(watch="simulated"), now_us=now_us)
        try:
            front = _played(session, lookout, say, now_us, rest)
        finally:
            lookout.close()
        front.end()
        page = report.write(folder, session, front.chronicle)
        for line in report.result(session):
            say(line)
        say(front.chronicle.summary)
        for note in front.chronicle.notes:
            say(f"  {note}")
        say(f"The report and its pictures are in {page.parent}: open {page}")
        return game.state_of(session).over


def _played(
    session: Session, lookout: Lookout, say: Say, now_us: Callable[[], int], rest: Callable[[float], object]
) -> Terminal:
    front = Terminal(session, lookout, say, now_us)
    lookout.attend(session)
    playing = Playing(front, now_us)
    while playing.tick():
        rest(_ROUND_S)
        lookout.poll()
    return front
