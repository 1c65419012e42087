"""Files as they are in a layer, and layers of them that are the same bytes each time."""

import gzip
import io
import tarfile
from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    """A file, a folder or a symbolic link of root's, or of the account that is named."""

    data: bytes = b""
    mode: int = 0o644
    time: int = 0
    link: str | None = None
    is_folder: bool = False
    owner: int = 0


# Where Debian 12 has links, so that a library has one place.
MERGED = ("bin", "lib", "lib64", "sbin")


def merged(path):
    """The place of a path once /lib is a link to /usr/lib, and others so too."""
    first = path.split("/", 1)[0]
    return f"usr/{path}" if first in MERGED else path


def unpacked(archive):
    """The files of an archive by their paths, without rights beyond those of who runs them."""
    files = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            path = merged(member.name.removeprefix("./").strip("/"))
            time = int(member.mtime)
            if member.isdir():
                files[path] = File(mode=member.mode & 0o1777, time=time, is_folder=True)
            elif member.issym():
                files[path] = File(link=member.linkname, mode=0o777, time=time)
            elif member.islnk():
                files[path] = files[merged(member.linkname.removeprefix("./"))]
            elif member.isreg():
                files[path] = File(tar.extractfile(member).read(), member.mode & 0o777, time)
    files.pop("", None)
    files.pop(".", None)
    return files


def layer(files):
    """A compressed archive of files, and the folders that they are in: the same files make the same bytes."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path, file in sorted(with_folders(files).items()):
            member = tarfile.TarInfo(path)
            member.mode, member.mtime, member.uid, member.gid = file.mode, file.time, file.owner, file.owner
            if file.is_folder:
                member.type = tarfile.DIRTYPE
            elif file.link is not None:
                member.type, member.linkname = tarfile.SYMTYPE, file.link
            else:
                member.size = len(file.data)
            tar.addfile(member, io.BytesIO(file.data))
    plain = written.getvalue()
    return plain, gzip.compress(plain, 9, mtime=0)


def with_folders(files):
    found = dict(files)
    for path, file in sorted(files.items()):
        parts = path.split("/")[:-1]
        for length in range(1, len(parts) + 1):
            found.setdefault("/".join(parts[:length]), File(mode=0o755, time=file.time, is_folder=True))
    return found


def is_library(file):
    return not file.is_folder and file.link is None and file.data[:4] == b"\x7fELF"
