"""Values with which the chart is rendered, and those that it refuses."""

POSTGRESQL = {
    "database": {"type": "postgresql", "postgresql": {"existingSecret": "database"}},
    "secretsKey": {"existingSecret": "key"},
}

EVERYTHING = {
    "image": {"repository": "example.com/placard", "digest": "sha256:" + "0" * 64, "pullPolicy": "Always"},
    "imagePullSecrets": [{"name": "registry"}],
    "settings": {
        "drain_delay": 15,
        "reconnect_spread": 5,
        "shutdown_timeout": 60,
        "trusted_proxies": ["10.0.0.0/8"],
        "public_url": "https://cards.example.com",
    },
    "environment": [{"name": "PLACARD_SMTP_USER", "value": "placard"}],
    "environmentFrom": [{"secretRef": {"name": "mail"}}],
    "volumes": [{"name": "authority", "configMap": {"name": "authority"}}],
    "volumeMounts": [{"name": "authority", "mountPath": "/etc/authority"}],
    "service": {"type": "LoadBalancer", "port": 8080, "annotations": {"a": "b"}},
    "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "certificate"},
    "httpRoute": {"enabled": True, "parentRefs": [{"name": "public"}]},
    "networkPolicy": {
        "enabled": True,
        "from": [{"namespaceSelector": {"matchLabels": {"a": "b"}}}],
        "egress": [{"ports": [{"port": 5432, "protocol": "TCP"}]}],
    },
    "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
    "serviceAccount": {"name": "cards", "annotations": {"a": "b"}},
    "podAnnotations": {"a": "b"},
    "podLabels": {"a": "b"},
    "nodeSelector": {"disk": "ssd"},
    "tolerations": [{"key": "a", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {}},
    "priorityClassName": "high",
    "topologySpreadConstraints": [
        {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule"}
    ],
}

BACKUP = {"backup": {"enabled": True, "existingClaim": "backups"}}
OF_ONE_POD = {"sqlite": {"accessModes": ["ReadWriteOncePod"]}}

SHAPES = {
    "SQLite": {},
    "SQLite with a claim and a key": {
        "database": {"sqlite": {"existingClaim": "cards"}},
        "secretsKey": {"existingSecret": "key"},
        **BACKUP,
    },
    "SQLite with everything": {
        **EVERYTHING,
        **BACKUP,
        "database": {"sqlite": {"storageClass": "fast"}},
        "fullnameOverride": "cards-of-the-shop-in-the-second-cluster-of-the-north",
    },
    "SQLite on a volume of one pod": {"database": OF_ONE_POD, "prune": {"enabled": False}},
    "PostgreSQL": POSTGRESQL,
    "PostgreSQL, one pod": {**POSTGRESQL, "replicas": 1, "prune": {"enabled": False}},
    "PostgreSQL with everything": {**EVERYTHING, **POSTGRESQL, "replicas": 5, "fullnameOverride": "cards"},
}

REFUSED = {
    "a value that doesn't exist": {"replica": 2},
    "PostgreSQL without its address": {"database": {"type": "postgresql"}, "secretsKey": {"existingSecret": "key"}},
    "PostgreSQL without a key that pods share": {"database": POSTGRESQL["database"]},
    "another database": {"database": {"type": "mysql"}},
    "a volume of many nodes for SQLite": {"database": {"sqlite": {"accessModes": ["ReadWriteMany"]}}},
    "a backup without a place": {"backup": {"enabled": True}},
    "a removal beside a server whose volume is of one pod": {"database": OF_ONE_POD},
    "a backup beside a server whose volume is of one pod": {
        **BACKUP,
        "database": OF_ONE_POD,
        "prune": {"enabled": False},
    },
    "a route without a gateway": {"httpRoute": {"enabled": True}},
    "a password among the settings": {"settings": {"smtp_password": "secret"}},
    "a client secret among the settings": {"settings": {"oidc_client_secret": "secret"}},
    "headers of a collector among the settings": {"settings": {"traces_headers": "api-key=secret"}},
    "a key among the settings": {"settings": {"key": "sk_secret"}},
    "a certificate that probes don't expect": {"settings": {"tls_certificate": "/a.pem", "tls_key": "/a.key"}},
    "a port that probes don't ask": {"settings": {"port": 9090}},
    "a digest that is none": {"image": {"digest": "latest"}},
    "no pods": {**POSTGRESQL, "replicas": 0},
}
