"""An image as an archive that podman, docker, skopeo and containerd read: the layout of OCI, with Docker's list beside
it."""

import hashlib
import io
import json
import tarfile

INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


def digest(data):
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def encoded(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def described(media_type, data, **more):
    return {"mediaType": media_type, "digest": digest(data), "size": len(data), **more}


class Archive:
    """The files of an image."""

    def __init__(self):
        self.files = {"oci-layout": encoded({"imageLayoutVersion": "1.0.0"})}

    def add(self, media_type, data):
        self.files[f"blobs/{digest(data).replace(':', '/')}"] = data
        return described(media_type, data)

    def finish(self, name, version, config, layers):
        """Adds an image of layers, each plain and compressed, and returns its digest."""
        config = {**config, "rootfs": {"type": "layers", "diff_ids": [digest(plain) for plain, _ in layers]}}
        blobs = [self.add(LAYER, packed) for _, packed in layers]
        described_config = self.add(CONFIG, encoded(config))
        manifest = encoded(
            {
                "schemaVersion": 2,
                "mediaType": MANIFEST,
                "config": described_config,
                "layers": blobs,
                "annotations": config["config"]["Labels"],
            }
        )
        entry = self.add(MANIFEST, manifest)
        entry["annotations"] = {
            "org.opencontainers.image.ref.name": version,
            "io.containerd.image.name": f"docker.io/library/{name}:{version}",
        }
        entry["platform"] = {"architecture": config["architecture"], "os": config["os"]}
        self.files["index.json"] = encoded({"schemaVersion": 2, "mediaType": INDEX, "manifests": [entry]})
        place = "blobs/{}".format
        self.files["manifest.json"] = encoded(
            [
                {
                    "Config": place(described_config["digest"].replace(":", "/")),
                    "RepoTags": [f"{name}:{version}"],
                    "Layers": [place(blob["digest"].replace(":", "/")) for blob in blobs],
                }
            ]
        )
        return entry["digest"]

    def write(self, file, time):
        with tarfile.open(file, "w", format=tarfile.GNU_FORMAT) as tar:
            for path, data in sorted(self.files.items()):
                member = tarfile.TarInfo(path)
                member.size, member.mtime, member.mode = len(data), time, 0o644
                tar.addfile(member, io.BytesIO(data))
