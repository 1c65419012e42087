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

    @Test("A handler runs only for a caller who has the permission of its route, and is told who it is")
    func authorization() async throws {
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
            func refusal(_ key: String?) async -> Int? {
                let fields: HTTPFields = key.map { [.authorization: "Bearer \($0)"] } ?? [:]
                let head = HTTPRequest(
                    method: .get,
                    scheme: nil,
                    authority: nil,
                    path: "/v1/settings",
                    headerFields: fields
                )
                let request = Request(head: head, body: RequestBody(buffer: .init()))
                do {
                    _ = try await responder.respond(to: request, context: context)
                    return nil
                } catch {
                    return RequestError(error).status.code
                }
            }
            #expect(await refusal(nil) == 401)
            #expect(await refusal("sk_unknown") == 401)
            #expect(await refusal(workspace.publishable) == 403)
            #expect(callers.withLock { $0 }.isEmpty)
            #expect(await refusal(workspace.secret) == nil)

            let api = ManagementAPI(router: responder)
            _ = try await api.call(.get, "/v1/settings", by: Caller(member: "anna@example.com"), in: context)
            _ = try await api.call(.get, "/v1/settings", by: Caller(member: "kenji@example.com"), in: context)
            _ = try await api.call(.get, "/healthz", by: Caller(member: "anna@example.com"), in: context)
            let known = callers.withLock { $0 }
            #expect(known.count == 4)
            #expect(known.dropFirst() == ["anna@example.com", "kenji@example.com", nil])
            await #expect {
                try await api.call(.get, "/v1/audit", by: Caller(member: "anna@example.com"), in: context)
            } throws: { ($0 as? ManagementAPI.Refusal)?.status == 404 }
            // Whoever was in a request inside the process is nobody in the next one from outside.
            #expect(await refusal(nil) == 401)
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
