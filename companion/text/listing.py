"""What is on the shelf, and everything a game knows: actions with their fields, options, rules and rulings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import cleandoc
from typing import Any

import msgspec
from msgspec import NODEFAULT, UNSET, Struct

from companion.rules.base import Action, Correction, Game, GameInfo, GameOption, Rule, Setup
from companion.text.paper import Grid, Paper

_REF = "#/$defs/"
_MANY_VALUES = 24
_CORRECTION_EXAMPLE = Correction(why="we forgot one", set={"seats/0": "North"})


class Field(Struct, frozen=True, kw_only=True):
    """A field of an action: what it takes, in words and as JSON schema."""

    name: str
    type: str
    required: bool
    schema: dict[str, Any]
    default: Any = UNSET
    values: tuple[Any, ...] = ()


class ActionEntry(Struct, frozen=True, kw_only=True):
    """One action of a game."""

    do: str
    doc: str
    fields: tuple[Field, ...]
    example: Any


class Listing(Struct, frozen=True, kw_only=True):
    """Everything there is to know about writing a script for a game. `types` are what fields are made of."""

    game: str
    title: str
    setup: dict[str, Any]
    options: tuple[GameOption, ...]
    actions: tuple[ActionEntry, ...]
    types: dict[str, Any]
    rules: tuple[Rule, ...]
    rulings: tuple[Rule, ...]


def listing(game: Game[Any]) -> Listing:
    """The listing of a game, made from its own types."""
    kinds: tuple[type[Action], ...] = (*game.action_types, Correction)
    schemas, types = msgspec.json.schema_components(kinds)
    examples: dict[type[Action], Action] = {type(one): one for one in (*game.examples, _CORRECTION_EXAMPLE)}
    own = {kind.__name__ for kind in kinds}
    return Listing(
        game=game.info.id,
        title=game.info.title,
        setup={"example": _setup_example(game.info), "schema": msgspec.json.schema(Setup)},
        options=game.info.options,
        actions=tuple(
            _action(kind, _resolved(schema, types), examples.get(kind))
            for kind, schema in zip(kinds, schemas, strict=True)
        ),
        types={name: schema for name, schema in types.items() if name not in own},
        rules=tuple(rule for rule in game.rulebook if not rule.ruling),
        rulings=tuple(rule for rule in game.rulebook if rule.ruling),
    )


def _setup_example(info: GameInfo) -> dict[str, Any]:
    seats = ["North", "East", "South", "West"][: max(2 if info.players[1] > 1 else 1, info.players[0])]
    return {"setup": {"seats": seats, "first": 0, "options": {option.key: option.default for option in info.options}}}


def _action(kind: type[Action], schema: dict[str, Any], example: Action | None) -> ActionEntry:
    parts = schema["properties"]
    return ActionEntry(
        do=str(kind.__struct_config__.tag),
        doc=cleandoc(kind.__doc__ or ""),
        fields=tuple(_field(field, parts[field.encode_name]) for field in msgspec.structs.fields(kind)),
        example=msgspec.to_builtins(example),
    )


def _field(field: msgspec.structs.FieldInfo, schema: dict[str, Any]) -> Field:
    default = field.default if field.default is not NODEFAULT else UNSET
    if field.default_factory is not NODEFAULT:
        default = field.default_factory()
    return Field(
        name=field.encode_name,
        type=words(schema),
        required=field.required,
        schema=schema,
        default=msgspec.to_builtins(default) if default is not UNSET else UNSET,
        values=tuple(_values(schema)),
    )


def _resolved(schema: dict[str, Any], types: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = types[schema["$ref"].removeprefix(_REF)] if "$ref" in schema else schema
    return found


def _values(schema: dict[str, Any]) -> Iterable[Any]:
    """The values a field is limited to, where they are listed."""
    yield from schema.get("enum", ())
    for part in schema.get("anyOf", ()):
        yield from _values(part)


def words(schema: dict[str, Any]) -> str:
    """What a schema takes, in a few words.

    >>> words({"type": "integer", "minimum": 0, "maximum": 7})
    'whole number 0 to 7'
    >>> words({"anyOf": [{"$ref": "#/$defs/Card"}, {"type": "null"}]})
    'Card or null'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REF)
    if "anyOf" in schema:
        return " or ".join(words(part) for part in schema["anyOf"])
    if "enum" in schema:
        return _one_of(schema["enum"])
    kind = str(schema.get("type", ""))
    return _WORDS[kind](schema) if kind in _WORDS else "anything"


