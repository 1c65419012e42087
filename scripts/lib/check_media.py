"""Uploads, crops, chooses and deletes pictures as a marketer would. usage: check_media.py DIRECTORY     (PLACARD names
the command)"""

import io
import os
import pathlib
import re
import sys
import tempfile
import urllib.request

from axe_core_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import expect, sync_playwright

import dashboard_data
from dashboard_pages import LOOKS, WIDTHS, browser, field, is_too_wide, make_account, out_of_reach, visit
from placard_server import Connection, Server, make_key
from sample_pictures import file, poster

pictures = pathlib.Path(sys.argv[1])
problems = []
IMAGE = "c.variants[0].card.image"


def looks(page, name):
    """Keeps a picture of the page, and notes what is wrong with it."""
    page.wait_for_load_state("networkidle")
    page.screenshot(path=pictures / f"{name}.png", full_page=True)
    for violation in Axe().run(page)["violations"]:
        problems.append(f"{name}: {violation['id']}: {violation['nodes'][0]['html'][:200]}")
    problems.extend(f"{name}: {found}" for found in out_of_reach(page))
    if is_too_wide(page):
        problems.append(f"{name}: the page is wider than the window")


def uploads_in_the_editor(page, server, api):
    """A picture is uploaded at a card's image, cut to 16:9, and is the card's."""
    page.goto(f"{server.address}/dashboard/campaigns/new")
    page.fill("[name='c.name']", "Garden chairs")
    field(page, "c.variants[0].card.title").fill("New in the garden")
    field(page, "c.variants[0].card.description").fill("Chairs that stay outside all year.")
    box = page.locator("[data-field]", has=field(page, IMAGE))
    box.locator("input[type=file]").set_input_files(
        file("Garden Chairs.jpg", poster(2400, 1800, ((40, 120, 90), (240, 200, 120)), "SecretCam"))
    )
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Aspect ratio").select_option(label="16:9")
    dialog.get_by_label("Zoom").fill("1.5")
    dialog.get_by_label("Alt text").fill("Two chairs under a tree")
    looks(page, "media-crop")
    dialog.get_by_role("button", name="Upload").click()
    dialog.wait_for(state="detached")
    expect(field(page, IMAGE)).to_have_value(re.compile(r"^http://.*/media/[0-9a-f]{32}/garden-chairs\.jpg$"))
    expect(field(page, "c.variants[0].card.image_alt")).to_have_value("Two chairs under a tree")
    expect(box.locator("img")).to_be_visible()
    data = urllib.request.urlopen(field(page, IMAGE).input_value()).read()
    image = Image.open(io.BytesIO(data))
    assert abs(image.width / image.height - 16 / 9) < 0.02 and image.width == 1440, image.size
    assert b"SecretCam" not in data, "the camera's name is still there"
    page.get_by_role("button", name="Save", exact=True).last.click()
    page.wait_for_url(re.compile("done=created"))
    (item,) = api.call("GET", "/v1/media")["media"]
    assert [use["name"] for use in item["used_by"]] == ["Garden chairs"], item


def fills_the_library(page, server, api):
    """Several pictures are uploaded at once on the page of the library; what is none is refused with a reason."""
    page.goto(f"{server.address}/dashboard/media")
    chooser = page.locator("[data-media-files]")
    chooser.set_input_files(
        [
            file("coupon.png", poster(1200, 800, ((200, 60, 90), (250, 180, 90)), "", "PNG"), "image/png"),
            file("night market.webp", poster(900, 900, ((20, 30, 90), (200, 90, 160)), "", "WEBP"), "image/webp"),
            file("small.gif", poster(320, 200, ((90, 90, 200), (150, 220, 240)), "", "GIF"), "image/gif"),
        ]
    )
    expect(page.locator(".media-item")).to_have_count(4)
    chooser.set_input_files(file("logo.png", b'<svg xmlns="http://www.w3.org/2000/svg"/>', "image/png"))
    expect(page.locator("[data-media-status]")).to_contain_text("SVG isn’t accepted".replace("’", "'"))
    item = page.locator(".media-item", has_text="coupon.png")
    item.get_by_label("Alt text", exact=True).fill("Ten percent off")
    item.get_by_role("button", name="Save alt text").click()
    page.wait_for_url(re.compile("done=alt"))
    expect(page.locator(".media-item", has_text="coupon.png").locator("img")).to_have_attribute(
        "alt", "Ten percent off"
    )


def outlives_its_session(page, server, api):
    """A page whose session has ended uploads a picture once one has signed in again in another tab."""
    page.goto(f"{server.address}/dashboard/media")
    page.context.clear_cookies()
    later = file("later.png", poster(300, 200, ((20, 60, 90), (250, 180, 90)), "", "PNG"), "image/png")
    page.locator("[data-media-files]").set_input_files(later)
    expect(page.locator("[data-media-status]")).to_contain_text("Your session has ended.")
    other = page.context.new_page()
    other.goto(f"{server.address}/dashboard")
    other.get_by_label("Email address").fill("anna@example.com")
    other.get_by_label("Password").fill(dashboard_data.PASSWORD)
    other.get_by_role("button", name="Sign in", exact=True).click()
    other.wait_for_url("**/dashboard")
    other.close()
    page.locator("[data-media-files]").set_input_files(later)
    expect(page.locator(".media-item", has_text="later.png")).to_be_visible()


