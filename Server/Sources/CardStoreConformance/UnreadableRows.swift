import CardModel
package import CardStore
import Testing
import WireJSON

/// The answers of a store of which single rows can't be read; a test damages them, which a store can't.
package enum UnreadableRows {
    /// The statements that damage a row of each kind, whatever the database is.
    package static let damages = [
        "UPDATE campaigns SET content = '{}' WHERE id = 'bad'",
        "UPDATE segments SET content = '{x' WHERE id = 'bad'",
        "UPDATE broadcasts SET audience = '{x' WHERE trigger_id = 'bad'",
        "UPDATE keys SET allowed_addresses = 'nowhere' WHERE id = 'bad'",
        "UPDATE store SET settings = '{x'",
    ]

    /// Fills a store, damages it, and reads its catalog.
    ///
    /// - Parameters:
    ///   - store: An empty store.
    ///   - damage: Runs a statement in the store's database.
    /// - Throws: What the store throws.
    package static func expectLeftOut(
        in store: any CardStore,
        _ damage: (_ statement: String) async throws -> Void
    ) async throws {
        for id in ["good", "bad"] { try await store.launch(.sample(id)) }
        let segments: [(String, Audience)] = [
            ("bad", .everyone), ("outer", .none([.segment(SegmentID(rawValue: "bad"))])), ("good", .everyone),
        ]
        for (id, audience) in segments {
            let content = Segment.SegmentContent(name: id, audience: audience)
            try await store.insertSegment(
                Segment(id: SegmentID(rawValue: id), content: content, createdAt: noon),
                by: command
            )
        }
        for (place, id) in ["good", "bad"].enumerated() {
            let trigger = Trigger(
                id: TriggerID(rawValue: id),
                campaign: CampaignID(rawValue: "good"),
                at: noon,
                due: .at(noon),
                until: noon + 86_400
            )
            #expect(try await store.insertBroadcast(Broadcast(trigger, to: .everyone), by: command))
            let hash = [UInt8](repeating: UInt8(place), count: 32)
            let key = APIKey(
                id: id,
                name: id,
                kind: .publishable,
                permissions: [],
                hash: hash,
                hint: "",
                createdAt: noon
            )
            try await store.insertKey(key, by: command)
        }
        let before = try await store.loadCatalog()
        #expect(before.unreadable.isEmpty && before.unreadableSegments.isEmpty)
        for statement in damages { try await damage(statement) }

        // What was read before is no reason to take it from there, nor to trip over it.
        for known in [nil, before] {
            let source = try await store.loadCatalog(since: known)
            #expect(source.segments.keys.map(\.rawValue) == ["good"])
            #expect(source.unreadableSegments == [SegmentID(rawValue: "bad"), SegmentID(rawValue: "outer")])
            #expect(source.broadcasts.map(\.trigger.id.rawValue) == ["good"])
            #expect(source.keys.map(\.id) == ["good"])
            #expect(source.settings.userTokens == .required)
            let kinds = source.unreadable.map(\.kind).filter { $0 != .campaign }
            #expect(Set(kinds) == [.segment, .broadcast, .key, .settings] && kinds.count == 4)
            for row in source.unreadable where row.kind != .settings { #expect(row.id == "bad") }
        }
        let fresh = try await store.loadCatalog()
        #expect(fresh.campaigns.map(\.id.rawValue) == ["good"])
        #expect(fresh.gaps.campaigns == [CampaignID(rawValue: "bad")])

        // Settings that are saved take the place of those that can't be read.
        try await store.saveSettings(Settings(), at: noon, by: command)
        #expect(try await store.settings() == Settings())
        // What is whole can be used: users are given cards, and segments are saved.
        try await store.give("card-1", of: "good")
        #expect(try await store.record([.impression(1)]).receipt.accepted == 1)
        let audiences = try await store.segmentAudiences()
        #expect(audiences.keys.map(\.rawValue) == ["good"])
        let other = Segment.SegmentContent(name: "other", audience: .none([.everyone]))
        try await store.insertSegment(
            Segment(id: SegmentID(rawValue: "other"), content: other, createdAt: noon),
            by: command
        )
    }
}

extension UnreadableRows {
    /// Damages rows of single users and events, and reads what is beside them.
    ///
    /// - Parameters:
    ///   - store: An empty store.
    ///   - damage: Runs a statement in the store's database.
    /// - Throws: What the store throws.
    package static func expectOthersRead(
        in store: any CardStore,
        _ damage: (_ statement: String) async throws -> Void
    ) async throws {
        try await store.launch(.sample())
        let users = (1...3).map { UserID(rawValue: "user-\($0)") }
        for (number, user) in users.enumerated() {
            try await store.give("card-\(number)", to: user)
            let event = DeviceEvent(UInt64(number), .custom(name: ByteString("e")))
            #expect(try await store.record([event], of: user).receipt.accepted == 1)
            _ = try await store.updateUsers([UserUpdate(id: user, custom: ["plan": "x"])], at: noon)
        }
        let all = try await store.eventPage(after: 0, EventFilter(), limit: 10).events
        #expect(all.count == 3)
        let positions = all.map(\.position)

        // The newest one too: a server that starts asks for its time.
        for position in [positions[0], positions[2]] {
            try await damage("UPDATE events SET details = '{x' WHERE position = \(position)")
        }
        try await damage("UPDATE users SET custom = '{x' WHERE id = 'user-2'")

        let page = try await store.eventPage(after: 0, EventFilter(), limit: 10)
        #expect(page.events.map(\.position) == [positions[1]] && page.isLast)
        #expect(page.unreadable == [positions[0], positions[2]])
        // Whoever follows the log in small pages gets past them.
        let first = try await store.eventPage(after: 0, EventFilter(), limit: 1)
        #expect(first.events.isEmpty && first.unreadable == [positions[0]] && first.position == positions[0])
        let second = try await store.eventPage(after: first.position, EventFilter(), limit: 1)
        #expect(second.events.map(\.position) == [positions[1]] && second.unreadable.isEmpty)
        let found = try await store.searchEvents(matching: EventLogFilter(), before: nil, limit: 2)
        #expect(found.events.map(\.position) == [positions[1]] && found.searchedTo == positions[1])
        #expect(try await store.newestEventTime() == noon)
        #expect(try await store.userEvents(of: users[0], limit: 10).isEmpty)
        #expect(try await store.userEvents(of: users[1], limit: 10).count == 1)

        // One user's attributes are that user's alone, and who wants to be forgotten is.
        await expectFailure(.corrupt) { try await store.userState(of: users[1], including: []) }
        #expect(try await store.userState(of: users[0], including: [])?.profile.custom["plan"] == "x")
        #expect(try await store.deleteUser(users[1], at: noon + 1, by: command))
        #expect(try await store.userState(of: users[1], including: []) == nil)
    }
}
