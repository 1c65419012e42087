"""Translations of the Markdown: where they stand, what they were made of, and what each has to have.

A translation begins with a comment that names its original and the Git object that was translated, so that
`git diff OBJECT FILE` shows what changed since:

    <!-- translation of docs/keys.md at 1a2b3c4d5e6f -->

usage: python -m docsite.translations [--update [FILE…]]; see scripts/check-docs
"""

import hashlib
import html
import json
import pathlib
import posixpath
import re
import sys
from collections import Counter
from urllib.parse import unquote

from markdown_it import MarkdownIt

from . import catalog
from .checks import Findings
from .languages import original_of, path_of, sources
from .markdown import OUTSIDE, plain, slug

ROOT = pathlib.Path(__file__).resolve().parents[3]
LABELS = ROOT / "Server/Sources/Dashboard/Assets"
STAMP = re.compile(r"\A<!-- translation of (\S+) at ([0-9a-f]{12}) -->\n\n?")
# What no language but English writes: in Japanese, a mark of ASCII behind a letter, or a space between letters.
FOREIGN = {"ja": re.compile(r"[ぁ-んァ-ヶー一-龠](?:[.,:!?;]| (?=[ぁ-んァ-ヶ一-龠]))")}
# A text of so many Latin letters, and none of the language, that it has been left in English.
UNTRANSLATED = {"ja": re.compile(r"(?=(?:[^a-zA-Z]*[a-zA-Z]){40})[^ぁ-んァ-ヶ一-龠]*\Z")}
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


# What a translation was made of.


def object_name(content):
    """The beginning of the name that Git gives to the content of a file."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()[:12]


def stamped(text, original, content):
    """A translation that says what it was made of."""
    return f"<!-- translation of {original} at {object_name(content)} -->\n\n" + STAMP.sub("", text)


def check_stamp(name, text, original, content, findings):
    """A translation says of what it was made, and that is still its original."""
    match = STAMP.match(text)
    if not match or match[1] != original:
        findings.add(
            name, f"doesn't say that it translates {original}: run scripts/check-docs --translations --update {name}"
        )
    elif match[2] != object_name(content):
        findings.add(
            name,
            f"translates another {original}. See git diff {match[2]} {original}, and then run scripts/check-docs"
            f" --translations --update {name}",
        )


# What a translation has to have.


class Section:
    """What stands below a heading and is the same in every language."""

    def __init__(self, level, title):
        self.level, self.title = level, title
        self.code, self.links, self.images, self.emphasized, self.counts = set(), set(), [], [], Counter()
        self.loose, self.words, self.texts = [], [], []


def emphasized(children):
    """The texts of inline tokens that stand out, such as labels of the dashboard."""
    found, depth = [], 0
    for token in children:
        if token.type in ("strong_open", "em_open"):
            depth += 1
            found.append("")
        elif token.type in ("strong_close", "em_close"):
            depth -= 1
        elif depth and token.type in ("text", "code_inline", "softbreak"):
            found[-1] += token.content or " "
    return [part.strip() for text in found for part in text.split("▸")]


class Outline:
    """A Markdown file by its sections."""

    COUNTED = {
        "list_item_open": "list items",
        "tr_open": "rows of tables",
        "fence": "blocks of code",
        "code_block": "blocks of code",
    }

    def __init__(self, root, source, text):
        self.root, self.source, self.sections = root, source, [Section(0, "the beginning")]
        tokens = (
            MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).parse(COMMENT.sub("", text))
        )
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                self.sections.append(Section(int(token.tag[1]), plain(tokens[index + 1].children)))
            section = self.sections[-1]
            if token.type in self.COUNTED:
                section.counts[self.COUNTED[token.type]] += 1
            if token.type == "inline":
                self.read(section, token.children, is_heading=tokens[index - 1].type == "heading_open")

    def read(self, section, children, is_heading):
        words = [token.content for token in children if token.type == "text"]
        section.words += words
        # A heading may be an address, and what stands out in an English text is the title of a book.
        if not is_heading and not any(token.type == "em_open" for token in children):
            section.texts.append(" ".join(words))
        section.emphasized += emphasized(children)
        for token in children:
            if token.type == "code_inline":
                section.code.add(" ".join(token.content.split()))
            elif token.type == "link_open":
                section.links.add(self.resolved(token.attrGet("href")))
            elif token.type == "text" and "**" in token.content:
                section.loose.append(token.content)
            elif token.type == "image":
                section.images.append(posixpath.basename(token.attrGet("src")))

    def resolved(self, link):
        """Where a link leads, whatever the language: a file in English, and the number of one of its headings."""
        if OUTSIDE.match(link):
            return link
        path, _, anchor = unquote(link).partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(self.source), path)) if path else self.source
        place = ""
        if anchor and (self.root / target).is_file():
            anchors = anchors_of((self.root / target).read_text(encoding="utf-8"))
            place = f"#{anchors.index(anchor)}" if anchor in anchors else f"#{anchor}"
        return original_of(target)[0] + place


def anchors_of(text):
    """The anchors of a file's headings, in order."""
    tokens, taken, found = MarkdownIt("commonmark").enable("table").parse(COMMENT.sub("", text)), set(), []
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            found.append(slug(plain(tokens[index + 1].children), taken))
    return found


