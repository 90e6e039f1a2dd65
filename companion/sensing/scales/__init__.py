"""Raw counts of load cells in, what they say out: one stage a module, each usable alone.

`glitches` cleans rows of counts, `platform` turns them into force and moments, `quiet` learns the noise and finds
settled levels, `steps` compares these, `impacts` finds what hits a board and where, `boards` joins them for one board,
`pieces` names a mass and a tower, `falls` weighs the signs of a fall, `lifts` notes what was taken before one,
`judgement` makes events of that and `table` looks across boards. Nothing here knows an absolute zero: only changes
count.
"""
