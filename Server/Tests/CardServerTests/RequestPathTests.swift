import HTTPTypes
import Hummingbird
import LiveTesting
import Testing
import WireJSON

@testable import CardServer

struct RequestPathTests {
    @Test(arguments: ["/", "/v1/sync", "/dashboard/users/a%2Fb", "/v1/users/%00"])
    func `A path without empty parts is written the one way`(path: String) {
        #expect(RequestPath.isCanonical(path))
        #expect(RequestPath.canonical(path) == path)
    }

    @Test(arguments: ["", "//", "/v1/sync/", "//v1/sync", "/v1//sync", "v1/sync", "/v1/\u{301}sync", "/ ", "/\u{7F}"])
    func `Any other way to write a path is refused`(path: String) {
        #expect(!RequestPath.isCanonical(path))
    }

    @Test func `A path with empty parts reaches nothing, whatever it would reach without them`() async throws {
        try await Workspace.run { workspace in
            let sync = #"{"user_id":"a","device_id":"d"}"#
            for path in ["/v1/sync/", "//v1/sync", "/v1//sync", "/v1/events/", "/v1/content-types/"] {
                let answer = try await workspace.send(.post, path, raw: sync, key: workspace.publishable)
                #expect(answer.status == 404)
                #expect(answer.code == "not_found")
            }
            for path in ["/metrics/", "/readyz/", "/openapi.json/", "//metrics", "/v1/campaigns/", "/v1//live"] {
                let answer = try await workspace.send(.get, path, raw: nil, key: workspace.secret)
                #expect(answer.status == 404)
                #expect(answer.code == "not_found")
            }
            #expect(try await workspace.store.userRevision(of: .init(rawValue: "a")) == nil)
            let metrics = try await workspace.send(.get, "/metrics", raw: nil, key: nil).text
            #expect(!metrics.contains("route=\"/v1/sync\",status=\"2xx\""))
        }
    }

    @Test(arguments: [
        ("GET", "/users/track", "POST"), ("HEAD", "/campaigns/trigger/send", "POST"),
        ("OPTIONS", "/v1/campaigns/a/launch", "POST"), ("DELETE", "/campaigns/list", "GET, HEAD"),
        ("POST", "/v1/webhook", "GET, HEAD, PUT, PATCH, DELETE"), ("GET", "/v1/sync", "POST"),
    ])
    func `A path that is there names its methods where it is asked by another`(
        method: String,
        path: String,
        methods: String
    ) async throws {
        try await Workspace.run { workspace in
            let method = try #require(HTTPRequest.Method(method))
            let answer = try await workspace.send(method, path, raw: nil, key: nil)
            #expect(answer.status == 405)
            #expect(answer.headers[.allow] == methods)
            guard method != .head else { return }
            #expect(answer.code == "method_not_allowed")
            #expect((answer.json["message"] != nil) == !path.hasPrefix("/v1/"))
        }
    }

    @Test(arguments: ["/v1/nothing", "/users", "/v1/campaigns/a/b/c", "/"])
    func `A path that is not there is not found by any method`(path: String) async throws {
        try await Workspace.run { workspace in
            for method in [HTTPRequest.Method.get, .post, .options] {
                let answer = try await workspace.send(method, path, raw: nil, key: workspace.secret)
                #expect(answer.status == 404 && answer.headers[.allow] == nil)
            }
        }
    }

    @Test func `What is refused before it is read is told backends where their clients look`() async throws {
        try await Workspace.run { workspace in
            for (path, isTop) in [("/users/track?a=1", true), ("/v1/settings", false)] {
                let answer = try await workspace.send(
                    .post,
                    path,
                    raw: "{}",
                    key: workspace.secret,
                    headers: [.contentEncoding: "gzip"]
                )
                #expect(answer.status == 415 && answer.code == "content_encoding_unsupported")
                #expect((answer.json["message"] == answer.json["error"]?["message"]) == isTop)
            }
        }
    }
}
