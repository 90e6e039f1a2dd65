"""The ten-second check of a module: its rate, noise, values and errors, each with what to do about it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from companion.devices.presses import MonotonicNs
from companion.devices.scales.driver import ModuleReport, Scales
from companion.devices.scales.link import Counts
from companion.devices.scales.messages import CHANNELS, FULL_SCALE
from companion.devices.scales.troubles import Notice
from companion.doctor import Check, Health
from companion.sensing.streams import ScaleSample

SECONDS = 10.0
GREET_S = 6.5
"""How long it takes until every port has answered or will not."""

_POLL_S = 0.02
_US_PER_S = 1e6
_RATE_RANGE = (0.9, 1.25)
"""Real chips do up to a sixth more than their nominal rate."""
_TEN_SPS = (8.0, 14.0)
_QUIET_COUNTS = 400.0
_LOUD_COUNTS = 4000.0
_FEWEST_VALUES = 5
_GLITCH_SDS = 12.0
_GLITCH_SHARE = 0.001
_MAD_TO_SD = 1.4826
_SLOW_RTT_US = 20_000
_FEWEST_SAMPLES = 16
_LOST_SHARE = 0.001

Pause = Callable[[float], None]


class Collected(Struct, frozen=True, kw_only=True):
    """What was heard in a while: samples by board, the modules at its beginning and end, and what was told."""

    seconds: float
    samples: dict[str, list[ScaleSample]]
    before: tuple[ModuleReport, ...]
    after: tuple[ModuleReport, ...]
    notices: tuple[Notice, ...] = ()


def greet(scales: Scales, pause: Pause, monotonic_ns: MonotonicNs) -> tuple[ModuleReport, ...]:
    """Every port and what is there, as soon as that is known."""
    until_ns = monotonic_ns() + int(GREET_S * 1e9)
    while monotonic_ns() < until_ns:
        scales.poll()
        if all(report.state != "greeting" for report in scales.modules()):
            break
        pause(_POLL_S)
    return scales.modules()


def collect(scales: Scales, seconds: float, pause: Pause, monotonic_ns: MonotonicNs) -> Collected:
    """Listen for a while to whatever is there."""
    greet(scales, pause, monotonic_ns)
    _listen(scales, 1.0, pause, monotonic_ns)
    before = scales.modules()
    samples = _listen(scales, seconds, pause, monotonic_ns)
    return Collected(
        seconds=seconds, samples=samples, before=before, after=scales.modules(), notices=tuple(scales.notices())
    )


def _listen(scales: Scales, seconds: float, pause: Pause, monotonic_ns: MonotonicNs) -> dict[str, list[ScaleSample]]:
    heard: dict[str, list[ScaleSample]] = {}
    until_ns = monotonic_ns() + int(seconds * 1e9)
    while monotonic_ns() < until_ns:
        for sample in scales.poll():
            heard.setdefault(sample.board, []).append(sample)
        pause(_POLL_S)
    return heard


# Findings


def findings(heard: Collected) -> dict[str, list[Check]]:
    """Everything that was found, for each module or port by its name."""
    before = {report.name: report for report in heard.before}
    return {report.name: list(_module(report, before.get(report.name), heard)) for report in heard.after}


def _module(report: ModuleReport, before: ModuleReport | None, heard: Collected) -> list[Check]:
    if not report.board or report.state != "ready":
        says = " ".join(report.says) or f"Nothing was heard from {report.port}."
        return [Check(name="module", ok="bad", says=says, remedy="Look at its cable and its USB port, then try again.")]
    samples = heard.samples.get(report.board, [])
    passed = _passed(report.counts, before.counts if before else Counts())
    found = [_link(passed, len(samples)), _clock(report), _errors(passed)]
    for channel in range(CHANNELS):
        if report.expected >> channel & 1:
            found += _cell(channel, report, samples)
    return found


def _passed(after: Counts, before: Counts) -> Mapping[str, int]:
    return {name: getattr(after, name) - getattr(before, name) for name in Counts.__struct_fields__}


def _link(passed: Mapping[str, int], samples: int) -> Check:
    lost, slow = passed["lost"], passed["queue_dropped"]
    says = f"{samples} samples, {lost} frames lost, {passed['bad']} broken, {passed['rx_bad']} broken on the way there."
    if slow:
        return Check(name="link", ok="bad", says=says, remedy="This machine is too busy to listen: close programs.")
    if lost or passed["bad"]:
        ok: Health = "warn" if lost < max(2.0, _LOST_SHARE * samples) else "bad"
        return Check(name="link", ok=ok, says=says, remedy="Try a shorter USB cable, another port, no hub.")
    return Check(name="link", ok="good", says=says)


def _clock(report: ModuleReport) -> Check:
    rtt_us, skew_ppm = report.rtt_us or 0.0, report.skew_ppm or 0.0
    says = f"A ping takes {rtt_us / 1000:.1f} ms; the module's clock is off by {skew_ppm:+.0f} ppm."
    if rtt_us > _SLOW_RTT_US:
        remedy = "The USB chip holds data back: set its latency timer to 1 ms, or use a port without a hub."
        return Check(name="clock", ok="warn", says=says, remedy=remedy)
    return Check(name="clock", ok="good", says=says)


def _errors(passed: Mapping[str, int]) -> Check:
    kinds = {
        "timeouts": "time-outs", "desyncs": "lost steps", "late": "late readings", "tx_dropped": "frames dropped",
        "restarts": "restarts",
    }  # fmt: skip
    there = [f"{passed[kind]} {words}" for kind, words in kinds.items() if passed[kind]]
    if not there:
        return Check(name="errors", ok="good", says="None.")
    remedy = "Check the wires of each HX711 and the 5 V supply; keep the wires to the chips under 20 cm."
    return Check(name="errors", ok="bad", says=f"{', '.join(there)}.", remedy=remedy)


def _cell(channel: int, report: ModuleReport, samples: Sequence[ScaleSample]) -> list[Check]:
    name = f"cell c{channel}"
    there = [(sample.t_us, count) for sample in samples if (count := sample.counts[channel]) is not None]
    if len(there) < _FEWEST_SAMPLES:
        remedy = "Check the four wires of its HX711 (DT, SCK, VCC, GND), then those of the cell."
        return [Check(name=name, ok="bad", says=f"It gave {len(there)} readings.", remedy=remedy)]
    counts = [count for _, count in there]
    found = [_rate(name, there, report.nominal_sps or 0), _values(name, counts)]
    ends = sum(count in FULL_SCALE for count in counts)
    if ends:
        remedy = "Take the load off; else a wire of the cell is loose, or E+, E-, A+, A- are swapped."
        says = f"{ends} of {len(counts)} readings are at the end of the range."
        return [*found, Check(name=f"{name} range", ok="bad", says=says, remedy=remedy)]
    return [*found, _noise(name, counts), _glitches(name, counts)]


def _rate(name: str, there: Sequence[tuple[int, int]], nominal_sps: int) -> Check:
    rate_hz = (len(there) - 1) / max(1, there[-1][0] - there[0][0]) * _US_PER_S
    says = f"{rate_hz:.1f} readings a second; {nominal_sps} is its nominal rate."
    low, high = (share * nominal_sps for share in _RATE_RANGE)
    if low <= rate_hz <= high:
        return Check(name=f"{name} rate", ok="good", says=says)
    if _TEN_SPS[0] <= rate_hz <= _TEN_SPS[1]:
        remedy = "Its RATE pin is tied to ground: many boards need a trace cut or a bridge moved for 80 a second."
        return Check(name=f"{name} rate", ok="warn", says=says, remedy=remedy)
    remedy = "Readings are missed or doubled: check DT and SCK of this chip, and that no two chips share a wire."
    return Check(name=f"{name} rate", ok="bad", says=says, remedy=remedy)


def _values(name: str, counts: Sequence[int]) -> Check:
    different = len(set(counts))
    steps = math.gcd(*(after - before for before, after in pairwise(counts)))
    says = f"{different} different values in {len(counts)} readings."
    if different < _FEWEST_VALUES:
        remedy = "The chip talks but does not measure: check the four wires of the cell, and E+ for 4 V or so."
        return Check(name=f"{name} values", ok="bad", says=says, remedy=remedy)
    if steps > 1:
        remedy = "The lowest bits never change: check DT for noise, and the clock for pulses that are too short."
        return Check(name=f"{name} values", ok="warn", says=f"{says} All are {steps} counts apart.", remedy=remedy)
    return Check(name=f"{name} values", ok="good", says=says)


def noise_counts(counts: Sequence[int]) -> float:
    """Standard deviation of one reading, from the steps between neighbours, so that drift and spikes count little."""
    steps = [abs(after - before) for before, after in pairwise(counts)]
    return _MAD_TO_SD * statistics.median(steps) / math.sqrt(2) if steps else 0.0


def _noise(name: str, counts: Sequence[int]) -> Check:
    sd = noise_counts(counts)
    says = f"Noise {sd:.0f} counts; the mean is {statistics.fmean(counts):.0f}."
    if sd <= _QUIET_COUNTS:
        return Check(name=f"{name} noise", ok="good", says=says)
    remedy = "Touch nothing meanwhile; twist and shorten the cell's wires, keep them off USB and power."
    return Check(name=f"{name} noise", ok="warn" if sd <= _LOUD_COUNTS else "bad", says=says, remedy=remedy)


def _glitches(name: str, counts: Sequence[int]) -> Check:
    limit = _GLITCH_SDS * max(1.0, noise_counts(counts))
    spikes = sum(
        abs(here - before) > limit and abs(here - after) > limit and abs(after - before) < limit
        for before, here, after in zip(counts, counts[1:], counts[2:], strict=False)
    )
    says = f"{spikes} single readings far from their neighbours."
    if spikes <= _GLITCH_SHARE * len(counts):
        return Check(name=f"{name} spikes", ok="good", says=says)
    remedy = "Keep this chip's wires apart from the others', and add 100 nF at its supply."
    return Check(name=f"{name} spikes", ok="warn", says=says, remedy=remedy)
