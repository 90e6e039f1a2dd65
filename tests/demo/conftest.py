"""The window of the app's own tests."""

from __future__ import annotations

from tests.app.conftest import drive

__all__ = ["drive"]
