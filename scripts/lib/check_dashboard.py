"""Uses the dashboard as a marketer would. usage: check_dashboard.py ADDRESS LOG"""
import json
import re
import shutil
import sys
import time
import urllib.request

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

base, log = sys.argv[1], open(sys.argv[2], encoding="utf-8").read()
key = re.search(r"publishable key\s+(\S+)", log).group(1)
start = re.search(r"(/dashboard/setup\S+)", log).group(1)
problems = []


def sync(user, events=None):
    body = {"user_id": user, "device_id": "device-1", "locale": "ja-JP", "events": events or []}
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{base}/v1/sync", json.dumps(body).encode(), headers)
    return json.load(urllib.request.urlopen(request))


def make_account(page):
    page.goto(base + start)
    page.fill("[name=name]", "Anna")
    page.fill("[name=email]", "anna@example.com")
    page.fill("[name=password]", "correct horse battery")
    page.get_by_role("button", name="Make the account").click()
    page.wait_for_url("**/dashboard")


def make_card(page):
    """Makes a card with a control for users in Japan, and returns the address of its report."""
    page.goto(base + "/dashboard/campaigns/new")
    page.fill("[name='c.name']", "Coupon")
    page.fill("[name='c.variants[0].card.title']", "20 % off")
    page.fill("[name='c.variants[0].card.description']", "Only <b>today</b>")
    page.get_by_role("button", name="Add a control group").click()
    page.wait_for_selector("#variant-1")
    page.fill("[name='c.variants[0].weight']", "9")
    page.get_by_role("button", name="+ Attribute").click()
    page.fill("[name='c.audience.items[0].name']", "country")
    page.fill("[name='c.audience.items[0].value']", "JP")
    page.frame_locator(".phone-screen iframe").last.get_by_text("Only <b>today</b>").wait_for()
    page.get_by_role("button", name="Save and check for launch").click()
    page.wait_for_url("**/launch")
    page.get_by_role("button", name=re.compile("Launch to")).click()
    page.wait_for_url("**done=launched")
    return page.url.split("?")[0]


def see_it_move(page):
    """Acts on a device, and waits for the open report to say so."""
    found = []
    for number in range(40):
        user = f"device-user-{number}"
        found = [(user, card) for card in sync(user)["cards"] if card.get("title") == "20 % off"]
        if found:
            break
    user, card = found[0]
    event = {"id": "0190a0b0-0000-7000-8000-000000000001", "type": "impression", "card_id": card["id"], "at": time.time()}
    assert sync(user, [event])["events"]["accepted"] == 1
    tile = page.locator(".tile", has_text="Impressions").locator(".figure")
    tile.filter(has_text=re.compile(r"^\s*1\s*$")).wait_for(timeout=10_000)


def look_for_violations(browser, state, report):
    paths = ["", "/campaigns", "/campaigns/new", report, f"{report}/edit", f"{report}/launch", f"{report}/stop", "/users",
             "/users/device-user-0", "/events", "/segments", "/segments/new", "/content-types", "/team", "/keys", "/audit",
             "/settings", "/account", "/nothing"]
    for look in ("light", "dark"):
        context = browser.new_context(storage_state=state, color_scheme=look)
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text) if "Security Policy" in message.text else None)
        for path in paths:
            page.goto(f"{base}/dashboard{path}")
            for violation in Axe().run(page)["violations"]:
                problems.append(f"{look} {path}: {violation['id']}: {violation['nodes'][0]['html']}")
        context.close()
    return len(paths)


with sync_playwright() as playwright:
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    browser = playwright.chromium.launch(executable_path=executable, args=arguments)
    context = browser.new_context()
    page = context.new_page()
    make_account(page)
    report = make_card(page)
    see_it_move(page)
    count = look_for_violations(browser, context.storage_state(), report.removeprefix(f"{base}/dashboard"))
    browser.close()

for problem in problems:
    print(problem)
if problems:
    sys.exit(1)
print(f"A card was made, launched and counted; {count} pages are without violations, light and dark.")
