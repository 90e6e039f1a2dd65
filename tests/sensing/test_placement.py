"""What the scales felt and the eye saw, joined into one event, whichever tells first."""

from __future__ import annotations

import msgspec
import pytest

from companion.sensing.board_eye import BoardEye
from companion.sensing.falling import Fallen
from companion.sensing.gaze import BoardGaze
from companion.sensing.incidents import Incidents
from companion.sensing.judgement import BoardJudgement
from companion.sensing.placement import Placements, seen_alone
from companion.sensing.plan import Piece
from companion.sensing.scales.evidence import Weighed
from companion.sensing.shapes import Kit
from companion.sensing.sights import Looked, Seen, Sight
from companion.sensing.streams import Sensed
from companion.sensing.views import Lens
from tests.sensing.painted import looking, one_board

_PIECES = {
    "floor-tile": Piece(6.5, (60.0, 60.0, 2.0)),
    "roof": Piece(8.0, (60.0, 60.0, 3.0)),
    "pillar": Piece(2.0, diameter_mm=12.0, height_mm=25.0),
    "room": Piece(1.9, (28.0, 28.0, 2.0)),
}


@pytest.fixture
def eye() -> BoardEye:
    plan = msgspec.structs.replace(one_board(), pieces=_PIECES)
    assert plan.camera is not None
    eye = BoardEye(plan.boards[0], Kit(plan))
    eye.look_through(looking(Lens.of(plan.camera), (60.0, -310.0, 300.0), (0.0, 0.0, 20.0)), (480, 640, 3))
    return eye


def _felt(grams: float, piece: str | None, tower: str | None = "left", t_us: int = 1_000_000) -> Sensed:
    return Sensed(
        kind="placed",
        t_us=t_us,
        decided_us=t_us + 500_000,
        board="south",
        tower=tower,
        piece=piece,
        grams=grams,
        confidence=0.9,
        evidence={"scales": 0.9},
    )


def _seen(
    like: dict[str, float], tower: str = "left", level: int = 2, t_us: int = 1_000_000, score: float = 1.0
) -> Seen:
    return Seen(True, "south", tower, level, like, t_us, t_us + 900_000, score)


def test_the_eye_says_where_what_the_scales_felt(eye: BoardEye) -> None:
    placements = Placements(eye)
    assert placements.felt(_felt(6.5, "floor-tile")) == []
    (event,) = placements.saw(_seen({"floor-tile": 1.5, "roof": 1.4}))
    assert (event.tower, event.level, event.piece, event.grams) == ("left", 2, "floor-tile", 6.5)
    assert set(event.evidence) == {"scales", "camera"}
    assert placements.due(60_000_000, at_end=True) == []


def test_the_eye_may_be_first(eye: BoardEye) -> None:
    placements = Placements(eye)
    assert placements.saw(_seen({"pillar": 1.8})) == []
    (event,) = placements.felt(_felt(2.0, "pillar", t_us=1_100_000))
    assert (event.tower, event.level) == ("left", 2)
    assert placements.due(60_000_000, at_end=True) == []


def test_what_only_the_eye_saw_is_no_event_while_there_are_scales(eye: BoardEye) -> None:
    placements = Placements(eye)
    assert placements.saw(_seen({"pillar": 1.8})) == []
    assert placements.due(60_000_000) == []
    (late,) = placements.felt(_felt(2.0, "pillar", t_us=60_000_000)) or placements.due(90_000_000)
    assert set(late.evidence) == {"scales"}


def test_looks_tell_kinds_apart_that_weigh_alike_and_weight_those_that_look_alike(eye: BoardEye) -> None:
    placements = Placements(eye)
    placements.felt(_felt(1.93, "room"))
    assert placements.saw(_seen({"pillar": 1.9, "room": 0.9}))[0].piece == "pillar"
    placements.felt(_felt(7.9, "roof"))
    assert placements.saw(_seen({"floor-tile": 1.6, "roof": 1.4}))[0].piece == "roof"
    placements.felt(_felt(7.9, "roof"))
    assert placements.saw(_seen({"floor-tile": 1.6}))[0].piece == "roof"


