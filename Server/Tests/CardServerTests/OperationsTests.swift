import Hummingbird
import Testing
import WireJSON

@testable import CardServer

@Suite("Operations")
struct OperationsTests {
    @Test("Health, readiness and metrics answer without a key")
    func open() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.sync("ann")
            let health = try await workspace.send(.get, "/healthz", raw: nil, key: nil).json
            #expect(health["status"] == "ok" && health["version"]?.string == BuildInformation.version)
            #expect(try await workspace.send(.head, "/healthz", raw: nil, key: nil).status == 200)
            #expect(try await workspace.send(.get, "/readyz", raw: nil, key: nil).json == ["status": "ready"])
            let metrics = try await workspace.send(.get, "/metrics", raw: nil, key: nil).text
            #expect(metrics.contains("placard_http_requests_total{route=\"/v1/sync\",status=\"2xx\"} 1\n"))
            #expect(metrics.contains("placard_http_request_seconds_count{route=\"/v1/sync\"} 1\n"))
        }
    }

    @Test("Every route is described, and every route that is described is there")
    func document() async throws {
        try await Workspace.run { workspace in
            let document = try await workspace.send(.get, "/openapi.json", raw: nil, key: nil).json
            var described: Set<String> = []
            for (path, methods) in document["paths"]?.object ?? [:] {
                for method in (methods.object ?? [:]).keys { described.insert("\(method.uppercased()) \(path)") }
            }
            let routes = Router.build(try await workspace.services()).routes
            let present = Set(routes.map { "\($0.method.rawValue) \($0.path.description)" })
            #expect(described == present)
        }
    }

    @Test("Every reference in the document leads somewhere")
    func references() async throws {
        try await Workspace.run { workspace in
            let document = try await workspace.send(.get, "/openapi.json", raw: nil, key: nil).json
            for reference in Self.references(in: document) {
                let found = reference.dropFirst(2).split(separator: "/").reduce(document as JSONValue?) { node, name in
                    node?[String(name)]
                }
                #expect(found != nil, "\(reference)")
            }
        }
    }

    @Test("The document says what may be null in what a webhook's receiver gets")
    func nullableFields() async throws {
        try await Workspace.run { workspace in
            let document = try await workspace.send(.get, "/openapi.json", raw: nil, key: nil).json
            let delivery = document["components"]?["schemas"]?["WebhookDelivery"]?["properties"]
            let fields = try #require(delivery?["events"]?["items"]?["properties"])
            // Of a notice of an approval, and `details` of a session's start.
            for name in ["position", "user_id", "card_id", "campaign_id", "variant_id", "details"] {
                #expect(fields[name]?["type"]?.array?.contains(.string("null")) == true, "\(name)")
            }
        }
    }

    private static func references(in value: JSONValue) -> [String] {
        switch value {
        case .array(let elements): elements.flatMap(references)
        case .object(let members):
            members.flatMap { name, member in
                name == "$ref" ? member.string.map { [$0] } ?? [] : references(in: member)
            }
        default: []
        }
    }
}

extension Workspace {
    /// Services over the workspace's store, with that catalog or one that reads the store, to build a router.
    func services(catalog known: CatalogCache? = nil) async throws -> Services {
        let catalog = if let known { known } else { try await CatalogCache(store: store) }
        return Services(
            store: store,
            catalog: catalog,
            authenticator: Authenticator(catalog: catalog, store: store, clock: { time.now }),
            hub: LiveHub(),
            metrics: ServerMetrics(),
            clock: { time.now },
            makeCardID: { .init(rawValue: RandomText.uuid()) },
            content: ContentSource(
                fetcher: OutboundContentFetcher(
                    client: OutboundClient(allowsPrivateHosts: false),
                    timeout: 2,
                    logger: .init(label: "test")
                ),
                patience: .seconds(4),
                clock: { time.now }
            ),
            keySets: KeySetSource(
                client: OutboundClient(allowsPrivateHosts: false),
                logger: .init(label: "test")
            ),
            media: MediaService(
                store: store,
                storage: StorePictures(store: store, logger: .init(label: "test")),
                images: ImageSubprocess(),
                totalBytes: 1 << 20,
                clock: { time.now },
                uptime: { time.uptime },
                logger: .init(label: "test")
            ),
            pictures: PictureFiles(StorePictures(store: store, logger: .init(label: "test"))),
            readiness: Readiness(
                uptime: { time.now },
                patience: .seconds(60),
                check: { await store.healthChecks() }
            ),
            newestTime: NewestTime(nil),
            logger: .init(label: "test")
        )
    }

    /// A node over the workspace's store, with a catalog of its own, and the API alone.
    func node(catalog: CatalogCache) async throws -> Application<AppResponder> {
        let services = try await services(catalog: catalog)
        return Application(
            responder: AppResponder(
                sync: SyncController(services: services),
                router: Router.build(services).buildResponder(),
                services: services,
                surfaces: []
            )
        )
    }
}
