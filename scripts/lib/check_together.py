"""Finds things by the command palette, changes several campaigns at once, and lets two members launch one; see
scripts/check-dashboard.

usage: check_together.py DIRECTORY, where a picture of each step goes
"""

import os
import pathlib
import re
import sys
import tempfile

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import dashboard_data
from dashboard_pages import LOOKS, WIDTHS, browser, is_too_wide, make_account, visit
from placard_server import PATIENCE, free_port

EDITOR = "emil@example.com"
problems = []


def watch(page):
    page.set_default_timeout(PATIENCE * 1000)
    page.on("console", lambda message: problems.append(message.text) if "Security Policy" in message.text else None)
    page.on("pageerror", lambda error: problems.append(f"a script failed: {error}"))
    return page


def examine(page, place):
    if is_too_wide(page):
        problems.append(f"{place}: wider than the window")
    for violation in Axe().run(page)["violations"]:
        problems.append(f"{place}: {violation['id']}: {violation['nodes'][0]['html']}")


class Palette:
    """The palette of a page, used by the keyboard alone."""

    def __init__(self, page):
        self.page = page
        self.box = page.get_by_role("combobox", name=re.compile("Search campaigns"))
        self.options = page.get_by_role("dialog").get_by_role("option")

    def open(self):
        self.page.keyboard.press("Control+k")
        expect(self.box).to_be_focused()
        expect(self.options.first).to_be_visible()

    @property
    def chosen(self):
        """The option that a screen reader names."""
        option = self.page.locator(f"#{self.box.get_attribute('aria-activedescendant')}")
        expect(option).to_have_attribute("aria-selected", "true")
        assert self.page.locator("[role=option][aria-selected=true]").count() == 1, "more than one option is chosen"
        return option.locator(".palette-name").inner_text()


def find(page, server, pictures):
    server.manage(
        "PATCH", "/v1/users/u-palette", {"attributes": {"first_name": "Quentin", "last_name": "<b>Palette</b>"}}
    )
    palette = Palette(page)
    page.goto(f"{server.address}/dashboard")
    page.locator("a.skip").focus()
    palette.open()
    first = palette.chosen
    page.keyboard.press("ArrowDown")
    assert palette.chosen != first, "the arrow doesn't move"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert palette.chosen == palette.options.last.locator(".palette-name").inner_text(), "the arrow doesn't come round"
    page.keyboard.press("Escape")
    expect(palette.box).to_be_hidden()
    expect(page.locator("a.skip")).to_be_focused()

    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/dashboard/search" in request.url else None)
    palette.open()
    asked.clear()
    page.keyboard.type("quentin", delay=20)
    expect(palette.options).to_have_count(1)
    assert palette.chosen == "Quentin <b>Palette</b>", palette.chosen
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("1 result")
    assert 1 <= len(asked) <= 3, f"seven letters asked {len(asked)} times"
    page.screenshot(path=f"{pictures}/palette-user.png")
    page.keyboard.press("Enter")
    page.wait_for_url("**/dashboard/users/u-palette")

    # Enter right after the last letter, in one task: the results of the text before are still shown.
    page.goto(f"{server.address}/dashboard")
    palette.open()
    palette.box.evaluate(
        """(box) => {
            box.value = "quentin";
            box.dispatchEvent(new InputEvent("input", { bubbles: true }));
            box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
        }"""
    )
    page.wait_for_url("**/dashboard/users/u-palette")

    page.get_by_role("button", name="Search").click()
    page.keyboard.type("nothing like it")
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("Nothing found.")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("demo coupon"[5:])
    expect(palette.options.first).to_contain_text("oupon")
    page.keyboard.press("Enter")
    page.wait_for_url("**/dashboard/campaigns/**")


def look_at_palette(chromium, state, server, pictures):
    for look in LOOKS:
        for device in WIDTHS:
            for language in ("en-US", "ja-JP"):
                with visit(chromium, state, look, device, language) as page:
                    watch(page).goto(f"{server.address}/dashboard/campaigns")
                    page.keyboard.press("Control+k")
                    page.locator("dialog [role=option]").first.wait_for()
                    page.keyboard.type("a")
                    page.wait_for_timeout(500)
                    examine(page, f"palette, {device}, {look}, {language}")
                    page.screenshot(path=f"{pictures}/palette-{device}-{look}-{language}.png")
                    # A phone has no Escape.
                    name = "Close" if language == "en-US" else "閉じる"
                    page.get_by_role("dialog").get_by_role("button", name=name).click()
                    expect(page.get_by_role("dialog")).to_have_count(0)


