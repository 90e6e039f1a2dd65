"""A whole game at the text table, typed line by line."""

from __future__ import annotations

import io
import re
from pathlib import Path

import msgspec

from companion.rules.base import Setup
from companion.session.dealing import RandomDealer
from companion.session.shelf import Shelf
from companion.text.paper import PlainPaper
from companion.text.play import TextTable
from companion.text.scene import Scene
from tests.text.running import Command, Said, lines

_GOLDEN = Path(__file__).with_name("hilltop.txt")
_DIG = ("1", "gran")
_BUILD = (
    "1", "2",  # North lays 2
    "u", "r",
    "1", "",  # North lays 1, the last one
    "why 6", "6", "!6", "", "a gift from the hill",
    "fix stones/1 5", "a miscount",
    "5", "1 green",  # East paints two flags
    "3", "9", "2",  # 9 is more than East has
    "1", "2",  # both rest
)  # fmt: skip
_FLAGS = ("1", "1", "blue", "Onward", "1", "1", "2", "")
_WHOLE = (*_DIG, *_BUILD, *_FLAGS, "")
_NEW = ("play", "hilltop", "--text", "--seats", "North,East", "--set", "turns=1")


def _scrubbed(text: str) -> str:
    named = text.replace("To go on: ./run play", "To go on: companion play")
    return re.sub(r"\d{4}-\d\d-\d\d-hilltop-\w{4}", "ID", named)


def _history(companion: Command) -> list[dict[str, object]]:
    return msgspec.json.decode(companion("history", "--json").out, type=list[dict[str, object]])


def test_a_whole_game_reads_as_recorded(companion: Command) -> None:
    said = companion(*_NEW, stdin=lines(*_WHOLE))
    assert (said.code, said.err) == (0, "")
    assert _scrubbed(said.out) == _GOLDEN.read_text(encoding="utf-8")


def test_the_game_of_the_record_is_saved_whole(companion: Command) -> None:
    companion(*_NEW, stdin=lines(*_WHOLE))
    kinds = [line["kind"] for line in _history(companion)]
    assert kinds.count("correction") == 2
    assert kinds.count("undo") == kinds.count("redo") == 1
    saved = msgspec.json.decode(companion("sessions", "--json").out)
    assert [game["over"] for game in saved] == [True]


def test_leaving_and_coming_back_at_any_line(companion: Command, companion_home: Path) -> None:
    """The input may end anywhere: what was typed so far is kept, and the rest can be typed another time."""
    for cut in (0, 2, 4, 5, 8, 13, len(_WHOLE) - 2):
        first = companion(*_NEW, stdin=lines(*_WHOLE[:cut]))
        assert first.code == 0
        hint = re.search(r"play --resume (\S+)", first.out)
        assert hint, first.out
        shelf = Shelf(companion_home / "games")
        with shelf.open(hint[1]) as session:
            before = session.seq
            assert session.state is not None
            heights = session.state.heights  # type: ignore[attr-defined]
        again = companion("play", "--resume", hint[1], stdin="")
        assert f"North: stones {_stones(shelf, hint[1])}/99, height {heights[0]}" in again.out
        with shelf.open(hint[1]) as session:
            assert session.seq == before


def _stones(shelf: Shelf, saved: str) -> int:
    with shelf.open(saved, read_only=True) as session:
        found: int = session.state.stones[0]  # type: ignore[union-attr]
        return found


def test_a_game_goes_on_where_it_was_left(companion: Command) -> None:
    companion(*_NEW, stdin=lines(*_DIG, *_BUILD[:4]))
    rest = companion("play", "--resume", stdin=lines(*_BUILD[4:], *_FLAGS, ""))
    assert "East wins with 8 points." in rest.out
    assert "This game is kept as" in rest.out


def test_resume_alone_means_the_last_open_game(companion: Command) -> None:
    companion(*_NEW, stdin=lines(*_DIG))
    assert "North: stones 3" in companion("play", "--resume").out
    assert "North: stones 3" in companion("play", "hilltop", "--resume", "--seed", "1").out
    assert "North: stones 3" in companion("play", "--resume", "hilltop").out


def test_undo_after_the_end_leads_back_into_the_game(companion: Command) -> None:
    said = companion(*_NEW, stdin=lines(*_WHOLE[:-1], "u"))
    assert "- Undo: East flies a flag." in said.out
    assert "play --resume" in said.out


