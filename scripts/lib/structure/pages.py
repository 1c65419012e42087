"""Lookups by texts in pages of the dashboard."""

import pathlib
import re

# Where pages are made of values of the model: a name in a text that is misspelt would be an empty cell.
PAGES = "Server/Sources/Dashboard"

# How often pages still look something up by a text, `["…"]`, and put nothing in place of what is missing, `?? ""`.
LOOKUPS_BY_TEXT = 5
EMPTY_DEFAULTS = 23


def lookups(folder: pathlib.Path, by_text: int, empty: int) -> list[str]:
    """Returns which of two counts of lookups in the files of a folder isn't as committed, as sentences."""
    source = "\n".join(
        line
        for file in sorted(folder.rglob("*.swift"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if not line.lstrip().startswith("//")
    )
    wrong = []
    counts = [
        ("LOOKUPS_BY_TEXT", 'a subscript ["…"]', len(re.findall(r'(?<=[\w)\]?!])\["', source)), by_text),
        ("EMPTY_DEFAULTS", 'a default ?? ""', len(re.findall(r'\?\? ""', source)), empty),
    ]
    for name, what, count, committed in counts:
        if count > committed:
            wrong.append(f"{folder.name} has {what} {count} times, {committed} is the most: use types of the model.")
        elif count < committed:
            wrong.append(f"{folder.name} has {what} only {count} times: lower {name}.")
    return wrong
