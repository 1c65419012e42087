"""Sends traces to a collector, and reads them by the official schema (opentelemetry-proto).

usage: check_traces.py PLACARD; see scripts/check-traces

The server is one as an operator would start it, with the settings of placard.yaml or the variables of OpenTelemetry.
What arrives is read by Google's reader of Protobuf in JSON, which refuses members that the schema doesn't have; ids are
hexadecimal digits there, by the one exception of the protocol.
"""

import argparse
import base64
import contextlib
import http.client
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/lib"))

import placard_server  # noqa: E402
from proofs import check, finish, prove  # noqa: E402

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SERVER = 2  # SPAN_KIND_SERVER


def with_bytes(value):
    """The same JSON with ids as base 64, which is how Protobuf has bytes."""
    if isinstance(value, list):
        return [with_bytes(element) for element in value]
    if not isinstance(value, dict):
        return value
    ids = {"traceId": 32, "spanId": 16, "parentSpanId": 16}
    changed = {}
    for name, member in value.items():
        if name in ids:
            assert len(member) == ids[name] and member == member.lower(), member
            member = base64.b64encode(bytes.fromhex(member)).decode()
        changed[name] = with_bytes(member)
    return changed


class Collector:
    """A collector of OpenTelemetry; one that is silent takes requests and never answers."""

    def __init__(self, silent=False):
        self.requests, self.headers, self.texts = [], [], []
        collector, self.end = self, threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                collector.headers.append((self.path, dict(self.headers)))
                if silent:
                    collector.end.wait()
                    return
                collector.texts.append(body.decode())
                request = with_bytes(json.loads(body))
                collector.requests.append(json_format.ParseDict(request, ExportTraceServiceRequest()))
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def spans(self):
        resources = [resource for request in self.requests for resource in request.resource_spans]
        return [span for resource in resources for scope in resource.scope_spans for span in scope.spans]

    @property
    def resource(self):
        attributes = self.requests[0].resource_spans[0].resource.attributes
        return {attribute.key: attribute.value.string_value for attribute in attributes}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end.set()
        self.server.shutdown()
        self.server.server_close()


def attributes(span):
    found = {}
    for attribute in span.attributes:
        kind = attribute.value.WhichOneof("value")
        found[attribute.key] = getattr(attribute.value, kind)
    return found