def test_a_rematch_has_the_same_seats(companion: Command) -> None:
    said = companion(*_NEW, stdin=lines(*_WHOLE[:-1], "r"))
    assert said.out.count("== Turn 1 of 1 == [Quarry]") == 2
    games = msgspec.json.decode(companion("sessions", "--json").out)
    assert [game["seats"] for game in games] == [["North", "East"]] * 2


def test_the_companion_draws_when_asked(companion: Command) -> None:
    for typed in (("d",), ("d 1",), ("1", "d"), ("a", "1")):
        said = companion(*_NEW, "--seed", "5", stdin=lines(*typed))
        assert "The companion draws: Dig at" in said.out, typed


def test_auto_draw_asks_people_what_people_decide(companion: Command) -> None:
    said = companion(*_NEW, "--auto-draw", "--seed", "5", stdin=lines("1", "1", "1"))
    assert "The companion draws: Dig at" in said.out
    assert "How many stones?" in said.out


def test_the_same_seed_brings_the_same_luck(companion: Command) -> None:
    drawn = {re.findall(r"Dig at \w+", companion(*_NEW, "--seed", "8", stdin=lines("d")).out)[0] for _ in range(5)}
    assert len(drawn) == 1


def test_what_a_table_told_is_known_next_time(companion: Command) -> None:
    companion(*_NEW, stdin=lines("1", "name='Chalk Pit' stones=1"))
    said = companion(*_NEW, stdin=lines("1", "chalk"))
    assert "Chalk Pit gives everyone 1 stones." in said.out


def test_a_new_thing_of_the_box_field_by_field(companion: Command) -> None:
    said = companion(*_NEW, stdin=lines("1", "new", "Clay", "4"))
    assert "Clay gives everyone 4 stones." in said.out


def _refusals(companion: Command, *typed: str) -> Said:
    return companion(*_NEW, stdin=lines(*_DIG, *typed))


def test_what_was_just_refused_can_be_done_anyway(companion: Command) -> None:
    said = _refusals(companion, "3", "red red", "!", "it looks nice")
    assert "No: Two flags of one colour are one. (flag.same; Our ruling: Flags, p. 3)" in said.out
    assert "- Corrected by the table: it looks nice.\n- Overruled: Two flags of one colour are one." in said.out
    assert "[North's hill] top: flag (red), flag (red)" in said.out
    assert [line["kind"] for line in _history(companion)] == ["setup", "action", "correction"]


def test_anyway_can_still_be_thought_better_of(companion: Command) -> None:
    said = _refusals(companion, "!3", "b", "!", "!99")
    assert "Nothing was refused just now" in said.out
    assert [line["kind"] for line in _history(companion)] == ["setup", "action"]


def test_nonsense_is_answered_and_changes_nothing(companion: Command) -> None:
    fixes = ("fix nothing 3", "", "fix nothing", "fix stones/0 minus", "")
    said = _refusals(companion, "zzz", "99", "9" * 5000, "--1", "0", "!", "why 99", "? 99", "d 2", "r", *fixes)
    assert said.code == 0
    assert said.out.count("== Turn 1") == 2
    for answer in (
        "'zzz' is nothing to do here",
        "'99' is none of them",
        "Nothing was refused just now",
        "d N draws for choice N",
        "The correction is not right: Object contains unknown field `nothing`.",
        "There is nothing at 'nothing' to set right.",
        "There is nothing to redo.",
    ):
        assert answer in said.out, answer
    assert [line["kind"] for line in _history(companion)] == ["setup", "action"]


def test_a_correction_cannot_lock_the_table_up(companion: Command) -> None:
    said = _refusals(companion, "fix heights []", "oops", "1", "2")
    assert "Parts of this state contradict each other" in said.out
    assert "- North lays 2." in said.out
    assert [line["kind"] for line in _history(companion)] == ["setup", "action", "action"]


def test_words_people_type(companion: Command) -> None:
    fixes = ("fix", "fix stones")
    said = _refusals(companion, "help", "h", "s", "?", "? 1", *fixes, "all", "a", "a", "why 1", "t", "p", "p")
    for answer in (
        "let the companion",
        "Dig at Granite  (table)",
        "Total",
        "Only stones in hand can be laid. (Building, p. 2; build.stones)",
        "> fix stones\n  stones/0 3\n  stones/1 3\n> all",
        "  heights/0 0",
        "The clocks stand still.",
        "The clocks run.",
        "North 0:00, East 0:00, the table 0:00",
        "Auto-draw is on",
        "Auto-draw is off.",
        "That can be done.",
    ):
        assert answer in said.out, answer


