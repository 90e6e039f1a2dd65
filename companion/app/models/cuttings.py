"""What was cut out of the table's memory around a call: kept while people make up their minds, and saved on request."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.session.trouble import told

if TYPE_CHECKING:
    from companion.app.models.tables import SensedTable
    from companion.sensing.evidence import Evidence
    from companion.sensing.streams import Sensed

Tell = Callable[[str], object]
"""Hears one sentence."""

_MOST = 6
_JOIN_S = 15.0
_NOTHING = "Neither a picture nor a force was kept of this fall, so there is nothing to save."


class Cuttings:
    """The newest few. The table remembers some seconds only, and a replay in slow motion outlasts them."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str | None, int], Evidence] = {}

    def of(self, event: Sensed, table: SensedTable | None) -> Evidence | None:
        """All there is around an event: as it is remembered now, or as it was cut before, whichever holds more."""
        key = (event.board, event.t_us)
        now = table.evidence(event) if table is not None else None
        found = [each for each in (self._kept.pop(key, None), now) if each is not None]
        best = max(found, key=_amount, default=None)
        if best is not None and _amount(best):
            self._kept[key] = best
        while len(self._kept) > _MOST:
            del self._kept[next(iter(self._kept))]
        return best


def _amount(evidence: Evidence) -> int:
    return len(evidence.pictures) + len(evidence.samples)


class Saving:
    """Writes cuttings beside the main thread: a film takes a moment to be written, and no finger waits for it."""

    def __init__(self) -> None:
        self._under_way: list[_Errand] = []

    def begin(self, evidence: Evidence, folder: Path, words: str, tell: Tell) -> None:
        """Write a recording of its own. `tell` hears `words` with its name, or why not, when `settle` is called."""
        if any(errand.folder == folder for errand in self._under_way):
            return
        self._under_way.append(_Errand(evidence, folder, words, tell))

    def settle(self) -> None:
        """Tell what came of everything that is done."""
        done = [errand for errand in self._under_way if not errand.thread.is_alive()]
        self._under_way = [errand for errand in self._under_way if errand not in done]
        for errand in done:
            errand.tell(errand.says)

    def close(self) -> None:
        """Wait for what is under way."""
        for errand in self._under_way:
            errand.thread.join(_JOIN_S)


class _Errand:
    def __init__(self, evidence: Evidence, folder: Path, words: str, tell: Tell) -> None:
        self.tell = tell
        self.says = ""
        self.folder = folder
        self._evidence, self._words = evidence, words
        self.thread = threading.Thread(target=self._run, name="saving-a-call", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        if not _amount(self._evidence):
            self.says = _NOTHING
            return
        try:
            with told(self.folder):
                self.folder.parent.mkdir(parents=True, exist_ok=True)
                self.says = self._words.format(name=self._evidence.save(self.folder).name)
        except CompanionError as error:
            self.says = str(error)
