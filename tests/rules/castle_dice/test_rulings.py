"""Every ruling has a test that would fail without it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.errors import Malformed
from companion.rules.castle_dice.game import GAME
from companion.rules.castle_dice.rulings import RULINGS
from tests.rules.castle_dice import test_building as building
from tests.rules.castle_dice import test_gathering as gathering
from tests.rules.castle_dice import test_scoring as scoring
from tests.rules.castle_dice import test_solo as solo
from tests.rules.castle_dice import test_turn as turn


def test_a_pork_chop_cannot_make_a_barbarian() -> None:
    raw = {"do": "pork-chop", "seat": 0, "die": "wood 1", "face": "wood barbarian"}
    with pytest.raises(Malformed, match="pork-chop"):
        GAME.decode_action(raw)


_TESTED: dict[str, Callable[..., None]] = {
    "cap-9": gathering.test_nobody_has_more_than_nine,
    "merchant-3-gold": building.test_villagers_stand_on_the_mat_and_their_card_is_discarded,
    "turn-6-dice": turn.test_turn_six_is_asked_for_once_and_learned,
    "guardhouse": building.test_the_guardhouse_may_be_called_great_hall,
    "solo-most-villagers": scoring.test_most_villagers_against_joan_needs_one,
    "solo-below-zero": scoring.test_the_solo_chart,
    "joan-priority-choice": solo.test_joan_picks_marks_her_priority_and_gathers,
    "joan-market-sets": solo.test_joan_trades_every_set_on_holidays_and_only_then,
    "merchant-not-past-9": turn.test_a_merchant_trades_once_up_one_level_and_not_past_nine,
    "wall-animal-not-at-end": scoring.test_a_game_is_counted_as_it_stands,
    "ties-award-nobody": scoring.test_tied_for_the_most_nobody_gets_the_point,
    "raid-every-resource": building.test_a_table_may_let_barbarians_take_their_own_colour,
    "first-roll-tied": turn.test_those_tied_roll_again,
    "hand-too-big": turn.test_a_hand_too_big_is_discarded_down,
    "hands-counted": turn.test_hands_can_be_told_in_secret,
    "worker-changed": turn.test_the_most_cows_may_change_a_villager_before_the_roll,
    "pork-chop-face": test_a_pork_chop_cannot_make_a_barbarian,
    "three-farmers": gathering.test_farmers_help,
    "all-skip": gathering.test_when_everyone_skips_the_rest_goes_back,
    "nobody-has-one": gathering.test_an_animal_nobody_else_has_is_not_gained,
    "market-empty": turn.test_sets_go_only_as_far_as_there_are_market_cards,
    "village-47": building.test_five_village_cards_more_than_known_may_turn_up,
    "villager-tokens": building.test_without_tokens_no_villager_is_built,
    "one-grandfather": gathering.test_a_grandfather_gathers_twice_and_rolls_both_back,
    "alchemist-missing-die": building.test_an_alchemist_rolls_one_of_each_die_there_is,
    "joan-none-left": solo.test_a_die_that_is_gone_is_replaced_by_the_rarest,
    "joan-only-animals": solo.test_every_barn,
    "joan-rarest-die": solo.test_every_barn,
    "joan-rolls-first": solo.test_joan_rolls_for_the_first_turn_and_has_no_hand,
    "solo-messenger": solo.test_chance_picks_the_villager_of_a_messenger,
    "bards-kept": building.test_hidden_market_cards_are_asked_for_bards,
}


def test_every_ruling_has_a_test() -> None:
    assert {f"ruling.{name}" for name in _TESTED} == {rule.id for rule in RULINGS}