def change_many(page, server, pictures):
    """Pauses two campaigns and undoes it, by mouse and by keyboard."""
    for number in (1, 2):
        card = {"type": "classic", "title": "T", "description": "D"}
        server.manage(
            "POST", "/v1/campaigns", {"id": f"many-{number}", "name": f"Many {number}", "variants": [{"card": card}]}
        )
        server.manage("POST", f"/v1/campaigns/many-{number}/launch")

    def statuses():
        return {server.manage("GET", f"/v1/campaigns/many-{number}")["status"] for number in (1, 2)}

    page.goto(f"{server.address}/dashboard/campaigns?q=Many")
    bar = page.get_by_role("group", name="Selected campaigns")
    expect(bar).to_be_hidden()
    page.get_by_label("Select all campaigns").check()
    expect(bar).to_contain_text("2 selected")
    page.screenshot(path=f"{pictures}/bulk-selected.png")
    examine(page, "two campaigns selected")
    bar.get_by_role("button", name="Pause").click()
    notice = page.locator("[data-undo]")
    expect(notice).to_contain_text("2 campaigns paused.")
    assert statuses() == {"paused"}
    page.screenshot(path=f"{pictures}/bulk-done.png")
    examine(page, "two campaigns paused")
    page.reload()
    expect(notice).to_contain_text("2 campaigns paused.")
    notice.get_by_role("button", name="Undo").focus()
    page.wait_for_timeout(11_000)
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 campaigns as before.")).to_be_visible()
    assert statuses() == {"active"}
    assert page.url.endswith("q=Many"), page.url
    page.go_back()
    expect(page.get_by_label("Select all campaigns")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)

    page.get_by_label("Select Many 1").check()
    bar.get_by_role("button", name="Add tag").click()
    tag = page.locator("[name=tag]").last
    expect(tag).to_be_focused()
    expect(tag).to_have_attribute("aria-invalid", "true")
    expect(bar).to_contain_text("Enter a tag.")
    expect(page.get_by_label("Select Many 1")).to_be_checked()
    tag.fill("spring")
    expect(bar).to_contain_text("1 selected")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 campaign tagged “spring”.")).to_be_visible()
    expect(page.locator("tbody .badge", has_text="spring")).to_have_count(1)
    page.mouse.move(0, 0)
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()


def delete_block(page, server):
    """Deletes a content block for which no address has room, loads the list again, and undoes it; then lets it be."""
    blocks = f"{server.address}/dashboard/content-blocks"
    server.manage("PUT", "/v1/content-blocks/long", {"content": "Long. " * 1_000})
    undo = page.get_by_role("button", name="Undo")
    for is_undone in (True, False):
        page.goto(f"{blocks}/long/delete")
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_text("Content block deleted.")).to_be_visible()
        assert page.url == blocks, page.url
        response = page.reload()
        assert response.status == 200 and response.request.method == "GET", response.status
        expect(page.get_by_text("Content block deleted.")).to_be_visible()
        if is_undone:
            undo.click()
            expect(page.get_by_text("Change undone.")).to_be_visible()
            assert len(server.manage("GET", "/v1/content-blocks/long")["content"]) == 6_000
    page.mouse.move(0, 0)
    expect(undo).to_have_count(0, timeout=15_000)
    page.reload()
    expect(page.get_by_role("heading", name="Content blocks", exact=True)).to_be_visible()
    expect(page.get_by_text("Content block deleted.")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("heading", name="Content blocks", exact=True)).to_be_visible()


