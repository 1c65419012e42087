import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

/// Users can be divided among servers as long as what devices need of a user is found by the user's id alone.
@Suite("PostgreSQL: tables divided by user", .timeLimit(.minutes(20)))
struct CitusTests {
    /// `PLACARD_WRITE_CITUS=1` writes the file instead of comparing it.
    @Test("The statements for Citus are those that the schema asks for")
    func script() async throws {
        try await withStore { store in
            let text = try await store.read { try CitusScript(of: $0).text }
            if ProcessInfo.processInfo.environment["PLACARD_WRITE_CITUS"] != nil {
                try text.write(to: CitusScript.file, atomically: true, encoding: .utf8)
            }
            let known = try String(contentsOf: CitusScript.file, encoding: .utf8)
            #expect(known == text, "Write it with PLACARD_WRITE_CITUS=1, and compare.")
        }
    }

    /// The topics of the conformance suite with all that devices ask for.
    private static let topics: Set<String> = [
        "Conversions", "Conversions counted again", "Events", "Users' cards", "Histories",
        "Identification and deletion", "Content blocks and suppressed cards", "Test cards", "Triggers",
    ]

    /// Statements of devices that ask all servers in spite of their user: for what is still under the id of a user who
    /// was merged into this one.
    private static let exceptions: Set<String> = [SQL.knownEvents, SQL.loggedEvents]

    /// What is in the statements that aren't a device's and are about several users, or the logs of several ids.
    private static let others = [
        // The log by position, by user beside those who were merged, and what is removed of it.
        "position >= $1 AND position < $2", "position > $1", "position < $1", "ORDER BY position DESC",
        "DELETE FROM events WHERE", "SELECT 1 FROM events WHERE user_id = ANY", "DELETE FROM moved_events",
        // Users by other things than their ids, and all of them.
        "folded_email", "phone = $1", "FROM users WHERE id > $1", "FROM users WHERE id >= $1", "sample_rank",
        "test_users",
        // Two users who are merged.
        "SELECT 1 FROM events WHERE user_id = $2", "UPDATE triggers AS t SET user_id = $2",
        // Triggers that are put off or pruned, and recipients of one send.
        "FROM triggers WHERE user_id > $1", "DELETE FROM triggers", "is_scheduled", "WHERE u.id = ANY ($1)",
        "ORDER BY id FOR UPDATE", "FROM users WHERE id = ANY ($1)",
    ]

    /// Statements that a run is no run without.
    private static let needed = [
        SQL.userRevision, SQL.state, SQL.testCards, SQL.insertUser, SQL.setVersion, SQL.setDevice, SQL.setLastSeen,
        SQL.insertDelivery, SQL.endDelivery, SQL.cards, SQL.markCard, SQL.markTestCard, SQL.knownEvents,
        SQL.loggedEvents, SQL.saveHistory, SQL.countHistory, SQL.campaignCards, SQL.conversions, SQL.setConversion,
        SQL.spending, SQL.setSpending, SQL.useTrigger,
    ]

    @Test("A statement of a device names its user")
    func keys() async throws {
        let citus = try await EmulatedCitus.start(applying: String(contentsOf: CitusScript.file, encoding: .utf8))
        let checks = ConformanceCheck.all.filter { Self.topics.contains($0.topic) && $0.capability == nil }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, check) in checks.enumerated() {
                if place >= 4 { try await group.next() }
                group.addTask { try await check.run(with: citus) }
            }
            try await group.waitForAll()
        }
        let nameless = "SELECT count(*) FROM deliveries WHERE card_id = 'card-1'"
        try await citus.run(nameless)
        let plans = LoggedPlan.all(in: try citus.log())
        let spread = Set(plans.filter(\.isSpread).map(\.statement))
        #expect(spread.contains { $0.hasPrefix(nameless) }, "The planner doesn't find out.")
        #expect(Self.exceptions.isSubset(of: spread), "An exception is none any more.")
        for statement in spread.subtracting(Self.exceptions) where !statement.hasPrefix(nameless) {
            #expect(Self.others.contains(where: statement.contains), "Doesn't name its user: \(statement)")
        }
        let seen = Set(plans.map(\.statement))
        for statement in Self.needed { #expect(seen.contains(statement), "Wasn't run: \(statement)") }
    }
}
