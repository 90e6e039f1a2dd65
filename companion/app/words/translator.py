"""Says an English sentence of the rules in another language.

The rules speak English, and the journal keeps what they said. So a sentence is matched back to the template it was made
from: `North pays 2 coins.` to `{0} pays {1}.`, and what stands in its holes is said in turn. People's names stay as
they are. What matches nothing is shown in English and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.app.words.catalogue import Catalogue, load
from companion.app.words.po import Entry

_MOST_KEPT = 16384
_MOST_DEPTH = 12
_HOLE = re.compile(r"\{(\d+)(?::(\w+))?\}")
_TOKEN = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_½]{2}")
_AMOUNT = re.compile(r"([+-]?\d+) (.+)", re.DOTALL)
_NUMBERED = re.compile(r"(.+) ([+-]?[\d½]+|[+-]?\d+ / \d+|x\d+)", re.DOTALL)
_WRAPPED = re.compile(r"([\s:;,.+·-]*)(.*?)([\s:;,.!?]*)", re.DOTALL)
_BRACKETED = re.compile(r"(.*)(\()([^()]*)(\))", re.DOTALL)
_SEPARATORS = (": ", "; ", ", ", " and ", " or ", " + ", " / ", " · ", " x ", " = ")
_MOST_PAIRS = 6


class Said(NamedTuple):
    """A text said. `left` are the parts left in English, `hits` how many words and templates were found."""

    text: str
    left: tuple[str, ...] = ()
    hits: int = 0


class _Part(NamedTuple):
    """A piece of a translation: words, or a hole with the case its noun needs."""

    words: str
    hole: int = -1
    case: str = ""


class _Template(NamedTuple):
    """A sentence with holes: its fixed parts around them, and how to say it. `weight` is how much of it is fixed."""

    first: str
    middle: tuple[str, ...]
    last: str
    holes: tuple[int, ...]
    parts: tuple[_Part, ...]
    weight: int

    def fits(self, text: str) -> list[str] | None:
        """What stands in the holes, each as short as can be from the left."""
        if not (text.startswith(self.first) and text.endswith(self.last)):
            return None
        at, end = len(self.first), len(text) - len(self.last)
        values: list[str] = []
        for words in self.middle:
            found = text.find(words, at, end)
            if found < 0:
                return None
            values.append(text[at:found])
            at = found + len(words)
        return [*values, text[at:end]] if at <= end else None

    def fits_late(self, text: str) -> list[str]:
        """What stands in the holes of a text that fits, each as short as can be from the right."""
        at, end = len(self.first), len(text) - len(self.last)
        values: list[str] = []
        for words in reversed(self.middle):
            found = text.rfind(words, at, end)
            values.append(text[found + len(words) : end])
            end = found
        return [text[at:end], *reversed(values)]


class Translator:
    """One language. Made once; `say` remembers what it has said."""

    def __init__(self, language: str = "en", *, catalogue: Catalogue | None = None) -> None:
        self._catalogue = catalogue or load(language)
        self.language = self._catalogue.language
        self.unknown: Counter[str] = Counter()
        """Texts that matched nothing, by how often they were asked for anew."""
        self.left: Counter[str] = Counter()
        """Parts of known sentences that are no words of ours: names of people and of rooms."""
        self._said: dict[str, str] = {}
        self._parts: dict[tuple[str, str], Said] = {}
        self._names: frozenset[str] = frozenset()
        self._pieces: frozenset[str] = frozenset()
        self._plain: dict[str, str] = {}
        self._nouns: dict[tuple[str, str], tuple[str, str, bool]] = {}
        self._templates: dict[str, list[_Template]] = {}
        self._read(self._catalogue.entries)

    def say(self, text: str) -> str:
        """The text in this language. Never fails: what nobody has translated is said as it is."""
        known = self._said.get(text)
        if known is None:
            known = self._said[text] = self._anew(text)
            if len(self._said) > _MOST_KEPT or len(self._parts) > _MOST_KEPT:
                self._forget()
        return known

    def leave(self, names: Iterable[str], pieces: Iterable[str] = ()) -> None:
        """Names of this table's people, never to be translated, whatever they mean as words.

        `pieces` are the names printed on cards and tiles: they stay where the catalogue has no words for the whole.
        """
        self._names = frozenset(names)
        self._pieces = frozenset(pieces)
        self._forget()

    def _forget(self) -> None:
        self._said.clear()
        self._parts.clear()

    def many(self, one: str, many: str, count: int) -> str:
        """The form for a number: gettext's plural, or where the catalogue has the two forms apart, one of them."""
        said = self._catalogue.gettext.ngettext(one, many, count)
        return self._catalogue.gettext.gettext(said) if said in (one, many) else said

    def _anew(self, text: str) -> str:
        if not self._catalogue.entries:
            return text
        said = self._resolve(text, "", 0)
        if not said.hits and said.left:
            self.unknown[text] += 1
            return text
        self.left.update(said.left)
        return said.text

    # Finding

    def _resolve(self, text: str, case: str, depth: int) -> Said:
        """A text or a part of one, remembered: the readings of a long one share most of their parts."""
        known = self._parts.get((text, case))
        if known is None:
            known = self._parts[text, case] = self._read_as(text, case, depth)
        return known

    def _read_as(self, text: str, case: str, depth: int) -> Said:
        if not _LETTERS.search(text) or text in self._names:
            return Said(text)
        if found := self._word(text, case):
            return Said(found, (), 1)
        if text in self._pieces:
            return Said(text, (), 1)
        best = Said(text, (text,))
        if depth > _MOST_DEPTH:
            return best
        for said in self._readings(text, case, depth):
            if not said.left:
                return said
            if _is_better(said, best):
                best = said
        return best

    def _readings(self, text: str, case: str, depth: int) -> Iterator[Said]:
        """Every way to read a text, the likeliest first."""
        if amount := self._amount(text, case):
            yield amount
        yield from self._by_name(text, ": ", depth)
        yield from self._by_template(text, case, depth)
        lower = text[:1].lower() + text[1:]
        if lower != text:
            yield from (_capital(said) for said in self._by_template(lower, case, depth))
        yield from self._by_name(text, " ", depth)
        yield from self._by_shape(text, case, depth)

    def _word(self, text: str, case: str) -> str:
        """A whole text, or a noun by itself."""
        found = self._exact(text, case)
        if not found and text[:1].isupper():
            found = self._exact(text[:1].lower() + text[1:], case)
            found = found[:1].upper() + found[1:]
        return found

    def _exact(self, text: str, case: str) -> str:
        noun = self._nouns.get((case, text)) or self._nouns.get(("", text))
        if noun:
            return noun[0]
        return self._plain.get(text, "")

    def _amount(self, text: str, case: str) -> Said | None:
        """`2 ballistae`: the number decides the form, whatever English wrote."""
        found = _AMOUNT.fullmatch(text)
        if not found:
            return None
        number, word = found.groups()
        noun = self._nouns.get((case, word)) or self._nouns.get(("", word))
        if not noun:
            return None
        return Said(f"{number} {noun[0 if abs(int(number)) == 1 else 1]}", (), 1)

    def _by_name(self, text: str, mark: str, depth: int) -> Iterator[Said]:
        """Whose it is, then what: a line of the history."""
        name, found, rest = text.partition(mark)
        if found and name in self._names:
            said = self._resolve(rest, "", depth + 1)
            yield Said(f"{name}{mark}{said.text}", said.left, said.hits)

    def _by_template(self, text: str, case: str, depth: int) -> Iterator[Said]:
        tokens = {"", *_TOKEN.findall(text)}
        near = [template for token in tokens for template in self._templates.get(token, ())]
        for template in sorted(near, key=lambda template: -template.weight):
            values = template.fits(text)
            if values is None:
                continue
            said = self._filled(template, values, case, depth)
            yield said
            if said.left and template.middle and (late := template.fits_late(text)) != values:
                yield self._filled(template, late, case, depth)

    def _filled(self, template: _Template, found: list[str], case: str, depth: int) -> Said:
        """The translation with its holes said; the noun a phrase begins with takes the case of the phrase."""
        values = dict(zip(template.holes, found, strict=True))
        words: list[str] = []
        left: list[str] = []
        hits = 1
        for part in template.parts:
            if part.hole < 0:
                words.append(part.words)
                continue
            said = self._resolve(values[part.hole], part.case or ("" if part.hole else case), depth + 1)
            words.append(said.text)
            left += said.left
            hits += said.hits
        return Said("".join(words), tuple(left), hits)

    def _by_shape(self, text: str, case: str, depth: int) -> Iterator[Said]:
        """Texts put together without words: lists, numbered places, brackets, ends of sentences."""
        if found := _NUMBERED.fullmatch(text):
            said = self._resolve(found[1], case, depth + 1)
            yield Said(f"{said.text} {found[2]}", said.left, said.hits)
        if (found := _AMOUNT.fullmatch(text)) or (found := re.fullmatch(r"(x?\d+:?|\d+x) (.+)", text)):
            said = self._resolve(found[2], case, depth + 1)
            yield Said(f"{found[1]} {said.text}", said.left, said.hits)
        if found := _BRACKETED.fullmatch(text):
            yield self._joined([found[1], found[3]], found[2], case, depth, end=found[4])
        for separator in _SEPARATORS:
            if separator in text:
                yield self._joined(text.split(separator), separator, case, depth)
                yield from self._pairs(text.split(separator), separator, case, depth)
        wrapped = _WRAPPED.fullmatch(text)
        if wrapped and wrapped[2] and wrapped[2] != text:
            said = self._resolve(wrapped[2], case, depth + 1)
            yield Said(f"{wrapped[1]}{said.text}{wrapped[3]}", said.left, said.hits)

    def _joined(self, parts: list[str], separator: str, case: str, depth: int, end: str = "") -> Said:
        said = [self._resolve(part, case, depth + 1) for part in parts]
        text = self._plain.get(separator, separator).join(part.text for part in said) + end
        return Said(text, tuple(left for part in said for left in part.left), sum(part.hits for part in said))

    def _pairs(self, parts: list[str], separator: str, case: str, depth: int) -> Iterator[Said]:
        """A list of two things, of which one has the separator in it."""
        if 2 < len(parts) <= _MOST_PAIRS:
            for place in range(1, len(parts)):
                halves = [separator.join(parts[:place]), separator.join(parts[place:])]
                yield self._joined(halves, separator, case, depth)

    # Reading the catalogue

    def _read(self, entries: Iterable[Entry]) -> None:
        common = Counter(token for entry in entries for token in _fixed_words(entry.id))
        for entry in entries:
            if entry.plural:
                one, many = entry.forms[0], entry.forms[-1]
                self._nouns[entry.context, entry.id] = (one, many, True)
                self._nouns[entry.context, entry.plural] = (many, many, False)
            elif _HOLE.search(entry.id):
                key = min(_fixed_words(entry.id), key=lambda token: (common[token], token), default="")
                self._templates.setdefault(key, []).append(_template(entry))
            elif entry.context:
                self._nouns[entry.context, entry.id] = (entry.forms[0], entry.forms[0], True)
            else:
                self._plain[entry.id] = entry.forms[0]


