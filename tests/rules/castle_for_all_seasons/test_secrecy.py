"""A hidden choice stays hidden: whatever is chosen, everybody else sees the very same."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.rules.base import Correction, Setup
from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.actions import GiveCard, LayCard, Reveal
from companion.rules.castle_for_all_seasons.state import Card, State
from companion.session import exchange
from companion.session.shelf import Shelf
from tests.rules.castle_for_all_seasons.table import EAST, NORTH, SOUTH, Table, table, winter

CHOICES: tuple[Card, ...] = ("messenger", "trader", "bricklayer", "stonemason", "wood-worker", "stone-worker")

HIDDEN: tuple[Card, ...] = ("stonemason", "sand-worker", "bricklayer")


def seen_by(seat: int, state: State) -> dict[str, Any]:
    """Everything a seat may see: its own prompts and panels, all that is not secret, the public state."""
    picture = GAME.picture(state)
    prompts = [prompt for prompt in GAME.prompts(state) if not prompt.secret or prompt.seat == seat]
    panels = [panel for panel in picture.panels if not panel.secret or panel.seat == seat]
    secret = [(prompt.seat, prompt.text) for prompt in GAME.prompts(state)]
    return {
        "prompts": msgspec.to_builtins(prompts),
        "waiting": secret,
        "panels": msgspec.to_builtins(panels),
        "counters": msgspec.to_builtins(picture.counters),
        "headline": picture.headline,
        "state": msgspec.to_builtins(GAME.public_state(state)),
        "score": msgspec.to_builtins(GAME.score(state)),
    }


def told(state: State, card: Card) -> dict[str, Any]:
    """Everything that is said about the act of laying a card."""
    action = LayCard(seat=NORTH, card=card)
    return {
        "label": GAME.label(state, action),
        "facts": msgspec.to_builtins(GAME.apply(state, action).facts),
        "action": msgspec.to_builtins(GAME.public_action(state, action)),
        "learned": GAME.learns(state, action),
        "done anyway": msgspec.to_builtins(
            GAME.public_action(state, Correction(move=msgspec.to_builtins(action), set={"builders/0/laid": [card]}))
        ),
        "correction": GAME.label(state, Correction(move=msgspec.to_builtins(action))),
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_else_can_tell_the_choices_apart(players: int) -> None:
    before = table(players).state
    assert all(told(before, card) == told(before, CHOICES[0]) for card in CHOICES)
    after = {card: GAME.apply(before, LayCard(seat=NORTH, card=card)).state for card in CHOICES}
    for seat in range(1, players):
        assert all(seen_by(seat, after[card]) == seen_by(seat, after[CHOICES[0]]) for card in CHOICES)


def test_a_correction_of_a_whole_builder_hides_what_is_laid() -> None:
    state = table().state
    builder = {**msgspec.to_builtins(state.builders[0]), "laid": ["trader"]}
    for correction in (Correction(set={"builders/0": builder}), Correction(set={"builders": [builder]})):
        public = GAME.public_action(state, correction)
        assert "trader" not in str(public)
        assert "face-down" in str(public)
    assert "trader" not in str(GAME.apply(state, Correction(set={"builders/0": builder})).facts)


def test_the_words_do_not_name_the_card() -> None:
    before = table().state
    for card in CHOICES:
        words = str(told(before, card)).replace("lay-card", "")
        assert card not in words
        assert card.replace("-", " ") not in words


def test_the_owner_sees_the_own_card() -> None:
    after = table().do(LayCard(seat=NORTH, card="trader")).state
    secret = [panel for panel in GAME.picture(after).panels if panel.secret]
    assert [(panel.seat, [piece.kind for piece in panel.rows[0].pieces]) for panel in secret] == [(NORTH, ["trader"])]


def test_all_is_open_after_the_reveal() -> None:
    here = table().lay("messenger", "messenger", "trader")
    assert all("face-down" in builder.laid for builder in GAME.public_state(here.state).builders)
    here.do(Reveal())
    assert GAME.public_state(here.state) == here.state
    assert any("North reveals the messenger" in fact.text for fact in here.facts)


def test_winter_cards_do_not_tell_what_is_laid() -> None:
    """Before the reveal a snowdrift must not betray who has laid a worker."""

    def drifted(card: Card) -> State:
        here = winter()
        for seat in range(3):
            here.strip(seat)
        return here.lay(card, "messenger", "messenger").draw("snowdrift").state

    shown = [seen_by(EAST, drifted(card)) for card in CHOICES]
    assert all(view == shown[0] for view in shown)
    assert all(prompt.secret for prompt in GAME.prompts(drifted("messenger")))


def test_a_laid_worker_cannot_be_given_up() -> None:
    """ruling.snowdrift-laid"""
    here = winter().lay("sand-worker", "messenger", "messenger").draw("snowdrift")
    here.refuses(GiveCard(seat=NORTH, card="sand-worker"), "winter.give", final=True)
    here.do(GiveCard(seat=NORTH, card="wood-worker"))


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_taken_up_from_its_public_state_asks_again(players: int) -> None:
    cards: tuple[Any, ...] = (("messenger", "trader"),) * 2 if players == 2 else ("messenger", "trader", "trader")
    hidden = Table(GAME.public_state(table(players).lay(*cards).state))
    hidden.refuses(Reveal(), "cards.reveal", final=True)
    assert {prompt.seat for prompt in GAME.prompts(hidden.state) if prompt.secret} == {*range(players)}
    hidden.lay(*cards).do(Reveal())
    assert hidden.state.phase == "cards"


def test_open_entry_hides_nothing() -> None:
    here = table(cards="table").do(LayCard(seat=SOUTH, card="trader"))
    assert GAME.public_state(here.state) == here.state
    action = LayCard(seat=NORTH, card="trader")
    assert GAME.public_action(here.state, action) == action
    assert GAME.label(here.state, action) == "North: plays the trader"


def test_history_and_exports_tell_nothing_before_the_reveal(tmp_path: Path) -> None:
    """What a session keeps in its history or gives away names no card until the cards are revealed."""
    shelf = Shelf(tmp_path, game_of=lambda _: GAME)
    with shelf.new(GAME.info.id, Setup(seats=("North", "East", "South"))) as session:
        for seat, card in enumerate(HIDDEN):
            session.dispatch(LayCard(seat=seat, card=card))
        out = io.BytesIO()
        exchange.export_json(session, out)
        telling = [out.getvalue().decode(), exchange.history_csv(session), str(session.undo_label)]
        telling += [f"{line.label} {line.facts}" for line in session.history()]
        assert not [card for card in HIDDEN for text in telling if card in text or card.replace("-", " ") in text]
        session.dispatch(Reveal())
        assert "the stonemason" in str(session.history()[-1].facts)


def test_an_export_before_the_reveal_can_be_played_on(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, game_of=lambda _: GAME)
    with shelf.new(GAME.info.id, Setup(seats=("North", "East", "South"))) as session:
        session.dispatch(LayCard(seat=NORTH, card="trader"))
        with (tmp_path / "out.json").open("wb") as out:
            exchange.export_json(session, out)
    with shelf.open(exchange.import_json(shelf, tmp_path / "out.json")) as again:
        assert again.state is not None
        assert [prompt.seat for prompt in GAME.prompts(again.state)] == [NORTH, EAST, SOUTH]  # type: ignore[arg-type]
        for seat, card in enumerate(HIDDEN):
            again.dispatch(LayCard(seat=seat, card=card))
        again.dispatch(Reveal())
