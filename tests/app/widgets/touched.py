"""What the tests of widgets share: a place for a widget, what it told, and whether a pixel has a colour."""

from __future__ import annotations

from typing import Any

from companion.app import theme

LONG = "Donaudampfschifffahrtsgesellschaft und Kronleuchterreinigungsmittel für alle Himmelsrichtungen"


class Heard(list[Any]):
    """What a widget has told, in order."""

    def of(self, widget: Any, *events: str) -> Heard:
        for event in events:
            widget.bind(**{event: lambda _, *told, event=event: self.append((event, *told))})
        return self


def fixed(widget: Any, width: float, height: float, at: tuple[float, float] = (100, 100)) -> Any:
    """A widget of this size at this place."""
    widget.size_hint, widget.size, widget.pos = (None, None), (width, height), at
    return widget


def near(pixel: tuple[int, int, int], shade: theme.Colour) -> bool:
    """Whether a pixel shows a shade, as far as drawing is exact."""
    return all(abs(part - want * 255) <= 4 for part, want in zip(pixel, shade[:3], strict=True))
