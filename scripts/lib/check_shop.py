"""Uses the Shop in a browser and compares what was done with what the server has counted. See scripts/check-shop."""

import re
import shutil
import sys
import tempfile
import time
import traceback

from playwright.sync_api import expect, sync_playwright

from placard_server import PATIENCE, wait_for
from shop_page import Server, Shop


# Each check is a user of its own.


def home(server, shop):
    """An ad stands above the tiles and leads nowhere; tiles of cards come first, look like the shop's own, count once a
    presentation, and lead to their product."""
    with server.counting(demo_ad=[1, 0, 0], demo_home_tile_1=[1, 0, 0], demo_home_tile_2=[1, 0, 0]):
        screen = shop.open()
        screen.wait_for_tiles(["running-shoes", "rain-jacket", "enamel-mug"])
        screen.tap("ad")
        expect(screen.page.locator(".bar-title")).to_have_text("Shop")
        own = "data-id|data-replaces|data-testid|aria-label|src|style"
        looks = {
            re.sub(rf' ({own})="[^"]*"', "", re.sub(r">[^<]+<", "><", html))
            for html in screen.tiles.evaluate_all("(tiles) => tiles.slice(0, 6).map((tile) => tile.outerHTML)")
        }
        assert len(looks) == 1, f"Tiles of cards and others differ: {looks}"
        for way in (900, -900):
            screen.page.evaluate(f"document.querySelector('.scroll').scrollTop += {way}")
            screen.look()
    # Another tab is another device with an app of its own, where a reload finds the app again that was there. Coming
    # back from a product is a presentation, too.
    screen.page.close()
    with server.counting(demo_ad=[2, 0, 0], demo_home_tile_1=[2, 1, 0], demo_home_tile_2=[2, 0, 0]):
        screen = shop.open()
        screen.wait_for_tiles(["running-shoes", "rain-jacket"])
        screen.look()
        screen.tap("tile-running-shoes")
        expect(screen.text("Trail shoes").last).to_be_visible()
        expect(screen.text("€120.00").last).to_be_visible()
        screen.back()
        screen.wait_for_tiles(["running-shoes", "rain-jacket"])
        screen.look()


def message_centre(server, shop):
    """Messages open as a page or as HTML, are unread until then, and stay away once swiped away."""
    with server.counting(demo_message_page=[3, 1, 1], demo_message_web=[3, 1, 0]):
        screen = shop.open()
        expect(screen.badge("Messages")).to_have_text("2")
        screen.tab("Messages")
        expect(screen.messages).to_have_count(2)
        screen.look()
        page = screen.messages.filter(has_text="How we make our wool")
        page.click()
        expect(screen.page.locator(".bar-title")).to_have_text("Full Page")
        expect(screen.page.get_by_role("heading", name="How we make our wool")).to_be_visible()
        screen.back()
        expect(screen.badge("Messages")).to_have_text("1")
        screen.look()
        screen.messages.filter(has_text="Opening hours").click()
        expect(screen.page.frame_locator("iframe").get_by_text("16:00")).to_be_visible()
        screen.back()
        expect(screen.badge("Messages")).to_have_count(0)
        screen.look()
        screen.swipe(page, 330)
        expect(screen.messages).to_have_count(1)
        screen.page.reload()
        expect(screen.messages).to_have_count(1)
    other = shop.open()
    other.tab("Messages")
    expect(other.messages).to_have_count(1)


