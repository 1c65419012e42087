import CardModel
import Testing
import WireJSON

@Suite("Keys that send")
struct SendingKeyTests {
    /// Creates a key, and returns its secret.
    private func create(_ workspace: Workspace, _ body: JSONValue) async throws -> String {
        try #require(try await workspace.manage(.post, "/v1/keys", body).json["secret"]?.string)
    }

    @Test("A key that may send changes attributes only where it may track")
    func sendingWithAttributes() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("api", delivery: ["type": "api_triggered"])
            let body: JSONValue = [
                "campaign_id": "api",
                "recipients": [
                    [
                        "external_user_id": "ann", "send_to_existing_only": false,
                        "attributes": ["email": "owned@example.com"],
                    ]
                ],
            ]
            let path = "/campaigns/trigger/send"
            for permission: JSONValue in ["trigger", "campaigns.trigger.send"] {
                let key = try await create(workspace, ["name": "s", "kind": "secret", "permissions": [permission]])
                #expect(try await workspace.send(.post, path, raw: body.text, key: key).status == 403)
            }
            #expect(try await workspace.manage(.get, "/v1/users/ann").status == 404)
            let key = try await create(
                workspace,
                ["name": "s", "kind": "secret", "permissions": ["campaigns.trigger.send", "users.track"]]
            )
            #expect(try await workspace.send(.post, path, raw: body.text, key: key).status == 201)
        }
    }

    @Test("A key that may send names no audience beside its recipients, which would tell what they are like")
    func sendingWithin() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("api", delivery: ["type": "api_triggered"])
            try await workspace.manage(.patch, "/v1/users/ann", ["custom_attributes": ["salary": 12_345]])
            let audience: JSONValue = ["attribute": "salary", "comparison": "greater_than", "value": 10_000]
            let trigger = "/v1/campaigns/api/trigger"
            let bodies: [(path: String, body: JSONValue)] = [
                (trigger, ["recipients": [["user_id": "ann"]], "audience": audience]),
                (
                    "/campaigns/trigger/send",
                    ["campaign_id": "api", "recipients": [["external_user_id": "ann"]], "audience": audience]
                ),
                (
                    "/campaigns/trigger/schedule/create",
                    [
                        "campaign_id": "api", "recipients": [["external_user_id": "ann"]], "audience": audience,
                        "schedule": ["time": "2027-02-01T00:00:00Z"],
                    ]
                ),
            ]
            let sender = try await create(workspace, ["name": "s", "kind": "secret", "permissions": ["trigger"]])
            let both = try await create(
                workspace,
                ["name": "b", "kind": "secret", "permissions": ["trigger", "users"]]
            )
            for (path, body) in bodies {
                let refused = try await workspace.send(.post, path, raw: body.text, key: sender)
                #expect(refused.status == 403)
                #expect(refused.path == "audience")
                #expect(try await workspace.send(.post, path, raw: body.text, key: both).status < 300)
            }
            let everyone: JSONValue = ["audience": audience, "broadcast": true]
            #expect(try await workspace.send(.post, trigger, raw: everyone.text, key: sender).status == 202)
        }
    }
}
