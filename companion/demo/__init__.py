"""A demo that plays itself: two castles on the simulated table, an accident and its call, a dragon, the tally."""
