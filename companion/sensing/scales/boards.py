"""One board: its samples in, evidence out. It joins the stages and watches over the cells."""

from __future__ import annotations

from companion.sensing.plan import Board
from companion.sensing.scales.evidence import CellEvidence, Evidence, HandEvidence, Row
from companion.sensing.scales.glitches import Clean, GlitchFilter
from companion.sensing.scales.impacts import Impacts, Swings
from companion.sensing.scales.platform import Platform
from companion.sensing.scales.quiet import Rows
from companion.sensing.scales.rests import Rests
from companion.sensing.scales.steps import Steps
from companion.sensing.streams import Flag, ScaleSample

_HAND_ON_S = 0.2
_CHECK_US = 500_000
_SILENT_US = 2_000_000
_GLITCHES_TO_TELL = 25
_STUCK_ROWS = 400
_FLAG_WORDS = {
    Flag.SATURATED: "is saturated: the load is beyond its range or a wire is loose",
    Flag.DESYNC: "loses step with its converter",
}


class BoardScales:
    """The scales under one board. `push` takes a sample and returns the evidence that is certain with it.

    `rows`, `rests`, `steps` and `platform` may be looked at by those who judge; `steps.accept` is theirs to call.
    """

    def __init__(self, board: Board, hand_from_g: float) -> None:
        self.board = board
        self.platform = Platform(board)
        self.rows = Rows()
        self.rests = Rests()
        self.steps = Steps(board.id, self.platform)
        self.hand = False
        self._hand_from_g = hand_from_g
        self._hand_s = 0.0
        self._glitches = GlitchFilter(self.platform.gains)
        self._rounds = Rounds()
        self._impacts = Impacts(board.id)
        self._swings = Swings(board.id)
        self._cells = CellWatch(board)

    @property
    def at_rest(self) -> bool:
        """Whether nothing moves on the board, as far as the newest rows tell."""
        return self.steps.rest

    def push(self, sample: ScaleSample) -> list[Evidence]:
        """What this sample makes certain, oldest first."""
        found: list[Evidence] = list(self._cells.look(sample, self.platform, self._glitches))
        for clean in self._glitches.push(sample):
            for whole in self._rounds.push(clean, self.platform.live):
                found += self._taken(whole)
        return found

    def finish(self) -> list[Evidence]:
        """What the row still held back says."""
        rows = [
            whole for clean in self._glitches.flush() for whole in self._rounds.push(clean, self.platform.live)
        ] + self._rounds.flush()
        return [evidence for whole in rows for evidence in self._taken(whole)]

    def _taken(self, clean: Clean) -> list[Evidence]:
        row = self.platform.row(*clean)
        if self.platform.changed:
            self.rows.clear()
            self.rests.forget()
            self.steps.forget()
        return [] if row is None else self._read(row)

    def _read(self, row: Row) -> list[Evidence]:
        rows, steps = self.rows, self.steps
        rows.push(row)
        step = steps.push(rows)
        self._glitches.noise_g = steps.force_noise.sigma
        if steps.reference is None:
            return []
        if steps.rest:
            self.rests.note(rows)
        reference_g, sigma_g = steps.reference.force_g, steps.force_noise.sigma
        found: list[Evidence | None] = [
            self._impacts.push(rows, reference_g, sigma_g, self.platform.known_centre_mm),
            self._swings.push(rows, reference_g, sigma_g),
            self._leaning(row, reference_g),
            step,
        ]
        return [evidence for evidence in found if evidence is not None]

    def _leaning(self, row: Row, reference_g: float) -> HandEvidence | None:
        beyond = row.force_g - reference_g
        leaning = beyond > self._hand_from_g
        self._hand_s = min(self._hand_s + self.rows.row_s, _HAND_ON_S) if leaning else self._hand_s - self.rows.row_s
        self._hand_s = max(self._hand_s, 0.0)
        if self.hand == (self._hand_s > 0) or (leaning and self._hand_s < _HAND_ON_S):
            return None
        self.hand = leaning
        return HandEvidence(self.board.id, row.t_us, row.t_us, leaning, beyond)


