"""What the table must still say before a choice is whole, asked with the fewest touches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.app.models.entries import EntryStep, known_entries, value_of
from companion.app.models.model import Callback, Translate, plain
from companion.app.models.steps import (
    QUICK_NUMBERS,
    Answers,
    Button,
    CountsStep,
    Done,
    GridStep,
    ListStep,
    NumberStep,
    Offer,
    PadStep,
    Step,
    StepView,
    TextStep,
    at,
    grouped,
    told,
)
from companion.errors import CompanionError
from companion.rules.base import Game
from companion.rules.box import Box, Entry
from companion.rules.table import Ask, Choice, spelled

_KEPT = 12
_SEVERAL = 3
"""So many numbers in a row, with a proposal, are told on one page."""
_PRACTICE = "practice"


class Preset(Struct, frozen=True, kw_only=True):
    """All answers of a choice at once."""

    label: str
    answers: Answers


class AskingView(Struct, frozen=True, kw_only=True):
    """The question on the screen, about these `fields` of the move; `do` is the name of that move's action.

    `presets` answer everything by one touch; `draw`, `back` and `cancel` are ids.
    """

    title: str
    do: str
    fields: tuple[str, ...]
    step: int
    steps: int
    now: StepView
    answered: tuple[str, ...]
    presets: tuple[Button, ...]
    draw: str
    back: str
    cancel: str


class Remembered:
    """What was answered lately, so that the next time is one touch: whole answers by move, things by table."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, tuple[str, ...]], list[Answers]] = {}
        self._names: dict[str, list[str]] = {}

    def keep(self, choice: Choice, answers: Answers) -> None:
        """Remember an answered choice."""
        _to_front(self._answers.setdefault(_kind(choice), []), answers)
        for ask in choice.asks:
            value = answers.get(ask.field)
            if ask.kind == "entry" and isinstance(value, dict) and isinstance(value.get("name"), str):
                _to_front(self._names.setdefault(ask.table, []), value["name"])

    def answers(self, choice: Choice) -> tuple[Answers, ...]:
        return tuple(self._answers.get(_kind(choice), ()))

    def names(self, table: str) -> tuple[str, ...]:
        return tuple(self._names.get(table, ()))


def _to_front(kept: list[Any], item: Any) -> None:
    if item in kept:
        kept.remove(item)
    kept.insert(0, item)
    del kept[_KEPT:]


def _kind(choice: Choice) -> tuple[str, tuple[str, ...]]:
    return str(choice.action.__struct_config__.tag), tuple(ask.field for ask in choice.asks)


class Knowledge:
    """What answers can be taken from: the game, the state, this table's box, and what was answered lately."""

    def __init__(self, game: Game[Any], state: Any, box: Box, lately: Remembered, t: Translate = plain) -> None:
        self.game = game
        self.t = t
        self._state = state
        self._box = box
        self._lately = lately
        self._known: dict[str, dict[str, Entry]] = {}

    def presets(self, choice: Choice, most: int = _KEPT) -> tuple[Preset, ...]:
        """Whole answers given before that can be given again, the last first; then those the box knows.

        Only where they save touches.
        """
        groups = grouped(choice.asks)
        if len(groups) < 2 and any(ask.kind != "entry" for ask in choice.asks):
            return ()
        found: list[Answers] = []
        for answers in chain(self._lately.answers(choice), self._from_box(choice)):
            if answers not in found and _can_be_given(choice, answers):
                found.append(answers)
            if len(found) == most:
                break
        return tuple(Preset(label=told(choice.asks, answers, self.t), answers=answers) for answers in found)

    def _from_box(self, choice: Choice) -> Iterator[Answers]:
        """Box entries that have every asked field; for a single thing of the box, those known of its table."""
        if len(choice.asks) == 1:
            ask = choice.asks[0]
            for name, entry in self.known(ask).items():
                yield {ask.field: value_of(ask, name, entry)}
            return
        fields = [ask.field for ask in choice.asks]
        for table in self._box.tables.values():
            for entry in table.entries.values() if table.confidence != _PRACTICE else ():
                if all(_answers(ask, entry.get(ask.field)) for ask in choice.asks):
                    yield {field: entry[field] for field in fields}

    def known(self, ask: Ask) -> dict[str, Entry]:
        """The entries of the ask's table, the likeliest first."""
        if ask.table not in self._known:
            shown = self.game.public_state(self._state)
            self._known[ask.table] = known_entries(self._box, ask, shown, self._lately.names(ask.table))
        return self._known[ask.table]

    def can_draw(self, choice: Choice) -> bool:
        """Whether the companion can answer by chance what chance decides: not what people count."""
        if all(ask.kind == "number" and not ask.table for ask in choice.asks):
            return False
        try:
            self.game.deal(self._state, choice, _First(), self._box)
        except CompanionError:
            return False
        return True


def _answers(ask: Ask, value: object) -> bool:
    """Whether a value of the box answers an ask."""
    if ask.kind == "number":
        return type(value) is int and ask.low <= value <= ask.high
    return ask.kind == "choice" and any(value == option.value for option in ask.options)


def _can_be_given(choice: Choice, answers: Answers) -> bool:
    """Whether answers of an earlier time are among those asked for now."""
    asked = (ask for ask in choice.asks if ask.kind in ("number", "choice"))
    return all(_answers(ask, answers.get(ask.field)) for ask in asked)


