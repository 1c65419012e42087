import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of users.
enum UserChecks {
    static let checks: [ConformanceCheck] = [
        attributes, version, updateConflictsWithSave, thousandUsers, deletes, longLog, positionsOnlyGrow,
    ]

    static let attributes = ConformanceCheck(
        "Attributes are set, replaced and removed"
    ) { stores in
        try await stores.withStore { store in
            let all: JSONValue = ["b": true, "i": 9_007_199_254_740_993, "d": 1.5, "a": [1, "x"], "u": "\u{0}\"é"]
            try await store.updateUsers(
                [
                    UserUpdate(
                        id: someone,
                        custom: ["all": all, "plan": "gold"],
                        standard: [.country: "JP", .email: "a@b.c"]
                    )
                ],
                at: noon
            )
            try await store.updateUsers(
                [UserUpdate(id: someone, custom: ["plan": .null, "level": 2], standard: [.email: .null])],
                at: noon + 1
            )

            let profile = try #require(try await store.userState(of: someone)?.profile)
            #expect(profile.custom == ["all": all, "level": 2])
            #expect(profile.standard == [.country: "JP"])
            #expect(profile.createdAt == noon)
            #expect(profile.lastSeenAt == nil)
        }
    }

    static let version = ConformanceCheck(
        "An update raises the version only where something is different"
    ) { stores in
        try await stores.withStore { store in
            let update = UserUpdate(id: someone, custom: ["plan": "gold"])
            try await store.updateUsers([update], at: noon)
            let first = try #require(try await store.userRevision(of: someone)?.version)

            try await store.updateUsers([update, UserUpdate(id: someone)], at: noon)
            #expect(try await store.userRevision(of: someone)?.version == first)

            try await store.updateUsers([UserUpdate(id: someone, custom: ["plan": "silver"])], at: noon)
            #expect(try await store.userRevision(of: someone)?.version == first + 1)
        }
    }

    static let updateConflictsWithSave = ConformanceCheck(
        "A feed decided before an update of its user is not saved"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone, custom: ["plan": "gold"])], at: noon)
            let change = FeedChange(user: someone, version: 0, additions: [], endings: [:], at: noon)
            #expect(try await store.saveFeed(change) == nil)
        }
    }

    static let thousandUsers = ConformanceCheck(
        "A thousand users are made at once, also where some come twice"
    ) { stores in
        try await stores.withStore { store in
            let updates = (0..<1000).map {
                UserUpdate(id: UserID(rawValue: "user-\($0 / 2)"), custom: ["n\($0 % 2)": .integer(Int64($0))])
            }

            try await store.updateUsers(updates, at: noon)

            #expect(try await store.userCount() == 500)
            let profile = try #require(try await store.userState(of: UserID(rawValue: "user-3"))?.profile)
            #expect(profile.custom == ["n0": 6, "n1": 7])
        }
    }

    static let longLog = ConformanceCheck(
        "However many events a user has, none is left once the user is deleted, and another user's stay"
    ) { stores in
        try await stores.withStore { store in
            let other = UserID(rawValue: "user-2")
            try await store.record([DeviceEvent(1, .sessionStart)], of: other)
            for start in stride(from: UInt64(1), to: 2_501, by: 500) {
                try await store.record((start..<start + 500).map { DeviceEvent($0, .custom(name: "seen")) })
            }
            #expect(try await store.deleteUser(someone, at: noon, by: .command))
            #expect(try await store.userEvents(of: someone, limit: 10).isEmpty)
            #expect(try await store.userEvents(of: other, limit: 10).count == 1)
            #expect(try await store.deleteUsers([.id(other), .id(someone)], at: noon, by: .command) == [other])
        }
    }

    static let deletes = ConformanceCheck(
        "A user that is forgotten leaves nothing but what was counted"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let other = UserID(rawValue: "user-2")
            for (user, card) in [(someone, "card-1"), (other, "card-2")] {
                try await store.give(card, to: user)
                try await store.record([.impression(1, of: card)], of: user)
            }

            #expect(try await store.deleteUser(someone, at: 0, by: .command))

            #expect(try await store.userState(of: someone) == nil)
            #expect(try await store.userEvents(of: someone, limit: 10).isEmpty)
            #expect(try await store.counts().impressions == 2)
            #expect(try await store.userState(of: other)?.deliveries.count == 1)
            #expect(try await store.userEvents(of: other, limit: 10).count == 1)
            #expect(try await !store.deleteUser(someone, at: 0, by: .command))
        }
    }

    static let positionsOnlyGrow = ConformanceCheck(
        "An event's position is not given out again after it was forgotten"
    ) { stores in
        try await stores.withStore { store in
            try await store.record([DeviceEvent(1, .custom(name: "a")), DeviceEvent(2, .custom(name: "b"))])
            let last = try #require(try await store.userEvents(of: someone, limit: 1).first?.position)
            _ = try await store.deleteUser(someone, at: 0, by: .command)

            try await store.record([DeviceEvent(1, .custom(name: "a"))])

            let next = try #require(try await store.userEvents(of: someone, limit: 1).first?.position)
            #expect(next > last)
        }
    }
}
