"""The games, pure: no clock, no randomness, nothing of ours below them but the errors."""
