"""The texts of the site's frame in other languages: assets/LANGUAGE.json, by the English text."""

import json
import pathlib
import re

from . import navigation
from .languages import LANGUAGES

HERE = pathlib.Path(__file__).parent
SAID = re.compile(r"""\b(?:say|text)\((["'])((?:(?!\1)[^\\]|\\.)*)\1""")


class Texts:
    """What the frame says in a language."""

    def __init__(self, language):
        self.language = language
        known = (
            json.loads((HERE / f"assets/{language}.json").read_text(encoding="utf-8")) if language in LANGUAGES else {}
        )
        self.texts, self.keywords = known.get("texts", {}), known.get("keywords", {})

    def __call__(self, text, *values):
        said = self.texts.get(text, text)
        for number, value in enumerate(values, 1):
            said = said.replace(f"{{{number}}}", str(value))
        return said

    def script(self):
        """The texts that the site's scripts say, as a script."""
        wanted = {text: self.texts[text] for text in sorted(scripts()) if text in self.texts}
        return "window.texts=" + json.dumps(wanted, ensure_ascii=False, separators=(",", ":")) + ";\n"


def scripts():
    return {
        text for path in (HERE / "assets").glob("*.js") for _, text in SAID.findall(path.read_text(encoding="utf-8"))
    }


def wanted():
    """Every text of the frame: those of the program, of the scripts, and of the navigation."""
    said = {text for path in HERE.glob("*.py") for _, text in SAID.findall(path.read_text(encoding="utf-8"))}
    for section in navigation.SECTIONS:
        said |= {section.label, *(group.label for group in section.groups), *(entry.label for entry in section.entries)}
    return said | scripts()


def check(findings):
    """Each language has every text of the frame, and no other."""
    for language in LANGUAGES:
        name, texts = f"scripts/lib/docsite/assets/{language}.json", Texts(language).texts
        for text in sorted(wanted() - set(texts)):
            findings.add(name, f"lacks “{text}”")
        for text in sorted(set(texts) - wanted()):
            findings.add(name, f"has “{text}”, which the site doesn't say")
        if list(texts) != sorted(texts):
            findings.add(name, "isn't sorted")
