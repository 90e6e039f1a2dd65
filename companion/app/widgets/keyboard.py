"""A keyboard on the screen for short names, because a kiosk has no other."""

from __future__ import annotations

from typing import Any, Final

from kivy.properties import BooleanProperty, NumericProperty, OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.app.widgets.buttons import PushButton
from companion.app.widgets.look import colours, follow, steps, target
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel

_SHIFT, _ERASE, _DONE, _SPACE = "shift", "backspace", "check", "space"
_PAGES: Final = {"123": "digits", "áö": "accents", "ąč": "more accents", "abc": "letters"}

_LETTERS: Final = {
    "qwerty": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "qwertz": ("qwertzuiop", "asdfghjkl", "yxcvbnm"),
    "azerty": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
}
_EXTRA: Final = {"qwerty": "-'", "qwertz": "äöü-", "azerty": "éè-'"}
_DIGITS: Final = ("1234567890", "-'.,:;!?&", '+/()"#*')
_ACCENTS: Final = ("äöüßàáâãåæ", "çèéêëìíîïñ", "òóôõøœùúûý")
_MORE_ACCENTS: Final = ("ąćčďęěğıłľ", "ńňőřśšşťůű", "źżžđșțāēīū")

Key = tuple[str, float]


def keys(page: str, layout: str) -> list[list[Key]]:
    """The rows of a page: what each key types or does, and how many keys wide it is.

    >>> [key for key, _ in keys("letters", "qwertz")[0]]
    ['q', 'w', 'e', 'r', 't', 'z', 'u', 'i', 'o', 'p']
    """
    if page in ("accents", "more accents"):
        letters, other = (_ACCENTS, "ąč") if page == "accents" else (_MORE_ACCENTS, "áö")
        return [*([(letter, 1.0) for letter in row] for row in letters), _foot("abc", other, _EXTRA[layout])]
    plain = _LETTERS[layout] if page == "letters" else _DIGITS
    first, second, third = ([(letter, 1.0) for letter in row] for row in plain)
    switch = ("123", "áö") if page == "letters" else ("abc", "áö")
    return [first, second, [(_SHIFT, 1.5), *third, (_ERASE, 1.5)], _foot(*switch, _EXTRA[layout])]


def _foot(left: str, right: str, extra: str) -> list[Key]:
    wide = 10 - 4.5 - len(extra)
    return [(left, 1.5), (right, 1.0), *((letter, 1.0) for letter in extra), (_SPACE, wide), (_DONE, 2.0)]


