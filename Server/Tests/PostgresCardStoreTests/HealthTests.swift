import CardStore
import Foundation
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: health", .timeLimit(.minutes(20)))
struct HealthTests {
    /// The checks that fail on a node whose clock is off by some seconds.
    private func failures(clockOffBy seconds: Double, isAccepted: Bool) async throws -> [String] {
        let failures = Failures()
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.systemClock = { Date().timeIntervalSince1970 + seconds }
            options.acceptsClock = isAccepted
            let store = try await PostgresCardStore.open(url: url, options: options)
            await failures.set(store.healthChecks().filter { $0.failure != nil }.map(\.name))
            try await store.close()
        }
        return await failures.names
    }

    @Test("A node whose clock differs from the database's is not ready", arguments: [-60.0, 60, 1e9])
    func wrongClock(seconds: Double) async throws {
        #expect(try await failures(clockOffBy: seconds, isAccepted: false) == ["clock"])
    }

    @Test("A clock that was accepted makes no node unready, whatever it says", arguments: [-1e9, 60, 1e9])
    func acceptedClock(seconds: Double) async throws {
        #expect(try await failures(clockOffBy: seconds, isAccepted: true).isEmpty)
    }
}

private actor Failures {
    private(set) var names: [String] = []

    func set(_ names: [String]) { self.names = names }
}
