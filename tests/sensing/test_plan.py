"""recording.json: what is read, and what is said about a wrong one."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadRecording
from companion.sensing.plan import FORMAT, PLAN_FILE, Board, Pose, decode_plan, encode_plan, read_plan

_WHOLE: dict[str, Any] = {
    "format": FORMAT,
    "version": 1,
    "origin": "simulated",
    "game": "castle-dukes",
    "context": {"phase": "building"},
    "boards": [
        {
            "id": "north",
            "seat": 0,
            "size_mm": [250, 200],
            "pose": {"origin_mm": [0, 300, 12], "yaw_deg": 180},
            "towers": [{"id": "left", "centre_mm": [60, 60]}, {"id": "right", "centre_mm": [190, 60]}],
            "cells": [{"id": "c0", "at_mm": [15, 15], "counts_per_g": -1540.0, "zero_counts": 81234}],
            "markers": [{"id": 0, "centre_mm": [10, 190], "size_mm": 18}],
            "inventory": [{"min_mm": [200, 150], "max_mm": [250, 200]}],
            "painted": "red",
        }
    ],
    "pieces": {"pillar": {"diameter_mm": 12, "height_mm": 25, "mass_g": 2.0}, "tile": {"size_mm": [60, 60, 2]}},
    "camera": {"width": 640, "height": 480, "matrix": [[600, 0, 320], [0, 600, 240], [0, 0, 1]]},
}


def _plan(**changes: Any) -> bytes:
    return json.dumps(_WHOLE | changes).encode()


def _plan_with_board(**changes: Any) -> bytes:
    return _plan(boards=[_WHOLE["boards"][0] | changes])


def test_a_whole_plan_is_read_and_round_trips() -> None:
    plan = decode_plan(_plan())
    assert plan.board("north").cells[0].counts_per_g == -1540.0
    assert plan.board("north").inventory[0].holds(200, 150)
    assert not plan.board("north").inventory[0].holds(199, 150)
    assert plan.pieces["pillar"].tall_mm() == 25
    assert plan.pieces["tile"].tall_mm() == 2
    assert decode_plan(encode_plan(plan)) == plan


def test_only_format_version_and_boards_are_required() -> None:
    plan = decode_plan(json.dumps({"format": FORMAT, "version": 1, "boards": [{"id": "a", "size_mm": [250, 200]}]}))
    assert plan.boards == (Board("a", (250, 200)),)
    assert plan.camera is None


def test_a_turned_board_lies_where_its_pose_says() -> None:
    assert Pose((10.0, 20.0, 5.0), 90.0).on_table(3, 4, 1) == (6.0, 23.0, 6.0)


def test_an_unknown_board_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        decode_plan(_plan()).board("south")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"\xff\xfe", "not a recording's description"),
        (b"[]", "not a recording's description"),
        (b'{"x": ' + b"[" * 100_000, "not a recording's description"),
        (b'{"format": "castle-companion/recording", "version": 1}', "boards"),
        (_plan(format="video"), "format"),
        (_plan(version=2), "version 2 is not known"),
        (_plan(boards=_WHOLE["boards"] * 2), "board 'north' is listed twice"),
        (_plan_with_board(size_mm=[250, 0]), "board 'north': its size is not positive"),
        (_plan_with_board(size_mm=[1e300, 1e300]), "no board is larger than 5000"),
        (_plan_with_board(size_mm="big"), "boards"),
        (_plan_with_board(cells=[{"id": "c0", "counts_per_g": 0}]), "cell 'c0' has a gain of zero"),
        (_plan_with_board(markers=[{"id": 1, "centre_mm": [0, 0], "size_mm": 0}]), "marker 1 has no size"),
        (_plan(pieces={"tile": {"mass_g": -1}}), "piece 'tile'"),
        (_plan(camera={"width": 0, "height": 480}), "must be positive"),
        (_plan(camera={"width": 640, "height": 480, "distortion": [0.1, 0, 0]}), "distortion has 3 numbers"),
        (_plan(camera={"width": 640, "height": 480, "matrix": [[0, 0, 0]] * 3}), "no focal length"),
        (_plan(boards=[_WHOLE["boards"][0], _WHOLE["boards"][0] | {"id": "south"}]), "marker '0' is listed twice"),
        (_plan_with_board(id="no,rth"), "its id has a comma"),
    ],
)
def test_a_wrong_plan_is_named_in_a_sentence(text: bytes, says: str) -> None:
    with pytest.raises(BadRecording, match=says):
        decode_plan(text)


def test_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / PLAN_FILE).write_bytes(codecs.BOM_UTF8 + _plan())
    assert read_plan(tmp_path) == decode_plan(_plan())


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRecording, match=r"recording\.json cannot be read"):
        read_plan(tmp_path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (_plan(pieces={"tile": {"size_mm": [62100, 62100, 2]}}), "piece 'tile' is measured in mm"),
        (_plan(pieces={"pillar": {"diameter_mm": 1e12, "height_mm": 25}}), "none is larger than 500"),
        (_plan(pieces={"pillar": {"mass_g": 1e200}}), "piece 'pillar' is weighed in g"),
        (_plan(pieces={"pillar": {"mass_g": 1e-300}}), "piece 'pillar' is weighed in g"),
        (_plan_with_board(cells=[{"id": "c0", "at_mm": [1e300, 0]}]), "board 'north': places are in mm"),
        (_plan_with_board(towers=[{"id": "left", "centre_mm": [60, -3e4]}]), "none is farther off than 20000"),
        (_plan_with_board(pose={"origin_mm": [0, 1e9, 0]}), "places are in mm"),
        (_plan_with_board(cells=[{"id": "c0", "counts_per_g": 1e-300}]), "a gain or zero that no cell has"),
        (_plan_with_board(cells=[{"id": "c0", "zero_counts": 1e300}]), "a gain or zero that no cell has"),
        (_plan(camera={"width": 640, "height": 480, "distortion": [1e300] * 5}), "no numbers beyond"),
        (
            _plan(camera={"width": 640, "height": 480, "matrix": [[1e300, 0, 0], [0, 600, 0], [0, 0, 1]]}),
            "no numbers beyond",
        ),
    ],
)
def test_what_no_table_can_be_is_said_before_it_is_reckoned_with(text: bytes, says: str) -> None:
    with pytest.raises(BadRecording, match=says):
        decode_plan(text)
