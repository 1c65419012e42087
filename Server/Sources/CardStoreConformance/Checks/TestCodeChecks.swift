import CardModel
import CardStore
import Testing

/// Checks of the codes that devices show for tests.
enum TestCodeChecks {
    static let checks: [ConformanceCheck] = [
        expires, devices, users, clients, leaving, nodes,
    ]

    private static let other = UserID(rawValue: "anonymous-other")

    /// The code of a number; two numbers, two codes.
    private static func code(_ number: Int) throws -> TestCode {
        let digits = Array("BCDFGHJKMN")
        let text = String(
            String(100_000_000 + number).dropFirst().compactMap { $0.wholeNumberValue.map { digits[$0] } }
        )
        return try #require(TestCode(typed: text))
    }

    private static func holder(
        _ device: String = "phone",
        of user: UserID = someone,
        client: String? = "192.0.2.1"
    ) -> TestCodeHolder {
        TestCodeHolder(user: user, device: device, client: client)
    }

    private static func addUsers(to store: any CardStore) async throws {
        try await store.updateUsers([UserUpdate(id: someone), UserUpdate(id: other)], at: noon)
    }

    static let expires = ConformanceCheck(
        "A code stands for the user of its device until it expires, and for nobody where there is no such user"
    ) { stores in
        try await stores.withStore { store in
            let code = try code(1)
            #expect(try await store.insertTestCode(code, of: holder(), at: noon) == .userUnknown)
            try await addUsers(to: store)
            #expect(try await store.user(ofTestCode: code, at: noon) == nil)
            #expect(try await store.insertTestCode(code, of: holder(), at: noon) == .saved)
            let last = noon + TestCode.lifetime - 1
            #expect(try await store.user(ofTestCode: code, at: last) == someone)
            #expect(try await store.user(ofTestCode: try Self.code(2), at: last) == nil)
            #expect(try await store.user(ofTestCode: code, at: last + 1) == nil)
            // It is gone for good, whatever the clock says later.
            #expect(try await store.user(ofTestCode: code, at: noon) == nil)
        }
    }

    static let devices = ConformanceCheck(
        "A device has one code, whoever its user is, and no two devices have the same"
    ) { stores in
        try await stores.withStore { store in
            try await addUsers(to: store)
            let (first, second) = (try code(1), try code(2))
            #expect(try await store.insertTestCode(first, of: holder(), at: noon) == .saved)
            #expect(try await store.insertTestCode(second, of: holder(of: other), at: noon + 1) == .saved)
            #expect(try await store.user(ofTestCode: first, at: noon + 2) == nil)
            #expect(try await store.user(ofTestCode: second, at: noon + 2) == other)
            #expect(try await store.insertTestCode(second, of: holder("tablet"), at: noon + 3) == .taken)
            #expect(try await store.user(ofTestCode: second, at: noon + 4) == other)
            #expect(try await store.insertTestCode(second, of: holder(), at: noon + 5) == .saved)
            #expect(try await store.user(ofTestCode: second, at: noon + 6) == someone)
        }
    }

    static let users = ConformanceCheck("The oldest code of a user goes for one beyond the limit") { stores in
        try await stores.withStore { store in
            try await addUsers(to: store)
            #expect(try await store.insertTestCode(try code(99), of: holder("x", of: other), at: noon - 9) == .saved)
            for number in 0...TestCode.userLimit {
                let outcome = try await store.insertTestCode(
                    try code(number),
                    of: holder("phone-\(number)"),
                    at: noon + Double(number)
                )
                #expect(outcome == .saved)
            }
            #expect(try await store.user(ofTestCode: try code(0), at: noon + 9) == nil)
            for number in 1...TestCode.userLimit {
                #expect(try await store.user(ofTestCode: try code(number), at: noon + 9) == someone)
            }
            #expect(try await store.user(ofTestCode: try code(99), at: noon + 9) == other)
        }
    }

    static let clients = ConformanceCheck(
        "From one address come as many codes as may, until the first of them has expired; other addresses are free"
    ) { stores in
        try await stores.withStore { store in
            let ids = (0...TestCode.clientLimit).map { UserID(rawValue: "user-\($0)") }
            try await store.updateUsers(ids.map { UserUpdate(id: $0) }, at: noon)
            for number in 0..<TestCode.clientLimit {
                let holder = holder("phone-\(number)", of: ids[number])
                let outcome = try await store.insertTestCode(try code(number), of: holder, at: noon + Double(number))
                #expect(outcome == .saved)
            }
            let (last, new) = (ids[TestCode.clientLimit], try code(TestCode.clientLimit))
            let refused = try await store.insertTestCode(new, of: holder("new", of: last), at: noon + 200)
            #expect(refused == .tooMany(TestCode.lifetime - 200))
            // A device that has one already gets another.
            #expect(try await store.insertTestCode(new, of: holder("phone-5", of: ids[5]), at: noon + 200) == .saved)
            let free = holder("new", of: last, client: "192.0.2.2")
            #expect(try await store.insertTestCode(try code(200), of: free, at: noon + 200) == .saved)
            let nowhere = holder("newer", of: last, client: nil)
            #expect(try await store.insertTestCode(try code(201), of: nowhere, at: noon + 200) == .saved)
            let later = noon + TestCode.lifetime
            #expect(try await store.insertTestCode(try code(202), of: holder("newest", of: last), at: later) == .saved)
        }
    }

    static let leaving = ConformanceCheck("The codes of a user go when the user is deleted or merged") { stores in
        try await stores.withStore { store in
            try await addUsers(to: store)
            #expect(try await store.insertTestCode(try code(1), of: holder(), at: noon) == .saved)
            #expect(try await store.insertTestCode(try code(2), of: holder("tablet", of: other), at: noon) == .saved)
            #expect(try await store.deleteUser(someone, at: noon, by: .command))
            #expect(try await store.user(ofTestCode: try code(1), at: noon) == nil)
            #expect(try await store.user(ofTestCode: try code(2), at: noon) == other)
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            #expect(try await store.user(ofTestCode: try code(1), at: noon) == nil)
            let merge = Identification(user: .id(other), identity: someone)
            #expect(try await store.identifyUsers([merge], at: noon) == [.done])
            #expect(try await store.user(ofTestCode: try code(2), at: noon) == nil)
        }
    }

    static let nodes = ConformanceCheck("A code that one node has saved is found by another") { stores in
        try await stores.withPlace { place in
            let (first, second) = (try await place.open(), try await place.open())
            try await addUsers(to: first)
            #expect(try await first.insertTestCode(try code(1), of: holder(), at: noon) == .saved)
            #expect(try await second.user(ofTestCode: try code(1), at: noon + 1) == someone)
            #expect(try await second.insertTestCode(try code(2), of: holder(), at: noon + 2) == .saved)
            #expect(try await first.user(ofTestCode: try code(1), at: noon + 3) == nil)
            try await first.close()
            try await second.close()
        }
    }
}
