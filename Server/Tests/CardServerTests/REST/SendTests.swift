import CardModel
import Testing
import WireJSON

@testable import CardServer

@Suite("POST /campaigns/trigger/send")
struct SendTests {
    private static let api: JSONValue = ["type": "api_triggered"]

    private static func recipients(_ ids: [String]) -> JSONValue {
        .array(ids.map { ["external_user_id": .string($0)] })
    }

    private static func make(_ ids: [String], in workspace: Workspace) async throws {
        let attributes = ids.map { JSONValue.object(["external_id": .string($0), "plan": "gold"]) }
        _ = try await workspace.backend("/users/track", ["attributes": .array(attributes)])
    }

    private static func cards(_ user: String, in workspace: Workspace) async throws -> Int? {
        try await workspace.sync(user).json["cards"]?.array?.count
    }

    @Test("Of fifty recipients, one unknown and one malformed, forty-eight get the card, and the reply names the two")
    func partial() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: Self.api)
            let known = (0..<48).map { "user-\($0)" }
            try await Self.make(known, in: workspace)
            var recipients = Self.recipients(known).array ?? []
            recipients.insert(["external_user_id": "nobody"], at: 7)
            recipients.insert(["trigger_properties": ["tile_id": "x"]], at: 20)

            let reply = try await workspace.backend(
                "/campaigns/trigger/send",
                [
                    "campaign_id": "tiles", "broadcast": false, "trigger_properties": ["tile_id": "t1"],
                    "recipients": .array(recipients),
                ]
            )

            #expect(reply.status == 201)
            #expect(reply.json["message"] == "success")
            #expect(reply.json["dispatch_id"]?.string?.isEmpty == false)
            #expect(
                reply.json["errors"]?.array?.map { [$0["input_array"], $0["index"]] } == [
                    ["recipients", 7], ["recipients", 20],
                ]
            )
            for user in ["user-0", "user-47"] { #expect(try await Self.cards(user, in: workspace) == 1) }
            #expect(try await workspace.store.userState(of: UserID(rawValue: "nobody")) == nil)
        }
    }

    @Test("Fifty-one recipients are refused, and so is a send to nobody or to a campaign that there is not")
    func refusals() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: Self.api)
            try await workspace.launch("always")
            let many = Self.recipients((0..<51).map { "user-\($0)" })
            let ann = Self.recipients(["ann"])
            for (body, status, code): (JSONValue, Int, JSONValue) in [
                (["campaign_id": "tiles", "recipients": many], 400, "too_many_recipients"),
                (["campaign_id": "tiles"], 400, "no_recipients"),
                (["campaign_id": "tiles", "broadcast": true, "recipients": ann], 400, "field_invalid"),
                (["campaign_id": "none", "recipients": ann], 400, "campaign_unknown"),
                (["recipients": ann], 400, "campaign_unknown"),
                (["campaign_id": "always", "recipients": ann], 400, "campaign_not_api_triggered"),
                (["campaign_id": "tiles", "recipients": ann, "trigger_properties": 5], 400, "field_invalid"),
            ] {
                let reply = try await workspace.backend("/campaigns/trigger/send", body)
                #expect(reply.status == status, "\(reply.text)")
                #expect(reply.json["error"]?["code"] == code, "\(reply.text)")
                #expect(reply.json["message"]?.string?.isEmpty == false)
            }
            _ = try await workspace.manage(.post, "/v1/campaigns/tiles/pause")
            let attributes: JSONValue = [
                [
                    "external_user_id": "ann", "send_to_existing_only": false,
                    "attributes": ["plan": "gold"],
                ]
            ]
            let paused = try await workspace.backend(
                "/campaigns/trigger/send",
                ["campaign_id": "tiles", "recipients": attributes]
            )
            #expect(paused.status == 409)
            #expect(try await workspace.store.userCount() == 0)
        }
    }

    @Test("Attributes are set and users made before anything is sent")
    func attributes() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch(
                "tiles",
                audience: [
                    "custom_attribute": ["custom_attribute_name": "plan", "comparison": "equals", "value": "gold"]
                ],
                delivery: Self.api
            )
            let reply = try await workspace.backend(
                "/campaigns/trigger/send",
                [
                    "campaign_id": "tiles",
                    "recipients": [
                        [
                            "external_user_id": "ann", "send_to_existing_only": false,
                            "attributes": ["plan": "gold", "first_name": "Ann"],
                        ],
                        ["external_user_id": "bob", "send_to_existing_only": false],
                    ],
                ]
            )
            #expect(reply.json["errors"]?.array?.map { $0["index"] } == [1])
            #expect(try await Self.cards("ann", in: workspace) == 1)
            #expect(try await workspace.exported("ann")["first_name"] == "Ann")
        }
    }

    @Test("A user who is named twice gets one card, by alias as well as by id")
    func duplicates() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: Self.api)
            try await Self.make(["ann"], in: workspace)
            let alias: JSONValue = ["external_id": "ann", "alias_name": "1", "alias_label": "x"]
            _ = try await workspace.backend("/users/alias/new", ["user_aliases": [alias]])
            let reply = try await workspace.backend(
                "/campaigns/trigger/send",
                [
                    "campaign_id": "tiles",
                    "recipients": [
                        ["external_user_id": "ann", "trigger_properties": ""],
                        ["user_alias": ["alias_name": "1", "alias_label": "x"]], ["external_user_id": "ann"],
                    ],
                ]
            )
            #expect(reply.json["errors"] == nil)
            #expect(try await Self.cards("ann", in: workspace) == 1)
        }
    }

    @Test("A send that is repeated under its id gives no second card")
    func repeats() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: Self.api)
            try await Self.make(["ann"], in: workspace)
            let body: JSONValue = [
                "campaign_id": "tiles", "send_id": "order-1", "recipients": Self.recipients(["ann"]),
            ]
            for round in 0..<2 {
                let reply = try await workspace.backend("/campaigns/trigger/send", body)
                #expect(reply.json["message"] == "success" && reply.json["errors"] == nil)
                #expect(reply.json["dispatch_id"] == "order-1" && reply.json["send_id"] == "order-1")
                #expect(reply.json["duplicate"] == (round == 0 ? nil : 1))
                #expect(try await Self.cards("ann", in: workspace) == 1)
            }
        }
    }

    @Test("An audience narrows recipients and broadcasts")
    func audience() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: Self.api)
            try await workspace.launch("all", delivery: Self.api)
            try await Self.make(["ann", "bob"], in: workspace)
            _ = try await workspace.backend("/users/track", ["attributes": [["external_id": "bob", "plan": "silver"]]])
            let gold: JSONValue = [
                "AND": [
                    ["custom_attribute": ["custom_attribute_name": "plan", "comparison": "equals", "value": "gold"]]
                ]
            ]
            _ = try await workspace.backend(
                "/campaigns/trigger/send",
                ["campaign_id": "tiles", "audience": gold, "recipients": Self.recipients(["ann", "bob"])]
            )
            #expect(try await Self.cards("ann", in: workspace) == 1)
            #expect(try await Self.cards("bob", in: workspace) == 0)

            let broadcast = try await workspace.backend(
                "/campaigns/trigger/send",
                ["campaign_id": "all", "audience": gold, "broadcast": true]
            )
            #expect(broadcast.status == 201)
            #expect(try await Self.cards("ann", in: workspace) == 2)
            #expect(try await Self.cards("bob", in: workspace) == 0)
        }
    }

    @Test(
        "An audience alone, or beside an empty list of recipients, is no broadcast",
        arguments: [[], nil, .null] as [JSONValue?]
    )
    func noBroadcast(_ recipients: JSONValue?) async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: Self.api)
            try await Self.make(["ann"], in: workspace)
            var body: JSONObject = ["campaign_id": "tiles", "audience": [:]]
            body["recipients"] = recipients
            let reply = try await workspace.backend("/campaigns/trigger/send", .object(body))
            #expect(reply.status == 400, "\(reply.text)")
            #expect(try await Self.cards("ann", in: workspace) == 0)
        }
    }

    @Test("A scheduled send comes when its time has come, and can be put off and called off before")
    func schedule() async throws {
        try await Workspace.run { workspace in
            for id in ["tiles", "gone"] { try await workspace.launch(id, delivery: Self.api) }
            try await Self.make(["ann"], in: workspace)
            func schedule(_ campaign: String, at time: UnixTime) async throws -> JSONValue {
                let reply = try await workspace.backend(
                    "/campaigns/trigger/schedule/create",
                    [
                        "campaign_id": .string(campaign), "recipients": Self.recipients(["ann"]),
                        "schedule": ["time": .string(Timestamp.text(of: time))],
                    ]
                )
                #expect(reply.status == 201)
                return reply.json["schedule_id"] ?? .null
            }
            let start = workspace.time.now
            let kept = try await schedule("tiles", at: start + 60)
            let gone = try await schedule("gone", at: start + 60)
            let update = try await workspace.backend(
                "/campaigns/trigger/schedule/update",
                [
                    "campaign_id": "tiles", "schedule_id": kept,
                    "schedule": ["time": .string(Timestamp.text(of: start + 600))],
                ]
            )
            #expect(update.json == ["message": "success"])
            let delete = try await workspace.backend(
                "/campaigns/trigger/schedule/delete",
                ["campaign_id": "gone", "schedule_id": gone]
            )
            #expect(delete.json == ["message": "success"])

            workspace.time.advance(by: 120)
            #expect(try await Self.cards("ann", in: workspace) == 0)
            workspace.time.advance(by: 600)
            #expect(try await workspace.sync("ann").json["cards"]?.array?.first?["campaign_id"] == "tiles")
            #expect(try await Self.cards("ann", in: workspace) == 1)
            let late = try await workspace.backend(
                "/campaigns/trigger/schedule/delete",
                ["campaign_id": "tiles", "schedule_id": kept]
            )
            #expect(late.status == 400)
            #expect(late.json["error"]?["code"] == "schedule_unknown")
        }
    }

    @Test("A scheduled broadcast can be put off and called off too")
    func scheduledBroadcast() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: Self.api)
            try await Self.make(["ann"], in: workspace)
            let made = try await workspace.backend(
                "/campaigns/trigger/schedule/create",
                [
                    "campaign_id": "tiles", "broadcast": true,
                    "schedule": ["time": "2027-01-15T12:00:00", "in_local_time": true],
                ]
            )
            let key: JSONValue = ["campaign_id": "tiles", "schedule_id": made.json["schedule_id"] ?? .null]
            #expect(try await workspace.backend("/campaigns/trigger/schedule/delete", key).status == 400)
            workspace.time.advance(by: -86_400)
            #expect(try await workspace.backend("/campaigns/trigger/schedule/delete", key).status == 201)
            workspace.time.advance(by: 3 * 86_400)
            #expect(try await Self.cards("ann", in: workspace) == 0)
        }
    }

    @Test("A time that has passed, or is none, is refused")
    func badTimes() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: Self.api)
            for schedule: JSONValue in [
                .null, [:], ["time": "soon"], ["time": "2020-01-01T00:00:00Z"],
                ["time": "2028-03-01T00:00:00Z", "in_local_time": true], ["time": "soonZ", "in_local_time": true],
                ["time": "2027-02-30T00:00:00Z", "in_local_time": true], ["time": "Z", "in_local_time": true],
                ["time": "2027-02-01T09:00:00", "in_local_time": "yes"], ["time": "2027-02-01", "at_optimal_time": 1],
            ] {
                let reply = try await workspace.backend(
                    "/campaigns/trigger/schedule/create",
                    ["campaign_id": "tiles", "broadcast": true, "schedule": schedule]
                )
                #expect(reply.status == 400, "\(schedule)")
            }
        }
    }

    @Test(
        "A local time may name a zone, as the documented examples do: each user's clock decides",
        arguments: [
            "2027-01-20T09:00:00Z", "2027-01-20T09:00:00+09:00", "2027-01-20 09:00:00-0500", "2027-01-20T09:00:00",
        ]
    )
    func localTimeWithZone(time: String) async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: Self.api)
            _ = try await workspace.backend(
                "/users/track",
                ["attributes": [["external_id": "ann", "time_zone": "America/New_York"]]]
            )
            let made = try await workspace.backend(
                "/campaigns/trigger/schedule/create",
                [
                    "campaign_id": "tiles", "recipients": Self.recipients(["ann"]),
                    "schedule": ["time": "2027-01-19T00:00:00Z", "in_local_time": true],
                ]
            )
            #expect(made.status == 201)
            let updated = try await workspace.backend(
                "/campaigns/trigger/schedule/update",
                [
                    "campaign_id": "tiles", "schedule_id": made.json["schedule_id"] ?? .null,
                    "schedule": ["time": .string(time), "in_local_time": true],
                ]
            )
            #expect(updated.json == ["message": "success"])
            // Nine o'clock in New York.
            let due = try #require(Timestamp.unixTime(of: "2027-01-20T14:00:00Z"))
            workspace.time.advance(by: due - 1 - workspace.time.now)
            #expect(try await Self.cards("ann", in: workspace) == 0)
            workspace.time.advance(by: 1)
            #expect(try await Self.cards("ann", in: workspace) == 1)
        }
    }

    @Test("Broadcasts have an allowance of their own")
    func broadcastLimit() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("tiles", delivery: Self.api)
            _ = try await workspace.manage(
                .put,
                "/v1/settings",
                ["rate_limits": ["trigger_broadcast": ["requests": 1, "seconds": 60]]]
            )
            let body: JSONValue = ["campaign_id": "tiles", "broadcast": true]
            #expect(try await workspace.backend("/campaigns/trigger/send", body).status == 201)
            #expect(try await workspace.backend("/campaigns/trigger/send", body).status == 429)
        }
    }
}
