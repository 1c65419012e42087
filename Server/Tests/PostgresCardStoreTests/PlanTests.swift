import CardModel
import CardStore
import Testing

@testable import PostgresCardStore

/// The tables hold enough rows and are analysed, and the planner is as it is: a plan that reads a whole table here
/// would do so with a million users too.
@Suite("PostgreSQL: query plans", .timeLimit(.minutes(20)))
struct PlanTests {
    /// Statements on the path of a device, with the tables that each may read whole: none.
    static let hot = [
        SQL.userRevision, SQL.userRevisions, SQL.state, SQL.testCards, SQL.histories, SQL.triggers, SQL.userEvents,
        SQL.user, SQL.setVersion, SQL.setAttributes, SQL.setDevice, SQL.setLastSeen, SQL.endDelivery, SQL.removeCards,
        SQL.cards, SQL.markCard, SQL.touchCard, SQL.markCards, SQL.touchCards, SQL.markTestCard, SQL.knownEvents,
        SQL.loggedEvents, SQL.repeatedEvents,
        SQL.namedHistories, SQL.countHistory, SQL.campaignCards, SQL.conversions, SQL.deleteConversion, SQL.spending,
        SQL.deleteSpending, SQL.useTrigger, SQL.waitingTriggers, SQL.waitingCount, SQL.openBroadcasts, SQL.recipients,
        SQL.pastTriggers, SQL.lastTriggers, UserLookup.owner, UserLookup.byID, UserLookup.byEmail, UserLookup.byPhone,
    ]

    @Test("No statement of a device reads a whole table")
    func noSequentialScan() async throws {
        try await withStore { store in
            try await fill(store)
            for sql in Self.hot {
                let plan = try await plan(of: sql, in: store)
                #expect(!plan.contains("Seq Scan"), "\(sql)\n\(plan)")
                #expect(plan.contains("Index"), "\(sql)\n\(plan)")
            }
        }
    }

    @Test("A sync with nothing new is one search by the primary key")
    func revision() async throws {
        try await withStore { store in
            try await fill(store)
            let plan = try await plan(of: SQL.userRevision, in: store)
            #expect(plan.hasPrefix("Index Scan using users_pkey on users"))
            #expect(plan.contains("Index Cond: (id = "))
        }
    }

    @Test("A look at an address that many users claim ends with those who are considered, and sorts nothing")
    func claimedAddresses() async throws {
        try await withStore { store in
            _ = try await store.writer.write { session in
                try session.connection.execute(
                    """
                    INSERT INTO users
                        (id, version, device, created_at, sample_rank, standard, email, folded_email, phone)
                    SELECT 'user-' || i, 1, 0, 0, i,
                        '{"email":"a@b.c","email_from_device":true,"phone":"1","phone_from_device":true}',
                        'a@b.c', 'a@b.c', '1'
                    FROM generate_series(1, 5000) AS i
                    """
                )
            }
            try await store.read { try $0.simple("ANALYZE users") }
            let lookups = [
                (UserLookup.byEmail, "users_found_by_email"), (UserLookup.byPhone, "users_found_by_phone"),
            ]
            for (sql, index) in lookups {
                let plan = try await plan(of: sql, in: store)
                #expect(plan.hasPrefix("Limit"), "\(plan)")
                #expect(plan.contains("Index Scan using \(index) on users"), "\(plan)")
                #expect(!plan.contains("Sort"), "\(plan)")
            }
        }
    }

    @Test("A search for users reads one piece of them at a time, and a page of campaigns begins at its place")
    func searches() async throws {
        try await withStore { store in
            try await fill(store)
            let piece = try await plan(of: UserSearch.sql(isLast: false), in: store)
            #expect(piece.contains("Index Cond: ((id > $1) AND (id <= $2))"), "\(piece)")
            _ = try await store.writer.write { session in
                try session.connection.execute(
                    """
                    INSERT INTO campaigns
                        (id, name, folded_name, content, status, withdrawn, has_segments, has_conversions, version,
                        generation, created_at, updated_at)
                    SELECT 'campaign-' || i, 'Sale', 'sale', '{}', 'active', FALSE, FALSE, FALSE, 1, 1, i, i
                    FROM generate_series(1, 3000) AS i
                    """
                )
            }
            try await store.read { try $0.simple("ANALYZE campaigns") }
            let place = CampaignPlace(updatedAt: 1, id: CampaignID(rawValue: "sale"))
            let query = CampaignQuery(filter: CampaignFilter(), place: place, limit: 50)
            let page = try await plan(of: query.sql, in: store)
            #expect(page.contains("Index Cond: (ROW(updated_at, id) < ROW($3, $4))"), "\(page)")
        }
    }

