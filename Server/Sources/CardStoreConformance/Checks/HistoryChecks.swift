import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of histories.
enum HistoryChecks {
    static let checks: [ConformanceCheck] = [
        sumsUp, readsParts, agreesWithModel, bounds, goes, keepsContacts, keepsSeen, countsUsers,
    ]

    private static func purchase(
        _ number: UInt64,
        of product: String = "book",
        price: Amount = 10,
        currency: String = "USD",
        quantity: Int64 = 1,
        at time: UnixTime = noon
    ) -> DeviceEvent {
        let purchase = DeviceEvent.Purchase(
            productID: product,
            currency: currency,
            price: price,
            quantity: quantity
        )
        return DeviceEvent(number, .purchase(purchase), at: time)
    }

    static let sumsUp = ConformanceCheck(
        "What a user did is summed up, once per event"
    ) { stores in
        try await stores.withPlace { place in
            let first = try await place.open()
            let events = [
                DeviceEvent(1, .custom(name: "cart"), at: noon),
                DeviceEvent(2, .custom(name: "cart"), at: noon - 60.25),
                DeviceEvent(3, .custom(name: "c\u{0}\"é"), at: noon), Self.purchase(4, price: 9.5, quantity: 2),
                Self.purchase(5, currency: "JPY"), DeviceEvent(6, .sessionStart),
            ]
            let outcome = try await first.record(events)
            #expect(outcome.historyParts == .all)
            try await first.close()

            let second = try await place.open()
            let repetition = try await second.record(events)
            try await second.record([Self.purchase(7, price: 0.5, at: noon + 1)])

            #expect(repetition.historyParts.isEmpty)
            let history = try #require(try await second.userState(of: someone, including: .all)?.history)
            #expect(history.events["cart"]?.count == 2)
            #expect(history.events["cart"]?.first == noon - 60.25)
            #expect(history.events["cart"]?.recent == [noon - 60.25, noon])
            #expect(history.events["c\u{0}\"é"]?.count == 1)
            #expect(history.sessions == Occurrences(at: noon))
            let book = try #require(history.purchases[UserHistory.Product(id: "book", currency: "USD")])
            #expect((book.revenue, book.occurrences.count, book.occurrences.last) == (19.5, 2, noon + 1))
            #expect(book.recentAmounts == [19, 0.5])
            #expect(history.purchases.count == 2)
            try await second.close()
        }
    }

    static let readsParts = ConformanceCheck(
        "Only the parts that are asked for are read"
    ) { stores in
        try await stores.withStore { store in
            try await store.record([
                DeviceEvent(1, .custom(name: "a")), Self.purchase(2), DeviceEvent(3, .sessionStart),
            ])
            for part in [UserHistory.Parts.events, .purchases, .sessions, []] {
                let history = try #require(try await store.userState(of: someone, including: part)?.history)
                #expect(history.events.isEmpty == (part != .events))
                #expect(history.purchases.isEmpty == (part != .purchases))
                #expect((history.sessions == nil) == (part != .sessions))
            }
        }
    }

    static let agreesWithModel = ConformanceCheck(
        "A store's summary is what the model makes of the same events, in whatever order they come"
    ) { stores in
        try await stores.withStore { store in
            var expected = UserHistory()
            var events = (0..<330).map { number in
                // Times that fall together and times before 1970 too, with milliseconds.
                let time = Double((number * 7_919) % 301 - 20) * 43_210.125
                return number % 3 == 0
                    ? Self.purchase(UInt64(number), price: Amount(Int64(number % 7)) * 3 + 0.1, at: time)
                    : DeviceEvent(UInt64(number), .custom(name: "e\(number % 2)"), at: time)
            }
            for event in events { expected.add(event) }
            while !events.isEmpty {
                try await store.record(Array(events.prefix(37)))
                events.removeFirst(min(37, events.count))
            }
            #expect(try await store.userState(of: someone, including: .all)?.history == expected)
        }
    }

