"""Falls that scales and eye tell, joined: one accident is one collapse."""

from __future__ import annotations

import numpy as np

from companion.sensing.collapse import Collapses
from companion.sensing.context import Context
from companion.sensing.falling import Fallen
from companion.sensing.incidents import Incidents
from companion.sensing.sights import Looked
from companion.sensing.streams import Sensed
from companion.sensing.told import Expected
from companion.sensing.views import Lens, View
from companion.sensing.watch import Watcher
from tests.sensing.painted import one_board

_S = 1_000_000


class _Eye:
    """An eye that saw motion at these times, or sees no board at all; what is built was `disturbed_s`, if not then."""

    def __init__(self, *stirred_s: float, blind: bool = False, disturbed_s: float | None = None) -> None:
        lens = Lens(np.eye(3), np.zeros(5))
        self.view = None if blind else View(lens, np.eye(3), np.zeros(3))
        self.expected: list[Expected] = []
        self.looked_us = 60 * _S
        self._stirred_us = [round(each * _S) for each in stirred_s]
        self.disturbed_s = disturbed_s

    def stirred_since(self, t_us: int) -> bool:
        return any(each >= t_us for each in self._stirred_us)

    def disturbed_since(self, t_us: int) -> bool:
        return self.stirred_since(t_us) if self.disturbed_s is None else round(self.disturbed_s * _S) >= t_us

    def expect(self, expected: Expected) -> None:
        self.expected.append(expected)

    def expect_no_more(self, expected: Expected) -> None:
        self.expected.remove(expected)


class _Scales:
    """Scales that told of no fall, and what that says of one; `littered` once they were told of one."""

    def __init__(self, unfelt: float = -0.6) -> None:
        self._unfelt, self.littered = unfelt, False
        self.hardest_at_us: int | None = None

    def odds_of_fall(self, since_us: int) -> float:
        return self._unfelt

    def hardest_us(self, since_us: int, until_us: int) -> int | None:
        return self.hardest_at_us

    def fell(self) -> None:
        self.littered = True

    def weighed(self, since_us: int) -> None:
        """They cannot weigh."""

    def untold(self, since_us: int) -> None:
        return None


def _felt(t_s: float, confidence: float = 0.9) -> Sensed:
    t_us = round(t_s * _S)
    return Sensed(
        kind="collapse",
        t_us=t_us,
        decided_us=t_us + 150_000,
        board="south",
        confidence=confidence,
        evidence={"scales": confidence},
    )


def _saw(t_s: float, decided_s: float, since_s: float = 0.0, score: float = 0.96, lying: bool = True) -> Fallen:
    return Fallen("south", ("left",), round(t_s * _S), round(decided_s * _S), score, round(since_s * _S), lying)


def test_what_the_scales_feel_while_something_moves_is_called_at_once_and_surer_than_by_them_alone() -> None:
    (call,) = Collapses("south", _Eye(4.9, 5.1), scales=_Scales(), incidents=Incidents()).felt(_felt(5.0))
    assert (call.t_us, call.decided_us) == (5 * _S, 5 * _S + 150_000)
    assert call.confidence > 0.9
    assert set(call.evidence) == {"scales", "camera"}


def test_a_bump_that_moved_nothing_is_no_collapse() -> None:
    assert not Collapses("south", _Eye(1.0), scales=_Scales(), incidents=Incidents()).felt(_felt(5.0))


def test_an_eye_that_does_not_see_the_board_has_no_say() -> None:
    assert Collapses("south", _Eye(blind=True), scales=_Scales(), incidents=Incidents()).felt(_felt(5.0)) == [
        _felt(5.0)
    ]
    assert Collapses("south", None, scales=_Scales(), incidents=Incidents()).felt(_felt(5.0)) == [_felt(5.0)]


def test_the_eye_confirms_an_accident_without_calling_it_again_however_late() -> None:
    collapses = Collapses("south", _Eye(5.0), scales=_Scales(), incidents=Incidents())
    assert collapses.felt(_felt(5.0))
    assert not collapses.saw(_saw(5.3, 6.0, since_s=2.0))
    assert not collapses.saw(_saw(9.0, 9.5, since_s=2.0))


