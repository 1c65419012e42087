import HTTPTypes
import Testing
import WireJSON

@testable import CardServer

struct ErrorTextTests {
    @Test(arguments: [
        ("/v1/campaigns?limit=1001", "limit has to be a whole number from 1 to 1000."),
        ("/v1/segments?offset=-1", "offset has to be a whole number from 0 to 10000000."),
        ("/v1/campaigns?status=on", "status has to be one of draft, active, paused, stopped, archived."),
        ("/v1/events/export?format=xml", "format has to be jsonl or csv."),
        ("/v1/segments?include_archived=1", "include_archived has to be true or false."),
        ("/v1/audit/export?after=-1", "after has to be a whole number from 0."),
        ("/v1/users/ann/explain?at=soon", "at has to be \(Expected.time)."),
    ])
    func `A parameter that can't be taken is answered with what can`(path: String, message: String) async throws {
        try await Workspace.run { workspace in
            let answer = try await workspace.manage(.get, path)
            #expect(answer.status == 400 && answer.code == "field_invalid")
            #expect(answer.json["error"]?["message"] == .string(message))
        }
    }

    @Test func `A field that can't be taken is answered with what can`() async throws {
        try await Workspace.run { workspace in
            for (method, path, body, message) in [
                (
                    .put, "/v1/webhook", ["url": "ftp://a.example"],
                    "url has to be an http or https URL of at most 2048 bytes."
                ),
                (
                    .post, "/v1/campaigns/tile/trigger", ["create_users": 1, "recipients": []],
                    "create_users has to be true or false."
                ),
                (
                    .post, "/v1/campaigns/tile/trigger", ["recipients": [["user_id": ""]]],
                    "recipients[0].user_id has to be 1 to 512 bytes without control or directional characters."
                ),
                (.post, "/v1/campaigns/tile/trigger", [], "body has to be a JSON object."),
            ] as [(HTTPRequest.Method, String, JSONValue, String)] {
                let answer = try await workspace.manage(method, path, body)
                #expect(answer.status == 400 && answer.code == "field_invalid", "\(path)")
                #expect(answer.json["error"]?["message"] == .string(message))
            }
            let event: JSONValue = [
                "id": "0198f0a0-0000-7000-8000-000000000001", "type": "purchase", "product_id": "p",
                "currency": "Euro", "price": 1, "at": .number(workspace.time.now),
            ]
            let sync = try await workspace.sync("ann", events: [event])
            let rejected = sync.json["events"]?["rejected"]?.array?.first
            #expect(rejected?["message"] == "currency has to be a code of ISO 4217.")
        }
    }

    @Test func `An attribute that can't be taken is answered with its values`() async throws {
        try await Workspace.run { workspace in
            let objects: JSONValue = [
                ["external_id": "ann", "gender": "female"], ["external_id": "ann", "dob": "31.12.1990"],
                ["external_id": "ann", "email_subscribe": "unsubscribe"],
            ]
            let answer = try await workspace.backend("/users/track", ["attributes": objects])
            #expect(
                answer.json["errors"]?.array?.map { $0["type"] } == [
                    "'gender' has to be M, F, O, N or P", "'dob' has to be a date such as 1990-12-31",
                    "'email_subscribe' has to be opted_in, subscribed or unsubscribed",
                ]
            )
        }
    }

    @Test func `A wish about messages is one of three, however it is set`() async throws {
        try await Workspace.run { workspace in
            let wishes: JSONValue = ["attributes": ["email_subscribe": "subscribed", "push_subscribe": "opted_in"]]
            #expect(try await workspace.manage(.patch, "/v1/users/ann", wishes).status == 200)
            for name in ["email_subscribe", "push_subscribe"] {
                let wrong: JSONValue = ["attributes": [name: "yes"]]
                let answer = try await workspace.manage(.patch, "/v1/users/ann", wrong)
                #expect(answer.code == "field_invalid" && answer.path == "attributes.\(name)")
            }
            #expect(try await workspace.exported("ann")["email_subscribe"] == "subscribed")
        }
    }

    @Test func `A user to identify is named in one of the ways that there are`() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.backend("/users/track", ["attributes": [["external_id": "ann"]]])
            let answer = try await workspace.backend(
                "/users/identify",
                ["aliases_to_identify": [["external_id": "bob", "none": "ann"]]]
            )
            #expect(answer.status == 400)
            let type = answer.json["errors"]?.array?.first?["type"]
            #expect(type == "One of 'user_alias', 'braze_id', 'email' or 'phone' is required")
        }
    }

    @Test func `Where no user of a request can be one, the first is named with the reason`() async throws {
        try await Workspace.run { workspace in
            let wrong: JSONValue = [["alias_label": "x"], 7]
            for path in ["/users/alias/new", "/users/delete"] {
                let answer = try await workspace.backend(path, ["user_aliases": wrong])
                #expect(answer.status == 400 && answer.code == "field_invalid", "\(path)")
                #expect(answer.path == "user_aliases[0]", "\(path)")
                let type = try #require(answer.json["errors"]?.array?.first?["type"]?.string)
                #expect(answer.json["message"]?.string == "'user_aliases[0]' can't be used: \(type).")
                #expect(answer.json["errors"]?.array?.count == 2)
                let empty = try await workspace.backend(path, ["user_aliases": []])
                #expect(empty.status == 400 && empty.code == "field_missing", "\(path)")
            }
        }
    }

    @Test func `An export refuses a field that there isn't, and takes those that are known elsewhere`() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.backend("/users/track", ["attributes": [["external_id": "ann", "bio": "Tea"]]])
            let answer = try await workspace.backend(
                "/users/export/ids",
                ["external_ids": ["ann"], "fields_to_export": ["external_id", "fist_name"]]
            )
            #expect(answer.status == 400 && answer.path == "fields_to_export[1]")
            #expect(answer.json["message"]?.string?.contains("first_name") == true)
            let fields = JSONValue.array(UserExport.fieldNames.sorted().map(JSONValue.string))
            let all = try await workspace.backend(
                "/users/export/ids",
                ["external_ids": ["ann"], "fields_to_export": fields]
            )
            #expect(all.json["users"] == .array([try await workspace.exported("ann")]))
        }
    }

    @Test func `An export of too many users says how many are possible`() async throws {
        try await Workspace.run { workspace in
            let ids = JSONValue.array((0..<51).map { .string("user-\($0)") })
            let answer = try await workspace.backend("/users/export/ids", ["external_ids": ids])
            #expect(answer.status == 400 && answer.code == "too_many_users")
            #expect(answer.json["message"]?.string?.hasSuffix("exceeded: 50 are possible.") == true)
        }
    }
}
