"""The senses at the table screen: their questions on a card, the way back into step, and what they measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.app.models.table import TableModel
from companion.app.screens.base import CompanionScreen
from companion.app.screens.health import health_sheet
from companion.app.screens.proposals import ProposalCard, answers_sheet, decided_sheet, mismatch_sheet
from companion.app.screens.replies import Replies
from companion.app.words import _

if TYPE_CHECKING:
    from companion.app.models.lookout import Lookout

Entry = tuple[str, str, Callable[[], object]]

_LIVE = "live"


class Senses:
    """What a table screen shows of the senses. Without a lookout it shows nothing: the table is as it always was."""

    def __init__(self, screen: CompanionScreen, model: TableModel, lookout: Lookout | None) -> None:
        self._screen, self._lookout = screen, lookout
        self._replies = Replies(lookout, model.ask, screen.say) if lookout is not None else None
        self.card = ProposalCard(self._reply, self._open_more, self._decline, opacity=0, disabled=True)

    @property
    def shown(self) -> bool:
        """Whether the card shows something."""
        lookout = self._lookout
        return lookout is not None and bool(lookout.cards or lookout.out_of_step or lookout.offers_simulated)

    @property
    def says(self) -> str:
        """What the mark at the menu says."""
        out = self._lookout.out_of_step if self._lookout else ()
        return " ".join(dict.fromkeys(_(mismatch.sentence) for mismatch in out))

    @property
    def measured(self) -> dict[tuple[int, str], float]:
        """The heights of towers as they were measured last, in mm."""
        towers = self._lookout.measured if self._lookout else ()
        return {(each.seat, each.tower): each.top_mm for each in towers if each.top_mm is not None}

    def show(self) -> None:
        """Shows what there is to answer."""
        lookout = self._lookout
        if lookout is not None:
            self.card.show(lookout.cards, lookout.out_of_step, offers=lookout.offers_simulated)

    def entries(self) -> list[Entry]:
        """Their lines of the menu."""
        lookout = self._lookout
        if lookout is None:
            return []
        words = _("Simulated table") if lookout.simulates else _("Live table")
        found: list[Entry] = [("camera", words, self._go_live)]
        if lookout.table is not None:
            found.append(("eye", _("How the senses are"), self._open_health))
        if lookout.decided or lookout.notes:
            found.append(("scale", _("What was sensed"), self._open_decided))
        if lookout.out_of_step:
            found.insert(0, ("warning", _("Back into step"), self._open_mismatches))
        return found

    def _reply(self, question: str, answer: str) -> None:
        if self._replies is not None:
            self._replies.reply(question, answer)

    def _undo(self, decided: str) -> None:
        if self._replies is not None:
            self._replies.undo(decided)

    def _decline(self) -> None:
        if self._lookout is not None:
            self._lookout.decline_simulated()

    def _go_live(self) -> None:
        self._screen.shell.go(_LIVE)

    # Sheets

    def _open_more(self) -> None:
        lookout = self._lookout
        if lookout is None:
            return
        if lookout.cards:
            answers_sheet(lookout.cards[0], self._reply).open(self._screen.host)
        elif lookout.out_of_step:
            self._open_mismatches()
        elif lookout.offers_simulated:
            self._go_live()

    def _open_mismatches(self) -> None:
        if self._lookout is not None and self._lookout.out_of_step:
            mismatch_sheet(self._lookout.out_of_step, self._reply).open(self._screen.host)

    def _open_health(self) -> None:
        if self._lookout is not None:
            says = self._screen.shell.sideboard.says
            health_sheet(self._lookout.health, (says,) if says else ()).open(self._screen.host)

    def _open_decided(self) -> None:
        if self._lookout is not None:
            decided_sheet(self._lookout.decided, self._lookout.notes, self._undo).open(self._screen.host)
