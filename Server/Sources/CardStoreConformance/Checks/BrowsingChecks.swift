import CardModel
import CardStore
import Testing

/// Checks of lists, search and sums.
enum BrowsingChecks {
    static let checks: [ConformanceCheck] = [
        campaigns, campaignsByLetters, changes, days, users, usersByParts, usersByLetters, usersInPages, events,
    ]

    private static func campaign(_ id: String, name: String, tags: [String] = [], at time: Double) -> Campaign {
        var campaign = Campaign.sample(id)
        campaign.content.name = name
        campaign.content.tags = tags
        campaign.updatedAt = time
        return campaign
    }

    static let campaigns = ConformanceCheck(
        "Campaigns are found by status, tag and text, and page by page"
    ) { stores in
        try await stores.withStore { store in
            for index in 0..<5 {
                let tags = index % 2 == 0 ? ["even", "all"] : ["all"]
                try await store.insertCampaign(
                    campaign("c\(index)", name: "100%_Sale \(index)", tags: tags, at: noon + Double(index / 2)),
                    by: command
                )
            }
            func ids(
                _ filter: CampaignFilter,
                after place: CampaignPlace? = nil,
                limit: Int = 10
            ) async throws -> [String] {
                try await store.searchCampaigns(matching: filter, after: place, limit: limit).map(\.id.rawValue)
            }
            #expect(try await ids(CampaignFilter()) == ["c4", "c3", "c2", "c1", "c0"])
            #expect(try await ids(CampaignFilter(), limit: 2) == ["c4", "c3"])
            let place = CampaignPlace(updatedAt: noon + 1, id: CampaignID(rawValue: "c3"))
            #expect(try await ids(CampaignFilter(), after: place) == ["c2", "c1", "c0"])
            #expect(try await ids(CampaignFilter(tag: "even")) == ["c4", "c2", "c0"])
            #expect(try await ids(CampaignFilter(text: "sale 3")) == ["c3"])
            #expect(try await ids(CampaignFilter(text: "c1")) == ["c1"])
            #expect(try await ids(CampaignFilter(text: "%_s")).count == 5)
            #expect(try await ids(CampaignFilter(text: "_%")).isEmpty)
            #expect(try await ids(CampaignFilter(status: .active)).isEmpty)
            #expect(try await store.campaignTags(limit: 10) == ["all", "even"])
            #expect(try await store.campaignCountsByStatus() == [.draft: 5])
        }
    }

    static let campaignsByLetters = ConformanceCheck(
        "Campaigns are found by parts of names and ids, in any case, with accents or without, page by page"
    ) { stores in
        try await stores.withStore { store in
            let names = ["spring-sale-1": "SOLDES D’ÉTÉ", "spring-sale-2": "Große Aktion", "gift-3": "ギフト André"]
            for (id, name) in names { try await store.insertCampaign(campaign(id, name: name, at: noon), by: command) }
            func ids(_ text: String, after place: CampaignPlace? = nil, limit: Int = 10) async throws -> [String] {
                let filter = CampaignFilter(text: text)
                return try await store.searchCampaigns(matching: filter, after: place, limit: limit).map(\.id.rawValue)
            }
            #expect(try await ids("ete") == ["spring-sale-1"])
            #expect(try await ids("été soldes") == ["spring-sale-1"])
            #expect(try await ids("GROSS") == ["spring-sale-2"])
            #expect(try await ids("ｷﾞﾌﾄ") == ["gift-3"])
            #expect(try await ids("andre gift") == ["gift-3"])
            #expect(try await ids("Sale") == ["spring-sale-2", "spring-sale-1"])
            #expect(try await ids("sale", limit: 1) == ["spring-sale-2"])
            let place = CampaignPlace(updatedAt: noon, id: CampaignID(rawValue: "spring-sale-2"))
            #expect(try await ids("sale", after: place) == ["spring-sale-1"])
            #expect(try await ids("sale gift").isEmpty)
            #expect(try await ids("\u{301}").isEmpty)
        }
    }

    static let changes = ConformanceCheck(
        "Tags follow what is written, and the archived show only when asked for"
    ) { stores in
        try await stores.withStore { store in
            let old = campaign("c", name: "C", tags: ["old"], at: noon)
            try await store.insertCampaign(old, by: command)
            var next = old
            next.content.tags = ["new"]
            next.version = 2
            next.status = .archived
            _ = try await store.updateCampaign(next, from: 1, action: "campaign.archive", by: command)
            #expect(try await store.campaignTags(limit: 10) == ["new"])
            #expect(try await store.searchCampaigns(matching: CampaignFilter(tag: "new"), after: nil, limit: 9).isEmpty)
            let archived = CampaignFilter(status: .archived)
            #expect(try await store.searchCampaigns(matching: archived, after: nil, limit: 9).map(\.id) == [old.id])
        }
    }

