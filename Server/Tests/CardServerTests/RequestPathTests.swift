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
}
