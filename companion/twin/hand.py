"""A hand: a soft body on springs with two sliding fingers, a grip that yields, and a sleeve that hides things.

Its frame: origin where the fingertips meet, x the way the fingers point, y across the pinch, z up when it points level.
It is drawn to a wanted place by a spring, as by an arm, so what it runs into pushes back; a piece in its grip hangs on
a spring of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import mujoco

from companion.twin.physics import GRAVITY, HAND_BIT, STEP_S, Body, World
from companion.twin.turns import STRAIGHT, Quat, Vec, added, arc, back, between, eased, length, less, times, turned

WIDEST_M = 0.056
"""How far each finger can move from the middle."""
FINGER_M = 0.0065
_MASS_KG = 0.35
_INERTIA = (4e-4, 7e-4, 7e-4)
_FINGER_KG = 0.015
_ARM_KG = 0.001
_ELBOW_RAD = 0.55
"""How steeply a forearm comes down to a hand."""
_ARM_PULL, _ARM_TURN = 34.0, 40.0
_FINGER_PULL = 90.0
_GRIP_PULL, _GRIP_TURN = 150.0, 130.0
_GRIP_MOST_N = 0.6
_ARM_MOST_N = 14.0
_AWAY_M = 3.0
_SOFT = {
    "solref": [0.018, 1.0],
    "solimp": [0.4, 0.9, 0.004, 0.5, 2.0],
    "friction": [0.8, 0.005, 0.0001],
    "condim": 3,
    "priority": 1,
}


@dataclass(frozen=True, slots=True)
class Manner:
    """How somebody's hand behaves: pace (1 is usual), errors and tremor."""

    pace: float = 1.0
    miss_m: float = 0.0012
    twist_rad: float = 0.03
    tremor_m: float = 0.00025
    hesitates: float = 0.15
    tug_m: float = 0.0004


def any_manner(chance: Random, care: str = "") -> Manner:
    """Somebody's manner; `care` may be careful, clumsy or nothing in particular."""
    care = care or chance.choice(("careful", "usual", "usual", "usual", "clumsy"))
    much = {"careful": 0.6, "usual": 1.0, "clumsy": 1.9}[care]
    return Manner(
        pace=chance.uniform(0.8, 1.35) * (0.85 if care == "careful" else 1.0),
        miss_m=0.0012 * much * chance.uniform(0.7, 1.3),
        twist_rad=0.03 * much * chance.uniform(0.5, 1.5),
        tremor_m=0.0002 * much * chance.uniform(0.5, 1.8),
        hesitates=chance.uniform(0.05, 0.35),
        tug_m=0.0004 * much * chance.uniform(0.3, 1.7),
    )


@dataclass(slots=True)
class Grip:
    """A piece between the fingers: where it sits in the hand's frame, and how firmly it is held."""

    piece: Body
    at: Vec
    turn: Quat
    firm: float = 1.0


