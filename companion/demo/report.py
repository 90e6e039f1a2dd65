"""The demo on one page: its story in pictures, what the senses made of each act, and the score. One file, no links."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from companion import __version__
from companion.demo.chronicle import VERDICTS, Chronicle, Found, Moment, Shot
from companion.rules.scores import ScoreSheet
from companion.session.session import Session
from companion.session.trouble import told
from companion.text import sheets

PAGE = "report.html"

_MIME = {".jpg": "image/jpeg", ".png": "image/png"}
_STYLE = """
:root { color-scheme: light dark;
  --paper: #f6f1e7; --card: #fffdf8; --ink: #24211c; --soft: #6d665a; --rule: #ddd3c0; --accent: #9a4f12;
  --good: #2f6b3a; --bad: #a3301f; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #1b2027; --card: #232a33; --ink: #ece5d8; --soft: #a59d8f; --rule: #39424e; --accent: #e0a05a;
  --good: #86c48f; --bad: #ee8d7a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.55 system-ui, "Segoe UI", "Noto Sans", sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 60rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1, h2 { font-family: "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif; font-weight: 600;
  line-height: 1.15; letter-spacing: -0.01em; }
h1 { font-size: clamp(2.2rem, 6vw, 3.4rem); margin: 0 0 0.6rem; }
h2 { font-size: 1.7rem; margin: 3.5rem 0 1rem; }
.lead { font-size: 1.2rem; max-width: 42rem; margin: 0; }
.story + .lead { margin: 1rem 0; }
.soft { color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; margin: 2rem 0 0; padding: 0; background: var(--card);
  border: 1px solid var(--rule); border-radius: 8px; overflow: hidden; }
.facts div { flex: 1 1 11rem; padding: 0.9rem 1.1rem; border-right: 1px solid var(--rule); }
.facts div:last-child { border-right: 0; }
.facts dt { color: var(--soft); font-size: 0.85rem; }
.facts dd { margin: 0; font-size: 1.6rem; font-weight: 600; line-height: 1.3; }
.story { list-style: none; margin: 0; padding: 0; }
.story li { position: relative; padding: 0.35rem 0 0.35rem 4rem; }
.story time { position: absolute; left: 0; width: 3rem; color: var(--soft); text-align: right; }
.story p { margin: 0; }
.story .amiss { color: var(--bad); }
figure { margin: 0.8rem 0 1.6rem; }
figure img { display: block; width: 100%; height: auto; border-radius: 8px; }
figcaption { color: var(--soft); font-size: 0.9rem; padding-top: 0.4rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; background: var(--card); border-radius: 8px; overflow: hidden; }
th, td { text-align: left; padding: 0.5rem 0.8rem; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { color: var(--soft); font-weight: 500; font-size: 0.85rem; }
tr:last-child td { border-bottom: 0; }
.number { text-align: right; }
.number, .sensed, .doubtful, .misread, .missed, .skipped { white-space: nowrap; }
.total td { font-weight: 600; border-top: 2px solid var(--ink); }
.sensed { color: var(--good); } .doubtful { color: var(--accent); }
.misread, .missed, .skipped { color: var(--bad); }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--rule); color: var(--soft);
  font-size: 0.9rem; }
