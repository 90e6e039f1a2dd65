"""The call: something fell. Whose it is, the fall in slow motion over its force, and the answers as large buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.floatlayout import FloatLayout
from msgspec import Struct

from companion.app.darkroom import Darkroom
from companion.app.models.call import AnswerView, CallModel
from companion.app.screens.moves import TouchButton
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.film import Film
from companion.app.widgets.look import colours, follow, lazily, look, seat_look, steps, target
from companion.app.widgets.motion import glide
from companion.app.widgets.pictures import IconView, Shield
from companion.app.widgets.sheets import Toast
from companion.app.widgets.tags import Tag
from companion.app.widgets.trace import Trace
from companion.app.widgets.words import TextLabel
from companion.app.words import _

_BAND_STEPS = 12
_BAND_SHARE = 0.15
_ROOMY_STEPS = 150
_TALL_BAND_STEPS = 18
"""Where the screen stands, words have less width and more height."""
_NAME_SHARE, _TALL_NAME_SHARE = 0.56, 0.5
_TALL_ROW = 2.0
_FLASH = 0.9
_FLASH_S = 0.25
_TRACE_SHARE = 0.22
_PICTURE_SHAPE = 4 / 3
_WIDEST_LEFT = 0.56
_ICONS = {"book": "crumble", "correct": "crumble", "exempt": "dragon", "reject": "close"}


class CallDoings(Struct, frozen=True, kw_only=True):
    """What can be done with a call: answer it, keep what was seen with the game, report that it is wrong."""

    answer: Callable[[str], object]
    keep: Callable[[], object]
    report: Callable[[], object]


class CallCover(FloatLayout):
    """Lies over whatever is shown until it is answered. A touch that was meant for what was there before does nothing.

    `flash` is the strength of the light in the seat's colour that it comes up with.
    """

    modal = True
    dismissable = False
    flash = NumericProperty(0.0)

    def __init__(self, model: CallModel, do: CallDoings) -> None:
        super().__init__()
        self.model = model
        self._do = do
        self._shot = -1
        self._wanted = -1
        self._darkroom: Darkroom | None = None
        self._paint_ground()
        self._make_head()
        self._make_replay()
        self._make_answers()
        self._arranged = lazily(self._arrange, "pos", "size")
        lazily(self._draw_flash, "pos", "size", "flash")
        follow(self._arrange)

    # Coming and going

    def open(self, *, flashing: bool = True) -> None:
        """Comes up at once, with a flash where things may move."""
        self._load()
        self._show()
        for button in (*self._answers, self._again):
            button.take_the_place()
        if look.motion and flashing:
            self.flash = _FLASH
            glide(self, seconds=_FLASH_S, flash=0.0)
        Clock.schedule_interval(self._tick, 0)

    def close(self) -> None:
        """Lets go of all it holds."""
        Clock.unschedule(self._tick)
        if self._darkroom is not None:
            self._darkroom.close()
            self._darkroom = None

    def _load(self) -> None:
        frames = [picture for _t_us, picture in self.model.replay.footage.frames]
        if frames and self._darkroom is None:
            self._darkroom = Darkroom(frames)
        elif self._darkroom is not None:
            self._darkroom.load(frames)

    # Making

    def _paint_ground(self) -> None:
        with self.canvas.before:
            self._ground_shade = Color(0, 0, 0, 1)
            self._ground = Rectangle()
            self._band_shade = Color(0, 0, 0, 1)
            self._band = Rectangle()
        with self.canvas.after:
            self._flash_shade = Color(0, 0, 0, 0)
            self._flash_box = Rectangle()

    def _make_head(self) -> None:
        self._shield = Shield(seat=self.model.seat, size_hint=(None, None))
        self._name = TextLabel(text=self.model.name, role="number", serif=True, valign="bottom")
        self._title = TextLabel(text=self.model.text, strong=True, valign="top")
        self._keep = _quiet("export", _("Save"), self._do.keep, "keep")
        self._report = _quiet("flag", _("Report"), self._do.report, "report")
        for part in (self._shield, self._name, self._title, self._keep, self._report):
            part.size_hint = (None, None)
            self.add_widget(part)

    def _make_replay(self) -> None:
        self.film = Film(size_hint=(None, None))
        self.film.bind(on_scrub=self._scrub, on_tap=lambda *__: self._turn_over())
        self._stopped = IconView(kind="play", ground="table", size_hint=(None, None), opacity=0)
        self.film.add_widget(self._stopped)
        self.trace = Trace(unit="g", note=_("Contact"), size_hint=(None, None))
        self.trace.bind(on_scrub=self._scrub)
        self._time, self._by = Tag(), Tag()
        self._nothing = TextLabel(
            text=_("Neither a picture nor a force was kept of this fall. Decide by what lies on the board."),
            role="large", tone="soft", ground="table", halign="center", size_hint=(None, None),
        )  # fmt: skip
        for part in (self.film, self.trace, self._time, self._by, self._nothing):
            self.add_widget(part)

    def _make_answers(self) -> None:
        self._answers = [self._answer_button(answer) for answer in self.model.answers]
        self._again = TouchButton(lambda __: self.play_again(), text=_("Watch again"), icon="history", touch_id="again")
        self._pause = PushButton(icon="pause")
        self._pause.name = "pause"
        self._pause.bind(on_release=lambda *__: self._turn_over())
        for button in (*self._answers, self._again, self._pause):
            button.size_hint = (None, None)
            self.add_widget(button)

    def _answer_button(self, answer: AnswerView) -> TouchButton:
        made = TouchButton(self._do.answer, text=answer.label, icon=_ICONS.get(answer.weight, ""), touch_id=answer.id)
        made.kind = "primary" if answer.primary else "plain"
        made.role = "large" if answer.primary else "body"
        made.name = f"answer {answer.weight}"
        return made

    # Playing

    def _tick(self, seconds: float) -> None:
        whole = self.model.whole
        moved = self.model.tick(seconds)
        if self.model.whole and not whole:
            self._load()
            self._arranged()
        if moved:
            self._show()
        self._develop()

    def _develop(self) -> None:
        """A picture that is wanted comes when it is developed; until then the one before stays."""
        if self._darkroom is None:
            return
        frame = self.model.replay.frame
        if frame is not None and frame not in (self._shot, self._wanted):
            self._wanted = frame
            self._darkroom.want(frame)
        ready = self._darkroom.take()
        if ready is not None:
            first, self._shot = self._shot < 0, ready.number
            self.film.show(ready.width, ready.height, ready.pixels)
            if first:
                self._zoom()

    def _zoom(self) -> None:
        """The board that it is about, as large as it fits; the picture does not swim while it plays."""
        if not self.film.empty:
            self.film.view = self.model.view(self.film.wide, (self.film.width, self.film.height))

    def _show(self) -> None:
        replay = self.model.replay
        self.trace.at = replay.share
        self._hang_tags()
        self._pause.icon = "pause" if replay.playing else "play"
        self._stopped.opacity = 0 if replay.playing else 0.85

    def _hang_tags(self) -> None:
        """The moment in one corner of what is watched, who says so in another."""
        shown = self.model.shown
        self._time.opacity = self._by.opacity = 0 if shown == "nothing" else 1
        x, y, width, height = (*self.trace.pos, *self.trace.size) if shown == "trace" else self.film.box
        gap = steps(0.5)
        high = y + height - gap if shown == "trace" else y + gap
        self._time.hang(told_time(self.model.replay.after_ms), (x + width - gap, high), True, shown == "trace")
        self._by.hang(self.model.by, (x + gap, y + height - gap), False, True)

    def _scrub(self, __: Any, share: float) -> None:
        self.model.replay.scrub(share)
        self._show()

    def _turn_over(self) -> None:
        self.model.replay.turn_over()
        self._show()

    def play_again(self) -> None:
        """From shortly before the contact, in slow motion."""
        self.model.replay.again()
        self._show()

    def say(self, text: str) -> None:
        """Say one sentence at the foot."""
        if text:
            Toast(text=text).show(self)

    def escape(self) -> None:
        """A call is answered, not closed: Escape stops the replay or lets it go on."""
        self._turn_over()

    # Where things go

    def _arrange(self, *__: Any) -> None:
        theme, seat = colours(), seat_look(self.model.seat)
        self._ground_shade.rgba, self._band_shade.rgba = theme.table, seat.field
        self._ground.pos, self._ground.size = self.pos, self.size
        least = _BAND_STEPS if self.width >= self.height else _TALL_BAND_STEPS
        band = max(steps(least), min(self.size) * _BAND_SHARE)
        self._band.pos, self._band.size = (self.x, self.top - band), (self.width, band)
        self._arrange_head(self.top - band, band)
        pad, gap = steps(2), steps(1)
        room = (self.x + pad, self.y + pad, self.width - 2 * pad, self.height - band - 2 * pad)
        if self.width >= self.height:
            self._beside(*room, gap)
        else:
            self._below(*room, gap)
        self._zoom()
        self._draw_trace()
        self._show()

    def _arrange_head(self, low: float, band: float) -> None:
        seat, pad = seat_look(self.model.seat), steps(2)
        side = min(band - 2 * steps(1), steps(_BAND_STEPS))
        self._shield.pos, self._shield.size = (self.x + pad, low + (band - side) / 2), (side, side)
        right = self.right - pad
        for button in (self._report, self._keep):
            wide = max(target(), button.ideal_width())
            button.pos, button.size = (right - wide, low + (band - target()) / 2), (wide, target())
            button.tinted(seat.charge)
            right -= wide + steps(1)
        roomy = self.width >= steps(_ROOMY_STEPS)
        self._name.role, self._title.role = ("huge", "large") if roomy else ("number", "body")
        left = self.x + pad + side + pad
        name = band * (_NAME_SHARE if self.width >= self.height else _TALL_NAME_SHARE)
        rest = band - name - steps(0.5)
        for label, bottom, tall in ((self._name, low + band - name, name), (self._title, low + steps(0.5), rest)):
            label.pos, label.size, label.tint = (left, bottom), (right - left, tall), seat.charge

    def _beside(self, x: float, y: float, width: float, height: float, gap: float) -> None:
        """The replay at the left, the answers at the right."""
        trace = height * _TRACE_SHARE if self.model.shown == "both" else 0.0
        wide = min(width * _WIDEST_LEFT, (height - (trace + gap if trace else 0)) * _PICTURE_SHAPE)
        if self.model.shown in ("trace", "nothing"):
            wide = width * _WIDEST_LEFT
        self._place_replay(x, y, wide, height, gap)
        self._place_answers(x + wide + 2 * gap, y, width - wide - 2 * gap, height, gap)

    def _below(self, x: float, y: float, width: float, height: float, gap: float) -> None:
        """The replay on top, the answers under it."""
        rows = self._rows()
        answers = sum(self._row_height(row) for row in rows) + gap * (len(rows) - 1)
        replay = max(height * 0.4, min(height - answers - 2 * gap, width / _PICTURE_SHAPE * 1.3))
        self._place_replay(x, y + height - replay, width, replay, gap)
        self._place_answers(x, y, width, height - replay - 2 * gap, gap)

    def _place_replay(self, x: float, y: float, width: float, height: float, gap: float) -> None:
        shown = self.model.shown
        trace = {"both": height * _TRACE_SHARE, "trace": height}.get(shown, 0.0)
        film = {"both": height - trace - gap, "picture": height}.get(shown, 0.0)
        for part, low, tall in ((self.trace, y, trace), (self.film, y + height - film, film)):
            part.pos, part.size, part.opacity = (x, low), (width, tall), 1 if tall else 0
            part.scrubs = bool(tall)
        self._nothing.pos, self._nothing.size = (x, y), (width, height)
        self._nothing.opacity = 1 if shown == "nothing" else 0
        side = min(film * 0.3, steps(10))
        self._stopped.size, self._stopped.pos = (side, side), (x + (width - side) / 2, y + height - film / 2 - side / 2)

    def _rows(self) -> list[list[Any]]:
        """The buttons, row by row: the likeliest answer by itself, the others two and two, the replay's last."""
        first = [button for button in self._answers if button.kind == "primary"][:1] or self._answers[:1]
        others = [button for button in self._answers if button not in first]
        pairs: list[list[Any]] = [others[at : at + 2] for at in range(0, len(others), 2)]
        playing = [] if self.model.shown == "nothing" else [[self._pause, self._again]]
        return [first, *pairs, *playing] if first else [*pairs, *playing]

    def _row_height(self, row: Sequence[Any]) -> float:
        return target() * (1.6 if row and row[0].kind == "primary" else 1.0)

    def _place_answers(self, x: float, y: float, width: float, height: float, gap: float) -> None:
        rows = self._rows()
        shown = [button for row in rows for button in row]
        for button in (self._pause, self._again):
            button.opacity, button.disabled = (1, False) if button in shown else (0, True)
        spare = height - sum(self._row_height(row) for row in rows) - gap * (len(rows) - 1)
        grow = max(0.0, spare) / len(rows) if rows else 0.0
        top = y + height
        for row in rows:
            tall = self._row_height(row) + grow
            _side_by_side(row, x, top - tall, width, tall, gap)
            for button in row:
                button.role = "large" if button.kind == "primary" or tall > _TALL_ROW * target() else "body"
            top -= tall + gap

    # Drawing

    def _draw_trace(self) -> None:
        replay = self.model.replay
        self.trace.points = [(replay.share_of(t_us), grams) for t_us, grams in replay.footage.trace]
        self.trace.contact = replay.contact_share
        self.trace.tint = seat_look(self.model.seat).field

    def _draw_flash(self, *__: Any) -> None:
        """Light that is not seen takes as long to draw as light that is: then there is none."""
        self._flash_shade.rgba = (*seat_look(self.model.seat).field[:3], self.flash)
        self._flash_box.pos, self._flash_box.size = self.pos, self.size if self.flash else (0, 0)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True


