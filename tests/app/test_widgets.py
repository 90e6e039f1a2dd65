"""Widgets in a real window: touched, held, dragged, turned, recoloured and looked at."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle
from kivy.metrics import Metrics
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.app import kivyenv, theme
from companion.app.widgets import look as look_module
from companion.app.widgets.buttons import HoldButton, PushButton, SegmentedChoice, Toggle
from companion.app.widgets.charts import Bar, BarChart, LineChart, Series, nice_ticks
from companion.app.widgets.drawing import icon_texture
from companion.app.widgets.keyboard import Keyboard
from companion.app.widgets.look import look, target
from companion.app.widgets.motion import drop_in, glide, slide
from companion.app.widgets.numbers import Counter, Dial, NumberPad
from companion.app.widgets.phases import PhaseStrip
from companion.app.widgets.pictures import IconView, SeatBadge, Shield
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.search import Found, SearchList, matching, next_letters
from companion.app.widgets.sheets import Sheet, Toast
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.turning import Rotated
from companion.app.widgets.words import TextLabel, measured
from companion.errors import Malformed
from tests.app.driver import FRAME_S, window_box

if TYPE_CHECKING:
    from tests.app.driver import Driver

_SYMBOLS = "äöüßéèçñøåłžšőÄÖÜ→←↑↓✓×−–—…·•★½°„“”’"  # noqa: RUF001
_UNASSIGNED = "\u0378"
LONG = "Donaudampfschifffahrtsgesellschaft und Kronleuchterreinigungsmittel für alle Himmelsrichtungen"


class Heard(list[Any]):
    """What a widget has told, in order."""

    def of(self, widget: Any, *events: str) -> Heard:
        for event in events:
            widget.bind(**{event: lambda _, *told, event=event: self.append((event, *told))})
        return self


def _fixed(widget: Any, width: float, height: float, at: tuple[float, float] = (100, 100)) -> Any:
    widget.size_hint, widget.size, widget.pos = (None, None), (width, height), at
    return widget


def _near(pixel: tuple[int, int, int], shade: theme.Colour) -> bool:
    return all(abs(part - want * 255) <= 4 for part, want in zip(pixel, shade[:3], strict=True))


# Text


@pytest.mark.parametrize("box", [(400, 120), (260, 60), (120, 63), (90, 40)])
def test_text_is_never_cut(drive: Driver, box: tuple[int, int]) -> None:
    label = drive.show(_fixed(TextLabel(text=LONG, role="large"), *box))
    width, height = measured(label.text, label.font_name, round(label.font_size), box[0])
    assert width <= box[0]
    assert height <= box[1]
    assert label.texture_size[1] <= box[1]


def test_text_keeps_its_size_where_there_is_room_and_says_when_it_got_too_small(drive: Driver) -> None:
    label = drive.show(_fixed(TextLabel(text="Comfort"), 200, 40))
    assert (label.font_size, label.shrunk) == (20, False)
    label.size = (30, 12)
    drive.frames(2)
    assert label.font_size < theme.SMALLEST_SP
    assert label.shrunk


def test_text_that_grows_is_as_high_as_it_needs(drive: Driver) -> None:
    label = drive.show(_fixed(TextLabel(text="The tower of North has come down. " * 4, grows=True), 200, 10))
    assert label.font_size == 20
    assert label.height > 100
    narrow = label.height
    label.width = 400
    drive.frames(2)
    assert label.height < narrow


def test_bigger_text_can_be_asked_for(drive: Driver) -> None:
    label = TextLabel(text="Comfort", role="body")
    Metrics.fontscale = 1.5
    drive.show(_fixed(label, 300, 80))
    assert label.font_size == 30


@pytest.mark.parametrize("font", [theme.SANS, theme.SANS_BOLD])
def test_figures_line_up(font: str) -> None:
    assert len({measured(figure * 10, font, 40, None)[0] for figure in "0123456789"}) == 1


@pytest.mark.usefixtures("drive")
@pytest.mark.parametrize("font", [theme.SANS, theme.SANS_BOLD])
def test_every_symbol_has_a_drawing(font: str) -> None:
    nothing = _drawn(_UNASSIGNED, font)
    assert [symbol for symbol in _SYMBOLS if _drawn(symbol, font) == nothing] == []


def _drawn(symbol: str, font: str) -> bytes:
    label = CoreLabel(text=symbol, font_name=font, font_size=40)
    label.refresh()
    return bytes(label.texture.pixels)


# Buttons


def test_a_button_tells_that_it_was_tapped(drive: Driver) -> None:
    button = drive.show(_fixed(PushButton(text="Build", icon="pillar"), 200, 63))
    heard = Heard().of(button, "on_press", "on_release")
    drive.tap("Build")
    assert heard == [("on_press",), ("on_release",)]


def test_a_finger_that_slides_away_takes_it_back(drive: Driver) -> None:
    button = drive.show(_fixed(PushButton(text="Build"), 200, 63))
    heard = Heard().of(button, "on_release")
    finger = drive.press(button)
    assert button.pressed
    finger.to(600, 400)
    assert not button.pressed
    finger.up()
    assert heard == []


def test_a_second_finger_is_not_a_second_tap(drive: Driver) -> None:
    button = drive.show(_fixed(PushButton(text="Build"), 200, 63))
    heard = Heard().of(button, "on_release")
    first, second = drive.press(button), drive.press(button)
    first.up()
    second.up()
    assert heard == [("on_release",)]


def test_a_button_that_is_off_looks_it_and_says_why(drive: Driver) -> None:
    button = drive.show(_fixed(PushButton(text="Build", why="Only in the Building Phase."), 200, 63))
    heard = Heard().of(button, "on_release", "on_reason")
    assert _near(drive.pixels().at(110, 480 - 110), theme.DARK.off)
    drive.tap(button)
    assert heard == [("on_reason", "Only in the Building Phase.")]
    button.why = ""
    drive.tap(button)
    assert heard[1:] == [("on_release",)]


def test_a_pressed_button_shows_it_within_a_frame(drive: Driver) -> None:
    button = drive.show(_fixed(PushButton(text="Build", kind="primary"), 200, 63))
    assert _near(drive.pixels().at(110, 480 - 110), theme.DARK.accent)
    finger = drive.press(button)
    drive.frames()
    assert _near(drive.pixels().at(110, 480 - 110), theme.DARK.accent_pressed)
    finger.up()


@pytest.mark.parametrize("kind", ["primary", "plain", "quiet"])
def test_buttons_follow_the_theme_at_once(drive: Driver, kind: str) -> None:
    button = drive.show(_fixed(PushButton(text="Build", note="for 3 coins", kind=kind), 200, 63))
    before = drive.pixels().rows
    look.theme = theme.LIGHT
    button.ground = "table"
    drive.frames(2)
    assert drive.pixels().rows != before


def test_held_buttons_count_only_when_held_long_enough(drive: Driver) -> None:
    button = drive.show(_fixed(HoldButton(text="Give up", icon="close"), 200, 63))
    heard = Heard().of(button, "on_held", "on_early", "on_release")
    drive.tap(button)
    assert heard == [("on_early",)]
    drive.hold(button, 0.7)
    assert heard == [("on_early",)] * 2
    drive.hold(button, 0.9)
    assert heard[2:] == [("on_held",)]


def test_the_ring_fills_while_it_is_held_and_empties_when_let_go(drive: Driver) -> None:
    button = drive.show(_fixed(HoldButton(text="Give up", icon="close"), 200, 80))
    assert drive.texts() == ["Give up"]
    still = drive.pixels().count(theme.DARK.on_danger, window_box(button))
    finger = drive.press(button)
    drive.advance(0.4)
    assert 0.4 < button.progress < 0.6
    lit = drive.pixels().count(theme.DARK.on_danger, window_box(button))
    drive.advance(0.3)
    assert drive.pixels().count(theme.DARK.on_danger, window_box(button)) > lit
    finger.up()
    drive.frames()
    assert button.progress == 0
    assert drive.pixels().count(theme.DARK.on_danger, window_box(button)) == still


def test_a_held_button_goes_by_the_clock_it_is_given(drive: Driver) -> None:
    seconds = iter(range(100))
    button = drive.show(_fixed(HoldButton(text="Give up", now=lambda: float(next(seconds))), 200, 63))
    heard = Heard().of(button, "on_held")
    finger = drive.press(button)
    drive.frames(2)
    assert heard == [("on_held",)]
    finger.up()


def test_a_switch_turns_over(drive: Driver) -> None:
    switch = drive.show(_fixed(Toggle(text="Sound"), 300, 63))
    heard = Heard().of(switch, "active")
    drive.tap(switch)
    drive.still()
    assert (heard, switch.knob) == ([("active", True)], 1.0)
    drive.tap(switch)
    assert not switch.active


def test_one_of_several_is_chosen(drive: Driver) -> None:
    choice = drive.show(_fixed(SegmentedChoice(options=[(1, "auto"), (2, "ask"), (3, "off")], value=2), 400, 63))
    heard = Heard().of(choice, "on_choice")
    drive.tap("off")
    assert (choice.value, heard) == (3, [("on_choice", 3)])
    assert [button.chosen for button in reversed(choice.children)] == [False, False, True]


# Numbers


def test_a_counter_tells_its_steps_and_leaves_counting_to_others(drive: Driver) -> None:
    counter = drive.show(_fixed(Counter(text="coins", value=4), 300, 100))
    heard = Heard().of(counter, "on_step")
    minus, plus = drive.find_all(PushButton)
    drive.tap(plus)
    drive.tap(minus)
    assert (heard, counter.value) == ([("on_step", 1), ("on_step", -1)], 4)


def test_a_counter_that_counts_stops_at_its_ends(drive: Driver) -> None:
    counter = drive.show(_fixed(Counter(value=1, high=2, self_counting=True), 300, 100))
    minus, plus = drive.find_all(PushButton)
    for _ in range(3):
        drive.tap(plus)
    assert counter.value == 2
    for _ in range(4):
        drive.tap(minus)
    assert counter.value == 0


def test_a_change_is_shown_for_five_seconds_and_adds_up(drive: Driver) -> None:
    counter = drive.show(_fixed(Counter(value=4), 300, 100))
    counter.value = 6
    drive.advance(3.0, step=0.1)
    counter.value = 7
    drive.advance(4.8, step=0.1)
    assert "+3" in drive.texts()
    drive.advance(0.4, step=0.1)
    assert "+3" not in drive.texts()
    counter.value = 5
    drive.frames(2)
    assert "\N{MINUS SIGN}2" in drive.texts()


def test_another_games_number_is_no_change(drive: Driver) -> None:
    counter = drive.show(_fixed(Counter(value=4), 300, 100))
    counter.become(9)
    drive.frames(2)
    assert (counter.change, drive.texts()) == (0, ["9"])


def test_a_side_of_a_counter_that_is_off_says_why(drive: Driver) -> None:
    counter = drive.show(_fixed(Counter(value=4, plus_reason="The bank is empty."), 300, 100))
    heard = Heard().of(counter, "on_step", "on_reason")
    drive.tap(drive.find_all(PushButton)[1])
    assert heard == [("on_reason", "The bank is empty.")]


@pytest.mark.parametrize("box", [(300, 80), (160, 160), (80, 220)])
def test_a_counter_fits_any_shape(drive: Driver, box: tuple[int, int]) -> None:
    drive.show(_fixed(Counter(text="coins", icon="coin", value=88), *box))
    assert drive.overlaps_and_cuts() == []


def test_a_dial_turns_to_its_value(drive: Driver) -> None:
    dial = drive.show(_fixed(Dial(text="Comfort", icon="comfort", value=0, high=20), 120, 150))
    dial.value = 10
    drive.frames(6)
    assert 0 < dial.turned < 0.5
    drive.still()
    assert dial.turned == pytest.approx(0.5)
    assert {"10", "+10", "Comfort"} <= set(drive.texts())


def test_a_number_is_typed(drive: Driver) -> None:
    pad = drive.show(_fixed(NumberPad(low=1, high=40), 300, 300))
    heard = Heard().of(pad, "on_done")
    for key in "17":
        drive.tap(key)
    assert pad.value == 17
    drive.tap("3")
    assert pad.value == 3
    drive.tap(drive.find(PushButton, where=lambda key: key.icon == "backspace"))
    assert pad.value is None
    done = drive.find(PushButton, where=lambda key: key.icon == "check")
    drive.tap(done)
    assert heard == []
    drive.tap("0")
    drive.tap(done)
    assert heard == []
    drive.tap("9")
    drive.tap(done)
    assert heard == [("on_done", 9)]


# Pictures


def test_an_icon_is_drawn_in_the_colour_of_its_ground(drive: Driver) -> None:
    icon = drive.show(_fixed(IconView(kind="battlement", ground="table"), 96, 96))
    assert drive.pixels().count(theme.DARK.chalk, window_box(icon)) > 500
    look.theme = theme.LIGHT
    drive.frames()
    assert drive.pixels().count(theme.LIGHT.chalk, window_box(icon)) > 500
    icon.tint = theme.DARK.danger
    drive.frames()
    assert drive.pixels().count(theme.DARK.danger, window_box(icon)) > 500


def test_an_unknown_icon_shows_nothing(drive: Driver) -> None:
    icon = drive.show(_fixed(IconView(kind="no such piece", ground="table"), 96, 96))
    assert drive.pixels().count(theme.DARK.chalk, window_box(icon)) == 0


@pytest.mark.usefixtures("drive")
def test_a_picture_is_drawn_once_per_size() -> None:
    assert icon_texture("king", 32) is icon_texture("king", 32)
    assert icon_texture("king", 32).size == (32, 32)


def test_a_badge_shows_colour_shape_and_name(drive: Driver) -> None:
    badge = drive.show(_fixed(SeatBadge(seat=4, name="North"), 200, 64))
    red = theme.seat(4)
    seen = drive.pixels()
    assert seen.count(red.field, window_box(badge)) > 300
    assert seen.count(red.charge, window_box(badge)) > 200
    assert drive.texts() == ["North"]
    badge.size = (80, 120)
    drive.frames(2)
    assert window_box(drive.find(Shield)).bottom > window_box(drive.find(TextLabel)).top - 1


def test_panels_show_whose_they_are_and_what_is_on(drive: Driver) -> None:
    panel = drive.show(_fixed(Panel(), 200, 100))
    assert _near(drive.pixels().at(200, 480 - 150), theme.DARK.panel)
    panel.stripe, panel.lit = theme.seat(0).field, True
    drive.frames(2)
    seen = drive.pixels()
    assert seen.count(theme.seat(0).field, window_box(panel)) > 500
    assert seen.count(theme.DARK.accent, window_box(panel), tolerance=12) > 100


# Phases


def test_the_phase_that_is_on_always_has_its_words(drive: Driver) -> None:
    phases = [(f"Phase number {at}", "past" if at < 8 else "now" if at == 8 else "ahead") for at in range(10)]
    drive.show(_fixed(PhaseStrip(phases=phases), 400, 40))
    assert "Phase number 8" in drive.texts()
    assert len(drive.texts()) < 10
    assert drive.overlaps_and_cuts() == []


def test_all_phases_have_their_words_where_there_is_room(drive: Driver) -> None:
    drive.show(_fixed(PhaseStrip(phases=[("Room", "past"), ("Build", "now"), ("Guests", "ahead")]), 500, 40))
    assert drive.texts() == ["Room", "Build", "Guests"]


# Lists


def _list(drive: Driver, rows: int = 30) -> tuple[Scroller, list[Any], Heard]:
    content, heard = column(), Heard()
    buttons = [PushButton(text=f"Row {at}", size_hint_y=None, height=64) for at in range(rows)]
    for button in buttons:
        button.bind(on_release=lambda row: heard.append(row.text))
        content.add_widget(button)
    scroller = _fixed(Scroller(), 300, 300)
    scroller.add_widget(content)
    return drive.show(scroller), buttons, heard


def test_a_row_answers_a_tap_at_once(drive: Driver) -> None:
    _, buttons, heard = _list(drive)
    finger = drive.press(buttons[1])
    assert buttons[1].pressed
    finger.up()
    assert heard == ["Row 1"]


def test_an_arrow_shows_where_there_is_more(drive: Driver) -> None:
    scroller, _, _ = _list(drive)
    for scroll, above, below in ((0, False, True), (200, True, True), (scroller.furthest, True, False)):
        scroller.go_to(scroll)
        drive.frames(2)
        assert (scroller.more_above, scroller.more_below) == (above, below)
        shown = [edge._arrow.size != (0, 0) and edge._arrow.texture is not None for edge in _edges(scroller)]
        assert shown == [above, below]


def test_an_arrow_is_painted_over_the_last_row(drive: Driver) -> None:
    scroller, _, _ = _list(drive)
    drive.frames(2)
    with_arrow = drive.pixels()
    _edges(scroller)[1].place(0, 0, 0, 1, None, theme.DARK.ink)
    drive.frames(1)
    bare = drive.pixels()
    low = range(int(bare.height - scroller.y) - 30, int(bare.height - scroller.y))
    changed = [row for row in range(bare.height) if with_arrow.rows[row] != bare.rows[row]]
    assert changed
    assert set(changed) <= set(low)


def _edges(scroller: Scroller) -> tuple[Any, Any]:
    return scroller._above, scroller._below


def test_a_drag_scrolls_and_presses_nothing(drive: Driver) -> None:
    scroller, buttons, heard = _list(drive)
    drive.drag((250, 150), (250, 350), seconds=0.5)
    assert scroller.scroll > 150
    assert heard == []
    assert not any(button.pressed for button in buttons)


def test_a_flick_glides_on_and_a_touch_stops_it(drive: Driver) -> None:
    scroller, _, heard = _list(drive)
    drive.drag((250, 150), (250, 350), seconds=0.1)
    lifted = scroller.scroll
    drive.advance(0.3)
    assert scroller.scroll > lifted + 100
    drive.tap((250, 250))
    stopped = scroller.scroll
    drive.advance(0.3)
    assert scroller.scroll == stopped
    assert heard == []


def test_without_motion_a_list_stays_where_it_is_let_go(drive: Driver) -> None:
    look.motion = False
    scroller, _, _ = _list(drive)
    drive.drag((250, 150), (250, 350), seconds=0.1)
    lifted = scroller.scroll
    drive.advance(0.3)
    assert scroller.scroll == lifted


def test_scrolled_rows_are_where_they_look(drive: Driver) -> None:
    scroller, buttons, heard = _list(drive)
    scroller.reveal(buttons[20])
    drive.frames(2)
    drive.tap(buttons[20])
    assert heard == ["Row 20"]
    scroller.go_to(10**6)
    drive.frames(2)
    assert scroller.scroll == scroller.furthest
    drive.tap(buttons[29])
    assert heard == ["Row 20", "Row 29"]


def test_what_is_scrolled_out_of_sight_cannot_be_touched(drive: Driver) -> None:
    scroller, buttons, heard = _list(drive)
    drive.tap((250, 450))
    drive.tap((250, 50))
    assert heard == []
    assert window_box(buttons[29]).top < scroller.y


_WORDS = {"Great Hall": "comfort 2", "Küche": "food 1", "Green Room": "defence 3", "Library": "", "Hall of Gold": ""}
ROOMS = [Found(key=name, label=name, note="comfort 2", icon="room", words=words) for name, words in _WORDS.items()]


def test_search_finds_by_beginnings_of_words_and_forgives_marks() -> None:
    assert [room.label for room in matching(ROOMS, "h")] == ["Hall of Gold", "Great Hall"]
    assert [room.label for room in matching(ROOMS, "ku")] == ["Küche"]
    assert [room.label for room in matching(ROOMS, "def")] == ["Green Room"]
    assert [room.label for room in matching(ROOMS, "")] == [room.label for room in ROOMS]
    assert matching(ROOMS, "xyz") == []


def test_only_letters_that_find_something_are_offered() -> None:
    assert next_letters(ROOMS, "gre") == {"a", "e"}
    assert next_letters(ROOMS, "xyz") == set()


def test_a_room_is_found_in_two_touches(drive: Driver) -> None:
    listing = drive.show(SearchList(items=ROOMS, empty="Nothing of that name."))
    heard = Heard().of(listing, "on_pick")
    drive.tap("L")
    drive.tap("Library")
    assert heard == [("on_pick", "Library")]
    assert "Great Hall" not in drive.texts()


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_the_search_fits_wide_and_tall_screens(drive: Driver, size: tuple[int, int]) -> None:
    drive.show(SearchList(items=ROOMS * 6), size)
    drive.still()
    assert drive.overlaps_and_cuts() == []


def test_an_empty_search_says_so(drive: Driver) -> None:
    drive.show(SearchList(items=[], empty="Nothing of that name."))
    assert "Nothing of that name." in drive.texts()


# Over the screen


def _screen(drive: Driver) -> tuple[FloatLayout, Heard]:
    host = FloatLayout()
    button = PushButton(text="Below", size_hint=(None, None), size=(200, 64), pos=(300, 400))
    host.add_widget(button)
    drive.show(host)
    return host, Heard().of(button, "on_release")


def test_a_sheet_takes_every_touch_until_it_is_closed(drive: Driver) -> None:
    host, below = _screen(drive)
    action = PushButton(text="Yes", kind="primary")
    sheet = Sheet(title="Sure?", body=TextLabel(text="Really?", grows=True), actions=[action], dismissable=False)
    heard = Heard().of(sheet, "on_close").of(action, "on_release")
    sheet.open(host)
    drive.still()
    drive.tap("Below")
    assert below == []
    drive.tap("Yes")
    sheet.close()
    drive.still()
    assert heard == [("on_release",), ("on_close",)]
    assert sheet.parent is None
    drive.tap("Below")
    assert below == [("on_release",)]


def test_a_touch_outside_closes_a_sheet_that_lets_it(drive: Driver) -> None:
    host, below = _screen(drive)
    sheet = Sheet(title="Rule", body=TextLabel(text="Words.", grows=True))
    heard = Heard().of(sheet, "on_close")
    sheet.open(host)
    drive.still()
    assert window_box(sheet.panel).bottom == 0
    drive.tap("Below")
    drive.still()
    assert (below, heard, sheet.parent) == ([], [("on_close",)], None)


def test_a_sheet_too_high_for_the_screen_scrolls(drive: Driver) -> None:
    host, _ = _screen(drive)
    body = TextLabel(text=f"{LONG} " * 20, grows=True)
    Sheet(title="Rule", body=body, placement="centre").open(host)
    drive.still()
    assert drive.find(Scroller).furthest > 100
    assert drive.overlaps_and_cuts() == []


def test_a_toast_offers_undo_and_goes_by_itself(drive: Driver) -> None:
    host, _ = _screen(drive)
    toast = Toast(text="North built a pillar.", action_text="Undo")
    heard = Heard().of(toast, "on_action")
    toast.show(host)
    drive.still()
    assert drive.overlaps_and_cuts() == []
    drive.tap("Undo")
    assert (heard, toast.parent) == ([("on_action",)], None)
    other = Toast(text="East drew a card.")
    other.show(host)
    drive.advance(5.5, step=0.1)
    assert other.parent is host
    drive.advance(1.0, step=0.1)
    assert other.parent is None


def test_a_newer_toast_takes_the_place_of_the_older(drive: Driver) -> None:
    host, _ = _screen(drive)
    for text in ("First.", "Second."):
        Toast(text=text).show(host)
    drive.still()
    assert [text for text in drive.texts() if text.endswith(".")] == ["Second."]


# Typing


def _type(drive: Driver, keys: str) -> None:
    for key in keys:
        drive.tap(drive.find(PushButton, where=lambda button, key=key: getattr(button, "key", "") == key))


def test_a_name_is_typed_with_a_capital(drive: Driver) -> None:
    keyboard = drive.show(Keyboard(hint="Name"))
    heard = Heard().of(keyboard, "on_done")
    _type(drive, "nord")
    assert keyboard.text == "Nord"
    drive.tap(drive.find(PushButton, where=lambda key: key.icon == "space"))
    _type(drive, "ü")
    drive.tap(drive.find(PushButton, where=lambda key: key.icon == "check"))
    assert heard == [("on_done", "Nord Ü")]


def test_accents_and_digits_are_a_touch_away(drive: Driver) -> None:
    keyboard = drive.show(Keyboard(text="No"))
    drive.tap("áö")
    _type(drive, "é")
    assert (keyboard.text, keyboard.page) == ("Noé", "letters")
    drive.tap("áö")
    drive.tap("ąč")
    _type(drive, "ž")
    drive.tap("123")
    _type(drive, "7")
    assert keyboard.text == "Noéž7"


def test_a_name_has_an_end_and_can_be_taken_back(drive: Driver) -> None:
    keyboard = drive.show(Keyboard(longest=3))
    _type(drive, "west")
    assert keyboard.text == "Wes"
    drive.tap(drive.find(PushButton, where=lambda key: key.icon == "backspace"))
    assert keyboard.text == "We"


def test_an_empty_name_cannot_be_done(drive: Driver) -> None:
    keyboard = drive.show(Keyboard())
    heard = Heard().of(keyboard, "on_done")
    drive.tap(drive.find(PushButton, where=lambda key: key.icon == "check"))
    assert heard == []


@pytest.mark.parametrize("layout", ["qwerty", "qwertz", "azerty"])
@pytest.mark.parametrize("page", ["letters", "digits", "accents", "more accents"])
@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_every_key_is_big_enough(drive: Driver, layout: str, page: str, size: tuple[int, int]) -> None:
    drive.show(Keyboard(layout=layout, page=page), size)
    assert drive.overlaps_and_cuts() == []


def test_real_keys_work_only_while_it_is_there(drive: Driver) -> None:
    from kivy.core.window import Window

    keyboard = drive.show(Keyboard())
    Window.dispatch("on_textinput", "a")
    Window.dispatch("on_key_down", 8, 0, None, [])
    Window.dispatch("on_textinput", "b")
    assert keyboard.text == "b"
    keyboard.parent.remove_widget(keyboard)
    Window.dispatch("on_textinput", "c")
    assert keyboard.text == "b"


# Turned


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_what_is_turned_is_touched_where_it_is_seen(drive: Driver, angle: int) -> None:
    row = BoxLayout()
    buttons = [PushButton(text=name) for name in ("one", "two", "three")]
    for button in buttons:
        row.add_widget(button)
    turned = _fixed(Rotated(angle=angle), 300, 300)
    turned.add_widget(row)
    drive.show(turned)
    heard = Heard()
    for button in buttons:
        button.bind(on_release=lambda pressed: heard.append(pressed.text))
        drive.tap(button)
    assert heard == ["one", "two", "three"]
    seen = drive.pixels()
    buttons[0].kind = "danger"
    drive.frames(2)
    changed = window_box(buttons[0])
    assert drive.pixels().count(theme.DARK.danger, changed) > seen.count(theme.DARK.danger, changed) + 5000


def test_the_far_sides_first_button_is_at_our_right(drive: Driver) -> None:
    turned, first = _fixed(Rotated(angle=180), 300, 100), PushButton(text="one")
    row = BoxLayout()
    row.add_widget(first)
    row.add_widget(PushButton(text="two"))
    turned.add_widget(row)
    drive.show(turned)
    assert window_box(first).left == pytest.approx(250, abs=3)


def test_a_turned_list_scrolls_its_own_way(drive: Driver) -> None:
    content = column()
    for at in range(20):
        content.add_widget(PushButton(text=f"Row {at}", size_hint_y=None, height=64))
    scroller, turned = Scroller(), _fixed(Rotated(angle=180), 300, 300)
    scroller.add_widget(content)
    turned.add_widget(scroller)
    drive.show(turned)
    drive.drag((250, 350), (250, 150), seconds=0.5)
    assert scroller.scroll > 150


# Charts


def test_ticks_are_round_numbers() -> None:
    assert nice_ticks(0, 47) == [0, 10, 20, 30, 40, 50]
    assert nice_ticks(-8, 3) == [-10, -5, 0, 5]
    assert nice_ticks(0, 1) == [0, 1]


def test_lines_are_drawn_in_their_seats_colours(drive: Driver) -> None:
    series = [Series(seat=at, points=((0, 0), (1, 10 + 20 * at))) for at in range(3)]
    chart = drive.show(_fixed(LineChart(series=series, ground="table"), 400, 300))
    for at in range(3):
        assert drive.pixels().count(theme.seat(at).field, window_box(chart), tolerance=20) > 200
    assert "0" in drive.texts()
    chart.series = []
    drive.frames(2)
    assert drive.texts() == []


def test_bars_grow_to_their_length(drive: Driver) -> None:
    chart = drive.show(_fixed(BarChart(bars=[Bar(label="North", value=10, seat=0)]), 400, 100))
    drive.still()
    long = drive.pixels().count(theme.seat(0).field, window_box(chart))
    chart.longest = 20
    drive.frames(2)
    short = drive.pixels().count(theme.seat(0).field, window_box(chart))
    assert short < long * 0.75
    assert drive.texts() == ["North", "10"]


# Motion


def test_things_glide_and_arrive(drive: Driver) -> None:
    widget, heard = _fixed(Widget(), 50, 50), Heard()
    drive.show(widget)
    glide(widget, done=lambda: heard.append("there"), x=300)
    drive.frames(3)
    assert 100 < widget.x < 300
    drive.advance(0.25)
    assert (widget.x, heard) == (300, ["there"])


def test_motion_is_never_in_the_way(drive: Driver) -> None:
    widget = drive.show(_fixed(Widget(), 50, 50))
    glide(widget, seconds=5.0, x=300)
    drive.advance(0.25 + 2 * FRAME_S)
    assert widget.x == 300


def test_without_motion_things_are_there_at_once(drive: Driver) -> None:
    look.motion = False
    widget, heard = drive.show(_fixed(Widget(), 50, 50)), Heard()
    drop_in(widget, (10, 20))
    assert tuple(widget.pos) == (10, 20)
    slide(widget, (0, 0), (200, 100), done=lambda: heard.append("there"))
    assert (tuple(widget.pos), heard) == ((200, 100), ["there"])


# The whole


def test_widgets_that_are_gone_leave_nothing_behind(drive: Driver) -> None:
    host = drive.show(FloatLayout())
    gc.collect()
    followed = len(look_module._followers)
    made = [PushButton(text="Build", icon="pillar"), Counter(value=3), Dial(value=2), SeatBadge(name="North"), Toggle()]
    gone = [weakref.ref(widget) for widget in made]
    for widget in made:
        host.add_widget(widget)
    drive.frames(2)
    host.clear_widgets()
    del made, widget
    drive.frames(2)
    gc.collect()
    assert [reference() for reference in gone if reference() is not None] == []
    assert len(look_module._followers) <= followed


def test_the_checker_sees_what_is_wrong(drive: Driver) -> None:
    host = FloatLayout()
    for button in (
        _fixed(PushButton(text="small"), 40, 63, at=(10, 10)),
        _fixed(PushButton(text="one"), 100, 63, at=(300, 100)),
        _fixed(PushButton(text="two"), 100, 63, at=(380, 120)),
        _fixed(PushButton(text="out"), 100, 63, at=(750, 300)),
        _fixed(TextLabel(text=LONG), 60, 20, at=(10, 400)),
        _fixed(Label(text="a label of Kivy's own that is too long", font_size=20), 60, 20, at=(200, 400)),
    ):
        host.add_widget(button)
    drive.show(host)
    faults = " | ".join(drive.overlaps_and_cuts())
    for fault in (
        "PushButton 'small' is 40 px across",
        "'one' and PushButton 'two' overlap",
        "'out' sticks out of the window",
        "had to shrink",
        "Label 'a label of Kivy's own that is too long' is cut",
    ):
        assert fault in faults


def test_a_good_layout_has_no_faults(drive: Driver) -> None:
    row = BoxLayout(size_hint=(1, None), height=target())
    for text in ("Build", "Buy", "Rest"):
        row.add_widget(PushButton(text=text))
    drive.show(row)
    assert drive.overlaps_and_cuts() == []


def test_a_screenshot_is_a_picture_of_the_window(drive: Driver, tmp_path: Path) -> None:
    host = FloatLayout()
    with host.canvas:
        Color(1, 0, 0, 1)
        Rectangle(pos=(0, 0), size=(100, 50))
    drive.show(host, (640, 400))
    drive.screenshot(tmp_path / "shots" / "window.png")
    assert (tmp_path / "shots" / "window.png").read_bytes()[16:24] == (640).to_bytes(4, "big") + (400).to_bytes(
        4, "big"
    )
    seen = drive.pixels()
    assert (seen.at(10, 390), seen.at(10, 10)) == ((255, 0, 0), (0, 0, 0))


def test_waiting_in_vain_fails(drive: Driver) -> None:
    drive.show(Widget())
    with pytest.raises(AssertionError, match="in vain for a miracle"):
        drive.until(lambda: False, "a miracle")


# Setting Kivy up


def test_one_way_in_for_fingers_and_none_of_kivys_files() -> None:
    from kivy.config import Config

    assert Config.options("input") == ["mouse"]
    assert Config.get("graphics", "multisamples") == "0"
    assert Config.get("kivy", "exit_on_escape") == "0"


def test_the_window_is_prepared_once() -> None:
    with pytest.raises(RuntimeError, match="already"):
        kivyenv.prepare()


def test_size_and_density_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kivyenv.SIZE_VARIABLE, "1280x720")
    monkeypatch.setenv(kivyenv.DENSITY_VARIABLE, "1.5")
    window = kivyenv.window_from_environment()
    assert (window.width, window.height, window.density) == (1280, 720, 1.5)


@pytest.mark.parametrize(
    ("name", "text"), [("COMPANION_SIZE", "big"), ("COMPANION_SIZE", "0x5"), ("COMPANION_DENSITY", "9")]
)
def test_garbage_in_the_environment_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(Malformed, match=name):
        kivyenv.window_from_environment()
