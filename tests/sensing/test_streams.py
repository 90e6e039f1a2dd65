"""The line that `companion watch --json` prints for an event."""

from __future__ import annotations

import json

from companion.sensing.streams import Flag, Sensed


def test_a_line_has_every_field_of_the_contract_and_extras_only_where_known() -> None:
    line = json.loads(Sensed(kind="collapse", t_us=1, decided_us=2, board="north", evidence={"scales": 0.9}).line())
    assert line == {
        "kind": "collapse",
        "t_us": 1,
        "decided_us": 2,
        "board": "north",
        "tower": None,
        "level": None,
        "piece": None,
        "grams": None,
        "confidence": 1.0,
        "evidence": {"scales": 0.9},
    }


def test_a_height_says_how_high() -> None:
    line = json.loads(Sensed(kind="height", t_us=1, decided_us=2, board="n", tower="left", level=3, top_mm=81.5).line())
    assert (line["level"], line["top_mm"]) == (3, 81.5)


def test_flags_stand_as_bits() -> None:
    assert Flag(2 | 8) == Flag.SATURATED | Flag.DESYNC
