"""Finding one thing among many in two touches: a letter, then the thing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from kivy.properties import ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from msgspec import Struct

from companion.app.widgets.buttons import PushButton
from companion.app.widgets.look import lazily, steps, target
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.words import TextLabel

_LETTER_COLUMNS = 5
_LIST_SHARE = 0.58
_ROWS_AT_ONCE = 16


class Found(Struct, frozen=True, kw_only=True):
    """Something that can be found: by its label, and by other words such as its values."""

    key: object
    label: str
    note: str = ""
    icon: str = ""
    words: str = ""


def plain(text: str) -> str:
    """Letters without their marks and capitals, as people search.

    >>> plain("Große Halle, Café")
    'grosse halle, cafe'
    """
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def matching(items: Iterable[Found], typed: str) -> list[Found]:
    """Those with a word that starts as typed: the label's first word, then any word of it, then other words."""
    wanted = plain(typed).strip()
    ranked = [(rank, at, item) for at, item in enumerate(items) if (rank := _rank(item, wanted)) is not None]
    return [item for _, _, item in sorted(ranked, key=lambda entry: entry[:2])]


def _rank(item: Found, wanted: str) -> int | None:
    label, more = plain(item.label), plain(item.words)
    if label.startswith(wanted):
        return 0
    for rank, text in ((1, label), (2, more)):
        if any(text.startswith(wanted, at + 1) for at, letter in enumerate(text) if not letter.isalnum()):
            return rank
    return 2 if more.startswith(wanted) and wanted else None


def next_letters(items: Iterable[Found], typed: str) -> set[str]:
    """The letters that narrow the search further and still find something."""
    wanted = plain(typed)
    found: set[str] = set()
    for item in items:
        text = f" {plain(item.label)} {plain(item.words)}"
        starts = [at + 1 for at, letter in enumerate(text) if not letter.isalnum()]
        found |= {
            text[at + len(wanted)] for at in starts if text.startswith(wanted, at) and at + len(wanted) < len(text)
        }
    return {letter for letter in found if letter.isalnum()}


class SearchList(BoxLayout):
    """Rows to pick from, and the letters that narrow them: only those that still find something can be touched.

    `items` are Found in the order to show them, recent ones first. `on_pick(key)` tells the row that was touched.
    `empty` is the sentence for when nothing is left.
    """

    __events__ = ("on_pick",)

    items: Sequence[Found] = ListProperty()
    typed = StringProperty("")
    empty = StringProperty("")
    row_height = NumericProperty(0)

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("spacing", steps(1))
        super().__init__(**properties)
        self._rows = column(spacing=steps(0.5))
        self._scroller = Scroller()
        self._scroller.add_widget(self._rows)
        self._letters = GridLayout(cols=_LETTER_COLUMNS, spacing=steps(0.5), size_hint_y=None)
        self._letters.bind(minimum_height=self._letters.setter("height"))
        self._letter_scroller = Scroller(size_hint_x=None)
        self._letter_scroller.add_widget(self._letters)
        self.add_widget(self._scroller)
        self.add_widget(self._letter_scroller)
        self._found: list[Found] = []
        self._row_buttons: list[Any] = []
        self._shown = 0
        self._scroller.bind(scroll=self._scrolled)
        lazily(self._fill, "items", "typed", "empty")
        lazily(self._shape, "size")
        self._letters.bind(height=self._shape)

    def _shape(self, *_: Any) -> None:
        """Letters beside the list on a wide screen, under it on a tall one."""
        wide = self.width >= self.height
        self.orientation = "horizontal" if wide else "vertical"
        columns = _LETTER_COLUMNS if wide else max(1, int((self.width + steps(0.5)) // (target() + steps(0.5))))
        self._letters.cols = columns
        letters = self._letter_scroller
        if wide:
            letters.size_hint, letters.width = (None, 1), columns * target() + (columns - 1) * steps(0.5)
        else:
            letters.size_hint, letters.height = (1, None), min(self._letters.height, self.height * (1 - _LIST_SHARE))

    def _fill(self, *_: Any) -> None:
        self._found = matching(self.items, self.typed)
        self._rows.clear_widgets()
        self._shown = 0
        self._show_more()
        if not self._found and self.empty:
            self._rows.add_widget(TextLabel(text=self.empty, tone="soft", grows=True))
        self._scroller.scroll = 0
        self._fill_letters()
        self._shape()

    def _scrolled(self, *_: Any) -> None:
        """Rows further down come when somebody goes there."""
        while self._shown < len(self._found) and self._scroller.scroll > self._scroller.furthest - self.height:
            self._show_more()

    def _show_more(self) -> None:
        for item in self._found[self._shown : self._shown + _ROWS_AT_ONCE]:
            if self._shown == len(self._row_buttons):
                self._row_buttons.append(self._row())
            row = self._row_buttons[self._shown]
            row.found = item
            row.text, row.note, row.icon, row.height = item.label, item.note, item.icon, self.row_height or target()
            self._rows.add_widget(row)
            self._shown += 1

    def _row(self) -> Any:
        row = PushButton(halign="left", size_hint_y=None)
        row.bind(on_release=lambda row: self.dispatch("on_pick", row.found.key))
        return row

    def _fill_letters(self) -> None:
        """One key for each letter that finds something, and one to take the last one back."""
        letters, useful = [*sorted(next_letters(self.items, "")), ""], next_letters(self.items, self.typed)
        if letters != [key.letter for key in reversed(self._letters.children)]:
            self._letters.clear_widgets()
            for letter in letters:
                self._letters.add_widget(self._letter(letter))
        for key in self._letters.children:
            key.disabled = key.letter not in useful if key.letter else not self.typed

    def _letter(self, letter: str) -> Any:
        key: Any = PushButton(
            text=letter.upper(), icon="" if letter else "backspace", size_hint=(1, None), height=target()
        )
        key.letter = letter
        key.bind(on_release=lambda key: self._type(key.letter))
        return key

    def _type(self, letter: str) -> None:
        self.typed = self.typed + letter if letter else self.typed[:-1]

    def on_pick(self, key: object) -> None:
        """A row was touched."""
