"""Sends a test to the Shop by the code that it shows; see scripts/check-dashboard.

usage: check_test_code.py DIRECTORY, where a picture of each step goes
"""

import os
import pathlib
import sys
import tempfile
import time

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import dashboard_data
from dashboard_pages import LOOKS, WIDTHS, browser, is_too_wide, make_account, out_of_reach, visit
from placard_server import PATIENCE, free_port
from shop_page import Shop

CAMPAIGN = "by-code"
# A card that comes by the live stream takes a hundredth of this, on a machine that has nothing else to do; one that
# waits for a refresh takes a minute.
LIMIT = 20
problems = []


def make_campaign(server):
    card = {
        "type": "classic",
        "title": "Test me",
        "description": "A draft",
        "language": "en",
        "translations": {"ja": {"title": "テスト"}},
    }
    variants = [
        {"id": "a", "name": "Plain", "card": card},
        {"id": "b", "name": "Festive", "card": {**card, "title": "Test me, festively"}},
    ]
    server.manage("POST", "/v1/campaigns", {"id": CAMPAIGN, "name": "By code", "variants": variants})


def time_to_card(press, screen, title):
    """Presses a button, and returns the seconds until a card is on the Shop's screen."""
    start = time.monotonic()
    press()
    expect(screen.page.locator("#screen").get_by_text(title, exact=True)).to_be_visible()
    return time.monotonic() - start


def send(page, screen, server, pictures):
    """Types the code by the keyboard, then chooses the device that was kept."""
    code = screen.test_code()
    screen.page.screenshot(path=f"{pictures}/test-code-shop.png")
    screen.tab("Updates")
    page.goto(f"{server.address}/dashboard/campaigns/{CAMPAIGN}/test")
    page.get_by_label("Language").select_option("ja")
    page.get_by_label("Code", exact=False).first.focus()
    page.keyboard.type(code.lower().replace("-", " "))
    seconds = [time_to_card(lambda: page.keyboard.press("Enter"), screen, "テスト")]
    expect(page.get_by_role("status")).to_contain_text("Test sent to the phone.")

    page.get_by_label("Variant").select_option("b")
    page.get_by_label("Language").select_option("")
    page.get_by_label("Device name").fill("Anna’s iPhone")
    seconds.append(time_to_card(page.get_by_role("button", name="Send to phone").click, screen, "Test me, festively"))
    expect(page.get_by_role("status")).to_contain_text("which is now the test device “Anna’s iPhone”.")

    page.goto(f"{server.address}/dashboard/campaigns/{CAMPAIGN}/test")
    expect(page.get_by_role("checkbox", name="Anna’s iPhone")).to_be_checked()
    page.screenshot(path=f"{pictures}/test-code-dashboard.png", full_page=True)
    seconds.append(time_to_card(page.get_by_role("button", name="Send test").click, screen, "Test me"))
    screen.page.screenshot(path=f"{pictures}/test-code-cards.png")
    late = [round(each, 2) for each in seconds if each > LIMIT]
    assert not late, f"a test took {late} seconds"
    return max(seconds)


def refuse(page, server, pictures):
    """A wrong code is said beside its field, which keeps what was typed."""
    page.goto(f"{server.address}/dashboard/campaigns/{CAMPAIGN}/test")
    page.get_by_label("Code", exact=False).first.fill("BBBB-BBBB")
    page.get_by_role("button", name="Send to phone").click()
    expect(page.locator("#wrong-code")).to_contain_text("There is no such code")
    expect(page.locator("[name=code]")).to_be_focused()
    expect(page.locator("[name=code]")).to_have_value("BBBB-BBBB")
    page.screenshot(path=f"{pictures}/test-code-wrong.png", full_page=True)
    page.get_by_role("button", name="Remove Anna’s iPhone").click()
    expect(page.get_by_role("checkbox", name="Anna’s iPhone")).to_have_count(0)


def look(chromium, state, server, pictures):
    for language in ("en-US", "ja-JP"):
        for appearance in LOOKS:
            for device in WIDTHS:
                with visit(chromium, state, appearance, device, language) as page:
                    page.goto(f"{server.address}/dashboard/campaigns/{CAMPAIGN}/test")
                    place = f"{appearance}, {device}, {language}"
                    page.screenshot(
                        path=f"{pictures}/test-page-{appearance}-{device}-{language[:2]}.png", full_page=True
                    )
                    problems.extend(f"{place}: {each}" for each in out_of_reach(page))
                    if is_too_wide(page):
                        problems.append(f"{place}: wider than the window")
                    for violation in Axe().run(page)["violations"]:
                        problems.append(f"{place}: {violation['id']}: {violation['nodes'][0]['html']}")


def main():
    pictures = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright, browser(playwright) as chromium:
        server = dashboard_data.Server(os.environ["PLACARD"], f"{work}/test-code", free_port())
        shop = None
        try:
            shop = Shop(server, "anonymous-shop", chromium)
            context = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-US")
            page = context.new_page()
            page.set_default_timeout(PATIENCE * 1000)
            page.on("pageerror", lambda error: problems.append(f"a script failed: {error}"))
            make_account(page, server.dashboard)
            make_campaign(server)
            longest = send(page, shop.open(), server, pictures)
            look(chromium, context.storage_state(), server, pictures)
            refuse(page, server, pictures)
        finally:
            if shop:
                shop.stop()
            server.stop()
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    print(f"Tests by a code and by the name of a device were on the Shop's screen after {longest:.2f} seconds at most.")


main()
