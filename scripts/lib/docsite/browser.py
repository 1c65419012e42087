"""Opens the site as a reader does, from its files and without a server: each kind of page, light on a desk and dark on a phone.

usage: browser.py SITE; see scripts/check-docs
"""

import pathlib
import sys

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from dashboard_pages import LOOKS, WIDTHS, browser, is_too_wide, visit  # noqa: E402

# One page of each kind; none of the longest, since axe takes minutes for those.
PAGES = ["index.html", "keys.html", "documented-names.html", "architecture.html", "rest/segments.html", "sdk/contentcards.html", "sdk/contentcards/cardfeed.html"]
# What a reader types, and the page that has to come first.
QUERIES = {"frequency cap": "delivery.html", "logImpression": "sdk/contentcards/contentcardsclient.html", "placard backup": "commands.html", "campaigns/trigger/send": "rest",
           "audienc": "audiences.html", "postgres": "postgresql.html", "GDPR": "data-protection.html", "unread count": "questions.html"}
SLOWEST_SEARCH = 0.05


def complaints_of(page, address, site):
    """What is wrong with a page as it is drawn."""
    errors, requests = [], []
    page.on("pageerror", lambda error: errors.append(f"fails: {error}"))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{site.as_uri()}/{address}")
    found = list(errors)
    found += [f"asks for {url}" for url in requests if not url.startswith((site.as_uri(), "data:"))]
    if is_too_wide(page):
        found.append("has to be moved sideways")
    for violation in Axe().run(page)["violations"]:
        found.append(f"{violation['id']}: {violation['help']}: {violation['nodes'][0]['html'][:140]}")
    return found


def look(chromium, site):
    found = []
    for theme, device in zip(LOOKS, WIDTHS):
        for address in PAGES:
            with visit(chromium, None, theme, device) as page:
                found += [f"{address} {device} {theme}: {text}" for text in complaints_of(page, address, site)]
    return found


def search(chromium, site):
    """Uses the search by the keyboard alone."""
    found = []
    with visit(chromium, None, "light", "laptop") as page:
        for text, expected in QUERIES.items():
            page.goto(f"{site.as_uri()}/decisions/index.html")
            page.keyboard.press("/")
            page.keyboard.type(text)
            page.wait_for_selector("#ui-results [aria-selected=true]")
            if page.locator("#ui-results").is_visible() and text == "audienc":
                found += [f"results: {violation['id']}: {violation['nodes'][0]['html'][:140]}" for violation in Axe().run(page)["violations"]]
            page.keyboard.press("Enter")
            page.wait_for_url(lambda url: "decisions/index" not in url)
            address = page.url.removeprefix(site.as_uri() + "/").partition("#")[0]
            if not address.startswith(expected):
                found.append(f"the search for “{text}” led to {address} and not to {expected}")
        page.goto(f"{site.as_uri()}/index.html")
        page.keyboard.press("/")
        page.keyboard.type("zzzz")
        page.wait_for_function("document.querySelector('.found-note').textContent.includes('Nothing found')")
        seconds = page.evaluate("() => { const start = performance.now(); for (let i = 0; i < 20; i++) search.find('card a the event', 20); return (performance.now() - start) / 20000; }")
        if seconds > SLOWEST_SEARCH:
            found.append(f"a search takes {seconds:.3f} s")
    return found


def interact(chromium, site):
    """Copies code, changes the appearance, and opens the menu of a phone."""
    found = []
    with visit(chromium, None, "light", "phone") as page:
        page.goto(f"{site.as_uri()}/delivery.html")
        if page.locator(".side").is_visible():
            found.append("the navigation of a phone is open from the start")
        page.locator(".menu-button").click()
        page.locator(".side").get_by_text("Experiments").click()
        page.wait_for_url("**/experiments.html")
        page.locator(".theme").click()
        page.locator(".theme").click()
        page.reload()
        if page.evaluate("document.documentElement.dataset.theme") != "dark":
            found.append("the appearance that was chosen is forgotten")
        page.goto(f"{site.as_uri()}/rest-api.html")
        page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        page.locator(".copy").first.click()
        if not page.evaluate("window.copied").startswith("placard key create"):
            found.append("the button doesn't copy its code")
    return found


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    with sync_playwright() as playwright, browser(playwright) as chromium:
        found = look(chromium, site) + search(chromium, site) + interact(chromium, site)
    print("\n".join(f"!! {line}" for line in dict.fromkeys(found)) or f"{len(PAGES)} kinds of pages are without violations, light on a desk and dark on a phone, and the search finds.")
    sys.exit(1 if found else 0)


main()