class _Tinted(PushButton):
    """A quiet button whose words have a colour of their own."""

    def tinted(self, shade: Any) -> None:
        self._shade = shade
        self._paint()

    def _colours(self, theme: Any) -> Any:
        fill, edge, words = super()._colours(theme)
        return fill, edge, getattr(self, "_shade", words)


def _quiet(icon: str, text: str, does: Callable[[], object], name: str) -> _Tinted:
    made = _Tinted(text=text, icon=icon, kind="quiet", ground="table")
    made.name = name
    made.bind(on_release=lambda *__: does())
    return made


def _side_by_side(row: Sequence[Any], x: float, y: float, width: float, height: float, gap: float) -> None:
    """The last takes what is left; a button with nothing but an icon is a square."""
    square = [button for button in row if not button.text]
    narrow = max(target(), min(height, dp(80)))
    wide = (width - len(square) * narrow - gap * (len(row) - 1)) / max(1, len(row) - len(square))
    for button in row:
        own = narrow if button in square else wide
        button.pos, button.size = (x, y), (own, height)
        x += own + gap


def told_time(after_ms: int) -> str:
    """How long before or after the contact.

    >>> told_time(-120), told_time(40)
    ('-0.12 s', '+0.04 s')
    """
    return f"{'-' if after_ms < 0 else '+'}{abs(after_ms) / 1000:.2f} s"
