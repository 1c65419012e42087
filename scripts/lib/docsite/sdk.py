"""The reference of the SDK, from what the toolchain's docc makes of its symbols and articles.

DocC's own pages need a server and scripts. Here a type is one page with all of its members, and an article is a page as
any other."""

import html
import json
import posixpath
import re

from . import code, tutorials
from .markdown import relative, slug
from .page import Heading, Page

ROOT = "/documentation/"
MODULES = {
    "contentcards": "Cards, the feed of a user, sync, live updates, events and typed content. It has no dependency.",
    "contentcardsui": "The feed on screen: controllers, cells, a web view and a SwiftUI wrapper.",
    "contentcardsabk": "The documented names, over the two above.",
    "contentcardstesting": "Fixture cards, a scripted transport and a manual clock for the tests of an app.",
}
PAGE_KINDS = {"module", "class", "struct", "enum", "protocol", "typealias", "actor", "macro"}
HIDDEN_PROTOCOLS = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"}
TOKEN_CLASSES = {"keyword": "k", "attribute": "k", "number": "n", "string": "s", "externalParam": "b"}
TITLES = {
    "Instance Properties": "Properties",
    "Instance Methods": "Methods",
    "Type Properties": "Static properties",
    "Type Methods": "Static methods",
    "Enumeration Cases": "Cases",
    "Default Implementations": "Default implementations",
}


class Archive:
    """What docc wrote: a document for each symbol and article, by its path below /documentation/."""

    def __init__(self, folder):
        base = folder / "data" / "documentation"
        self.documents = {}
        for path in sorted(base.rglob("*.json")):
            name = path.relative_to(base).as_posix().removesuffix(".json")
            self.documents[name] = json.loads(path.read_text(encoding="utf-8"))

    def has_page(self, name):
        document = self.documents[name]
        metadata = document["metadata"]
        if document["kind"] == "article":
            return metadata.get("role") == "article"
        return metadata.get("symbolKind") in PAGE_KINDS or name.count("/") == 1

    def place(self, name):
        """The page that a symbol is on, and its anchor there."""
        name = name.lower()
        if name not in self.documents:
            return None
        if self.has_page(name):
            module, _, rest = name.partition("/")
            return (f"sdk/{module}/{file_name(rest)}.html" if rest else f"sdk/{module}.html"), ""
        owner = self.place(posixpath.dirname(name))
        return owner and (owner[0], anchor_of(posixpath.basename(name)))


def file_name(path):
    return re.sub(r"[^a-z0-9_]+", "-", path).strip("-")


def anchor_of(name):
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-") or "operator"


