"""A hand that plays by touches alone, and counts them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from companion.app.models.asking import AskingView, pieces
from companion.app.models.layouts import default, field_of
from companion.app.models.prompts import ChoiceView, PromptView
from companion.app.models.steps import Answers, Button, StepView
from companion.app.models.table import TableModel
from companion.rules.base import Action, Dealer, Game
from companion.rules.castle_dice.rolls import _sides
from companion.rules.random_play import weighted
from companion.rules.table import Ask, Choice, Prompt

_OPTIONAL_ONE_IN = 10
_MOST_QUESTIONS = 60
_MOST_COUNTED = 100
_MOST_APPEAL = 12
"""So that rooms are bought more often than passed by."""
_AT_A_TOWER = frozenset({
    "place-tile", "place-roof", "place-bridge", "place-pillars", "build-room", "furnish-room", "arm-top",
})  # fmt: skip
"""Castle Dukes draws its towers: one is touched first, then what to do there."""


class Played(Struct, frozen=True, kw_only=True):
    """One move, how many touches it took, and whether it told something that nobody had told before."""

    do: str
    touches: int
    told_anew: bool


class Hand:
    """Touches a table's view."""

    def __init__(self, model: TableModel) -> None:
        self.model = model
        self.touches = 0

    @property
    def game(self) -> Game[Any]:
        return self.model.session.game

    def touch(self, id: str) -> None:
        assert id, "there is nothing to touch"
        assert self.model.touch(id), f"the touch {id} was stale"
        self.touches += 1

    def press(self, label: str, seat: int | None = None) -> None:
        """Touch the move with a label."""
        self.touch(self.choice(label, seat).id)

    def choice(self, label: str, seat: int | None = None) -> ChoiceView:
        own = [prompt for prompt in self.model.view.prompts if prompt.seat == seat]
        found = [choice for prompt in own for choice in prompt.choices if choice.label == label]
        assert found, f"no '{label}' among {[choice.label for prompt in own for choice in prompt.choices]}"
        return found[0]

    # A move by chance

    def play(self, dealer: Dealer) -> Played:
        """Pick a legal move by chance and make it by touches."""
        prompt, choice = self._pick(dealer)
        answers = self.drawn(choice, dealer)
        before = self.touches
        if prompt.secret:
            self._pass_screen(prompt.seat)
        view, place = self._find(prompt, choice)
        folded = place.urgency == "any-time" or view.do in _AT_A_TOWER
        told_anew = self.take(view, choice, answers)
        return Played(do=view.do, touches=self.touches - before + folded, told_anew=told_anew)

    def follow(self, action: Action) -> Played:
        """Make a move that was written down, by touches."""
        prompt, choice = self._written(action)
        before = self.touches
        view, place = self._find(prompt, choice)
        folded = place.urgency == "any-time" or view.do in _AT_A_TOWER
        told_anew = self.take(view, choice, {ask.field: _plain(_at(action, ask.field)) for ask in choice.asks})
        return Played(do=view.do, touches=self.touches - before + folded, told_anew=told_anew)

    def _written(self, action: Action) -> tuple[Prompt, Choice]:
        prompts = self.game.prompts(self.model.state)
        offered = [(prompt, choice) for prompt in prompts for choice in prompt.choices if choice.legal]
        found = [(prompt, choice) for prompt, choice in offered if _leads_to(choice, action)]
        assert found, f"{action} is not offered: {[choice.label for _, choice in offered]}"
        return found[0]

    def _pick(self, dealer: Dealer) -> tuple[Prompt, Choice]:
        prompts = self.game.prompts(self.model.state)
        open_ = [prompt for prompt in prompts if any(choice.legal for choice in prompt.choices)]
        now_and_then = dealer.pick(_OPTIONAL_ONE_IN) == 0
        pressing = [prompt for prompt in open_ if prompt.must != now_and_then] or open_
        prompt = pressing[dealer.pick(len(pressing))]
        legal = [choice for choice in prompt.choices if choice.legal]
        weights = [min(self.game.appeal(choice), _MOST_APPEAL) for choice in legal]
        return prompt, weighted(legal, weights, dealer)

    def _pass_screen(self, seat: int | None) -> None:
        """A secret is opened in two touches: one asks for the screen to be passed, one shows it."""
        self.touch(next(prompt.open for prompt in self.model.view.prompts if prompt.seat == seat and prompt.secret))
        curtain = self.model.view.curtain
        assert curtain is not None
        self.touch(curtain.open)

    def pressing(self) -> tuple[Prompt, Choice]:
        """The first thing that must be done."""
        prompts = self.game.prompts(self.model.state)
        return next((prompt, choice) for prompt in prompts if prompt.must for choice in prompt.choices if choice.legal)

    def _find(self, prompt: Prompt, choice: Choice) -> tuple[ChoiceView, PromptView]:
        for place in self.model.view.prompts:
            for view in place.choices if place.seat == prompt.seat else ():
                if view.action == choice.action and view.label == choice.label:
                    return view, place
        raise AssertionError(f"'{choice.label}' is not on the screen")

    def drawn(self, choice: Choice, dealer: Dealer) -> Answers:
        """What the real box might show for a choice."""
        if not choice.asks:
            return {}
        action = self.game.deal(self.model.state, choice, dealer, self.game.box)
        if type(action) is not type(choice.action):
            return {}
        found = {ask.field: _plain(_at(action, ask.field)) for ask in choice.asks}
        return {ask.field: ask.low if found[ask.field] is None else found[ask.field] for ask in choice.asks}

    # A choice with its answers

    def take(self, view: ChoiceView, choice: Choice, answers: Answers) -> bool:
        """Make a move by touches; whether something had to be told that was not known."""
        seq = self.model.session.seq
        asking = self.model.view.asking
        at_once = self._answered_before(view, answers)
        if at_once:
            self.touch(at_once)
        elif asking is None or asking.title != view.label:
            self.touch(view.id)
        told_anew = False
        for _ in range(_MOST_QUESTIONS):
            if self.model.view.asking is None or self.model.session.seq != seq or not choice.asks:
                break
            told_anew |= self._answer(choice, answers)
            assert self.model.view.message is None, (answers, self.model.view.message)
        assert self.model.session.seq > seq, f"{view.label} is not done by {answers}: {self.model.view.message}"
        assert self.model.view.message is None, self.model.view.message
        return told_anew

    def _answered_before(self, view: ChoiceView, answers: Answers) -> str:
        """Where a move stands with its answers, the id of both."""
        if view.do not in _AT_A_TOWER:
            return ""
        return next((answer.id for answer in view.quick if _same(answer.value, answers)), "")

    def _answer(self, choice: Choice, answers: Answers) -> bool:
        """One question; whether it had to be told anew."""
        asking = self.model.view.asking
        assert asking is not None
        if not answers:
            self.touch(asking.draw)
            return False
        known = [preset for preset in asking.presets if _same(preset.value, answers)]
        if known:
            self.touch(known[0].id)
            return False
        asks = [part for ask in choice.asks for part in pieces(ask) if part.field in asking.fields]
        answers = {**answers, **_in_pieces(choice, answers)}
        seq, step = self.model.session.seq, asking.now
        if step.kind == "entry":
            return self._entry(asks[0], step, answers[asks[0].field])
        wanted = [answers[ask.field] for ask in asks]
        if step.kind == "list":
            assert isinstance(wanted[0], list | tuple)
            for one in wanted[0]:
                self.touch(_button(self._now().buttons, one).id)
            self._done(asking, seq)
        elif step.kind == "counts":
            for ask, number in zip(asks, wanted, strict=True):
                self._count(ask.field, number)
            self.touch(self._now().done)
        elif step.kind == "pad":
            self._pad(wanted[0])
            self._done(asking, seq)
        elif step.kind == "text":
            self._write(str(wanted[0]))
        else:
            self.touch(_button(step.buttons, wanted[0] if len(wanted) == 1 else wanted).id)
        return asking.steps > 1

    def _now(self) -> StepView:
        asking = self.model.view.asking
        assert asking is not None
        return asking.now

    def _write(self, text: str) -> None:
        self.model.type(text)
        self.touch(self._now().done)

    def _count(self, field: str, number: object) -> None:
        """Up or down until it is right."""
        assert isinstance(number, int)
        for _ in range(_MOST_COUNTED):
            chip = next(chip for chip in self._now().chips if chip.field == field)
            if chip.value == number:
                return
            assert isinstance(chip.value, int)
            self.touch(chip.plus if chip.value < number else chip.minus)

    def _pad(self, number: object) -> None:
        for digit in str(number):
            self.touch(_button(self._now().buttons, int(digit)).id)

    def _done(self, before: AskingView, seq: int) -> None:
        """Say that it is all, unless the question has ended by itself."""
        asking = self.model.view.asking
        if asking is not None and self.model.session.seq == seq and asking.step == before.step:
            self.touch(asking.now.done)

    def _entry(self, ask: Ask, step: StepView, wanted: object) -> bool:
        """A known thing by one touch, otherwise a new one by its values."""
        assert step.entry is not None
        known = [button for button in step.entry.known if _same(button.value, wanted)]
        if known:
            self.touch(known[0].id)
            return False
        assert isinstance(wanted, dict)
        for place, section in enumerate(step.entry.sections):
            part = {field: wanted.get(field, default(field_of(ask, field))) for field in section.fields}
            plain = all(value == default(field_of(ask, field)) for field, value in part.items())
            if section.closes or not plain:
                self._section(place, part)
        if not any(section.closes for section in step.entry.sections) and "name" in wanted:
            self._name(str(wanted["name"]))
        entry = self._now().entry if self.model.view.asking else None
        if entry is not None and not any(section.closes for section in entry.sections):
            self.touch(self._now().done)
        return True

    def _section(self, place: int, part: Mapping[str, object]) -> None:
        entry = self._now().entry
        assert entry is not None
        several = next((value for value in part.values() if isinstance(value, list)), None)
        if several is not None:
            for one in several:
                self._section(place, dict.fromkeys(part, one))
            return
        found = [button for button in entry.sections[place].buttons if _same(button.value, part)]
        if found:
            self.touch(found[0].id)
            return
        for field, value in part.items():
            self._tap(field, value)

    def _tap(self, field: str, value: object) -> None:
        """Once for each point."""
        while True:
            entry = self._now().entry
            assert entry is not None
            chip = next(chip for chip in entry.chips if chip.field == field)
            if chip.value == value:
                return
            self.touch(chip.plus)

    def _name(self, name: str) -> None:
        entry = self._now().entry
        assert entry is not None
        self.touch(entry.toggle_naming)
        self.model.type(name)