class Keyboard(BoxLayout):
    """Types into `text`, up to `longest` characters. `on_done(text)` comes with the check.

    The first letter of every word is a capital unless shift is touched. `shows_text` puts the text above the keys.
    Real keys work too while it is on the screen.
    """

    __events__ = ("on_done",)

    text = StringProperty("")
    hint = StringProperty("")
    longest = NumericProperty(24)
    layout = OptionProperty("qwertz", options=tuple(_LETTERS))
    page = OptionProperty("letters", options=tuple(_PAGES.values()))
    capital = BooleanProperty(True)
    shows_text = BooleanProperty(True)
    may_be_empty = BooleanProperty(False)

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("spacing", steps(0.5))
        super().__init__(orientation="vertical", **properties)
        self._line = _Line()
        self._rows = BoxLayout(orientation="vertical", spacing=steps(0.5))
        if self.shows_text:
            self.add_widget(self._line)
        self.add_widget(self._rows)
        self._window: Any = None
        self.size_hint_y = None
        self.height = self.least_height()
        self._pages: dict[tuple[str, str], list[BoxLayout]] = {}
        self.bind(page=self._fill, layout=self._fill, capital=self._show, text=self._show, hint=self._show)
        self.bind(parent=self._listen)
        self.capital = self._starts_word()
        self._fill()
        self._show()

    def least_height(self) -> float:
        """The height at which every key is a full touch target."""
        rows = 4 + (1 if self.shows_text else 0)
        return rows * target() + (rows - 1) * steps(0.5)

    def _fill(self, *_: Any) -> None:
        self._rows.clear_widgets()
        if (self.page, self.layout) not in self._pages:
            rows = keys(self.page, self.layout)
            self._pages[self.page, self.layout] = [self._row(row) for row in rows]
        for line in self._pages[self.page, self.layout]:
            self._rows.add_widget(line)
        self._show()

    def _row(self, row: list[Key]) -> BoxLayout:
        line = BoxLayout(spacing=steps(0.5))
        for key, width in row:
            line.add_widget(self._key(key, width))
        return line

    def _key(self, key: str, width: float) -> PushButton:
        button = PushButton(size_hint_x=width, role="large" if len(key) == 1 else "body")
        button.key = key
        if key in (_SHIFT, _ERASE, _DONE):
            button.icon = key
        elif key == _SPACE:
            button.icon = "space"
        else:
            button.text = key
        button.kind = "primary" if key == _DONE else "plain"
        button.bind(on_release=self._strike)
        return button

    def _strike(self, button: Any) -> None:
        key = button.key
        if key == _SHIFT:
            self.capital = not self.capital
        elif key == _ERASE:
            self.erase()
        elif key == _DONE:
            self._finish()
        elif key in _PAGES:
            self.page = _PAGES[key]
        else:
            self.type(" " if key == _SPACE else button.text)

    def type(self, letters: str) -> None:
        """Puts letters at the end, as far as there is room for them."""
        room = int(self.longest) - len(self.text)
        if not letters.isspace() or self.text:
            self.text += letters[: max(0, room)]
        self.capital = self._starts_word()
        if "accents" in self.page and letters != " ":
            self.page = "letters"

    def erase(self) -> None:
        """Takes the last letter back."""
        self.text = self.text[:-1]
        self.capital = self._starts_word()

    def _starts_word(self) -> bool:
        return not self.text or self.text[-1] in " -"

    def _finish(self) -> None:
        name = " ".join(self.text.split())
        if name or self.may_be_empty:
            self.dispatch("on_done", name)

    def _show(self, *_: Any) -> None:
        self._line.show(self.text, self.hint)
        for row in self._rows.children:
            for button in row.children:
                self._show_key(button)

    def _show_key(self, button: Any) -> None:
        if button.key in _LOWER:
            button.text = button.key.upper() if self.capital else button.key
        elif button.key == _SHIFT:
            button.chosen = self.capital
        elif button.key == _DONE:
            button.disabled = not self.text.strip() and not self.may_be_empty
        elif button.key == _ERASE:
            button.disabled = not self.text

    # Real keys

    def _listen(self, *_: Any) -> None:
        from kivy.core.window import Window

        if self._window is not None:
            self._window.unbind(on_textinput=self._real_text, on_key_down=self._real_key)
            self._window = None
        if self.parent is not None:
            self._window = Window
            Window.bind(on_textinput=self._real_text, on_key_down=self._real_key)

    def _real_text(self, _: Any, letters: str) -> None:
        self.type(letters)

    def _real_key(self, _: Any, code: int, *__: Any) -> bool:
        if code == _BACKSPACE_CODE:
            self.erase()
        elif code == _ENTER_CODE:
            self._finish()
        return code in (_BACKSPACE_CODE, _ENTER_CODE)

    def on_done(self, text: str) -> None:
        """The check was touched."""


_BACKSPACE_CODE, _ENTER_CODE = 8, 13
_LOWER: Final = frozenset("".join((*_LETTERS["qwerty"], *_ACCENTS, *_MORE_ACCENTS, *_EXTRA.values()))) - set("ßı-'")


class _Line(Panel):
    """What has been typed, with a mark where the next letter goes."""

    def __init__(self) -> None:
        super().__init__(kind="raised", padding=(steps(2), 0), size_hint_y=None, height=target())
        self._label = TextLabel(role="large")
        self.add_widget(self._label)
        self._text, self._hint = "", ""
        follow(self._draw)

    def show(self, text: str, hint: str) -> None:
        self._text, self._hint = text, hint
        self._draw()

    def _draw(self, *_: Any) -> None:
        self._label.text = f"{self._text}|" if self._text or not self._hint else self._hint
        self._label.tint = colours().ink if self._text else colours().ink_soft
