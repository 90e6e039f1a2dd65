"""Reads sentences out of Python source: every text a module can make, f-strings as templates with numbered holes.

`f"{name} pays {amount(coins, 'coin')}."` is read as `{0} pays {1}.`, and the `coin` in it as a word of its own. A part
that depends on a condition is read both ways, so that a catalogue holds whole sentences.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import product

_MOST_WAYS = 32
_HOLE = "\0"
_FIELD = re.compile(r"\{[^{}]*\}")

_LOOKUPS = frozenset({
    "get", "getattr", "hasattr", "setattr", "pop", "setdefault", "index", "count", "startswith", "endswith", "split",
    "removeprefix", "removesuffix", "partition", "rpartition", "replace", "strip", "rstrip", "lstrip", "TypeVar",
    "import_module", "joinpath", "encode", "decode", "sub", "compile", "fullmatch", "match", "search", "environ",
    "execute", "executescript", "pragma", "open", "touch_id", "getenv", "with_suffix", "with_name", "glob",
})  # fmt: skip
"""Calls whose strings are names of things in the program, never words for people."""


def read(source: str, ids: frozenset[str], *, fields: bool = True) -> list[str]:
    """Every text a module can make. `ids` are the keywords and calls whose strings are no words for people.

    With `fields` a string made for `str.format` is a template too; without, its fields stay as they are named.
    """
    reader = _Reader(ids, fields)
    reader.visit(ast.parse(source))
    return list(dict.fromkeys(reader.found))


def read_spoken(source: str, calls: frozenset[str]) -> list[str]:
    """The texts written as arguments of calls by these names, as they are."""
    made = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    spoken = (argument for node in made if _call_name(node.func) in calls for argument in node.args)
    return list(dict.fromkeys(text for argument in spoken for text in _written(argument)))


def _written(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for part in _alternatives(node):
        yield from _written(part)


def numbered(text: str) -> str:
    """Holes in the order they come.

    >>> numbered("\\0 pays \\0.")
    '{0} pays {1}.'
    """
    parts = text.split(_HOLE)
    return parts[0] + "".join(f"{{{hole}}}{part}" for hole, part in enumerate(parts[1:]))


class _Reader(ast.NodeVisitor):
    """Walks one module."""

    def __init__(self, ids: frozenset[str], fields: bool) -> None:
        self._ids = ids
        self._fields = fields
        self._locals: list[dict[str, list[ast.expr]]] = [{}]
        self._inlined: set[ast.expr] = set()
        self.found: list[str] = []

    # Where no words for people are

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        for side in (node.left, *node.comparators):
            self._visit_unless_plain(side)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.value, ast.Name) and node.value.id == "Literal":
            self.found.extend(_constants(node.slice))
            return
        self.visit(node.value)
        self._visit_unless_plain(node.slice)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                self._visit_unless_plain(key)
            self.visit(value)

    def visit_MatchValue(self, node: ast.MatchValue) -> None:
        pass

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit_annotation(node.annotation)
        if node.value is not None:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            self.visit(node.value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            if isinstance(part, ast.AnnAssign):
                self._visit_annotation(part.annotation)
                if part.value is not None:
                    self._visit_unless_plain(part.value)
            else:
                self.visit(part)

    def visit_Call(self, node: ast.Call) -> None:
        name = _call_name(node.func)
        plain = name in _LOOKUPS or name in self._ids
        self.visit(node.func)
        for argument in node.args:
            self._visit_unless_plain(argument) if plain else self.visit(argument)
        for keyword in node.keywords:
            self._visit_unless_plain(keyword.value) if keyword.arg in self._ids else self.visit(keyword.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        known = _assigned(node)
        self._locals.append(known)
        for value in _inlined(node, known):
            self._inlined.add(value)
        for part in node.body:
            self.visit(part)
        self._locals.pop()

    def _visit_unless_plain(self, node: ast.expr) -> None:
        """Go on below, but not into strings that stand here as ids."""
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            for part in node.elts:
                self._visit_unless_plain(part)
        elif isinstance(node, ast.IfExp):
            for part in (node.body, node.orelse):
                self._visit_unless_plain(part)
        elif not isinstance(node, ast.Constant | ast.JoinedStr):
            self.visit(node)

    def _visit_annotation(self, node: ast.expr) -> None:
        for part in ast.walk(node):
            if isinstance(part, ast.Subscript):
                self.visit_Subscript(part) if _is_literal(part) else None

    # Where they are

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and node not in self._inlined:
            self.found.append(_template(node.value) if self._fields else node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        if node not in self._inlined:
            self.found.extend(numbered(way) for way in self._ways(node))
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self._visit_below(part.value)

    def _visit_below(self, node: ast.expr) -> None:
        """Into the calls of a hole: its own alternatives are read already."""
        if isinstance(node, ast.IfExp):
            self.visit(node.test)
        for part in _alternatives(node) if _is_wordy(node) else ():
            self._visit_below(part)
        if isinstance(node, ast.JoinedStr):
            for value in node.values:
                if isinstance(value, ast.FormattedValue):
                    self._visit_below(value.value)
        elif not _is_wordy(node) and not isinstance(node, ast.Constant):
            self.visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        if node in self._inlined:
            self._visit_below(node.body)
            self._visit_below(node.orelse)
            return
        self.visit(node.body)
        self.visit(node.orelse)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Add) and _is_wordy(node):
            self.found.extend(numbered(way) for way in self._ways(node) if way != _HOLE)
            self._visit_below(node)
            return
        self.generic_visit(node)

    def _ways(self, node: ast.expr) -> list[str]:
        """What an expression may read, with a mark for each hole."""
        if isinstance(node, ast.Constant):
            return [_FIELD.sub(_HOLE, node.value) if isinstance(node.value, str) else str(node.value)]
        if isinstance(node, ast.JoinedStr):
            parts = [self._ways(_part(value)) for value in node.values]
            return _joined(parts)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_wordy(node):
            return _joined([self._ways(node.left), self._ways(node.right)])
        if isinstance(node, ast.Name) and node.id in self._locals[-1]:
            return self._kept_ways(node.id)
        if _is_wordy(node):
            return _unique(way for part in _alternatives(node) for way in self._ways(part))
        return [_HOLE]

    def _kept_ways(self, name: str) -> list[str]:
        """What a name of the function may read; within itself it is a hole."""
        values = self._locals[-1].pop(name)
        ways = _unique(way for value in values for way in self._ways(value))
        self._locals[-1][name] = values
        return ways


def _part(value: ast.expr) -> ast.expr:
    if isinstance(value, ast.FormattedValue):
        return value.value if value.format_spec is None else ast.Name(id="", ctx=ast.Load())
    return value


def _joined(parts: list[list[str]]) -> list[str]:
    """Every way through; where there are too many, what varies becomes a hole."""
    count = 1
    for place, ways in enumerate(parts):
        if count * len(ways) > _MOST_WAYS:
            parts[place] = [_HOLE]
        else:
            count *= len(ways)
    return _unique("".join(way) for way in product(*parts))


def _unique(ways: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(ways))


def _alternatives(node: ast.expr) -> tuple[ast.expr, ...]:
    if isinstance(node, ast.IfExp):
        return node.body, node.orelse
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        return tuple(node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return node.left, node.right
    return ()


def _is_wordy(node: ast.expr) -> bool:
    """Whether an expression chooses between texts, or puts them together."""
    return any(_is_text(part) or _is_wordy(part) for part in _alternatives(node))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _template(text: str) -> str:
    """A string made for `str.format`, as a template; any other as it is."""
    return numbered(_FIELD.sub(_HOLE, text))


def _constants(node: ast.AST) -> Iterator[str]:
    return (part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str))


def _is_literal(node: ast.Subscript) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "Literal"


def _call_name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _assigned(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """The texts a function keeps under a name of its own, where a sentence is made with that name."""
    used = {
        part.value.id
        for part in ast.walk(function)
        if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name)
    }
    found: dict[str, list[ast.expr]] = {}
    other: set[str] = set()
    for node in ast.walk(function):
        for name, value in _bindings(node):
            if name in used and value is not None and (_is_text(value) or _is_wordy(value)):
                found.setdefault(name, []).append(value)
            else:
                other.add(name)
    return {name: values for name, values in found.items() if name not in other}


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _bound(target, node.value)
    elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
        yield from _bound(node.target, None if isinstance(node, ast.AugAssign) else node.value)
    elif isinstance(node, ast.For | ast.comprehension):
        yield from _bound(node.target, None)
    elif isinstance(node, ast.arg):
        yield node.arg, None


def _bound(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple):
        for place, part in enumerate(target.elts):
            yield from _bound(part, _unpacked(value, place))


def _unpacked(value: ast.expr | None, place: int) -> ast.expr | None:
    """What a name in a row gets, where a row of texts is written out."""
    if isinstance(value, ast.Tuple) and place < len(value.elts):
        return value.elts[place]
    if isinstance(value, ast.IfExp):
        body, orelse = _unpacked(value.body, place), _unpacked(value.orelse, place)
        return ast.IfExp(test=value.test, body=body, orelse=orelse) if body and orelse else None
    return None


def _inlined(function: ast.FunctionDef, known: dict[str, list[ast.expr]]) -> Iterator[ast.expr]:
    """The texts under a name that nothing but sentences uses: they are read there, not by themselves."""
    held = {
        id(part.value)
        for part in ast.walk(function)
        if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name)
    }
    loose = {
        part.id
        for part in ast.walk(function)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and id(part) not in held
    }
    for name, values in known.items():
        if name not in loose:
            for value in values:
                yield from _texts(value)


def _texts(node: ast.expr) -> Iterator[ast.expr]:
    """A text and those it is put together from."""
    yield node
    for part in _alternatives(node):
        yield from _texts(part)
