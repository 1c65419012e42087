"""Holds the compose files, the chart and the alert rules to what they are read by, to each other, and to the server.

usage: charts.py [--render SHAPE]     (by the Python of scripts/lib/python-tools charts)

The chart is rendered by Helm's own library in every shape that its values give it; what comes out is compared with the
schemas of the oldest and the newest version of Kubernetes that it is for, and with what a cluster of the profile
“restricted” lets run. No cluster is asked. With --render it only writes the objects of a shape, as JSON."""

import json
import pathlib
import re
import sys

import compose_spec
import helm_python
import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/lib"))

from claims import Claims  # noqa: E402
from container.alerts import check_alerts  # noqa: E402
from container.shapes import REFUSED, SHAPES  # noqa: E402

CHART = ROOT / "packaging/helm/placard"
ALERTS = ROOT / "packaging/monitoring/alerts.yaml"
COMPOSE = ("compose.yaml", "compose-nodes.yaml")
OLDEST, NEWEST = "1.29", "1.37"
ACCOUNT, PORT, HOME = 65532, 8080, "/var/lib/placard"
INSIDE = {"/metrics", "/readyz"}
# Of a CronJob, whose jobs add eleven characters.
LONGEST_NAME = 52
# What extensions of Kubernetes define, of which there is no schema here.
EXTENSIONS = {"ServiceMonitor": "monitoring.coreos.com/v1", "HTTPRoute": "gateway.networking.k8s.io/v1"}


def rendered(chart, values):
    """The objects that values make."""
    return [
        made
        for path, text in sorted(chart.render(values, name="placard", namespace="cards").items())
        if path.endswith(".yaml")
        for made in yaml.safe_load_all(text)
        if made
    ]


def complaint_of(made):
    """What is wrong with an object, or nothing."""
    if made["kind"] in EXTENSIONS:
        return None if made["apiVersion"] == EXTENSIONS[made["kind"]] else made["apiVersion"]
    for version in (OLDEST, NEWEST):
        try:
            if kubernetes_validate.validate(made, version, strict=True) != version:
                return f"there is no schema of {version}"
        except kubernetes_validate.ValidationError as error:
            return f"{version}: {'.'.join(map(str, error.path))}: {error.message}"
    return None


def servers(objects):
    """The objects that make pods of the server."""
    return [made for made in objects if made["kind"] in ("StatefulSet", "Deployment")]


def jobs(objects):
    """The pods that objects make by the clock, by their components."""
    found = [made["spec"]["jobTemplate"]["spec"]["template"] for made in objects if made["kind"] == "CronJob"]
    return {template["metadata"]["labels"]["app.kubernetes.io/component"]: template for template in found}


def wanted_jobs(values):
    """What has to be run by the clock, with its arguments and where its pods have to be."""
    is_file = values.get("database", {}).get("type", "sqlite") == "sqlite"
    place = "podAffinity" if is_file else None
    wanted = {}
    if values.get("prune", {}).get("enabled", True):
        wanted["prune"] = (["prune"], place)
    if is_file and values.get("backup", {}).get("enabled"):
        wanted["backup"] = (["backup", "--keep", "14", "/backups"], place)
    return wanted


def is_restricted(pod):
    """Whether a cluster of the profile “restricted” lets a pod run, as the account of the image, with a root that can't
    be written."""
    security, (container,) = pod["securityContext"], pod["containers"]
    own = container["securityContext"]
    return (
        (security["runAsNonRoot"], security["runAsUser"], security["fsGroup"]) == (True, ACCOUNT, ACCOUNT)
        and security["seccompProfile"] == {"type": "RuntimeDefault"}
        and not pod["automountServiceAccountToken"]
        and own
        == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
    )


def mounts_hold(pod, claimed):
    """Whether a pod mounts what it has, has what it mounts, and may write its data and /tmp."""
    (container,) = pod["containers"]
    mounted = {one["name"]: one for one in container["volumeMounts"]}
    return (
        set(mounted) == {one["name"] for one in pod["volumes"]} | claimed
        and mounted["data"]["mountPath"] == HOME
        and mounted["tmp"]["mountPath"] == "/tmp"
        and "readOnly" not in mounted["data"]
    )


def selects(selector, template):
    return selector.items() <= template["metadata"]["labels"].items()


