"""Four dukes by touches alone, in two processes: the one that plays the first half does not live to see the second.

`python -m tests.app.screens.dukes FOLDER` opens the app on a folder, sits four people down from the shelf, plays the
golden game until the middle, tells every move in a line of JSON, and waits there with a sheet open.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

import tests.app.conftest  # noqa: F401  (sets Kivy up, in a process of its own too)
from companion.rules import registry
from companion.rules.base import Action
from tests import goldens
from tests.app.driver import Driver
from tests.app.screens.evening import Evening
from tests.app.screens.playing import NAMES, ScreenHand, sit_down

HALF = 150
PAINTED_EVERY = 20
"""Most moves are made without painting what nobody looks at; boxes and touches are real all the same."""
_SEATS = 4


class Told(Struct, frozen=True, kw_only=True, tag=True):
    """One move of the golden game: its touches, apart from those that brought its seat into the middle."""

    do: str
    taps: int
    seat_taps: int
    told_anew: bool


class Halfway(Struct, frozen=True, kw_only=True, tag=True):
    """Where the first half ended."""

    seq: int
    headline: str
    undo: str


def golden() -> list[Action]:
    """The moves of the golden game."""
    text = goldens.path_of("castle-dukes", "four-players").read_text(encoding="utf-8")
    return goldens.parse(registry.get("castle-dukes"), text)[1]


def play(hand: ScreenHand, actions: Iterable[Action]) -> Iterator[Told]:
    """Make moves that were written down, by touches alone."""
    for number, action in enumerate(actions):
        hand.drive.blind = number % PAINTED_EVERY != 0
        taps, seat_taps = hand.taps, hand.seat_taps
        played = hand.follow(action)
        seat_taps = hand.seat_taps - seat_taps
        yield Told(do=played.do, taps=hand.taps - taps - seat_taps, seat_taps=seat_taps, told_anew=played.told_anew)
    hand.drive.blind = False


def first_half(evening: Evening) -> Iterator[Told | Halfway]:
    """From the shelf to the middle of the golden game."""
    evening.start(motion=False, recent_names=NAMES[:_SEATS])
    hand = sit_down(evening, "castle-dukes", _SEATS)
    yield from play(hand, golden()[:HALF])
    hand.tap(hand.drive.find(id="anytime"))
    yield halfway(hand)


def halfway(hand: ScreenHand) -> Halfway:
    """What the table shows."""
    view = hand.model.view
    assert view.undo is not None
    return Halfway(seq=hand.model.session.seq, headline=view.headline, undo=view.undo.label)


def main(folder: str) -> None:
    """Play, tell, and wait to be killed."""
    for told in first_half(Evening(Driver(), Path(folder))):
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        sys.stdout.buffer.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
