"""The commands `companion scales ...`: what is plugged in, what lies on it, how well it works, and its firmware."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.errors import DeviceLost, Malformed

if TYPE_CHECKING:
    from companion.devices.scales.driver import ModuleReport, Scales
    from companion.sensing.plan import Plan
    from companion.text.scales import Monitor

_SICK = 1
_SIMULATED_ID = "north"
_DRAWN_PER_S = 10
_POLL_S = 0.02
_ANSWER_S = 3.0
_NS_PER_S = 1_000_000_000
_LONGEST_S = 86_400.0


def _not_for_ever(seconds: float | None) -> float | None:
    if seconds is not None and not seconds <= _LONGEST_S:  # not a number is neither
        raise typer.BadParameter(f"At most {_LONGEST_S:.0f} seconds.")
    return seconds


scales = typer.Typer(help="The scales under the boards: list, monitor, diagnose, flash and name.", no_args_is_help=True)

Simulated = Annotated[bool, typer.Option("--simulated", help="Use the simulated twin: no module needed.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON for programs.")]
OnlyPort = Annotated[str, typer.Option("--port", metavar="PORT", help="One port only. Default: all USB serial ports.")]

now_ns: Callable[[], int] = time.monotonic_ns
pause: Callable[[float], None] = time.sleep


@contextmanager
def plugged_in(simulated: bool, port: str = "") -> Iterator[Scales]:
    """The scales of this machine, or a simulated module on a pseudo terminal."""
    from companion.devices.scales.driver import Scales
    from companion.devices.scales.port import usb_ports

    if not simulated:
        with Scales(ports=(lambda: (port,)) if port else usb_ports, monotonic_ns=now_ns) as real:
            yield real
        return
    from companion.devices.scales.showing import busy_board
    from companion.devices.scales.twin import PtyModule, SimModule

    with PtyModule(SimModule(_SIMULATED_ID, busy_board())).running() as twin, Scales(ports=twin.ports) as made:
        yield made


@scales.command("list")
def list_modules(simulated: Simulated = False, json: AsJson = False, port: OnlyPort = "") -> None:
    """List the modules that are plugged in: port, id, firmware, and what is wrong with any."""
    from companion.devices.scales.check import greet
    from companion.text import scales as shown
    from companion.text.paper import printer

    _one_or_the_other(simulated, port)
    with plugged_in(simulated, port) as found:
        modules = greet(found, pause, now_ns)
    _refuse_closed(port, modules)
    if json:
        _print_json([shown.as_data(module) for module in modules])
    else:
        shown.show_list(printer(), modules)


@scales.command()
def diagnose(
    simulated: Simulated = False,
    json: AsJson = False,
    port: OnlyPort = "",
    seconds: Annotated[float, typer.Option(min=1.0, callback=_not_for_ever, help="How long to listen.")] = 10.0,
) -> None:
    """The ten-second check: rate, noise, values, range and errors of every cell, and what to do about them."""
    from companion.devices.scales import check
    from companion.doctor import worst
    from companion.text import scales as shown
    from companion.text.paper import printer

    _one_or_the_other(simulated, port)
    with plugged_in(simulated, port) as listening:
        modules = check.greet(listening, pause, now_ns)
        if not modules:
            raise DeviceLost("No USB serial port is there: plug a scale module in, with a cable that carries data.")
        _refuse_closed(port, modules)
        if not any(module.state == "ready" for module in modules):
            seconds = 0.0
        elif not json:
            print(f"Listening for {seconds:.0f} s. Touch nothing.", file=sys.stderr)
        heard = check.collect(listening, seconds, pause, now_ns)
    found = check.findings(heard)
    _print_json(found) if json else shown.show_findings(printer(), found)
    if worst(one for checks in found.values() for one in checks) == "bad":
        raise typer.Exit(_SICK)


@scales.command()
def monitor(
    simulated: Simulated = False,
    port: OnlyPort = "",
    plan: Annotated[
        str, typer.Option("--plan", metavar="FOLDER", help="A folder whose recording.json has the cells' counts_per_g.")
    ] = "",
    seconds: Annotated[
        float | None, typer.Option(min=0.1, callback=_not_for_ever, help="Leave by itself after so long.")
    ] = None,
) -> None:
    """Show what lies on the cells, live, since the start: in grams where the gain is known. Ctrl-C leaves."""
    from companion.sensing.plan import read_plan
    from companion.text.scales import Monitor

    _one_or_the_other(simulated, port)
    picture = Monitor(read_plan(Path(plan)) if plan else _simulated_plan() if simulated else None)
    with plugged_in(simulated, port) as found:
        until_ns = now_ns() + int(seconds * _NS_PER_S) if seconds else None
        with suppress(KeyboardInterrupt):
            (_draw if sys.stdout.isatty() else _log)(found, picture, until_ns)
        modules = found.modules()
    print(_goodbye(modules))


def _simulated_plan() -> Plan:
    from companion.devices.scales.showing import busy_plan

    return busy_plan(_SIMULATED_ID)


def _draw(found: Scales, picture: Monitor, until_ns: int | None) -> None:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console()
    with Live(console=console, refresh_per_second=_DRAWN_PER_S, transient=False, auto_refresh=False) as live:
        for _ in _rounds(found, picture, _NS_PER_S // _DRAWN_PER_S, until_ns):
            drawn = Text("\n".join(picture.lines(found.modules(), console.width)), no_wrap=True, overflow="crop")
            live.update(drawn, refresh=True)


def _log(found: Scales, picture: Monitor, until_ns: int | None) -> None:
    for _ in _rounds(found, picture, _NS_PER_S, until_ns):
        while picture.told:
            print(picture.told.popleft())
        for line in picture.plain():
            print(line, flush=True)


def _rounds(found: Scales, picture: Monitor, every_ns: int, until_ns: int | None) -> Iterator[None]:
    """Listen, and yield whenever it is time to show something."""
    next_ns = now_ns() + every_ns
    while until_ns is None or now_ns() < until_ns:
        picture.add(found.poll())
        picture.told.extend(f"{notice.module}: {notice.says}" for notice in found.notices())
        if now_ns() >= next_ns:
            next_ns += every_ns
            yield
        pause(_POLL_S)


def _goodbye(modules: tuple[ModuleReport, ...]) -> str:
    heard = [module for module in modules if module.board]
    if not heard:
        raise DeviceLost("No scale module was heard.")
    return "\n".join(
        f"{module.name}: {module.counts.samples} samples, {module.counts.lost} frames lost." for module in heard
    )


@scales.command()
def flash(
    port: Annotated[str, typer.Option("--port", metavar="PORT", help="Default: the only one there is.")] = "",
    file: Annotated[str, typer.Option("--hex", metavar="FILE", help="Default: the firmware of this checkout.")] = "",
) -> None:
    """Put the firmware on a module (an Arduino Nano), by avrdude."""
    from companion.devices.scales import flash as flashing

    say = partial(print, flush=True)
    say(flashing.flash(port, Path(file) if file else flashing.HEX_FILE, say=say))


@scales.command()
def name(
    port: Annotated[str, typer.Argument(metavar="PORT", help="Where the module is plugged in.")],
    id: Annotated[
        str, typer.Argument(metavar="ID", help="Up to 12 of a-z, 0-9 and '-'; '' forgets it. Best: its board's id.")
    ],
    simulated: Simulated = False,
) -> None:
    """Give a module the id by which it is known from then on, whatever port it is at."""
    from companion.devices.scales.check import greet
    from companion.devices.scales.messages import Result, Type, id_payload

    payload = id_payload(id)
    with plugged_in(simulated, port) as found:
        modules = greet(found, pause, now_ns)
        answer = found.command(_only_ready(modules), Type.SET_ID, payload)
        until_ns = now_ns() + int(_ANSWER_S * _NS_PER_S)
        while answer() is None and now_ns() < until_ns:
            found.poll()
            pause(_POLL_S)
        if answer() != Result.DONE:
            raise DeviceLost(f"The module at {port} did not take its new id: try again.")
    print(f"The module at {port} is now called '{id}'." if id else f"The module at {port} has no id any more.")


def _one_or_the_other(simulated: bool, port: str) -> None:
    if simulated and port:
        raise Malformed("The simulated twin has a port of its own: leave out --port or --simulated.")


def _refuse_closed(port: str, modules: tuple[ModuleReport, ...]) -> None:
    """Of all ports, one that cannot be opened is a row of the list; of the only one that was asked for, the answer."""
    if port and modules and modules[0].state == "closed":
        raise DeviceLost(" ".join(modules[0].says))


def _only_ready(modules: tuple[ModuleReport, ...]) -> str:
    for module in modules:
        if module.state == "ready" and module.board:
            return module.name
    raise DeviceLost(" ".join(modules[0].says) if modules and modules[0].says else "No scale module answers there.")


def _print_json(value: object) -> None:
    from companion.text.sheets import pretty

    print(pretty(value))
