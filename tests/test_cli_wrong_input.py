"""Wrong input to every command: exit code 2, one clear sentence on standard error, never a traceback."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from errno import ENOSPC
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.errors import Malformed
from companion.rules import registry
from companion.rules.base import Setup
from companion.session.shelf import Shelf
from tests.text.running import Command, Said, lines

_SETUP = '{"setup": {"seats": ["North", "East"]}}\n'


@pytest.fixture
def companion(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def _is_one_sentence(said: Said) -> None:
    assert said.code == 2, said
    assert "Traceback" not in said.out + said.err
    assert len(said.err.splitlines()) == 1, said.err
    assert said.err[0].isupper() or said.err[0] in "'/", said.err
    assert said.err.endswith((".\n", ")\n", "?\n")), said.err


# Files: every command that takes one, with every file that is none


def _missing(path: Path) -> None:
    assert not path.exists()


def _folder(path: Path) -> None:
    path.mkdir()


def _unreadable(path: Path) -> None:
    path.symlink_to(path.name)


def _holding(data: bytes) -> Callable[[Path], None]:
    def put(path: Path) -> None:
        path.write_bytes(data)

    return put


_FILES = {
    "missing": _missing,
    "folder": _folder,
    "unreadable": _unreadable,
    "empty": _holding(b""),
    "blank": _holding(b" \n\n"),
    "not UTF-8": _holding(b'{"seats": "\xff"}'),
    "bad JSON": _holding(b'{"seats": [}\n'),
    "cut off": _holding(b'{"seats": ["North"'),
    "deep": _holding(b"[" * 100_000),
    "a list": _holding(b"[1, 2]"),
    "a number": _holding(b"7"),
    "text": _holding(b'"North"'),
    "null": _holding(b"null"),
    "an empty object": _holding(b"{}"),
    "strange fields": _holding(b'{"nobody": 1, "seats": 3, "setup": null}'),
}
_TAKING_FILES = {
    "score": ("score", "{game}", "{file}"),
    "score --json": ("score", "{game}", "{file}", "--json"),
    "referee": ("referee", "{game}", "{file}"),
    "referee --json": ("referee", "{game}", "{file}", "--json"),
    "referee --from": ("referee", "{game}", "-", "--from", "{file}"),
    "import": ("import", "{file}"),
}


@pytest.mark.parametrize("game", ["hilltop", *registry.ids()])
@pytest.mark.parametrize("command", _TAKING_FILES.values(), ids=_TAKING_FILES)
@pytest.mark.parametrize("make", _FILES.values(), ids=_FILES)
def test_files_that_are_none(
    companion: Command, tmp_path: Path, game: str, command: tuple[str, ...], make: Callable[[Path], None]
) -> None:
    path = tmp_path / "file"
    make(path)
    arguments = [word.format(game=game, file=path) for word in command]
    _is_one_sentence(companion(*arguments, stdin="# nothing to do\n"))


@pytest.mark.parametrize("command", [("score", "hilltop", "-"), ("referee", "hilltop", "-")])
@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{", b"\x00"])
def test_standard_input_that_is_none(companion: Command, command: tuple[str, ...], data: bytes) -> None:
    said = companion(*command, stdin=data)
    _is_one_sentence(said)
    assert said.err.startswith("Standard input")


def test_a_json_error_names_file_and_line(companion: Command, tmp_path: Path) -> None:
    file = tmp_path / "tally.json"
    file.write_text('{\n  "names": ["North"],\n  "heights": [1,,]\n}', encoding="utf-8")
    said = companion("score", "hilltop", str(file))
    assert f"'{file}', line 3: this is not JSON" in said.err


@pytest.mark.parametrize(
    "command", [("score", "hilltop"), ("referee", "hilltop"), ("referee", "hilltop", "-", "--from")]
)
def test_a_folder_is_called_one(companion: Command, tmp_path: Path, command: tuple[str, ...]) -> None:
    assert companion(*command, str(tmp_path)).err == f"'{tmp_path}' is a folder, not a file.\n"


def test_only_line_ends_end_the_lines_of_a_script(companion: Command) -> None:
    """JSON text may hold characters that other programs take for the end of a line."""
    why = "between\N{LINE SEPARATOR}the\N{NEXT LINE}lines"
    for end in ("\n", "\r\n", "\r"):
        script = f'{_SETUP.strip()}{end}{{"do": "correct", "why": "{why}"}}{end}'
        assert companion("referee", "hilltop", "-", stdin=script).code == 0


def test_a_script_error_names_its_line(companion: Command) -> None:
    for bad in ('{"do": "dig"', '{"do": "fly"}', '{"do": "nothing"}', '{"do": []}', "[]", "{}", "7", "x"):
        said = companion("referee", "hilltop", "-", stdin=f"{_SETUP}# a comment\n\n{bad}\n")
        _is_one_sentence(said)
        assert "Standard input, line 4: " in said.err, bad


# Values


@pytest.mark.parametrize("value", ["-1", "100", "1.5", '"two"', "null", "1e99", "true", "[]"])
def test_counts_that_cannot_be(companion: Command, value: str) -> None:
    tally = f'{{"names": ["North"], "heights": [{value}], "flags": [0], "stones": [0]}}'
    _is_one_sentence(companion("score", "hilltop", "-", stdin=tally))
    script = f'{_SETUP}{{"do": "build", "seat": {value}}}'
    _is_one_sentence(companion("referee", "hilltop", "-", stdin=script))


_POINTS = {"start", "placement", "rewards", "other_points"}
"""The parts of a tally that are points, not counts, and may be negative."""


@pytest.mark.parametrize("game", registry.ids())
def test_negative_counts_in_every_game(companion: Command, game: str) -> None:
    template = companion("score", game, "--template").out
    zeros = list(re.finditer(r"(?<=[ \n])0(?=[,\n])", template))
    assert zeros, template
    for zero in zeros:
        said = companion("score", game, "-", stdin=f"{template[: zero.start()]}-1{template[zero.end() :]}")
        if not template[: zero.start()].rstrip().endswith(tuple(f'"{part}":' for part in _POINTS)):
            _is_one_sentence(said)


def test_names_that_cannot_be_shown(companion: Command) -> None:
    for game in registry.ids():
        template = companion("score", game, "--template").out
        _is_one_sentence(companion("score", game, "-", stdin=template.replace("North", "\\u001b[2J")))
        state = msgspec.to_builtins(registry.get(game).setup(Setup(seats=("North", "East"))))
        state = msgspec.json.encode({**state, "seats": ["\x1b[2J", "East"]})
        _is_one_sentence(companion("score", game, "-", stdin=state))


def _nine(low: int = 9) -> str:
    return ",".join(f"Seat {number}" for number in range(low))


def test_nine_players(companion: Command) -> None:
    for game in (*registry.ids(), "hilltop"):
        seats = msgspec.json.encode({"setup": {"seats": _nine().split(",")}})
        _is_one_sentence(companion("referee", game, "-", stdin=seats))
        _is_one_sentence(companion("score", game, "--template", "--players", "9"))
        _is_one_sentence(companion("score", game, "--template", "--players", "-1"))
        _is_one_sentence(companion("play", game, "--seats", _nine()))
    many = {"names": _nine().split(","), "heights": [0] * 9, "flags": [0] * 9, "stones": [0] * 9}
    _is_one_sentence(companion("score", "hilltop", "-", stdin=msgspec.json.encode(many)))


def _spoilt(value: Any, spoil: Callable[[Any], Any]) -> Iterator[Any]:
    """The value with each of its parts spoilt in turn."""
    yield spoil(value)
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        for other in _spoilt(part, spoil):
            copy = value.copy()
            copy[key] = other
            yield copy


@pytest.mark.parametrize("spoil", [lambda _: [], lambda _: {}, lambda _: 7, lambda _: "x", lambda _: None])
@pytest.mark.parametrize("corrected", [False, True])
def test_states_that_contradict_themselves(spoil: Callable[[Any], Any], corrected: bool) -> None:
    """Whatever a state is made of, each part of it replaced by something else is refused in words or makes sense."""
    for game in registry.ids():
        box = registry.get(game)
        state = msgspec.json.decode(msgspec.json.encode(box.setup(Setup(seats=("North", "East")))))
        for other in _spoilt({**state, "corrected": corrected}, spoil):
            with suppress(Malformed):
                box.decode_state(other)


@pytest.mark.parametrize("game", registry.ids())
def test_a_seat_that_is_not_at_the_table(companion: Command, game: str) -> None:
    for example in registry.get(game).examples:
        raw = msgspec.to_builtins(example)
        if "seat" in raw:
            script = msgspec.json.encode({**raw, "seat": 7})
            _is_one_sentence(companion("referee", game, "-", stdin=_SETUP.encode() + script))
            anyway = msgspec.json.encode({"do": "correct", "move": {**raw, "seat": 7}})
            _is_one_sentence(companion("referee", game, "-", stdin=_SETUP.encode() + anyway))


# Arguments

_ARGUMENTS = [
    ("nonsense",),
    ("games", "--nonsense"),
    ("games", "more"),
    ("score",),
    ("score", "hilltop"),
    ("score", "hilltop", "--players", "many", "--template"),
    ("referee", "hilltop"),
    ("rules",),
    ("rules", "no-such-game"),
    ("score", "no-such-game", "-"),
    ("score", "no-such-game", "--template"),
    ("referee", "no-such-game", "-"),
    ("play", "no-such-game"),
    ("play", "no-such-game", "--seats", "North"),
    ("play", "--resume"),
    ("play", "--resume", "no-such-save"),
    ("play", "--resume", "../escape"),
    ("play", "hilltop", "--seats", "North,North"),
    ("play", "hilltop", "--seats", ","),
    ("play", "hilltop", "--seats", "North", "--set", "turns"),
    ("play", "hilltop", "--seats", "North", "--set", "turns=9"),
    ("play", "hilltop", "--seats", "North", "--set", "nothing=1"),
    ("play", "hilltop", "--seed", "lucky"),
    ("history",),
    ("history", "no-such-save"),
    ("history", ".."),
    ("export",),
    ("export", "no-such-save"),
    ("export", "--format", "pdf"),
    ("import",),
    ("score", "hilltop", "\0"),
    ("soak", "nonsense"),
    ("soak", "rules", "--games", "0"),
    ("soak", "rules", "no-such-game"),
    ("soak", "session", "--rounds", "-3"),
    ("bench", "nonsense"),
]


@pytest.mark.parametrize("arguments", _ARGUMENTS, ids=lambda arguments: " ".join(arguments).replace("\0", "NUL"))
def test_arguments_that_cannot_be(companion: Command, arguments: tuple[str, ...]) -> None:
    _is_one_sentence(companion(*arguments))


def test_nowhere_to_write(companion: Command, tmp_path: Path) -> None:
    companion("play", "hilltop", "--seats", "North", stdin=lines("1", "granite"))
    for output in (tmp_path, tmp_path / "no" / "folder.json", "\0"):
        _is_one_sentence(companion("export", "-o", str(output)))


def test_an_export_that_fails_leaves_the_one_before(
    companion: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    companion("play", "hilltop", "--seats", "North", stdin=lines("1", "granite"))
    file = tmp_path / "evening.json"
    assert companion("export", "-o", str(file)).code == 0
    before = file.read_bytes()
    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", _half_written)
        _is_one_sentence(companion("export", "-o", str(file)))
    assert file.read_bytes() == before
    assert list(tmp_path.glob(".*")) == []


def _half_written(path: Path, data: bytes) -> int:
    with path.open("wb") as file:
        file.write(data[: len(data) // 2])
    raise OSError(ENOSPC, "No space left on device")


def test_settings_that_cannot_be_read(companion: Command, companion_home: Path) -> None:
    companion_home.mkdir(parents=True)
    (companion_home / "config.toml").write_text("colour = 3\n", encoding="utf-8")
    for arguments in ((), ("sessions",), ("history",), ("play", "hilltop", "--seats", "North")):
        _is_one_sentence(companion(*arguments))


def test_a_damaged_saved_game(companion: Command, companion_home: Path) -> None:
    games = companion_home / "games"
    games.mkdir(parents=True)
    (games / "broken.sqlite").write_bytes(b"not a database at all" * 50)
    for arguments in (("history", "broken"), ("play", "--resume", "broken"), ("export", "broken")):
        _is_one_sentence(companion(*arguments))
    assert "damaged" in companion("sessions").out


def test_input_that_stops_being_text(companion: Command) -> None:
    said = companion("play", "hilltop", "--seats", "North", stdin=b"1\n\xff\xff\n")
    assert said.code == 2
    assert said.err == "Standard input is not UTF-8 text.\n"


def test_a_game_that_is_open_elsewhere(companion: Command, companion_home: Path) -> None:
    companion("play", "hilltop", "--seats", "North", stdin=lines("1", "granite"))
    shelf = Shelf(companion_home / "games")
    with shelf.latest() as session:
        _is_one_sentence(companion("play", "--resume"))
        assert companion("history", session.id).code == 0