class Writer:
    """Writes one page. References of docc are resolved with those of the document that has them."""

    def __init__(self, archive, address):
        self.archive, self.address, self.words, self.taken = archive, address, [], set()

    def link(self, identifier, references, title=None, is_code=True):
        """A link to a symbol or article, or its name alone where it is in none of the modules."""
        reference = references.get(identifier, {})
        text = html.escape(title or reference.get("title") or identifier.rpartition("/")[2])
        if is_code and reference.get("kind") != "article" and reference.get("role") != "article":
            text = f"<code>{text}</code>"
        if reference.get("url", "").startswith(tutorials.ROOT):
            address = relative(tutorials.address(reference["url"]), self.address)
            return f'<a href="{address}">{html.escape(title or reference["title"])}</a>'
        place = self.archive.place(reference.get("url", "").removeprefix(ROOT)) if reference.get("url") else None
        if not place:
            return text
        page, anchor = place
        return f'<a href="{relative(page, self.address)}{"#" + anchor if anchor else ""}">{text}</a>'

    def inline(self, parts, references):
        made = []
        for part in parts or []:
            kind = part["type"]
            if kind == "text":
                made.append(html.escape(part["text"], quote=False))
                self.words.append(part["text"])
            elif kind == "codeVoice":
                made.append(f"<code>{html.escape(part['code'], quote=False)}</code>")
                self.words.append(part["code"])
            elif kind == "reference":
                made.append(self.link(part["identifier"], references))
            elif kind in ("emphasis", "strong"):
                tag = "em" if kind == "emphasis" else "strong"
                made.append(f"<{tag}>{self.inline(part['inlineContent'], references)}</{tag}>")
            else:
                raise ValueError(f"docc wrote {kind}, which the reference can't show")
        return "".join(made)

    def blocks(self, content, references, headings=None):
        made = []
        for part in content or []:
            kind = part["type"]
            if kind == "paragraph":
                made.append(f"<p>{self.inline(part['inlineContent'], references)}</p>\n")
            elif kind == "codeListing":
                made.append(code.block("\n".join(part["code"]), part.get("syntax") or "swift"))
            elif kind == "heading":
                made.append(self.heading(part, headings))
            elif kind == "aside":
                name = html.escape(part.get("name") or part["style"].capitalize())
                made.append(
                    '<div class="aside"><p'
                    f' class="aside-name">{name}</p>{self.blocks(part["content"], references)}</div>\n'
                )
            elif kind in ("unorderedList", "orderedList"):
                tag = "ul" if kind == "unorderedList" else "ol"
                items = "".join(f"<li>{self.blocks(item['content'], references)}</li>" for item in part["items"])
                made.append(f"<{tag}>{items}</{tag}>\n")
            else:
                raise ValueError(f"docc wrote {kind}, which the reference can't show")
        return "".join(made)

    def heading(self, part, headings):
        text = part["text"]
        if text in ("Overview", "Discussion"):
            return ""
        if headings is None:
            return f"<p><strong>{html.escape(text)}</strong></p>\n"
        return self.section(text, part["level"], headings)

    def section(self, title, level, headings):
        made = Heading(level, slug(title, self.taken), title)
        headings.append(made)
        return titled(level, made.anchor, html.escape(title), title)

    def declaration(self, document):
        for section in document.get("primaryContentSections", []):
            if section["kind"] == "declarations":
                tokens = section["declarations"][0]["tokens"]
                return (
                    '<pre class="declaration"'
                    f' tabindex="0"><code>{"".join(self.token(token, document) for token in tokens)}</code></pre>\n'
                )
        return ""

    def token(self, token, document):
        text = html.escape(token["text"], quote=False)
        if token.get("identifier"):
            return self.link(token["identifier"], document["references"], token["text"], is_code=False)
        name = TOKEN_CLASSES.get(token["kind"])
        return f'<span class="{name}">{text}</span>' if name and text.strip() else text

    def parameters(self, document):
        rows = []
        for section in document.get("primaryContentSections", []):
            if section["kind"] == "parameters":
                for parameter in section["parameters"]:
                    text = self.blocks(parameter["content"], document["references"])
                    rows.append(f"<dt><code>{html.escape(parameter['name'])}</code></dt><dd>{text}</dd>")
        return f'<dl class="parameters">{"".join(rows)}</dl>\n' if rows else ""

    def content(self, document, headings=None):
        made = [
            self.blocks(section["content"], document["references"], headings)
            for section in document.get("primaryContentSections", [])
            if section["kind"] == "content"
        ]
        return "".join(made)

    def abstract(self, document):
        text = self.inline(document.get("abstract"), document["references"])
        return f'<p class="abstract">{text}</p>\n' if text else ""


def titled(level, anchor, text, title):
    label = html.escape(f"Link to “{title}”")
    return f'<h{level} id="{anchor}">{text}<a class="anchor" href="#{anchor}" aria-label="{label}">#</a></h{level}>\n'


def name_in(document, identifier):
    """The path of a symbol below /documentation/."""
    return document["references"].get(identifier, {}).get("url", "").removeprefix(ROOT).lower()


