import CardModel
import CardStore
import Testing

/// Checks of users' cards.
enum FeedChecks {
    static let checks: [ConformanceCheck] = [
        unknownUser, savesFeed, refusesErasedUser, refusesOldVersion, refusesVersionOfNobody, oneSaveWins, endsCards,
        emptySave, notesDevice, lastSeenOnlyGrows, marksSeveral, unicodeIDs, survivesReopening,
    ]

    static let unknownUser = ConformanceCheck(
        "A user that the store does not know has no revision and no state"
    ) { stores in
        try await stores.withStore { store in
            let (revision, state) = (try await store.userRevision(of: someone), try await store.userState(of: someone))

            #expect(revision == nil)
            #expect(state == nil)
            #expect(try await store.userCount() == 0)
        }
    }

    static let savesFeed = ConformanceCheck(
        "What is saved is read back whole, the oldest card first"
    ) { stores in
        try await stores.withStore { store in
            // Ids whose order is not the order in which they are given.
            let device = DeviceContext(locale: "ja-JP", timeZone: "Asia/Tokyo", appVersion: "3.1")
            let cards = ["c", "a", "b"].enumerated().map { index, id in
                Delivery(
                    card: CardID(rawValue: id),
                    campaign: CampaignID(rawValue: "campaign-\(index)"),
                    ordinal: index,
                    variant: VariantID(rawValue: "v\(index)"),
                    deliveredAt: noon + 0.125
                )
            }

            let version = try await store.saveFeed(
                FeedChange(user: someone, version: 0, device: device, additions: cards, endings: [:], at: noon)
            )

            let state = try #require(try await store.userState(of: someone))
            #expect(version == state.version)
            #expect(state.profile.id == someone)
            #expect(state.profile.device == device)
            #expect(state.profile.createdAt == noon)
            #expect(state.profile.lastSeenAt == noon)
            var expected = cards
            for index in expected.indices { expected[index].changedAt = state.version }
            #expect(state.deliveries == expected)
            let revision = try #require(try await store.userRevision(of: someone))
            #expect(
                revision
                    == UserRevision(
                        version: state.version,
                        device: device.fingerprint,
                        lastSeenAt: noon,
                        createdAt: noon
                    )
            )
        }
    }

    static let refusesErasedUser = ConformanceCheck(
        "What a device is to get for a user who was deleted is refused, and counts nothing"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            #expect(try await store.deleteUser(someone, at: noon, by: command))
            let before = try await store.counts()
            await expectFailure(.erased) { try await store.give("card-2") }
            #expect(try await store.counts() == before)
            #expect(try await store.userCount() == 0)
        }
    }

    static let refusesOldVersion = ConformanceCheck(
        "Saving from a version that is not the user's saves nothing"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let version = try #require(try await store.give("card-1"))

            for wrong in [0, version - 1, version + 1] {
                let change = FeedChange(
                    user: someone,
                    version: wrong,
                    device: DeviceContext(locale: "de"),
                    additions: [],
                    endings: [CardID(rawValue: "card-1"): .limit],
                    at: noon
                )
                #expect(try await store.saveFeed(change) == nil)
            }

            let state = try #require(try await store.userState(of: someone))
            #expect(state.version == version)
            #expect(state.deliveries.allSatisfy { $0.end == nil })
            #expect(state.profile.device == DeviceContext())
        }
    }

    static let refusesVersionOfNobody = ConformanceCheck(
        "A change from a version of a user that is not there saves nothing"
    ) { stores in
        try await stores.withStore { store in
            let change = FeedChange(user: someone, version: 3, additions: [], endings: [:], at: noon)
            let version = try await store.saveFeed(change)

            #expect(version == nil)
            #expect(try await store.userState(of: someone) == nil)
        }
    }

    static let oneSaveWins = ConformanceCheck(
        "Of many saves from one version at once, one wins and is counted"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())

            let winners = try await withThrowingTaskGroup(of: UserVersion?.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let delivery = Delivery(
                            card: CardID(rawValue: "card-\(number)"),
                            campaign: CampaignID(rawValue: "sale"),
                            ordinal: 0,
                            variant: VariantID(rawValue: "a"),
                            deliveredAt: noon
                        )
                        return try await store.saveFeed(
                            FeedChange(user: someone, version: 0, additions: [delivery], endings: [:], at: noon)
                        )
                    }
                }
                return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }

            #expect(winners.count == 1)
            #expect(try await store.userState(of: someone)?.deliveries.count == 1)
            #expect(try await store.counts().delivered == 1)
        }
    }

    static let endsCards = ConformanceCheck(
        "A card that is taken away stays known, with its reason"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let version = try #require(try await store.give("card-1"))

            let next = try await store.saveFeed(
                FeedChange(
                    user: someone,
                    version: version,
                    additions: [],
                    endings: [CardID(rawValue: "card-1"): .limit, CardID(rawValue: "none"): .limit],
                    at: noon
                )
            )

            let card = try #require(try await store.userState(of: someone)?.deliveries.first)
            #expect(card.end == .limit)
            #expect(card.changedAt == next)
        }
    }

    static let emptySave = ConformanceCheck(
        "A save that changes nothing keeps the version"
    ) { stores in
        try await stores.withStore { store in
            let device = DeviceContext(locale: "en")
            let first = try await store.saveFeed(
                FeedChange(user: someone, version: 0, device: device, additions: [], endings: [:], at: noon)
            )
            let version = try #require(first)

            let second = try await store.saveFeed(
                FeedChange(user: someone, version: version, device: device, additions: [], endings: [:], at: noon + 5)
            )

            #expect(second == version)
            #expect(try await store.userRevision(of: someone)?.lastSeenAt == noon + 5)
        }
    }

    static let notesDevice = ConformanceCheck(
        "What a device says changes the version only where it is new"
    ) { stores in
        try await stores.withStore { store in
            let device = DeviceContext(locale: "en-GB", timeZone: "Europe/London", appVersion: nil)
            try await store.recordDevice(device, of: someone, at: noon)
            let first = try #require(try await store.userRevision(of: someone))

            try await store.recordDevice(device, of: someone, at: noon + 60)
            let second = try #require(try await store.userRevision(of: someone))
            try await store.recordDevice(DeviceContext(locale: "en-GB"), of: someone, at: noon + 120)
            let third = try #require(try await store.userState(of: someone))

            #expect(first.device == device.fingerprint)
            #expect((second.version, second.lastSeenAt) == (first.version, noon + 60))
            #expect(third.version > second.version)
            #expect(third.profile.device == DeviceContext(locale: "en-GB"))
        }
    }

    static let lastSeenOnlyGrows = ConformanceCheck(
        "A device that was heard of earlier does not turn back the clock"
    ) { stores in
        try await stores.withStore { store in
            try await store.recordDevice(DeviceContext(locale: "en"), of: someone, at: noon)
            try await store.recordDevice(DeviceContext(locale: "en"), of: someone, at: noon - 60)
            try await store.recordDevice(DeviceContext(locale: "de"), of: someone, at: noon - 60)

            #expect(try await store.userRevision(of: someone)?.lastSeenAt == noon)
        }
    }

    static let unicodeIDs = ConformanceCheck(
        "Ids may be any Unicode, and those that only look the same are different users"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let ids = [
                "e\u{301}", "\u{E9}", "É", "ß", "\u{1F468}\u{200D}\u{1F469}", "用户-1", "'; DROP TABLE users; --", " ",
                "%_",
                String(repeating: "長", count: 170), "a\u{FEFF}", "\u{FFFD}",
            ]
            for (index, id) in ids.enumerated() {
                try await store.give("card-\(index)", to: UserID(rawValue: id))
                try await store.record([.impression(1, of: "card-\(index)")], of: UserID(rawValue: id))
            }

            #expect(try await store.userCount() == Int64(ids.count))
            for (index, id) in ids.enumerated() {
                let state = try #require(try await store.userState(of: UserID(rawValue: id)))
                #expect(state.deliveries.map(\.card.rawValue) == ["card-\(index)"])
            }
            #expect(try await store.counts().uniqueImpressions == Int64(ids.count))
        }
    }

    static let marksSeveral = ConformanceCheck(
        "What a batch tells of several cards is noted on each of them and no other, and devices hear of what is new"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            for number in 1...4 { try await store.give("card-\(number)", ordinal: number - 1) }
            try await store.give("card-1", to: UserID(rawValue: "user-2"))

            try await store.record([
                .impression(1, of: "card-1"), .impression(2, of: "card-2", at: noon + 1), .click(3, of: "card-2"),
                .dismissal(4, of: "card-3"),
            ])
            let first = try #require(try await store.userState(of: someone))
            // Seen again, which is nothing that a device is told of, beside a click that is.
            try await store.record([
                .impression(5, of: "card-1", at: noon + 5), .impression(6, of: "card-2", at: noon + 6),
                .click(7, of: "card-1"), .impression(8, of: "card-3", at: noon + 7),
            ])
            try await store.record([
                .impression(9, of: "card-1", at: noon + 8), .impression(10, of: "card-2", at: noon + 9),
            ])

            let second = try #require(try await store.userState(of: someone))
            #expect(first.deliveries.map(\.isViewed) == [true, true, false, false])
            #expect(first.deliveries.map(\.isClicked) == [false, true, false, false])
            #expect(first.deliveries.map(\.isDismissed) == [false, false, true, false])
            #expect(first.deliveries.map(\.lastViewedAt) == [noon, noon + 1, nil, nil])
            #expect(second.deliveries.map(\.isViewed) == [true, true, true, false])
            #expect(second.deliveries.map(\.isClicked) == [true, true, false, false])
            #expect(second.deliveries.map(\.lastViewedAt) == [noon + 8, noon + 9, noon + 7, nil])
            #expect(second.deliveries.map(\.lastClickedAt) == [noon, noon, nil, nil])
            #expect(second.deliveries.map(\.dismissedAt) == [nil, nil, noon, nil])
            let news = zip(first.deliveries, second.deliveries).map { $0.changedAt < $1.changedAt }
            #expect(news == [true, false, true, false])
            let other = try #require(try await store.userState(of: UserID(rawValue: "user-2")))
            #expect(other.deliveries.map(\.lastViewedAt) == [nil])
        }
    }

    static let survivesReopening = ConformanceCheck(
        "What was reported as done is there after the store is opened again"
    ) { stores in
        try await stores.withPlace { place in
            let first = try await place.open()
            try await first.launch(.sample())
            try await first.give("card-1")
            let state = try await first.userState(of: someone)
            try await first.close()

            let second = try await place.open()
            #expect(try await second.userState(of: someone) == state)
            #expect(second.epoch == first.epoch)
            #expect(second.userEpoch(of: someone) == first.userEpoch(of: someone))
            #expect(second.wholeEpoch == first.wholeEpoch)
            try await second.close()
        }
    }
}
