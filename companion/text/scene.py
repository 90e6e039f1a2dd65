"""What the terminal shows of a table at one moment, before anything is drawn: the view-model of the text table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.base import Fact, Game
from companion.rules.table import Choice, Counter, Panel, PhaseMark, Picture, Prompt

TABLE = "The table"
_MINUTE_S = 60


class Offer(Struct, frozen=True, kw_only=True):
    """A numbered line people can pick. Without a choice it opens a prompt that only one seat may see."""

    number: int
    prompt: Prompt
    choice: Choice | None

    @property
    def label(self) -> str:
        return self.choice.label if self.choice else "Choose in secret"

    @property
    def legal(self) -> bool:
        return self.choice is None or self.choice.legal


class Number(Struct, frozen=True, kw_only=True):
    """A counter and how it has just changed."""

    counter: Counter
    change: int = 0

    @property
    def text(self) -> str:
        counter = self.counter
        limit = "" if counter.limit is None else f"/{counter.limit}"
        change = f" ({self.change:+d})" if self.change else ""
        return f"{counter.label} {counter.value}{limit}{change}"


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat: its numbers, how long it has thought, whether it may act."""

    name: str
    active: bool
    clock: str
    numbers: tuple[Number, ...]


class PromptView(Struct, frozen=True, kw_only=True):
    """What one seat is asked, with its offers by group."""

    who: str
    text: str
    must: bool
    groups: tuple[tuple[str, tuple[Offer, ...]], ...]


class Scene(Struct, frozen=True, kw_only=True):
    """The table at one moment. `hidden` counts the refused choices that are not shown."""

    headline: str
    phases: tuple[PhaseMark, ...]
    numbers: tuple[Number, ...]
    seats: tuple[SeatView, ...]
    panels: tuple[Panel, ...]
    facts: tuple[Fact, ...]
    prompts: tuple[PromptView, ...]
    hidden: int


class Moment(Struct, frozen=True, kw_only=True):
    """What a scene is made from besides the state: what just happened, the clocks, and what people asked to see.

    `only` leaves out what other seats may do.
    """

    facts: tuple[Fact, ...] = ()
    before: Picture | None = None
    clocks_s: Mapping[int, float] = {}
    opened: Prompt | None = None
    only: int | None = None
    show_refused: bool = False


def offers(prompts: Iterable[Prompt], opened: Prompt | None = None) -> tuple[Offer, ...]:
    """Number what can be picked: what is legal first, then what is refused.

    A secret prompt is one line until the seat it belongs to has opened it; then it stands alone.
    """
    lines = [line for prompt in prompts if opened in (None, prompt) for line in _lines(prompt, opened)]
    legal = [line for line in lines if line[1] is None or line[1].legal]
    refused = [line for line in lines if line[1] is not None and not line[1].legal]
    return tuple(
        Offer(number=number, prompt=prompt, choice=choice)
        for number, (prompt, choice) in enumerate(legal + refused, start=1)
    )


def _lines(prompt: Prompt, opened: Prompt | None) -> list[tuple[Prompt, Choice | None]]:
    if prompt.secret and prompt != opened:
        return [(prompt, None)]
    by_group = sorted(prompt.choices, key=lambda choice: _groups(prompt).index(choice.group))
    return [(prompt, choice) for choice in by_group]


def _groups(prompt: Prompt) -> list[str]:
    return list(dict.fromkeys(choice.group for choice in prompt.choices))


def build(game: Game[Any], state: Any, moment: Moment) -> Scene:
    """The scene of a state."""
    picture, prompts = game.picture(state), game.prompts(state)
    listed = offers(prompts, moment.opened)
    shown = [offer for offer in listed if offer.legal or moment.show_refused]
    refused = [offer for offer in listed if not offer.legal and _concerns(offer.prompt, moment.only)]
    owner = moment.opened.seat if moment.opened else None
    seen = [prompt for prompt in prompts if moment.opened in (None, prompt) and _concerns(prompt, moment.only)]
    return Scene(
        headline=picture.headline,
        phases=picture.phases,
        numbers=_numbers(picture, None, moment.before),
        seats=_seat_views(state.seats, picture, prompts, moment),
        panels=tuple(_titled(panel, state.seats) for panel in picture.panels if _is_seen(panel, owner)),
        facts=moment.facts,
        prompts=tuple(_prompt_view(state.seats, prompt, shown) for prompt in seen),
        hidden=0 if moment.show_refused else len(refused),
    )


def _concerns(prompt: Prompt, only: int | None) -> bool:
    return only is None or prompt.seat in (None, only)


def _is_seen(panel: Panel, viewer: int | None) -> bool:
    return not panel.secret or (viewer is not None and panel.seat == viewer)


def _titled(panel: Panel, names: tuple[str, ...]) -> Panel:
    """The panel with its owner in the title."""
    if panel.seat is None or panel.seat >= len(names) or names[panel.seat] in panel.title:
        return panel
    return replace(panel, title=f"{names[panel.seat]}: {panel.title}")


def active_seats(prompts: Iterable[Prompt]) -> set[int]:
    """Whose move it is: those who must act, or where nobody must, those who may."""
    asked = [prompt for prompt in prompts if prompt.seat is not None]
    return {prompt.seat for prompt in [p for p in asked if p.must] or asked if prompt.seat is not None}


def _seat_views(
    names: tuple[str, ...], picture: Picture, prompts: Iterable[Prompt], moment: Moment
) -> tuple[SeatView, ...]:
    active = active_seats(prompts)
    return tuple(
        SeatView(
            name=name,
            active=seat in active,
            clock=clock(moment.clocks_s[seat]) if seat in moment.clocks_s else "",
            numbers=_numbers(picture, seat, moment.before),
        )
        for seat, name in enumerate(names)
    )


def _numbers(picture: Picture, seat: int | None, before: Picture | None) -> tuple[Number, ...]:
    old = {(counter.seat, counter.key): counter.value for counter in before.counters} if before else {}
    return tuple(
        Number(counter=counter, change=counter.value - old.get((counter.seat, counter.key), counter.value))
        for counter in picture.counters
        if counter.seat == seat
    )


def _prompt_view(names: tuple[str, ...], prompt: Prompt, shown: list[Offer]) -> PromptView:
    groups: dict[str, list[Offer]] = {group: [] for group in _groups(prompt)}
    for offer in shown:
        if offer.prompt == prompt:
            groups.setdefault(offer.choice.group if offer.choice else "", []).append(offer)
    return PromptView(
        who=seat_name(names, prompt.seat),
        text=prompt.text,
        must=prompt.must,
        groups=tuple((group, tuple(own)) for group, own in groups.items() if own),
    )


def seat_name(names: tuple[str, ...], seat: int | None) -> str:
    """The name of a seat; an automatic opponent sits after the last one."""
    if seat is None:
        return TABLE
    return names[seat] if seat < len(names) else "The automatic opponent"


def clock(seconds: float) -> str:
    """
    >>> clock(754.2)
    '12:34'
    """
    minutes, rest = divmod(int(seconds), _MINUTE_S)
    return f"{minutes}:{rest:02d}"
