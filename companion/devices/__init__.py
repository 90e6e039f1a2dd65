"""The edge of the world: what is wired or plugged in, each kind with a real and a simulated twin."""
