"""The history of a saved game as lines: what was done, by whom, what was undone, what the table settled itself."""

from __future__ import annotations

from collections.abc import Iterable

from companion.session.session import HistoryLine
from companion.text.paper import Paper
from companion.text.scene import seat_name

_MARKS = {"correction": "!", "undo": "<", "redo": ">", "jump": "^"}
_SECONDS_OF_DAY = "%H:%M:%S"


def history_line(line: HistoryLine, seats: tuple[str, ...]) -> str:
    """One line: number, mark, time of day here, label, origin. Brackets stand around what no longer counts."""
    mark = _MARKS.get(line.kind, " ")
    undone = line.kind in ("action", "correction") and not line.stands
    label = f"[{line.label}]" if undone else line.label
    return f"{line.seq:>5} {mark} {line.at.astimezone().strftime(_SECONDS_OF_DAY)}  {label}  ({_who(line, seats)})"


def show(paper: Paper, lines: Iterable[HistoryLine], seats: tuple[str, ...]) -> None:
    """Every line, and what the marks mean."""
    for line in lines:
        paper.say(history_line(line, seats), style="" if line.stands else "dim")
    paper.say("! correction  < undo  > redo  ^ jump  [..] undone since", style="dim")


def as_data(line: HistoryLine) -> dict[str, object]:
    """A line as plain data."""
    return {
        "seq": line.seq,
        "kind": line.kind,
        "label": line.label,
        "origin": line.origin,
        "at": line.at.isoformat(),
        "facts": line.facts,
        "rules": line.rules,
        "stands": line.stands,
    }


def _who(line: HistoryLine, seats: tuple[str, ...]) -> str:
    return line.origin if line.seat is None else seat_name(seats, line.seat)
