import CardModel
import CardStore
import Testing
import WireJSON

@testable import CardServer

@Suite("Content types")
struct ContentTypeTests {
    private static func types(_ name: String, _ field: String) -> JSONObject {
        [
            "types": [
                [
                    "class_type": .string(name),
                    "fields": [["name": .string(field), "type": "integer", "required": true]],
                ]
            ]
        ]
    }

    private static let campaign: JSONValue = [
        "name": "c",
        "variants": [
            ["card": ["type": "classic", "title": "t", "description": "d", "extras": ["class_type": "coupon"]]]
        ],
    ]

    private func put(_ body: JSONObject, _ key: String, _ workspace: Workspace) async throws -> (Int, JSONValue) {
        let answer = try await workspace.send(.put, "/v1/content-types", raw: JSONValue.object(body).text, key: key)
        return (answer.status, answer.json)
    }

    private func codes(_ workspace: Workspace) async throws -> [JSONValue?] {
        let checks = try await workspace.manage(.post, "/v1/checks", Self.campaign).json["checks"]?.array ?? []
        return checks.filter { $0["severity"] == "error" }.map { $0["code"] }
    }

    @Test("What comes with an app's key is a proposal, which no launch is checked by until it is accepted")
    func proposals() async throws {
        try await Workspace.run { workspace in
            var body = Self.types("coupon", "must")
            body["app_version"] = "1.2"
            let (status, answer) = try await put(body, workspace.publishable, workspace)
            #expect(status == 200 && answer["types"] == 1 && answer["status"] == "proposed")
            #expect(try await codes(workspace).isEmpty)
            let listed = try await workspace.manage(.get, "/v1/content-types").json
            #expect(listed["types"] == [])
            let proposal = try #require(listed["proposals"]?.array?.first)
            #expect(proposal["app_version"] == "1.2" && proposal["types"]?.array?.count == 1)

            let id = try #require(proposal["id"]?.string)
            // Another content of the same version has another id: nobody accepts what they haven't seen.
            body["types"] = Self.types("coupon", "other")["types"]
            _ = try await put(body, workspace.publishable, workspace)
            let path = "/v1/content-types/proposals"
            #expect(try await workspace.manage(.post, "\(path)/\(id)/accept").status == 404)
            let next = try await workspace.manage(.get, "/v1/content-types").json["proposals"]?.array?.first?["id"]
            let newID = try #require(next?.string)
            let key = workspace.publishable
            #expect(try await workspace.send(.post, "\(path)/\(newID)/accept", raw: "{}", key: key).status == 403)
            #expect(try await workspace.manage(.post, "\(path)/\(newID)/accept").json["status"] == "accepted")
            #expect(try await !codes(workspace).isEmpty)
            #expect(try await workspace.manage(.get, "/v1/content-types").json["proposals"] == [])
        }
    }

    @Test("A secret key publishes directly")
    func publishing() async throws {
        try await Workspace.run { workspace in
            let (status, answer) = try await put(Self.types("coupon", "must"), workspace.secret, workspace)
            #expect(status == 200 && answer["status"] == "published")
            #expect(try await !codes(workspace).isEmpty)
            let audit = try await workspace.store.latestAuditEntries(limit: 1)
            #expect(audit.first?.action == "content_types.publish" && audit.first?.subject == "coupon")
        }
    }

    @Test("A content type that is deleted checks no launch any more")
    func deleting() async throws {
        try await Workspace.run { workspace in
            _ = try await put(Self.types("coupon", "must"), workspace.secret, workspace)
            #expect(try await !codes(workspace).isEmpty)
            let path = "/v1/content-types/coupon"
            let key = workspace.publishable
            #expect(try await workspace.send(.delete, path, raw: nil, key: key).status == 403)
            #expect(try await workspace.manage(.delete, path).status == 204)
            #expect(try await codes(workspace).isEmpty)
            #expect(try await workspace.manage(.delete, path).status == 404)
        }
    }

    @Test("What is published is bounded in number and size, and keeps nothing that has no meaning")
    func bounds() async throws {
        try await Workspace.run { workspace in
            func status(_ types: [JSONValue]) async throws -> Int {
                try await put(["types": .array(types)], workspace.publishable, workspace).0
            }
            func type(_ name: String, _ fields: [JSONValue] = [], more: JSONObject = [:]) -> JSONValue {
                .object(more.merging(["class_type": .string(name), "fields": .array(fields)]) { $1 })
            }
            #expect(try await status((0..<101).map { type("t\($0)") }) == 400)
            let long = String(repeating: "x", count: 200)
            let fields = (0..<100).map { number -> JSONValue in
                ["name": .string("\(long)\(number)"), "type": "string"]
            }
            #expect(try await status([type("t", fields + fields)]) == 400)
            #expect(try await status((0..<20).map { type("t\($0)", fields) }) == 400)
            let values = JSONValue.array((0..<201).map { .string("\($0)") })
            #expect(try await status([type("t", [["name": "f", "type": "enum", "values": values]])]) == 400)
            let value: JSONValue = [.string(String(repeating: "v", count: 256))]
            #expect(try await status([type("t", [["name": "f", "type": "enum", "values": value]])]) == 400)
            #expect(try await put(["types": [], "app_version": 1], workspace.publishable, workspace).0 == 400)

            let padded = type("t", [["name": "f", "type": "string", "note": .string(long)]], more: ["note": "x"])
            #expect(try await status([padded]) == 200)
            let kept = try await workspace.store.contentTypeProposals().flatMap(\.types).map(\.schema)
            #expect(kept == [type("t", [["name": "f", "type": "string"]])])
        }
    }
}
