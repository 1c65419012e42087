"""Does ten jobs of a marketer and counts what each takes; see scripts/check-ten-jobs.

usage: check_ten_jobs.py [--update]
"""

import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from dashboard_pages import browser, make_account
from hands import Mouse
from placard_server import PATIENCE, Server, make_key
from sample_pictures import file, poster
from shop_page import Shop

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = {"en": "docs/ten-jobs.md", "ja": "docs/ja/ten-jobs.md"}
TABLE = re.compile(r"(?<=<!-- counted -->\n).*?(?=<!-- end of what is counted -->)", re.DOTALL)
HEADS = {
    "en": ("job", "clicks", "fields", "together", "first dashboard", "Braze's guide", "page of the guide"),
    "ja": ("作業", "クリック", "入力欄", "合計", "最初のダッシュボード", "Brazeのガイド", "ガイドのページ"),
}
# What the public guide names for the same job: the clicks and fields of the shortest way, from the same start.
GUIDE = {
    "make": (7, 3, "Creating a Content Card"),
    "target": (1, 1, "Targeting users"),
    "test": (3, 1, "Testing Content Cards"),
    "schedule": (3, 1, "Scheduled delivery"),
    "launch": (2, 0, "Creating a Content Card"),
    "find": (3, 1, "Searching for campaigns"),
    "compare": (6, 0, "Comparing Campaigns"),
    "fix": (5, 1, "Creating a Content Card"),
    "stop": (2, 0, "Creating a Content Card"),
    "report": (3, 0, "Reporting & Analytics"),
}
# Clicks and fields in the first dashboard that could do the job (commit a741c854 of 2026-11-21), counted in its
# templates; `None` where it couldn't.
FIRST = {
    "make": 6,
    "target": 2,
    "test": None,
    "schedule": 2,
    "launch": 2,
    "find": 4,
    "compare": 1,
    "fix": 3,
    "stop": 3,
    "report": 2,
}
NAMES = {
    "en": {
        "make": "Make a card with a picture",
        "target": "Target a segment",
        "test": "Test on a phone that is known",
        "schedule": "Schedule in users' local time",
        "launch": "Launch",
        "find": "Find a campaign",
        "compare": "Compare two campaigns",
        "fix": "Fix a typo where users have the card",
        "stop": "Stop, and remove the cards",
        "report": "Read the report",
    },
    "ja": {
        "make": "画像のあるカードを作る",
        "target": "セグメントを対象にする",
        "test": "登録済みのスマートフォンでテストする",
        "schedule": "ユーザーの現地時間で予約する",
        "launch": "公開する",
        "find": "キャンペーンを探す",
        "compare": "2つのキャンペーンを比べる",
        "fix": "届いているカードの誤字を直す",
        "stop": "停止してカードを削除する",
        "report": "レポートを読む",
    },
}


