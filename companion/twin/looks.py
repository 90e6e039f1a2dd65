"""What a table looks like: wood or cloth, boards with art and printed markers, pieces, skin and sleeves, things about.

`dress` paints a MuJoCo spec before it compiles. Only looks change: nothing that it adds touches or weighs anything.
"""

from __future__ import annotations

from typing import Any

import msgspec
import mujoco
import numpy as np

from companion.sensing.plan import Board, Camera, Plan, Point, Point3
from companion.twin.camera import Lens, Pinhole
from companion.twin.prints import Texture, art, board_print, planks

EYE = "eye"
"""The name of the camera in a dressed model."""
_PRINT_ABOVE_MM = 0.08
"""How far a board's print lies above the board: thin as ink, and still drawn on top."""
_MM = 0.001
_ROUND_SLICES, _ROUND_STACKS = 20, 10
_EXTENT_M = 1.15
"""How far from the middle of the boards the sun casts shadows: over the whole table, or its far corners flicker."""
_NEAREST_M, _FARTHEST_M = 0.02, 8.0
_TABLE_TEXTURES_PER_M = 1.2
_TILE_TEXTURE_PX = 96
_TILE_ARTS = 4
_FLOOR_Z_M = -0.04
_TWO_D = mujoco.mjtTexture.mjTEXTURE_2D
_RGB = mujoco.mjtTextureRole.mjTEXROLE_RGB
_FLAT_KINDS = ("tile", "card", "room", "bridge")

_SKINS: tuple[Point3, ...] = (
    (0.96, 0.80, 0.69),
    (0.88, 0.67, 0.53),
    (0.76, 0.55, 0.40),
    (0.60, 0.41, 0.28),
    (0.43, 0.28, 0.19),
    (0.29, 0.19, 0.14),
)
_SLEEVES: tuple[Point3, ...] = (
    (0.12, 0.14, 0.20),
    (0.75, 0.75, 0.72),
    (0.55, 0.12, 0.14),
    (0.18, 0.33, 0.55),
    (0.30, 0.42, 0.25),
    (0.80, 0.62, 0.25),
    (0.90, 0.72, 0.60),
)
_TABLES: tuple[Point3, ...] = (
    (0.55, 0.38, 0.24),
    (0.72, 0.56, 0.38),
    (0.32, 0.21, 0.14),
    (0.82, 0.80, 0.76),
    (0.20, 0.36, 0.26),
    (0.24, 0.26, 0.34),
    (0.60, 0.60, 0.62),
)
_BOARDS: tuple[Point3, ...] = (
    (0.78, 0.70, 0.52),
    (0.45, 0.52, 0.36),
    (0.56, 0.62, 0.70),
    (0.68, 0.42, 0.32),
    (0.36, 0.34, 0.32),
    (0.86, 0.84, 0.78),
)
_TILES: tuple[Point3, ...] = (
    (0.66, 0.64, 0.60),
    (0.80, 0.74, 0.60),
    (0.52, 0.44, 0.36),
    (0.40, 0.42, 0.46),
    (0.74, 0.52, 0.40),
)
_CARDS: tuple[Point3, ...] = (
    (0.88, 0.84, 0.74),
    (0.70, 0.78, 0.84),
    (0.62, 0.50, 0.40),
    (0.78, 0.82, 0.66),
)
_WOODS: tuple[Point3, ...] = (
    (0.84, 0.70, 0.48),
    (0.70, 0.66, 0.60),
    (0.45, 0.30, 0.18),
    (0.90, 0.88, 0.82),
    (0.30, 0.30, 0.32),
)
_PAINTS: tuple[Point3, ...] = (
    (0.75, 0.15, 0.13),
    (0.15, 0.30, 0.65),
    (0.90, 0.75, 0.20),
    (0.20, 0.50, 0.25),
    (0.85, 0.45, 0.15),
    (0.92, 0.90, 0.86),
    (0.12, 0.12, 0.13),
)


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """One way a table can look."""

    table: Point3 = _TABLES[0]
    grain: float = 0.3
    """How much of a pattern the table has: 0 plain, 1 wild."""
    floor: Point3 = _TABLES[2]
    board: Point3 = _BOARDS[0]
    art: float = 0.5
    tile: Point3 = _TILES[0]
    card: Point3 = _CARDS[0]
    pillar: Point3 = _WOODS[0]
    paints: tuple[Point3, ...] = _PAINTS
    skins: tuple[Point3, ...] = _SKINS[:2]
    sleeves: tuple[Point3, ...] = _SLEEVES[:2]
    clutter: int = 0
    mood: str = "day"
    sun: Point3 = (0.4, 0.3, -0.8)
    """Where the sun's light goes."""
    paint_seed: int = 0

    def __call__(self, spec: Any, plan: Plan) -> None:
        dress(spec, plan, self)


