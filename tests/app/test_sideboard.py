"""What stands beside the screen: buttons that act on the table, lights for whose turn it is, sounds and speech."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app import demo, shell, words
from companion.app.models.settings import Settings
from companion.app.screens.centre import asked
from companion.app.sideboard import Sideboard
from companion.app.theme import seat as seat_look
from companion.app.widgets.look import colours
from companion.app.widgets.sheets import Toast
from companion.app.words import speaking
from companion.devices.panel import OffPanel, SimPanel
from companion.devices.sound import RecordingPlayer, SilentPlayer
from companion.devices.speech import RecordingVoice, SilentVoice
from companion.rules.base import Setup
from companion.rules.random_play import Luck
from companion.session.dealing import RandomDealer
from tests.app.driver import Driver, window_box
from tests.app.screens.evening import Evening, an_evening

_NS_PER_S = 1_000_000_000
_HEALS_S = 5.0
_POLLED_S = 0.2
_MOST_MOVES = 120
_LISTENED_POLLS = 60
NAMES = ("North", "East", "South", "West")


@pytest.fixture
def evening(drive: Driver, tmp_path: Path) -> Iterator[Evening]:
    """An app's home with nothing in it."""
    yield from an_evening(drive, tmp_path)


class Corner:
    """An app with twins of all devices beside it."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.drive = evening, evening.drive
        self.panel = SimPanel(lambda: int(self.drive.now * _NS_PER_S))
        self.player, self.voice = RecordingPlayer(), RecordingVoice()

    def start(self, **settings: Any) -> None:
        app = shell.make(
            self.evening.folders,
            dealer=RandomDealer(1),
            clock=self.evening.clock,
            devices=lambda: Sideboard(self.panel, self.player, self.voice, words._),
        )
        app.settings.change(**settings)
        self.app = self.evening.app = app
        self.drive.start(app)
        self.drive.still()

    def sit_down(self, game: str = "castle-dukes", **settings: Any) -> Any:
        """A game just begun, on the table."""
        self.start(**settings)
        session = self.app.shelf.new(game, Setup(seats=NAMES))
        return self.evening.go("table", session=session)

    def press(self, button: Any) -> None:
        self.panel.press(button)
        self.drive.advance(_POLLED_S)

    def cues(self) -> list[str]:
        heard: list[str] = [cue for cue, _volume in self.player.heard]
        self.player.heard.clear()
        return heard

    def toasts(self) -> list[str]:
        return [toast.text for toast in self.drive.find_all(Toast)]


@pytest.fixture
def corner(evening: Evening) -> Corner:
    return Corner(evening)


def _seq(table: Any) -> int:
    seq: int = table.model.session.seq
    return seq


# Buttons


def _play_until(corner: Corner, table: Any, ready: Callable[[], object]) -> None:
    """Moves by chance, until the table stands as it should."""
    for _ in range(_MOST_MOVES):
        if ready():
            return
        demo.play_on(table.model.session, Luck(_seq(table)))
        table.model.refresh()
        corner.drive.frames(2)
    pytest.fail("The table never stood so.")


def _at_the_end_of_a_turn(corner: Corner, **settings: Any) -> Any:
    """A table at which there is one thing that the next button can mean."""
    table = corner.sit_down(draw=True, **settings)
    _play_until(corner, table, table._next_id)
    corner.cues()
    return table


def test_next_ends_what_is_done_and_undo_takes_it_back(corner: Corner) -> None:
    table = _at_the_end_of_a_turn(corner)
    before, meant = _seq(table), asked(table.model.view, table._focus)
    corner.press("next")
    assert _seq(table) == before + 1
    ended = [choice.label for choice in meant.closing if choice.legal]
    assert len(ended) == 1
    corner.press("undo")
    assert table.model.session.history()[-1].kind == "undo"


def test_next_chooses_for_nobody(corner: Corner) -> None:
    table = corner.sit_down(draw=True)
    _play_until(corner, table, lambda: not table._next_id())
    before = _seq(table)
    corner.press("next")
    assert _seq(table) == before
    assert corner.toasts() == ["Choose on the screen what comes next."]


def test_without_anything_to_undo_that_is_said(corner: Corner) -> None:
    table = corner.sit_down()
    assert table.model.view.undo is None
    corner.press("undo")
    assert corner.toasts() == ["Nothing to undo."]


def test_a_call_is_seen_heard_and_answered_on_every_screen(corner: Corner) -> None:
    corner.start()
    corner.press("call")
    assert corner.toasts() == ["Nothing watches the table: touch what fell on the screen."]
    assert corner.panel.beeps > 1
    assert "call" in corner.cues()


def test_a_button_wakes_and_does_nothing_else(corner: Corner) -> None:
    table = _at_the_end_of_a_turn(corner, lock_min=2)
    begun = _seq(table)
    corner.drive.advance(130, step=1)
    assert corner.app.glass.asleep
    corner.press("next")
    assert not corner.app.glass.asleep
    assert _seq(table) == begun
    corner.press("next")
    assert _seq(table) == begun + 1


# Lights


def test_the_lights_show_whose_turn_it_is_and_go_out_after(corner: Corner) -> None:
    table = corner.sit_down()
    corner.drive.advance(_POLLED_S)
    active = {seat.seat for seat in table.model.view.seats if seat.active}
    assert active
    assert set(corner.panel.glow.seats) == active
    assert corner.panel.glow.lamp in {seat_look(seat).field[:3] for seat in active}
    corner.app.home()
    corner.drive.advance(_POLLED_S)
    assert not corner.panel.glow.seats


def test_closing_the_window_puts_the_lights_out(corner: Corner) -> None:
    corner.sit_down()
    corner.drive.advance(_POLLED_S)
    assert corner.panel.glow.seats
    corner.drive.stop_app()
    assert not corner.panel.glow.seats
    assert corner.panel.health.state == "off"


# Sounds and speech


def test_a_change_is_heard_by_what_it_was(corner: Corner) -> None:
    table = _at_the_end_of_a_turn(corner)
    before = _whose(table)
    corner.press("next")
    assert corner.cues() == ["turn" if _whose(table) != before else "touch"]
    corner.press("undo")
    assert corner.cues() == ["undo"]


def test_a_refusal_is_heard(corner: Corner) -> None:
    table = corner.sit_down(draw=True)
    _play_until(corner, table, lambda: _refused(table))
    corner.cues()
    table.model.touch(_refused(table)[0])
    corner.drive.frames(2)
    assert corner.cues() == ["refuse"]


def _refused(table: Any) -> list[str]:
    return [choice.id for prompt in table.model.view.prompts for choice in prompt.choices if not choice.legal]


def test_money_is_heard(corner: Corner) -> None:
    table = corner.sit_down(draw=True)
    _play_until(corner, table, lambda: "coin" in corner.cues())


def _whose(table: Any) -> set[int]:
    return {seat.seat for seat in table.model.view.seats if seat.active}


def test_with_sound_off_nothing_is_heard_and_on_it_is_at_once(corner: Corner) -> None:
    _at_the_end_of_a_turn(corner, sound=False)
    corner.press("next")
    assert corner.cues() == []
    corner.app.settings.change(sound=True)
    corner.press("undo")
    assert corner.cues() == ["undo"]


@pytest.mark.parametrize(("language", "voice", "begins"), [("en", "en-gb", ""), ("de", "de", "Am Zug: ")])
def test_who_is_to_move_is_said_in_the_language_of_the_screen(
    corner: Corner, language: str, voice: str, begins: str
) -> None:
    table = corner.sit_down("castle-builder", draw=True, speech=True, language=language)
    first = _whose(table)
    _play_until(corner, table, lambda: _whose(table) != first)
    said, spoken_by = corner.voice.said[-1]
    assert said.startswith(begins)
    assert all(table.model.view.seats[seat].name in said for seat in _whose(table))
    assert spoken_by == voice


def test_speech_is_off_until_it_is_asked_for(corner: Corner) -> None:
    table = corner.sit_down("castle-builder", draw=True)
    first = _whose(table)
    _play_until(corner, table, lambda: _whose(table) != first)
    assert corner.voice.said == []


# What does not work


def test_a_lost_panel_is_marked_said_once_and_heals(corner: Corner) -> None:
    table = corner.sit_down()
    corner.drive.advance(_POLLED_S)
    active = set(corner.panel.glow.seats)
    corner.panel.unplug()
    corner.drive.advance(1.5)
    assert corner.app.sideboard.lost
    assert corner.toasts() == ["The panel does not answer: its cable is unplugged."]
    demo.play_on(table.model.session, Luck(1))
    table.model.refresh()
    corner.drive.advance(8, step=0.05)
    assert corner.toasts() == []
    assert corner.app.sideboard.lost
    corner.panel.plug_in()
    corner.drive.advance(_HEALS_S, step=0.05)
    assert not corner.app.sideboard.lost
    assert corner.toasts() == ["Everything beside the screen works again."]
    assert active
    assert set(corner.panel.glow.seats) == {seat.seat for seat in table.model.view.seats if seat.active}


_UNPLUGGED = "The panel does not answer: its cable is unplugged."


def test_the_mark_by_the_title_says_what_is_wrong_and_goes_when_it_is_well(corner: Corner) -> None:
    corner.start()
    assert not corner.drive.find_all(id="mark")
    corner.panel.unplug()
    corner.drive.advance(9, step=0.05)
    assert corner.toasts() == []
    assert corner.drive.overlaps_and_cuts() == []
    corner.drive.tap(corner.drive.find(id="mark"))
    assert corner.toasts() == [_UNPLUGGED]
    corner.app.screen._show()
    corner.drive.advance(_POLLED_S)
    assert corner.drive.find(id="mark")
    corner.panel.plug_in()
    corner.drive.advance(_HEALS_S, step=0.05)
    assert not corner.drive.find_all(id="mark")


def test_at_a_table_the_menu_bears_the_mark_and_says_it(corner: Corner) -> None:
    table = corner.sit_down()
    menu: Any = corner.drive.find(id="menu")
    shade = colours().accent
    assert corner.drive.pixels().count(shade, window_box(menu)) == 0
    corner.panel.unplug()
    corner.drive.advance(9, step=0.05)
    assert corner.drive.pixels().count(shade, window_box(menu)) > 8
    corner.drive.tap(menu)
    corner.drive.still()
    assert _UNPLUGGED in corner.drive.texts(under=table.host)
    assert corner.drive.overlaps_and_cuts() == []


def test_what_was_never_there_is_not_missed_until_it_is_asked_for() -> None:
    board = Sideboard(OffPanel("There is no Raspberry Pi here, so there is no panel."), SilentPlayer("No player."),
                      SilentVoice("No voice."))  # fmt: skip
    board.poll()
    assert (board.lost, board.news()) == (False, "")
    board.set(Settings(sound=True, speech=True), "en")
    assert [board.news(), board.news()] == ["No voice.", ""]
    board.poll()
    assert not board.lost


_NO_SOUND = "No sound comes out: connect a loudspeaker, or turn Sound off in the settings."


def _broken(player: RecordingPlayer) -> None:
    player.trouble = "aplay did not work (exit code 1)."


def test_without_a_loudspeaker_nothing_is_said_until_sound_is_turned_on_on_purpose() -> None:
    player = RecordingPlayer()
    board = Sideboard(player=player)
    board.cue("touch")
    _broken(player)
    board.poll()
    assert (board.lost, board.says, board.news()) == (False, "", "")
    board.set(Settings(sound=False), "en")
    board.set(Settings(sound=True), "en")
    board.poll()
    assert (board.lost, board.says, board.news(), board.news()) == (True, _NO_SOUND, _NO_SOUND, "")


def test_a_player_that_breaks_down_is_marked_while_sound_is_on() -> None:
    player = RecordingPlayer()
    board = Sideboard(player=player)
    board.cue("touch")
    for _ in range(_LISTENED_POLLS):
        board.poll()
    _broken(player)
    board.poll()
    assert (board.lost, board.news(), board.news()) == (True, _NO_SOUND, "")
    board.set(Settings(sound=False), "en")
    board.poll()
    assert not board.lost


def test_an_app_without_devices_is_silent_and_dark(evening: Evening) -> None:
    app = evening.start()
    evening.drive.advance(_POLLED_S)
    assert app.sideboard.panel.health.state == "off"
    assert app.sideboard.poll() == ()
    assert not app.sideboard.lost
    assert not evening.drive.find_all(id="mark")


# Words


def test_people_and_what_is_printed_in_their_box_keep_their_names(evening: Evening) -> None:
    evening.start(language="de")
    assert words._("Rooms") == "Räume"
    session = evening.app.shelf.new("castle-dukes", Setup(seats=("Rooms", "East")))
    evening.go("table", session=session)
    assert words._("Rooms") == "Rooms"
    assert set(speaking._voice.pieces) == set(words.printed(session.box))
    evening.app.home()
    assert words._("Rooms") == "Räume"


def test_the_language_of_the_settings_holds_from_the_first_screen_and_at_once(evening: Evening) -> None:
    evening.start(language="de")
    assert words.current().language == "de"
    evening.app.settings.change(language="en")
    assert words.current().language == "en"
