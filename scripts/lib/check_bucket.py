"""Keeps pictures in a bucket of a service that speaks S3 (rclone), and looks at what is where.

usage: check_bucket.py PLACARD RCLONE; see scripts/check-bucket

The service checks the signature of every request. Its buckets are folders, so that what is in them is seen, and lost,
without it.
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/lib"))

import placard_server  # noqa: E402
from proofs import check, checks, finish, prove  # noqa: E402
from small_png import png  # noqa: E402

ACCESS, SECRET = "check-access", "hush-secret/key+1"


class Service:
    """A service of S3 with one bucket, `cards`."""

    def __init__(self, rclone, directory):
        self.rclone, self.folder = rclone, directory / "buckets"
        self.bucket = self.folder / "cards"
        self.bucket.mkdir(parents=True)
        self.port = placard_server.free_port()
        self.log = open(directory / "rclone.log", "ab")
        self.process = None
        self.start()

    def start(self):
        """Starts it, and waits until it takes connections."""
        command = [
            self.rclone,
            "serve",
            "s3",
            "--addr",
            f"127.0.0.1:{self.port}",
            str(self.folder),
        ]
        environment = {**os.environ, "RCLONE_AUTH_KEY": f'"{ACCESS},{SECRET}"', "RCLONE_CONFIG": "/dev/null"}
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=environment)

        def answers():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port))

        placard_server.wait_for(answers, lambda error: error == 0, "rclone doesn't listen")

    def stop(self):
        """Ends it at once."""
        self.process.kill()
        self.process.wait(timeout=30)

    def objects(self):
        """The objects by their keys."""
        files = (path for path in self.bucket.rglob("*") if path.is_file() and not path.name.startswith(".rclone_"))
        return {str(path.relative_to(self.bucket)): path.read_bytes() for path in files}


class World:
    """A server, the service that it uses, and a key of its API."""

    def __init__(self, placard, rclone, directory):
        self.placard, self.directory = placard, directory
        self.service = Service(rclone, directory)
        self.database = directory / "cards.sqlite"
        (directory / "secret").write_text(SECRET + "\n")
        self.settings = directory / "placard.yaml"
        self.configure(bucket=False)
        self.log = open(directory / "log", "w")
        self.server = self.serve()
        self.key = placard_server.make_key(placard, self.database, "secret", "campaigns", "read")
        # A server that runs learns of it in a moment.
        placard_server.wait_for(
            lambda: self.request("GET", "/v1/media")[0], lambda status: status == 200, "the key isn't known"
        )

    def configure(self, bucket=True, **changes):
        """Writes the settings, with a bucket or without."""
        settings = {"database": f"sqlite:{self.database}"}
        if bucket:
            settings |= {
                "media_bucket": "cards",
                "media_bucket_endpoint": f"http://127.0.0.1:{self.service.port}",
                "media_bucket_prefix": "pictures",
                "media_bucket_access_key": ACCESS,
                "media_bucket_secret_key_file": str(self.directory / "secret"),
            }
        settings = {name: value for name, value in {**settings, **changes}.items() if value is not None}
        self.settings.write_text(json.dumps(settings))

    def serve(self):
        """Starts the server with the settings."""
        command = [self.placard, "serve", "--config", str(self.settings)]
        return placard_server.Server(command, log=self.log)

    def restart(self):
        """Stops the server and starts it again."""
        assert self.server.stop() == 0
        self.server = self.serve()

    def request(self, method, path, body=None, kind="image/png"):
        """Sends a request, and returns the status, the headers and the bytes of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        headers = {"Authorization": f"Bearer {self.key}"}
        if body is not None:
            headers["Content-Type"] = kind
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        data = reply.read()
        connection.close()
        return reply.status, reply.headers, data

    def upload(self, picture):
        """Uploads a picture, and returns the status and what is said of it."""
        status, _, data = self.request("POST", "/v1/media?name=sale.png", picture)
        return status, json.loads(data)

    def load(self, path):
        """Loads a file, and returns the status and its bytes."""
        status, _, data = self.request("GET", path)
        return status, data

    def run(self, *arguments):
        """Runs a command of placard with the settings; returns its status and what it printed."""
        done = subprocess.run(
            [self.placard, *arguments, "--config", str(self.settings)], capture_output=True, text=True, timeout=120
        )
        return done.returncode, done.stdout + done.stderr

    def doctor(self, **changes):
        """Returns what doctor says of the bucket with other settings."""
        self.configure(**changes)
        _, said = self.run("doctor", "--json", "--port", str(self.server.port))
        self.configure()
        assert SECRET not in said and "hush" not in said, said
        findings = json.loads(said[said.index("{") : said.rindex("}") + 1])["checks"]
        return [(item["level"], item["message"]) for item in findings if item["subject"] == "bucket"]