def searches(page, server, api):
    """Pictures are found by words of their names and alternative texts, also among unused ones."""
    page.goto(f"{server.address}/dashboard/media")
    search = page.get_by_label("Search by name or alt text")
    search.fill("OFF coupon")
    search.press("Enter")
    page.wait_for_url(re.compile("q="))
    expect(page.locator(".media-item")).to_have_count(1)
    expect(page.locator(".media-item", has_text="coupon.png")).to_be_visible()
    page.get_by_role("link", name="Unused").click()
    expect(page.locator(".media-item")).to_have_count(1)
    search.fill("garden")
    search.press("Enter")
    expect(page.get_by_role("heading", name="No matching pictures")).to_be_visible()
    looks(page, "media-nothing-found")
    page.get_by_role("link", name="Clear").click()
    expect(page.locator(".media-item")).to_have_count(3)


def chooses_by_keyboard(page, server, api):
    """A picture of the library is found and chosen with the keyboard."""
    page.goto(f"{server.address}/dashboard/campaigns/new")
    page.get_by_role("button", name=re.compile("from the library")).first.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Search").fill("percent")
    expect(dialog.locator(".media-choice")).to_have_count(1)
    looks(page, "media-choose")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(field(page, IMAGE)).to_have_value(re.compile(r"/media/[0-9a-f]{32}/coupon\.png$"))
    expect(field(page, "c.variants[0].card.image_alt")).to_have_value("Ten percent off")


def pastes(page, server, api):
    """A picture that is pasted at the image opens the same dialog."""
    page.goto(f"{server.address}/dashboard/campaigns/new")
    field(page, IMAGE).evaluate("""(target) => {
        const canvas = Object.assign(document.createElement("canvas"), { width: 600, height: 400 });
        canvas.getContext("2d").fillRect(0, 0, 600, 400);
        canvas.toBlob((blob) => {
            const data = new DataTransfer();
            data.items.add(new File([blob], "pasted.png", { type: "image/png" }));
            target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        });
    }""")
    page.get_by_role("dialog").get_by_role("button", name="Upload").click()
    expect(field(page, IMAGE)).to_have_value(re.compile(r"/media/[0-9a-f]{32}/pasted\.png$"))


def deletes(page, server, api):
    """A picture in use is deleted after a warning only; an unused one is listed as such, and comes back by undo."""
    page.goto(f"{server.address}/dashboard/media?show=unused")
    expect(page.locator(".media-item")).to_have_count(4)
    expect(page.get_by_text("Garden Chairs.jpg")).to_have_count(0)
    page.goto(f"{server.address}/dashboard/media")
    page.get_by_role("link", name="Delete Garden Chairs.jpg").click()
    expect(page.get_by_role("alert")).to_contain_text("Garden chairs")
    looks(page, "media-delete")
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("link", name="Delete pasted.png").click()
    address = page.locator(".media-large").get_attribute("src")
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url(re.compile("done=picture-deleted"))
    expect(page.locator(".media-item")).to_have_count(4)
    assert page.request.get(f"{server.address}{address}").status == 404, "a deleted picture is still served"
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".media-item")).to_have_count(5)
    assert page.request.get(f"{server.address}{address}").status == 200, "a picture isn't back"
    page.get_by_role("link", name="Delete pasted.png").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".media-item")).to_have_count(4)


STEPS = [
    uploads_in_the_editor,
    fills_the_library,
    searches,
    chooses_by_keyboard,
    pastes,
    deletes,
    outlives_its_session,
]


def fits(chromium, state, server, api):
    """Looks at the library and at a card with a picture in each size and appearance."""
    (campaign,) = api.call("GET", "/v1/campaigns")["campaigns"]
    for device in WIDTHS:
        for look in LOOKS:
            with visit(chromium, state, look, device) as page:
                page.goto(f"{server.address}/dashboard/media")
                looks(page, f"media-{device}-{look}")
                page.goto(f"{server.address}/dashboard/campaigns/{campaign['id']}/edit")
                page.frame_locator(".phone-screen iframe").last.get_by_text("New in the garden").wait_for()
                field(page, IMAGE).scroll_into_view_if_needed()
                looks(page, f"media-editor-{device}-{look}")


def tells_why_in_japanese(chromium, state, server):
    """What is wrong with a file stands behind its name with a colon of full width."""
    with visit(chromium, state, "light", "laptop", "ja-JP") as page:
        page.goto(f"{server.address}/dashboard/media")
        svg = file("logo.png", b'<svg xmlns="http://www.w3.org/2000/svg"/>', "image/png")
        page.locator("[data-media-files]").set_input_files(svg)
        expect(page.locator("[data-media-status]")).to_contain_text(re.compile("^\\s*logo\\.png：\\S"))


def main():
    placard = os.environ["PLACARD"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = os.path.join(folder, "placard.sqlite")
        with Server.serve(placard, database) as server, browser(playwright) as chromium:
            api = Connection(server.port, make_key(placard, database, "secret"))
            context = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-US")
            page = context.new_page()
            page.on("dialog", lambda dialog: dialog.accept())
            make_account(page, server.dashboard)
            for step in STEPS:
                step(page, server, api)
                print(f"ok {step.__doc__}", flush=True)
            tells_why_in_japanese(chromium, context.storage_state(), server)
            fits(chromium, context.storage_state(), server, api)
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    print("Pictures are without violations, wide and narrow, light and dark.")


main()
