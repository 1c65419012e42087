import CardModel
package import CardStore
import Testing

/// What a store does of which single rows can't be read; a test damages them, which a store can't.
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
            let content = Segment.Content(name: id, audience: audience)
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
        let other = Segment.Content(name: "other", audience: .none([.everyone]))
        try await store.insertSegment(
            Segment(id: SegmentID(rawValue: "other"), content: other, createdAt: noon),
            by: command
        )
    }
}
