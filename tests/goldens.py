"""Whole played games as readable text: each action with its label, its JSON form and the facts it brought about.

`python -m tests.goldens GAME MODE --seed N` plays a game by chance and prints it; redirect it to
`tests/goldens/GAME/MODE.txt`. `python -m tests.goldens GAME MODE --again` plays the stored actions again under the
rules as they are now: read the difference before you keep it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.rules import random_play, registry
from companion.rules.base import Action, Game, Mode, Setup
from companion.rules.scores import ScoreSheet
from companion.session.dealing import RandomDealer

FOLDER = Path(__file__).parent / "goldens"
SEATS = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")


def path_of(game: str, mode: str) -> Path:
    """Where the golden of a mode is kept."""
    return FOLDER / game / f"{mode}.txt"


def setup_of(mode: Mode) -> Setup:
    """The set-up a mode is recorded with."""
    return Setup(seats=SEATS[: mode.players], options=mode.options)


def render(game: Game[Any], setup: Setup, actions: Iterable[Action]) -> str:
    """Play the actions and tell the game."""
    return "\n".join(_lines(game, setup, actions)) + "\n"


def parse(game: Game[Any], text: str) -> tuple[Setup, list[Action]]:
    """The set-up and the actions of a golden."""
    lines = text.splitlines()
    setup = next(line.removeprefix("setup: ") for line in lines if line.startswith("setup: "))
    raws = [msgspec.json.decode(line) for line in lines if line.startswith("   {")]
    return msgspec.json.decode(setup, type=Setup), [game.decode_action(raw) for raw in raws]


def _lines(game: Game[Any], setup: Setup, actions: Iterable[Action]) -> Iterator[str]:
    yield f"game: {game.info.id}"
    yield f"setup: {msgspec.json.encode(setup).decode()}"
    state = game.setup(setup)
    headline = ""
    for number, action in enumerate(actions, start=1):
        if game.picture(state).headline != headline:
            headline = game.picture(state).headline
            yield f"\n== {headline}"
        yield f"{number}. {game.label(state, action)}"
        yield f"   {msgspec.json.encode(action).decode()}"
        step = game.apply(state, action)
        yield from (f"   - {fact.text}" for fact in step.facts)
        state = step.state
    if not state.over:
        raise ValueError("a golden game must be played to its end")
    yield from _score(game.score(state))
    outcome = game.outcome(game.score(state))
    yield f"\n{outcome.text} (decided by {outcome.decided_by}){f' {outcome.verdict}' if outcome.verdict else ''}"


def _score(sheet: ScoreSheet) -> Iterator[str]:
    yield "\n== Score"
    for seat, name in enumerate(sheet.names):
        yield f"{name}: {sheet.total(seat)}"
        lines = (line for line in sheet.lines if line.seat == seat and (line.count or line.points))
        yield from (f"   {line.points:+} {line.label}: {line.why}" for line in lines)


def main(words: list[str] | None = None) -> None:
    """Print a golden, new or again."""
    parser = argparse.ArgumentParser(description="Record a golden game.")
    parser.add_argument("game")
    parser.add_argument("mode")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--again", action="store_true", help="play the stored actions again")
    asked = parser.parse_args(words)
    game = registry.get(asked.game)
    mode = next(mode for mode in game.info.modes if mode.key == asked.mode)
    if asked.again:
        setup, actions = parse(game, path_of(asked.game, asked.mode).read_text(encoding="utf-8"))
    else:
        setup = setup_of(mode)
        actions = [action for _, action in random_play.play(game, setup, RandomDealer(asked.seed))]
    sys.stdout.write(render(game, setup, actions))


if __name__ == "__main__":
    main()
