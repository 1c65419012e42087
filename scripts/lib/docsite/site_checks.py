"""Checks of the pages of the site that was made."""

import json
import posixpath
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

# Elements that a page loads by itself, with the attribute that says from where.
LOADED = {"img": "src", "script": "src", "link": "href", "source": "src", "iframe": "src"}

PAGE_LIMIT = 700_000


class Reading(HTMLParser):
    """What a page has that others may refer to, and what it refers to."""

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.navigation, self.loaded, self.levels, self.images = [], [], [], [], [], []
        self.depth_of_nav = 0

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get("id"):
            self.ids.append(values["id"])
        if tag == "nav":
            self.depth_of_nav += 1
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
            if self.depth_of_nav:
                self.navigation.append(values["href"])
        if values.get(LOADED.get(tag, "")):
            self.loaded.append(values[LOADED[tag]])
        if tag == "img":
            self.images.append(values)
        if re.fullmatch(r"h[1-6]", tag) and not self.depth_of_nav:
            self.levels.append(int(tag[1]))

    def handle_endtag(self, tag):
        if tag == "nav":
            self.depth_of_nav -= 1


class Site:
    """A site in a folder."""

    def __init__(self, folder):
        self.folder, self.pages = folder, {}
        for path in sorted(folder.rglob("*.html")):
            reading = Reading()
            reading.feed(path.read_text(encoding="utf-8"))
            self.pages[path.relative_to(folder).as_posix()] = reading

    @staticmethod
    def target(page, link):
        """The file and anchor that a link of a page leads to, or None where it leads out of the site."""
        parts = urlsplit(link)
        if parts.scheme or link.startswith("//"):
            return None
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path))) if parts.path else page
        return path, unquote(parts.fragment)

    def complaint(self, page, link):
        found = self.target(page, link)
        if found is None:
            return None
        path, anchor = found
        if path.startswith("..") or not (self.folder / path).is_file():
            return f"leads to {link}, which is not there"
        if anchor and path in self.pages and anchor not in self.pages[path].ids:
            return f"leads to {link}, and {path} has no such place"
        return None

    def reached(self, start="index.html"):
        """The pages that navigation alone leads to."""
        seen, waiting = {start}, [start]
        while waiting:
            page = waiting.pop()
            for link in self.pages[page].navigation:
                found = self.target(page, link)
                if found and found[0] in self.pages and found[0] not in seen:
                    seen.add(found[0])
                    waiting.append(found[0])
        return seen


def check_site(folder, findings):
    """Looks at every page of a site. Returns the numbers of pages and links."""
    site = Site(folder)
    if "index.html" not in site.pages:
        findings.add(str(folder), "has no index.html")
        return 0, 0
    links = 0
    for name, page in site.pages.items():
        for link in page.links:
            links += 1
            if complaint := site.complaint(name, link):
                findings.add(name, complaint)
        for link in page.loaded:
            if site.target(name, link) is None:
                findings.add(name, f"loads {link} from another place")
            elif complaint := site.complaint(name, link):
                findings.add(name, complaint.replace("leads to", "loads"))
        for image in page.images:
            if "alt" not in image:
                findings.add(name, f"has an image without alternative text: {image.get('src')}")
        for anchor in sorted({anchor for anchor in page.ids if page.ids.count(anchor) > 1}):
            findings.add(name, f"has two places named {anchor}")
        check_levels(name, page.levels, findings)
        if (folder / name).stat().st_size > PAGE_LIMIT:
            findings.add(name, f"has more than {PAGE_LIMIT:,} bytes")
    for name in sorted(set(site.pages) - site.reached()):
        findings.add(name, "can't be reached by the navigation")
    check_index(folder, site, findings)
    return len(site.pages), links


def check_levels(name, levels, findings):
    if levels.count(1) != 1:
        findings.add(name, f"has {levels.count(1)} headings of the first level")
    for before, after in zip(levels, levels[1:]):
        if after > before + 1:
            findings.add(name, f"has a heading of level {after} below one of level {before}")
            break


def check_index(folder, site, findings):
    """What the search would lead to is there, and each page is in the index of its language."""
    found = set()
    for path in sorted(folder.glob("assets/search-index.*.js")):
        index = json.loads(
            path.read_text(encoding="utf-8").partition("=")[2].partition("=")[2].rstrip().removesuffix(";")
        )
        for number, anchor, *_ in index["places"]:
            address = index["pages"][number][0]
            if complaint := site.complaint("index.html", address + (f"#{anchor}" if anchor else "")):
                findings.add(path.name, complaint)
        found |= {page[0] for page in index["pages"]}
    for name in sorted(set(site.pages) - found):
        findings.add(name, "is not in the search")
