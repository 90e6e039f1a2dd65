"""What is wrong with a module, in words, from when it begins until it is over. Each is told once at either end."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

TroubleKind = Literal[
    "unplugged", "closed", "silent", "foreign", "version", "same id", "restarted", "dead", "saturated", "desync",
    "losses", "command",
]  # fmt: skip


class Notice(Struct, frozen=True, kw_only=True):
    """Something to tell people, when it happened, and whether it means that a trouble is over."""

    t_us: int
    kind: TroubleKind
    says: str
    over: bool = False
    module: str = ""


class Troubles:
    """The troubles that stand now, and the notices nobody has taken yet.

    >>> troubles = Troubles()
    >>> troubles.begin("dead", 0, "Cell c1 gives nothing.", which="c1")
    >>> troubles.begin("dead", 5, "Cell c1 gives nothing.", which="c1")
    >>> troubles.end("dead", 9, "Cell c1 answers again.", which="c1")
    >>> [notice.says for notice in troubles.take()], troubles.standing()
    (['Cell c1 gives nothing.', 'Cell c1 answers again.'], ())
    """

    def __init__(self) -> None:
        self._standing: dict[tuple[TroubleKind, str], str] = {}
        self._seen_us: dict[tuple[TroubleKind, str], int] = {}
        self._told: list[Notice] = []

    def begin(self, kind: TroubleKind, now_us: int, says: str, which: str = "") -> None:
        """It is so; told when it was not so before."""
        key = (kind, which)
        self._seen_us[key] = now_us
        if key not in self._standing:
            self._standing[key] = says
            self._told.append(Notice(t_us=now_us, kind=kind, says=says))

    def end(self, kind: TroubleKind, now_us: int, says: str, which: str = "") -> None:
        """It is not so any more; told when it was."""
        if self._standing.pop((kind, which), None) is not None:
            self._told.append(Notice(t_us=now_us, kind=kind, says=says, over=True))

    def end_if_quiet(self, kind: TroubleKind, now_us: int, says: str, quiet_us: int) -> None:
        """End all of a kind that have not shown for a while; `says` may name which."""
        for key in [key for key in self._standing if key[0] == kind]:
            if now_us - self._seen_us[key] >= quiet_us:
                self.end(kind, now_us, says.format(which=key[1]), key[1])

    def tell(self, kind: TroubleKind, now_us: int, says: str) -> None:
        """It happened, and that was that."""
        self._told.append(Notice(t_us=now_us, kind=kind, says=says))

    def forget(self) -> None:
        """Nothing stands any more, and nobody needs to hear of it."""
        self._standing.clear()

    def standing(self) -> tuple[str, ...]:
        """What is wrong now, oldest first."""
        return tuple(self._standing.values())

    def take(self) -> list[Notice]:
        """What has not been told yet."""
        told, self._told = self._told, []
        return told
