import CardModel
import Foundation
import HTTPTypes
import Testing
import WireJSON

@testable import CardServer

@Suite("Limits of the device API")
struct DeviceLimitTests {
    private func limits(_ change: (inout DeviceLimits) -> Void) -> DeviceLimits {
        var limits = DeviceLimits.unlimited
        change(&limits)
        return limits
    }

    private func expectWait(_ answer: Answer, _ seconds: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(answer.status == 429, sourceLocation: location)
        #expect(answer.code == "rate_limited", sourceLocation: location)
        #expect(answer.headers[.retryAfter] == seconds, sourceLocation: location)
    }

    @Test("A user's requests are limited on every path, and another user's are not")
    func perUser() async throws {
        let limits = limits { $0.requestsPerUser = .init(burst: 3, perSecond: 0.25) }
        try await Workspace.run(limits: limits) { workspace in
            let cursor = try await workspace.sync("ann").cursor
            // By the shortcut, and by the application.
            #expect(try await workspace.sync("ann", cursor: cursor).status == 200)
            #expect(try await workspace.sync("ann", events: [workspace.event("session_start")]).status == 200)

            expectWait(try await workspace.sync("ann", cursor: cursor), "4")
            expectWait(try await workspace.sync("ann", events: [workspace.event("session_start")]), "4")
            expectWait(
                try await workspace.send(.get, "/v1/live?user_id=ann", raw: nil, key: workspace.publishable),
                "4"
            )
            #expect(try await workspace.sync("bob").status == 200)

            workspace.time.advance(by: 4)
            #expect(try await workspace.sync("ann", cursor: cursor).status == 200)
            expectWait(try await workspace.sync("ann", cursor: cursor), "4")
        }
    }

    @Test("The requests of an address are limited, whoever's they are, and metrics count those that had to wait")
    func perAddress() async throws {
        let limits = limits { $0.requestsPerAddress = .init(burst: 4, perSecond: 0.1) }
        try await Workspace.run(limits: limits) { workspace in
            for user in ["a", "b", "c", "d"] { #expect(try await workspace.sync(user).status == 200) }
            expectWait(try await workspace.sync("e"), "10")
            expectWait(try await workspace.send(.post, "/v1/sync", raw: "{", key: "pk_wrong"), "10")
            // What is not the device API goes on.
            #expect(try await workspace.manage(.get, "/v1/settings").status == 200)
            let metrics = try await workspace.send(.get, "/metrics", raw: nil, key: nil).text
            #expect(metrics.contains("placard_limited_total{limit=\"requests_per_address\"} 2\n"))
        }
    }

    @Test("A request that leaves the shortcut is counted once")
    func countedOnce() async throws {
        let limits = limits { $0.requestsPerUser = .init(burst: 2, perSecond: 0.1) }
        try await Workspace.run(limits: limits) { workspace in
            // A new user: the shortcut looks, and leaves it to the application.
            let cursor = try await workspace.sync("ann").cursor
            #expect(try await workspace.sync("ann", cursor: cursor).status == 200)
            expectWait(try await workspace.sync("ann", cursor: cursor), "10")
        }
    }

    @Test("Behind a trusted proxy, each client is counted by itself, on the shortcut too")
    func proxies() async throws {
        let limits = limits { $0.requestsPerAddress = .init(burst: 2, perSecond: 0.1) }
        let proxies = TrustedProxies(ranges: try AddressRange.list("127.0.0.1"))
        try await Workspace.run(limits: limits, proxies: proxies) { workspace in
            let name = try #require(HTTPField.Name("X-Forwarded-For"))
            var cursor: String?
            for _ in 0..<2 {
                let answer = try await workspace.sync("ann", cursor: cursor, headers: [name: "192.0.2.1"])
                #expect(answer.status == 200)
                cursor = answer.cursor
            }
            expectWait(try await workspace.sync("ann", cursor: cursor, headers: [name: "192.0.2.1"]), "10")
            #expect(try await workspace.sync("ann", cursor: cursor, headers: [name: "192.0.2.2"]).status == 200)
        }
    }

    @Test("An address may invent so many users, by syncs or events, and those that are known go on")
    func newUsers() async throws {
        let limits = limits { $0.newUsersPerAddress = .init(burst: 2, perSecond: 0.1) }
        try await Workspace.run(limits: limits) { workspace in
            let cursor = try await workspace.sync("ann").cursor
            let events =
                ["user_id": "bob", "device_id": "d", "events": [workspace.event("session_start")]] as JSONValue
            #expect(
                try await workspace.send(.post, "/v1/events", raw: events.text, key: workspace.publishable).status
                    == 200
            )
            expectWait(try await workspace.sync("carl"), "10")
            let more = ["user_id": "dora", "device_id": "d", "events": [workspace.event("session_start")]] as JSONValue
            expectWait(try await workspace.send(.post, "/v1/events", raw: more.text, key: workspace.publishable), "10")
            #expect(try await workspace.store.userCount() == 2)
            #expect(try await workspace.sync("ann", cursor: cursor).status == 200)
            #expect(try await workspace.sync("bob", events: [workspace.event("session_start")]).status == 200)
        }
    }

