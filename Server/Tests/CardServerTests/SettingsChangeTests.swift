import CardModel
import Testing
import WireJSON

@testable import CardServer

@Suite("PATCH /v1/settings")
struct SettingsChangeTests {
    @Test("What is left out stays as it is, each of the limits too, and null stands for the default")
    func someSettings() async throws {
        try await Workspace.run { workspace in
            let full = try await workspace.manage(
                .put,
                "/v1/settings",
                [
                    "card_limit": 77, "mask_personal_data": true, "quiet_hours": ["from": "22:00", "to": "07:00"],
                    "token_issuer": "https://id.example.com", "event_days": 90,
                    "rate_limits": ["other": ["requests": 100, "seconds": 1]],
                    "device_limits": ["aliases_per_user": 7],
                ]
            )
            #expect(full.status == 200)
            let changes: JSONValue = [
                "rate_limits": ["users_track": ["requests": 500, "seconds": 1]],
                "device_limits": ["requests_per_user": ["burst": 31, "per_second": 1]], "event_days": .null,
            ]
            let changed = try await workspace.manage(.patch, "/v1/settings", changes)
            #expect(changed.status == 200)
            for name in ["card_limit", "mask_personal_data", "quiet_hours", "token_issuer", "time_zone"] {
                #expect(changed.json[name] == full.json[name], "\(name)")
            }
            #expect(changed.json["event_days"] == .null)
            #expect(changed.json["rate_limits"]?["other"]?["requests"] == 100)
            #expect(changed.json["rate_limits"]?["users_track"]?["requests"] == 500)
            #expect(changed.json["device_limits"]?["aliases_per_user"] == 7)
            #expect(changed.json["device_limits"]?["requests_per_user"]?["burst"] == 31)
            #expect(try await workspace.manage(.get, "/v1/settings").json == changed.json)

            let reset = try await workspace.manage(.patch, "/v1/settings", ["rate_limits": ["other": .null]])
            #expect(reset.json["rate_limits"]?["other"] == nil)
            #expect(reset.json["rate_limits"]?["users_track"]?["requests"] == 500)
        }
    }

    @Test("Changes that are made at the same time all stay")
    func sameTime() async throws {
        try await Workspace.run { workspace in
            let changes: [(String, JSONValue)] = [
                ("card_limit", 77), ("event_days", 90), ("audit_days", 91), ("version_days", 92),
                ("mask_personal_data", true), ("time_zone", "Asia/Tokyo"),
            ]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for (name, value) in changes {
                    group.addTask { try await workspace.manage(.patch, "/v1/settings", [name: value]).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: changes.count))
            let settings = try await workspace.manage(.get, "/v1/settings").json
            for (name, value) in changes { #expect(settings[name] == value, "\(name)") }
        }
    }

    @Test("A setting that there isn't, or that can't be, is refused, and nothing changes")
    func refusals() async throws {
        try await Workspace.run { workspace in
            let before = try await workspace.manage(.get, "/v1/settings").json
            for changes in [["nope": 1], ["card_limit": 0], ["rate_limits": 5]] as [JSONValue] {
                #expect(try await workspace.manage(.patch, "/v1/settings", changes).status == 400, "\(changes.text)")
            }
            #expect(try await workspace.manage(.get, "/v1/settings").json == before)
        }
    }
}
