"""Holds docs/security.md to the proof that it names."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]

# Where tests are, and the checks that every store has to pass.
TESTS = ["Tests", "Server/Tests", "Server/Sources/CardStoreConformance"]


def topics_of(root):
    """The topics of attacks that there are, by their files."""
    folder = root / "scripts/lib/security/topics"
    return sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("__"))


def sentences(root, suite):
    """The sentences of a suite's tests or checks, by the name of its file."""
    texts = [path.read_text() for folder in TESTS for path in (root / folder).rglob(suite + ".swift")]
    text = "\n".join(texts)
    found = re.findall(r'(?:@Test|ConformanceCheck)\(\s*"((?:[^"\\]|\\.)*)"', text)
    return [sentence.replace('\\"', '"') for sentence in found] + re.findall(r"func `([^`]+)`", text)


def missing_tests(text, root):
    """The tests that a text names, as `Suite: sentence`, and that there are not. A sentence may be cut off by “…”."""
    for suite, named in re.findall(r"`(\w+(?:Tests|Checks)): ([^`]+)`", text):
        of_suite = sentences(root, suite)
        fitting = {sentence for sentence in of_suite if sentence.startswith(named.removesuffix("…"))}
        if named.endswith("…") and len(fitting) > 1:
            yield f"docs/security.md names “{named}” of {suite}, which {len(fitting)} tests begin with"
        elif not fitting or not named.endswith("…") and named not in of_suite:
            yield f"docs/security.md names “{named}” of {suite}, which is no test"


def problems(topics=None, root=ROOT):
    """What the document names and what is not there: topics of attacks, tests, sources, scripts."""
    text = (root / "docs/security.md").read_text()
    topics = topics_of(root) if topics is None else topics
    found = [
        f"docs/security.md names the attacks {name}, which are no topic"
        for name in re.findall(r"`attacks: (\w+)`", text)
        if name not in topics
    ]
    for path in re.findall(r"`((?:Server|Sources|Tests|scripts|\.ci)/[\w./+-]+)`", text):
        if not (root / path).exists():
            found.append(f"docs/security.md names {path}, which does not exist")
    found += missing_tests(text, root)
    for name in topics:
        if f"`attacks: {name}`" not in text:
            found.append(f"docs/security.md says of no requirement that the attacks {name} prove it")
    return found
