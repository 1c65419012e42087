"""The pages of the dashboard, for the data of dashboard_data, and how to get to them."""

import contextlib
import datetime
import pathlib
import re
import shutil

from playwright.sync_api import expect

import dashboard_data
from placard_server import PATIENCE
from sample_pictures import file, poster

WIDTHS = {"laptop": (1440, 900), "phone": (390, 844)}
LOOKS = ["light", "dark"]
# Looks, languages and widths in which every page is opened: all of them, or some in which each is once. Where texts are
# longer, pages are wider.
VISITS = {
    "long": [
        (look, language, device)
        for look, language in [("light", "en-US"), ("dark", "en-US"), ("light", "ja-JP")]
        for device in WIDTHS
    ],
    "short": [
        ("light", "en-US", "laptop"),
        ("dark", "en-US", "phone"),
        ("light", "ja-JP", "phone"),
        ("light", "ja-JP", "laptop"),
    ],
}
# From when on a report shows days that are compared with those before them.
MONTH = datetime.date.today() - datetime.timedelta(days=27)
ROUTES = pathlib.Path(__file__).resolve().parents[2] / "docs/routes.md"
# What has an address and is no page: parts of pages, answers to scripts, files, and what only leads elsewhere.
NO_PAGES = {
    "/audit/export",
    "/campaigns/bulk",
    "/campaigns/names",
    "/live",
    "/media/list",
    "/resume",
    "/search",
}
# Pages that are looked at with data alone.
ONLY_FULL = {"/account", "/media", "/settings"}


def field(page, place):
    """The field of a form that has a name."""
    return page.locator(f"[name='{place}']:not([type=hidden])")


def plain_pages():
    """The pages of members whose addresses name nothing, by names: a new one is looked at without a line here."""
    rows = re.findall(r"^\| `GET /dashboard([^`{}]*)` \| (?!nothing)", ROUTES.read_text(encoding="utf-8"), re.M)
    return {path.strip("/").replace("/", "-") or "overview": path for path in rows if path not in NO_PAGES}


# Pages and states of pages that have names of their own, or whose addresses name something.
NAMED = {
    "campaigns-more": "/campaigns?status=archived",
    "campaigns-none": "/campaigns?q=nothing+like+it",
    "calendar-overlap": "/calendar?overlap=1",
    "calendar-week": "/calendar?show=week",
    "calendar-quarter": "/calendar?show=quarter",
    "campaign-new": "/campaigns/new",
    "campaign-template": "/campaigns/new?template=coupon",
    "campaign-edit": "/campaigns/autumn-sale/edit",
    "campaign-launch": "/campaigns/survey/launch",
    "campaign-approval": "/campaigns/survey/approval",
    "campaign-test": "/campaigns/autumn-sale/test",
    "campaign-test-sent": "/campaigns/autumn-sale/test",
    "campaign-stop": "/campaigns/autumn-sale/stop",
    "versions": "/campaigns/autumn-sale/versions",
    "report": "/campaigns/autumn-sale",
    "report-days": f"/campaigns/autumn-sale?from={MONTH}",
    "report-errors": "/campaigns/club-coupon",
    "report-long-name": "/campaigns/win-back",
    "report-new": "/campaigns/survey",
    "report-japanese": "/campaigns/aki-sale",
    "campaigns-sorted": "/campaigns?q=e&sort=-delivered",
    "segments-sorted": "/segments?sort=name",
    "users-none": "/users?q=nobody",
    "user": "/users/u-00007",
    "user-past": "/users/u-00012?at=2026-01-01T00:00",
    "imports": "/users/imports",
    "events-filtered": "/events?type=content_error",
    "segment": "/segments/club",
    "segment-new": "/segments/new",
    "content-blocks-none": "/content-blocks?q=nothing+like+it",
    "content-block": "/content-blocks/terms",
    "content-block-new": "/content-blocks/new",
    "content-block-delete": "/content-blocks/terms/delete",
    "content-block-unused": "/content-blocks/opening-hours/delete",
    "missing": "/nothing",
}
PLAIN = plain_pages()
PAGES = {**{name: path for name, path in PLAIN.items() if path not in NAMED.values()}, **NAMED}
# What is done on a page before it is looked at: its address alone doesn't lead there.
DEEDS = {"campaign-test-sent": lambda page: send_test(page)}
# In a workspace without data.
EMPTY = {
    next((known for known, place in NAMED.items() if place == path), name): path
    for name, path in PLAIN.items()
    if path not in ONLY_FULL and not path.endswith("/new")
}


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


def save_filters(chromium, state, address):
    """Sorts the campaigns by the head of a column and saves that for the team, and a search for users; all without
    scripts."""
    context = chromium.new_context(storage_state=state, java_script_enabled=False, locale="en-US")
    page = context.new_page()
    page.goto(f"{address}/dashboard/campaigns?q=e")
    page.get_by_role("columnheader", name="Delivered").get_by_role("link").click()
    sorted_by = page.locator("th[aria-sort]")
    assert sorted_by.get_attribute("aria-sort") == "descending" and "Delivered" in sorted_by.inner_text()
    save_filter(page, "Most delivered", is_shared=True)
    page.goto(f"{address}/dashboard/users?q=kate")
    save_filter(page, "Everyone called Kate")
    context.close()


def save_filter(page, name, is_shared=False):
    """Saves what a list shows under a name, and finds it above the list."""
    page.get_by_text("Save this filter").click()
    page.get_by_label("Name of the filter").fill(name)
    if is_shared:
        page.get_by_label("Share with the team").check()
    page.get_by_role("button", name="Save filter").click()
    page.locator(".saved a[aria-current]", has_text=name).wait_for()


