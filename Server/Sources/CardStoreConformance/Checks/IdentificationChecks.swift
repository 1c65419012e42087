import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of users who become one with another, are deleted, and are created again.
enum IdentificationChecks {
    static let checks: [ConformanceCheck] = [
        identifyNew, identifyKnown, identifyDevices, mergedDevices, mergedAndDeleted, createdAgain, mergedTwice,
        identifyRefuses, deletes, deletedByAnEarlierClock,
    ]

    private static let loyalty = UserAlias(label: "loyalty", name: "4711")
    private static let guest = UserID(rawValue: "unidentified-1")

    static let identifyNew = ConformanceCheck(
        "A user who turns out to be new becomes the user of that id"
    ) { stores in
        try await stores.withStore { store in
            try await Self.makeGuest(in: store)
            let identification = Identification(user: .alias(Self.loyalty), identity: someone)

            #expect(try await store.identifyUsers([identification], at: noon) == [.done])

            #expect(try await store.userState(of: Self.guest) == nil)
            let record = try #require(try await store.userRecords(of: [.alias(Self.loyalty)]).first?.first)
            #expect(record.profile.id == someone)
            #expect(record.profile.custom == ["level": 2, "plan": "silver"])
            #expect(record.events.map(\.count) == [1])
            #expect(record.deliveries.map(\.card.rawValue) == ["card-1"])
            #expect(try await store.identifyUsers([identification], at: noon) == [.done])
        }
    }

    static let identifyKnown = ConformanceCheck(
        "A known user keeps what they have and gets what they lack"
    ) { stores in
        try await stores.withStore { store in
            try await Self.makeGuest(in: store)
            try await store.updateUsers([UserUpdate(id: someone, custom: ["plan": "gold"])], at: noon)
            try await store.record([DeviceEvent(2, .custom(name: "seen"), at: noon + 9)])
            try await store.give("card-2", to: someone)
            let before = try #require(try await store.userRevision(of: someone)?.version)

            let outcome = try await store.identifyUsers(
                [Identification(user: .alias(Self.loyalty), identity: someone)],
                at: noon
            )

            #expect(outcome == [.done])
            let record = try #require(try await store.userRecords(of: [.id(someone)]).first?.first)
            #expect(record.profile.custom == ["plan": "gold", "level": 2])
            #expect(record.events == [.init(name: "seen", first: noon, last: noon + 9, count: 2)])
            #expect(record.aliases == [Self.loyalty])
            #expect(record.deliveries.map(\.card.rawValue) == ["card-2"])
            let after = try #require(try await store.userRevision(of: someone)?.version)
            #expect(after > before)
            #expect(try await store.userCount() == 1)
        }
    }

    static let identifyDevices = ConformanceCheck(
        "What two users' devices said of themselves is joined part by part"
    ) { stores in
        try await stores.withStore { store in
            try await Self.makeGuest(in: store)
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            let guests = DeviceContext(locale: "de-DE", timeZone: "Europe/Berlin", appVersion: "3.1")
            try await store.recordDevice(guests, of: Self.guest, at: noon)
            try await store.recordDevice(DeviceContext(locale: "ja-JP"), of: someone, at: noon + 1)

            let identification = Identification(user: .alias(Self.loyalty), identity: someone)
            #expect(try await store.identifyUsers([identification], at: noon + 2) == [.done])

            let device = try await store.userState(of: someone)?.profile.device
            #expect(device == DeviceContext(locale: "ja-JP", timeZone: "Europe/Berlin", appVersion: "3.1"))
        }
    }

    /// A device's batch of one event.
    private static func batch(_ number: UInt64, of user: UserID) -> EventBatch {
        EventBatch(user: user, events: [DeviceEvent(number, .custom(name: "late"))], receivedAt: noon, device: "old")
    }

