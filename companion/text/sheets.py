"""Score sheets: from what a file holds to a table of categories and seats, or to JSON."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from companion.errors import Malformed
from companion.rules.base import Game, decode
from companion.rules.places import ordinal
from companion.rules.scores import Line, Outcome, ScoreSheet
from companion.text.paper import Grid, Paper

_EXAMPLE_PLAYERS = 2
_WRONG_NUMBER = re.compile(
    r"Expected `int`(?: >= (?P<least>\d+))?(?:, got `\w+`)? - at `players\[(?P<seat>\d+)\]\.(?P<field>\w+)`"
)


def sheet_of(game: Game[Any], raw: object) -> ScoreSheet:
    """The score of a tally, of a state, or of anything that carries a state of this game."""
    sheet = _sheet_of(game, raw)
    high = game.info.players[1]
    if len(sheet.names) > max(high, 2):
        raise Malformed(f"{game.info.title} is for at most {high} players, not {len(sheet.names)}.")
    if not all(name.isprintable() for name in sheet.names):
        raise Malformed("A name holds characters that cannot be shown.")
    return sheet


def _sheet_of(game: Game[Any], raw: object) -> ScoreSheet:
    if not isinstance(raw, dict):
        raise Malformed("A tally is a JSON object; --template prints one to fill in.")
    carried = _carried_state(raw)
    if carried is not None:
        named, state = carried
        if named not in (None, game.info.id):
            raise Malformed(f"This is a game of {named}, not of {game.info.id}.")
        return game.score(game.decode_state(state))
    if _looks_like_state(game, raw):
        return game.score(game.decode_state(raw))
    try:
        tally = decode(raw, game.tally_type, "The tally")
    except Malformed as error:
        raise Malformed(_with_names(str(error), raw)) from error
    return game.sheet(tally)


def _with_names(problem: str, raw: dict[str, Any]) -> str:
    """A wrong number in a tally, said with the player's name. Anything else stays as it is.

    >>> problem = "The tally is not right: Expected `int` >= 0 - at `players[0].comfort`."
    >>> _with_names(problem, {"players": [{"name": "North", "comfort": -3}]})
    'The tally is not right: comfort of North must be a whole number, 0 or more.'
    """
    found = _WRONG_NUMBER.search(problem)
    if not found:
        return problem
    seat = int(found["seat"])
    name = raw["players"][seat].get("name", f"player {seat + 1}")
    least = f", {found['least']} or more" if found["least"] else ""
    return f"The tally is not right: {found['field'].replace('_', ' ')} of {name} must be a whole number{least}."


def _carried_state(raw: dict[str, Any]) -> tuple[object, object] | None:
    """The game named and the state held by a referee's report or by an exported game, if it is one of these."""
    match raw:
        case {"state": dict() as state}:
            return raw.get("game"), state
        case {"cover": {"game": named}, "journal": [*lines]} if lines:
            return named, _standing(lines)
    return None


def _standing(lines: list[Any]) -> object:
    """The state that stands after the last line of an exported journal."""
    match lines[-1]:
        case {"node": int(node)} if 0 < node <= len(lines) and isinstance(lines[node - 1], dict):
            return lines[node - 1].get("state")
    raise Malformed("The journal of this exported game is not whole.")


def _looks_like_state(game: Game[Any], raw: dict[str, Any]) -> bool:
    """Whether more of its fields are a state's than a tally's."""
    state, tally = (set(kind.__struct_encode_fields__) for kind in (game.state_type, game.tally_type))
    return len(state & raw.keys()) > len(tally & raw.keys())


def template(game: Game[Any], players: int | None) -> str:
    """A tally to fill in, as JSON."""
    low, high = game.info.players
    seats = max(low, min(_EXAMPLE_PLAYERS, high)) if players is None else players
    if not low <= seats <= high:
        raise Malformed(f"{game.info.title} is for {low} to {high} players, not {seats}.")
    return pretty(game.tally_template(seats))