def _known_already(choice: Choice) -> Iterator[tuple[str, object]]:
    """The answers there is only one of, unless that is all there is to confirm."""
    found = [(ask.field, _only(ask)) for ask in choice.asks]
    known = [(field, value) for field, value in found if value is not None]
    yield from known if len(known) < len(found) else ()


def _only(ask: Ask) -> object | None:
    if ask.kind == "number":
        return ask.low if ask.low == ask.high else None
    return ask.options[0].value if ask.kind == "choice" and len(ask.options) == 1 else None


def pieces(ask: Ask) -> tuple[Ask, ...]:
    """The questions an ask is told by: a text made of pieces is several, everything else is one."""
    if ask.kind != "text" or not ask.fields:
        return (ask,)
    return tuple(replace(part, field=_piece(ask, place)) for place, part in enumerate(ask.fields))


def joined(asks: Iterable[Ask], answers: Answers) -> Answers:
    """The answers by the fields of a move, texts put together from their pieces."""
    whole = dict(answers)
    for ask in asks:
        parts = pieces(ask)
        if parts != (ask,):
            whole[ask.field] = spelled(ask, [_listed(whole.pop(part.field)) for part in parts])
    return whole


def _piece(ask: Ask, place: int) -> str:
    return f"{ask.field}/{place}"


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]


class _First:
    """A dealer to try with."""

    def pick(self, count: int) -> int:
        return 0


class Asking:
    """The asks of one choice, step by step. `finish` gets all answers; `close` and `draw` end it otherwise."""

    def __init__(
        self,
        choice: Choice,
        knowledge: Knowledge,
        *,
        title: str,
        finish: Callable[[Answers], None],
        close: Callback,
        draw: Callback | None = None,
    ) -> None:
        self.choice = choice
        self._title = title
        self._t = knowledge.t
        self._finish = finish
        self._close = close
        self._draw = draw
        self._stand_ins = msgspec.to_builtins(choice.action)
        self._presets = knowledge.presets(choice) if len(choice.asks) > 1 else ()
        self._answers: Answers = dict(_known_already(choice))
        asked = (part for ask in choice.asks if ask.field not in self._answers for part in pieces(ask))
        self._steps = tuple(self._step(asks, knowledge) for asks in self._pages(tuple(asked)))
        self._at = 0

    def _pages(self, asks: tuple[Ask, ...]) -> Iterator[tuple[Ask, ...]]:
        """What is asked together: choices as they are grouped, numbers in a row where the move proposes some."""
        for numbers, run in groupby(grouped(asks), key=lambda group: group[0].kind == "number"):
            groups = tuple(run)
            page = tuple(chain.from_iterable(groups))
            proposed = numbers and len(page) >= _SEVERAL and any(self._proposed(page).values())
            yield from (page,) if proposed else groups

    def _proposed(self, asks: tuple[Ask, ...]) -> dict[str, int]:
        """The numbers that the move carries already, the least where it has none."""
        found = ((ask, at(self._stand_ins, ask.field)) for ask in asks)
        return {ask.field: max(ask.low, value) if isinstance(value, int) else ask.low for ask, value in found}

    def _step(self, asks: tuple[Ask, ...], knowledge: Knowledge) -> Step:
        ask, stand_in = asks[0], at(self._stand_ins, asks[0].field)
        if ask.kind == "number" and len(asks) > 1:
            return CountsStep(asks, self._answered, self._t, self._proposed(asks))
        if ask.kind == "choice":
            return GridStep(asks, self._answered, self._t)
        if ask.kind == "number":
            kind = NumberStep if ask.high - ask.low < QUICK_NUMBERS else PadStep
            return kind(ask, self._answered, self._t, stand_in)
        return self._longer_step(ask, self._answered, stand_in, knowledge)

    def _longer_step(self, ask: Ask, done: Done, stand_in: object, knowledge: Knowledge) -> Step:
        if ask.kind == "list":
            return ListStep(ask, done, self._t)
        if ask.kind == "text":
            return TextStep(ask, done, self._t, stand_in)
        return EntryStep(ask, done, self._t, game=knowledge.game.info.id, known=knowledge.known(ask))

    def view(self, offer: Offer) -> AskingView:
        """The question, each touchable thing offered."""
        return AskingView(
            title=self._title,
            do=str(self.choice.action.__struct_config__.tag),
            fields=tuple(ask.field for ask in self._steps[self._at].asks),
            step=self._at + 1,
            steps=len(self._steps),
            now=self._steps[self._at].view(offer),
            answered=tuple(told(step.asks, self._answers, self._t) for step in self._steps[: self._at]),
            presets=tuple(self._preset(offer, preset) for preset in self._presets) if self._at == 0 else (),
            draw=offer(self._draw) if self._draw else "",
            back=offer(self._back),
            cancel=offer(self._close),
        )

    def type(self, text: str) -> None:
        """Somebody typed."""
        self._steps[self._at].type(text)

    def _preset(self, offer: Offer, preset: Preset) -> Button:
        return Button(id=offer(lambda: self._finish(preset.answers)), label=preset.label, value=preset.answers)

    def _answered(self, answers: Answers) -> None:
        self._answers |= answers
        if self._at + 1 < len(self._steps):
            self._at += 1
        else:
            self._finish(joined(self.choice.asks, self._answers))

    def _back(self) -> None:
        """One question back, or out of the asking."""
        if self._at == 0:
            self._close()
            return
        self._at -= 1
        for ask in self._steps[self._at].asks:
            self._answers.pop(ask.field, None)