def test_a_tower_that_the_scales_name_wrongly_is_put_right_by_what_is_plainly_seen(eye: BoardEye) -> None:
    placements = Placements(eye)
    placements.felt(_felt(2.0, "pillar", tower="middle"))
    assert placements.saw(_seen({"pillar": 1.0}, score=0.8)) == []
    (event,) = placements.saw(_seen({"pillar": 1.8}))
    assert event.tower == "left"


def test_what_is_felt_and_not_seen_stands_where_it_must(eye: BoardEye) -> None:
    placements = Placements(eye)
    eye.castle.assume(True, "floor-tile", "left")
    placements.felt(_felt(6.5, "floor-tile"))
    (event,) = placements.due(60_000_000)
    assert (event.tower, event.level) == ("left", 2)
    assert event.confidence < 0.9
    assert eye.castle.levels("left") == 2


def test_a_look_at_all_that_does_not_show_it_ends_the_wait(eye: BoardEye) -> None:
    placements = Placements(eye)
    eye.castle.assume(True, "floor-tile", "left")
    placements.felt(_felt(2.0, "pillar"))
    placements.felt(_felt(2.0, "pillar", t_us=1_200_000))
    unseen = eye._expected[:1]
    assert len(placements.looked(Looked("south", 2_000_000, tuple(unseen)))) == 1
    assert len(placements.due(60_000_000)) == 1


def test_what_was_part_of_an_accident_is_forgotten(eye: BoardEye) -> None:
    placements = Placements(eye)
    placements.felt(_felt(2.0, "pillar"))
    placements.saw(_seen({"room": 1.8}, tower="right", score=0.8))
    placements.drop(500_000, 500_000)
    assert placements.due(60_000_000, at_end=True) == []


def test_what_is_gone_about_when_all_was_thrown_off_the_board_is_what_fell(eye: BoardEye) -> None:
    placements = Placements(eye)
    placements.felt(_removed(2.0, "pillar"))
    placements.felt(_removed(2.0, "pillar", t_us=1_900_000), gathered=True)
    placements.felt(_removed(6.5, "floor-tile", t_us=2_300_000), gathered=True)
    placements.drop(500_000, 1_200_000, thrown=True)
    assert [event.piece for event in placements.due(60_000_000)] == ["floor-tile"]


def test_what_was_taken_before_the_rest_fell_is_told(eye: BoardEye) -> None:
    placements = Placements(eye)
    placements.felt(msgspec.structs.replace(_felt(2.0, "pillar"), kind="removed"))
    placements.felt(msgspec.structs.replace(_felt(6.5, "floor-tile", t_us=1_900_000), kind="removed"))
    placements.drop(500_000, 1_400_000)
    assert eye._expected == []
    (event,) = placements.due(2_000_000)
    assert (event.kind, event.piece, event.level) == ("removed", "pillar", None)


def test_a_weight_that_comes_and_goes_unseen_is_a_hand_that_leant(eye: BoardEye) -> None:
    placements = Placements(eye)
    placements.felt(_felt(2.0, "pillar"))
    placements.felt(msgspec.structs.replace(_felt(2.05, "pillar", t_us=2_400_000), kind="removed"))
    assert placements.due(60_000_000) == []
    assert eye._expected == []


@pytest.mark.parametrize(
    ("grams", "tower", "t_us"), [(2.6, "left", 2_400_000), (2.0, "right", 2_400_000), (2.0, "left", 4_000_000)]
)
def test_other_weights_elsewhere_or_later_are_pieces(eye: BoardEye, grams: float, tower: str, t_us: int) -> None:
    placements = Placements(eye)
    placements.felt(_felt(2.0, "pillar"))
    placements.felt(msgspec.structs.replace(_felt(grams, "pillar", tower, t_us), kind="removed"))
    assert len(placements.due(60_000_000)) == 2


