import CardModel
import CardStore
import Testing
import WireJSON

/// Two texts that Swift's `==` takes for the same, and no store does.
struct EquivalentTexts: Sendable, CustomTestStringConvertible {
    let first: String
    let second: String

    static let all = [
        EquivalentTexts("\u{E9}", "e\u{301}"), EquivalentTexts("K", "\u{212A}"), EquivalentTexts("\u{C5}", "\u{212B}"),
        EquivalentTexts("a\u{301}\u{323}", "a\u{323}\u{301}"),
    ]

    init(_ first: String, _ second: String) {
        (self.first, self.second) = (first, second)
    }

    var both: [String] { [first, second] }
    var users: [UserID] { both.map { UserID(rawValue: $0 + "ate") } }
    var testDescription: String { both.map { $0.utf8.map { String($0, radix: 16) }.joined() }.joined(separator: "/") }
}

/// Checks that canonically equivalent names are different names.
enum IdentityChecks {
    static let checks: [ConformanceCheck] =
        [
            pages
        ] + checksOfTexts

    private static let checksOfTexts: [ConformanceCheck] = EquivalentTexts.all.flatMap { texts in
        [
            ConformanceCheck("Users, their cards and their events (\(texts.testDescription))") {
                try await users($0, texts)
            },
            ConformanceCheck("Attributes (\(texts.testDescription))") { try await attributes($0, texts) },
            ConformanceCheck("Events and products, in the history, the log and the audience (\(texts.testDescription))")
            { try await events($0, texts) },
            ConformanceCheck("Aliases, e-mail addresses and telephone numbers (\(texts.testDescription))") {
                try await references($0, texts)
            },
            ConformanceCheck(
                "Aliases whose labels are canonically equivalent do not keep two users apart (\(texts.testDescription))"
            ) { try await labels($0, texts) },
            ConformanceCheck("Campaigns, segments and content blocks (\(texts.testDescription))") {
                try await campaigns($0, texts)
            },
            ConformanceCheck("An edit from one spelling to the other is an edit (\(texts.testDescription))") {
                try await edits($0, texts)
            },
            ConformanceCheck("Triggers (\(texts.testDescription))") { try await triggers($0, texts) },
            ConformanceCheck("Devices, content types and the last administrator (\(texts.testDescription))") {
                try await others($0, texts)
            },
        ]
    }

    private static func sorted(_ texts: [String]) -> [ByteString] { texts.map { ByteString($0) }.sorted() }

    private static func users(_ stores: any StoreFactory, _ texts: EquivalentTexts) async throws {
        try await stores.withStore { store in
            try await store.launch(.sample())
            for (index, user) in texts.users.enumerated() {
                try await store.give("card-\(index)", to: user)
                let outcome = try await store.record(
                    [.impression(1, of: "card-0"), .impression(2, of: "card-1")],
                    of: user
                )
                #expect(outcome.receipt.accepted == 1)
                #expect(outcome.receipt.rejected.count == 1)
                let state = try #require(try await store.userState(of: user))
                #expect(state.profile.id == user)
                #expect(state.deliveries.map(\.card) == [CardID(rawValue: "card-\(index)")])
            }
            #expect(try await store.userCount() == 2)
            let named = try await store.listUsers(startingWith: texts.first, after: nil, limit: 10)
            #expect(named.map(\.id) == [texts.users[0]])
            #expect(try await store.deleteUser(texts.users[0], at: 0, by: .command))
            #expect(try await store.userState(of: texts.users[1])?.deliveries.count == 1)
            #expect(try await store.userEvents(of: texts.users[1], limit: 10).count == 1)
        }
    }

    static let pages = ConformanceCheck(
        "A page of users goes on though a character goes on"
    ) { stores in
        try await stores.withStore { store in
            let ids = ["e", "e\u{301}1", "e\u{301}2", "ea"].map { UserID(rawValue: $0) }.sorted()
            try await store.updateUsers(ids.map { UserUpdate(id: $0) }, at: noon)
            var found: [UserID] = []
            for _ in 0..<6 {
                found += try await store.listUsers(startingWith: "e", after: found.last, limit: 1).map(\.id)
            }
            #expect(found == ids)
        }
    }

