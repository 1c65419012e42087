"""Uses a feed of 1,000 cards over the real host as a browser's page does, and prints what that costs.

usage: bench.py FEED-EXAMPLE [STEPS]
"""

import http.client
import json
import pathlib
import queue
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts/lib"))
from placard_server import free_port  # noqa: E402

WIDTH, HEIGHT, ROW = 390, 756, 150
TAB = "0123456789abcdef0123456789abcdef"


class Page:
    """Keeps the elements of the page, and talks to the host: what app.js does, without drawing."""

    def __init__(self, port):
        self.port = port
        self.elements, self.messages = {}, queue.Queue()
        self.events = http.client.HTTPConnection("127.0.0.1", port)
        environment = urllib.parse.quote(json.dumps({"width": WIDTH, "height": HEIGHT, "scale": 3}))
        stream = http.client.HTTPConnection("127.0.0.1", port)
        stream.request("GET", f"/tabs/{TAB}/stream?environment={environment}")
        self.stream = stream.getresponse()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while line := self.stream.readline():
            if line.startswith(b"data: "):
                self.messages.put((time.perf_counter(), len(line), json.loads(line[6:])))

    def take(self, timeout=10.0):
        """Applies the next message, and returns when it came and how large it was."""
        at, size, message = self.messages.get(timeout=timeout)
        if message.get("reset"):
            self.elements = {}
        for change in message.get("diff", {}).get("p", []):
            element = {} if "n" in change else self.elements.setdefault(change["i"], {})
            self.elements[change["i"]] = element
            element["class"] = change.get("a", {}).get("class", element.get("class", "")) or ""
            element["text"] = change.get("t", element.get("text", ""))
            element["children"] = change.get("c", element.get("children", []))
        for gone in message.get("diff", {}).get("d", []):
            self.elements.pop(gone, None)
        return at, size

    def drain(self, quiet=0.25):
        """Takes messages until none has come for a while; returns their bytes."""
        total = 0
        while True:
            try:
                total += self.take(quiet)[1]
            except queue.Empty:
                return total

    def send(self, event):
        body = json.dumps({"events": [event]})
        self.events.request("POST", f"/tabs/{TAB}/events", body, {"Content-Type": "application/json"})
        self.events.getresponse().read()

    def find(self, name):
        return [i for i, element in self.elements.items() if name in element["class"].split()]

    def tap_text(self, text):
        inner = next(i for i, element in self.elements.items() if element["text"] == text)
        parents = {child: i for i, element in self.elements.items() for child in element["children"]}
        while "cell" not in self.elements[inner]["class"].split():
            inner = parents[inner]
        self.send({"i": inner, "k": "tap"})

    def scroll(self, offset, row=ROW):
        rows = {i: row for i in self.find("cell")}
        table = self.find("scroller")[-1]
        self.send({"i": table, "k": "scroll", "y": offset, "w": WIDTH, "h": HEIGHT, "c": 0, "r": rows})


def open_feed(port):
    page = Page(port)
    page.drain()
    page.scroll(0, row=50)
    page.drain()
    page.tap_text("A thousand cards")
    page.drain(1)
    page.scroll(0)
    page.drain(1)
    return page


def measure(page, steps):
    sizes, times, cells = [], [], []
    for step in range(1, steps + 1):
        start = time.perf_counter()
        page.scroll(step * 120)
        at, size = page.take()
        times.append(at - start)
        sizes.append(size + page.drain(0.005))
        cells.append(len(page.find("cell")))
    page.drain(0.5)
    taps = []
    for _ in range(60):
        cell = page.find("cell")[len(page.find("cell")) // 2]
        start = time.perf_counter()
        page.send({"i": cell, "k": "tap"})
        taps.append(page.take()[0] - start)
        page.drain(0.02)
    return sizes, times, cells, taps


def main():
    program, steps = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 900
    port = free_port()
    process = subprocess.Popen([program, "--port", str(port)], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        page = open_feed(port)
        sizes, times, cells, taps = measure(page, steps)
        memory = next(int(line.split()[1]) for line in open(f"/proc/{process.pid}/status") if line.startswith("VmRSS"))
    finally:
        process.terminate()
        process.wait()
    milliseconds = [time * 1_000 for time in times]
    early, late = statistics.median(milliseconds[:100]), statistics.median(milliseconds[-100:])
    print(f"cells that exist at once        at most {max(cells)} of 1,000")
    print(f"bytes of a scroll step          median {statistics.median(sizes):,.0f}, at most {max(sizes):,}")
    print(f"a scroll step, there and back   median {early:.1f} ms at the start, {late:.1f} ms after {steps} steps")
    print(
        f"a tap, there and back           median {statistics.median(taps) * 1_000:.1f} ms, at most"
        f" {max(taps) * 1_000:.1f} ms"
    )
    print(f"memory of the process           {memory / 1024:.0f} MB")


main()
