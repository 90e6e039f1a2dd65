"""What this machine has for the app: folders to keep things in, devices beside the screen, a table to watch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from companion import config
from companion.app.models.settings import settings_file
from companion.app.words import _, ngettext
from companion.errors import CompanionError, Malformed
from companion.session import folder
from companion.session.trouble import told

if TYPE_CHECKING:
    from companion.app.models.tables import SensedTable
    from companion.app.sideboard import Sideboard

    Devices = Callable[[], Sideboard]

_BOARDS = ("south", "north")
"""The boards of the simulated table: more of them would take a faster machine."""
_CUT_OFF = ".*.part"
"""How recordings are called that did not come to their end."""


class Folders(Struct, frozen=True, kw_only=True):
    """Where things are: saved games, the app's settings, what is written out, what is recorded.

    `trouble` is said at the start.
    """

    games: Path
    settings: Path
    exports: Path
    recordings: Path
    trouble: str = ""

    @classmethod
    def usual(cls) -> Folders:
        """Those of this user. A configuration that cannot be read is left as it is, and said."""
        trouble = ""
        try:
            games = config.read().games
        except Malformed as error:
            games, trouble = folder.games(), str(error)
        home = folder.home()
        return cls(
            games=games,
            settings=settings_file(),
            exports=home / "exports",
            recordings=home / "recordings",
            trouble=trouble,
        )

    @classmethod
    def under(cls, home: Path) -> Folders:
        """All of them in one folder."""
        return cls(
            games=home / "games",
            settings=home / "app.toml",
            exports=home / "exports",
            recordings=home / "recordings",
        )


def devices_here() -> Sideboard:
    """What stands beside the screen, as the configuration says."""
    from companion.app import sideboard
    from companion.devices.panel import PanelConfig

    here = _configured()
    chosen = PanelConfig(use=here.panel, pins_file=here.pins_file)
    return sideboard.found(folder.home() / "sounds", _, chosen)


def table_here(seats: int, simulated: bool) -> SensedTable | None:
    """The live table of this machine, as the configuration says. A simulated one only where that will do."""
    from companion.live import sources
    from companion.live.table import LiveTable

    found = sources.choose(_configured(), boards=_BOARDS[: max(1, min(seats, len(_BOARDS)))])
    return LiveTable(found) if simulated or not (found.simulated or found.says) else None


def _configured() -> config.Config:
    """The configuration; one that cannot be read was told at the start."""
    try:
        return config.read()
    except Malformed:
        return config.Config()


def rescued(recordings: Path) -> str:
    """Put recordings in their place that a power loss has cut off. One sentence about them; nothing if there are none.

    >>> rescued(Path("nowhere"))
    ''
    """
    if not any(recordings.glob(_CUT_OFF)):
        return ""
    from companion.sensing.recording import rescue

    try:
        with told(recordings):
            count = len(rescue(recordings))
    except CompanionError as error:
        return _(str(error))
    words = ngettext("{n} recording that was cut off was kept.", "{n} recordings that were cut off were kept.", count)
    return words.format(n=count) if count else ""
