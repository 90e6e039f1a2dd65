"""The command with a toy game on the shelf."""

from __future__ import annotations

import pytest

from tests.text.running import Command


@pytest.fixture
def companion(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)
