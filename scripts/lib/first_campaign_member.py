"""A member in a browser, and the words of the pages in their language."""

import re

from dashboard_pages import is_too_wide, out_of_reach
from dashboard_words import Words
from hands import Keyboard, watch_pointers
from placard_server import PATIENCE

TEXTS = {
    "en": {
        "campaign": "Autumn sale",
        "title": "20 % off, until Sunday",
        "text": "Everything for the colder days.",
        "alt": "A lantern in the dusk",
        "ask": "Texts are checked. Can it start today?",
        "answer": "Yes.",
        "emil": "Emil",
        "anna": "Anna",
    },
    "ja": {
        "campaign": "秋のセール",
        "title": "日曜日まで20％オフ",
        "text": "寒い季節のためのすべて。",
        "alt": "夕暮れのランタン",
        "ask": "文面は確認しました。今日から始められますか？",
        "answer": "はい。",
        "emil": "佐藤 絵美",
        "anna": "鈴木 杏奈",
    },
}

LOCALES = {"en": "en-US", "ja": "ja-JP"}


class Member:
    """A member of the team with a browser of their own."""

    def __init__(self, flow, name, email, language):
        self.flow, self.name, self.email, self.words = flow, name, email, Words(language)
        self.context = flow.chromium.new_context(
            viewport=flow.size, locale=LOCALES[language], color_scheme=flow.look, reduced_motion="reduce"
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.on("pageerror", lambda error: flow.problems.append(f"a script failed: {error}"))
        self.page.on("console", self.note)
        self.hands = flow.kind(self.page)
        if flow.kind is Keyboard:
            watch_pointers(self.context, flow.pointers)

    def note(self, message):
        if "Security Policy" in message.text:
            self.flow.problems.append(message.text)

    def field(self, name):
        return self.page.locator(f"[name='{name}']:not([type=hidden])")

    def button(self, english, *arguments, within=None):
        return (within or self.page).get_by_role("button", name=self.words(english, *arguments), exact=True).last

    def link(self, english, within=None):
        return (within or self.page).get_by_role("link", name=self.words(english), exact=True).first

    def go(self, english):
        """Goes to a page by the navigation, which a phone has behind a button."""
        menu = self.page.locator("[data-menu]")
        if menu.is_visible():
            self.hands.press(menu)
        self.hands.press(self.link(english, within=self.page.get_by_role("navigation").first))

    def arrive(self, pattern):
        self.page.wait_for_url(re.compile(pattern))

    def picture(self, name):
        """Keeps a picture of the page, and notes what is wrong with it."""
        place = f"{self.flow.name}, {name}"
        shown = self.page.locator("html").get_attribute("lang")
        if shown != self.words.language:
            self.flow.problems.append(f"{place}: the page is in {shown}")
        if is_too_wide(self.page):
            self.flow.problems.append(f"{place}: wider than the window")
        self.flow.problems += [f"{place}: {problem}" for problem in out_of_reach(self.page)]
        self.flow.picture(self.page, name)
