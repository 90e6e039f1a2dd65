"""The table as bodies that rest, slide, tip and fall: MuJoCo with the settings under which towers stand.

Quiet islands sleep; a sleeping body presses on nothing as far as MuJoCo's sensors know, so its weight is added where
its centre of mass is. Model units are metres, kilograms and seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import mujoco
import numpy as np
import numpy.typing as npt

from companion.sensing.plan import Board, Piece, Plan
from companion.twin.pieces import extent_mm, mass_of_one
from companion.twin.turns import STRAIGHT, Quat, Vec, yawed

STEP_S = 0.001
"""The physics' step, and the time between two rows of a chunk's load."""
GRAVITY = 9.81
G_PER_N = 1000 / GRAVITY

Loads: TypeAlias = npt.NDArray[np.float64]
"""(steps, boards, 3): force down in N, then its first moments about the board's origin in N mm: sum of f x, sum of f y,
in the board's frame. The centre of pressure is moment / force. The board's own weight is not in it; its inertia in a
bump is."""

Dress: TypeAlias = Callable[[Any, Plan], None]
"""What makes a table look like one: it may add textures, materials, lights and cameras to an MjSpec to be compiled."""

_MM = 0.001
_TABLE_M = (1.6, 1.6, 0.02)
_SHELF_Z_M = -0.6
_SHELF_STEP_M = 0.14
_SHELF_ROW = 16
_PLATE_KG = 0.35
_NO_MASS_KG = 1e-9
_SLEEP_SPEED = 2e-4
_AWAKE_NUDGE_N = 1e-12
_ON_BOARD_M = 0.0015
_FROM_ABOVE_COS = 0.5
"""A contact steeper than this is with the side of a board, where something lies beside it on the table."""
_ROLLING = 6
PIECE_BIT, HAND_BIT = 1, 2
"""Collision groups: a piece meets pieces and boards; a hand meets pieces, boards and the table."""
_CONTACT: Mapping[str, Any] = {
    "solref": [0.003, 1.0],
    "solimp": [0.95, 0.99, 0.0002, 0.5, 2.0],
    "friction": [0.6, 0.001, 0.0003],
    "condim": 4,
}
_GROUND: Mapping[str, Any] = {
    **_CONTACT,
    "condim": _ROLLING,
    "contype": PIECE_BIT | HAND_BIT,
    "conaffinity": PIECE_BIT | HAND_BIT,
}


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """One piece on the table or on the shelf below it."""

    number: int
    kind: str
    name: str
    mass_g: float
    half_m: Vec
    round: bool
    body: int
    geoms: tuple[int, ...]
    q: int
    v: int
    tree: int


@dataclass(frozen=True, slots=True)
class Touch:
    """A board, and a piece that is in contact with its surface."""

    board: int
    piece: int


class World:
    """A table with boards, a stock of pieces on a shelf out of sight, and hands."""

    def __init__(
        self,
        plan: Plan,
        stock: Sequence[str],
        seed: int = 0,
        adding: Sequence[Callable[[Any], None]] = (),
        dress: Dress | None = None,
    ) -> None:
        self.plan = plan
        chance = Random(f"pieces/{seed}")
        spec = _empty_spec()
        for board in plan.boards:
            _add_board(spec, board)
        masses = [_add_piece(spec, plan.pieces[kind], kind, at, chance) for at, kind in enumerate(stock)]
        for add in adding:
            add(spec)
        if dress is not None:
            dress(spec, plan)
        self.model: Any = spec.compile()
        self.data: Any = mujoco.MjData(self.model)
        self.pieces = tuple(self._body(at, kind, masses[at]) for at, kind in enumerate(stock))
        self._prepare()

    def _body(self, number: int, kind: str, mass_g: float) -> Body:
        model, piece, name = self.model, self.plan.pieces[kind], f"piece/{kind}/{number}"
        body = model.body(name).id
        joint = model.body_jntadr[body]
        first, count = model.body_geomadr[body], model.body_geomnum[body]
        geoms = tuple(at for at in range(first, first + count) if model.geom_contype[at])
        x, y, z = extent_mm(piece)
        return Body(
            number, kind, name, mass_g, (x * _MM / 2, y * _MM / 2, z * _MM / 2), piece.size_mm is None, body, geoms,
            int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint]), int(model.body_treeid[body]),
        )  # fmt: skip

    def _prepare(self) -> None:
        model = self.model
        self._board_of = np.full(model.ngeom, -1)
        self._piece_of = np.full(model.ngeom, -1)
        for at, board in enumerate(self.plan.boards):
            self._board_of[model.geom(f"board/{board.id}").id] = at
        for piece in self.pieces:
            self._piece_of[list(piece.geoms)] = piece.number
        self._frames = [_frame(board) for board in self.plan.boards]
        self._sensed = np.array(
            [model.sensor(f"{what}/{board.id}").adr[0] for board in self.plan.boards for what in ("force", "torque")]
        )
        self._asleep = b""
        self._resting: npt.NDArray[np.float64] = np.zeros((len(self.plan.boards), 3))
        self._still = model.opt.gravity.copy()
        self._nudged: list[int] = []
        self.stirred = True
        self._plate = np.array([[1.0, b.size_mm[0] / 2, b.size_mm[1] / 2] for b in self.plan.boards]) * _PLATE_KG
        self._shaken = (0.0, 0.0, 0.0)
        mujoco.mj_forward(model, self.data)

    # Time

    def step(self) -> None:
        """One step of `STEP_S`. With nothing awake only the clock moves."""
        if not self.stirred and not self._nudged and self.data.ntree_awake == 0 and self.data.time > 0:
            self.data.time += STEP_S
            return
        self.stirred = False
        mujoco.mj_step(self.model, self.data)
        if self._nudged:
            self.data.qfrc_applied[self._nudged] = 0.0
            self._nudged = []

    def settle(self, seconds: float) -> None:
        """Let things come to rest with nobody watching."""
        for _ in range(round(seconds / STEP_S)):
            self.step()

    def shake(self, acceleration: Vec) -> None:
        """The table moves under everything: in its own frame that is another gravity for this step."""
        if acceleration != self._shaken:
            self._shaken = acceleration
            self.model.opt.gravity[:] = self._still - acceleration
            if acceleration != (0.0, 0.0, 0.0):
                self.wake([piece for piece in self.pieces if self.data.qpos[piece.q + 2] > _SHELF_Z_M / 2])

    def wake(self, pieces: Sequence[Body]) -> None:
        """Wake what sleeps, with a push too small to matter."""
        for piece in pieces:
            if not self.data.tree_awake[piece.tree]:
                self.data.qfrc_applied[piece.v] = _AWAKE_NUDGE_N
                self._nudged.append(piece.v)

    # What presses on the boards

    def load(self) -> npt.NDArray[np.float64]:
        """(boards, 3): force down in N and its first moments in N mm about each board's origin, in its frame."""
        data = self.data
        asleep = data.tree_awake.tobytes()
        if asleep != self._asleep:
            self._asleep = asleep
            self._resting = self._sleeping_load()
        lift = self._shaken[2]
        load = self._resting * (1 + lift / GRAVITY)
        if data.ntree_awake:
            self._add_sensed(load)
        if lift:
            load += self._plate * lift
        return load

    def _add_sensed(self, load: npt.NDArray[np.float64]) -> None:
        read = self.data.sensordata
        for at, force in enumerate(self._sensed[::2]):
            torque = self._sensed[2 * at + 1]
            load[at, 0] += read[force + 2]
            load[at, 1] -= read[torque + 1] / _MM
            load[at, 2] += read[torque] / _MM

    def _sleeping_load(self) -> npt.NDArray[np.float64]:
        load = np.zeros((len(self.plan.boards), 3))
        for piece in self.pieces:
            board = None if self.data.tree_awake[piece.tree] else self.board_under(piece)
            if board is not None:
                x, y, _ = self.on_board(board, self.at(piece))
                load[board] += np.array([1.0, x / _MM, y / _MM]) * self.model.body_mass[piece.body] * GRAVITY
        return load

    # Where things are

    def at(self, piece: Body) -> Vec:
        x, y, z = self.data.qpos[piece.q : piece.q + 3].tolist()
        return (x, y, z)

    def turn(self, piece: Body) -> Quat:
        w, x, y, z = self.data.qpos[piece.q + 3 : piece.q + 7].tolist()
        return (w, x, y, z)

    def speed(self, piece: Body) -> float:
        x, y, z = self.data.qvel[piece.v : piece.v + 3].tolist()
        return math.sqrt(x * x + y * y + z * z)

    def on_board(self, board: int, point: Vec) -> Vec:
        """A point of the table in a board's frame, in metres."""
        ox, oy, oz, cos, sin = self._frames[board]
        x, y = point[0] - ox, point[1] - oy
        return (cos * x + sin * y, cos * y - sin * x, point[2] - oz)

    def on_table(self, board: int, point: Vec) -> Vec:
        """A point of a board's frame on the table, in metres."""
        ox, oy, oz, cos, sin = self._frames[board]
        x, y, z = point
        return (ox + cos * x - sin * y, oy + sin * x + cos * y, oz + z)

    def yaw(self, board: int) -> float:
        return math.atan2(self._frames[board][4], self._frames[board][3])

    def over(self, board: int, point: Vec, margin_m: float = 0.0) -> bool:
        """Whether a point of the table is above a board."""
        x, y, z = self.on_board(board, point)
        wide, deep = self.plan.boards[board].size_mm
        return -margin_m < x < wide * _MM + margin_m and -margin_m < y < deep * _MM + margin_m and z > -_ON_BOARD_M

    def board_under(self, piece: Body) -> int | None:
        """The board whose area a piece is above, if any."""
        point = self.at(piece)
        return next((at for at in range(len(self.plan.boards)) if self.over(at, point)), None)

    def upright(self, piece: Body) -> float:
        """The cosine between a piece's own up and the table's."""
        _, x, y, _ = self.turn(piece)
        return 1.0 - 2.0 * (x * x + y * y)

    def highest(self, piece: Body) -> float:
        """The highest point of a piece above the table, in metres."""
        return self.at(piece)[2] + self.reach_up(piece)

    def reach_up(self, piece: Body) -> float:
        w, x, y, z = self.turn(piece)
        ux, uy, uz = abs(2 * (x * z - w * y)), abs(2 * (y * z + w * x)), abs(1 - 2 * (x * x + y * y))
        hx, hy, hz = piece.half_m
        if piece.round:
            return hx * math.sqrt(max(0.0, 1.0 - uz * uz)) + hz * uz
        return hx * ux + hy * uy + hz * uz

    # Contacts

    def touches(self, armed: npt.NDArray[np.bool_]) -> list[Touch]:
        """The boards whose surface an armed piece is in contact with now, each pair once."""
        if not self.data.ncon:
            return []
        geoms, upward = self.data.contact.geom, np.abs(self.data.contact.frame[:, 2])
        boards, pieces = self._board_of[geoms].max(axis=1), self._piece_of[geoms].max(axis=1)
        hits = np.flatnonzero((boards >= 0) & (pieces >= 0) & (upward > _FROM_ABOVE_COS))
        return list(dict.fromkeys(Touch(int(boards[at]), int(pieces[at])) for at in hits if armed[pieces[at]]))

    # Moving things by decree

    def put(self, piece: Body, at: Vec, turn: Quat = STRAIGHT) -> None:
        """A piece is there from now on, at rest and awake."""
        data = self.data
        data.qpos[piece.q : piece.q + 3] = at
        data.qpos[piece.q + 3 : piece.q + 7] = turn
        data.qvel[piece.v : piece.v + 6] = 0.0
        data.qacc_warmstart[piece.v : piece.v + 6] = 0.0
        self.wake([piece])

    def shelve(self, piece: Body) -> None:
        """Back below the table, out of sight and of mind."""
        self.put(piece, _shelf_place(piece.number, piece.half_m[2]))

    def set_rolling(self, piece: Body, rolling: bool) -> None:
        """Rolling friction is dear: only what lies on its side has it, to come to rest."""
        for geom in piece.geoms:
            self.model.geom_condim[geom] = _ROLLING if rolling else _CONTACT["condim"]

    def set_meets_hands(self, piece: Body, meets: bool) -> None:
        """A piece in a hand is not pushed by its fingers: the grip holds it."""
        for geom in piece.geoms:
            self.model.geom_conaffinity[geom] = PIECE_BIT | HAND_BIT if meets else PIECE_BIT

    def keep_awake(self, piece: Body, awake: bool) -> None:
        """A piece that leans on two things at once must be weighed, not guessed at."""
        policy = mujoco.mjtSleepPolicy.mjSLEEP_NEVER if awake else mujoco.mjtSleepPolicy.mjSLEEP_ALLOWED
        self.model.tree_sleep_policy[piece.tree] = int(policy)

    def straddles(self, piece: Body) -> bool:
        """Whether a piece reaches over the edge of a board near its surface."""
        reach, point = max(piece.half_m) * 1.5, self.at(piece)
        for board in range(len(self.plan.boards)):
            x, y, z = self.on_board(board, point)
            wide, deep = (side * _MM for side in self.plan.boards[board].size_mm)
            near = abs(z) < reach and -reach < x < wide + reach and -reach < y < deep + reach
            if near and not (reach < x < wide - reach and reach < y < deep - reach):
                return True
        return False


