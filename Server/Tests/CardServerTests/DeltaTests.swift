import CardModel
import Foundation
import Simulation
import Testing
import WireJSON

@testable import CardServer

@Suite("Server: what a device is told of changes")
struct DeltaTests {
    private static let day = 86_400.0

    @Test("Comes back after a month: the session that the SDK starts doesn't hide how long the user was away")
    func comeback() async throws {
        try await Workspace.run { space in
            try await space.launch(
                "back",
                audience: ["attribute": "last_seen_at", "comparison": "greater_than_x_days_ago", "value": 25]
            )
            for user in ["bare", "session"] { _ = try await space.sync(user) }
            space.time.advance(by: 30 * Self.day)
            #expect(try await space.sync("bare").cards.count == 1)
            let events = [space.event("session_start")]
            #expect(try await space.sync("session", events: events).cards.count == 1)
            let seen = try await space.manage(.get, "/v1/users/session")
            #expect(seen.json["last_seen_at"]?.double == space.time.now)
        }
    }

    @Test("A user counts as seen when the app syncs, not when events arrive by themselves")
    func eventsAlone() async throws {
        try await Workspace.run { space in
            try await space.launch(
                "back",
                audience: ["attribute": "last_seen_at", "comparison": "greater_than_x_days_ago", "value": 25]
            )
            _ = try await space.sync("u")
            space.time.advance(by: 30 * Self.day)
            let body: JSONValue = [
                "user_id": "u", "device_id": "device-1", "events": [space.event("session_start")],
            ]
            let sent = try await space.send(.post, "/v1/events", raw: body.text, key: space.publishable)
            #expect(sent.status == 200)
            #expect(try await space.sync("u").cards.count == 1)
        }
    }

    @Test("A dismissal that makes the user eligible again brings the next card with the same sync")
    func dismissal() async throws {
        try await Workspace.run { space in
            try await space.launch("daily", rules: ["reeligible": true, "reeligible_after_days": 1])
            let first = try await space.sync("u")
            let card = try #require(first.cards.first?["id"]?.string)
            space.time.advance(by: 2 * Self.day)
            let second = try await space.sync("u", cursor: first.cursor)
            let third = try await space.sync("u", cursor: second.cursor, events: [space.event("dismissal", card)])
            #expect(third.cards.count == 1 && third.cards.first?["id"]?.string != card)
        }
    }

    @Test("A card whose audience is who got another card comes with that card, in one sync")
    func chain() async throws {
        try await Workspace.run { space in
            for index in stride(from: 9, through: 0, by: -1) {
                try await space.launch(
                    "c\(index)",
                    audience: index == 0 ? .null : ["campaign": ["id": .string("c\(index - 1)")]]
                )
            }
            let first = try await space.sync("u")
            #expect(first.cards.count == 10)
            let second = try await space.sync("u", cursor: first.cursor)
            #expect(second.cards.isEmpty && second.cursor == first.cursor)
        }
    }

    @Test("What a sync changes for the next one, the next one brings")
    func lastSeen() async throws {
        try await Workspace.run { space in
            try await space.launch(
                "active",
                audience: ["attribute": "last_seen_at", "comparison": "less_than_x_days_ago", "value": 1]
            )
            let first = try await space.sync("u")
            #expect(first.cards.isEmpty)
            space.time.advance(by: 1)
            #expect(try await space.sync("u", cursor: first.cursor).cards.count == 1)
        }
    }

    // MARK: Random steps

    @Test("A device that applies changes has what a device is told that asks for everything", arguments: 1...12)
    func random(seed: Int) async throws {
        try await Workspace.run { space in
            var walk = DeltaWalk(space, seed: UInt64(seed))
            try await walk.launch()
            for step in 0..<60 {
                try await walk.step()
                let (delta, full) = try await walk.compare()
                #expect(delta == full, "seed \(seed), step \(step): \(walk.last)")
                if delta != full { return }
            }
        }
    }
}

/// Random steps of one user with a device that applies changes.
private struct DeltaWalk {
    private let space: Workspace
    private var random: SeededRandom
    private var cursor: String?
    private var cards: [String: JSONValue] = [:]
    private(set) var last = ""

    init(_ space: Workspace, seed: UInt64) {
        self.space = space
        random = SeededRandom(seed: seed)
    }

