"""The Shop in a browser, and the server that it talks to."""

import contextlib
import os
import re
import subprocess
import time
import urllib.request

import placard_server
from placard_server import PATIENCE, free_port, wait_for
from playwright.sync_api import expect

COUNTED = ["impressions", "clicks", "dismissals"]


class Server(placard_server.Server):
    """A demo server of its own, with the sample campaigns."""

    def __init__(self, folder):
        super().__init__([os.environ["PLACARD"], "demo", "--directory", folder])

    def launch(self, name, card):
        self.manage("POST", "/v1/campaigns", {"id": name, "name": name, "variants": [{"card": card}]})
        self.manage("POST", f"/v1/campaigns/{name}/launch")

    def counts(self, campaign):
        """Impressions, clicks and dismissals by variant."""
        report = self.manage("GET", f"/v1/campaigns/{campaign}/report")
        return {variant["id"]: [variant[name] for name in COUNTED] for variant in report["variants"]}

    @contextlib.contextmanager
    def counting(self, **campaigns):
        """Checks that what is done inside is counted exactly so, by campaign: impressions, clicks, dismissals."""
        names = {name.replace("_", "-"): counts for name, counts in campaigns.items()}
        before = {name: self.counts(name) for name in names}
        yield
        for name, wanted in names.items():
            wanted = wanted if isinstance(wanted, dict) else {"a": wanted}

            def added():
                now = self.counts(name)
                return {v: [n - b for n, b in zip(now[v], before[name][v])] for v in wanted}

            wait_for(added, lambda counts: counts == wanted, f"{name} should have counted {wanted}")
        # What counts twice does so late.
        time.sleep(2.5)
        for name, wanted in names.items():
            wanted = wanted if isinstance(wanted, dict) else {"a": wanted}
            now = self.counts(name)
            added_now = {v: [n - b for n, b in zip(now[v], before[name][v])] for v in wanted}
            assert added_now == wanted, f"{name} should have counted {wanted}, and then counted {added_now}"


class Shop:
    """The Shop as one user has it; each tab is a device of its own."""

    def __init__(self, server, user, browser, zone=None):
        """Starts the Shop, in a time zone of its own where one is named."""
        self.user, self.browser = user, browser
        self.port = free_port()
        command = [
            os.environ["SHOP"],
            "--port",
            str(self.port),
            "--server",
            server.address,
            "--key",
            server.publishable,
            "--user",
            user,
        ]
        self.process = subprocess.Popen(command, env={**os.environ, **({"TZ": zone} if zone else {})})
        wait_for(self.answers, bool, "The Shop does not answer")

    def answers(self):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=1).close()
            return True
        except OSError:
            return False

    def open(self):
        page = self.browser.new_context(viewport={"width": 1000, "height": 1000}, locale="en-US").new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(f"http://127.0.0.1:{self.port}/?appearance=light")
        return Screen(page)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Screen:
    """What a user sees and does in one tab."""

    def __init__(self, page):
        self.page = page
        self.tiles = page.locator('[data-testid^="tile-"]')
        self.messages = page.locator('[data-testid="message"]')
        self.coupon = page.locator('[data-testid="coupon"]')
        self.total = page.locator('[data-testid="total"]')

    def tab(self, name):
        self.page.locator(".tab", has_text=name).click()
        expect(self.page.locator('.tab[aria-selected="true"]')).to_contain_text(name)

    def badge(self, name):
        return self.page.locator(".tab", has_text=name).locator(".badge")

    def tap(self, name):
        self.page.locator(f'[data-testid="{name}"]').click()

    def back(self):
        self.page.locator(".back").click()

    def text(self, text):
        return self.page.locator("#screen").get_by_text(text, exact=True)

    def tile_ids(self):
        return self.tiles.evaluate_all("(tiles) => tiles.map((tile) => tile.dataset.testid.slice(5))")

    def wait_for_tiles(self, wanted):
        wait_for(self.tile_ids, lambda ids: ids[: len(wanted)] == wanted, f"The tiles should begin with {wanted}")

    def buy(self, *tiles):
        for tile in tiles:
            # Leaving through another tab, so that the tap on Shop does not itself lead back to its root.
            self.tab("Settings")
            self.tab("Shop")
            if self.page.locator(".back").count():
                self.back()
            self.tap(f"tile-{tile}")
            self.tap("add-to-cart")
            expect(self.text("Added")).to_be_visible()
        self.tab("Cart")

    def test_code(self):
        """Opens the screen with the code for tests, and returns the code."""
        self.tab("Settings")
        self.tap("test-code-row")
        label = self.page.locator('[data-testid="test-code"]')
        expect(label).to_have_text(re.compile("^[A-Z0-9]{4}-[A-Z0-9]{4}$"))
        expect(self.page.locator("#screen").get_by_text(re.compile(r"^Valid for (10:00|9:\d\d)$"))).to_be_visible()
        code = label.inner_text()
        assert label.get_attribute("aria-label") == " ".join(code), "the code isn't read letter by letter"
        return code

    def swipe(self, locator, distance):
        box = locator.bounding_box()
        x, y = box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for step in range(1, 9):
            self.page.mouse.move(x - distance * step / 8, y)
            time.sleep(0.03)
        self.page.mouse.up()

    def look(self):
        """Looks at the screen for much longer than a card needs to count as seen, which is a tenth of a second."""
        time.sleep(1.5)

    def note_places(self, name):
        """Notes where an element is in each frame, from its first one on: who looks from outside may come when it
        rests already."""
        self.page.evaluate(
            """name => {
                window.places = [];
                const look = () => {
                    const element = document.querySelector(`[data-testid="${name}"]`);
                    if (element) window.places.push(element.getBoundingClientRect().x);
                    requestAnimationFrame(look);
                };
                look();
            }""",
            name,
        )

    @property
    def places(self):
        """The places that were noted."""
        return self.page.evaluate("window.places")

    def at_rest(self, locator):
        """Waits until an element no longer moves."""
        places = []
        wait_for(
            lambda: places.append(locator.bounding_box()["x"]) or places,
            lambda p: len(p) > 2 and p[-1] == p[-2],
            "It does not come to rest",
        )