def paths(said):
    """The paths of the sizes of a picture."""
    return [re.sub(r"^https?://[^/]+", "", size["url"]) for size in said["sizes"]]


@check("A picture of before is served when a bucket is set, and deleting it asks the bucket nothing")
def before(world):
    status, said = world.upload(png(600, 300, 10))
    assert status == 201 and not world.service.objects(), (status, world.service.objects())
    world.configure()
    world.restart()
    path = paths(said)[0]
    assert world.load(path)[0] == 200
    world.service.stop()
    assert world.request("DELETE", f"/v1/media/{said['id']}")[0] == 204
    world.service.start()
    assert world.load(path)[0] == 404


@check("Doctor writes, reads and removes an object, and leaves none")
def probe(world):
    found = world.doctor()
    # The service is one of this machine, without encryption.
    assert len(found) == 1 and found[0][0] == "warn" and "unencrypted" in found[0][1], found
    assert not world.service.objects()


@check("Doctor says in plain words what is wrong")
def mistakes(world):
    wrong = {
        "There is no bucket others": {"media_bucket": "others"},
        "The secret key isn't that of": {"media_bucket_secret_key_file": None, "media_bucket_secret_key": "hush-x"},
        "can't be reached": {"media_bucket_endpoint": f"http://127.0.0.1:{placard_server.free_port()}"},
        "There is no secure connection": {"media_bucket_endpoint": f"https://127.0.0.1:{world.service.port}"},
    }
    for words, changes in wrong.items():
        found = world.doctor(**changes)
        assert len(found) == 1 and found[0][0] == "fail" and words in found[0][1], (words, found)


@check("A picture is in the bucket alone, and is served from there")
def served(world):
    status, said = world.upload(png(1600, 900, 20))
    assert status == 201, (status, said)
    objects = world.service.objects()
    assert len(objects) == 3 and all(key.startswith(f"pictures/{said['id']}/") for key in objects), list(objects)
    folder = pathlib.Path(f"{world.database}.media")
    assert not folder.exists() or not list(folder.iterdir())
    for path, width in zip(paths(said), (1440, 960, 480), strict=True):
        status, headers, data = world.request("GET", path)
        (expected,) = (bytes for key, bytes in objects.items() if key.endswith(f"/{width}"))
        assert status == 200 and data == expected and headers["Cache-Control"].endswith("immutable"), (status, width)
    world.said = said


@check("After a restart it is served from the bucket")
def restarted(world):
    world.restart()
    status, data = world.load(paths(world.said)[0])
    assert status == 200, (status, data)


@check("While the bucket is away, uploads and pictures are refused for now, and nothing stays of them")
def away(world):
    world.restart()
    world.service.stop()
    objects = world.service.objects()
    status, headers, data = world.request("GET", paths(world.said)[0])
    assert status == 503 and headers["Retry-After"] == "5", (status, data)
    status, said = world.upload(png(1600, 900, 30))
    assert status == 503, (status, said)
    world.service.start()
    status, said = world.upload(png(1600, 900, 30))
    assert status == 201, (status, said)
    placard_server.wait_for(lambda: world.load(paths(world.said)[0])[0], lambda found: found == 200, "it isn't back")
    assert world.request("DELETE", f"/v1/media/{said['id']}")[0] == 204
    assert world.service.objects() == objects


