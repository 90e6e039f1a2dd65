"""What each seat may or must do, as buttons: what must be done first, any-time moves folded away."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct

from companion.app.models.asking import Knowledge, Preset
from companion.app.models.model import Callback, Model, RuleText
from companion.app.models.steps import Button
from companion.rules.base import Action, Game
from companion.rules.table import Choice, Prompt

Urgency = Literal["must", "may", "any-time"]

_URGENCIES: tuple[Urgency, ...] = ("must", "may", "any-time")


class ChoiceView(Struct, frozen=True, kw_only=True):
    """A move as a button. A refused one says why when it is touched; `quick` are answers given before.

    `do` is the name of its action, to draw it by.
    """

    id: str
    label: str
    do: str
    action: Action
    legal: bool
    asks: bool
    closes: bool
    why: str = ""
    rule: RuleText | None = None
    quick: tuple[Button, ...] = ()


class GroupView(Struct, frozen=True, kw_only=True):
    """Moves of one kind."""

    title: str
    choices: tuple[ChoiceView, ...]


class PromptView(Struct, frozen=True, kw_only=True):
    """What one seat (None: the table) is asked. `closing` are the moves that end it, to be set apart.

    `rule` is what `?` opens. A `secret` prompt shows nothing but `open`, the id that asks for the screen to be passed.
    """

    seat: int | None
    who: str
    text: str
    urgency: Urgency
    rule: RuleText | None
    groups: tuple[GroupView, ...]
    closing: tuple[ChoiceView, ...]
    secret: bool = False
    open: str = ""

    @property
    def choices(self) -> tuple[ChoiceView, ...]:
        """Every move, those that close last."""
        return (*(choice for group in self.groups for choice in group.choices), *self.closing)


class Doing(Struct, frozen=True, kw_only=True):
    """What touches on prompts lead to."""

    offer: Callable[[Callback], str]
    take: Callable[[Prompt, Choice], None]
    answer: Callable[[Prompt, Choice, Preset], None]
    open: Callable[[Prompt], None]


def active_seats(prompts: Iterable[Prompt]) -> frozenset[int]:
    """Whose move it is: those who must act, or where nobody must, those who may."""
    asked = [prompt for prompt in prompts if prompt.seat is not None]
    pressing = [prompt for prompt in asked if prompt.must] or asked
    return frozenset(prompt.seat for prompt in pressing if prompt.seat is not None)


def urgency(prompt: Prompt) -> Urgency:
    if prompt.must:
        return "must"
    return "any-time" if prompt.standing else "may"


class PromptDrawer:
    """Turns prompts into views."""

    def __init__(self, model: Model, game: Game[Any], names: tuple[str, ...], knowledge: Knowledge, do: Doing) -> None:
        self._model = model
        self._t = model.t
        self._game = game
        self._names = names
        self._knowledge = knowledge
        self._do = do

    def views(self, prompts: Iterable[Prompt], opened: int | None) -> tuple[PromptView, ...]:
        """What everyone may see; with `opened`, what that seat sees alone."""
        if opened is not None:
            return tuple(self._view(prompt) for prompt in prompts if prompt.secret and prompt.seat == opened)
        ordered = sorted(prompts, key=lambda prompt: _URGENCIES.index(urgency(prompt)))
        return tuple(self._closed(prompt) if prompt.secret else self._view(prompt) for prompt in ordered)

    def _closed(self, prompt: Prompt) -> PromptView:
        return PromptView(
            seat=prompt.seat,
            who=seat_name(self._names, prompt.seat, self._t),
            text=self._t(prompt.text),
            urgency=urgency(prompt),
            rule=self._rule(prompt.rule),
            groups=(),
            closing=(),
            secret=True,
            open=self._do.offer(lambda: self._do.open(prompt)),
        )

    def _view(self, prompt: Prompt) -> PromptView:
        titles = dict.fromkeys(choice.group for choice in prompt.choices if not choice.closes)
        return PromptView(
            seat=prompt.seat,
            who=seat_name(self._names, prompt.seat, self._t),
            text=self._t(prompt.text),
            urgency=urgency(prompt),
            rule=self._rule(prompt.rule),
            groups=tuple(self._group(prompt, title) for title in titles),
            closing=tuple(self._choice(prompt, choice) for choice in prompt.choices if choice.closes),
        )

    def _group(self, prompt: Prompt, title: str) -> GroupView:
        own = (choice for choice in prompt.choices if choice.group == title and not choice.closes)
        return GroupView(title=self._t(title) if title else "", choices=tuple(self._choice(prompt, c) for c in own))

    def _choice(self, prompt: Prompt, choice: Choice) -> ChoiceView:
        refused = choice.refused
        return ChoiceView(
            id=self._do.offer(lambda: self._do.take(prompt, choice)),
            label=self._t(choice.label),
            do=str(choice.action.__struct_config__.tag),
            action=choice.action,
            legal=choice.legal,
            asks=bool(choice.asks),
            closes=choice.closes,
            why=self._t(refused.why) if refused else "",
            rule=self._rule(refused.rule) if refused else None,
            quick=tuple(self._quick(prompt, choice)) if choice.legal and choice.asks else (),
        )

    def _quick(self, prompt: Prompt, choice: Choice) -> list[Button]:
        """Where several things are asked; a single one is a touch anyway."""
        presets = self._knowledge.presets(choice) if len(choice.asks) > 1 else ()
        return [self._preset(prompt, choice, preset) for preset in presets]

    def _preset(self, prompt: Prompt, choice: Choice, preset: Preset) -> Button:
        id = self._do.offer(lambda: self._do.answer(prompt, choice, preset))
        return Button(id=id, label=preset.label, value=preset.answers)

    def _rule(self, rule: str) -> RuleText | None:
        return self._model.rule_text(self._game.rulebook[rule]) if rule in self._game.rulebook else None


def seat_name(names: tuple[str, ...], seat: int | None, t: Callable[[str], str]) -> str:
    """The name of a seat; an automatic opponent sits after the last one."""
    if seat is None:
        return t("The table")
    return names[seat] if seat < len(names) else t("The automatic opponent")
