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
from companion.sensing.plan import Plan
from companion.sensing.scoring import Event, events
from companion.sensing.streams import ScaleSample
from companion.sensing.truth import Truth
from companion.twin.cells import CellTraits, Scale, ScaleTraits, any_traits, stated
from companion.twin.drills import meddled
from companion.twin.episode import STEP_S, Episode
from companion.twin.forces import Array
from companion.twin.physics import G_PER_N
from companion.twin.scenario import Scenario, parse_scenario
from companion.twin.table import TOWERS, middle_cell

_QUICK_SPS, _SLOW_SPS = (80.0, 80.0, 86.0, 93.0, 40.0), (11.3, 10.0)
_STORE_SHARE, _BRIDGE_SHARE = 0.2, 0.06
_STEP_US = round(STEP_S * 1e6)
_TICK_S, _LONGEST_S = 0.1, 14.0
_SCRIPTS = 8  # of a seed that are tried: castles may fall down by themselves
_FALL_SHARE, _CLEAR_SHARE = 0.7, 0.15
_EVEN_SHARE = 0.4
_MEDDLED_SHARE = 0.35
_ROUGH, _RESONANCE_HZ, _DAMPING = (1.0, 3.0), (40.0, 130.0), (0.02, 0.15)
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
_STORES, _BRIDGE = "store {small}", "place bridge on left"
_BRIDGED = ("left", "right")  # two tops of one height: elsewhere it would slide, or lie on the board
_SMALL = ("pillar", "pillar", "meeple", "room")


class Kind(NamedTuple):
    """A kind of scale: how quick its chips may be, whether it has a single cell, and whether one of four is dead."""

    name: str
    rates_sps: tuple[float, ...]
    single: bool = False
    hurt: bool = False


KINDS = (
    Kind("quick", _QUICK_SPS),
    Kind("quick, too", _QUICK_SPS),
    Kind("slow", _SLOW_SPS),
    Kind("single", _QUICK_SPS, single=True),
    Kind("single and slow", _SLOW_SPS, single=True),
    Kind("hurt", (*_QUICK_SPS, *_SLOW_SPS), hurt=True),
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
    for kind in KINDS:
        yield Reading(*felt_by(kind, load, episode.plan, seed), falls)


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
    bridged = chance.random() < _BRIDGE_SHARE
    towers = list(_BRIDGED) if bridged else chance.sample(TOWERS, chance.choice((1, 2, 2, 3)))
    lines = [f"manner {chance.choice(('careful', 'usual', 'usual', 'clumsy'))}"]
    levels = [chance.choice((1, 2, 2, 3, 3, 4, 5)) for _ in towers]
    if bridged or chance.random() < _EVEN_SHARE:
        levels = [max(min(levels), 1 + bridged)] * len(towers)
    for tower, high in zip(towers, levels, strict=True):
        lines.append(f"castle {tower} {high} levels on {chance.choice((4, 4, 3))} pillars")
    others = [*_LOOK_ALIKES, *[_STORES] * 4 * (chance.random() < _STORE_SHARE)]
    if bridged:
        lines += [_BRIDGE, "wait 0.6"]
    for _ in range(chance.choice((1, 2, 2))):
        acts = _FALLS if chance.random() < _FALL_SHARE else others
        lines += [_act(chance, chance.choice(acts), towers), f"wait {chance.uniform(0.6, 1.5):.1f}"]
        if chance.random() < _CLEAR_SHARE:
            lines.append("clear board")
    return parse_scenario("\n".join(lines), f"rehearsal-{seed}")


def _act(chance: Random, act: str, towers: Sequence[str]) -> str:
    tower = chance.choice(towers)
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


def felt_by(kind: Kind, load: Array, plan: Plan, seed: int) -> tuple[Plan, list[ScaleSample]]:
    """What a scale under the first board feels of a load (steps, force and moments), and the plan with it."""
    chance = np.random.default_rng([seed, *kind.name.encode()])
    board = plan.boards[0]
    if kind.single:
        board = msgspec.structs.replace(board, cells=(middle_cell(board),))
    traits = any_traits([cell.at_mm or (0.0, 0.0) for cell in board.cells], chance)
    rate_sps = float(chance.choice(kind.rates_sps)) * float(chance.uniform(0.985, 1.0))
    cells = _strange(traits.cells, chance)
    traits = msgspec.structs.replace(traits, chip=msgspec.structs.replace(traits.chip, rate_sps=rate_sps), cells=cells)
    if kind.hurt:
        traits = _with_a_dead_cell(traits, int(chance.integers(len(traits.cells))))
    if chance.random() < _MEDDLED_SHARE:
        load = meddled(plan, load, chance)
    board = msgspec.structs.replace(board, cells=stated(board, traits, chance))
    scale = Scale(board.id, traits, chance)
    felt = (scale.feed(step * _STEP_US, *pressing) for step, pressing in enumerate(load.tolist(), 1))
    samples = [sample for sample in felt if sample is not None]
    return msgspec.structs.replace(plan, boards=(board, *plan.boards[1:])), samples


def _strange(cells: Sequence[CellTraits], chance: np.random.Generator) -> tuple[CellTraits, ...]:
    """The same cells under a plate as the twin has none: noisier, stiffer or softer."""
    rough = float(chance.uniform(*_ROUGH))
    hz, damping = float(chance.uniform(*_RESONANCE_HZ)), float(chance.uniform(*_DAMPING))
    return tuple(
        msgspec.structs.replace(cell, noise_g=rough * cell.noise_g, resonance_hz=hz, damping=damping) for cell in cells
    )


def _with_a_dead_cell(traits: ScaleTraits, number: int) -> ScaleTraits:
    cells = [msgspec.structs.replace(cell, dead=at == number) for at, cell in enumerate(traits.cells)]
    return msgspec.structs.replace(traits, cells=tuple(cells))
