"""What the app asks of a live table, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from companion.app.models.model import Translate
from companion.live.shown import Reading, SenseHealth, parted
from companion.sensing.plan import Plan
from companion.sensing.streams import Frame, Sensed

if TYPE_CHECKING:
    from companion.sensing.evidence import Evidence


class SensedTable(Protocol):
    """A live table. Nothing here waits; `hand` and `record` may raise a CompanionError."""

    @property
    def simulated(self) -> bool: ...
    @property
    def plan(self) -> Plan: ...
    @property
    def ready(self) -> bool: ...
    @property
    def health(self) -> Sequence[SenseHealth]: ...
    @property
    def newest(self) -> Frame | None: ...
    @property
    def reading(self) -> Reading: ...
    @property
    def recording(self) -> Path | None: ...

    def start(self) -> None: ...
    def close(self) -> None: ...
    def poll(self) -> list[Sensed]: ...
    def tell(self, context: Any) -> None: ...
    def evidence(self, event: Sensed) -> Evidence: ...
    def record(self, folder: Path) -> object: ...
    def stop_recording(self) -> Path | None: ...
    def hand(self, words: str) -> None: ...
    def told(self) -> list[dict[str, Any]]: ...


def troubled(sense: SenseHealth, t: Translate) -> tuple[str, str]:
    """What is the matter with a sense in one sentence, and what can be done about it, in people's own language."""
    says, then = parted(t(sense.says))
    return says, " ".join(part for part in (then, t(sense.remedy)) if part)


Tables = Callable[[int, bool], SensedTable | None]
"""A table for so many seats, not started yet. The second word tells whether a simulated one will do."""
