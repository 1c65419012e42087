"""Pages from the Markdown of the repository, which stays as a forge shows it."""

import html
import posixpath
import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from . import code, navigation
from .catalog import Texts
from .languages import NAMES, original_of
from .page import Heading, Page

CHECKBOX = re.compile(r"^\[([ x])\] ")
# A line that leads to the file in another language; the site has a switch for that.
SWITCH = re.compile(rf"^\[(?:{'|'.join(NAMES.values())})\]\([^)]*\)\n\n", re.MULTILINE)
OUTSIDE = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def slug(text, taken):
    """The anchor of a heading, as forges make it; a second one of the same text gets a number."""
    base = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
    anchor, number = base, 0
    while anchor in taken:
        number += 1
        anchor = f"{base}-{number}"
    taken.add(anchor)
    return anchor


def plain(tokens):
    """The text of inline tokens, without their marks."""
    parts = []
    for token in tokens or []:
        if token.type in ("text", "code_inline"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type == "image":
            parts.append(plain(token.children))
    return "".join(parts)


def relative(target, base):
    """The way from one page of the site to another address of it."""
    return posixpath.relpath(target, posixpath.dirname(base) or ".")


class Renderer:
    """Renders one file. What it links to in the repository and isn't a page goes to `files`, which are copied; a link
    to nothing stays, for the checks."""

    def __init__(self, source, address, is_page, is_file, files):
        self.source, self.address, self.is_page, self.is_file, self.files = source, address, is_page, is_file, files
        self.language = original_of(source)[1]
        self.say = Texts(self.language)
        self.markdown = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable(
            ["table", "strikethrough"]
        )
        self.markdown.add_render_rule("fence", lambda _, *values: self.fence(*values))
        self.markdown.add_render_rule("code_block", lambda _, *values: self.fence(*values))
        self.markdown.add_render_rule("table_open", lambda *_: self.table())
        self.markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")
        self.headings, self.tables = [], 0

    def table(self):
        """The frame of a table, which can be moved sideways by the keyboard where it is wider than the window."""
        self.tables += 1
        return (
            f'<div class="table" role="region" tabindex="0" aria-label="{self.say("Table {1}", self.tables)}"><table>\n'
        )

    def fence(self, tokens, index, options, env):
        token = tokens[index]
        return code.block(token.content, token.info.split()[0] if token.info.strip() else "", copy=self.say("Copy"))

    def resolved(self, link, is_image=False):
        """Where a link of the file leads in the site."""
        if OUTSIDE.match(link) or link.startswith("#"):
            return link
        path, mark, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(self.source), path))
        if self.is_page(target):
            return relative(navigation.address(target), self.address) + mark + anchor
        if not self.is_file(target):
            return link
        place = ("images/" if is_image else "files/") + target.removeprefix("docs/images/").replace("/", "-")
        self.files[place] = target
        return relative(place, self.address) + mark + anchor

    def adjust_inline(self, tokens):
        for token in list(tokens):
            if token.type == "link_open":
                self.mark_language(tokens, token)
                token.attrSet("href", self.resolved(token.attrGet("href")))
                if OUTSIDE.match(token.attrGet("href")):
                    token.attrSet("rel", "noreferrer")
            elif token.type == "image":
                token.attrSet("src", self.resolved(token.attrGet("src"), is_image=True))
                token.attrSet("loading", "lazy")

    def mark_language(self, tokens, token):
        """Says of a link of a translation that it leads to English."""
        path = token.attrGet("href").partition("#")[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(self.source), path))
        if self.language == "en" or not path or not self.is_page(target) or original_of(target)[1] != "en":
            return
        token.attrSet("hreflang", "en")
        end = next(place for place in range(tokens.index(token), len(tokens)) if tokens[place].type == "link_close")
        tokens.insert(
            end + 1, Token("html_inline", "", 0, content=f'<small class="foreign">{self.say("in English")}</small>')
        )

    def page(self, text):
        # Comments and the few tags that a forge needs are no part of a page.
        text = SWITCH.sub("", re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL))
        tokens = self.markdown.parse(text)
        taken, current = set(), None
        for index, token in enumerate(tokens):
            if token.type == "inline":
                self.adjust_inline(token.children)
                opener = tokens[index - 1]
                if opener.type == "heading_open":
                    title = CHECKBOX.sub("", plain(token.children))
                    level = int(opener.tag[1])
                    current = Heading(level, slug(plain(token.children), taken), title)
                    self.headings.append(current)
                    opener.attrSet("id", current.anchor)
                    self.mark_heading(token, current, level)
                elif current:
                    current.text += " " + plain(token.children)
                self.tick(tokens, index, token)
            elif token.type in ("fence", "code_block") and current:
                current.text += " " + token.content
        return self.markdown.renderer.render(tokens, self.markdown.options, {})

    def mark_heading(self, token, heading, level):
        """Puts a link to itself behind a heading, for copying."""
        if level == 1 or not token.children:
            return
        label = html.escape(self.say("Link to “{1}”", heading.title), quote=True)
        token.children.append(
            Token(
                "html_inline", "", 0, content=f'<a class="anchor" href="#{heading.anchor}" aria-label="{label}">#</a>'
            )
        )

    @staticmethod
    def tick(tokens, index, token):
        """Turns the boxes of a task list into marks."""
        first = token.children[0] if token.children else None
        if first is None or first.type != "text" or not (match := CHECKBOX.match(first.content)):
            return
        first.content = ("✓ " if match[1] == "x" else "○ ") + first.content[match.end() :]


def page(root, source, is_page, files):
    """The page of a Markdown file."""
    address = navigation.address(source)
    renderer = Renderer(source, address, is_page, lambda path: (root / path).is_file(), files)
    body = renderer.page((root / source).read_text(encoding="utf-8"))
    headings = renderer.headings
    title = headings[0].title if headings else source
    original, language = original_of(source)
    made = Page(
        address,
        title,
        body,
        headings,
        source=source,
        language=language,
        original="" if language == "en" else navigation.address(original),
    )
    if source.startswith("docs/decisions/") and not source.endswith("README.md"):
        made.kind, made.weight, made.parent = "Decision", 0.5, "decisions/index.html"
    elif source == "CHANGELOG.md":
        made.kind, made.weight = "Changelog", 0.4
    elif original in ("docs/README.md", "README.md"):
        made.weight = 0.5
    elif source == "docs/uikit-subset.md":
        made.kind, made.weight, made.indexed_depth = "Reference", 0.5, 2
    return made
