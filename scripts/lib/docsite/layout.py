"""The frame around each page: header, navigation, table of contents, previous and next, footer."""

import html
import pathlib
import re
import string

from . import navigation
from .markdown import relative

TEMPLATE = string.Template((pathlib.Path(__file__).parent / "assets/page.html").read_text(encoding="utf-8"))
DEEPEST_CONTENT = 3
LONGEST_CONTENTS = 60


class Site:
    """All pages, and the order in which they are read."""

    def __init__(self, pages, version):
        self.pages, self.version = {page.address: page for page in pages}, version
        self.children = {}
        for page in pages:
            if page.parent:
                self.children.setdefault(page.parent, []).append(page)
        self.labels, self.section_of, self.order = {}, {}, []
        for section in navigation.SECTIONS:
            for entry in section.entries:
                self.add(section, self.address_of(entry), entry.label)

    @staticmethod
    def address_of(entry):
        return navigation.address(entry.source) if entry.source.endswith(".md") else entry.source

    def add(self, section, address, label):
        if address not in self.pages:
            return
        self.labels[address], self.section_of[address] = label, section
        self.order.append(address)
        for child in self.children.get(address, []):
            self.add(section, child.address, child.label or child.title)

    def ancestors(self, page):
        """The pages above a page, the nearest first."""
        found = []
        while page.parent and page.parent in self.pages:
            page = self.pages[page.parent]
            found.append(page.address)
        return found

    def first_of(self, section):
        return next(self.address_of(entry) for entry in section.entries if self.address_of(entry) in self.pages)


def breakable(text):
    """A name as HTML that may break where its parts meet."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[./:_])(?=\w)|(?<=\w)(?=\()", "<wbr>", html.escape(text)) if " " not in text.strip() or "/" in text else html.escape(text)


def link(page, address, text, extra=""):
    current = ' aria-current="page"' if address == page.address else ""
    return f'<a href="{relative(address, page.address)}"{current}{extra}>{text}</a>'


def tabs(site, page):
    """The sections, each with its first page."""
    made = []
    for section in navigation.SECTIONS:
        here = ' aria-current="true"' if site.section_of.get(page.address) is section else ""
        made.append(f'<li><a href="{relative(site.first_of(section), page.address)}"{here}>{html.escape(section.label)}</a></li>')
    return "".join(made)


def side(site, page):
    """The pages of the page's section, and what is below those that the reader is in."""
    section = site.section_of[page.address]
    opened = {page.address, *site.ancestors(page)}
    made = []
    for group in section.groups:
        entries = [(site.address_of(entry), entry.label) for entry in group.entries if site.address_of(entry) in site.pages]
        if entries:
            items = "".join(item(site, page, address, label, opened) for address, label in entries)
            made.append(f"<h2>{html.escape(group.label)}</h2><ul>{items}</ul>")
    return "".join(made)


def item(site, page, address, label, opened):
    below = ""
    if address in opened and site.children.get(address):
        below = "<ul>" + "".join(item(site, page, child.address, child.label or child.title, opened) for child in site.children[address]) + "</ul>"
    return f"<li>{link(page, address, breakable(label))}{below}</li>"


def contents(page):
    """The headings of a page; a long page shows those of the second level alone."""
    shown = [heading for heading in page.headings[1:] if heading.level <= DEEPEST_CONTENT]
    if len(shown) > LONGEST_CONTENTS:
        shown = [heading for heading in shown if heading.level == 2]
    if len(shown) < 2:
        return ""
    items = "".join(f'<li class="level-{heading.level}"><a href="#{heading.anchor}">{breakable(heading.title)}</a></li>' for heading in shown)
    return f'<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>{items}</ul></nav>'


def pager(site, page):
    """The pages before and after, within the order of the navigation."""
    at = site.order.index(page.address)
    made = []
    for kind, label, place in (("previous", "Previous", at - 1), ("next", "Next", at + 1)):
        if 0 <= place < len(site.order):
            target = site.order[place]
            made.append(f'<a class="{kind}" rel="{"prev" if kind == "previous" else "next"}" href="{relative(target, page.address)}"><span>{label}</span>{html.escape(site.labels[target])}</a>')
    return "".join(made)


def framed(site, page):
    """A page as a file."""
    section = site.section_of[page.address]
    root = relative("index.html", page.address).removesuffix("index.html")
    title = "Placard documentation" if page.address == "index.html" else f"{page.title} · Placard"
    about = next((" ".join(heading.text.split()) for heading in page.headings if heading.text.strip()), page.title)
    return TEMPLATE.substitute(
        title=html.escape(title), description=html.escape(about[:155], quote=True), root=root, tabs=tabs(site, page), side=side(site, page), section=html.escape(section.label),
        kind="home" if page.address == "index.html" else "wide" if page.address.startswith("rest/") else "article",
        language=page.language, body=page.body, contents=contents(page), pager=pager(site, page), version=html.escape(site.version),
    )
