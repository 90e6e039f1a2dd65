"""Sounds: what they are made of, who plays them, and that nothing about them can hurt a game."""

from __future__ import annotations

import queue
import subprocess
import threading
import wave
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.devices.runner import Job, Runner, start_quietly
from companion.devices.sound import AplayPlayer, RecordingPlayer, SilentPlayer, SoundBank, find_player
from companion.devices.speech import EspeakVoice, RecordingVoice, SilentVoice, find_voice
from companion.devices.tones import CUES, PIECES, RATE_HZ, Cue, pcm, rendered, seconds
from companion.session.clocks import ManualClock

_PATIENCE_S = 5.0
_CUT_SHORT = -15


class FakeProcess:
    """A program that goes on until it is told to end."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = tuple(command)
        self.killed = False
        self._ended = threading.Event()
        self._code = 0

    def wait(self, timeout: float | None = None) -> int:
        assert self._ended.wait(_PATIENCE_S)
        return self._code

    def end(self, code: int = 0) -> None:
        self._code = code
        self._ended.set()

    def terminate(self) -> None:
        self.end(_CUT_SHORT)

    def kill(self) -> None:
        self.killed = True
        self.end(-9)


class Stage:
    """Starts programs that are not there, and hands them to the test as they start."""

    def __init__(self) -> None:
        self._started: queue.Queue[FakeProcess] = queue.Queue()

    def __call__(self, command: Sequence[str]) -> FakeProcess:
        process = FakeProcess(command)
        self._started.put(process)
        return process

    def next(self) -> FakeProcess:
        return self._started.get(timeout=_PATIENCE_S)

    @property
    def empty(self) -> bool:
        return self._started.empty()


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest.fixture
def runner(stage: Stage, clock: ManualClock) -> Iterator[Runner]:
    made = Runner(stage, clock.monotonic_ns)
    yield made
    made.close()


@pytest.fixture
def player(stage: Stage, tmp_path: Path) -> Iterator[AplayPlayer]:
    made = AplayPlayer(("aplay", "-q"), SoundBank(tmp_path / "sounds"), stage)
    yield made
    made.close()


def _job(name: str, rank: int = 0) -> Job:
    return Job(lambda: (name,), rank)


# Tones


@pytest.mark.parametrize("cue", CUES)
def test_every_sound_is_short_begins_and_ends_in_silence_and_never_clips(cue: Cue) -> None:
    samples = rendered(cue)
    assert 0.03 < seconds(samples) < 2.5
    assert abs(samples[0]) < 0.01
    assert abs(samples[-1]) < 0.02
    assert 0.3 < max(map(abs, samples)) < 1
    assert abs(sum(samples) / len(samples)) < 0.01


def test_a_call_is_the_loudest_and_a_touch_the_shortest() -> None:
    assert max(CUES, key=lambda cue: PIECES[cue].peak) == "call"
    assert min(CUES, key=lambda cue: sum(note.for_s for note in PIECES[cue].notes)) == "touch"


def test_half_the_volume_is_half_the_height() -> None:
    assert max(map(abs, rendered("turn", 0.5))) == pytest.approx(max(map(abs, rendered("turn"))) / 2)


def test_undo_slides_down() -> None:
    samples = rendered("undo")
    crossings = [at for at in range(1, len(samples)) if samples[at - 1] < 0 <= samples[at]]
    first, last = crossings[2] - crossings[1], crossings[-1] - crossings[-2]
    assert last > 1.5 * first


# Files


def test_a_sound_is_written_once_as_a_wav_file(tmp_path: Path) -> None:
    bank = SoundBank(tmp_path / "deep" / "sounds")
    file = bank.file("coin", 0.5)
    with wave.open(str(file)) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, RATE_HZ)
        assert sound.readframes(sound.getnframes()) == pcm(rendered("coin", 0.5))
    written = file.stat().st_mtime_ns
    assert bank.file("coin", 0.5) == file
    assert file.stat().st_mtime_ns == written
    assert bank.file("coin", 1.0) != file
    assert [path.suffix for path in bank.folder.iterdir()] == [".wav", ".wav"]


# Programs run in a thread


def test_what_outranks_cuts_short_and_what_does_not_is_left_out(runner: Runner, stage: Stage) -> None:
    runner.put(_job("touch"))
    touch = stage.next()
    runner.put(_job("call", 2))
    call = stage.next()
    assert touch.wait() == _CUT_SHORT
    runner.put(_job("late touch"))
    call.end()
    assert runner.settle(_PATIENCE_S)
    assert stage.empty
    assert runner.trouble == ""


def test_of_those_waiting_the_newest_wins(runner: Runner, stage: Stage) -> None:
    runner.put(_job("first"))
    first = stage.next()
    for name in ("second", "third", "fourth"):
        runner.put(_job(name))
    first.end()
    last = stage.next()
    assert last.command == ("fourth",)
    last.end()
    assert runner.settle(_PATIENCE_S)
    assert stage.empty


def test_a_failure_is_said_rests_and_heals(runner: Runner, stage: Stage, clock: ManualClock) -> None:
    runner.put(_job("aplay"))
    stage.next().end(1)
    assert runner.settle(_PATIENCE_S)
    assert runner.trouble == "aplay did not work (exit code 1)."
    runner.put(_job("aplay"))
    assert runner.settle(_PATIENCE_S)
    assert stage.empty
    clock.advance(21)
    runner.put(_job("aplay"))
    stage.next().end(0)
    assert runner.settle(_PATIENCE_S)
    assert runner.trouble == ""


def test_a_program_that_is_not_there_is_said(clock: ManualClock) -> None:
    runner = Runner(start_quietly, clock.monotonic_ns)
    runner.put(_job("no-such-program-anywhere"))
    assert runner.settle(_PATIENCE_S)
    assert runner.trouble == "no-such-program-anywhere cannot be used: no such file or directory."
    runner.close()


def test_a_program_that_hangs_is_ended(runner: Runner, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = iter([subprocess.TimeoutExpired("aplay", 20)])
    real = FakeProcess.wait

    def wait(process: FakeProcess, timeout: float | None = None) -> int:
        for error in waits:
            raise error
        return real(process, timeout)

    monkeypatch.setattr(FakeProcess, "wait", wait)
    runner.put(_job("aplay"))
    process = stage.next()
    assert runner.settle(_PATIENCE_S)
    assert process.killed


def test_closing_ends_what_is_under_way_and_nothing_is_run_any_more(runner: Runner, stage: Stage) -> None:
    runner.put(_job("fanfare"))
    process = stage.next()
    runner.close()
    assert process.wait() == _CUT_SHORT
    runner.put(_job("more"))
    assert stage.empty


# Players


def test_a_sound_is_played_from_its_file_at_the_volume_set(player: AplayPlayer, stage: Stage) -> None:
    player.volume = 0.3
    player.play("coin")
    process = stage.next()
    assert process.command[:2] == ("aplay", "-q")
    assert Path(process.command[2]).name.startswith("coin-3-")
    assert Path(process.command[2]).is_file()
    process.end()


def test_sound_that_is_off_or_down_starts_nothing(player: AplayPlayer, stage: Stage) -> None:
    player.on = False
    player.play("call")
    player.on, player.volume = True, 0.0
    player.play("call")
    assert player.runner.settle(_PATIENCE_S)
    assert stage.empty


def test_a_full_disk_is_a_sentence_and_no_error(tmp_path: Path, stage: Stage) -> None:
    (tmp_path / "sounds").write_text("a file where the folder should be", encoding="utf-8")
    player = AplayPlayer(("aplay",), SoundBank(tmp_path / "sounds"), stage)
    player.play("turn")
    assert player.runner.settle(_PATIENCE_S)
    assert "cannot be used" in player.trouble
    assert stage.empty
    player.close()


def test_the_first_program_found_plays(tmp_path: Path) -> None:
    found = find_player(tmp_path, lambda name: f"/usr/bin/{name}" if name != "pw-play" else None)
    assert isinstance(found, AplayPlayer)
    assert found._program == ("/usr/bin/paplay",)


def test_without_a_program_it_is_silent_and_says_what_to_do(tmp_path: Path) -> None:
    found = find_player(tmp_path, lambda name: None)
    assert isinstance(found, SilentPlayer)
    assert "apt-get install" in found.trouble
    found.play("call")
    found.close()
    assert list(tmp_path.iterdir()) == []


def test_the_twin_hears_what_a_table_would(tmp_path: Path) -> None:
    player = RecordingPlayer()
    player.play("touch")
    player.volume = 0
    player.play("touch")
    assert player.heard == [("touch", 0.7)]


# Speech


def test_a_sentence_is_spoken_in_its_language(stage: Stage) -> None:
    voice = EspeakVoice(start=stage)
    voice.say("-Nord\nist am Zug.", "de_AT")
    process = stage.next()
    assert process.command == ("espeak-ng", "-v", "de", "-s", "150", "--", "-Nord ist am Zug.")
    process.end()
    voice.close()


def test_a_newer_sentence_takes_the_place_of_the_one_that_waits(stage: Stage) -> None:
    voice = EspeakVoice(start=stage)
    voice.say("North.")
    first = stage.next()
    voice.say("East.")
    voice.say("South.")
    first.end()
    assert stage.next().command[-1] == "South."
    voice.close()


def test_nothing_is_said_when_off_or_without_words(stage: Stage) -> None:
    voice = EspeakVoice(start=stage)
    voice.say(" \n\x00")
    voice.on = False
    voice.say("North.")
    assert voice.runner.settle(_PATIENCE_S)
    assert stage.empty
    twin = RecordingVoice()
    twin.say("")
    twin.on = False
    twin.say("North.")
    assert twin.said == []


def test_a_voice_is_found_or_not() -> None:
    assert isinstance(find_voice(lambda name: f"/usr/bin/{name}"), EspeakVoice)
    silent = find_voice(lambda name: None)
    assert isinstance(silent, SilentVoice)
    assert "espeak-ng" in silent.trouble
    silent.say("North.")
    silent.close()