class Rounds:
    """Puts together what chips with clocks of their own say one after the other: a row for each round of the cells."""

    def __init__(self) -> None:
        self._open: Clean | None = None

    def push(self, clean: Clean, live: tuple[int, ...]) -> list[Clean]:
        """The rounds that are over with this row: it speaks of a channel again, or every live one has spoken."""
        done: list[Clean] = []
        if self._open is not None:
            if _overlap(self._open, clean):
                done.append(self._open)
            else:
                clean = _together(self._open, clean)
        self._open = clean
        if None not in clean[1] or all(clean[1][channel] is not None for channel in live):
            done += self.flush()
        return done

    def flush(self) -> list[Clean]:
        """The round that is not over yet."""
        waiting, self._open = self._open, None
        return [] if waiting is None else [waiting]


def _overlap(one: Clean, other: Clean) -> bool:
    return any(mine is not None and yours is not None for mine, yours in zip(one[1], other[1], strict=True))


def _together(one: Clean, other: Clean) -> Clean:
    counts = tuple(yours if yours is not None else mine for mine, yours in zip(one[1], other[1], strict=True))
    return (other[0], counts)


class CellWatch:
    """Notices what is wrong with a board's cells, and says each trouble once until it is over."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._next_us: int | None = None
        self._last_us: int | None = None
        self._told: set[tuple[str, str]] = set()
        self._flagged: dict[Flag, int] = {}
        self._stuck: list[tuple[int | None, int]] = [(None, 0)] * len(board.cells)

    def look(self, sample: ScaleSample, platform: Platform, glitches: GlitchFilter) -> list[CellEvidence]:
        """The troubles that are new with this sample."""
        found: list[CellEvidence] = []
        if self._last_us is not None and sample.t_us - self._last_us > _SILENT_US:
            seconds = (sample.t_us - self._last_us) / 1e6
            found += self._tell(sample.t_us, self._board.id, f"was silent for {seconds:.0f} s", lasting=False)
            self._next_us = None  # all cells were: none of them is dead for that
        self._last_us = sample.t_us
        self._count(sample)
        if self._next_us is None:
            self._next_us = sample.t_us + _CHECK_US
        elif sample.t_us >= self._next_us:
            self._next_us = sample.t_us + _CHECK_US
            found += self._check(sample.t_us, platform, glitches)
        return found

    def _count(self, sample: ScaleSample) -> None:
        if sample.flags:
            for flag in _FLAG_WORDS:
                if sample.flags & flag:
                    self._flagged[flag] = self._flagged.get(flag, 0) + 1
        for channel, value in enumerate(sample.counts[: len(self._stuck)]):
            same, times = self._stuck[channel]
            self._stuck[channel] = (value, times + 1 if value == same and value is not None else 0)

    def _check(self, t_us: int, platform: Platform, glitches: GlitchFilter) -> list[CellEvidence]:
        found: list[CellEvidence] = []
        for flag, words in _FLAG_WORDS.items():
            if self._flagged.get(flag, 0) >= 3:
                found += self._tell(t_us, self._board.id, words)
        for cell in platform.dead(t_us):
            found += self._tell(t_us, f"{self._board.id} {cell.id}", "gives no value")
        for channel, cell in enumerate(self._board.cells):
            if glitches.glitches[channel] >= _GLITCHES_TO_TELL:
                found += self._tell(t_us, f"{self._board.id} {cell.id}", "gives wild values now and then")
            if self._stuck[channel][1] >= _STUCK_ROWS:
                found += self._tell(t_us, f"{self._board.id} {cell.id}", "always gives the same value")
        return found

    def _tell(self, t_us: int, device: str, what: str, lasting: bool = True) -> list[CellEvidence]:
        if lasting and (device, what) in self._told:
            return []
        self._told.add((device, what))
        return [CellEvidence(self._board.id, t_us, device, what)]
