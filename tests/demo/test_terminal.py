"""The demo at the terminal: the whole evening on a paper table, whatever its senses make of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.demo import game, terminal
from companion.demo.report import PAGE
from companion.demo.script import EVENING
from companion.errors import DeviceLost
from companion.session.shelf import Shelf
from tests.demo.table import HandedTable, Time

Play = Callable[..., "Evening"]


class Evening:
    """A demo that was played: what it said, and what it left behind."""

    def __init__(self, folder: Path, **how: object) -> None:
        self.folder = folder
        self.time = Time()
        self.said: list[str] = []
        self.table = HandedTable(self.time, **how)  # type: ignore[arg-type]
        self.reached = terminal.run(
            folder, self.said.append, lambda _seats, _simulated: self.table, now_us=self.time, rest=self.time.pass_by
        )

    @property
    def text(self) -> str:
        return "\n".join(self.said)

    @property
    def page(self) -> str:
        return (self.folder / PAGE).read_text(encoding="utf-8")

    def times_said(self, words: str) -> int:
        return sum(words in line for line in self.said)


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return lambda **how: Evening(tmp_path / "demo", **how)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """An evening in which everything is sensed. It is only looked at."""
    return Evening(tmp_path_factory.mktemp("good"))


@pytest.fixture(scope="module")
def misread(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """An evening in which every piece is taken for another. It is only looked at."""
    return Evening(tmp_path_factory.mktemp("misread"), reads_as="brazier")


def test_an_evening_with_good_senses_needs_no_hand(good: Evening) -> None:
    assert good.reached
    assert good.times_said("booked by hand") == 0
    assert "The senses found 13 of 13 acts by themselves, and called the accident after" in good.text
    assert "answered: Crumble token" in good.text
    assert "in vain" not in good.text
    assert "South wins with 17 points." in good.said


def test_an_evening_without_senses_comes_to_the_same_tally_and_says_so(play: Play) -> None:
    evening = play(blind=True)
    assert evening.reached
    assert evening.times_said("the senses: missed, booked by hand") == 13
    assert "The senses found 0 of 13 acts by themselves." in evening.said
    assert "South wins with 17 points." in evening.said


def test_what_is_misread_is_refused_and_booked_by_hand(misread: Evening) -> None:
    assert misread.reached
    assert misread.times_said("the senses: misread") >= 5
    assert "South wins with 17 points." in misread.said


def test_a_table_that_is_too_slow_is_left_in_time(play: Play) -> None:
    evening = play(slow_s=60.0)
    assert evening.reached
    assert evening.times_said("the senses: not done, booked by hand") > 0
    assert "The machine was too slow for the time that the demo has" in evening.text
    assert "The hand could not do this" not in evening.text
    done = [words for words in evening.table.said if words.startswith("remove")]
    assert not done, "what was never put up is not taken away"
    assert evening.time.now_us - Time().now_us < 240 * 1_000_000


def test_a_table_that_does_not_start_is_said_in_a_sentence(play: Play) -> None:
    with pytest.raises(DeviceLost, match="did not start in time"):
        play(ready=False)


def test_it_says_plainly_that_the_table_is_simulated(good: Evening) -> None:
    assert good.said[0].startswith("This is the simulated table, played without a screen.")


def test_the_saved_game_holds_the_whole_evening(good: Evening) -> None:
    (saved,) = Shelf(good.folder / "games").list()
    assert saved.over
    with Shelf(good.folder / "games").open(saved.id, read_only=True) as session:
        origins = [line.origin for line in session.history()]
        assert sum(origin.startswith("sensor") for origin in origins) == 13
        assert not game.state_of(session).corrected


# The report


def test_the_report_is_one_well_formed_page_without_links(good: Evening) -> None:
    page = good.page
    body = page.removeprefix("<!DOCTYPE html>\n")
    root = ElementTree.fromstring(body)
    assert root.tag == "html"
    assert not [element for element in root.iter() if element.tag in ("a", "script", "link")]
    assert all(image.attrib["src"].startswith("data:image/") for image in root.iter("img"))
    assert "http" not in "".join(value for element in root.iter() for value in element.attrib.values())


def test_the_report_tells_the_story_the_senses_and_the_score(good: Evening) -> None:
    root = ElementTree.fromstring(good.page.removeprefix("<!DOCTYPE html>\n"))
    titles = ["".join(head.itertext()) for head in root.iter("h2")]
    chapters = [chapter.title for chapter in EVENING]
    assert titles == [*chapters, "What the senses made of it"]
    score, senses = root.iter("table")
    assert len(list(senses.iter("tr"))) == 1 + 13
    assert ["".join(cell.itertext()) for cell in list(score.iter("tr"))[-1]][:3] == ["Total", "17", "16"]


def test_every_picture_is_on_the_page_and_in_the_folder(good: Evening) -> None:
    names = {"empty.jpg", "built.jpg", "fallen.jpg", "burnt.jpg", "replay.jpg", "force.png"}
    assert {file.name for file in good.folder.iterdir() if file.is_file()} == {*names, PAGE}
    assert good.page.count("<img ") == len(names)


def test_the_report_lists_what_went_amiss(misread: Evening) -> None:
    page = misread.page
    assert "What else went amiss" in page
    assert "Asked in vain, and answered so: 1 brazier" in page
    assert '<span class="misread">' in page
