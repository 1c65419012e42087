"""What happens to forms that are pressed twice, or being filled in while the page changes."""

import re

from playwright.sync_api import expect

from dashboard_pages import field
from editor_page import api, base, problems, visit

# How long the server seems to take, in milliseconds: long enough for a second press.
SLOW = 800
LIVE = "/v1/campaigns/being-read"


def press_twice(page, button):
    """Presses a button again while the first answer is under way."""
    button.scroll_into_view_if_needed()
    place = button.bounding_box()
    spot = (place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    connection = page.context.new_cdp_session(page)
    network = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    connection.send("Network.emulateNetworkConditions", {**network, "latency": SLOW})
    page.mouse.click(*spot)
    page.wait_for_timeout(SLOW / 4)
    page.mouse.click(*spot)
    page.wait_for_url("**done=*")
    connection.send("Network.emulateNetworkConditions", {**network, "latency": 0})
    connection.detach()


def is_sent_once(page):
    """A button that is pressed twice saves once, and shows what it did."""
    visit(page, f"{base}/dashboard/campaigns/new")
    field(page, "c.name").fill("Pressed twice")
    field(page, "c.variants[0].card.title").fill("T")
    field(page, "c.variants[0].card.description").fill("D")
    press_twice(page, page.get_by_role("button", name="Save", exact=True).last)
    visit(page, page.url.split("/edit?")[0] + "/launch")
    press_twice(page, page.get_by_role("button", name=re.compile("Launch to")))
    expect(page.locator(".status.active")).to_be_visible()
    visit(page, f"{base}/dashboard/campaigns?q=Pressed+twice")
    expect(page.locator("tbody tr")).to_have_count(1)


def keeps_dates(page):
    """Dates that are being typed stay when the numbers of a report change."""
    card = {"type": "classic", "title": "T", "description": "D"}
    made = {"id": "being-read", "name": "Being read", "variants": [{"id": "a", "name": "A", "card": card}]}
    api("POST", "/v1/campaigns", made)
    visit(page, f"{base}/dashboard/campaigns/being-read")
    page.locator("[name=from]").fill("2026-10-01")
    page.locator("[name=to]").focus()
    page.keyboard.type("11")
    page.locator(".meta .status.draft").wait_for()
    api("POST", f"{LIVE}/launch", {})
    page.locator(".meta .status.active").wait_for()
    page.keyboard.type("052026")
    typed = [page.locator(f"[name={name}]").input_value() for name in ("from", "to")]
    if typed != ["2026-10-01", "2026-11-05"]:
        problems.append(f"dates that were typed became {typed}")
    api("POST", f"{LIVE}/stop", {"withdraw": True})


def reads_full_width(page):
    """Digits as keyboards for Japanese write them are a weight while one types, and where they are saved."""
    visit(page, f"{base}/dashboard/campaigns/new")
    field(page, "c.name").fill("Full width")
    field(page, "c.variants[0].card.title").fill("T")
    field(page, "c.variants[0].card.description").fill("D")
    field(page, "c.variants[0].weight").fill("５０")
    expect(page.locator("[data-share]")).to_have_text("50.0%")
    field(page, "c.variants[0].weight").fill("１００")
    expect(page.locator("[data-share]")).to_have_text("100.0%")
    page.get_by_role("button", name="Save", exact=True).last.click()
    page.wait_for_url("**done=*")
    expect(field(page, "c.variants[0].weight")).to_have_value("100")