    private static func attributes(_ stores: any StoreFactory, _ texts: EquivalentTexts) async throws {
        try await stores.withStore { store in
            let (first, second) = (texts.first, texts.second)
            try await store.updateUsers([UserUpdate(id: someone, custom: [first: 1, second: 2])], at: noon)
            #expect(try await store.userState(of: someone)?.profile.custom == [first: 1, second: 2])
            let version = try #require(try await store.userRevision(of: someone)?.version)

            try await store.updateUsers([UserUpdate(id: someone, custom: [first: .string(first)])], at: noon)
            try await store.updateUsers([UserUpdate(id: someone, custom: [first: .string(second)])], at: noon)

            let profile = try #require(try await store.userState(of: someone)?.profile)
            #expect(profile.custom[first] == .string(second))
            #expect(profile.custom[second] == 2)
            #expect(try await store.userRevision(of: someone)?.version == version + 2)
            for (name, reach) in [(first, 1), (second, 0)] {
                let clause = AttributeClause(.custom(ByteString(name)), .equals, .string(second))
                let found = try await store.audienceReach(
                    of: AudienceMatcher(.attribute(clause)),
                    at: noon,
                    exactly: true
                )
                #expect(found.users == Int64(reach))
            }
        }
    }

    private static func events(_ stores: any StoreFactory, _ texts: EquivalentTexts) async throws {
        try await stores.withStore { store in
            let (first, second) = (texts.first, texts.second)
            var events: [DeviceEvent] = []
            for (index, name) in [first, first, second].enumerated() {
                events.append(DeviceEvent(UInt64(index), .custom(name: ByteString(name))))
                let purchase = DeviceEvent.Purchase(productID: name, currency: "EUR", price: 1)
                events.append(DeviceEvent(UInt64(index + 10), .purchase(purchase)))
            }
            try await store.record(events)

            let history = try #require(try await store.userState(of: someone, including: .all)?.history)
            #expect(history.events.mapValues(\.count) == [ByteString(first): 2, ByteString(second): 1])
            #expect(history.purchases.count == 2)
            let record = try #require(try await store.userRecords(of: [.id(someone)]).first?.first)
            #expect(sorted(record.events.map(\.name)) == sorted(texts.both))
            #expect(sorted(record.purchases.map(\.name)) == sorted(texts.both))
            for (name, reach) in [(first, 1), (second, 0)] {
                let clause = HistoryClause(.event(ByteString(name)), .count, .greaterThanOrEqual, 2)
                let found = try await store.audienceReach(
                    of: AudienceMatcher(.history(clause)),
                    at: noon,
                    exactly: true
                )
                #expect(found.users == Int64(reach))
            }
        }
    }

    private static func references(_ stores: any StoreFactory, _ texts: EquivalentTexts) async throws {
        try await stores.withStore { store in
            for (name, user) in zip(texts.both, texts.users) {
                let update = UserUpdate(
                    id: user,
                    standard: [.email: .string(name + "@example.com"), .phone: .string(name)]
                )
                try await store.updateUsers([update], at: noon)
                let alias = NewAlias(alias: UserAlias(label: "l", name: name), user: user, newUser: someone)
                #expect(try await store.addAliases([alias], at: noon) == [.given])
                // A second label that is canonically equivalent to the first is another label.
                for label in texts.both {
                    let alias = NewAlias(alias: UserAlias(label: label, name: name), user: user, newUser: someone)
                    #expect(try await store.addAliases([alias], at: noon) == [.given])
                }
            }
            for (name, user) in zip(texts.both, texts.users) {
                let references: [UserReference] = [
                    .alias(UserAlias(label: "l", name: name)), .email(name + "@example.com", .usual),
                    .phone(name, .usual), .alias(UserAlias(label: texts.first, name: name)),
                    .alias(UserAlias(label: texts.second, name: name)),
                ]
                #expect(try await store.findUsers(references) == references.map { _ in user })
            }
        }
    }

    private static func labels(_ stores: any StoreFactory, _ texts: EquivalentTexts) async throws {
        try await stores.withStore { store in
            let guest = UserID(rawValue: "unidentified-1")
            let aliases = [
                NewAlias(alias: UserAlias(label: texts.first, name: "1"), user: nil, newUser: guest),
                NewAlias(alias: UserAlias(label: texts.second, name: "2"), user: someone, newUser: guest),
            ]
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            #expect(try await store.addAliases(aliases, at: noon) == [.given, .given])
            let outcome = try await store.identifyUsers([Identification(user: .id(guest), identity: someone)], at: noon)
            #expect(outcome == [.done])
            #expect(try await store.userRecords(of: [.id(someone)]).first?.first?.aliases.count == 2)
        }
    }

