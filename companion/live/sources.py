"""Where a live table's senses come from: devices that are plugged in, a simulated table, or nothing.

A source knows how to open a table. That may take its time and may fail; what comes of it is an `OpenTable`: the plan,
and how to open its scales and its camera, as often as needed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from companion.config import Config
from companion.devices.camera.choosing import OFF, CameraConfig, find_camera
from companion.devices.camera.feed import Camera, CameraFeed
from companion.devices.camera.twin import TwinCamera
from companion.devices.live_twin import LiveTwin
from companion.devices.scales.driver import ModuleReport, Scales
from companion.devices.scales.port import usb_ports
from companion.devices.scales.troubles import Notice
from companion.errors import BadRecording, DeviceLost
from companion.sensing.plan import Plan, decode_plan
from companion.sensing.streams import ScaleSample
from companion.session import folder

PLAN_FILE = "table.json"

_PATIENCE_S = 5.0
"""A busy machine may draw no picture for a while."""
_NOTHING = "No scales and no camera are plugged in, and the simulated table is not installed."
_INSTALL_TWIN = "pip install 'castle-companion[twin]'"


class ScalesFeed(Protocol):
    """The scales as the table reads them: what `Scales` does."""

    def poll(self) -> list[ScaleSample]:
        """The samples since the last time."""

    def notices(self) -> list[Notice]:
        """What people should hear and have not been told yet."""

    def modules(self) -> tuple[ModuleReport, ...]:
        """Every module that is or was there."""

    def close(self) -> None:
        """Let go of every port."""


class OpenTable(Protocol):
    """A table that is up."""

    plan: Plan

    def open_scales(self) -> ScalesFeed:
        """Begin to listen to the scales."""

    def open_camera(self) -> Camera:
        """Begin to look."""

    @property
    def alive(self) -> bool:
        """Whether it is still up; it is opened anew when it is not."""

    def hand(self, words: str) -> None:
        """Tell the simulated hands what to do. DeviceLost where there are none."""

    def told(self) -> Iterator[dict[str, Any]]:
        """What the simulated table said since the last time."""

    def close(self) -> None:
        """Let go of it."""


class Sources(Protocol):
    """How to open a table. With `says` there is none to open, and this is why."""

    simulated: bool
    says: str
    remedy: str

    def open(self, stop: threading.Event) -> OpenTable:
        """Open it, or raise DeviceLost; `stop` cuts it short."""


# Simulated


class SimulatedTable:
    """A table that is up in a process of its own."""

    def __init__(self, twin: LiveTwin) -> None:
        self._twin = twin
        self.plan = twin.plan

    def open_scales(self) -> Scales:
        return Scales(ports=lambda: tuple(self._twin.ports.values()) if self._twin.alive else ())

    def open_camera(self) -> Camera:
        return CameraFeed(lambda: TwinCamera(self._twin), patience_s=_PATIENCE_S)

    @property
    def alive(self) -> bool:
        return self._twin.alive

    def hand(self, words: str) -> None:
        self._twin.say(words)

    def told(self) -> Iterator[dict[str, Any]]:
        return self._twin.told()

    def close(self) -> None:
        self._twin.close()


class Simulated:
    """Opens simulated tables."""

    simulated = True
    says = remedy = ""

    def __init__(self, boards: Sequence[str], seed: int, built: bool) -> None:
        self._boards, self._seed, self._built = tuple(boards), seed, built

    def open(self, stop: threading.Event) -> OpenTable:
        return SimulatedTable(LiveTwin.start(self._boards, self._seed, built=self._built, stop=stop))


# Attached


class AttachedTable:
    """A table of real devices: it is up as long as anybody wants it."""

    alive = True

    def __init__(self, plan: Plan, boards: dict[str, str], camera: CameraConfig) -> None:
        self.plan = plan
        self._boards = boards
        self._camera = camera

    def open_scales(self) -> Scales:
        return Scales(self._boards)

    def open_camera(self) -> Camera:
        return find_camera(self._camera)

    def hand(self, words: str) -> None:
        raise DeviceLost("Only the simulated table has hands that can be told what to do.")

    def told(self) -> Iterator[dict[str, Any]]:
        return iter(())

    def close(self) -> None:
        """Its devices are let go of by those who opened them."""


class Attached:
    """Opens the table of the devices that are plugged in."""

    simulated = False
    says = remedy = ""

    def __init__(self, table: AttachedTable) -> None:
        self._table = table

    def open(self, stop: threading.Event) -> OpenTable:
        return self._table


class Nothing:
    """There is no table to open."""

    simulated = False

    def __init__(self, says: str, remedy: str = "") -> None:
        self.says, self.remedy = says, remedy

    def open(self, stop: threading.Event) -> OpenTable:
        raise DeviceLost(self.says)


# Choosing


def simulated(boards: Sequence[str] = ("south",), seed: int = 1, *, built: bool = False) -> Sources:
    """A simulated table. Its boards are empty, as at the beginning of a game, unless `built`."""
    return Simulated(boards, seed, built)


def attached(config: Config) -> Sources:
    """The devices that are plugged in, on the table that the plan describes; a sentence where it is not described."""
    file = plan_file(config)
    try:
        plan = decode_plan(file.read_bytes())
    except FileNotFoundError:
        return Nothing(
            "Scales or a camera are plugged in, and nobody has described the table they belong to.",
            f"Write the table's boards, cells and markers to {file}, as a recording's recording.json has them.",
        )
    except OSError as error:
        return Nothing(f"The table's description {file} cannot be read: {(error.strerror or str(error)).lower()}.")
    except BadRecording as error:
        return Nothing(f"The table's description {file} is not right: {str(error).removeprefix('recording.json: ')}")
    return Attached(AttachedTable(plan, config.scale_boards, _camera(config, plan)))


def choose(config: Config, boards: Sequence[str] = ("south",), seed: int = 1) -> Sources:
    """What the settings ask for: devices where some are plugged in, else a simulated table where that is installed.

    A table that was described is there, though nothing may be plugged in yet. A camera alone says nothing: many
    computers have one for other purposes.
    """
    if config.table == "off":
        return Nothing("The table's senses are switched off in the settings.")
    if config.table == "attached" or (config.table == "auto" and _is_attached(config)):
        return attached(config)
    if find_spec("mujoco") is None:
        return Nothing(_NOTHING, f"Plug something in, or install the simulated table: {_INSTALL_TWIN}.")
    return simulated(boards, seed)


def plan_file(config: Config) -> Path:
    """Where the plan of the table with real devices is."""
    return Path(config.table_file).expanduser() if config.table_file else folder.home() / PLAN_FILE


def _is_attached(config: Config) -> bool:
    return bool(usb_ports()) or plan_file(config).is_file()


def _camera(config: Config, plan: Plan) -> CameraConfig:
    """The camera of the settings, with the size that the plan was made for."""
    if plan.camera is None:
        return CameraConfig(use=OFF)
    return CameraConfig(use=config.camera, size=(plan.camera.width, plan.camera.height), fps=round(plan.camera.fps))
