import CardModel
import CardStore
import Testing

/// Checks of test cards.
enum TestCardChecks {
    static let checks: [ConformanceCheck] = [
        sends, marks, users, additions, concurrency,
    ]

    private static func test(_ id: String, at time: UnixTime = noon, language: String? = nil) -> TestCard {
        TestCard(
            card: CardID(rawValue: id),
            campaign: CampaignID(rawValue: "sale"),
            variant: VariantID(rawValue: "a"),
            language: language,
            members: Array(#","type":"classic","title":"Hi","test":true"#.utf8),
            isPinned: true,
            priority: 3,
            sentAt: time,
            expiresAt: time + TestCard.lifetime
        )
    }

    private static func event(_ number: UInt64, _ kind: DeviceEvent.EventKind) -> DeviceEvent {
        DeviceEvent(id: EventID(high: 1, low: number), kind: kind, at: noon + 5)
    }

    static let sends = ConformanceCheck(
        "A test card is in the state of its user alone, in place of the one of the same variant and language"
    ) { stores in
        try await stores.withStore { store in
            let stranger = UserID(rawValue: "stranger")
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            let before = try #require(try await store.userRevision(of: someone)).version
            #expect(try await !store.sendTestCard(test("t0"), to: stranger, at: noon))
            #expect(try await store.sendTestCard(test("t1"), to: someone, at: noon))
            var expected = test("t1")
            expected.changedAt = before + 1
            var state = try #require(try await store.userState(of: someone))
            #expect(state.testCards == [expected] && state.version == before + 1 && state.deliveries.isEmpty)

            #expect(try await store.sendTestCard(test("t2", at: noon + 1), to: someone, at: noon + 1))
            #expect(try await store.sendTestCard(test("t3", at: noon + 2, language: "ja"), to: someone, at: noon + 2))
            state = try #require(try await store.userState(of: someone))
            #expect(state.testCards.map(\.isReplaced) == [true, false, false])
            #expect(state.testCards.map(\.card.rawValue) == ["t1", "t2", "t3"])

            // What has left by itself is removed by the next one.
            let later = noon + 2 * TestCard.lifetime
            #expect(try await store.sendTestCard(test("t4", at: later), to: someone, at: later))
            #expect(try await store.userState(of: someone)?.testCards.map(\.card.rawValue) == ["t4"])
            #expect(try await store.deleteUser(someone, at: later, by: .command))
            try await store.updateUsers([UserUpdate(id: someone)], at: later)
            #expect(try await store.userState(of: someone)?.testCards.isEmpty == true)
        }
    }

    static let marks = ConformanceCheck(
        "What a user does with a test card is marked and counted nowhere"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            #expect(try await store.sendTestCard(test("t1"), to: someone, at: noon))
            let card = CardID(rawValue: "t1")
            let other = CardID(rawValue: "t9")
            let version = try #require(try await store.userRevision(of: someone)).version
            let batch = EventBatch(
                user: someone,
                events: [event(1, .impression(card)), event(2, .click(card)), event(3, .impression(other))],
                receivedAt: noon + 6,
                device: "phone"
            )
            let outcome = try await store.recordEvents(batch)
            #expect(outcome.receipt.accepted == 2 && outcome.receipt.rejected.map(\.code) == [.cardUnknown])
            #expect(outcome.versionAfter == version + 1)
            let marked = try #require(try await store.userState(of: someone)?.testCards.first)
            #expect(marked.marks == TestCard.Marks(isViewed: true, isClicked: true))
            #expect(marked.changedAt == version + 1)
            #expect(try await store.userEvents(of: someone, limit: 10).isEmpty)
            // Again is nothing new.
            #expect(try await store.recordEvents(batch).versionAfter == version + 1)
        }
    }

