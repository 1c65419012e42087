"""Holds docs/security.md to the proof that it names."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]


def problems(topics):
    """What the document names and what is not there: topics of attacks, tests, sources, scripts."""
    text = (ROOT / "docs/security.md").read_text()
    found = [
        f"docs/security.md names the attacks {name}, which are no topic"
        for name in re.findall(r"`attacks: (\w+)`", text)
        if name not in topics
    ]
    for path in re.findall(r"`((?:Server|Sources|Tests|scripts|\.ci)/[\w./+-]+)`", text):
        if not (ROOT / path).exists():
            found.append(f"docs/security.md names {path}, which does not exist")
    for name in topics:
        if f"`attacks: {name}`" not in text:
            found.append(f"docs/security.md says of no requirement that the attacks {name} prove it")
    return found
