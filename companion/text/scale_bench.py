"""`companion bench scales`: the step detector on real logs beside a plain one, positions, and the cost of a sample."""

from __future__ import annotations

from pathlib import Path

from companion.devices.scales.bench import decode_cost
from companion.sensing.scales.bench import Measured, detection_us, measure, position_errors_mm
from companion.text.paper import Grid, Paper, printer

_MODULES = 4
_RATE_SPS = 80.0
_MOST_CORE_PERCENT = 4.0
_MOST_MM = 8.0
_PROMISED = {0.1: 0.9, 0.2: 1.0}


def run(folder: Path, out: Paper | None = None) -> bool:
    """Measure and show; False when something that was promised is not kept."""
    out = out or printer()
    ours, plain = measure(folder)
    out.grid(_on_logs(ours, plain))
    kept = all([_kept(ours), _positions(out), _costs(out)])
    out.say("All that was promised is kept." if kept else "Not all that was promised is kept: see 'all of that right'.")
    return kept


def _on_logs(*measured: Measured) -> Grid:
    rows = [("events in the cold start", *(str(each.cold_start_events) for each in measured))]
    for at, step in enumerate(measured[0].injected):
        grams = f"{step.grams:g} g"
        runs = [each.injected[at] for each in measured]
        rows += [
            (f"{grams}: found of {step.steps}", *(f"{100 * run.found / run.steps:.1f} %" for run in runs)),
            (f"{grams}: events that no step made", *(str(run.extra) for run in runs)),
            (f"{grams}: mass within 0.05 g or 5 %", *(f"{100 * run.close:.1f} %" for run in runs)),
            (f"{grams}: decided within 0.7 s", *(f"{100 * run.in_time:.1f} % (p95 {run.p95_s:.2f} s)" for run in runs)),
            (f"{grams}: all of that right", *(f"{100 * run.whole / run.steps:.1f} %" for run in runs)),
        ]
    rows += [
        (
            f"four corners: events made by {measured[0].corner_glitches} glitches",
            *(f"{each.glitch_events} of {each.corner_events}" for each in measured),
        ),
        ("four cells, pushed: events", *(str(each.pushes) for each in measured)),
    ]
    return Grid(head=("real logs", *(each.name for each in measured)), rows=tuple(rows), numbers=frozenset({1, 2}))


def _kept(ours: Measured) -> bool:
    found = all(step.whole >= _PROMISED.get(step.grams, 0.0) * step.steps for step in ours.injected)
    return found and not ours.cold_start_events and not ours.glitch_events


def _positions(out: Paper) -> bool:
    errors = position_errors_mm()
    p95 = errors[int(0.95 * len(errors))]
    out.say(
        f"Position of a 2 g step, 80 samples/s, 0.05 g noise: p50 {errors[len(errors) // 2]:.1f} mm, p95 {p95:.1f} mm"
    )
    return p95 <= _MOST_MM


def _costs(out: Paper) -> bool:
    decoding = decode_cost()
    detecting_us = detection_us()
    total_us = decoding["driver_us"] + detecting_us
    percent = total_us * _MODULES * _RATE_SPS / 1e4
    out.say(
        f"One sample of four cells: bare struct.unpack {decoding['bare_unpack_us']:.2f} us, decoding "
        f"{decoding['driver_us']:.1f} us, detecting {detecting_us:.1f} us; "
        f"four modules at 80 samples/s take {percent:.1f} % of a core"
    )
    return percent < _MOST_CORE_PERCENT
