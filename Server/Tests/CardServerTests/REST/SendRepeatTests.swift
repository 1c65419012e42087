import CardModel
import Testing
import WireJSON

@testable import CardServer

@Suite("Sends under an id that was used before")
struct SendRepeatTests {
    @Test("A reply says for how many nothing was kept, as their send waits under its id or has given its card")
    func told() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: ["type": "api_triggered"])
            let (ann, bob): (JSONValue, JSONValue) = (["external_id": "ann"], ["external_id": "bob"])
            _ = try await workspace.backend("/users/track", ["attributes": [ann, bob]])
            let start = workspace.time.now
            func schedule(_ users: [String], after seconds: Double) async throws -> JSONValue {
                let body: JSONValue = [
                    "campaign_id": "tiles", "send_id": "morning",
                    "recipients": .array(users.map { ["external_user_id": .string($0)] }),
                    "schedule": ["time": .string(Timestamp.text(of: start + seconds))],
                ]
                return try await workspace.backend("/campaigns/trigger/schedule/create", body).json
            }
            let first = try await schedule(["ann"], after: 60)
            #expect(first["schedule_id"] == "morning" && first["accepted"] == nil && first["duplicate"] == nil)
            let moved = try await schedule(["ann"], after: 600)
            #expect(moved["accepted"] == 0 && moved["duplicate"] == 1)
            let more = try await schedule(["ann", "bob"], after: 60)
            #expect(more["accepted"] == 1 && more["duplicate"] == 1)

            workspace.time.advance(by: 120)
            #expect(try await workspace.sync("ann").json["cards"]?.array?.count == 1)
            let body: JSONValue = [
                "campaign_id": "tiles", "send_id": "morning", "recipients": [["external_user_id": "ann"]],
            ]
            let sent = try await workspace.backend("/campaigns/trigger/send", body).json
            #expect(sent["send_id"] == "morning" && sent["accepted"] == 0 && sent["duplicate"] == 1)
        }
    }
}