@media print { body { background: #fff; } figure { break-inside: avoid; } }
"""


def write(folder: Path, session: Session, chronicle: Chronicle) -> Path:
    """Write the pictures and the page; returns where the page is. Raises DiskTrouble."""
    page = folder / PAGE
    with told(folder):
        for moment in chronicle.story:
            for shot in moment.shots:
                (folder / shot.name).write_bytes(shot.data)
        page.write_text(html(session, chronicle), encoding="utf-8")
    return page


def result(session: Session) -> list[str]:
    """Who won, in lines."""
    return sheets.result_lines(session.score(), session.outcome())


def html(session: Session, chronicle: Chronicle) -> str:
    """The page."""
    body = "\n".join(
        part
        for section in (_head(session, chronicle), _story(chronicle), _score(session), _senses(chronicle), _foot())
        for part in section
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8" />\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1" />\n'
        f"<title>Castle Companion: the demo</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _head(session: Session, chronicle: Chronicle) -> Iterator[str]:
    yield "<h1>An evening that played itself</h1>"
    yield (
        '<p class="lead">Two castles on a simulated table, watched by a camera and by scales under each board. '
        "Everything below went through the same drivers, detectors and rules as at a real table.</p>"
    )
    call = "not called" if chronicle.call_ms is None else f"{chronicle.call_ms:.0f} ms"
    winners = " and ".join(session.cover.seats[seat] for seat in session.outcome().winners)
    facts = {
        "played in": _clock(chronicle.took_s),
        "acts the senses found": f"{chronicle.sensed} of {len(chronicle.found)}",
        "contact to call": call,
        "winner": winners,
    }
    yield '<dl class="facts">'
    yield from (f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items())
    yield "</dl>"


# The story


def _story(chronicle: Chronicle) -> Iterator[str]:
    open_list = False
    for moment in chronicle.story:
        if moment.title:
            yield "</ol>" if open_list else ""
            yield f'<h2>{escape(moment.title)}</h2>\n<ol class="story">'
            open_list = True
        else:
            yield f"<li><time>{_clock(moment.at_s)}</time><p>{escape(moment.caption)}{_amiss(chronicle, moment)}</p>"
            yield from map(_figure, moment.shots)
            yield "</li>"
    yield "</ol>" if open_list else ""


def _amiss(chronicle: Chronicle, moment: Moment) -> str:
    found = [each for each in chronicle.found if each.did == moment.caption and each.by_hand]
    return f' <span class="amiss">({VERDICTS[found[0].verdict]}, booked by hand)</span>' if found else ""


def _figure(shot: Shot) -> str:
    kind = _MIME[Path(shot.name).suffix]
    source = f"data:{kind};base64,{b64encode(shot.data).decode()}"
    title = escape(shot.title)
    return f'<figure><img src="{source}" alt="{title}" /><figcaption>{title}</figcaption></figure>'


def _clock(seconds: float) -> str:
    """
    >>> _clock(83.4)
    '1:23'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


# The senses


def _senses(chronicle: Chronicle) -> Iterator[str]:
    yield "<h2>What the senses made of it</h2>"
    yield (
        '<p class="soft">Latency is from the true contact on the simulated table to the moment the question lay on '
        "the desk. What was missed or misread was booked by hand, and is told here.</p>"
    )
    head = ("At", "What was done", "What was sensed", "By", "Sure", "Latency", "Verdict")
    numbers = (0, 4, 5)
    yield from _table(head, map(_found_row, chronicle.found), numbers)
    if chronicle.notes:
        yield "<h2>What else went amiss</h2>"
        yield "<ul>"
        yield from (f"<li>{escape(note)}</li>" for note in chronicle.notes)
        yield "</ul>"


def _found_row(found: Found) -> tuple[str, ...]:
    return (
        _clock(found.at_s),
        escape(found.did),
        escape(found.told) or "nothing",
        ", ".join(found.senses),
        "" if found.confidence is None else f"{found.confidence:.0%}",
        "" if found.latency_ms is None else f"{found.latency_ms:.0f} ms",
        f'<span class="{found.verdict}">{VERDICTS[found.verdict]}</span>',
    )


# The score


def _score(session: Session) -> Iterator[str]:
    """The sheet ends the story: it stands under the last of its titles."""
    sheet = session.score()
    yield f'<p class="lead">{escape(session.outcome().text)}</p>'
    head = ("", *(escape(name) for name in sheet.names), "Why")
    rows = [*_score_rows(sheet), ("Total", *map(str, sheet.totals), "")]
    yield from _table(head, rows, range(1, len(sheet.names) + 1), total=True)


def _score_rows(sheet: ScoreSheet) -> Iterator[tuple[str, ...]]:
    for key in sheet.keys:
        lines = sheets.of(sheet, key)
        if any(line.points for line in lines):
            whys = "; ".join(f"{sheet.names[line.seat]}: {line.why}" for line in lines)
            yield (
                escape(lines[0].label),
                *(str(line.points) for line in lines),
                f'<span class="soft">{escape(whys)}</span>',
            )


def _table(
    head: Sequence[str], rows: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]], numbers: Sequence[int],
    *, total: bool = False,
) -> Iterator[str]:  # fmt: skip
    """A table; cells are HTML already. With `total` the last row is one."""
    yield '<div class="wide"><table>'
    yield f"<thead>{_row('th', head, numbers)}</thead><tbody>"
    lines = list(rows)
    for at, cells in enumerate(lines):
        yield _row("td", cells, numbers, "total" if total and at == len(lines) - 1 else "")
    yield "</tbody></table></div>"


def _row(tag: str, cells: Sequence[str], numbers: Sequence[int], kind: str = "") -> str:
    inner = "".join(
        f'<{tag} class="number">{cell}</{tag}>' if at in numbers else f"<{tag}>{cell}</{tag}>"
        for at, cell in enumerate(cells)
    )
    return f'<tr class="{kind}">{inner}</tr>' if kind else f"<tr>{inner}</tr>"


def _foot() -> Iterator[str]:
    yield (
        f"<footer>Made by <code>companion demo</code>, Castle Companion {escape(__version__)}. "
        "The table, its hands and its pieces are simulated; room cards are practice cards of our own.</footer>"
    )