def shape(check, name, values, objects):
    """What holds of every shape."""
    wrong = [(made["kind"], found) for made in objects if (found := complaint_of(made))]
    check(f"{name}: the objects are of Kubernetes {OLDEST} and {NEWEST}.", not wrong, wrong)
    named = [(made["kind"], made["metadata"]["name"]) for made in objects]
    check(
        f"{name}: each object has a name of its own, and the namespace.",
        len(set(named)) == len(named) and all(made["metadata"]["namespace"] == "cards" for made in objects),
        named,
    )
    kind = "Deployment" if values.get("database", {}).get("type") == "postgresql" else "StatefulSet"
    kinds = [made["kind"] for made in servers(objects)]
    check(f"{name}: the server is a {kind}.", kinds == [kind], kinds)
    (server,) = servers(objects)
    template, by_clock = server["spec"]["template"], jobs(objects)
    scheduled(check, name, values, objects)
    check(
        f"{name}: a restricted namespace lets it run.",
        all(is_restricted(one["spec"]) for one in (template, *by_clock.values())),
    )
    claimed = {claim["metadata"]["name"] for claim in server["spec"].get("volumeClaimTemplates", [])}
    check(
        f"{name}: it mounts what it has.",
        mounts_hold(template["spec"], claimed) and all(mounts_hold(one["spec"], set()) for one in by_clock.values()),
    )
    by_kind = {made["kind"]: made for made in objects}
    selectors = [server["spec"]["selector"]["matchLabels"], by_kind["Service"]["spec"]["selector"]]
    selectors += [
        by_kind[other]["spec"][key]["matchLabels"]
        for other, key in (("PodDisruptionBudget", "selector"), ("NetworkPolicy", "podSelector"))
        if other in by_kind
    ]
    check(
        f"{name}: what selects the server selects it, and no job.",
        all(
            selects(one, template) and not any(selects(one, other) for other in by_clock.values()) for one in selectors
        ),
    )
    (container,) = template["spec"]["containers"]
    check(f"{name}: its port is the image's.", container["ports"] == [{"name": "http", "containerPort": PORT}])
    settings = yaml.safe_load(by_kind["ConfigMap"]["data"]["placard.yaml"])
    least = max(settings["drain_delay"], settings["reconnect_spread"]) + settings["shutdown_timeout"] + 5
    check(f"{name}: it has the time to stop.", template["spec"]["terminationGracePeriodSeconds"] > least, least)
    outside(check, name, by_kind)
    if "ServiceMonitor" in by_kind:
        label = by_kind["ServiceMonitor"]["spec"]["jobLabel"]
        job = by_kind["Service"]["metadata"]["labels"][label]
        check(f"{name}: its metrics are of the job that alerts ask for.", f'job="{job}"' in ALERTS.read_text(), job)


def scheduled(check, name, values, objects):
    """What runs by the clock, each job by the command that it is for, beside a server whose volume it needs."""
    found = {
        component: (
            template["spec"]["containers"][0]["args"],
            next(iter(template["spec"].get("affinity", {})), None),
        )
        for component, template in jobs(objects).items()
    }
    check(f"{name}: what runs by the clock is what was asked for.", found == wanted_jobs(values), found)
    named = [made["metadata"]["name"] for made in objects if made["kind"] == "CronJob"]
    check(
        f"{name}: each has a name that Kubernetes takes.",
        len(named) == len(found) and all(len(one) <= LONGEST_NAME for one in named),
        named,
    )


def outside(check, name, by_kind):
    """The paths that an ingress and a route lead to are all of the server's but those for inside."""
    for kind in ("Ingress", "HTTPRoute"):
        if kind in by_kind:
            led = list(paths(by_kind[kind]))
            missing = [route for route in routes() - INSIDE if not leads(led, route)]
            check(f"{name}: the {kind} leads to every path of the server.", not missing, missing)
            check(
                f"{name}: the {kind} leads to none that is for inside.",
                not any(leads(led, route) for route in INSIDE),
                led,
            )


def paths(made):
    if made["kind"] == "Ingress":
        return ((one["pathType"], one["path"]) for one in made["spec"]["rules"][0]["http"]["paths"])
    return (
        (match["path"]["type"].removeprefix("Path"), match["path"]["value"])
        for rule in made["spec"]["rules"]
        for match in rule["matches"]
    )


def leads(led, route):
    return any(route == path or kind == "Prefix" and route.startswith(path + "/") for kind, path in led)


