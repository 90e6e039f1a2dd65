"""A contact sheet: one telling picture of each of some recordings, side by side, with their names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.errors import BadRecording
from companion.sensing.plan import PLAN_FILE
from companion.sensing.recording import Recording
from companion.sensing.streams import Frame, Image
from companion.sensing.truth import Truth, read_truth

_MOST_PICTURES = 10
_COLUMNS = 2
_WIDTH_PX, _HEIGHT_PX, _LABEL_PX = 480, 360, 26
_TELLING_KINDS = ("collapse", "bump", "light", "removed", "hand", "placed")
_AFTER_FALL_US, _AFTER_US = 250_000, 500_000


def sheet_of(folder: Path, file: Path) -> int:
    """A contact sheet of a recording, or of up to ten in a folder, spread over them; how many are on it."""
    alone = (folder / PLAN_FILE).is_file()
    found = [folder] if alone else sorted(plan.parent for plan in folder.glob(f"*/{PLAN_FILE}"))
    if not found:
        raise BadRecording(f"There are no recordings in {folder}.")
    chosen = found[:: max(1, len(found) // _MOST_PICTURES)][:_MOST_PICTURES]
    contact_sheet(chosen, file)
    return len(chosen)


def contact_sheet(folders: Sequence[Path], file: Path) -> None:
    """One telling picture of each recording."""
    if not file.suffix or not cv2.haveImageWriter(str(file)):
        raise BadRecording(f"A contact sheet's name ends in .png or .jpg; {file.name} does not.")
    tiles = [tile for folder in folders if (tile := _tile(folder)) is not None]
    if not tiles:
        raise BadRecording("There is no recording with pictures for a contact sheet.")
    tiles += [np.full_like(tiles[0], 255)] * (-len(tiles) % _COLUMNS)
    rows = [np.hstack(tiles[at : at + _COLUMNS]) for at in range(0, len(tiles), _COLUMNS)]
    drawn, data = cv2.imencode(file.suffix, np.vstack(rows))
    if drawn:
        file.write_bytes(data.tobytes())


def _tile(folder: Path) -> Image | None:
    recording = Recording.open(folder)
    if "camera" not in recording.senses:
        return None
    frame = _telling_frame(recording, read_truth(folder))
    if frame is None:
        return None
    tile = cv2.resize(frame.image, (_WIDTH_PX, _HEIGHT_PX), interpolation=cv2.INTER_AREA)
    label = np.full((_LABEL_PX, _WIDTH_PX, 3), 255, np.uint8)
    cv2.putText(label, folder.name, (6, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
    return np.vstack([label, np.asarray(tile, np.uint8)])


def _telling_frame(recording: Recording, truth: Sequence[Truth]) -> Frame | None:
    """The first picture after the moment that matters most."""
    wanted = _telling_us(truth)
    found = None
    for frame in recording.frames():
        found = frame
        if frame.t_us >= wanted:
            break
    return found


def _telling_us(truth: Sequence[Truth]) -> int:
    for kind in _TELLING_KINDS:
        for each in truth:
            if each.kind == kind:
                return each.t_us + (_AFTER_FALL_US if kind == "collapse" else _AFTER_US)
    return truth[-1].t_us if truth else 0
