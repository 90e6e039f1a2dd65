"""The hands of the simulated table: told what to do, and listened to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.app.models.lookout import Lookout
from companion.demo.chronicle import Chronicle
from companion.sensing.streams import Kind


class Hands:
    """Does one thing at a time. What truly happened, and when, is remembered from one order to the next."""

    def __init__(self, lookout: Callable[[], Lookout | None], chronicle: Chronicle, now_us: Callable[[], int]) -> None:
        self._lookout = lookout
        self._chronicle = chronicle
        self._now_us = now_us
        self._waits_for = ""
        self._truths: list[dict[str, Any]] = []
        self.idle_us: int | None = now_us()
        """Since when the hands have nothing to do."""

    @property
    def idle(self) -> bool:
        return self.idle_us is not None

    def tell(self, words: str) -> bool:
        """Tell them what to do. False where there are no hands."""
        lookout = self._lookout()
        if lookout is None or lookout.table is None:
            return False
        wrong = lookout.hand(words)
        if wrong:
            self._chronicle.note(wrong)
            return False
        self._waits_for, self.idle_us, self._truths = words, None, []
        return True

    def listen(self) -> None:
        """Hear what they say."""
        lookout = self._lookout()
        for told in lookout.told() if lookout is not None else ():
            if told["kind"] == "truth":
                self._truths.append(told)
            elif told.get("line") == self._waits_for:
                self._finish(told)

    def _finish(self, told: dict[str, Any]) -> None:
        self._waits_for, self.idle_us = "", self._now_us()
        if told["kind"] == "wrong":
            self._chronicle.note(f"The hand could not do this ({told['line']}): {told['why']}")

    def contact_us(self, kind: Kind, board: str) -> int | None:
        """When the first event of a kind on a board truly happened, since the last order."""
        for told in self._truths:
            if (told["event"]["kind"], told["event"].get("board")) == (kind, board):
                at_us: int = told["at_us"]
                return at_us
        return None
