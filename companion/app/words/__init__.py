"""The app's words: gettext catalogues, and a translator for what the rules say in English.

`_` and `ngettext` speak the language in use; `use` changes it while the app runs and tells whoever has subscribed.
"""

from companion.app.words.catalogue import COMPLETE, LANGUAGES, extract, gaps
from companion.app.words.speaking import _, current, leave, ngettext, preferred, printed, subscribe, use
from companion.app.words.translator import Translator

__all__ = [
    "COMPLETE", "LANGUAGES", "Translator", "_", "current", "extract", "gaps", "leave", "ngettext", "preferred",
    "printed", "subscribe", "use",
]  # fmt: skip