class Hand:
    """One hand of a world. Its acts are generators: each `next` is one step of the physics."""

    def __init__(self, world: World, number: int, manner: Manner, chance: Random) -> None:
        self.world = world
        self.manner = manner
        self.chance = chance
        self.grip: Grip | None = None
        model, name = world.model, f"hand/{number}"
        body = model.body(name)
        self._q, self._v = int(model.jnt_qposadr[body.jntadr[0]]), int(model.jnt_dofadr[body.jntadr[0]])
        self._fingers = [int(model.jnt_dofadr[model.joint(f"{name}/{side}").id]) for side in ("finger", "thumb")]
        self._finger_q = [int(model.jnt_qposadr[model.joint(f"{name}/{side}").id]) for side in ("finger", "thumb")]
        wrist = model.joint(f"{name}/wrist").id
        self._wrist_q, self._wrist_v = int(model.jnt_qposadr[wrist]), int(model.jnt_dofadr[wrist])
        self._rest: Vec = (number * 0.5 - 0.25, -_AWAY_M, 0.2)
        self._tremble = [(chance.uniform(6.5, 10.5), chance.uniform(0, 6.28)) for _ in range(6)]
        self._age_s = chance.uniform(0, 10)
        self.at, self.turn, self.gap = self._rest, STRAIGHT, 0.02
        self._was = self.at
        self.out = False
        self.leave()

    # Coming and going

    def appear(self, at: Vec, turn: Quat, gap_m: float = 0.02) -> None:
        """The hand comes into the world there: somewhere nobody looks."""
        self.out = True
        self._set(at, turn, gap_m)

    def leave(self) -> None:
        """The hand goes out of the world, and takes what it holds with it to the shelf."""
        self.leave_piece()
        self.out = False
        self._set(self._rest, STRAIGHT, 0.02)
        self.world.data.qfrc_applied[self._v : self._v + 6] = 0.0
        for finger in self._fingers:
            self.world.data.qfrc_applied[finger] = 0.0

    def leave_piece(self) -> None:
        """What is held disappears into the fist, and with it from the table."""
        if self.grip is not None:
            piece, self.grip = self.grip.piece, None
            self.world.data.qfrc_applied[piece.v : piece.v + 6] = 0.0
            self.world.set_meets_hands(piece, True)
            self.world.shelve(piece)

    def _set(self, at: Vec, turn: Quat, gap_m: float) -> None:
        data = self.world.data
        self.at, self.turn, self.gap, self._was = at, turn, gap_m, at
        data.qpos[self._q : self._q + 7] = (*at, *turn)
        data.qvel[self._v : self._v + 6] = 0.0
        for q, v in zip(self._finger_q, self._fingers, strict=True):
            data.qpos[q], data.qvel[v] = gap_m / 2, 0.0

    # Where it is

    @property
    def place(self) -> Vec:
        """Where the fingertips are."""
        x, y, z = self.world.data.qpos[self._q : self._q + 3].tolist()
        return (x, y, z)

    def knuckles(self) -> Vec:
        """The middle of the palm."""
        return added(self.place, turned(self._turned(), (-0.09, 0.0, 0.005)))

    def _turned(self) -> Quat:
        w, x, y, z = self.world.data.qpos[self._q + 3 : self._q + 7].tolist()
        return (w, x, y, z)

    def held_back(self) -> float:
        """How far, in metres, the piece in the grip stays above where the hand wants it: it has met something."""
        if self.grip is None:
            return 0.0
        wanted = self.place[2] + turned(self._turned(), self.grip.at)[2]
        return self.world.at(self.grip.piece)[2] - wanted

    # The springs

    def drive(self) -> None:
        """Set this step's forces."""
        if not self.out:
            return
        data = self.world.data
        self.world.stirred = True
        self._age_s += STEP_S
        wanted = added(self.at, self._shiver())
        velocity = (
            (self.at[0] - self._was[0]) / STEP_S,
            (self.at[1] - self._was[1]) / STEP_S,
            (self.at[2] - self._was[2]) / STEP_S,
        )
        self._was = self.at
        state, speed = data.qpos[self._q : self._q + 7].tolist(), data.qvel[self._v : self._v + 6].tolist()
        place, turn = (state[0], state[1], state[2]), (state[3], state[4], state[5], state[6])
        pull = _spring(less(wanted, place), less(velocity, (speed[0], speed[1], speed[2])), _ARM_PULL)
        twist = _spring(arc(times(back(turn), self.turn)), (-speed[3], -speed[4], -speed[5]), _ARM_TURN)
        most = _ARM_MOST_N / max(_ARM_MOST_N, _MASS_KG * length(pull))
        data.qfrc_applied[self._v : self._v + 6] = (
            *(_MASS_KG * most * each for each in pull), *(i * each for i, each in zip(_INERTIA, twist, strict=True)),
        )  # fmt: skip
        self._bend(turn)
        for q, v in zip(self._finger_q, self._fingers, strict=True):
            ease = _FINGER_PULL**2 * (self.gap / 2 - float(data.qpos[q])) - 2 * _FINGER_PULL * float(data.qvel[v])
            data.qfrc_applied[v] = _FINGER_KG * ease
        if self.grip is not None:
            self._hold(self.grip, place, turn, (speed[0], speed[1], speed[2]))

    def _bend(self, turn: Quat) -> None:
        """The wrist takes up what the fingers dip more or less than the forearm."""
        dip = -math.asin(max(-1.0, min(1.0, turned(turn, (1.0, 0.0, 0.0))[2])))
        self.world.data.qpos[self._wrist_q], self.world.data.qvel[self._wrist_v] = _ELBOW_RAD - dip, 0.0

    def _hold(self, grip: Grip, place: Vec, turn: Quat, speed: Vec) -> None:
        data, piece = self.world.data, grip.piece
        mass = float(self.world.model.body_mass[piece.body])
        inertia = self.world.model.body_inertia[piece.body].tolist()
        moving = data.qvel[piece.v : piece.v + 6].tolist()
        wanted = added(place, turned(turn, grip.at))
        pull = _spring(less(wanted, self.world.at(piece)), less(speed, (moving[0], moving[1], moving[2])), _GRIP_PULL)
        off = arc(times(back(self.world.turn(piece)), times(turn, grip.turn)))
        twist = _spring(off, (-moving[3], -moving[4], -moving[5]), _GRIP_TURN)
        firm = grip.firm * _GRIP_MOST_N / max(_GRIP_MOST_N, mass * length(pull))
        data.qfrc_applied[piece.v : piece.v + 6] = (
            mass * firm * pull[0], mass * firm * pull[1], mass * (firm * pull[2] + grip.firm * GRAVITY),
            *(grip.firm * i * each for i, each in zip(inertia, twist, strict=True)),
        )  # fmt: skip

    def _shiver(self) -> Vec:
        size, t = self.manner.tremor_m, self._age_s * 2 * math.pi
        waves = [math.sin(t * hz + phase) for hz, phase in self._tremble]
        return (size * (waves[0] + waves[1]) / 2, size * (waves[2] + waves[3]) / 2, size * (waves[4] + waves[5]) / 2)

    # What it can do

    def go(
        self, at: Vec, turn: Quat | None = None, seconds: float | None = None, gap_m: float | None = None
    ) -> Iterator[None]:
        """Travel smoothly; as long as such a way takes when nothing else is said."""
        start, first, wide = self.at, self.turn, self.gap
        last = turn or first
        way = length(less(at, start))
        steps = max(1, round((seconds or (0.18 + way / 0.75) / self.manner.pace) / STEP_S))
        for nth in range(1, steps + 1):
            share = eased(nth / steps)
            self.at = added(start, (share * (at[0] - start[0]), share * (at[1] - start[1]), share * (at[2] - start[2])))
            if nth % 5 == 0 or nth == steps:
                self.turn = between(first, last, share)
            if gap_m is not None:
                self.gap = wide + share * (gap_m - wide)
            yield

    def wait(self, seconds: float) -> Iterator[None]:
        """Stay, and drift a little as hands do."""
        for _ in range(round(seconds / STEP_S)):
            yield

    def take(self, piece: Body, close_s: float = 0.15) -> Iterator[None]:
        """Close the fingers on a piece that lies between them."""
        turn, place = self._turned(), self.place
        rel = turned(back(turn), less(self.world.at(piece), place))
        self.world.set_meets_hands(piece, False)
        grip = Grip(piece, rel, times(back(turn), self.world.turn(piece)), 0.0)
        self.world.wake([piece])
        self.grip = grip
        wide, narrow = self.gap, grip_gap(piece)
        steps = max(1, round(close_s / STEP_S))
        for nth in range(1, steps + 1):
            self.gap = wide + (narrow - wide) * nth / steps
            grip.firm = nth / steps
            yield

    def carry(self, piece: Body, at: Vec, turn: Quat) -> None:
        """A piece from the box is in the hand: `at` and `turn` in the hand's frame."""
        hand = self._turned()
        self.world.set_meets_hands(piece, False)
        self.world.put(piece, added(self.place, turned(hand, at)), times(hand, turn))
        self.grip = Grip(piece, at, turn)
        self.gap = grip_gap(piece)

    def open(self, seconds: float, wide_m: float = 0.016) -> Iterator[None]:
        """Let go: the grip fades while the fingers part."""
        grip = self.grip
        if grip is None:
            return
        start = self.gap
        steps = max(1, round(seconds / STEP_S))
        for nth in range(1, steps + 1):
            grip.firm = max(0.0, 1.0 - 1.6 * nth / steps)
            self.gap = min(2 * WIDEST_M, start + wide_m * nth / steps)
            yield
        self.world.data.qfrc_applied[grip.piece.v : grip.piece.v + 6] = 0.0
        self.grip = None

    def drop(self) -> None:
        """Let go at once; the piece falls."""
        grip, self.grip = self.grip, None
        if grip is not None:
            self.world.data.qfrc_applied[grip.piece.v : grip.piece.v + 6] = 0.0
            self.gap = min(2 * WIDEST_M, self.gap + 0.03)