def _empty_spec() -> Any:
    spec = mujoco.MjSpec()
    option = spec.option
    option.timestep = STEP_S
    option.gravity = [0.0, 0.0, -GRAVITY]
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.impratio = 10
    option.sleep_tolerance = _SLEEP_SPEED
    option.enableflags |= int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    wide, deep, thick = _TABLE_M
    box, world = mujoco.mjtGeom.mjGEOM_BOX, spec.worldbody
    world.add_geom(
        name="table",
        type=box,
        size=[wide / 2, deep / 2, thick / 2],
        pos=[0, 0, -thick / 2],
        **_GROUND,
    )
    world.add_geom(name="shelf", type=box, size=[4, 4, 0.05], pos=[0, 0, _SHELF_Z_M - 0.05], **_GROUND)
    return spec


def _add_board(spec: Any, board: Board) -> None:
    assert board.pose is not None
    (wide, deep), (x, y, top) = board.size_mm, board.pose.origin_mm
    body = spec.worldbody.add_body(
        name=f"board/{board.id}", pos=[x * _MM, y * _MM, top * _MM], quat=list(yawed(math.radians(board.pose.yaw_deg)))
    )
    half = [wide * _MM / 2, deep * _MM / 2, top * _MM / 2]
    body.add_geom(
        name=f"board/{board.id}", type=mujoco.mjtGeom.mjGEOM_BOX, size=half, pos=[half[0], half[1], -half[2]],
        mass=_NO_MASS_KG, **_GROUND,
    )  # fmt: skip
    body.add_site(name=f"board/{board.id}", size=[_NO_MASS_KG] * 3)
    for what, sensor in (("force", mujoco.mjtSensor.mjSENS_FORCE), ("torque", mujoco.mjtSensor.mjSENS_TORQUE)):
        spec.add_sensor(
            name=f"{what}/{board.id}", type=sensor, objtype=mujoco.mjtObj.mjOBJ_SITE, objname=f"board/{board.id}"
        )