def schema(game: Game[Any]) -> str:
    """The JSON schema of a tally."""
    return pretty(msgspec.json.schema(game.tally_type))


def as_data(game: Game[Any], sheet: ScoreSheet) -> dict[str, object]:
    """The whole result as plain data."""
    outcome = game.outcome(sheet)
    return {
        "game": game.info.id,
        "names": sheet.names,
        "lines": sheet.lines,
        "totals": sheet.totals,
        "ranking": outcome.ranking,
        "winners": outcome.winners,
        "decided_by": outcome.decided_by,
        "text": outcome.text,
        "verdict": outcome.verdict,
    }


def show(paper: Paper, game: Game[Any], sheet: ScoreSheet) -> None:
    """Categories as rows, seats as columns, then why, who and by what."""
    paper.grid(grid(game, sheet))
    paper.say()
    for line in why_lines(sheet):
        paper.say(line, style="dim")
    paper.say()
    for line in result_lines(sheet, game.outcome(sheet)):
        paper.say(line, style="title")


def grid(game: Game[Any], sheet: ScoreSheet) -> Grid:
    """The points of each category and seat, and the totals."""
    seats = range(len(sheet.names))
    rows = [(_category(sheet, key), *(str(_points(sheet, key, seat)) for seat in seats)) for key in sheet.keys]
    rows.append(("Total", *(str(total) for total in sheet.totals)))
    return Grid(
        title=game.info.title,
        head=("", *sheet.names),
        rows=tuple(rows),
        numbers=frozenset(range(1, len(sheet.names) + 1)),
    )


def why_lines(sheet: ScoreSheet) -> list[str]:
    """One line for every category that somebody scored in, with why; then those in which nobody did."""
    scored = [key for key in sheet.keys if any(line.points for line in of(sheet, key))]
    lines = [f"{_category(sheet, key)}: {'; '.join(_why(sheet, line) for line in of(sheet, key))}" for key in scored]
    empty = ", ".join(_category(sheet, key) for key in sheet.keys if key not in scored)
    return [*lines, f"Nobody scores: {empty}."] if empty else lines


def of(sheet: ScoreSheet, key: str) -> list[Line]:
    """The lines of one category, in seat order."""
    return sorted((line for line in sheet.lines if line.key == key), key=lambda line: line.seat)


def _why(sheet: ScoreSheet, line: Line) -> str:
    return f"{sheet.names[line.seat]} {line.points} ({line.why})"


def _category(sheet: ScoreSheet, key: str) -> str:
    return of(sheet, key)[0].label


def _points(sheet: ScoreSheet, key: str, seat: int) -> int:
    return sum(line.points for line in of(sheet, key) if line.seat == seat)


def result_lines(sheet: ScoreSheet, outcome: Outcome) -> list[str]:
    """The places, and the sentence that says who won and by what."""
    lines, place = [], 1
    for group in outcome.ranking:
        names = " and ".join(sheet.names[seat] for seat in group)
        lines.append(f"{ordinal(place)} {names} ({sheet.total(group[0])})")
        place += len(group)
    verdict = [outcome.verdict] if outcome.verdict else []
    return [*lines, *_tie_breaks(sheet, outcome), outcome.text, *verdict]


def _tie_breaks(sheet: ScoreSheet, outcome: Outcome) -> list[str]:
    """What was compared, where totals did not decide."""
    if outcome.decided_by == "points" or len(sheet.names) < 2:
        return []
    best = max(sheet.totals)
    level = [seat for seat, total in enumerate(sheet.totals) if total == best]
    return [
        f"Tie-break, {tie.label}: " + ", ".join(f"{sheet.names[seat]} {tie.values[seat]}" for seat in level)
        for tie in sheet.tie_breaks
        if len(level) > 1
    ]


def pretty(value: object) -> str:
    """JSON for people to read and edit."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
