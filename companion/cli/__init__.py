"""The command `companion`. Each command is a few lines here; what it does lives in `text` and `session`.

What people got wrong is said in one sentence on standard error, with exit code 2: `main` is the one place for that.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import typer

from companion import __version__
from companion.cli import benches, boxes, playing, senses, upkeep
from companion.cli.shared import OK, SICK, WRONG
from companion.errors import CompanionError
from companion.scales_cli import scales

__all__ = ["OK", "SICK", "WRONG", "app", "main"]

_INTERRUPTED = 130
_PIPE_CLOSED = 141
_BASE_OF_USAGE_ERRORS: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="companion",
    help="A referee, scorekeeper and memory for castle-building board games. Without a command: the home screen.",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for commands in (boxes.app, playing.app, senses.app, upkeep.app):
    app.add_typer(commands)
app.add_typer(benches.soak, name="soak")
app.add_typer(benches.bench, name="bench")
app.add_typer(upkeep.castle, name="castle")
app.add_typer(scales, name="scales")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 something is bad, 2 something was wrong with the input."""
    _forgive_odd_terminals()
    try:
        code = _run(_with_resume_value(list(sys.argv[1:] if arguments is None else arguments)))
        sys.stdout.flush()
    except BrokenPipeError:
        return _pipe_closed()
    except (CompanionError, _BASE_OF_USAGE_ERRORS) as error:
        return _say_wrong(_message(error))
    except UnicodeDecodeError:
        return _say_wrong("Standard input is not UTF-8 text.")
    except OSError as error:
        return _say_wrong(_os_sentence(error))
    except (KeyboardInterrupt, typer.Abort):
        return _INTERRUPTED
    return code


def _run(arguments: list[str]) -> int:
    code = typer.main.get_command(app).main(arguments, prog_name="companion", standalone_mode=False)
    return code if isinstance(code, int) else OK


def _with_resume_value(arguments: list[str]) -> list[str]:
    """`--resume` may stand alone: it then means the game last played."""
    return [
        f"{playing.RESUME}=" if word == playing.RESUME and after.startswith("-") else word
        for word, after in pairwise([*arguments, "-"])
    ]


def _forgive_odd_terminals() -> None:
    """A stream that is closed leads nowhere; a terminal without some letter shows a question mark for it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="replace")


def _message(error: Exception) -> str:
    words = getattr(error, "format_message", error.__str__)()
    sentence = " ".join(str(words).split())
    return sentence if sentence.endswith((".", "?", "!", ")")) else f"{sentence}."


def _os_sentence(error: OSError) -> str:
    where = f"'{error.filename}': " if error.filename else ""
    return f"{where}{error.strerror or error}."


def _say_wrong(sentence: str) -> int:
    sys.stdout.flush()
    if sentence.strip("."):  # a command without its word has shown its help, and says nothing more
        print(sentence, file=sys.stderr)
    return WRONG


def _pipe_closed() -> int:
    """Nobody reads any more. What is still in the buffer goes nowhere, so that Python's own goodbye is quiet too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _PIPE_CLOSED


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"companion {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def home(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and leave.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None and not _opened_window():
        from companion.text.evening import home as home_screen
        from companion.text.paper import paper
        from companion.text.saves import the_shelf

        home_screen(paper(), the_shelf())


def _opened_window() -> bool:
    """Run the app where there is a display. False where there is none, or it would not open."""
    from companion.app import kivyenv

    if not kivyenv.display_answers(os.environ):
        return False
    kivyenv.guard()
    kivyenv.on_a_display(os.environ)
    kivyenv.hurry()
    from companion.app import shell

    try:
        shell.run()
    except SystemExit:  # Kivy's way to say that no window could be had
        gc.enable()
        print("The window could not be opened.", file=sys.stderr)
        return False
    return True
