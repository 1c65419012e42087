import CardModel
import CardStore
import HTTPTypes
import Testing
import WireJSON

@testable import CardServer

@Suite("HTTP: approvals")
struct ApprovalTests {
    private static func campaign(_ title: String = "t", version: Int64? = nil) -> JSONValue {
        var body: JSONObject = [
            "name": "Sale",
            "variants": [["id": "a", "card": ["type": "classic", "title": .string(title), "description": "d"]]],
        ]
        if let version { body["version"] = .integer(version) } else { body["id"] = "sale" }
        return .object(body)
    }

    /// A workspace that asks for approvals, with a draft, a key that may do all, and one for campaigns alone.
    private static func run(
        _ policy: ApprovalPolicy = .editors,
        isLaunched: Bool = false,
        _ body: @escaping @Sendable (Workspace, _ key: String) async throws -> Void
    ) async throws {
        try await Workspace.run { workspace in
            #expect(try await workspace.manage(.post, "/v1/campaigns", campaign()).status == 201)
            if isLaunched { #expect(try await workspace.manage(.post, "/v1/campaigns/sale/launch").status == 200) }
            let key = KeySecret(name: "ci", kind: .secret, permissions: [.campaigns], createdAt: workspace.time.now)
            try await workspace.store.insertKey(key.key, by: .command)
            var settings = try await workspace.manage(.get, "/v1/settings").json.object ?? [:]
            settings["launch_approval"] = .string(policy.rawValue)
            #expect(try await workspace.manage(.put, "/v1/settings", .object(settings)).status == 200)
            try await body(workspace, key.text)
        }
    }

    @Test("A key for campaigns launches nothing, edits no campaign that users have, and asks for both")
    func keys() async throws {
        try await Self.run { workspace, key in
            let refused = try await workspace.manage(.post, "/v1/campaigns/sale/launch", ["force": true], key: key)
            #expect((refused.status, refused.code) == (403, "approval_required"))
            // A draft is nobody's yet.
            let edit = try await workspace.manage(.put, "/v1/campaigns/sale", Self.campaign("u", version: 1), key: key)
            #expect(edit.status == 200)

            let path = "/v1/campaigns/sale/approvals"
            let asked = try await workspace.manage(.post, path, ["version": 2, "comment": " Please \r\n"], key: key)
            #expect((asked.status, asked.json["change"], asked.json["status"]) == (201, "launch", "pending"))
            #expect(asked.json["comments"]?.array?.first?["text"] == "Please")
            #expect(asked.json["requested_by_kind"] == "key")
            #expect(try await workspace.manage(.get, "/v1/approvals").json["approvals"] == [asked.json])
            #expect(try await workspace.manage(.get, path).json["approvals"] == [asked.json])
            #expect(try await workspace.manage(.get, "/v1/campaigns/sale").json["status"] == "draft")

            let id = try #require(asked.json["id"]?.string)
            let other = try await workspace.manage(.post, "\(path)/\(id)/withdraw")
            #expect((other.status, other.code) == (403, "permission_denied"))
            let taken = try await workspace.manage(.post, "\(path)/\(id)/withdraw", ["comment": "Oh"], key: key)
            #expect((taken.status, taken.json["status"]) == (200, "withdrawn"))
            let again = try await workspace.manage(.post, "\(path)/\(id)/withdraw", key: key)
            #expect((again.status, again.code) == (409, "approval_closed"))
            #expect(try await workspace.manage(.post, "\(path)/apr_none/withdraw", key: key).status == 404)
        }
    }

    @Test("A key that may do all counts as an administrator, and the policy for editors doesn't apply to it")
    func manage() async throws {
        try await Self.run { workspace, _ in
            #expect(try await workspace.manage(.post, "/v1/campaigns/sale/launch").status == 200)
            let edit = try await workspace.manage(.put, "/v1/campaigns/sale", Self.campaign("u", version: 2))
            #expect(edit.status == 200)
        }
        try await Self.run(.everyone) { workspace, _ in
            let refused = try await workspace.manage(.post, "/v1/campaigns/sale/launch")
            #expect((refused.status, refused.code) == (403, "approval_required"))
        }
        try await Self.run(.none) { workspace, key in
            let asked = try await workspace.manage(.post, "/v1/campaigns/sale/approvals", key: key)
            #expect(asked.code == "approval_not_needed")
            let launched = try await workspace.manage(.post, "/v1/campaigns/sale/launch", key: key)
            #expect(launched.status == 200)
        }
    }

    @Test("Pausing, stopping and archiving need no approval, and pausing is no way around it")
    func ending() async throws {
        try await Self.run(isLaunched: true) { workspace, key in
            let path = "/v1/campaigns/sale"
            #expect(try await workspace.manage(.post, "\(path)/pause", key: key).status == 200)
            // Users keep the card of a paused campaign, and would see the edit.
            let edit = try await workspace.manage(.put, path, Self.campaign("u", version: 3), key: key)
            #expect((edit.status, edit.code) == (403, "approval_required"))
            #expect(try await workspace.manage(.post, "\(path)/launch", key: key).code == "approval_required")
            #expect(try await workspace.manage(.post, "\(path)/stop", ["withdraw": true], key: key).status == 200)
            let hidden = try await workspace.manage(.put, path, Self.campaign("u", version: 4), key: key)
            #expect(hidden.status == 200)
            #expect(try await workspace.manage(.post, "\(path)/launch", key: key).code == "approval_required")
            #expect(try await workspace.manage(.post, "\(path)/archive", key: key).status == 200)
        }
    }

    @Test("What changes nothing needs no approval, and can't be asked for")
    func same() async throws {
        try await Self.run(isLaunched: true) { workspace, key in
            let now = try await workspace.manage(.get, "/v1/campaigns/sale").json
            #expect(try await workspace.manage(.put, "/v1/campaigns/sale", now, key: key).status == 200)
            #expect(try await workspace.manage(.post, "/v1/campaigns/sale/launch", key: key).status == 200)
            let path = "/v1/campaigns/sale/approvals"
            #expect(try await workspace.manage(.post, path, key: key).code == "approval_not_needed")
            #expect(try await workspace.manage(.post, path, ["content": now], key: key).code == "approval_not_needed")
        }
    }

    @Test("A segment or a content block that campaigns of users need is not a way around it")
    func shared() async throws {
        try await Workspace.run { workspace in
            let gold: JSONValue = ["attribute": "plan", "value": "gold"]
            for (id, audience) in [("inner", gold), ("outer", ["segment": "inner"]), ("free", gold)] {
                let body: JSONValue = ["id": .string(id), "name": .string(id), "audience": audience]
                #expect(try await workspace.manage(.post, "/v1/segments", body).status == 201)
            }
            let block: JSONValue = ["content": "Bye"]
            #expect(try await workspace.manage(.put, "/v1/content-blocks/footer", block).status == 200)
            let campaign: JSONValue = [
                "id": "sale", "name": "Sale", "audience": ["segment": "outer"],
                "variants": [
                    ["card": ["type": "classic", "title": "t", "description": "{{content_blocks.${footer}}}"]]
                ],
            ]
            #expect(try await workspace.manage(.post, "/v1/campaigns", campaign).status == 201)
            let key = KeySecret(name: "ci", kind: .secret, permissions: [.campaigns], createdAt: workspace.time.now)
            try await workspace.store.insertKey(key.key, by: .command)
            var settings = try await workspace.manage(.get, "/v1/settings").json.object ?? [:]
            settings["launch_approval"] = "editors"
            #expect(try await workspace.manage(.put, "/v1/settings", .object(settings)).status == 200)
            func change(_ segment: String) async throws -> Answer {
                let version = try await workspace.manage(.get, "/v1/segments/\(segment)").json["version"] ?? .null
                let body: JSONValue = ["name": "Else", "version": version, "audience": ["attribute": "x", "value": 1]]
                return try await workspace.manage(.put, "/v1/segments/\(segment)", body, key: key.text)
            }
            // Nobody has the campaign yet.
            #expect(try await change("free").status == 200)
            let blocks = "/v1/content-blocks"
            #expect(try await workspace.manage(.put, "\(blocks)/footer", ["content": "b"], key: key.text).status == 200)

            #expect(try await workspace.manage(.post, "/v1/campaigns/sale/launch").status == 200)
            #expect(try await change("free").status == 200)
            #expect(try await change("outer").code == "approval_required")
            #expect(try await change("inner").code == "approval_required")
            for name in ["footer", "new"] {
                let saved = try await workspace.manage(.put, "\(blocks)/\(name)", ["content": "c"], key: key.text)
                #expect((saved.status, saved.code) == (403, "approval_required"))
            }
            #expect(try await workspace.manage(.delete, "\(blocks)/footer", key: key.text).code == "approval_required")
            #expect(try await workspace.manage(.put, "\(blocks)/footer", ["content": "d"]).status == 200)
            // The cards stay in feeds, whatever becomes of their campaign, until they are removed.
            for step in ["pause", "stop", "archive"] {
                #expect(try await workspace.manage(.post, "/v1/campaigns/sale/\(step)", key: key.text).status == 200)
                let saved = try await workspace.manage(.put, "\(blocks)/footer", ["content": "e"], key: key.text)
                #expect(saved.code == "approval_required", "\(step)")
                #expect(try await change("inner").code == "approval_required", "\(step)")
            }
        }
    }

    @Test("What a request needs can't be changed by those who need approval while it waits", arguments: [false, true])
    func sharedWhileWaiting(isEdit: Bool) async throws {
        try await Self.run(isLaunched: isEdit) { workspace, key in
            let one: JSONValue = ["id": "one", "name": "One", "audience": ["attribute": "plan", "value": "gold"]]
            #expect(try await workspace.manage(.post, "/v1/segments", one, key: key).status == 201)
            let footer: JSONValue = ["content": "Bye"]
            #expect(try await workspace.manage(.put, "/v1/content-blocks/footer", footer, key: key).status == 200)
            let card: JSONValue = ["type": "classic", "title": "t", "description": "{{content_blocks.${footer}}}"]
            let content: JSONValue = [
                "name": "Sale", "audience": ["segment": "one"], "variants": [["id": "a", "card": card]],
            ]
            let path = "/v1/campaigns/sale"
            if !isEdit {
                var draft = content.object ?? [:]
                draft["version"] = 1
                #expect(try await workspace.manage(.put, path, .object(draft), key: key).status == 200)
            }
            let request: JSONValue = isEdit ? ["content": content] : [:]
            let asked = try await workspace.manage(.post, "\(path)/approvals", request, key: key)
            #expect(asked.status == 201)
            func changes(_ version: JSONValue) async throws -> [Int] {
                let everyone: JSONValue = ["name": "One", "version": version, "audience": .null]
                let blocks = "/v1/content-blocks/footer"
                return [
                    try await workspace.manage(.put, "/v1/segments/one", everyone, key: key).status,
                    try await workspace.manage(.put, blocks, ["content": "Else"], key: key).status,
                    try await workspace.manage(.delete, "\(blocks)?force=true", key: key).status,
                ]
            }
            #expect(try await changes(1) == [403, 403, 403])
            let id = asked.json["id"]?.string ?? ""
            #expect(try await workspace.manage(.post, "\(path)/approvals/\(id)/withdraw", [:], key: key).status == 200)
            #expect(try await changes(1) == [200, 200, 204])
        }
    }

    @Test("An edit that is asked for is approved as it was asked, and not once anything else has changed")
    func edit() async throws {
        try await Self.run(isLaunched: true) { workspace, key in
            let path = "/v1/campaigns/sale/approvals"
            let content = Self.campaign("Better", version: 2)
            let stale = try await workspace.manage(.post, path, ["version": 1, "content": content], key: key)
            #expect((stale.status, stale.code) == (409, "version_conflict"))
            let asked = try await workspace.manage(.post, path, ["version": 2, "content": content], key: key)
            #expect((asked.status, asked.json["change"]) == (201, "edit"))
            #expect(asked.json["content"]?["variants"]?.array?.first?["card"]?["title"] == "Better")
            let id = try #require(asked.json["id"]?.string)
            func title() async throws -> JSONValue? {
                try await workspace.manage(.get, "/v1/campaigns/sale").json["variants"]?.array?.first?["card"]?["title"]
            }
            #expect(try await title() == "t")

            #expect(
                try await workspace.manage(.put, "/v1/campaigns/sale", Self.campaign("v", version: 2)).status == 200
            )
            #expect(try await workspace.manage(.get, path).json["approvals"]?.array?.first?["outdated"] == true)
            #expect(try await workspace.manage(.get, "/v1/approvals").json["approvals"] == [])
            #expect(try await title() == "v")
            let next = try await workspace.manage(.post, path, ["content": content], key: key)
            #expect(next.status == 201)
            let former = try await workspace.store.approval(id)
            #expect(former?.status == .replaced)
        }
    }

