"""The commands of the companion itself: its health, its demo, its pictures, its place on a Raspberry Pi."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.shared import SICK, AsJson, print_json
from companion.errors import Malformed

if TYPE_CHECKING:
    from companion.doctor import Check

app = typer.Typer()
castle = typer.Typer(help="Castles of Mad King Ludwig as text and pictures.", no_args_is_help=True)


@app.command()
def doctor(json: AsJson = False) -> None:
    """Check what an evening depends on, and say what to do where something is wrong."""
    from companion import doctor as practice
    from companion.text.paper import printer

    found = [*practice.checks(), _camera_check()]
    if json:
        print_json(found)
    else:
        out = printer()
        for check in found:
            out.say(f"{check.ok:<5} {check.name}: {check.says}", style="" if check.ok == "good" else "bad")
            if check.remedy:
                out.say(f"      {check.remedy}")
    if practice.worst(found) == "bad":
        raise typer.Exit(SICK)


def _camera_check() -> Check:
    from companion import config
    from companion.devices.camera import check
    from companion.devices.camera.choosing import CameraConfig

    try:
        here = config.read()
    except Malformed:
        here = config.Config()
    return check.camera(CameraConfig(use=here.camera))


@app.command()
def demo(
    keep: Annotated[
        str, typer.Option(metavar="FOLDER", help="Keep the game, and without a display pictures and report, there.")
    ] = "",
    text: Annotated[bool, typer.Option("--text", help="At the terminal, even where there is a display.")] = False,
) -> None:
    """See an evening play itself on the simulated table, in under four minutes: on a display, or as a report."""
    from companion.demo import command

    if not command.run(keep, text=text):
        raise typer.Exit(SICK)


@app.command()
def shots(
    folder: Annotated[
        str, typer.Argument(metavar="[FOLDER]", show_default=False, help="Where the pictures of all screens go.")
    ] = "",
    every_size: Annotated[bool, typer.Option("--every-size", help="Also at 1280x720 and 720x1280.")] = False,
) -> None:
    """Take pictures of every screen of the app; without a folder, those of the README anew. It needs no display."""
    from companion.app import shots as pictures

    where, only = (Path(folder), ()) if folder else (pictures.README_FOLDER, pictures.README_NAMES)
    taken = pictures.shots(where, pictures.SIZES if every_size else pictures.SIZES[:1], only)
    print(f"{len(taken)} pictures are in {where}.")


@app.command("install-kiosk")
def install_kiosk(
    undo: Annotated[bool, typer.Option("--undo", help="Take away all that was installed.")] = False,
) -> None:
    """Let a Raspberry Pi open the companion by itself after every start."""
    from companion import kiosk

    print(kiosk.remove(Path.home()) if undo else kiosk.install(Path.home(), Path(sys.argv[0]).resolve()))


@castle.command("draw")
def castle_draw(
    notation: Annotated[str, typer.Argument(metavar="NOTATION", help="For example: 'foyer@0,0 kitchen@3,-1/90'.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - prints it.")
    ] = "castle.svg",
) -> None:
    """Draw a castle to scale as an SVG picture. Its notation lists room@x,y/turn."""
    from companion.rules.mad_king_ludwig.draw import svg
    from companion.rules.mad_king_ludwig.notation import read
    from companion.text import exports

    exports.put(svg(read(notation)).encode(), "The castle", output)
