"""Takes screenshots of the suites and compares them with the ones that are kept. See scripts/screenshots."""

import argparse
import hashlib
import io
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "Browser/.build/screenshots"
# The only fonts that pages see, wherever they are installed, so that text has the same shape on every machine.
FONTS = ["Inter-Regular.otf", "Inter-Italic.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Bold.otf",
         "DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DroidSansFallbackFull.ttf", "NotoColorEmoji.ttf"]
# How far a channel of a pixel may be off, and which share of the pixels may be further off than that.
CHANNEL_TOLERANCE, SHARE_TOLERANCE = 40, 0.002

STRUCTURE = """() => {
  const lines = [];
  const skipped = new Set(["class", "data-id", "style", "src", "srcdoc", "lang", "data-offset", "draggable", "alt"]);
  const frame = document.getElementById("device-frame").getBoundingClientRect();
  // Rows beside the screen come and go with the order in which images arrive.
  const isBeside = (element) => {
    const box = element.getBoundingClientRect();
    return element.matches(".cell, .item") && (box.bottom <= frame.top || box.top >= frame.bottom);
  };
  const walk = (element, depth) => {
    if (isBeside(element)) return;
    const classes = [...element.classList].filter((name) => name !== "v").map((name) => "." + name).join("");
    const attributes = [...element.attributes].filter((a) => !skipped.has(a.name))
      .map((a) => a.value === "" ? a.name : `${a.name}=${JSON.stringify(a.value)}`).sort().join(" ");
    const text = element.children.length === 0 && element.textContent ? " " + JSON.stringify(element.textContent) : "";
    lines.push("  ".repeat(depth) + element.tagName.toLowerCase() + classes + (attributes ? ` [${attributes}]` : "") + text);
    for (const child of element.children) walk(child, depth + 1);
  };
  walk(document.getElementById("screen").firstElementChild, 0);
  return lines.join("\\n") + "\\n";
}"""

SETTLED = """() => {
  const now = performance.now(), count = document.body.dataset.messages || "0";
  const images = [...document.images].every((image) => image.complete);
  const isBusy = document.body.dataset.sending !== undefined;
  if (count !== window.lastCount || !images || isBusy || count === "0") { window.lastCount = count; window.quietSince = now; }
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
            sys.exit(f"These fonts are missing: {', '.join(missing)}. scripts/install-requirements --browser installs them.")
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
            "<alias><family>sans-serif</family><prefer><family>Inter</family></prefer></alias></fontconfig>")


class App:
    """Runs the program of a suite: a product of a package, or a command that starts whatever it needs."""

    def __init__(self, suite, folder):
        command = [str(ROOT / suite["command"])] if "command" in suite else [self.build(suite)]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        arguments = [a.replace("{port}", str(self.port)) for a in suite["arguments"]]
        self.process = subprocess.Popen([*command, *arguments], cwd=folder, stdout=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": folder})
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    sys.exit(f"The app of {suite['name']} has ended with {self.process.returncode}.")
                time.sleep(0.1)
        sys.exit(f"The app of {suite['name']} does not answer.")

    @staticmethod
    def build(suite):
        build = ["swift", "build", "--package-path", ROOT / suite["package"]]
        subprocess.run([*build, "--product", suite["product"]], check=True, stdout=subprocess.DEVNULL)
        folder = subprocess.run([*build, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
        return f"{folder}/{suite['product']}"

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Steps:
    """Does what a screen's steps say."""

    def __init__(self, page):
        self.page = page

    def run(self, steps):
        for step in steps:
            for name, value in step.items():
                getattr(self, name)(value)
            self.settle()

    def settle(self):
        self.page.wait_for_function(SETTLED, polling=50)

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

    def tapNamed(self, name):
        self.page.locator(f'#screen [aria-label="{name}"]').last.click()

    def select(self, selector):
        self.page.locator(f"#screen {selector}").last.click()

    def type(self, text):
        self.page.keyboard.type(text)

    def scroll(self, distance):
        self.page.evaluate("(y) => { [...document.querySelectorAll('#screen .scroll')].pop().scrollTop += y }", distance)

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

    def wait(self, text):
        self.page.locator("#screen").get_by_text(text, exact=True).last.wait_for()


