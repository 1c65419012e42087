import CardModel
import Testing
import WireJSON

@testable import CardServer

@Suite("Sends under an id that was used before, and as many as may wait")
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

    @Test("A schedule beyond what may wait for a user is refused, and the user's sync answers with what is due")
    func limited() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: ["type": "api_triggered"])
            _ = try await workspace.backend("/users/track", ["attributes": [["external_id": "ann"]]])
            let now = workspace.time.now
            for number in 0..<Trigger.TriggerLoad.limit {
                let trigger = Trigger(
                    id: TriggerID(rawValue: "\(number)"),
                    campaign: CampaignID(rawValue: "tiles"),
                    at: now,
                    due: .at(number == 0 ? now + 60 : now + 86_400),
                    until: now + 90_000
                )
                let send = TriggerSend(trigger, to: [.init(UserID(rawValue: "ann"))], isScheduled: true)
                #expect(try await workspace.store.sendTriggers(send).accepted == 1)
            }
            let body: JSONValue = [
                "campaign_id": "tiles", "recipients": [["external_user_id": "ann"]],
                "schedule": ["time": .string(Timestamp.text(of: now + 600))],
            ]
            let reply = try await workspace.backend("/campaigns/trigger/schedule/create", body)
            #expect(reply.status == 409 && reply.code == "limit_reached")

            #expect(try await workspace.sync("ann").json["cards"]?.array?.isEmpty == true)
            workspace.time.advance(by: 60)
            #expect(try await workspace.sync("ann").json["cards"]?.array?.count == 1)
            #expect(try await workspace.backend("/campaigns/trigger/schedule/create", body).status == 201)
        }
    }
}