    static let days = ConformanceCheck(
        "Days sum up all campaigns but their controls"
    ) { stores in
        try await stores.withStore { store in
            let launched = try Campaign.sample("c").applying(.launch, at: noon)
            try await store.insertCampaign(launched, by: command)
            for (index, variant) in ["a", "control"].enumerated() {
                let user = UserID(rawValue: "u\(index)")
                let card = CardID(rawValue: "00000000-0000-4000-8000-00000000000\(index)")
                let delivery = Delivery(
                    card: card,
                    campaign: launched.id,
                    ordinal: 0,
                    variant: VariantID(rawValue: variant),
                    deliveredAt: noon
                )
                _ = try await store.saveFeed(
                    FeedChange(user: user, version: 0, additions: [delivery], endings: [:], at: noon)
                )
            }
            let totals = try await store.campaignTotals(of: [launched.id])
            #expect(totals[launched.id]?.values.map(\.delivered) == [1, 1])
            let days = try await store.dayTotals(from: Day(of: noon))
            #expect(days.values.map(\.delivered) == [1])
            #expect(days.values.map(\.recipients) == [1])
            #expect(try await store.dayTotals(from: Day(of: noon + 86_400)).isEmpty)
            #expect(try await store.userCount() == 2)
        }
    }

    static let users = ConformanceCheck(
        "Users are found by the beginning of the id or of the e-mail address"
    ) { stores in
        try await stores.withStore { store in
            for (id, email) in [("anna", "z@example.com"), ("ben", "Anna@example.com"), ("carl", nil), ("dora", nil)] {
                var update = UserUpdate(id: UserID(rawValue: id))
                update.standard[.email] = email.map { .string($0) }
                try await store.updateUsers([update], at: noon)
            }
            func ids(_ text: String, after place: String? = nil, limit: Int = 10) async throws -> [String] {
                let place = place.map { UserID(rawValue: $0) }
                return try await store.listUsers(startingWith: text, after: place, limit: limit).map(\.id.rawValue)
            }
            #expect(try await ids("") == ["anna", "ben", "carl", "dora"])
            #expect(try await ids("", after: "ben", limit: 1) == ["carl"])
            #expect(try await ids("anna") == ["anna", "ben"])
            #expect(try await ids("anna", after: "anna") == ["ben"])
            #expect(try await ids("nn").isEmpty)
            #expect(try await store.deleteUser(UserID(rawValue: "ben"), at: 0, by: .command))
            #expect(try await store.userCount() == 3)
        }
    }

    static let usersByParts = ConformanceCheck(
        "Users are found by a part of the id, of the name or of the e-mail address, in any case"
    ) { stores in
        try await stores.withStore { store in
            let users: [(id: String, first: String?, last: String?, email: String?)] = [
                ("u-1", "Anna", "Lindqvist", "al@example.com"), ("u-2", "Hanna", nil, nil),
                ("u-3", nil, "Åkesson", "100%@example.com"), ("Joanna", nil, nil, nil), ("u-5", "Bo \"B\"", "Ek", nil),
                ("v-1", "陽菜", "佐藤", nil), ("v-2", "湊", "佐々木", nil),
            ]
            for user in users {
                var update = UserUpdate(id: UserID(rawValue: user.id))
                update.standard[.firstName] = user.first.map { .string($0) }
                update.standard[.lastName] = user.last.map { .string($0) }
                update.standard[.email] = user.email.map { .string($0) }
                try await store.updateUsers([update], at: noon)
            }
            func ids(_ text: String, limit: Int = 10) async throws -> [String] {
                var found: [String] = []
                var place: UserSearchPlace?
                repeat {
                    let page = try await store.searchUsers(matching: text, after: place, limit: limit)
                    #expect(page.users.count <= limit)
                    found += page.users.map(\.id.rawValue)
                    place = page.next
                } while place != nil
                return found
            }
            for limit in [1, 2, 10] {
                #expect(try await ids("Anna", limit: limit) == ["Joanna", "u-1", "u-2"])
                #expect(try await ids("anna", limit: limit) == ["Joanna", "u-1", "u-2"])
                #expect(try await ids("u-", limit: limit) == ["u-1", "u-2", "u-3", "u-5"])
                #expect(try await ids("EXAMPLE", limit: limit) == ["u-1", "u-3"])
                #expect(try await ids("", limit: limit) == ["Joanna", "u-1", "u-2", "u-3", "u-5", "v-1", "v-2"])
            }
            #expect(try await ids("anna lind") == ["u-1"])
            #expect(try await ids("åkes") == ["u-3"])
            #expect(try await ids("ÅKES") == ["u-3"])
            #expect(try await ids("0%") == ["u-3"])
            #expect(try await ids("%").contains("u-1") == false)
            #expect(try await ids("\"b\"") == ["u-5"])
            #expect(try await ids("nobody").isEmpty)
            #expect(try await ids("lindqvist anna") == ["u-1"])
            for name in ["佐藤 陽菜", "佐藤　陽菜", "佐藤陽菜", "陽菜 佐藤", "陽菜佐藤", "陽菜"] {
                #expect(try await ids(name, limit: 1) == ["v-1"])
            }
            #expect(try await ids("佐々木湊") == ["v-2"])
            #expect(try await ids("佐") == ["v-1", "v-2"])
            #expect(try await ids("佐藤 湊").isEmpty)
        }
    }