def _add_piece(spec: Any, piece: Piece, kind: str, number: int, chance: Random) -> float:
    mass_g = mass_of_one(chance, kind, piece)
    x, y, z = (side * _MM / 2 for side in extent_mm(piece))
    name = f"piece/{kind}/{number}"
    body = spec.worldbody.add_body(name=name, pos=list(_shelf_place(number, z)))
    body.add_freejoint()
    body.sleep = mujoco.mjtSleepPolicy.mjSLEEP_ALLOWED
    if piece.size_mm is None:
        shape, size = mujoco.mjtGeom.mjGEOM_CYLINDER, [x, z, 0.0]
    else:
        shape, size = mujoco.mjtGeom.mjGEOM_BOX, [x, y, z]
    body.add_geom(
        name=f"{name}/solid", type=shape, size=size, mass=mass_g * _MM,
        **{**_CONTACT, "contype": PIECE_BIT, "conaffinity": PIECE_BIT | HAND_BIT},
    )  # fmt: skip
    return mass_g


def _shelf_place(number: int, half_z: float) -> Vec:
    row, column = divmod(number, _SHELF_ROW)
    return ((column - _SHELF_ROW / 2) * _SHELF_STEP_M, (row - 6) * _SHELF_STEP_M, _SHELF_Z_M + half_z)


def _frame(board: Board) -> tuple[float, float, float, float, float]:
    assert board.pose is not None
    x, y, z = board.pose.origin_mm
    turn = math.radians(board.pose.yaw_deg)
    return (x * _MM, y * _MM, z * _MM, math.cos(turn), math.sin(turn))