class Jobs:
    """The jobs, one after the other, of one member."""

    def __init__(self, page, server, screen):
        self.page, self.server, self.screen = page, server, screen
        self.hands = Mouse(page)

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True).last

    def link(self, name):
        return self.page.get_by_role("link", name=name, exact=True).first

    def field(self, name):
        return self.page.locator(f"[name='{name}']:not([type=hidden])")

    def open(self, path=""):
        self.page.goto(f"{self.server.address}/dashboard{path}")

    def prepare(self):
        """What is there before: a picture, a segment, a test device, and a campaign that is active."""
        self.open("/media")
        picture = poster(1200, 800, ((40, 50, 110), (250, 170, 90)), "", "PNG")
        self.page.locator("[data-media-files]").set_input_files(file("lantern.png", picture, "image/png"))
        expect(self.page.locator(".media-item")).to_have_count(1)
        gold = {"attribute": "plan", "value": "gold"}
        self.server.manage("POST", "/v1/segments", {"id": "gold", "name": "Gold", "audience": gold})
        for id, name in (("spring", "Spring sale"), ("summer", "Summer sale")):
            card = {"type": "classic", "title": "Last dais", "description": "Until Sunday."}
            variants = [{"id": "a", "name": "A", "card": card}]
            self.server.manage("POST", "/v1/campaigns", {"id": id, "name": name, "variants": variants})
            self.server.manage("POST", f"/v1/campaigns/{id}/launch")
        self.open("/campaigns/spring/test")
        code = self.screen.test_code()
        self.field("code").fill(code)
        self.field("device_name").fill("Anna's phone")
        self.button("Send to phone").click()
        expect(self.page.get_by_role("checkbox", name="Anna's phone")).to_be_visible()
        self.screen.tab("Updates")
        self.open()

    def make(self):
        """From the overview to a draft that is saved: a name, a title, a text, and a picture of the library."""
        hands = self.hands
        hands.press(self.link("New campaign"))
        hands.type(self.field("c.name"), "Autumn sale")
        hands.type(self.field("c.variants[0].card.title"), "Evenings with light")
        hands.type(self.field("c.variants[0].card.description"), "Lanterns for the colder days.")
        hands.press(self.page.locator(".media-field button").nth(1))
        hands.press(self.page.locator(".media-choice").first)
        expect(self.field("c.variants[0].card.image")).to_have_value(re.compile("/lantern.png$"))
        hands.press(self.button("Save"))
        self.page.wait_for_url("**done=created")
        self.campaign = self.page.url.split("/campaigns/")[1].split("/")[0]

    def target(self):
        """In the editor: one segment."""
        self.hands.press(self.button("+ Segment"))
        self.hands.choose(self.page.locator("select[name='c.audience.items[0].value']"), "Gold")
        expect(self.page.locator("[data-reach]")).to_contain_text("0 of")

    def schedule(self):
        """In the editor: a start in the local time of users."""
        moment = datetime.datetime.now() - datetime.timedelta(days=1)
        self.hands.enter_time(self.field("c.delivery.start"), moment)
        self.hands.tick(self.field("c.delivery.local"))

    def test(self):
        """From the editor until the card is on the screen of a test device."""
        self.hands.press(self.button("Send test"))
        self.hands.press(self.button("Send test"))
        expect(self.screen.text("Evenings with light")).to_be_visible()

    def launch(self):
        """From the editor until the campaign is active."""
        self.hands.press(self.button("Review & launch"))
        self.hands.press(self.page.get_by_role("button", name=re.compile("^Launch to")))
        self.page.wait_for_url("**done=launched")

    def find(self):
        """From any page to a campaign of which a part of the name is known."""
        self.hands.press(self.page.locator("[data-palette]"))
        # What is found takes the place of what the palette offers by itself, also under a pointer that is down.
        with self.page.expect_response(re.compile(r"/dashboard/search\?q=spring$")):
            self.hands.type(self.page.get_by_role("combobox"), "spring")
        option = self.page.get_by_role("dialog").get_by_role("option").filter(has_text="Spring sale")
        self.hands.press(option.first)
        self.page.wait_for_url("**/campaigns/spring")

    def compare(self):
        """From the overview until the numbers of two campaigns stand in one table."""
        self.hands.press(self.link("Campaigns"))
        for name in ("Spring sale", "Summer sale"):
            row = self.page.get_by_role("row").filter(has_text=name)
            expect(row.get_by_role("cell").nth(2)).to_have_text(re.compile(r"\d"))

    def fix(self):
        """From the campaign's page until the users who have the card see another title."""
        expect(self.screen.text("Last dais").first).to_be_visible()
        self.hands.press(self.link("Edit"))
        self.hands.type(self.field("c.variants[0].card.title"), "Last days")
        self.hands.press(self.button("Save"))
        expect(self.screen.text("Last days").first).to_be_visible()

    def stop(self):
        """From the campaign's page until its card is gone from feeds."""
        self.hands.press(self.link("Stop…"))
        self.hands.press(self.button("Stop and remove delivered cards"))
        expect(self.screen.text("Last days")).to_have_count(0)

    def report(self):
        """From the overview to the numbers of a campaign."""
        self.hands.press(self.link("Campaigns"))
        self.hands.press(self.page.get_by_role("main").get_by_role("link", name="Autumn sale", exact=True))
        expect(self.page.locator(".tile", has_text="Impressions").first).to_be_visible()

    STARTS = {
        "launch": "/campaigns/{draft}/edit",
        "compare": "",
        "fix": "/campaigns/spring",
        "stop": "/campaigns/spring",
        "report": "",
    }

    def count(self, name):
        """Does a job and returns its clicks and fields."""
        if name in self.STARTS:
            self.open(self.STARTS[name].format(draft=getattr(self, "campaign", "")))
        self.hands.clicks = self.hands.fields = 0
        getattr(self, name)()
        return self.hands.clicks, self.hands.fields


# In the order in which they are done; the table has the order of NAMES.
ORDER = ["make", "target", "schedule", "test", "launch", "find", "compare", "fix", "stop", "report"]


def table(counted, language):
    """The table of a page."""
    heads = HEADS[language]
    lines = [f"| {' | '.join(heads)} |", "|---|--:|--:|--:|--:|--:|---|"]
    for job, name in NAMES[language].items():
        clicks, fields = counted[job]
        theirs, filled, page = GUIDE[job]
        before = "–" if FIRST[job] is None else FIRST[job]
        lines.append(f"| {name} | {clicks} | {fields} | {clicks + fields} | {before} | {theirs + filled} | *{page}* |")
    return "\n".join(lines) + "\n"


def count():
    """Does all jobs on a server of their own."""
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright, browser(playwright) as chromium:
        placard, database = os.environ["PLACARD"], f"{work}/jobs.sqlite"
        with Server.serve(placard, database) as server:
            server.publishable = make_key(placard, database, "publishable")
            server.secret = make_key(placard, database, "secret")
            shop = Shop(server, "anna-s-phone", chromium)
            try:
                page = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-US").new_page()
                page.set_default_timeout(PATIENCE * 1000)
                make_account(page, server.dashboard)
                jobs = Jobs(page, server, shop.open())
                jobs.prepare()
                counted = {}
                for name in ORDER:
                    counted[name] = jobs.count(name)
                    print(f"ok {NAMES['en'][name]}: {counted[name][0]} clicks, {counted[name][1]} fields", flush=True)
                return counted
            finally:
                shop.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true", help="writes what was counted into the pages")
    options = parser.parse_args()
    counted, same = count(), 0
    for language, name in PAGES.items():
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        fresh = TABLE.sub(lambda _: table(counted, language), text)
        assert TABLE.search(text), f"{name} has no place for the table"
        if options.update:
            path.write_text(fresh, encoding="utf-8")
        rows = table(counted, language).splitlines()[2:]
        missing = [row for row in rows if row not in path.read_text(encoding="utf-8").splitlines()]
        same += len(rows) - len(missing)
        for row in missing:
            print(f"!! {name} lacks: {row}")
    if options.update:
        # Its status is that of all translations.
        subprocess.run([ROOT / "scripts/check-docs", "--translations", "--update", PAGES["ja"]], check=False)
    more = [name for name, (theirs, filled, _) in GUIDE.items() if sum(counted[name]) > theirs + filled]
    for name in more:
        print(f"!! {NAMES['en'][name]} takes more than the guide names")
    rows = len(NAMES["en"]) * len(PAGES)
    print(f"{same} of {rows} figures of ten jobs are as counted.")
    sys.exit(0 if same == rows and not more else 1)


if __name__ == "__main__":
    main()
