"""A live table made of paper, for tests of the app: it senses what a test tells it, and remembers what it was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace

from companion.app import demo, shell, words
from companion.app.sideboard import Sideboard
from companion.app.widgets.sheets import Toast
from companion.devices.panel import SimPanel
from companion.devices.sound import RecordingPlayer
from companion.devices.speech import RecordingVoice
from companion.errors import DeviceLost
from companion.live.shown import BoardReading, Reading, SenseHealth, TowerReading
from companion.rules.base import Setup
from companion.rules.random_play import Luck
from companion.sensing.evidence import Evidence, EvidenceKeeper
from companion.sensing.plan import Plan
from companion.sensing.streams import Frame, Image, ScaleSample, Sense, Sensed
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.twin.table import nominal_table
from tests.app.screens.evening import Evening

CONTACT_US = 100_000_000
_FRAME_US = 40_000
_SAMPLE_US = 12_500
_BEFORE_US, _AFTER_US = 2_400_000, 1_200_000
_SIZE = (320, 240)
_COUNTS_PER_G = 1000.0
_STANDS_G = 120.0
_FALLS_G = 60.0
_MOVES_TO_BUILDING = 60
BOTH: tuple[Sense, ...] = ("scales", "camera")


def collapse(board: str = "south", t_us: int = CONTACT_US, **how: Any) -> Sensed:
    """Something fell."""
    how = {"tower": "left", "confidence": 0.98, "evidence": {"scales": 0.97, "camera": 0.95}, **how}
    return Sensed(kind="collapse", t_us=t_us, decided_us=t_us + 180_000, board=board, **how)


def placed(piece: str, tower: str = "left", level: int = 1, board: str = "south", t_us: int = CONTACT_US) -> Sensed:
    """A piece was put up."""
    return Sensed(
        kind="placed", t_us=t_us, decided_us=t_us + 500_000, board=board, tower=tower, level=level, piece=piece,
        evidence={"scales": 0.9, "camera": 0.9},
    )  # fmt: skip


def bump() -> Sensed:
    """Somebody ran against the table."""
    return Sensed(kind="bump", t_us=CONTACT_US, decided_us=CONTACT_US)


def height(levels: int, top_mm: float, tower: str = "left", board: str = "south") -> Sensed:
    """A tower was measured."""
    return Sensed(
        kind="height", t_us=CONTACT_US, decided_us=CONTACT_US, board=board, tower=tower, level=levels, top_mm=top_mm
    )


class PaperTable:
    """What the app asks of a live table, without a device, a thread or a process."""

    def __init__(self, senses: Sequence[Sense] = BOTH, *, boards: int = 2, simulated: bool = True) -> None:
        self.simulated = simulated
        self.ready = True
        self.started = self.closed = 0
        self.senses = tuple(senses)
        self.whole = _plan(("south", "north")[:boards], senses)
        self.recording: Path | None = None
        self.said: list[str] = []
        self.contexts: list[Mapping[str, Any]] = []
        self.waiting: list[Sensed] = []
        self.answers: list[dict[str, Any]] = []
        self.forgets = False
        self.health: tuple[SenseHealth, ...] = tuple(self._all_well())
        self.newest: Frame | None = Frame(CONTACT_US, 0, painted(0.0)) if "camera" in senses else None
        self.towers: dict[tuple[str, str], TowerReading] = {}

    def _all_well(self) -> list[SenseHealth]:
        found = (
            [SenseHealth(name="Camera", sense="camera", state="ready", rate_hz=25)] if "camera" in self.senses else []
        )
        if "scales" in self.senses:
            found += [
                SenseHealth(name=f"Scales {board.id}", sense="scales", board=board.id, state="ready", rate_hz=80)
                for board in self.whole.boards
            ]
        return found

    @property
    def plan(self) -> Plan:
        return self.whole if self.ready else replace(self.whole, boards=())

    @property
    def reading(self) -> Reading:
        boards = tuple(
            BoardReading(
                board=board.id,
                seat=board.seat,
                grams=_STANDS_G if "scales" in self.senses else None,
                towers=tuple(
                    self.towers.get((board.id, tower.id), TowerReading(tower=tower.id)) for tower in board.towers
                ),
                outline=CORNERS[at] if "camera" in self.senses else (),
            )
            for at, board in enumerate(self.plan.boards)
        )
        return Reading(t_us=CONTACT_US, boards=boards)

    def start(self) -> None:
        self.started += 1

    def close(self) -> None:
        self.closed += 1

    def poll(self) -> list[Sensed]:
        waiting, self.waiting = self.waiting, []
        return waiting

    def tell(self, context: Mapping[str, Any]) -> None:
        self.contexts.append(context)

    def evidence(self, event: Sensed) -> Evidence:
        """The fall of a slab: pictures in which it comes down, and a dip and a blow on the scales."""
        keeper = EvidenceKeeper(self.plan)
        if self.forgets:
            return keeper.cut(event)
        items: list[Frame | ScaleSample] = []
        if "camera" in self.senses:
            items += [
                Frame(t_us, at, painted((t_us - event.t_us) / 1e6)) for at, t_us in enumerate(_times(event, _FRAME_US))
            ]
        if "scales" in self.senses and event.board:
            items += [_sample(event.board, t_us, t_us - event.t_us) for t_us in _times(event, _SAMPLE_US)]
        for item in sorted(items, key=lambda each: each.t_us):
            keeper.feed(item)
        return keeper.cut(event)

    def record(self, folder: Path) -> None:
        self.recording = folder

    def stop_recording(self) -> Path | None:
        kept, self.recording = self.recording, None
        return kept

    def hand(self, words: str) -> None:
        if not self.simulated:
            raise DeviceLost("There is no simulated table.")
        self.said.append(words)

    def told(self) -> list[dict[str, Any]]:
        answers, self.answers = self.answers, []
        return answers

    # What a test lets happen

    def sense(self, *events: Sensed) -> None:
        """Have these sensed."""
        self.waiting += events

    def lose(self, name: str, says: str, remedy: str = "") -> None:
        """A sense drops out."""
        self.health = tuple(
            replace(sense, state="lost", says=says, remedy=remedy) if sense.name == name else sense
            for sense in self.health
        )

    def heal(self) -> None:
        """Every sense is back."""
        self.health = tuple(self._all_well())

    def stand(
        self, board: str, tower: str, levels: int, top_mm: float, outline: Sequence[tuple[float, float]] = ()
    ) -> None:
        """A tower is read so."""
        self.towers[board, tower] = TowerReading(tower=tower, levels=levels, top_mm=top_mm, outline=tuple(outline))


CORNERS = (
    ((30.0, 220.0), (200.0, 228.0), (180.0, 130.0), (50.0, 124.0)),
    ((280.0, 20.0), (150.0, 18.0), (140.0, 90.0), (300.0, 96.0)),
)
"""Where the boards are in the picture: near left, near right, far right, far left, as their owners sit."""


def _plan(boards: Sequence[str], senses: Sequence[Sense]) -> Plan:
    table = nominal_table(boards)
    cells = "scales" in senses
    return replace(
        table,
        boards=tuple(
            replace(
                board, cells=tuple(replace(cell, counts_per_g=_COUNTS_PER_G) for cell in board.cells) if cells else ()
            )
            for board in table.boards
        ),
    )


def _times(event: Sensed, step_us: int) -> range:
    return range(event.t_us - _BEFORE_US, event.t_us + _AFTER_US, step_us)


def _sample(board: str, t_us: int, after_us: int) -> ScaleSample:
    grams = _STANDS_G
    if -100_000 < after_us < 0:
        grams -= 6
    elif 0 <= after_us < 200_000:
        grams += _FALLS_G * (1 - after_us / 200_000) * (1 if after_us // 25_000 % 2 == 0 else -0.5)
    return ScaleSample(t_us, board, (round(grams / 4 * _COUNTS_PER_G),) * 4)


def painted(after_s: float) -> Image:
    """A wooden table with two boards and a slab that comes down and touches at 0 s."""
    wide, tall = _SIZE
    image: Image = np.full((tall, wide, 3), (70, 96, 128), np.uint8)
    for corners in CORNERS:
        cv2.fillPoly(image, [np.array(corners, np.int32)], (96, 122, 132))
    cv2.rectangle(image, (70, 150), (110, 200), (150, 190, 205), -1)
    down = min(1.0, max(0.0, 1 + after_s / 0.15)) * 70
    cv2.rectangle(image, (120, round(110 + down)), (165, round(120 + down)), (60, 110, 190), -1)
    return image


class Watch:
    """An app whose table is made of paper, with twins of all devices beside the screen."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.drive = evening, evening.drive
        self.table = PaperTable(simulated=False)
        self.asked: list[tuple[int, bool]] = []
        self.panel = SimPanel(lambda: int(self.drive.now * 1e9))
        self.player, self.voice = RecordingPlayer(), RecordingVoice()

    def start(self, table: PaperTable | None = None, size: tuple[int, int] = (800, 480), **settings: Any) -> Any:
        """An app with some settings, and its shelf."""
        self.table = table or self.table
        self.app: Any = shell.make(
            self.evening.folders,
            dealer=RandomDealer(1),
            clock=self.evening.clock,
            devices=lambda: Sideboard(self.panel, self.player, self.voice, words._),
            tables=self._made,
        )
        self.evening.app = self.app
        self.app.settings.change(**{"watch": "attached", "motion": False, **settings})
        blind, self.drive.blind = self.drive.blind, False
        self.drive.start(self.app, size)
        self.drive.still()
        self.drive.blind = blind
        return self.app

    def _made(self, seats: int, simulated: bool) -> PaperTable | None:
        self.asked.append((seats, simulated))
        return self.table if simulated or not self.table.simulated else None

    def sit_down(self, *names: str, **options: Any) -> None:
        """A game of Castle Dukes just begun, on the table."""
        self.session: Session = self.app.shelf.new(
            "castle-dukes", Setup(seats=names or ("North", "East"), options=options)
        )
        self.evening.go("table", session=self.session)

    def build(self, *names: str) -> None:
        """A game in which the first seat may build: a tile of its own stands, and pillars are in hand."""
        self.session = self.app.shelf.new("castle-dukes", Setup(seats=names or ("North", "East")))
        luck = Luck(2)
        for _ in range(_MOVES_TO_BUILDING):
            demo.play_on(self.session, luck)
        self.evening.go("table", session=self.session)

    def sense(self, *events: Sensed) -> None:
        """Have something sensed, and shown."""
        self.table.sense(*events)
        self.drive.frames(4)

    def until_saved(self) -> None:
        """Wait until what is being written is written, and said."""
        self.lookout._saving.close()
        self.drive.advance(0.2)

    @property
    def call(self) -> Any:
        """The call that is up, if one is."""
        return self.app.watchman.call

    @property
    def lookout(self) -> Any:
        return self.app.lookout

    @property
    def desk(self) -> Any:
        return self.lookout.desk

    @property
    def dukes(self) -> Any:
        state: Any = self.session.state
        return state.dukes

    def crumbles(self, seat: int = 0) -> int:
        return int(self.dukes[seat].crumbles)

    def toasts(self) -> list[str]:
        return [toast.text for toast in self.drive.find_all(Toast)]