def any_look(rng: np.random.Generator, mood: str | None = None) -> Look:
    """A table as it might be at somebody's home."""

    def one(colours: tuple[Point3, ...]) -> Point3:
        near = np.clip(np.asarray(colours[int(rng.integers(len(colours)))]) + rng.normal(0, 0.03, 3), 0.03, 0.97)
        return (float(near[0]), float(near[1]), float(near[2]))

    return Look(
        table=one(_TABLES),
        grain=float(rng.uniform(0, 1)),
        floor=one(_TABLES),
        board=one(_BOARDS),
        art=float(rng.uniform(0.1, 1)),
        tile=one(_TILES),
        card=one(_CARDS),
        pillar=one(_WOODS),
        paints=tuple(_PAINTS[int(at)] for at in rng.permutation(len(_PAINTS))),
        skins=(_skin(rng), _skin(rng)),
        sleeves=(one(_SLEEVES), one(_SLEEVES)),
        clutter=int(rng.integers(0, 7)),
        mood=mood or str(rng.choice(("day", "day", "lamp", "dusk"))),
        sun=(float(rng.normal(0, 0.5)), float(rng.uniform(-0.3, 0.6)), -1.0),
        paint_seed=int(rng.integers(2**31)),
    )


def _skin(rng: np.random.Generator) -> Point3:
    """Somebody's skin: a little lighter or darker, not of another hue."""
    red, green, blue = _SKINS[int(rng.integers(len(_SKINS)))]
    tone = float(rng.uniform(0.9, 1.04))
    return (red * tone, green * tone, blue * tone)


def dress(spec: Any, plan: Plan, look: Look) -> None:
    """Paint the table, its boards with their markers, the pieces and the hands; add the lights and things about."""
    rng = np.random.default_rng(look.paint_seed)
    _quality(spec, plan.camera)
    _table(spec, look, rng)
    for board in plan.boards:
        _board(spec, board, look, rng)
    _pieces(spec, look, rng)
    _hands(spec, look)
    _lights(spec, plan, look)
    _things_about(spec, plan, look, rng)
    _floor(spec, look)
    spec.worldbody.add_camera(name=EYE, pos=[0, 0, 1])


# Dressing


def _quality(spec: Any, camera: Camera | None) -> None:
    visual = spec.visual
    visual.quality.offsamples = 0
    visual.quality.numslices, visual.quality.numstacks = _ROUND_SLICES, _ROUND_STACKS
    pinhole = Lens(camera).pinhole if camera else Pinhole(640, 480, 600.0)
    visual.global_.offwidth, visual.global_.offheight = pinhole.width, pinhole.height
    visual.map.znear = _NEAREST_M / _EXTENT_M
    visual.map.zfar = _FARTHEST_M / _EXTENT_M
    visual.map.shadowclip = 1.0
    spec.stat.extent = _EXTENT_M
    visual.headlight.diffuse = [0, 0, 0]
    visual.headlight.specular = [0, 0, 0]