def blocks(text):
    """The blocks of code of a text, each with its language."""
    return [
        (token.info, token.content)
        for token in MarkdownIt("commonmark").parse(text)
        if token.type in ("fence", "code_block")
    ]


def check_content(root, name, text, original, content, labels, findings):
    """A translation has all of its original: its headings, code, links, pictures, lists and tables, section by section,
    and the labels of the dashboard in its language."""
    if blocks(text) != blocks(content):
        findings.add(name, "has other blocks of code than its original")
    theirs, ours = Outline(root, original, content).sections, Outline(root, name, text).sections
    if [section.level for section in ours] != [section.level for section in theirs]:
        findings.add(name, "has other headings than its original")
        return
    for here, there in zip(ours, theirs):
        place = f"{name}: {here.title}"
        for kind in ("code", "links"):
            for missing in sorted(getattr(there, kind) - getattr(here, kind)):
                findings.add(place, f"lacks {missing}, which its original has")
            for more in sorted(getattr(here, kind) - getattr(there, kind)):
                findings.add(place, f"has {more}, which its original hasn't")
        if here.images != there.images:
            findings.add(place, "has other pictures than its original")
        for kind in set(here.counts) | set(there.counts):
            if here.counts[kind] != there.counts[kind]:
                findings.add(place, f"has {here.counts[kind]} {kind}, and its original {there.counts[kind]}")
        for text in here.loose:
            findings.add(place, f"has asterisks that nothing closes, since punctuation stands beside them: {text}")
        check_labels(place, here, there, labels, findings)
        check_marks(place, here, original_of(name)[1], findings)


def check_marks(place, here, language, findings):
    """The text has the punctuation of its language."""
    for text in here.words:
        if match := FOREIGN[language].search(text):
            findings.add(
                place,
                "has punctuation or a space of another language:"
                f" {text[max(0, match.start() - 10) : match.end() + 10]}",
            )
    for text in here.texts:
        if UNTRANSLATED[language].match(text):
            findings.add(place, f"has a text in English: {text[:60]}")


def check_labels(place, here, there, labels, findings):
    """A label that the original names is named as the dashboard has it in the language of the translation."""
    said = " ".join(here.emphasized)
    for label in there.emphasized:
        known = labels.get(label.replace("'", "’"))
        if known and label[:1].isupper() and not any(text in said for text in known):
            findings.add(place, f"doesn't name “{label}” as the dashboard does: {known[0]}")


def labels_of(language):
    """The labels of the dashboard, each with what it is in a language; one that is two words there has both."""
    texts, found = json.loads((LABELS / f"{language}.json").read_text(encoding="utf-8"))["texts"], {}
    for key, text in texts.items():
        found.setdefault(html.unescape(re.sub(r" \[[^]]*\]$", "", key)), []).append(html.unescape(text).strip("\u2060"))
    return found


def check_links(root, name, text, findings):
    """A translation leads to translations where there are any."""
    _, language = original_of(name)
    for link in re.findall(r"\]\(([^)\s]+)\)", COMMENT.sub("", text)):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), link.partition("#")[0]))
        if (
            OUTSIDE.match(link)
            or link.startswith("#")
            or not target.endswith(".md")
            or original_of(target)[1] == language
        ):
            continue
        if (root / path_of(target, language)).is_file() and original_of(name)[0] != target:
            findings.add(name, f"leads to {target}, of which there is {path_of(target, language)}")


def check(root, findings):
    """Looks at every translation. Returns how many there are."""
    found = sources(root)
    for name in found:
        original, language = original_of(name)
        if not (root / original).is_file():
            findings.add(name, f"there is no {original}")
            continue
        text, content = (root / name).read_text(encoding="utf-8"), (root / original).read_bytes()
        check_stamp(name, text, original, content, findings)
        check_content(root, name, text, original, content.decode(), labels_of(language), findings)
        check_links(root, name, text, findings)
    return len(found)


def update(root, names):
    """Writes into translations that they are of their originals as these are now."""
    for name in names or sources(root):
        original, language = original_of(name)
        if language == "en" or not (root / original).is_file():
            raise SystemExit(f"{name} is no translation.")
        path = root / name
        path.write_text(
            stamped(path.read_text(encoding="utf-8"), original, (root / original).read_bytes()), encoding="utf-8"
        )


def main():
    if sys.argv[1:2] == ["--update"]:
        update(ROOT, sys.argv[2:])
    findings = Findings()
    catalog.check(findings)
    count = check(ROOT, findings)
    findings.end()
    print(f"{count} translations are of what their originals say now.")


if __name__ == "__main__":
    main()
