"""A thread that looks at pictures while the one that senses goes on."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from queue import SimpleQueue

from companion.sensing.gaze import Look
from companion.sensing.sights import Sight

_GOODBYE_S = 2.0


class LookingAside:
    """Does looks one after another. What one raises is raised again where its sights are asked for.

    Its thread begins with the first look.
    """

    def __init__(self) -> None:
        self._looks: SimpleQueue[tuple[Look, Future[list[Sight]]] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def __call__(self, look: Look) -> Future[list[Sight]]:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="live-eye", daemon=True)
            self._thread.start()
        seen: Future[list[Sight]] = Future()
        self._looks.put((look, seen))
        return seen

    def close(self) -> None:
        """End it after the look under way; one that never ends is left to itself."""
        self._looks.put(None)
        if self._thread is not None:
            self._thread.join(_GOODBYE_S)

    def _run(self) -> None:
        while (asked := self._looks.get()) is not None:
            look, seen = asked
            try:
                seen.set_result(look())
            except Exception as error:  # noqa: BLE001 - it is raised where the sights are taken up
                seen.set_exception(error)
