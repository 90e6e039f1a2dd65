"""The scoreboard as pictures: recall and precision, how late calls come, how far heights are off, what was wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.sensing.bench import Outcome, Report
from companion.sensing.scoring import SCORED_KINDS, Scores
from companion.sensing.streams import Image

_WIDTH_PX, _HEIGHT_PX = 960, 540
_LEFT, _TOP, _RIGHT, _BOTTOM = 70, 60, 250, 50
_INK = (60, 60, 60)
_FAINT = (220, 220, 220)
_COLOURS = ((160, 90, 30), (60, 140, 60), (50, 60, 190), (150, 60, 150), (40, 150, 200))
_LATEST_MS = 2000.0
_FARTHEST_MM = 30.0


def draw(report: Report, folder: Path) -> list[Path]:
    """Write the pictures into a folder and return their files."""
    folder.mkdir(parents=True, exist_ok=True)
    totals = report.totals()
    late = {name: scores.tally("collapse").latencies_ms for name, scores in totals.items()}
    off = {name: scores.heights.errors_mm for name, scores in totals.items()}
    pictures = {
        "recall.png": _bars("Recall (of what happened, how much was called)", totals, "recall"),
        "precision.png": _bars("Precision (of what was called, how much was right)", totals, "precision"),
        "latency.png": _growth("Collapses called within ... ms", late, _LATEST_MS),
        "heights.png": _growth("Heights off by at most ... mm", off, _FARTHEST_MM),
        "errors.png": _errors(report.outcomes),
    }
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / name), picture)
    return [folder / name for name in pictures]


def _paper(title: str) -> Image:
    canvas = np.full((_HEIGHT_PX, _WIDTH_PX, 3), 255, np.uint8)
    _write(canvas, title, (_LEFT, 32), 0.65)
    return canvas


def _write(canvas: Image, text: str, at: tuple[int, int], size: float = 0.42, colour: Sequence[int] = _INK) -> None:
    cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, tuple(colour), 1, cv2.LINE_AA)


def _at(x: float, y: float) -> tuple[int, int]:
    """The pixel of a point of the unit square of the diagram."""
    return (
        round(_LEFT + x * (_WIDTH_PX - _LEFT - _RIGHT)),
        round(_HEIGHT_PX - _BOTTOM - y * (_HEIGHT_PX - _TOP - _BOTTOM)),
    )


def _axes(canvas: Image, names: Sequence[str]) -> None:
    for tenth in range(0, 11, 2):
        cv2.line(canvas, _at(0, tenth / 10), _at(1, tenth / 10), _FAINT, 1)
        _write(canvas, f"{tenth * 10} %", (20, _at(0, tenth / 10)[1] + 4))
    for number, name in enumerate(names):
        colour = _COLOURS[number % len(_COLOURS)]
        y = _TOP + 22 * number
        cv2.rectangle(canvas, (_WIDTH_PX - _RIGHT + 20, y), (_WIDTH_PX - _RIGHT + 32, y + 12), colour, -1)
        _write(canvas, name, (_WIDTH_PX - _RIGHT + 40, y + 11))


def _bars(title: str, totals: Mapping[str, Scores], figure: str) -> Image:
    canvas = _paper(title)
    _axes(canvas, list(totals))
    for place, kind in enumerate(SCORED_KINDS):
        _write(canvas, kind, (_at((place + 0.3) / len(SCORED_KINDS), 0)[0], _HEIGHT_PX - 25))
        for number, scores in enumerate(totals.values()):
            value = getattr(scores.tally(kind), figure)
            left = (place + 0.1 + 0.8 * number / len(totals)) / len(SCORED_KINDS)
            right = left + 0.7 / len(totals) / len(SCORED_KINDS)
            if value is not None:
                cv2.rectangle(canvas, _at(left, 0), _at(right, value), _COLOURS[number % len(_COLOURS)], -1)
    return canvas


def _growth(title: str, values: Mapping[str, Sequence[float]], most: float) -> Image:
    """For each detector the share of values up to each size."""
    canvas = _paper(title)
    _axes(canvas, [f"{name} ({len(each)})" for name, each in values.items()])
    for fifth in range(6):
        _write(canvas, f"{most * fifth / 5:.0f}", (_at(fifth / 5, 0)[0] - 10, _HEIGHT_PX - 25))
    for number, each in enumerate(values.values()):
        ordered = np.sort(np.clip(np.asarray(each, float), 0, most))
        points = [_at(value / most, (rank + 1) / len(ordered)) for rank, value in enumerate(ordered)]
        if points:
            cv2.polylines(
                canvas, [np.asarray(points, np.int32)], False, _COLOURS[number % len(_COLOURS)], 2, cv2.LINE_AA
            )
    return canvas


def _errors(outcomes: Sequence[Outcome]) -> Image:
    """The recordings in which most collapses were missed or made up, for each detector."""
    canvas = _paper("Collapses missed and made up, by recording")
    rows = sorted(map(_row, outcomes), key=lambda row: (-(row[0] + row[1]), row[2:]))
    for place, (missed, wrong, detector, recording) in enumerate(rows[: (_HEIGHT_PX - _TOP - 30) // 18]):
        if missed + wrong:
            text = f"{missed} missed, {wrong} made up   {detector:<26} {recording}"
            _write(canvas, text, (_LEFT, _TOP + 18 * (place + 1)))
    return canvas


def _row(outcome: Outcome) -> tuple[int, int, str, str]:
    missed = sum(event.kind == "collapse" for event in outcome.missed)
    wrong = sum(call.kind == "collapse" for call in outcome.wrong)
    return missed, wrong, outcome.detector, outcome.recording
