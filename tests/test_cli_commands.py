"""Every command at work, on the toy game and on the real ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import __version__
from companion.rules import registry
from tests.text.running import Command, Said, lines
from tests.text.toy import Hilltop

_TALLY = {"names": ["North", "East"], "heights": [4, 6], "flags": [2, 1], "stones": [0, 3]}
_SCRIPT = """
# a set-up, then one action to a line
{"setup": {"seats": ["North", "East"], "options": {"turns": 1, "flags": false}}}

{"do": "dig", "card": {"name": "Granite", "stones": 3}}
{"do": "build", "seat": 0, "count": 2}
"""
_END = '{"do": "rest", "seat": 0}\n{"do": "rest", "seat": 1}\n'


@pytest.fixture
def companion(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def _json(said: Said) -> Any:
    assert (said.code, said.err) == (0, "")
    return msgspec.json.decode(said.out)


def _file(folder: Path, text: str | dict[str, Any]) -> str:
    path = folder / "file.json"
    path.write_text(text if isinstance(text, str) else msgspec.json.encode(text).decode(), encoding="utf-8")
    return str(path)


# Games and rules


def test_games_lists_the_shelf(companion: Command) -> None:
    said = companion("games")
    assert (said.code, said.err) == (0, "")
    assert "hilltop Hilltop 1-4 5-10" in " ".join(said.out.split())
    assert "--set turns=1|2*|3  How many turns are played." in said.out
    assert "Hilltop: Two players\n" in said.out
    assert "scales: stones laid" in said.out


def test_games_as_json_has_everything(companion: Command) -> None:
    listed = {game["id"]: game for game in _json(companion("games", "--json"))}
    assert set(listed) == set(registry.ids())
    assert listed["hilltop"]["players"] == [1, 4]
    assert {"title", "minutes", "modes", "options", "senses"} <= listed["hilltop"].keys()


@pytest.mark.parametrize("game", [*registry.ids(), "hilltop"])
def test_rules_lists_every_action_with_an_example(companion: Command, game: str) -> None:
    entries = _json(companion("rules", game, "--json"))
    box = registry.get(game)
    named = {action["do"]: action for action in entries["actions"]}
    assert set(named) == {str(kind.__struct_config__.tag) for kind in box.action_types} | {"correct"}
    for action in named.values():
        assert action["doc"]
        box.decode_action(action["example"])
        assert set(action["example"]) == {"do", *(field["name"] for field in action["fields"])}
    assert {rule["id"] for rule in entries["rules"] + entries["rulings"]} == {rule.id for rule in box.rulebook}


@pytest.mark.parametrize("game", [*registry.ids(), "hilltop"])
def test_rules_for_people_name_everything(companion: Command, game: str) -> None:
    said = companion("rules", game)
    box = registry.get(game)
    for rule in box.rulebook:
        assert f"  {rule.id}: {rule.text} ({rule.cite})" in said.out
    for option in box.info.options:
        assert f"  {option.key} = " in said.out


def test_rules_say_what_a_field_takes(companion: Command) -> None:
    said = companion("rules", "hilltop")
    assert "count: whole number 1 to 9 (default 1)" in said.out
    assert 'colour: one of "blue", "green", "red" (required)' in said.out
    assert "colours: list of one of" in said.out
    assert "name: text, stones: whole number 0 to 99" in said.out


# Score


def test_score_of_a_tally(companion: Command, tmp_path: Path) -> None:
    said = companion("score", "hilltop", _file(tmp_path, _TALLY))
    assert said.code == 0
    assert "Height      4     6" in said.out
    assert "Total       8     8" in said.out
    assert "Tie-break, stones in hand: North 0, East 3" in said.out
    assert "East wins with 8 points; the tie is broken by stones in hand." in said.out


def test_score_as_json_from_standard_input(companion: Command) -> None:
    result = _json(companion("score", "hilltop", "-", "--json", stdin=msgspec.json.encode(_TALLY)))
    assert set(result) == {
        "game", "names", "lines", "totals", "ranking", "winners", "decided_by", "text", "verdict",
    }  # fmt: skip
    assert (result["totals"], result["winners"], result["ranking"]) == ([8, 8], [1], [[1], [0]])
    assert result["decided_by"] == "stones in hand"


@pytest.mark.parametrize("game", [*registry.ids(), "hilltop"])
def test_a_template_can_be_scored_as_it_is(companion: Command, game: str) -> None:
    low, high = registry.get(game).info.players
    for players in {low, 2, high}:
        template = companion("score", game, "--template", "--players", str(players)).out
        assert len(_json(companion("score", game, "-", "--json", stdin=template))["names"]) >= players


@pytest.mark.parametrize("game", [*registry.ids(), "hilltop"])
def test_the_schema_of_a_tally(companion: Command, game: str) -> None:
    schema = _json(companion("score", game, "--schema"))
    name = registry.get(game).tally_type.__name__
    assert schema["$ref"] == f"#/$defs/{name}"


def test_a_state_a_report_and_an_exported_game_are_scored_too(companion: Command, tmp_path: Path) -> None:
    report = companion("referee", "hilltop", "-", "--json", stdin=_SCRIPT).out
    state = msgspec.json.encode(msgspec.json.decode(report)["state"])
    companion("play", "hilltop", "--seats", "North,East", stdin=lines("1", "granite", "1", "2", "1", "1", "u"))
    exported = companion("export").out
    for source in (report, state, exported):
        assert _json(companion("score", "hilltop", "-", "--json", stdin=source))["totals"] == [2, 0]


# Referee


def test_referee_tells_each_action_and_what_can_be_done_now(companion: Command, tmp_path: Path) -> None:
    said = companion("referee", "hilltop", _file(tmp_path, _SCRIPT))
    assert said.code == 0
    assert "5: Dig at Granite\n   - Granite gives everyone 3 stones." in said.out
    assert "6: North lays 2" in said.out
    assert '"heights": [' in said.out
    assert "North: Lay stones or rest.\n  yes  Lay stones" in said.out


def test_referee_as_json_is_one_object(companion: Command) -> None:
    report = _json(companion("referee", "hilltop", "-", "--json", stdin=_SCRIPT))
    assert set(report) == {"game", "state", "steps", "prompts", "picture"}
    assert [(step["line"], step["label"]) for step in report["steps"]] == [(5, "Dig at Granite"), (6, "North lays 2")]
    assert report["steps"][1]["action"] == {"do": "build", "seat": 0, "count": 2}
    assert report["prompts"][0]["choices"][0]["legal"] is True


def test_referee_scores_a_finished_game(companion: Command) -> None:
    report = _json(companion("referee", "hilltop", "-", "--json", stdin=_SCRIPT + _END))
    assert report["score"]["totals"] == [2, 0]
    assert "North wins with 2 points." in companion("referee", "hilltop", "-", stdin=_SCRIPT + _END).out


def test_referee_goes_on_from_a_state_or_a_report(companion: Command, tmp_path: Path) -> None:
    report = companion("referee", "hilltop", "-", "--json", stdin=_SCRIPT)
    for start in (report.out, msgspec.json.encode(_json(report)["state"]).decode()):
        after = _json(companion("referee", "hilltop", "-", "--from", _file(tmp_path, start), "--json", stdin=_END))
        assert after["state"]["over"] is True


def test_a_bare_set_up_is_enough(companion: Command) -> None:
    report = _json(companion("referee", "hilltop", "-", "--json", stdin='{"seats": ["North"]}'))
    assert report["steps"] == []


def test_a_refusal_names_action_rule_and_citation(companion: Command) -> None:
    said = companion("referee", "hilltop", "-", stdin=_SCRIPT + '{"do": "build", "seat": 0, "count": 9}')
    assert said.code == 2
    assert said.err == "Line 7 is refused: North has 1 stones, not 9. (build.stones; Building, p. 2)\n"
    assert 'action: {"do":"build","seat":0,"count":9}' in said.out
    assert "rule build.stones: Only stones in hand can be laid." in said.out


def test_a_refusal_as_json(companion: Command) -> None:
    said = companion("referee", "hilltop", "-", "--json", stdin=_SCRIPT + '{"do": "rest", "seat": 7}')
    assert said.code == 2
    report = msgspec.json.decode(said.out)
    assert report["refused"] == {
        "line": 7,
        "action": {"do": "rest", "seat": 7},
        "rule": "seat.known",
        "text": "Only a seat in the game can act.",
        "cite": "Set-up",
        "why": "There is no seat 7.",
        "overrulable": False,
    }
    assert report["state"]["heights"] == [2, 0]


# Saved games


def _played(companion: Command) -> str:
    typed = lines("1", "granite", "1", "2", "u", "fix turn 2", "typo")
    companion("play", "hilltop", "--seats", "North,East", stdin=typed)
    saved: str = _json(companion("sessions", "--json"))[0]["id"]
    return saved


@pytest.mark.parametrize("typed", [("q",), ("2", "North", "East", "", "quit")])
def test_q_leaves_while_a_game_is_set_up(companion: Command, typed: tuple[str, ...]) -> None:
    said = companion("play", "castle-dukes", stdin=lines(*typed))
    assert said.code == 0
    assert "please" not in said.out + said.err
    assert "players." not in said.out
    assert _json(companion("sessions", "--json")) == []


@pytest.mark.parametrize("group", ["scales", "bench", "soak", "castle"])
def test_a_group_without_its_word_shows_its_help_and_nothing_else(companion: Command, group: str) -> None:
    said = companion(group)
    assert said.code == 2
    assert "Usage" in said.out + said.err
    assert said.err.rstrip().splitlines()[-1:] != ["."]


def test_a_recording_in_which_nothing_happens_is_said_to_be_quiet(companion: Command, tmp_path: Path) -> None:
    (tmp_path / "recording.json").write_text(
        '{"format": "castle-companion/recording", "version": 1, "boards":'
        ' [{"id": "south", "size_mm": [250, 200], "cells": [{"id": "c0", "counts_per_g": 1500}]}]}'
    )
    rows = "".join(f"{at * 12_500},south,0,{81_000 + at % 3},,,\n" for at in range(400))
    (tmp_path / "scales.csv").write_text("t_us,board,flags,c0,c1,c2,c3\n" + rows)
    assert companion("watch", str(tmp_path)).out == "Nothing was sensed in 5 s by scales.\n"
    assert companion("watch", str(tmp_path), "--json").out == ""


def test_home_shows_the_shelf_and_what_can_go_on(companion: Command) -> None:
    _played(companion)
    said = companion()
    assert (said.code, said.err) == (0, "")
    assert "terminal session" in said.out.splitlines()[0]
    assert said.out.index("Go on with") < said.out.index("1 Hilltop: North, East (") < said.out.index("On the shelf")
    assert companion("play").out == said.out


def test_sessions(companion: Command) -> None:
    assert "No game has been saved yet." in companion("sessions").out
    saved = _played(companion)
    assert saved in companion("sessions").out
    listed = _json(companion("sessions", "--json"))[0]
    assert (listed["game"], listed["seats"], listed["over"]) == ("hilltop", ["North", "East"], False)


def test_history_marks_corrections_and_what_was_undone(companion: Command) -> None:
    saved = _played(companion)
    for arguments in ((), (saved,), (saved[-4:],), ("hilltop",)):
        said = companion("history", *arguments).out
        assert "[North lays 2]  (North)" in said
        assert "< " in said
        assert "! " in said
    told = _json(companion("history", saved, "--json"))
    assert [line["kind"] for line in told] == ["setup", "action", "action", "undo", "correction"]
    assert [line["stands"] for line in told] == [True, True, False, False, True]


def test_export_and_import(companion: Command, tmp_path: Path) -> None:
    saved = _played(companion)
    file = str(tmp_path / "game.json")
    assert companion("export", saved, "-o", file).out == f"{saved} is written to {file}.\n"
    taken = companion("import", file)
    assert taken.code == 0
    copies = _json(companion("sessions", "--json"))
    assert len(copies) == 2
    histories = [_json(companion("history", copy["id"], "--json")) for copy in copies]
    assert histories[0] == histories[1]


@pytest.mark.parametrize(
    ("form", "beginning"),
    [
        ("json", '{"format":"castle-companion-game"'),
        ("csv", "line,time,kind"),
        ("scores", "seat,name,key"),
        ("bgstats", "{"),
    ],
)
def test_export_forms(companion: Command, form: str, beginning: str) -> None:
    _played(companion)
    assert companion("export", "--format", form).out.startswith(beginning)


# The companion itself


def test_doctor(companion: Command) -> None:
    assert {"name", "ok", "says"} <= _json(companion("doctor", "--json"))[0].keys()
    assert companion("doctor").code == 0


def test_doctor_says_when_something_is_bad(companion: Command, companion_home: Path) -> None:
    companion_home.mkdir(parents=True)
    (companion_home / "config.toml").write_text("colour = 3\n", encoding="utf-8")
    assert companion("doctor").code == 1


def test_version_and_help(companion: Command) -> None:
    assert companion("--version").out == f"companion {__version__}\n"
    for command in ((), ("play",), ("score",), ("referee",), ("soak",), ("bench", "session")):
        said = companion(*command, "--help")
        assert (said.code, said.err) == (0, "")
        assert "Usage:" in said.out


def test_soak_session_kills_and_finds_everything(companion: Command) -> None:
    said = companion("soak", "session", "--rounds", "1", "--seed", "3")
    assert said.code == 0
    assert "1 kills" in said.out


def test_soak_rules_plays_games(companion: Command) -> None:
    said = companion("soak", "rules", "castle-dukes", "--games", "2", "--seed", "3")
    assert (said.code, said.err) == (0, "")
    assert "2 random games" in said.out.splitlines()[-1]


def test_soak_rules_tells_a_failure(companion: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hilltop, "faults", lambda *_: ("a stone is missing.",))
    said = companion("soak", "rules", "hilltop", "--games", "1")
    assert said.code == 1
    assert "1 failed" in said.out.splitlines()[-1]


def test_nobody_reading_is_no_trouble() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "rules", "castle-dukes"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode != 0


@pytest.mark.parametrize("closed", ["<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", ["games", "", "score castle-dukes -", "play castle-dukes --seats North"])
def test_closed_streams_are_no_trouble(arguments: str, closed: str) -> None:
    command = f'"$0" -m companion {arguments} {closed}'
    done = subprocess.run(["sh", "-c", command, sys.executable], input=b"", capture_output=True, check=False)
    assert done.returncode == (2 if arguments.startswith("score") else 0)
    assert b"Traceback" not in done.stderr


def test_another_process_takes_the_game_up(companion_home: Path) -> None:
    def run(*arguments: str, stdin: str) -> str:
        command = [sys.executable, "-m", "companion", *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, text=True, check=True).stdout

    run("play", "castle-dukes", "--text", "--seats", "North,East", "--auto-draw", "--seed", "4", stdin="1\n")
    again = run("play", "castle-dukes", "--text", "--resume", stdin="h\nu\n")
    assert "- Undo: East: draws a floor tile." in again