def coupon(server, shop):
    """A coupon slides in at the checkout, takes its per cent off once, and is used up."""
    with server.counting(demo_coupon={"a": [1, 1, 1], "control": [0, 0, 0]}):
        screen = shop.open()
        screen.tab("Cart")
        expect(screen.text("Your cart is empty")).to_be_visible()
        assert not screen.coupon.is_visible(), "A coupon is offered for an empty cart"
        screen.note_places("coupon")
        screen.buy("tent", "enamel-mug")
        screen.coupon.wait_for(state="attached")
        screen.at_rest(screen.coupon)
        places = screen.places
        assert places[0] < places[-1] - 20, f"The coupon does not slide in from the left: {places}"
        expect(screen.total).to_contain_text("€263.50")
        screen.coupon.click()
        expect(screen.total).to_contain_text("€210.80")
        expect(screen.coupon).to_be_hidden()
        screen.tab("Shop")
        screen.tab("Cart")
        time.sleep(1)
        assert not screen.coupon.is_visible(), "A cart that has a coupon is offered another"
        screen.tap("check-out")
        expect(screen.text("You paid €210.80. It is on its way.")).to_be_visible()
        screen.page.get_by_role("button", name="OK", exact=True).click()
        expect(screen.text("Your cart is empty")).to_be_visible()
    screen.page.reload()
    again = shop.open()
    again.buy("backpack")
    expect(again.total).to_contain_text("€119.00")
    time.sleep(1.5)
    assert not again.coupon.is_visible(), "A used coupon is offered again"


def refused_coupon(server, shop):
    """A swipe refuses a coupon: the total stays, and it does not come back."""
    with server.counting(demo_coupon={"a": [1, 0, 1]}):
        screen = shop.open()
        screen.buy("backpack")
        screen.coupon.wait_for()
        screen.at_rest(screen.coupon)
        screen.swipe(screen.coupon, 40)
        screen.at_rest(screen.coupon)
        expect(screen.coupon).to_be_visible()
        screen.swipe(screen.coupon, 200)
        expect(screen.coupon).to_be_hidden()
        expect(screen.total).to_contain_text("€119.00")
        screen.tab("Shop")
        screen.tab("Cart")
        time.sleep(1)
        assert not screen.coupon.is_visible(), "A refused coupon is offered again"


def control(server, shop):
    """In the control group nothing is shown, and each presentation counts."""
    with server.counting(demo_coupon={"a": [0, 0, 0], "control": [2, 0, 0]}):
        screen = shop.open()
        screen.buy("beanie")
        expect(screen.total).to_contain_text("€29.00")
        time.sleep(1.5)
        assert not screen.coupon.is_visible(), "The control group sees a coupon"
        screen.tab("Updates")
        screen.tab("Cart")
        screen.look()


def live(server, shop):
    """What is launched while the app is open appears by itself, wherever it belongs."""
    screen = shop.open()
    screen.wait_for_tiles(["running-shoes"])
    name = f"live-{shop.port}"
    server.launch(
        f"{name}-tile",
        {
            "type": "classic",
            "title": "Kettle",
            "description": "Boils.",
            "extras": {"class_type": "HOME_TILE", "tile_id": "kettle", "tile_title": "Kettle", "tile_price": "abc"},
        },
    )
    wait_for(screen.tile_ids, lambda ids: "kettle" in ids, "A tile that was launched does not appear")
    server.manage(
        "POST",
        "/v1/campaigns/demo-triggered-tile/trigger",
        {
            "recipients": [{"user_id": shop.user}],
            "trigger_properties": {
                "tile_id": "stove",
                "tile_title": "Stove",
                "tile_price": "34",
                "tile_image": "lantern",
            },
        },
    )
    screen.wait_for_tiles(["stove"])
    expect(screen.page.locator('[data-testid="tile-stove"]')).to_contain_text("€34.00")
    # The same campaign, as backends trigger it: the tile leads where they say.
    sent = server.manage(
        "POST",
        "/campaigns/trigger/send",
        {
            "campaign_id": "demo-triggered-tile",
            "broadcast": False,
            "recipients": [{"external_user_id": shop.user}],
            "trigger_properties": {"tile_id": "sale", "tile_title": "Winter sale", "tile_deeplink": "shop://messages"},
        },
    )
    assert sent["message"] == "success" and "errors" not in sent, sent
    screen.wait_for_tiles(["sale"])
    expect(screen.page.locator('[data-testid="tile-sale"]')).to_contain_text("Winter sale")
    screen.tap("tile-sale")
    expect(screen.page.locator('.tab[aria-selected="true"]')).to_contain_text("Messages")
    screen.tab("Shop")
    screen.tap("tile-kettle")
    expect(screen.text("Only in our shops")).to_be_visible()
    screen.tab("Messages")
    expect(screen.messages).to_have_count(2)
    server.launch(
        f"{name}-message",
        {
            "type": "classic",
            "title": "Just now",
            "description": "News.",
            "extras": {"class_type": "message_full_page", "message_title": "Just now"},
        },
    )
    expect(screen.messages).to_have_count(3)
    expect(screen.badge("Messages")).to_have_text("3")
    server.manage("POST", f"/v1/campaigns/{name}-message/stop", {"withdraw": True})
    expect(screen.messages).to_have_count(2)
    server.manage("POST", f"/v1/campaigns/{name}-tile/stop", {"withdraw": True})


