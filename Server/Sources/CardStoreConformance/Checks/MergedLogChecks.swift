import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of the events of users who were merged into others: in the log, they move a few at a time.
enum MergedLogChecks {
    static let checks: [ConformanceCheck] = [
        reads, duplicates, recounts, pruned, deleted, createdAgain, mergedOn, repeated, bounded,
    ]

    private static let guest = UserID(rawValue: "anonymous-1")
    private static let guests = UserID(rawValue: "anonymous-2")

    private static func seen(_ numbers: ClosedRange<UInt64>) -> [DeviceEvent] {
        numbers.map { DeviceEvent($0, .custom(name: "seen"), at: noon + Double($0)) }
    }

    private static func merge(
        _ user: UserID = guest,
        into identity: UserID = someone,
        in store: any CardStore
    ) async throws {
        let identification = Identification(user: .id(user), identity: identity)
        #expect(try await store.identifyUsers([identification], at: noon) == [.done])
    }

    /// Runs a check when no event has moved, after each that has, and when all have.
    private static func whileMoving(in store: any CardStore, _ check: () async throws -> Void) async throws {
        try await check()
        while try await store.moveMergedEvents(limit: 1) { try await check() }
        try await check()
        #expect(try await !store.moveMergedEvents(limit: 1))
    }

    /// Returns the number of times the user has seen something, as far as the history says.
    private static func count(in store: any CardStore) async throws -> Int64? {
        try await store.userState(of: someone, including: .all)?.history.events["seen"]?.count
    }

    private static func numbers(_ events: [StoredEvent]) -> [UInt64] { events.map(\.id.low).sorted() }

    static let reads = ConformanceCheck(
        "However many of a merged user's events have moved, all are read as those of who the user is, each once"
    ) { stores in
        try await stores.withStore { store in
            try await store.record(Self.seen(1...4), of: Self.guest)
            try await store.record(Self.seen(3...5))
            try await Self.merge(in: store)
            try await Self.whileMoving(in: store) { () async throws in
                let own = try await store.userEvents(of: someone, limit: 10)
                #expect(Self.numbers(own) == [1, 2, 3, 4, 5])
                #expect(own.allSatisfy { $0.user == someone })
                #expect(own.map(\.position) == own.map(\.position).sorted(by: >))
                #expect(try await store.userEvents(of: someone, limit: 2) == Array(own.prefix(2)))
                #expect(try await store.userEvents(of: Self.guest, limit: 10).isEmpty)
                let page = try await store.eventPage(after: 0, EventFilter(), limit: 10)
                #expect(page.events == own.reversed())
                let found = try await store.searchEvents(matching: EventLogFilter(), before: nil, limit: 10)
                #expect(found.events == own)
                for (user, count) in [(someone, 5), (Self.guest, 0)] {
                    let filter = EventLogFilter(type: "custom", user: user)
                    let found = try await store.searchEvents(matching: filter, before: nil, limit: 10)
                    #expect(found.events.count == count)
                }
                let record = try #require(try await store.userRecords(of: [.id(someone)]).first?.first)
                #expect(record.events == [.init(name: "seen", first: noon + 1, last: noon + 5, count: 5)])
                #expect(try await Self.count(in: store) == 5)
            }
        }
    }

    static let duplicates = ConformanceCheck(
        "An event that a merged user has sent counts no second time, whether it has moved or not"
    ) { stores in
        try await stores.withStore { store in
            try await store.record(Self.seen(1...4), of: Self.guest)
            try await store.record(Self.seen(9...9))
            try await Self.merge(in: store)
            try await Self.whileMoving(in: store) { () async throws in
                for user in [someone, Self.guest] {
                    let batch = EventBatch(user: user, events: Self.seen(1...4), receivedAt: noon, device: "d")
                    #expect(try await store.recordEvents(batch).receipt.duplicate == 4)
                }
                #expect(try await Self.count(in: store) == 5)
            }
        }
    }

    static let recounts = ConformanceCheck(
        "An impression that comes late counts purchases that haven't moved yet"
    ) { stores in
        for steps in 0...3 {
            try await stores.withStore { store in
                try await store.launch(ConversionChecks.campaign(from: .impression))
                try await store.give("card-1", to: Self.guest)
                try await store.record([.impression(1, at: noon + 600)], of: Self.guest)
                try await store.record(
                    [ConversionChecks.purchase(2, at: noon + 100), ConversionChecks.purchase(3, at: noon + 700)],
                    of: Self.guest
                )
                try await Self.merge(in: store)
                for _ in 0..<steps { _ = try await store.moveMergedEvents(limit: 1) }
                try await store.record([.impression(4, at: noon + 50)])
                #expect(try await store.userState(of: someone)?.deliveries.count == 1)
                let report = try #require(try await store.campaignReport(of: CampaignID(rawValue: "sale")))
                #expect(report.amounts.map(\.counts.purchases).reduce(0, +) == 2)
            }
        }
    }

