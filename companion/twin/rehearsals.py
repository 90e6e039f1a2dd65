"""Rehearsals: short evenings of real physics whose script is made up, each felt by several scales at once.

A tower or two stand, two or three things happen to them, and all is over after some ten seconds. They cost a fraction
of a filmed suite, and no two are alike: other pieces, boards, hands, and scales from one slow cell to four quick ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from random import Random
from typing import NamedTuple

import msgspec
import numpy as np

from companion.errors import Malformed
from companion.sensing.plan import Cell, Plan
from companion.sensing.scoring import Event, events
from companion.sensing.streams import ScaleSample
from companion.sensing.truth import Truth
from companion.twin.episode import STEP_S, Episode
from companion.twin.forces import Array, Chip, Forces, sensed
from companion.twin.physics import G_PER_N
from companion.twin.scenario import Scenario, parse_scenario
from companion.twin.table import TOWERS

_QUICK_SPS, _SLOW_SPS = (80.0, 80.0, 86.0, 93.0, 40.0), (11.3, 10.0)
_TAPS: tuple[tuple[float, ...], ...] = ((1.0,), (0.7, 0.25, 0.05), (0.5, 0.35, 0.15))
_DEAD_SHARE = 0.06
_GAIN_ERROR = 0.004
_STORE_SHARE = 0.2
_TICK_S, _LONGEST_S = 0.1, 14.0
_SCRIPTS = 8  # of a seed that are tried: castles may fall down by themselves
_FALL_SHARE, _CLEAR_SHARE, _OTHER_TOWER_SHARE = 0.7, 0.15, 0.1
_EVEN_SHARE = 0.4
_FALLS = (
    "knock {tower}",
    "knock {tower}",
    "knock {tower} softly",
    "knock {tower} softly",
    "knock {tower} hard",
    "topple {tower} toward {other}",
    "topple {tower} toward {other}",
    "brush pillar of {tower}",
    "brush pillar of {tower} hard",
    "brush pillar of {tower} hard",
    "overload {tower}",
    "overload {tower}",
    "place tile on {tower} off by {off}",
    "place tile on {tower} off by {off}",
    "place 2 pillars on {tower}\nplace tile on {tower} off by {off}",
    "place 1 pillar on {tower}\nplace tile on {tower}",
    "drop {small} on {tower}",
    "drop {small} on board",
    "drop tile on board",
    "roll pillar off {tower}",
    "remove pillar from {tower} level 1",
    "remove pillar from {tower}",
    "remove pillar from {tower}\nremove pillar from {tower}",
    "bump table hard",
)
_LOOK_ALIKES = (
    "place {many} pillars on {tower}",
    "place tile on {tower}",
    "place {small} on {tower}",
    "place bridge on {tower}",
    "place bridge on {tower}",
    "place roof on {tower}",
    "place brazier on {tower}",
    "place 3 pillars on {tower}\nplace tile on {tower}",
    "place tile on {bare}",
    "drop tile on {bare}",
    "drop tile on {bare}",
    "drop {small} on {tower}",
    "drop {small} beside board",
    "remove {small} from {tower}",
    "remove tile from {tower}",
    "remove room from {tower}",
    "fumble {small}",
    "fumble pillar from {tower}",
    "brush pillar of {tower} softly",
    "brush pillar of {tower}",
    "rest hand on board for 1.5",
    "lean on board for 1.5",
    "hover at {tower} for 1",
    "reach over board for 1",
    "bump table",
    "bump table softly",
    "bump table hard",
    "place {small} on {tower}\nmeanwhile rest hand on board for 1",
    "place tile on {tower}\nmeanwhile lean on board for 1",
)
_STORES = "store {small}"
_SMALL = ("pillar", "pillar", "meeple", "room")


class Scale(NamedTuple):
    """A kind of scale: how quick its chips may be, and whether it has a single cell."""

    name: str
    rates_sps: tuple[float, ...]
    single: bool = False


SCALES = (
    Scale("quick", _QUICK_SPS),
    Scale("slow", _SLOW_SPS),
    Scale("single", (*_QUICK_SPS, *_SLOW_SPS), single=True),
)


class Reading(NamedTuple):
    """A rehearsal as one table of scales felt it, and what fell."""

    plan: Plan
    samples: Sequence[ScaleSample]
    falls: Sequence[Event]


def rehearsal(seed: int) -> Iterator[Reading]:
    """One rehearsal, as each of the usual scales feels it; nothing where no castle of it stands."""
    episode = _standing(seed)
    if episode is None:
        return
    load = played(episode)
    truth = [msgspec.convert(event, Truth) for event in episode.truth]
    falls = [event for event in events(truth) if event.kind == "collapse"]
    for scale in SCALES:
        yield Reading(*felt_by(scale, load, episode.plan, seed), falls)


def played(episode: Episode) -> Array:
    """What presses on the first board: a row of force and moments for each step, until it is over or has taken long."""
    loads = [chunk.load[:, 0] for chunk in takewhile(lambda chunk: chunk.t_s < _LONGEST_S, episode.run(_TICK_S))]
    return np.concatenate(loads) * G_PER_N


def script(seed: int, again: int = 0) -> Scenario:
    """The script of a rehearsal; `again` draws another one for it.

    >>> script(7) == script(7), script(7) == script(8)
    (True, False)
    """
    chance = Random(f"rehearsal/{seed}/{again}")
    towers = chance.sample(TOWERS, chance.choice((1, 2, 2, 3)))
    lines = [f"manner {chance.choice(('careful', 'usual', 'usual', 'clumsy'))}"]
    levels = [chance.choice((1, 2, 2, 3, 3, 4, 5)) for _ in towers]
    if chance.random() < _EVEN_SHARE:  # a bridge needs two towers of one height
        levels = [min(levels)] * len(towers)
    for tower, high in zip(towers, levels, strict=True):
        lines.append(f"castle {tower} {high} levels on {chance.choice((4, 4, 3))} pillars")
    stores = chance.random() < _STORE_SHARE
    for _ in range(chance.choice((1, 2, 2))):
        acts = _FALLS if chance.random() < _FALL_SHARE else (*_LOOK_ALIKES, *[_STORES] * 4 * stores)
        lines += [_act(chance, chance.choice(acts), towers), f"wait {chance.uniform(0.6, 1.5):.1f}"]
        if chance.random() < _CLEAR_SHARE:
            lines.append("clear board")
    return parse_scenario("\n".join(lines), f"rehearsal-{seed}")


def _act(chance: Random, act: str, towers: Sequence[str]) -> str:
    tower = chance.choice(TOWERS if chance.random() < _OTHER_TOWER_SHARE else towers)
    others = [each for each in towers if each != tower] or [each for each in TOWERS if each != tower]
    return act.format(
        tower=tower,
        bare=chance.choice([each for each in TOWERS if each not in towers] or TOWERS),
        other=chance.choice(others),
        off=chance.randint(16, 34),
        small=chance.choice(_SMALL),
        many=chance.randint(1, 3),
    )


def _standing(seed: int) -> Episode | None:
    """The episode of a seed's first script whose castles stand; None where those of several do not."""
    for scenario in (script(seed, again) for again in range(_SCRIPTS)):
        with suppress(Malformed):
            return Episode(scenario, seed)
    return None


