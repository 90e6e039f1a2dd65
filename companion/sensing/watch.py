"""Watching a table: samples and frames in, events out, the same live and from a recording.

The scales never wait for the camera. A frame has its turn a moment after its time, so that it may arrive after samples
that are newer; the eye looks at it while the scales go on, and what it saw is taken up with the next frame: see `gaze`.
With a camera alone nobody goes on meanwhile: a frame has its turn when it comes, and is taken up at once. So it is,
too, while no scales speak that could.

Senses come and go. One that falls silent is not waited for: the other speaks alone. One that comes back after long
learns anew how its boards stand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace

import msgspec

from companion.sensing.board_eye import Chance
from companion.sensing.clocks import Clocks
from companion.sensing.context import NOTHING_KNOWN, Context
from companion.sensing.eye import Eye
from companion.sensing.gaze import Aside, Gaze, at_once
from companion.sensing.incidents import Incidents
from companion.sensing.judgement import BoardJudgement
from companion.sensing.plan import Plan
from companion.sensing.recording import Item, Passed
from companion.sensing.scales.evidence import ImpactEvidence
from companion.sensing.scales.judgement import BoardJudge
from companion.sensing.scales.memory import Memory
from companion.sensing.scales.table import TableScales
from companion.sensing.sights import Sight, Trouble
from companion.sensing.signs import chance_of_fall
from companion.sensing.streams import LONG_AGO_US, Frame, ScaleSample, Sense, Sensed

FRAME_WAITS_US = 60_000
"""How long after its time a frame has its turn among the samples: by then it has arrived."""

_BLIND_US, _DEAF_US = 1_500_000, 1_000_000  # a camera, or scales, that said nothing for so long are gone
_FORGET_US = 2_000_000
"""After such a silence a board may stand otherwise than before."""


class Watcher:
    """Feed it what the senses give in the order of time; it returns events as they are decided.

    Frames may be behind the samples by less than `FRAME_WAITS_US`. The answers depend on the items alone: not on a
    clock, nor on how fast they come, nor on the order in which the senses came. Only where looks are done `aside` do
    they depend on the machine, too, while it is too slow: frames that come while the eye is busy are `let_pass`, and
    `passing` hears of each. A recording that knows of them gives them as `Passed`, and so the same answers.

    `chance` says how likely something fell by the signs of a look. Who is not `hasty` has what the scales call at once
    wait for such a look, too.

    `blind` says that no camera speaks just now, `deaf` which boards have no scales that do.
    """

    def __init__(
        self,
        plan: Plan,
        senses: Iterable[Sense] = ("scales", "camera"),
        *,
        aside: Aside = at_once,
        passing: Callable[[Frame], None] = lambda frame: None,
        chance: Chance = chance_of_fall,
        hasty: bool = True,
    ) -> None:
        self.plan = plan
        self.senses = tuple(senses)
        weighs = "scales" in self.senses and any(board.cells for board in plan.boards)
        self.scales = TableScales(plan) if weighs else None
        self.let_pass = 0
        self._aside, self._passing = aside, passing
        self._chance, self._hasty = chance, hasty
        self._gaze = self._new_gaze()
        self._waiting: deque[Frame] = deque()
        self._found: list[Sensed] = []
        self.blind = True
        self.deaf = {board.id for board in plan.boards}
        self._incidents = {board.id: Incidents() for board in plan.boards}
        self._boards = {board: BoardJudgement(board, None, None, known) for board, known in self._incidents.items()}
        self._contexts = {board.id: NOTHING_KNOWN for board in plan.boards}
        self._now_us = LONG_AGO_US
        self._began_us: int | None = None
        self._seen_us: int | None = None
        self._felt_us: dict[str, int] = {}
        self._silence_us = (LONG_AGO_US, LONG_AGO_US)
        self._clocks = Clocks()
        if plan.context:
            self.tell(Context.of(plan.context))

    @property
    def eye(self) -> Eye | None:
        """The eye itself, for those who only look at it, and not while it is `looking`."""
        return self._gaze.eye if self._gaze is not None else None

    @property
    def looking(self) -> bool:
        """Whether the eye is busy with a frame on another thread."""
        return self._gaze is not None and self._gaze.busy

    def tell(self, context: Context, board: str | None = None) -> None:
        """What the game knows from now on, of a board or of all; it shifts what is likely and never decides alone.

        May be called at any time, from the thread that feeds.
        """
        for each in self._boards if board is None else (board,):
            self._contexts[each] = context
            self._boards[each].tell(context)

    def judgement(self, board: str) -> BoardJudgement:
        """What joins the senses of a board; KeyError when there is no such board."""
        return self._boards[board]

    def feed(self, item: Item) -> list[Sensed]:
        """The events that this sample or frame decides."""
        self._have_turns(item.t_us)
        if isinstance(item, Frame):
            self._come(item)
        else:
            self._now_is(item.t_us)
            self._feel(item)
        return self._decided()

    def finish(self) -> list[Sensed]:
        """The events that are decided by nothing more coming."""
        self._have_turns()
        self._take_up()
        for event in self.scales.finish() if self.scales else ():
            self._found += self._felt(event)
        self._found += self._due(at_end=True)
        return self._decided()

    def break_off(self) -> list[Sensed]:
        """What was decided before something was raised, and what waits, told as it is: for one that is fed no more."""
        self._found += self._due(at_end=True)
        return self._decided()

    def _decided(self) -> list[Sensed]:
        found, self._found = self._found, []
        return found

    def _come(self, frame: Frame) -> None:
        if self._sees_alone(frame.t_us):
            self._have_turns()
            self._now_is(frame.t_us)
            self._see(frame)
        else:
            self._waiting.append(frame)

    def _sees_alone(self, now_us: int) -> bool:
        """Whether nobody had felt anything for long by then, or since the beginning, whatever came before the frame."""
        if self._began_us is None:
            self._began_us = now_us
        last_us, again_us = self._silence_us
        if now_us >= again_us:
            last_us = max((self._began_us, *self._felt_us.values()))
        return self.scales is None or now_us - last_us > _DEAF_US

    def _have_turns(self, now_us: int | None = None) -> None:
        """The frames have their turn that waited for long enough; without a time, nothing more comes, and all have."""
        while self._waiting:
            frame = self._waiting[0]
            turn_us = frame.t_us + (FRAME_WAITS_US if now_us is not None else 0)
            if now_us is not None and turn_us > now_us:
                break
            self._now_is(max(self._now_us, turn_us))
            self._see(self._waiting.popleft())

    def _now_is(self, now_us: int) -> None:
        self._now_us = now_us
        self._silent(now_us)

    def _see(self, frame: Frame) -> None:
        self._sees_again(frame.t_us)
        gaze = self._gaze
        if gaze is None:
            return
        if gaze.busy or isinstance(frame, Passed):
            self._let_pass(gaze, frame)
            return
        self._take_up()
        gaze.begin(frame, self._memories())
        if self._sees_alone(frame.t_us):
            self._take_up()

    def _memories(self) -> dict[str, Memory]:
        """What the scales remember that speak."""
        judges = self.scales.judges.items() if self.scales is not None else ()
        return {board: judge.memory() for board, judge in judges if board not in self.deaf}

    def _let_pass(self, gaze: Gaze, frame: Frame) -> None:
        self.let_pass += 1
        self._passing(frame)
        gaze.let_pass(frame)
        for board in self._boards.values():
            self._found += board.falls_due(self._now_us)

    def _take_up(self) -> None:
        """What the last look decides: it does so now, whenever the frame was taken."""
        sights = self._gaze.end() if self._gaze is not None else None
        if sights is None:
            return
        self._compare_clocks(seen=True)
        for sight in sights:
            self._decide_now(self._saw(sight))
        self._decide_now(self._due(at_end=False))

    def _decide_now(self, events: list[Sensed]) -> None:
        for event in events:
            self._found.append(msgspec.structs.replace(event, decided_us=max(event.decided_us, self._now_us)))

    def _feel(self, sample: ScaleSample) -> None:
        if self.scales is None or sample.board not in self.scales.judges:
            return
        self._speaks_again(self.scales, sample)
        for event in self.scales.push(sample):
            self._found += self._felt(event)
        self._compare_clocks()
        self._feels(sample.board, self.scales.judges[sample.board].weighs)

    def _felt(self, event: Sensed) -> list[Sensed]:
        judgement = self._boards.get(event.board) if event.board else None
        return judgement.felt(event) if judgement else [event]

    def _saw(self, sight: Sight) -> list[Sensed]:
        if isinstance(sight, Trouble):
            return [_trouble(sight)]
        t_us = min(self._clocks.on_scales(sight.t_us), self._now_us)
        return self._boards[sight.board].saw(replace(sight, t_us=t_us))

    def _compare_clocks(self, seen: bool = False) -> None:
        """What hit a board, and when most moved: both senses' moments, where there are both."""
        if self.scales is None or self._gaze is None:
            return
        if seen:
            for t_us in self._gaze.eye.peaks_us:
                self._clocks.saw(t_us)
            return
        for each in self.scales.evidence:
            if isinstance(each, ImpactEvidence):
                self._clocks.felt(each.t_us)

    def _due(self, at_end: bool) -> list[Sensed]:
        return [event for board in self._boards.values() for event in board.due(self._now_us, at_end)]

    # Senses that come and go

    def _new_gaze(self) -> Gaze | None:
        camera = self.plan.camera if "camera" in self.senses else None
        if camera is None:
            return None
        plan = self.plan if self.scales is not None else _without_cells(self.plan)
        return Gaze(plan, camera, self._aside, self._chance)

    def _sees_again(self, now_us: int) -> None:
        before_us, self._seen_us = self._seen_us, now_us
        if not self.blind or self._gaze is None:
            return
        if before_us is not None and now_us - before_us > _FORGET_US:
            self._gaze = self._new_gaze()
        self.blind = False
        self._judge_anew(self._boards)

    def _speaks_again(self, scales: TableScales, sample: ScaleSample) -> None:
        """After a long silence what was felt before it is told, with the silence, and all begins anew."""
        board = sample.board
        before_us = self._felt_us.get(board)
        last_us = max(self._felt_us.values(), default=self._began_us)
        if last_us is not None and sample.t_us - last_us > _DEAF_US:
            self._silence_us = (last_us, sample.t_us)
        self._felt_us[board] = sample.t_us
        if before_us is None or sample.t_us - before_us <= _FORGET_US:
            return
        for event in scales.judges[board].finish():
            self._found += self._felt(msgspec.structs.replace(event, decided_us=sample.t_us))
        self._found += [event for event in scales.push(sample) if event.kind == "fault"]
        scales.judges[board] = BoardJudge(self.plan, board)

    def _feels(self, board: str, weighs: bool) -> None:
        """Scales that speak but cannot weigh feel nothing: their cells are dead, or they are just beginning."""
        if weighs != (board in self.deaf):
            return
        if weighs:
            self.deaf.discard(board)
        else:
            self.deaf.add(board)
        self._judge_anew((board,))

    def _silent(self, now_us: int) -> None:
        """Senses that have said nothing for long are gone."""
        if not self.blind and self._seen_us is not None and now_us - self._seen_us > _BLIND_US:
            self.blind = True
            self._judge_anew(self._boards)
        gone = [board for board, felt_us in self._felt_us.items() if now_us - felt_us > _DEAF_US]
        if gone := [board for board in gone if board not in self.deaf]:
            self.deaf.update(gone)
            self._judge_anew(gone)

    def _judge_anew(self, boards: Iterable[str]) -> None:
        """Judge boards by the senses that they have now; what waited for another one is told."""
        self._take_up()
        for board in tuple(boards):
            self._found += self._boards[board].due(self._now_us, at_end=True)
            eye = self._gaze.board(board) if self._gaze is not None and not self.blind else None
            scales = self.scales.judges[board] if self.scales is not None and board not in self.deaf else None
            self._boards[board] = BoardJudgement(board, eye, scales, self._incidents[board], self._hasty)
            self._boards[board].tell(self._contexts[board])


def _without_cells(plan: Plan) -> Plan:
    """The plan for an eye that waits for no scales."""
    return msgspec.structs.replace(plan, boards=tuple(msgspec.structs.replace(each, cells=()) for each in plan.boards))


def _trouble(trouble: Trouble) -> Sensed:
    return Sensed(
        kind="fault",
        t_us=trouble.t_us,
        decided_us=trouble.t_us,
        what=trouble.what,
        device="camera",
        evidence={"camera": 1.0},
    )
