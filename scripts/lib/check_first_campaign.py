"""Takes a marketer's first campaign from an empty workspace to its report; see scripts/check-first-campaign.

usage: check_first_campaign.py [--keep FOLDER] [--dark] [--narrow] [--runs mouse keyboard]
"""

import argparse
import contextlib
import datetime
import os
import pathlib
import re
import sys
import tempfile
import traceback

from playwright.sync_api import expect, sync_playwright

from dashboard_data import PASSWORD
from dashboard_pages import WIDTHS, browser
from dashboard_words import Words
from hands import Keyboard, Mouse
from placard_server import PATIENCE, Server, make_key, wait_for
from sample_pictures import file, poster
from shop_page import Shop
from first_campaign_member import Member, TEXTS

CARD = "c.variants[0].card"
# A moment that has come for one of two users and not for the other: the Shop's process says in which zone its user is.
ZONES = {"mika": "Asia/Tokyo", "paula": "America/Los_Angeles"}


class Flow:
    """The campaign, from the first account to the report: by mouse or by keyboard, in one language."""

    def __init__(self, chromium, server, options, kind, language):
        self.chromium, self.server, self.kind, self.language = chromium, server, kind, language
        self.name = f"{kind.__name__.lower()}-{language}"
        self.look = "dark" if options.dark else "light"
        width, height = WIDTHS["phone" if options.narrow else "laptop"]
        self.size = {"width": width, "height": height}
        self.keep, self.pictures = options.keep, 0
        self.texts, self.problems, self.pointers = TEXTS[language], [], []
        self.shops = {user: Shop(server, user, chromium, zone) for user, zone in ZONES.items()}
        self.screens = {}

    def picture(self, page, name):
        self.pictures += 1
        if self.keep:
            file = f"{self.keep}/{self.name}-{self.pictures:02}-{name}.png"
            page.screenshot(path=file, full_page=page.evaluate("scrollY === 0"))

    def is_shown(self, user):
        """Waits until the card is on a user's screen, with its picture."""
        cell = self.screens[user].page.locator("#screen .cell", has_text=self.texts["title"]).first
        expect(cell).to_be_visible()
        image = cell.locator("img").first
        expect(image).to_be_visible()
        is_loaded = "image => image.complete && image.naturalWidth > 100"
        self.screens[user].page.wait_for_function(is_loaded, arg=image.element_handle())

    # What is done, in this order.

    def creates_the_workspace(self):
        """An administrator creates the first account."""
        anna = self.anna = Member(self, self.texts["anna"], "anna@example.com", self.language)
        anna.page.goto(self.server.dashboard)
        anna.hands.type(anna.field("name"), anna.name)
        anna.hands.type(anna.field("email"), anna.email)
        anna.hands.type(anna.field("password"), PASSWORD)
        anna.picture("create-account")
        anna.hands.press(anna.button("Create account"))
        anna.arrive("/dashboard$")
        anna.picture("overview-of-an-empty-workspace")

    def asks_for_approvals(self):
        """Launches of editors need approval from now on."""
        anna = self.anna
        anna.go("Settings")
        anna.arrive("/settings$")
        choice = anna.page.locator("[name=launch_approval]")
        anna.hands.choose(choice, choice.locator("[value=editors]").inner_text())
        anna.picture("settings")
        anna.hands.press(anna.button("Save settings"))
        anna.arrive("done=")
        assert self.server.manage("GET", "/v1/settings")["launch_approval"] == "editors"

    def invites_the_marketer(self):
        """The administrator invites a marketer, who chooses a password and signs in."""
        anna = self.anna
        anna.go("Team")
        anna.arrive("/team$")
        form = anna.page.locator("form[action='/dashboard/team']")
        anna.hands.type(form.locator("[name=name]"), self.texts["emil"])
        anna.hands.type(form.locator("[name=email]"), "emil@example.com")
        role = form.locator("[name=role]")
        anna.hands.choose(role, role.locator("[value=editor]").inner_text())
        anna.hands.press(anna.button("Invite member"))
        link = anna.page.locator("#password-link").inner_text().strip()
        anna.picture("invitation")
        # The browser of the marketer has another language than the marketer.
        emil = self.emil = Member(self, self.texts["emil"], "emil@example.com", "en" if self.language == "ja" else "ja")
        emil.page.goto(f"{self.server.address}/dashboard{link.split('/dashboard', 1)[1]}")
        emil.hands.type(emil.field("password"), PASSWORD)
        emil.picture("choose-a-password")
        emil.hands.press(emil.button("Save password"))
        emil.arrive("/sign-in")
        emil.hands.type(emil.field("email"), emil.email)
        emil.hands.type(emil.field("password"), PASSWORD)
        emil.hands.press(emil.button("Sign in"))
        emil.arrive("/dashboard$")

    def chooses_a_language(self):
        """The marketer chooses the language of the dashboard."""
        emil = self.emil
        menu = emil.page.locator("[data-menu]")
        if menu.is_visible():
            emil.hands.press(menu)
        emil.hands.press(emil.page.locator("a.person"))
        emil.arrive("/account$")
        emil.hands.choose(emil.page.locator("select[name=language]"), {"en": "English", "ja": "日本語"}[self.language])
        form = emil.page.locator("form[action='/dashboard/language']")
        emil.hands.press(form.get_by_role("button"))
        expect(emil.page.locator("html")).to_have_attribute("lang", self.language)
        emil.words = Words(self.language)
        emil.picture("language")

    def writes_the_card(self):
        """The marketer writes a card with a picture above its text."""
        emil = self.emil
        emil.go("Overview")
        emil.arrive("/dashboard$")
        emil.picture("overview")
        emil.hands.press(emil.link("New campaign"))
        emil.arrive("/campaigns/new$")
        expect(emil.field("c.name")).to_be_focused()
        emil.hands.type(emil.field("c.name"), self.texts["campaign"])
        emil.hands.pick(emil.page.locator(f"[name='{CARD}.type'][value=captioned_image]"))
        emil.hands.type(emil.field(f"{CARD}.title"), self.texts["title"])
        emil.hands.type(emil.field(f"{CARD}.description"), self.texts["text"])
        self.preview = emil.page.frame_locator(".phone-screen iframe").last
        expect(self.preview.get_by_text(self.texts["text"])).to_be_visible()
        emil.picture("card")

    def uploads_a_picture(self):
        """The picture is uploaded, cut to the card's shape, described, and in the preview."""
        emil = self.emil
        box = emil.page.locator("[data-field]", has=emil.field(f"{CARD}.image"))
        lantern = poster(2400, 1800, ((40, 50, 110), (250, 170, 90)), "Camera")
        emil.hands.upload(box.locator(".media-field button").first, file("lantern.jpg", lantern))
        dialog = emil.page.get_by_role("dialog")
        emil.hands.choose(dialog.locator("select"), "16:9")
        alt = dialog.locator("input[maxlength='1000']")
        emil.hands.type(alt, self.texts["alt"])
        emil.picture("crop")
        emil.hands.press(emil.button("Upload", within=dialog))
        expect(dialog).to_have_count(0)
        expect(emil.field(f"{CARD}.image")).to_have_value(re.compile(r"/media/[0-9a-f]{32}/lantern\.jpg$"))
        expect(emil.field(f"{CARD}.image_alt")).to_have_value(self.texts["alt"])
        expect(self.preview.locator("img[src$='/lantern.jpg']")).to_be_visible()
        emil.picture("picture")

    def says_who_gets_it(self):
        """The audience is narrowed, and the number of users follows."""
        emil = self.emil
        emil.hands.press(emil.button("+ Attribute"))
        emil.hands.type(emil.field("c.audience.items[0].name"), "plan")
        emil.hands.type(emil.field("c.audience.items[0].value"), "gold")
        expect(emil.page.locator("[data-reach]")).to_have_text(re.compile(r"^\s*2.*2.*100"))
        emil.picture("audience")

    def says_when(self):
        """The campaign starts at a moment in the local time of each user."""
        emil = self.emil
        now = datetime.datetime.now(datetime.timezone.utc)
        emil.hands.enter_time(emil.field("c.delivery.start"), now)
        emil.hands.tick(emil.field("c.delivery.local"))
        emil.picture("local-time")

    def tests_on_a_phone(self):
        """A test by the code that the app shows is on its screen, with the picture."""
        emil, screen = self.emil, self.screens["mika"]
        emil.hands.press(emil.button("Send test"))
        emil.arrive("/campaigns/[^/]+/test$")
        code = screen.test_code()
        self.picture(screen.page, "code-in-the-app")
        screen.tab("Updates")
        emil.hands.type(emil.field("code"), code)
        emil.hands.press(emil.button("Send to phone"))
        expect(emil.page.get_by_role("status").first).to_be_visible()
        self.is_shown("mika")
        emil.picture("test-sent")
        self.picture(screen.page, "test-in-the-app")

    def asks_for_the_launch(self):
        """The review says what is launched, and the marketer asks for its approval."""
        emil = self.emil
        emil.hands.press(emil.page.locator(".crumb a").last)
        emil.arrive("/campaigns/[^/]+$")
        emil.picture("draft")
        self.campaign = emil.page.url.rsplit("/", 1)[1]
        emil.hands.press(emil.page.locator(".page-head a[href$='/launch']"))
        emil.arrive("/launch$")
        expect(emil.page.get_by_role("alert")).to_have_count(0)
        expect(emil.page.locator(".facts")).to_contain_text(emil.words("{1} in the user’s local time", "").strip())
        emil.hands.type(emil.field("comment"), self.texts["ask"])
        emil.picture("review")
        emil.hands.press(emil.button("Request approval"))
        emil.arrive("done=approval-requested")
        expect(emil.button("Approve & launch")).to_have_count(0)
        emil.picture("approval-requested")
        assert self.server.manage("GET", f"/v1/campaigns/{self.campaign}")["status"] == "draft"

    def approves_it(self):
        """The administrator finds the request on the overview, and launches the campaign by approving it."""
        anna = self.anna
        anna.go("Overview")
        anna.arrive("/dashboard$")
        request = anna.page.get_by_role("main").get_by_role("link", name=self.texts["campaign"]).first
        expect(request).to_be_visible()
        anna.picture("request-on-the-overview")
        anna.hands.press(request)
        anna.arrive("/approval$")
        expect(anna.page.get_by_text(self.texts["ask"])).to_be_visible()
        anna.hands.type(anna.field("comment"), self.texts["answer"])
        anna.picture("decision")
        anna.hands.press(anna.button("Approve & launch"))
        anna.arrive("done=approval-approved")
        anna.picture("approved")
        assert self.server.manage("GET", f"/v1/campaigns/{self.campaign}")["status"] == "active"

    def is_launched_in_local_time(self):
        """Who is past the moment has the card; who isn't yet doesn't, and the dashboard says why."""
        mika, paula = (self.screens[user] for user in ZONES)
        # An app in the background counts nothing as seen.
        mika.page.bring_to_front()
        mika.page.locator("#screen").get_by_text(self.texts["title"], exact=True).nth(1).wait_for()
        self.picture(mika.page, "card-in-tokyo")
        wait_for(
            lambda: self.server.manage("GET", f"/v1/campaigns/{self.campaign}/report")["variants"][0]["impressions"],
            lambda count: count == 1,
            "The card in Tokyo should have been seen once",
        )
        emil = self.emil
        emil.go("Users")
        emil.arrive("/users$")
        emil.hands.press(emil.page.get_by_role("main").get_by_role("link", name="paula").first)
        emil.arrive("/users/paula")
        row = emil.page.locator(".activity", has_text=self.texts["campaign"]).first
        expect(row).to_contain_text("America/Los_Angeles")
        emil.picture("not-yet-in-los-angeles")
        expect(paula.page.locator("#screen").get_by_text(self.texts["title"], exact=True)).to_have_count(0)
        self.picture(paula.page, "nothing-in-los-angeles")

    def reads_the_report(self):
        """The report counts the card that was seen."""
        emil = self.emil
        emil.go("Campaigns")
        emil.arrive("/campaigns$")
        emil.picture("list")
        emil.hands.press(emil.page.get_by_role("main").get_by_role("link", name=self.texts["campaign"], exact=True))
        emil.arrive(f"/campaigns/{self.campaign}$")
        figure = emil.page.locator(".tile", has_text=emil.words("Impressions")).first.locator(".figure")
        expect(figure).to_have_text(re.compile(r"^\s*1\s*$"), timeout=PATIENCE * 1000)
        emil.picture("report")

    STEPS = [
        creates_the_workspace,
        asks_for_approvals,
        invites_the_marketer,
        chooses_a_language,
        writes_the_card,
        uploads_a_picture,
        says_who_gets_it,
        says_when,
        tests_on_a_phone,
        asks_for_the_launch,
        approves_it,
        is_launched_in_local_time,
        reads_the_report,
    ]

    def run(self):
        """Does one step after another until one fails, and returns how many held."""
        users = [{"external_id": user, "plan": "gold"} for user in ZONES]
        self.server.manage("POST", "/users/track", {"attributes": users})
        held = 0
        try:
            for user, shop in self.shops.items():
                self.screens[user] = shop.open()
                self.screens[user].tab("Updates")
            for step in self.STEPS:
                step(self)
                assert not self.pointers, f"A pointer was used: {self.pointers[0]}"
                held += 1
                print(f"ok {self.name}: {step.__doc__}", flush=True)
        except Exception:
            print(f"!! {self.name}, {self.STEPS[held].__name__}: {traceback.format_exc()}", flush=True)
            with contextlib.suppress(Exception):
                for member in (getattr(self, name) for name in ("anna", "emil") if hasattr(self, name)):
                    self.picture(member.page, f"failed-{member.email.split('@')[0]}")
        return held

    def stop(self):
        for shop in self.shops.values():
            shop.stop()


RUNS = {"mouse": (Mouse, "en"), "keyboard": (Keyboard, "ja")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for pictures of the steps")
    parser.add_argument("--dark", action="store_true", help="in dark colours")
    parser.add_argument("--narrow", action="store_true", help="as wide as a phone")
    parser.add_argument("--runs", nargs="+", choices=RUNS, default=list(RUNS))
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    held, problems = 0, []
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright, browser(playwright) as chromium:
        for name in options.runs:
            database = f"{work}/{name}.sqlite"
            with Server.serve(os.environ["PLACARD"], database) as server:
                server.publishable = make_key(os.environ["PLACARD"], database, "publishable")
                server.secret = make_key(os.environ["PLACARD"], database, "secret")
                flow = Flow(chromium, server, options, *RUNS[name])
                try:
                    held += flow.run()
                finally:
                    flow.stop()
                problems += flow.problems
    for problem in problems:
        print(f"!! {problem}")
    all_steps = len(Flow.STEPS) * len(options.runs)
    print(f"{held} of {all_steps} steps of a first campaign held, by {' and by '.join(options.runs)}.")
    sys.exit(0 if held == all_steps and not problems else 1)


if __name__ == "__main__":
    main()