class _Scales:
    """Scales that weighed this instead of a fall, or that cannot weigh."""

    def __init__(self, weighed: Weighed | None = None) -> None:
        self._weighed = weighed

    def odds_of_fall(self, since_us: int) -> float:
        pytest.fail("nobody saw anything fall")

    def hardest_us(self, since_us: int, until_us: int) -> int | None:
        pytest.fail("nobody saw anything fall")

    def fell(self) -> None:
        pytest.fail("nobody saw anything fall")

    def weighed(self, since_us: int) -> Weighed | None:
        assert since_us == 1_000_000
        return self._weighed

    def untold(self, since_us: int) -> Weighed | None:
        return None


def _fell(t_us: int = 1_000_000) -> Sensed:
    return Sensed(kind="collapse", t_us=t_us, decided_us=t_us, board="south", confidence=0.7, evidence={"scales": 0.7})


@pytest.fixture
def stirred(eye: BoardEye, monkeypatch: pytest.MonkeyPatch) -> BoardGaze:
    """An eye that sees that something moves all the time."""
    gaze = BoardGaze(eye)
    monkeypatch.setattr(gaze, "stirred_since", lambda t_us: True)
    return gaze


def _told(south: BoardJudgement, *seen: Seen) -> list[tuple[str, str | None, int | None, int]]:
    """What is told of a fall that was doubted, once the eye saw these pieces and looked at all."""
    assert south.felt(_fell()) == []
    sights: list[Sight] = [*seen, Looked("south", 3_000_000, (), calm_us=2_500_000)]
    found = [event for sight in sights for event in south.saw(sight)]
    found += south.due(60_000_000)
    return [(event.kind, event.piece, event.level, event.t_us) for event in found]


def test_a_fall_that_was_none_was_the_piece_that_weighs_as_much(stirred: BoardGaze) -> None:
    south = BoardJudgement("south", stirred, _Scales(Weighed(_felt(6.5, "floor-tile"))), Incidents())
    assert _told(south, _seen({"floor-tile": 1.5, "roof": 1.4})) == [("placed", "floor-tile", 2, 1_000_000)]
    south = BoardJudgement("south", stirred, _Scales(Weighed(_felt(6.5, "floor-tile"))), Incidents())
    assert _told(south) == [("placed", "floor-tile", 1, 1_000_000)]  # nobody saw it


def test_nothing_that_the_eye_saw_long_before_speaks_of_a_doubted_fall(stirred: BoardGaze) -> None:
    south = BoardJudgement("south", stirred, _Scales(Weighed()), Incidents())
    assert _told(south, _seen({"floor-tile": 1.0}, t_us=-2_000_000)) == []


def test_where_nothing_can_be_weighed_the_eye_tells_of_the_piece(stirred: BoardGaze) -> None:
    south = BoardJudgement("south", stirred, _Scales(), Incidents())
    assert _told(south, _seen({"pillar": 1.0})) == [("placed", "pillar", 2, 1_000_000)]


def test_what_was_placed_while_a_doubted_fall_waited_for_the_eye_is_told_beside_it(stirred: BoardGaze) -> None:
    south = BoardJudgement("south", stirred, _Scales(), Incidents())
    assert south.felt(_fell()) == []
    assert south.felt(_felt(6.5, "floor-tile", t_us=2_000_000)) == []
    assert south.felt(_felt(6.5, "floor-tile", t_us=5_000_000)) == []
    (call,) = south.due(6_100_000)
    assert call.kind == "collapse"
    assert [(event.kind, event.t_us) for event in south.due(60_000_000)] == [("placed", 5_000_000)]


def test_a_small_piece_that_came_where_nothing_is_to_stand_on_may_have_fallen_there(stirred: BoardGaze) -> None:
    for castle, told in (((), "collapse"), (("floor-tile",), "placed")):
        south = BoardJudgement("south", stirred, _Scales(), Incidents())
        for piece in castle:
            stirred.castle.assume(True, piece, "left")
        south.saw(Looked("south", 500_000, ()))
        assert south.felt(_felt(2.0, "pillar")) == []  # until the eye has looked
        assert [(event.kind, event.t_us) for event in south.due(60_000_000)] == [(told, 1_000_000)]


