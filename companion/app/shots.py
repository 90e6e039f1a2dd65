"""Pictures of every screen, with games played by seeded chance: the same pictures for the same program."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app import demo
from companion.app.demo import SEATS, Demo, Evening, card_is_asked, first_seat_builds, first_seat_chooses, over
from companion.app.models.prompts import active_seats
from companion.app.scenes import Scene, Set
from companion.app.stage import TABLE_PX, Size, Stage
from companion.app.table_scenes import SCENES as TABLE_SCENES
from companion.errors import Malformed
from companion.rules.castle_dukes.state import Castle, State
from companion.rules.random_play import Luck
from companion.session.session import Session

SIZES: tuple[Size, ...] = (TABLE_PX, (1280, 720), (720, 1280))
"""The 7-inch touchscreen, a larger one, and one that stands."""

README_FOLDER = Path(__file__).parent / "pictures"
README_NAMES = ("shelf", "seats", "table", "table-seasons", "live", "call", "tally", "podium", "settings")
"""The pictures that the README shows. They are kept beside the program, and nothing at run time needs them."""

_DUKES = "castle-dukes"
_ZONE = "TZ"
_TALLY_STEPS = 4
_TALLY_STEP_S = 4.0
_TWIN = "mujoco"

_EVENINGS = (
    Evening(name="seasons-over", game="castle-for-all-seasons", seed=5, ready=over),
    Evening(name="dukes-over-1", game=_DUKES, seed=11, ready=over),
    Evening(name="builder-over", game="castle-builder", seed=2, ready=over),
    Evening(name="dice-over", game="castle-dice", seed=4, ready=over),
    Evening(name="dukes-over-2", game=_DUKES, seed=15, ready=over),
    Evening(name="builder", game="castle-builder", seed=1, least=60, ready=first_seat_chooses),
    Evening(name="dice", game="castle-dice", seed=1, least=60, ready=first_seat_chooses),
    Evening(name="ludwig", game="mad-king-ludwig", seed=1, least=60, ready=first_seat_chooses),
    Evening(name="seasons", game="castle-for-all-seasons", seed=1, least=60, ready=first_seat_chooses),
    Evening(name="first-tile", game=_DUKES, seed=2, ready=lambda session: _may_begin(session)),
    Evening(name="asking", game=_DUKES, seed=1, least=100, ready=card_is_asked),
    Evening(name="dragon", game=_DUKES, seed=2, least=430, ready=first_seat_builds),
    Evening(name="rooms", game=_DUKES, seed=2, least=200, ready=lambda session: _buys(session)),
    Evening(name="dukes", game=_DUKES, seed=2, least=300, ready=lambda session: _builds(session)),
)


def _in_phase(session: Session, phase: str) -> bool:
    phases = session.game.picture(session.state).phases
    return any(mark.status == "now" and mark.label == phase for mark in phases)


def _builds(session: Session) -> bool:
    return first_seat_builds(session) and _in_phase(session, "Building")


def _may_begin(session: Session) -> bool:
    """The seat at the foot of the screen has a floor tile, and nothing built."""
    if not (isinstance(session.state, State) and _builds(session)):
        return False
    duke = session.state.dukes[0]
    return duke.held.get("tile", 0) > 0 and duke.castle == Castle()


def _buys(session: Session) -> bool:
    """The seat at the foot of the screen may take a room card."""
    return 0 in active_seats(session.game.prompts(session.state)) and _in_phase(session, "Rooms")


def shots(folder: Path, sizes: Iterable[Size] = (TABLE_PX,), only: Sequence[str] = ()) -> tuple[Path, ...]:
    """Save a PNG of every screen (or `only` of some, by name) in each size; those of other sizes carry it in the name.

    Those of the live table are taken where the simulated one is installed.

    Needs no display, and nothing of the user's is read or written.
    """
    scenes = _chosen(only)
    wanted = {name for scene in scenes for name in scene.evenings}
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="companion-shots-") as home, _greenwich():
        played = demo.make(Path(home), tuple(evening for evening in _EVENINGS if evening.name in wanted))
        return tuple(_shot(folder, played, size, scene) for size in sizes for scene in scenes)


@contextmanager
def _greenwich() -> Iterator[None]:
    """One time of day for all the world."""
    before = os.environ.get(_ZONE)
    os.environ[_ZONE] = "UTC"
    time.tzset()
    try:
        yield
    finally:
        os.environ.pop(_ZONE) if before is None else os.environ.update({_ZONE: before})
        time.tzset()


def names() -> tuple[str, ...]:
    """The names of all pictures, in the order of an evening."""
    return tuple(scene.name for scene in _SCENES)


def _chosen(only: Sequence[str]) -> tuple[Scene, ...]:
    unknown = [name for name in only if name not in names()]
    if unknown:
        raise Malformed(f"There is no picture called '{unknown[0]}'. Pictures: {', '.join(names())}.")
    wanted = tuple(scene for scene in _SCENES if not only or scene.name in only)
    return tuple(scene for scene in wanted if not scene.twin or find_spec(_TWIN) is not None)


def _shot(folder: Path, played: Demo, size: Size, scene: Scene) -> Path:
    suffix = "" if size == TABLE_PX else f"-{size[0]}x{size[1]}"
    file = folder / f"{scene.name}{suffix}.png"
    stage = Stage(played.home, dealer=Luck(1), clock=played.clock, size=size, live=scene.twin, tables=scene.tables)
    try:
        for key, value in scene.settings.items():
            stage.app.settings.set(key, value)
        stage.open()
        scene.walk(Set(stage, played))
        stage.still()
        file.write_bytes(stage.picture().png())
    finally:
        for key in scene.settings:
            stage.app.settings.set(key, getattr(demo.SETTINGS, key))
        stage.close()
    return file


# The walks


def _stay(_: Set) -> None:
    """The shelf is where every app begins."""


def _set_up(step: str) -> Callable[[Set], None]:
    def walk(at: Set) -> None:
        at.go("seating", game=_DUKES)
        at.model.set_count(len(SEATS))
        at.model.go(step)

    return walk


def _table(evening: str) -> Callable[[Set], None]:
    return lambda at: at.go("table", session=at.session(evening))


def _naming(at: Set) -> None:
    at.go("seating", game=_DUKES)
    at.stage.app.screen.name_seat(0)


def _seat(at: Set) -> None:
    """The card of the first seat, touched."""
    at.go("table", session=at.session("dukes"))
    at.stage.app.screen._touch_seat(at.model.view.seats[0])


def _overview(at: Set) -> None:
    at.go("table", session=at.session("ludwig"))
    at.stage.tap(at.stage.named("overview"))


def _refusal(at: Set) -> None:
    """A move that the rules refuse is touched."""
    at.go("table", session=at.session("dukes"))
    choices = (
        choice for prompt in at.model.view.prompts for group in prompt.groups for choice in group.choices if choice.why
    )
    at.model.touch(next(choices).id)


def _asking(at: Set) -> None:
    """A card is taken that has to be told."""
    session = at.session("asking")
    at.go("table", session=session)
    wanted = demo.asking_choices(session)[0].action
    choices = (choice for prompt in at.model.view.prompts for choice in prompt.choices)
    at.model.touch(next(choice.id for choice in choices if choice.action == wanted))


def _tally(at: Set) -> None:
    at.go("tally", session=at.session("dukes-over-2"))
    for _ in range(_TALLY_STEPS):
        at.model.next()
        at.stage.wait(_TALLY_STEP_S)


def _podium(at: Set) -> None:
    at.go("tally", session=at.session("dukes-over-2"))
    at.model.skip()
    at.stage.wait(_TALLY_STEP_S)


_OVER = ("seasons-over", "dukes-over-1", "builder-over", "dice-over", "dukes-over-2")
_SCENES = (
    Scene(name="shelf", evenings=("dukes",), walk=_stay),
    Scene(name="seats", walk=_set_up("people")),
    Scene(name="options", walk=_set_up("options")),
    Scene(name="checklist", walk=_set_up("checklist")),
    Scene(name="naming", walk=_naming),
    Scene(name="rooms", evenings=("rooms",), walk=_table("rooms")),
    Scene(name="table", evenings=("dukes",), walk=_table("dukes")),
    Scene(name="table-light", evenings=("dukes",), walk=_table("dukes"), settings={"theme": "light"}),
    Scene(name="table-german", evenings=("dukes",), walk=_table("dukes"), settings={"language": "de"}),
    Scene(name="dragon", evenings=("dragon",), walk=_table("dragon")),
    Scene(name="refusal", evenings=("dukes",), walk=_refusal),
    Scene(name="asking", evenings=("asking",), walk=_asking),
    Scene(name="seat", evenings=("dukes",), walk=_seat),
    Scene(name="overview", evenings=("ludwig",), walk=_overview),
    Scene(name="table-seasons", evenings=("seasons",), walk=_table("seasons")),
    Scene(name="table-ludwig", evenings=("ludwig",), walk=_table("ludwig")),
    Scene(name="table-dice", evenings=("dice",), walk=_table("dice")),
    Scene(name="table-builder", evenings=("builder",), walk=_table("builder")),
    Scene(name="tally", evenings=("dukes-over-2",), walk=_tally),
    Scene(name="podium", evenings=("dukes-over-2",), walk=_podium),
    Scene(name="history", evenings=("dukes",), walk=lambda at: at.go("history", session=at.session("dukes"))),
    Scene(name="evenings", evenings=_OVER, walk=lambda at: at.go("evenings")),
    Scene(name="settings", walk=lambda at: at.go("settings")),
    *TABLE_SCENES,
)