def sign_in_again(chromium, address):
    """Signs in with another browser, so that the account has two sessions."""
    context = chromium.new_context(locale="en-US")
    page = context.new_page()
    page.goto(f"{address}/dashboard")
    page.fill("[name=email]", "anna@example.com")
    page.fill("[name=password]", dashboard_data.PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/dashboard")
    context.close()


def add_pictures(page, address):
    """Uploads a picture to the media library."""
    page.goto(f"{address}/dashboard/media")
    before = page.locator(".media-item").count()
    picture = poster(1200, 800, ((40, 50, 110), (250, 170, 90)), "", "PNG")
    page.locator("[data-media-files]").set_input_files(file("lantern.png", picture, "image/png"))
    expect(page.locator(".media-item")).to_have_count(before + 1)


def import_users(page, address):
    """Uploads two files of users and imports one of them, with a line that is rejected. Returns their pages."""
    pages = {}
    for name in ("import", "import-finished"):
        page.goto(f"{address}/dashboard/users/imports")
        data = "Customer ID,E-Mail,First Name,points\ni-1,ann@example.com,Ann,10\ni-2,bob@example.com,Bob,many\n"
        page.get_by_label("CSV or JSON Lines file").set_input_files(file(f"{name}.csv", data.encode(), "text/csv"))
        page.wait_for_url(re.compile("/imports/imp_"))
        page.get_by_label("points").select_option(label="Custom attribute (number)")
        if name == "import-finished":
            page.get_by_role("button", name="Start import").click()
            expect(page.get_by_role("heading", name="Import finished")).to_be_visible()
        pages[name] = page.url.split("/dashboard")[1].split("?")[0]
    return pages


def send_test(page):
    """Sends a test to a user who is known and to one who isn't, in whatever language the page has."""
    page.locator("textarea[name=users]").fill("u-00007\nnobody")
    page.locator("button[name=to][value=users]").click()
    page.locator("main .card[role=status]").wait_for()


@contextlib.contextmanager
def browser(playwright):
    """A browser, of whose pages is expected what comes in time."""
    expect.set_options(timeout=PATIENCE * 1000)
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    browser = playwright.chromium.launch(
        executable_path=executable, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    )
    yield browser
    browser.close()


@contextlib.contextmanager
def visit(browser, state, look, device, language="en-US"):
    """A page for one look, width and language."""
    width, height = WIDTHS[device]
    context = browser.new_context(
        storage_state=state,
        color_scheme=look,
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        locale=language,
    )
    yield context.new_page()
    context.close()


def out_of_reach(page):
    """What stands outside the window or is cut off by its table, the texts of boxes to tick that stand below them,
    links of lists that are hard to hit, and scroll bars that nobody needs; as they are to be read by who fixes it."""
    return page.evaluate("""() => {
        const found = [];
        // What is folded is looked at as if it were open.
        const folded = [...document.querySelectorAll("main details:not([open])")];
        for (const details of folded) details.open = true;
        const look = (element, place) => {
            if (place.width <= 1) return;
            const name = element.textContent.trim().replace(/\\s+/g, " ");
            if (place.right > innerWidth + 1 || place.left < -1) found.push(`outside the window: ${name}`);
            const box = element.closest(".table-box")?.getBoundingClientRect();
            if (box && (place.right > box.right + 1 || place.left < box.left - 1))
                found.push(`cut off by its table: ${name}`);
        };
        for (const action of document.querySelectorAll("main button, main a.button"))
            if (action.checkVisibility()) look(action, action.getBoundingClientRect());
        for (const cell of document.querySelectorAll("main :is(td, th)")) {
            // Heads that only screen readers read take a pixel.
            // The rows of a file have as many columns as the file.
            if (cell.closest(".import-rows")) continue;
            const isUnseen = cell.closest("thead")?.getBoundingClientRect().width <= 1;
            const shown = cell.cloneNode(true);
            for (const unseen of shown.querySelectorAll(".unseen")) unseen.remove();
            if (isUnseen || !cell.checkVisibility() || !shown.textContent.trim()) continue;
            const text = document.createRange();
            text.selectNodeContents(cell);
            look(cell, text.getBoundingClientRect());
        }
        for (const box of document.querySelectorAll("main label > input:is([type=checkbox], [type=radio])")) {
            const text = [...box.parentElement.childNodes].find((node) => node.nodeType === 3 && node.data.trim());
            if (!text || !box.checkVisibility()) continue;
            const range = document.createRange();
            range.selectNodeContents(text);
            const line = range.getClientRects()[0];
            const isBelow = line && line.top >= box.getBoundingClientRect().bottom;
            if (isBelow) found.push(`below its box: ${text.data.trim()}`);
        }
        // Links below each other are at least so high and wide; those within a sentence have that of their line.
        for (const link of document.querySelectorAll("main :is(.plain-list, .cal-warning, .problem > p) a")) {
            const place = link.getBoundingClientRect();
            if (link.checkVisibility() && Math.min(place.width, place.height) < 23.9)
                found.push(`smaller than 24 pixels: ${link.textContent.trim()}`);
        }
        // A browser without a window draws no bars, so that no picture shows them. What may grow has nothing to scroll.
        for (const element of document.querySelectorAll("body :not(textarea)")) {
            const style = getComputedStyle(element);
            const scrolls = ["auto", "scroll"].includes(style.overflowY) && style.maxHeight === "none";
            if (scrolls && element.clientHeight > 0 && element.scrollHeight > element.clientHeight)
                found.push(`a scroll bar that nobody needs: ${element.tagName.toLowerCase()}.${element.className}`);
        }
        for (const details of folded) details.open = false;
        return found;
    }""")


def is_too_wide(page):
    """Whether the page has to be moved sideways."""
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")