def _looked(t_s: float) -> Looked:
    t_us = round(t_s * _S)
    return Looked("south", t_us, (), calm_us=t_us - _S // 2)


def _dropped_us(collapses: Collapses, looked: Looked) -> list[int]:
    return [call.t_us for call in collapses.looked(looked)]


def test_what_the_scales_doubt_waits_for_a_look_and_is_none_when_that_finds_nothing_fallen() -> None:
    eye = _Eye(5.0)
    collapses = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    assert not collapses.felt(_felt(5.0, confidence=0.7))
    assert [each.t_us for each in eye.expected] == [5 * _S]
    assert collapses.looked(_looked(5.2)) == []  # what moved since is not in that look
    assert [each.t_us for each in eye.expected] == [5 * _S]
    assert _dropped_us(collapses, _looked(6.5)) == [5 * _S]
    assert not eye.expected
    assert not collapses.due(60 * _S, at_end=True)


def test_a_doubted_fall_is_called_when_the_eye_finds_it_or_looks_no_more() -> None:
    found = Collapses("south", _Eye(5.0), scales=_Scales(), incidents=Incidents())
    found.felt(_felt(5.0, confidence=0.7))
    (call,) = found.saw(_saw(5.3, 6.0, since_s=2.0, score=0.75))
    assert call.t_us == 5 * _S
    assert not found.due(20 * _S)
    eye = _Eye(5.0)
    hidden = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    hidden.felt(_felt(5.0, confidence=0.7))
    eye.looked_us = 8 * _S
    assert not hidden.due(9 * _S)
    assert [call.t_us for call in hidden.due(11 * _S)] == [5 * _S]


def test_a_doubted_fall_is_waited_for_longer_while_the_eye_looks_on_and_hands_are_in_the_way() -> None:
    collapses = Collapses("south", _Eye(5.0), scales=_Scales(), incidents=Incidents())
    collapses.felt(_felt(5.0, confidence=0.7))
    assert not collapses.due(16 * _S)
    assert [call.t_us for call in collapses.due(18 * _S)] == [5 * _S]


def test_what_the_eye_has_looked_at_since_and_found_standing_must_be_felt_very_surely() -> None:
    collapses = Collapses("south", _Eye(5.0), scales=_Scales(), incidents=Incidents())
    collapses.looked(_looked(6.0))
    assert not collapses.felt(_felt(5.0, confidence=0.95))
    assert not collapses.due(30 * _S, at_end=True)
    assert collapses.felt(_felt(5.0, confidence=0.98))


def test_what_a_hand_knocks_about_that_gathers_things_up_is_a_fall_only_if_the_eye_finds_one() -> None:
    eye = _Eye(5.0, 9.0)
    collapses = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    for t_s in (5.0, 9.0):
        assert not collapses.felt(_felt(t_s, confidence=0.7))
    collapses.gathered(round(5.6 * _S))
    assert not collapses.due(18 * _S)
    assert [each.t_us for each in eye.expected] == [9 * _S]
    assert [call.t_us for call in collapses.due(22 * _S)] == [9 * _S]
    assert not eye.expected
    found = Collapses("south", _Eye(5.0), scales=_Scales(), incidents=Incidents())
    found.felt(_felt(5.0, confidence=0.7))
    found.gathered(5 * _S)
    assert [call.t_us for call in found.saw(_saw(11.5, 12.0, since_s=2.0))] == [5 * _S]


def test_doubted_falls_that_are_far_apart_are_waited_for_each() -> None:
    eye = _Eye(5.0, 6.0, 8.5)
    collapses = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    for t_s in (5.0, 6.0, 8.5):
        assert not collapses.felt(_felt(t_s, confidence=0.74))
    assert [each.t_us for each in eye.expected] == [5 * _S, 8.5 * _S]  # the second was part of the first
    assert _dropped_us(collapses, _looked(8.0)) == [5 * _S]
    assert [each.t_us for each in eye.expected] == [8.5 * _S]
    assert [call.t_us for call in collapses.due(21 * _S)] == [8.5 * _S]
    assert not eye.expected


def test_a_sure_fall_leaves_one_that_was_felt_long_before_it_to_the_eye() -> None:
    eye = _Eye(5.0, 9.0, 20.0, 21.0)
    collapses = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    collapses.felt(_felt(5.0, confidence=0.74))
    assert [call.t_us for call in collapses.felt(_felt(9.0))] == [9 * _S]
    assert _dropped_us(collapses, _looked(10.0)) == [5 * _S]
    collapses.felt(_felt(20.0, confidence=0.74))
    assert [call.t_us for call in collapses.felt(_felt(21.0))] == [21 * _S]
    assert not eye.expected


def test_what_the_eye_is_not_sure_of_or_saw_before_does_not_make_an_end_of_waiting() -> None:
    eye = _Eye(5.0)
    collapses = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    collapses.context = Context(board="south", removing=True)
    collapses.felt(_felt(5.0, confidence=0.74))
    assert not collapses.saw(_saw(5.3, 6.0, since_s=2.0, score=0.7, lying=False))
    collapses.saw(_saw(4.5, 4.9, since_s=2.0, score=0.55))
    assert [each.t_us for each in eye.expected] == [5 * _S]
    assert _dropped_us(collapses, _looked(6.5)) == [5 * _S]


def test_who_is_not_hasty_has_even_a_sure_fall_wait_for_the_eye() -> None:
    eye = _Eye(5.0)
    collapses = Collapses("south", eye, scales=_Scales(), incidents=Incidents(), hasty=False)
    assert not collapses.felt(_felt(5.0, confidence=0.97))
    assert [each.t_us for each in eye.expected] == [5 * _S]


def test_without_an_eye_the_scales_word_is_all_there_is() -> None:
    assert Collapses("south", None, scales=_Scales(), incidents=Incidents()).felt(_felt(5.0, confidence=0.7))


def test_a_second_accident_is_a_second_collapse() -> None:
    collapses = Collapses("south", _Eye(5.0, 9.6), scales=_Scales(), incidents=Incidents())
    assert collapses.felt(_felt(5.0))
    assert not collapses.felt(_felt(6.9))
    assert collapses.felt(_felt(9.6))


def test_a_fall_that_is_seen_a_while_after_it_was_felt_happened_at_the_hardest_impact_until_then() -> None:
    scales = _Scales()
    scales.hardest_at_us = round(5.8 * _S)
    for seen_s, touched_s in ((5.3, 5.0), (6.0, 5.8), (9.0, 9.0)):
        collapses = Collapses("south", _Eye(5.0), scales, Incidents())
        assert not collapses.felt(_felt(5.0, confidence=0.7))
        (call,) = collapses.saw(_saw(seen_s, seen_s + 0.6, since_s=3.0))
        assert call.t_us == round(touched_s * _S)


def test_a_doubted_fall_at_which_nothing_moved_is_not_waited_for() -> None:
    eye = _Eye(4.5)
    collapses = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    assert not collapses.felt(_felt(5.0, confidence=0.74))
    assert not collapses.due(round(5.5 * _S))
    assert eye.expected
    assert not collapses.due(6 * _S)
    assert not eye.expected
    assert not collapses.due(60 * _S)


def test_a_doubted_fall_is_not_dropped_by_an_eye_that_has_not_looked_since() -> None:
    eye = _Eye(4.5)
    eye.looked_us = round(4.9 * _S)
    collapses = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    assert not collapses.felt(_felt(5.0, confidence=0.74))
    assert not collapses.due(6 * _S)
    assert eye.expected
    assert [call.t_us for call in collapses.due(round(6.5 * _S), at_end=True)] == [5 * _S]


def test_what_fell_long_ago_or_falls_later_was_not_just_before() -> None:
    incidents = Incidents()
    collapses = Collapses("south", None, None, incidents)
    for t_s in (10, 300):
        assert incidents.is_new(t_s * _S)
    assert [collapses.before(t_s * _S) for t_s in (9, 11, 71, 299, 301)] == [False, True, False, False, True]


def test_the_eye_calls_what_the_scales_missed_with_less_confidence() -> None:
    (alone,) = Collapses("south", _Eye(5.0), scales=None, incidents=Incidents()).saw(_saw(5.0, 5.8))
    (unfelt,) = Collapses("south", _Eye(5.0), scales=_Scales(), incidents=Incidents()).saw(_saw(5.0, 5.8))
    assert alone.tower == "left"
    assert alone.confidence > unfelt.confidence
    assert unfelt.evidence == {"camera": 0.96}


def test_where_the_scales_would_have_felt_it_a_fall_that_the_eye_is_not_sure_of_needs_both() -> None:
    scales = _Scales(unfelt=-1.7)
    collapses = Collapses("south", _Eye(5.0), scales, Incidents())
    assert not collapses.saw(_saw(5.0, 5.8, score=0.88))
    assert not scales.littered
    (call,) = collapses.felt(_felt(4.9, confidence=0.7))
    assert call.evidence == {"scales": 0.7, "camera": 0.88}
    (sure,) = Collapses("south", _Eye(5.0), scales, Incidents()).saw(_saw(5.0, 5.8, score=0.96))
    assert sure.evidence == {"camera": 0.96}
    assert scales.littered


def test_a_doubted_fall_that_the_eye_then_finds_happened_when_the_scales_felt_it() -> None:
    collapses = Collapses("south", _Eye(), scales=_Scales(), incidents=Incidents())
    assert not collapses.felt(_felt(5.0))
    (call,) = collapses.saw(_saw(5.6, 6.2, since_s=3.0, score=0.75))
    assert call.t_us == 5 * _S


def test_the_game_tips_what_is_undecided_and_nothing_that_is_clear() -> None:
    collapses = Collapses("south", None, scales=None, incidents=Incidents())
    collapses.context = Context(board="south", removing=True)
    assert not collapses.saw(_saw(5.0, 5.8, score=0.7, lying=False))
    assert collapses.saw(_saw(15.0, 15.8, since_s=10.0, score=0.96))


def test_what_the_game_tells_reaches_the_judgement_of_every_board() -> None:
    weak = _felt(5.0, confidence=0.6)
    watched = [Watcher(one_board(), ("camera",)) for _ in range(2)]
    watched[1].tell(Context(phase="income", board="south", base_tile=True))
    judgements = [watcher.judgement("south") for watcher in watched]
    assert [len(judgement.felt(weak)) for judgement in judgements] == [1, 0]


def test_what_an_accident_throws_off_is_known_by_its_time() -> None:
    collapses = Collapses("south", None, scales=_Scales(), incidents=Incidents())
    collapses.felt(_felt(5.0))
    assert collapses.near(6 * _S)
    assert not collapses.near(9 * _S)


def test_what_strikes_the_board_while_all_towers_stand_as_they_did_waits_for_a_look() -> None:
    eye = _Eye(5.0, disturbed_s=1.0)
    struck = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    assert not struck.felt(_felt(5.0))
    eye.looked_us = 5_200_000
    assert not struck.due(5_300_000)
    eye.disturbed_s, eye.looked_us = 5.9, 5_900_000  # a hand comes by
    assert not struck.due(6 * _S)
    assert _dropped_us(struck, _looked(6.5)) == [5 * _S]


def test_a_hand_that_hid_the_towers_just_before_says_nothing_of_what_is_felt_now() -> None:
    struck = Collapses("south", _Eye(5.0, disturbed_s=4.9), scales=_Scales(), incidents=Incidents())
    assert not struck.felt(_felt(5.0))
    fell = Collapses("south", _Eye(5.0, disturbed_s=4.97), scales=_Scales(), incidents=Incidents())
    assert fell.felt(_felt(5.0)), "what falls has left its place before it hits"


def test_what_disturbs_a_tower_is_called_as_soon_as_that_is_seen() -> None:
    eye = _Eye(5.0, disturbed_s=1.0)
    fell = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    assert not fell.felt(_felt(5.0))
    eye.disturbed_s, eye.looked_us = 5.03, 5_040_000
    (call,) = fell.due(5_900_000)  # however long the look took
    assert (call.t_us, call.decided_us) == (5 * _S, 5_900_000)
    assert not eye.expected


def test_what_a_hand_that_gathers_up_may_have_made_is_not_called_because_towers_are_disturbed() -> None:
    eye = _Eye(5.0, disturbed_s=1.0)
    collapses = Collapses("south", eye, scales=_Scales(), incidents=Incidents())
    collapses.felt(_felt(5.0))
    collapses.gathered(5 * _S)
    eye.disturbed_s, eye.looked_us = 5.03, 5_040_000
    assert not collapses.due(5_100_000)


def test_scales_that_are_as_sure_as_they_can_be_wait_for_nobody() -> None:
    fell = Collapses("south", _Eye(5.0, disturbed_s=1.0), scales=_Scales(), incidents=Incidents())
    assert fell.felt(_felt(5.0, confidence=0.97))
