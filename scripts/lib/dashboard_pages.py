"""The pages of the dashboard, for the data of dashboard_data, and how to get to them."""

import contextlib
import shutil

import dashboard_data

WIDTHS = {"laptop": (1440, 900), "phone": (390, 844)}
LOOKS = ["light", "dark"]
PAGES = {
    "overview": "", "campaigns": "/campaigns", "campaigns-more": "/campaigns?status=archived", "campaigns-none": "/campaigns?q=nothing+like+it",
    "campaign-new": "/campaigns/new", "campaign-edit": "/campaigns/autumn-sale/edit", "campaign-launch": "/campaigns/survey/launch",
    "campaign-stop": "/campaigns/autumn-sale/stop", "versions": "/campaigns/autumn-sale/versions", "report": "/campaigns/autumn-sale", "report-errors": "/campaigns/club-coupon",
    "report-long-name": "/campaigns/win-back", "report-new": "/campaigns/survey", "report-japanese": "/campaigns/aki-sale",
    "users": "/users", "users-none": "/users?q=nobody", "user": "/users/u-00007", "user-past": "/users/u-00012?at=2026-01-01T00:00", "events": "/events",
    "events-filtered": "/events?type=content_error", "segments": "/segments", "segment": "/segments/club", "segment-new": "/segments/new",
    "content-types": "/content-types", "team": "/team", "keys": "/keys", "audit": "/audit", "settings": "/settings", "account": "/account", "missing": "/nothing",
}
EMPTY = {"overview": "", "campaigns": "/campaigns", "users": "/users", "events": "/events", "segments": "/segments", "content-types": "/content-types",
         "keys": "/keys", "team": "/team", "audit": "/audit"}


def make_account(page, start):
    page.goto(start)
    page.fill("[name=name]", "Anna Lindqvist")
    page.fill("[name=email]", "anna@example.com")
    page.fill("[name=password]", dashboard_data.PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url("**/dashboard")


def add_team(page, address):
    for name, email, role in dashboard_data.MEMBERS:
        page.goto(f"{address}/dashboard/team")
        form = page.locator("form[action='/dashboard/team']")
        form.locator("[name=name]").fill(name)
        form.locator("[name=email]").fill(email)
        form.locator("[name=role]").select_option(role)
        form.get_by_role("button").click()
        page.wait_for_selector("#password-link")


@contextlib.contextmanager
def browser(playwright):
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
    yield browser
    browser.close()


@contextlib.contextmanager
def visit(browser, state, look, device):
    """A page for one look and width."""
    width, height = WIDTHS[device]
    context = browser.new_context(storage_state=state, color_scheme=look, viewport={"width": width, "height": height}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def is_too_wide(page):
    """Whether the page has to be moved sideways."""
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")
