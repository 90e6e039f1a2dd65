"""The eye on a thread of its own: nobody waits for it, what goes wrong there is told, and it ends when it can."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.live import aside, watching
from companion.live.aside import LookingAside
from companion.live.inbox import Inbox
from companion.live.readings import Readings
from companion.live.traces import Traces
from companion.live.watching import Watching
from companion.sensing.eye import Eye
from companion.sensing.gaze import BoardGaze
from companion.sensing.plan import Camera, Plan
from companion.sensing.sights import Sight, Trouble
from companion.sensing.streams import Frame, Sensed
from companion.sensing.views import Lens, View
from companion.twin.forces import Chip, Forces, sensed
from tests.live.makeshift import READY, Makeshift
from tests.sensing.forces import LEFT, MIDDLE, board, plan

_PATIENCE_S = 60.0
_S = 1_000_000


@pytest.fixture
def looking(monkeypatch: pytest.MonkeyPatch) -> Iterator[LookingAside]:
    monkeypatch.setattr(aside, "_GOODBYE_S", 0.01)
    made = LookingAside()
    yield made
    made.close()


def test_looks_are_done_one_after_another_elsewhere(looking: LookingAside) -> None:
    where: list[int] = []

    def look(number: int) -> list[Sight]:
        where.append(threading.get_ident())
        return [Trouble(str(number), number)]

    seen = [looking(lambda number=number: look(number)) for number in range(3)]  # type: ignore[misc]
    told = [sight for each in seen for sight in each.result(_PATIENCE_S)]
    assert [sight.what for sight in told if isinstance(sight, Trouble)] == ["0", "1", "2"]
    assert set(where) != {threading.get_ident()}
    assert len(set(where)) == 1


def test_a_look_that_fails_says_so_where_it_is_asked_for_and_the_next_is_done(looking: LookingAside) -> None:
    def broken() -> list[Sight]:
        raise ZeroDivisionError

    failed, well = looking(broken), looking(list)
    with pytest.raises(ZeroDivisionError):
        failed.result(_PATIENCE_S)
    assert well.result(_PATIENCE_S) == []


def test_it_can_be_closed_while_a_look_never_ends(looking: LookingAside) -> None:
    begun, end = threading.Event(), threading.Event()

    def never() -> list[Sight]:
        begun.set()
        end.wait(_PATIENCE_S)
        return []

    seen = looking(never)
    assert begun.wait(_PATIENCE_S)
    looking.close()
    assert not seen.done()
    end.set()


def _falling() -> tuple[Plan, Forces]:
    forces = Forces(10.0)
    forces.rest(0.0, 30.0, LEFT)
    forces.fall(8.0, 6.5, LEFT, MIDDLE, 50.0)
    return msgspec.structs.replace(plan((board("south"),)), camera=Camera(64, 48, 25.0)), forces


def test_an_eye_that_hangs_does_not_keep_a_call_from_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "_GOODBYE_S", 0.01)
    hangs, end = threading.Event(), threading.Event()

    def never(self: Eye, frame: Frame) -> list[Sight]:
        hangs.set()
        end.wait(_PATIENCE_S)
        return []

    monkeypatch.setattr(Eye, "feed", never)
    the_plan, forces = _falling()
    inbox, events, now_us = Inbox(), list[Sensed](), [0]
    work = Watching(
        the_plan, inbox, Readings(the_plan, Traces(the_plan)), events.append, lambda reading: None, lambda: now_us[0]
    )
    samples = sensed(forces, board("south"), Chip(rate_sps=93.0, noise_g=0.02), start_us=0)
    for sample in samples:
        now_us[0] = sample.t_us
        inbox.put([sample])
        if sample.t_us > 6 * _S:
            inbox.put([Frame(sample.t_us, 0, np.zeros((48, 64, 3), np.uint8))])
        work.step()
    assert hangs.wait(_PATIENCE_S)
    assert work.watcher.looking
    assert work.watcher.let_pass > 100
    assert [event.kind for event in events] == ["collapse"]
    assert events[0].decided_us < 8.4 * _S
    work.close()
    end.set()


def test_what_waits_for_an_eye_that_stumbles_is_told_before_all_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    def seeing(self: Eye, frame: Frame) -> list[Sight]:
        if frame.t_us > 2 * _S:
            raise ZeroDivisionError
        self.board("south").view = View(Lens(np.eye(3), np.zeros(5)), np.eye(3), np.zeros(3))
        return []

    monkeypatch.setattr(Eye, "feed", seeing)
    the_plan, _ = _falling()
    inbox, events, now_us = Inbox(), list[Sensed](), [0]
    readings = Readings(the_plan, Traces(the_plan))
    work = Watching(the_plan, inbox, readings, events.append, lambda reading: None, lambda: now_us[0], threads=False)

    def show(t_s: float) -> None:
        now_us[0] = round(t_s * _S)
        inbox.put([Frame(now_us[0], 0, np.zeros((48, 64, 3), np.uint8))])
        work.step()

    for t_s in (1.0, 1.2, 1.4, 1.6):
        show(t_s)
    doubted = Sensed(
        kind="collapse", t_us=now_us[0], decided_us=now_us[0], board="south", confidence=0.74, evidence={"scales": 0.74}
    )
    monkeypatch.setattr(BoardGaze, "stirred_since", lambda self, t_us: True)
    assert work.watcher.judgement("south").felt(doubted) == []
    for t_s in (1.8, 2.0):
        show(t_s)
    assert events == []
    with pytest.raises(ZeroDivisionError):
        show(2.2)
    assert [(event.kind, event.t_us) for event in events] == [("collapse", doubted.t_us)]


def test_no_thread_is_left_behind_by_a_watcher_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(watching, "Watcher", broken)
    the_plan, _ = _falling()
    readings = Readings(the_plan, Traces(the_plan))
    before = threading.active_count()
    with pytest.raises(ZeroDivisionError):
        Watching(the_plan, Inbox(), readings, lambda event: None, lambda reading: None, lambda: 0)
    assert threading.active_count() == before


def test_an_eye_that_stumbles_is_made_anew_and_the_table_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = Makeshift(tmp_path)
    it.run(6.0)

    def broken(self: Eye, frame: Frame) -> list[Sight]:
        raise ZeroDivisionError("an eye divided by nothing")

    with monkeypatch.context() as breaking:
        breaking.setattr(Eye, "feed", broken)
        it.run(1.0)
    assert it.states() == {**READY, "Sensing": "starting"}
    assert "an eye divided by nothing" in it.log.file.read_text()
    it.run(12.0)
    assert it.states() == READY
    it.table.close()
