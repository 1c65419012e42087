"""The frame around each page: header, navigation, table of contents, previous and next, footer."""

import html
import pathlib
import re
import string

from . import navigation
from .catalog import Texts
from .languages import LANGUAGES, NAMES
from .markdown import relative

TEMPLATE = string.Template((pathlib.Path(__file__).parent / "assets/page.html").read_text(encoding="utf-8"))
DEEPEST_CONTENT = 3
LONGEST_CONTENTS = 60


class Site:
    """All pages, and the order in which they are read: the English ones, and behind them those of each other
    language."""

    def __init__(self, pages, version):
        self.pages, self.version = {page.address: page for page in pages}, version
        self.texts = {language: Texts(language) for language in NAMES}
        self.children, self.translations = {}, {}
        for page in pages:
            if page.parent:
                self.children.setdefault(page.parent, []).append(page)
            if page.original:
                self.translations.setdefault(page.original, {})[page.language] = page.address
        self.labels, self.section_of, self.order = {}, {}, []
        for language in NAMES:
            for section in navigation.SECTIONS:
                for entry in section.entries:
                    address = self.address_of(entry, language)
                    if address in self.pages and self.pages[address].language == language:
                        self.add(section, address, self.texts[language](entry.label))

    def address_of(self, entry, language):
        """The page of an entry for readers of a language: in that language, where there is one."""
        address = navigation.address(entry.source) if entry.source.endswith(".md") else entry.source
        return self.translations.get(address, {}).get(language, address)

    def add(self, section, address, label):
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

    def first_of(self, section, language):
        """The page of a section that its tab leads to: one in the language, where there is one."""
        addresses = [
            address
            for address in (self.address_of(entry, language) for entry in section.entries)
            if address in self.pages
        ]
        return next((address for address in addresses if self.pages[address].language == language), addresses[0])

    def in_languages(self, page):
        """The addresses of a page by language."""
        original = page.original or page.address
        return {"en": original, **self.translations.get(original, {})}

    def home(self, language):
        return self.translations.get("index.html", {}).get(language, "index.html")


def breakable(text):
    """A name as HTML that may break where its parts meet."""
    return (
        re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[./:_])(?=\w)|(?<=\w)(?=\()", "<wbr>", html.escape(text))
        if " " not in text.strip() or "/" in text
        else html.escape(text)
    )


def link(page, address, text, extra=""):
    """A link of the navigation."""
    current = ' aria-current="page"' if address == page.address else ""
    return f'<a href="{relative(address, page.address)}"{current}{extra}>{text}</a>'


def tabs(site, page):
    """The sections, each with its first page."""
    made = []
    for section in navigation.SECTIONS:
        here = ' aria-current="true"' if site.section_of.get(page.address) is section else ""
        label = html.escape(site.texts[page.language](section.label))
        made.append(
            f'<li><a href="{relative(site.first_of(section, page.language), page.address)}"{here}>{label}</a></li>'
        )
    return "".join(made)


def side(site, page):
    """The pages of the page's section, and what is below those that the reader is in."""
    section, say = site.section_of[page.address], site.texts[page.language]
    opened = {page.address, *site.ancestors(page)}
    made = []
    for group in section.groups:
        entries = [(site.address_of(entry, page.language), say(entry.label)) for entry in group.entries]
        items = "".join(item(site, page, address, label, opened) for address, label in entries if address in site.pages)
        if items:
            made.append(f"<h2>{html.escape(say(group.label))}</h2><ul>{items}</ul>")
    return "".join(made)


def item(site, page, address, label, opened):
    below, extra, note = "", "", ""
    if address in opened and site.children.get(address):
        below = (
            "<ul>"
            + "".join(
                item(site, page, child.address, child.label or child.title, opened) for child in site.children[address]
            )
            + "</ul>"
        )
    if site.pages[address].language != page.language:
        extra, note = ' hreflang="en"', f'<small class="foreign">{site.texts[page.language]("in English")}</small>'
    return f"<li>{link(page, address, breakable(label) + note, extra)}{below}</li>"


def switch(site, page):
    """Links to the page in other languages, or to their first page where it isn't translated."""
    places = site.in_languages(page)
    made = []
    for language, name in NAMES.items():
        if language != page.language and (language == "en" or site.home(language) != "index.html"):
            target = places.get(language, site.home(language))
            made.append(
                f'<a href="{relative(target, page.address)}" lang="{language}" hreflang="{language}">{name}</a>'
            )
    return "".join(made)


def alternates(site, page):
    """What tells search engines of the page in other languages."""
    places = site.in_languages(page)
    if len(places) < 2:
        return ""
    named = {**places, "x-default": places["en"]}
    return "".join(
        f'<link rel="alternate" hreflang="{language}" href="{relative(address, page.address)}">\n'
        for language, address in named.items()
    )


def contents(page, say):
    """The headings of a page; a long page shows those of the second level alone."""
    shown = [heading for heading in page.headings[1:] if heading.level <= DEEPEST_CONTENT]
    if len(shown) > LONGEST_CONTENTS:
        shown = [heading for heading in shown if heading.level == 2]
    if len(shown) < 2:
        return ""
    items = "".join(
        f'<li class="level-{heading.level}"><a href="#{heading.anchor}">{breakable(heading.title)}</a></li>'
        for heading in shown
    )
    title = say("On this page")
    return f'<nav class="contents" aria-label="{title}"><h2>{title}</h2><ul>{items}</ul></nav>'


def pager(site, page):
    """The pages before and after, within the order of the navigation."""
    order, say = (
        [address for address in site.order if site.pages[address].language == page.language],
        site.texts[page.language],
    )
    at = order.index(page.address)
    made = []
    for kind, label, place in (("previous", say("Previous"), at - 1), ("next", say("Next"), at + 1)):
        if 0 <= place < len(order):
            target = order[place]
            made.append(
                f'<a class="{kind}" rel="{"prev" if kind == "previous" else "next"}"'
                f' href="{relative(target, page.address)}"><span>{label}</span>{html.escape(site.labels[target])}</a>'
            )
    return "".join(made)


def framed(site, page):
    """A page as a file."""
    section, say, home = site.section_of[page.address], site.texts[page.language], site.home(page.language)
    root = relative("index.html", page.address).removesuffix("index.html")
    about = next((" ".join(heading.text.split()) for heading in page.headings if heading.text.strip()), page.title)
    words = {
        "skip": say("Skip to content"),
        "menu": say("Menu"),
        "docs": say("docs"),
        "search": say("Search"),
        "search_all": say("Search the documentation"),
        "results": say("Results"),
        "readers": say("Readers"),
        "languages": say("Language"),
        "around": say("Previous and next"),
        "changelog": say("Changelog"),
    }
    return TEMPLATE.substitute(
        {name: html.escape(text) for name, text in words.items()},
        title=html.escape(say("Placard documentation") if page.address == home else f"{page.title} · Placard"),
        description=html.escape(about[:155], quote=True),
        root=root,
        home=relative(home, page.address),
        tabs=tabs(site, page),
        side=side(site, page),
        section=html.escape(say(section.label)),
        kind="home" if page.address == home else "wide" if page.address.startswith("rest/") else "article",
        language=page.language,
        alternates=alternates(site, page),
        switch=switch(site, page),
        body=page.body,
        contents=contents(page, say),
        pager=pager(site, page),
        texts=f'<script src="{root}assets/{page.language}.js"></script>\n' if page.language in LANGUAGES else "",
        version=html.escape(site.version),
    )
