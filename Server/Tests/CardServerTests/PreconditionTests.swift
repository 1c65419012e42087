import CardModel
import CardStore
import HTTPTypes
import Testing
import WireJSON

@testable import CardServer

@Suite("What was read before it is changed")
struct PreconditionTests {
    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue?,
        ifMatch tag: String?,
        _ workspace: Workspace
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        if let tag { headers[.ifMatch] = tag }
        return try await workspace.send(method, path, raw: body?.text, key: workspace.secret, headers: headers)
    }

    @Test(
        "Settings that were changed since they were read aren't taken back",
        arguments: [HTTPRequest.Method.put, .patch]
    )
    func settings(method: HTTPRequest.Method) async throws {
        try await Workspace.run { workspace in
            let read = try await workspace.manage(.get, "/v1/settings")
            let tag = try #require(read.headers[.eTag])
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count == 34)
            var changed = try #require(read.json.object)
            changed["card_limit"] = 7
            let first = try await send(method, "/v1/settings", .object(changed), ifMatch: tag, workspace)
            #expect(first.status == 200 && first.headers[.eTag] != tag)
            var other = try #require(read.json.object)
            other["event_days"] = 31
            for old in [tag, "W/\(first.headers[.eTag] ?? "")", "\"none\"", ""] {
                let refused = try await send(method, "/v1/settings", .object(other), ifMatch: old, workspace)
                #expect(refused.status == 412 && refused.code == "precondition_failed")
            }
            let settings = try await workspace.store.settings()
            #expect(settings.cardLimit == 7 && settings.eventDays != 31)
            let several = "\"none\", \(first.headers[.eTag] ?? "")"
            #expect(try await send(method, "/v1/settings", .object(other), ifMatch: several, workspace).status == 200)
            #expect(try await send(method, "/v1/settings", .object(changed), ifMatch: "*", workspace).status == 200)
        }
    }

    @Test("A part of the webhook is changed, and the rest stays")
    func part() async throws {
        try await Workspace.run { workspace in
            #expect(try await workspace.manage(.patch, "/v1/webhook", ["types": ["click"]]).status == 404)
            let url: JSONValue = ["url": "http://127.0.0.1:8081/", "types": ["click"]]
            let made = try await workspace.manage(.put, "/v1/webhook", url)
            let types = try await workspace.manage(.patch, "/v1/webhook", ["types": ["purchase"]])
            #expect(types.json["url"] == "http://127.0.0.1:8081/" && types.json["types"] == ["purchase"])
            #expect(types.json["secret"] == nil)
            let moved = try await workspace.manage(.patch, "/v1/webhook", ["url": "http://127.0.0.1:8081/b"])
            #expect(moved.json["url"] == "http://127.0.0.1:8081/b" && moved.json["types"] == ["purchase"])
            #expect(try await workspace.store.webhookState()?.webhook.secret == made.json["secret"]?.string)
            let own = try await workspace.manage(.patch, "/v1/webhook", ["secret": "a-secret-of-their-own"])
            #expect(own.json["secret"] == "a-secret-of-their-own" && own.json["types"] == ["purchase"])
            for body: JSONValue in [["url": .null], ["url": "ftp://x"], ["types": ["y"]], ["z": 1], ["after": -1]] {
                #expect(try await workspace.manage(.patch, "/v1/webhook", body).status == 400)
            }
            #expect(try await workspace.manage(.get, "/v1/webhook").json["types"] == ["purchase"])
        }
    }

    @Test("A webhook that was changed since it was read is neither replaced nor removed")
    func webhook() async throws {
        try await Workspace.run { workspace in
            let url: JSONValue = ["url": "http://127.0.0.1:8081/"]
            #expect(try await send(.put, "/v1/webhook", url, ifMatch: "*", workspace).status == 412)
            let made = try await workspace.manage(.put, "/v1/webhook", url)
            let tag = try #require(made.headers[.eTag])
            #expect(try await workspace.manage(.get, "/v1/webhook").headers[.eTag] == tag)
            // Another secret is no other webhook to who has read it: nobody can guess a secret by the tag.
            #expect(try await workspace.manage(.post, "/v1/webhook/rotate").headers[.eTag] == tag)
            let changed = try await send(.patch, "/v1/webhook", ["types": ["click"]], ifMatch: tag, workspace)
            #expect(changed.status == 200)
            let own: JSONValue = ["url": "http://127.0.0.1:8081/", "types": ["purchase"]]
            #expect(try await send(.put, "/v1/webhook", own, ifMatch: tag, workspace).status == 412)
            #expect(try await send(.patch, "/v1/webhook", own, ifMatch: tag, workspace).status == 412)
            #expect(try await send(.delete, "/v1/webhook", nil, ifMatch: tag, workspace).status == 412)
            #expect(try await workspace.manage(.get, "/v1/webhook").json["types"] == ["click"])
            let last = changed.headers[.eTag]
            #expect(try await send(.delete, "/v1/webhook", nil, ifMatch: last, workspace).status == 204)
            #expect(try await send(.delete, "/v1/webhook", nil, ifMatch: last, workspace).status == 412)
            #expect(try await workspace.manage(.delete, "/v1/webhook").status == 204)
        }
    }
}
