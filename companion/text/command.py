"""How people call the companion from where they sit."""

from __future__ import annotations

import shutil

_INSTALLED, _IN_CHECKOUT = "companion", "./run"


def typed(words: str = "") -> str:
    """A command line that works when it is typed: the installed command where there is one, else the checkout's."""
    name = _INSTALLED if shutil.which(_INSTALLED) else _IN_CHECKOUT
    return f"{name} {words}".strip()