def grip_gap(piece: Body) -> float:
    """How far apart the fingers are around a piece."""
    return min(2 * WIDEST_M, 2 * piece.half_m[1])


def add_hand(spec: Any, number: int) -> None:
    """A hand with its sleeve, far from the table, in a spec that is not compiled yet."""
    name = f"hand/{number}"
    hand = spec.worldbody.add_body(name=name, pos=[number * 0.5 - 0.25, -_AWAY_M, 0.2], gravcomp=1)
    hand.add_freejoint()
    hand.sleep = mujoco.mjtSleepPolicy.mjSLEEP_ALLOWED
    hand.explicitinertial = True
    hand.mass, hand.inertia, hand.ipos = _MASS_KG, list(_INERTIA), [0.0, 0.0, 0.0]
    palm = mujoco.mjtGeom.mjGEOM_ELLIPSOID
    hand.add_geom(name=f"{name}/skin/palm", type=palm, size=[0.050, 0.041, 0.017], pos=[-0.098, 0, 0.006], **_meets())
    for nth, (a, b, thick) in enumerate(_SKIN_SHAPES):
        _limb(hand, f"{name}/skin/{nth}", a, b, thick)
    _add_arm(hand, name)
    for side, way in (("finger", 1.0), ("thumb", -1.0)):
        _add_finger(hand, name, side, way)


