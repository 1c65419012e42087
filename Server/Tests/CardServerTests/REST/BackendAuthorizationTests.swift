import CardModel
import HTTPTypes
import Testing
import WireJSON

@testable import CardServer

@Suite("Permissions and limits of backends")
struct BackendAuthorizationTests {
    private static let event: JSONValue = [
        "events": [["external_id": "ann", "name": "seen", "time": "2026-07-16T19:20:45Z"]]
    ]

    @Test("A key may do what its permissions name and nothing else")
    func permissions() async throws {
        try await Workspace.run { workspace in
            let made = try await workspace.manage(
                .post,
                "/v1/keys",
                ["name": "tracker", "kind": "secret", "permissions": ["users.track"]]
            )
            let key = try #require(made.json["secret"]?.string)
            #expect(try await workspace.backend("/users/track", Self.event, key: key).status == 201)
            for (path, body): (String, JSONValue?) in [
                ("/users/delete", ["external_ids": ["ann"]]), ("/campaigns/list", nil), ("/v1/keys", nil),
            ] {
                #expect(try await workspace.backend(path, body, key: key).status == 403, "\(path)")
            }
            let unknown = try await workspace.backend("/users/track", Self.event, key: "sk_nonsense")
            #expect(unknown.status == 401)
            #expect(unknown.json["message"]?.string?.isEmpty == false)
            #expect(unknown.json["error"]?["code"] == "key_invalid")
            #expect(try await workspace.backend("/users/track", Self.event, key: workspace.publishable).status == 403)
        }
    }

    @Test("Replies say what is left, and a key that used it up waits until the window ends")
    func limits() async throws {
        try await Workspace.run { workspace in
            let settings = try await workspace.manage(
                .put,
                "/v1/settings",
                ["rate_limits": ["users_track": ["requests": 2, "seconds": 30]]]
            )
            #expect(settings.json["rate_limits"] == ["users_track": ["requests": 2, "seconds": 30]])
            let start = workspace.time.now
            for left in ["1", "0"] {
                let reply = try await workspace.backend("/users/track", Self.event)
                #expect(reply.status == 201)
                #expect(reply.headers[.rateLimitLimit] == "2")
                #expect(reply.headers[.rateLimitRemaining] == left)
                #expect(reply.headers[.rateLimitReset] == String(Int(start) + 30))
            }
            workspace.time.advance(by: 10)
            let refused = try await workspace.backend("/users/track", Self.event)
            #expect(refused.status == 429)
            #expect(refused.headers[.rateLimitRemaining] == "0")
            #expect(refused.headers[.retryAfter] == "20")
            #expect(refused.json["error"]?["code"] == "rate_limited")
            #expect(try await workspace.backend("/campaigns/list").status == 200)

            workspace.time.advance(by: 20)
            #expect(try await workspace.backend("/users/track", Self.event).status == 201)
        }
    }

    @Test("The management API has a limit of its own for each key, and members have none")
    func management() async throws {
        try await Workspace.run { workspace in
            let limits: JSONValue = ["rate_limits": ["management": ["requests": 2, "seconds": 30]]]
            #expect(try await workspace.manage(.patch, "/v1/settings", limits).status == 200)
            let other = try await workspace.manage(.post, "/v1/keys", ["name": "other", "kind": "secret"])
            #expect(other.status == 201)
            let refused = try await workspace.manage(.get, "/v1/campaigns")
            #expect(refused.status == 429 && refused.code == "rate_limited")
            #expect(refused.headers[.retryAfter] == "30" && refused.headers[.rateLimitLimit] == "2")
            let key = try #require(other.json["secret"]?.string)
            #expect(try await workspace.send(.get, "/v1/campaigns", raw: nil, key: key).status == 200)
            #expect(try await workspace.backend("/campaigns/list").status == 200)
            let unknown = try await workspace.send(.get, "/v1/campaigns", raw: nil, key: "sk_nonsense")
            #expect(unknown.status == 401)
            workspace.time.advance(by: 30)
            #expect(try await workspace.manage(.get, "/v1/campaigns").status == 200)
        }
    }

    @Test("Answers of the management API say what is left, refusals too, and those to devices don't")
    func managementHeaders() async throws {
        try await Workspace.run { workspace in
            let limits: JSONValue = ["rate_limits": ["management": ["requests": 20, "seconds": 30]]]
            #expect(try await workspace.manage(.patch, "/v1/settings", limits).status == 200)
            // The change of the settings was the first of the window.
            for (path, status, left) in [
                ("/v1/campaigns", 200, "18"), ("/v1/campaigns/none", 404, "17"), ("/v1/campaigns?limit=0", 400, "16"),
                ("/v1/campaigns?colour=red", 400, "15"),
            ] {
                let answer = try await workspace.manage(.get, path)
                #expect(answer.status == status)
                #expect(answer.headers[.rateLimitLimit] == "20" && answer.headers[.rateLimitRemaining] == left)
                #expect(answer.headers[.rateLimitReset] == String(Int(workspace.time.now) + 30))
            }
            let device = try await workspace.sync("ann")
            #expect(device.status == 200 && device.headers[.rateLimitLimit] == nil)
        }
    }

    @Test("What is not JSON is refused as clients expect")
    func malformed() async throws {
        try await Workspace.run { workspace in
            let reply = try await workspace.send(.post, "/users/track", raw: "{", key: workspace.secret)
            #expect(reply.status == 400)
            #expect(reply.json["message"]?.string?.isEmpty == false)
            #expect(reply.headers[.rateLimitLimit] == "3000")
        }
    }
}
