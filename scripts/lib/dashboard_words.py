"""The texts of the dashboard's buttons and links in the language of a member, from the catalog that the server has."""

import html
import json
import pathlib

CATALOG = pathlib.Path(__file__).resolve().parents[2] / "Server/Sources/Dashboard/Assets/ja.json"


class Words:
    """Gives the text that stands on a page for an English one."""

    def __init__(self, language):
        self.language = language
        self.texts = {}
        if language == "ja":
            catalog = json.loads(CATALOG.read_text(encoding="utf-8"))
            self.texts = {html.unescape(key): html.unescape(text) for key, text in catalog["texts"].items()}

    def __call__(self, english, *arguments):
        if english.startswith("+ ") and english not in self.texts:
            # A button that adds what has a name of its own.
            return f"+ {self(english[2:])}"
        text = english if self.language == "en" else self.texts[english]
        for number, argument in enumerate(arguments, 1):
            text = text.replace(f"{{{number}}}", argument)
        return text
