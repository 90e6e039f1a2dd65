"""Where the rulebook of Castles of Mad King Ludwig is silent or contradicts itself: what we decided."""

from __future__ import annotations

from companion.rules.base import Rule


def _ruling(id: str, cite: str, text: str, option: str = "") -> Rule:
    return Rule(id=f"ruling.{id}", cite=cite, text=text, ruling=True, option=option)


RULINGS = (
    _ruling("solo-bands", "Solo Game", "A score of exactly 50 is a Court Jester, one of exactly 101 a King of Grand Castle Construction."),
    _ruling("every-second-below", "Downstairs Rooms", "The downstairs reward comes with every second completed downstairs room, however many in one turn.", "downstairs_once"),
    _ruling("external-no-corridors", "King's Favors; Bonus Cards", "Entrances of corridor rooms, the Foyer's too, are no external entrances for favour and bonus card."),
    _ruling("favour-ties-pool", "King's Favors", "Tied players pool the places they span and share them, rounded down; having none scores nothing."),
    _ruling("tie-shared", "Game End", "Equal points and equal square feet share the win."),
    _ruling("two-doors-once", "Icons", "Two entrances between the same two rooms count once for points, and so do two walls that touch."),
    _ruling("cut-corners", "Rules for Placing Rooms", "Cut corners of round and eight-sided tiles are free space and touch nobody; two of them may share a corner's space as far as the tiles do not overlap."),
    _ruling("round-sides", "Rules for Placing Rooms", "A round tile touches others only in the middle of its four sides; an entrance that faces it elsewhere leads nowhere."),
    _ruling("diagonal-sealed", "Rules for Placing Rooms", "A gap between two corners is sealed: no way leads out through it."),
    _ruling("any-way-out", "Rules for Placing Rooms", "The external entrance a castle must keep may belong to any room, also to a corridor or downstairs."),
    _ruling("foyer-is-corridor", "Corridor Rooms", "The Foyer counts as a corridor room wherever rooms or square feet of that type count."),
    _ruling("round-means-round", "King's Favors; Bonus Cards", "Circular rooms and the cards for sizes mean tiles of the room stacks: a hallway of 150 counts for neither."),
    _ruling("order-free", "Room Types & Completing a Room", "Rewards whose order cannot matter (living, activity, outdoor) are taken at once; the player orders the rest."),
    _ruling("corridor-lapses", "Corridor Rooms", "A second corridor room completed in the same turn brings nothing; a reward not used is lost."),
    _ruling("below-corridor-once", "Corridor Rooms; Downstairs Rooms", "A corridor reward chosen for downstairs rooms counts as that turn's corridor reward."),
    _ruling("reward-keeps-its-turn", "Corridor Rooms; Food Rooms", "A reward that waited through an extra turn still belongs to the turn that earned it, and so does what its free tile completes."),
    _ruling("extra-turn-pays", "Food Rooms", "On an extra turn rooms cost what they cost, paid as always."),
    _ruling("bonus-runs-out", "Utility Rooms", "With one bonus card left it is kept; with none the reward is lost."),
    _ruling("minus-points", "Room Placement Scoring", "A score may fall below zero."),
    _ruling("bank-never-empty", "Each Round", "The bank never runs out; other tokens stand in for coins."),
    _ruling("solo-first-reveal", "Solo Game", "Alone the deck is the 33 cards of three players, and the last turn is filled as in Game End."),
    _ruling("total-feet", "Game End", "The size of a castle is all its tiles, hallways, stairs and the Foyer included."),
    _ruling("below-rescore", "Downstairs Rooms", "Re-scoring a downstairs room counts the castle as it then stands."),
)  # fmt: skip