def sign_in_editor(chromium, page, server):
    """Invites an editor, who chooses a password, and returns a page of theirs."""
    page.goto(f"{server.address}/dashboard/team")
    form = page.locator("form[action='/dashboard/team']")
    form.locator("[name=name]").fill("Emil")
    form.locator("[name=email]").fill(EDITOR)
    form.locator("[name=role]").select_option("editor")
    form.get_by_role("button").click()
    link = page.locator("#password-link").inner_text().strip()
    # A browser that has no clipboard for the page.
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("link => getSelection().toString().trim() === link", arg=link)
    own = watch(chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-US").new_page())
    own.goto(server.address + "/dashboard" + link.split("/dashboard", 1)[1])
    password = own.locator("[name=password]")
    password.fill(dashboard_data.PASSWORD)
    for name, kind in {"Show": "text", "Hide": "password"}.items():
        # The name says what the button does: a state besides would contradict it.
        show = own.get_by_role("button", name=name, exact=True)
        assert show.get_attribute("aria-pressed") is None
        show.click()
        expect(password).to_have_attribute("type", kind)
    own.get_by_role("button").last.click()
    own.wait_for_load_state()
    if own.locator("[name=email]").count():
        own.locator("[name=email]").fill(EDITOR)
        own.locator("[name=password]").fill(dashboard_data.PASSWORD)
        own.get_by_role("button", name="Sign in").click()
    own.wait_for_url("**/dashboard")
    return own


def approve(chromium, anna, server, pictures):
    """An editor asks for a launch, and an administrator, whose overview says so, approves it; then an edit is
    rejected."""
    settings = {**server.manage("GET", "/v1/settings"), "launch_approval": "editors"}
    server.manage("PUT", "/v1/settings", settings)
    card = {"type": "classic", "title": "Spring is here", "description": "Half price until Sunday."}
    server.manage(
        "POST",
        "/v1/campaigns",
        {"id": "spring", "name": "Spring", "variants": [{"id": "a", "name": "A", "card": card}]},
    )
    emil = sign_in_editor(chromium, anna, server)
    anna.goto(f"{server.address}/dashboard")

    emil.goto(f"{server.address}/dashboard/campaigns/spring/launch")
    emil.get_by_role("textbox", name=re.compile("^Comment")).fill("Texts are checked.\nCan it start today?")
    emil.screenshot(path=f"{pictures}/approval-ask.png", full_page=True)
    examine(emil, "asking for approval")
    emil.get_by_role("button", name="Request approval").click()
    emil.wait_for_url("**/approval?done=approval-requested")
    expect(emil.get_by_role("button", name="Approve & launch")).to_have_count(0)
    emil.screenshot(path=f"{pictures}/approval-asked.png", full_page=True)

    anna.reload()
    request = anna.get_by_role("link", name=re.compile("Spring.*asks for approval to launch"))
    expect(request).to_be_visible()
    anna.screenshot(path=f"{pictures}/approval-overview.png")
    request.click()
    expect(anna.get_by_text("Can it start today?")).to_be_visible()
    anna.get_by_role("textbox", name=re.compile("^Comment")).fill("Yes.")
    anna.screenshot(path=f"{pictures}/approval-decide.png", full_page=True)
    examine(anna, "deciding")
    anna.get_by_role("button", name="Approve & launch").click()
    anna.wait_for_url("**/campaigns/spring?done=approval-approved")
    assert server.manage("GET", "/v1/campaigns/spring")["status"] == "active"

    emil.goto(f"{server.address}/dashboard/campaigns/spring/edit")
    emil.locator("[name='c.variants[0].card.title']").fill("Spring is HERE")
    emil.get_by_role("button", name="Request approval").last.click()
    emil.wait_for_url("**/approval?done=approval-requested")
    anna.goto(f"{server.address}/dashboard/campaigns/spring/approval")
    expect(anna.locator("ins", has_text="Spring is HERE")).to_be_visible()
    anna.screenshot(path=f"{pictures}/approval-edit.png", full_page=True)
    examine(anna, "an edit to decide on")
    anna.get_by_role("textbox", name=re.compile("^Comment")).fill("Not so loud.")
    anna.get_by_role("button", name="Reject").click()
    anna.wait_for_url("**/approval?done=approval-rejected")
    emil.goto(f"{server.address}/dashboard/campaigns/spring/approval")
    expect(emil.get_by_text("Not so loud.")).to_be_visible()
    emil.get_by_role("link", name="Open in editor").click()
    expect(emil.locator("[name='c.variants[0].card.title']")).to_have_value("Spring is HERE")
    assert server.manage("GET", "/v1/campaigns/spring")["variants"][0]["card"]["title"] == "Spring is here"
    emil.context.close()


def main():
    pictures = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright, browser(playwright) as chromium:
        server = dashboard_data.Server(os.environ["PLACARD"], f"{work}/together", free_port())
        try:
            context = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-US")
            anna = watch(context.new_page())
            make_account(anna, server.dashboard)
            find(anna, server, pictures)
            look_at_palette(chromium, context.storage_state(), server, pictures)
            change_many(anna, server, pictures)
            delete_block(anna, server)
            approve(chromium, anna, server, pictures)
        finally:
            server.stop()
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    print(
        "A user and a campaign were found by the keyboard, two campaigns paused and resumed at once, a deleted content"
        " block was restored, and a launch approved by another member."
    )


main()
