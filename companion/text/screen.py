"""A scene drawn for a real terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel as Frame
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from companion.rules.table import Panel, PhaseMark
from companion.text.paper import STYLES
from companion.text.plain import hidden_lines, pieces_text
from companion.text.scene import Number, Offer, PromptView, Scene, SeatView

_PHASE_STYLES = {"past": STYLES["dim"], "now": STYLES["now"], "ahead": ""}


def draw(scene: Scene) -> RenderableType:
    """The whole table, top to bottom: where we are, who has what, what happened, what can be done."""
    return Group(*_parts(scene))


def _parts(scene: Scene) -> Iterator[RenderableType]:
    yield Rule(Text(scene.headline, style=STYLES["title"]))
    yield _phase_strip(scene.phases)
    if scene.numbers:
        yield _numbers(scene.numbers)
    yield _seats(scene.seats)
    panels = [panel for panel in scene.panels if any(row.pieces for row in panel.rows)]
    if panels:
        yield Columns([_frame(panel) for panel in panels])
    yield from (Text(f"  {fact.text}", style=STYLES["good"]) for fact in scene.facts)
    yield from (_prompt(prompt) for prompt in scene.prompts)
    yield from (Text(line, style=STYLES["dim"]) for line in hidden_lines(scene.hidden))


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


def _frame(panel: Panel) -> Frame:
    rows = Table.grid(padding=(0, 1))
    for row in panel.rows:
        if row.pieces:
            rows.add_row(Text(row.label, style=STYLES["dim"]), Text(pieces_text(row.pieces)))
    return Frame(rows, title=Text(panel.title), expand=False)


def _prompt(prompt: PromptView) -> RenderableType:
    head = Text.assemble((prompt.who, STYLES["seat"]), ("  must act" if prompt.must else ""), f"  {prompt.text}")
    return Padding(Group(head, *(_group(group, offers) for group, offers in prompt.groups)), (1, 0, 0, 0))


def _group(group: str, offers: tuple[Offer, ...]) -> RenderableType:
    """What can be done side by side; what cannot, a line each, with the reason."""
    head = [Text(f"  {group}", style=STYLES["dim"])] if group else []
    legal = Columns([_offer(offer) for offer in offers if offer.legal], padding=(0, 3))
    return Group(*head, legal, *(_offer(offer) for offer in offers if not offer.legal))


def _offer(offer: Offer) -> Text:
    more = " ..." if offer.choice and offer.choice.asks else ""
    if offer.legal:
        return Text.assemble((f"{offer.number:>4} ", STYLES["key"]), offer.label + more)
    why = f"  (no: {offer.choice.refused.why})" if offer.choice and offer.choice.refused else ""
    return Text(f"{offer.number:>4} {offer.label}{more}{why}", style=STYLES["dim"])
