"""What is in the image: a layer of Debian, which stays the same while its packages do, and a layer of the server."""

import re
import subprocess

from . import debian, tree
from .tree import File

ACCOUNT = 65532
HOME = "var/lib/placard"
BACKUPS = "var/backups/placard"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
# Where a debug build finds the Swift runtime; a release has it in the program.
RUNTIME = r"=> (/\S*/usr/lib/swift/linux/\S+)"


def triple():
    return subprocess.run(
        ["dpkg-architecture", "-qDEB_HOST_MULTIARCH"], check=True, capture_output=True, text=True
    ).stdout.strip()


def system(packages, place):
    """The layer of Debian, of packages that were chosen."""
    files = {}
    for package in packages:
        used = package.used(place)
        files.update(used)
        # In the form in which scanners look for packages where no package manager is.
        files[f"var/lib/dpkg/status.d/{package.name}"] = File(package.control.encode())
    certificates = {path: files.pop(path) for path in sorted(files) if path.startswith("usr/share/ca-certificates/")}
    moment = max(file.time for file in files.values())
    files[CERTIFICATES] = File(b"".join(file.data for file in certificates.values()))
    files |= accounts() | links()
    # What no package brought has the time of the newest file that one did.
    files = {path: file if file.time else File(**{**vars(file), "time": moment}) for path, file in files.items()}
    files["tmp"] = File(mode=0o1777, time=moment, is_folder=True)
    return files


def accounts():
    return {
        "etc/passwd": File(
            f"root:x:0:0:root:/:/nonexistent\nplacard:x:{ACCOUNT}:{ACCOUNT}:Placard:/{HOME}:/nonexistent\n".encode()
        ),
        "etc/group": File(f"root:x:0:\nplacard:x:{ACCOUNT}:\n".encode()),
        "etc/nsswitch.conf": File(b"passwd: files\ngroup: files\nhosts: files dns\n"),
    }


def links():
    found = {name: File(link=f"usr/{name}", mode=0o777) for name in tree.MERGED}
    # Where OpenSSL looks, which speaks to PostgreSQL.
    return found | {"usr/lib/ssl/cert.pem": File(link=f"/{CERTIFICATES}", mode=0o777)}


def server(program, runtime, licence, moment):
    """The layer of the server: its program, its licence, and the folders of its data."""
    files = {
        "usr/bin/placard": File(program, 0o755, moment),
        "usr/share/doc/placard/copyright": File(licence, time=moment),
    }
    # A new volume that is mounted there takes their owner.
    files |= {folder: File(mode=0o700, time=moment, is_folder=True, owner=ACCOUNT) for folder in (HOME, BACKUPS)}
    return files | {path.lstrip("/"): File(data, 0o755, moment) for path, data in runtime.items()}


def runtime_of(program):
    """The libraries of Swift that a debug build is linked with, by their paths."""
    said = subprocess.run(["ldd", str(program)], check=True, capture_output=True, text=True).stdout
    found = {}
    for path in re.findall(RUNTIME, said):
        with open(path, "rb") as file:
            found[path] = file.read()
    return found


def chosen(suite, program, runtime, place):
    """Fetches Debian's packages and takes those that the server needs."""
    own = {path.rpartition("/")[2] for path in runtime}
    packages = debian.fetched(suite, (*debian.WANTED, debian.PICTURES[0], *debian.LINKED))
    return debian.chosen(packages, [program, *runtime.values()], own, place)