def test_a_small_piece_has_a_place_on_a_base_tile_that_was_felt_and_not_yet_seen(eye: BoardEye) -> None:
    placements = Placements(eye)
    assert not placements.has_no_place(_felt(2.0, "pillar"))  # nobody looked yet
    placements.looked(Looked("south", 500_000, ()))
    assert placements.has_no_place(_felt(2.0, "pillar"))
    placements.felt(msgspec.structs.replace(_felt(8.0, "roof"), kind="removed"))
    assert placements.has_no_place(_felt(2.0, "pillar"))
    placements.felt(_felt(6.5, "floor-tile"))
    assert not placements.has_no_place(_felt(2.0, "pillar"))


def test_what_was_seen_about_a_fall_that_was_none_is_told_by_the_eye_alone(eye: BoardEye) -> None:
    placements = Placements(eye)
    placements.saw(_seen({"pillar": 1.0}))
    assert placements.vouch(30_000_000) == []
    (event,) = placements.vouch(1_200_000)
    assert (event.kind, event.tower, event.level, set(event.evidence)) == ("placed", "left", 2, {"camera"})
    assert placements.vouch(1_200_000) == []


def test_a_tower_that_was_read_anew_has_what_was_felt_already(eye: BoardEye) -> None:
    placements = Placements(eye)
    eye.castle.assume(True, "floor-tile", "left")
    eye.castle.assume(True, "floor-tile", "left")
    placements.felt(_felt(6.5, "floor-tile"))
    (event,) = placements.looked(Looked("south", 2_000_000, tuple(eye._expected), anew=True))
    assert (event.level, eye.castle.levels("left")) == (2, 2)


@pytest.mark.parametrize(
    ("grams", "felt", "told"),
    [(2.0, "room", ("pillar", 1)), (1.0, "room", ("room", 1)), (6.5, "floor-tile", ("floor-tile", None))],
)
def test_what_went_from_a_tower_that_fell_then_is_the_pillar_if_it_weighs_so(
    eye: BoardEye, grams: float, felt: str, told: tuple[str, int | None]
) -> None:
    placements = Placements(eye)
    eye.castle.assume(True, "floor-tile", "left")
    placements.felt(msgspec.structs.replace(_felt(grams, felt), kind="removed"))
    (event,) = placements.looked(Looked("south", 2_000_000, tuple(eye._expected), anew=True))
    assert (event.piece, event.level) == told


def test_without_scales_the_eye_tells_alone() -> None:
    event = seen_alone(_seen({"pillar": 1.8, "room": 0.9}))
    assert (event.kind, event.piece, event.tower, event.level) == ("placed", "pillar", "left", 2)
    assert event.confidence <= 0.95


def test_a_floor_that_goes_is_not_the_pillar_that_was_felt(eye: BoardEye) -> None:
    placements = Placements(eye)
    placements.felt(msgspec.structs.replace(_felt(2.0, "pillar"), kind="removed"))
    floor = Seen(False, "south", "left", 2, {"floor-tile": 1.5}, 1_000_000, 1_900_000, 1.0)
    assert placements.saw(floor) == []
    assert len(placements.due(60_000_000)) == 1


def _removed(grams: float, piece: str | None, tower: str | None = None, t_us: int = 1_000_000) -> Sensed:
    return msgspec.structs.replace(_felt(grams, piece, tower, t_us), kind="removed")


def test_what_is_gathered_up_waits_less_long_and_no_later_fall_makes_it_forgotten(eye: BoardEye) -> None:
    placements = Placements(eye)
    placements.felt(_removed(6.5, "floor-tile"), gathered=True)
    placements.felt(_removed(2.0, "pillar"))
    assert [event.piece for event in placements.due(3_100_000)] == ["floor-tile"]
    placements.felt(_removed(2.0, "pillar", t_us=1_900_000), gathered=True)
    placements.drop(500_000, 1_200_000)
    assert [(event.piece, event.t_us) for event in placements.due(2_000_000)] == [
        ("pillar", 1_000_000),
        ("pillar", 1_900_000),
    ]


