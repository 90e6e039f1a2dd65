"""Before a game: which one, who sits where, with which options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.errors import Malformed
from companion.rules.base import Game, GameOption, Setup
from companion.text.asks import typed_number
from companion.text.listing import spelled
from companion.text.paper import Paper

NAMES = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")
_USUAL_COUNT = 2
_LEAVE = frozenset({"q", "quit"})
_YES = frozenset({"true", "yes", "y", "on"})
_NO = frozenset({"false", "no", "n", "off"})

Value = str | int | bool


def parsed_seats(text: str) -> tuple[str, ...]:
    """
    >>> parsed_seats("North, East")
    ('North', 'East')
    """
    return tuple(name.strip() for name in text.split(","))


def parsed_options(game: Game[Any], settings: Iterable[str]) -> dict[str, Value]:
    """Options from `key=value` words."""
    found: dict[str, Value] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise Malformed(f"An option is set as name=value, not '{setting}'.")
        option = next((option for option in game.info.options if option.key == key.strip()), None)
        if option is None:
            known = ", ".join(option.key for option in game.info.options) or "none"
            raise Malformed(f"{game.info.title} has no option '{key.strip()}', only: {known}.")
        found[option.key] = option_value(option, text.strip())
    return found


def option_value(option: GameOption, text: str) -> Value:
    """The value people mean by a word."""
    for value in option.values:
        if text == spelled(value) or (isinstance(value, bool) and text.lower() in (_YES if value else _NO)):
            return value
    allowed = ", ".join(spelled(value) for value in option.values)
    raise Malformed(f"Option '{option.key}' takes one of {allowed}, not '{text}'.")


def dialogue(paper: Paper, game: Game[Any], options: dict[str, Value]) -> Setup:
    """Ask for the seats and for each option that is not set yet. Enter is the default everywhere."""
    paper.say(f"{game.info.title}: set-up. Enter takes what stands in [brackets].", style="title")
    seats = _ask_names(paper, _ask_count(paper, game))
    first = _ask_first(paper, seats)
    open_options = [option for option in game.info.options if option.key not in options]
    if not open_options or _wants_usual(paper, open_options):
        return Setup(seats=seats, first=first, options=options)
    chosen = {option.key: _ask_option(paper, option) for option in open_options}
    return Setup(seats=seats, first=first, options={**options, **chosen})


def box_at_hand(paper: Paper) -> bool:
    """Whether the real box is on the table. Without it the companion draws the cards and rolls the dice."""
    return _ask_yes(paper, "Is the real box on the table (no: the companion draws and rolls)")


def _wants_usual(paper: Paper, options: Iterable[GameOption]) -> bool:
    usual = ", ".join(f"{option.label} ({_word(option.default)})" for option in options)
    paper.say(f"Usual options: {usual}.", style="dim")
    return _ask_yes(paper, "Play with these (no: choose each)")


def _ask_yes(paper: Paper, question: str) -> bool:
    """Yes or no; Enter is yes."""
    while True:
        text = _answer(paper, f"{question}? [yes] >").casefold()
        if not text or text in _YES | _NO:
            return text not in _NO
        paper.say("Yes or no, please.", style="bad")


def _answer(paper: Paper, question: str) -> str:
    """What was typed; `q` leaves here as it does at the table. Names are not asked for so: one may be called Q."""
    text = paper.ask(question)
    if text.casefold() in _LEAVE:
        raise EOFError
    return text


def _ask_count(paper: Paper, game: Game[Any]) -> int:
    low, high = game.info.players
    usual = max(low, min(_USUAL_COUNT, high))
    if low == high:
        return low
    while True:
        text = _answer(paper, f"How many players ({low} to {high})? [{usual}] >")
        if not text:
            return usual
        count = typed_number(text)
        if count is not None and low <= count <= high:
            return count
        paper.say(f"{game.info.title} is for {low} to {high} players.", style="bad")


def _ask_names(paper: Paper, count: int) -> tuple[str, ...]:
    paper.say("Names clockwise around the table.", style="dim")
    names: list[str] = []
    while len(names) < count:
        usual = next(name for name in NAMES if name not in names)
        name = paper.ask(f"Seat {len(names) + 1} [{usual}] >") or usual
        if name in names:
            paper.say("Each seat needs a name of its own.", style="bad")
        else:
            names.append(name)
    return tuple(names)


def _ask_first(paper: Paper, seats: tuple[str, ...]) -> int:
    while len(seats) > 1:
        text = paper.ask(f"Who begins ({', '.join(seats)})? [{seats[0]}] >")
        found = [seat for seat, name in enumerate(seats) if name.casefold().startswith(text.casefold())]
        if not text or len(found) == 1:
            return found[0]
        paper.say("That is none of the seats.", style="bad")
    return 0


def _ask_option(paper: Paper, option: GameOption) -> Value:
    allowed = "/".join(_word(value) for value in option.values)
    paper.say(f"{option.label}: {option.text}", style="dim")
    while True:
        text = _answer(paper, f"{option.label} ({allowed})? [{_word(option.default)}] >")
        if not text:
            return option.default
        try:
            return option_value(option, text)
        except Malformed as error:
            paper.say(str(error), style="bad")


def _word(value: Value) -> str:
    """A value as people say it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return spelled(value)