    @Test("Events of known users take nothing from the users that their address may create")
    func knownUsers() async throws {
        let limits = limits { $0.newUsersPerAddress = .init(burst: 2, perSecond: 0.1) }
        try await Workspace.run(limits: limits) { workspace in
            _ = try await workspace.sync("ann")
            for _ in 0..<3 {
                #expect(try await workspace.sync("ann", events: [workspace.event("session_start")]).status == 200)
            }
            #expect(try await workspace.sync("bob", events: [workspace.event("session_start")]).status == 200)
            expectWait(try await workspace.sync("carl", events: [workspace.event("session_start")]), "10")
            #expect(try await workspace.store.userCount() == 2)
        }
    }

    /// An event of some 4,000 bytes.
    private static func large(at time: UnixTime) -> JSONValue {
        let properties = (0..<20).map { ("p\($0)", JSONValue.string(String(repeating: "x", count: 200))) }
        return [
            "id": .string(UUID().uuidString), "type": "custom", "name": "n", "at": .number(time),
            "properties": .object(JSONObject(uniqueKeysWithValues: properties)),
        ]
    }

    @Test("The bytes of an address's events are limited, however many users it invents")
    func eventBytes() async throws {
        let limits = limits { $0.eventBytesPerAddress = .init(burst: 10_000, perSecond: 1_000) }
        try await Workspace.run(limits: limits) { workspace in
            for user in ["ann", "bob"] {
                let kept = try await workspace.sync(user, events: [Self.large(at: workspace.time.now)])
                #expect(kept.json["events"]?["accepted"] == 1)
            }
            let refused = try await workspace.sync("carl", events: [Self.large(at: workspace.time.now)])
            #expect(refused.status == 429)
            #expect(try await workspace.sync("ann", events: [workspace.event("session_start")]).status == 200)
            #expect(try await workspace.store.userCount() == 2)
            workspace.time.advance(by: 4)
            let later = try await workspace.sync("carl", events: [Self.large(at: workspace.time.now)])
            #expect(later.json["events"]?["accepted"] == 1)
        }
    }

    @Test("The events of a user are limited in the long run, and nothing of a refused request is kept")
    func events() async throws {
        let limits = limits { $0.eventsPerUser = .init(burst: 3, perSecond: 0.5) }
        try await Workspace.run(limits: limits) { workspace in
            let events = (0..<2).map { _ in workspace.event("session_start") }
            #expect(try await workspace.sync("ann", events: events).json["events"]?["accepted"] == 2)
            let more = (0..<2).map { _ in workspace.event("session_start") }
            expectWait(try await workspace.sync("ann", events: more), "2")
            workspace.time.advance(by: 2)
            #expect(try await workspace.sync("ann", events: more).json["events"]?["accepted"] == 2)
        }
    }

    @Test("Keys that do not work are refused so many times, and those that do go on")
    func failures() async throws {
        let limits = limits { $0.failuresPerAddress = .init(burst: 2, perSecond: 0.1) }
        try await Workspace.run(limits: limits) { workspace in
            let body = #"{"user_id":"ann","device_id":"d"}"#
            for _ in 0..<2 {
                #expect(try await workspace.send(.post, "/v1/sync", raw: body, key: "pk_wrong").status == 401)
            }
            expectWait(try await workspace.send(.post, "/v1/sync", raw: body, key: "pk_wrong"), "10")
            expectWait(try await workspace.send(.get, "/v1/keys", raw: nil, key: "sk_wrong"), "10")
            let backend = try await workspace.send(.post, "/users/track", raw: "{}", key: "sk_wrong")
            expectWait(backend, "10")
            #expect(backend.json["message"]?.string?.isEmpty == false)
            #expect(try await workspace.sync("ann").status == 200)
            #expect(try await workspace.manage(.get, "/v1/keys").status == 200)
        }
    }

