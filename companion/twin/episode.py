"""One run of a scenario: what the physics gives, for any sensor model to sense and any camera to see.

    episode = Episode(read_scenario("knocked"), seed=7)
    for chunk in episode.run(tick_s=1 / 30):
        sense(chunk.load)                                # every millisecond since the last chunk
        renderer.update_scene(episode.data, camera=...)  # the table as it is at chunk.t_s
    write(episode.truth)

Names in the model, for whoever dresses it: geoms `table`, `board/<board id>`, `piece/<kind>/<number>/...`,
`hand/<number>/skin/...`, `hand/<number>/sleeve/...`; bodies `board/<board id>` (its frame is the board's frame, z = 0
at its top), `piece/<kind>/<number>`, `hand/<number>`. Model lengths are metres; the world is the table's frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import numpy as np

from companion.errors import CompanionError, Malformed
from companion.sensing.plan import Plan
from companion.twin.acts import Player
from companion.twin.castle import Castles, raise_tower
from companion.twin.hand import Hand, add_hand, any_manner
from companion.twin.physics import STEP_S, Dress, Loads, World
from companion.twin.scenario import HANDLESS, HANDS, Castle, Scenario, Step, together
from companion.twin.table import varied_table
from companion.twin.truth import Diary, Event
from companion.twin.turns import Vec

__all__ = ["STEP_S", "Chunk", "Cue", "Dress", "Episode", "Event", "Loads"]

_LEAD_S = (1.2, 2.2)
_TAIL_S = (1.2, 2.0)
_TAIL_MOST_S = 5.0
_PAUSE_S = (0.15, 0.9)
_SETTLE_S = 1.0
_BUMP_M_S2 = {"softly": (0.25, 0.7), "": (0.7, 1.8), "hard": (3.5, 6.5)}
_BUMP_LASTS_S = 1.4
_NUDGE = {"softly": (0.05, 0.2), "": (0.2, 0.6), "hard": (0.6, 1.0)}


@dataclass(frozen=True, slots=True)
class Cue:
    """Something the script asks of the light or the camera.

    `light` (what: day, lamp, dusk; over_s), `shadow` (what: the board it slides over; over_s), `nudge` (the camera;
    size 0 to 1; over_s).
    """

    t_s: float
    kind: str
    what: str = ""
    over_s: float = 0.0
    size: float = 0.0


@dataclass(frozen=True, slots=True)
class Chunk:
    """What happened since the chunk before: the loads of each step up to and with `t_s`, and the cues."""

    t_s: float
    load: Loads
    cues: tuple[Cue, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Bump:
    """A table that was bumped: it swings and dies away."""

    since_s: float
    push: Vec
    hz: Vec
    decay_s: float

    def at(self, t_s: float) -> Vec:
        age = t_s - self.since_s
        if age > _BUMP_LASTS_S:
            return (0.0, 0.0, 0.0)
        fade = math.exp(-age / self.decay_s)
        x, y, z = (push * fade * math.sin(2 * math.pi * hz * age) for push, hz in zip(self.push, self.hz, strict=True))
        return (x, y, z)


class Episode:
    """A scenario played once. The same scenario, seed and plan give the same episode on one machine."""

    def __init__(
        self,
        scenario: Scenario,
        seed: int = 0,
        *,
        plan: Plan | None = None,
        dress: Dress | None = None,
        start_us: int = 0,
    ) -> None:
        self.scenario = scenario.drawn(seed)
        self.plan = plan or varied_table(scenario.boards, seed, scenario.stores)
        self.truth: list[Event] = []
        self._chance = Random(f"episode/{scenario.name}/{seed}")
        hands = [partial(add_hand, number=number) for number in range(HANDS)]
        self.world = World(self.plan, self.scenario.stock(), seed, hands, dress)
        self.castles = Castles(self.world)
        manner = any_manner(self._chance, scenario.manner)
        self.hands = [Hand(self.world, number, manner, self._chance) for number in range(HANDS)]
        self.diary = Diary(self.world, self.castles, self.hands, start_us)
        self.truth = self.diary.events
        self._bump: _Bump | None = None
        self._cues: list[Cue] = []
        self.undone: list[str] = []
        """Why steps were left out: what they are about had fallen, say, before they came."""
        self._raise_castles()

    @property
    def model(self) -> Any:
        """The mjModel, for whoever renders."""
        return self.world.model

    @property
    def data(self) -> Any:
        """The mjData as it is now, for whoever renders."""
        return self.world.data

    @property
    def t_s(self) -> float:
        return self.diary.t_s

    def run(self, tick_s: float = 1 / 30) -> Iterator[Chunk]:
        """Play it: a chunk each time a tick is due, the table standing still while the caller looks at it."""
        rows: list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]] = []
        due = tick_s
        for _ in self._played():
            rows.append(self._step())
            if self.t_s >= due - STEP_S / 2:
                due += tick_s
                cues, self._cues = tuple(self._cues), []
                yield Chunk(self.t_s, np.stack(rows), cues)
                rows = []
        if rows:
            yield Chunk(self.t_s, np.stack(rows), tuple(self._cues))
        self.diary.close()

    def _step(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        for hand in self.hands:
            hand.drive()
        if self._bump is not None:
            self._shake(self._bump)
        self.world.step()
        self.diary.step()
        return self.world.load()

    def _raise_castles(self) -> None:
        for castle in self.scenario.castles:
            board, tower, levels = self._board(castle.board), castle.tower, castle.most
            raise_tower(self.castles, board, tower, levels, castle.pillars, castle.roofed, self._chance)
        self.world.settle(_SETTLE_S)
        for castle in self.scenario.castles:
            self._check_stands(castle)
        self.diary.open()

    def _check_stands(self, castle: Castle) -> None:
        wanted = castle.most + castle.roofed
        if self.castles.standing(self._board(castle.board), castle.tower).levels != wanted:
            raise Malformed(f"The {castle.tower} castle of {castle.board} falls down before anything has happened.")

    # The script

    def _played(self) -> Iterator[None]:
        yield from self._wait(self._chance.uniform(*_LEAD_S))
        for group in together(self.scenario.steps):
            yield from self._together(group)
            yield from self._wait(self._chance.uniform(*_PAUSE_S))
        yield from self._wait(self._chance.uniform(*_TAIL_S))
        for _ in range(round(_TAIL_MOST_S / STEP_S)):
            if self.diary.quiet:
                break
            yield

    def _together(self, group: list[Step]) -> Iterator[None]:
        """Steps that are done at the same time, with a hand for each that needs one."""
        free = iter(self.hands)
        lanes = [self._cued(step) if step.act in HANDLESS else self._acted(step, next(free)) for step in group]
        while lanes:
            lanes = [lane for lane in lanes if next(lane, self) is not self]
            if lanes:
                yield

    def _cued(self, step: Step) -> Iterator[None]:
        act = {
            "wait": self._pause, "bump": self._bumped, "lights": self._lights, "shadow": self._shadow,
            "nudge": self._nudge,
        }[step.act]  # fmt: skip
        return act(step)

    def _acted(self, step: Step, hand: Hand) -> Iterator[None]:
        player = Player(hand, self.castles, self.diary, self._board(step.board), self._chance)
        try:
            yield from player.do(step)
        except CompanionError as why:
            self.undone.append(str(why))
        yield from player.go_home()

    def _board(self, name: str) -> int:
        return next(at for at, board in enumerate(self.plan.boards) if board.id == name)

    def _wait(self, seconds: float) -> Iterator[None]:
        for _ in range(round(seconds / STEP_S)):
            yield

    def _pause(self, step: Step) -> Iterator[None]:
        yield from self._wait(step.amount)

    def _bumped(self, step: Step) -> Iterator[None]:
        low, high = _BUMP_M_S2[step.how]
        size, way = self._chance.uniform(low, high), self._chance.uniform(0, 2 * math.pi)
        push = (size * math.cos(way), size * math.sin(way), size * self._chance.uniform(0.4, 1.0))
        # A shove moves the whole table slowly and far, a bump rattles it.
        slow = 2.5 if step.how == "hard" else 1.0
        hz = (self._chance.uniform(7, 14) / slow, self._chance.uniform(7, 14) / slow, self._chance.uniform(14, 28))
        self._bump = _Bump(self.t_s, push, hz, self._chance.uniform(0.06, 0.2) * slow)
        self.diary.write("bump")
        yield from self._wait(_BUMP_LASTS_S)

    def _shake(self, bump: _Bump) -> None:
        self.world.shake(bump.at(self.t_s))
        if self.t_s - bump.since_s > _BUMP_LASTS_S:
            self._bump = None

    def _lights(self, step: Step) -> Iterator[None]:
        self._cue("light", step.how, self._chance.choice((0.05, 0.3, 1.5, 4.0)))
        yield from self._wait(0.5)

    def _shadow(self, step: Step) -> Iterator[None]:
        self._cue("shadow", step.board, step.amount or 2.0)
        yield from self._wait(step.amount or 2.0)

    def _nudge(self, step: Step) -> Iterator[None]:
        self._cues.append(
            Cue(self.t_s, "nudge", over_s=self._chance.uniform(0.1, 0.4), size=self._chance.uniform(*_NUDGE[step.how]))
        )
        yield from self._wait(0.5)

    def _cue(self, kind: str, what: str, over_s: float) -> None:
        self._cues.append(Cue(self.t_s, kind, what, over_s))
        event = self.diary.write("light", what=what if kind == "light" else "shadow")
        event["until_us"] = event["t_us"] + round(over_s * 1e6)
