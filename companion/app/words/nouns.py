"""Nouns the rules count, one and many, and words that no source shows as a text because the rules put them together."""

from __future__ import annotations

COUNTED: dict[str, tuple[tuple[str, str], ...]] = {
    "shared": (("point", "points"), ("player", "players"), ("level", "levels")),
    "castle-dukes": (
        ("coin", "coins"), ("free coin", "free coins"), ("tile", "tiles"), ("floor tile", "floor tiles"),
        ("pillar", "pillars"), ("table", "tables"), ("serf", "serfs"), ("coffer", "coffers"),
        ("brazier", "braziers"), ("battlement", "battlements"), ("cauldron", "cauldrons"), ("ballista", "ballistae"),
        ("king", "kings"), ("princess", "princesses"), ("knight", "knights"), ("room", "rooms"),
        ("room card", "room cards"), ("construction card", "construction cards"), ("vine", "vines"),
        ("bridge", "bridges"), ("Crumble token", "Crumble tokens"), ("decor", "decors"),
        ("character", "characters"), ("guest", "guests"), ("room on level 5+", "rooms on level 5+"),
        ("point printed on rooms", "points printed on rooms"), ("room space", "room spaces"), ("marking", "markings"),
        ("figure", "figures"),
    ),
    "castle-builder": (
        ("ruby", "rubies"), ("window", "windows"), ("person", "persons"), ("step", "steps"), ("roof", "roofs"),
    ),
    "castle-dice": (),
    "castle-for-all-seasons": (
        ("taler", "talers"), ("sand pile", "sand piles"), ("wooden beam", "wooden beams"),
        ("clay slab", "clay slabs"), ("stone block", "stone blocks"), ("silver bar", "silver bars"),
        ("victory point", "victory points"), ("helper", "helpers"), ("building", "buildings"), ("piece", "pieces"),
        ("kind", "kinds"), ("house", "houses"), ("tower", "towers"), ("card", "cards"),
        ("empty helper's place", "empty helper's places"),
    ),
    "mad-king-ludwig": (
        ("unsold room", "unsold rooms"), ("entrance", "entrances"), ("room tile", "room tiles"),
        ("bonus card", "bonus cards"), ("downstairs room", "downstairs rooms"),
    ),
}  # fmt: skip
"""By scope. A noun belongs to the first game that counts it."""

EXTRA: dict[str, tuple[str, ...]] = {
    "shared": ("Undo: {0}", "Redo: {0}", "Back to line {0}: {1}", "meeple"),
    "castle-dukes": ("with a {0}",),
    "castle-builder": (
        "stone-air", "air-stone", "air above", "stone-air above", "air-stone above", "air below", "stone-air below",
        "air-stone below",
    ),
    "castle-for-all-seasons": (
        "Erect the {0} ({1}) with {2}", "{0}: {1} to the defense tower, {2} to {3}.",
        "places a helper in the {0} with the helper from {1}", "places a helper in the {0} with the innkeeper",
        "places a helper at {0} with the helper from {1}", "places a helper at {0} with the innkeeper",
        "places an innkeeper with the helper from {0}", "places an innkeeper with the innkeeper",
        "master builder", "cracked wall", "at their value", "from-yield", "on-top", "as-helper",
    ),
    "mad-king-ludwig": (
        "above the {0}", "below the {0}", "joined to {0}", "touching {0}", "for each {0}", "Set-up", "True", "False",
    ),
    "castle-dice": ("a worker", "a farmer", "a merchant", "a guard", "one of {0}", "own-colour", "Joan {0}"),
}  # fmt: skip
"""By scope."""
