import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Testing

@testable import SQLiteCardStore

/// SQLite keeps a value of any type in any column, and what another program has written there must not end the process.
@Suite("SQLite: columns with values of another type")
struct DamagedColumnTests {
    private static let sale = CampaignID(rawValue: "sale")
    private static let guest = UserID(rawValue: "unidentified-1")
    private static let alias = UserAlias(label: "shop", name: "anna")

    @Test("A status that is no text is left out of the counts, and one in bytes counts no campaign twice")
    func statuses() async throws {
        try await withSQLiteStore { store in
            for id in ["one", "two", "three"] { try await store.insertCampaign(.sample(id), by: command) }
            try await store.execute(
                """
                UPDATE campaigns SET status = CAST(status AS BLOB) WHERE id = 'two';
                UPDATE campaigns SET status = x'ff' WHERE id = 'three';
                """
            )
            #expect(try await store.campaignCountsByStatus() == [.draft: 1])
        }
    }

    @Test("A variant in bytes is no second one of its name in the totals")
    func variants() async throws {
        try await withSQLiteStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.execute(
                """
                INSERT INTO counts (campaign_id, utc_day, local_day, variant_id, delivered, impressions,
                    unique_impressions, clicks, unique_clicks, dismissals, decode_errors)
                SELECT campaign_id, utc_day, local_day, CAST(variant_id AS BLOB), 7, 0, 0, 0, 0, 0, 0 FROM counts
                """
            )
            let totals = try await store.campaignTotals(of: [Self.sale])[Self.sale]
            #expect(totals?.keys.map(\.rawValue) == ["a"])
            #expect(totals?[VariantID(rawValue: "a")]?.delivered == 1)
        }
    }

    @Test("A trigger whose campaign is no text is an error of those who read it")
    func triggers() async throws {
        try await withSQLiteStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            try await store.execute(
                """
                INSERT INTO triggers (user_id, campaign_id, trigger_id, at, due_at, due_locally, until, outcome)
                VALUES ('user-1', x'ff', 't', 0, 0, 0, 0, 'removal_event')
                """
            )
            await expectFailure(.corrupt) { try await store.lastTriggers(of: someone) }
        }
    }

    @Test("Users of which one was given a card by a damaged trigger aren't merged, and both stay")
    func merging() async throws {
        try await withSQLiteStore { store in
            try await store.give("card-1", to: Self.guest)
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            try await store.execute("UPDATE deliveries SET trigger_id = x'ff'")
            let identification = Identification(user: .id(Self.guest), identity: someone)
            await expectFailure(.corrupt) { try await store.identifyUsers([identification], at: noon) }
            #expect(try await store.userCount() == 2)
            #expect(try await store.userRevision(of: Self.guest) != nil)
        }
    }

    @Test(
        "A user is looked up by what can be read alone",
        arguments: [
            "UPDATE users SET created_at = 'x', updated_at = NULL", "UPDATE users SET updated_at = x'00'",
        ]
    )
    func lookups(_ damage: String) async throws {
        try await withSQLiteStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            #expect(try await store.findUsers([.id(someone)]) == [someone])
            try await store.execute(damage)
            await expectFailure(.corrupt) { try await store.findUsers([.id(someone)]) }
        }
    }

    @Test("An alias that is no text is an error of those who read its user, and of nobody else")
    func aliases() async throws {
        try await withSQLiteStore { store in
            try await store.updateUsers([UserUpdate(id: someone), UserUpdate(id: Self.guest)], at: noon)
            let new = NewAlias(alias: Self.alias, user: someone, newUser: someone)
            #expect(try await store.addAliases([new], at: noon) == [.given])
            #expect(try await store.userRecords(of: [.id(someone)]).first?.first?.aliases == [Self.alias])
            try await store.execute("UPDATE aliases SET name = x'ff'")
            await expectFailure(.corrupt) { try await store.userRecords(of: [.id(someone)]) }
            #expect(try await store.userRecords(of: [.id(Self.guest)]).first?.count == 1)
        }
    }

    @Test(
        "Where a count of attempts can't be read nobody is let in, until it is cleared",
        arguments: ["UPDATE attempts SET last_at = 'x'", "UPDATE attempts SET count = x'01'"]
    )
    func attempts(_ damage: String) async throws {
        try await withSQLiteStore { store in
            let subject = AttemptSubject(hash: [1], limit: AttemptLimit(free: 1), scope: .own)
            let attempt = GuessAttempt([subject])
            #expect(try await store.takeAttempt(attempt, at: noon) == 0)
            try await store.execute(damage)
            await expectFailure(.corrupt) { try await store.takeAttempt(attempt, at: noon) }
            try await store.returnAttempt(attempt, clearing: true)
            #expect(try await store.takeAttempt(attempt, at: noon) == 0)
        }
    }

    @Test("A webhook whose numbers or secret can't be read is an error of its readers")
    func webhooks() async throws {
        try await withSQLiteStore { store in
            let hook = Webhook(url: "https://example.com", secret: "whsec_1234567890", createdAt: noon)
            try await store.saveWebhook(hook, after: nil, at: noon, by: command)
            try await store.execute("UPDATE webhooks SET failures = 'x'")
            await expectFailure(.corrupt) { try await store.webhookQueue() }
            try await store.execute("UPDATE webhooks SET failures = 2")
            #expect(try await store.webhookQueue() == WebhookQueue(failures: 2))
            try await store.execute("UPDATE webhooks SET secret = x'ff'")
            await expectFailure(.corrupt) { try await store.webhookState() }
        }
    }

    @Test("An event without a readable time of arrival keeps none of the others from being pruned, and stays")
    func pruning() async throws {
        try await withSQLiteStore { store in
            try await store.record([DeviceEvent(1, .sessionStart)])
            try await store.execute("UPDATE events SET received_at = 'x'")
            #expect(try await store.pruneEvents(before: noon + 1) == 0)
            try await store.record([DeviceEvent(2, .sessionStart)])
            #expect(try await store.pruneEvents(before: noon + 1) == 1)
            #expect(try await store.read { try $0.storedEventCount() } == 1)
        }
    }

    @Test("Events that can't be read are left out of what is known of a user")
    func activity() async throws {
        try await withSQLiteStore { store in
            let tea = DeviceEvent.Purchase(productID: "tea", currency: "EUR", price: 2, quantity: 3)
            try await store.record([
                DeviceEvent(1, .custom(name: "open")), DeviceEvent(2, .custom(name: "cut")),
                DeviceEvent(3, .custom(name: "number")), DeviceEvent(4, .purchase(tea)),
                DeviceEvent(5, .purchase(tea), at: noon + 1),
            ])
            let damages = ["'{x' WHERE position = 2", #"'{"name":7}' WHERE position = 3"#]
            for damage in damages { try await store.execute("UPDATE events SET details = \(damage)") }
            let record = try #require(try await store.userRecords(of: [.id(someone)]).first?.first)
            #expect(record.events == [.init(name: "open", first: noon, last: noon, count: 1)])
            #expect(record.purchases == [.init(name: "tea", first: noon, last: noon + 1, count: 6)])

            let endless = #"{"product_id":"tea","quantity":1e300}"#
            try await store.execute("UPDATE events SET details = '\(endless)' WHERE position = 5")
            #expect(try await store.userRecords(of: [.id(someone)]).first?.first?.purchases.isEmpty == true)
        }
    }

    @Test("A member whose second factor is no bytes is an error of those who read the team")
    func members() async throws {
        for column in ["code_secret", "sealed_code_secret"] {
            try await withSQLiteStore { store in
                let member = TeamMember(email: "a@example.com", role: .admin, passwordHash: "-", createdAt: noon)
                try await store.insertMember(member, by: command)
                try await store.execute("UPDATE members SET \(column) = 7")
                await expectFailure(.corrupt) { try await store.members() }
            }
        }
    }

    @Test("What campaigns name is an error where it can't be told whether they still do")
    func names() async throws {
        try await withSQLiteStore { store in
            try await store.launch(.sample())
            let name = ContentName(.picture, "p")
            try await store.execute(
                """
                INSERT INTO content_names SELECT 'picture', 'p', campaign_id, version, 'x', 1 FROM campaign_versions
                WHERE campaign_id = 'sale' LIMIT 1
                """
            )
            await expectFailure(.corrupt) { try await store.uses(of: [name], includesFormer: true, limit: 9) }
            try await store.execute("UPDATE content_names SET is_present = 1")
            let uses = try await store.uses(of: [name], includesFormer: true, limit: 9)
            #expect(uses.first?.uses.map(\.campaign) == [Self.sale])
        }
    }

    @Test("A database in which pictures have no names is an error of those who look for their files")
    func pictures() async throws {
        try await withFolder { folder in
            let path = folder + "/other.sqlite"
            try withDatabase(path) { database in
                try database.execute(sql: "CREATE TABLE media (id, widths, bytes)")
                try database.execute(sql: "INSERT INTO media VALUES (NULL, 1, 1)")
            }
            await expectFailure(.corrupt) { try await SQLiteCardStore.missingPictures(of: path, beside: []) }
        }
    }
}
