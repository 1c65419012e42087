"""Edits campaigns as a marketer would, by keyboard where it matters. usage: check_editor.py ADDRESS LOG"""

import re
import shutil
import sys
import urllib.error
import urllib.request

from playwright.sync_api import expect, sync_playwright

from dashboard_pages import field
from editor_page import (
    api,
    base,
    campaign,
    everything,
    kept,
    opened,
    press,
    problems,
    save,
    sign_in,
    violations,
    visit,
    watch,
)
from editor_edits import (
    brings_a_version_back,
    builds_an_audience,
    completes,
    makes_everything_by_hand,
    says_what_is_wrong,
    two_edit_at_once,
    writes_content_blocks,
)
from form_refusals import (
    asks_before_settings_are_left,
    asks_before_tokens_are_required,
    leads_to_what_is_wrong,
    outlives_a_session_that_is_gone,
    renews_its_token,
    says_that_it_stands_still,
    says_why_it_was_refused,
    stays_where_nobody_answers,
)
from form_sending import is_sent_once, keeps_dates, reads_full_width


def nothing_is_lost(page):
    """A campaign that uses everything is opened and saved, and is what it was."""
    before = campaign()
    opened(page, "all/edit")
    save(page)
    assert campaign() == before, [name for name in before if campaign().get(name) != before[name]]


def is_led_to_the_field(page):
    """What a check before the launch says leads to the field, wherever it is folded away."""
    made = api("GET", "/v1/campaigns/by-hand")
    made["variants"][0]["card"]["expires_at"] = 1
    made["variants"][0]["card"]["image"] = "https://x.example/i.png"
    made["delivery"]["end_at"] = 2
    api("PUT", "/v1/campaigns/by-hand", made)
    for words, place in (
        ("no description of it", "c.variants[0].card.image_alt"),
        ("The end has passed", "c.delivery.end"),
    ):
        visit(page, f"{base}/dashboard/campaigns/by-hand/launch")
        page.get_by_role("link", name=re.compile(words)).click()
        expect(field(page, place)).to_be_focused()
    made = api("GET", "/v1/campaigns/by-hand")
    made["delivery"]["end_at"] = None
    api("PUT", "/v1/campaigns/by-hand", made)


def outlives_its_session(page):
    """A session that ends while one types takes nothing with it."""
    opened(page, "by-hand/edit")
    page.context.clear_cookies()
    field(page, "c.name").fill("After the session")
    expect(page.locator("#session-ended")).to_be_visible()
    other = page.context.new_page()
    sign_in(other)
    other.close()
    page.bring_to_front()
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("#session-ended")).to_have_count(0)
    save(page)
    assert campaign("by-hand")["name"] == "After the session"


def stays_where_it_is_too_large(page):
    """A form that is too large to save stays as it was typed, and is smaller without a language."""
    opened(page, "new")
    page.get_by_text("Translations").click()
    for index, tag in enumerate(("ja", "ko")):
        press(page, "Add language")
        expect(field(page, f"c.variants[0].card.translations[{index}].tag")).to_be_focused()
        page.keyboard.type(tag)
    for index in range(2):
        field(page, f"c.variants[0].card.translations[{index}].description").fill("あ" * 62_000)
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.locator("#form-too-large")).to_be_focused()
    expect(field(page, "c.variants[0].card.translations[1].description")).to_have_value("あ" * 62_000)
    page.locator("[name=do][value='remove c.variants[0].card.translations[1]']").click()
    expect(page.locator("#form-too-large")).to_have_count(0)
    # Half a megabyte, there and back, to a server that was built for debugging.
    expect(field(page, "c.variants[0].card.translations[1].tag")).to_have_count(0, timeout=60_000)
    expect(field(page, "c.variants[0].card.translations[0].description")).to_have_value("あ" * 62_000)


def keeps_what_is_typed(page):
    """What is typed while the server draws the form again stays, and a second button waits for its answer."""
    opened(page, "new")
    page.get_by_text("Translations").click()
    page.evaluate("""() => {
        const ask = window.fetch;
        const waiting = [];
        const late = new Promise((done) => waiting.push(done));
        window.fetch = async (...request) => {
            const answer = await ask(...request);
            const text = answer.text.bind(answer);
            answer.text = async () => (await late, text());
            return answer;
        };
        window.answerNow = () => waiting.forEach((done) => done());
    }""")
    press(page, "Add language")
    press(page, "Add language")
    field(page, "c.name").fill("Typed while it waits")
    page.evaluate("answerNow()")
    expect(field(page, "c.variants[0].card.translations[0].tag")).to_be_focused()
    expect(field(page, "c.name")).to_have_value("Typed while it waits")
    expect(field(page, "c.variants[0].card.translations[1].tag")).to_have_count(0)


