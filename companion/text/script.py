"""The referee for a script: a set-up line, then one action a line. Applies them all, or stops at the first refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from companion.errors import Malformed, Refusal
from companion.rules.base import Action, Fact, Game, Setup, decode
from companion.rules.table import Choice, Prompt
from companion.text import sheets
from companion.text.files import parse
from companion.text.paper import Paper
from companion.text.plain import scene_lines
from companion.text.scene import Moment, build, seat_name

_LINE_END = re.compile(r"\r\n|\r|\n")
"""Not `splitlines`: JSON text may hold other characters that it takes for the end of a line."""


class Applied(Struct, frozen=True, kw_only=True):
    """An action that was applied, the line it stood on, and what it brought about."""

    line: int
    action: Action
    label: str
    facts: tuple[Fact, ...]


class Refused(Struct, frozen=True, kw_only=True):
    """An action that the rules forbid."""

    line: int
    action: Action
    rule: str
    text: str
    cite: str
    why: str
    overrulable: bool


class Report(Struct, frozen=True, kw_only=True):
    """How far a script came."""

    state: Any
    steps: tuple[Applied, ...]
    refused: Refused | None = None


def run(game: Game[Any], text: str, where: str, start: object | None = None) -> Report:
    """Apply a script to a state, or to the set-up on its first line."""
    lines = _lines(text, where)
    state = _set_up(game, lines, where) if start is None else game.decode_state(start)
    steps: list[Applied] = []
    for number, raw in lines:
        action = _at(where, number, game, raw)
        try:
            step = game.apply(state, action)
        except Refusal as refusal:
            return Report(state=state, steps=tuple(steps), refused=_refused(game, number, action, refusal))
        except Malformed as error:
            raise Malformed(f"{where}, line {number}: {error}") from error
        steps.append(Applied(line=number, action=action, label=game.label(state, action), facts=step.facts))
        state = step.state
    return Report(state=state, steps=tuple(steps))


def _lines(text: str, where: str) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, parse(line, where, number)


def _set_up(game: Game[Any], lines: Iterator[tuple[int, object]], where: str) -> Any:
    number, raw = next(lines, (0, None))
    if isinstance(raw, dict) and "setup" in raw:
        raw = raw["setup"]
    if not isinstance(raw, dict) or "seats" not in raw:
        raise Malformed(f'{where} has to begin with a set-up line such as {{"setup": {{"seats": ["North", "East"]}}}}.')
    try:
        return game.setup(decode(raw, Setup, "The set-up"))
    except (Malformed, Refusal) as error:
        raise Malformed(f"{where}, line {number}: {error}") from error


def _at(where: str, number: int, game: Game[Any], raw: object) -> Action:
    if isinstance(raw, dict) and not isinstance(raw.get("do", ""), str):
        raise Malformed(f"{where}, line {number}: 'do' takes the name of an action.")
    try:
        return game.decode_action(raw)
    except Malformed as error:
        raise Malformed(f"{where}, line {number}: {error}") from error


def _refused(game: Game[Any], line: int, action: Action, refusal: Refusal) -> Refused:
    return Refused(
        line=line,
        action=action,
        rule=refusal.rule,
        text=game.rulebook[refusal.rule].text,
        cite=refusal.cite,
        why=refusal.why,
        overrulable=not refusal.final,
    )


def as_data(game: Game[Any], report: Report) -> dict[str, object]:
    """The whole report as plain data."""
    data: dict[str, object] = {
        "game": game.info.id,
        "state": report.state,
        "steps": report.steps,
        "prompts": [_prompt_data(prompt) for prompt in game.prompts(report.state)],
        "picture": game.picture(report.state),
    }
    if report.state.over:
        data["score"] = sheets.as_data(game, game.score(report.state))
    if report.refused:
        data["refused"] = report.refused
    return data


def refusal_sentence(refused: Refused) -> str:
    """What was refused, in one line."""
    return f"Line {refused.line} is refused: {refused.why} ({refused.rule}; {refused.cite})"


def _prompt_data(prompt: Prompt) -> dict[str, object]:
    data: dict[str, object] = msgspec.to_builtins(prompt)
    data["choices"] = [{**msgspec.to_builtins(choice), "legal": choice.legal} for choice in prompt.choices]
    return data


def show(paper: Paper, game: Game[Any], report: Report) -> None:
    """Each action with its facts, the state, what can be done now, and the score of a finished game."""
    for step in report.steps:
        paper.say(f"{step.line}: {step.label}", style="title")
        for fact in step.facts:
            paper.say(f"   - {fact.text}")
    if report.refused:
        _show_refused(paper, report.refused)
    paper.say()
    paper.say("State:", style="title")
    paper.say(sheets.pretty(report.state))
    _show_table(paper, game, report.state)
    if report.state.over:
        sheets.show(paper, game, game.score(report.state))


def _show_refused(paper: Paper, refused: Refused) -> None:
    overrule = "a correction can overrule it" if refused.overrulable else "not even a correction can do it"
    paper.say(f"{refused.line}: refused: {refused.why}", style="bad")
    paper.say(f"   action: {msgspec.json.encode(refused.action).decode()}")
    paper.say(f"   rule {refused.rule}: {refused.text}")
    paper.say(f"   rulebook: {refused.cite}; {overrule}.")


def _show_table(paper: Paper, game: Game[Any], state: Any) -> None:
    """The picture, and every choice with the citation of what is refused."""
    bare = build(game, state, Moment())
    paper.say()
    paper.say("\n".join(scene_lines(msgspec.structs.replace(bare, prompts=(), hidden=0))))
    for prompt in game.prompts(state):
        paper.say(f"{seat_name(state.seats, prompt.seat)}: {prompt.text}", style="seat")
        for choice in prompt.choices:
            paper.say(_choice_line(choice), style="" if choice.legal else "dim")


def _choice_line(choice: Choice) -> str:
    refused = choice.refused
    if refused is None:
        return f"  yes  {choice.label}"
    return f"  no   {choice.label}: {refused.why} ({refused.rule}; {refused.cite})"
