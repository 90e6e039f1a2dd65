"""A scene as plain lines."""

from __future__ import annotations

from companion.rules.base import Fact
from companion.rules.table import Panel, PhaseMark, Piece
from companion.text.scene import Number, Offer, PromptView, Scene, SeatView


def scene_lines(scene: Scene) -> list[str]:
    """Everything a scene has, compactly."""
    return [
        f"== {scene.headline} == {phase_strip(scene.phases)}".rstrip(),
        *([numbers_text(scene.numbers)] if scene.numbers else []),
        *(_seat_line(seat) for seat in scene.seats),
        *(line for panel in scene.panels for line in panel_lines(panel)),
        *fact_lines(scene.facts),
        *(line for prompt in scene.prompts for line in _prompt_lines(prompt)),
        *hidden_lines(scene.hidden),
    ]


def phase_strip(phases: tuple[PhaseMark, ...]) -> str:
    return " > ".join(f"[{phase.label}]" if phase.status == "now" else phase.label for phase in phases)


def numbers_text(numbers: tuple[Number, ...]) -> str:
    return ", ".join(number.text for number in numbers)


def _seat_line(seat: SeatView) -> str:
    mark = "*" if seat.active else " "
    clock = f" {seat.clock}" if seat.clock else ""
    return f"{mark} {seat.name}{clock}: {numbers_text(seat.numbers)}".rstrip(": ")


def panel_lines(panel: Panel) -> list[str]:
    """A panel of one row takes one line. Rows with nothing in them are left out."""
    rows = [f"{row.label}: {pieces_text(row.pieces)}" for row in panel.rows if row.pieces]
    if len(rows) <= 1:
        return [f"[{panel.title}] {rows[0]}"] if rows else []
    return [f"[{panel.title}]", *(f"  {row}" for row in rows)]


def pieces_text(pieces: tuple[Piece, ...]) -> str:
    return ", ".join(piece_text(piece) for piece in pieces)


def piece_text(piece: Piece) -> str:
    """
    >>> piece_text(Piece(kind="small-gate", count=3)), piece_text(Piece(kind="room", label="Kitchen"))
    ('small gate x3', 'room (Kitchen)')

    What has a name of its own and something told about it needs no kind before it.

    >>> piece_text(Piece(kind="room", label="Kitchen: comfort 1; 2 serfs"))
    'Kitchen (comfort 1; 2 serfs)'
    """
    count = "" if piece.count == 1 else f" x{piece.count}"
    name, _, told = piece.label.partition(": ")
    if told and name[:1].isupper():
        return f"{name}{count} ({told})"
    return f"{piece.kind.replace('-', ' ')}{count}{f' ({piece.label})' if piece.label else ''}"


def fact_lines(facts: tuple[Fact, ...]) -> list[str]:
    return [f"- {fact.text}" for fact in facts]


def _prompt_lines(prompt: PromptView) -> list[str]:
    lines = [f"{prompt.who}{' must act' if prompt.must else ''}: {prompt.text}"]
    for group, offers in prompt.groups:
        if group:
            lines.append(f"  {group}")
        lines.extend(offer_line(offer) for offer in offers)
    return lines


def offer_line(offer: Offer) -> str:
    more = " ..." if offer.choice and offer.choice.asks else ""
    refused = offer.choice.refused if offer.choice else None
    return f"  {offer.number:>3} {offer.label}{more}" + (f"  (no: {refused.why})" if refused else "")


def hidden_lines(hidden: int) -> list[str]:
    """
    >>> hidden_lines(1)
    ['(1 more is not possible now; "all" shows it.)']
    """
    if not hidden:
        return []
    are, them = ("is", "it") if hidden == 1 else ("are", "them")
    return [f'({hidden} more {are} not possible now; "all" shows {them}.)']
