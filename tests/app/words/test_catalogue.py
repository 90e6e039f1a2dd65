"""The catalogues: nothing missing, nothing bent, and compiled as written."""

from __future__ import annotations

import re

import pytest

from companion.app.words import catalogue, po
from companion.app.words.po import Entry
from companion.app.words.templates import SCOPES, holes
from companion.errors import Malformed

_GERMAN = catalogue.read("de")


@pytest.fixture(scope="module")
def gaps() -> dict[str, list[str]]:
    return catalogue.gaps("de")


@pytest.mark.parametrize("scope", catalogue.COMPLETE)
def test_a_complete_scope_has_no_gap(scope: str, gaps: dict[str, list[str]]) -> None:
    assert gaps.get(scope, []) == []


def test_the_scopes_called_complete_exist_and_have_texts() -> None:
    sizes = catalogue.sizes()
    assert set(catalogue.COMPLETE) <= set(SCOPES)
    assert all(sizes[scope] > 50 for scope in catalogue.COMPLETE)


def test_a_text_nobody_has_translated_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    new = [Entry(id="The dragon attacks!", scopes=("castle-dukes",)), Entry(id="Not {0} yet.", scopes=("app",))]
    monkeypatch.setattr(catalogue, "source", lambda: new)
    assert catalogue.gaps("de") == {"app": ["Not {0} yet."]}


def test_holes_are_the_same_in_both_languages() -> None:
    bent = [entry.id for entry in _GERMAN for form in entry.forms if form and holes(form) != holes(entry.id)]
    assert bent == []


def test_ends_of_sentences_are_the_same_in_both_languages() -> None:
    """A question may become a statement with a colon; a button never becomes a sentence."""
    whole = [entry for entry in _GERMAN if entry.done and re.search(r"\w.* .*\w", entry.id)]
    bent = [entry.id for entry in whole if entry.id.endswith(".") != entry.forms[0].endswith(".")]
    assert bent == []


def test_spaces_at_the_ends_are_kept() -> None:
    def ends(text: str) -> tuple[bool, bool]:
        return text[:1] == " ", text[-1:] == " "

    assert [entry.id for entry in _GERMAN if entry.done and ends(entry.id) != ends(entry.forms[0])] == []


def test_a_case_is_asked_for_only_where_there_are_words_for_it() -> None:
    asked = {case for entry in _GERMAN for form in entry.forms for case in re.findall(r"\{\d+:(\w+)\}", form)}
    assert asked <= {entry.context for entry in _GERMAN if entry.context}


def test_the_compiled_catalogue_is_the_source() -> None:
    assert catalogue.path_of("de", "mo").read_bytes() == catalogue.compiled("de")


def test_what_is_compiled_reads_back() -> None:
    done = {(entry.context, entry.id): entry.forms for entry in _GERMAN if entry.done and not entry.stale}
    back = {(entry.context, entry.id): entry.forms for entry in po.decompiled(catalogue.compiled("de"))}
    assert back == done


def test_gettext_itself_reads_it() -> None:
    german = catalogue.load("de").gettext
    assert german.gettext("The dragon attacks!") == "Der Drache greift an!"
    assert german.ngettext("serf", "serfs", 2) == "Leibeigene"


def test_bringing_a_catalogue_up_to_date_keeps_translations_and_sets_old_ones_aside() -> None:
    old = [
        Entry(id="The dragon attacks!", forms=("Der Drache greift an!",)),
        Entry(id="Gone.", forms=("Weg.",)),
        Entry(id="Never done."),
    ]
    now = [Entry(id="The dragon attacks!", scopes=("castle-dukes",)), Entry(id="New.", scopes=("app",))]
    _, entries = po.parse(catalogue.updated("de", old, now))
    assert entries == [
        Entry(id="The dragon attacks!", forms=("Der Drache greift an!",), scopes=("castle-dukes",)),
        Entry(id="New.", forms=("",), scopes=("app",)),
        Entry(id="Gone.", forms=("Weg.",), stale=True),
    ]


def test_what_was_set_aside_comes_back_with_its_source() -> None:
    old = [Entry(id="Gone.", forms=("Weg.",), stale=True)]
    _, entries = po.parse(catalogue.updated("de", old, [Entry(id="Gone.", scopes=("app",))]))
    assert entries == [Entry(id="Gone.", forms=("Weg.",), scopes=("app",))]


def test_a_po_file_round_trips() -> None:
    entries = [
        Entry(id='say "so"', forms=('sag "so"\n',), scopes=("app", "shared")),
        Entry(id="serf", plural="serfs", context="acc", forms=("Leibeigenen", "Leibeigene")),
        Entry(id="back\\slash\ttab", forms=("",)),
    ]
    assert po.parse(po.write("Language: de\n", entries)) == ("Language: de\n", entries)


@pytest.mark.parametrize("line", ["msgid no quotes", 'word "text"', 'msgid "a" + "b"', "msgid 7"])
def test_a_bent_po_file_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(Malformed, match="A catalogue has a line"):
        po.parse(f'{line}\nmsgstr ""\n')


def test_garbage_is_no_compiled_catalogue() -> None:
    with pytest.raises(Malformed):
        po.decompiled(b"garbage, and more of it to read")
