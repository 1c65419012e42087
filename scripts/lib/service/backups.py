"""Backups that are made, verified and rotated, as the timer does each night."""

import json
import pathlib
import subprocess
import time

import placard_server
from service.manager import PATIENCE


def backups(check, placard, database, work):
    """What the timer does each night, beside a server that runs."""
    folder, source = work / "backups", f"sqlite:{database}"
    folder.mkdir()
    others = {"service-mine.sqlite", "other-20200101T000000Z.sqlite", "service-20200101T000000Z.sqlite.media"}
    for name in others:
        (folder / name).write_text("mine")

    def run(*arguments):
        return subprocess.run([placard, *arguments], capture_output=True, text=True, timeout=PATIENCE)

    def doctor():
        done = run(
            "doctor",
            "--database",
            source,
            "--port",
            str(placard_server.free_port()),
            "--backups",
            str(folder),
            "--json",
        )
        return next(one for one in json.loads(done.stdout)["checks"] if one["subject"] == "backups")["level"]

    check("Without a backup, doctor says so.", doctor() == "fail")
    names = []
    for _ in range(3):
        # Names have whole seconds.
        placard_server.wait_for(
            lambda: time.strftime("%Y%m%dT%H%M%S", time.gmtime()),
            lambda now: not any(now in name for name in names),
            "",
        )
        done = run("backup", "--keep", "2", str(folder), "--database", source, "--json")
        check(
            "A backup is written, opened and counted.",
            done.returncode == 0 and "users" in json.loads(done.stdout)["verified"],
            done,
        )
        names.append(pathlib.Path(json.loads(done.stdout)["file"]).name)
    left = {path.name for path in folder.iterdir()}
    check("The newest two are kept, and what isn't a backup.", left == {*names[1:], *others}, left)
    check(
        "They are what can be restored.",
        run("restore", str(folder / names[-1]), "--database", f"sqlite:{work / 'restored.sqlite'}").returncode == 0,
    )
    check("Doctor is content.", doctor() == "ok", doctor())
    for name in names[1:]:
        (folder / name).unlink()
    (folder / "service-20260101T000000Z.sqlite").write_text("")
    check("A backup of long ago is none.", doctor() == "fail")
    done = run("backup", "--keep", "2", str(work / "nowhere"), "--database", source)
    check(
        "A folder that isn't there is created by nobody else.",
        done.returncode == 1 and "Create it" in done.stderr,
        done.stderr,
    )
