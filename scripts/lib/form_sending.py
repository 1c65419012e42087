"""What happens to forms that are pressed twice."""

import re

from playwright.sync_api import expect

from dashboard_pages import field
from editor_page import base

# How long the server seems to take, in milliseconds: long enough for a second press.
SLOW = 800


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
    page.goto(f"{base}/dashboard/campaigns/new")
    field(page, "c.name").fill("Pressed twice")
    field(page, "c.variants[0].card.title").fill("T")
    field(page, "c.variants[0].card.description").fill("D")
    press_twice(page, page.get_by_role("button", name="Save", exact=True).last)
    page.goto(page.url.split("/edit?")[0] + "/launch")
    press_twice(page, page.get_by_role("button", name=re.compile("Launch to")))
    expect(page.locator(".status.active")).to_be_visible()
    page.goto(f"{base}/dashboard/campaigns?q=Pressed+twice")
    expect(page.locator("tbody tr")).to_have_count(1)

