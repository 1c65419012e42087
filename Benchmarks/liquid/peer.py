"""Usage: peer.py DATA.json SECONDS TEMPLATE…; prints what LiquidBenchmark prints."""

import functools
import json
import sys
import time

from liquid import Environment

data = json.load(open(sys.argv[1], encoding="utf-8"))
seconds = float(sys.argv[2])
environment = Environment()


def microseconds(body):
    start = time.perf_counter()
    calls = 0
    while True:
        for _ in range(20):
            body()
        calls += 20
        if time.perf_counter() - start >= seconds:
            return (time.perf_counter() - start) * 1e6 / calls


for path in sys.argv[3:]:
    source = open(path, encoding="utf-8").read()
    template = environment.from_string(source)
    words = " ".join(template.render(**data).split())
    compile_time = microseconds(lambda: environment.from_string(source))
    render_time = microseconds(lambda: template.render(**data))
    digest = functools.reduce(lambda total, byte: (total * 33 + byte) & 0xFFFFFFFF, words.encode(), 5381)
    print(json.dumps({"compile": compile_time, "render": render_time, "digest": digest}))