    private static func campaigns(_ stores: any StoreFactory, _ texts: EquivalentTexts) async throws {
        try await stores.withStore { store in
            for text in texts.both {
                var campaign = Campaign.sample(text, title: text)
                campaign.content.tags = [text]
                try await store.launch(campaign)
                try await store.give("card-" + text, of: text)
                let segment = Segment(
                    id: SegmentID(rawValue: text),
                    content: .init(name: text, audience: .everyone),
                    createdAt: noon
                )
                try await store.insertSegment(segment, by: command)
                try await store.saveContentBlock(ContentBlock(name: text, content: text, updatedAt: noon), by: command)
            }
            let catalog = try await store.loadCatalog(since: nil)
            #expect(catalog.campaigns.map(\.id).sorted() == texts.both.map { CampaignID(rawValue: $0) }.sorted())
            #expect(catalog.segments.count == 2)
            #expect(sorted(catalog.contentBlocks.map(\.name)) == sorted(texts.both))
            #expect(sorted(try await store.campaignTags(limit: 10)) == sorted(texts.both))
            for text in texts.both {
                #expect(try await store.counts(of: text).delivered == 1)
                let tagged = try await store.searchCampaigns(matching: CampaignFilter(tag: text), after: nil, limit: 10)
                #expect(tagged.map(\.id) == [CampaignID(rawValue: text)])
            }
        }
    }

    private static func edits(_ stores: any StoreFactory, _ texts: EquivalentTexts) async throws {
        try await stores.withStore { store in
            var campaign = Campaign.sample("c")
            campaign.content.variants[0].card?.extras = ["code": texts.first]
            let old = try await store.launch(campaign)
            let source = try await store.loadCatalog(since: nil)
            var content = old.content
            content.variants[0].card?.extras = ["code": texts.second]

            let new = try await store.updateCampaign(
                old.updating(content, at: noon),
                from: old.version,
                action: "campaign.update",
                by: command
            )

            #expect(new.version > old.version)
            #expect(new.generation > old.generation)
            let known = try await store.loadCatalog(since: source)
            let extras = try #require(known.campaigns.first?.content.variants[0].card?.extras)
            #expect(extras["code"]?.hasSameBytes(as: texts.second) == true)
        }
    }

    private static func triggers(_ stores: any StoreFactory, _ texts: EquivalentTexts) async throws {
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            for text in texts.both + texts.both {
                let trigger = Trigger(
                    id: TriggerID(rawValue: text),
                    campaign: CampaignID(rawValue: "c"),
                    at: noon,
                    due: .at(noon),
                    until: noon + 100
                )
                _ = try await store.sendTriggers(TriggerSend(trigger, to: [.init(someone)]))
            }
            let waiting = try #require(try await store.userState(of: someone)?.triggers)
            #expect(waiting.map(\.id).sorted() == texts.both.map { TriggerID(rawValue: $0) }.sorted())
        }
    }

    private static func others(_ stores: any StoreFactory, _ texts: EquivalentTexts) async throws {
        try await stores.withStore { store in
            let types = texts.both.map { ContentType(classType: $0, schema: [:], updatedAt: noon) }
            try await store.saveContentTypes(types, at: noon, by: command)
            #expect(sorted(try await store.contentTypes().map(\.classType)) == sorted(texts.both))

            let admin = TeamMember(email: texts.first, name: "", role: .admin, passwordHash: "", createdAt: noon)
            let viewer = TeamMember(email: texts.second, name: "", role: .viewer, passwordHash: "", createdAt: noon)
            try await store.insertMember(admin, by: command)
            try await store.insertMember(viewer, by: command)
            await expectFailure(.conflict) { try await store.removeMember(texts.first, at: noon, by: command) }

            try await store.recordDevice(DeviceContext(appVersion: texts.first), of: someone, at: noon)
            try await store.recordDevice(DeviceContext(appVersion: texts.second), of: someone, at: noon)
            let version = try #require(try await store.userState(of: someone)?.profile.device.appVersion)
            #expect(version.hasSameBytes(as: texts.second))
        }
    }
}
