"""What was sensed and what became of it, kept in the saved game itself: nothing is lost by a restart."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.errors import CompanionError
from companion.live.proposals import Decided
from companion.sensing.streams import Sensed
from companion.session.session import Session

_PREFIX = "sensed "
_DIGITS = 8
_SHOWN = 200  # decisions at hand; the saved game has them all
_ONE_ACCIDENT_US = 120_000_000  # a fall so long after another may still be part of the same accident

_ACCIDENTS = ("book", "correct", "same", "exempt", "known")


class Record(Struct, frozen=True, kw_only=True):
    """One question: what it is about, and the decision once there is one."""

    seat: int
    event: Sensed
    count: int = 1
    decided: Decided | None = None


class Decisions:
    """The questions of one game by number, and what was decided. What the disk does not take is tried again later."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._unsaved: dict[int, Record] = {}
        self._decided: deque[Decided] = deque(maxlen=_SHOWN)
        self._next = 1

    @property
    def decided(self) -> tuple[Decided, ...]:
        return tuple(self._decided)

    def load(self) -> list[tuple[int, Record]]:
        """Take up what was kept. Returns the questions that were still open."""
        kept = list(self._kept())
        self._decided.extend(record.decided for _, record in kept if record.decided is not None)
        return [(number, record) for number, record in kept if record.decided is None]

    def _kept(self) -> Iterator[tuple[int, Record]]:
        """All that was kept, in order; what cannot be read is passed over and left where it is."""
        for name, value in self._session.kept(_PREFIX).items():
            number = int(name.removeprefix(_PREFIX))
            self._next = max(self._next, number + 1)
            try:
                yield number, msgspec.json.decode(value, type=Record)
            except msgspec.MsgspecError:
                continue

    def number(self) -> int:
        """A number for the next question."""
        self._next += 1
        return self._next - 1

    def asked(self, number: int, seat: int, event: Sensed, count: int = 1) -> None:
        """A question is open, or is about more than before."""
        self._unsaved[number] = Record(seat=seat, event=event, count=count)

    def close(self, decided: Decided) -> None:
        """A question is answered, or ends by itself."""
        self._decided.append(decided)
        self._keep(decided)

    def find(self, id: str) -> Decided | None:
        return next((each for each in self._decided if each.id == id), None)

    def earlier(self, event: Sensed) -> str:
        """The accident on the same board a short while before that somebody answered for, if there is one."""
        for each in reversed(self._decided):
            accident = each.kind == "collapse" and each.ending in _ACCIDENTS and not each.undone
            near = 0 <= event.t_us - each.event.t_us < _ONE_ACCIDENT_US
            if accident and near and each.board == event.board:
                return each.id
        return ""

    def take_back(self, id: str, asked_again: str) -> None:
        """A decision holds no longer; its question may be asked again under another id."""
        decided = self.find(id)
        if decided is not None:
            self._replace(decided, replace(decided, undone=True, asked_again=asked_again))

    def follow(self) -> None:
        """The history went on: what it no longer holds is undone, what it holds again is not."""
        if not any(each.lines for each in self._decided):
            return
        standing = self._session.standing()
        for each in self.decided:
            if each.lines and each.ending in ("book", "correct") and not each.asked_again:
                undone = not standing.issuperset(each.lines)
                if undone != each.undone:
                    self._replace(each, replace(each, undone=undone))

    def save(self) -> None:
        """Write what waits. A disk in trouble does not stop the game."""
        for number, record in list(self._unsaved.items()):
            try:
                self._session.keep(f"{_PREFIX}{number:0{_DIGITS}d}", msgspec.json.encode(record))
            except CompanionError:
                return
            del self._unsaved[number]

    def _replace(self, old: Decided, new: Decided) -> None:
        self._decided[self._decided.index(old)] = new
        self._keep(new)

    def _keep(self, decided: Decided) -> None:
        record = Record(seat=decided.seat, event=decided.event, count=decided.count, decided=decided)
        self._unsaved[int(decided.id)] = record