def fits(browser, state):
    """Every part of the editor, opened, is without violations and fits, wide and narrow, light and dark."""
    for look, width in (("light", 1440), ("dark", 1440), ("light", 390), ("dark", 390)):
        context = browser.new_context(
            storage_state=state, color_scheme=look, viewport={"width": width, "height": 900}, locale="en-US"
        )
        page = context.new_page()
        watch(page)
        for path in ("all/edit", "new", "all/versions", "by-hand/versions"):
            visit(page, f"{base}/dashboard/campaigns/{path}")
            page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
            violations(page, f"{look} {width} {path}")
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                problems.append(f"{look} {width} {path}: the page is {wide} wide")
        context.close()


def begins_with_the_name(page):
    """A new campaign begins in the name, a few tab stops before the title, and a phone has the preview one tap away."""
    visit(page, f"{base}/dashboard/campaigns/new")
    expect(field(page, "c.name")).to_be_focused()
    stops = 0
    while page.evaluate("document.activeElement.name") != "c.variants[0].card.title":
        page.keyboard.press("Tab")
        stops += 1
        assert stops < 12, "the title is 12 tab stops away"
    phone = page.context.new_page()
    phone.set_viewport_size({"width": 390, "height": 844})
    phone.goto(f"{base}/dashboard/campaigns/new")
    phone.get_by_role("link", name="Preview").click()
    expect(phone.locator(".phone-screen")).to_be_in_viewport()
    phone.close()


def previews_what_is_unfinished(page):
    """The preview renders the texts that are there while the title is empty, with a placeholder in its place."""
    visit(page, f"{base}/dashboard/campaigns/new")
    field(page, "c.variants[0].card.description").fill("{{ 'sale' | upcase }} of {{${first_name} | default: 'you'}}")
    frame = page.frame_locator(".phone-screen iframe").last
    frame.get_by_text("SALE of you").wait_for()
    expect(frame.get_by_text("Title", exact=True)).to_be_visible()


def keeps_the_picture(page):
    """In dark, the phone shows the old card until the new one is drawn, and never an empty frame."""
    visit(page, f"{base}/dashboard/campaigns/new")
    text = field(page, "c.variants[0].card.description")
    page.locator("[name=preview_look]").select_option("dark")
    text.fill("The first text")
    drawn = page.frame_locator(".phone-screen iframe").last
    drawn.get_by_text("The first text").wait_for()
    expect(page.locator(".phone-screen iframe")).to_have_count(1)
    page.evaluate("""() => {
        const screen = document.querySelector(".phone-screen");
        const [first] = screen.querySelectorAll("iframe");
        window.log = [];
        let seen;
        window.seen = new Promise((resolve) => (seen = resolve));
        const look = () => {
            const shown = [...screen.querySelectorAll("iframe:not(.waiting)")];
            // What is on top: the last of those with the highest place.
            const top = shown.filter((frame) => frame.classList.contains("former")).pop() ?? shown.pop();
            window.log.push({ top: top === first ? "old" : top ? "new" : "nothing", at: performance.now() });
            top === first || !top ? requestAnimationFrame(look) : seen();
        };
        new MutationObserver((records) => {
            for (const record of records)
                if (record.target.tagName === "IFRAME" && !record.target.classList.contains("waiting"))
                    window.loaded ??= performance.now();
        }).observe(screen, { attributes: true, subtree: true, attributeFilter: ["class"] });
        look();
    }""")
    text.fill("The second text")
    page.frame_locator(".phone-screen iframe").last.get_by_text("The second text").wait_for()
    log = page.evaluate("async () => (await window.seen, window.log)")
    assert {entry["top"] for entry in log[:-1]} == {"old"}, "the phone was empty"
    waited = log[-1]["at"] - page.evaluate("window.loaded")
    assert waited >= 100, f"the old card left {waited:.0f} ms after the new one was loaded"
    scheme = page.locator(".phone-screen iframe").evaluate("frame => getComputedStyle(frame).colorScheme")
    assert scheme == "light", "an empty frame is white in dark"