@check("A backup says that pictures are in the bucket, and a restored one serves them from there")
def backup(world):
    copy = world.directory / "copy.sqlite"
    status, said = world.run("backup", str(copy))
    assert status == 0 and "1 picture are in the bucket" in said, said
    assert not pathlib.Path(f"{copy}.media").exists()
    assert world.server.stop() == 0
    status, said = world.run("restore", str(copy), "--discard")
    assert status == 0, said
    world.server = world.serve()
    assert world.load(paths(world.said)[0])[0] == 200


@check("A lost object is a 404, and comes back with the same upload")
def lost(world):
    (key,) = (key for key in world.service.objects() if key.endswith("/480"))
    # The service knows by heart what is in its folders.
    world.service.stop()
    (world.service.bucket / key).unlink()
    world.service.start()
    world.restart()
    assert world.load(paths(world.said)[2])[0] == 404
    assert world.load(paths(world.said)[0])[0] == 200
    _, metrics = world.load("/metrics")
    assert b'placard_media_bucket_requests_total{operation="get",result="missing"} 1\n' in metrics
    assert world.upload(png(1600, 900, 20))[0] == 200
    assert world.load(paths(world.said)[2])[0] == 200
    assert len(world.service.objects()) == 3


@check("Without the setting, what is in the bucket isn't lost for good, and doctor says so")
def unset(world):
    world.configure(bucket=False)
    world.restart()
    assert world.load(paths(world.said)[0])[0] == 503
    _, said = world.run("doctor", "--json", "--port", str(world.server.port))
    assert "1 picture is in a bucket, and none is set" in said, said
    world.configure()
    world.restart()
    assert world.load(paths(world.said)[0])[0] == 200


@check("A deletion leaves no object")
def deleted(world):
    assert world.request("DELETE", f"/v1/media/{world.said['id']}")[0] == 204
    assert not world.service.objects(), list(world.service.objects())
    assert world.load(paths(world.said)[0])[0] == 404


@check("Settings that can't be used are refused with their names, and without a secret")
def refused(world):
    wrong = [
        ({"media_bucket": None}, "media_bucket"),
        ({"media_bucket": "Not a bucket"}, "media_bucket"),
        ({"media_bucket_endpoint": "s3.example.com"}, "media_bucket_endpoint"),
        ({"media_bucket_region": "eu central"}, "media_bucket_region"),
        ({"media_bucket_prefix": "../a"}, "media_bucket_prefix"),
        ({"media_bucket_addressing": "dns"}, "media_bucket_addressing"),
        ({"media_bucket_access_key": None}, "media_bucket_access_key"),
        ({"media_bucket_secret_key_file": None}, "media_bucket_secret_key_file"),
        ({"media_bucket_secret_key_file": "/nothing"}, "media_bucket_secret_key_file"),
        ({"media_bucket_secret_key": "hush"}, "media_bucket_secret_key"),
        ({"media_bucket_secret_key_file": None, "media_bucket_secret_key": "hush hush"}, "secret key"),
    ]
    for changes, name in wrong:
        world.configure(**changes)
        status, said = world.run("serve", "--port", str(placard_server.free_port()))
        assert status == 64 and name in said and "hush" not in said, (changes, status, said)
    world.configure()


@check("Neither the log nor the metrics have the secret")
def secret(world):
    world.log.flush()
    log = (world.directory / "log").read_text()
    assert "bucket" in log and "hush" not in log, log
    assert b"hush" not in world.load("/metrics")[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("placard", type=pathlib.Path)
    parser.add_argument("rclone", type=pathlib.Path)
    arguments = parser.parse_args()
    held = 0
    directory = pathlib.Path(tempfile.mkdtemp(prefix="placard-bucket-"))
    world = World(arguments.placard.resolve(), arguments.rclone, directory)
    try:
        held = prove(lambda function: function(world))
    finally:
        world.server.stop()
        world.service.stop()
        if held < len(checks):
            print((directory / "log").read_text()[-4000:])
            print((directory / "rclone.log").read_text()[-2000:])
        shutil.rmtree(directory)
    finish("the bucket", held)


if __name__ == "__main__":
    main()