    @Test("Settings change the limits without a restart")
    func settings() async throws {
        try await Workspace.run(limits: .unlimited) { workspace in
            let tight: JSONValue = ["device_limits": ["requests_per_user": ["burst": 1, "per_second": 0.1]]]
            let saved = try await workspace.manage(.put, "/v1/settings", tight)
            #expect(saved.json["device_limits"]?["requests_per_user"] == ["burst": 1, "per_second": 0.1])
            #expect(saved.json["device_limits"]?["requests_per_address"] == ["burst": 600, "per_second": 50])
            #expect(try await workspace.sync("ann").status == 200)
            expectWait(try await workspace.sync("ann"), "10")
            let wrong = try await workspace.manage(.put, "/v1/settings", ["device_limits": ["requests_per_user": 1]])
            #expect((wrong.status, wrong.path) == (400, "device_limits.requests_per_user"))
        }
    }

    // MARK: What is kept of a user

    @Test("What would be too much of one user is refused event by event, and the rest is kept")
    func perEvent() async throws {
        let limits = limits {
            $0.user.attributes = 2
            $0.user.eventNames = 2
        }
        try await Workspace.run(limits: limits) { workspace in
            func attributes(_ attributes: JSONValue) -> JSONValue {
                workspace.event("attributes", with: ["attributes": attributes])
            }
            func custom(_ name: String) -> JSONValue { workspace.event("custom", with: ["name": .string(name)]) }
            let events = [
                attributes(["a": 1]), attributes(["b": 1, "c": 1]), attributes(["b": 2]), attributes(["c": 1]),
                custom("x"), custom("y"), custom("z"), custom("x"),
            ]
            let receipt = try await workspace.sync("ann", events: events).json["events"]
            #expect(receipt?["accepted"] == 5)
            let rejected = receipt?["rejected"]?.array ?? []
            #expect(rejected.map { $0["code"] } == ["limit_reached", "limit_reached", "limit_reached"])
            #expect(rejected.map { $0["id"] } == [events[1]["id"], events[3]["id"], events[6]["id"]])

            let user = try await workspace.manage(.get, "/v1/users/ann").json
            #expect(user["custom_attributes"] == ["a": 1, "b": 2])
            #expect(user["history"]?["events"]?.array?.count == 2)
            // What was refused is not in the log, and what was accepted counts once.
            #expect(try await workspace.manage(.get, "/v1/users/ann/events").json["events"]?.array?.count == 5)
            let again = try await workspace.sync("ann", events: events).json["events"]
            #expect(again?["duplicate"] == 5)
            #expect(again?["rejected"]?.array?.count == 3)
        }
    }

    @Test("Ten megabytes of attributes do not fit one user, by whichever way they come")
    func attributeBytes() async throws {
        try await Workspace.run { workspace in
            let value = JSONValue.string(String(repeating: "x", count: 15_000))
            for number in 0..<8 {
                let event = workspace.event("attributes", with: ["attributes": ["a\(number)": value]])
                let receipt = try await workspace.sync("ann", events: [event]).json["events"]
                #expect(receipt?["accepted"] == (number < 4 ? 1 : 0))
            }
            let tracked = try await workspace.backend(
                "/users/track",
                ["attributes": [["external_id": "ann", "b": value], ["external_id": "bob", "b": value]]]
            )
            #expect(tracked.status == 201)
            #expect(tracked.json["attributes_processed"] == 1)
            #expect(tracked.json["errors"]?.array?.map { $0["index"] } == [0])

            let patch = ["custom_attributes": ["b": .string(String(repeating: "y", count: 4_000))]] as JSONValue
            for name in ["c", "d"] {
                let update = ["custom_attributes": [name: patch["custom_attributes"]?["b"] ?? .null]] as JSONValue
                let answer = try await workspace.manage(.patch, "/v1/users/ann", update)
                #expect(name == "c" ? answer.status == 200 : answer.code == "limit_reached")
            }
            let user = try await workspace.manage(.get, "/v1/users/ann").json
            #expect((user["custom_attributes"]?.bytes.count ?? .max) <= 65_536)
        }
    }

    @Test("An event that is too large is refused without its siblings")
    func largeEvent() async throws {
        try await Workspace.run { workspace in
            let deep = JSONValue.array(Array(repeating: ["a": 1], count: 5_000))
            let events = [
                workspace.event("custom", with: ["name": "x", "properties": ["a": deep]]),
                workspace.event("attributes", with: ["attributes": ["a": deep]]), workspace.event("session_start"),
            ]
            let receipt = try await workspace.sync("ann", events: events).json["events"]
            #expect(receipt?["accepted"] == 1)
            #expect(receipt?["rejected"]?.array?.map { $0["code"] } == ["event_too_large", "event_too_large"])
        }
    }
}

extension Workspace {
    /// An event with further fields.
    func event(_ type: String, with fields: JSONValue) -> JSONValue {
        var members = event(type).object ?? [:]
        for (name, value) in fields.object ?? [:] { members[name] = value }
        return .object(members)
    }
}
