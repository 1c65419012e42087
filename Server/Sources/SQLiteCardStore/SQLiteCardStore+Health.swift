public import CardStore
import Foundation
import GRDB
import GRDBSQLite

extension SQLiteCardStore {
    /// Less free space than this, in bytes, counts as none: a log and its index grow in steps.
    static let leastFreeBytes: Int64 = 1 << 20

    /// Looks whether devices can be served: the file is the one that was opened, there is space, a reader that has
    /// nothing in memory can read, and what a device would write can be written.
    ///
    /// What is written is undone, but for the time of the check.
    public func healthChecks() async -> [HealthCheck] {
        async let written = HealthCheck.run("write") { try await self.checkWriting() }
        let files = DatabaseFiles(path)
        var checks = [
            await HealthCheck.run("file") { try self.checkFiles() },
            await HealthCheck.run("space") { try Self.checkSpace(in: files.folder) },
            await HealthCheck.run("read") { [path] in
                do throws(StoreError) {
                    try await BackupWriter.onOwnThread { () throws(StoreError) in try Self.checkReading(path) }
                } catch {
                    throw files.explained(error)
                }
            },
        ]
        checks.append(await written)
        return checks
    }

    /// The sizes of the database and its log, and the free space of their file system.
    public var storageSizes: StorageSizes? {
        let files = DatabaseFiles(path)
        return StorageSizes(
            databaseBytes: DatabaseFiles.size(of: files.main) ?? 0,
            logBytes: DatabaseFiles.size(of: files.log) ?? 0,
            freeBytes: DatabaseFiles.freeBytes(in: files.folder)
        )
    }

    /// Checks that devices can be served; throws what is in the way.
    public func checkHealth() async throws {
        if let failure = await healthChecks().lazy.compactMap(\.failure).first { throw failure }
    }

    private func checkFiles() throws(StoreError) {
        if let loss = openFiles.loss { throw loss }
        for identity in [lock?.identity, serverLock?.identity].compactMap(\.self) {
            guard let event = identity.loss else { continue }
            throw StoreError(
                .unavailable,
                "\(identity.path) was \(event), so that nothing keeps a second server or `placard restore` from the "
                    + "database. Stop this server and start it again."
            )
        }
    }

    private static func checkSpace(in folder: String) throws(StoreError) {
        guard let free = DatabaseFiles.freeBytes(in: folder), free < leastFreeBytes else { return }
        throw StoreError(
            .diskFull,
            "The disk is full: \(free) bytes are free. Make room; the server then goes on by itself."
        )
    }

    // MARK: Reading

    /// Pages of the tables that devices need, at random places.
    private static let samples = [
        "SELECT epoch FROM store WHERE id = 1",
        "SELECT length(content) FROM campaigns LIMIT 1",
        "SELECT length(hash) FROM keys LIMIT 1",
        "SELECT length(details) FROM events ORDER BY position DESC LIMIT 1",
        """
        SELECT length(details) FROM events WHERE position >= (SELECT abs(random()) % (max(position) + 1) FROM events)
        ORDER BY position LIMIT 1
        """,
        """
        SELECT length(custom), (SELECT count(*) FROM deliveries WHERE user_id = users.id),
            (SELECT count(*) FROM events WHERE user_id = users.id),
            (SELECT sum(count) FROM histories WHERE user_id = users.id)
        FROM users
        WHERE sample_rank < \(SampleRank.kept) AND sample_rank >= (SELECT abs(random()) % \(SampleRank.kept))
        ORDER BY sample_rank LIMIT 8
        """,
        "SELECT count(*) FROM (SELECT 1 FROM users ORDER BY id LIMIT 8)",
        "SELECT count(*) FROM (SELECT 1 FROM deliveries ORDER BY user_id DESC, card_id DESC LIMIT 8)",
    ]
    /// Reads with a connection that has nothing in memory, so that damage of the file shows.
    private static func checkReading(_ path: String) throws(StoreError) {
        try translatingErrors {
            let handle = try SQLiteHandle.open(path, cacheKiB: 256)
            defer { sqlite3_close_v2(handle) }
            for sql in samples {
                try PreparedStatement(sql, on: handle).use { statement in
                    while try statement.step() {}
                }
            }
        }
    }

    // MARK: Writing

    private func checkWriting() async throws {
        let now = now()
        do throws(StoreError) {
            try await writer.write { session in try session.rehearseDeviceWrite(at: now) }
        } catch {
            throw DatabaseFiles(path).explained(error)
        }
        let written = try await read { try Double.fetchOne($0, sql: "SELECT checked_at FROM store WHERE id = 1") }
        guard let written, written >= now else { throw StoreError.lostWrite }
    }
}

extension WriteSession {
    private static let deviceWrites = [
        "INSERT OR IGNORE INTO users (id, version, device, created_at) VALUES (:user, 1, 0, :now)",
        """
        INSERT OR IGNORE INTO deliveries (user_id, card_id, campaign_id, ordinal, variant_id, delivered_at, position,
            changed_at) VALUES (:user, :user, :user, 0, '', :now, 0, 0)
        """,
        "INSERT OR IGNORE INTO events (user_id, id, type, at, received_at) VALUES (:user, x'00', 'custom', :now, :now)",
    ]

    /// Writes what a device that is new makes the store write, undoes it, and notes the time of the check.
    fileprivate func rehearseDeviceWrite(at now: Double) throws {
        try database.execute(sql: "SAVEPOINT health")
        defer { try? database.execute(sql: "RELEASE health") }
        do {
            for sql in Self.deviceWrites {
                try database.execute(sql: sql, arguments: ["user": "_placard_health", "now": now])
            }
        } catch {
            try? database.execute(sql: "ROLLBACK TO health")
            throw error
        }
        try database.execute(sql: "ROLLBACK TO health")
        try database.execute(sql: "UPDATE store SET checked_at = ? WHERE id = 1", arguments: [now])
    }
}
