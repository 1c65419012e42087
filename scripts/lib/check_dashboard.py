"""Uses the dashboard as a marketer would, with the Shop beside it; see scripts/check-dashboard.

usage: check_dashboard.py DIRECTORY LOOKS, where a picture of each step goes, and "short" or "long"
"""

import os
import pathlib
import re
import sys
import tempfile
import time

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import dashboard_data
from dashboard_pages import (
    DEEDS,
    EMPTY,
    PAGES,
    VISITS,
    add_pictures,
    add_team,
    browser,
    import_users,
    is_too_wide,
    make_account,
    out_of_reach,
    save_filters,
    sign_in_again,
    visit,
)
from dashboard_paper import problems_on_paper
from hands import Keyboard, Mouse
from placard_server import PATIENCE, free_port
from shop_page import Shop


class Flow:
    """A coupon with a control for users in one country, from the first page to the report that moves."""

    def __init__(self, chromium, server, hands, pictures):
        self.browser, self.server, self.pictures, self.steps = chromium, server, pictures, 0
        self.context = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-US")
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.hands, self.kind = hands(self.page), hands.__name__.lower()
        self.title = f"30 % off by {self.kind}"
        self.hands_of = hands

    def picture(self, page, name):
        self.steps += 1
        page.screenshot(path=f"{self.pictures}/{self.kind}-{self.steps:02}-{name}.png")

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    def link(self, name):
        return self.page.get_by_role("link", name=name, exact=True).first

    def sign_up(self):
        self.page.goto(self.server.dashboard)
        self.hands.type(self.page.get_by_label("Name", exact=True), "Anna")
        self.hands.type(self.page.get_by_label("Email address"), "anna@example.com")
        self.hands.type(self.page.get_by_label(re.compile("^Password")), dashboard_data.PASSWORD)
        self.picture(self.page, "sign-up")
        self.hands.press(self.button("Create account"))
        self.page.wait_for_url("**/dashboard")
        self.picture(self.page, "overview")

    def sign_in(self):
        self.page.goto(f"{self.server.address}/dashboard")
        self.hands.type(self.page.get_by_label("Email address"), "anna@example.com")
        self.hands.type(self.page.get_by_label("Password"), dashboard_data.PASSWORD)
        self.hands.press(self.button("Sign in"))
        self.page.wait_for_url("**/dashboard")

    def make_card(self):
        self.hands.press(self.link("New campaign"))
        self.page.wait_for_url("**/campaigns/new")
        self.hands.type(self.page.locator("[name='c.name']"), f"Coupon by {self.kind}")
        self.hands.type(self.page.locator("[name='c.variants[0].card.title']"), self.title)
        self.hands.type(self.page.locator("[name='c.variants[0].card.description']"), "Only <b>today</b>")
        for index, pair in enumerate(
            [("class_type", "coupon_code"), ("coupon_code", "AUTUMN30"), ("discount_percentage", "30")]
        ):
            if not self.page.locator(f"[name='c.variants[0].card.extras[{index}].key']").count():
                self.hands.press(self.button("Add key-value pair"))
            self.hands.type(self.page.locator(f"[name='c.variants[0].card.extras[{index}].key']"), pair[0])
            self.hands.type(self.page.locator(f"[name='c.variants[0].card.extras[{index}].value']"), pair[1])
        self.hands.press(self.button("Add control group"))
        self.page.wait_for_selector("#variant-1")
        expect(self.page.locator("[name='c.variants[0].weight']")).to_have_value("90")
        expect(self.page.locator("[name='c.variants[1].weight']")).to_have_value("10")
        self.hands.press(self.button("+ Attribute"))
        self.hands.type(self.page.locator("[name='c.audience.items[0].name']"), "country")
        self.hands.type(self.page.locator("[name='c.audience.items[0].value']"), "JP")
        self.page.frame_locator(".phone-screen iframe").last.get_by_text("Only <b>today</b>").wait_for()
        self.picture(self.page, "preview")
        self.hands.press(self.button("Review & launch"))
        self.page.wait_for_url("**/launch")
        self.picture(self.page, "checks")
        self.report = self.page.url.removesuffix("/launch")

    def open_shop(self):
        """Opens the Shop as a user in Japan who is not in the control, with a tent in the cart."""
        self.campaign = self.report.rsplit("/", 1)[1]

        def variant(user):
            return self.server.manage("GET", f"/v1/users/{user}/explain?campaign_id={self.campaign}")["campaigns"][0][
                "variant_id"
            ]

        people = [f"{self.kind}-kim-{number}" for number in range(20)]
        self.server.manage(
            "POST", "/users/track", {"attributes": [{"external_id": user, "country": "JP"} for user in people]}
        )
        self.shop = Shop(self.server, next(user for user in people if variant(user) == "a"), self.browser)
        self.screen = self.shop.open()
        self.screen.buy("tent")
        expect(self.screen.total).to_contain_text("€249.00")
        self.picture(self.screen.page, "shop-before")

    def launch(self):
        """Launches the card, and returns the seconds until the Shop shows it."""
        self.page.bring_to_front()
        button = self.button(re.compile("Launch to"))
        if isinstance(self.hands, Keyboard):
            self.hands.reach(button)
        start = time.monotonic()
        self.page.keyboard.press("Enter") if isinstance(self.hands, Keyboard) else button.click(no_wait_after=True)
        self.screen.coupon.filter(has_text=self.title).wait_for()
        taken = time.monotonic() - start
        self.page.wait_for_url("**done=launched")
        self.picture(self.page, "launched")
        self.screen.at_rest(self.screen.coupon)
        self.picture(self.screen.page, "shop-coupon")
        return taken

    def use_it(self):
        """Takes the coupon, while the log of clicks lies open in another tab and has to say so by itself."""
        log = self.context.new_page()
        log.goto(f"{self.server.address}/dashboard/events?type=click&user={self.shop.user}")
        expect(log.get_by_text("No matching events")).to_be_visible()
        self.screen.page.bring_to_front()
        self.screen.look()
        self.hands_of(self.screen.page).press(self.screen.coupon)
        expect(self.screen.total).to_contain_text("€174.30")
        self.picture(self.screen.page, "shop-used")
        log.bring_to_front()
        expect(log.get_by_role("cell", name=f"Coupon by {self.kind}")).to_be_visible(timeout=PATIENCE * 1000)
        self.picture(log, "log")
        log.close()

    def see_it_counted(self):
        """Waits until the open report shows the new numbers, without being reloaded."""
        self.page.bring_to_front()
        self.page.evaluate("window.isTheSame = true")
        for name in ("Impressions", "Clicks"):
            figure = self.page.locator(".tile", has_text=name).first.locator(".figure")
            expect(figure).to_have_text(re.compile(r"^\s*1\s*$"), timeout=PATIENCE * 1000)
        assert self.page.evaluate("window.isTheSame"), "The report was reloaded"
        self.picture(self.page, "report")

    def run(self, begin):
        begin()
        self.make_card()
        self.open_shop()
        try:
            taken = self.launch()
            self.use_it()
            self.see_it_counted()
        finally:
            self.shop.stop()
        self.server.manage("POST", f"/v1/campaigns/{self.campaign}/stop", {"withdraw": True})
        return taken


