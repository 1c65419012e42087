"""Makes pictures of the dashboard's pages. usage: dashboard_screenshots.py DIRECTORY [PAGE…]; see
scripts/dashboard-screenshots."""

import os
import pathlib
import sys
import tempfile

from playwright.sync_api import sync_playwright

import dashboard_data
from dashboard_pages import (
    EMPTY,
    LOOKS,
    PAGES,
    WIDTHS,
    add_team,
    browser,
    is_too_wide,
    make_account,
    save_filters,
    visit,
)
from placard_server import free_port

LANGUAGE = os.environ.get("PLACARD_LANGUAGE", "en-US")


def shoot(browser, state, address, pages, target, prefix=""):
    """Takes a picture of each page in each look and width, and says which are wider than the window."""
    wide = []
    for look in LOOKS:
        for device in WIDTHS:
            with visit(browser, state, look, device, LANGUAGE) as page:
                for name, path in pages.items():
                    page.goto(f"{address}/dashboard{path}", wait_until="load")
                    if page.locator("iframe").count():
                        page.wait_for_timeout(500)
                    if is_too_wide(page):
                        wide.append(f"{prefix}{name} {device}")
                    page.screenshot(path=f"{target}/{prefix}{name}-{device}-{look}.png", full_page=True)
    return wide


def shoot_full(browser, server, pages, target):
    dashboard_data.fill(server)
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    make_account(page, server.dashboard)
    add_team(page, server.address)
    save_filters(browser, context.storage_state(), server.address)
    wide = shoot(browser, None, server.address, {"sign-in": "/sign-in"}, target)
    return wide + shoot(browser, context.storage_state(), server.address, pages, target)


def shoot_empty(browser, server, pages, target):
    wide = shoot(browser, None, server.address, {"setup": "/setup"}, target)
    context = browser.new_context(locale="en-US")
    make_account(context.new_page(), server.dashboard)
    return wide + shoot(browser, context.storage_state(), server.address, pages, target, "empty-")


def main():
    target, wanted = pathlib.Path(sys.argv[1]), set(sys.argv[2:])
    full = {name: path for name, path in PAGES.items() if not wanted or name in wanted}
    empty = {name: path for name, path in EMPTY.items() if not wanted or f"empty-{name}" in wanted}
    wide = []
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright, browser(playwright) as chromium:
        for is_empty, pages, take in ((False, full, shoot_full), (True, empty, shoot_empty)):
            if pages:
                server = dashboard_data.Server(os.environ["PLACARD"], f"{work}/{is_empty}", free_port(), is_empty)
                try:
                    wide += take(chromium, server, pages, target)
                finally:
                    server.stop()
    for name in wide:
        print(f"wider than the window: {name}")
    print(f"{len(list(target.glob('*.png')))} pictures are in {target}.")
    sys.exit(1 if wide else 0)


main()
