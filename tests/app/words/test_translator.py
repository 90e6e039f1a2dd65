"""What the rules say in English, said in German."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

import pytest

from companion.app.words import catalogue, speaking
from companion.app.words.catalogue import Catalogue
from companion.app.words.speaking import printed
from companion.app.words.templates import GAMES
from companion.app.words.translator import Translator
from companion.rules.base import Game
from companion.session.dealing import RandomDealer
from tests.app.words.texts import of_actions, of_box, of_game
from tests.goldens import SEATS, parse, path_of, setup_of

_CODE = re.compile(r"(?:\S+@\S+ ?)+|\S+-\S+|(?:[wsgli][\dbchp]+[ ;]*)+")
"""What is written for the companion to read, not for people: rolled dice, castles on a map, names with hyphens."""
_BOXES: dict[str, Game[Any]] = {
    game: import_module(f"companion.rules.{game.replace('-', '_')}").GAME
    for game in GAMES
    if game in catalogue.COMPLETE
}
_MODES = [(game, mode) for game, box in _BOXES.items() for mode in box.info.modes]
_RECORDED = [(game, mode.key) for game, mode in _MODES if path_of(game, mode.key).exists()]
_PLAYED = [(game, mode.key) for game, box in _BOXES.items() for mode in (box.info.modes[0], box.info.modes[-1])]


@pytest.fixture
def german() -> Translator:
    translator = Translator("de")
    translator.leave(SEATS)
    return translator


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speaking.use("en")
    speaking.leave(())


# Sentences


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("The dragon attacks!", "Der Drache greift an!"),
        ("North pays 1 coin.", "North zahlt 1 Münze."),
        ("North pays 2 coins.", "North zahlt 2 Münzen."),
        ("North gains 2 ballistae.", "North erhält 2 Ballisten."),
        ("North gains 1 serf.", "North erhält 1 Leibeigenen."),
        ("North: takes Kitchen for 2 coins", "North: nimmt Kitchen für 2 Münzen"),
        ("East: stands 2 pillars on level 3 of the left tower", "East: stellt 2 Säulen auf Ebene 3 im Turm links"),
        ("South: loses a serf on level 1 of the right tower", "South: verliert Leibeigenen auf Ebene 1 im Turm rechts"),
        ("East and West are tied in comfort: the king leaves.",
         "East und West liegen bei Komfort gleichauf: König zieht weiter."),
        ("Kitchen: comfort 1; king, 2 serfs; lower", "Kitchen: Komfort 1; König, 2 Leibeigene; unten"),
        ("The guest goes to North and East", "Gast geht an North und East"),
        ("Overruled: North has 0 coins and needs 2.", "Überstimmt: North hat 0 Münzen und braucht 2."),
        ("3 tied for 1st: (6 + 3) / 3, rounded down", "3 gleichauf als 1.: (6 + 3) / 3, abgerundet"),
        ("left 3", "links 3"),
        ("2 of 3 cobblestones held", "2 von 3 Pflastermarkierungen besetzt"),
    ],
)  # fmt: skip
def test_a_sentence_of_the_rules(german: Translator, english: str, said: str) -> None:
    assert german.say(english) == said
    assert not german.unknown


@pytest.mark.parametrize("name", SEATS)
def test_seat_names_stay(german: Translator, name: str) -> None:
    assert german.say(name) == name
    assert german.say(f"{name} pays 2 coins.") == f"{name} zahlt 2 Münzen."


@pytest.mark.parametrize("name", ["king", "Dragon", "left", "2 coins", "North and East", "Mx: takes a room"])
def test_a_name_that_is_a_word_stays(german: Translator, name: str) -> None:
    german.leave([name])
    assert german.say(f"{name} pays 2 coins.") == f"{name} zahlt 2 Münzen."
    assert german.say(name) == name


def test_a_name_with_a_colon_in_it_keeps_its_line_of_the_history(german: Translator) -> None:
    german.leave(["The Duke"])
    assert german.say("The Duke: draws a floor tile") == "The Duke: zieht eine Bodenplatte"


@pytest.mark.parametrize("text", ["Xyzzy plugh.", "", "7", "{0}", "{0} {1}", "\0", "é" * 500, "a, b: c (d) and e" * 20])
def test_what_nobody_has_said_before_is_shown_as_it_is(german: Translator, text: str) -> None:
    assert isinstance(german.say(text), str)


def test_what_matches_nothing_is_counted(german: Translator) -> None:
    assert german.say("Xyzzy plugh.") == "Xyzzy plugh."
    assert german.say("The dragon attacks!") == "Der Drache greift an!"
    assert list(german.unknown) == ["Xyzzy plugh."]


def test_what_is_left_in_a_known_sentence_is_told(german: Translator) -> None:
    german.say("North takes Old Kitchen.")
    assert list(german.left) == ["Old Kitchen"]


def test_english_is_said_as_it_is() -> None:
    assert Translator("en").say("North pays 2 coins.") == "North pays 2 coins."


def test_a_language_without_a_catalogue_is_english() -> None:
    assert Translator("xx").say("The dragon attacks!") == "The dragon attacks!"


def test_an_empty_catalogue_is_no_error() -> None:
    empty = Catalogue(language="de", gettext=catalogue.load("en").gettext, entries=())
    assert Translator(catalogue=empty).say("The dragon attacks!") == "The dragon attacks!"


# Whole games


@pytest.mark.parametrize(("game", "mode"), _RECORDED)
def test_every_text_told_in_a_golden_is_said(game: str, mode: str) -> None:
    box = _BOXES[game]
    setup, actions = parse(box, path_of(game, mode).read_text(encoding="utf-8"))
    assert _english(box, of_actions(box, setup, actions, prompted=False)) == []


@pytest.mark.parametrize(("game", "mode"), _PLAYED)
def test_every_text_shown_in_a_random_game_is_said(game: str, mode: str) -> None:
    box = _BOXES[game]
    setup = setup_of(next(one for one in box.info.modes if one.key == mode))
    assert _english(box, of_game(box, setup, RandomDealer(7))) == []


@pytest.mark.parametrize("game", _BOXES)
def test_every_rule_and_option_is_said(game: str) -> None:
    assert _english(_BOXES[game], of_box(_BOXES[game])) == []


def _english(box: Game[Any], texts: Iterable[str]) -> list[str]:
    """What is shown in English and is no name of a person or printed on a piece."""
    translator = Translator("de")
    translator.leave(SEATS, printed(box.box))
    for text in texts:
        translator.say(text)
    english = translator.unknown.keys() | translator.left.keys()
    return sorted(part for part in english if not _CODE.fullmatch(part))


# What was said before


def test_what_was_said_is_kept_until_other_names_are_left_alone(
    german: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought: list[str] = []
    anew = german._anew

    def thinking(text: str) -> str:
        thought.append(text)
        return anew(text)

    monkeypatch.setattr(german, "_anew", thinking)
    text = "The dragon attacks!"
    assert german.say(text) == german.say(text) == "Der Drache greift an!"
    assert thought == [text]
    german.leave(("North",))
    german.say(text)
    assert thought == [text, text]


# The language in use


def test_the_language_changes_while_the_app_runs() -> None:
    heard: list[str] = []
    end = speaking.subscribe(lambda: heard.append(speaking.current().language))
    speaking.use("de")
    assert speaking._("The dragon attacks!") == "Der Drache greift an!"
    assert speaking.ngettext("serf", "serfs", 2) == "Leibeigene"
    speaking.use("de")
    speaking.use("en")
    assert speaking._("The dragon attacks!") == "The dragon attacks!"
    assert speaking.ngettext("serf", "serfs", 2) == "serfs"
    end()
    end()
    speaking.use("de")
    assert heard == ["de", "en"]


def test_names_stay_through_a_change_of_language() -> None:
    speaking.leave(["king"])
    speaking.use("de")
    assert speaking._("king pays 2 coins.") == "king zahlt 2 Münzen."


def test_no_language_chosen_is_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    speaking.use("")
    assert speaking.current().language == "de"
