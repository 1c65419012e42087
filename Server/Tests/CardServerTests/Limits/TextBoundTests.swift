import Testing
import WireJSON

@testable import CardServer

@Suite("Bounds of texts and lists")
struct TextBoundTests {
    private static let marked = "e" + String(repeating: "\u{301}", count: 100_000)
    private static let variants: JSONValue = [["id": "a", "card": Workspace.classic]]
    private static let long: JSONValue = .string(String(repeating: "t", count: 256))

    /// Creates a campaign or a segment that has more members than it needs, and returns the status.
    private static func create(_ path: String, _ more: JSONObject, in workspace: Workspace) async throws -> Int {
        var body: JSONObject = ["id": "bounded", "name": "N"]
        if path == "/v1/campaigns" { body["variants"] = variants }
        for (name, value) in more { body[name] = value }
        return try await workspace.manage(.post, path, .object(body)).status
    }

    @Test("Names and tags are bounded, whatever marks a character has", arguments: ["campaigns", "segments"])
    func texts(_ kind: String) async throws {
        try await Workspace.run { workspace in
            let path = "/v1/\(kind)"
            var refused: [JSONObject] = [
                ["name": .string(Self.marked)], ["name": Self.long], ["name": "a\r\nb"], ["name": "a\u{0}b"],
                ["tags": [Self.long]], ["tags": [.string(Self.marked)]], ["tags": ["a\nb"]],
                ["tags": .array((0...50).map { .string("t\($0)") })],
            ]
            refused += kind == "campaigns" ? [["salt": Self.long]] : [["description": .string(Self.marked)]]
            for more in refused {
                let status = try await Self.create(path, more, in: workspace)
                #expect(status == 400, "\(Array(more.keys))")
            }
            let letters = String(repeating: "語", count: 255)
            let accepted: JSONObject = ["name": .string(letters), "tags": .array((0..<50).map { .string("t\($0)") })]
            #expect(try await Self.create(path, accepted, in: workspace) == 201)
        }
    }

    @Test("Names of variants and conversions, and variants that an audience lists, are bounded")
    func partsOfCampaigns() async throws {
        try await Workspace.run { workspace in
            let marked = JSONValue.string(Self.marked)
            let variant: JSONValue = ["id": "a", "name": marked, "card": Workspace.classic]
            let conversion: JSONValue = ["id": "c", "name": marked, "on": ["session_start": true]]
            let audience: JSONValue = [
                "campaign": ["id": "c", "variants": .array((0...100).map { .string("v\($0)") })]
            ]
            for more: JSONObject in [["variants": [variant]], ["conversions": [conversion]], ["audience": audience]] {
                let status = try await Self.create("/v1/campaigns", more, in: workspace)
                #expect(status == 400, "\(Array(more.keys))")
            }
        }
    }

    @Test("A tag that is repeated is kept once, and so are a key's addresses and permissions")
    func repetitions() async throws {
        try await Workspace.run { workspace in
            #expect(try await Self.create("/v1/segments", ["tags": ["a", "b", "a"]], in: workspace) == 201)
            #expect(try await workspace.manage(.get, "/v1/segments/bounded").json["tags"] == ["a", "b"])
            var key: JSONObject = [
                "name": "k", "kind": "secret", "permissions": ["read", "read"],
                "allowed_addresses": ["10.0.0.0/8", "10.0.0.0/8"],
            ]
            let created = try await workspace.manage(.post, "/v1/keys", .object(key)).json
            #expect(created["permissions"] == ["read"] && created["allowed_addresses"]?.array?.count == 1)
            key["permissions"] = .array(Array(repeating: "read", count: 50_000))
            #expect(try await workspace.manage(.post, "/v1/keys", .object(key)).status == 400)
            let path = "/v1/keys/\(created["id"]?.string ?? "")"
            let edit: JSONValue = ["permissions": .array(Array(repeating: "read", count: 50_000))]
            #expect(try await workspace.manage(.patch, path, edit).status == 400)
        }
    }

    @Test("Settings keep a repeated host once, and refuse unbounded tags, keys and ids")
    func settings() async throws {
        try await Workspace.run { workspace in
            let hosts: JSONValue = ["connected_content_hosts": ["api.example.com", "api.example.com"]]
            let saved = try await workspace.manage(.put, "/v1/settings", hosts)
            #expect(saved.status == 200 && saved.json["connected_content_hosts"] == ["api.example.com"])
            let key: JSONValue = ["id": "k", "pem": "x"]
            for settings: JSONValue in [
                ["frequency_caps": [["cards": 1, "days": 1, "tag": .string(Self.marked)]]],
                ["public_keys": [["id": .string(Self.marked), "pem": "x"]]],
                ["public_keys": [["id": "a\r\nb", "pem": "x"]]], ["public_keys": [key, key]],
            ] {
                let answer = try await workspace.manage(.put, "/v1/settings", settings)
                #expect(answer.status == 400, "\(settings.text.prefix(60))")
            }
        }
    }

    @Test("The description of a content block is bounded, and a text")
    func contentBlocks() async throws {
        try await Workspace.run { workspace in
            let long: JSONValue = .string(String(repeating: "d", count: 8_001))
            for description in [long, 1] {
                let body: JSONValue = ["content": "c", "description": description]
                let answer = try await workspace.manage(.put, "/v1/content-blocks/b", body)
                #expect(answer.status == 400)
            }
        }
    }

    @Test("A live stream takes the device ids that a sync takes", arguments: ["%0d%0a", "", "%E2%80%AE", "%00"])
    func devices(_ device: String) async throws {
        try await Workspace.run { workspace in
            let path = "/v1/live?user_id=ann&device_id=\(device)"
            let answer = try await workspace.send(.get, path, raw: nil, key: workspace.publishable)
            #expect(answer.status == 400 && answer.path == "device_id")
        }
    }
}