def test_a_plate_that_is_gone_just_before_a_fall_is_part_of_it_and_a_pillar_was_pulled(eye: BoardEye) -> None:
    placements = Placements(eye)
    assert placements.was_taken(_removed(2.0, "pillar"), 1_000_000)
    assert not placements.was_taken(_removed(6.5, "floor-tile"), 1_500_000)
    assert placements.was_taken(_removed(6.5, "floor-tile"), 2_500_000)
    assert not placements.was_taken(_felt(2.0, "pillar"), 2_500_000)


@pytest.fixture
def fallen(stirred: BoardGaze) -> BoardJudgement:
    """A board on which something fell after one second."""
    south = BoardJudgement("south", stirred, _Scales(), Incidents())
    assert [event.kind for event in south.felt(_sure_fall())] == ["collapse"]
    return south


def _sure_fall(t_us: int = 1_000_000) -> Sensed:
    return msgspec.structs.replace(_fell(t_us), confidence=0.97, evidence={"scales": 0.97})


def test_what_is_felt_to_be_gone_after_a_fall_was_told_is_part_of_it(fallen: BoardJudgement) -> None:
    assert fallen.felt(_removed(6.5, "floor-tile", "left", 1_200_000)) == []
    assert fallen.due(60_000_000) == []
    assert fallen.felt(_removed(2.0, "pillar", "left", 1_200_000)) == []
    assert [event.piece for event in fallen.due(60_000_000)] == ["pillar"]


def test_what_lay_about_and_is_gone_was_gathered_up_though_more_falls_meanwhile(fallen: BoardJudgement) -> None:
    assert fallen.felt(_removed(6.5, "floor-tile", t_us=6_000_000)) == []
    assert [event.kind for event in fallen.felt(_sure_fall(6_400_000))] == ["collapse"]
    assert [(event.piece, event.tower) for event in fallen.due(6_500_000)] == [("floor-tile", None)]


def test_what_is_gone_just_after_a_second_fall_was_thrown_off_unless_a_hand_was_gathering_up(
    fallen: BoardJudgement,
) -> None:
    assert [event.kind for event in fallen.felt(_sure_fall(9_000_000))] == ["collapse"]
    assert fallen.felt(_removed(6.5, "floor-tile", t_us=9_600_000)) == []
    assert fallen.due(60_000_000) == []
    assert fallen.felt(_removed(6.5, "floor-tile", t_us=12_000_000)) == []
    assert [event.kind for event in fallen.felt(_sure_fall(13_000_000))] == ["collapse"]
    assert fallen.felt(_removed(6.5, "floor-tile", t_us=14_000_000)) == []
    assert [event.t_us for event in fallen.due(60_000_000)] == [12_000_000, 14_000_000]


def test_litter_that_is_seen_to_be_gone_was_taken_however_near_a_fall(eye: BoardEye) -> None:
    south = BoardJudgement("south", BoardGaze(eye), None, Incidents())
    (collapse,) = south.saw(Fallen("south", ("left",), 1_000_000, 2_000_000, 0.96))
    assert collapse.kind == "collapse"
    litter = Seen(False, "south", None, None, {"pillar": 1.0}, 3_000_000, 3_200_000, 0.95)
    stood = Seen(False, "south", "left", 2, {"pillar": 1.0}, 3_000_000, 3_200_000, 0.95)
    assert [(event.kind, event.tower, event.piece) for event in south.saw(litter)] == [("removed", None, "pillar")]
    assert south.saw(stood) == []


class _Deaf(_Scales):
    """Scales that are sure that nothing fell."""

    def odds_of_fall(self, since_us: int) -> float:
        return -4.0

    def fell(self) -> None:
        pass


