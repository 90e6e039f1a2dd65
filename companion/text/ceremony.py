"""The end of a game: category by category, last place first, then the podium and what broke the tie."""

from __future__ import annotations

from typing import Any

from companion.rules.base import Game
from companion.rules.scores import ScoreSheet
from companion.text import sheets
from companion.text.paper import Paper

_BAR_WIDTH = 40


def hold(paper: Paper, game: Game[Any], sheet: ScoreSheet) -> None:
    """Tell the score. On a screen each category waits for Enter."""
    paper.clear()
    paper.say(f"{game.info.title}: the tally", style="title")
    so_far = [0] * len(sheet.names)
    for key in sheet.keys:
        if not any(line.points for line in sheets.of(sheet, key)):
            paper.say(f"\n{sheets.of(sheet, key)[0].label}: nobody scores.", style="dim")
            continue
        _category(paper, sheet, key, so_far)
        paper.pause("Enter goes on >")
    paper.clear()
    sheets.show(paper, game, sheet)


def _category(paper: Paper, sheet: ScoreSheet, key: str, so_far: list[int]) -> None:
    lines = sheets.of(sheet, key)
    for line in lines:
        so_far[line.seat] += line.points
    paper.say()
    paper.say(lines[0].label, style="title")
    widest = max(len(name) for name in sheet.names)
    best = max(1, *(abs(total) for total in sheet.totals))
    for line in sorted(lines, key=lambda line: (line.points, -line.seat)):
        bar = "#" * min(_BAR_WIDTH, max(0, so_far[line.seat]) * _BAR_WIDTH // best)
        name = sheet.names[line.seat].ljust(widest)
        paper.say(f"  {name} {line.points:+4d} = {so_far[line.seat]:>3} {bar}".rstrip())
        paper.say(f"  {' ' * widest}      {line.why}", style="dim")
