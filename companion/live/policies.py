"""What becomes of each kind of sensed event: done at once, proposed, or left alone."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Policy = Literal["auto", "ask", "off"]
Kind = Literal["placed", "removed", "collapse", "height", "bump", "fault"]

KINDS: tuple[Kind, ...] = get_args(Kind)


class Policies(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One policy for each kind. Heights are never booked by themselves: `auto` and `ask` both measure and compare."""

    placed: Policy = "ask"
    removed: Policy = "ask"
    collapse: Policy = "ask"
    height: Policy = "auto"
    bump: Policy = "auto"
    fault: Policy = "auto"

    def of(self, kind: Kind) -> Policy:
        """
        >>> Policies(collapse="off").of("collapse")
        'off'
        """
        policy: Policy = getattr(self, kind)
        return policy