@pytest.mark.parametrize(("judged", "told"), [(False, []), (True, ["collapse"])])
def test_a_fall_for_which_the_scales_were_asked_already_is_not_held_against_them_again(
    eye: BoardEye, judged: bool, told: list[str]
) -> None:
    south = BoardJudgement("south", BoardGaze(eye), _Deaf(), Incidents())
    fallen = Fallen("south", ("left",), 1_000_000, 2_000_000, 0.96, 0, judged=judged)
    assert [event.kind for event in south.saw(fallen)] == told


class _Patient(_Scales):
    """Scales that told of nothing, and on which something has come to rest all the same."""

    def __init__(self, rests: Sensed | None) -> None:
        self.rests = rests
        self.asked_us: list[int] = []

    def untold(self, since_us: int) -> Weighed | None:
        self.asked_us.append(since_us)
        return Weighed(self.rests)


def test_what_the_eye_saw_and_nobody_felt_is_told_once_it_weighs_there(eye: BoardEye) -> None:
    scales = _Patient(_felt(2.0, "pillar", tower=None))
    south = BoardJudgement("south", BoardGaze(eye), scales, Incidents())
    assert south.saw(_seen({"pillar": 1.8}, t_us=5_000_000)) == []
    assert south.due(7_000_000) == []
    assert scales.asked_us == []
    (event,) = south.due(7_500_000)
    assert (event.kind, event.tower, event.level, event.piece) == ("placed", "left", 2, "pillar")
    assert (event.t_us, event.decided_us, set(event.evidence)) == (5_000_000, 7_500_000, {"scales", "camera"})
    assert south.due(8_000_000) == []
    assert south.felt(_felt(2.0, "pillar", t_us=5_500_000)) == []  # the scales are late to tell of it
    assert south.due(60_000_000) == []


@pytest.mark.parametrize("rests", [None, _removed(2.0, "pillar"), _felt(6.5, "floor-tile")])
def test_what_the_eye_saw_is_nothing_where_nothing_weighs_so(eye: BoardEye, rests: Sensed | None) -> None:
    south = BoardJudgement("south", BoardGaze(eye), _Patient(rests), Incidents())
    assert south.saw(_seen({"pillar": 1.8}, t_us=5_000_000)) == []
    assert [south.due(now_us) for now_us in (7_500_000, 9_000_000, 60_000_000)] == [[], [], []]


def test_several_pieces_that_are_felt_after_one_was_weighed_are_all_told_but_for_that(eye: BoardEye) -> None:
    south = BoardJudgement("south", BoardGaze(eye), _Patient(_felt(2.0, "pillar", tower=None)), Incidents())
    south.saw(_seen({"pillar": 1.8}, t_us=5_000_000))
    assert len(south.due(7_500_000)) == 1
    for t_us in (7_600_000, 8_200_000, 8_800_000):
        assert south.felt(_felt(2.0, "pillar", t_us=t_us)) == []
    assert [event.t_us for event in south.due(60_000_000)] == [8_200_000, 8_800_000]


def test_what_weighs_there_is_told_once_though_two_were_seen(eye: BoardEye) -> None:
    south = BoardJudgement("south", BoardGaze(eye), _Patient(_felt(2.0, "pillar", tower=None)), Incidents())
    south.saw(_seen({"pillar": 1.8}, t_us=5_000_000))
    south.saw(_seen({"pillar": 1.8}, tower="right", t_us=5_200_000, score=0.95))
    assert [event.tower for event in south.due(7_500_000)] == ["left"]
    assert south.due(60_000_000) == []


def test_at_the_end_nothing_that_was_seen_waits_to_be_felt(eye: BoardEye) -> None:
    south = BoardJudgement("south", BoardGaze(eye), _Patient(_felt(2.0, "pillar", tower=None)), Incidents())
    south.saw(_seen({"pillar": 1.8}, t_us=5_000_000))
    assert len(south.due(6_100_000, at_end=True)) == 1
