"""What is shown, before and after it is drawn."""

from __future__ import annotations

import io
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from companion.rules import registry
from companion.rules.base import Fact, Setup
from companion.rules.castle_dukes import actions as dukes
from companion.rules.random_play import Luck, pick
from companion.rules.table import Panel, Picture, Piece, Row
from companion.text import ceremony, sheets
from companion.text.paper import Grid, ScreenPaper
from companion.text.plain import scene_lines
from companion.text.scene import Moment, Scene, active_seats, build, clock, offers, seat_name
from tests.text.toy import GAME, Build, Dig, HillState, Quarry, Rest


def _state(*actions: Any) -> HillState:
    state = GAME.setup(Setup(seats=("North", "East")))
    for action in actions:
        state = GAME.apply(state, action).state
    return state


_DUG = Dig(card=Quarry(name="Granite", stones=2))


def test_what_is_legal_is_numbered_first() -> None:
    state = _state(_DUG, Build(seat=0, count=2))
    listed = offers(GAME.prompts(state))
    assert [offer.number for offer in listed] == list(range(1, 7))
    assert [offer.legal for offer in listed] == [True] * 5 + [False]
    assert listed[-1].label == "Lay stones"


def test_refused_choices_show_on_request() -> None:
    state = _state(_DUG, Build(seat=0, count=2))
    assert build(GAME, state, Moment()).hidden == 1
    shown = build(GAME, state, Moment(show_refused=True))
    assert shown.hidden == 0
    assert "    6 Lay stones ...  (no: North has no stones.)" in scene_lines(shown)


def test_numbers_tell_how_they_changed() -> None:
    before = GAME.picture(_state())
    scene = build(GAME, _state(_DUG), Moment(before=before))
    assert [number.text for number in scene.seats[0].numbers] == ["stones 2/99 (+2)", "height 0"]


def test_clocks_stand_beside_the_seats() -> None:
    scene = build(GAME, _state(_DUG), Moment(clocks_s={0: 61.9}))
    assert "* North 1:01: stones 2/99, height 0" in scene_lines(scene)
    assert clock(0) == "0:00"


def test_those_who_must_act_are_active_before_those_who_may() -> None:
    prompts = GAME.prompts(_state(_DUG))
    assert active_seats(prompts) == {0, 1}
    assert active_seats((replace(prompts[0], must=True), prompts[1])) == {0}


def test_a_secret_panel_is_for_its_seat() -> None:
    state = _state(_DUG, Rest(seat=0), Rest(seat=1))
    mine, theirs = GAME.prompts(state)

    class Hiding(type(GAME)):  # type: ignore[misc]
        def picture(self, state: HillState) -> Picture:
            rows = (Row(label="flags", pieces=(Piece(kind="flag", count=3),)),)
            panels = tuple(Panel(title="Hand", seat=seat, secret=True, rows=rows) for seat in (0, 1))
            return replace(GAME.picture(state), panels=panels)

    assert build(Hiding(), state, Moment()).panels == ()
    assert [panel.title for panel in build(Hiding(), state, Moment(opened=mine)).panels] == ["North: Hand"]
    assert [panel.title for panel in build(Hiding(), state, Moment(opened=theirs)).panels] == ["East: Hand"]


def test_an_automatic_opponent_has_a_name() -> None:
    assert seat_name(("North",), 1) == "The automatic opponent"
    assert seat_name(("North",), None) == "The table"


@pytest.fixture
def screen() -> tuple[ScreenPaper, io.StringIO]:
    into = io.StringIO()
    return ScreenPaper(Console(file=into, width=100, force_terminal=False, _environ={})), into


def test_the_screen_shows_what_the_lines_show(screen: tuple[ScreenPaper, io.StringIO]) -> None:
    paper, into = screen
    state = _state(_DUG, Build(seat=0, count=2))
    fact = Fact(text="North [lays] 2.")
    paper.scene(build(GAME, state, Moment(facts=(fact,), show_refused=True, clocks_s={0: 5, 1: 7})))
    drawn = into.getvalue()
    for text in ("Turn 1 of 2", "Build", "> North", "0:05", "stone x2", "North [lays] 2.", "Lay stones or rest."):
        assert text in drawn, text
    assert "   6 Lay stones ...  (no: North has no stones.)" in drawn