def _material(spec: Any, name: str, texture: Texture | None, **looks: Any) -> str:
    """A material of that name; a texture gets one of its own."""
    material = spec.add_material(name=name, specular=looks.get("specular", 0.15), shininess=looks.get("shininess", 0.2))
    if texture is not None:
        rows, columns = texture.shape[:2]
        paper = spec.add_texture(name=name, type=_TWO_D, width=columns, height=rows, nchannel=3)
        paper.data = np.ascontiguousarray(texture).tobytes()
        material.textures[_RGB] = name
        material.texuniform = looks.get("uniform", False)
        material.texrepeat = [looks.get("repeat", 1.0)] * 2
    return name


def _paint(geom: Any, colour: Point3, material: str = "") -> None:
    geom.rgba = [*colour, 1.0]
    if material:
        geom.material = material


def _table(spec: Any, look: Look, rng: np.random.Generator) -> None:
    texture = planks(rng, look.table, look.grain)
    name = _material(spec, "look/table", texture, uniform=True, repeat=_TABLE_TEXTURES_PER_M, specular=0.25)
    for geom in spec.geoms:
        if geom.name == "table":
            _paint(geom, (1.0, 1.0, 1.0), name)


def _floor(spec: Any, look: Look) -> None:
    """What is seen beyond the table, and hides what lies below it."""
    name = _material(spec, "look/floor", None)
    geom = _ghost(spec.worldbody, mujoco.mjtGeom.mjGEOM_PLANE, [0, 0, _FLOOR_Z_M], [6, 6, 0.1], name)
    _paint(geom, look.floor)


def _board(spec: Any, board: Board, look: Look, rng: np.random.Generator) -> None:
    name = f"look/board/{board.id}"
    wide, deep = board.size_mm
    edge = (look.board[0] * 0.6, look.board[1] * 0.6, look.board[2] * 0.6)
    for geom in spec.geoms:
        if geom.name == f"board/{board.id}":
            _paint(geom, edge)
    _material(spec, name, board_print(rng, board, look.board, look.art), specular=0.2)
    for body in spec.bodies:
        if body.name == f"board/{board.id}":
            middle = [wide / 2 * _MM, deep / 2 * _MM, _PRINT_ABOVE_MM * _MM]
            size = [wide / 2 * _MM, deep / 2 * _MM, 0.01]
            _ghost(body, mujoco.mjtGeom.mjGEOM_PLANE, middle, size, name)


def _ghost(body: Any, kind: Any, at: list[float], size: list[float], material: str) -> Any:
    """Something to see that touches nothing and weighs nothing."""
    return body.add_geom(
        type=kind, pos=at, size=size, material=material, rgba=[1, 1, 1, 1], contype=0, conaffinity=0, mass=0, group=1
    )


def _pieces(spec: Any, look: Look, rng: np.random.Generator) -> None:
    arts = {
        kind: [
            _material(spec, f"look/{kind}/{number}", art(rng, _TILE_TEXTURE_PX, _TILE_TEXTURE_PX, base, 0.3 + look.art))
            for number in range(_TILE_ARTS)
        ]
        for kind, base in (("tile", look.tile), ("card", look.card))
    }
    wood = _material(spec, "look/wood", None, specular=0.1)
    for geom in spec.geoms:
        words = geom.name.split("/")
        if words[0] == "piece":
            kind, number = words[1], int(words[2])
            _piece(geom, kind, number, look, arts, wood)


def _piece(geom: Any, kind: str, number: int, look: Look, arts: dict[str, list[str]], wood: str) -> None:
    if geom.type == mujoco.mjtGeom.mjGEOM_BOX and any(word in kind for word in _FLAT_KINDS):
        chosen = arts["tile" if "tile" in kind else "card"]
        _paint(geom, (1.0, 1.0, 1.0), chosen[number % len(chosen)])
    elif "pillar" in kind:
        _paint(geom, look.pillar, wood)
    else:
        _paint(geom, look.paints[(_hash_of(kind) + number) % len(look.paints)], wood)


