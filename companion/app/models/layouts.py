"""How a new thing of a box is told by the fewest touches: which of its values share one touch.

A table of a game's box without a layout is told value by value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from msgspec import Struct

from companion.app.models.steps import Answers
from companion.rules.table import Ask

_QUICK_MOST = 5
_NAME_FIELD = "name"
_ID_FIELD = "id"
_NAME_LENGTH = 40
_SHORT = 4


class Part(Struct, frozen=True):
    """Fields told together, with the most each number usually is.

    A part that `closes` comes last and finishes the entry.
    """

    fields: tuple[str, ...]
    most: tuple[int, ...] = ()
    closes: bool = False


class Layout(Struct, frozen=True, kw_only=True):
    """The parts of an entry in the order they are read off a card, and short names for its fields."""

    parts: tuple[Part, ...]
    names: dict[str, str] = {}


LAYOUTS: dict[tuple[str, str], Layout] = {
    ("castle-dukes", "rooms"): Layout(
        parts=(
            Part(("comfort", "defence"), (3, 3)),
            Part(("offence",), (3,)),
            Part(("king", "princess", "knight", "serf"), (1, 1, 2, 2)),
            Part(("vp", "levels"), (3,), closes=True),
        ),
        names={"king": "king", "princess": "princess", "knight": "knight", "serf": "serf"},
    ),
    ("castle-builder", "tiles"): Layout(
        parts=(
            Part(("number",), (19,)),
            Part(("bottom", "top")),
            Part(("rubies", "windows", "persons"), (1, 3, 2)),
            Part(("wild", "no_new_floor")),
            Part(("roof",), closes=True),
        ),
        names={"number": "number", "wild": "tick", "roof": "roof", "bottom": "bottom", "top": "top"},
    ),
    ("castle-dukes", "construction"): Layout(
        parts=(
            Part(("brazier", "battlement"), (3, 2)),
            Part(("cauldron", "ballista"), (3, 3), closes=True),
        ),
    ),
}


def layout_of(game: str, ask: Ask) -> Layout:
    """The layout of an entry."""
    own = LAYOUTS.get((game, ask.table))
    if own is not None:
        return own
    return Layout(parts=tuple(Part((field.field,)) for field in ask.fields if field.kind != "text"))


def combinations(ask: Ask, part: Part) -> Iterator[Answers]:
    """Every way to fill a part, the usual values only."""
    fields = [field_of(ask, name) for name in part.fields]
    values = [usual_values(field, _most(part, place)) for place, field in enumerate(fields)]
    for combination in product(*values):
        yield dict(zip(part.fields, combination, strict=True))


def _most(part: Part, place: int) -> int:
    return part.most[place] if place < len(part.most) else _QUICK_MOST


def usual_values(field: Ask, most: int) -> tuple[object, ...]:
    """The values of a field that a touch can tell."""
    if field.kind == "number":
        low = max(field.low, -most) if field.low < 0 else field.low
        return tuple(range(low, min(field.high, max(0, low) + most) + 1))
    return tuple(option.value for option in field.options)


def columns(ask: Ask, part: Part) -> int:
    """How many buttons of a part make a row: those of its last field."""
    last = len(part.fields) - 1
    return len(usual_values(field_of(ask, part.fields[last]), _most(part, last)))


def field_of(ask: Ask, name: str) -> Ask:
    return next(field for field in ask.fields if field.field == name)


def default(field: Ask) -> object:
    """What a field is when nobody tells it."""
    if field.kind == "number":
        return max(0, field.low)
    if field.kind == "choice":
        return field.options[0].value if field.options else None
    return [] if field.kind == "list" else ""


def has_name(ask: Ask) -> bool:
    return any(field.field == _NAME_FIELD and field.kind == "text" for field in ask.fields)


def can_be_named(ask: Ask) -> bool:
    """Whether words belong to a new thing: its name, or the text that is the answer."""
    return has_name(ask) or any(field.field == ask.part and field.kind == "text" for field in ask.fields)


def whole(ask: Ask, layout: Layout, told: Answers, name: str) -> object:
    """A new entry with everything nobody told at its default, and a name of its own.

    Where the answer is one of its fields, that alone.
    """
    values = {field.field: told.get(field.field, default(field)) for field in ask.fields}
    if has_name(ask):
        values[_NAME_FIELD] = name.strip()[:_NAME_LENGTH] or named(ask, layout, values)
        if values.get(_ID_FIELD) == "":
            values[_ID_FIELD] = _slug(str(values[_NAME_FIELD]))
    if ask.part in values:
        return name.strip() or values[ask.part]
    return values


def named(ask: Ask, layout: Layout, values: Answers) -> str:
    """A name made of what a thing is.

    >>> fields = tuple(Ask(field=key, label=key, kind="number") for key in ("comfort", "king"))
    >>> room = Ask(field="card", label="room card", kind="entry", fields=fields)
    >>> named(room, Layout(parts=()), {"comfort": 2, "king": 1})
    'Comfort 2 · King'
    """
    parts = [
        _word(layout, field, values[field.field])
        for field in ask.fields
        if field.field in values and field.field != _NAME_FIELD and values[field.field] != default(field)
    ]
    long = " · ".join(parts)
    short = " ".join(_shortened(part) for part in parts)
    return (long if len(long) <= _NAME_LENGTH else short)[:_NAME_LENGTH].strip() or ask.label.capitalize()


def _slug(name: str) -> str:
    """
    >>> _slug("Singers' Chamber 2")
    'singers-chamber-2'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _word(layout: Layout, field: Ask, value: object) -> str:
    if isinstance(value, str):
        return value.capitalize()
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    word = layout.names.get(field.field, field.label).capitalize()
    return word if value in (1, True) else f"{word} {value}"


def _shortened(part: str) -> str:
    """
    >>> _shortened("Princess 2"), _shortened("King")
    ('Prin2', 'King')
    """
    word, _, count = part.partition(" ")
    return f"{word[:_SHORT]}{count}"
