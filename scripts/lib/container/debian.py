"""The packages of Debian that the image needs, and of them only those whose files it uses."""

import pathlib
import subprocess
import tempfile
from dataclasses import dataclass

from . import elf, tree

SUITE = "bookworm"
# What no program is linked with.
WANTED = ("base-files", "ca-certificates", "tzdata", "libc6")
# What the server, and the Swift runtime, are linked with.
LINKED = ("libcurl4", "libpq5", "libsqlite3-0", "libstdc++6", "libxml2")
# The server opens this one itself, in the process that prepares a picture.
PICTURES = ("libvips42", "libvips.so.42")
# What the image has of a package. Loaders of formats that the server refuses lie in a folder below the libraries, with
# ImageMagick and others behind them, and stay out, as programs do.
LIBRARIES = ("usr/lib/{triple}", "usr/lib64", "usr/lib")
KEPT = (
    "etc/debian_version",
    "etc/os-release",
    "usr/lib/os-release",
    "usr/lib/locale/C.utf8/",
    "usr/share/ca-certificates/",
    "usr/share/common-licenses/",
    "usr/share/zoneinfo/",
)


@dataclass(frozen=True)
class Package:
    """A package as it was fetched: what it says of itself, and its files."""

    name: str
    control: str
    files: dict

    @classmethod
    def read(cls, file):
        def run(*command):
            return subprocess.run(["dpkg-deb", *command], check=True, capture_output=True).stdout

        control = run("--field", str(file)).decode()
        return cls(
            run("--field", str(file), "Package").decode().strip(),
            control,
            tree.unpacked(run("--fsys-tarfile", str(file))),
        )

    def used(self, triple):
        """Its files that something in the image reads, and its licence."""
        folders = {folder.format(triple=triple) for folder in LIBRARIES}

        def is_used(path):
            folder, _, name = path.rpartition("/")
            is_licence = name == "copyright" or folder == "usr/share/doc"  # There, a link to another package's.
            return path.startswith(KEPT) or is_licence or folder in folders and ".so" in name

        return {path: file for path, file in self.files.items() if not file.is_folder and is_used(path)}


def fetched(suite, names):
    """The packages of these names with all that they depend on, of today's Debian."""
    with tempfile.TemporaryDirectory() as folder:
        hook = f"--extract-hook=sync-out /var/cache/apt/archives {folder}"
        made = subprocess.run(
            [
                "mmdebstrap",
                "--mode=chrootless",
                "--variant=extract",
                "--format=null",
                f"--include={','.join(names)}",
                hook,
                suite,
                "-",
            ],
            capture_output=True,
            text=True,
        )
        if made.returncode != 0:
            raise SystemExit(f"mmdebstrap: {made.stderr[-800:]}")
        return [Package.read(file) for file in sorted(pathlib.Path(folder).glob("*.deb"))]


def owner_of(library, packages, triple):
    """The package that has a library in a folder where programs look for it."""
    paths = [f"{folder.format(triple=triple)}/{library}" for folder in LIBRARIES]
    return next((package for package in packages for path in paths if path in package.files), None)


def chosen(packages, programs, own, triple):
    """The packages of WANTED, and those with the libraries that programs, and these libraries, are linked with.

    Libraries of the server's own are left out. One that no package has is an error: the program was built on another
    Debian."""
    taken = {package.name: package for package in packages if package.name in WANTED}
    ahead = [(name, "the server") for program in programs for name in elf.needed(program)] + [
        (PICTURES[1], "the server")
    ]
    seen = set(own)
    while ahead:
        library, wanting = ahead.pop()
        if library in seen:
            continue
        seen.add(library)
        package = owner_of(library, packages, triple)
        if package is None:
            raise SystemExit(
                f"{wanting} needs {library}, which Debian's packages don't have: build the server on the Debian of the"
                " image."
            )
        taken[package.name] = package
        for file in package.used(triple).values():
            if tree.is_library(file):
                ahead.extend((name, package.name) for name in elf.needed(file.data))
    # The licence of a library may be that of another package, to which a link leads.
    for package in list(taken.values()):
        link = package.files.get(f"usr/share/doc/{package.name}", tree.File()).link
        taken |= {other.name: other for other in packages if other.name == link}
    return [taken[name] for name in sorted(taken)]
