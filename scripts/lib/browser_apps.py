"""Runs apps in a browser: what scripts/screenshots and scripts/check-browser share."""

import contextlib
import functools
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

from playwright.sync_api import sync_playwright

from placard_server import PATIENCE, free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The only fonts that pages see, wherever they are installed, so that text has the same shape on every machine.
FONTS = [
    "Inter-Regular.otf",
    "Inter-Italic.otf",
    "Inter-Medium.otf",
    "Inter-SemiBold.otf",
    "Inter-Bold.otf",
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "DroidSansFallbackFull.ttf",
    "NotoColorEmoji.ttf",
]

SETTLED = """(waitsForSpinners) => {
  const now = performance.now(), count = document.body.dataset.messages || "0";
  const images = [...document.images].every((image) => image.complete);
  const spinners = "#screen .spinner:not(.stopped, .paused, .refresh > *), #screen .refresh.active";
  const isBusy = document.body.dataset.sending !== undefined
    || (waitsForSpinners && document.querySelector(spinners) !== null);
  if (count !== window.lastCount || !images || isBusy || count === "0") {
    window.lastCount = count;
    window.quietSince = now;
  }
  return now - window.quietSince > 400;
}"""


class Fonts:
    """Lets pages see certain font files alone, and knows whether they are those of the kept screenshots."""

    def __init__(self, folder):
        installed = {}
        for base in ("/usr/share/fonts", "/usr/local/share/fonts", str(pathlib.Path.home() / ".fonts")):
            for path in pathlib.Path(base).rglob("*.[ot]t[fc]"):
                installed.setdefault(path.name, path)
        missing = [name for name in FONTS if name not in installed]
        if missing:
            sys.exit(
                f"These fonts are missing: {', '.join(missing)}. scripts/install-requirements --browser installs them."
            )
        files = pathlib.Path(folder) / "fonts"
        files.mkdir()
        digest = hashlib.sha256()
        for name in FONTS:
            shutil.copy(installed[name], files / name)
            digest.update((files / name).read_bytes())
        self.digest = digest.hexdigest()[:16]
        self.configuration = pathlib.Path(folder) / "fonts.conf"
        self.configuration.write_text(
            f"<?xml version='1.0'?><fontconfig><dir>{files}</dir><cachedir>{folder}/cache</cachedir>"
            "<alias><family>sans-serif</family><prefer><family>Inter</family></prefer></alias></fontconfig>"
        )


class App:
    """Runs the program of a suite: a product of a package, or a command that starts whatever it needs."""

    def __init__(self, suite, folder, output=subprocess.DEVNULL):
        command = [str(ROOT / suite["command"])] if "command" in suite else [self.build(suite["product"])]
        self.port = free_port()
        arguments = [a.replace("{port}", str(self.port)) for a in suite["arguments"]]
        self.process = subprocess.Popen(
            [*command, *arguments], cwd=folder, stdout=output, env={**os.environ, "HOME": folder}, text=True
        )
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    sys.exit(f"The app of {suite['name']} has ended with {self.process.returncode}.")
                time.sleep(0.1)
        sys.exit(f"The app of {suite['name']} does not answer.")

    @staticmethod
    @functools.cache
    def build(product):
        command = [ROOT / "scripts/lib/build", product]
        folder = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        return f"{folder}/{product}"

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Steps:
    """Does what a screen's steps say."""

    def __init__(self, page, waits_for_spinners=True):
        self.page = page
        self.waits_for_spinners = waits_for_spinners

    def run(self, steps):
        for step in steps:
            for name, value in step.items():
                getattr(self, name)(value)
            self.settle()

    def settle(self):
        self.page.wait_for_function(SETTLED, arg=self.waits_for_spinners, polling=50)

    def find(self, text):
        """The element with a text; lists have elements only near what is on screen, so this scrolls down to it."""
        found = self.page.locator("#screen").get_by_text(text, exact=True)
        for _ in range(40):
            if found.count():
                break
            self.scroll(300)
            self.page.wait_for_timeout(100)
        return found.last

    def tap(self, text):
        self.find(text).click()

    def select(self, selector):
        self.page.locator(f"#screen {selector}").last.click()

    def type(self, text):
        self.page.keyboard.type(text)

    def scroll(self, distance):
        self.page.evaluate(
            "(y) => { [...document.querySelectorAll('#screen .scroll')].pop().scrollTop += y }", distance
        )

    def swipe(self, text):
        box = self.find(text).bounding_box()
        rtl = self.page.locator("#screen").get_attribute("dir") == "rtl"
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + (90 if rtl else -90), y, steps=6)
        self.page.mouse.up()

    def rotate(self, _):
        self.page.locator("#rotate").click()

    def waitFor(self, text):
        self.page.locator("#screen").get_by_text(text, exact=True).last.wait_for()


@contextlib.contextmanager
def browsers():
    """Gives a function that launches a browser, and the fonts that its pages see."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not executable:
        sys.exit("Chromium is missing. scripts/install-requirements --browser installs it.")
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        fonts = Fonts(work)

        def launch(*arguments):
            return playwright.chromium.launch(
                executable_path=executable,
                env={**os.environ, "FONTCONFIG_FILE": str(fonts.configuration)},
                args=[
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--font-render-hinting=none",
                    "--disable-lcd-text",
                    "--force-color-profile=srgb",
                    "--hide-scrollbars",
                    *arguments,
                ],
            )

        yield launch, fonts