    private static let bad: [(body: JSONValue, code: String)] = [
        (["comment": 1], "field_invalid"), (["version": "1"], "field_invalid"), (["nope": 1], "field_unknown"),
        (["comment": "\u{0}"], "field_invalid"), (["comment": "\u{202E}x"], "field_invalid"),
        (["comment": .string(String(repeating: "é", count: 1_001))], "field_invalid"),
        (["content": []], "field_invalid"), (["version": 7], "version_conflict"),
    ]

    @Test("What is no request is refused")
    func refusesOthers() async throws {
        try await Self.run { workspace, key in
            for (body, code) in Self.bad {
                let answer = try await workspace.manage(.post, "/v1/campaigns/sale/approvals", body, key: key)
                #expect(answer.code == code, "\(body.text)")
                let waiting = try await workspace.manage(.get, "/v1/approvals").json["approvals"]
                #expect(waiting == [], "\(body.text)")
            }
        }
    }

    @Test("A draft with errors can't be asked for, and another's request is not replaced")
    func refusals() async throws {
        try await Self.run { workspace, key in
            let over: JSONValue = [
                "id": "over", "name": "Over", "delivery": ["type": "scheduled", "end_at": 1],
                "variants": [["card": ["type": "classic", "title": "t", "description": "d"]]],
            ]
            #expect(try await workspace.manage(.post, "/v1/campaigns", over).status == 201)
            let blocked = try await workspace.manage(.post, "/v1/campaigns/over/approvals", key: key)
            #expect((blocked.status, blocked.code) == (422, "checks_failed"))
            #expect(try await workspace.manage(.post, "/v1/campaigns/none/approvals", key: key).status == 404)

            let path = "/v1/campaigns/sale/approvals"
            #expect(try await workspace.manage(.post, path, key: key).status == 201)
            let second = try await workspace.manage(.post, path)
            #expect((second.status, second.code) == (409, "already_exists"))
        }
    }
}

extension Workspace {
    /// Sends a request of the management API with some key.
    @discardableResult
    fileprivate func manage(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue? = nil,
        key: String
    ) async throws -> Answer {
        try await send(method, path, raw: body?.text, key: key)
    }
}
