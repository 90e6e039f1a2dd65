"""The log of the live table: a few small files in the data folder, the oldest thrown away, never a reason to stop."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

from companion.session import folder

LOG_FOLDER = "logs"
LOG_FILE = "table.log"

_MOST_BYTES = 500_000
_FILES_KEPT = 3
_SAME_AGAIN_S = 60.0
_MOST_REMEMBERED = 200
_TRY_AGAIN_S = 10.0
_FORMAT = "%(asctime)s %(levelname)-7s %(threadName)s: %(message)s"


class TableLog:
    """What happened to the table, for those who look into it later.

    The same words are written once a minute at most, with how often they were said. A disk that takes nothing is told
    in `trouble`, and tried again from time to time.
    """

    def __init__(self, where: Path | None = None, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.file = (where or folder.home() / LOG_FOLDER) / LOG_FILE
        self.trouble = ""
        self._monotonic = monotonic
        self._not_before_s = 0.0
        self._said: dict[str, tuple[float, int]] = {}
        self._handler: logging.Handler | None = None
        self._lock = threading.Lock()

    def say(self, words: str) -> None:
        """Something that happened."""
        with self._lock:
            self._write(logging.INFO, words)

    def warn(self, words: str, error: BaseException | None = None) -> None:
        """Something that went wrong, with where it did."""
        with self._lock:
            self._write(logging.WARNING, words, error)

    def close(self) -> None:
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._handler is not None:
            self._handler.close()
            self._handler = None

    def _write(self, level: int, words: str, error: BaseException | None = None) -> None:
        times = self._times(words)
        if not times or self._monotonic() < self._not_before_s:
            return
        text = words if times == 1 else f"{words} ({times} times)"
        cause = (type(error), error, error.__traceback__) if error is not None else None
        try:
            self._opened().emit(logging.LogRecord("companion", level, "", 0, text, (), cause))
            self.trouble = ""
        except OSError as problem:
            self.trouble = f"The log cannot be written to {self.file}: {(problem.strerror or str(problem)).lower()}."
            self._not_before_s = self._monotonic() + _TRY_AGAIN_S
            self._let_go()

    def _times(self, words: str) -> int:
        """How often this was said since it was last written; 0 while it need not be written again."""
        now_s = self._monotonic()
        written_s, unwritten = self._said.get(words, (-_SAME_AGAIN_S, 0))
        if now_s - written_s < _SAME_AGAIN_S:
            self._said[words] = (written_s, unwritten + 1)
            return 0
        if len(self._said) >= _MOST_REMEMBERED:
            self._said.clear()
        self._said[words] = (now_s, 0)
        return unwritten + 1

    def _opened(self) -> logging.Handler:
        if self._handler is None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self._handler = _Handler(self.file, maxBytes=_MOST_BYTES, backupCount=_FILES_KEPT - 1, encoding="utf-8")
            self._handler.setFormatter(logging.Formatter(_FORMAT))
        return self._handler


class _Handler(RotatingFileHandler):
    """A handler that lets its caller know when the disk does not take it."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        raise
