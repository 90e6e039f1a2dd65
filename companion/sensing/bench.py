"""The watcher and the plain baselines over the same recordings in the same run: what they called, and what it cost.

Every picture is decoded once and handed to each detector in turn; a detector's time is what its own `feed` takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

import cv2
import msgspec

from companion.errors import BadRecording, Malformed
from companion.sensing.baselines import MotionBaseline, WeightBaseline
from companion.sensing.cost import Ruler
from companion.sensing.disturbances import DISTURBANCES, Disturbance, disturbed
from companion.sensing.plan import PLAN_FILE, Plan
from companion.sensing.recording import Item, Recording
from companion.sensing.scoring import (
    NOTHING,
    SCORED_KINDS,
    Event,
    Match,
    Scores,
    Tally,
    events,
    match,
    quantile,
    score,
)
from companion.sensing.streams import Frame, Sense, Sensed
from companion.sensing.truth import has_truth, read_truth
from companion.sensing.watch import Watcher

WATCH = "watch"
_US_PER_S = 1_000_000
_NS_PER_MS = 1_000_000


class Detector(Protocol):
    """What can be fed samples and pictures and says what happened."""

    def feed(self, item: Item) -> list[Sensed]: ...

    def finish(self) -> list[Sensed]: ...


class Entrant(msgspec.Struct, frozen=True):
    """A detector to measure: its name, the senses it gets, and how to make one for a table."""

    name: str
    senses: tuple[Sense, ...]
    made: Callable[[Plan, tuple[Sense, ...]], Detector]


def _watcher(plan: Plan, senses: tuple[Sense, ...]) -> Detector:
    return Watcher(plan, senses)


def _motion(plan: Plan, senses: tuple[Sense, ...]) -> Detector:
    return MotionBaseline(plan)


def _weight(plan: Plan, senses: tuple[Sense, ...]) -> Detector:
    return WeightBaseline(plan)


ENTRANTS: tuple[Entrant, ...] = (
    Entrant(WATCH, ("scales", "camera"), _watcher),
    Entrant(f"{WATCH}, scales only", ("scales",), _watcher),
    Entrant(f"{WATCH}, camera only", ("camera",), _watcher),
    Entrant("background subtraction", ("camera",), _motion),
    Entrant("weight threshold", ("scales",), _weight),
)


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One detector over one recording, with what it missed and what it made up."""

    recording: str
    detector: str
    scores: Scores
    matches: tuple[Match, ...] = ()
    missed: tuple[Event, ...] = ()
    wrong: tuple[Sensed, ...] = ()


class Report(msgspec.Struct, frozen=True):
    """All outcomes, and the sum for each detector in the order of the entrants."""

    outcomes: tuple[Outcome, ...]

    def of(self, detectors: Sequence[str]) -> Report:
        """The outcomes of these detectors only."""
        return Report(tuple(outcome for outcome in self.outcomes if outcome.detector in detectors))

    def totals(self) -> dict[str, Scores]:
        totals: dict[str, Scores] = {}
        for outcome in self.outcomes:
            totals[outcome.detector] = totals.get(outcome.detector, NOTHING) + outcome.scores
        return totals


def recordings_in(folders: Iterable[Path]) -> list[Path]:
    """The recordings with a truth among these folders and those right in them; BadRecording when there is none."""
    found: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise BadRecording(f"{folder} is no folder.")
        inside = sorted(child for child in folder.iterdir() if child.is_dir())
        found += [each for each in (folder, *inside) if (each / PLAN_FILE).is_file() and has_truth(each)]
    if not found:
        raise BadRecording("There is no recording with a truth in these folders.")
    return found


def bench(
    folders: Sequence[Path],
    entrants: Sequence[str] = (),
    jobs: int = 1,
    done: Callable[[str], None] = lambda name: None,
) -> Report:
    """Measure every entrant (or the named ones) over every recording; `done` hears the name of each finished one."""
    _check(entrants)
    outcomes: list[Outcome] = []
    tasks = [(folder, tuple(entrants), None) for folder in folders]
    for (folder, _, _), part in _measured(tasks, jobs):
        outcomes += part
        done(folder.name)
    return Report(tuple(outcomes))


def robust(
    folders: Sequence[Path],
    entrants: Sequence[str] = (),
    jobs: int = 1,
    done: Callable[[str], None] = lambda name: None,
) -> dict[str, Report]:
    """A report for each disturbance by its name; without names, of the watcher alone.

    Recordings without the sense that a disturbance troubles take no part in its report.
    """
    _check(entrants)
    names = tuple(entrants) or (WATCH,)
    outcomes: list[list[Outcome]] = [[] for _ in DISTURBANCES]
    tasks = [(folder, names, worse) for folder in folders for worse in range(len(DISTURBANCES))]
    for (folder, _, worse), part in _measured(tasks, jobs):
        outcomes[worse or 0] += part
        done(folder.name)
    return {each.name: Report(tuple(found)) for each, found in zip(DISTURBANCES, outcomes, strict=True)}


def _check(entrants: Sequence[str]) -> None:
    known = [entrant.name for entrant in ENTRANTS]
    for name in sorted(set(entrants) - set(known)):
        raise Malformed(f"There is no detector called '{name}'. Known detectors: {', '.join(known)}.")


_Task = tuple[Path, tuple[str, ...], int | None]
"""A recording, the detectors, and which disturbance."""


def _measured(tasks: Iterable[_Task], jobs: int) -> Iterator[tuple[_Task, list[Outcome]]]:
    if jobs <= 1:
        yield from ((task, measure(*task)) for task in tasks)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = [(task, pool.submit(measure, *task)) for task in tasks]
        yield from ((task, part.result()) for task, part in waiting)


