"""Text mode: the module for people with a serial terminal."""

from __future__ import annotations

import pytest

from companion.devices.scales.messages import Ack, Hello, Result, Type, read
from companion.devices.scales.wire import frame, unframe
from tests.firmware.core import Core


def typed(core: Core, line: str) -> list[str]:
    """Types a line and returns the lines of the answer, the echo left out."""
    core.sent()
    core.receive(line.encode() + b"\r")
    for _ in range(12):
        core.convert(1, -2, 3, -8388608)
    echo, *answer = core.sent().decode().split("\r\n")
    assert echo == line
    return [each for each in answer if each]


@pytest.fixture
def terminal(core: Core) -> Core:
    """A module at which somebody has typed a question mark."""
    core.receive(b"?")
    core.idle(100_000)
    return core


def test_a_question_mark_brings_help(terminal: Core) -> None:
    help_text = terminal.sent().decode()
    for word in ("info", "read", "go", "stop", "rate", "gain", "id", "channels", "faults", "clear", "binary"):
        assert f" {word}" in help_text
    assert typed(terminal, "?") == [line for line in help_text.split("\r\n") if line]


def test_every_help_line_fits_a_terminal(terminal: Core) -> None:
    assert max(map(len, terminal.sent().decode().split("\r\n"))) <= 90


def test_reading_once_and_without_end(terminal: Core) -> None:
    (line,) = typed(terminal, "read")
    assert line.split(",")[1:] == ["2", "1", "-2", "3", "-8388608"]
    assert len(typed(terminal, "go")) == 12
    terminal.receive(b"\r")
    terminal.sent()
    terminal.convert(1, 2, 3, 4)
    assert terminal.sent() == b""


def test_enter_may_be_two_bytes(terminal: Core) -> None:
    terminal.receive(b"go\r\n")
    terminal.sent()
    terminal.convert(1, 2, 3, 4)
    assert terminal.sent().endswith(b",0,1,2,3,4\r\n")


def test_a_silent_channel_is_an_empty_cell(terminal: Core) -> None:
    terminal.receive(b"go\r")
    terminal.sent()
    for _ in range(2):
        terminal.convert(1, None, 3, None)
    assert terminal.sent().decode().strip().split(",")[2:] == ["1", "", "3", ""]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("rate 10", "ok"),
        ("rate 11", "no: rate 10 or rate 80"),
        ("rate", "no: rate 10 or rate 80"),
        ("gain 64", "ok"),
        ("gain 65536", "no: gain 64 or gain 128"),
        ("id north-1", "ok"),
        ("id", "ok"),
        ("id North", "no: up to 12 of a-z, 0-9 and -"),
        ("id thirteen-char", "no: up to 12 of a-z, 0-9 and -"),
        ("channels 2", "ok"),
        ("channels 5", "no: channels 0 to channels 4"),
        ("clear", "ok"),
        ("stop", "ok"),
        ("sing", "no: ? shows what can be typed"),
        (" ", "no: ? shows what can be typed"),
    ],
)
def test_lines_are_answered(terminal: Core, line: str, answer: str) -> None:
    assert typed(terminal, line) == [answer]


def test_info_and_faults_in_words(terminal: Core) -> None:
    typed(terminal, "id north")
    typed(terminal, "gain 64")
    version, *rest = typed(terminal, "info")
    assert version.startswith("firmware 1.0.0 build ")
    assert rest == ["id north", "channels expected 0123 answering 0123", "rate 80 gain 64"]
    assert typed(terminal, "faults")[2:] == [
        "channel 0: no fault", "channel 1: no fault", "channel 2: no fault", "channel 3: saturated",
    ]  # fmt: skip


def test_backspace_takes_back(terminal: Core) -> None:
    terminal.sent()
    terminal.receive(b"sing\b\b\b\b\x7frate 80\r")
    assert terminal.sent().endswith(b"ok\r\n")


@pytest.mark.parametrize("way_out", [b"\0", b"binary\r"])
def test_the_way_back_to_frames(terminal: Core, way_out: bytes) -> None:
    terminal.receive(way_out)
    terminal.sent()
    terminal.receive(b"\0" + frame(Type.ASK_HELLO))
    assert terminal.host.sent[0] == 0
    (hello,) = terminal.messages()
    assert isinstance(hello, Hello)
    assert not hello.streaming


def test_the_pi_can_ask_for_text(core: Core) -> None:
    core.receive(frame(Type.TEXT, seq=5))
    stuffed, text = core.sent().split(b"\0")
    ack = unframe(stuffed)
    assert ack is not None
    assert read(ack) == Ack(Type.TEXT, 5, Result.DONE)
    assert text == b"\r\n"
    core.idle(100_000)
    assert typed(core, "rate 80") == ["ok"]


def test_a_command_can_never_be_taken_for_the_question_mark(core: Core) -> None:
    assert core.command(Type.SET_ID, b"n" * 12) == [Ack(Type.SET_ID, 0, Result.DONE)]
    assert all(frame(0x81, b"x" * n)[0] < ord("?") for n in range(36))
