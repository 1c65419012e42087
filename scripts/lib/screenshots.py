"""Takes screenshots of the suites and compares them with the ones that are kept. See scripts/screenshots."""

import argparse
import io
import json
import shutil
import sys
import tempfile
import time

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Error as PlaywrightError

from browser_apps import ROOT, App, Steps, browsers

OUTPUT = ROOT / "Browser/.build/screenshots"
# How far a channel of a pixel may be off, and which share of the pixels may be further off than that.
CHANNEL_TOLERANCE, SHARE_TOLERANCE = 40, 0.002
# For how many seconds a page may still become what is kept, once it looks settled.
PATIENCE = 60

STRUCTURE = """() => {
  const lines = [];
  const skipped = new Set(["class", "data-id", "data-replaces", "style", "src", "srcdoc", "lang",
    "data-offset", "draggable", "alt", "data-leaving", "data-arriving", "data-sheet", "data-releases",
    "data-beside"]);
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
    const name = element.tagName.toLowerCase();
    lines.push("  ".repeat(depth) + name + classes + (attributes ? ` [${attributes}]` : "") + text);
    for (const child of element.children) walk(child, depth + 1);
  };
  walk(document.getElementById("screen").firstElementChild, 0);
  return lines.join("\\n") + "\\n";
}"""


def open_screen(browser, app, screen, scale):
    """The page that shows a screen after its steps: in a frame, or in a window of its own size as a phone's browser."""
    page = browser.new_context(
        viewport=screen.get("window", {"width": 1240, "height": 1240}),
        device_scale_factor=scale,
        reduced_motion="reduce",
        color_scheme="light",
        locale="en-US",
    ).new_page()
    query = {"device": "phone", "appearance": "light", **screen.get("page", {})}
    page.goto(f"http://127.0.0.1:{app.port}/?" + "&".join(f"{k}={v}" for k, v in query.items()))
    steps = Steps(page, waits_for_spinners=not screen.get("loading", False))
    steps.settle()
    steps.run(screen.get("steps", []))
    page.mouse.move(0, 0)
    return page


def take(page):
    """What a page shows now: an image, and its structure."""
    is_bare = page.evaluate("document.body.classList.contains('bare')")
    picture = page.screenshot() if is_bare else page.locator("#device-frame").screenshot()
    return Image.open(io.BytesIO(picture)).convert("RGB"), page.evaluate(STRUCTURE)


def difference(old, new):
    """The share of pixels that differ, and an image of where."""
    if old.size != new.size:
        return 1.0, new
    soften = ImageFilter.BoxBlur(1)
    channels = ImageChops.difference(old.filter(soften), new.filter(soften)).split()
    worst = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    marked = worst.point(lambda value: 255 if value > CHANNEL_TOLERANCE else 0)
    return marked.histogram()[255] / (old.width * old.height), marked


def check_screen(browser, app, screen, folder, scale, compares_pixels):
    """The complaints about a screen in a page of its own."""
    try:
        page = open_screen(browser, app, screen, scale)
        return compare_in_time(page, screen["name"], folder, compares_pixels)
    except PlaywrightError as error:
        return [f"cannot be reached: {str(error).splitlines()[0]}"]
    finally:
        for context in browser.contexts:
            context.close()


def compare_in_time(page, name, folder, compares_pixels):
    """The complaints that a page still gives rise to after PATIENCE: a busy machine brings the last row late."""
    end = time.monotonic() + PATIENCE
    while True:
        image, structure = take(page)
        complaints = compare(name, image, structure, folder, compares_pixels)
        if not complaints or time.monotonic() > end:
            return complaints
        page.wait_for_timeout(500)


def compare(name, image, structure, folder, compares_pixels):
    """The complaints about a screen; what is new lies in OUTPUT then."""
    complaints = []
    golden, text = folder / f"{name}.png", folder / f"{name}.txt"
    if not golden.exists() or not text.exists():
        return ["is not kept yet: run scripts/screenshots --update, and look at it"]
    if text.read_text() != structure:
        (OUTPUT / f"{name}.txt").write_text(structure)
        complaints.append(
            f"has another structure: diff {text.relative_to(ROOT)} {(OUTPUT / name).relative_to(ROOT)}.txt"
        )
    share, marked = difference(Image.open(golden).convert("RGB"), image)
    if compares_pixels and share > SHARE_TOLERANCE:
        image.save(OUTPUT / f"{name}.png")
        marked.save(OUTPUT / f"{name}.difference.png")
        complaints.append(f"looks different in {share:.2%} of its pixels: {(OUTPUT / name).relative_to(ROOT)}.png")
    return complaints


def run_suite(path, wanted, options, browser_version, launch, fonts):
    folder, suite = path.parent, json.loads(path.read_text())
    screens = [s for s in suite["screens"] if not wanted or {suite["name"], f"{suite['name']}/{s['name']}"} & wanted]
    if not screens:
        return 0, 0
    origin = {"fonts": fonts.digest, "chromium": browser_version.split(".")[0]}
    kept = folder / "origin.json"
    same = kept.exists() and json.loads(kept.read_text()) == origin
    if not same and not options.update:
        print(
            f"!! {suite['name']}: fonts or browser are not those that the kept screenshots were taken with "
            f"({json.loads(kept.read_text()) if kept.exists() else None} then, {origin} now): "
            "only the structure is compared, pixels are NOT.",
            flush=True,
        )
    failures = 0
    with tempfile.TemporaryDirectory() as work:
        app = App(suite, work)
        browser = launch()
        try:
            for screen in screens:
                name = screen["name"]
                if suite.get("restarts") and screen is not screens[0]:
                    app.stop()
                    app = App(suite, work)
                if options.update:
                    page = open_screen(browser, app, screen, options.scale)
                    image, structure = take(page)
                    page.context.close()
                    image.save(folder / f"{name}.png", optimize=True)
                    (folder / f"{name}.txt").write_text(structure)
                    print(f"   {suite['name']}/{name}: kept", flush=True)
                    continue
                complaints = check_screen(browser, app, screen, folder, options.scale, same and options.scale == 1)
                if complaints:
                    print(f"~~ {suite['name']}/{name} is tried once more: {'; '.join(complaints)}", flush=True)
                    if suite.get("restarts"):
                        # What the first try showed counts as viewed now.
                        app.stop()
                        app = App(suite, work)
                    complaints = check_screen(browser, app, screen, folder, options.scale, same and options.scale == 1)
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
    return len(screens), failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true", help="keep what is taken")
    parser.add_argument("--scale", type=int, default=1, help="pixels a point; pixels are compared at 1 alone")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir(parents=True)
    screens = failures = 0
    with browsers() as (launch, fonts):
        browser = launch()
        version = browser.version
        browser.close()
        patterns = ["*/Screenshots/suite.json", "*/Screenshots/*/suite.json", "*/*/Screenshots/suite.json"]
        for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern)):
            taken, different = run_suite(path, set(options.names), options, version, launch, fonts)
            screens += taken
            failures += different
    if failures:
        sys.exit(f"{failures} of {screens} screenshots are not as kept.")
    print(f"{screens} screenshots are {'now' if options.update else 'as'} kept.")


main()