def _one_of(values: list[Any]) -> str:
    shown = ", ".join(msgspec.json.encode(value).decode() for value in values[:_MANY_VALUES])
    return f"one of {shown}{', ...' if len(values) > _MANY_VALUES else ''}"


def _integer(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and high is None:
        return "whole number"
    return f"whole number {low} to {high}" if high is not None else f"whole number from {low}"


def _array(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"list of {len(schema['prefixItems'])}: {words(schema['prefixItems'][0])}"
    return f"list of {words(schema['items'])}" if schema.get("items") else "list"


def _object(schema: dict[str, Any]) -> str:
    keys, values = schema.get("propertyNames"), schema.get("additionalProperties")
    if not isinstance(values, dict) or not values:
        return "object"
    return f"object of {words(values)}" + (f" by {words(keys)}" if keys else "")


_WORDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "integer": _integer,
    "array": _array,
    "object": _object,
    "string": lambda _: "text",
    "boolean": lambda _: "true or false",
    "null": lambda _: "null",
    "number": lambda _: "number",
}


# For people


def show_games(paper: Paper, games: Iterable[Game[Any]]) -> None:
    """The shelf, one box a line, and what each can be played with."""
    infos = [game.info for game in games]
    rows = tuple((info.id, info.title, _span(info.players), _span(info.minutes), f"{info.age}+") for info in infos)
    paper.grid(Grid(head=("id", "title", "players", "minutes", "age"), rows=rows))
    for info in infos:
        paper.say()
        paper.say(f"{info.title}: {'; '.join(mode.label for mode in info.modes)}", style="title")
        for option in info.options:
            paper.say(f"  --set {option.key}={_choices(option)}  {option.text}")
        for sense, helps in info.senses.items():
            paper.say(f"  {sense}: {helps}", style="dim")


def _span(span: tuple[int, int]) -> str:
    return f"{span[0]}" if span[0] == span[1] else f"{span[0]}-{span[1]}"


def _choices(option: GameOption) -> str:
    """The values, the default marked."""
    return "|".join(f"{spelled(value)}{'*' if _same(value, option.default) else ''}" for value in option.values)


def _same(one: object, other: object) -> bool:
    return one == other and type(one) is type(other)


def spelled(value: object) -> str:
    """
    >>> spelled(True), spelled("full"), spelled(9)
    ('true', 'full', '9')
    """
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def show_rules(paper: Paper, entries: Listing) -> None:
    """The listing for people."""
    paper.say(f"{entries.title} ({entries.game})", style="title")
    paper.say("\nSet-up (first line of a script)", style="title")
    paper.say(f"  {_json(entries.setup['example'])}")
    paper.say("\nOptions", style="title")
    for option in entries.options:
        paper.say(f"  {option.key} = {_choices(option)}  {option.text}{f' ({option.rule})' if option.rule else ''}")
    paper.say("\nActions", style="title")
    for action in entries.actions:
        _show_action(paper, action)
    if entries.types:
        paper.say("\nTypes", style="title")
        for name, schema in entries.types.items():
            _show_type(paper, name, schema)
    _show_rules(paper, "Rules", entries.rules)
    _show_rules(paper, "Rulings (where the rulebook is silent or contradicts itself)", entries.rulings)


def _show_action(paper: Paper, action: ActionEntry) -> None:
    paper.say(f"  {action.do}", style="key")
    for line in action.doc.splitlines():
        paper.say(f"    {line}".rstrip())
    for field in action.fields:
        need = "required" if field.required else f"default {_json(field.default)}"
        paper.say(f"      {field.name}: {field.type} ({need})", style="dim")
    if action.example is not None:
        paper.say(f"    {_json(action.example)}")


def _show_type(paper: Paper, name: str, schema: dict[str, Any]) -> None:
    parts = schema.get("properties", {})
    fields = ", ".join(f"{key}: {words(part)}" for key, part in parts.items()) or words(schema)
    paper.say(f"  {name}", style="key")
    paper.say(f"    {fields}")


def _show_rules(paper: Paper, title: str, rules: tuple[Rule, ...]) -> None:
    if rules:
        paper.say(f"\n{title}", style="title")
    for rule in rules:
        option = f" [option {rule.option}]" if rule.option else ""
        paper.say(f"  {rule.id}: {rule.text} ({rule.cite}){option}")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
