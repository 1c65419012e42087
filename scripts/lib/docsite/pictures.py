"""Pictures of the dashboard for the guides, kept beside a text of the labels that are on each.

usage: pictures.py [--update]; see scripts/docs-screenshots

The data is that of dashboard_data, whose times move with the clock, so the pixels of two days differ. The labels don't: where one has changed, the
picture shows a dashboard that isn't there any more.
"""

import os
import pathlib
import re
import sys
import tempfile

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import dashboard_data  # noqa: E402
from dashboard_pages import browser, make_account  # noqa: E402
from placard_server import Connection, free_port  # noqa: E402

FOLDER = ROOT / "docs/images/dashboard"
ARTWORK = ROOT / "Browser/Sources/FeedExample/Images/dunes.png"
SIZE = {"width": 1280, "height": 800}
TALL = 6_000
# The pages of the guides, with the part that is shown where that isn't the window.
PICTURES = {
    "editor": ("/campaigns/weekend-sale/edit", None),
    "audience": ("/campaigns/weekend-sale/edit", "Target audience"),
    "delivery": ("/campaigns/weekend-sale/edit", "Delivery"),
    "conversions": ("/campaigns/weekend-sale/edit", "Conversion events"),
    "test": ("/campaigns/weekend-sale/test", None),
    "launch": ("/campaigns/weekend-sale/launch", None),
    "report": ("/campaigns/autumn-sale", None),
    "comparison": ("/campaigns/autumn-sale", "Comparison"),
    "eligibility": ("/users/u-00007", None),
    "content-types": ("/content-types", None),
}
# What stands on a page whatever its data: headings, labels, buttons and columns.
LABELS = """() => {
    const found = [];
    for (const part of document.querySelectorAll("nav a, h1, h2, h3, legend, label, th, button, a.button, summary")) {
        if (!part.checkVisibility()) continue;
        const own = [...part.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(" ") || part.textContent;
        const text = own.replace(/\\s+/g, " ").trim();
        if (text) found.push(text);
    }
    return found;
}"""


def campaign(image):
    card = {"type": "captioned_image", "title": "Weekend sale, {{${first_name} | default: 'for you'}}", "description": "Everything for outside, 20 % off until Sunday.", "image": image,
            "image_alt": "Dunes in the evening", "image_aspect_ratio": 1.6, "url": "https://shop.example.com/sale", "domain": "See the offers"}
    return {
        "id": "weekend-sale", "name": "Weekend sale", "tags": ["sale"],
        "audience": {"all": [{"attribute": "plan", "value": "gold"}, {"attribute": "country", "comparison": "is_any_of", "value": ["DE", "FR"]},
                             {"none": [{"purchase": {"within_days": 7}}]}]},
        "variants": [{"id": "a", "name": "Picture", "weight": 9, "card": card}, {"id": "control", "name": "Control", "weight": 1, "control": True}],
        "conversions": [{"id": "bought", "name": "Bought something", "on": {"purchase": True}, "window_seconds": 7 * 86_400, "from": "delivery"}],
    }


def upload(server):
    """Puts a picture into the media library, and returns its address."""
    connection = Connection(server.port, server.secret).connection
    connection.request("POST", "/v1/media?name=dunes.png&alt=Dunes%20in%20the%20evening", ARTWORK.read_bytes(), {"Authorization": f"Bearer {server.secret}", "Content-Type": "image/png"})
    reply = connection.getresponse().read().decode()
    return re.search(r'"url":"([^"]+)"', reply)[1].replace("\\/", "/")


def labels(page):
    """The labels of a page, with its numbers left out, each once."""
    return "\n".join(dict.fromkeys(re.sub(r"\d[\d.,]*", "0", text) for text in page.evaluate(LABELS))) + "\n"


def shoot(page, part):
    """A picture of the window, or of the section with a heading."""
    if part is None:
        return page.screenshot()
    section = page.locator("section, fieldset, .card").filter(has=page.get_by_role("heading", name=part, exact=True)).last
    # So tall that the bar at the window's end is below all of it.
    page.set_viewport_size({**SIZE, "height": TALL})
    try:
        return section.screenshot()
    finally:
        page.set_viewport_size(SIZE)


def compare(name, text):
    kept = FOLDER / f"{name}.txt"
    old = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    new = text.splitlines()
    gone, come = [line for line in old if line not in new], [line for line in new if line not in old]
    return [f"{name}: {kind} “{line}”" for kind, lines in (("no longer there:", gone), ("new:", come)) for line in lines]


def main():
    is_update, found = sys.argv[1:] == ["--update"], []
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright, browser(playwright) as chromium:
        server = dashboard_data.Server(os.environ["PLACARD"], work, free_port())
        try:
            dashboard_data.fill(server, users=4_000 if is_update else 40)
            server.manage("POST", "/v1/campaigns", campaign(upload(server)))
            page = chromium.new_context(viewport=SIZE, color_scheme="light", reduced_motion="reduce", locale="en-US").new_page()
            make_account(page, server.dashboard)
            for name, (path, part) in PICTURES.items():
                page.goto(f"{server.address}/dashboard{path}", wait_until="networkidle")
                text = labels(page)
                if is_update:
                    page.wait_for_timeout(700)
                    (FOLDER / f"{name}.png").write_bytes(shoot(page, part))
                    (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
                else:
                    found += compare(name, text)
        finally:
            server.stop()
    print("\n".join(f"!! {line}" for line in found) or f"{len(PICTURES)} pictures of the dashboard show its labels.")
    if found:
        print("Run scripts/docs-screenshots --update, look at the pictures, and at what the guides say.")
    sys.exit(1 if found else 0)


main()