    static let usersByLetters = ConformanceCheck(
        "Users are found without the accents of their names, and in letters and kana of either width"
    ) { stores in
        try await stores.withStore { store in
            let users: [(id: String, first: String, last: String)] = [
                ("u-1", "André", "Groß"), ("u-2", "Andre\u{301}", "Łuczak"), ("u-3", "アンナ", "佐藤"),
                ("u-4", "ｱﾝﾅ", "ｶﾞﾙｼｱ"), ("u-5", "Ａｎｎａ", "カルシア"), ("ünal", "İpek", "50%"),
            ]
            for user in users {
                var update = UserUpdate(id: UserID(rawValue: user.id))
                update.standard[.firstName] = .string(user.first)
                update.standard[.lastName] = .string(user.last)
                try await store.updateUsers([update], at: noon)
            }
            let expected: [(text: String, ids: [String])] = [
                ("andre", ["u-1", "u-2"]), ("ANDRÉ", ["u-1", "u-2"]), ("Andre\u{301}", ["u-1", "u-2"]),
                ("gross", ["u-1"]), ("GROẞ", ["u-1"]), ("gross andré", ["u-1"]), ("luczak", ["u-2"]),
                ("アンナ", ["u-3", "u-4"]), ("佐藤アンナ", ["u-3"]),
                ("ｱﾝﾅ", ["u-3", "u-4"]), ("ガルシア", ["u-4"]), ("ｶﾙｼｱ", ["u-5"]), ("anna", ["u-5"]),
                ("ipek", ["ünal"]), ("unal", ["ünal"]), ("ünal", ["ünal"]), ("0%", ["ünal"]), ("\u{301}", []),
            ]
            for (text, ids) in expected {
                let found = try await store.searchUsers(matching: text, after: nil, limit: 10).users
                #expect(found.map(\.id.rawValue) == ids, "\(text)")
            }
            // Identities are compared by their bytes.
            #expect(try await store.listUsers(startingWith: "unal", after: nil, limit: 10).isEmpty)
        }
    }

    static let usersInPages = ConformanceCheck(
        "Page by page, whoever is found is found once, by id or by address"
    ) { stores in
        try await stores.withStore { store in
            var expected: Set<String> = []
            for number in 0..<30 {
                // The addresses are in another order than the ids, some are those of users whose ids begin so as well.
                let id = number % 3 == 0 ? "ab-\(number)" : "user-\(number)"
                var update = UserUpdate(id: UserID(rawValue: id))
                if number % 2 == 0 {
                    update.standard[.email] = .string("\(number % 4 == 0 ? "AB" : "b").\(99 - number)@x.jp")
                }
                try await store.updateUsers([update], at: noon)
                if number % 3 == 0 || number % 4 == 0 { expected.insert(id) }
            }
            for limit in [1, 4, 100] {
                var found: [String] = []
                while true {
                    let place = found.last.map { UserID(rawValue: $0) }
                    let page = try await store.listUsers(startingWith: "ab", after: place, limit: limit)
                    found += page.map(\.id.rawValue)
                    if page.count < limit { break }
                }
                #expect(found.count == expected.count && Set(found) == expected)
            }
        }
    }

    static let events = ConformanceCheck(
        "The log of events goes backwards, with filters"
    ) { stores in
        try await stores.withStore { store in
            #expect(try await store.lastEventPosition() == 0)
            for index in 0..<6 {
                let event = DeviceEvent(
                    id: EventID(high: UInt64(index), low: 1),
                    kind: index % 2 == 0 ? .custom(name: "looked") : .sessionStart,
                    at: noon + Double(index)
                )
                _ = try await store.recordEvents(
                    EventBatch(user: UserID(rawValue: "u\(index % 3)"), events: [event], receivedAt: noon)
                )
                // What could be read before is before it, whichever database has its user.
                #expect(try await store.lastEventPosition() > 0)
            }
            let first = try await store.searchEvents(matching: EventLogFilter(), before: nil, limit: 4)
            #expect(first.events.map(\.at) == [5, 4, 3, 2].map { noon + $0 })
            let second = try await store.searchEvents(matching: EventLogFilter(), before: first.searchedTo, limit: 4)
            #expect(second.events.map(\.at) == [1, 0].map { noon + $0 })
            #expect(second.searchedTo == nil)
            let custom = try await store.searchEvents(matching: EventLogFilter(type: "custom"), before: nil, limit: 10)
            #expect(custom.events.map(\.at) == [4, 2, 0].map { noon + $0 })
            let user = EventLogFilter(type: "session_start", user: UserID(rawValue: "u0"))
            #expect(try await store.searchEvents(matching: user, before: nil, limit: 10).events.map(\.at) == [noon + 3])
            #expect(try await store.lastEventPosition() == first.events[0].position)
        }
    }
}
