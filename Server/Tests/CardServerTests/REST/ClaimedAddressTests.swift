import CardModel
import Foundation
import HTTPTypes
import Testing
import WireJSON

@testable import CardServer

/// A device may say that its user has whatever address; a backend that names users by address isn't led astray by it.
@Suite("Addresses that devices claim")
struct ClaimedAddressTests {
    private static let address: JSONValue = "v@example.com"

    /// Lets a backend name the victim's address, and then a device of another user the same one.
    private func claim(_ workspace: Workspace, headers: HTTPFields = [:]) async throws {
        _ = try await workspace.backend(
            "/users/track",
            ["attributes": [["external_id": "victim", "email": Self.address, "iban": "DE1"]]]
        )
        workspace.time.advance(by: 60)
        let event: JSONValue = [
            "id": .string(UUID().uuidString.lowercased()), "type": "attributes", "at": .number(workspace.time.now),
            "attributes": ["email": "V@Example.com", "phone": "+4915"],
        ]
        let synced = try await workspace.sync("mallory", events: [event], headers: headers)
        #expect(synced.json["events"]?["accepted"] == 1)
    }

    private func custom(_ user: String, _ workspace: Workspace) async throws -> JSONValue? {
        try await workspace.manage(.get, "/v1/users/\(user)").json["custom_attributes"]
    }

    @Test("What a backend sends to an address reaches the user whose backend set it, not the last to claim it")
    func preferred() async throws {
        try await Workspace.run { workspace in
            try await claim(workspace)
            _ = try await workspace.backend("/users/track", ["attributes": [["email": Self.address, "code": "S3"]]])
            #expect(try await custom("victim", workspace) == ["iban": "DE1", "code": "S3"])
            #expect(try await custom("mallory", workspace)?["code"] == nil)

            let title = "Hi {{api_trigger_properties.${code}}}"
            try await workspace.launch(
                "voucher",
                card: ["type": "classic", "title": .string(title), "description": "d"],
                delivery: ["type": "api_triggered"]
            )
            let sent = try await workspace.backend(
                "/campaigns/trigger/send",
                [
                    "campaign_id": "voucher",
                    "recipients": [["email": Self.address, "trigger_properties": ["code": "99"]]],
                ]
            )
            #expect(sent.status == 201)
            #expect(try await workspace.sync("victim").cards.map { $0["title"] } == ["Hi 99"])
            #expect(try await workspace.sync("mallory").cards.isEmpty)

            let deleted = try await workspace.backend("/users/delete", ["email_addresses": [Self.address]])
            #expect(deleted.json["deleted"] == 1)
            #expect(try await workspace.manage(.get, "/v1/users/victim").status == 404)
            #expect(try await workspace.manage(.get, "/v1/users/mallory").status == 200)
        }
    }

    @Test("Where user tokens are required, an address that only a device set finds nobody, until a backend confirms it")
    func required() async throws {
        let signers = try UserTokenTests.Signers()
        try await Workspace.run { workspace in
            #expect(try await workspace.manage(.put, "/v1/settings", signers.settings("required")).status == 200)
            let token = try await signers.es256("mallory", expires: workspace.time.now + 600)
            try await claim(workspace, headers: [.placardUserToken: token])

            let exported = try await workspace.backend("/users/export/ids", ["email_address": Self.address])
            #expect(exported.json["users"]?.array?.compactMap { $0["external_id"] } == ["victim"])
            let byPhone = try await workspace.backend("/users/export/ids", ["phone": "+4915"])
            #expect(byPhone.json["users"]?.array?.isEmpty ?? true)
            let deleted = try await workspace.backend("/users/delete", ["phone_numbers": ["+4915"]])
            #expect(deleted.json["deleted"] == 0)

            let update: JSONValue = ["attributes": ["phone": "+4915"]]
            #expect(try await workspace.manage(.patch, "/v1/users/mallory", update).status == 200)
            let confirmed = try await workspace.backend("/users/export/ids", ["phone": "+4915"])
            #expect(confirmed.json["users"]?.array?.compactMap { $0["external_id"] } == ["mallory"])
        }
    }

    @Test("Nothing that is told of a user shows where an address comes from")
    func unseen() async throws {
        try await Workspace.run { workspace in
            try await claim(workspace)
            let user = try await workspace.manage(.get, "/v1/users/mallory")
            #expect(user.json["attributes"]?["email"] == "V@Example.com")
            let exported = try await workspace.backend("/users/export/ids", ["external_ids": ["mallory"]])
            for answer in [user, exported] { #expect(!answer.text.contains("from_device")) }
        }
    }
}
