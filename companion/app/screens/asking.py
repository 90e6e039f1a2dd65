"""What is asked before a move is whole, as a sheet: one question at a time, by the fewest touches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kivy.metrics import dp, sp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.models.asking import AskingView
from companion.app.models.steps import Button, EntryView, FieldChip, Section, StepView
from companion.app.screens.counting import CounterBox
from companion.app.screens.moves import Touch, TouchButton, best_columns, grid
from companion.app.screens.pieces import Bit, PieceButton, value_bits
from companion.app.theme import SANS, SCALE_SP, Role
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.keyboard import Keyboard
from companion.app.widgets.look import lazily, steps, target
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.search import Found, SearchList
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.words import TextLabel, measured
from companion.app.words import _

Type = Callable[[str], object]

_NARROWEST_DP = 76
_NOTE_ROLES: tuple[Role, ...] = ("body", "small")
_LABEL_STEPS = 4.75
_CHIP_STEPS = 27
_TWO_LINES = 0.65
"""The share of its width that a text needs on two lines, as words do not break evenly."""
_BIT_DP = 30
_KNOWN_SHARE = 0.34
_LONGEST_TEXT = 60
_FEW = 20


class ButtonGrid(FloatLayout):
    """Answers as buttons: words in columns that read well, pieces in cells of one size. As high as they need."""

    def __init__(self, touch: Touch, buttons: Sequence[Button], columns: int = 0, role: str = "body") -> None:
        super().__init__(size_hint_y=None)
        self._touch = touch
        self.columns = columns
        self._role = role
        self._most_bits = 1
        self.buttons: list[TouchButton] = []
        self._relay = lazily(self._lay, "pos", "width")
        self.show(buttons)

    def show(self, buttons: Sequence[Button]) -> None:
        """Shows answers; what stood for others before is used again where it is of the same sort."""
        bits = [value_bits(button.value, button.label) for button in buttons]
        self._most_bits = max(map(len, bits), default=1)
        for at, (button, own) in enumerate(zip(buttons, bits, strict=True)):
            self._show_at(at, button, own)
        while len(self.buttons) > len(buttons):
            self.remove_widget(self.buttons.pop())
        self._relay()

    def _show_at(self, at: int, button: Button, bits: list[Bit]) -> None:
        pictured = len(bits) > 1 or (bool(bits[0][0]) and bits[0][1] != button.label)
        kind = PieceButton if pictured else TouchButton
        if at < len(self.buttons) and type(self.buttons[at]) is not kind:
            for old in self.buttons[at:]:
                self.remove_widget(old)
            del self.buttons[at:]
        if at == len(self.buttons):
            self.buttons.append(kind(self._touch, size_hint=(None, None), role=self._role))
            self.add_widget(self.buttons[at])
        made = self.buttons[at]
        if isinstance(made, PieceButton):
            made.touch_id, made.chosen = button.id, button.chosen
            made.show(bits)
        else:
            made.icon = bits[0][0]
            made.offer(button)

    def _across(self) -> int:
        gap, count = steps(1), len(self.buttons)
        if self._has_words():
            return best_columns(self.buttons, self.width, gap)
        cell = max(dp(_NARROWEST_DP), dp(_BIT_DP) * self._most_bits + steps(2))
        most = max(1, int((self.width + gap) // (cell + gap)))
        folded = most // self.columns * self.columns if self.columns else 0
        return min(folded, count) if folded and folded >= most - 1 else _evenly(count, most)

    def _has_words(self) -> bool:
        pictured = any(isinstance(button, PieceButton) for button in self.buttons)
        return not pictured and any(len(button.text) > 2 for button in self.buttons)

    def _lay(self, *__: Any) -> None:
        if not self.buttons:
            return
        boxes, below = grid(self.buttons, self.width, steps(1), columns=self._across())
        self.height = max(1.0, below - steps(1))
        for widget, (x, down, width, height) in boxes:
            widget.size, widget.pos = (width, height), (self.x + x, self.top - down - height)


def _evenly(count: int, most: int) -> int:
    """How many to a row, so that the last row is not left with a few.

    >>> [_evenly(count, 9) for count in (4, 9, 10, 20)]
    [4, 9, 5, 7]
    """
    rows = max(1, -(-count // most))
    return -(-count // rows)


Grids = dict[tuple[str, ...], ButtonGrid]


class AskingSheet(Sheet):
    """The asking of one choice. `show` goes on to its next question; closing it takes the move back.

    `grids` are kept from one asking to the next: most are about the same things, and buttons take long to make.
    """

    def __init__(self, asking: AskingView, touch: Touch, type_: Type, grids: Grids | None = None) -> None:
        self._touch = touch
        self._type = type_
        self._view = asking
        self._label = TextLabel(role="large", strong=True)
        self._note = TextLabel(tone="soft")
        self._back = TouchButton(touch, icon="back", kind="quiet", size_hint_x=None, width=target())
        self._draw = TouchButton(touch, icon="dice", size_hint_x=None, width=0)
        self._content = BoxLayout(orientation="vertical", spacing=steps(1))
        self._mode = ""
        self._quiet = False
        self._grids: Grids = {} if grids is None else grids
        self._ways_on: dict[tuple[int, str], PushButton] = {}
        self._chips: _Chips | None = None
        super().__init__(title=asking.title, body=self._content)
        self.show(asking)

    def _header(self) -> BoxLayout:
        header = BoxLayout(size_hint_y=None, height=target(), spacing=steps(1))
        words = BoxLayout(orientation="vertical")
        self._note.size_hint_y = None
        words.add_widget(self._label)
        words.add_widget(self._note)
        self._note.bind(width=lambda *__: self._fit_head(header), text=lambda *__: self._fit_head(header))
        close = PushButton(icon="close", kind="quiet", size_hint_x=None, width=target())
        close.bind(on_release=lambda *__: self.close())
        for part in (self._back, words, self._draw, close):
            header.add_widget(part)
        return header

    def _fit_head(self, header: BoxLayout) -> None:
        """The note on one line in the size of all words, else on as many smaller ones as it needs."""
        width = max(1, int(self._note.width))
        line, smaller = (round(float(sp(SCALE_SP[role]))) for role in _NOTE_ROLES)
        alone = measured(self._note.text, SANS, line, None)[0] <= width
        self._note.role = _NOTE_ROLES[not alone]
        self._note.height = measured(self._note.text, SANS, line if alone else smaller, width)[1] + 1
        header.height = max(target(), self._note.height + steps(_LABEL_STEPS))

    # Going on and ending

    def is_about(self, asking: AskingView) -> bool:
        """Whether a view is the same asking, perhaps at another question."""
        return asking.title == self._view.title and asking.do == self._view.do

    def show(self, asking: AskingView) -> None:
        """Shows the question that is on."""
        if asking.fields != self._view.fields or self._told_more(asking):
            self._mode = ""
        self._view = asking
        label = asking.now.label
        self._label.text = label[:1].upper() + label[1:]
        self._note.text = " · ".join((asking.title, *asking.answered, *_in_all(asking.now)))
        self._back.touch_id = asking.back if asking.step > 1 else ""
        self._back.opacity, self._back.width = (1, target()) if asking.step > 1 else (0, 0)
        self._draw.touch_id, self._draw.text = asking.draw, _("Draw for us") if asking.draw else ""
        self._draw.width = min(self._draw.ideal_width(), steps(28)) if asking.draw else 0
        self._draw.opacity = 1 if asking.draw else 0
        self._ask()

    def begin(self) -> None:
        """The same is asked once more, from the start."""
        self._mode = ""

    def _told_more(self, asking: AskingView) -> bool:
        """Whether a value was told: then the next ones come up by themselves."""
        before, after = self._view.now.entry, asking.now.entry
        if self._mode == "-1" or before is None or after is None:
            return False
        return [section.now for section in before.sections] != [section.now for section in after.sections]

    def end(self) -> None:
        """Goes without taking the move back: it is done."""
        self._quiet = True
        self.close()

    def on_close(self) -> None:
        if not self._quiet:
            self._touch(self._view.cancel)

    # The questions

    def _ask(self) -> None:
        self._content.clear_widgets()
        step = self._view.now
        for part in self._parts(step):
            self._content.add_widget(part)

    def _parts(self, step: StepView) -> Iterable[Widget]:
        if step.kind in ("pad", "text") and self._view.presets and self._mode != "anew":
            return [self._presets_and(self._anew_button())]
        if step.kind == "pad":
            return [_Pad(step, self._touch)]
        if step.kind == "text":
            return [self._keyboard(step.typed, self._say)]
        if step.kind == "entry" and step.entry is not None:
            return self._entry(step, step.entry)
        if step.kind == "list":
            return self._list(step)
        if step.kind == "counts":
            return self._counts(step)
        return [self._presets_and(self._grid(self._view.fields, step.buttons, step.columns, _role(step)))]

    def _presets_and(self, buttons: Widget) -> Scroller:
        """Whole answers given before, then the question itself."""
        rows = column(spacing=steps(1))
        if self._view.presets:
            rows.add_widget(TextLabel(text=_("As before"), tone="soft", strong=True, grows=True))
            rows.add_widget(self._grid(("presets",), [_plain(one) for one in self._view.presets]))
            if isinstance(buttons, ButtonGrid):
                rows.add_widget(TextLabel(text=_("Something else"), tone="soft", strong=True, grows=True))
        rows.add_widget(buttons)
        return _scrolled(rows)

    def _grid(
        self, key: tuple[str, ...], buttons: Sequence[Button], columns: int = 0, role: str = "body"
    ) -> ButtonGrid:
        """A grid of answers, the same one whenever the same is asked."""
        grid = self._grids.get((role, *key))
        if grid is None:
            grid = self._grids[role, *key] = ButtonGrid(self._touch, buttons, columns, role)
        else:
            grid.columns = columns
            grid.show(buttons)
        if grid.parent is not None:
            grid.parent.remove_widget(grid)
        return grid

    def _anew_button(self) -> PushButton:
        """What was answered before is shown first; the way to something else is one touch."""
        other = PushButton(text=_("Something else"), icon="edit", size_hint_y=None, height=target())
        other.bind(on_release=lambda *__: self._turn("anew"))
        return other

    def _turn(self, mode: str) -> None:
        self._mode = mode
        self._ask()

    def _list(self, step: StepView) -> Iterable[Widget]:
        yield self._presets_and(self._grid(self._view.fields, step.buttons))
        taken = BoxLayout(size_hint_y=None, height=target(), spacing=steps(0.5))
        for picked in step.picked[:_FEW]:
            taken.add_widget(_picked(self._touch, picked))
        if not step.picked:
            most = _("Up to {n}") if step.low != step.high else _("{n} in all")
            taken.add_widget(TextLabel(text=most.format(n=step.high), tone="soft"))
        taken.add_widget(self._done(step.done, _("Done")))
        yield taken

    def _counts(self, step: StepView) -> Iterable[Widget]:
        """Numbers that are proposed already, each to be counted up and down, and the way on."""
        if self._chips is None:
            self._chips = _Chips(self._touch)
        self._chips.show(step.chips)
        if self._chips.parent is not None:
            self._chips.parent.remove_widget(self._chips)
        yield _scrolled(self._chips)
        foot = BoxLayout(size_hint_y=None, height=target(), spacing=steps(1))
        foot.add_widget(Widget())
        foot.add_widget(self._done(step.done, _("Done")))
        yield foot

    def _done(self, id: str, text: str) -> TouchButton:
        done = TouchButton(self._touch, text=text, icon="check", kind="primary", size_hint_x=None, width=steps(20))
        done.touch_id = id
        done.why = "" if id else self._label.text
        return done

    # Words

    def _keyboard(self, text: str, done: Callable[[str], object]) -> Widget:
        keyboard = Keyboard(text=text, longest=_LONGEST_TEXT, may_be_empty=True)
        keyboard.bind(on_done=lambda _board, typed: done(typed))
        return _scrolled(keyboard)

    def _say(self, text: str) -> None:
        self._type(text)
        self._touch_later("done")

    def _touch_later(self, what: str) -> None:
        """Typing drew everything anew: the id to touch is the one of now."""
        from kivy.clock import Clock

        Clock.schedule_once(lambda *__: self._touch(getattr(self._view.now, what)), 0)

    # A thing of the box

    def _entry(self, step: StepView, entry: EntryView) -> Iterable[Widget]:
        if entry.naming:
            return [self._keyboard(entry.name, self._named)]
        if self._mode == "search":
            return [self._search(entry), self._modes(step, entry)]
        body = BoxLayout(spacing=steps(1.5))
        body.orientation = "horizontal" if self.width >= self.height else "vertical"
        if entry.known or self._view.presets:
            body.add_widget(self._known(entry))
        body.add_widget(_scrolled(self._sections(entry)))
        return [body, self._modes(step, entry)]

    def _known(self, entry: EntryView) -> Scroller:
        rows = column(spacing=steps(0.5))
        for title, buttons in ((_("As before"), self._view.presets), (_("Known"), entry.known[:_FEW])):
            if buttons:
                rows.add_widget(TextLabel(text=title, tone="soft", strong=True, grows=True))
                rows.add_widget(self._grid((title,), [_plain(one) for one in buttons]))
        shown = _scrolled(rows)
        if self.width >= self.height:
            shown.size_hint_x = _KNOWN_SHARE
        else:
            shown.size_hint_y = _KNOWN_SHARE
        return shown

    def _sections(self, entry: EntryView) -> BoxLayout:
        """The values to go on with, and the way to all others."""
        rows = column(spacing=steps(1))
        at = self._section_at(entry)
        if at < 0:
            chips = _Chips(self._touch)
            chips.show(entry.chips)
            rows.add_widget(chips)
        else:
            section = entry.sections[at]
            rows.add_widget(TextLabel(text=_heading(section), tone="soft", strong=True, grows=True))
            rows.add_widget(self._grid(("section", *section.fields), section.buttons, section.columns))
        rows.add_widget(self._ways(entry, at))
        return rows

    def _section_at(self, entry: EntryView) -> int:
        """Which values are shown: those asked for by hand, otherwise the next to be told. -1 is one by one."""
        if self._mode.lstrip("-").isdecimal():
            return int(self._mode)
        now = [at for at, section in enumerate(entry.sections) if section.now]
        return now[0] if now else len(entry.sections) - 1

    def _ways(self, entry: EntryView, here: int) -> BoxLayout:
        rows = column(spacing=steps(0.5))
        ways = [(at, _heading(section)) for at, section in enumerate(entry.sections)]
        if entry.chips:
            ways.append((-1, _("One by one")))
        for at, words in ways:
            if at != here:
                rows.add_widget(self._way(at, words))
        return rows

    def _way(self, at: int, words: str) -> PushButton:
        way = self._ways_on.get((at, words))
        if way is None:
            way = PushButton(text=words, icon="next", halign="left", size_hint_y=None, height=target())
            way.bind(on_release=lambda *__: self._turn(str(at)))
            self._ways_on[at, words] = way
        if way.parent is not None:
            way.parent.remove_widget(way)
        return way

    def _modes(self, step: StepView, entry: EntryView) -> BoxLayout:
        foot = BoxLayout(size_hint_y=None, height=target(), spacing=steps(1))
        if entry.known or self._mode:
            text = _("Back to the values") if self._mode == "search" else _("Search")
            search = PushButton(text=text, icon="search")
            search.bind(on_release=lambda *__: self._turn("" if self._mode == "search" else "search"))
            foot.add_widget(search)
        if entry.toggle_naming:
            naming = TouchButton(self._touch, text=entry.name or _("Name it"), icon="edit")
            naming.touch_id = entry.toggle_naming
            foot.add_widget(naming)
        if not foot.children:
            foot.add_widget(Widget())
        foot.add_widget(self._done(step.done, _("Done")))
        return foot

    def _search(self, entry: EntryView) -> SearchList:
        found = [Found(key=one.id, label=one.label) for one in entry.known]
        search = SearchList(items=found, empty=_("Nothing like that is known yet."))
        search.bind(on_pick=lambda _list, id: self._touch(id))
        return search

    def _named(self, name: str) -> None:
        self._type(name)
        from kivy.clock import Clock

        Clock.schedule_once(self._stop_naming, 0)

    def _stop_naming(self, *__: Any) -> None:
        if self._view.now.entry is not None:
            self._touch(self._view.now.entry.toggle_naming)


def _in_all(step: StepView) -> tuple[str, ...]:
    """How many are asked for, while some are picked: before that it stands where they will be."""
    return (_("{n} in all").format(n=step.high),) if step.picked and step.low == step.high else ()


def _heading(section: Section) -> str:
    return section.label[:1].upper() + section.label[1:]


def _role(step: StepView) -> str:
    return "large" if step.kind == "number" else "body"


def _plain(button: Button) -> Button:
    """A button by its words alone."""
    return Button(id=button.id, label=button.label, chosen=button.chosen)


def _scrolled(content: Widget) -> Scroller:
    scroller = Scroller()
    scroller.add_widget(content)
    return scroller


def _picked(touch: Touch, picked: Button) -> TouchButton:
    made = TouchButton(touch, icon="close", chosen=True)
    made.touch_id, made.text = picked.id, picked.label
    return made


class _Chips(GridLayout):
    """Several numbers, point by point."""

    def __init__(self, touch: Touch) -> None:
        super().__init__(size_hint_y=None, spacing=steps(1), cols=1)
        self._touch = touch
        self._widest = 0.0
        self.bind(minimum_height=self.setter("height"), width=self._shape)

    def show(self, chips: Sequence[FieldChip]) -> None:
        """Shows the numbers; boxes are used again while there are as many."""
        if len(self.children) != len(chips):
            self.clear_widgets()
            for _chip in chips:
                self.add_widget(CounterBox(self._touch, size_hint_y=None, height=target() * 1.25, role="large"))
        for box, chip in zip(reversed(self.children), chips, strict=True):
            box.touch_ids = (chip.minus, chip.plus)
            value = chip.value if isinstance(chip.value, int) else 0
            box.text, box.low, box.high = chip.label, value - bool(chip.minus), value + bool(chip.plus)
            box.become(value)
        self._widest = max((measured(chip.label, SANS, _small_px(), None)[0] for chip in chips), default=0.0)
        self._shape()

    def _shape(self, *__: Any) -> None:
        """As many side by side as leave every name room on two lines."""
        wide = max(steps(_CHIP_STEPS), 2 * target() + self._widest * _TWO_LINES)
        self.cols = max(1, int((self.width + steps(1)) // (wide + steps(1))))


def _small_px() -> int:
    return round(float(sp(SCALE_SP["small"])))


class _Pad(BoxLayout):
    """A number typed digit by digit."""

    def __init__(self, step: StepView, touch: Touch) -> None:
        super().__init__(spacing=steps(2))
        self.add_widget(TextLabel(text=step.typed, role="huge", strong=True, halign="center"))
        keys = GridLayout(cols=3, spacing=steps(0.5))
        found = {button.value: button for button in step.buttons}
        for digit in (1, 2, 3, 4, 5, 6, 7, 8, 9):
            keys.add_widget(_digit(touch, digit, found))
        keys.add_widget(_key(touch, "backspace", step.erase))
        keys.add_widget(_digit(touch, 0, found))
        keys.add_widget(_key(touch, "check", step.done, kind="primary"))
        self.add_widget(keys)
        self.bind(size=self._shape)

    def _shape(self, *__: Any) -> None:
        self.orientation = "horizontal" if self.width >= self.height else "vertical"


def _digit(touch: Touch, digit: int, found: dict[object, Button]) -> TouchButton:
    made = TouchButton(touch, text=str(digit), role="large")
    made.touch_id = found[digit].id if digit in found else ""
    made.why = "" if digit in found else _("There are not that many.")
    return made


def _key(touch: Touch, icon: str, id: str, kind: str = "plain") -> TouchButton:
    made = TouchButton(touch, icon=icon, kind=kind)
    made.touch_id = id
    made.why = "" if id else _("Nothing is typed yet.")
    return made