    static let users = ConformanceCheck(
        "Test users stay in their order, and leave with their user"
    ) { stores in
        try await stores.withStore { store in
            #expect(try await store.testUsers().isEmpty)
            let users = ["zoe", "anna", "eve"].map { id in
                let groups = id == "eve" ? ["QA", "\"<e\u{301}>\\"] : []
                return TestUser(UserID(rawValue: id), name: id == "zoe" ? "Zoë" : nil, groups: groups)
            }
            try await change(.replacement(users + [TestUser(users[0].id)]), store)
            #expect(try await store.testUsers() == users)
            try await store.updateUsers([UserUpdate(id: users[1].id)], at: noon)
            #expect(try await store.deleteUser(users[1].id, at: noon, by: .command))
            #expect(try await store.testUsers() == [users[0], users[2]])
        }
    }

    /// Changes the test users, and expects that it can be done.
    private static func change(_ change: TestUserChange, _ store: any CardStore) async throws {
        #expect(try await store.changeTestUsers(change, at: noon, by: .command).isMade)
    }

    static let additions = ConformanceCheck(
        "A test user is added as the last one, is given another name, and isn't added beyond the limit"
    ) { stores in
        try await stores.withStore { store in
            let phone = UserID(rawValue: "anonymous-1")
            try await change(.addition(TestUser(someone)), store)
            try await change(.addition(TestUser(phone, name: "Old")), store)
            try await change(.addition(TestUser(someone, name: "Anna’s iPhone")), store)
            let expected = [TestUser(someone, name: "Anna’s iPhone"), TestUser(phone, name: "Old")]
            #expect(try await store.testUsers() == expected)
            try await change(.replacement([TestUser(phone, name: "Old", groups: ["QA"])]), store)
            try await change(.addition(TestUser(phone, name: "New")), store)
            try await change(.addition(TestUser(someone, groups: ["QA"])), store)
            let renamed = TestUser(phone, name: "New", groups: ["QA"])
            #expect(try await store.testUsers() == [renamed, TestUser(someone, groups: ["QA"])])

            let many = (0..<TestUser.limit).map { TestUser(UserID(rawValue: "u\($0)")) }
            try await change(.replacement(many), store)
            let excess = TestUserChange.addition(TestUser(phone))
            #expect(try await store.changeTestUsers(excess, at: noon, by: .command) == .tooManyUsers)
            try await change(.addition(TestUser(many[7].id, name: "Seven")), store)
            #expect(try await store.testUsers()[7].name == "Seven")
            #expect(try await store.testUsers().count == TestUser.limit)
        }
    }

    static let concurrency = ConformanceCheck(
        "Of changes of the test users at the same time none is lost, and one that changes nothing isn't noted"
    ) { stores in
        try await stores.withStore { store in
            let users = (0..<8).map { UserID(rawValue: "u\($0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, user) in users.enumerated() {
                    group.addTask { try await change(.group("Group \(index)", [user, someone]), store) }
                    group.addTask { try await change(.addition(TestUser(user, name: "Phone \(index)")), store) }
                }
                try await group.waitForAll()
            }
            let saved = try await store.testUsers()
            #expect(saved.count == users.count + 1)
            for (index, user) in users.enumerated() {
                let known = try #require(saved.first { $0.id == user })
                #expect(known.name == "Phone \(index)" && known.groups == ["Group \(index)"])
            }
            #expect(saved.first { $0.id == someone }?.groups.count == users.count)

            let before = try await store.auditEntries(after: 0, limit: 100).count
            let nothing = try await store.changeTestUsers(.groupRemoval("None"), at: noon, by: .command)
            #expect(nothing == .unchanged(saved))
            try await change(.replacement([TestUser(users[0])], keepsNames: true, keepsGroups: true), store)
            let kept = TestUser(users[0], name: "Phone 0", groups: ["Group 0"])
            #expect(try await store.testUsers() == [kept])
            #expect(try await store.auditEntries(after: 0, limit: 100).count == before + 1)
        }
    }
}