_SKIN_SHAPES: tuple[tuple[Vec, Vec, float], ...] = (
    ((-0.065, 0.026, 0.000), (-0.035, 0.024, -0.016), 0.0075),
    ((-0.070, 0.036, -0.002), (-0.045, 0.034, -0.018), 0.0065),
)
_WRIST: Vec = (-0.135, 0.0, 0.006)
_FOREARM: tuple[tuple[str, Vec, Vec, float], ...] = (
    ("skin/wrist", (0.0, 0.0, 0.0), (-0.050, 0.0, 0.002), 0.024),
    ("sleeve/cuff", (-0.055, 0.0, 0.003), (-0.105, 0.0, 0.006), 0.031),
    ("sleeve/arm", (-0.095, 0.0, 0.006), (-0.335, 0.0, 0.020), 0.037),
)


def _add_arm(hand: Any, name: str) -> None:
    """The forearm hides things and touches nothing; it bends at the wrist toward its elbow's height."""
    arm = hand.add_body(name=f"{name}/arm", pos=list(_WRIST), gravcomp=1)
    arm.add_joint(name=f"{name}/wrist", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
    arm.explicitinertial = True
    arm.mass, arm.inertia, arm.ipos = _ARM_KG, [1e-6, 1e-6, 1e-6], [0.0, 0.0, 0.0]
    for what, a, b, thick in _FOREARM:
        _limb(arm, f"{name}/{what}", a, b, thick)


def _add_finger(hand: Any, name: str, side: str, way: float) -> None:
    body = hand.add_body(name=f"{name}/{side}", gravcomp=1)
    body.add_joint(
        name=f"{name}/{side}", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, way, 0], range=[0, WIDEST_M],
        limited=mujoco.mjtLimited.mjLIMITED_FALSE,
    )  # fmt: skip
    body.explicitinertial = True
    body.mass, body.inertia, body.ipos = _FINGER_KG, [1e-6, 1e-6, 1e-6], [0.0, way * FINGER_M, 0.0]
    y = way * FINGER_M
    tip, joint, root = (0.0, y, 0.0), (-0.030, y * 1.1, 0.008), (-0.062, y * 0.9, 0.010)
    _limb(body, f"{name}/skin/{side}/tip", joint, tip, FINGER_M, meets=True)
    _limb(body, f"{name}/skin/{side}/root", root, joint, FINGER_M + 0.001, meets=True)


def _limb(body: Any, name: str, a: Vec, b: Vec, thick: float, meets: bool = False) -> None:
    geom = body.add_geom(
        name=name, type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[*a, *b], size=[thick, 0, 0],
        **(_meets() if meets else {"contype": 0, "conaffinity": 0, "mass": 0}),
    )  # fmt: skip
    geom.group = 0


def _meets() -> dict[str, Any]:
    return {**_SOFT, "contype": HAND_BIT, "conaffinity": HAND_BIT, "mass": 0}


def _spring(off: Vec, closing: Vec, rate: float) -> Vec:
    """The acceleration of a spring that neither rings nor creeps."""
    k, c = rate * rate, 2.0 * rate
    return (k * off[0] + c * closing[0], k * off[1] + c * closing[1], k * off[2] + c * closing[2])
