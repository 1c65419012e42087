"""A workspace as a folder, and the command that applies it."""

import json
import os
import pathlib
import subprocess

DIFFERENT = 2


class Folder:
    """A folder of files, and a server that it is compared with."""

    def __init__(self, placard, path, server, key):
        self.placard, self.path, self.server, self.key = placard, pathlib.Path(path), server, key

    def with_server(self, server, key):
        return Folder(self.placard, self.path, server, key)

    def run(self, command, *flags):
        """Runs a command, and returns its status, its result and what it said beside that."""
        environment = {**os.environ, "PLACARD_SERVER": self.server.address, "PLACARD_KEY": self.key}
        done = subprocess.run(
            [self.placard, command, str(self.path), *flags],
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
        )
        return done.returncode, done.stdout, done.stderr

    def plan(self, *flags):
        """Returns what `diff` would do: the actions by object, without those that are unchanged."""
        status, out, error = self.run("diff", "--json", *flags)
        assert status in (0, DIFFERENT), f"{status}: {out} {error}"
        plan = json.loads(out)
        return status, {
            f"{item['kind']} {item['id']}".strip(): item["action"]
            for item in plan["objects"]
            if item["action"] != "unchanged"
        }

    def write(self, path, text):
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def edit(self, path, old, new):
        file = self.path / path
        text = file.read_text()
        assert old in text, f"{path} has no {old!r}: {text}"
        file.write_text(text.replace(old, new, 1))

    def bytes(self):
        """What is in the folder, with the time at which each file was written."""
        return {
            str(file.relative_to(self.path)): (file.read_bytes(), file.stat().st_mtime_ns)
            for file in sorted(self.path.rglob("*"))
            if file.is_file() and ".placard" not in file.parts
        }


def card(title="Spring!", **others):
    return {"type": "classic", "title": title, "description": "Look inside.", **others}


def campaign(name, audience=None, **others):
    return {"name": name, "audience": audience, "variants": [{"id": "a", "card": card(**others)}]}