    private func fill(_ store: PostgresCardStore) async throws {
        try await store.writer.write { session in
            for sql in Self.rows { try session.connection.execute(sql) }
            // Each partition of the log has events too: an empty table is read whole.
            let bounds = try EventPartitionJob.known(on: session.connection).filter { $0.start > .min }.map(
                \.lowerBound
            )
            for (index, bound) in (bounds + ["\\xffffffffffff"]).enumerated() {
                try session.connection.execute(
                    """
                    INSERT INTO events SELECT $1 + i, 'user-' || i % 5000 + 1,
                        $2::TEXT::BYTEA || decode(lpad(to_hex(i), 20, '0'), 'hex'), 'custom', i, i
                    FROM generate_series(1, 30000) AS i
                    """,
                    [(index + 1) * 100_000, bound]
                )
            }
        }
        try await store.read { try $0.simple("ANALYZE") }
    }

    private static let rows = [
        """
        INSERT INTO users (id, version, device, created_at, sample_rank, email, folded_email, phone)
        SELECT 'user-' || i, 1, 0, 0, i, 'u' || i || '@example.com', 'u' || i || '@example.com', '+' || i
        FROM generate_series(1, 5000) AS i
        """,
        """
        INSERT INTO deliveries (user_id, card_id, campaign_id, ordinal, variant_id, delivered_at, position, changed_at)
        SELECT 'user-' || i % 5000 + 1, 'card-' || i, 'campaign-' || i % 50, 0, 'a', 0, i, 1
        FROM generate_series(1, 20000) AS i
        """,
        """
        INSERT INTO test_cards
            (user_id, card_id, campaign_id, variant_id, members, pinned, priority, sent_at, expires_at, changed_at)
        SELECT 'user-' || i, 'test-' || i, 'c', 'a', '', FALSE, 0, 0, 0, 1 FROM generate_series(1, 3000) AS i
        """,
        """
        INSERT INTO histories SELECT 'user-' || i % 5000 + 1, 1, 'e' || i, '', 1, 0, 0, '0', ''
        FROM generate_series(1, 20000) AS i
        """,
        """
        INSERT INTO triggers SELECT 'user-' || i % 5000 + 1, 'campaign-' || i % 50, 't' || i, 0, 0, FALSE, 9, NULL,
            CASE WHEN i % 2 = 0 THEN 'delivered' END
        FROM generate_series(1, 20000) AS i
        """,
        """
        INSERT INTO events SELECT i, 'user-' || i % 5000 + 1, decode(lpad(to_hex(i), 32, '0'), 'hex'), 'custom', i, i
        FROM generate_series(1, 30000) AS i
        """,
        """
        INSERT INTO conversions SELECT 'user-' || i % 5000 + 1, 'c', 'x', 'card-' || i, 0
        FROM generate_series(1, 20000) AS i
        """,
        """
        INSERT INTO spending SELECT 'user-' || i % 5000 + 1, 'c' || i, 'x', 'EUR', '1', 1, 0
        FROM generate_series(1, 20000) AS i
        """,
        """
        INSERT INTO merged_logs SELECT 'anonymous-' || i, 'user-' || i FROM generate_series(1, 5000) AS i
        """,
        """
        INSERT INTO aliases SELECT 'user-' || i, 'crm', 'a' || i FROM generate_series(1, 5000) AS i
        """,
        """
        INSERT INTO broadcasts SELECT 'campaign-' || i % 500, 'b' || i, 0, 0, FALSE, i, NULL, '{}'
        FROM generate_series(1, 10000) AS i
        """,
    ]

    /// The plan for any parameters, as prepared statements come to have it.
    private func plan(of sql: String, in store: PostgresCardStore) async throws -> String {
        try await store.read { connection in
            // The store's own statements are prepared beside it, so the name has to be another one each time.
            let name = "asked_\(UInt64.random(in: 0 ... .max))"
            try connection.simple("SET plan_cache_mode = force_generic_plan; PREPARE \(name) AS \(sql)")
            let count = Set(sql.matches(of: /\$([0-9]+)/).map(\.1)).count
            let values = Array(repeating: "NULL", count: count).joined(separator: ", ")
            let explain = "EXPLAIN EXECUTE \(name)" + (count > 0 ? " (\(values))" : "")
            return try connection.rows(explain).map { try $0.text("QUERY PLAN") }.joined(separator: "\n")
        }
    }
}
