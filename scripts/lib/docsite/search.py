"""The index of the search: made with the site, read by assets/search.js without a server.

It is a script and not JSON, since a page from a file may load no other files than scripts. Words are sorted, so that a
prefix is a range; behind each stand the places that have it, as differences in base 36.
"""

import json
import re
import unicodedata

BYTES_LIMIT = 900_000
SUMMARY_LENGTH = 110
# Japanese is written without spaces: a run of its letters is known by each two that stand beside each other, and by the
# last.
JAPANESE = re.compile(r"[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u9fff]+")
ACCENTS = re.compile(r"[\u0300-\u036f]")
WORD = re.compile(r"[a-z0-9_]+(?:[-.'][a-z0-9_]+)*")
STOP = set(
    "a an and are as at be been but by can for from had has have if in into is it its may not of on or so than that the"
    " their them then there these they this to was were what when where which who will with without".split()
)


# What readers call a page that calls itself something else.
KEYWORDS = {
    "data-protection.html": "GDPR privacy personal data consent",
    "commands.html": "CLI command line terminal",
    "experiments.html": "A/B test AB split variants control group significance winner",
    "media.html": "images upload library",
    "app-guide.html": "deep link universal link dark mode SwiftUI UIKit tutorial integration",
    "questions.html": "FAQ troubleshooting deep link control cards offline",
    "documented-names.html": "migration migrate move compatibility",
    "operations.html": "Docker Kubernetes systemd deploy monitoring Prometheus Grafana",
    "going-live.html": "production checklist deploy",
    "audiences.html": "targeting segments filters",
    "delivery.html": "frequency cap quiet hours schedule trigger personalization Liquid templates",
    "rest-api.html": "backend server API HTTP",
    "scale.html": "performance benchmark capacity",
    "capacity.html": "performance benchmark memory disk space sizing",
}


def folded(text):
    """A text in the one form that texts and queries are compared in: without the accents of Latin letters, and with
    those that make another kana."""
    apart = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return unicodedata.normalize("NFC", ACCENTS.sub("", apart))


def words(text):
    """The words of a text, as the search compares them: small letters without accents; a name in parts and as a whole;
    Japanese by two letters."""
    text = folded(text)
    camel = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    found = set()
    for part in (text, camel):
        for word in WORD.findall(part.lower()):
            found.add(word)
            found.update(re.split(r"[-._']", word))
    pairs = {run[at : at + 2] for run in JAPANESE.findall(text) for at in range(len(run))}
    return {word for word in found if len(word) > 1 and word not in STOP and len(word) <= 40} | pairs


def digits(number):
    text = ""
    while True:
        number, rest = divmod(number, 36)
        text = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + text
        if not number:
            return text


def summary(text):
    text = " ".join(text.split())
    if len(text) <= SUMMARY_LENGTH:
        return text
    if JAPANESE.match(folded(text[SUMMARY_LENGTH // 2])):
        return text[: SUMMARY_LENGTH // 2] + "…"
    return text[:SUMMARY_LENGTH].rpartition(" ")[0] + "…"


def script(pages, labels, say):
    """The index of the pages of a language, with their names in the navigation, as the text of a script."""
    pages, translated = [page for page in pages if page.language == say.language], {}
    keywords = say.keywords or KEYWORDS
    shown, places, postings = [], [], {}
    for number, page in enumerate(pages):
        shown.append(
            [page.address, labels[page.address], say("Guide") if page.kind == "Guide" else page.kind, page.weight]
        )
        if page.original:
            translated[page.original] = page.address
        for heading in page.headings or []:
            if heading.level > page.indexed_depth:
                continue
            is_page = heading is page.headings[0]
            place = len(places)
            places.append(
                [number, "" if is_page else heading.anchor, "" if is_page else heading.title, summary(heading.text)]
            )
            for word in words(
                heading.title
                + " "
                + (f"{labels[page.address]} {keywords.get(page.address, '')}" if is_page else "")
                + " "
                + heading.text
            ):
                postings.setdefault(word, []).append(place)
    lines = []
    for word in sorted(postings):
        last, coded = 0, []
        for place in postings[word]:
            coded.append(digits(place - last))
            last = place
        lines.append(f"{word} {','.join(coded)}")
    data = {"pages": shown, "places": places, "words": "\n".join(lines), "translated": translated}
    text = (
        f"(window.searchIndex??={{}}).{say.language}="
        + json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        + ";\n"
    )
    size = len(text.encode())
    if size > BYTES_LIMIT:
        raise SystemExit(
            f"The index of the search ({say.language}) has {size:,} bytes, more than the {BYTES_LIMIT:,} that a reader"
            " should wait for."
        )
    return text
