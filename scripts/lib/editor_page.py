"""The editor in a browser, and the API beside it; made for scripts that are called with ADDRESS and LOG."""

import json
import pathlib
import re
import sys
import urllib.error
import urllib.request

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Error

base, log = sys.argv[1], open(sys.argv[2], encoding="utf-8").read()

secret = re.search(r"secret key\s+(\S+)", log).group(1)

start = re.search(r"(/dashboard/setup\S+)", log).group(1)

email, password = "anna@example.com", "correct horse battery"

everything = json.loads((pathlib.Path(__file__).parent / "everything_campaign.json").read_text(encoding="utf-8"))

kept = ("version", "status", "withdrawn", "created_at", "updated_at", "launched_at")

problems = []


def api(method, path, body=None):
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, headers, method=method)
    return json.load(urllib.request.urlopen(request))


def campaign(id="all"):
    found = api("GET", f"/v1/campaigns/{id}")
    return {name: value for name, value in found.items() if name not in kept}


def sign_in(page):
    page.goto(base + start)
    if page.locator("[name=name]").count():
        page.fill("[name=name]", "Anna")
        page.fill("[name=email]", email)
        page.fill("[name=password]", password)
        page.get_by_role("button", name="Create account").click()
    else:
        page.goto(base + "/dashboard/sign-in")
        enter(page)
    page.wait_for_url("**/dashboard")


def enter(page):
    page.fill("[name=email]", email)
    page.fill("[name=password]", password)
    page.get_by_role("button", name="Sign in").click()


def visit(page, address):
    """Opens a page, leaving what was edited in the one before."""
    try:
        page.goto(address)
    except Error as error:
        # A busy browser gives up leaving a page with changes before its question is answered.
        if "ERR_ABORTED" not in str(error):
            raise
        page.goto(address)


def opened(page, path):
    visit(page, f"{base}/dashboard/campaigns/{path}")
    page.locator("[data-reach]").filter(has_text="users").wait_for()
    return page


def save(page):
    page.get_by_role("button", name="Save", exact=True).last.click()
    page.wait_for_url(re.compile(r"done=(saved|created)"))


def press(page, name):
    page.get_by_role("button", name=name).first.focus()
    page.keyboard.press("Enter")


def violations(page, name):
    for violation in Axe().run(page)["violations"]:
        problems.append(f"{name}: {violation['id']}: {violation['nodes'][0]['html'][:300]}")


def watch(page, allowed="nothing"):
    def note(message):
        if "Security Policy" in message.text and allowed not in message.text:
            problems.append(message.text)

    page.on("pageerror", lambda error: problems.append(f"script: {error}"))
    page.on("console", note)
