"""Whole games from the shelf to the podium, by touches on a real window and by nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from companion.app.screens.asides import HoldTouch
from companion.app.screens.podium import PodiumView
from companion.rules import registry
from companion.rules.base import Mode
from companion.session.dealing import RandomDealer
from companion.session.session import HistoryLine
from tests import goldens
from tests.app.driver import Driver
from tests.app.models.test_whole_games import _EACH_TURN as EACH_TURN
from tests.app.screens import dukes
from tests.app.screens.dukes import HALF, PAINTED_EVERY, Halfway, Told, golden, play
from tests.app.screens.evening import Evening
from tests.app.screens.playing import ScreenHand, sit_down

_ROOT = Path(__file__).parents[3]
_KINDS = 5
_MOST_MOVES = 1000
_OTHERS = [game.info.id for game in registry.shelf() if game.info.id != "castle-dukes"]


class Evenings(Struct, frozen=True, kw_only=True):
    """What was seen of a whole game: its moves, what it said, and how it ended."""

    moves: tuple[Told, ...]
    half: Halfway
    resumed: Halfway
    undone: str
    refusal: tuple[str, ...]
    cited: str
    history: tuple[HistoryLine, ...]
    totals: dict[str, int]
    podium: tuple[str, ...]


@pytest.fixture(scope="module")
def evening_of_dukes(tmp_path_factory: pytest.TempPathFactory) -> Evenings:
    """The golden game, its first half in a process that was killed."""
    home = tmp_path_factory.mktemp("dukes")
    moves, half = _killed_in_the_middle(home)
    drive = Driver()
    try:
        return _second_half(Evening(drive, home), moves, half)
    finally:
        drive.stop()


def _killed_in_the_middle(home: Path) -> tuple[list[Told], Halfway]:
    """Another process plays the first half, and is killed with SIGKILL while a sheet is open."""
    words = [sys.executable, "-m", dukes.__name__, str(home)]
    moves: list[Told] = []
    with subprocess.Popen(words, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as player:
        assert player.stdout is not None
        for line in player.stdout:
            told = msgspec.json.decode(line, type=Told | Halfway)
            if isinstance(told, Halfway):
                player.kill()
                return moves, told
            moves.append(told)
    raise AssertionError("the first half was not played to its end")


def _second_half(evening: Evening, moves: list[Told], half: Halfway) -> Evenings:
    app = evening.start()
    drive = evening.drive
    drive.tap(drive.find(id="resume"))
    drive.still()
    hand = ScreenHand(drive, app.screen)
    resumed = dukes.halfway(hand)
    undone = _undo(hand)
    moves += play(hand, golden()[HALF - 1 : HALF])
    refusal, cited = _do_it_anyway(hand)
    _undo(hand)
    moves += play(hand, golden()[HALF:])
    session = hand.model.session
    history, sheet = tuple(session.history()), session.score()
    totals = {name: sheet.total(seat) for seat, name in enumerate(sheet.names)}
    return Evenings(
        moves=tuple(moves), half=half, resumed=resumed, undone=undone, refusal=refusal, cited=cited,
        history=history,
        totals=totals, podium=_to_the_podium(evening),
    )  # fmt: skip


def _undo(hand: ScreenHand) -> str:
    """What was taken back by one touch."""
    before, undo = hand.model.session.seq, hand.model.view.undo
    assert undo is not None
    hand.touch(undo.id)
    assert hand.model.session.seq == before + 1
    return undo.label


def _do_it_anyway(hand: ScreenHand) -> tuple[tuple[str, ...], str]:
    """A grey move says why not; held, it is done all the same. What it said, and which rule forbids it."""
    grey = next(
        choice
        for prompt in hand.model.view.prompts
        for choice in prompt.choices
        if not choice.legal and not choice.asks and choice.rule
    )
    hand.touch(grey.id)
    said, message = tuple(hand.drive.texts()), hand.model.view.message
    assert message is not None
    assert message.rule is not None
    hand.drive.hold(hand.drive.find(HoldTouch), seconds=1.0)
    hand.drive.frames(3)
    return said, message.rule.cite


def _to_the_podium(evening: Evening) -> tuple[str, ...]:
    """Category by category, as people want to see it."""
    drive = evening.drive
    drive.still()
    assert evening.app.way[-1] == "tally"
    for _ in range(2 * len(evening.app.screen.model.session.score().lines)):
        if drive.find_all(PodiumView):
            break
        drive.tap(drive.find(id="next"))
        drive.still()
    return tuple(drive.texts(drive.find(PodiumView)))


# The golden game


def test_four_dukes_play_to_the_podium_by_touches_alone(evening_of_dukes: Evenings) -> None:
    text = goldens.path_of("castle-dukes", "four-players").read_text(encoding="utf-8")
    for name, total in evening_of_dukes.totals.items():
        assert f"\n{name}: {total}\n" in text
        assert any(name in words for words in evening_of_dukes.podium)
    assert len(evening_of_dukes.moves) == len(golden()) + 1


def test_a_killed_process_costs_no_move(evening_of_dukes: Evenings) -> None:
    assert evening_of_dukes.resumed == evening_of_dukes.half
    assert evening_of_dukes.half.seq > HALF


def test_undo_outlives_the_process(evening_of_dukes: Evenings) -> None:
    assert evening_of_dukes.undone == evening_of_dukes.half.undo
    assert [line.kind for line in evening_of_dukes.history].count("undo") == 2


def test_a_refused_move_is_done_all_the_same_and_marked(evening_of_dukes: Evenings) -> None:
    assert "Not by the rules" in evening_of_dukes.refusal
    assert evening_of_dukes.cited in evening_of_dukes.refusal
    assert [line.kind for line in evening_of_dukes.history].count("correction") == 1


def test_castles_fell_and_the_dragon_came(evening_of_dukes: Evenings) -> None:
    assert {"crumble", "face-dragon", "draw-chits"} <= {move.do for move in evening_of_dukes.moves}


def test_what_is_done_each_turn_takes_two_touches(evening_of_dukes: Evenings) -> None:
    """Once the box knows the card or tile. In phases where all act at once, whose castle is in the middle is a touch
    of its own, for all that its duke does next.
    """
    each_turn = [move for move in evening_of_dukes.moves if move.do in EACH_TURN and not move.told_anew]
    assert len(each_turn) > 300
    assert [move for move in each_turn if move.taps > 2] == []
    assert all(move.seat_taps <= 1 for move in each_turn)


def test_what_the_box_does_not_know_is_told_in_few_touches(evening_of_dukes: Evenings) -> None:
    anew = [move for move in evening_of_dukes.moves if move.do in EACH_TURN and move.told_anew]
    assert 0 < len(anew) < 40
    assert max(move.taps for move in anew) <= 7, max(anew, key=lambda move: move.taps)


# The other games


@pytest.mark.parametrize("game", _OTHERS)
def test_every_other_game_plays_whole_through_the_generic_table(evening: Evening, game: str) -> None:
    evening.start(motion=False)
    hand = sit_down(evening, game, _fewest(game).players)
    dealer = RandomDealer(1)
    kinds = set()
    for number in range(_MOST_MOVES):
        if hand.model.view.over:
            break
        evening.drive.blind = number % PAINTED_EVERY != 0
        kinds.add(hand.play(dealer).do)
    evening.drive.blind = False
    session = hand.model.session
    places = [name for rank in session.outcome().ranking for name in _names(session, rank)]
    assert len(kinds) >= _KINDS
    podium = " ".join(_to_the_podium(evening))
    assert all(name in podium for name in places)


def _fewest(game: str) -> Mode:
    return min(registry.get(game).info.modes, key=lambda mode: mode.players)


def _names(session: Any, rank: Any) -> list[str]:
    return [session.cover.seats[seat] for seat in rank if seat < len(session.cover.seats)]
