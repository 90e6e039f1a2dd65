"""One tree of errors. Each message is a whole sentence that can be shown to people."""

from __future__ import annotations


class CompanionError(Exception):
    """Anything Castle Companion says no to. Its text is fit for the screen."""


class Malformed(CompanionError, ValueError):
    """Input that is not an action, a state, a set-up or a tally at all."""


class UnknownGame(CompanionError, LookupError):
    """No such game on the shelf."""

    def __init__(self, game: str, known: tuple[str, ...]) -> None:
        super().__init__(f"There is no game called '{game}'. Known games: {', '.join(known)}.")
        self.game = game
        self.known = known


class Refusal(CompanionError, ValueError):
    """A legal-looking action that the rules forbid, with the rule and where the rulebook has it.

    `final` marks what no agreement at the table can make possible (there is no such piece):
    a correction can overrule any other refusal.
    """

    def __init__(self, why: str, *, rule: str, cite: str, final: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.rule = rule
        self.cite = cite
        self.final = final


class NoSuchPiece(CompanionError, LookupError):
    """A piece was pointed at that is not where it was said to be."""


class NoSavedGame(CompanionError, LookupError):
    """No such saved game in the folder."""


class NoSuchStep(CompanionError, LookupError):
    """Nothing to undo or redo, or no such line in the history."""


class GameInUse(CompanionError, RuntimeError):
    """Another Castle Companion has this saved game open for playing."""

    def __init__(self, saved: str) -> None:
        super().__init__(
            f"The saved game '{saved}' is open in another Castle Companion: close it there, or look at it read-only."
        )
        self.saved = saved


class ReadOnlyGame(CompanionError, PermissionError):
    """A saved game that can be looked at and not played on."""


class SessionClosed(CompanionError, ValueError):
    """The session has been closed."""


class DamagedGame(CompanionError, ValueError):
    """A file that is not, or is no longer, a whole saved game. It is left as it is."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"The saved game {file} is damaged and was left as it is: {why}.")
        self.file = file
        self.why = why


class NewerGame(CompanionError, ValueError):
    """A saved game written by a newer Castle Companion."""

    def __init__(self, file: str) -> None:
        super().__init__(f"The saved game {file} was written by a newer Castle Companion: update this one to open it.")
        self.file = file


class DiskTrouble(CompanionError, OSError):
    """The disk did not take it: full, read-only, locked or failing. Nothing changed; it can be tried again."""


class DeviceLost(CompanionError, ConnectionError):
    """Something wired or plugged in does not answer. It may come back."""


class BadRecording(CompanionError, ValueError):
    """A recording of a table that cannot be read, or not to its end."""


class FlashFailed(CompanionError, RuntimeError):
    """A scale module did not get its program. It can be tried again."""


class PartMissing(CompanionError, ImportError):
    """An optional part of Castle Companion is not installed."""

    def __init__(self, what: str, module: str, extra: str) -> None:
        super().__init__(f"{what} needs '{module}', which is not installed: pip install 'castle-companion[{extra}]'.")
        self.module = module
        self.extra = extra
