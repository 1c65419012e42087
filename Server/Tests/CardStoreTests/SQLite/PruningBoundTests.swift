import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: what is pruned at the bounds of times and pieces", .timeLimit(.minutes(20)))
struct PruningBoundTests {
    private static let sale = CampaignID(rawValue: "sale")

    /// A table of the numbers from 1 to one.
    private static func numbers(_ last: Int) -> String {
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(last))"
    }

    /// Adds events that happened and arrived at a time.
    private static func events(_ count: Int, from first: Int = 0, at time: UnixTime) -> String {
        """
        INSERT INTO events (user_id, id, type, at, received_at)
        \(numbers(count))
        SELECT 'user-1', CAST(printf('%016d', n + \(first)) AS BLOB), 'session_start', \(time), \(time) FROM numbers
        """
    }

    private static func count(_ table: String, in store: SQLiteCardStore) async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    @Test("As many events go as are old, however they lie in pieces", arguments: [1, 4_999, 5_000, 5_001, 10_000])
    func pieces(_ old: Int) async throws {
        try await withSQLiteStore { store in
            try await store.execute(Self.events(old, at: noon))
            try await store.execute(Self.events(3, from: 20_000, at: noon + 1))
            #expect(try await store.pruneEvents(before: noon) == 0)
            #expect(try await store.pruneEvents(before: noon + 1) == old)
            #expect(try await Self.count("events", in: store) == 3)
            #expect(try await store.pruneEvents(before: noon + 2) == 3)
            // Positions go on where they were.
            try await store.record([DeviceEvent(1, .sessionStart)])
            #expect(try await store.lastEventPosition() == Int64(old + 4))
        }
    }

    @Test("An event that arrived at the moment itself stays, and so does one that is to happen then")
    func moments() async throws {
        try await withSQLiteStore { store in
            try await store.record([DeviceEvent(1, .sessionStart, at: noon - 50)], at: noon)
            try await store.record([DeviceEvent(2, .sessionStart, at: noon)], at: noon - 1)
            #expect(try await store.pruneEvents(before: noon) == 0)
            #expect(try await store.pruneEvents(before: noon + 1) == 2)
        }
    }

    @Test(
        "What the webhook hasn't got stays, wherever it is in a piece",
        arguments: [0, 1, 4_999, 5_000, 5_001, 9_000]
    )
    func webhook(_ position: Int) async throws {
        try await withSQLiteStore { store in
            try await store.execute(Self.events(5_002, at: noon))
            let hook = Webhook(url: "https://example.com", secret: "whsec_1234567890", createdAt: noon)
            try await store.saveWebhook(hook, after: Int64(position), at: noon, by: command)
            let sent = min(position, 5_002)
            #expect(try await store.pruneEvents(before: noon + 1) == sent)
            #expect(try await Self.count("events", in: store) == 5_002 - sent)
        }
    }

    @Test("The message of a problem goes with the newest event that it is from")
    func problems() async throws {
        try await withSQLiteStore { store in
            try await store.execute(
                """
                INSERT INTO problems (campaign_id, variant_id, class_type, field, message, count, last_at) VALUES
                    ('sale', 'a', 'ad', 'before', 'm', 1, \(noon - 1)), ('sale', 'a', 'ad', 'then', 'm', 1, \(noon)),
                    ('sale', 'a', 'ad', 'after', 'm', 1, \(noon + 1))
                """
            )
            let kept = "SELECT field FROM problems WHERE message = 'm' ORDER BY last_at"
            #expect(try await store.pruneEvents(before: noon) == 0)
            #expect(try await store.read { try String.fetchAll($0, sql: kept) } == ["then", "after"])
            #expect(try await Self.count("problems", in: store) == 3)
        }
    }

    @Test("The versions stay that newer ones take their content from, also where the clock was set back")
    func versions() async throws {
        try await withSQLiteStore { store in
            try await store.insertCampaign(.sample(), by: command)
            let rows = [(2, 1.0, false), (3, 2.0, true), (4, 10.0, false), (5, 3.0, false), (6, 20.0, true)]
            for (version, seconds, hasContent) in rows {
                try await store.execute(
                    """
                    INSERT INTO campaign_versions (campaign_id, version, at, actor, action, status, withdrawn, changed,
                        content)
                    SELECT campaign_id, \(version), at + \(seconds), actor, action, status, withdrawn, changed,
                        \(hasContent ? "content" : "NULL") FROM campaign_versions WHERE version = 1
                    """
                )
            }
            func versions() async throws -> [Int64] {
                try await store.campaignVersions(of: Self.sale, before: nil, limit: 10).map(\.number)
            }
            #expect(try await store.pruneCampaignVersions(before: noon + 2) == 0)
            #expect(try await store.pruneCampaignVersions(before: noon + 5) == 2)
            #expect(try await versions() == [6, 5, 4, 3])
            for version in 3...6 as ClosedRange<Int64> {
                let past = try await store.campaignVersion(version, of: Self.sale)
                #expect(past?.campaign.content == Campaign.sample().content, "\(version)")
            }
            #expect(try await store.pruneCampaignVersions(before: noon + 5_000) == 3)
            #expect(try await versions() == [6])
        }
    }

    @Test("Triggers and broadcasts stay that end, or were used, at the moment itself")
    func triggerMoments() async throws {
        try await withSQLiteStore { store in
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            func row(_ id: String, at: UnixTime, until: UnixTime, _ outcome: String) -> String {
                "('user-1', 'sale', '\(id)', \(at), 0, 0, \(until), \(outcome))"
            }
            let rows = [
                row("over", at: noon - 9, until: noon - 1, "NULL"), row("ends", at: noon - 9, until: noon, "NULL"),
                row("used", at: noon - 1, until: noon + 9, "'delivered'"),
                row("used then", at: noon, until: noon + 9, "'delivered'"),
                row("waits", at: noon - 9, until: noon + 9, "NULL"),
            ]
            try await store.execute(
                """
                INSERT INTO triggers (user_id, campaign_id, trigger_id, at, due_at, due_locally, until, outcome)
                    VALUES \(rows.joined(separator: ", "));
                INSERT INTO broadcasts (campaign_id, trigger_id, at, due_at, due_locally, until, audience)
                    VALUES ('sale', 'over', 0, 0, 0, \(noon - 1), '{}'), ('sale', 'ends', 0, 0, 0, \(noon), '{}');
                """
            )
            #expect(try await store.pruneTriggers(before: noon) == 3)
            let left = "SELECT trigger_id FROM triggers ORDER BY trigger_id"
            #expect(try await store.read { try String.fetchAll($0, sql: left) } == ["ends", "used then", "waits"])
            #expect(try await Self.count("broadcasts", in: store) == 1)
        }
    }

    @Test("The triggers of a user that lie in two pieces go, and those of users behind them")
    func triggerPieces() async throws {
        try await withSQLiteStore { store in
            try await store.execute(
                """
                INSERT INTO users (id, version, device, created_at)
                \(Self.numbers(3)) SELECT 'user-' || n, 1, 0, 0 FROM numbers;
                INSERT INTO triggers (user_id, campaign_id, trigger_id, at, due_at, due_locally, until)
                \(Self.numbers(12_000)) SELECT 'user-' || (1 + n / 4500), 'sale', 't' || n, 0, 0, 0, n % 2 FROM numbers;
                """
            )
            #expect(try await store.pruneTriggers(before: 1) == 6_000)
            #expect(try await Self.count("triggers", in: store) == 6_000)
            #expect(try await store.pruneTriggers(before: 2) == 6_000)
            #expect(try await Self.count("triggers", in: store) == 0)
        }
    }

    @Test("The audit log is pruned piece by piece, and says how much once", arguments: [4_999, 5_000, 5_001])
    func audit(_ count: Int) async throws {
        try await withSQLiteStore { store in
            let note = AuditNote("key.use", of: "key_a", at: noon, by: command)
            try await store.appendAuditNotes(Array(repeating: note, count: count))
            #expect(try await store.pruneAudit(before: noon, at: noon + 5, by: command) == 0)
            #expect(try await Self.count("audit", in: store) == count)
            #expect(try await store.pruneAudit(before: noon + 1, at: noon + 5, by: command) == count)
            let left = try await store.auditEntries(after: 0, limit: 10)
            #expect(left.map(\.action) == ["audit.prune"])
            #expect(left.first?.details == #"{"entries":\#(count)}"#)
            let chain = try await store.auditChain()
            #expect(chain.last.count == Int64(count + 1) && chain.anchor.count == Int64(count))
            #expect(chain.last.position == left.first?.position)
        }
    }

    @Test("Attempts are forgotten after a day without any, and not before")
    func attempts() async throws {
        try await withSQLiteStore { store in
            func attempt(_ number: UInt8) -> GuessAttempt {
                GuessAttempt([AttemptSubject(hash: [number], limit: AttemptLimit(free: 1), scope: .own)])
            }
            func subjects() async throws -> [UInt8] {
                let sql = "SELECT subject FROM attempts ORDER BY subject"
                return try await store.read { try Data.fetchAll($0, sql: sql).compactMap(\.first) }
            }
            let wait = try await store.takeAttempt(attempt(1), at: noon)
            #expect(wait == 0)
            #expect(try await store.takeAttempt(attempt(2), at: noon + AttemptLimit.memory) == 0)
            #expect(try await subjects() == [1, 2])
            #expect(try await store.takeAttempt(attempt(3), at: noon + AttemptLimit.memory + 1) == 0)
            #expect(try await subjects() == [2, 3])
        }
    }
}
