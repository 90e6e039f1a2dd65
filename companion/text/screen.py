"""A scene drawn for a real terminal: as roomy as its height allows, and in pages where it has no room for all."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, auto
from itertools import groupby

from msgspec.structs import replace
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel as Frame
from rich.rule import Rule
from rich.segment import Segment, SegmentLines
from rich.table import Table
from rich.text import Text

from companion.rules.table import Panel, PhaseMark
from companion.text.paper import STYLES
from companion.text.plain import hidden_lines, pieces_text
from companion.text.scene import TABLE, Number, Offer, PromptView, Scene, SeatView

_PHASE_STYLES = {"past": STYLES["dim"], "now": STYLES["now"], "ahead": ""}
_LINES_BELOW = 3
"""Kept free under the scene: the keys, which may take two lines, and what people type."""
_LEAST_PAGE = 8
"""A page is never lower, however low the terminal is."""
_FEW_OFFERS = 2
_SHORT_GROUP_CHARS = 12


class Layout(IntEnum):
    """How closely a scene is set, from roomy to close. Each does what those before it do, and more."""

    ROOMY = auto()
    TIGHT = auto()  # groups beside their names, no empty lines within a seat
    FRAMELESS = auto()  # panels as plain rows
    FOLDED = auto()  # one seat's choices, and a line for each other seat
    PAGED = auto()  # what can be done comes first, the panels last; not all of it is shown at once


def draw(scene: Scene, console: Console, page: int = 0) -> RenderableType:
    """The whole table, top to bottom: where we are, who has what, what happened, what can be done.

    Where it has no room even when set closely, one page of it; after the last one comes the first again.
    """
    room = max(_LEAST_PAGE, console.size.height - _LINES_BELOW)
    for layout in Layout:
        drawn = Group(*_parts(scene, layout, console.size.width))
        lines = console.render_lines(drawn, pad=False)
        if len(lines) <= room:
            return drawn
    return _page(lines, page, room - 1)


def _page(lines: list[list[Segment]], page: int, room: int) -> Group:
    """So many lines of all, and which they are."""
    pages = -(-len(lines) // room)
    at = page % pages
    told = Text(f"Page {at + 1} of {pages}: m shows the next.", style=STYLES["dim"])
    return Group(SegmentLines(lines[at * room : (at + 1) * room], new_lines=True), told)


def _parts(scene: Scene, layout: Layout, width: int) -> Iterator[RenderableType]:
    yield Rule(Text(scene.headline, style=STYLES["title"]))
    yield from _phases_and_numbers(scene, width)
    yield _seats(scene.seats)
    if layout < Layout.PAGED:
        yield from _panels(scene.panels, layout)
    yield from (Text(f"  {fact.text}", style=STYLES["good"]) for fact in scene.facts)
    yield from _prompts(scene.prompts, layout)
    yield from (Text(line, style=STYLES["dim"]) for line in hidden_lines(scene.hidden))
    if layout >= Layout.PAGED:
        yield from _panels(scene.panels, layout)


def _phases_and_numbers(scene: Scene, width: int) -> list[Text]:
    """In one line where there is room for it."""
    strip = _phase_strip(scene.phases)
    numbers = _numbers(tuple(number for number in scene.numbers if not _in_headline(number, scene.headline)))
    if not numbers:
        return [strip]
    together = Text("    ").join([strip, numbers])
    return [together] if together.cell_len <= width else [strip, numbers]


def _in_headline(number: Number, headline: str) -> bool:
    """Whether the headline says it already, as in 'Turn 1 of 9'."""
    counter = number.counter
    return f"{counter.label} {counter.value} of {counter.limit}".casefold() in headline.casefold()


def _phase_strip(phases: tuple[PhaseMark, ...]) -> Text:
    marks = [Text(f" {phase.label} ", style=_PHASE_STYLES[phase.status]) for phase in phases]
    return Text(" > ", style=STYLES["dim"]).join(marks)


def _numbers(numbers: tuple[Number, ...]) -> Text:
    return Text("   ").join(_number(number) for number in numbers)


def _number(number: Number) -> Text:
    return Text(number.text, style=STYLES["title"] if number.change else "")


def _seats(seats: tuple[SeatView, ...]) -> Table:
    table = Table.grid(padding=(0, 2))
    for seat in seats:
        name = Text(f"{'>' if seat.active else ' '} {seat.name}", style=STYLES["seat"] if seat.active else "")
        table.add_row(name, Text(seat.clock, style=STYLES["dim"]), _numbers(seat.numbers))
    return table


# Panels


def _panels(panels: tuple[Panel, ...], layout: Layout) -> Iterator[RenderableType]:
    filled = [panel for panel in panels if any(row.pieces for row in panel.rows)]
    if filled:
        yield _rows(filled) if layout >= Layout.FRAMELESS else Columns([_frame(panel) for panel in filled])


def _frame(panel: Panel) -> Frame:
    rows = Table.grid(padding=(0, 1))
    for row in panel.rows:
        if row.pieces:
            rows.add_row(Text(row.label, style=STYLES["dim"]), Text(pieces_text(row.pieces)))
    return Frame(rows, title=Text(panel.title), expand=False)


def _rows(panels: list[Panel]) -> Table:
    """Panels without frames, each under the one before it."""
    table = Table.grid(padding=(0, 1))
    for panel in panels:
        title = panel.title
        for row in panel.rows:
            if row.pieces:
                held = Text.assemble((f"{row.label}  ", STYLES["dim"]), pieces_text(row.pieces))
                table.add_row(Text(title, style=STYLES["title"]), held)
                title = ""
    return table


# Prompts


def _prompts(prompts: tuple[PromptView, ...], layout: Layout) -> Iterator[RenderableType]:
    """What everyone may do alike is told once, last; the rest seat by seat."""
    runs = [tuple(run) for _, run in groupby(prompts, key=lambda prompt: prompt.text)]
    own = [prompt for run in runs if not _is_alike(run) for prompt in run]
    shown = next((prompt.who for prompt in own if prompt.must and prompt.who != TABLE), own[0].who if own else "")
    for who, of_seat in groupby(own, key=lambda prompt: prompt.who):
        if layout >= Layout.FOLDED and who not in (shown, TABLE):
            yield _folded(list(of_seat))
        else:
            yield from _seat_prompts(list(of_seat), layout)
    yield from (_together(run) for run in runs if _is_alike(run))


def _is_alike(run: tuple[PromptView, ...]) -> bool:
    """Whether one seat after the other may do the same few things."""
    return len(run) > 1 and not any(prompt.must or len(_offers(prompt)) > _FEW_OFFERS for prompt in run)


def _offers(prompt: PromptView) -> list[Offer]:
    return [offer for _, offers in prompt.groups for offer in offers]


def _seat_prompts(prompts: list[PromptView], layout: Layout) -> Iterator[RenderableType]:
    for place, prompt in enumerate(prompts):
        first = place == 0 or layout < Layout.TIGHT
        head = Text.assemble((prompt.who, STYLES["seat"]), ("  must act" if prompt.must else ""), f"  {prompt.text}")
        groups = [_group(group, offers, layout) for group, offers in prompt.groups]
        yield Padding(Group(head, *groups), (1 if first else 0, 0, 0, 0))


def _folded(prompts: list[PromptView]) -> Text:
    """All that one seat may do, in a line."""
    told = next((prompt for prompt in prompts if prompt.must), prompts[0])
    numbers = [offer.number for prompt in prompts for offer in _offers(prompt) if offer.legal]
    which = f'  ({min(numbers)} to {max(numbers)}; "for {told.who}" shows them)' if numbers else ""
    head = Text.assemble((told.who, STYLES["seat"]), ("  must act" if told.must else ""), f"  {told.text}")
    return head.append(which, style=STYLES["dim"])


def _together(prompts: tuple[PromptView, ...]) -> RenderableType:
    """The same prompt of several seats, with the seat in front of each choice."""
    offers = [_named(offer, prompt.who) for prompt in prompts for offer in _offers(prompt)]
    return Padding(Group(Text(prompts[0].text), *_lines(offers)), (1, 0, 0, 0))


def _named(offer: Offer, who: str) -> Offer:
    if offer.choice is None:
        return offer
    return replace(offer, choice=replace(offer.choice, label=f"{who}: {offer.choice.label}"))


def _group(group: str, offers: tuple[Offer, ...], layout: Layout) -> RenderableType:
    head = Text(f"  {group}", style=STYLES["dim"])
    if not group:
        return Group(*_lines(list(offers)))
    if layout < Layout.TIGHT or len(group) > _SHORT_GROUP_CHARS:
        return Group(head, *_lines(list(offers)))
    table = Table.grid()
    table.add_column(width=_SHORT_GROUP_CHARS + 2)
    table.add_column()
    table.add_row(head, Group(*_lines(list(offers))))
    return table


def _lines(offers: list[Offer]) -> list[RenderableType]:
    """What can be done side by side; what cannot, a line each, with the reason."""
    legal = [_offer(offer) for offer in offers if offer.legal]
    return [*([Columns(legal, padding=(0, 3))] if legal else []), *(_offer(o) for o in offers if not o.legal)]


def _offer(offer: Offer) -> Text:
    more = " ..." if offer.choice and offer.choice.asks else ""
    if offer.legal:
        return Text.assemble((f"{offer.number:>4} ", STYLES["key"]), offer.label + more)
    why = f"  (no: {offer.choice.refused.why})" if offer.choice and offer.choice.refused else ""
    return Text(f"{offer.number:>4} {offer.label}{more}{why}", style=STYLES["dim"])