    static let pruned = ConformanceCheck(
        "Events that are too old are removed, also those that haven't moved"
    ) { stores in
        try await stores.withStore { store in
            try await store.record(Self.seen(1...4), of: Self.guest)
            try await Self.merge(in: store)
            _ = try await store.moveMergedEvents(limit: 1)
            #expect(try await store.pruneEvents(before: noon + 4) == 3)
            try await Self.whileMoving(in: store) { () async throws in
                #expect(try await Self.numbers(store.userEvents(of: someone, limit: 10)) == [4])
            }
        }
    }

    static let deleted = ConformanceCheck(
        "Who is deleted before all events of merged users have moved leaves none of them"
    ) { stores in
        for steps in 0...2 {
            try await stores.withStore { store in
                try await store.record(Self.seen(1...4), of: Self.guest)
                try await store.record(Self.seen(9...9))
                try await Self.merge(in: store)
                for _ in 0..<steps { _ = try await store.moveMergedEvents(limit: 1) }
                #expect(try await !store.deleteUser(Self.guest, at: noon, by: command))
                #expect(try await store.userEvents(of: someone, limit: 10).count == 5)
                #expect(try await store.deleteUser(someone, at: noon, by: command))
                #expect(try await store.eventPage(after: 0, EventFilter(), limit: 10).events.isEmpty)
                #expect(try await !store.moveMergedEvents(limit: 1))
                try await store.updateUsers([UserUpdate(id: Self.guest), UserUpdate(id: someone)], at: noon)
                #expect(try await store.record(Self.seen(1...4), of: Self.guest).receipt.accepted == 4)
                #expect(try await store.userEvents(of: someone, limit: 10).isEmpty)
            }
        }
    }

    static let createdAgain = ConformanceCheck(
        "A user who is created again before all events have moved has none of the one before"
    ) { stores in
        for steps in 0...2 {
            try await stores.withStore { store in
                try await store.record(Self.seen(1...4), of: Self.guest)
                try await Self.merge(in: store)
                for _ in 0..<steps { _ = try await store.moveMergedEvents(limit: 1) }
                try await store.updateUsers([UserUpdate(id: Self.guest)], at: noon)
                try await store.record(Self.seen(2...2), of: Self.guest)
                try await Self.whileMoving(in: store) { () async throws in
                    #expect(try await Self.numbers(store.userEvents(of: Self.guest, limit: 10)) == [2])
                    #expect(try await Self.numbers(store.userEvents(of: someone, limit: 10)) == [1, 2, 3, 4])
                }
            }
        }
    }

    static let mergedOn = ConformanceCheck(
        "Events that haven't moved go on with a user who is merged too, and each counts once"
    ) { stores in
        for steps in 0...2 {
            try await stores.withStore { store in
                try await store.record(Self.seen(1...3), of: Self.guest)
                try await store.record(Self.seen(3...5), of: Self.guests)
                try await store.record(Self.seen(1...1) + Self.seen(4...4))
                try await Self.merge(Self.guest, into: Self.guests, in: store)
                for _ in 0..<steps { _ = try await store.moveMergedEvents(limit: 1) }
                try await Self.merge(Self.guests, in: store)
                try await Self.whileMoving(in: store) { () async throws in
                    #expect(try await Self.numbers(store.userEvents(of: someone, limit: 10)) == [1, 2, 3, 4, 5])
                    #expect(try await Self.count(in: store) == 5)
                }
            }
        }
    }

    static let repeated = ConformanceCheck(
        "An event that two merged users have counts once"
    ) { stores in
        try await stores.withStore { store in
            try await store.record(Self.seen(1...3), of: Self.guest)
            try await store.record(Self.seen(2...5), of: Self.guests)
            try await Self.merge(Self.guest, in: store)
            try await Self.merge(Self.guests, in: store)
            try await Self.whileMoving(in: store) { () async throws in
                #expect(try await Self.numbers(store.userEvents(of: someone, limit: 10)) == [1, 2, 3, 4, 5])
                #expect(try await Self.count(in: store) == 5)
            }
        }
    }

    static let bounded = ConformanceCheck(
        "A merge of a user with thousands of events keeps all of them, and counts once what both have sent of late"
    ) { stores in
        try await stores.withStore { store in
            for start in stride(from: UInt64(1), to: 5_501, by: 500) {
                try await store.record(Self.seen(start...start + 499), of: Self.guest)
            }
            try await store.record(Self.seen(400...400) + Self.seen(501...501) + Self.seen(5_500...5_500))
            try await Self.merge(in: store)
            // The first of the three is older than what is looked for.
            #expect(try await Self.count(in: store) == 5_501)
            var pieces = 1
            // safe: counts
            while try await store.moveMergedEvents(limit: 1_000) { pieces += 1 }
            #expect(pieces <= 7)
            #expect(try await Self.count(in: store) == 5_501)
            var (position, found): (Int64, Set<UInt64>) = (0, [])
            while true {
                let page = try await store.eventPage(after: position, EventFilter(), limit: 1_000)
                #expect(page.events.allSatisfy { $0.user == someone })
                for event in page.events { #expect(found.insert(event.id.low).inserted) }
                position = page.position
                if page.isLast { break }
            }
            #expect(found.count == 5_500)
        }
    }
}
