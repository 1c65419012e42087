"""What an image is made of."""

import hashlib
import json
import os
import pathlib
import ssl
import stat
import subprocess

from container import root
from container.running import Container

ROOT = pathlib.Path(__file__).resolve().parents[3]

LARGEST = 120 << 20  # Bytes of the archive, at most.

SHELLS = ("sh", "bash", "dash", "perl", "python3", "busybox", "apt-get", "dpkg", "su", "mount")


def made(binary, folder):
    """An image of a program, and whether a second one is the same to the byte."""
    archives = [pathlib.Path(folder) / f"{number}.oci.tar" for number in (1, 2)]
    chosen = ["--binary", binary, "--runtime"] if binary else []
    for archive in archives:
        subprocess.run([str(ROOT / "scripts/image"), *chosen, "--output", str(archive)], check=True)
        if not binary:  # The package is made once.
            chosen = [
                "--package",
                str(max((ROOT / ".build/package").glob("placard_*.deb"), key=lambda path: path.stat().st_mtime)),
            ]
    sums = {hashlib.sha256(archive.read_bytes()).hexdigest() for archive in archives}
    return archives[0], len(sums) == 1


def described(check, archive, bundle):
    """What the image says of itself, as two other programs read it."""
    size, config = archive.stat().st_size, bundle.config["config"]
    is_debug = any((bundle.root / "opt").glob("**/libswiftCore.so"))
    bound = LARGEST * (2 if is_debug else 1)
    check(f"The archive has {size / (1 << 20):.1f} MiB, at most {bound >> 20}.", size <= bound)
    for form in ("oci-archive", "docker-archive"):
        read = subprocess.run(["skopeo", "inspect", "--config", f"{form}:{archive}"], capture_output=True, text=True)
        check(
            f"skopeo reads it as {form}.",
            read.returncode == 0 and json.loads(read.stdout)["config"]["Cmd"] == ["serve"],
            read.stderr,
        )
    check("It runs as a number that isn't root's.", config["User"] == f"{root.ACCOUNT}:{root.ACCOUNT}", config)
    check("It stops at SIGTERM.", config["StopSignal"] == "SIGTERM", config)
    check(
        "It names its port and its volume.",
        (config["ExposedPorts"], config["Volumes"]) == ({"8080/tcp": {}}, {f"/{root.HOME}": {}}),
        config,
    )
    labels = {name.rpartition(".")[2]: value for name, value in config["Labels"].items()}
    check("It names version, licence and time.", {"version", "licenses", "created", "title"} <= set(labels), labels)
    status, said = Container(bundle, volume(bundle.folder, "none"), "--version").wait()
    revision = f" ({labels['revision']})" if "revision" in labels else ""
    check("The labels are of its program.", said.strip() == labels["version"] + revision, (status, said, labels))


def contents(check, bundle):
    """What is in the image, and what isn't."""
    files = [path for path in bundle.root.rglob("*") if not path.is_symlink()]
    special = [path for path in files if path.is_file() and path.stat().st_mode & (stat.S_ISUID | stat.S_ISGID)]
    check("No program has another account's rights.", not special, special)
    check("There are no devices.", all(path.is_file() or path.is_dir() for path in files))
    programs = [path.relative_to(bundle.root).as_posix() for path in files if path.parent.name in ("bin", "sbin")]
    check("The only program is the server's.", programs == ["usr/bin/placard"], programs)
    found = [path for path in files if path.is_file() and path.name in SHELLS]
    check("There is no shell and no package manager.", not found, found)
    owned = [path for path in files if path.stat().st_uid != 0]
    folders = {bundle.root / folder for folder in (root.HOME, root.BACKUPS)}
    check("The account owns the folders of its data and backups, and nothing else.", set(owned) == folders, owned)
    writable = [path for path in files if path.stat().st_mode & 0o022 and path != bundle.root / "tmp"]
    check("Only root can write the rest.", not writable, writable)
    authorities = ssl.create_default_context(cafile=bundle.root / root.CERTIFICATES).cert_store_stats()["x509_ca"]
    check(f"It has the certificates of {authorities} authorities.", authorities > 100)
    check("It has time zones.", (bundle.root / "usr/share/zoneinfo/Asia/Tokyo").exists())
    packages = list((bundle.root / "var/lib/dpkg/status.d").iterdir())
    named = all(
        {"Package", "Version", "Architecture"} <= {line.partition(":")[0] for line in path.read_text().splitlines()}
        for path in packages
    )
    check(f"Scanners find its {len(packages)} packages.", len(packages) > 20 and named)
    licences = [path for path in packages if not (bundle.root / "usr/share/doc" / path.name).exists()]
    check("Each has its licence there.", not licences, licences)


def volume(folder, name):
    """A folder as a new volume is: of the image's account, and empty."""
    place = pathlib.Path(folder) / name
    place.mkdir(mode=0o700)
    os.chown(place, root.ACCOUNT, root.ACCOUNT)
    return place
