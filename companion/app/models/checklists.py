"""What to lay out before a game, with the numbers for this many players.

Each game can have a checklist of its own in `CHECKLISTS`; any other gets one from what its rules and its box say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from companion.app.models.model import Translate
from companion.rules.base import Game, Setup

_DUKES_ONE_SET_TO = 4
_DUKES_SMALL_SIDE_TO = 2
_DUKES_SMALL_SECOND_TO = 6
_SORTED = (
    "pillar", "table", "serf", "coffer", "brazier", "battlement", "cauldron", "ballista", "king", "princess", "knight",
)  # fmt: skip


class Item(Struct, frozen=True, kw_only=True):
    """One thing to lay out. `icon` names its picture, where there is one; `count` is for big figures."""

    text: str
    cite: str = ""
    icon: str = ""
    count: int | None = None


Checklist = Callable[[Game[Any], Setup, Translate], Iterator[Item]]


def checklist(game: Game[Any], setup: Setup, t: Translate) -> tuple[Item, ...]:
    """The set-up of a game, line by line. Raises Malformed where the set-up is not one."""
    return tuple(CHECKLISTS.get(game.info.id, any_game)(game, setup, t))


def any_game(game: Game[Any], setup: Setup, t: Translate) -> Iterator[Item]:
    """What the rules say of the set-up, then what the box holds."""
    game.setup(setup)
    for rule in game.rulebook:
        if rule.id.startswith("setup."):
            yield Item(text=t(rule.text), cite=t(rule.cite))
    for key, entry in game.box["components"].items():
        if isinstance(count := entry.get("count"), int):
            yield Item(text=t(str(entry.get("name", key))), icon=key, count=count)
    yield _first(setup, t)


def _first(setup: Setup, t: Translate, cite: str = "") -> Item:
    return Item(text=t("{name} begins.").format(name=setup.seats[setup.first]), cite=cite, icon="first-player")


def castle_dukes(game: Game[Any], setup: Setup, t: Translate) -> Iterator[Item]:
    """Castle Dukes (rulebook, Setup; 5-8 Players; Single Player Mode; Extra Hard Variant)."""
    players = len(setup.seats)
    sets = 1 if players <= _DUKES_ONE_SET_TO else 2
    cite = t("Setup")
    if sets > 1:
        text = t("Put two boxes together: everything below counts both.")
        yield Item(text=text, cite=t("5-8 Players"), icon="box", count=sets)
    yield Item(text=t("player boards, one in front of each duke"), cite=cite, icon="board", count=players)
    alone = players == 1
    barbicans = t("barbicans behind the boards, all dials at 0")
    if alone:
        barbicans = t("barbicans, all dials at 0: yours and the AI's")
    yield Item(text=barbicans, cite=t("Single Player Mode") if alone else cite, icon="barbican", count=players + alone)
    yield from _dukes_boards(players, t)
    yield from _dukes_pieces(game, setup, sets, t)
    if alone:
        yield Item(text=t("AI die within reach; the AI begins"), cite=t("Single Player Mode"), icon="dice", count=1)
    else:
        yield _first(setup, t, cite)
        yield from _dukes_coins(game, setup, t)


def _dukes_boards(players: int, t: Translate) -> Iterator[Item]:
    cite = t("Setup")
    if players <= _DUKES_SMALL_SIDE_TO:
        yield Item(text=t("game board on its 1-2 player side"), cite=cite, icon="board", count=1)
    elif players <= _DUKES_ONE_SET_TO:
        yield Item(text=t("game board on its 3-4 player side"), cite=cite, icon="board", count=1)
    elif players <= _DUKES_SMALL_SECOND_TO:
        text = t("game boards: one on its 3-4 player side, one on its 1-2 player side")
        yield Item(text=text, cite=t("5-8 Players"), icon="board", count=2)
    else:
        yield Item(text=t("game boards on their 3-4 player sides"), cite=t("5-8 Players"), icon="board", count=2)


def _dukes_pieces(game: Game[Any], setup: Setup, sets: int, t: Translate) -> Iterator[Item]:
    cite = t("Setup")
    state: Any = game.setup(setup)
    slots = sum(len(board) for board in state.boards)
    in_box = {key: int(entry["count"]) * sets for key, entry in game.box["components"].items()}
    yield Item(text=t("floor tiles in two stacks, bridge sides up"), cite=cite, icon="tile", count=in_box["tile"])
    yield Item(text=t("damage chits into the bag"), cite=cite, icon="fire", count=state.chits)
    text = t("construction cards, shuffled face down")
    yield Item(text=text, cite=cite, icon="construction", count=in_box["construction"])
    yield Item(text=t("room cards, shuffled face down"), cite=cite, icon="room", count=in_box["room"])
    if slots:
        yield Item(text=t("room cards face up into the slots of the board"), cite=cite, icon="room", count=slots)
    yield Item(text=t("guest cards, shuffled face down"), cite=cite, icon="king", count=in_box["guest-card"])
    yield Item(text=t("Crumble tokens within reach"), cite=cite, icon="crumble", count=in_box["crumble"])
    yield Item(text=t("black cube on turn 1 of the turn track"), cite=cite, icon="coffer", count=1)
    for key in _SORTED:
        yield Item(text=t(game.box["components"][key]["name"]), cite=cite, icon=key, count=in_box[key])
    if state.options.vines:
        yield Item(text=t("vines out of the box"), cite=t("Extra Hard Variant"), icon="vine")


def _dukes_coins(game: Game[Any], setup: Setup, t: Translate) -> Iterator[Item]:
    """The free coins as the rules hand them out."""
    state: Any = game.setup(setup)
    for seat in state.order:
        coins = state.dukes[seat].coins
        if coins:
            text = t("{name}: free coins, to be spent on floor tiles and pillars at once")
            yield Item(text=text.format(name=setup.seats[seat]), cite=t("Setup"), icon="coin", count=coins)


CHECKLISTS: dict[str, Checklist] = {"castle-dukes": castle_dukes}