def take(browser, app, screen, scale):
    page = browser.new_context(viewport={"width": 1240, "height": 1240}, device_scale_factor=scale,
                               reduced_motion="reduce", color_scheme="light", locale="en-US").new_page()
    query = {"device": "phone", "appearance": "light", **screen.get("page", {})}
    page.goto(f"http://127.0.0.1:{app.port}/?" + "&".join(f"{k}={v}" for k, v in query.items()))
    steps = Steps(page)
    steps.settle()
    steps.run(screen.get("steps", []))
    page.mouse.move(0, 0)
    image = Image.open(io.BytesIO(page.locator("#device-frame").screenshot())).convert("RGB")
    structure = page.evaluate(STRUCTURE)
    page.context.close()
    return image, structure


def difference(old, new):
    """The share of pixels that differ, and an image of where."""
    if old.size != new.size:
        return 1.0, new
    soften = ImageFilter.BoxBlur(1)
    channels = ImageChops.difference(old.filter(soften), new.filter(soften)).split()
    worst = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    marked = worst.point(lambda value: 255 if value > CHANNEL_TOLERANCE else 0)
    return marked.histogram()[255] / (old.width * old.height), marked


def compare(name, image, structure, folder, compares_pixels):
    """The complaints about a screen; what is new lies in OUTPUT then."""
    complaints = []
    golden, text = folder / f"{name}.png", folder / f"{name}.txt"
    if not golden.exists() or not text.exists():
        return ["is not kept yet: run scripts/screenshots --update, and look at it"]
    if text.read_text() != structure:
        (OUTPUT / f"{name}.txt").write_text(structure)
        complaints.append(f"has another structure: diff {text.relative_to(ROOT)} {(OUTPUT / name).relative_to(ROOT)}.txt")
    share, marked = difference(Image.open(golden).convert("RGB"), image)
    if compares_pixels and share > SHARE_TOLERANCE:
        image.save(OUTPUT / f"{name}.png")
        marked.save(OUTPUT / f"{name}.difference.png")
        complaints.append(f"looks different in {share:.2%} of its pixels: {(OUTPUT / name).relative_to(ROOT)}.png")
    return complaints


def run_suite(path, wanted, options, browser_version, launch, fonts):
    folder, suite = path.parent, json.loads(path.read_text())
    screens = [s for s in suite["screens"] if not wanted or s["name"] in wanted or suite["name"] in wanted]
    if not screens:
        return 0
    origin = {"fonts": fonts.digest, "chromium": browser_version.split(".")[0]}
    kept = folder / "origin.json"
    same = kept.exists() and json.loads(kept.read_text()) == origin
    if not same and not options.update:
        print(f"!! {suite['name']}: fonts or browser are not those that the kept screenshots were taken with "
              f"({json.loads(kept.read_text()) if kept.exists() else None} then, {origin} now): "
              "only the structure is compared, pixels are NOT.", flush=True)
    failures = 0
    with tempfile.TemporaryDirectory() as work:
        app = App(suite, work)
        browser = launch()
        try:
            for screen in screens:
                name = screen["name"]
                image, structure = take(browser, app, screen, options.scale)
                if options.update:
                    image.save(folder / f"{name}.png", optimize=True)
                    (folder / f"{name}.txt").write_text(structure)
                    print(f"   {suite['name']}/{name}: kept", flush=True)
                    continue
                complaints = compare(name, image, structure, folder, same and options.scale == 1)
                failures += bool(complaints)
                print(f"{'!!' if complaints else 'ok'} {suite['name']}/{name} {'; '.join(complaints)}", flush=True)
        finally:
            browser.close()
            app.stop()
    if options.update and not wanted:
        kept.write_text(json.dumps(origin) + "\n")
        known = {s["name"] for s in suite["screens"]}
        for stale in [*folder.glob("*.png"), *folder.glob("*.txt")]:
            if stale.stem not in known:
                stale.unlink()
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true", help="keep what is taken")
    parser.add_argument("--scale", type=int, default=1, help="pixels a point; pixels are compared at 1 alone")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir(parents=True)
    failures = 0
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        fonts = Fonts(work)
        executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not executable:
            sys.exit("Chromium is missing.")

        def launch():
            return playwright.chromium.launch(
                executable_path=executable, env={**os.environ, "FONTCONFIG_FILE": str(fonts.configuration)},
                args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none",
                      "--disable-lcd-text", "--force-color-profile=srgb", "--hide-scrollbars"])

        browser = launch()
        version = browser.version
        browser.close()
        for path in sorted([*ROOT.glob("*/Screenshots/suite.json"), *ROOT.glob("*/*/Screenshots/suite.json")]):
            failures += run_suite(path, set(options.names), options, version, launch, fonts)
    sys.exit(1 if failures else 0)


main()
