"""Processes under test: what they take of the machine, and their end."""

import os
import re
import signal
import socket
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")


def children(pid):
    """A process and all that it has started, as they are now."""
    found, rest = [], [pid]
    while rest:
        one = rest.pop()
        found.append(one)
        try:
            for thread in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{thread}/children") as file:
                    rest += [int(child) for child in file.read().split()]
        except OSError:
            continue
    return found


def processor_seconds(pid):
    """Processor time of a process and of all that it has started, also of those that have ended."""
    total = 0
    for one in children(pid):
        try:
            with open(f"/proc/{one}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(int(field) for field in fields[11:15])
    return total / TICKS


def mapped(pids, name):
    """Megabytes that the system counts under a name for processes; those that have ended have none."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup") as file:
                total += int(re.search(rf"^{name}:\s+(\d+)", file.read(), re.M)[1])
        except OSError:
            continue
    return total / 1024


def memory(pid):
    """Megabytes of a process: what is resident; and where it has started others, the sum without counting shared pages
    twice."""
    pids = children(pid)
    return mapped(pids, "Rss" if len(pids) == 1 else "Pss")


def own_memory(pid):
    """Megabytes of a process and those that it has started which are of no file: the system can't drop these."""
    return mapped(children(pid), "Pss_Anon")


def wait_for(port, process, seconds=60):
    """Waits until a process answers on a port."""
    end = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=0.2).close()
            return
        except OSError:
            assert process.poll() is None and time.monotonic() < end, f"{process.args[0]} doesn't answer on port {port}"
            time.sleep(0.05)


def end(process):
    """Ends a process in good order."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
