"""The tutorials of the SDK, from what the toolchain's docc makes of them: a page that lists them, and one for each,
with its steps below one another."""

import html
import json

from . import code
from .markdown import relative, slug
from .page import Heading, Page

ROOT = "/tutorials/"
INDEX = "tutorials/index.html"


def address(url):
    """Where the tutorial, or the list of them, of an address of docc's is in the site."""
    parts = url.partition("#")[0].removeprefix(ROOT).lower().split("/")
    return f"tutorials/{parts[1]}.html" if len(parts) > 1 else INDEX


def loaded(path):
    return json.loads(path.read_text(encoding="utf-8"))


def pages(folder, writer_of):
    """The pages, in the order of the list."""
    base = folder / "data" / "tutorials"
    made = []
    for overview in sorted(base.glob("*.json")):
        document = loaded(overview)
        chapters = [
            chapter
            for section in document["sections"]
            if section["kind"] == "volume"
            for chapter in section["chapters"]
        ]
        urls = [
            document["references"][identifier]["url"] for chapter in chapters for identifier in chapter["tutorials"]
        ]
        made.append(index_page(document, chapters, writer_of(INDEX)))
        made += [
            tutorial_page(loaded(base / f"{url.removeprefix(ROOT)}.json"), address(url), writer_of(address(url)))
            for url in urls
        ]
    return made


def hero(document):
    return next(section for section in document["sections"] if section["kind"] == "hero")


def titled(level, heading):
    label = html.escape(f"Link to “{heading.title}”")
    return (
        f'<h{level} id="{heading.anchor}">{html.escape(heading.title)}<a class="anchor" href="#{heading.anchor}"'
        f' aria-label="{label}">#</a></h{level}>\n'
    )


def words(writer):
    said = " ".join(writer.words)
    writer.words.clear()
    return said


def index_page(document, chapters, writer):
    references = document["references"]
    body = ["<h1>Tutorials</h1>\n", writer.blocks(hero(document)["content"], references)]
    for chapter in chapters:
        body.append(writer.blocks(chapter.get("content"), references))
        rows = []
        for identifier in chapter["tutorials"]:
            found = references[identifier]
            minutes = (
                f"About {found['estimatedTime'].removesuffix('min').strip()} minutes."
                if found.get("estimatedTime")
                else ""
            )
            about = writer.inline(found.get("abstract"), references)
            rows.append(
                f'<li><a href="{relative(address(found["url"]), INDEX)}">{html.escape(found["title"])}</a><span>{about}'
                f" {minutes}</span></li>"
            )
        body.append(f'<ul class="topics">{"".join(rows)}</ul>\n')
    return Page(INDEX, "Tutorials", "".join(body), [Heading(1, "", "Tutorials", words(writer))], kind="Tutorial")


def tutorial_page(document, place, writer):
    references, top = document["references"], hero(document)
    body = [
        (
            f'<p class="eyebrow">{top["estimatedTimeInMinutes"]} minutes · <a'
            f' href="{relative(INDEX, place)}">Tutorials</a></p>\n'
        ),
        f"<h1>{html.escape(top['title'])}</h1>\n",
        writer.blocks(top["content"], references),
    ]
    headings = [Heading(1, "", top["title"], words(writer))]
    for section in document["sections"]:
        for task in section.get("tasks", []):
            heading = Heading(2, slug(task["title"], writer.taken), task["title"])
            body.append(titled(2, heading))
            body += [writer.blocks(part["content"], references) for part in task["contentSection"]]
            body += [step(number, one, references, writer) for number, one in enumerate(task["stepsSection"], 1)]
            heading.text = words(writer)
            headings.append(heading)
    return Page(place, top["title"], "".join(body), headings, kind="Tutorial", parent=INDEX)


def step(number, one, references, writer):
    """What to do, and the file as it is then; the lines that are new in it stand out."""
    file = references[one["code"]]
    new = {highlight["line"] for highlight in file.get("highlights", [])}
    shown = code.block("\n".join(file["content"]), file["syntax"], new_lines=new)
    return (
        f'<section class="step"><p class="step-number">Step {number} ·'
        f" <code>{html.escape(file['fileName'])}</code></p>\n"
        f"{writer.blocks(one['content'], references)}{shown}</section>\n"
    )
