"""Uses the feed in a browser as people and attackers do. See scripts/check-browser."""

import http.server
import socket
import sys
import tempfile
import threading
import time
import traceback

from browser_apps import App, Steps, browsers
from browser_gestures import edge_swipes, key_commands, pinches, steered_animations
from browser_touches import modal_focus, pulls, swipes, swipes_rtl, taps_beside, touches
from placard_server import PATIENCE

# What a page that a card leads to may try.
HOSTILE_PAGE = b"""<!doctype html><title>page</title><body>Reached<script>
for (const attempt of [() => { parent.document.title = "owned"; }, () => { top.location = "/owned"; },
  () => { parent.postMessage("owned", "*"); }, () => { parent.localStorage.setItem("owned", "1"); },
  () => { alert("owned"); }]) { try { attempt(); } catch {} }
</script>"""


class Site:
    """Serves one hostile page, and notes what is asked for."""

    def __init__(self):
        paths = self.paths = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                paths.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(HOSTILE_PAGE)

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/page"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Outside:
    """Stands for every host of the world, and counts who calls.

    What a browser says of its requests is not enough: it tells of some that its policy has kept back.
    """

    def __init__(self):
        self.calls = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.rule = f"--host-resolver-rules=MAP *.example 127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            caller, _ = self.listener.accept()
            self.calls += 1
            caller.close()


OUTSIDE = Outside()


class Session:
    """One page of the example app, and what came of using it."""

    def __init__(self, browser, app, query="", **context):
        settings = {"viewport": {"width": 1240, "height": 1240}, "locale": "en-US", **context}
        self.context = browser.new_context(**settings)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.dialogs, self.errors = [], []
        self.page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.steps = Steps(self.page)
        self.address = f"http://127.0.0.1:{app.port}/?device=phone&{query}"
        self.page.goto(self.address)
        self.steps.settle()
        self.screen = self.page.locator("#screen")

    def open(self, scenario):
        self.steps.run([{"tap": scenario}])

    def card(self, text):
        return self.page.locator(".cell", has=self.page.get_by_text(text, exact=True)).last

    def expect_untouched(self):
        assert self.page.title() == "Feed example", self.page.title()
        assert self.page.url == self.address, self.page.url
        assert len(self.context.pages) == 1, [page.url for page in self.context.pages]
        assert not self.dialogs, self.dialogs
        assert not self.errors, self.errors


class Events:
    """What the SDK has sent to the scripted server, as the app prints it."""

    def __init__(self, process):
        self.lines = []
        threading.Thread(target=self.read, args=[process], daemon=True).start()

    def read(self, process):
        for line in process.stdout:
            self.lines.append(line.strip())

    def of(self, kind, card):
        return self.lines.count(f"event {kind} {card}")

    def expect(self, kind, card, count):
        deadline = time.monotonic() + PATIENCE
        while self.of(kind, card) < count and time.monotonic() < deadline:
            time.sleep(0.05)
        assert self.of(kind, card) == count, f"{self.of(kind, card)} × {kind} of {card} and not {count}"


def hostile_cards(session, events, site):
    """Cards with scripts, styles and addresses that would run show all that as text, and open nothing."""
    session.open("Hostile text")
    assert session.screen.locator("script, style, img[onerror], iframe, link").count() == 0
    assert session.screen.locator(".cell").count() >= 3
    session.card("reversed by a mark\u202c and after it\nthree\n\nlines".join(["\u202e", ""])).click()
    session.page.locator(".cell").first.click()
    session.steps.settle()
    session.expect_untouched()
    widths = session.page.evaluate("[...document.querySelectorAll('.label')].map(e => e.scrollWidth - e.clientWidth)")
    assert max(widths) <= 1, "text runs out of its card"
    time.sleep(1)
    assert not [line for line in events.lines if line.startswith("event click")], events.lines


def hostile_html(session, events, site):
    """HTML of a message runs no script, and reaches neither the app nor the network."""
    session.open("A message of hostile HTML")
    session.page.frame_locator("iframe").locator("h1").wait_for()
    session.page.wait_for_timeout(800)
    session.expect_untouched()
    frame = session.page.frames[1]
    assert frame.locator("h1").inner_text() == "Hello"
    assert frame.locator("#proof").inner_text() == "untouched"
    assert OUTSIDE.calls == 0
    try:
        session.context.new_page().goto("https://evil.example/pixel")
    except Exception:
        pass
    assert OUTSIDE.calls > 0, "the browser does not ask where it should"