def test_a_secret_is_opened_by_its_seat_alone(companion: Command) -> None:
    said = _refusals(companion, "2", "2", "1", "b", "2", "1", "red", "")
    before, _, after = said.out.partition("Pass the screen to North.")
    assert "Fly a flag" not in before
    assert "Pass the screen to East." in after
    assert "East must act: Choose a flag.\n    1 Fly a flag ..." in after


def test_one_seat_can_be_looked_at_alone(companion: Command) -> None:
    said = _refusals(companion, "for nobody", "for east", "4", "1", "for")
    assert "Nobody here is called 'nobody'." in said.out
    alone = said.out.split("----")[3]
    assert "East: Lay stones or rest.\n  Hill\n    4 Lay stones" in alone
    assert "North: Lay stones" not in alone
    assert "- East lays 1." in said.out


def test_set_up_is_asked_for(companion: Command) -> None:
    typed = ("9", "3", "", "North", "", "", "Nobody", "east", "maybe", "no", "7", "3", "no", "no")
    said = companion("play", "hilltop", stdin=lines(*typed))
    assert "Hilltop is for 1 to 4 players." in said.out
    assert "Each seat needs a name of its own." in said.out
    assert "That is none of the seats." in said.out
    assert "Option 'turns' takes one of 1, 2, 3, not '7'." in said.out
    assert "== Turn 1 of 3 ==" in said.out
    assert "  South: stones 0/99, height 0" in said.out


def test_leaving_during_set_up_is_quiet(companion: Command) -> None:
    said = companion("play", "hilltop", stdin=lines("2"))
    assert (said.code, said.err) == (0, "")
    assert companion("sessions", "--json").out.strip() == "[]"


def test_the_companion_lays_out_all_that_is_not_entered(companion: Command) -> None:
    said = companion("play", "castle-dukes", "--seats", "North,East", "--seed", "3", stdin=lines("1", "d", "u"))
    assert [f"lies in slot {slot}." in said.out for slot in range(1, 6)] == [True] * 5
    assert "Undo:" in said.out
    assert [line["kind"] for line in _history(companion)].count("action") == 6


def test_long_words_and_capitals_do_the_same(companion: Command) -> None:
    said = _refusals(companion, "History", "SCORE", "Undo", "redo", "back", "HELP")
    assert "nothing to do here" not in said.out
    assert "- Undo: Dig at Granite." in said.out


def test_the_hint_for_going_on_keeps_auto_draw(companion: Command) -> None:
    said = companion(*_NEW, "--auto-draw", stdin=lines("q"))
    assert re.search(r"play --resume \S+ --auto-draw\n", said.out)


def test_without_the_box_the_companion_draws(companion: Command) -> None:
    for answer, drawn in (("no", True), ("", False)):
        said = companion("play", "hilltop", stdin=lines("2", "", "", "", "", answer, "1"))
        assert ("The companion draws: Dig at" in said.out) is drawn, answer


def test_a_secret_of_several_moves_is_opened_once(companion: Command) -> None:
    seats = ("--seats", "North,East")
    said = companion("play", "castle-for-all-seasons", "--text", *seats, stdin=lines("1", "1", "1"))
    assert said.out.count("Pass the screen to") == 1
    assert [line["kind"] for line in _history(companion)].count("action") == 2


def test_a_game_that_was_drawn_for_says_that_drawing_is_off(companion: Command) -> None:
    companion(*_NEW, "--auto-draw", "--seed", "5", stdin=lines("1"))
    assert "a auto-draw is off" in companion("play", "--resume").out
    assert "a auto-draw is on" in companion("play", "--resume", "--auto-draw").out


class _Turned(PlainPaper):
    """Remembers which pages of the table were shown."""

    def __init__(self, *typed: str) -> None:
        super().__init__(io.StringIO(), io.StringIO(lines(*typed)))
        self.pages: list[int] = []

    def scene(self, scene: Scene, page: int = 0) -> None:
        self.pages.append(page)


def test_m_turns_the_page_and_a_move_turns_back_to_the_first(tmp_path: Path) -> None:
    with Shelf(tmp_path).new("castle-builder", Setup(seats=("North", "East"))) as session:
        paper = _Turned("m", "more", "help", "", "m", "1", "q")
        TextTable(session, paper, RandomDealer(2), auto_draw=True).play()
    assert paper.pages == [0, 1, 2, 0, 1, 0]