def _at(value: Any, path: str) -> object:
    """What lies at a path of an action, defaults included."""
    for key in path.split("/"):
        if isinstance(value, list | tuple):
            value = value[int(key)]
        else:
            value = value.get(key) if isinstance(value, dict) else getattr(value, key)
    found: object = value
    return found


def _in_pieces(choice: Choice, answers: Answers) -> Answers:
    """A rolled line of Castle Dice, die by die."""
    told: Answers = {}
    for ask in choice.asks:
        if pieces(ask) != (ask,):
            rolled = _rolled(str(answers[ask.field]))
            for part, piece in zip(ask.fields, pieces(ask), strict=True):
                told[piece.field] = rolled.get(part.field) or rolled[part.field.rpartition(" ")[2]]
    return told


def _rolled(line: str) -> dict[str, list[str]]:
    """What each player's dice of each kind show."""
    found: dict[str, list[str]] = {}
    for part in line.split(";"):
        name, colon, dice = part.rpartition(":")
        for die, side in _sides(dice):
            found.setdefault(f"{name.strip()}: {die}" if colon else die, []).append(side)
    return found


def _leads_to(choice: Choice, action: Action) -> bool:
    """Whether a choice, answered, is an action: all that it does not ask for is the same."""
    if type(choice.action) is not type(action):
        return False
    asked = {ask.field.partition("/")[0] for ask in choice.asks}
    fields = [field for field in action.__struct_fields__ if field not in asked]
    return all(getattr(choice.action, field) in (None, getattr(action, field)) for field in fields)


def _plain(value: Any) -> Any:
    """JSON form with nothing left out."""
    if isinstance(value, Struct):
        return {key: _plain(getattr(value, key)) for key in value.__struct_fields__}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def _button(buttons: tuple[Button, ...], value: object) -> Button:
    found = [button for button in buttons if _plain(button.value) == value]
    assert found, f"{value} is not among {[button.label for button in buttons]}"
    return found[0]


def _same(one: object, other: object) -> bool:
    """Whether two things are the same but for their names and what is left at its default."""
    return bool(_bare(_plain(one)) == _bare(_plain(other)))


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        bare = {key: _bare(_plain(part)) for key, part in value.items() if key != "name"}
        return {key: part for key, part in bare.items() if part not in (0, "any", "", "stone", None, [], (), "none")}
    return value