def settings(server, shop):
    """The settings switch the user, the look and the order of the home page."""
    screen = shop.open()
    screen.wait_for_tiles(["running-shoes"])
    screen.tab("Settings")
    screen.page.get_by_role("radio", name="Dark").click()
    wait_for(
        lambda: screen.page.locator(".window").evaluate("(w) => getComputedStyle(w).colorScheme"),
        lambda scheme: scheme == "dark",
        "The app does not become dark",
    )
    screen.tap("user-hugo")
    field = screen.page.locator('[data-testid="home-priority"]')
    field.fill("light, wear")
    field.press("Enter")
    screen.tab("Shop")
    screen.wait_for_tiles(["lantern", "running-shoes", "rain-jacket", "beanie"])
    expect(screen.page.locator('[data-testid="tile-lantern"]')).to_contain_text("€29.90")
    screen.tab("Settings")
    other = screen.page.locator('[data-testid="other-user"]')
    other.fill(f"{shop.user}-other")
    other.press("Enter")
    screen.tab("Shop")
    expect(screen.page.locator('[data-testid="tile-lantern"]')).to_contain_text("€39.90")


def updates(server, shop):
    """The feed shows what has no place of its own, in both looks, and its links lead into the app."""
    with server.counting(demo_welcome=[2, 1, 0], demo_banner=[2, 0, 0], demo_coupon={"a": [0, 0, 0]}):
        screen = shop.open()
        screen.tab("Updates")
        expect(screen.text("Welcome to the shop")).to_be_visible()
        assert not screen.text("20% off your order").count(), "The feed shows a coupon"
        corner = (
            "(e) => getComputedStyle(e.closest('.cell').querySelector('[style*=border-radius]')).borderTopLeftRadius"
        )
        assert screen.text("Welcome to the shop").evaluate(corner) == "16px"
        screen.look()
        screen.page.get_by_role("radio", name="Default").click()
        expect(screen.text("Welcome to the shop")).to_be_visible()
        wait_for(
            lambda: screen.text("Welcome to the shop").evaluate(corner), lambda c: c == "3px", "Not the default look"
        )
        screen.look()
        screen.text("Welcome to the shop").click()
        expect(screen.page.locator(".bar-title")).to_have_text("Settings")


CHECKS = {
    check.__name__: check for check in (home, message_centre, coupon, refused_coupon, control, live, settings, updates)
}
# Whose variant of the coupon is known: the others get the coupon, which a run with other names would have to find out.
USERS = {"coupon": "anna", "control": "dora", "refused_coupon": "hugo"}


def main():
    wanted = sys.argv[1:] or list(CHECKS)
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    expect.set_options(timeout=PATIENCE * 1000)
    failures = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(folder)
        browser = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        try:
            for name in wanted:
                shop = Shop(server, USERS.get(name, f"checker-{name}"), browser)
                try:
                    CHECKS[name](server, shop)
                    print(f"ok {name}: {CHECKS[name].__doc__}", flush=True)
                except Exception:
                    failures += 1
                    print(f"!! {name}: {CHECKS[name].__doc__}", flush=True)
                    traceback.print_exc()
                finally:
                    shop.stop()
        finally:
            browser.close()
            server.stop()
    print(f"{len(wanted) - failures} of {len(wanted)} checks of the Shop passed.")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
