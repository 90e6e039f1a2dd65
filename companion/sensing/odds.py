"""Confidence as log odds: what two senses say independently of each other adds up."""

from __future__ import annotations

import math

_SUREST = 0.99


def odds(confidence: float) -> float:
    """The log odds of a confidence.

    >>> odds(0.5), round(odds(0.9), 2)
    (0.0, 2.2)
    """
    within = min(max(confidence, 1 - _SUREST), _SUREST)
    return math.log(within / (1 - within))


def confidence(log_odds: float) -> float:
    """The confidence of log odds, never quite certain.

    >>> confidence(0.0), confidence(100.0)
    (0.5, 0.99)
    """
    return round(min(max(chance(log_odds), 1 - _SUREST), _SUREST), 3)


def chance(log_odds: float) -> float:
    """The chance that log odds stand for, however small.

    >>> chance(0.0), chance(-1000.0) > 0
    (0.5, True)
    """
    return 1 / (1 + math.exp(-max(-50.0, log_odds)))