def _hash_of(word: str) -> int:
    """A number of a word that is the same in every process."""
    return sum(ord(letter) * (place + 1) for place, letter in enumerate(word))


def _hands(spec: Any, look: Look) -> None:
    skin = _material(spec, "look/skin", None, specular=0.08)
    for geom in spec.geoms:
        words = geom.name.split("/")
        if words[0] == "hand" and len(words) > 2:
            owner = int(words[1]) if words[1].isdigit() else 0
            colours = look.sleeves if words[2] == "sleeve" else look.skins
            _paint(geom, colours[owner % len(colours)], skin)


def _lights(spec: Any, plan: Plan, look: Look) -> None:
    """First the sun, then the lamp: what shines when is the light's business."""
    x, y = _middle(plan)
    away = 1.2 / -look.sun[2]
    spec.worldbody.add_light(
        name="sun",
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=[x * _MM - look.sun[0] * away, y * _MM - look.sun[1] * away, 1.2],
        dir=list(look.sun),
        castshadow=True,
    )
    lamp_x, lamp_y = x * _MM - look.sun[0] * 0.4, y * _MM - look.sun[1] * 0.4
    spec.worldbody.add_light(
        name="lamp",
        type=mujoco.mjtLightType.mjLIGHT_SPOT,
        pos=[lamp_x, lamp_y, 1.1],
        dir=[look.sun[0] * 0.3, look.sun[1] * 0.3, -1],
        cutoff=70,
        exponent=2,
        castshadow=True,
    )


def _middle(plan: Plan) -> Point:
    corners = [(x, y) for board in plan.boards for x, y, _ in board_corners(board)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def board_corners(board: Board, z_mm: float = 0.0) -> list[Point3]:
    """A board's corners on the table, at a height above its surface."""
    wide, deep = board.size_mm
    if board.pose is None:
        return []
    return [board.pose.on_table(x, y, z_mm) for x, y in ((0, 0), (wide, 0), (wide, deep), (0, deep))]


def _things_about(spec: Any, plan: Plan, look: Look, rng: np.random.Generator) -> None:
    """Cups, boxes, cards and dice somewhere on the table, off the boards."""
    x, y = _middle(plan)
    reach = max(max(abs(cx - x), abs(cy - y)) for board in plan.boards for cx, cy, _ in board_corners(board))
    paper = _material(spec, "look/thing", None, specular=0.2)
    for number in range(look.clutter):
        at = (x + float(rng.uniform(-1.5, 1.5)) * reach, y + float(rng.uniform(-1, 1.8)) * reach)
        if not any(_near(board, at) for board in plan.boards):
            _thing(spec.worldbody, at, look.paints[number % len(look.paints)], paper, rng)


def _near(board: Board, at: Point, room_mm: float = 70.0) -> bool:
    corners = board_corners(board)
    xs, ys = [x for x, _, _ in corners], [y for _, y, _ in corners]
    return min(xs) - room_mm < at[0] < max(xs) + room_mm and min(ys) - room_mm < at[1] < max(ys) + room_mm


def _thing(body: Any, at: Point, colour: Point3, material: str, rng: np.random.Generator) -> None:
    x, y = at[0] * _MM, at[1] * _MM
    what = int(rng.integers(3))
    if what == 0:
        geom = _ghost(body, mujoco.mjtGeom.mjGEOM_CYLINDER, [x, y, 0.045], [0.038, 0.045, 0], material)
    elif what == 1:
        geom = _ghost(body, mujoco.mjtGeom.mjGEOM_BOX, [x, y, 0.008], [0.032, 0.045, 0.008], material)
    else:
        geom = _ghost(body, mujoco.mjtGeom.mjGEOM_BOX, [x, y, 0.008], [0.008, 0.008, 0.008], material)
    _paint(geom, colour)
