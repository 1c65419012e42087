import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of backends.
enum BackendChecks {
    static let checks: [ConformanceCheck] = [
        attributes, concurrentIncrements, events, unknownUsers, emails, aliases, limits,
    ]

    private static let loyalty = UserAlias(label: "loyalty", name: "4711")
    private static let guest = UserID(rawValue: "unidentified-1")

    static let attributes = ConformanceCheck(
        "Attributes are changed from what they are, one after the other"
    ) { stores in
        try await stores.withStore { store in
            let outcome = try await store.trackUsers(
                [
                    .attributes(
                        of: .id(someone),
                        [
                            "visits": .set(3), "tags": .set(["a", "b"]), "gone": .set("x"),
                            "car": .set(["colour": "red", "seats": 4]),
                        ]
                    ),
                    .attributes(
                        of: .id(someone),
                        [
                            "visits": .increment(by: 2), "tags": .edit(adding: ["a", "c"], removing: ["b"]),
                            "gone": .set(.null), "car": .merge(["colour": "blue"]), "points": .increment(by: -1),
                        ]
                    ),
                ],
                at: noon
            )

            #expect(outcome.users == [someone, someone])
            let custom = try await store.userState(of: someone)?.profile.custom
            #expect(
                custom == [
                    "car": ["colour": "blue", "seats": 4], "tags": ["a", "c"], "visits": 5, "points": -1,
                ]
            )
        }
    }

    static let concurrentIncrements = ConformanceCheck(
        "Ten callers that each add one to a number make ten"
    ) { stores in
        try await stores.withStore { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        _ = try await store.trackUsers(
                            [.attributes(of: .id(someone), ["visits": .increment(by: 1)])],
                            at: noon
                        )
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.userState(of: someone)?.profile.custom["visits"] == 10)
        }
    }

    static let events = ConformanceCheck(
        "Events make their user and count once per id"
    ) { stores in
        try await stores.withStore { store in
            let purchase = DeviceEvent.Purchase(productID: "backpack", currency: "USD", price: 40, quantity: 2)
            let changes = [
                TrackedChange.event(DeviceEvent(1, .custom(name: "watched")), of: .id(someone)),
                .event(DeviceEvent(2, .purchase(purchase), at: noon + 5), of: .id(someone)),
            ]
            let first = try await store.trackUsers(changes, at: noon)
            let again = try await store.trackUsers(changes, at: noon + 60)

            #expect(first.duplicates == 0)
            #expect(again.duplicates == 2)
            let record = try #require(try await store.userRecords(of: [.id(someone)]).first?.first)
            #expect(record.events == [.init(name: "watched", first: noon, last: noon, count: 1)])
            #expect(record.purchases == [.init(name: "backpack", first: noon + 5, last: noon + 5, count: 2)])
            #expect(record.revenue == ["USD": 80])
        }
    }

    static let unknownUsers = ConformanceCheck(
        "A change about nobody is left out unless it may make a user",
        leaveUnknownUsersOut
    )

    private static func leaveUnknownUsersOut(_ stores: any StoreFactory) async throws {
        try await stores.withStore { store in
            let plan = TrackedChange.TrackedContent.attributes(AttributeChanges(custom: ["plan": .set("gold")]))
            func user(_ user: UserReference, making id: UserID?) async throws -> UserID? {
                let change = TrackedChange(user: user, newUser: id, content: plan)
                return try await store.trackUsers([change], at: noon).users[0]
            }
            let unmade = try await [user(.id(someone), making: nil), user(.alias(Self.loyalty), making: nil)]
            #expect(unmade == [nil, nil])
            #expect(try await store.userCount() == 0)
            #expect(try await user(.alias(Self.loyalty), making: Self.guest) == Self.guest)
            #expect(try await user(.alias(Self.loyalty), making: UserID(rawValue: "unidentified-2")) == Self.guest)
            #expect(try await store.userCount() == 1)
        }
    }

    static let emails = ConformanceCheck(
        "Users are found by e-mail address, those with an id first"
    ) { stores in
        try await stores.withStore { store in
            let email = UserReference.email("Ann@Example.com", .usual)
            let made = try await store.trackUsers([.attributes(of: email, [:], making: Self.guest)], at: noon)
            #expect(made.users == [Self.guest])
            #expect(try await store.findUsers([.email("ann@example.com", .usual)]) == [Self.guest])

            let other = UserID(rawValue: "user-2")
            for (index, user) in [someone, other].enumerated() {
                let update = UserUpdate(id: user, custom: ["n": 1], standard: [.email: "ann@example.COM"])
                try await store.updateUsers([UserUpdate(id: user), update], at: noon + Double(index))
            }
            #expect(try await store.findUsers([email]) == [other])
            let strict = UserReference.email("ann@example.com", MatchPreference([.identified]))
            #expect(try await store.findUsers([strict, .phone("1", .usual), .id(someone)]) == [nil, nil, someone])
            let records = try await store.userRecords(of: [email])
            #expect(records.map { $0.map(\.profile.id) } == [[other, someone, Self.guest]])
        }
    }

    static let aliases = ConformanceCheck(
        "An alias has one owner, and a user one alias for each label"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            let second = UserAlias(label: "loyalty", name: "4712")
            let unknown = UserID(rawValue: "nobody")
            let outcomes = try await store.addAliases(
                [
                    NewAlias(alias: Self.loyalty, user: someone, newUser: Self.guest),
                    NewAlias(alias: Self.loyalty, user: someone, newUser: Self.guest),
                    NewAlias(alias: second, user: someone, newUser: Self.guest),
                    NewAlias(alias: second, user: unknown, newUser: Self.guest),
                    NewAlias(alias: second, user: nil, newUser: Self.guest),
                    NewAlias(alias: second, user: someone, newUser: Self.guest),
                ],
                at: noon
            )
            #expect(outcomes == [.given, .given, .labelTaken, .userUnknown, .given, .nameTaken])
            #expect(try await store.findUsers([.alias(Self.loyalty), .alias(second)]) == [someone, Self.guest])
            #expect(try await store.userRecords(of: [.id(someone)]).first?.first?.aliases == [Self.loyalty])
        }
    }

    static let limits = ConformanceCheck(
        "What would be more than is kept of one user is left out, and says so"
    ) { stores in
        try await stores.withStore { store in
            var settings = Settings()
            settings.deviceLimits.user.attributes = 2
            settings.deviceLimits.user.aliases = 1
            try await store.saveSettings(settings, at: noon, by: command)

            let tracked = try await store.trackUsers(
                [
                    .attributes(of: .id(someone), ["a": .set(1), "b": .set(2)]),
                    .attributes(of: .id(someone), ["a": .set(3), "c": .set(3)]),
                    .attributes(of: .id(someone), ["b": .set(4)]),
                ],
                at: noon
            )
            let excess = UserLimits.Excess(.attributes, limit: 2)
            #expect(tracked.excesses == [1: excess])
            let updated = try await store.updateUsers(
                [UserUpdate(id: someone, custom: ["c": 1]), UserUpdate(id: Self.guest, custom: ["c": 1])],
                at: noon
            )
            #expect(updated == [excess, nil])
            #expect(try await store.userState(of: someone)?.profile.custom == ["a": 1, "b": 4])

            func give(_ label: String) -> NewAlias {
                NewAlias(alias: UserAlias(label: label, name: "1"), user: someone, newUser: Self.guest)
            }
            let aliases = try await store.addAliases([give("x"), give("y"), give("x")], at: noon)
            #expect(aliases == [.given, .limitReached(UserLimits.Excess(.aliases, limit: 1)), .given])

            let joined = try await store.identifyUsers(
                [Identification(user: .id(Self.guest), identity: someone)],
                at: noon
            )
            #expect(joined == [.limitReached(excess)])
            #expect(try await store.userState(of: Self.guest)?.profile.custom == ["c": 1])
        }
    }
}

extension TrackedChange {
    static func attributes(
        of user: UserReference,
        _ changes: [String: AttributeChange],
        making id: UserID? = nil
    ) -> TrackedChange {
        let custom = AttributeChanges(custom: .init(uniqueKeysWithValues: changes.sorted { $0.key < $1.key }))
        return TrackedChange(user: user, newUser: id ?? user.id, content: .attributes(custom))
    }

    static func event(_ event: DeviceEvent, of user: UserReference) -> TrackedChange {
        TrackedChange(user: user, newUser: user.id, content: .event(event))
    }
}

extension UserReference {
    fileprivate var id: UserID? {
        if case .id(let id) = self { id } else { nil }
    }
}
