"""`python -m companion.app.words` brings the catalogues up to date with the source and says what is not translated."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from companion.app.words.catalogue import LANGUAGES, SOURCE_LANGUAGE, extract, gaps


def main() -> None:
    """Bring every catalogue up to date, then list its gaps."""
    extract()
    sys.stdout.writelines(f"{line}\n" for line in _report())


def _report() -> Iterator[str]:
    for language in LANGUAGES:
        if language != SOURCE_LANGUAGE:
            missing = gaps(language)
            yield f"{language}: {sum(map(len, missing.values())) or 'no'} gaps"
            yield from (f"  {scope}: {text}" for scope, texts in missing.items() for text in texts)


if __name__ == "__main__":
    main()
