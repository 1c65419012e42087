import HTTPTypes
import LiveTesting
import Testing
import WireJSON

@testable import CardServer

@Suite("Headers of replies and types of bodies")
struct ReplyHeaderTests {
    private static let sync = #"{"user_id":"ann","device_id":"d"}"#

    @Test("Every reply of the API says what it is, isn't cached, and is saved rather than shown, errors too")
    func headers() async throws {
        try await Workspace.run { workspace in
            let secret = workspace.secret
            let requests: [(HTTPRequest.Method, String, String?, String?)] = [
                (.post, "/v1/sync", Self.sync, workspace.publishable),
                (.post, "/v1/sync", Self.sync, workspace.publishable),
                (.post, "/v1/sync", "{", workspace.publishable), (.post, "/v1/sync", Self.sync, "pk_wrong"),
                (.get, "/v1/campaigns", nil, secret), (.get, "/v1/campaigns", nil, nil),
                (.get, "/v1/campaigns/none", nil, secret), (.post, "/v1/campaigns", "[]", secret),
                (.put, "/v1/campaigns", "{}", secret), (.get, "/nothing", nil, nil), (.get, "/healthz", nil, nil),
                (.post, "/users/track", "{}", secret), (.get, "/v1/audit", nil, secret),
                (.delete, "/v1/users/ann", nil, secret), (.get, "/metrics", nil, nil),
                (.get, "/v1/audit/export", nil, secret), (.get, "/openapi.json", nil, nil),
            ]
            for (method, path, body, key) in requests {
                let answer = try await workspace.send(method, path, raw: body, key: key)
                let said = "\(method) \(path) \(body ?? ""): \(answer.status)"
                #expect(answer.headers[.xContentTypeOptions] == "nosniff", "\(said)")
                #expect(answer.headers[.cacheControl] == "no-store", "\(said)")
                let type = answer.headers[.contentType] ?? ""
                #expect(answer.status == 204 || type.contains("charset=utf-8"), "\(said): \(type)")
                let disposition = answer.headers[.contentDisposition] ?? ""
                let isJSON = type.hasPrefix("application/json") && path != "/openapi.json"
                #expect(!isJSON || disposition.hasPrefix("attachment"), "\(said): \(disposition)")
            }
        }
    }

    @Test("What the server refuses before it is a request says so too")
    func malformed() async throws {
        try await Workspace.run { workspace in
            let connection = RawConnection(to: try workspace.endpoint)
            let answer = try #require(try await connection.exchange(["GET / HTTP/1.1\r\n\r\n"], count: 1).first)
            #expect(answer.status == 400 && answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["cache-control"] == "no-store")
        }
    }

    @Test(
        "A body is read as JSON where its type is JSON, or what clients send that name none",
        arguments: [
            nil, "application/json", "application/json; charset=utf-8", "APPLICATION/JSON;charset=\"UTF-8\"",
            "text/json", "application/vnd.example+json", "application/x-www-form-urlencoded",
            "text/plain;charset=UTF-8",
        ]
    )
    func accepted(_ type: String?) async throws {
        try await Workspace.run { workspace in
            let statuses = try await Self.statuses(of: type, in: workspace)
            #expect(statuses == [200, 201])
        }
    }

    private static let otherTypes = [
        "multipart/form-data; boundary=x", "application/xml", "text/html", "text/csv", "application/octet-stream",
        "application/jsonx", "application/json; charset=utf-16", "text/plain; charset=latin1", "json", "",
        "application/json, text/html", "image/png", "application/yaml",
    ]

    @Test("A body of another type or in another encoding is refused with 415, and nothing is done")
    func refused() async throws {
        try await Workspace.run { workspace in
            for type in Self.otherTypes {
                let statuses = try await Self.statuses(of: type, in: workspace)
                #expect(statuses == [415, 415], "\(type)")
                let user = try await workspace.manage(.get, "/v1/users/ann")
                #expect(user.status == 404, "\(type)")
            }
        }
    }

    /// What a sync and an update of users answer to a body of a type.
    private static func statuses(of type: String?, in workspace: Workspace) async throws -> [Int] {
        var headers = HTTPFields()
        headers[.contentType] = type
        let track = #"{"attributes":[{"external_id":"bob","plan":"gold"}]}"#
        return [
            try await workspace.send(.post, "/v1/sync", raw: sync, key: workspace.publishable, headers: headers).status,
            try await workspace.send(.post, "/users/track", raw: track, key: workspace.secret, headers: headers).status,
        ]
    }
}