def look_at_all(chromium, state, address, pages, visits):
    """Looks for accessibility violations, pages wider than the window, and what the content policy had to stop."""
    problems, seen = [], set()
    for look, language, device in visits:
        # Violations take most of the time. In the gate, a look, a width and a language are each asked for them once.
        asks = len(visits) > 4 or not {look, language, device} <= seen
        seen |= {look, language, device}
        with visit(chromium, state, look, device, language) as page:
            page.on(
                "console",
                lambda message: problems.append(message.text) if "Security Policy" in message.text else None,
            )
            for name, path in pages.items():
                page.goto(f"{address}/dashboard{path}")
                if name in DEEDS:
                    DEEDS[name](page)
                place = f"{name}, {device}, {look}, {language}"
                shown = page.locator("html").get_attribute("lang")
                if shown != language[:2]:
                    problems.append(f"{place}: the page is in {shown}")
                if is_too_wide(page):
                    problems.append(f"{place}: wider than the window")
                if look == "light":
                    problems += [f"{place}: {problem}" for problem in out_of_reach(page)]
                for violation in Axe().run(page)["violations"] if asks else []:
                    problems.append(f"{place}: {violation['id']}: {violation['nodes'][0]['html']}")
    return problems


def check_flow(chromium, work, pictures):
    server = dashboard_data.Server(os.environ["PLACARD"], f"{work}/flow", free_port())
    try:
        # Everybody in the Shop would else be offered the demo's coupon first.
        server.manage("POST", "/v1/campaigns/demo-coupon/stop", {"withdraw": True})
        for hands in (Mouse, Keyboard):
            flow = Flow(chromium, server, hands, pictures)
            taken = flow.run(flow.sign_up if hands is Mouse else flow.sign_in)
            print(
                f"A coupon was made by {flow.kind}, seen in the Shop {taken:.2f} s after its launch, used and counted.",
                flush=True,
            )
            flow.context.close()
    finally:
        server.stop()


def check_pages(chromium, work, visits):
    problems, count = [], 0
    for is_empty, pages in ((False, PAGES), (True, EMPTY)):
        server = dashboard_data.Server(os.environ["PLACARD"], f"{work}/{is_empty}", free_port(), is_empty)
        try:
            if not is_empty:
                dashboard_data.fill(server, users=400)
            context = chromium.new_context(locale="en-US")
            page = context.new_page()
            make_account(page, server.dashboard)
            if not is_empty:
                add_team(page, server.address)
                save_filters(chromium, context.storage_state(), server.address)
                sign_in_again(chromium, server.address)
                add_pictures(page, server.address)
                pages = {**pages, **import_users(page, server.address)}
                dashboard_data.cap(server)
            count += len(pages)
            problems += look_at_all(chromium, context.storage_state(), server.address, pages, visits)
            if not is_empty:
                problems += problems_on_paper(chromium, context.storage_state(), server.address)
        finally:
            server.stop()
    return problems, count


def main():
    pictures = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright, browser(playwright) as chromium:
        check_flow(chromium, work, pictures)
        problems, count = check_pages(chromium, work, VISITS[sys.argv[2]])
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    print(
        f"{count} pages are without violations and fit the window, on laptop and phone, light and"
        " dark, in English and Japanese; reports are whole and light on paper."
    )


if __name__ == "__main__":
    main()
