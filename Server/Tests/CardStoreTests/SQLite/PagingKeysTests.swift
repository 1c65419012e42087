import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Testing

@testable import SQLiteCardStore

/// Pages end anywhere, also between rows that the order can't tell apart but by their ids.
@Suite("SQLite: pages over equal keys, and ids that look the same")
struct PagingKeysTests {
    /// Ids in the order of their bytes, which isn't that of their letters.
    private static let ids = ["u-1", "u-Z", "u-a", "u-e\u{301}", "u-\u{E9}", "u-\u{FFFD}", "u-\u{1F600}"]
    private static let composed = UserID(rawValue: "caf\u{E9}")
    private static let decomposed = UserID(rawValue: "cafe\u{301}")

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test(
        "Campaigns that were changed at the same time are each on one page",
        arguments: [CampaignFilter(), CampaignFilter(status: .draft), CampaignFilter(text: "sal")],
        [1, 2, 3, 7]
    )
    func campaigns(_ filter: CampaignFilter, limit: Int) async throws {
        try await withSQLiteStore { store in
            for id in Self.ids.shuffled() { try await store.insertCampaign(.sample(id), by: command) }
            var (found, place): ([String], CampaignPlace?) = ([], nil)
            repeat {
                let page = try await store.searchCampaigns(matching: filter, after: place, limit: limit)
                #expect(page.count <= limit)
                found += page.map(\.id.rawValue)
                place = page.last.map { CampaignPlace(updatedAt: $0.updatedAt, id: $0.id) }
            } while place != nil && found.count < 50
            #expect(Self.bytes(found) == Self.bytes(Self.ids.reversed()))
        }
    }

    /// Reads users page by page.
    private func users(_ store: SQLiteCardStore, startingWith text: String, limit: Int) async throws -> [String] {
        var (found, place): ([String], UserID?) = ([], nil)
        repeat {
            let page = try await store.listUsers(startingWith: text, after: place, limit: limit)
            #expect(page.count <= limit)
            found += page.map(\.id.rawValue)
            place = page.last?.id
        } while place != nil && found.count < 50
        return found
    }

    @Test("Users of one address, in letters of either case, are each on one page", arguments: [1, 2, 3, 7])
    func sameAddress(limit: Int) async throws {
        try await withSQLiteStore { store in
            for (place, id) in Self.ids.enumerated() {
                var update = UserUpdate(id: UserID(rawValue: id))
                update.standard[.email] = .string(place.isMultiple(of: 2) ? "same@example.com" : "Same@Example.com")
                try await store.updateUsers([update], at: noon)
            }
            for text in ["same@", "SAME@example.com"] {
                let found = try await users(store, startingWith: text, limit: limit)
                #expect(Self.bytes(found) == Self.bytes(Self.ids), "\(text)")
            }
        }
    }

    @Test("Users whose ids begin the same are each on one page, and no others are", arguments: [1, 2, 7])
    func sameBeginning(limit: Int) async throws {
        try await withSQLiteStore { store in
            let others = ["t-9", "u", "u.", "v-1", "u\u{301}-1"]
            let updates = (Self.ids + others).map { UserUpdate(id: UserID(rawValue: $0)) }
            try await store.updateUsers(updates, at: noon)
            let found = try await users(store, startingWith: "u-", limit: limit)
            #expect(Self.bytes(found) == Self.bytes(Self.ids))
            let decomposed = try await users(store, startingWith: "u-e", limit: limit)
            #expect(Self.bytes(decomposed) == Self.bytes(["u-e\u{301}"]))
            #expect(try await users(store, startingWith: "u-\u{E9}", limit: limit).count == 1)
            #expect(try await users(store, startingWith: "", limit: limit).count == 12)
        }
    }

    @Test("Pictures of one moment are each on one page")
    func pictures() async throws {
        try await withSQLiteStore { store in
            let letters = ["a", "b", "c", "d", "e"]
            for letter in letters.shuffled() {
                let id = String(repeating: letter, count: 32)
                try await store.execute(
                    """
                    INSERT INTO media
                        (id, name, alt, format, width, height, frames, widths, bytes, created_at, created_by)
                    VALUES ('\(id)', 'x.png', '', 'png', 9, 9, 1, '9', 3, 1, 'anna@example.com')
                    """
                )
            }
            var found: [String] = []
            for offset in stride(from: 0, to: 8, by: 2) {
                found += try await store.mediaItems(offset: offset, limit: 2).map { String($0.id.prefix(1)) }
            }
            #expect(found == Array(letters.reversed()))
        }
    }

    @Test("The log goes backwards and forwards over events of one moment, each of them once", arguments: [1, 2, 5])
    func events(limit: Int) async throws {
        try await withSQLiteStore { store in
            try await store.record((1...5).map { DeviceEvent($0, .sessionStart) })
            try await store.record((6...9).map { DeviceEvent($0, .sessionStart) }, of: Self.composed)
            let counts: [(UserID?, Int)] = [(nil, 9), (someone, 5), (Self.composed, 4), (Self.decomposed, 0)]
            for (user, expected) in counts {
                var (found, before): ([Int64], Int64?) = ([], nil)
                repeat {
                    let filter = EventLogFilter(user: user)
                    let page = try await store.searchEvents(matching: filter, before: before, limit: limit)
                    found += page.events.map(\.position)
                    before = page.searchedTo
                } while before != nil && found.count < 50
                #expect(found == found.sorted(by: >) && Set(found).count == expected && found.count == expected)
            }
            var (forward, page) = ([Int64](), try await store.eventPage(after: 0, EventFilter(), limit: limit))
            while !page.events.isEmpty {
                forward += page.events.map(\.position)
                page = try await store.eventPage(after: page.position, EventFilter(), limit: limit)
            }
            #expect(forward == Array(1...9 as ClosedRange<Int64>))
        }
    }

    @Test("Of two users whose ids look the same, each has their own cards, events and names, and goes alone")
    func lookalikes() async throws {
        try await withSQLiteStore { store in
            for (number, user) in [Self.composed, Self.decomposed].enumerated() {
                try await store.give("card-\(number)", to: user)
                try await store.record([DeviceEvent(UInt64(number), .custom(name: "open"))], of: user)
                let alias = UserAlias(label: "shop", name: user.rawValue)
                let new = NewAlias(alias: alias, user: user, newUser: user)
                #expect(try await store.addAliases([new], at: noon) == [.given])
            }
            let references = [Self.composed, Self.decomposed].map { user in
                UserReference.alias(UserAlias(label: "shop", name: user.rawValue))
            }
            #expect(try await store.findUsers(references) == [Self.composed, Self.decomposed])
            #expect(try await store.userEvents(of: Self.composed, limit: 9).map(\.id.low) == [0])

            #expect(try await store.deleteUser(Self.composed, at: noon, by: command))
            #expect(try await store.findUsers(references) == [nil, Self.decomposed])
            let state = try #require(try await store.userState(of: Self.decomposed))
            #expect(state.deliveries.map(\.card.rawValue) == ["card-1"])
            #expect(try await store.userEvents(of: Self.decomposed, limit: 9).map(\.id.low) == [1])
            await expectFailure(.erased) {
                try await store.recordDevice(DeviceContext(), of: Self.composed, at: noon)
            }
            try await store.recordDevice(DeviceContext(), of: Self.decomposed, at: noon)
        }
    }
}
