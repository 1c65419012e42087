import CardModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOEmbedded
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("The table of routes")
struct RouteTableTests {
    @Test("Every route has one handler and one operation in the OpenAPI document, and nothing else has")
    func completeness() async throws {
        try await Workspace.run { workspace in
            let table = APIRoute.allCases.map(\.rawValue).sorted()
            let routes = Router.build(try await workspace.services()).routes
            #expect(routes.map { "\($0.method.rawValue) \($0.path.description)" }.sorted() == table)
            #expect(OpenAPIOperation.all.map(\.route.rawValue).sorted() == table)
            #expect(RouteEntry.api.map { "\($0.method) \($0.path)" }.sorted() == table)
            #expect(RouteEntry.api.allSatisfy { $0.surface != "undocumented" })
        }
    }

    @Test(
        "Every route answers whoever has what it needs, and refuses every other key",
        .timeLimit(.minutes(20))
    )
    func authorization() async throws {
        try await Workspace.run { workspace in
            let keys = try await Self.keys(in: workspace)
            for route in APIRoute.allCases {
                let path = route.path.replacing(/\{\w+\}/, with: "none")
                func status(_ key: String?) async throws -> Int {
                    try await workspace.send(route.method, path, raw: nil, key: key).status
                }
                let isOpen = route.access.permissions.isEmpty
                #expect(try await (status(nil) == 401) != isOpen, "\(route.rawValue) without a key")
                guard !isOpen else { continue }
                #expect(try await status("sk_unknown") == 401, "\(route.rawValue) with an unknown key")
                for (permission, key) in keys {
                    let isEnough = route.access.missing(permission.includes) == nil
                    // A stream that was opened doesn't end by itself.
                    if isEnough, route == .live { continue }
                    let answer = try await status(key)
                    #expect(answer != 401, "\(route.rawValue) with \(permission.rawValue)")
                    #expect((answer != 403) == isEnough, "\(route.rawValue) with \(permission.rawValue): \(answer)")
                }
            }
        }
    }

    /// Creates a key for each permission, which has no other.
    private static func keys(in workspace: Workspace) async throws -> [(Permission, String)] {
        var keys: [(Permission, String)] = []
        for permission in Permission.allCases {
            let kind: APIKey.KeyKind = permission == .device ? .publishable : .secret
            let now = workspace.time.now
            let secret = KeySecret(name: permission.rawValue, kind: kind, permissions: [permission], createdAt: now)
            try await workspace.store.insertKey(secret.key, by: .command)
            keys.append((permission, secret.text))
        }
        // The server reads keys again after a change of its own.
        try await workspace.manage(.get, "/v1/keys")
        return keys
    }

    @Test("A handler is told who makes its request, and where anybody may call it, nobody")
    func caller() async throws {
        try await Workspace.run { workspace in
            let services = try await workspace.services()
            let registry = RouteRegistry(services: services)
            let callers = Mutex<[String?]>([])
            for route in [APIRoute.readSettings, .health] {
                registry.on(route) { _, context in
                    callers.withLock { $0.append(context.caller?.id) }
                    return Response(status: .ok)
                }
            }
            let responder = registry.router.buildResponder()
            let context = AppContext(source: .init(channel: EmbeddedChannel(), logger: services.logger))
            func get(_ path: String, _ key: String?) async throws {
                let fields: HTTPFields = key.map { [.authorization: "Bearer \($0)"] } ?? [:]
                let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: fields)
                _ = try await responder.respond(
                    to: Request(head: head, body: RequestBody(buffer: .init())),
                    context: context
                )
            }
            await #expect(throws: (any Error).self) { try await get("/v1/settings", nil) }
            await #expect(throws: (any Error).self) { try await get("/v1/settings", workspace.publishable) }
            #expect(callers.withLock { $0 }.isEmpty)
            try await get("/v1/settings", workspace.secret)
            try await get("/healthz", workspace.secret)
            let key = try #require(await workspace.store.apiKeys().first { $0.kind == .secret })
            #expect(callers.withLock { $0 } == [key.id, nil])
        }
    }

    @Test("Requests are counted as those of devices where the table says so, and only there")
    func devices() {
        for route in APIRoute.allCases {
            let head = HTTPRequest(method: route.method, scheme: nil, authority: nil, path: route.path)
            let counted = ServerMetrics.Route(Request(head: head, body: RequestBody(buffer: .init())))
            #expect(counted.isDevice == (route.rate == .device), "\(route.rawValue)")
            if counted != .other { #expect(counted.label == route.path) }
        }
    }

    @Test("A path of the documented API has a permission of its own and a limit for its keys, and no other has")
    func backends() {
        for route in APIRoute.allCases {
            let isForBackends = route.access.permissions.contains(where: \.isForBackends)
            #expect(isForBackends == (route.rate.backendGroup != nil), "\(route.rawValue)")
            guard isForBackends else { continue }
            let name = route.path.split(separator: "/").filter { $0 != "v1" }.joined(separator: ".")
            #expect(route.access.permissions.map(\.rawValue) == [name])
        }
        let unused = Permission.allCases.filter { permission in
            permission != .manage && permission != .track
                && !APIRoute.allCases.contains { $0.access.permissions.contains(permission) }
        }
        #expect(unused.isEmpty)
    }

    @Test("The guide to keys says of each permission what it opens")
    func guide() throws {
        let rows = try Self.permissionRows()
        #expect(rows.count >= 9)
        for (permission, paths) in rows {
            for path in paths {
                let routes = APIRoute.allCases.filter { Self.covers(path, $0) }
                #expect(!routes.isEmpty, "\(permission.rawValue): there is no \(path)")
                for route in routes {
                    let isOpen = route.access.permissions.contains(where: permission.includes)
                    #expect(isOpen, "\(permission.rawValue) doesn't open \(route.rawValue)")
                }
            }
        }
    }

    /// The rows of the guide's table: a permission, and the paths that it says are open.
    private static func permissionRows() throws -> [(Permission, [String])] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/keys.md").standardized
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2,
                let permission = Permission(rawValue: cells[0].trimmingCharacters(in: ["`"]))
            else { return nil }
            let paths = cells[1].matches(of: /`((?:[A-Z]+ )?\/[^`]+)`/).map { String($0.output.1) }
            return (permission, paths)
        }
    }

    /// Whether a path of the guide, such as `/segments/…` or `GET /v1/campaigns/{id}/report`, means a route.
    private static func covers(_ path: String, _ route: APIRoute) -> Bool {
        let known = path.hasPrefix("/") ? route.path : route.rawValue
        if path.hasSuffix("…") { return known.hasPrefix(path.dropLast()) }
        return known == path || (path.hasPrefix("/v1/") && known.hasPrefix(path + "/"))
    }
}