def routes():
    """The paths of the server, as docs/routes.md has them."""
    return set(re.findall(r"^\| `[A-Z]+ (/\S*)` \|", (ROOT / "docs/routes.md").read_text(), re.MULTILINE))


def explained(check):
    """Every value is in the schema and used, and has words beside it."""
    text = (CHART / "values.yaml").read_text()
    schema = json.loads((CHART / "values.schema.json").read_text())
    differing = list(differences(yaml.safe_load(text), schema))
    check("The schema has the values, and no others.", not differing, differing)
    used = "\n".join(path.read_text() for path in (CHART / "templates").iterdir())
    unused = [name for name in leaves(yaml.safe_load(text), schema) if name not in used]
    check("Every value is used.", not unused, unused)


def differences(values, schema, path=""):
    known = schema["properties"]
    yield from (f"{path}{name}" for name in values.keys() ^ known.keys() if name != "global")
    for name, value in values.items():
        if name in known and known[name].get("additionalProperties") is False:
            yield from differences(value, known[name], f"{path}{name}.")


def leaves(values, schema, path=".Values."):
    for name, value in values.items():
        inner = schema["properties"].get(name, {})
        if inner.get("additionalProperties") is False:
            yield from leaves(value, inner, f"{path}{name}.")
        else:
            yield path + name


def chart(check):
    helm_python.disable_logging()
    found = helm_python.lint(str(CHART), strict=True)
    wrong = [one for one in found["messages"] if one["severity"] > 1]
    check("helm lint finds nothing.", not wrong and not found["errors"], found)
    explained(check)
    with helm_python.Chart.load(str(CHART)) as loaded:
        for name, values in SHAPES.items():
            loaded.validate_schema(loaded.merge_values(values))
            shape(check, name, values, rendered(loaded, values))
        for name, values in REFUSED.items():
            check(f"{name} is refused.", is_refused(loaded, values))


def is_refused(loaded, values):
    try:
        loaded.validate_schema(loaded.merge_values(values))
        rendered(loaded, values)
    except (helm_python.HelmValuesError, helm_python.HelmRenderError):
        return True
    return False


def compose(check, name):
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", (ROOT / "packaging" / name).read_text())
    made = yaml.safe_load(text)
    # Anchors are of YAML, and merged by now.
    plain = {key: value for key, value in made.items() if not key.startswith("x-")}
    try:
        compose_spec.PyCompose.from_yaml(yaml.safe_dump(plain)).validate()
        wrong = None
    except ValueError as error:
        wrong = error
    check(f"{name}: it is of the compose specification.", wrong is None, wrong)
    servers = [service for service in made["services"].values() if service["image"].startswith("placard:")]
    check(f"{name}: it has servers.", len(servers) in (1, 3))
    for service in servers:
        check(
            f"{name}: a server can do nothing but serve.",
            (service.get("read_only"), service.get("cap_drop"), service.get("security_opt"))
            == (True, ["ALL"], ["no-new-privileges:true"]),
        )
        check(f"{name}: it has the time to stop.", service.get("stop_grace_period") == "45s")
        check(
            f"{name}: it is asked how it is by a command that is there.",
            service.get("healthcheck", {}).get("test") == ["CMD", "/usr/bin/placard", "doctor"],
        )
    check(
        f"{name}: ports are of this machine alone.",
        all(
            port.startswith("127.0.0.1:") for service in made["services"].values() for port in service.get("ports", [])
        ),
    )
    inside = [service for service in made["services"].values() if "environment" in service]
    check(
        f"{name}: no password is in the file.",
        not any(
            "PASSWORD" in key and not key.endswith("_FILE") for service in inside for key in service["environment"]
        ),
    )
    files = [
        volume.split(":")[0]
        for service in made["services"].values()
        for volume in service.get("volumes", [])
        if volume.startswith("./")
    ]
    check(
        f"{name}: the files that it mounts are there.",
        all((ROOT / "packaging" / file).exists() for file in files),
        files,
    )


def main():
    if sys.argv[1:2] == ["--render"]:
        with helm_python.Chart.load(str(CHART)) as loaded:
            return print(json.dumps(rendered(loaded, SHAPES[sys.argv[2]])))
    check = Claims(shows_held=False)
    chart(check)
    check_alerts(check, ALERTS)
    for name in COMPOSE:
        compose(check, name)
    check.finish("chart and compose")


if __name__ == "__main__":
    main()