def call(port, method, path, key=None, body=None, **headers):
    """Sends a request and returns the status."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if key:
        sent["Authorization"] = f"Bearer {key}"
    with contextlib.closing(connection):
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        reply = connection.getresponse()
        reply.read()
        return reply.status


class Run:
    """A server in a folder, with settings and variables, whose log is kept."""

    def __init__(self, placard, folder, variables=None, **settings):
        database = folder / "cards.sqlite"
        file = folder / "placard.yaml"
        file.write_text(json.dumps({"database": f"sqlite:{database}", **settings}))
        self.log = folder / "log"
        with open(self.log, "w") as log:
            command = [placard, "serve", "--config", str(file)]
            self.server = placard_server.Server(command, environment=variables, log=log)
        self.port = self.server.port
        self.app = placard_server.make_key(placard, database, "publishable")
        self.secret = placard_server.make_key(placard, database, "secret", "read")
        # The server learns of new keys within a second, and of the second one not before the first.
        known = lambda: call(self.port, "GET", "/v1/campaigns", self.secret)  # noqa: E731
        placard_server.wait_for(known, lambda status: status == 200, "the key isn't known")

    def sync(self, user, **headers):
        return call(self.port, "POST", "/v1/sync", self.app, {"user_id": user, "device_id": "d"}, **headers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.stop()


@check("What is sent holds to the official schema, and a request is a span with its route and nothing of its user")
def schema(placard, folder):
    with Collector() as collector:
        with Run(placard, folder, traces_endpoint=f"http://127.0.0.1:{collector.port}") as run:
            assert run.sync("walrus-42", X_Request_ID="edge-7") == 200
            assert call(run.port, "GET", "/v1/users/walrus-42?kettle=1", run.secret) == 403
            assert call(run.port, "GET", "/dashboard/sign-in") in (200, 303, 404)
            assert call(run.port, "GET", "/walrus-42") == 404
        spans = {span.name: span for span in collector.spans if span.kind == SERVER}
        for name in ["POST /v1/sync", "GET /v1/users/{id}", "GET"]:
            assert name in spans, sorted(spans)
        sync = attributes(spans["POST /v1/sync"])
        assert sync["http.response.status_code"] == 200 and sync["http.request.method"] == "POST", sync
        assert sync["http.route"] == "/v1/sync" and sync["placard.request_id"] == "edge-7", sync
        assert attributes(spans["GET /v1/users/{id}"])["http.response.status_code"] == 403
        for span in collector.spans:
            assert (
                time.time() - 600 < span.start_time_unix_nano / 1e9 <= span.end_time_unix_nano / 1e9 < time.time() + 600
            )
        text = "".join(collector.texts)
        assert "walrus" not in text and "kettle" not in text and run.secret not in text and "127.0.0.1" not in text
        assert collector.resource["service.name"] == "placard" and collector.resource["service.version"]
        path, headers = collector.headers[0]
        assert path == "/v1/traces" and headers["Content-Type"] == "application/json", (path, headers)


@check("The variables of OpenTelemetry count, and the settings of Placard come before them")
def variables(placard, folder):
    with Collector() as collector:
        environment = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.port}/otlp/",
            "OTEL_SERVICE_NAME": "cards",
            "OTEL_EXPORTER_OTLP_HEADERS": "api-key=k%20e",
            "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test",
            "OTEL_TRACES_SAMPLER": "always_off",
        }
        with Run(placard, folder, environment, traces_sample=1) as run:
            run.sync("ann")
        path, headers = collector.headers[0]
        assert path == "/otlp/v1/traces" and headers["api-key"] == "k e", (path, headers)
        assert collector.resource["service.name"] == "cards", collector.resource
        assert collector.resource["deployment.environment.name"] == "test", collector.resource
    with Collector() as collector:
        environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.port}", "OTEL_SDK_DISABLED": "true"}
        with Run(placard, folder, environment) as run:
            run.sync("ann")
        assert not collector.headers


@check("A backend's trace goes on in the server; a device's is linked to, and makes the server trace nothing")
def parents(placard, folder):
    with Collector() as collector:
        with Run(placard, folder, traces_endpoint=f"http://127.0.0.1:{collector.port}", traces_sample=0) as run:
            for header in [PARENT, PARENT.upper(), PARENT + "-x", "é", "0" * 5_000]:
                assert run.sync("ann", traceparent=header.encode("latin-1")) == 200
            assert call(run.port, "GET", "/v1/campaigns", run.secret, traceparent=PARENT, tracestate="vendor=1") == 200
        [span] = collector.spans
        assert span.trace_id.hex() == TRACE and span.parent_span_id.hex() == "00f067aa0ba902b7", span
        assert span.name == "GET /v1/campaigns" and span.trace_state == "vendor=1", span
    with Collector() as collector:
        with Run(placard, folder, traces_endpoint=f"http://127.0.0.1:{collector.port}") as run:
            run.sync("ann", traceparent=PARENT)
        [span] = [span for span in collector.spans if span.name == "POST /v1/sync"]
        assert span.trace_id.hex() != TRACE and span.links[0].trace_id.hex() == TRACE, span


@check("A collector that is down, or never answers, costs a line of the log, and holds up neither requests nor the end")
def failing(placard, folder):
    with Collector(silent=True) as collector:
        ports = [collector.port, placard_server.free_port()]
        for port in ports:
            # Longer than anything else takes on a busy machine.
            environment = {"OTEL_EXPORTER_OTLP_TIMEOUT": "300000"}
            with Run(placard, folder, environment, traces_endpoint=f"http://127.0.0.1:{port}") as run:
                slowest = 0
                for number in range(600):
                    start = time.monotonic()
                    assert call(run.port, "GET", "/healthz") == 200
                    slowest = max(slowest, time.monotonic() - start)
                assert slowest < 60, slowest
                start = time.monotonic()
                assert run.server.stop() == 0
                assert time.monotonic() - start < 60, time.monotonic() - start
            log = run.log.read_text()
            assert log.count("Traces can't be exported") <= 1, log
            assert log.count("Traces were lost") == 1, log
        assert len(collector.headers) >= 1


@check("Settings that can't be used end the server with a line that names them, and no secret")
def wrong(placard, folder):
    for settings, name in [
        ({"traces_endpoint": "collector:4318"}, "traces_endpoint"),
        ({"traces_sample": 1}, "traces_sample"),
        ({"traces_endpoint": "http://c", "traces_sample": 1.5}, "traces_sample"),
        ({"traces_endpoint": "http://c", "traces_headers": "kettle"}, "traces_headers"),
        ({"traces_endpoint": "http://c", "traces_headers": "host=kettle"}, "traces_headers"),
        ({"traces_endpoint": "http://c", "traces_headers_file": "/nowhere"}, "traces_headers_file"),
        ({"traces_endpoint": "http://c", "traces_propagate": "yes please"}, "traces_propagate"),
        ({"traces_endpoint": "https://c", "traces_trusted_certificates": "/nowhere"}, "traces_trusted_certificates"),
    ]:
        file = folder / "placard.yaml"
        file.write_text(json.dumps({"database": f"sqlite:{folder / 'cards.sqlite'}", **settings}))
        done = subprocess.run(
            [placard, "serve", "--config", str(file), "--port", "0"], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 64 and name in done.stderr and "kettle" not in done.stderr, (settings, done)


def run(function, placard):
    """Runs a check with the command and a folder of its own, and shows the log of one that fails."""
    with tempfile.TemporaryDirectory(prefix="placard-traces-") as directory:
        try:
            function(placard, pathlib.Path(directory))
        except Exception:
            log = pathlib.Path(directory) / "log"
            print(log.read_text()[-2000:] if log.exists() else "")
            raise


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("placard", type=pathlib.Path)
    placard = parser.parse_args().placard.resolve()
    finish("traces", prove(lambda function: run(function, placard)))


if __name__ == "__main__":
    main()
