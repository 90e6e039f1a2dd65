"""`companion watch --evidence`: each collapse of a recording, kept as a small recording of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from companion.sensing.evidence import EvidenceKeeper
from companion.sensing.plan import Plan
from companion.sensing.recording import Item
from companion.sensing.streams import Sensed


class KeptCollapses:
    """Saves what the senses gave around each collapse into a folder, one folder for each."""

    def __init__(self, folder: Path, plan: Plan, say: Callable[[str], None]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._say = say
        self._keeper = EvidenceKeeper(plan)
        self._waiting: list[Sensed] = []
        self._saved = 0

    def saw(self, item: Item, events: Sequence[Sensed]) -> None:
        self._keeper.feed(item)
        self._waiting += [event for event in events if event.kind == "collapse"]
        for event in [each for each in self._waiting if self._keeper.ready(each)]:
            self._waiting.remove(event)
            self._save(event)

    def ended(self, events: Sequence[Sensed]) -> None:
        for event in (*self._waiting, *(each for each in events if each.kind == "collapse")):
            self._save(event)
        if not self._saved:
            self._say(f"Nothing collapsed: nothing was kept in {self._folder}.")

    def _save(self, event: Sensed) -> None:
        self._saved += 1
        kept = self._keeper.cut(event).save(self._folder / f"collapse-{self._saved}")
        self._say(f"The collapse is kept in {kept}.")
