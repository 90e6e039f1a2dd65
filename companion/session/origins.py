"""Who or what an action came from: one short text in each journal line."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NewType

from companion.errors import Malformed

Origin = NewType("Origin", str)

TABLE = Origin("table")
CORRECTION = Origin("correction")
APP = Origin("app")

_SHAPE = re.compile(r"seat \d{1,2}|sensor [\w.:-]{1,40}|table|correction|app")


def seat(number: int) -> Origin:
    """
    >>> seat(2)
    'seat 2'
    """
    return checked(f"seat {number}")


def sensor(name: str) -> Origin:
    """
    >>> sensor("scales")
    'sensor scales'
    """
    return checked(f"sensor {name}")


def is_sensor(origin: str) -> bool:
    """
    >>> is_sensor("sensor scales"), is_sensor("table")
    (True, False)
    """
    return origin.startswith("sensor ")


@lru_cache(maxsize=64)
def checked(text: str) -> Origin:
    """An origin from its text, or one sentence on what is wrong with it."""
    if not _SHAPE.fullmatch(text):
        raise Malformed(f"An origin is 'seat N', 'sensor NAME', 'table', 'correction' or 'app', not '{text}'.")
    return Origin(text)


def seat_of(origin: str) -> int | None:
    """The seat an origin names, if it is one.

    >>> seat_of("seat 2"), seat_of("table")
    (2, None)
    """
    return int(origin[5:]) if origin.startswith("seat ") else None
