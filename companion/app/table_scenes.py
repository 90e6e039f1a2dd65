"""Scenes with a simulated table under them: it is offered, looked at, built on, knocked over and answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.app.scenes import Scene, Set

if TYPE_CHECKING:
    from companion.app.models.tables import SensedTable
    from companion.live.proposals import Answer, Proposal
    from companion.live.table import LiveTable

_BOARD = "south"
_SEED = 3
_AFTER_CONTACT = 0.04
"""So much of the replay after its contact, pieces are still on their way."""
_SIMULATED = {"watch": "simulated"}


# The tables


def _built(*_: object) -> LiveTable:
    """Two towers stand on it."""
    return _table(built=True)


def _bare(*_: object) -> LiveTable:
    """Nothing stands on it, as at the beginning of a game."""
    return _table(built=False)


def _on_request(_seats: int, simulated: bool) -> LiveTable | None:
    """Nothing is plugged in; a simulated table is there for whoever asks."""
    return _table(built=False) if simulated else None


def _table(*, built: bool) -> LiveTable:
    from companion.live.sources import simulated
    from companion.live.table import LiveTable

    return LiveTable(simulated((_BOARD,), _SEED, built=built))


def _standing(table: SensedTable) -> int:
    """How many towers are read."""
    return sum(bool(tower.levels) for board in table.reading.boards for tower in board.towers)


def _looked_at(table: SensedTable) -> bool:
    """Whether every tower has been read, however low."""
    towers = [tower for board in table.reading.boards for tower in board.towers]
    return bool(towers) and all(tower.levels is not None for tower in towers)


# The walks


def _offered(at: Set) -> None:
    """A game is taken up, and nothing is plugged in."""
    at.go("table", session=at.session("dukes"))


def _live(at: Set) -> None:
    """The towers that stand on the simulated table have been read."""
    at.go("live")
    table: Any = at.stage.app.lookout and at.stage.app.lookout.table
    at.until(lambda: table.ready)
    at.until(lambda: _standing(table) > 1)


def _called(at: Set) -> None:
    """A tower of the simulated table was knocked over, and the moment after the contact is looked at."""
    at.go("table", session=at.session("dukes"))
    watchman: Any = at.stage.app.watchman
    at.until(lambda: watchman.lookout.desk)
    at.until(lambda: _standing(watchman.lookout.table))
    watchman.lookout.hand("knock left hard")
    at.until(lambda: watchman.call and watchman.call.model.whole)
    replay = watchman.call.model.replay
    watchman.call.film.dispatch("on_scrub", min(1.0, replay.contact_share + _AFTER_CONTACT))
    at.until(lambda: not watchman.call.film.empty)


def _asked(at: Set) -> None:
    """A first tile was laid, and the live table asks about it."""
    at.go("table", session=at.session("first-tile"))
    lookout: Any = at.stage.app.lookout
    at.until(lambda: lookout.desk and _looked_at(lookout.table))
    at.go("live")
    _set_up(at, "place tile on left")


def _set_up(at: Set, words: str) -> Proposal:
    """The hand sets something up, and the senses ask about it."""
    lookout: Any = at.stage.app.lookout
    lookout.hand(words)
    at.until(lambda: lookout.cards)
    at.until(lambda: any(told["kind"] == "done" for told in lookout.told()))
    at.stage.still()
    proposal: Proposal = lookout.cards[0]
    return proposal


def _all_answers(at: Set) -> None:
    _asked(at)
    at.touch("more")


def _told_more(at: Set) -> None:
    """An answer was touched that is not whole: the tile shows another face."""
    _asked(at)
    screen: Any = at.stage.app.screen
    lookout: Any = at.stage.app.lookout
    (proposal,) = lookout.cards
    screen._reply(proposal.id, next(answer.id for answer in proposal.answers if answer.asks))


def _sensed(at: Set) -> None:
    """One thing was booked, another was not so, the table was bumped; and somebody asks what was sensed."""
    _asked(at)
    lookout: Any = at.stage.app.lookout
    _answer(at, lookout.cards[0], "book")
    lookout.hand("bump table hard")
    at.until(lambda: lookout.notes)
    _answer(at, _set_up(at, "place pillar on left"), "reject")
    at.touch("back")
    at.touch("menu")
    at.choose("What was sensed")


def _answer(at: Set, proposal: Proposal, weight: str) -> None:
    wanted: Answer = next(answer for answer in proposal.answers if answer.weight == weight and not answer.asks)
    lookout: Any = at.stage.app.lookout
    lookout.answer(proposal.id, wanted.id)
    at.stage.still()


SCENES = (
    Scene(name="offer", evenings=("dukes",), walk=_offered, tables=_on_request),
    Scene(name="live", walk=_live, tables=_built, twin=True),
    Scene(name="call", evenings=("dukes",), walk=_called, settings=_SIMULATED, tables=_built, twin=True),
    Scene(name="card", evenings=("first-tile",), walk=_asked, settings=_SIMULATED, tables=_bare, twin=True),
    Scene(name="answers", evenings=("first-tile",), walk=_all_answers, settings=_SIMULATED, tables=_bare, twin=True),
    Scene(name="telling", evenings=("first-tile",), walk=_told_more, settings=_SIMULATED, tables=_bare, twin=True),
    Scene(name="sensed", evenings=("first-tile",), walk=_sensed, settings=_SIMULATED, tables=_bare, twin=True),
)