    private static let audiences: [JSONValue] = [
        .null, ["campaign": ["id": "c0"]], ["campaign": ["id": "c1", "contact": "dismissed"]],
        ["campaign": ["id": "c2", "contact": "viewed", "within_days": 0.5]],
        ["event": ["name": "go", "within_days": 0.25]], ["none": [["event": ["name": "go"]]]],
        ["attribute": "plan", "value": "gold"],
        ["attribute": "last_seen_at", "comparison": "greater_than_x_days_ago", "value": 0.5],
        ["attribute": "last_seen_at", "comparison": "less_than_x_days_ago", "value": 0.01],
    ]
    private static let rules: [JSONValue] = [
        .null, ["reeligible": true, "reeligible_after_days": 0], ["reeligible": true, "reeligible_after_days": 0.3],
        ["follow_audience": true], ["follow_audience": true, "reeligible": true, "reeligible_after_days": 0.1],
    ]

    mutating func launch() async throws {
        let settings: JSONValue = [
            "device_limits": DeviceLimits.unlimited.json,
            "card_limit": .integer(Int64.random(in: 2...6, using: &random)),
            "frequency_caps": Bool.random(using: &random) ? [["cards": 3, "days": 1]] : [],
        ]
        _ = try await space.manage(.put, "/v1/settings", settings)
        for index in 0..<7 {
            var card: JSONValue = ["type": "classic", "title": .string("Card \(index)"), "description": "x"]
            if case .object(var members) = card {
                if Bool.random(using: &random) {
                    members["expires_after"] = .integer(Int64.random(in: 600...90_000, using: &random))
                }
                members["priority"] = .integer(Int64.random(in: 0...2, using: &random))
                card = .object(members)
            }
            let isAction = index > 3 && Bool.random(using: &random)
            try await space.launch(
                "c\(index)",
                card: card,
                audience: Self.audiences.randomElement(using: &random) ?? .null,
                delivery: isAction
                    ? ["type": "action", "trigger": ["event": "go"], "delay": 300, "window": 40_000] : .null,
                rules: Self.rules.randomElement(using: &random) ?? .null
            )
        }
    }

    /// Does something, or lets time pass.
    mutating func step() async throws {
        var events: [JSONValue] = []
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2:
            let seconds = Double.random(in: 0.1...20_000, using: &random)
            space.time.advance(by: seconds)
            last = "\(seconds) s"
        case 3, 4:
            let card = cards.keys.sorted().randomElement(using: &random)
            let type = ["impression", "dismissal", "click"].randomElement(using: &random) ?? ""
            if let card { events = [space.event(type, card, id: id())] }
            if let card, type == "dismissal" { cards[card] = nil }
            last = type
        case 5:
            events = [named("go")]
            last = "go"
        case 6:
            events = [space.event("session_start", id: id())]
            last = "session"
        default:
            let plan: JSONValue = Bool.random(using: &random) ? "gold" : "free"
            _ = try await space.manage(.patch, "/v1/users/u", ["custom_attributes": ["plan": plan]])
            last = "plan \(plan.text)"
        }
        try await sync(events)
    }

    private mutating func id() -> UUID {
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private mutating func named(_ name: String) -> JSONValue {
        guard case .object(var members) = space.event("custom", id: id()) else { return .null }
        members["name"] = .string(name)
        return .object(members)
    }

    private mutating func sync(_ events: [JSONValue] = []) async throws {
        let answer = try await space.sync("u", cursor: cursor, events: events)
        try #require(answer.status == 200)
        if answer.json["replace"] == true { cards = [:] }
        for card in answer.cards { cards[card["id"]?.string ?? ""] = card }
        for card in answer.removed { cards[card] = nil }
        cards = cards.filter { ($0.value["expires_at"]?.double ?? .infinity) > space.time.now }
        cursor = answer.cursor
    }

    /// Asks for changes and for everything at the same moment, until asking changes nothing any more.
    mutating func compare() async throws -> (delta: [String], full: [String]) {
        // The sync before this one may have changed when the user was last seen, which the next one may act upon.
        _ = try await space.sync("u", device: "device-2")
        try await sync()
        let full = try await space.sync("u", device: "device-2")
        let told = full.cards.map { "\($0["id"]?.string ?? "") \($0["title"]?.string ?? "")" }
        return (cards.map { "\($0.key) \($0.value["title"]?.string ?? "")" }.sorted(), told.sorted())
    }
}
