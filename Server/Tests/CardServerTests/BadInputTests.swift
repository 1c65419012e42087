import Foundation
import HTTPTypes
import Testing
import WireJSON

@testable import CardServer

@Suite("Bad input")
struct BadInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let path: String
        let body: String?
        let status: Int
        let code: String
        var field: String?
        var isManagement = false

        var testDescription: String { "\(method) \(path) \((body ?? "").prefix(60))" }
    }

    private static func sync(_ body: String, _ code: String, _ field: String? = nil, status: Int = 400) -> Case {
        Case(method: .post, path: "/v1/sync", body: body, status: status, code: code, field: field)
    }

    private static func campaign(_ body: String, _ code: String, _ field: String) -> Case {
        Case(
            method: .post,
            path: "/v1/campaigns",
            body: body,
            status: 400,
            code: code,
            field: field,
            isManagement: true
        )
    }

    /// A body in which a name stands twice in an object, of which a filter before the server may take the other value.
    private static func twice(_ method: HTTPRequest.Method, _ path: String, _ body: String) -> Case {
        Case(method: method, path: path, body: body, status: 400, code: "field_repeated", isManagement: true)
    }

    private static let card = #"{"type":"classic","title":"t","description":"d"}"#

    static let cases: [Case] = [
        sync("", "json_invalid"), sync("{", "json_invalid"), sync("[]", "json_invalid"), sync("null", "json_invalid"),
        sync(#"{"user_id":"a","device_id":"d"} x"#, "json_invalid"),
        sync(#"{"user_id":"a","device_id":"\#u{1}"}"#, "json_invalid"),
        sync(#"{"user_id":"a","device_id":"d","events":[{"id":}]}"#, "json_invalid"),
        sync(String(repeating: "[", count: 100_000), "json_invalid"), sync("{}", "field_missing", "user_id"),
        sync(#"{"user_id":"a"}"#, "field_missing", "device_id"),
        sync(#"{"user_id":null,"device_id":"d"}"#, "field_missing", "user_id"),
        sync(#"{"user_id":7,"device_id":"d"}"#, "field_invalid", "user_id"),
        sync(#"{"user_id":"","device_id":"d"}"#, "field_invalid", "user_id"),
        sync(#"{"user_id":"a\u0000b","device_id":"d"}"#, "field_invalid", "user_id"),
        sync(#"{"user_id":"a","user_id":"b","device_id":"d"}"#, "field_repeated"),
        sync(#"{"user_id":"a","device_id":"d","\u0064evice_id":"e"}"#, "field_repeated"),
        sync(#"{"user_id":"a","device_id":"d","events":{}}"#, "field_invalid", "events"),
        sync(#"{"user_id":"a","device_id":"d","sent_at":"now"}"#, "field_invalid", "sent_at"),
        sync(#"{"user_id":"\#(String(repeating: "é", count: 300))","device_id":"d"}"#, "field_invalid", "user_id"),
        Case(method: .get, path: "/v1/live", body: nil, status: 400, code: "field_invalid"),
        Case(method: .get, path: "/v1/nothing", body: nil, status: 404, code: "not_found"),
        Case(method: .put, path: "/v1/content-types", body: #"{"types":[{}]}"#, status: 400, code: "field_invalid"),
        campaign("{}", "field_missing", "name"), campaign(#"{"name":"n"}"#, "field_missing", "variants"),
        campaign(#"{"name":"n","variants":[]}"#, "field_invalid", "variants"),
        campaign(#"{"name":"n","variants":[{"card":{}}]}"#, "field_missing", "variants[0].card.type"),
        campaign(#"{"name":"n","variants":[{"card":{"type":"hologram"}}]}"#, "field_invalid", "variants[0].card.type"),
        campaign(#"{"name":"n","variants":[{"card":{"type":"banner"}}]}"#, "field_missing", "variants[0].card.image"),
        campaign(#"{"name":"n","variants":[{"card":\#(card)}],"colour":1}"#, "field_unknown", "colour"),
        campaign(#"{"name":"n","variants":[{"card":\#(card),"control":true}]}"#, "field_invalid", "variants[0].card"),
        campaign(
            #"{"name":"n","variants":[{"card":\#(card)}],"audience":{"any":[{},"#
                + #"{"attribute":"x","comparison":"like"}]}}"#,
            "field_invalid",
            "audience.any[1].comparison"
        ),
        campaign(
            #"{"name":"n","variants":[{"card":\#(card)}],"delivery":{"start_at":"soon"}}"#,
            "field_invalid",
            "delivery.start_at"
        ),
        campaign(
            #"{"name":"n","variants":[{"card":{"type":"classic","title":"t","description":"d","#
                + #""url":"javascript:1"}}]}"#,
            "field_invalid",
            "variants[0].card.url"
        ),
        campaign(
            #"{"name":"n","variants":[{"card":{"type":"classic","title":"t","description":""#
                + String(repeating: "x", count: 2048) + #""}}]}"#,
            "card_too_large",
            "variants[0].card"
        ),
        Case(
            method: .post,
            path: "/v1/campaigns/none/launch",
            body: nil,
            status: 404,
            code: "not_found",
            isManagement: true
        ),
        Case(
            method: .get,
            path: "/v1/campaigns?limit=0",
            body: nil,
            status: 400,
            code: "field_invalid",
            isManagement: true
        ),
        Case(
            method: .put,
            path: "/v1/settings",
            body: #"{"time_zone":"Mars/Olympus"}"#,
            status: 400,
            code: "field_invalid",
            field: "time_zone",
            isManagement: true
        ),
        Case(
            method: .patch,
            path: "/v1/users/ann",
            body: #"{"attributes":{"time_zone":"Mars/X"}}"#,
            status: 400,
            code: "field_invalid",
            field: "attributes.time_zone",
            isManagement: true
        ),
        Case(
            method: .patch,
            path: "/v1/users/ann",
            body: #"{"attributes":{"dob":"yesterday"}}"#,
            status: 400,
            code: "field_invalid",
            field: "attributes.dob",
            isManagement: true
        ),
        Case(
            method: .patch,
            path: "/v1/users/ann",
            body: #"{"attributes":{"gender":"unicorn"}}"#,
            status: 400,
            code: "field_invalid",
            field: "attributes.gender",
            isManagement: true
        ),
        Case(
            method: .put,
            path: "/v1/settings",
            body: nil,
            status: 400,
            code: "field_missing",
            field: "body",
            isManagement: true
        ),
        Case(
            method: .post,
            path: "/v1/campaigns/none/launch",
            body: "[]",
            status: 400,
            code: "field_invalid",
            field: "body",
            isManagement: true
        ),
        Case(
            method: .put,
            path: "/v1/settings",
            body: #"{"public_keys":[{"id":"k","pem":"nonsense"}]}"#,
            status: 400,
            code: "field_invalid",
            field: "public_keys[0].pem",
            isManagement: true
        ),
        Case(
            method: .patch,
            path: "/v1/users/ann",
            body: #"{"attributes":{"shoe_size":44}}"#,
            status: 400,
            code: "field_unknown",
            field: "attributes.shoe_size",
            isManagement: true
        ),
        twice(
            .post,
            "/v1/keys",
            #"{"kind":"secret","name":"d","permissions":["read"],"permissions":["manage"]}"#
        ),
        twice(.put, "/v1/content-blocks/x", #"{"content":"a","content":"b"}"#),
        twice(.put, "/v1/settings", #"{"time_zone":"UTC","time\u005fzone":"UTC"}"#),
        twice(.patch, "/v1/users/ann", #"{"custom_attributes":{"a":{"b":[{"c":1,"c":2}]}}}"#),
        twice(.post, "/users/track", #"{"attributes":[],"attributes":[{"external_id":"ann"}]}"#),
        twice(.post, "/users/track", #"{"attributes":[{"external_id":"ann","external_id":"bob"}]}"#),
        twice(.post, "/users/track", #"{"purchases":[{"external_id":"ann","price":1,"price":2}]}"#),
        twice(.post, "/users/delete", #"{"external_ids":["ann"],"external_ids":["bob"]}"#),
        // The last one, since the connection of a body that isn't read to its end is closed.
        sync(
            #"{"user_id":"a","device_id":"\#(String(repeating: "x", count: 1 << 20))"}"#,
            "body_too_large",
            status: 413
        ),
    ]

    @Test("Each has a status, a code that stays the same and the place of the error, and nothing of it is kept")
    func refused() async throws {
        try await Workspace.run { workspace in
            for input in Self.cases {
                let answer = try await workspace.send(
                    input.method,
                    input.path,
                    raw: input.body,
                    key: input.isManagement ? workspace.secret : workspace.publishable
                )
                #expect(answer.status == input.status, "\(input.testDescription)")
                #expect(answer.code == input.code, "\(input.testDescription)")
                if let field = input.field { #expect(answer.path == field, "\(input.testDescription)") }
                let users = try await workspace.store.userCount()
                let campaigns = try await workspace.store.listCampaigns(status: nil, limit: 10, offset: 0)
                #expect(users == 0 && campaigns.isEmpty, "\(input.testDescription)")
            }
        }
    }

    @Test(
        "Ids of any Unicode work all the way",
        arguments: ["ユーザー🎴", "a/b?c=d&e#f", "\"quoted\\\"", "e\u{301}", "é", " "]
    )
    func unicodeIDs(user: String) async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome", audience: ["users": [.string(user)]])
            let reply = try await workspace.sync(user)
            let card = try #require(reply.cards.first?["id"]?.string)
            let after = try await workspace.sync(user, cursor: reply.cursor, events: [workspace.event("click", card)])
            #expect(after.json["events"]?["accepted"] == 1)
            #expect(try await workspace.totals("welcome")["clicks"] == 1)
            let path = user.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? user
            #expect(try await workspace.manage(.get, "/v1/users/\(path)").json["user_id"] == .string(user))
        }
    }
}
