import CardModel
import Testing
import WireJSON

@testable import CardServer

@Suite("POST /users/track")
struct TrackTests {
    @Test("Attributes, events and purchases are kept, and the reply counts them")
    func everything() async throws {
        try await Workspace.run { workspace in
            let reply = try await workspace.backend(
                "/users/track",
                [
                    "attributes": [
                        [
                            "external_id": "ann", "first_name": "Ann", "email": "ann@example.com", "plan": "gold",
                            "visits": ["inc": 2], "push_tokens": [["app_id": "x", "token": "y"]],
                        ]
                    ],
                    "events": [
                        [
                            "external_id": "ann", "app_id": "app", "name": "rented_movie",
                            "time": "2026-07-16T19:20:45+01:00", "properties": ["movie": "The Egg"],
                        ]
                    ],
                    "purchases": [
                        [
                            "external_id": "ann", "product_id": "backpack", "currency": "usd", "price": 40.5,
                            "quantity": 2, "time": "2026-07-16T19:20:30Z",
                        ]
                    ],
                ]
            )
            #expect(reply.status == 201)
            #expect(
                reply.json == [
                    "message": "success", "attributes_processed": 1, "events_processed": 1, "purchases_processed": 1,
                ]
            )
            let user = try await workspace.exported("ann")
            #expect(user["first_name"] == "Ann")
            #expect(user["custom_attributes"] == ["plan": "gold", "visits": 2])
            #expect(user["custom_events"]?.array?.first?["first"] == "2026-07-16T18:20:45.000Z")
            #expect(user["purchases"]?.array?.first?["count"] == 2)
            #expect(user["total_revenue"] == 81)
            let events = try await workspace.manage(.get, "/v1/users/ann/events").json["events"]?.array
            #expect(events?.last?["details"]?["properties"] == ["movie": "The Egg"])
        }
    }

    @Test("What is wrong is named by its place, and the rest is kept")
    func partial() async throws {
        try await Workspace.run { workspace in
            let reply = try await workspace.backend(
                "/users/track",
                [
                    "attributes": [
                        ["plan": "gold"], ["external_id": "ann", "plan": "gold"],
                        ["external_id": "ann", "gender": "unicorn"], ["external_id": ["a"], "plan": "x"],
                    ],
                    "events": [
                        ["external_id": "ann", "name": "seen", "time": "yesterday"],
                        ["external_id": "ann", "name": "seen", "time": "2026-07-16T19:20:45Z"],
                    ],
                    "purchases": [
                        [
                            "external_id": "ann", "product_id": "x", "currency": "dollars", "price": 1,
                            "time": "2026-07-16T19:20:45Z",
                        ]
                    ],
                ]
            )
            #expect(reply.status == 201)
            #expect(reply.json["message"] == "success")
            #expect(reply.json["attributes_processed"] == 1)
            #expect(reply.json["events_processed"] == 1)
            let errors = reply.json["errors"]?.array ?? []
            #expect(
                errors.map { [$0["input_array"], $0["index"]] } == [
                    ["attributes", 0], ["attributes", 2], ["attributes", 3], ["events", 0], ["purchases", 0],
                ]
            )
            #expect(errors.first?["type"]?.string?.contains("external_id") == true)
            #expect(try await workspace.exported("ann")["custom_attributes"] == ["plan": "gold"])
        }
    }

    @Test("A request of which nothing can be taken is refused, with the reasons")
    func nothing() async throws {
        try await Workspace.run { workspace in
            for body: JSONValue in [
                [:], ["attributes": [], "events": [], "purchases": []], ["events": [["name": "x"]]],
            ] {
                let reply = try await workspace.backend("/users/track", body)
                #expect(reply.status == 400)
                #expect(reply.json["message"]?.string?.hasPrefix("Valid data must be provided") == true)
                #expect(reply.json["error"]?["code"] == "nothing_to_do")
                #expect(reply.json["errors"]?.array?.count == (body["events"]?.array?.count ?? 0))
            }
        }
    }

    @Test("Seventy-five objects of each kind fit, and not one more")
    func limits() async throws {
        try await Workspace.run { workspace in
            let attributes = (0..<76).map { JSONValue.object(["external_id": .string("user-\($0)"), "n": 1]) }
            let full = try await workspace.backend("/users/track", ["attributes": .array(Array(attributes.prefix(75)))])
            #expect(full.json["attributes_processed"] == 75)
            let over = try await workspace.backend("/users/track", ["attributes": .array(attributes)])
            #expect(over.status == 400)
            #expect(over.json["message"]?.string?.hasPrefix("Max Input Length Exceeded") == true)
            #expect(try await workspace.store.userCount() == 75)
        }
    }

    @Test("A repeated request counts once, and two alike in one request count twice")
    func repeats() async throws {
        try await Workspace.run { workspace in
            let event: JSONValue = ["external_id": "ann", "name": "seen", "time": "2026-07-16T19:20:45Z"]
            let body: JSONValue = ["events": [event, event]]
            for _ in 0..<3 { #expect(try await workspace.backend("/users/track", body).json["events_processed"] == 2) }
            #expect(try await workspace.exported("ann")["custom_events"]?.array?.first?["count"] == 2)
            let own: JSONValue = [
                "external_id": "ann", "name": "seen", "time": "2026-07-16T19:20:45Z",
                "id": "0190b2f0-5f3e-7cc1-8000-000000000001",
            ]
            for _ in 0..<2 { _ = try await workspace.backend("/users/track", ["events": [own]]) }
            #expect(try await workspace.exported("ann")["custom_events"]?.array?.first?["count"] == 3)
        }
    }

    @Test("The order of an object's members makes no other event of it")
    func repeatsInAnotherOrder() async throws {
        try await Workspace.run { workspace in
            let bodies = [
                #"{"events":[{"external_id":"ann","name":"seen","time":"2026-07-16T19:20:45Z","#
                    + #""properties":{"a":[{"x":1,"y":2}],"b":2}}]}"#,
                #"{"events":[{"properties":{"b":2,"a":[{"y":2,"x":1}]},"time":"2026-07-16T19:20:45Z","#
                    + #""name":"seen","external_id":"ann"}]}"#,
                #"{"events":[{"external_id":"ann","name":"seen","time":"2026-07-16T19:20:45Z","#
                    + #""properties":{"a":[{"x":2,"y":2}],"b":2}}]}"#,
            ]
            for (body, count) in zip(bodies, [1, 1, 2]) {
                let reply = try await workspace.send(.post, "/users/track", raw: body, key: workspace.secret)
                #expect(reply.json["events_processed"] == 1)
                #expect(
                    try await workspace.exported("ann")["custom_events"]?.array?.first?["count"]
                        == .integer(Int64(count))
                )
            }
        }
    }

    @Test(
        "A change that is spelt wrong leaves the value alone and is named",
        arguments: [
            #"{"inc":"x"}"#, #"{"inc":null}"#, #"{"inc":[1]}"#, #"{"add":"tea"}"#,
            #"{"add":["tea"],"remove":"coffee"}"#,
            #"{"remove":null}"#,
        ]
    )
    func wrongOperations(change: String) async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.backend("/users/track", ["attributes": [["external_id": "ann", "visits": 3]]])
            let reply = try await workspace.backend(
                "/users/track",
                [
                    "attributes": [
                        ["external_id": "ann", "visits": try JSONValue(parsing: change)],
                        ["external_id": "bob", "visits": 1],
                    ]
                ]
            )
            #expect(reply.json["attributes_processed"] == 1)
            #expect(reply.json["errors"]?.array?.map { $0["index"] } == [0])
            #expect(try await workspace.exported("ann")["custom_attributes"] == ["visits": 3])
        }
    }

    @Test("Zones and countries are read as the documented API does, and what is unknown costs nothing else")
    func zonesAndCountries() async throws {
        try await Workspace.run { workspace in
            let cases: [(zone: String, zoneAfter: JSONValue?, country: String, countryAfter: JSONValue?)] = [
                ("Asia/Tokyo", "Asia/Tokyo", "jp", "JP"),
                ("Eastern Time (US & Canada)", "America/New_York", "Australia", "AU"),
                // The zone stays, the country goes.
                ("Mars/Olympus", "America/New_York", "Atlantis", nil),
                ("Kyiv", "Europe/Kiev", "DEU", "DE"), ("", "Europe/Kiev", "côte d'ivoire", "CI"),
                ("UTC", "UTC", "The Netherlands", "NL"), ("Osaka", "Asia/Tokyo", "United States of America", "US"),
            ]
            for (number, (zone, zoneAfter, country, countryAfter)) in cases.enumerated() {
                let reply = try await workspace.backend(
                    "/users/track",
                    [
                        "attributes": [
                            [
                                "external_id": "ann", "time_zone": .string(zone), "country": .string(country),
                                "number": .integer(Int64(number)),
                            ]
                        ]
                    ]
                )
                #expect(reply.json == ["message": "success", "attributes_processed": 1])
                let user = try await workspace.exported("ann")
                #expect(user["time_zone"] == zoneAfter, "\(zone)")
                #expect(user["country"] == countryAfter, "\(country)")
                #expect(user["custom_attributes"] == ["number": .integer(Int64(number))])
            }
        }
    }

    @Test(
        "A zone or country that isn't even a text costs nothing else either",
        arguments: [5, true, [:], ["JP"]] as [JSONValue]
    )
    func wrongZones(_ wrong: JSONValue) async throws {
        try await Workspace.run { workspace in
            for (zone, country) in [("Asia/Tokyo" as JSONValue, "JP" as JSONValue), (wrong, wrong)] {
                let reply = try await workspace.backend(
                    "/users/track",
                    ["attributes": [["external_id": "ann", "time_zone": zone, "country": country, "plan": "gold"]]]
                )
                #expect(reply.json == ["message": "success", "attributes_processed": 1])
            }
            let user = try await workspace.exported("ann")
            #expect(user["time_zone"] == "Asia/Tokyo" && user["country"] == nil)
            #expect(user["custom_attributes"] == ["plan": "gold"])
        }
    }

    @Test("Every zone that has a name of its own is in the database of this machine")
    func zoneNames() {
        for name in TimeZoneName.all {
            #expect(TimeZoneName.identifier(of: name).flatMap(TimeZoneClock.init(named:)) != nil)
        }
    }

    @Test("What users say of themselves and their picture are standard attributes")
    func biography() async throws {
        try await Workspace.run { workspace in
            let picture = "https://example.com/" + String(repeating: "p", count: 400)
            _ = try await workspace.backend(
                "/users/track",
                ["attributes": [["external_id": "ann", "bio": "Likes tea", "image_url": .string(picture)]]]
            )
            let user = try await workspace.exported("ann")
            #expect(user["bio"] == "Likes tea")
            #expect(user["image_url"] == .string(picture))
            #expect(user["custom_attributes"] == nil)
        }
    }

    @Test("The export says whether a user wants e-mail and push, however that was set", arguments: ["track", "patch"])
    func subscriptions(way: String) async throws {
        try await Workspace.run { workspace in
            let wishes: JSONValue = ["email_subscribe": "unsubscribed", "push_subscribe": "opted_in"]
            if way == "track" {
                var object = wishes.object ?? [:]
                object["external_id"] = "ann"
                _ = try await workspace.backend("/users/track", ["attributes": [.object(object)]])
            } else {
                try await workspace.manage(.patch, "/v1/users/ann", ["attributes": wishes])
            }
            let user = try await workspace.exported("ann")
            #expect(user["email_subscribe"] == "unsubscribed" && user["push_subscribe"] == "opted_in")
            let reply = try await workspace.backend(
                "/users/export/ids",
                ["external_ids": ["ann"], "fields_to_export": ["email_subscribe"]]
            )
            #expect(reply.json["users"] == [["email_subscribe": "unsubscribed"]])
        }
    }

    @Test("A time that can't be taken is answered with what can", arguments: ["1969-12-31", "1784229630", "soon"])
    func wrongTime(text: String) async throws {
        try await Workspace.run { workspace in
            let event: JSONValue = ["external_id": "ann", "name": "seen", "time": .string(text)]
            let reply = try await workspace.backend("/users/track", ["events": [event]])
            let type = reply.json["errors"]?.array?.first?["type"]
            let expected: JSONValue =
                "'time' has to be an ISO 8601 time such as 2027-01-31T09:00:00Z, or Unix seconds, from 1970 on"
            #expect(reply.status == 400 && type == expected)
        }
    }

    @Test("An event that is said to come happens now")
    func future() async throws {
        try await Workspace.run { workspace in
            let event: JSONValue = ["external_id": "ann", "name": "seen", "time": "2099-01-01T00:00:00Z"]
            _ = try await workspace.backend("/users/track", ["events": [event]])
            let events = try await workspace.manage(.get, "/v1/users/ann/events").json["events"]?.array
            #expect(events?.first?["at"]?.double == workspace.time.now)
        }
    }

    @Test("Nobody is made where only existing users are to be updated")
    func updateOnly() async throws {
        try await Workspace.run { workspace in
            let alias: JSONValue = ["alias_name": "4711", "alias_label": "loyalty"]
            let reply = try await workspace.backend(
                "/users/track",
                [
                    "attributes": [
                        ["external_id": "ann", "_update_existing_only": true, "plan": "gold"],
                        ["user_alias": alias, "plan": "gold"], ["braze_id": "nobody", "plan": "gold"],
                    ]
                ]
            )
            #expect(reply.json == ["message": "success", "attributes_processed": 0])
            #expect(try await workspace.store.userCount() == 0)

            let made = try await workspace.backend(
                "/users/track",
                ["attributes": [["user_alias": alias, "_update_existing_only": false, "plan": "gold"]]]
            )
            #expect(made.json["attributes_processed"] == 1)
            #expect(try await workspace.store.userCount() == 1)
        }
    }

    @Test("An attribute that a backend sets changes the feed of an open app")
    func feed() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch(
                "gold",
                audience: [
                    "custom_attribute": ["custom_attribute_name": "plan", "comparison": "equals", "value": "gold"]
                ]
            )
            #expect(try await workspace.sync("ann").json["cards"]?.array?.isEmpty == true)
            _ = try await workspace.backend(
                "/users/track",
                ["attributes": [["external_id": "ann", "plan": "gold"]]]
            )
            #expect(try await workspace.sync("ann").json["cards"]?.array?.count == 1)
        }
    }
}