def felt_by(scale: Scale, load: Array, plan: Plan, seed: int) -> tuple[Plan, list[ScaleSample]]:
    """What a scale under the first board feels of a load (steps, force and moments), and the plan with it."""
    chance = np.random.default_rng([seed, *scale.name.encode()])
    plan = _weighed(plan, scale, chance)
    many = len(plan.boards[0].cells)
    chip = Chip(
        rate_sps=float(chance.choice(scale.rates_sps)) * float(chance.uniform(0.985, 1.0)),
        taps=_TAPS[int(chance.integers(len(_TAPS)))],
        noise_g=float(chance.uniform(0.01, 0.035)),
        drift_g=float(chance.normal(0, 0.1)),
        glitch_share=float(chance.choice((0.0, 0.0, 0.0, 0.004, 0.02))),
        resonance_hz=float(chance.uniform(58, 88)),
        damping=float(chance.uniform(0.02, 0.08)),
        gain_error=_GAIN_ERROR,
        dead=(int(chance.integers(many)),) if many > 2 and chance.random() < _DEAD_SHARE else (),
        offset_s=float(chance.uniform(0, 0.1)),
    )
    forces = Forces(len(load) * STEP_S)
    forces.load[:] = load[: len(forces.load)]
    return plan, sensed(forces, plan.boards[0], chip, int(chance.integers(1 << 30)), start_us=0)


def _weighed(plan: Plan, scale: Scale, chance: np.random.Generator) -> Plan:
    """The plan with a scale under its first board."""
    board = plan.boards[0]
    gain = float(chance.uniform(400, 1700))
    middle = (board.size_mm[0] / 2, board.size_mm[1] / 2)
    at = [middle] if scale.single else [cell.at_mm or middle for cell in board.cells]
    cells = tuple(Cell(f"c{number}", place, gain, 80_000.0) for number, place in enumerate(at))
    return msgspec.structs.replace(plan, boards=(msgspec.structs.replace(board, cells=cells), *plan.boards[1:]))