def measure(folder: Path, entrants: tuple[str, ...] = (), worse: int | None = None) -> list[Outcome]:
    """Each entrant over one recording, with one of the disturbances if wanted."""
    cv2.setNumThreads(1)
    try:
        return _measured_here(folder, entrants, worse)
    except BadRecording as err:
        raise BadRecording(str(err) if str(folder) in str(err) else f"{folder}: {err}") from err


def _measured_here(folder: Path, entrants: tuple[str, ...], worse: int | None) -> list[Outcome]:
    recording = Recording.open(folder)
    disturbance = None if worse is None else DISTURBANCES[worse]
    if disturbance is not None and disturbance.sense not in recording.senses:
        return []
    running = [
        _Run(entrant, recording)
        for entrant in ENTRANTS
        if (not entrants or entrant.name in entrants) and set(entrant.senses) & set(recording.senses)
    ]
    ruler = Ruler()
    for item in _items(recording, disturbance):
        if isinstance(item, Frame):
            ruler.show(item)
        for run in running:
            run.feed(item)
    for sentence in recording.unread.values():
        raise BadRecording(sentence)
    return [run.outcome(folder, ruler) for run in running]


def _items(recording: Recording, disturbance: Disturbance | None) -> Iterator[Item]:
    return recording.merged() if disturbance is None else disturbed(recording, disturbance)


class _Run:
    """One detector at work, and its stop-watch."""

    def __init__(self, entrant: Entrant, recording: Recording) -> None:
        self._entrant = entrant
        senses = tuple(sense for sense in entrant.senses if sense in recording.senses)
        self._detector = entrant.made(recording.plan, senses)
        self._camera, self._scales = "camera" in senses, "scales" in senses
        self._calls: list[Sensed] = []
        self._ns = 0
        self._frames = self._samples = 0
        self._first_us: int | None = None
        self._last_us = 0

    def feed(self, item: Item) -> None:
        frame = isinstance(item, Frame)
        self._first_us = item.t_us if self._first_us is None else self._first_us
        self._last_us = item.t_us
        if not (self._camera if frame else self._scales):
            return
        self._frames += frame
        self._samples += not frame
        start = time.thread_time_ns()
        self._calls += self._detector.feed(item)
        self._ns += time.thread_time_ns() - start

    def outcome(self, folder: Path, ruler: Ruler) -> Outcome:
        self._calls += self._detector.finish()
        truth = read_truth(folder)
        seconds = (self._last_us - (self._first_us or 0)) / _US_PER_S
        scores = msgspec.structs.replace(
            score(truth, self._calls, seconds=seconds),
            frames=self._frames,
            samples=self._samples,
            cpu_ms=self._ns / _NS_PER_MS,
            mog2_frames=ruler.frames if self._camera else 0,
            mog2_ms=ruler.ms if self._camera else 0.0,
        )
        paired = match(events(truth), self._calls)
        return Outcome(
            recording=folder.name,
            detector=self._entrant.name,
            scores=scores,
            matches=paired.matches,
            missed=paired.missed,
            wrong=paired.wrong,
        )


# For programs


def as_data(report: Report) -> dict[str, Any]:
    """The scoreboard as JSON holds it: sums for each detector, and for each recording what was missed and made up."""
    return {
        "detectors": {name: summary(scores) for name, scores in report.totals().items()},
        "recordings": [
            {
                "recording": each.recording,
                "detector": each.detector,
                "kinds": {kind: _counted(each.scores.tally(kind)) for kind in SCORED_KINDS},
                "missed": msgspec.to_builtins(each.missed),
                "wrong": msgspec.to_builtins(each.wrong),
            }
            for each in report.outcomes
        ],
    }


def robust_data(reports: Mapping[str, Report]) -> dict[str, Any]:
    """For each disturbance the figures of each detector."""
    return {
        name: {detector: summary(scores) for detector, scores in report.totals().items()}
        for name, report in reports.items()
    }


def summary(scores: Scores) -> dict[str, Any]:
    """The figures of one detector."""
    high = scores.heights
    return {
        "recordings": scores.recordings,
        "seconds": round(scores.seconds, 1),
        "kinds": {kind: _counted(scores.tally(kind)) for kind in SCORED_KINDS},
        "heights": {
            "said": high.said,
            "level_right": high.level_right,
            "towers": high.towers,
            "right_at_end": high.right_at_end,
            "error_mm_p50": quantile(high.errors_mm, 0.5),
            "error_mm_p95": quantile(high.errors_mm, 0.95),
        },
        "quiet_recordings": scores.quiet_recordings,
        "quiet_and_silent": scores.quiet_and_silent,
        "frames": scores.frames,
        "samples": scores.samples,
        "cpu_ms": round(scores.cpu_ms, 1),
        "cpu_ms_per_frame": scores.cpu_ms_per_frame,
        "mog2_ms_per_frame": scores.mog2_ms_per_frame,
        "cost_in_mog2s": scores.cost_in_mog2s,
    }


def _counted(tally: Tally) -> dict[str, Any]:
    return {
        "happened": tally.happened,
        "called": tally.called,
        "right": tally.right,
        "recall": tally.recall,
        "precision": tally.precision,
        "tower_right": tally.tower_right,
        "level_right": tally.level_right,
        "piece_right": tally.piece_right,
        "latency_ms_p50": quantile(tally.latencies_ms, 0.5),
        "latency_ms_p95": quantile(tally.latencies_ms, 0.95),
    }
