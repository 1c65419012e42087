"""What is measured on: processors, memory, versions, and what else runs beside."""

import os
import platform
import re
import subprocess
import time

from . import servers


def describe():
    with open("/proc/cpuinfo") as file:
        model = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
    with open("/proc/meminfo") as file:
        memory = int(re.search(r"^MemTotal:\s+(\d+)", file.read(), re.M)[1])
    with open("/etc/os-release") as file:
        system = re.search(r'^PRETTY_NAME="(.*)"$', file.read(), re.M)[1]
    virtual = (
        subprocess.run(["systemd-detect-virt"], capture_output=True, text=True, check=False)
        if os.path.exists("/usr/bin/systemd-detect-virt")
        else None
    )
    with open("/proc/cpuinfo") as file:
        is_guest = re.search(r"^flags.*\bhypervisor\b", file.read(), re.M) is not None
    return {
        "processor": model[1] if model else platform.machine(),
        "cores": os.cpu_count(),
        "gigabytes": round(memory / 2**20),
        "system": system,
        "kernel": platform.release(),
        "virtual": (virtual.stdout.strip() if virtual else "") not in ("", "none") or is_guest,
    }


def versions():
    python = subprocess.check_output(
        [os.path.join(servers.ROOT, "scripts/lib/python-tools"), "bench"], text=True
    ).strip()
    listed = subprocess.check_output(
        [
            python,
            "-c",
            (
                "import fastapi, asyncpg, uvicorn, platform; print(platform.python_version(), fastapi.__version__,"
                " uvicorn.__version__, asyncpg.__version__)"
            ),
        ],
        text=True,
    ).split()
    modules = subprocess.check_output([os.path.join(servers.PEERS, "install-node-pg")], text=True).strip()
    pg = subprocess.check_output(
        ["node", "-p", 'require("pg/package.json").version'], env={**os.environ, "NODE_PATH": modules}, text=True
    )
    return {
        "nginx": servers.version("/usr/sbin/nginx", "-v").rpartition("/")[2],
        "PostgreSQL": servers.version("psql", "--version").split()[2],
        "Python": listed[0],
        "FastAPI": listed[1],
        "uvicorn": listed[2],
        "asyncpg": listed[3],
        "Node": servers.version("node", "--version").lstrip("v"),
        "pg": pg.strip(),
    }


def busy():
    """The share of all processors that is taken while nothing is measured: by other programs, then."""

    def look():
        with open("/proc/stat") as file:
            fields = [int(field) for field in file.readline().split()[1:9]]
        return sum(fields), fields[3] + fields[4]

    before = look()
    time.sleep(2)
    after = look()
    return 1 - (after[1] - before[1]) / max(1, after[0] - before[0])
