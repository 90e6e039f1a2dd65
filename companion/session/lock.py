"""One player of a saved game at a time: a lock that a crash frees."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from companion.errors import GameInUse
from companion.session.trouble import told

_OWNER_ONLY = 0o600


class GameLock:
    """Held from creation to `release`, on a file beside the saved game, by this process alone.

    The file stays: taking it away would let two processes hold locks of the same name. SQLite's own locks are of
    another kind and would be lost if the saved game itself were opened and closed here.
    """

    def __init__(self, path: Path) -> None:
        with told(path.parent):
            self._file = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _OWNER_ONLY)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._file)
            raise GameInUse(path.stem) from error

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> GameLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
