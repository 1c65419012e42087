import CardModel
import CardStore
import OrderedCollections
import Testing
import WireJSON

/// Checks of who is found by an e-mail address or a telephone number that devices set too.
enum AddressChecks {
    static let checks: [ConformanceCheck] = [preference, required, confirmation, merging, crowd]

    private static let other = UserID(rawValue: "user-2")
    private static let guest = UserID(rawValue: "unidentified-1")
    private static let email = UserReference.email("ann@example.com", .usual)
    private static let phone = UserReference.phone("+81", .usual)

    /// Has a backend set the addresses of one user, and then a device those of another.
    private static func claim(_ store: any CardStore) async throws {
        try await store.updateUsers(
            [UserUpdate(id: someone, standard: [.email: "Ann@example.com", .phone: "+81"])],
            at: noon
        )
        try await store.updateUsers([UserUpdate(id: other)], at: noon)
        try await store.record([said(1, [.email: "ANN@example.com", .phone: "+81"])], of: other, at: noon + 60)
    }

    private static func said(
        _ number: UInt64,
        _ standard: OrderedDictionary<StandardAttribute, JSONValue>
    ) -> DeviceEvent {
        DeviceEvent(number, .attributes(AttributeChanges(standard: standard)))
    }

    static let preference = ConformanceCheck(
        "Users whose address a backend set go before those whose device did, whoever was changed last"
    ) { stores in
        try await stores.withStore { store in
            try await claim(store)
            #expect(try await store.findUsers([email, phone]) == [someone, someone])
            let only = UserReference.email("ann@example.com", MatchPreference([]))
            #expect(try await store.findUsers([only]) == [someone])
            let outcome = try await store.trackUsers([.attributes(of: email, ["code": .set("S3")])], at: noon + 120)
            #expect(outcome.users == [someone])
            #expect(try await store.userRecords(of: [email]).first?.count == 2)
            #expect(try await store.deleteUsers([email], at: noon + 180, by: command) == [someone])
            // No other user has them, so the device's claim is used.
            #expect(try await store.findUsers([email, phone]) == [other, other])
        }
    }

    static let required = ConformanceCheck(
        "Where user tokens are required, nobody is found by what a device says of an address"
    ) { stores in
        try await stores.withStore { store in
            try await claim(store)
            var settings = Settings()
            settings.userTokens = .required
            try await store.saveSettings(settings, at: noon, by: command)
            #expect(try await store.findUsers([email, phone]) == [someone, someone])
            #expect(try await store.userRecords(of: [email]).first?.map(\.profile.id) == [someone])
            #expect(try await store.deleteUser(someone, at: noon + 180, by: command))
            #expect(try await store.findUsers([email, phone, .id(other)]) == [nil, nil, other])
            // It is free, so a backend that names a user by it creates another.
            let made = try await store.trackUsers([.attributes(of: email, [:], making: guest)], at: noon + 200)
            #expect(made.users == [guest])
            #expect(try await store.findUsers([email]) == [guest])
        }
    }

    static let confirmation = ConformanceCheck(
        "A backend that sets the same address confirms it, and a device that repeats a backend's takes nothing from it"
    ) { stores in
        try await stores.withStore { store in
            try await claim(store)
            let claimed = try #require(try await store.userState(of: other)?.profile)
            #expect(claimed.claimed == [.email, .phone])
            try await store.updateUsers([UserUpdate(id: other, standard: [.email: "ANN@example.com"])], at: noon + 120)
            #expect(try await store.userState(of: other)?.profile.claimed == .phone)
            #expect(try await store.findUsers([email, phone]) == [other, someone])

            let repeated = said(2, [.email: "ann@EXAMPLE.com", .phone: "+81"])
            try await store.record([repeated], of: someone, at: noon + 180)
            #expect(try await store.userState(of: someone)?.profile.claimed == [])
            try await store.record([said(3, [.email: .null, .phone: "+82"])], of: someone, at: noon + 240)
            #expect(try await store.userState(of: someone)?.profile.claimed == .phone)
            #expect(try await store.userState(of: someone)?.profile.standard == [.phone: "+82"])
        }
    }

    static let merging = ConformanceCheck(
        "An address keeps its origin when two users become one"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone, standard: [.phone: "+81"])], at: noon)
            try await store.updateUsers([UserUpdate(id: guest)], at: noon)
            let event = said(1, [.email: "ann@example.com", .phone: "+90"])
            try await store.record([event], of: guest, at: noon + 60)
            let joined = try await store.identifyUsers(
                [Identification(user: .id(guest), identity: someone)],
                at: noon + 120
            )
            #expect(joined == [.done])
            let profile = try #require(try await store.userState(of: someone)?.profile)
            #expect(profile.standard[.phone] == "+81" && profile.standard[.email] == "ann@example.com")
            #expect(profile.claimed == .email)
        }
    }

    static let crowd = ConformanceCheck(
        "However many users claim an address, few of them are considered, after those who were given it by a backend"
    ) { stores in
        try await stores.withStore { store in
            let claiming = (0..<UserMatch.limit + 2).map { UserID(rawValue: "claiming-\(1_000 + $0)") }
            try await store.updateUsers(claiming.map { UserUpdate(id: $0) }, at: noon)
            for (index, user) in claiming.enumerated() {
                let event = said(UInt64(index) + 1, [.email: "ann@EXAMPLE.com", .phone: "+81"])
                try await store.record([event], of: user, at: noon + Double(index))
            }
            let considered = Array(claiming.prefix(UserMatch.limit))
            #expect(try await store.findUsers([email, phone]) == [considered.last, considered.last])
            for reference in [email, phone] {
                let records = try await store.userRecords(of: [reference]).first ?? []
                #expect(records.map(\.profile.id) == considered.reversed())
            }

            let last = UserID(rawValue: "zoe")
            let update = UserUpdate(id: last, standard: [.email: "Ann@example.com", .phone: "+81"])
            try await store.updateUsers([update], at: noon)
            #expect(try await store.findUsers([email, phone]) == [last, last])
            let outcome = try await store.trackUsers([.attributes(of: email, ["code": .set("S3")])], at: noon + 600)
            #expect(outcome.users == [last])
            let records = try await store.userRecords(of: [email]).first ?? []
            #expect(Set(records.map(\.profile.id)) == Set(considered.dropLast() + [last]))
        }
    }
}
