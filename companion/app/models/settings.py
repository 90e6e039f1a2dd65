"""How this table likes its screen: a typed TOML file beside the configuration, every key of which is read."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import tomli_w
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion import config
from companion.app.models.model import Message, Model, Translate, plain
from companion.errors import DiskTrouble, Malformed
from companion.live.policies import KINDS, Kind, Policies
from companion.session.trouble import told

Theme = Literal["dark", "light"]
TextSize = Literal["normal", "large", "largest"]
Palette = Literal["standard", "contrast"]
Recording = Literal["never", "ask"]
Watch = Literal["attached", "simulated", "off"]
Value = str | int | bool

_FILE = "app.toml"
_NAMES_KEPT = 24
_LOCK_MINUTES = (0, 2, 5, 10, 30)
_SENSING = "sensing."


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be chosen. An empty `language` is that of the machine; `lock_min` 0 never locks.

    `watch` tells what takes part in a game: scales and camera that are attached, or a simulated table where none are.
    `recording` is about the camera: never, or only when somebody asks for it. `draw` lets the companion roll and draw
    without being asked each time. `recent_names` are the people of past evenings, the last first.
    """

    theme: Theme = "dark"
    text_size: TextSize = "normal"
    palette: Palette = "standard"
    language: Annotated[str, Meta(pattern=r"^([a-z]{2}(_[A-Z]{2})?)?$")] = ""
    sound: bool = True
    speech: bool = False
    motion: bool = True
    turned: bool = True
    draw: bool = False
    lock_min: Annotated[int, Meta(ge=0, le=240)] = 0
    watch: Watch = "attached"
    recording: Recording = "ask"
    sensing: Policies = Policies()
    recent_names: tuple[str, ...] = ()


class Choice(Struct, frozen=True, kw_only=True):
    """One value of a setting."""

    value: Value
    label: str
    chosen: bool


class SettingRow(Struct, frozen=True, kw_only=True):
    """A line of the settings screen: `key` and a choice's value are what `set` takes."""

    key: str
    label: str
    help: str
    choices: tuple[Choice, ...]


def settings_file() -> Path:
    """Where settings are kept: beside the configuration."""
    return config.config_file().with_name(_FILE)


def read(file: Path) -> Settings:
    """The settings of a file; no file means no settings. Raises Malformed, naming the key and the file."""
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise Malformed(f"The settings in {file} cannot be read: {(error.strerror or str(error)).lower()}.") from error
    except ValueError as error:
        raise Malformed(f"The settings in {file} are not TOML: {str(error).rstrip('.')}.") from error
    return _checked(file, raw)


def _checked(file: Path, raw: dict[str, Any]) -> Settings:
    sensing = raw.get("sensing")
    for part, known in ((raw, Settings.__struct_fields__), (sensing, Policies.__struct_fields__)):
        unknown = [key for key in part if key not in known] if isinstance(part, dict) else []
        if unknown:
            raise Malformed(f"{file} sets '{unknown[0]}', and there is no such setting. Settings: {', '.join(known)}.")
    try:
        return msgspec.convert(raw, Settings)
    except msgspec.ValidationError as error:
        raise Malformed(f"{file} is not right: {str(error).rstrip('.')}.") from error


def write(file: Path, settings: Settings) -> None:
    """Put new settings in the place of the old ones: a crash leaves the one or the other. Raises DiskTrouble."""
    draft = file.with_name(f".{file.name}")
    with told(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as out:
            out.write(tomli_w.dumps(msgspec.to_builtins(settings)).encode())
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)


