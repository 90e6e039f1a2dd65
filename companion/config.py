"""Your settings: one small TOML file, every key of which is read.

>>> Config(games_folder="/srv/castles").games.name
'castles'
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec
import platformdirs
from msgspec import Struct

from companion.errors import Malformed
from companion.session import folder

_FILE = "config.toml"


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be set, and what holds when it is not. `games_folder` is where saved games are kept.

    `panel` tells whether to look for buttons and lights on the pins of a Raspberry Pi, `pins_file` how they are wired
    where that is not as we build them.

    `table` tells where the table's senses are: in devices that are plugged in (`attached`) or in a simulated table;
    `auto` looks. `table_file` describes the table with real devices, in place of table.json in the data folder, and
    `scale_boards` names the board of each scale module's id, where that is not the same. `camera` is auto, off,
    picamera, a number or path of a video device, or a video or recording to look at instead.
    """

    games_folder: str = ""
    panel: Literal["auto", "simulated", "off"] = "auto"
    pins_file: str = ""
    table: Literal["auto", "attached", "simulated", "off"] = "auto"
    table_file: str = ""
    scale_boards: dict[str, str] = {}
    camera: str = "auto"

    @property
    def games(self) -> Path:
        """The folder of saved games: the one set, or the usual one."""
        return Path(self.games_folder).expanduser() if self.games_folder else folder.games()


def config_file() -> Path:
    """Where settings are looked for: in `COMPANION_HOME` if set, otherwise in the platform's folder for settings."""
    if os.environ.get(folder.HOME_VARIABLE):
        return folder.home() / _FILE
    return platformdirs.user_config_path("castle-companion", appauthor=False) / _FILE


def read(file: Path | None = None) -> Config:
    """The settings of a file; no file means no settings. Raises Malformed, naming the key and the file."""
    file = file or config_file()
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Config()
    except OSError as error:
        raise Malformed(f"The settings in {file} cannot be read: {(error.strerror or str(error)).lower()}.") from error
    except ValueError as error:
        raise Malformed(f"The settings in {file} are not TOML: {error}.") from error
    return _checked(file, settings)


def _checked(file: Path, settings: dict[str, Any]) -> Config:
    known = Config.__struct_fields__
    for key in settings:
        if key not in known:
            raise Malformed(f"{file} sets '{key}', and there is no such setting. Settings: {', '.join(known)}.")
    try:
        return msgspec.convert(settings, Config)
    except msgspec.ValidationError as error:
        raise Malformed(f"{file} is not right: {error}.") from error
