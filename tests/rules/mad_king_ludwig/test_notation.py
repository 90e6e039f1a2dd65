"""A castle as text and back, and as a drawing."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Malformed
from companion.rules.mad_king_ludwig.bench import THIRTY_ROOMS
from companion.rules.mad_king_ludwig.draw import svg
from companion.rules.mad_king_ludwig.notation import read, read_legal, written
from companion.rules.mad_king_ludwig.rooms import FOYER, catalogue
from companion.rules.mad_king_ludwig.state import Castle, Placed, Spot

_SVG = "{http://www.w3.org/2000/svg}"
placed = st.builds(
    Placed,
    room=st.sampled_from(sorted(catalogue())),
    spot=st.builds(Spot, x=st.integers(-200, 200), y=st.integers(-200, 200), turn=st.sampled_from((0, 90, 180, 270))),
)


@given(st.lists(placed, max_size=12))
def test_every_castle_round_trips(rest: list[Placed]) -> None:
    castle = Castle(rooms=(*Castle().rooms, *rest))
    assert read(written(castle)) == castle


def test_text_round_trips() -> None:
    assert written(read_legal(THIRTY_ROOMS)) == THIRTY_ROOMS
    assert written(read("foyer@0,0; larder@3,0/0")) == "foyer@0,0 larder@3,0"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with its Foyer"),
        ("larder@3,0", "begins with its Foyer"),
        ("foyer@0,0 larder", "'larder' is not a room and its place"),
        ("foyer@0,0 larder@3", "is not a room and its place"),
        ("foyer@0,0 ballroom@3,0", "no room called 'ballroom'"),
        ("foyer@0,0 larder@3,0/45", "The place of 'larder@3,0/45'"),
        ("foyer@0,0 larder@999,0", "The place of"),
        ("foyer@0,0 larder@\uff13,0", "is not a room and its place"),
    ],
)
def test_what_is_no_castle(text: str, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        read(text)


def test_an_illegal_castle_is_told_apart() -> None:
    read("foyer@0,0 larder@9,9")
    with pytest.raises(Malformed, match="No entrance of the Larder"):
        read_legal("foyer@0,0 larder@9,9")


def test_a_tile_is_there_once_and_corridors_often() -> None:
    read_legal("foyer@0,0 hallway@3,1 hallway@-6,1")
    for twice in ("foyer@0,0 larder@3,0 larder@-2,0", "foyer@0,0 foyer@3,0"):
        read(twice)
        with pytest.raises(Malformed, match="There is only one"):
            read_legal(twice)


def test_a_ledger_cannot_be_written() -> None:
    with pytest.raises(Malformed, match="ledger"):
        written(Castle(rooms=(Placed(room=FOYER),)))
    with pytest.raises(Malformed, match="ledger"):
        svg(Castle(rooms=(Placed(room=FOYER),)))


# Drawing


def test_a_drawing_has_every_room_and_entrance() -> None:
    castle = read(THIRTY_ROOMS)
    root = ElementTree.fromstring(svg(castle))
    titles = [title.text or "" for title in root.iter(f"{_SVG}title")]
    assert titles[0] == "A castle of 30 rooms"
    assert "Audience Room: activity, 600 square feet" in titles
    doors = sum(len(catalogue()[each.room].doors) for each in castle.rooms)
    steps = 6 * sum(each.room == "stairs" for each in castle.rooms)
    assert len(list(root.iter(f"{_SVG}rect"))) == 1 + doors + steps
    assert len(list(root.iter(f"{_SVG}circle"))) == 5


def test_a_drawing_is_to_scale() -> None:
    words = ("foyer@0,0", "salon@3,0", "hallway@10,1", "hallway@16,1")
    castles = (" ".join(words[:count]) for count in (2, 3, 4))
    drawn = [ElementTree.fromstring(svg(read(text))) for text in castles]
    widths = [int(root.attrib["width"]) for root in drawn]
    assert widths[2] - widths[1] == widths[1] - widths[0] == 6 * 26
    assert len({root.attrib["height"] for root in drawn}) == 1


def test_the_words_at_the_foot_of_a_small_castle_are_not_cut_off() -> None:
    root = ElementTree.fromstring(svg(Castle()))
    foot = [text for text in root.iter(f"{_SVG}text") if "square feet" in (text.text or "")]
    letters = len(foot[0].text or "") * 0.6 * float(foot[0].attrib["font-size"])
    assert float(foot[0].attrib["x"]) + letters < int(root.attrib["width"])


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_every_tile_can_be_drawn_in_every_turn(turn: int) -> None:
    for room in catalogue():
        text = f"foyer@0,0 {room}@20,20" + (f"/{turn}" if turn else "")
        ElementTree.fromstring(svg(read(text)))
