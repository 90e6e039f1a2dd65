"""What all view-models share: a translator, a way to hear of changes, and touches that count once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from companion.errors import CompanionError, Refusal
from companion.rules.base import Rule

Translate = Callable[[str], str]
Callback = Callable[[], object]
Weight = Literal["info", "refused", "trouble"]

_S_PER_MIN = 60
_S_PER_HOUR = 3600


def plain(text: str) -> str:
    """No translation."""
    return text


class RuleText(Struct, frozen=True, kw_only=True):
    """What `?` opens: the rule in our words and where the rulebook has it. A `ruling` is ours."""

    id: str
    text: str
    cite: str
    ruling: bool = False


class Message(Struct, frozen=True, kw_only=True):
    """One thing to say. `anyway` is what to touch to do it against the rules, where that is offered."""

    text: str
    weight: Weight = "info"
    rule: RuleText | None = None
    anyway: str = ""


class Model:
    """Something a screen shows. Whoever subscribes is called back after every change, and asks for what to show."""

    def __init__(self, t: Translate = plain) -> None:
        self.t = t
        self._callbacks: list[Callback] = []

    def subscribe(self, callback: Callback) -> Callback:
        """Be called after every change. Returns what ends it."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback) if callback in self._callbacks else None

    def changed(self) -> None:
        for callback in tuple(self._callbacks):
            callback()

    def rule_text(self, rule: Rule) -> RuleText:
        return RuleText(id=rule.id, text=self.t(rule.text), cite=self.t(rule.cite), ruling=rule.ruling)

    def trouble(self, error: CompanionError) -> Message:
        """An error in words for people."""
        weight: Weight = "refused" if isinstance(error, Refusal) else "trouble"
        return Message(text=self.t(str(error)), weight=weight)


class Touches:
    """What can be touched in one rendering. A touch takes everything off offer, so that it counts once.

    Ids carry the number of their rendering: one that is delivered again, or late, finds nothing.
    """

    def __init__(self) -> None:
        self._rendering = 0
        self._live: dict[str, Callback] = {}

    def renew(self) -> None:
        """Begin a new rendering."""
        self._rendering += 1
        self._live = {}

    def offer(self, does: Callback) -> str:
        """An id to touch."""
        id = f"{self._rendering}.{len(self._live)}"
        self._live[id] = does
        return id

    def take(self, id: str) -> Callback | None:
        """What a touch does, or None when it is stale."""
        found = self._live.get(id)
        if found is not None:
            self._live = {}
        return found


def clock_text(seconds: float) -> str:
    """
    >>> clock_text(754.2), clock_text(3723)
    ('12:34', '1:02:03')
    """
    hours, rest = divmod(int(seconds), _S_PER_HOUR)
    minutes, left = divmod(rest, _S_PER_MIN)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"