def shows_whole_placeholders(browser, state):
    """What stands in the empty fields of the preview fits them, in both languages."""
    for language in ("en-US", "ja-JP"):
        for width in (1440, 1280, 390):
            viewport = {"width": width, "height": 900}
            context = browser.new_context(storage_state=state, viewport=viewport, locale=language)
            page = context.new_page()
            visit(page, f"{base}/dashboard/campaigns/new")
            cut = page.evaluate("""() => [...document.querySelectorAll(".preview-tools input")].filter((input) => {
                const style = getComputedStyle(input);
                const pen = document.createElement("canvas").getContext("2d");
                pen.font = style.font;
                const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
                return pen.measureText(input.placeholder).width > room;
            }).map((input) => input.placeholder)""")
            if cut:
                problems.append(f"{language} {width}: cut placeholders: {cut}")
            context.close()


def has_gaps(page):
    """Lists of facts keep their distance from what stands above and below them."""
    for path, above, below in (
        ("account", "dl.facts", "form.filters"),
        ("campaigns/by-hand/launch", "p.lead", "dl.facts"),
    ):
        visit(page, f"{base}/dashboard/{path}")
        gap = page.evaluate(
            """([above, below]) => {
                const place = document.querySelector(`${above} + ${below}`).getBoundingClientRect();
                return place.top - document.querySelector(above).getBoundingClientRect().bottom;
            }""",
            [above, below],
        )
        assert gap >= 8, f"{path}: {gap} px between {above} and {below}"


def sends_a_test(page):
    """A draft is sent to a user as a test, and to a saved group afterwards; groups have users who exist alone."""
    api("PATCH", "/v1/users/tester", {"attributes": {"first_name": "Tess", "last_name": "Quill"}})
    visit(page, f"{base}/dashboard/campaigns/all")
    page.get_by_role("link", name="Send test").click()
    page.get_by_label("User IDs").fill("tester\nnobody-at-all")
    page.get_by_role("button", name="Send test").click()
    expect(page.get_by_text("nobody-at-all: There is no such user.")).to_be_visible()
    page.get_by_label("Save as test group").fill("QA")
    page.get_by_role("button", name="Send test").click()
    expect(page.locator(".field-error")).to_contain_text("There are no users with these IDs: nobody-at-all.")
    page.get_by_label("User IDs").fill("")
    page.get_by_label("Find users").fill("quill")
    page.get_by_label("Find users").press("Enter")
    page.get_by_role("checkbox", name="Tess Quill").check()
    page.get_by_role("button", name="Send test").click()
    expect(page.get_by_text("Saved as the test group “QA”.")).to_be_visible()
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("link", name="Send test").click()
    page.get_by_role("checkbox", name="QA").check()
    page.get_by_role("button", name="Send test").click()
    expect(page.get_by_text("Test sent to 1 user.")).to_be_visible()


STEPS = [
    begins_with_the_name,
    previews_what_is_unfinished,
    keeps_the_picture,
    sends_a_test,
    nothing_is_lost,
    completes,
    says_what_is_wrong,
    builds_an_audience,
    makes_everything_by_hand,
    brings_a_version_back,
    is_led_to_the_field,
    two_edit_at_once,
    has_gaps,
    writes_content_blocks,
    is_sent_once,
    keeps_dates,
    reads_full_width,
    stays_where_it_is_too_large,
    keeps_what_is_typed,
    says_why_it_was_refused,
    renews_its_token,
    stays_where_nobody_answers,
    asks_before_settings_are_left,
    asks_before_tokens_are_required,
    says_that_it_stands_still,
    outlives_a_session_that_is_gone,
    leads_to_what_is_wrong,
    outlives_its_session,
]

with sync_playwright() as playwright:
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    browser = playwright.chromium.launch(executable_path=executable, args=arguments)
    page = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US").new_page()
    # A preview that is asked for after the session has ended is a page that nobody may frame.
    watch(page, "frame-ancestors")
    page.on("dialog", lambda dialog: dialog.accept())
    sign_in(page)
    try:
        api(
            "POST",
            "/v1/segments",
            {"id": "staff", "name": "Staff", "audience": {"attribute": "email", "comparison": "exists"}},
        )
        api("POST", "/v1/campaigns", {name: value for name, value in everything.items() if name not in kept})
    except urllib.error.HTTPError as error:
        sys.exit(error.read().decode())
    for step in STEPS:
        step(page)
        print(f"ok {step.__doc__}", flush=True)
    fits(browser, page.context.storage_state())
    shows_whole_placeholders(browser, page.context.storage_state())
    browser.close()

for problem in problems:
    print(problem)
if problems:
    sys.exit(1)
print("The editor is without violations, wide and narrow, light and dark.")