def hostile_page(session, events, site):
    """A web page runs in its frame alone."""
    session.open("A card with a page")
    session.card("Read more").click()
    session.page.frame_locator("iframe").get_by_text("Reached").wait_for()
    session.page.wait_for_timeout(1200)
    session.expect_untouched()
    assert "/page" in site.paths, site.paths
    assert session.page.frames[1].locator("body").inner_text().strip() == "Reached"
    assert session.page.evaluate("localStorage.getItem('owned')") is None
    events.expect("click", "page", 1)


def page_progress(session, events, site):
    """A page shows that it loads; one that cannot be reached says so, and Back leads back."""
    session.open("A card with a page")
    session.card("Read more").click()
    session.page.wait_for_selector(".progress", state="attached")
    session.page.wait_for_function("() => getComputedStyle(document.querySelector('.progress')).opacity === '0'")
    session.steps.run([{"tap": "Updates"}])
    session.card("Unreachable").click()
    session.screen.get_by_text("This page cannot be reached.", exact=False).wait_for()
    assert session.page.locator("#screen iframe").count() == 0
    session.steps.run([{"tap": "Try Again"}])
    session.screen.get_by_text("This page cannot be reached.", exact=False).wait_for()
    session.steps.run([{"tap": "Updates"}])
    assert session.card("Read more").is_visible()


def control_cards(session, events, site):
    """A control card shows nothing, answers to nothing, and is counted once a presentation."""
    session.open("Control cards only")
    assert session.screen.get_by_text("Nothing new right now.", exact=False).is_visible()
    cell = session.page.locator(".cell")
    assert cell.count() == 1
    assert cell.get_attribute("data-tap") is None and cell.get_attribute("data-swipe") is None
    assert cell.get_attribute("aria-hidden") == "true" or cell.inner_text() == ""
    box = cell.bounding_box()
    assert box["height"] <= 1, box
    session.page.mouse.click(box["x"] + 50, box["y"])
    events.expect("impression", "control", 1)
    session.steps.run([{"tap": "Feeds"}, {"tap": "Control cards only"}])
    events.expect("impression", "control", 2)
    time.sleep(1)
    events.expect("impression", "control", 2)
    assert not [line for line in events.lines if line.startswith(("event click", "event dismissal"))]


def impressions(session, events, site):
    """Cards are counted when they are seen, once a presentation, and not before they are."""
    session.open("A thousand cards")
    events.expect("impression", "card-0", 1)
    assert events.of("impression", "card-30") == 0
    session.steps.run([{"scroll": 3000}, {"scroll": -3000}])
    time.sleep(1)
    events.expect("impression", "card-0", 1)
    assert session.page.locator(".cell").count() < 40


CHECKS = [
    hostile_cards,
    hostile_html,
    hostile_page,
    page_progress,
    control_cards,
    touches,
    swipes,
    swipes_rtl,
    pulls,
    modal_focus,
    taps_beside,
    impressions,
    edge_swipes,
    pinches,
    key_commands,
    steered_animations,
]

# Those that use views alone, and not the feed.
OF_VIEWS = {pinches, key_commands, steered_animations}


def main():
    wanted = set(sys.argv[1:])
    checks = [check for check in CHECKS if not wanted or check.__name__ in wanted]
    site = Site()
    failures = 0
    with browsers() as (launch, _), tempfile.TemporaryDirectory() as work:
        browser = launch(OUTSIDE.rule)
        suite = {
            "name": "feed",
            "product": "feed-example",
            "arguments": ["--port", "{port}", "--page", site.url, "--events", "yes"],
        }
        views = {"name": "kit", "product": "kit-example", "arguments": ["--port", "{port}", "--gestures"]}
        for check in checks:
            app = App(views if check in OF_VIEWS else suite, work, output=-1)
            try:
                session = Session(browser, app, "rtl" if check is swipes_rtl else "")
                check(session, Events(app.process), site)
                print(f"ok {check.__doc__}", flush=True)
                session.context.close()
            except Exception:
                failures += 1
                print(f"!! {check.__name__}: {check.__doc__}\n{traceback.format_exc()}", flush=True)
            finally:
                app.stop()
        browser.close()
    print(f"{len(checks) - failures} of {len(checks)} checks of the feed passed.")
    sys.exit(1 if failures else 0)


main()
