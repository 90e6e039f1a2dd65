"""Made-up pictures to print on things: boards with their foundations and markers, tiles and cards, planks."""

from __future__ import annotations

from typing import TypeAlias, cast

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.plan import Board, Marker, Point, Point3

Texture: TypeAlias = npt.NDArray[np.uint8]
"""Rows of pixels red, green, blue; up in the picture is away from the owner."""

DICTIONARY = "DICT_4X4_50"
"""Which markers are printed."""
_TEXELS_PER_MM = 6
_TEXELS_PER_BIT = 16
_MARKER_BITS = 6
_QUIET_BITS = 1.0
_TABLE_TEXTURE_PX = 512


def board_print(rng: np.random.Generator, board: Board, base: Point3, wild: float) -> Texture:
    """A board's art, its foundations and its markers, its first row lies along the far edge."""
    wide, deep = (round(side * _TEXELS_PER_MM) for side in board.size_mm)
    canvas = art(rng, deep, wide, base, wild)
    for tower in board.towers:
        _foundation(canvas, board, tower.centre_mm, base)
    for marker in board.markers:
        _stamp(canvas, board, marker)
    return canvas


def art(rng: np.random.Generator, rows: int, columns: int, base: Point3, wild: float) -> Texture:
    """A made-up picture about a colour: patches, lines and small figures, the wilder the stronger."""
    small = max(rows, columns) // 24 + 2
    clouds = (rng.normal(0, 9, (small, small, 1)) + rng.normal(0, 3, (small, small, 3))).astype(np.float32) * wild
    canvas = np.asarray(base, np.float32) * 255 + cv2.resize(clouds, (columns, rows), interpolation=cv2.INTER_CUBIC)
    canvas = np.ascontiguousarray(np.clip(canvas, 0, 255).astype(np.uint8))
    for _ in range(int(40 * wild)):
        _figure(canvas, rng, wild)
    return canvas


def _figure(canvas: Texture, rng: np.random.Generator, wild: float) -> None:
    rows, columns = canvas.shape[:2]
    at = (int(rng.integers(columns)), int(rng.integers(rows)))
    reach = max(3, int(rng.uniform(0.02, 0.12) * max(rows, columns)))
    near = canvas[at[1], at[0]].astype(float)
    colour = tuple(int(c) for c in np.clip(near + rng.normal(0, 55 * wild, 3), 0, 255))
    other = (
        int(np.clip(at[0] + rng.normal(0, reach), 0, columns)),
        int(np.clip(at[1] + rng.normal(0, reach), 0, rows)),
    )
    thick = max(1, max(rows, columns) // 300)
    what = int(rng.integers(4))
    if what == 0:
        cv2.circle(canvas, at, reach // 2, colour, -1, cv2.LINE_AA)
    elif what == 1:
        cv2.line(canvas, at, other, colour, thick, cv2.LINE_AA)
    elif what == 2:
        cv2.rectangle(canvas, at, other, colour, thick)
    else:
        cv2.ellipse(canvas, at, (reach, reach // 2), float(rng.uniform(0, 180)), 0, 360, colour, thick, cv2.LINE_AA)


def _foundation(canvas: Texture, board: Board, centre_mm: Point, base: Point3) -> None:
    dark = tuple(int(c) for c in np.asarray(base) * 255 * 0.62)
    corners = [_texel(board, centre_mm[0] + dx, centre_mm[1] + dy) for dx, dy in ((-32, 32), (32, -32))]
    cv2.rectangle(canvas, corners[0], corners[1], dark, 2 * _TEXELS_PER_MM // 3)


def _texel(board: Board, x_mm: float, y_mm: float) -> tuple[int, int]:
    return round(x_mm * _TEXELS_PER_MM), round((board.size_mm[1] - y_mm) * _TEXELS_PER_MM)


def _stamp(canvas: Texture, board: Board, marker: Marker) -> None:
    """Print a marker where the plan has it, with a white rim. Exact to a small part of a texel, at any turn."""
    rim = marker.size_mm / _MARKER_BITS * _QUIET_BITS
    side = marker.size_mm + 2 * rim
    fine = _marker_picture(marker.id)
    to_mm = _square(marker, side)
    there = np.asarray([(x * _TEXELS_PER_MM, (board.size_mm[1] - y) * _TEXELS_PER_MM) for x, y in to_mm], np.float32)
    here = np.asarray([(0, 0), (fine.shape[1], 0), (fine.shape[1], fine.shape[0]), (0, fine.shape[0])], np.float32)
    half = np.float32(0.5)
    move = cv2.getPerspectiveTransform(here - half, there - half)
    size = (canvas.shape[1], canvas.shape[0])
    printed = cv2.warpPerspective(fine, move, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpPerspective(np.full_like(fine, 255), move, size, flags=cv2.INTER_LINEAR)
    canvas[inside > 127] = printed[inside > 127][:, None]


def _square(marker: Marker, side_mm: float) -> list[Point]:
    """The corners of a square about a marker in OpenCV's order, in the board's frame."""
    turn = np.radians(marker.turn_deg)
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    half = side_mm / 2
    x0, y0 = marker.centre_mm
    return [
        (x0 + cos * dx - sin * dy, y0 + sin * dx + cos * dy)
        for dx, dy in ((-half, half), (half, half), (half, -half), (-half, -half))
    ]


def _marker_picture(number: int) -> Texture:
    """A marker in grey with its white rim."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    inner = cv2.aruco.generateImageMarker(dictionary, number, _TEXELS_PER_BIT * _MARKER_BITS)
    return cast(Texture, np.pad(inner, round(_TEXELS_PER_BIT * _QUIET_BITS), constant_values=255))


def planks(rng: np.random.Generator, colour: Point3, grain: float) -> Texture:
    """Wood-like streaks about a colour; mirrored, so that it can be laid side by side."""
    half = _TABLE_TEXTURE_PX // 2
    shade = np.zeros((half, half), np.float32)
    for across, along, strength in ((half // 12, 3, 0.7), (half // 3, 6, 0.5), (half, half // 8, 0.4)):
        streaks = rng.normal(0, strength, (across, along)).astype(np.float32)
        shade += cv2.resize(streaks, (half, half), interpolation=cv2.INTER_CUBIC)
    shade *= 11 * grain + 2
    quarter = np.clip(np.asarray(colour) * 255 + shade[:, :, None], 0, 255).astype(np.uint8)
    row = np.hstack([quarter, quarter[:, ::-1]])
    return cast(Texture, np.vstack([row, row[::-1]]))