    static let bounds = ConformanceCheck(
        "A user has a thousand names of events and products, what comes after is refused, and those known go on"
    ) { stores in
        try await stores.withStore { store in
            for start in stride(from: 0, to: 1_200, by: 400) {
                let outcome = try await store.record(
                    (start..<start + 400).map { DeviceEvent(UInt64($0), .custom(name: "e\($0)")) }
                )
                #expect(outcome.receipt.accepted == (start < 800 ? 400 : 200))
                #expect(outcome.receipt.rejected.allSatisfy { $0.code == .limitReached })
                #expect(outcome.receipt.rejected.count == (start < 800 ? 0 : 200))
            }
            let known = DeviceEvent(9_999, .custom(name: "e0"))
            let more = [known, DeviceEvent(9_998, .sessionStart), Self.purchase(9_997)]
            let outcome = try await store.record(more)
            #expect(outcome.receipt.accepted == 2)
            #expect(outcome.excesses == [2: UserLimits.Excess(.eventNames, limit: 1_000)])
            let state = try #require(try await store.userState(of: someone, including: .all))
            #expect(state.history.events.count == 1_000)
            #expect(state.history.events["e0"]?.count == 2)
            #expect(state.history.purchases.isEmpty)
            // What was refused left nothing behind, and what was counted is never refused.
            #expect(try await store.record(more).receipt.duplicate == 2)
            #expect(try await !store.userEvents(of: someone, limit: 1_000).contains { $0.type == "purchase" })
        }
    }

    static let goes = ConformanceCheck(
        "A history goes with its user"
    ) { stores in
        try await stores.withStore { store in
            try await store.record([DeviceEvent(1, .custom(name: "a"))])
            _ = try await store.deleteUser(someone, at: 0, by: .command)
            try await store.record([DeviceEvent(2, .sessionStart)])
            let history = try #require(try await store.userState(of: someone, including: .all)?.history)
            #expect(history.events.isEmpty && history.sessions?.count == 1)
        }
    }

    static let keepsContacts = ConformanceCheck(
        "The last time that a card was seen, clicked and dismissed is kept"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([.impression(1, at: noon + 5), .impression(2, at: noon + 3)])
            var card = try #require(try await store.userState(of: someone)?.deliveries.first)
            #expect(card.lastViewedAt == noon + 5)
            #expect(card.lastClickedAt == nil && card.dismissedAt == nil)

            let seenAgain = try await store.record([.impression(3, at: noon + 9)])
            try await store.record([.click(4), .dismissal(5)])
            card = try #require(try await store.userState(of: someone)?.deliveries.first)
            #expect(seenAgain.versionBefore == seenAgain.versionAfter)
            #expect(seenAgain.historyParts == .contacts)
            #expect((card.lastViewedAt, card.lastClickedAt, card.dismissedAt) == (noon + 9, noon, noon))
        }
    }

    static let keepsSeen = ConformanceCheck(
        "The first and the last time that a user was seen are kept"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone, custom: ["a": 1])], at: noon)
            #expect(try await store.userState(of: someone)?.profile.firstSeenAt == nil)
            let device = DeviceContext(locale: "ja-JP")
            for (time, device) in [(noon + 1, device), (noon + 2, device), (noon + 3, DeviceContext(locale: "en"))] {
                try await store.recordDevice(device, of: someone, at: time)
                let profile = try #require(try await store.userState(of: someone)?.profile)
                #expect((profile.firstSeenAt, profile.lastSeenAt) == (noon + 1, time))
            }
            let other = UserID(rawValue: "user-2")
            try await store.recordDevice(device, of: other, at: noon)
            #expect(try await store.userState(of: other)?.profile.firstSeenAt == noon)
        }
    }

    static let countsUsers = ConformanceCheck(
        "Users are counted as they come and go"
    ) { stores in
        try await stores.withPlace { place in
            let store = try await place.open()
            #expect(try await store.userCount() == 0)
            try await store.record([DeviceEvent(1, .sessionStart)])
            try await store.updateUsers([UserUpdate(id: someone), UserUpdate(id: UserID(rawValue: "b"))], at: noon)
            try await store.recordDevice(DeviceContext(), of: UserID(rawValue: "c"), at: noon)
            #expect(try await store.userCount() == 3)
            _ = try await store.deleteUser(someone, at: 0, by: .command)
            _ = try await store.deleteUser(someone, at: 0, by: .command)
            try await store.close()
            let again = try await place.open()
            #expect(try await again.userCount() == 2)
            try await again.close()
        }
    }
}