    static let mergedDevices = ConformanceCheck(
        "What a device still sends for a user who was merged counts for who they are"
    ) { stores in
        try await stores.withStore { store in
            try await Self.makeGuest(in: store)
            let identification = Identification(user: .alias(Self.loyalty), identity: someone)
            #expect(try await store.identifyUsers([identification], at: noon) == [.done])
            let before = try #require(try await store.userRevision(of: someone)).version

            let outcome = try await store.recordEvents(Self.batch(70, of: Self.guest))
            #expect(outcome.receipt.accepted == 1 && outcome.versionBefore == before)
            #expect(try await store.recordEvents(Self.batch(70, of: Self.guest)).receipt.duplicate == 1)
            #expect(try await store.recordEvents(Self.batch(70, of: someone)).receipt.duplicate == 1)
            #expect(try await store.userState(of: someone, including: .all)?.history.events["late"]?.count == 1)
            #expect(try await store.userRevision(of: Self.guest) == nil)
            await #expect(throws: StoreError.erased) {
                try await store.recordDevice(DeviceContext(), of: Self.guest, at: noon)
            }
            await #expect(throws: StoreError.erased) {
                try await store.saveFeed(
                    FeedChange(
                        user: Self.guest,
                        version: 0,
                        device: DeviceContext(),
                        additions: [],
                        endings: [:],
                        at: noon
                    )
                )
            }
        }
    }

    static let mergedAndDeleted = ConformanceCheck(
        "Who was merged is deleted with who they are, and is another user once a backend creates one of the id"
    ) { stores in
        try await stores.withStore { store in
            try await Self.makeGuest(in: store)
            let identification = Identification(user: .alias(Self.loyalty), identity: someone)
            #expect(try await store.identifyUsers([identification], at: noon) == [.done])
            #expect(try await store.deleteUser(someone, at: noon, by: .command))
            await #expect(throws: StoreError.erased) { try await store.recordEvents(Self.batch(71, of: Self.guest)) }

            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            await #expect(throws: StoreError.erased) { try await store.recordEvents(Self.batch(71, of: Self.guest)) }
            try await store.updateUsers([UserUpdate(id: Self.guest)], at: noon)
            #expect(try await store.recordEvents(Self.batch(71, of: Self.guest)).receipt.accepted == 1)
            #expect(try await store.userState(of: someone, including: .all)?.history.events.isEmpty == true)
        }
    }

    static let createdAgain = ConformanceCheck(
        "A user who is created again at the same moment, by a backend or a merge, is told from the one before"
    ) { stores in
        try await stores.withStore { store in
            var times: [UnixTime] = []
            func create(_ user: UserID) async throws {
                try await store.updateUsers([UserUpdate(id: user)], at: noon)
                times.append(try #require(try await store.userRevision(of: user)).createdAt)
            }
            for _ in 0..<3 {
                try await create(someone)
                #expect(try await store.deleteUser(someone, at: noon, by: .command))
            }
            #expect(times[0] == noon && times[0] < times[1] && times[1] < times[2])
            try await create(Self.guest)
            let identification = Identification(user: .id(Self.guest), identity: someone)
            #expect(try await store.identifyUsers([identification], at: noon) == [.done])
            let merged = try #require(try await store.userRevision(of: someone)).createdAt
            #expect(merged > times[2])
            try await create(Self.guest)
            #expect(times[4] > times[3])
        }
    }

    static let mergedTwice = ConformanceCheck(
        "Who was merged twice is who they became last"
    ) { stores in
        try await stores.withStore { store in
            let second = UserID(rawValue: "anonymous-2")
            try await store.updateUsers([UserUpdate(id: Self.guest), UserUpdate(id: second)], at: noon)
            for (user, identity) in [(Self.guest, second), (second, someone)] {
                let identification = Identification(user: .id(user), identity: identity)
                #expect(try await store.identifyUsers([identification], at: noon) == [.done])
            }
            for (number, user) in [(72, Self.guest), (73, second)] {
                #expect(try await store.recordEvents(Self.batch(UInt64(number), of: user)).receipt.accepted == 1)
            }
            #expect(try await store.userState(of: someone, including: .all)?.history.events["late"]?.count == 2)
        }
    }

    static let identifyRefuses = ConformanceCheck(
        "No user is joined with a different one"
    ) { stores in
        try await stores.withStore { store in
            try await Self.makeGuest(in: store)
            let other = UserID(rawValue: "user-2")
            try await store.updateUsers([UserUpdate(id: someone), UserUpdate(id: other)], at: noon)
            let own = UserAlias(label: "loyalty", name: "1")
            let phone = UserAlias(label: "phone", name: "2")
            _ = try await store.addAliases(
                [
                    NewAlias(alias: own, user: someone, newUser: Self.guest),
                    NewAlias(alias: phone, user: other, newUser: Self.guest),
                ],
                at: noon
            )

            let outcomes = try await store.identifyUsers(
                [
                    Identification(user: .alias(Self.loyalty), identity: someone),
                    Identification(user: .alias(phone), identity: someone),
                    Identification(user: .alias(UserAlias(label: "x", name: "y")), identity: someone),
                ],
                at: noon
            )

            #expect(outcomes == [.labelTaken, .otherwiseIdentified, .userUnknown])
            #expect(try await store.userCount() == 3)
        }
    }

    static let deletes = ConformanceCheck(
        "Users are forgotten with their aliases"
    ) { stores in
        try await stores.withStore { store in
            try await Self.makeGuest(in: store)
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)

            let deleted = try await store.deleteUsers(
                [.alias(Self.loyalty), .id(someone), .id(someone)],
                at: 0,
                by: .command
            )

            #expect(deleted == [Self.guest, someone])
            #expect(try await store.userCount() == 0)
            #expect(try await store.findUsers([.alias(Self.loyalty)]) == [nil])
        }
    }

    /// Makes a user with an alias, attributes, an event and a card.
    private static func makeGuest(in store: any CardStore) async throws {
        try await store.launch(.sample())
        _ = try await store.trackUsers(
            [
                .attributes(of: .alias(loyalty), ["plan": .set("silver"), "level": .set(2)], making: guest),
                .event(DeviceEvent(1, .custom(name: "seen")), of: .alias(loyalty)),
            ],
            at: noon
        )
        try await store.give("card-1", to: guest)
    }

    static let deletedByAnEarlierClock = ConformanceCheck(
        "A user deleted by a clock that was set back, and who had become that user, are told from those created again"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: Self.guest), UserUpdate(id: someone)], at: noon + 100)
            let identification = Identification(user: .id(Self.guest), identity: someone)
            #expect(try await store.identifyUsers([identification], at: noon + 200) == [.done])
            #expect(try await store.deleteUser(someone, at: noon, by: command))

            try await store.updateUsers([UserUpdate(id: Self.guest), UserUpdate(id: someone)], at: noon)
            let guest = try #require(try await store.userRevision(of: Self.guest)).createdAt
            let identity = try #require(try await store.userRevision(of: someone)).createdAt
            #expect(guest > noon + 200)
            #expect(identity > noon + 100)
        }
    }
}
