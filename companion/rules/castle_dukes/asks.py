"""What has to be read off the real box: cards, dice, chits, tiles and counts, as questions to the table."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.castle_dukes.state import GUESTS, RATINGS, ROOM_ITEMS, TOP_ITEMS, Card, Chit, ChitKind
from companion.rules.table import Ask, Option

STAND_IN_CARD = Card(name="?")
_CHIT_KINDS: tuple[ChitKind, ...] = ("room", "decor", "character", "pillar")
_CHITS_DRAWN = 5


def _number(field: str, label: str, high: int = 9) -> Ask:
    return Ask(field=field, label=label, kind="number", high=high)


def _choice(field: str, label: str, values: tuple[str, ...]) -> Ask:
    return Ask(
        field=field, label=label, kind="choice", options=tuple(Option(value=value, label=value) for value in values)
    )


def _yes_no(field: str, label: str) -> Ask:
    return Ask(
        field=field,
        label=label,
        kind="choice",
        options=(Option(value=False, label="no"), Option(value=True, label="yes")),
    )


_ROOM_FIELDS = (
    Ask(field="name", label="name", kind="text"),
    *(_number(rating, rating) for rating in RATINGS),
    *(_number(guest, f"{guest} slots") for guest in (*GUESTS, "serf")),
    _number("vp", "points"),
    _choice("levels", "levels", ("any", "upper", "lower")),
)

DIE_ASK = _choice("die", "AI die", RATINGS)

CHITS_ASK = Ask(
    field="chits", label="the five chits", kind="list", low=_CHITS_DRAWN, high=_CHITS_DRAWN, table="damage-chits",
    options=(
        Option(value=Chit(kind="tile"), label="floor tile"),
        *(
            Option(value=Chit(kind=kind, count=count), label=kind if count == 1 else f"{kind} x2")
            for kind in _CHIT_KINDS
            for count in (1, 2)
        ),
    ),
)  # fmt: skip

TILE_ASKS = tuple(
    replace(ask, table="tiles")
    for ask in (
        _number("cobbles", "cobblestone markings"),
        _number("spaces", "room spaces"),
        _yes_no("ends", "bridge ends"),
    )
)

DIAL_ASKS = tuple(_number(f"dials/{rating}", rating, high=99) for rating in RATINGS)

COUNT_ASKS = tuple(
    _number(f"counts/{field}", label, high=99)
    for field, label in (
        ("left", "levels of the left tower"),
        ("middle", "levels of the middle tower"),
        ("right", "levels of the right tower"),
        ("bridges", "bridges"),
        ("rooms", "rooms built"),
        ("high_rooms", "of these on level 5 or higher"),
        ("room_vp", "points printed on rooms"),
        ("kings", "kings"),
        ("princesses", "princesses"),
        ("knights", "knights"),
        ("serfs", "serfs"),
        ("coffers", "coffers"),
        ("battlements", "battlements"),
    )
)

ITEMS_ASK = Ask(
    field="items", label="what the card gives", kind="entry", table="construction", part="items",
    fields=tuple(_number(item, item) for item in TOP_ITEMS),
)  # fmt: skip


def room_ask() -> Ask:
    """Which room card is it: one seen before, or a new one."""
    return Ask(field="card", label="room card", kind="entry", table="rooms", fields=_ROOM_FIELDS)


def bonus_ask() -> Ask:
    """What the slot shows beside it."""
    return replace(_choice("bonus", "bonus of this slot", ("none", *ROOM_ITEMS)), table="slots")


def guest_asks(cards: int) -> tuple[Ask, ...]:
    """The big guest, the small guest and the fire of each card."""
    return tuple(ask for place in range(cards) for ask in _guest_card(place, cards))


def _guest_card(place: int, cards: int) -> tuple[Ask, ...]:
    which = "" if cards == 1 else f" of card {place + 1}"
    return (
        _choice(f"cards/{place}/main", f"big guest{which}", GUESTS),
        _choice(f"cards/{place}/small", f"small guest{which}", GUESTS),
        _yes_no(f"cards/{place}/fire", f"fire icon{which}"),
    )


def seats_ask(names: tuple[str, ...]) -> Ask:
    """Who shares it."""
    options = tuple(Option(value=seat, label=name) for seat, name in enumerate(names))
    return Ask(field="seats", label="who", kind="list", options=options, low=2, high=len(names))