def test_names_with_brackets_are_only_names(screen: tuple[ScreenPaper, io.StringIO]) -> None:
    paper, into = screen
    state = GAME.setup(Setup(seats=("[red]", "[/x]")))
    paper.scene(build(GAME, state, Moment()))
    paper.say("[bold]")
    paper.grid(Grid(title="[t]", head=("[h]",), rows=(("[c]",),)))
    for text in ("[red]", "[/x]", "[bold]", "[t]", "[h]", "[c]"):
        assert text in into.getvalue()


def test_the_ceremony_waits_for_enter_on_a_screen(
    screen: tuple[ScreenPaper, io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    paper, into = screen
    asked: list[str] = []
    monkeypatch.setattr(paper, "ask", asked.append)
    tally = GAME.tally(_state(_DUG, Build(seat=0, count=2)))
    ceremony.hold(paper, GAME, GAME.sheet(tally))
    assert len(asked) == 1
    assert "Flags: nobody scores." in into.getvalue()
    assert "North wins with 2 points." in into.getvalue()


def test_shared_places_and_what_was_compared() -> None:
    tally = {"names": ["North", "East", "South"], "heights": [3, 3, 1], "flags": [0, 0, 0], "stones": [1, 1, 9]}
    sheet = sheets.sheet_of(GAME, tally)
    assert sheets.result_lines(sheet, GAME.outcome(sheet)) == [
        "1st North and East (3)",
        "3rd South (1)",
        "Tie-break, stones in hand: North 1, East 1",
        "North and East share the win with 3 points: every tie-break is level.",
    ]


def _drawn(height: int, *, width: int = 100, scene: Scene, page: int = 0) -> list[str]:
    into = io.StringIO()
    paper = ScreenPaper(Console(file=into, width=width, height=height, force_terminal=False, _environ={}))
    paper.scene(scene, page)
    return into.getvalue().splitlines()


def _building() -> Scene:
    """Two dukes who build at the same time."""
    game = registry.get("castle-dukes")
    state = game.setup(Setup(seats=("North", "East")))
    for action in (dukes.DrawTile(seat=1), dukes.PassRooms(seat=0), dukes.PassRooms(seat=1)):
        state = game.apply(state, action).state
    return build(game, state, Moment())


def test_what_everyone_may_do_alike_is_told_once() -> None:
    text = "\n".join(_drawn(60, scene=_building()))
    assert text.count("At any time.") == 1
    assert "North: Something fell" in text
    assert "East: Something fell" in text


def test_a_low_terminal_gets_a_closer_scene() -> None:
    tall, low, lowest = (_drawn(height, scene=_building()) for height in (60, 34, 24))
    assert len(tall) > len(low) > len(lowest)
    assert "╭" in "".join(tall)
    assert "╭" not in "".join(lowest)
    assert "East  must act" in "\n".join(lowest)
    assert '"for East" shows them' in "\n".join(lowest)


def test_a_headline_is_not_said_twice() -> None:
    assert "turn 1/9" not in "\n".join(_drawn(60, scene=_building()))


def _crowded(steps: int = 60) -> Scene:
    """Six dukes in the middle of a game: far more than a low terminal has room for."""
    game, luck = registry.get("castle-dukes"), Luck(0)
    state = game.setup(Setup(seats=("North", "East", "South", "West", "Northeast", "Southwest")))
    for _ in range(steps):
        state = game.apply(state, pick(game, state, luck)).state
    return build(game, state, Moment(clocks_s=dict.fromkeys(range(6), 754.0)))


def test_what_has_no_room_comes_in_pages_and_what_can_be_done_comes_first() -> None:
    scene = _crowded()
    first = _drawn(24, width=80, scene=scene)
    assert len(first) <= 24 - 3
    assert max(map(len, first)) <= 80
    assert first[-1].startswith("Page 1 of ")
    assert " must act" in "\n".join(first)
    count = int(first[-1].split()[3].rstrip(":"))
    pages = [_drawn(24, width=80, scene=scene, page=page) for page in range(count)]
    shown = "\n".join(line for page in pages for line in page)
    for panel in scene.panels:
        assert panel.title in shown or not any(row.pieces for row in panel.rows)
    assert all(f"{offer.number} " in shown for prompt in scene.prompts[:1] for _, own in prompt.groups for offer in own)
    assert _drawn(24, width=80, scene=scene, page=count) == first
    assert "Page" not in "\n".join(_drawn(400, width=80, scene=scene))