class SettingsModel(Model):
    """The settings of this machine. What cannot be read is set aside under another name, said, and never in the way."""

    def __init__(self, file: Path | None = None, t: Translate = plain) -> None:
        super().__init__(t)
        self.file = file or settings_file()
        self.message: Message | None = None
        self.settings = self._opened()

    def _opened(self) -> Settings:
        try:
            return read(self.file)
        except Malformed as error:
            aside = self._put_aside()
            kept = self.t("It was set aside as {file}; the usual settings hold.").format(file=aside)
            wrong = self.t(str(error).replace(str(self.file), self.file.name))
            self.message = Message(text=f"{wrong} {kept}", weight="trouble")
            return Settings()

    def _put_aside(self) -> str:
        number = 1
        while (aside := self.file.with_name(f"{self.file.stem}.damaged-{number}.toml")).exists():
            number += 1
        try:
            self.file.rename(aside)
        except OSError:
            return self.file.name
        return aside.name

    def rows(self) -> tuple[SettingRow, ...]:
        """The settings as lines of choices."""
        return tuple(self._row(key, label, help, values) for key, label, help, values in _ROWS)

    def _row(self, key: str, label: str, help: str, values: tuple[tuple[Value, str], ...]) -> SettingRow:
        now = self.value(key)
        choices = tuple(Choice(value=value, label=self.t(text), chosen=value == now) for value, text in values)
        return SettingRow(key=key, label=self.t(label), help=self.t(help), choices=choices)

    def value(self, key: str) -> Value:
        """What a row is set to."""
        if key.startswith(_SENSING):
            policy: Value = getattr(self.settings.sensing, key.removeprefix(_SENSING))
            return policy
        found: Value = getattr(self.settings, key)
        return found

    def set(self, key: str, value: Value) -> None:
        """Choose a value of a row."""
        if key.startswith(_SENSING):
            policies = replace(self.settings.sensing, **{key.removeprefix(_SENSING): value})
            self.change(sensing=policies)
        else:
            self.change(**{key: value})

    def change(self, **changes: Any) -> None:
        """Change settings and keep them. A disk in trouble is said; they hold until the app ends all the same."""
        raw = msgspec.to_builtins(replace(self.settings, **changes))
        try:
            self.settings = msgspec.convert(raw, Settings)
        except msgspec.ValidationError as error:
            raise Malformed(f"That is not a setting: {str(error).rstrip('.')}.") from error
        self.message = None
        try:
            write(self.file, self.settings)
        except DiskTrouble as error:
            self.message = self.trouble(error)
        self.changed()

    def remember_names(self, names: tuple[str, ...]) -> None:
        """Keep the people of this evening at the front."""
        kept = tuple(dict.fromkeys((*names, *self.settings.recent_names)))[:_NAMES_KEPT]
        if kept != self.settings.recent_names:
            self.change(recent_names=kept)


_YES_NO: tuple[tuple[Value, str], ...] = ((True, "On"), (False, "Off"))
_POLICIES: tuple[tuple[Value, str], ...] = (("auto", "Do it"), ("ask", "Ask"), ("off", "Off"))
_SENSED_WORDS: dict[Kind, tuple[str, str]] = {
    "placed": ("Pieces placed", "What happens when a piece is seen or felt to be put up."),
    "removed": ("Pieces removed", "What happens when a piece is seen or felt to be taken away."),
    "collapse": ("Collapses", "What happens when something falls."),
    "height": ("Heights", "What happens when a tower is measured."),
    "bump": ("Bumps", "What happens when the table is knocked."),
    "fault": ("Faults", "What happens when a sensor drops out or comes back."),
}
_ROWS: tuple[tuple[str, str, str, tuple[tuple[Value, str], ...]], ...] = (
    ("theme", "Theme", "Dark for the evening, light for the day.", (("dark", "Dark"), ("light", "Light"))),
    ("text_size", "Text size", "How large words and numbers are.",
     (("normal", "Normal"), ("large", "Large"), ("largest", "Largest"))),
    ("palette", "Seat colours", "Each seat also has a shape of its own.",
     (("standard", "Standard"), ("contrast", "High contrast"))),
    ("language", "Language", "The language of the screen.",
     (("", "That of this machine"), ("en", "English"), ("de", "Deutsch"))),
    ("turned", "Turn seats", "Each part of the table is turned toward its player.", _YES_NO),
    ("motion", "Motion", "Things move to show what happened.", _YES_NO),
    ("sound", "Sound", "Short sounds, never the only sign of anything.", _YES_NO),
    ("speech", "Speech", "Reads out whose move it is, where a voice is installed.", _YES_NO),
    ("draw", "Draw for us", "The companion rolls and draws without being asked each time.", _YES_NO),
    ("lock_min", "Screen lock", "After how many minutes without a touch the screen goes dark.",
     tuple((minutes, f"{minutes} min" if minutes else "Never") for minutes in _LOCK_MINUTES)),
    ("watch", "Live table", "What watches the castles of a game. A simulated table can always be looked at.",
     (("attached", "Devices"), ("simulated", "Simulated"), ("off", "Off"))),
    ("recording", "Camera recording", "Nothing leaves this machine; a mark shows while it records.",
     (("never", "Never"), ("ask", "When asked"))),
    *((f"{_SENSING}{kind}", *_SENSED_WORDS[kind], _POLICIES) for kind in KINDS),
)  # fmt: skip
