import CardModel
import CardStore
import Dispatch
import PostgresTesting
import Synchronization

@testable import PostgresCardStore

/// A moment in November 2026, at noon in UTC.
let testTime: UnixTime = 1_795_262_400
let testUser = UserID(rawValue: "user-1")

/// A database that has the tables already, of which each test gets a copy.
enum TemplateDatabase {
    private static let name = "placard_template"
    private static let creation = Task {
        let cluster = try await PostgresCluster.shared()
        try await cluster.execute("CREATE DATABASE \(name)")
        let store = try await PostgresCardStore.open(url: cluster.url(of: name))
        try await store.close()
    }

    /// Creates databases that stay until the cluster ends.
    static func create(_ names: [String]) async throws {
        try await creation.value
        let cluster = try await PostgresCluster.shared()
        for copy in names {
            try await cluster.execute("CREATE DATABASE \(copy) TEMPLATE \(name) STRATEGY FILE_COPY")
        }
    }

    /// Runs a test with several databases of its own.
    static func withCopies(_ count: Int, _ body: (_ urls: [String]) async throws -> Void) async throws {
        try await creation.value
        try await PostgresCluster.shared().withDatabases(count, like: name, body)
    }

    /// Runs a test with a database of its own.
    static func withCopy(_ body: (_ url: String) async throws -> Void) async throws {
        try await creation.value
        try await PostgresCluster.shared().withDatabase(like: name, body)
    }
}

/// Runs a test with a store of its own, which is closed and removed afterwards.
func withStore(_ body: (PostgresCardStore) async throws -> Void) async throws {
    try await TemplateDatabase.withCopy { url in
        var options = PostgresCardStore.Options()
        options.now = { testTime }
        // However busy the machine is.
        options.statementTimeout = .seconds(600)
        let store = try await PostgresCardStore.open(url: url, options: options)
        do {
            try await body(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }
}

/// Runs a test with an empty database and a connection to it.
func withConnection(_ body: @Sendable @escaping (PostgresConnection) throws -> Void) async throws {
    try await PostgresCluster.shared().withDatabase { url in
        let source = ConnectionSource(ConnectionSettings(url: url)) { _ in }
        let pool = ConnectionPool(source, ConnectionSettings(url: url), size: 1)
        try await pool.read(body)
        pool.close()
    }
}

extension PostgresCardStore {
    /// Writes jobs in one group, in the order of their places: one that is before them waits until all of them do.
    func asOneGroup(_ count: Int, _ job: @Sendable @escaping (Int) async throws -> Void) async throws {
        let hold = HeldJob()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [writer] in try await writer.write { _ in hold.wait() } }
            while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
            for place in 0..<count {
                group.addTask {
                    do {
                        try await job(place)
                    } catch {
                        hold.hasFailed.store(true, ordering: .releasing)
                        throw error
                    }
                }
                // A job that fails before it waits will never be seen waiting.
                while writer.waiting <= place, !hold.hasFailed.load(ordering: .acquiring) { await Task.yield() }
            }
            hold.end.signal()
            try await group.waitForAll()
        }
    }
}

/// A job that lasts until it is told to end.
final class HeldJob: Sendable {
    let isHeld = Atomic<Bool>(false)
    /// Whether one of those that wait for it has failed.
    let hasFailed = Atomic<Bool>(false)
    let end = DispatchSemaphore(value: 0)

    func wait() {
        isHeld.store(true, ordering: .releasing)
        end.wait()
    }
}
