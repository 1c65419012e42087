#!/usr/bin/env python3
"""Measures the server beside nginx and beside a bare HTTP hello, in turns, and prints requests/s and ratios.

usage: bench.py PLACARD HELLO [--rounds N] [--seconds S]

Absolute figures move with the machine; the ratios, taken from rounds that stand side by side, hold.
"""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
USERS = 200
UNLIMITED = {name: {"burst": 1_000_000_000, "per_second": 1_000_000_000} for name in (
    "requests_per_address", "requests_per_key", "requests_per_user", "new_users_per_address", "events_per_user",
    "live_opens_per_address",
)}
"""All requests come from one address, and many from one user."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def call(base, method, path, key, body=None):
    request = urllib.request.Request(
        base + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def wait_for(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=0.2).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit(f"nothing answers on port {port}")


class Processes:
    """The servers under test, stopped by pid whatever happens."""

    def __init__(self):
        self.running = []

    def start(self, *command):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.running.append(process)
        return process

    def stop(self):
        for process in self.running:
            process.send_signal(signal.SIGTERM)
        for process in self.running:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


def start_nginx(processes, directory, port):
    os.makedirs(os.path.join(directory, "www"))
    with open(os.path.join(directory, "www", "card.json"), "w") as file:
        file.write("x" * 2048)
    config = os.path.join(directory, "nginx.conf")
    with open(config, "w") as file:
        file.write(
            f"""
worker_processes 1;
daemon off;
pid {directory}/nginx.pid;
error_log {directory}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    open_file_cache max=10;
    sendfile on;
    tcp_nopush on;
    server {{ listen 127.0.0.1:{port}; root {directory}/www; }}
}}
"""
        )
    processes.start(shutil.which("nginx") or "/usr/sbin/nginx", "-c", config)
    wait_for(port)


def prepare(placard, processes, directory):
    """Starts the server with ten cards for each user, and returns what the rounds need."""
    database = "sqlite:" + os.path.join(directory, "bench.sqlite")
    subprocess.run([placard, "migrate", "--database", database], check=True, capture_output=True)
    keys = {}
    for kind in ("publishable", "secret"):
        made = subprocess.run(
            [placard, "key", "create", "--name", "bench", "--kind", kind, "--database", database, "--json"],
            check=True, capture_output=True, text=True,
        )
        keys[kind] = json.loads(made.stdout)["secret"]
    port = free_port()
    processes.start(placard, "serve", "--database", database, "--port", str(port), "--log-level", "error")
    wait_for(port)
    base = f"http://127.0.0.1:{port}"
    call(base, "PUT", "/v1/settings", keys["secret"], {"device_limits": UNLIMITED})
    for number in range(10):
        body = {
            "id": f"bench-{number}", "name": f"Bench {number}",
            "variants": [{"card": {
                "type": "captioned_image", "title": f"A card for everybody, number {number}",
                "description": "What a marketer writes: a sentence or two that says what there is to gain today.",
                "image": "https://images.example/cards/spring.jpg", "image_aspect_ratio": 1.33,
                "url": "https://shop.example/spring", "domain": "shop.example",
                "extras": {"class_type": "home_tile", "tile_id": str(number)},
            }}],
        }
        call(base, "POST", "/v1/campaigns", keys["secret"], body)
        call(base, "POST", f"/v1/campaigns/bench-{number}/launch", keys["secret"])
    users = os.path.join(directory, "users.txt")
    with open(users, "w") as file:
        for number in range(USERS):
            reply = call(base, "POST", "/v1/sync", keys["publishable"], {"user_id": f"user-{number}", "device_id": "bench"})
            file.write(" ".join([f"user-{number}"] + [card["id"] for card in reply["cards"]]) + "\n")
    return port, base, keys, users


def wrk(port, seconds, path="/", script=None, **environment):
    command = ["wrk", "-t1", "-c64", f"-d{seconds}s"]
    if script:
        command += ["-s", os.path.join(HERE, script)]
    command.append(f"http://127.0.0.1:{port}{path}")
    values = {f"PLACARD_BENCH_{name.upper()}": str(value) for name, value in environment.items()}
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **values})
    found = re.search(r"Requests/sec:\s+([\d.]+)", result.stdout)
    if not found:
        sys.exit(f"wrk failed: {result.stdout}{result.stderr}")
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", result.stdout)
    if failed:
        sys.exit(f"{failed.group(1)} answers were not 200: {result.stdout}")
    return float(found.group(1))


def accepted(base):
    with urllib.request.urlopen(base + "/metrics") as answer:
        return int(re.search(r'placard_events_total\{result="accepted"\} (\d+)', answer.read().decode()).group(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("placard")
    parser.add_argument("hello")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    options = parser.parse_args()
    processes = Processes()
    directory = tempfile.mkdtemp(prefix="placard-bench-")
    os.chmod(directory, 0o755)  # nginx reads its file as another user
    try:
        nginx, hello = free_port(), free_port()
        start_nginx(processes, os.path.join(directory, "nginx"), nginx)
        processes.start(options.hello, str(hello))
        wait_for(hello)
        port, base, keys, users = prepare(options.placard, processes, directory)
        report(measure(options, nginx, hello, port, base, keys, users))
    finally:
        processes.stop()
        shutil.rmtree(directory, ignore_errors=True)


def measure(options, nginx, hello, port, base, keys, users):
    key = keys["publishable"]
    body = {"user_id": "user-7", "device_id": "bench"}
    cursor = call(base, "POST", "/v1/sync", key, body)["cursor"]
    full, same = json.dumps(body), json.dumps({**body, "cursor": cursor})
    rows = {name: [] for name in ("nginx", "hello", "same", "ten", "events")}
    for number in range(options.rounds):
        rows["nginx"].append(wrk(nginx, options.seconds, "/card.json"))
        rows["hello"].append(wrk(hello, options.seconds))
        rows["same"].append(wrk(port, options.seconds, "/", "sync.lua", key=key, body=same))
        rows["ten"].append(wrk(port, options.seconds, "/", "sync.lua", key=key, body=full))
        before, start = accepted(base), time.time()
        wrk(port, options.seconds, "/", "events.lua", key=key, users=users, now=int(time.time()), round=number + 1,
            bodies=4000 * options.seconds)
        rows["events"].append((accepted(base) - before) / options.seconds)
        # An event moves the user's version, so the cursor of the next round has to be read again.
        cursor = call(base, "POST", "/v1/sync", key, body)["cursor"]
        same = json.dumps({**body, "cursor": cursor})
    return rows


def report(rows):
    reference = rows["nginx"]
    print(f"{'':44}{'requests/s':>12}{'of nginx':>10}{'min':>8}{'max':>8}")
    for name, title in (
        ("nginx", "nginx, static file of 2 KB"), ("hello", "the HTTP stack, constant reply of 2 KB"),
        ("same", "sync, nothing changed"), ("ten", "sync, ten cards"),
    ):
        ratios = [value / base for value, base in zip(rows[name], reference)]
        print(f"{title:44}{statistics.median(rows[name]):12,.0f}{statistics.median(ratios):10.2f}"
              f"{min(ratios):8.2f}{max(ratios):8.2f}")
    events = rows["events"]
    print(f"{'events, durable, in batches of 50':44}{statistics.median(events):12,.0f} events/s"
          f"   (min {min(events):,.0f}, max {max(events):,.0f})")


if __name__ == "__main__":
    main()