def symbol_page(archive, name):
    document = archive.documents[name]
    address, _ = archive.place(name)
    writer = Writer(archive, address)
    metadata = document["metadata"]
    title = metadata["title"]
    headings = [Heading(1, "", title)]
    is_article = document["kind"] == "article"
    module = name.partition("/")[0]
    trail = (
        ""
        if "/" not in name
        else (
            f'<p class="eyebrow">{html.escape(metadata.get("roleHeading", ""))} · <a'
            f' href="{relative(f"sdk/{module}.html", address)}">{metadata["modules"][0]["name"]}</a></p>\n'
        )
    )
    body = [trail, f"<h1>{html.escape(title)}</h1>\n", writer.abstract(document)]
    if not is_article and metadata.get("symbolKind") != "module":
        body.append(writer.declaration(document))
    body += [writer.parameters(document), writer.content(document, headings), conformances(writer, document)]
    headings[0].text = " ".join(writer.words)
    writer.words.clear()
    for section in document.get("topicSections", []):
        body.append(topic(archive, writer, document, section, headings))
    kind = "Article" if is_article else metadata.get("roleHeading", "Reference")
    return Page(
        address,
        title,
        "".join(body),
        headings,
        kind=kind,
        weight=1.1 if is_article else 0.65,
        parent="sdk/index.html" if "/" not in name else f"sdk/{module}.html",
    )


def conformances(writer, document):
    rows = []
    for section in document.get("relationshipsSections", []):
        names = [
            writer.link(identifier, document["references"], title_of(document, identifier))
            for identifier in section["identifiers"]
            if document["references"].get(identifier, {}).get("title") not in HIDDEN_PROTOCOLS
        ]
        if names:
            rows.append(
                f'<p class="relations"><span>{html.escape(section["title"].capitalize())}</span>'
                f" {', '.join(names)}</p>\n"
            )
    return "".join(rows)


def title_of(document, identifier):
    """The name of a type, without that of the standard library's module."""
    return document["references"].get(identifier, {}).get("title", "").removeprefix("Swift.") or None


def topic(archive, writer, document, section, headings):
    """A group of members, or of links to what has a page of its own."""
    linked, members = [], []
    for identifier in section["identifiers"]:
        name = name_in(document, identifier)
        if name not in archive.documents:
            continue
        found = archive.documents[name]
        if archive.has_page(name):
            abstract = writer.inline(found.get("abstract"), found["references"])
            linked.append(f"<li>{writer.link(identifier, document['references'])}<span>{abstract}</span></li>")
        elif found["kind"] == "symbol":
            members.append((name, found))
    if not linked and not members:
        return ""
    made = [writer.section(TITLES.get(section["title"], section["title"]), 2, headings)]
    if linked:
        made.append(f'<ul class="topics">{"".join(linked)}</ul>\n')
    writer.words.clear()
    for name, found in members:
        made.append(member(writer, name, found, headings))
    return "".join(made)


def member(writer, name, document, headings):
    anchor = anchor_of(posixpath.basename(name))
    title = document["metadata"]["title"]
    made = [
        titled(3, anchor, f"<code>{html.escape(title)}</code>", title),
        writer.declaration(document),
        writer.abstract(document),
        writer.parameters(document),
        writer.content(document),
    ]
    headings.append(Heading(3, anchor, title, " ".join(writer.words)))
    writer.words.clear()
    return f'<section class="member">{"".join(made)}</section>\n'


def index_page(archive):
    rows = []
    for module, about in MODULES.items():
        if module in archive.documents:
            name = archive.documents[module]["metadata"]["title"]
            rows.append(f'<li><a href="{module}.html"><code>{name}</code></a><span>{about}</span></li>')
    body = (
        "<h1>SDK reference</h1>\n<p>Every public type of the SDK, from the comments in its source.</p>\n"
        f'<ul class="topics">{"".join(rows)}</ul>\n'
    )
    return Page(
        "sdk/index.html",
        "SDK reference",
        body,
        [Heading(1, "", "SDK reference", "every public type of the SDK")],
        kind="Reference",
    )


def pages(folder):
    """The pages of the reference: modules, and below them articles and types; and those of the tutorials."""
    archive = Archive(folder)
    made = [index_page(archive), *tutorials.pages(folder, lambda address: Writer(archive, address))]
    for module in MODULES:
        if module in archive.documents:
            names = sorted(name for name in archive.documents if name == module or name.startswith(module + "/"))
            own = [symbol_page(archive, name) for name in names if archive.has_page(name)]
            # Articles come before types.
            made += sorted(
                own, key=lambda page: (page.address.count("/") > 1, page.kind != "Article", page.title.lower())
            )
    return made
