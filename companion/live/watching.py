"""The one thread that senses: items in the order of time go in, events and readings come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.live.inbox import Inbox, InOrder
from companion.live.readings import Readings
from companion.live.shown import Reading
from companion.live.threads import NowUs
from companion.sensing.context import Context
from companion.sensing.eye import Eye
from companion.sensing.judgement import BoardJudgement
from companion.sensing.plan import Plan
from companion.sensing.recording import Item
from companion.sensing.scales.judgement import BoardJudge
from companion.sensing.streams import Frame, ScaleSample, Sensed
from companion.sensing.watch import Watcher

_BLIND_US = 1_500_000
_DEAF_US = 1_000_000
_FORGET_US = 2_000_000
"""After such a silence a board may stand otherwise than before: the sense that was gone learns it anew."""
_WAIT_S = 0.02
_READ_US = 100_000


class LiveWatcher(Watcher):
    """A watcher whose senses come and go. A sense that is lost is not waited for: the other one speaks alone.

    `blind` says that there is no camera, `deaf` which boards have no scales just now.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.blind = True
        self.deaf = {board.id for board in plan.boards}
        self._seen_us: int | None = None
        self._felt_us: dict[str, int] = {}
        self._contexts: dict[str, Context] = {}
        for board in plan.boards:
            self._judge_anew(board.id)

    def learn(self, known: Mapping[str, Any]) -> None:
        """What the game knows of each board, as the desk tells it."""
        self._contexts = {board.id: understood(known, board.id) for board in self.plan.boards}
        for board, context in self._contexts.items():
            self._boards[board].tell(context)

    def feed(self, item: Item) -> list[Sensed]:
        """The events that this sample or frame decides, with or without the other sense."""
        found = self._missed(item.t_us)
        found += self._seen_again(item) if isinstance(item, Frame) else self._felt_again(item)
        return found + super().feed(item)

    def _seen_again(self, frame: Frame) -> list[Sensed]:
        before_us, self._seen_us = self._seen_us, frame.t_us
        if not self.blind or self.eye is None or self.plan.camera is None:
            return []
        if before_us is not None and frame.t_us - before_us > _FORGET_US:
            self.eye = Eye(self.plan, self.plan.camera)
        self.blind = False
        return [event for board in self.plan.boards for event in self._judge_anew(board.id)]

    def _felt_again(self, sample: ScaleSample) -> list[Sensed]:
        before_us = self._felt_us.get(sample.board)
        self._felt_us[sample.board] = sample.t_us
        if sample.board not in self.deaf or self.scales is None or sample.board not in self.scales.judges:
            return []
        if before_us is not None and sample.t_us - before_us > _FORGET_US:
            self.scales.judges[sample.board] = BoardJudge(self.plan, sample.board)
        self.deaf.discard(sample.board)
        return self._judge_anew(sample.board)

    def _missed(self, now_us: int) -> list[Sensed]:
        found: list[Sensed] = []
        if not self.blind and now_us - (self._seen_us or 0) > _BLIND_US:
            self.blind = True
            found += [event for board in self.plan.boards for event in self._judge_anew(board.id)]
        for board, felt_us in self._felt_us.items():
            if board not in self.deaf and now_us - felt_us > _DEAF_US:
                self.deaf.add(board)
                found += self._judge_anew(board)
        return found

    def _judge_anew(self, board: str) -> list[Sensed]:
        """Judge a board by the senses that it has now; what waited for another one is told."""
        waited = self._boards[board].due(self._now_us, at_end=True)
        eye = self.eye.board(board) if self.eye is not None and not self.blind else None
        self._boards[board] = BoardJudgement(board, eye, scales=board not in self.deaf)
        if board in self._contexts:
            self._boards[board].tell(self._contexts[board])
        return waited


def understood(known: Mapping[str, Any], board: str) -> Context:
    """The desk's words about a board as the detectors take them.

    >>> known = {"phase": "building", "boards": {"south": {"at_turn": True, "base_tiles": ["left"]}, "north": {}}}
    >>> understood(known, "north")
    Context(phase='building', board='south', base_tile=False, removing=False)
    """
    boards: Mapping[str, Mapping[str, Any]] = known.get("boards", {})
    own = boards.get(board, {})
    at_turn = [name for name, each in boards.items() if each.get("at_turn")]
    return Context(
        phase=str(known.get("phase", "")),
        board=board if board in at_turn else next(iter(at_turn), None),
        base_tile=bool(own.get("at_turn") and own.get("base_tiles")),
        removing=bool(own.get("removing")),
    )


class Watching:
    """The work of the sensing thread. `emit` is given each event, `show` each new reading; `context` is asked for.

    One that hung and was `left` to itself says nothing more.
    """

    def __init__(
        self,
        plan: Plan,
        inbox: Inbox,
        readings: Readings,
        emit: Callable[[Sensed], None],
        show: Callable[[Reading], None],
        now_us: NowUs,
        *,
        context: Callable[[], Mapping[str, Any]] = dict,
        wait_s: float = _WAIT_S,
    ) -> None:
        self.watcher = LiveWatcher(plan)
        self.order = InOrder(now_us)
        self._inbox, self._readings, self._emit, self._show = inbox, readings, emit, show
        self._now_us, self._wait_s = now_us, wait_s
        self._context, self._known = context, dict[str, Any]()
        self._read_us = 0
        self.left = False

    def step(self) -> float:
        known = self._context()
        if known != self._known:
            self._known = dict(known)
            self.watcher.learn(known)
        for item in self.order.add(self._inbox.take(self._wait_s)):
            for event in self.watcher.feed(item):
                if not self.left:
                    self._readings.take(event)
                    self._emit(event)
        now_us = self._now_us()
        if now_us - self._read_us >= _READ_US and not self.left:
            self._read_us = now_us
            self._show(self._readings.read(self.watcher, now_us))
        return 0.0

    def close(self) -> None:
        """Nothing is held open here."""
