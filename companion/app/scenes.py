"""What a picture is taken of: a scene, and the set on which somebody walks there."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from companion.app.demo import Demo
from companion.app.stage import Stage
from companion.app.words import _
from companion.errors import CompanionError
from companion.session.session import Session

if TYPE_CHECKING:
    from companion.app.models.tables import SensedTable

_PATIENCE_S = 90.0


class PictureFailed(CompanionError, RuntimeError):
    """What a picture should show did not come about."""


class Scene(Struct, frozen=True, kw_only=True):
    """One picture: how to get there from the shelf, with which evenings in the home.

    With `tables`, those are watched. With `twin` a simulated one is really up, in the time of the machine: such a
    picture is another each time.
    """

    name: str
    evenings: tuple[str, ...] = ()
    walk: Callable[[Set], object]
    settings: dict[str, Any] = {}
    tables: Callable[[int, bool], SensedTable | None] | None = None
    twin: bool = False


class Set:
    """A stage with the demo's games at hand."""

    def __init__(self, stage: Stage, demo: Demo) -> None:
        self.stage = stage
        self.demo = demo

    @property
    def model(self) -> Any:
        """The model of the screen shown now."""
        return self.stage.app.screen.model

    def session(self, evening: str) -> Session:
        return self.stage.app.shelf.open(self.demo.saved[evening])

    def go(self, screen: str, **what: Any) -> None:
        self.stage.app.go(screen, **what)
        self.stage.still()

    def touch(self, name: str) -> None:
        """Touch what has this name, and wait until all motion has ended."""
        self.stage.tap(self.stage.named(name))
        self.stage.still()

    def choose(self, words: str) -> None:
        """Scroll to the button with these words, in the language of the app, and touch it."""
        from companion.app.widgets.buttons import PushButton
        from companion.app.widgets.scrolling import Scroller

        said = _(words)
        button = self.stage.find(lambda widget: isinstance(widget, PushButton) and widget.text == said)[-1]
        for scroller in self.stage.find(lambda widget: isinstance(widget, Scroller) and button in widget.walk()):
            scroller.reveal(button)
        self.stage.still()
        self.stage.tap(button)
        self.stage.still()

    def until(self, there: Callable[[], Any]) -> None:
        """Wait for what happens in its own time. Raises PictureFailed when it does not."""
        end_s = time.monotonic() + _PATIENCE_S
        while not there():
            if time.monotonic() > end_s:
                raise PictureFailed("A picture could not be taken: the simulated table did not do what it should.")
            self.stage.frames()