def _is_better(said: Said, best: Said) -> bool:
    """Less left in English; of what is level, what came first stands."""
    length = sum(map(len, said.left)) - sum(map(len, best.left))
    return bool(said.hits) and (not best.hits or length < 0)


def _capital(said: Said) -> Said:
    return said._replace(text=said.text[:1].upper() + said.text[1:])


def _fixed_words(id: str) -> list[str]:
    """The words of a template that no hole can run into."""
    marked = _HOLE.sub("_\0_", id)
    return [word for word in re.findall(r"(?<![\w\0])[^\W_]+(?![\w\0])", marked) if word]


def _template(entry: Entry) -> _Template:
    fixed = _HOLE.split(entry.id)
    literals, holes = fixed[::3], tuple(int(hole) for hole in fixed[1::3])
    return _Template(
        first=literals[0],
        middle=tuple(literals[1:-1]),
        last=literals[-1],
        holes=holes,
        parts=tuple(_parts(entry.forms[0])),
        weight=sum(map(len, literals)) * 10 - len(holes),
    )


def _parts(text: str) -> Iterator[_Part]:
    at = 0
    for hole in _HOLE.finditer(text):
        yield _Part(text[at : hole.start()])
        yield _Part("", int(hole[1]), hole[2] or "")
        at = hole.end()
    yield _Part(text[at:])
