"""Opens the site as a reader does, from its files and without a server: each kind of page, light on a desk and dark on
a phone.

usage: browser.py SITE; see scripts/check-docs
"""

import pathlib
import sys

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from dashboard_pages import LOOKS, WIDTHS, browser, is_too_wide, visit  # noqa: E402

# One page of each kind; none of the longest, since axe takes minutes for those.
PAGES = [
    "index.html",
    "keys.html",
    "documented-names.html",
    "architecture.html",
    "rest/segments.html",
    "sdk/contentcards.html",
    "sdk/contentcards/cardfeed.html",
    "ja/index.html",
    "ja/first-campaign.html",
    "ja/audiences.html",
    "ja/commands.html",
]
# What a reader types, and the page that has to come first.
QUERIES = {
    "frequency cap": "delivery.html",
    "logImpression": "sdk/contentcards/contentcardsclient.html",
    "placard backup": "commands.html",
    "campaigns/trigger/send": "rest",
    "audienc": "audiences.html",
    "postgres": "postgresql.html",
    "GDPR": "data-protection.html",
    "unread count": "questions.html",
}
# The same on the Japanese pages, which lead to English ones for what isn't translated.
JAPANESE_QUERIES = {
    "対象ユーザー": "ja/audiences.html",
    "カードを公開する": "ja/quick-start.html",
    "タイムゾーン": "ja/audiences.html",
    "スマートフォンでテスト": "ja/first-campaign.html",
    "キャンペ": "ja/",
    "セグメントと乱数": "ja/audiences.html",
    "フリークエンシーキャップ": "ja/delivery.html",
    "バックアップ": "ja/operations.html",
    "ABテスト": "ja/experiments.html",
    "未読数": "ja/questions.html",
    "logImpression": "sdk/contentcards/contentcardsclient.html",
    "GDPR": "ja/data-protection.html",
}
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


def led_to(page, site, start, text, found):
    """The address that the search leads to from a page, by the keyboard alone."""
    page.goto(f"{site.as_uri()}/{start}")
    page.keyboard.press("/")
    page.keyboard.insert_text(text)
    page.wait_for_selector("#ui-results [aria-selected=true]")
    if text in ("audienc", "対象ユーザー"):
        found += [
            f"results: {violation['id']}: {violation['nodes'][0]['html'][:140]}"
            for violation in Axe().run(page)["violations"]
        ]
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: start not in url)
    return page.url.removeprefix(site.as_uri() + "/").partition("#")[0]


def search(chromium, site):
    """Uses the search, in English and in Japanese."""
    found = []
    with visit(chromium, None, "light", "laptop") as page:
        asked = [
            ("decisions/index.html", *query) for query in [*QUERIES.items(), ("対象ユーザー", "ja/audiences.html")]
        ] + [("ja/about.html", *query) for query in JAPANESE_QUERIES.items()]
        for start, text, expected in asked:
            address = led_to(page, site, start, text, found)
            if not address.startswith(expected):
                found.append(f"the search of {start} for “{text}” led to {address} and not to {expected}")
        for start, said in (("index.html", "Nothing found"), ("ja/index.html", "一致する結果はありません")):
            page.goto(f"{site.as_uri()}/{start}")
            page.keyboard.press("/")
            page.keyboard.type("zzzz")
            page.wait_for_function("said => document.querySelector('.found-note').textContent.includes(said)", arg=said)
        for text in ("card a the event", "カードを一時停止する"):
            seconds = page.evaluate(
                "async (text) => { const search = await load(text), start = performance.now(); for (let i = 0; i < 20;"
                " i++) search.find(text, 20); return (performance.now() - start) / 20000; }",
                text,
            )
            if seconds > SLOWEST_SEARCH:
                found.append(f"a search for “{text}” takes {seconds:.3f} s")
    return found


def languages(chromium, site):
    """Goes from an English page to the Japanese one and back, and from one that isn't translated to the first Japanese
    page."""
    found = []
    with visit(chromium, None, "light", "phone") as page:
        for start, ways in (
            ("audiences.html", ("日本語", "ja/audiences.html", "English", "audiences.html")),
            ("decisions/index.html", ("日本語", "ja/index.html")),
        ):
            page.goto(f"{site.as_uri()}/{start}")
            for name, address in zip(ways[::2], ways[1::2]):
                page.locator(".languages").get_by_text(name).click()
                page.wait_for_url(f"{site.as_uri()}/{address}")
                language = page.evaluate("document.documentElement.lang")
                if language != ("ja" if name == "日本語" else "en"):
                    found.append(f"{address} says that its language is {language}")
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
        found = look(chromium, site) + search(chromium, site) + languages(chromium, site) + interact(chromium, site)
    print(
        "\n".join(f"!! {line}" for line in dict.fromkeys(found))
        or f"{len(PAGES)} kinds of pages are without violations, light on a desk and dark on a phone, "
        "and the search finds."
    )
    sys.exit(1 if found else 0)


main()
