"""How far a long job has come: a bar on standard error, where people watch it, and nothing where they do not."""

from __future__ import annotations

from rich.console import Console
from rich.progress import Progress


def progress() -> Progress:
    """A bar that goes away when the job is done."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)
